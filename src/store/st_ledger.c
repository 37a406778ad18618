/*
 * The ledger's facts coming in: events by id, sightings in the list, absence from a complete list.
 * Each changes the derived row of its sandbox in the same transaction. Sandboxes are taken in the
 * order of their ids, so that two hosts that harvest at once wait for, but do not block each other.
 */
#include "store/st_ledger.h"
#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_ledger_keep.h"
#include "store/st_ledger_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define BATCH LEDGER_KEEP_MAX /* events or sandboxes in one transaction */

/* ---- events ---- */

struct event_batch {
    const struct event *const *items; /* by sandbox id */
    size_t n;
    enum ledger_via via;
    int64_t now_us;
    size_t added;
};

static const char *const via_names[] = {[LEDGER_FEED] = "feed", [LEDGER_HOOK] = "hook"};

static int compare_events(const void *a, const void *b)
{
    const struct event *const *x = a, *const *y = b;

    return strcmp((*x)->sandbox_id, (*y)->sandbox_id);
}

/*
 * Leaves out of the batch what is known: this is all that reading a page once more costs. Another host may
 * be storing the same at this moment, so storing what is left has to bear that too.
 */
static int leave_out_known(struct db *db, struct arena *a, struct event_batch *b,
                           struct err *err)
{
    const char **ids = arena_array(a, b->n, sizeof(*ids));
    const struct event **fresh = arena_array(a, b->n, sizeof(*fresh));
    json_t *known = json_object();
    struct db_rows *rows;
    size_t n = 0;
    int rc;

    for (size_t i = 0; i < b->n; i++)
        ids[i] = b->items[i]->id;
    rows =
        db_query(db, err,
                 "SELECT e.id FROM JSON_TABLE(?, '$[*]' COLUMNS "
                 "(id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$')) "
                 "AS j STRAIGHT_JOIN ledger_event AS e ON e.id = j.id",
                 "s", ledger_texts_json(a, ids, b->n));
    rc = rows ? 1 : -1;
    while (rc == 1 && (rc = db_next(rows, err)) == 1)
        json_object_set_new(known, db_str(rows, 0, a), json_true());
    db_close(rows);
    for (size_t i = 0; rc == 0 && i < b->n; i++)
        if (json_object_get(known, b->items[i]->id) == NULL)
            fresh[n++] = b->items[i];
    json_decref(known);
    b->items = fresh;
    b->n = n;
    return rc;
}

/* The ids of the batch's sandboxes, each once. */
static size_t sandbox_ids(const struct event_batch *b, const char **ids)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++)
        if (i == 0 || compare_events(&b->items[i - 1], &b->items[i]) != 0)
            ids[n++] = b->items[i]->sandbox_id;
    return n;
}

static int add_events(struct db *db, struct arena *a, const struct event_batch *b,
                      int64_t *added, struct err *err)
{
    json_t *list = json_array();
    char *text;

    for (size_t i = 0; i < b->n; i++) {
        const struct event *e = b->items[i];
        json_t *doc = event_to_json(e);

        json_array_append_new(list, json_pack("{ss ss sI ss}", "i", e->id, "s",
                                              e->sandbox_id, "t", (json_int_t)e->at_us,
                                              "d", jget_dump(a, doc)));
        json_decref(doc);
    }
    text = jget_dump(a, list);
    json_decref(list);
    return db_exec(
        db, added, err,
        "INSERT INTO ledger_event (id, sandbox_id, at_us, doc, via, came_us) "
        "SELECT j.i, j.s, j.t, j.d, ?, ? FROM JSON_TABLE(?, '$[*]' COLUMNS "
        "(i VARCHAR(64) PATH '$.i', s VARCHAR(64) PATH '$.s', t BIGINT PATH '$.t', "
        "d MEDIUMTEXT PATH '$.d')) AS j ON DUPLICATE KEY UPDATE id = ledger_event.id",
        "sis", via_names[b->via], b->now_us, text);
}

static int events_body(struct db *db, void *ctx, struct err *err)
{
    struct event_batch *b = ctx;
    struct arena a = ARENA_INIT;
    const char *ids[BATCH];
    size_t n = sandbox_ids(b, ids);
    int64_t added = 0;
    int rc = ledger_lock(db, ids, n, err);

    if (rc == 0)
        rc = add_events(db, &a, b, &added, err);
    if (rc == 0 && added > 0)
        rc = ledger_keep(db, ids, n, b->now_us, err);
    b->added = (size_t)added;
    arena_release(&a);
    return rc;
}

static int put_batch(struct db *db, struct arena *a, struct event_batch *b,
                     struct err *err)
{
    if (leave_out_known(db, a, b, err))
        return -1;
    return b->n == 0 ? 0 : db_transaction(db, events_body, b, err);
}

static bool is_usable(const struct event *e)
{
    return ledger_id_fits(e->id) && ledger_id_fits(e->sandbox_id) && e->at_us != TS_NONE;
}

int ledger_put_events(struct db *db, const struct event *events, size_t n,
                      enum ledger_via via, int64_t now_us, size_t *added, struct err *err)
{
    struct arena a = ARENA_INIT;
    const struct event **sorted = arena_array(&a, n, sizeof(*sorted));
    size_t *bytes = arena_array(&a, n, sizeof(*bytes));
    size_t usable = 0, total = 0, size;
    int rc = 0;

    for (size_t i = 0; i < n; i++)
        if (is_usable(&events[i]))
            sorted[usable++] = &events[i];
    if (usable > 0)
        qsort(sorted, usable, sizeof(*sorted), compare_events);
    for (size_t i = 0; i < usable; i++)
        bytes[i] = ledger_tag_bytes(sorted[i]->tags, sorted[i]->tag_count);
    for (size_t at = 0; rc == 0 && at < usable; at += size) {
        struct event_batch b = {.items = sorted + at, .via = via, .now_us = now_us};

        size = b.n = ledger_batch_size(bytes + at, usable - at);
        rc = put_batch(db, &a, &b, err);
        total += b.added;
    }
    if (added != NULL)
        *added = total;
    arena_release(&a);
    return rc;
}

int ledger_has_event(struct db *db, const char *event_id, bool *has, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err, "SELECT 1 FROM ledger_event WHERE id = ?", "s", event_id);
    int rc = rows ? db_next(rows, err) : -1;

    *has = rc == 1;
    db_close(rows);
    return rc < 0 ? -1 : 0;
}

/* ---- absence ---- */

struct absence {
    int64_t list_us;
    size_t found;
};

static int select_absent(struct db *db, struct arena *a, int64_t list_us,
                         const char **ids, size_t *n, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err,
                 "SELECT sandbox_id FROM ledger_sandbox WHERE "
                 "state IN ('running', 'paused', 'other') AND seen_us < ? "
                 "ORDER BY sandbox_id LIMIT ? FOR UPDATE",
                 "ii", list_us, (int64_t)BATCH);
    int rc = rows ? 1 : -1;

    *n = 0;
    while (rc == 1 && (rc = db_next(rows, err)) == 1)
        ids[(*n)++] = db_str(rows, 0, a);
    db_close(rows);
    return rc;
}

static int mark_absent(struct db *db, struct arena *a, const char *const *ids, size_t n,
                       int64_t list_us, struct err *err)
{
    if (n == 0)
        return 0;
    if (db_exec(db, NULL, err,
                "UPDATE ledger_sandbox AS s JOIN JSON_TABLE(?, '$[*]' COLUMNS "
                "(id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$')) "
                "AS j ON s.sandbox_id = j.id "
                "SET s.gone_us = GREATEST(COALESCE(s.gone_us, ?), ?)",
                "sii", ledger_texts_json(a, ids, n), list_us, list_us))
        return -1;
    return ledger_keep(db, ids, n, list_us, err);
}

static int absence_body(struct db *db, void *ctx, struct err *err)
{
    struct absence *abs = ctx;
    struct arena a = ARENA_INIT;
    const char *ids[BATCH];
    int rc = select_absent(db, &a, abs->list_us, ids, &abs->found, err);

    if (rc == 0)
        rc = mark_absent(db, &a, ids, abs->found, abs->list_us, err);
    arena_release(&a);
    return rc;
}

int ledger_mark_gone(struct db *db, int64_t list_us, struct err *err)
{
    struct absence abs = {.list_us = list_us};

    do {
        if (db_transaction(db, absence_body, &abs, err))
            return -1;
    } while (abs.found == BATCH);
    return 0;
}
