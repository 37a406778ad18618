-- The ledger (design.md section 10): one row for each sandbox ever seen.
-- Facts: `sighting` (the sandbox as last listed, at sighted_us) and gone_us (a complete list without it).
-- Everything else is derived from these and from ledger_event, and can be made again.
CREATE TABLE IF NOT EXISTS ledger_sandbox (
    sandbox_id     VARCHAR(64) NOT NULL,
    sighting       MEDIUMTEXT NULL,
    sighted_us     BIGINT NULL,
    gone_us        BIGINT NULL,
    state          VARCHAR(16) NOT NULL DEFAULT 'other',
    template_id    VARCHAR(128) NOT NULL DEFAULT '',
    template_alias VARCHAR(255) NOT NULL DEFAULT '',
    first_start_us BIGINT NULL,
    last_start_us  BIGINT NULL,
    end_us         BIGINT NULL,
    deadline_us    BIGINT NULL,
    ran_us         BIGINT NOT NULL DEFAULT 0,
    kill_reason    VARCHAR(64) NOT NULL DEFAULT '',
    cpu_count      BIGINT NOT NULL DEFAULT 0,
    memory_mib     BIGINT NOT NULL DEFAULT 0,
    disk_mib       BIGINT NOT NULL DEFAULT 0,
    tags           MEDIUMTEXT NOT NULL DEFAULT '{}',
    event_count    BIGINT NOT NULL DEFAULT 0,
    seen_us        BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (sandbox_id),
    KEY by_state (state, seen_us),
    KEY by_seen (seen_us),
    CONSTRAINT ledger_sandbox_state CHECK (state IN ('running', 'paused', 'ended', 'other'))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
