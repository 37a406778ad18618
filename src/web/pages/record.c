/*
 * The ledger's row as a record for the timeline. Rows of an older version have no list of runs: then the
 * times of the row tell of the first and the last.
 */
#include "web/pages/record.h"

#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "sys/log.h"
#include <string.h>

#include "base/banned.h"

#define ROW_RUNS 2

static struct execution run_at(int64_t start_us, const struct fact_source *source)
{
    return (struct execution){.id = "",
                              .start_us = start_us,
                              .start_is_known = true,
                              .end_us = TS_NONE,
                              .end = EXEC_OPEN,
                              .kill_reason = "",
                              .start_source = *source,
                              .deadline_us = TS_NONE,
                              .first_deadline_us = TS_NONE,
                              .last_sign_us = start_us};
}

static void end_run(struct execution *x, const struct ledger_row *row,
                    const struct fact_source *source)
{
    static const enum exec_end ends[] = {
        [SANDBOX_RUNNING] = EXEC_OPEN,
        [SANDBOX_PAUSED] = EXEC_PAUSED,
        [SANDBOX_ENDED] = EXEC_GONE,
        [SANDBOX_OTHER] = EXEC_OPEN,
    };

    x->end = ends[row->state];
    if (x->end == EXEC_GONE && !text_is_empty(row->kill_reason))
        x->end = EXEC_KILLED;
    x->end_us = x->end == EXEC_OPEN ? TS_NONE : row->end_us;
    x->kill_reason = row->kill_reason;
    x->end_source = *source;
    x->last_sign_us = row->seen_us;
}

/* Of a row without runs. */
static void runs_of_row(struct arena *a, const struct ledger_row *row,
                        struct sandbox_record *out)
{
    struct execution *runs = arena_array(a, ROW_RUNS, sizeof *runs);
    struct deadline_move *move = arena_alloc(a, sizeof *move);
    const struct fact_source source = {.origin = ORIGIN_RECORD, .at_us = row->seen_us};
    struct execution *last;
    size_t n = 0;

    if (row->last_start_us == TS_NONE)
        return;
    if (row->first_start_us != TS_NONE && row->first_start_us < row->last_start_us)
        runs[n++] = run_at(row->first_start_us, &source);
    last = &runs[n];
    runs[n++] = run_at(row->last_start_us, &source);
    end_run(last, row, &source);
    if (row->deadline_us != TS_NONE) {
        *move = (struct deadline_move){.at_us = last->start_us,
                                       .from_us = TS_NONE,
                                       .to_us = row->deadline_us,
                                       .source = source};
        last->moves = move;
        last->move_count = 1;
        last->deadline_us = row->deadline_us;
    }
    out->runs = runs;
    out->run_count = n;
}

static void take_row(struct record *r, struct arena *a)
{
    const struct ledger_row *row = &r->row;

    r->facts = (struct sandbox_record){
        .template_id = row->template_id,
        .template_alias = row->template_alias,
        .cpu_count = row->cpu_count,
        .memory_mib = row->memory_mib,
        .disk_mib = row->disk_mib,
        .tags = row->tags,
        .tag_count = row->tag_count,
        .source = row->source,
        .seen_us = row->seen_us,
        .runs = row->runs,
        .run_count = row->run_count,
    };
    if (row->run_count == 0)
        runs_of_row(a, row, &r->facts);
}

static void fail(struct record *r, const struct err *err)
{
    if (!r->is_failed)
        log_err(LOG_ERROR, "the ledger of this sandbox", err);
    r->is_failed = true;
}

void record_load(struct record *r, struct req *rq, const char *sandbox_id)
{
    struct err err = ERR_INIT;
    struct evidence ev = {.now_us = rq->now_us, .sandbox_id = sandbox_id};

    memset(r, 0, sizeof *r);
    r->is_failed = !rq->has_db;
    if (r->is_failed)
        return;
    r->is_known = ledger_get(rq->app->db, rq->arena, sandbox_id, &r->row, &err) == 0;
    if (!r->is_known) {
        if (err.kind != ERR_NOTFOUND)
            fail(r, &err);
        return;
    }
    take_row(r, rq->arena);
    if (ledger_events(rq->app->db, rq->arena, sandbox_id, &r->events, &r->event_count,
                      &err)) {
        r->event_count = 0;
        fail(r, &err);
    }
    ev.events = r->events;
    ev.event_count = r->event_count;
    timeline_build_with(rq->arena, &ev, &r->facts, &r->before);
}

const struct sandbox_record *record_facts(const struct record *r)
{
    return r->is_known ? &r->facts : NULL;
}

size_t record_unite(const struct record *r, struct arena *a, const struct event *events,
                    size_t n, const struct event **out)
{
    struct event *all = arena_array(a, n + r->event_count, sizeof *all);

    if (n)
        memcpy(all, events, n * sizeof *all);
    if (r->event_count)
        memcpy(all + n, r->events, r->event_count * sizeof *all);
    *out = all;
    return events_sort_unique(all, n + r->event_count);
}
