/* The internal notes. */
#include "store/st_note.h"
#include "base/arena.h"
#include "base/ts.h"

#include <string.h>

#include "base/banned.h"

#define NOTE_COLUMNS                                                                     \
    "n.marker, n.investigation_id, n.ticket_id, n.state, n.html, n.audit_id, "           \
    "n.comment_id, "                                                                     \
    "n.prepared_us, n.posted_us, n.error"

static void read_note(const struct db_rows *rows, struct arena *a, struct note *out)
{
    *out = (struct note){
        .marker = db_str(rows, 0, a),
        .investigation_id = db_i64(rows, 1, 0),
        .ticket_id = db_i64(rows, 2, 0),
        .html = db_str(rows, 4, a),
        .audit_id = db_i64(rows, 5, 0),
        .comment_id = db_i64(rows, 6, 0),
        .prepared_us = db_i64(rows, 7, 0),
        .posted_us = db_i64(rows, 8, TS_NONE),
        .error = db_str(rows, 9, a),
    };
    if (note_state_parse(db_str(rows, 3, a), &out->state))
        BUG("state of the note of investigation %lld", (long long)out->investigation_id);
}

static int read_one(struct db_rows *rows, struct arena *a, struct note *out,
                    struct err *err)
{
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        read_note(rows, a, out);
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "there is no such note");
    return rc == 1 ? 0 : -1;
}

int note_prepare(struct db *db, struct arena *a, int64_t inv_id, int64_t ticket_id,
                 const char *marker, const char *html, int64_t now_us, struct note *out,
                 struct err *err)
{
    if (db_exec(db, NULL, err,
                "INSERT INTO note (marker, investigation_id, ticket_id, state, html, "
                "prepared_us) VALUES (?, ?, ?, 'prepared', ?, ?)",
                "siisi", marker, inv_id, ticket_id, html, now_us) &&
        err->kind != ERR_CONFLICT)
        return -1;
    return read_one(db_query(db, err,
                             "SELECT " NOTE_COLUMNS " FROM note AS n "
                             "WHERE n.investigation_id = ? AND n.ticket_id = ?",
                             "ii", inv_id, ticket_id),
                    a, out, err);
}

int note_get(struct db *db, struct arena *a, int64_t inv_id, struct note *out,
             struct err *err)
{
    return read_one(db_query(db, err,
                             "SELECT " NOTE_COLUMNS
                             " FROM investigation AS i JOIN note AS n "
                             "ON n.investigation_id = i.id AND n.ticket_id = i.ticket_id "
                             "WHERE i.id = ?",
                             "i", inv_id),
                    a, out, err);
}

/* ---- moves ---- */

/* From a state in which the outcome is still open, to any but "none". */
static bool is_legal(enum note_state from, enum note_state to)
{
    return (from == NOTE_PREPARED || from == NOTE_UNKNOWN || from == NOTE_FAILED) &&
           to != NOTE_NONE;
}

struct move {
    const char *marker;
    enum note_state to;
    int64_t audit_id, comment_id;
    const char *error;
    int64_t now_us;
    int64_t inv_id; /* of a retry */
};

/* The state of the row, which stays locked until the transaction ends. */
static int lock_note(struct db_rows *rows, enum note_state *state, struct err *err)
{
    struct arena a = ARENA_INIT;
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1 && note_state_parse(db_str(rows, 0, &a), state))
        BUG("state of a note");
    db_close(rows);
    arena_release(&a);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "there is no such note");
    return rc == 1 ? 0 : -1;
}

static int set_body(struct db *db, void *ctx, struct err *err)
{
    const struct move *m = ctx;
    enum note_state from;

    if (lock_note(db_query(db, err, "SELECT state FROM note WHERE marker = ? FOR UPDATE",
                           "s", m->marker),
                  &from, err))
        return -1;
    if (!is_legal(from, m->to))
        return err_set(err, ERR_CONFLICT, "a note that is %s cannot become %s",
                       note_state_name(from), note_state_name(m->to));
    return db_exec(db, NULL, err,
                   "UPDATE note SET state = ?, audit_id = ?, comment_id = ?, error = ?, "
                   "posted_us = ? WHERE marker = ?",
                   "siisIs", note_state_name(m->to), m->audit_id, m->comment_id,
                   m->error ? m->error : "", m->to == NOTE_POSTED ? m->now_us : TS_NONE,
                   m->marker);
}

int note_set(struct db *db, const char *marker, enum note_state state, int64_t audit_id,
             int64_t comment_id, const char *error, int64_t now_us, struct err *err)
{
    struct move m = {marker, state, audit_id, comment_id, error, now_us, 0};

    return db_transaction(db, set_body, &m, err);
}

static int reopen(struct db *db, const struct move *m, struct err *err)
{
    int64_t changed;

    if (db_exec(db, &changed, err,
                "UPDATE investigation SET state = 'filed', reached = 'filed', "
                "finished_us = NULL, noted_us = NULL, done_us = NULL, failed_us = NULL, "
                "attempt = 0, failure = '', run_after_us = ?, fence = fence + 1, worker "
                "= '', "
                "lease_until_us = 0 WHERE id = ? AND state IN ('done', 'failed')",
                "ii", m->now_us, m->inv_id)) {
        if (err->kind == ERR_CONFLICT)
            err_set(err, ERR_CONFLICT,
                    "another investigation of this sandbox is unfinished");
        return -1;
    }
    if (changed == 0)
        return err_set(err, ERR_CONFLICT, "investigation %lld is not over",
                       (long long)m->inv_id);
    return 0;
}

/* The investigation first: every writer takes its row before the note's. */
static int retry_body(struct db *db, void *ctx, struct err *err)
{
    const struct move *m = ctx;
    enum note_state from;

    if (lock_note(db_query(db, err,
                           "SELECT n.state FROM investigation AS i JOIN note AS n "
                           "ON n.investigation_id = i.id AND n.ticket_id = i.ticket_id "
                           "WHERE i.id = ? FOR UPDATE",
                           "i", m->inv_id),
                  &from, err))
        return err->kind == ERR_NOTFOUND
                   ? err_set(err, ERR_CONFLICT,
                             "investigation %lld has no note to repeat",
                             (long long)m->inv_id)
                   : -1;
    if (from != NOTE_FAILED && from != NOTE_UNKNOWN)
        return err_set(err, ERR_CONFLICT, "the note is %s: there is nothing to repeat",
                       note_state_name(from));
    if (reopen(db, m, err))
        return -1;
    /* one that may have arrived stays unknown: the agent looks for it before it sends again */
    return db_exec(db, NULL, err,
                   "UPDATE note SET state = 'prepared', error = '' "
                   "WHERE investigation_id = ? AND state = 'failed'",
                   "i", m->inv_id);
}

int note_retry(struct db *db, int64_t inv_id, int64_t now_us, struct err *err)
{
    struct move m = {.now_us = now_us, .inv_id = inv_id};

    return db_transaction(db, retry_body, &m, err);
}
