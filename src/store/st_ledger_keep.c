/*
 * From the facts of sandboxes, as they are stored, to their rows and tags. What a row says is decided in
 * st_ledger_row.c; here it is read and written, for a page of a list at a time: a harvest is as fast as
 * its statements are few.
 */
#include "store/st_ledger_keep.h"
#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_ledger_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define TAG_KEY_MAX 128
#define TAG_VALUE_MAX 512
#define MANY_EVENTS 50 /* a sandbox with more is taken by itself: memory is bounded */
#define BATCH_BYTES ((size_t)1 << 20) /* in one statement, before it is written as JSON */
#define LOAD_BYTES ((size_t)8 << 20)

#define IDS_TABLE                                                                        \
    "JSON_TABLE(?, '$[*]' COLUMNS "                                                      \
    "(id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$')) AS j "

static size_t count_chars(const char *s)
{
    size_t n = 0;

    for (; *s != '\0'; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

bool ledger_id_fits(const char *id)
{
    return !text_is_empty(id) && count_chars(id) <= LEDGER_ID_MAX;
}

size_t ledger_tag_bytes(const struct tag *tags, size_t n)
{
    size_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += strlen(tags[i].key) + strlen(tags[i].value);
    return bytes;
}

size_t ledger_batch_size(const size_t *tag_bytes, size_t n)
{
    size_t sum = 0, i = 0;

    while (i < n && i < LEDGER_KEEP_MAX && (i == 0 || sum + tag_bytes[i] <= BATCH_BYTES))
        sum += tag_bytes[i++];
    return i;
}

static char *dump_and_free(struct arena *a, json_t *doc)
{
    char *text = jget_dump(a, doc);

    json_decref(doc);
    return text;
}

char *ledger_texts_json(struct arena *a, const char *const *texts, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_string(texts[i]));
    return dump_and_free(a, list);
}

int ledger_lock(struct db *db, const char *const *ids, size_t n, struct err *err)
{
    struct arena a = ARENA_INIT;
    int rc = db_exec(db, NULL, err,
                     "INSERT INTO ledger_sandbox (sandbox_id) SELECT j.id FROM " IDS_TABLE
                     "ON DUPLICATE KEY UPDATE sandbox_id = ledger_sandbox.sandbox_id",
                     "s", ledger_texts_json(&a, ids, n));

    arena_release(&a);
    return rc;
}

/* ---- reading the facts ---- */

struct facts_set { /* of some sandboxes, by id */
    struct arena *a;
    const char *ids; /* JSON */
    struct ledger_facts *items;
    struct event **events;
    struct ledger_sighting **sightings;
    size_t *event_caps, *sighting_caps;
    size_t n;
};

static int compare_ids(const void *key, const void *item)
{
    return strcmp(key, ((const struct ledger_facts *)item)->sandbox_id);
}

/* The place of the row's first column; n when it is none of the set. */
static size_t place_of(const struct facts_set *set, const struct db_rows *rows)
{
    const char *id = db_str(rows, 0, set->a);
    const struct ledger_facts *f =
        bsearch(id, set->items, set->n, sizeof(*set->items), compare_ids);

    return f != NULL ? (size_t)(f - set->items) : set->n;
}

static void read_sighting(struct arena *a, const char *text, struct ledger_facts *f)
{
    struct err ignored = ERR_INIT; /* the text is our own */
    json_t *doc = *text ? jget_load(text, strlen(text), &ignored) : NULL;

    f->has_sighting =
        doc != NULL && sandbox_from_json(a, doc, &f->sighting, &ignored) == 0;
    json_decref(doc);
}

static void take_row(struct facts_set *set, size_t at, const struct db_rows *rows)
{
    struct ledger_facts *f = &set->items[at];

    read_sighting(set->a, db_str(rows, 1, set->a), f);
    f->sighted_us = db_i64(rows, 2, TS_NONE);
    f->gone_us = db_i64(rows, 3, TS_NONE);
}

static void take_event(struct facts_set *set, size_t at, const struct db_rows *rows)
{
    struct ledger_facts *f = &set->items[at];
    struct err ignored = ERR_INIT; /* a text that is none any more is left out */
    size_t len;
    const char *text = db_blob(rows, 1, &len);
    json_t *doc = jget_load(text, len, &ignored);

    set->events[at] = arena_grow(set->a, set->events[at], f->event_count,
                                 &set->event_caps[at], sizeof(*set->events[at]));
    if (doc != NULL &&
        event_from_json(set->a, doc, &set->events[at][f->event_count], &ignored) == 0)
        f->event_count++;
    json_decref(doc);
}

static void take_sighting(struct facts_set *set, size_t at, const struct db_rows *rows)
{
    struct ledger_facts *f = &set->items[at];

    set->sightings[at] = arena_grow(set->a, set->sightings[at], f->sighting_count,
                                    &set->sighting_caps[at], sizeof(**set->sightings));
    set->sightings[at][f->sighting_count++] = (struct ledger_sighting){
        .started_us = db_i64(rows, 1, TS_NONE),
        .ends_us = db_i64(rows, 2, TS_NONE),
        .state = ledger_state_parse(db_str(rows, 3, set->a)),
        .first_us = db_i64(rows, 4, TS_NONE),
        .last_us = db_i64(rows, 5, TS_NONE),
    };
}

typedef void take_fn(struct facts_set *set, size_t at, const struct db_rows *rows);

static int take_all(struct facts_set *set, struct db_rows *rows, take_fn *take,
                    struct err *err)
{
    int rc = rows ? 1 : -1;

    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        size_t at = place_of(set, rows);

        if (at < set->n)
            take(set, at, rows);
    }
    db_close(rows);
    return rc;
}

static int load_few_events(struct db *db, struct facts_set *set, struct err *err)
{
    if (take_all(set,
                 db_query(db, err,
                          "SELECT e.sandbox_id, e.doc FROM " IDS_TABLE
                          "STRAIGHT_JOIN ledger_event AS e ON e.sandbox_id = j.id",
                          "s", set->ids),
                 take_event, err))
        return -1;
    for (size_t i = 0; i < set->n; i++) {
        struct ledger_facts *f = &set->items[i];

        if (f->event_count > 0)
            f->event_count = events_sort_unique(set->events[i], f->event_count);
        f->events = set->events[i];
    }
    return 0;
}

/* One with very many: the newest, as far as evidence may go. */
static int load_many_events(struct db *db, struct facts_set *set, struct err *err)
{
    struct ledger_facts *f = &set->items[0];

    if (ledger_events(db, set->a, f->sandbox_id, &set->events[0], &f->event_count, err))
        return -1;
    f->events = set->events[0];
    return 0;
}

/* Only where there are no events; what was said last is being said up to now. */
static int load_sightings(struct db *db, struct facts_set *set, struct err *err)
{
    if (take_all(set,
                 db_query(db, err,
                          "SELECT g.sandbox_id, g.started_us, g.ends_us, g.state, "
                          "g.first_us, g.last_us FROM " IDS_TABLE
                          "STRAIGHT_JOIN ledger_sighting AS g ON g.sandbox_id = j.id "
                          "ORDER BY g.sandbox_id, g.started_us, g.first_us",
                          "s", set->ids),
                 take_sighting, err))
        return -1;
    for (size_t i = 0; i < set->n; i++) {
        struct ledger_facts *f = &set->items[i];
        struct ledger_sighting *last =
            f->sighting_count ? &set->sightings[i][f->sighting_count - 1] : NULL;

        if (last != NULL && last->last_us < f->sighted_us)
            last->last_us = f->sighted_us;
        f->sightings = set->sightings[i];
    }
    return 0;
}

static void init_set(struct facts_set *set, struct arena *a, const char *const *ids,
                     size_t n)
{
    *set = (struct facts_set){
        .a = a,
        .ids = ledger_texts_json(a, ids, n),
        .items = arena_array(a, n, sizeof(*set->items)),
        .events = arena_array(a, n, sizeof(*set->events)),
        .sightings = arena_array(a, n, sizeof(*set->sightings)),
        .event_caps = arena_array(a, n, sizeof(*set->event_caps)),
        .sighting_caps = arena_array(a, n, sizeof(*set->sighting_caps)),
        .n = n,
    };
    for (size_t i = 0; i < n; i++)
        set->items[i] = (struct ledger_facts){
            .sandbox_id = ids[i], .sighted_us = TS_NONE, .gone_us = TS_NONE};
}

static int load_set(struct db *db, struct facts_set *set, bool has_many, struct err *err)
{
    bool has_listed_only = false;

    if (take_all(set,
                 db_query(db, err,
                          "SELECT s.sandbox_id, s.sighting, s.sighted_us, s.gone_us "
                          "FROM " IDS_TABLE
                          "STRAIGHT_JOIN ledger_sandbox AS s ON s.sandbox_id = j.id",
                          "s", set->ids),
                 take_row, err) ||
        (has_many ? load_many_events(db, set, err) : load_few_events(db, set, err)))
        return -1;
    for (size_t i = 0; i < set->n; i++)
        has_listed_only |= set->items[i].has_sighting && set->items[i].event_count == 0;
    return has_listed_only ? load_sightings(db, set, err) : 0;
}

/* ---- writing the rows ---- */

static void put_time(json_t *o, const char *key, int64_t us)
{
    if (us != TS_NONE)
        json_object_set_new(o, key, json_integer(us));
}

/* For save_rows(): what is left out is NULL there. */
static json_t *row_json(struct arena *a, const struct ledger_row *row, size_t events)
{
    json_t *o = json_pack(
        "{ss ss ss ss sI ss sI sI sI ss ss sI sI}", "id", row->sandbox_id, "state",
        ledger_state_name(row->state), "template", db_fit(a, row->template_id, 128),
        "alias", db_fit(a, row->template_alias, 255), "ran", (json_int_t)row->ran_us,
        "reason", db_fit(a, row->kill_reason, 64), "cpu", (json_int_t)row->cpu_count,
        "memory", (json_int_t)row->memory_mib, "disk", (json_int_t)row->disk_mib, "tags",
        ledger_tags_text(a, row->tags, row->tag_count), "record",
        ledger_record_text(a, row), "events", (json_int_t)events, "seen",
        (json_int_t)row->seen_us);

    put_time(o, "first", row->first_start_us);
    put_time(o, "last", row->last_start_us);
    put_time(o, "end", row->end_us);
    put_time(o, "deadline", row->deadline_us);
    return o;
}

static int save_rows(struct db *db, const char *rows, struct err *err)
{
    return db_exec(
        db, NULL, err,
        "INSERT INTO ledger_sandbox (sandbox_id, state, template_id, template_alias, "
        "first_start_us, last_start_us, end_us, deadline_us, ran_us, kill_reason, "
        "cpu_count, memory_mib, disk_mib, tags, record, event_count, seen_us) "
        "SELECT j.* FROM JSON_TABLE(?, '$[*]' COLUMNS (id VARCHAR(64) PATH '$.id', "
        "state VARCHAR(16) PATH '$.state', template VARCHAR(128) PATH '$.template', "
        "alias VARCHAR(255) PATH '$.alias', first BIGINT PATH '$.first', "
        "last BIGINT PATH '$.last', ended BIGINT PATH '$.end', "
        "deadline BIGINT PATH '$.deadline', ran BIGINT PATH '$.ran', "
        "reason VARCHAR(64) PATH '$.reason', cpu BIGINT PATH '$.cpu', "
        "memory BIGINT PATH '$.memory', disk BIGINT PATH '$.disk', "
        "tags MEDIUMTEXT PATH '$.tags', record MEDIUMTEXT PATH '$.record', "
        "events BIGINT PATH '$.events', seen BIGINT PATH '$.seen')) AS j "
        "ON DUPLICATE KEY UPDATE state = VALUES(state), "
        "template_id = VALUES(template_id), template_alias = VALUES(template_alias), "
        "first_start_us = VALUES(first_start_us), last_start_us = VALUES(last_start_us), "
        "end_us = VALUES(end_us), deadline_us = VALUES(deadline_us), "
        "ran_us = VALUES(ran_us), kill_reason = VALUES(kill_reason), "
        "cpu_count = VALUES(cpu_count), memory_mib = VALUES(memory_mib), "
        "disk_mib = VALUES(disk_mib), tags = VALUES(tags), record = VALUES(record), "
        "event_count = VALUES(event_count), seen_us = VALUES(seen_us)",
        "s", rows);
}

/* The row's tags that fit the index. What a search orders and filters by is repeated in them (sql/0023). A
   sandbox without any start counts as started when it was last seen. */
static void add_tags(struct arena *a, json_t *list, const struct ledger_row *row)
{
    for (size_t i = 0; i < row->tag_count; i++) {
        const struct tag *tag = &row->tags[i];
        json_t *o;

        if (count_chars(tag->key) > TAG_KEY_MAX ||
            count_chars(tag->value) > TAG_VALUE_MAX)
            continue;
        o = json_pack("{ss ss ss ss ss sI}", "id", row->sandbox_id, "k", tag->key, "v",
                      tag->value, "state", ledger_state_name(row->state), "template",
                      db_fit(a, row->template_id, 128), "last",
                      (json_int_t)(row->last_start_us != TS_NONE ? row->last_start_us
                                                                 : row->seen_us));
        put_time(o, "first", row->first_start_us);
        put_time(o, "end", row->end_us);
        json_array_append_new(list, o);
    }
}

static int save_tags(struct db *db, const char *tags, struct err *err)
{
    return db_exec(
        db, NULL, err,
        "INSERT INTO ledger_tag (sandbox_id, tag_key, tag_value, last_start_us, "
        "first_start_us, end_us, state, template_id) "
        "SELECT j.* FROM JSON_TABLE(?, '$[*]' COLUMNS (id VARCHAR(64) PATH '$.id', "
        "k VARCHAR(128) PATH '$.k', v VARCHAR(512) PATH '$.v', "
        "last BIGINT PATH '$.last', first BIGINT PATH '$.first', "
        "ended BIGINT PATH '$.end', state VARCHAR(16) PATH '$.state', "
        "template VARCHAR(128) PATH '$.template')) AS j "
        "ON DUPLICATE KEY UPDATE tag_value = VALUES(tag_value), "
        "last_start_us = VALUES(last_start_us), "
        "first_start_us = VALUES(first_start_us), end_us = VALUES(end_us), "
        "state = VALUES(state), template_id = VALUES(template_id)",
        "s", tags);
}

/* Rows on their way into the database. */
struct out {
    json_t *rows, *tags;
    size_t bytes; /* of tags and records in them */
};

static int flush(struct db *db, struct arena *a, struct out *out, struct err *err)
{
    if (json_array_size(out->rows) > 0 && save_rows(db, jget_dump(a, out->rows), err))
        return -1;
    if (json_array_size(out->tags) > 0 && save_tags(db, jget_dump(a, out->tags), err))
        return -1;
    json_array_clear(out->rows);
    json_array_clear(out->tags);
    out->bytes = 0;
    return 0;
}

static int put_row(struct db *db, struct arena *a, const struct ledger_row *row,
                   size_t events, struct out *out, struct err *err)
{
    json_t *o = row_json(a, row, events);

    json_array_append_new(out->rows, o);
    add_tags(a, out->tags, row);
    out->bytes += ledger_tag_bytes(row->tags, row->tag_count) +
                  json_string_length(json_object_get(o, "record"));
    return out->bytes > BATCH_BYTES ? flush(db, a, out, err) : 0;
}

/* A few sandboxes, or one that may have many events. */
static int keep_set(struct db *db, const char *const *ids, size_t n, bool has_many,
                    int64_t now_us, struct err *err)
{
    struct arena a = ARENA_INIT;
    struct out out = {.rows = json_array(), .tags = json_array()};
    struct facts_set set;
    int rc;

    init_set(&set, &a, ids, n);
    rc = load_set(db, &set, has_many, err);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct ledger_row row;

        ledger_derive(&a, &set.items[i], now_us, &row);
        rc = put_row(db, &a, &row, set.items[i].event_count, &out, err);
    }
    if (rc == 0)
        rc = flush(db, &a, &out, err);
    json_decref(out.rows);
    json_decref(out.tags);
    arena_release(&a);
    return rc;
}

struct load { /* what loading a sandbox may bring */
    size_t events, bytes;
};

/* By what is known of them so far; what has just come is bounded by its batch. */
static int estimate(struct db *db, struct arena *a, const char *const *ids, size_t n,
                    struct load *loads, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err,
                 "SELECT s.sandbox_id, s.event_count, LENGTH(s.tags) FROM " IDS_TABLE
                 "STRAIGHT_JOIN ledger_sandbox AS s ON s.sandbox_id = j.id",
                 "s", ledger_texts_json(a, ids, n));
    int rc = rows ? 1 : -1;

    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        const char *id = db_str(rows, 0, a);

        for (size_t i = 0; i < n; i++)
            if (strcmp(ids[i], id) == 0) {
                loads[i].events = (size_t)db_i64(rows, 1, 0);
                loads[i].bytes = (loads[i].events + 1) * (size_t)db_i64(rows, 2, 0);
            }
    }
    db_close(rows);
    return rc;
}

int ledger_keep(struct db *db, const char *const *ids, size_t n, int64_t now_us,
                struct err *err)
{
    struct arena a = ARENA_INIT;
    struct load loads[LEDGER_KEEP_MAX] = {
        {0, 0}
    };
    size_t end;
    int rc;

    if (n > LEDGER_KEEP_MAX)
        BUG("%zu sandboxes at once", n);
    rc = estimate(db, &a, ids, n, loads, err);
    for (size_t at = 0; rc == 0 && at < n; at = end) {
        size_t bytes = loads[at].bytes;
        bool has_many = loads[at].events > MANY_EVENTS;

        for (end = at + 1; end < n && !has_many && loads[end].events <= MANY_EVENTS &&
                           bytes + loads[end].bytes <= LOAD_BYTES;
             end++)
            bytes += loads[end].bytes;
        rc = keep_set(db, ids + at, end - at, has_many, now_us, err);
    }
    arena_release(&a);
    return rc;
}
