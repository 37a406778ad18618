-- Events lie in the order in which they came: by their random ids, each new one would touch another page of
-- a large table. The id is unique as before.
ALTER TABLE ledger_event
    ADD COLUMN IF NOT EXISTS seq BIGINT NOT NULL AUTO_INCREMENT FIRST,
    ADD UNIQUE KEY IF NOT EXISTS by_id (id),
    DROP PRIMARY KEY,
    ADD PRIMARY KEY (seq);
