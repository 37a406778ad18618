-- The issue that a person linked, as Linear had it then. '': it could not be asked.
ALTER TABLE issue_correction
    ADD COLUMN IF NOT EXISTS issue_id VARCHAR(64) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS title TEXT NOT NULL DEFAULT '';
