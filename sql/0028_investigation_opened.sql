-- When it was last taken up by a person's wish: its age, which is limited, counts from then. 0: since created_us.
ALTER TABLE investigation ADD COLUMN IF NOT EXISTS opened_us BIGINT NOT NULL DEFAULT 0;
