-- What people had an investigation do after it was queued. `detail`: what was so before, such as the failure.
CREATE TABLE IF NOT EXISTS act (
    id               BIGINT NOT NULL AUTO_INCREMENT,
    investigation_id BIGINT NOT NULL,
    act              ENUM('retry', 'retry_note', 'ticket', 'cancel') NOT NULL,
    done_by          VARCHAR(255) NOT NULL,
    at_us            BIGINT NOT NULL,
    detail           TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (id),
    KEY by_investigation (investigation_id, id),
    CONSTRAINT act_of FOREIGN KEY (investigation_id) REFERENCES investigation (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
