<?cs # More raw log lines: what a script puts below or above the ones that are shown. Reads Logs.* (view_log_lines). ?>
<?cs call:log_rows() ?>
<?cs call:log_foot() ?>
