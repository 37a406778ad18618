-- How far E2B has been read: one row. head_us: every event up to this time is stored, or in a gap. whole_us:
-- when all of the feed had last been read. listed_us: the last complete list.
CREATE TABLE IF NOT EXISTS ledger_feed (
    id        TINYINT NOT NULL DEFAULT 1,
    head_us   BIGINT NULL,
    whole_us  BIGINT NULL,
    listed_us BIGINT NULL,
    PRIMARY KEY (id),
    CONSTRAINT ledger_feed_one CHECK (id = 1)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
