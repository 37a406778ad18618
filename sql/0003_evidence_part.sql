CREATE TABLE IF NOT EXISTS evidence_part (
    investigation_id BIGINT NOT NULL,
    part             INT NOT NULL,
    body             MEDIUMBLOB NOT NULL,
    PRIMARY KEY (investigation_id, part),
    CONSTRAINT evidence_part_of FOREIGN KEY (investigation_id) REFERENCES evidence (investigation_id)
        ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
