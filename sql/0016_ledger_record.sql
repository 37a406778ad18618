-- Executions with the history of their expiry, and where each fact is from: JSON, derived like the rest.
ALTER TABLE ledger_sandbox ADD COLUMN IF NOT EXISTS record MEDIUMTEXT NOT NULL DEFAULT '';
