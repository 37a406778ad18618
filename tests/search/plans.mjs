/*
 * The statements that a page really made, from MariaDB's general log, and their plans. Prepared statements are
 * logged with their values when they are executed, so each can be explained as it was.
 */

/* Every SELECT that `act` makes the pages execute, but for the look at the schema's version that a responder's first
   request takes. */
export async function statementsOf(stack, act) {
    stack.sql("SET GLOBAL log_output = 'TABLE'; TRUNCATE mysql.general_log; SET GLOBAL general_log = 1");
    try {
        await act();
    } finally {
        stack.sql('SET GLOBAL general_log = 0');
    }
    return stack.sql("SELECT argument FROM mysql.general_log WHERE command_type = 'Execute' AND argument LIKE 'SELECT%' "
        + "AND user_host LIKE 'casebook%' AND argument NOT LIKE '%schema_migration%'").map(([text]) => text);
}

/* The lines of EXPLAIN: { table, type, key, rows, extra }. */
export function planOf(stack, statement) {
    return stack.sql(`EXPLAIN ${statement}`).map(([, , table, type, , key, , , rows, extra]) =>
        ({ table, type, key, rows: Number(rows), extra: extra ?? '' }));
}

/* What in a plan reads a table from end to end; '' when every table is reached by an index. */
export function scans(plan) {
    return plan.filter(({ table, type, key }) => table && !table.startsWith('<') && (key === null || type === 'ALL' || type === 'index'))
        .map(({ table, type }) => `${table}: ${type}`).join(', ');
}

/* How many rows MariaDB has read for anybody so far. */
export function rowsRead(stack) {
    return stack.sql("SHOW GLOBAL STATUS LIKE 'Handler\\_read\\_%'").reduce((sum, [, n]) => sum + Number(n), 0);
}
