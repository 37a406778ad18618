-- The Linear issue of a failure: one for each signature and template.
CREATE TABLE IF NOT EXISTS filing (
    signature_hash  VARCHAR(64) NOT NULL,
    template_id     VARCHAR(128) NOT NULL,
    issue_id        VARCHAR(64) NOT NULL,
    identifier      VARCHAR(64) NOT NULL,
    url             TEXT NOT NULL,
    title           TEXT NOT NULL,
    was_filed_by_us BOOLEAN NOT NULL,
    first_inv_id    BIGINT NOT NULL,
    created_us      BIGINT NOT NULL,
    PRIMARY KEY (signature_hash, template_id),
    KEY by_issue (issue_id),
    CONSTRAINT filing_first FOREIGN KEY (first_inv_id) REFERENCES investigation (id),
    CONSTRAINT filing_signature CHECK (signature_hash <> '')
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
