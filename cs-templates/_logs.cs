<?cs # More raw log lines: what a script puts below the ones that are shown. Reads Logs.* (view_log_lines). ?>
<table><tbody><?cs call:log_rows() ?></tbody></table>
<?cs call:log_foot() ?>
