-- How and when an event came to Casebook: by reading the feed, or by E2B's webhook.
ALTER TABLE ledger_event
    ADD COLUMN IF NOT EXISTS via ENUM('feed', 'hook') NOT NULL DEFAULT 'feed',
    ADD COLUMN IF NOT EXISTS came_us BIGINT NOT NULL DEFAULT 0;
