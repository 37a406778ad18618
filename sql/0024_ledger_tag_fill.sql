-- For what was recorded before these columns were there.
UPDATE ledger_tag AS g JOIN ledger_sandbox AS s ON s.sandbox_id = g.sandbox_id
    SET g.first_start_us = s.first_start_us, g.end_us = s.end_us, g.state = s.state,
        g.template_id = s.template_id;
