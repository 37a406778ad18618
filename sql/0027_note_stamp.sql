-- The ticket's stamp with which the note was sent, and when: while the outcome is not known it is repeated
-- with no other one, so that Zendesk refuses the repeat if the first did arrive.
ALTER TABLE note
    ADD COLUMN IF NOT EXISTS stamp VARCHAR(40) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS sent_us BIGINT NULL;
