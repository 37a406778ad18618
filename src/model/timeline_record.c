/*
 * Executions, ends and deadlines that only Casebook's own record knows: on a self-hosted E2B, which
 * has no events, and where E2B has forgotten. The record never outweighs an event, a line of E2B's hosts, or
 * an answer of Get.
 */
#include "model/timeline_draft.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define SAME_START_US                                                                    \
    (60 * TS_SEC) /* E2B's startedAt and the event of the start differ a little */

struct fact_source drafts_as_recorded(struct fact_source s)
{
    if (s.origin == ORIGIN_GET) /* the answer of then */
        s.origin = ORIGIN_RECORD;
    return s;
}

static bool has_start_near(const struct drafts *d, int64_t us)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->items[i].e.start_is_known &&
            llabs(d->items[i].e.start_us - us) <= SAME_START_US)
            return true;
    return false;
}

static void begin_as(struct draft *x, const struct execution *run)
{
    x->e.start_us = run->start_us;
    x->e.start_is_known = true;
    x->e.start_source = drafts_as_recorded(run->start_source);
}

/* The last of those whose beginning is lost and that can have begun then; NULL: none. */
static struct draft *begun_by(const struct drafts *d, int64_t us)
{
    for (size_t i = d->n; i > 0; i--) {
        struct draft *x = &d->items[i - 1];
        const struct draft *before = i > 1 ? x - 1 : NULL;

        if (x->e.start_is_known)
            continue;
        if (x->event_count && x->events[0]->at_us <= us)
            continue;
        if (!before || before->e.end_us == TS_NONE || before->e.end_us <= us)
            return x;
    }
    return NULL;
}

static void add_in_front(struct drafts *d, const struct execution *run)
{
    struct draft made = *drafts_new(d);

    memmove(d->items + 1, d->items, (d->n - 1) * sizeof(*d->items));
    begin_as(&made, run);
    d->items[0] = made;
    if (d->n > 1)
        d->items[1].e.is_first_on_record_resumed = false;
}

static void add_behind(struct drafts *d, const struct execution *run)
{
    struct draft *x = drafts_new(d);

    begin_as(x, run);
    x->e.is_resume = d->n > 1;
}

/* No execution begins before the last one has ended, or is at least past its latest sign. */
static bool is_behind(const struct draft *last, int64_t us)
{
    int64_t past_us = last->e.end_us;

    if (past_us != TS_NONE)
        return us > past_us;
    past_us =
        last->event_count ? last->events[last->event_count - 1]->at_us : last->e.start_us;
    return past_us == TS_NONE || us > past_us + SAME_START_US;
}

static void add_run(struct drafts *d, const struct execution *run)
{
    int64_t us = run->start_us;
    struct draft *x;

    if (!run->start_is_known || us > d->ev->now_us || has_start_near(d, us))
        return;
    x = begun_by(d, us);
    if (x)
        begin_as(x, run);
    else if (d->n == 0 || is_behind(&d->items[d->n - 1], us))
        add_behind(d, run);
    else if (d->items[0].e.start_is_known && us < d->items[0].e.start_us - SAME_START_US)
        add_in_front(d, run);
}

/* One that only lines or samples tell of began when Get says, not when the record's first run did. */
static void begin_current(struct drafts *d)
{
    const struct sandbox *s = &d->ev->sandbox;
    struct draft *last = d->n ? &d->items[d->n - 1] : NULL;

    if (!last || last->e.start_is_known || last->event_count || !d->ev->has_sandbox ||
        s->started_us == TS_NONE || s->started_us > d->ev->now_us)
        return;
    last->e.start_us = s->started_us;
    last->e.start_is_known = true;
    last->e.start_source = source_at(ORIGIN_GET, d->ev->now_us);
}

/* Newest first, so that one added in front stands before those added already. */
void drafts_add_recorded(struct drafts *d)
{
    if (!d->record || !d->record->run_count)
        return;
    begin_current(d);
    for (size_t i = 0; i < d->record->run_count; i++)
        if (d->n == 0 || is_behind(&d->items[d->n - 1], d->record->runs[i].start_us))
            add_run(d, &d->record->runs[i]);
    for (size_t i = d->record->run_count; i > 0; i--)
        add_run(d, &d->record->runs[i - 1]);
}

const struct execution *drafts_recorded_run(const struct drafts *d,
                                            const struct execution *x)
{
    for (size_t i = d->record ? d->record->run_count : 0; i > 0; i--) {
        const struct execution *run = &d->record->runs[i - 1];

        if (run->start_us != TS_NONE && x->start_us != TS_NONE &&
            llabs(run->start_us - x->start_us) <= SAME_START_US)
            return run;
    }
    return NULL;
}

/* Nothing was heard of it after that time. */
static bool may_end_at(const struct drafts *d, const struct execution *x, int64_t us)
{
    return us != TS_NONE && us >= x->start_us && us <= d->ev->now_us &&
           x->last_sign_us <= us + TIMELINE_AFTER_END_US;
}

void drafts_end_from_record(const struct drafts *d, struct execution *x, bool is_last)
{
    const struct execution *run = drafts_recorded_run(d, x);

    if (!run || run->end == EXEC_OPEN || (!is_last && run->end_us == TS_NONE))
        return;
    if (run->end == EXEC_GONE ? run->end_us != TS_NONE && !may_end_at(d, x, run->end_us)
                              : !may_end_at(d, x, run->end_us))
        return;
    x->end = run->end == EXEC_GONE && !is_last ? EXEC_PAUSED : run->end;
    x->end_us = run->end_us;
    x->end_source = drafts_as_recorded(run->end_source);
    x->kill_reason = run->kill_reason ? run->kill_reason : "";
}
