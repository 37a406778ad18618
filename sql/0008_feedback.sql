-- What people said of a finding; class is the right one when the finding's was wrong.
CREATE TABLE IF NOT EXISTS feedback (
    id               BIGINT NOT NULL AUTO_INCREMENT,
    investigation_id BIGINT NOT NULL,
    said_by          VARCHAR(255) NOT NULL,
    at_us            BIGINT NOT NULL,
    is_right         BOOLEAN NOT NULL,
    class            VARCHAR(16) NULL,
    remark           TEXT NOT NULL,
    PRIMARY KEY (id),
    KEY by_investigation (investigation_id, id),
    CONSTRAINT feedback_of FOREIGN KEY (investigation_id) REFERENCES investigation (id)
        ON DELETE CASCADE,
    CONSTRAINT feedback_class CHECK (class IN ('out_of_memory', 'timeout', 'killed_early', 'crashed',
        'undetermined'))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
