/*
 * Reads of the ledger for the sandbox search. The first walks one stretch of the index by_seek and
 * touches no row; the others look up a bounded set of ids.
 */
#include "store/st_ledger_search.h"

#include "base/arena.h"
#include "base/ts.h"
#include "store/st_ledger_row.h"
#include <string.h>

#include "base/banned.h"

/* A hundred places; what is left over is NULL and matches nothing. */
#define PLACES_20 "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
#define PLACES_100 PLACES_20 ", " PLACES_20 ", " PLACES_20 ", " PLACES_20 ", " PLACES_20

/* ---- all of a customer ---- */

/* Few spellings, and mostly the same one as in the row before. */
static size_t spelling_of(struct arena *a, struct ledger_seeks *s, const char *text,
                          size_t len, size_t guess)
{
    for (size_t i = 0; i < s->spelling_count; i++) {
        size_t at = guess < s->spelling_count ? (guess + i) % s->spelling_count : i;

        if (strlen(s->spellings[at]) == len && memcmp(s->spellings[at], text, len) == 0)
            return at;
    }
    if (s->spelling_count == LEDGER_SPELLINGS_MAX)
        return LEDGER_SPELLING_OTHER;
    s->spellings = arena_grow(a, s->spellings, s->spelling_count, &s->spelling_cap,
                              sizeof(*s->spellings));
    s->spellings[s->spelling_count] = arena_strn(a, text, len);
    return s->spelling_count++;
}

static void add_seek(const struct db_rows *rows, struct arena *a, struct ledger_seeks *s)
{
    size_t guess = s->count ? s->items[s->count - 1].spelling : 0;
    int64_t last_us = db_i64(rows, 3, 0);
    size_t len;
    const char *text = db_blob(rows, 1, &len);
    struct ledger_seek *k;

    s->items = arena_grow(a, s->items, s->count, &s->cap, sizeof(*s->items));
    k = &s->items[s->count++];
    *k = (struct ledger_seek){
        .sandbox_id = db_str(rows, 0, a),
        .spelling = spelling_of(a, s, text ? text : "", text ? len : 0, guess),
        .first_start_us = db_i64(rows, 2, last_us),
        .last_start_us = last_us,
        .end_us = db_i64(rows, 4, TS_NONE),
        .state = ledger_state_parse(db_str(rows, 5, a)),
        .template_id = db_str(rows, 6, a),
    };
}

int ledger_seek(struct db *db, struct arena *a, const char *key, const char *value,
                size_t limit, struct ledger_seeks *out, struct err *err)
{
    struct db_rows *rows = db_query(
        db, err,
        "SELECT sandbox_id, tag_value, first_start_us, last_start_us, end_us, state, "
        "template_id FROM ledger_tag WHERE seek = UNHEX(MD5(CONCAT(CONVERT(? USING "
        "utf8mb4), CHAR(0 USING utf8mb4), LOWER(TRIM(REPLACE(REPLACE(REPLACE(CONVERT(? "
        "USING utf8mb4), CHAR(9 USING utf8mb4), ' '), CHAR(10 USING utf8mb4), ' '), "
        "CHAR(13 USING utf8mb4), ' ')))))) "
        "ORDER BY first_start_us DESC, sandbox_id DESC LIMIT ?",
        "ssi", key, value, (int64_t)limit + 1);
    int rc = rows ? 1 : -1;

    *out = (struct ledger_seeks){.items = NULL};
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        if (out->count == limit) {
            out->is_cut = true;
            rc = 0;
        } else {
            add_seek(rows, a, out);
        }
    }
    db_close(rows);
    return rc;
}

/* ---- those that are shown ---- */

static int fill_places(const char *const *ids, size_t n,
                       struct db_param params[LEDGER_BATCH], struct err *err)
{
    if (n > LEDGER_BATCH)
        return err_set(err, ERR_INPUT, "%zu ids are more than %d", n, LEDGER_BATCH);
    for (size_t i = 0; i < LEDGER_BATCH; i++)
        params[i] = (struct db_param){.type = 'S', .s = i < n ? ids[i] : NULL};
    return 0;
}

static void read_row(const struct db_rows *rows, struct arena *a, struct ledger_row *out)
{
    *out = (struct ledger_row){
        .sandbox_id = db_str(rows, 0, a),
        .template_id = db_str(rows, 1, a),
        .template_alias = db_str(rows, 2, a),
        .state = ledger_state_parse(db_str(rows, 3, a)),
        .first_start_us = db_i64(rows, 4, TS_NONE),
        .last_start_us = db_i64(rows, 5, TS_NONE),
        .end_us = db_i64(rows, 6, TS_NONE),
        .deadline_us = db_i64(rows, 7, TS_NONE),
        .ran_us = db_i64(rows, 8, 0),
        .kill_reason = db_str(rows, 9, a),
        .seen_us = db_i64(rows, 10, 0),
    };
    ledger_record_parse(a, db_str(rows, 11, a), out);
    out->tags = ledger_tags_parse(a, db_str(rows, 12, a), &out->tag_count);
}

int ledger_rows(struct db *db, struct arena *a, const char *const *ids, size_t n,
                struct ledger_row **out, size_t *count, struct err *err)
{
    struct db_param params[LEDGER_BATCH];
    struct db_rows *rows;
    int rc = 1;

    *count = 0;
    if (fill_places(ids, n, params, err))
        return -1;
    *out = arena_array(a, n, sizeof(**out));
    rows = db_query_n(
        db, err,
        "SELECT s.sandbox_id, s.template_id, COALESCE(NULLIF(s.template_alias, ''), "
        "t.alias), s.state, s.first_start_us, s.last_start_us, s.end_us, s.deadline_us, "
        "s.ran_us, s.kill_reason, s.seen_us, s.record, s.tags FROM ledger_sandbox AS s "
        "LEFT JOIN ledger_template AS t ON t.template_id = s.template_id "
        "WHERE s.sandbox_id IN (" PLACES_100 ")",
        params, LEDGER_BATCH);
    if (rows == NULL)
        return -1;
    while (rc == 1 && *count < n && (rc = db_next(rows, err)) == 1)
        read_row(rows, a, &(*out)[(*count)++]);
    db_close(rows);
    return rc < 0 ? -1 : 0;
}

int ledger_template_names(struct db *db, struct arena *a, const char *const *ids,
                          size_t n, struct tag **out, size_t *count, struct err *err)
{
    struct db_param params[LEDGER_BATCH];
    struct db_rows *rows;
    int rc = 1;

    *count = 0;
    if (fill_places(ids, n, params, err))
        return -1;
    *out = arena_array(a, n, sizeof(**out));
    rows = db_query_n(db, err,
                      "SELECT template_id, alias FROM ledger_template WHERE template_id "
                      "IN (" PLACES_100 ")",
                      params, LEDGER_BATCH);
    if (rows == NULL)
        return -1;
    while (rc == 1 && *count < n && (rc = db_next(rows, err)) == 1)
        (*out)[(*count)++] =
            (struct tag){.key = db_str(rows, 0, a), .value = db_str(rows, 1, a)};
    db_close(rows);
    return rc < 0 ? -1 : 0;
}
