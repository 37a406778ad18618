-- Tickets as last seen.
CREATE TABLE IF NOT EXISTS ticket (
    id              BIGINT NOT NULL,
    subject         TEXT NOT NULL,
    status          VARCHAR(64) NOT NULL,
    requester       VARCHAR(255) NOT NULL,
    requester_email VARCHAR(255) NOT NULL,
    organization    VARCHAR(255) NOT NULL,
    created_us      BIGINT NULL,
    seen_us         BIGINT NOT NULL,
    PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
