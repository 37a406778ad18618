/*
 * What people may do to an investigation after it was queued: cancel it, have it go on after a failure, have a
 * note posted again, ask for another ticket. Each is kept with who and when in the table `act`, in the same
 * transaction; whatever it puts an end to (the reason of a failure) goes there too.
 */
#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_inv_row.h"
#include "store/st_investigation.h"
#include "store/st_note.h"

#include <string.h>

#include "base/banned.h"

#define REOPEN                                                                           \
    "finished_us = NULL, failed_us = NULL, attempt = 0, failure = '', "                  \
    "run_after_us = ?, opened_us = ?, fence = fence + 1, worker = '', "                  \
    "lease_until_us = 0"

int inv_act(struct db *db, int64_t inv_id, const char *act, const char *by,
            const char *detail, int64_t now_us, struct err *err)
{
    return db_exec(db, NULL, err,
                   "INSERT INTO act (investigation_id, act, done_by, at_us, detail) "
                   "VALUES (?, ?, ?, ?, ?)",
                   "issis", inv_id, act, by, now_us, detail);
}

int act_list(struct db *db, struct arena *a, int64_t inv_id, struct act **out, size_t *n,
             struct err *err)
{
    struct db_rows *rows = db_query(db, err,
                                    "SELECT at_us, act, done_by, detail FROM act "
                                    "WHERE investigation_id = ? ORDER BY id",
                                    "i", inv_id);
    int rc = rows ? 1 : -1;
    size_t cap = 0;

    *out = NULL;
    *n = 0;
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        *out = arena_grow(a, *out, *n, &cap, sizeof(**out));
        (*out)[(*n)++] = (struct act){
            .at_us = db_i64(rows, 0, 0),
            .act = db_str(rows, 1, a),
            .by = db_str(rows, 2, a),
            .detail = db_str(rows, 3, a),
        };
    }
    db_close(rows);
    return rc;
}

/* What a person wants, and the row that it concerns, which stays locked until the transaction ends. */
struct wish {
    int64_t id, ticket_id, now_us;
    const char *by;
    struct arena arena;
    struct investigation inv;
};

static int lock(struct db *db, struct wish *w, struct err *err)
{
    arena_reset(&w->arena);
    return inv_read_one(db_query(db, err,
                                 "SELECT " INV_COLUMNS " FROM investigation AS i "
                                 "WHERE i.id = ? FOR UPDATE",
                                 "i", w->id),
                        &w->arena,
                        arena_fmt(&w->arena, "investigation %lld", (long long)w->id),
                        &w->inv, err);
}

static int refused(const struct wish *w, const char *what, struct err *err)
{
    return err_set(err, ERR_CONFLICT, "investigation %lld is %s and cannot be %s",
                   (long long)w->id, inv_state_name(w->inv.state), what);
}

/* The schema allows one unfinished investigation for each sandbox. */
static int other_open(const struct wish *w, struct err *err)
{
    if (err->kind == ERR_CONFLICT)
        err_set(err, ERR_CONFLICT,
                "investigation %lld: another one of this sandbox is unfinished",
                (long long)w->id);
    return -1;
}

static int run_wish(struct db *db, struct wish *w,
                    int (*body)(struct db *db, void *ctx, struct err *err),
                    struct err *err)
{
    int rc;

    arena_init(&w->arena);
    rc = db_transaction(db, body, w, err);
    arena_release(&w->arena);
    return rc;
}

static int cancel_body(struct db *db, void *ctx, struct err *err)
{
    struct wish *w = ctx;
    enum inv_state to;

    if (lock(db, w, err))
        return -1;
    if (investigation_next_state(w->inv.state, INV_EV_CANCEL, w->inv.reached, &to))
        return refused(w, "canceled", err);
    if (db_exec(db, NULL, err,
                "UPDATE investigation SET state = ?, canceled_by = ?, "
                "canceled_us = ?, finished_us = ?, fence = fence + 1, worker = '', "
                "lease_until_us = 0 WHERE id = ?",
                "ssiii", inv_state_name(to), w->by, w->now_us, w->now_us, w->id))
        return -1;
    return inv_act(db, w->id, "cancel", w->by, "", w->now_us, err);
}

int inv_cancel(struct db *db, int64_t id, const char *by, int64_t now_us, struct err *err)
{
    struct wish w = {.id = id, .by = by, .now_us = now_us};

    return run_wish(db, &w, cancel_body, err);
}

/* From failed back to the last stage that was reached. */
static int go_on(struct db *db, const struct wish *w, struct err *err)
{
    enum inv_state to;

    if (investigation_next_state(w->inv.state, INV_EV_RETRY, w->inv.reached, &to))
        return refused(w, "repeated", err);
    if (db_exec(db, NULL, err,
                "UPDATE investigation SET state = ?, " REOPEN " WHERE id = ?", "siii",
                inv_state_name(to), w->now_us, w->now_us, w->id))
        return other_open(w, err);
    return 0;
}

/* Linear could not be searched, or the issue not be filed: that is done again, and nothing after it twice. */
static int back_to_linear(struct db *db, const struct wish *w, struct err *err)
{
    struct db_rows *rows = db_query(db, err,
                                    "SELECT 1 FROM linear_decision WHERE "
                                    "investigation_id = ? AND outcome = 'unavailable'",
                                    "i", w->id);
    int rc = rows ? db_next(rows, err) : -1;

    db_close(rows);
    if (rc <= 0)
        return rc == 0 ? refused(w, "repeated", err) : -1;
    if (db_exec(
            db, NULL, err,
            "UPDATE investigation SET state = 'diagnosed', reached = 'diagnosed', "
            "deduped_us = NULL, filed_us = NULL, noted_us = NULL, done_us = NULL, " REOPEN
            " WHERE id = ?",
            "iii", w->now_us, w->now_us, w->id))
        return other_open(w, err);
    return 0;
}

static int retry_body(struct db *db, void *ctx, struct err *err)
{
    struct wish *w = ctx;

    if (lock(db, w, err) ||
        (w->inv.state == INV_DONE ? back_to_linear(db, w, err) : go_on(db, w, err)))
        return -1;
    return inv_act(db, w->id, "retry", w->by, w->inv.failure, w->now_us, err);
}

int inv_retry(struct db *db, int64_t id, const char *by, int64_t now_us, struct err *err)
{
    struct wish w = {.id = id, .by = by, .now_us = now_us};

    return run_wish(db, &w, retry_body, err);
}

/* Back to where notes are posted; one that is not over gets there by itself. */
static int back_to_notes(struct db *db, const struct wish *w, struct err *err)
{
    if (db_exec(db, NULL, err,
                "UPDATE investigation SET state = 'filed', reached = 'filed', "
                "noted_us = NULL, done_us = NULL, " REOPEN " WHERE id = ?",
                "iii", w->now_us, w->now_us, w->id))
        return other_open(w, err);
    return 0;
}

/* ---- another ticket ---- */

static int take_up(struct db *db, const struct wish *w, struct err *err)
{
    if (w->inv.state == INV_CANCELED)
        return refused(w, "given another ticket", err);
    if (w->inv.state == INV_FAILED)
        return go_on(db, w, err);
    return w->inv.state >= INV_NOTED ? back_to_notes(db, w, err) : 0;
}

static int ticket_body(struct db *db, void *ctx, struct err *err)
{
    struct wish *w = ctx;
    int64_t added;

    if (lock(db, w, err))
        return -1;
    if (w->inv.ticket_id == w->ticket_id)
        return 0;
    if (db_exec(db, &added, err,
                "INSERT IGNORE INTO further_ticket (investigation_id, ticket_id, "
                "asked_by, asked_us) VALUES (?, ?, ?, ?)",
                "iisi", w->id, w->ticket_id, w->by, w->now_us))
        return -1;
    if (added == 0)
        return 0;
    if (take_up(db, w, err))
        return -1;
    return inv_act(db, w->id, "ticket", w->by,
                   arena_fmt(&w->arena, "%lld", (long long)w->ticket_id), w->now_us, err);
}

int inv_add_ticket(struct db *db, int64_t id, int64_t ticket_id, const char *by,
                   int64_t now_us, struct err *err)
{
    struct wish w = {.id = id, .ticket_id = ticket_id, .by = by, .now_us = now_us};

    return run_wish(db, &w, ticket_body, err);
}

/* ---- a note once more ---- */

/* What is wrong with the notes of this investigation, of one ticket or (0) of all; ERR_CONFLICT: nothing is. */
static int why_repeat(struct db *db, struct wish *w, char **why, struct err *err)
{
    int64_t ticket = w->ticket_id > 0 ? w->ticket_id : TS_NONE;
    struct db_rows *rows = db_query(
        db, err,
        "SELECT error FROM note WHERE investigation_id = ? AND (? IS NULL OR ticket_id = "
        "?) AND state IN ('failed', 'unknown') ORDER BY prepared_us FOR UPDATE",
        "iII", w->id, ticket, ticket);
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        *why = db_str(rows, 0, &w->arena);
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_CONFLICT, "investigation %lld has no note to repeat",
                (long long)w->id);
    return rc == 1 ? 0 : -1;
}

static int note_body(struct db *db, void *ctx, struct err *err)
{
    struct wish *w = ctx;
    int64_t ticket = w->ticket_id > 0 ? w->ticket_id : TS_NONE;
    char *why = NULL;

    if (lock(db, w, err) || why_repeat(db, w, &why, err))
        return -1;
    if (w->inv.state != INV_DONE && w->inv.state != INV_FAILED)
        return err_set(err, ERR_CONFLICT, "investigation %lld is not over",
                       (long long)w->id);
    if (back_to_notes(db, w, err))
        return -1;
    /* one that may have arrived stays unknown: the agent looks for it before it sends again */
    if (db_exec(db, NULL, err,
                "UPDATE note SET state = 'prepared', error = '' WHERE investigation_id = "
                "? AND (? IS NULL OR ticket_id = ?) AND state = 'failed'",
                "iII", w->id, ticket, ticket))
        return -1;
    return inv_act(db, w->id, "retry_note", w->by, why, w->now_us, err);
}

int note_retry(struct db *db, int64_t inv_id, int64_t ticket_id, const char *by,
               int64_t now_us, struct err *err)
{
    struct wish w = {.id = inv_id, .ticket_id = ticket_id, .by = by, .now_us = now_us};

    return run_wish(db, &w, note_body, err);
}
