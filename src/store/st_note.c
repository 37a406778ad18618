/* The internal notes. A worker writes them only while it holds the investigation. */
#include "store/st_note.h"
#include "base/arena.h"
#include "base/ts.h"
#include "store/st_inv_row.h"

#include <string.h>

#include "base/banned.h"

#define NOTE_COLUMNS                                                                     \
    "n.marker, n.state, n.html, n.audit_id, n.comment_id, n.prepared_us, "               \
    "n.posted_us, n.error, n.stamp, n.sent_us "

static void read_note(const struct db_rows *rows, struct arena *a, int64_t inv_id,
                      int64_t ticket_id, unsigned col, struct note *out)
{
    *out = (struct note){
        .marker = db_str(rows, col, a),
        .investigation_id = inv_id,
        .ticket_id = ticket_id,
        .html = db_str(rows, col + 2, a),
        .audit_id = db_i64(rows, col + 3, 0),
        .comment_id = db_i64(rows, col + 4, 0),
        .prepared_us = db_i64(rows, col + 5, TS_NONE),
        .posted_us = db_i64(rows, col + 6, TS_NONE),
        .error = db_str(rows, col + 7, a),
        .stamp = db_str(rows, col + 8, a),
        .sent_us = db_i64(rows, col + 9, TS_NONE),
    };
    if (!db_is_null(rows, col) && note_state_parse(db_str(rows, col + 1, a), &out->state))
        BUG("state of the note of investigation %lld", (long long)inv_id);
}

int note_get(struct db *db, struct arena *a, int64_t inv_id, int64_t ticket_id,
             struct note *out, struct err *err)
{
    struct db_rows *rows = db_query(db, err,
                                    "SELECT " NOTE_COLUMNS "FROM note AS n "
                                    "WHERE n.investigation_id = ? AND n.ticket_id = ?",
                                    "ii", inv_id, ticket_id);
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        read_note(rows, a, inv_id, ticket_id, 0, out);
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "there is no such note");
    return rc == 1 ? 0 : -1;
}

int note_list(struct db *db, struct arena *a, int64_t inv_id, struct note **out,
              size_t *n, struct err *err)
{
    struct db_rows *rows = db_query(
        db, err,
        "SELECT t.ticket_id, " NOTE_COLUMNS
        "FROM (SELECT ticket_id, created_us AS asked_us FROM investigation "
        "WHERE id = ? AND ticket_id IS NOT NULL UNION ALL "
        "SELECT ticket_id, asked_us FROM further_ticket WHERE investigation_id = ?) AS t "
        "LEFT JOIN note AS n ON n.investigation_id = ? AND n.ticket_id = t.ticket_id "
        "ORDER BY t.asked_us, t.ticket_id",
        "iii", inv_id, inv_id, inv_id);
    int rc = rows ? 1 : -1;
    size_t cap = 0;

    *out = NULL;
    *n = 0;
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        *out = arena_grow(a, *out, *n, &cap, sizeof(**out));
        read_note(rows, a, inv_id, db_i64(rows, 0, 0), 1, &(*out)[(*n)++]);
    }
    db_close(rows);
    return rc;
}

/* ---- moves ---- */

/* From a state in which the outcome is still open, to any but "none". */
static bool is_legal(enum note_state from, enum note_state to)
{
    return (from == NOTE_PREPARED || from == NOTE_UNKNOWN || from == NOTE_FAILED) &&
           to != NOTE_NONE;
}

struct move {
    const struct investigation *inv;
    int64_t ticket_id; /* of a new one */
    const char *marker, *html;
    enum note_state to;
    const struct note_result *result;
    const char *stamp; /* of one that is sent */
    int64_t now_us;
};

static int prepare_body(struct db *db, void *ctx, struct err *err)
{
    const struct move *m = ctx;

    if (inv_lock_held(db, m->inv, err))
        return -1;
    return db_exec(
        db, NULL, err,
        "INSERT IGNORE INTO note (marker, investigation_id, ticket_id, state, html, "
        "prepared_us) VALUES (?, ?, ?, 'prepared', ?, ?)",
        "siisi", m->marker, m->inv->id, m->ticket_id, m->html, m->now_us);
}

int note_prepare(struct db *db, struct arena *a, const struct investigation *inv,
                 int64_t ticket_id, const char *marker, const char *html, int64_t now_us,
                 struct note *out, struct err *err)
{
    struct move m = {.inv = inv,
                     .ticket_id = ticket_id,
                     .marker = marker,
                     .html = html,
                     .now_us = now_us};

    if (db_transaction(db, prepare_body, &m, err))
        return -1;
    return note_get(db, a, inv->id, ticket_id, out, err);
}

/* The state of the row, which stays locked until the transaction ends. */
static int lock_note(struct db *db, const char *marker, enum note_state *state,
                     struct err *err)
{
    struct arena a = ARENA_INIT;
    struct db_rows *rows = db_query(
        db, err, "SELECT state FROM note WHERE marker = ? FOR UPDATE", "s", marker);
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1 && note_state_parse(db_str(rows, 0, &a), state))
        BUG("state of a note");
    db_close(rows);
    arena_release(&a);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "there is no such note");
    return rc == 1 ? 0 : -1;
}

static int may_move(struct db *db, const struct move *m, struct err *err)
{
    enum note_state from;

    if (inv_lock_held(db, m->inv, err) || lock_note(db, m->marker, &from, err))
        return -1;
    if (!is_legal(from, m->to))
        return err_set(err, ERR_CONFLICT, "a note that is %s cannot become %s",
                       note_state_name(from), note_state_name(m->to));
    return 0;
}

static int sending_body(struct db *db, void *ctx, struct err *err)
{
    const struct move *m = ctx;

    if (may_move(db, m, err))
        return -1;
    return db_exec(db, NULL, err,
                   "UPDATE note SET state = 'unknown', stamp = ?, sent_us = ?, "
                   "error = 'Zendesk was asked; the answer is awaited' WHERE marker = ?",
                   "sis", m->stamp, m->now_us, m->marker);
}

int note_sending(struct db *db, const struct investigation *inv, const char *marker,
                 const char *stamp, int64_t now_us, struct err *err)
{
    struct move m = {.inv = inv,
                     .marker = marker,
                     .to = NOTE_UNKNOWN,
                     .stamp = stamp,
                     .now_us = now_us};

    return db_transaction(db, sending_body, &m, err);
}

static int set_body(struct db *db, void *ctx, struct err *err)
{
    const struct move *m = ctx;
    const struct note_result *r = m->result;

    if (may_move(db, m, err))
        return -1;
    return db_exec(db, NULL, err,
                   "UPDATE note SET state = ?, audit_id = ?, comment_id = ?, error = ?, "
                   "posted_us = ? WHERE marker = ?",
                   "siisIs", note_state_name(m->to), r->audit_id, r->comment_id,
                   r->error ? r->error : "", m->to == NOTE_POSTED ? m->now_us : TS_NONE,
                   m->marker);
}

int note_set(struct db *db, const struct investigation *inv, const char *marker,
             const struct note_result *result, int64_t now_us, struct err *err)
{
    struct move m = {.inv = inv,
                     .marker = marker,
                     .to = result->state,
                     .result = result,
                     .now_us = now_us};

    return db_transaction(db, set_body, &m, err);
}
