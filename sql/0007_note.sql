-- Internal notes: one for each investigation and ticket. The marker is in the note's metadata.
CREATE TABLE IF NOT EXISTS note (
    marker           VARCHAR(36) NOT NULL,
    investigation_id BIGINT NOT NULL,
    ticket_id        BIGINT NOT NULL,
    state            VARCHAR(16) NOT NULL,
    html             MEDIUMTEXT NOT NULL,
    audit_id         BIGINT NOT NULL DEFAULT 0,
    comment_id       BIGINT NOT NULL DEFAULT 0,
    prepared_us      BIGINT NOT NULL,
    posted_us        BIGINT NULL,
    error            TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (marker),
    UNIQUE KEY one_note (investigation_id, ticket_id),
    CONSTRAINT note_of FOREIGN KEY (investigation_id) REFERENCES investigation (id)
        ON DELETE CASCADE,
    CONSTRAINT note_state CHECK (state IN ('prepared', 'posted', 'unknown', 'failed', 'closed', 'gone'))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
