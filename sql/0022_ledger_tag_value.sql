-- Searches go without regard to case and blanks, by another index (0025).
ALTER TABLE ledger_tag DROP KEY IF EXISTS by_value;
