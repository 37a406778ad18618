-- Since when the ledger watches, and when it last did: one row.
CREATE TABLE IF NOT EXISTS ledger_span (
    id       TINYINT NOT NULL DEFAULT 1,
    since_us BIGINT NOT NULL,
    last_us  BIGINT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT ledger_span_one CHECK (id = 1)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
