-- What the list said about a sandbox of which there are no events, each time that it was something new: its
-- executions and the history of its expiry are read from these. ends_us is E2B's endAt.
CREATE TABLE IF NOT EXISTS ledger_sighting (
    sandbox_id VARCHAR(64) NOT NULL,
    started_us BIGINT NOT NULL,
    state      VARCHAR(16) NOT NULL,
    ends_us    BIGINT NOT NULL,
    first_us   BIGINT NOT NULL,
    last_us    BIGINT NOT NULL,
    PRIMARY KEY (sandbox_id, started_us, state, ends_us),
    CONSTRAINT ledger_sighting_of FOREIGN KEY (sandbox_id) REFERENCES ledger_sandbox (sandbox_id)
        ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
