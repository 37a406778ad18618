-- What a search must know of each sandbox of a customer (order, filters, counts), beside its tag, so that
-- one index tells it for all of them. These repeat ledger_sandbox. A NULL state: not known here.
-- seek: tag and value without regard to case and surrounding space.
ALTER TABLE ledger_tag
    ADD COLUMN IF NOT EXISTS first_start_us BIGINT NULL,
    ADD COLUMN IF NOT EXISTS end_us BIGINT NULL,
    ADD COLUMN IF NOT EXISTS state ENUM('running', 'paused', 'ended', 'other') NULL,
    ADD COLUMN IF NOT EXISTS template_id VARCHAR(128) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS seek BINARY(16) AS (UNHEX(MD5(CONCAT(tag_key,
        CHAR(0 USING utf8mb4), LOWER(TRIM(REPLACE(REPLACE(REPLACE(tag_value,
        CHAR(9 USING utf8mb4), ' '), CHAR(10 USING utf8mb4), ' '),
        CHAR(13 USING utf8mb4), ' '))))))) PERSISTENT;
