/*
 * The ledger's facts from List Sandboxes: sightings, the names of templates, and which list was complete.
 *
 * While a sandbox has no events (a self-hosted E2B has none at all), each new thing that the list says
 * about it is kept: its executions and the history of its expiry are read from these.
 */
#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_ledger.h"
#include "store/st_ledger_keep.h"
#include "store/st_ledger_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define BATCH LEDGER_KEEP_MAX
#define SIGHTINGS_MAX 300 /* of one sandbox; more only for a new start or state */

struct list_batch {
    const struct sandbox *const *items; /* by id */
    size_t n;
    int64_t now_us;
};

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

/* ---- what the list said over time ---- */

static int add_sighting(struct db *db, const struct sandbox *s, int64_t at_us,
                        struct err *err)
{
    return db_exec(
        db, NULL, err,
        "INSERT INTO ledger_sighting "
        "(sandbox_id, started_us, state, ends_us, first_us, last_us) "
        "SELECT ?, ?, ?, ?, ?, ? FROM DUAL WHERE ? > "
        "(SELECT COUNT(*) FROM ledger_sighting WHERE sandbox_id = ? AND started_us = ? "
        "AND state = ?) ON DUPLICATE KEY UPDATE "
        "first_us = LEAST(first_us, VALUES(first_us)), "
        "last_us = GREATEST(last_us, VALUES(last_us))",
        "sisiiiisis", s->id, s->started_us, ledger_state_name(s->state), s->end_us, at_us,
        at_us, (int64_t)SIGHTINGS_MAX, s->id, s->started_us, ledger_state_name(s->state));
}

struct before { /* what the row says, before this sighting */
    bool is_newer;
    bool has_events;
    bool has_sighting;
    struct sandbox sighting;
    int64_t sighted_us;
};

static int load_before(struct db *db, struct arena *a, const char *id, int64_t now_us,
                       struct before *b, struct err *err)
{
    struct db_rows *rows = db_query(db, err,
                                    "SELECT sighting, sighted_us, event_count FROM "
                                    "ledger_sandbox WHERE sandbox_id = ?",
                                    "s", id);
    int rc = rows ? db_next(rows, err) : -1;
    struct err ignored = ERR_INIT; /* the text is our own */
    const char *text;
    json_t *doc;

    *b = (struct before){.is_newer = false};
    if (rc == 1) {
        text = db_str(rows, 0, a);
        b->sighted_us = db_i64(rows, 1, TS_NONE);
        b->has_events = db_i64(rows, 2, 0) > 0;
        b->is_newer = b->sighted_us >= now_us;
        doc = *text != '\0' ? jget_load(text, strlen(text), &ignored) : NULL;
        b->has_sighting =
            doc != NULL && sandbox_from_json(a, doc, &b->sighting, &ignored) == 0;
        json_decref(doc);
    }
    db_close(rows);
    return rc < 0 ? -1 : 0;
}

/* The row is locked. *is_news: the row has to be derived anew. */
static int sight_anew(struct db *db, const struct sandbox *s, const char *doc,
                      int64_t now_us, bool *is_news, struct err *err)
{
    struct arena a = ARENA_INIT;
    struct before b;
    int rc = load_before(db, &a, s->id, now_us, &b, err);

    if (rc == 0 && !b.is_newer) {
        if (!b.has_events && b.has_sighting)
            rc = add_sighting(db, &b.sighting, b.sighted_us, err);
        if (rc == 0 && !b.has_events)
            rc = add_sighting(db, s, now_us, err);
        if (rc == 0)
            rc = db_exec(db, NULL, err,
                         "UPDATE ledger_sandbox SET sighting = ?, sighted_us = ? "
                         "WHERE sandbox_id = ?",
                         "sis", doc, now_us, s->id);
        *is_news = true;
    }
    arena_release(&a);
    return rc;
}

static int sight(struct db *db, const struct sandbox *s, int64_t now_us, bool *is_news,
                 struct err *err)
{
    struct arena a = ARENA_INIT;
    json_t *o = sandbox_to_json(s);
    const char *doc = jget_dump(&a, o);
    int64_t changed = 0;
    int rc = sight_again(db, s, doc, now_us, &changed, err);

    *is_news = false;
    if (rc == 0 && changed == 0)
        rc = ledger_lock(db, &s->id, 1, err) ||
                     sight_anew(db, s, doc, now_us, is_news, err)
                 ? -1
                 : 0;
    json_decref(o);
    arena_release(&a);
    return rc;
}

/* ---- names of templates ---- */

/* Each template once; and in the order of their ids, as two hosts may do this at once. */
static char *aliases_json(struct arena *a, const struct list_batch *b)
{
    json_t *by_template = json_object(), *list = json_array(), *alias;
    const char *id;
    char *text;

    for (size_t i = 0; i < b->n; i++)
        if (ledger_id_fits(b->items[i]->template_id) &&
            !text_is_empty(b->items[i]->template_alias))
            json_object_set_new(by_template, b->items[i]->template_id,
                                json_string(db_fit(a, b->items[i]->template_alias, 255)));
    json_object_foreach(by_template, id, alias)
    {
        json_array_append_new(list, json_pack("{ss sO}", "t", id, "a", alias));
    }
    text = json_array_size(list) > 0 ? jget_dump(a, list) : NULL;
    json_decref(by_template);
    json_decref(list);
    return text;
}

static int learn_aliases(struct db *db, const struct list_batch *b, struct err *err)
{
    struct arena a = ARENA_INIT;
    const char *aliases = aliases_json(&a, b);
    int rc = 0;

    if (aliases != NULL)
        rc = db_exec(
            db, NULL, err,
            "INSERT INTO ledger_template (template_id, alias, listed_us) "
            "SELECT j.t, j.a, ? FROM JSON_TABLE(?, '$[*]' COLUMNS "
            "(t VARCHAR(128) PATH '$.t', a VARCHAR(255) PATH '$.a')) AS j ORDER BY j.t "
            "ON DUPLICATE KEY UPDATE "
            "alias = IF(VALUES(listed_us) >= listed_us, VALUES(alias), alias), "
            "listed_us = GREATEST(listed_us, VALUES(listed_us))",
            "is", b->now_us, aliases);
    arena_release(&a);
    return rc;
}

/* ---- a page of the list ---- */

static int list_body(struct db *db, void *ctx, struct err *err)
{
    const struct list_batch *b = ctx;
    const char *news[BATCH];
    size_t n = 0;
    bool is_news;

    if (learn_aliases(db, b, err))
        return -1;
    for (size_t i = 0; i < b->n; i++) {
        if (sight(db, b->items[i], b->now_us, &is_news, err))
            return -1;
        if (is_news)
            news[n++] = b->items[i]->id;
    }
    return n > 0 ? ledger_keep(db, news, n, b->now_us, err) : 0;
}

int ledger_put_sandboxes(struct db *db, const struct sandbox *list, size_t n,
                         int64_t now_us, struct err *err)
{
    struct arena a = ARENA_INIT;
    const struct sandbox **sorted = arena_array(&a, n, sizeof(*sorted));
    size_t *bytes = arena_array(&a, n, sizeof(*bytes));
    size_t usable = 0, size;
    int rc = 0;

    for (size_t i = 0; i < n; i++)
        if (ledger_id_fits(list[i].id))
            sorted[usable++] = &list[i];
    if (usable > 0)
        qsort(sorted, usable, sizeof(*sorted), compare_sandboxes);
    for (size_t i = 0; i < usable; i++)
        bytes[i] = ledger_tag_bytes(sorted[i]->tags, sorted[i]->tag_count);
    for (size_t at = 0; rc == 0 && at < usable; at += size) {
        struct list_batch b = {.items = sorted + at, .now_us = now_us};

        size = b.n = ledger_batch_size(bytes + at, usable - at);
        rc = db_transaction(db, list_body, &b, err);
    }
    arena_release(&a);
    return rc;
}

int ledger_template_alias(struct db *db, struct arena *a, const char *template_id,
                          const char **alias, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err, "SELECT alias FROM ledger_template WHERE template_id = ?", "s",
                 template_id);
    int rc = rows ? db_next(rows, err) : -1;

    *alias = rc == 1 ? db_str(rows, 0, a) : "";
    db_close(rows);
    return rc < 0 ? -1 : 0;
}
