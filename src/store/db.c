/*
 * The connection to MariaDB, transactions, and statements (MYSQL_STMT is seen nowhere else).
 *
 * A statement is prepared, executed and closed for each use: kept ones die with the connection, and
 * cost nearly the same (style.md 2.8). Text columns are not bound to buffers: each is fetched with the
 * length that it turns out to have.
 */
#include "store/db.h"
#include "base/arena.h"
#include "base/xalloc.h"

#include <errmsg.h>
#include <mysql.h>
#include <mysqld_error.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/banned.h"

#define CONNECT_TIMEOUT_S 5
#define STATEMENT_TIMEOUT_S 30
#define COLUMN_MAX ((unsigned long)64 << 20)
#define TRANSACTION_TRIES 5
#define FIRST_PAUSE_MS 10

/* MariaDB's numbers that the client's headers do not name. */
#define ER_NOT_IN_GALERA 1047    /* WSREP has not yet prepared this node */
#define ER_SNAPSHOT_CHANGED 1020 /* the row changed since this transaction read it */
#define ER_CHECK_FAILED 4025
#define ER_KILLED 1927

static const char session_setup[] =
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,"
    "ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', "
    "SESSION tx_isolation = 'READ-COMMITTED', SESSION innodb_lock_wait_timeout = 10, "
    "SESSION time_zone = '+00:00'";

struct db {
    const struct conf *conf;
    MYSQL *my; /* NULL: not connected */
    bool is_patient;
    bool in_transaction;
    bool is_conflict; /* the last failure asks for the transaction to be repeated */
    int64_t last_id;
};

struct column {
    bool is_number;
    int64_t number;
    my_bool is_null, is_cut;
    unsigned long len;
    char *bytes;
    size_t cap;
};

struct db_rows {
    struct db *db;
    MYSQL_STMT *stmt;
    unsigned count;
    struct column *cols;
    MYSQL_BIND *binds;
};

/* ---- failures ---- */

/* What each number means to callers. Texts of ours where the server's quotes a value. */
static const struct failure {
    unsigned code;
    enum err_kind kind;
    bool is_retryable, is_conflict;
    const char *text; /* NULL: the server's own */
} failures[] = {
    {ER_DUP_ENTRY,                       ERR_CONFLICT, false, false, "the row exists already"       },
    {ER_NO_REFERENCED_ROW_2,             ERR_NOTFOUND, false, false, "the row it belongs to is gone"},
    {ER_DATA_TOO_LONG,                   ERR_INPUT,    false, false, NULL                           },
    {ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, ERR_INPUT,    false, false,
     "a value is not allowed"                                                                       },
    {ER_WARN_DATA_OUT_OF_RANGE,          ERR_INPUT,    false, false, NULL                           },
    {ER_CHECK_FAILED,                    ERR_INPUT,    false, false, NULL                           },
    {ER_LOCK_DEADLOCK,                   ERR_DB,       true,  true,  NULL                           },
    {ER_LOCK_WAIT_TIMEOUT,               ERR_DB,       true,  true,  NULL                           },
    {ER_SNAPSHOT_CHANGED,                ERR_DB,       true,  true,  NULL                           },
    {ER_NOT_IN_GALERA,                   ERR_DB,       true,  false, NULL                           },
    {ER_CON_COUNT_ERROR,                 ERR_DB,       true,  false, NULL                           },
    {ER_SERVER_SHUTDOWN,                 ERR_DB,       true,  false, NULL                           },
    {ER_KILLED,                          ERR_DB,       true,  false, NULL                           },
    {CR_CONNECTION_ERROR,                ERR_DB,       true,  false, NULL                           },
    {CR_CONN_HOST_ERROR,                 ERR_DB,       true,  false, NULL                           },
    {CR_SERVER_GONE_ERROR,               ERR_DB,       true,  false, NULL                           },
    {CR_SERVER_LOST,                     ERR_DB,       true,  false, NULL                           },
};

static int fail(struct db *db, unsigned code, const char *text, struct err *err)
{
    static const struct failure other = {.kind = ERR_DB};
    const struct failure *f = &other;

    for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++)
        if (failures[i].code == code)
            f = &failures[i];
    err_set(err, f->kind, "database: %s (%u)", f->text ? f->text : text, code);
    err->is_retryable = f->is_retryable;
    db->is_conflict = f->is_conflict;
    return -1;
}

static int fail_connection(struct db *db, struct err *err)
{
    return fail(db, mysql_errno(db->my), mysql_error(db->my), err);
}

/* A failure that comes in place of a row is told by the connection alone: a deadlock, for example. */
static int fail_statement(struct db *db, MYSQL_STMT *stmt, struct err *err)
{
    if (mysql_stmt_errno(stmt) == 0)
        return fail_connection(db, err);
    return fail(db, mysql_stmt_errno(stmt), mysql_stmt_error(stmt), err);
}

/* ---- connection ---- */

struct db *db_new(const struct conf *conf)
{
    struct db *db = xcalloc(1, sizeof(*db));

    db->conf = conf;
    return db;
}

static void disconnect(struct db *db)
{
    if (db->my != NULL)
        mysql_close(db->my);
    db->my = NULL;
    db->in_transaction = false;
}

void db_free(struct db *db)
{
    if (db == NULL)
        return;
    disconnect(db);
    free(db);
}

void db_set_patient(struct db *db)
{
    disconnect(db);
    db->is_patient = true;
}

static void set_options(const struct db *db, MYSQL *my)
{
    const unsigned connect_s = CONNECT_TIMEOUT_S, statement_s = STATEMENT_TIMEOUT_S;
    const my_bool no = 0, yes = 1;

    mysql_options(my, MYSQL_OPT_CONNECT_TIMEOUT, &connect_s);
    if (!db->is_patient) {
        mysql_options(my, MYSQL_OPT_READ_TIMEOUT, &statement_s);
        mysql_options(my, MYSQL_OPT_WRITE_TIMEOUT, &statement_s);
    }
    mysql_options(my, MYSQL_OPT_RECONNECT, &no);
    mysql_options(my, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    mysql_options(my, MYSQL_INIT_COMMAND, session_setup);
    if (db->conf->db.tls) {
        mysql_options(my, MYSQL_OPT_SSL_ENFORCE, &yes);
        mysql_options(my, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &yes);
    }
}

static const char *or_null(const char *s)
{
    return *s != '\0' ? s : NULL;
}

static int connect_now(struct db *db, struct err *err)
{
    const struct conf *c = db->conf;
    bool by_host = *c->db.host != '\0';

    db->my = mysql_init(NULL);
    if (db->my == NULL)
        return err_set(err, ERR_INTERNAL, "database: no memory for a connection");
    set_options(db, db->my);
    if (mysql_real_connect(db->my, by_host ? c->db.host : NULL, c->db.user,
                           or_null(c->db.password), c->db.name,
                           by_host ? (unsigned)c->db.port : 0,
                           by_host ? NULL : c->db.socket, 0) != NULL)
        return 0;
    fail_connection(db, err);
    /* Whatever the reason: a later try may find the server, or its grants, in order. */
    err->kind = ERR_DB;
    err->is_retryable = true;
    disconnect(db);
    return -1;
}

int db_ready(struct db *db, struct err *err)
{
    db_rollback(db);
    if (db->my != NULL && mysql_ping(db->my) != 0)
        disconnect(db);
    return db->my != NULL ? 0 : connect_now(db, err);
}

static int connected(struct db *db, struct err *err)
{
    if (db->my != NULL)
        return 0;
    db->is_conflict = false;
    err_set(err, ERR_DB, "database: not connected");
    err->is_retryable = true;
    return -1;
}

/* ---- transactions ---- */

int db_begin(struct db *db, struct err *err)
{
    if (db->in_transaction)
        BUG("a transaction inside of a transaction");
    if (connected(db, err))
        return -1;
    if (mysql_autocommit(db->my, 0) != 0)
        return fail_connection(db, err);
    db->in_transaction = true;
    return 0;
}

/* A connection on which autocommit cannot be put back must not be used on. */
static void end_transaction(struct db *db)
{
    db->in_transaction = false;
    if (mysql_autocommit(db->my, 1) != 0)
        disconnect(db);
}

int db_commit(struct db *db, struct err *err)
{
    if (!db->in_transaction)
        BUG("a commit without a transaction");
    if (mysql_commit(db->my) != 0) {
        fail_connection(db, err);
        err->is_unknown = !db->is_conflict;
        db_rollback(db);
        return -1;
    }
    end_transaction(db);
    return 0;
}

void db_rollback(struct db *db)
{
    if (!db->in_transaction)
        return;
    if (mysql_rollback(db->my) != 0)
        disconnect(db);
    else
        end_transaction(db);
}

static void pause_before(int attempt)
{
    struct timespec ts = {.tv_nsec = (long)(FIRST_PAUSE_MS << attempt) * 1000000};

    nanosleep(&ts, NULL);
}

static int try_transaction(struct db *db,
                           int (*body)(struct db *db, void *ctx, struct err *err),
                           void *ctx, struct err *err)
{
    if (db_begin(db, err))
        return -1;
    db->is_conflict = false;
    if (body(db, ctx, err)) {
        bool is_conflict = db->is_conflict;

        db_rollback(db);
        db->is_conflict = is_conflict;
        return -1;
    }
    return db_commit(db, err);
}

int db_transaction(struct db *db, int (*body)(struct db *db, void *ctx, struct err *err),
                   void *ctx, struct err *err)
{
    for (int attempt = 0;; attempt++) {
        if (try_transaction(db, body, ctx, err) == 0)
            return 0;
        if (!db->is_conflict || db->my == NULL || attempt + 1 == TRANSACTION_TRIES)
            return -1;
        pause_before(attempt);
    }
}

/* ---- parameters ---- */

static struct db_param one_param(char letter, va_list *ap)
{
    struct db_param p = {.type = letter};

    switch (letter) {
    case 'i':
    case 'I':
        p.i = va_arg(*ap, int64_t);
        break;
    case 's':
    case 'S':
        p.s = va_arg(*ap, const char *);
        break;
    case 'b':
        p.s = va_arg(*ap, const void *);
        p.n = va_arg(*ap, size_t);
        break;
    default:
        BUG("parameter letter '%c'", letter);
    }
    return p;
}

static size_t collect(struct db_param *params, const char *letters, va_list *ap)
{
    size_t n = strlen(letters);

    if (n > DB_MAX_PARAMS)
        BUG("%zu parameters", n);
    for (size_t i = 0; i < n; i++)
        params[i] = one_param(letters[i], ap);
    return n;
}

static void bind_text(MYSQL_BIND *b, const void *bytes, size_t n,
                      enum enum_field_types type)
{
    b->buffer_type = type;
    b->buffer = (void *)(uintptr_t)bytes; /* the client only reads it */
    b->buffer_length = (unsigned long)n;
}

static void bind_param(MYSQL_BIND *b, const struct db_param *p)
{
    const char *text = p->s;

    memset(b, 0, sizeof(*b));
    switch (p->type) {
    case 'i':
    case 'I':
        b->buffer_type =
            p->type == 'I' && p->i == INT64_MIN ? MYSQL_TYPE_NULL : MYSQL_TYPE_LONGLONG;
        b->buffer = (void *)(uintptr_t)&p->i;
        break;
    case 's':
        bind_text(b, text ? text : "", text ? strlen(text) : 0, MYSQL_TYPE_STRING);
        break;
    case 'S':
        if (text == NULL || *text == '\0')
            b->buffer_type = MYSQL_TYPE_NULL;
        else
            bind_text(b, text, strlen(text), MYSQL_TYPE_STRING);
        break;
    default:
        bind_text(b, p->s ? p->s : "", p->n, MYSQL_TYPE_BLOB);
        break;
    }
}

/* An executed statement, or NULL with err set. */
static MYSQL_STMT *execute(struct db *db, const char *sql, const struct db_param *params,
                           size_t n, struct err *err)
{
    MYSQL_BIND binds[DB_MAX_PARAMS];
    MYSQL_STMT *stmt;

    if (connected(db, err))
        return NULL;
    stmt = mysql_stmt_init(db->my);
    if (stmt == NULL) {
        fail_connection(db, err);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        bind_param(&binds[i], &params[i]);
    if (mysql_stmt_prepare(stmt, sql, (unsigned long)strlen(sql)) == 0) {
        if (mysql_stmt_param_count(stmt) != n)
            BUG("%zu parameters for: %s", n, sql);
        if ((n == 0 || !mysql_stmt_bind_param(stmt, binds)) && !mysql_stmt_execute(stmt))
            return stmt;
    }
    fail_statement(db, stmt, err);
    mysql_stmt_close(stmt);
    return NULL;
}

int db_exec(struct db *db, int64_t *affected, struct err *err, const char *sql,
            const char *letters, ...)
{
    struct db_param params[DB_MAX_PARAMS];
    MYSQL_STMT *stmt;
    size_t n;
    va_list ap;

    va_start(ap, letters);
    n = collect(params, letters, &ap);
    va_end(ap);
    stmt = execute(db, sql, params, n, err);
    if (stmt == NULL)
        return -1;
    if (affected != NULL)
        *affected = (int64_t)mysql_stmt_affected_rows(stmt);
    db->last_id = (int64_t)mysql_stmt_insert_id(stmt);
    mysql_stmt_close(stmt);
    return 0;
}

int64_t db_last_id(const struct db *db)
{
    return db->last_id;
}

/* ---- results ---- */

static bool is_number(enum enum_field_types type)
{
    switch (type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
    case MYSQL_TYPE_NEWDECIMAL:
    case MYSQL_TYPE_BIT:
    case MYSQL_TYPE_YEAR:
        return true;
    default:
        return false;
    }
}

/* Numbers go to their place; of text only the length is taken, see take_text(). */
static void bind_column(MYSQL_BIND *b, struct column *c, const MYSQL_FIELD *field)
{
    c->is_number = is_number(field->type);
    b->is_null = &c->is_null;
    b->error = &c->is_cut;
    b->length = &c->len;
    b->buffer_type = c->is_number ? MYSQL_TYPE_LONGLONG : MYSQL_TYPE_STRING;
    b->buffer = c->is_number ? &c->number : NULL;
    b->buffer_length = c->is_number ? sizeof(c->number) : 0;
}

static int bind_columns(struct db_rows *rows, struct err *err)
{
    MYSQL_RES *meta = mysql_stmt_result_metadata(rows->stmt);

    if (meta == NULL)
        return fail_statement(rows->db, rows->stmt, err);
    rows->count = mysql_num_fields(meta);
    rows->cols = xcalloc(rows->count, sizeof(*rows->cols));
    rows->binds = xcalloc(rows->count, sizeof(*rows->binds));
    for (unsigned i = 0; i < rows->count; i++)
        bind_column(&rows->binds[i], &rows->cols[i], mysql_fetch_field_direct(meta, i));
    mysql_free_result(meta);
    if (mysql_stmt_bind_result(rows->stmt, rows->binds) != 0)
        return fail_statement(rows->db, rows->stmt, err);
    return 0;
}

struct db_rows *db_query_n(struct db *db, struct err *err, const char *sql,
                           const struct db_param *params, size_t n)
{
    MYSQL_STMT *stmt = execute(db, sql, params, n, err);
    struct db_rows *rows;

    if (stmt == NULL)
        return NULL;
    rows = xcalloc(1, sizeof(*rows));
    rows->db = db;
    rows->stmt = stmt;
    if (bind_columns(rows, err) == 0)
        return rows;
    db_close(rows);
    return NULL;
}

struct db_rows *db_query(struct db *db, struct err *err, const char *sql,
                         const char *letters, ...)
{
    struct db_param params[DB_MAX_PARAMS];
    size_t n;
    va_list ap;

    va_start(ap, letters);
    n = collect(params, letters, &ap);
    va_end(ap);
    return db_query_n(db, err, sql, params, n);
}

static int take_text(struct db_rows *rows, unsigned i, struct err *err)
{
    struct column *c = &rows->cols[i];
    MYSQL_BIND b = {.buffer_type = MYSQL_TYPE_STRING};
    unsigned long len = 0;
    my_bool is_null = 0, is_cut = 0;

    if (c->len > COLUMN_MAX)
        return err_set(err, ERR_DB, "database: a column of %lu bytes", c->len);
    if (c->len >= c->cap) {
        c->cap = (size_t)c->len + 1;
        c->bytes = xrealloc(c->bytes, c->cap);
    }
    b.buffer = c->bytes;
    b.buffer_length = c->len;
    b.length = &len;
    b.is_null = &is_null;
    b.error = &is_cut;
    if (c->len > 0 && mysql_stmt_fetch_column(rows->stmt, &b, i, 0) != 0)
        return fail_statement(rows->db, rows->stmt, err);
    c->bytes[c->len] = '\0';
    return 0;
}

int db_next(struct db_rows *rows, struct err *err)
{
    int rc = mysql_stmt_fetch(rows->stmt);

    if (rc == MYSQL_NO_DATA)
        return 0;
    if (rc != 0 && rc != MYSQL_DATA_TRUNCATED)
        return fail_statement(rows->db, rows->stmt, err);
    for (unsigned i = 0; i < rows->count; i++)
        if (!rows->cols[i].is_number && !rows->cols[i].is_null && take_text(rows, i, err))
            return -1;
    return 1;
}

void db_close(struct db_rows *rows)
{
    if (rows == NULL)
        return;
    for (unsigned i = 0; i < rows->count; i++)
        free(rows->cols[i].bytes);
    free(rows->cols);
    free(rows->binds);
    mysql_stmt_close(rows->stmt);
    free(rows);
}

static const struct column *column_at(const struct db_rows *rows, unsigned col)
{
    if (col >= rows->count)
        BUG("column %u of %u", col, rows->count);
    return &rows->cols[col];
}

int64_t db_i64(const struct db_rows *rows, unsigned col, int64_t if_null)
{
    const struct column *c = column_at(rows, col);

    if (c->is_null)
        return if_null;
    if (!c->is_number)
        BUG("column %u is no number", col);
    return c->number;
}

char *db_str(const struct db_rows *rows, unsigned col, struct arena *a)
{
    const struct column *c = column_at(rows, col);

    if (c->is_null)
        return arena_strn(a, "", 0);
    if (c->is_number)
        return arena_fmt(a, "%lld", (long long)c->number);
    return arena_strn(a, c->bytes, c->len);
}

const void *db_blob(const struct db_rows *rows, unsigned col, size_t *n)
{
    const struct column *c = column_at(rows, col);

    if (c->is_number)
        BUG("column %u is a number", col);
    *n = c->is_null ? 0 : c->len;
    return c->is_null ? "" : c->bytes;
}

bool db_is_null(const struct db_rows *rows, unsigned col)
{
    return column_at(rows, col)->is_null;
}

char *db_fit(struct arena *a, const char *s, size_t max)
{
    size_t n = s ? strlen(s) : 0;

    if (n > max) {
        n = max;
        while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
            n--;
    }
    return arena_strn(a, s ? s : "", n);
}
