-- What was searched in Linear for an investigation, every candidate, and what was decided (in `doc`).
CREATE TABLE IF NOT EXISTS linear_decision (
    investigation_id BIGINT NOT NULL,
    outcome          VARCHAR(16) NOT NULL,
    issue_id         VARCHAR(64) NOT NULL DEFAULT '',
    issue_identifier VARCHAR(64) NOT NULL DEFAULT '',
    issue_url        TEXT NOT NULL DEFAULT '',
    decided_us       BIGINT NOT NULL,
    doc              MEDIUMTEXT NOT NULL,
    PRIMARY KEY (investigation_id),
    CONSTRAINT linear_decision_of FOREIGN KEY (investigation_id) REFERENCES investigation (id)
        ON DELETE CASCADE,
    CONSTRAINT linear_decision_outcome CHECK (outcome IN ('none', 'matched', 'to_file', 'filed',
        'not_filed', 'unavailable'))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
