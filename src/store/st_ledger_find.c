/* Reading the ledger: one sandbox, and its events. Searches are in st_ledger_search.c. */
#include "base/arena.h"
#include "base/jget.h"
#include "base/ts.h"
#include "model/evidence.h"
#include "store/st_ledger.h"
#include "store/st_ledger_row.h"

#include <string.h>

#include "base/banned.h"

#define ROW_COLUMNS                                                                      \
    "s.sandbox_id, s.template_id, s.template_alias, s.state, s.first_start_us, "         \
    "s.last_start_us, s.end_us, s.deadline_us, s.ran_us, s.kill_reason, s.cpu_count, "   \
    "s.memory_mib, s.disk_mib, s.tags, s.seen_us, s.event_count, s.sighted_us, "         \
    "s.record, t.alias, t.listed_us"
#define WITH_TEMPLATE " LEFT JOIN ledger_template AS t ON t.template_id = s.template_id "

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
        .cpu_count = db_i64(rows, 10, 0),
        .memory_mib = db_i64(rows, 11, 0),
        .disk_mib = db_i64(rows, 12, 0),
        .seen_us = db_i64(rows, 14, 0),
        .from_events = db_i64(rows, 15, 0) > 0,
        .from_list = !db_is_null(rows, 16),
    };
    out->tags = ledger_tags_parse(a, db_str(rows, 13, a), &out->tag_count);
    ledger_record_parse(a, db_str(rows, 17, a), out);
    if (*out->template_alias == '\0' && !db_is_null(rows, 18)) {
        out->template_alias = db_str(rows, 18, a);
        out->source[FACT_ALIAS] = (struct fact_source){
            .origin = ORIGIN_RECORD, .at_us = db_i64(rows, 19, TS_NONE)};
    }
}

int ledger_get(struct db *db, struct arena *a, const char *sandbox_id,
               struct ledger_row *out, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err,
                 "SELECT " ROW_COLUMNS " FROM ledger_sandbox AS s" WITH_TEMPLATE
                 "WHERE s.sandbox_id = ?",
                 "s", sandbox_id);
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        read_row(rows, a, out);
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "sandbox %s is not in the ledger", sandbox_id);
    return rc == 1 ? 0 : -1;
}

/* Rows of JSON to events; a text that is none any more is left out. */
static void read_event(const struct db_rows *rows, struct arena *a, struct event *events,
                       size_t *n)
{
    struct err ignored = ERR_INIT;
    size_t len;
    const char *text = db_blob(rows, 0, &len);
    json_t *doc = jget_load(text, len, &ignored);

    if (doc != NULL && event_from_json(a, doc, &events[*n], &ignored) == 0)
        (*n)++;
    json_decref(doc);
}

/* The newest ones, as far as evidence may go; then the order of time. */
int ledger_events(struct db *db, struct arena *a, const char *sandbox_id,
                  struct event **out, size_t *n, struct err *err)
{
    struct db_rows *rows = db_query(db, err,
                                    "SELECT doc FROM ledger_event WHERE sandbox_id = ? "
                                    "ORDER BY at_us DESC, id DESC LIMIT ?",
                                    "si", sandbox_id, (int64_t)EVIDENCE_MAX_EVENTS);
    int rc = rows ? 1 : -1;
    size_t cap = 0;

    *out = NULL;
    *n = 0;
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        *out = arena_grow(a, *out, *n, &cap, sizeof(**out));
        read_event(rows, a, *out, n);
    }
    db_close(rows);
    if (rc == 0 && *n > 0)
        *n = events_sort_unique(*out, *n);
    return rc;
}
