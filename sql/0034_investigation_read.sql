-- How much an investigation read of E2B, for its steps: they are shown every few seconds, and the evidence itself is
-- large. NULL: not read, or from before this was kept.
ALTER TABLE investigation
    ADD COLUMN IF NOT EXISTS read_events  BIGINT NULL DEFAULT NULL,
    ADD COLUMN IF NOT EXISTS read_samples BIGINT NULL DEFAULT NULL,
    ADD COLUMN IF NOT EXISTS read_lines   BIGINT NULL DEFAULT NULL;
