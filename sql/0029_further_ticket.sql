-- Further tickets about a sandbox that has been investigated (or is): each gets the finding and a note of its own.
CREATE TABLE IF NOT EXISTS further_ticket (
    investigation_id BIGINT NOT NULL,
    ticket_id        BIGINT NOT NULL,
    asked_by         VARCHAR(255) NOT NULL,
    asked_us         BIGINT NOT NULL,
    PRIMARY KEY (investigation_id, ticket_id),
    KEY by_ticket (ticket_id, investigation_id),
    CONSTRAINT further_ticket_of FOREIGN KEY (investigation_id) REFERENCES investigation (id)
        ON DELETE CASCADE,
    CONSTRAINT further_ticket_id CHECK (ticket_id > 0)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
