/*
 * The history of each execution's deadline (e2b.md 3.3): first given in the line "Sandbox created",
 * moved by `updated` events, told by Get Sandbox while it runs, else by our own record. An `updated` event without a new
 * time moves nothing.
 */
#include "model/timeline_draft.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/text.h"

#include "base/banned.h"

#define CREATED_LINE_NEAR_US (60 * TS_SEC)
#define SAME_DEADLINE_US (2 * TS_SEC) /* set_timeout is cut to whole seconds */

/* The "Sandbox created" line nearest to the start, or NULL. */
static const struct log_line *created_line(const struct evidence *ev,
                                           const struct draft *x)
{
    const struct log_line *best = NULL;
    size_t i = drafts_first_log(ev, x->e.start_us - CREATED_LINE_NEAR_US);

    for (; i < ev->log_count && ev->logs[i].at_us <= x->e.start_us + CREATED_LINE_NEAR_US;
         i++) {
        const struct log_line *l = &ev->logs[i];

        if (l->at_us < x->from_us || l->at_us >= x->to_us ||
            log_line_mark(l) != MARK_CREATED)
            continue;
        if (!best || llabs(l->at_us - x->e.start_us) < llabs(best->at_us - x->e.start_us))
            best = l;
    }
    return best;
}

struct moves {
    struct arena *a;
    struct deadline_move *items;
    size_t n, cap;
};

static void add_move(struct moves *m, int64_t at_us, int64_t to_us,
                     const struct event *event, struct fact_source source)
{
    int64_t from_us = m->n ? m->items[m->n - 1].to_us : TS_NONE;

    m->items = arena_grow(m->a, m->items, m->n, &m->cap, sizeof(*m->items));
    m->items[m->n++] = (struct deadline_move){.at_us = at_us,
                                              .from_us = from_us,
                                              .to_us = to_us,
                                              .event = event,
                                              .source = source};
}

static void add_first_move(struct moves *m, const struct evidence *ev, struct draft *x)
{
    const struct log_line *line = created_line(ev, x);
    int64_t end_us;

    if (!line ||
        ts_parse(tag_get(line->fields, line->field_count, "end_time", ""), &end_us))
        return;
    add_move(m, line->at_us, end_us, NULL, source_at(ORIGIN_LINE, line->at_us));
    x->e.first_deadline_us = end_us;
}

/* What Get says now, where that is news. */
static void add_current_move(struct moves *m, const struct evidence *ev, struct draft *x)
{
    int64_t end_us = ev->sandbox.end_us;
    bool is_whole_record = x->e.start_event && m->n == 0;
    int64_t at_us = m->n ? ev->now_us : x->e.start_us;

    if (x->e.end_event || !ev->has_sandbox || ev->sandbox.state != SANDBOX_RUNNING ||
        end_us == TS_NONE)
        return;
    if (m->n && llabs(m->items[m->n - 1].to_us - end_us) <= SAME_DEADLINE_US)
        return;
    for (size_t i = 0; i < x->event_count && is_whole_record; i++)
        is_whole_record = x->events[i]->type != EVENT_UPDATED;
    if (is_whole_record)
        x->e.first_deadline_us = end_us;
    add_move(m, at_us, end_us, NULL, source_at(ORIGIN_GET, ev->now_us));
}

/* The first one, where our record saw it and no line tells it. */
static void add_recorded_first(struct moves *m, struct draft *x,
                               const struct execution *run)
{
    if (!run || m->n || run->first_deadline_us == TS_NONE ||
        run->first_deadline_us < x->e.start_us)
        return;
    add_move(m, x->e.start_us, run->first_deadline_us, NULL,
             run->move_count ? drafts_as_recorded(run->moves[0].source)
                             : source_at(ORIGIN_RECORD, run->last_sign_us));
    x->e.first_deadline_us = run->first_deadline_us;
}

/* Further ones, where no event tells any. */
static void add_recorded(struct moves *m, const struct draft *x,
                         const struct execution *run)
{
    for (size_t i = 0; run && i < run->move_count; i++) {
        const struct deadline_move *seen = &run->moves[i];

        if (seen->to_us < x->e.start_us ||
            (m->n && (seen->at_us < m->items[m->n - 1].at_us ||
                      llabs(m->items[m->n - 1].to_us - seen->to_us) <= SAME_DEADLINE_US)))
            continue;
        add_move(m, seen->at_us, seen->to_us, NULL, drafts_as_recorded(seen->source));
    }
}

static size_t add_from_events(struct moves *m, const struct draft *x)
{
    size_t n = 0;

    for (size_t k = 0; k < x->event_count; k++) {
        const struct event *e = x->events[k];

        if (e->type != EVENT_UPDATED || e->set_timeout_us == TS_NONE)
            continue;
        add_move(m, e->at_us, e->set_timeout_us, e, source_of_event(e));
        n++;
    }
    return n;
}

void drafts_fill_deadlines(struct drafts *d)
{
    for (size_t i = 0; i < d->n; i++) {
        struct draft *x = &d->items[i];
        const struct execution *run = drafts_recorded_run(d, &x->e);
        struct moves m = {.a = d->a};

        add_first_move(&m, d->ev, x);
        add_recorded_first(&m, x, run);
        if (add_from_events(&m, x) == 0)
            add_recorded(&m, x, run);
        if (i + 1 == d->n)
            add_current_move(&m, d->ev, x);
        x->e.moves = m.items;
        x->e.move_count = m.n;
        if (m.n)
            x->e.deadline_us = m.items[m.n - 1].to_us;
    }
}
