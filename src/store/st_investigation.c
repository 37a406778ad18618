/*
 * The queue of investigations: putting one in, looking, and the lease. The stages' products are stored by
 * st_stage.c; what people may do to one is in st_act.c.
 */
#include "store/st_investigation.h"
#include "base/arena.h"
#include "base/ts.h"
#include "store/st_inv_row.h"

#include <string.h>

#include "base/banned.h"

/* An unfinished one that blocks the insert may end before it is read: then once more. */
#define QUEUE_TRIES 5

static int get_open(struct db *db, struct arena *a, const char *sandbox_id,
                    struct investigation *out, struct err *err)
{
    return inv_read_one(db_query(db, err,
                                 "SELECT " INV_COLUMNS " FROM investigation AS i "
                                 "WHERE i.open_sandbox_id = ?",
                                 "s", sandbox_id),
                        a, "an unfinished investigation", out, err);
}

/* The organization is that of the ticket as last seen. */
static int insert_queued(struct db *db, const char *sandbox_id, int64_t ticket_id,
                         const char *by, int64_t now_us, struct err *err)
{
    int64_t ticket = ticket_id > 0 ? ticket_id : TS_NONE;

    return db_exec(
        db, NULL, err,
        "INSERT INTO investigation (sandbox_id, ticket_id, requested_by, created_us, "
        "run_after_us, organization) VALUES (?, ?, ?, ?, ?, "
        "COALESCE((SELECT organization FROM ticket WHERE id = ?), ''))",
        "sIsiiI", sandbox_id, ticket, by, now_us, now_us, ticket);
}

int inv_queue(struct db *db, struct arena *a, const char *sandbox_id, int64_t ticket_id,
              const char *by, int64_t now_us, struct investigation *out, bool *is_new,
              struct err *err)
{
    for (int i = 0; i < QUEUE_TRIES; i++) {
        if (insert_queued(db, sandbox_id, ticket_id, by, now_us, err) == 0) {
            *is_new = true;
            return inv_get(db, a, db_last_id(db), out, err);
        }
        if (err->kind != ERR_CONFLICT)
            return -1;
        if (get_open(db, a, sandbox_id, out, err) == 0) {
            *is_new = false;
            return 0;
        }
        if (err->kind != ERR_NOTFOUND)
            return -1;
    }
    return err_set(err, ERR_CONFLICT, "sandbox %s: investigations come and go too fast",
                   sandbox_id);
}

int inv_get(struct db *db, struct arena *a, int64_t id, struct investigation *out,
            struct err *err)
{
    return inv_read_one(
        db_query(db, err, "SELECT " INV_COLUMNS " FROM investigation AS i WHERE i.id = ?",
                 "i", id),
        a, arena_fmt(a, "investigation %lld", (long long)id), out, err);
}

int inv_latest(struct db *db, struct arena *a, const char *sandbox_id,
               struct investigation *out, struct err *err)
{
    return inv_read_one(db_query(db, err,
                                 "SELECT " INV_COLUMNS " FROM investigation AS i "
                                 "WHERE i.sandbox_id = ? "
                                 "ORDER BY i.open_sandbox_id IS NULL, i.id DESC LIMIT 1",
                                 "s", sandbox_id),
                        a, "an investigation of this sandbox", out, err);
}

int inv_latest_with_finding(struct db *db, struct arena *a, const char *sandbox_id,
                            struct investigation *out, struct err *err)
{
    return inv_read_one(db_query(db, err,
                                 "SELECT " INV_COLUMNS " FROM investigation AS i "
                                 "WHERE i.sandbox_id = ? AND i.class IS NOT NULL "
                                 "ORDER BY i.id DESC LIMIT 1",
                                 "s", sandbox_id),
                        a, "a finding about this sandbox", out, err);
}

/* ---- the lease ---- */

struct claim {
    struct arena *arena;
    const char *worker;
    int64_t now_us, lease_us;
    struct investigation *out;
};

static int next_due(struct db *db, int64_t now_us, int64_t *id, struct err *err)
{
    struct db_rows *rows = db_query(db, err,
                                    "SELECT id FROM investigation WHERE due_us <= ? "
                                    "ORDER BY due_us, id LIMIT 1 FOR UPDATE SKIP LOCKED",
                                    "i", now_us);
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        *id = db_i64(rows, 0, 0);
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "no investigation is due");
    return rc == 1 ? 0 : -1;
}

/* A holder that is still named did not give it back: that try is counted, so that one that kills its
   worker each time comes to an end. */
static int claim_body(struct db *db, void *ctx, struct err *err)
{
    struct claim *c = ctx;
    int64_t id;

    if (next_due(db, c->now_us, &id, err))
        return -1;
    if (db_exec(db, NULL, err,
                "UPDATE investigation SET attempt = attempt + IF(worker <> '', 1, 0), "
                "worker = ?, fence = fence + 1, lease_until_us = ?, "
                "started_us = COALESCE(started_us, ?) WHERE id = ?",
                "siii", c->worker, c->now_us + c->lease_us, c->now_us, id))
        return -1;
    return inv_get(db, c->arena, id, c->out, err);
}

int inv_claim(struct db *db, struct arena *a, const char *worker, int64_t now_us,
              int64_t lease_us, struct investigation *out, struct err *err)
{
    struct claim c = {a, worker, now_us, lease_us, out};

    return db_transaction(db, claim_body, &c, err);
}

/* rows: of the investigation, when this worker holds it; they are closed. */
static int held(struct db_rows *rows, const struct investigation *inv, struct err *err)
{
    int rc = rows ? db_next(rows, err) : -1;

    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_CONFLICT, "investigation %lld: the lease was taken over",
                (long long)inv->id);
    return rc == 1 ? 0 : -1;
}

#define HELD                                                                             \
    "SELECT 1 FROM investigation WHERE id = ? AND fence = ? AND due_us IS NOT NULL "     \
    "AND worker <> ''"

int inv_lock_held(struct db *db, const struct investigation *inv, struct err *err)
{
    return held(db_query(db, err, HELD " FOR UPDATE", "ii", inv->id, inv->fence), inv,
                err);
}

int inv_is_held(struct db *db, const struct investigation *inv, struct err *err)
{
    return held(db_query(db, err, HELD, "ii", inv->id, inv->fence), inv, err);
}

int inv_renew(struct db *db, const struct investigation *inv, int64_t now_us,
              int64_t lease_us, struct err *err)
{
    int64_t changed;

    if (db_exec(db, &changed, err,
                "UPDATE investigation SET lease_until_us = ? "
                "WHERE id = ? AND fence = ? AND due_us IS NOT NULL AND worker <> ''",
                "iii", now_us + lease_us, inv->id, inv->fence))
        return -1;
    /* nothing changed: the lease is as wanted already, or it is somebody else's */
    return changed > 0 ? 0 : inv_is_held(db, inv, err);
}

int inv_queue_depth(struct db *db, int64_t *open_count, int64_t *oldest_us,
                    struct err *err)
{
    struct db_rows *rows =
        db_query(db, err,
                 "SELECT COUNT(*), MIN(IF(state = 'queued', created_us, NULL)) "
                 "FROM investigation WHERE due_us IS NOT NULL",
                 "");
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1) {
        *open_count = db_i64(rows, 0, 0);
        *oldest_us = db_i64(rows, 1, TS_NONE);
    }
    db_close(rows);
    return rc == 1 ? 0 : -1;
}
