-- Lifecycle events by their id, as JSON, without secrets.
CREATE TABLE IF NOT EXISTS ledger_event (
    id         VARCHAR(64) NOT NULL,
    sandbox_id VARCHAR(64) NOT NULL,
    at_us      BIGINT NOT NULL,
    doc        MEDIUMTEXT NOT NULL,
    PRIMARY KEY (id),
    KEY by_sandbox (sandbox_id, at_us, id),
    CONSTRAINT ledger_event_of FOREIGN KEY (sandbox_id) REFERENCES ledger_sandbox (sandbox_id)
        ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
