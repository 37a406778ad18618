-- A person linked another Linear issue to a finding, or none (identifier ''). The newest counts.
CREATE TABLE IF NOT EXISTS issue_correction (
    id               BIGINT NOT NULL AUTO_INCREMENT,
    investigation_id BIGINT NOT NULL,
    made_by          VARCHAR(255) NOT NULL,
    at_us            BIGINT NOT NULL,
    identifier       VARCHAR(64) NOT NULL,
    url              TEXT NOT NULL,
    PRIMARY KEY (id),
    KEY by_investigation (investigation_id, id),
    CONSTRAINT issue_correction_of FOREIGN KEY (investigation_id) REFERENCES investigation (id)
        ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
