-- The name that the list last gave a template: events, and with them ended sandboxes, know only its id.
CREATE TABLE IF NOT EXISTS ledger_template (
    template_id VARCHAR(128) NOT NULL,
    alias       VARCHAR(255) NOT NULL,
    listed_us   BIGINT NOT NULL,
    PRIMARY KEY (template_id),
    KEY by_alias (alias)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
