/*
 * How far the ledger reaches: since when it watches, which list was complete, and what is left to read of the
 * team's feed. Each function makes one true statement, in one transaction, that stays true whatever
 * other harvests do meanwhile: head_us only grows, a gap only shrinks, and head_us passes nothing that
 * is neither stored nor in a gap.
 */
#include "base/ts.h"
#include "store/st_ledger.h"

#include <string.h>

#include "base/banned.h"

#define GAPS_MAX 16
#define GAP_LOCK_WAIT_S 2
#define PRUNE_ROWS 2000 /* sandboxes and events in one transaction, about */
#define PRUNE_BATCH 500

static const char *const kind_names[] = {
    [GAP_NEW] = "new",
    [GAP_BACK] = "back",
    [GAP_CHECK] = "check",
};

static enum ledger_gap_kind kind_parse(const char *name)
{
    for (size_t i = 0; i < sizeof(kind_names) / sizeof(kind_names[0]); i++)
        if (strcmp(kind_names[i], name) == 0)
            return (enum ledger_gap_kind)i;
    return GAP_NEW;
}

/* ---- the one row ---- */

int ledger_harvested(struct db *db, int64_t now_us, struct err *err)
{
    return db_exec(db, NULL, err,
                   "INSERT INTO ledger_span (id, since_us, last_us) VALUES (1, ?, ?) "
                   "ON DUPLICATE KEY UPDATE last_us = GREATEST(last_us, VALUES(last_us))",
                   "ii", now_us, now_us);
}

int ledger_span(struct db *db, int64_t *since_us, int64_t *last_us, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err, "SELECT since_us, last_us FROM ledger_span WHERE id = 1", "");
    int rc = rows ? db_next(rows, err) : -1;

    *since_us = rc == 1 ? db_i64(rows, 0, TS_NONE) : TS_NONE;
    *last_us = rc == 1 ? db_i64(rows, 1, TS_NONE) : TS_NONE;
    db_close(rows);
    return rc < 0 ? -1 : 0;
}

/* One number of a SELECT with one row or none; TS_NONE when there is none. */
static int read_number(struct db *db, const char *sql, int64_t *out, struct err *err)
{
    struct db_rows *rows = db_query(db, err, sql, "");
    int rc = rows ? db_next(rows, err) : -1;

    *out = rc == 1 ? db_i64(rows, 0, TS_NONE) : TS_NONE;
    db_close(rows);
    return rc < 0 ? -1 : 0;
}

int ledger_feed_whole(struct db *db, int64_t *whole_us, struct err *err)
{
    return read_number(db, "SELECT whole_us FROM ledger_feed WHERE id = 1", whole_us,
                       err);
}

int ledger_listed(struct db *db, int64_t list_us, struct err *err)
{
    int64_t before_us;

    if (read_number(db, "SELECT listed_us FROM ledger_feed WHERE id = 1", &before_us,
                    err) ||
        ledger_mark_gone(
            db, before_us != TS_NONE && before_us < list_us ? before_us : list_us, err))
        return -1;
    return db_exec(
        db, NULL, err,
        "INSERT INTO ledger_feed (id, listed_us) VALUES (1, ?) ON DUPLICATE KEY UPDATE "
        "listed_us = GREATEST(COALESCE(listed_us, VALUES(listed_us)), VALUES(listed_us))",
        "i", list_us);
}

/* ---- the feed ---- */

int ledger_feed_from(struct db *db, int64_t *from_us, struct err *err)
{
    int64_t has_events;

    if (read_number(db, "SELECT head_us FROM ledger_feed WHERE id = 1", from_us, err) ||
        read_number(db, "SELECT 1 FROM ledger_event LIMIT 1", &has_events, err))
        return -1;
    if (has_events == TS_NONE) /* whatever was read is not here any more */
        *from_us = TS_NONE;
    if (*from_us != TS_NONE)
        *from_us -= LEDGER_LATE_US;
    return 0;
}

int ledger_feed_read(struct db *db, int64_t newest_us, struct err *err)
{
    return db_exec(
        db, NULL, err,
        "INSERT INTO ledger_feed (id, head_us) VALUES (1, ?) ON DUPLICATE KEY UPDATE "
        "head_us = GREATEST(COALESCE(head_us, VALUES(head_us)), VALUES(head_us))",
        "i", newest_us);
}

struct left {
    int64_t newest_us;
    struct ledger_gap *gap;
};

static int add_gap(struct db *db, struct ledger_gap *gap, struct err *err)
{
    if (db_exec(db, NULL, err,
                "INSERT INTO ledger_gap (kind, from_us, to_us, skip) VALUES (?, ?, ?, ?)",
                "sIii", kind_names[gap->kind], gap->from_us, gap->to_us, gap->skip))
        return -1;
    gap->id = db_last_id(db);
    return 0;
}

/* Harvests that never come to their end (the feed is faster, or E2B fails halfway) leave one gap each: then
   the two oldest of them, and what is between, are one. */
static int join_oldest(struct db *db, struct err *err)
{
    int64_t count, oldest, next;

    if (read_number(db, "SELECT COUNT(*) FROM ledger_gap WHERE kind = 'new'", &count,
                    err))
        return -1;
    if (count < GAPS_MAX)
        return 0;
    if (read_number(db,
                    "SELECT id FROM ledger_gap WHERE kind = 'new' ORDER BY to_us, id "
                    "LIMIT 1",
                    &oldest, err) ||
        read_number(db,
                    "SELECT id FROM ledger_gap WHERE kind = 'new' ORDER BY to_us, id "
                    "LIMIT 1 OFFSET 1",
                    &next, err))
        return -1;
    return db_exec(db, NULL, err,
                   "UPDATE ledger_gap AS g JOIN ledger_gap AS o ON o.id = ? "
                   "SET g.from_us = LEAST(g.from_us, o.from_us) WHERE g.id = ?",
                   "ii", oldest, next) ||
                   db_exec(db, NULL, err, "DELETE FROM ledger_gap WHERE id = ?", "i",
                           oldest)
               ? -1
               : 0;
}

/* Whoever changes the set of gaps takes this row first. */
static int lock_feed(struct db *db, struct err *err)
{
    return db_exec(
        db, NULL, err,
        "INSERT INTO ledger_feed (id) VALUES (1) ON DUPLICATE KEY UPDATE id = 1", "");
}

static int left_body(struct db *db, void *ctx, struct err *err)
{
    struct left *l = ctx;

    if (lock_feed(db, err) || join_oldest(db, err) || add_gap(db, l->gap, err))
        return -1;
    return ledger_feed_read(db, l->newest_us, err);
}

int ledger_feed_left(struct db *db, int64_t newest_us, struct ledger_gap *gap,
                     struct err *err)
{
    struct left l = {.newest_us = newest_us, .gap = gap};

    return db_transaction(db, left_body, &l, err);
}

/* ---- gaps ---- */

static int read_gap(struct db_rows *rows, struct ledger_gap *gap, bool *has,
                    struct err *err)
{
    int rc = rows ? db_next(rows, err) : -1;

    *has = rc == 1;
    if (*has) {
        size_t n;

        gap->id = db_i64(rows, 0, 0);
        gap->from_us = db_i64(rows, 2, TS_NONE);
        gap->to_us = db_i64(rows, 3, INT64_MAX);
        gap->skip = db_i64(rows, 4, 0);
        gap->kind = kind_parse(db_blob(rows, 1, &n));
    }
    db_close(rows);
    return rc < 0 ? -1 : 0;
}

#define GAP_COLUMNS "SELECT id, kind, from_us, to_us, skip FROM ledger_gap "

struct whole {
    enum ledger_gap_kind kind;
    struct ledger_gap *gap;
};

static int all_body(struct db *db, void *ctx, struct err *err)
{
    struct whole *w = ctx;
    bool has;

    if (lock_feed(db, err) ||
        read_gap(db_query(db, err,
                          GAP_COLUMNS "WHERE kind = ? AND from_us IS NULL "
                                      "ORDER BY to_us DESC, id LIMIT 1",
                          "s", kind_names[w->kind]),
                 w->gap, &has, err))
        return -1;
    if (has)
        return 0;
    *w->gap = (struct ledger_gap){
        .kind = w->kind, .from_us = TS_NONE, .to_us = INT64_MAX, .skip = 0};
    return add_gap(db, w->gap, err);
}

int ledger_feed_all(struct db *db, enum ledger_gap_kind kind, struct ledger_gap *gap,
                    struct err *err)
{
    struct whole w = {.kind = kind, .gap = gap};

    return db_transaction(db, all_body, &w, err);
}

static int gap_lock(struct db *db, const struct ledger_gap *gap, bool *got,
                    struct err *err)
{
    struct db_rows *rows =
        db_query(db, err, "SELECT GET_LOCK(CONCAT(DATABASE(), '.gap.', ?), ?)", "ii",
                 gap->id, (int64_t)GAP_LOCK_WAIT_S);
    int rc = rows ? db_next(rows, err) : -1;

    *got = rc == 1 && db_i64(rows, 0, 0) == 1;
    db_close(rows);
    return rc < 0 ? -1 : 0;
}

void ledger_gap_release(struct db *db, const struct ledger_gap *gap)
{
    struct err ignored = ERR_INIT; /* a lock ends with its connection too */
    struct db_rows *rows =
        db_query(db, &ignored, "SELECT RELEASE_LOCK(CONCAT(DATABASE(), '.gap.', ?))", "i",
                 gap->id);

    if (rows != NULL)
        db_next(rows, &ignored);
    db_close(rows);
}

static int first_gap(struct db *db, struct ledger_gap *gap, bool *has, struct err *err)
{
    return read_gap(
        db_query(db, err, GAP_COLUMNS "ORDER BY kind, to_us DESC, id LIMIT 1", ""), gap,
        has, err);
}

/* Whoever had it before may have shrunk or closed it meanwhile: it is read again. */
int ledger_gap_take(struct db *db, struct ledger_gap *gap, bool *has, bool *is_busy,
                    struct err *err)
{
    struct ledger_gap first;
    bool got;

    *is_busy = false;
    if (first_gap(db, &first, has, err) || !*has)
        return *has ? -1 : 0;
    if (gap_lock(db, &first, &got, err))
        return -1;
    *is_busy = !got;
    if (!got)
        return 0;
    if (first_gap(db, gap, has, err))
        return -1;
    if (*has && gap->id == first.id)
        return 0;
    ledger_gap_release(db, &first);
    *is_busy = *has;
    return 0;
}

int ledger_gap_shrink(struct db *db, const struct ledger_gap *gap, struct err *err)
{
    return db_exec(
        db, NULL, err,
        "UPDATE ledger_gap SET skip = IF(to_us > ?, ?, skip), to_us = LEAST(to_us, ?) "
        "WHERE id = ?",
        "iiii", gap->to_us, gap->skip, gap->to_us, gap->id);
}

int ledger_gap_close(struct db *db, const struct ledger_gap *gap, int64_t now_us,
                     struct err *err)
{
    if (gap->kind != GAP_NEW &&
        db_exec(
            db, NULL, err,
            "INSERT INTO ledger_feed (id, whole_us) VALUES (1, ?) ON DUPLICATE KEY "
            "UPDATE "
            "whole_us = GREATEST(COALESCE(whole_us, VALUES(whole_us)), VALUES(whole_us))",
            "i", now_us))
        return -1;
    return db_exec(db, NULL, err, "DELETE FROM ledger_gap WHERE id = ?", "i", gap->id);
}

/* ---- pruning ---- */

/* How many of the oldest make up one transaction: sandboxes differ much in their number of events. */
static int count_batch(struct db *db, int64_t older_than_us, int64_t *sandboxes,
                       int64_t *rows_n, struct err *err)
{
    struct db_rows *rows = db_query(db, err,
                                    "SELECT event_count FROM ledger_sandbox "
                                    "WHERE seen_us < ? ORDER BY seen_us LIMIT ?",
                                    "ii", older_than_us, (int64_t)PRUNE_BATCH);
    int rc = rows ? 1 : -1;

    *sandboxes = *rows_n = 0;
    while (rc == 1 && *rows_n < PRUNE_ROWS && (rc = db_next(rows, err)) == 1) {
        *rows_n += 1 + db_i64(rows, 0, 0);
        (*sandboxes)++;
    }
    db_close(rows);
    return rc < 0 ? -1 : 0;
}

struct prune {
    int64_t older_than_us, sandboxes, removed;
};

static int prune_body(struct db *db, void *ctx, struct err *err)
{
    struct prune *p = ctx;

    return db_exec(
        db, &p->removed, err,
        "DELETE FROM ledger_sandbox WHERE seen_us < ? ORDER BY seen_us LIMIT ?", "ii",
        p->older_than_us, p->sandboxes);
}

int ledger_prune(struct db *db, int64_t older_than_us, int64_t max_rows, int64_t *removed,
                 struct err *err)
{
    struct prune p = {.older_than_us = older_than_us};
    int64_t total = 0, batch, batch_rows;

    *removed = 0;
    while (max_rows == 0 || total < max_rows) {
        if (count_batch(db, older_than_us, &batch, &batch_rows, err))
            return -1;
        p.sandboxes = batch;
        if (batch == 0)
            break;
        if (db_transaction(db, prune_body, &p, err))
            return -1;
        *removed += p.removed;
        total += batch_rows;
    }
    return 0;
}
