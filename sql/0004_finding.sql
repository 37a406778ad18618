-- Findings: `doc` is the whole of it as JSON; the columns are what lists show.
CREATE TABLE IF NOT EXISTS finding (
    investigation_id BIGINT NOT NULL,
    class            VARCHAR(16) NOT NULL,
    reason           VARCHAR(32) NOT NULL DEFAULT '',
    confidence       VARCHAR(8) NOT NULL,
    headline         TEXT NOT NULL,
    signature        TEXT NOT NULL,
    signature_hash   VARCHAR(64) NOT NULL,
    template_id      VARCHAR(128) NOT NULL,
    template_alias   VARCHAR(255) NOT NULL,
    failed_at_us     BIGINT NULL,
    diag_version     INT NOT NULL,
    found_us         BIGINT NOT NULL,
    doc              MEDIUMTEXT NOT NULL,
    PRIMARY KEY (investigation_id),
    CONSTRAINT finding_of FOREIGN KEY (investigation_id) REFERENCES investigation (id)
        ON DELETE CASCADE,
    CONSTRAINT finding_class CHECK (class IN ('out_of_memory', 'timeout', 'killed_early', 'crashed',
        'undetermined')),
    CONSTRAINT finding_confidence CHECK (confidence IN ('low', 'medium', 'high'))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
