-- What an investigation was decided on: JSON, compressed with zlib, in parts of at most 1 MiB.
CREATE TABLE IF NOT EXISTS evidence (
    investigation_id BIGINT NOT NULL,
    bytes            BIGINT NOT NULL,
    packed_bytes     BIGINT NOT NULL,
    kept_us          BIGINT NOT NULL,
    PRIMARY KEY (investigation_id),
    CONSTRAINT evidence_of FOREIGN KEY (investigation_id) REFERENCES investigation (id)
        ON DELETE CASCADE,
    CONSTRAINT evidence_bytes CHECK (bytes >= 0 AND packed_bytes > 0)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
