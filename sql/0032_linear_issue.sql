-- Issues as Linear last told them, for a short while: all pages and responders ask once.
CREATE TABLE IF NOT EXISTS linear_issue (
    issue_id VARCHAR(64) NOT NULL,
    read_us  BIGINT NOT NULL,
    doc      MEDIUMTEXT NOT NULL,
    PRIMARY KEY (issue_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
