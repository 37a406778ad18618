-- What the patterns of a span of days are counted from: one index holds all of it.
ALTER TABLE investigation
    ADD KEY IF NOT EXISTS by_created (created_us, class, signature_hash, organization, template_id,
        sandbox_id);
