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
#include "model/evidence.h"
#include "store/st_ledger_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define GONE_BATCH 200
#define PRUNE_BATCH 500
#define TAG_KEY_MAX 128
#define TAG_VALUE_MAX 512

/* ---- facts of one sandbox ---- */

/* Make sure of the row, and lock it. */
static int lock_row(struct db *db, const char *sandbox_id, struct err *err)
{
    return db_exec(db, NULL, err,
                   "INSERT INTO ledger_sandbox (sandbox_id) VALUES (?) "
                   "ON DUPLICATE KEY UPDATE sandbox_id = sandbox_id",
                   "s", sandbox_id);
}

static void read_sighting(struct arena *a, const char *text, struct ledger_facts *f)
{
    struct err ignored = ERR_INIT; /* the text is our own */
    json_t *doc = *text ? jget_load(text, strlen(text), &ignored) : NULL;

    f->has_sighting =
        doc != NULL && sandbox_from_json(a, doc, &f->sighting, &ignored) == 0;
    json_decref(doc);
}

static int load_facts(struct db *db, struct arena *a, const char *sandbox_id,
                      struct ledger_facts *f, struct err *err)
{
    struct db_rows *rows = db_query(
        db, err,
        "SELECT sighting, sighted_us, gone_us FROM ledger_sandbox WHERE sandbox_id = ?",
        "s", sandbox_id);
    int rc = rows ? db_next(rows, err) : -1;
    struct event *events;

    *f = (struct ledger_facts){.sandbox_id = sandbox_id};
    if (rc == 1) {
        read_sighting(a, db_str(rows, 0, a), f);
        f->sighted_us = db_i64(rows, 1, TS_NONE);
        f->gone_us = db_i64(rows, 2, TS_NONE);
    }
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "sandbox %s is not in the ledger", sandbox_id);
    if (rc != 1 || ledger_events(db, a, sandbox_id, &events, &f->event_count, err))
        return -1;
    f->events = events;
    return 0;
}

/* ---- the derived row ---- */

static size_t count_chars(const char *s)
{
    size_t n = 0;

    for (; *s != '\0'; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static int save_tag(struct db *db, const struct ledger_row *row, const struct tag *tag,
                    struct err *err)
{
    int64_t start_us = row->last_start_us != TS_NONE ? row->last_start_us : row->seen_us;

    if (count_chars(tag->key) > TAG_KEY_MAX || count_chars(tag->value) > TAG_VALUE_MAX)
        return 0;
    return db_exec(
        db, NULL, err,
        "INSERT INTO ledger_tag (sandbox_id, tag_key, tag_value, last_start_us) "
        "VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE "
        "tag_value = VALUES(tag_value), last_start_us = VALUES(last_start_us)",
        "sssi", row->sandbox_id, tag->key, tag->value, start_us);
}

static int save_row(struct db *db, struct arena *a, const struct ledger_row *row,
                    size_t event_count, struct err *err)
{
    if (db_exec(
            db, NULL, err,
            "UPDATE ledger_sandbox SET state = ?, template_id = ?, template_alias = ?, "
            "first_start_us = ?, last_start_us = ?, end_us = ?, deadline_us = ?, "
            "ran_us = ?, kill_reason = ?, cpu_count = ?, memory_mib = ?, disk_mib = ?, "
            "tags = ?, event_count = ?, seen_us = ? WHERE sandbox_id = ?",
            "sssIIIIisiiisiis", ledger_state_name(row->state),
            db_fit(a, row->template_id, 128), db_fit(a, row->template_alias, 255),
            row->first_start_us, row->last_start_us, row->end_us, row->deadline_us,
            row->ran_us, db_fit(a, row->kill_reason, 64), row->cpu_count, row->memory_mib,
            row->disk_mib, ledger_tags_text(a, row->tags, row->tag_count),
            (int64_t)event_count, row->seen_us, row->sandbox_id))
        return -1;
    for (size_t i = 0; i < row->tag_count; i++)
        if (save_tag(db, row, &row->tags[i], err))
            return -1;
    return 0;
}

/* The row is locked by the caller. */
static int derive(struct db *db, const char *sandbox_id, int64_t now_us, struct err *err)
{
    struct arena a = ARENA_INIT;
    struct ledger_facts facts;
    struct ledger_row row;
    int rc = load_facts(db, &a, sandbox_id, &facts, err);

    if (rc == 0) {
        ledger_derive(&a, &facts, now_us, &row);
        rc = save_row(db, &a, &row, facts.event_count, err);
    }
    arena_release(&a);
    return rc;
}

/* ---- events ---- */

struct batch {
    const void *const *items; /* struct event or struct sandbox, by sandbox id */
    size_t n;
    int64_t now_us;
};

static int compare_events(const void *a, const void *b)
{
    const struct event *const *x = a, *const *y = b;

    return strcmp((*x)->sandbox_id, (*y)->sandbox_id);
}

static int add_event(struct db *db, const struct event *e, int64_t *added,
                     struct err *err)
{
    struct arena a = ARENA_INIT;
    json_t *doc = event_to_json(e);
    int rc = db_exec(db, added, err,
                     "INSERT INTO ledger_event (id, sandbox_id, at_us, doc) "
                     "VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE id = id",
                     "ssis", e->id, e->sandbox_id, e->at_us, jget_dump(&a, doc));

    json_decref(doc);
    arena_release(&a);
    return rc;
}

/* The events of one sandbox, from items[at] on; *next is behind them. */
static int add_group(struct db *db, const struct batch *b, size_t at, size_t *next,
                     struct err *err)
{
    const struct event *const *events = (const struct event *const *)b->items;
    const char *id = events[at]->sandbox_id;
    int64_t total = 0;

    if (lock_row(db, id, err))
        return -1;
    for (; at < b->n && strcmp(events[at]->sandbox_id, id) == 0; at++) {
        int64_t added;

        if (add_event(db, events[at], &added, err))
            return -1;
        total += added;
    }
    *next = at;
    return total > 0 ? derive(db, id, b->now_us, err) : 0;
}

static int events_body(struct db *db, void *ctx, struct err *err)
{
    const struct batch *b = ctx;

    for (size_t at = 0; at < b->n;)
        if (add_group(db, b, at, &at, err))
            return -1;
    return 0;
}

int ledger_put_events(struct db *db, const struct event *events, size_t n, int64_t now_us,
                      struct err *err)
{
    struct arena a = ARENA_INIT;
    const struct event **sorted = arena_array(&a, n, sizeof(*sorted));
    struct batch b = {.items = (const void *const *)sorted, .now_us = now_us};
    int rc = 0;

    for (size_t i = 0; i < n; i++)
        if (!text_is_empty(events[i].id) && !text_is_empty(events[i].sandbox_id) &&
            events[i].at_us != TS_NONE)
            sorted[b.n++] = &events[i];
    if (b.n > 0) {
        qsort(sorted, b.n, sizeof(*sorted), compare_events);
        rc = db_transaction(db, events_body, &b, err);
    }
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

/* ---- sightings ---- */

static int compare_sandboxes(const void *a, const void *b)
{
    const struct sandbox *const *x = a, *const *y = b;

    return strcmp((*x)->id, (*y)->id);
}

/* Listed exactly as before, and the row agrees: the usual case, one statement. */
static int sight_again(struct db *db, const struct sandbox *s, const char *doc,
                       int64_t now_us, int64_t *changed, struct err *err)
{
    return db_exec(
        db, changed, err,
        "UPDATE ledger_sandbox SET sighted_us = ?, seen_us = GREATEST(seen_us, ?) "
        "WHERE sandbox_id = ? AND sighting = ? AND sighted_us < ? AND state = ?",
        "iissis", now_us, now_us, s->id, doc, now_us, ledger_state_name(s->state));
}

static int sight_anew(struct db *db, const struct sandbox *s, const char *doc,
                      int64_t now_us, struct err *err)
{
    int64_t changed;

    if (lock_row(db, s->id, err) ||
        db_exec(db, &changed, err,
                "UPDATE ledger_sandbox SET sighting = ?, sighted_us = ? "
                "WHERE sandbox_id = ? AND (sighted_us IS NULL OR sighted_us < ?)",
                "sisi", doc, now_us, s->id, now_us))
        return -1;
    return changed > 0 ? derive(db, s->id, now_us, err) : 0;
}

static int sight(struct db *db, const struct sandbox *s, int64_t now_us, struct err *err)
{
    json_t *o = sandbox_to_json(s);
    char *doc = json_dumps(o, JSON_COMPACT | JSON_SORT_KEYS);
    int64_t changed = 0;
    int rc;

    json_decref(o);
    if (doc == NULL)
        return err_set(err, ERR_INTERNAL, "sandbox %s cannot be written as JSON", s->id);
    rc = sight_again(db, s, doc, now_us, &changed, err);
    if (rc == 0 && changed == 0)
        rc = sight_anew(db, s, doc, now_us, err);
    free(doc);
    return rc;
}

static int sandboxes_body(struct db *db, void *ctx, struct err *err)
{
    const struct batch *b = ctx;
    const struct sandbox *const *list = (const struct sandbox *const *)b->items;

    for (size_t i = 0; i < b->n; i++)
        if (sight(db, list[i], b->now_us, err))
            return -1;
    return 0;
}

int ledger_put_sandboxes(struct db *db, const struct sandbox *list, size_t n,
                         int64_t now_us, struct err *err)
{
    struct arena a = ARENA_INIT;
    const struct sandbox **sorted = arena_array(&a, n, sizeof(*sorted));
    struct batch b = {.items = (const void *const *)sorted, .n = n, .now_us = now_us};
    int rc = 0;

    for (size_t i = 0; i < n; i++)
        sorted[i] = &list[i];
    if (n > 0) {
        qsort(sorted, n, sizeof(*sorted), compare_sandboxes);
        rc = db_transaction(db, sandboxes_body, &b, err);
    }
    arena_release(&a);
    return rc;
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
                 "ii", list_us, (int64_t)GONE_BATCH);
    int rc = rows ? 1 : -1;

    *n = 0;
    while (rc == 1 && (rc = db_next(rows, err)) == 1)
        ids[(*n)++] = db_str(rows, 0, a);
    db_close(rows);
    return rc;
}

static int mark_absent(struct db *db, const char *id, int64_t list_us, struct err *err)
{
    if (db_exec(db, NULL, err,
                "UPDATE ledger_sandbox SET gone_us = GREATEST(COALESCE(gone_us, ?), ?) "
                "WHERE sandbox_id = ?",
                "iis", list_us, list_us, id))
        return -1;
    return derive(db, id, list_us, err);
}

static int absence_body(struct db *db, void *ctx, struct err *err)
{
    struct absence *abs = ctx;
    struct arena a = ARENA_INIT;
    const char *ids[GONE_BATCH];
    int rc = select_absent(db, &a, abs->list_us, ids, &abs->found, err);

    for (size_t i = 0; rc == 0 && i < abs->found; i++)
        rc = mark_absent(db, ids[i], abs->list_us, err);
    arena_release(&a);
    return rc;
}

int ledger_mark_gone(struct db *db, int64_t list_us, struct err *err)
{
    struct absence abs = {.list_us = list_us};

    do {
        if (db_transaction(db, absence_body, &abs, err))
            return -1;
    } while (abs.found == GONE_BATCH);
    return 0;
}

/* ---- upkeep ---- */

int ledger_prune(struct db *db, int64_t older_than_us, int64_t *removed, struct err *err)
{
    int64_t n;

    *removed = 0;
    do {
        if (db_exec(db, &n, err, "DELETE FROM ledger_sandbox WHERE seen_us < ? LIMIT ?",
                    "ii", older_than_us, (int64_t)PRUNE_BATCH))
            return -1;
        *removed += n;
    } while (n == PRUNE_BATCH);
    return 0;
}

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
