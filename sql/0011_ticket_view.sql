-- Who looked at which ticket, and when last.
CREATE TABLE IF NOT EXISTS ticket_view (
    viewer    VARCHAR(255) NOT NULL,
    ticket_id BIGINT NOT NULL,
    at_us     BIGINT NOT NULL,
    PRIMARY KEY (viewer, ticket_id),
    KEY by_time (viewer, at_us),
    KEY by_ticket (ticket_id),
    CONSTRAINT ticket_view_of FOREIGN KEY (ticket_id) REFERENCES ticket (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
