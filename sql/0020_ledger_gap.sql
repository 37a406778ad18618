-- What is left to read of the team's feed: events between two times (src/store/st_ledger.h). from_us NULL:
-- from the feed's beginning. skip: about so many events are later than to_us.
CREATE TABLE IF NOT EXISTS ledger_gap (
    id      BIGINT NOT NULL AUTO_INCREMENT,
    kind    ENUM('new', 'back', 'check') NOT NULL,
    from_us BIGINT NULL,
    to_us   BIGINT NOT NULL,
    skip    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
