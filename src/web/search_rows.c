/*
 * From the short form of sandboxes to their executions: for the rows of the page, and for those where only
 * the executions tell whether they overlap the complaint window. A batch of sandboxes is one query.
 */
#include "web/search.h"

#include "base/text.h"
#include "base/ts.h"
#include "sys/log.h"
#include "web/search_private.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define MAX_LOOKED_UP 1000 /* for their overlap */

struct record_rows { /* by sandbox id */
    struct ledger_row *items;
    size_t count;
};

static int by_id(const void *pa, const void *pb)
{
    const struct ledger_row *x = pa, *y = pb;

    return strcmp(x->sandbox_id, y->sandbox_id);
}

static struct record_rows read_rows(struct search *s, struct search_hit *const *hits,
                                    size_t n)
{
    const char *ids[LEDGER_BATCH];
    struct record_rows rows = {.items = NULL};
    struct err err = ERR_INIT;
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (hits[i]->in_ledger)
            ids[count++] = hits[i]->id;
    if (count == 0 || !s->rq->has_db)
        return rows;
    if (ledger_rows(s->rq->app->db, s->rq->arena, ids, count, &rows.items, &rows.count,
                    &err)) {
        s->details_failed = true;
        log_err(LOG_WARN, "rows of the record", &err);
        rows.count = 0;
    }
    if (rows.count)
        qsort(rows.items, rows.count, sizeof *rows.items, by_id);
    return rows;
}

static const struct ledger_row *row_of(const struct record_rows *rows, const char *id)
{
    const struct ledger_row wanted = {.sandbox_id = id};

    if (rows->count == 0)
        return NULL;
    return bsearch(&wanted, rows->items, rows->count, sizeof *rows->items, by_id);
}

/* ---- executions ---- */

/* What the short form tells: the last execution, and that there was an earlier one. */
static void short_runs(struct arena *a, const struct search_hit *h, int64_t seen_us,
                       struct sandbox_record *rec)
{
    static const enum exec_end ends[] = {
        [SANDBOX_RUNNING] = EXEC_OPEN,
        [SANDBOX_PAUSED] = EXEC_PAUSED,
        [SANDBOX_ENDED] = EXEC_GONE,
        [SANDBOX_OTHER] = EXEC_OPEN,
    };
    struct execution *runs = arena_array(a, 2, sizeof *runs);
    const struct fact_source source = {.origin = ORIGIN_RECORD, .at_us = seen_us};
    size_t n = 0;

    for (int i = h->first_start_us < h->last_start_us ? 0 : 1; i < 2; i++) {
        int64_t start_us = i == 0 ? h->first_start_us : h->last_start_us;

        runs[n++] = (struct execution){.id = "",
                                       .start_us = start_us,
                                       .start_is_known = true,
                                       .end_us = TS_NONE,
                                       .kill_reason = "",
                                       .start_source = source,
                                       .end_source = source,
                                       .deadline_us = TS_NONE,
                                       .first_deadline_us = TS_NONE,
                                       .last_sign_us = start_us};
    }
    runs[n - 1].end = ends[h->state];
    runs[n - 1].end_us = h->end_us;
    if (runs[n - 1].end == EXEC_GONE && h->end_us != TS_NONE)
        runs[n - 1].end = EXEC_KILLED;
    if (seen_us > runs[n - 1].last_sign_us)
        runs[n - 1].last_sign_us = seen_us;
    rec->runs = runs;
    rec->run_count = n;
}

/* kept NULL: not on record, or its row could not be read. */
static struct sandbox_record record_of(struct arena *a, const struct search_hit *h,
                                       const struct ledger_row *kept)
{
    struct sandbox_record rec = {.template_id = h->template_id,
                                 .template_alias = h->template_alias,
                                 .seen_us = kept ? kept->seen_us : TS_NONE};

    if (kept && kept->run_count > 0) {
        rec.runs = kept->runs;
        rec.run_count = kept->run_count;
    } else if (h->in_ledger) {
        short_runs(a, h, kept ? kept->seen_us : TS_NONE, &rec);
    }
    if (kept && text_is_empty(rec.template_id))
        rec.template_id = kept->template_id;
    if (kept && text_is_empty(rec.template_alias))
        rec.template_alias = kept->template_alias;
    return rec;
}

/* Up to when it ran, and until when it may have, where nothing tells its end. */
static void add_bounds(struct arena *a, const struct ledger_row *kept, struct timeline *t)
{
    struct execution *execs, *last;

    if (!kept || t->exec_count == 0)
        return;
    execs = arena_array(a, t->exec_count, sizeof *execs);
    memcpy(execs, t->execs, t->exec_count * sizeof *execs);
    last = &execs[t->exec_count - 1];
    if (last->deadline_us == TS_NONE)
        last->deadline_us = kept->deadline_us;
    if (last->end == EXEC_GONE && kept->seen_us > last->last_sign_us) {
        if (last->end_us == TS_NONE)
            t->ran_us += kept->seen_us - last->last_sign_us;
        last->last_sign_us = kept->seen_us;
    }
    t->execs = execs;
}

static void build_timeline(struct search *s, const struct search_hit *h,
                           const struct ledger_row *kept, struct timeline *out)
{
    struct evidence ev = {.now_us = s->rq->now_us, .sandbox_id = h->id};
    struct sandbox_record rec = record_of(s->rq->arena, h, kept);

    if (h->listed && !h->is_gone) {
        ev.has_sandbox = true;
        ev.sandbox = *h->listed;
        ev.sandbox_src.state = SOURCE_OK;
    } else {
        ev.sandbox_src.state = h->is_gone ? SOURCE_NOT_THERE : SOURCE_NOT_ASKED;
    }
    timeline_build_with(s->rq->arena, &ev, &rec, out);
    add_bounds(s->rq->arena, kept, out);
    out->state = h->state;
    out->has_old_snapshot = h->is_gone && h->listed;
}

/* ---- overlap ---- */

/* By the last execution alone, which the short form knows. */
static enum overlap overlap_of_last(const struct search *s, const struct search_hit *h)
{
    struct execution last = {.start_us = h->last_start_us,
                             .end_us = h->end_us,
                             .end = h->end_us == TS_NONE ? EXEC_OPEN : EXEC_KILLED,
                             .deadline_us = TS_NONE,
                             .last_sign_us = h->last_start_us};
    struct timeline t = {.execs = &last,
                         .exec_count = 1,
                         .start_us = h->last_start_us,
                         .end_us = h->end_us};

    if (h->is_gone && h->end_us == TS_NONE)
        last.end = EXEC_GONE;
    return timeline_overlap(&t, s->from_us, s->to_us, s->rq->now_us).kind;
}

/* Earlier executions may overlap, or an end that is not known. */
static bool needs_lookup(const struct search *s, const struct search_hit *h)
{
    if (!h->in_ledger || h->overlap == OVERLAP_YES)
        return false;
    if (h->first_start_us < h->last_start_us && s->from_us < h->last_start_us &&
        s->to_us >= h->first_start_us)
        return true;
    return h->end_us == TS_NONE && h->state != SANDBOX_RUNNING &&
           s->to_us >= h->last_start_us;
}

static void look_up(struct search *s, struct search_hit *const *hits, size_t n)
{
    struct record_rows rows = read_rows(s, hits, n);

    for (size_t i = 0; i < n; i++) {
        struct search_hit *h = hits[i];
        struct timeline t;

        build_timeline(s, h, row_of(&rows, h->id), &t);
        h->overlap = timeline_overlap(&t, s->from_us, s->to_us, s->rq->now_us).kind;
    }
}

void search_mark_overlaps(struct search *s)
{
    struct search_hit *some[LEDGER_BATCH] = {NULL};
    size_t n = 0, looked_up = 0;

    if (s->from_us == TS_NONE || s->to_us == TS_NONE)
        return;
    for (size_t i = 0; i < s->hit_count; i++) {
        struct search_hit *h = &s->hits[i];

        h->overlap = overlap_of_last(s, h);
        if (!needs_lookup(s, h))
            continue;
        if (looked_up == MAX_LOOKED_UP) {
            h->overlap = OVERLAP_MAYBE;
            s->is_rough = true;
            continue;
        }
        looked_up++;
        some[n++] = h;
        if (n == LEDGER_BATCH) {
            look_up(s, some, n);
            n = 0;
        }
    }
    look_up(s, some, n);
}

/* ---- the page ---- */

static void add_matches(const struct search *s, const struct search_hit *h,
                        const struct ledger_row *kept, struct search_row *row)
{
    const struct tag *tags = h->listed ? h->listed->tags : kept ? kept->tags : NULL;
    size_t n = h->listed ? h->listed->tag_count : kept ? kept->tag_count : 0;

    for (size_t i = 0; i < s->key_count; i++) {
        const char *value = tag_get(tags, n, s->keys[i], "");
        struct search_match *m = &row->matched[row->matched_count];

        if (!(h->keys >> i & 1))
            continue;
        *m = (struct search_match){.key = s->keys[i]};
        if (!text_is_empty(value) && strcmp(value, s->value) != 0)
            m->spelling = value;
        row->matched_count++;
    }
}

static void make_row(struct search *s, const struct search_hit *h,
                     const struct ledger_row *kept, struct search_row *row)
{
    *row = (struct search_row){.sandbox_id = h->id,
                               .in_list = h->listed != NULL,
                               .in_ledger = h->in_ledger,
                               .is_unlooked = !h->listed && !h->is_gone,
                               .seen_us = kept ? kept->seen_us : TS_NONE};
    build_timeline(s, h, kept, &row->timeline);
    row->is_fork =
        kept && kept->run_count > 0 && kept->runs[0].is_first_on_record_resumed;
    row->overlap = timeline_overlap(&row->timeline, s->from_us, s->to_us, s->rq->now_us);
    add_matches(s, h, kept, row);
}

/* The names of templates that only other rows of the page know. */
static void name_templates(struct search *s)
{
    for (size_t i = 0; i < s->row_count; i++) {
        struct timeline *t = &s->rows[i].timeline;

        for (size_t k = 0; k < s->row_count && text_is_empty(t->template_alias); k++)
            if (strcmp(s->rows[k].timeline.template_id, t->template_id) == 0)
                t->template_alias = s->rows[k].timeline.template_alias;
    }
}

void search_make_rows(struct search *s)
{
    struct search_hit *hits[SEARCH_PAGE_ROWS] = {NULL};
    struct record_rows rows;
    size_t n = 0;

    for (size_t i = s->first; i < s->hit_count && n < SEARCH_PAGE_ROWS; i++)
        hits[n++] = &s->hits[i];
    rows = read_rows(s, hits, n);
    s->rows = arena_array(s->rq->arena, n, sizeof *s->rows);
    for (size_t i = 0; i < n; i++)
        make_row(s, hits[i], row_of(&rows, hits[i]->id), &s->rows[i]);
    s->row_count = n;
    name_templates(s);
}
