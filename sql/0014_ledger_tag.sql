-- Tags to search by. last_start_us repeats ledger_sandbox's, so that one index gives the newest first.
-- A value that is too long for the index is no customer identifier; it is in ledger_sandbox.tags only.
CREATE TABLE IF NOT EXISTS ledger_tag (
    sandbox_id    VARCHAR(64) NOT NULL,
    tag_key       VARCHAR(128) NOT NULL,
    tag_value     VARCHAR(512) NOT NULL,
    last_start_us BIGINT NOT NULL,
    PRIMARY KEY (sandbox_id, tag_key),
    KEY by_value (tag_value, tag_key, last_start_us, sandbox_id),
    CONSTRAINT ledger_tag_of FOREIGN KEY (sandbox_id) REFERENCES ledger_sandbox (sandbox_id)
        ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
