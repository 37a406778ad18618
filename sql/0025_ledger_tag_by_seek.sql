-- All that a search reads of a customer's sandboxes, newest first, from the index alone.
ALTER TABLE ledger_tag ADD INDEX IF NOT EXISTS by_seek
    (seek, first_start_us, sandbox_id, last_start_us, end_us, state, template_id, tag_value);
