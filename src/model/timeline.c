/*
 * The whole life of a sandbox: executions put together, then totals and state.
 *
 * How executions are found and how they begin and end is in timeline_start.c, timeline_end.c and
 * timeline_deadline.c; what else is known of the sandbox in timeline_facts.c.
 */
#include "model/timeline.h"

#include <string.h>

#include "base/arena.h"
#include "model/timeline_draft.h"

#include "base/banned.h"

#define SAMPLE_STEP_US (5 * TS_SEC)

static int64_t not_negative(int64_t us)
{
    return us > 0 ? us : 0;
}

static void build_executions(struct drafts *d)
{
    drafts_from_events(d);
    if (d->n == 0)
        drafts_from_logs(d);
    drafts_add_current(d);
    drafts_add_recorded(d);
    drafts_fill_starts(d);
    drafts_fill_spans(d);
    drafts_fill_signs(d);
    drafts_fill_ends(d);
    drafts_fill_spans(d);
    drafts_fill_signs(d);
    drafts_fill_deadlines(d);
}

static void add_totals(const struct evidence *ev, struct timeline *t)
{
    t->start_us = TS_NONE;
    t->end_us = TS_NONE;
    t->last_sign_us = TS_NONE;
    for (size_t i = 0; i < t->exec_count; i++) {
        const struct execution *x = &t->execs[i];
        int64_t until_us = execution_known_until(x, ev->now_us);

        t->ran_us += not_negative(until_us - x->start_us);
        if (i + 1 < t->exec_count)
            t->paused_us += not_negative(t->execs[i + 1].start_us - until_us);
        if (x->last_sign_us > t->last_sign_us)
            t->last_sign_us = x->last_sign_us;
    }
    if (t->exec_count) {
        t->start_us = t->execs[0].start_us;
        t->end_us = t->execs[t->exec_count - 1].end_us;
    }
}

/* Without an answer of Get: what the last execution lets us say. */
static enum sandbox_state state_from_record(const struct evidence *ev,
                                            const struct execution *x)
{
    switch (x->end) {
    case EXEC_KILLED:
    case EXEC_STOPPED:
    case EXEC_GONE:
        return SANDBOX_ENDED;
    case EXEC_PAUSED:
        return SANDBOX_PAUSED;
    case EXEC_OPEN:
        break;
    }
    if (x->deadline_us != TS_NONE && ev->now_us - x->deadline_us > TIMELINE_EVENT_LATE_US)
        return SANDBOX_OTHER;
    return SANDBOX_RUNNING;
}

static void set_state(const struct evidence *ev, struct timeline *t)
{
    const struct execution *last = t->exec_count ? &t->execs[t->exec_count - 1] : NULL;
    bool was_killed = last && last->end == EXEC_KILLED && last->end_event;
    bool is_gone = ev->sandbox_src.state == SOURCE_NOT_THERE;

    t->state = SANDBOX_OTHER;
    t->state_text = "";
    if (ev->has_sandbox && !was_killed) {
        t->state = ev->sandbox.state;
        t->state_text = ev->sandbox.state_text;
    } else if (last && (is_gone || was_killed)) {
        t->state = SANDBOX_ENDED;
    } else if (last) {
        t->state = state_from_record(ev, last);
    }
    t->has_old_snapshot =
        was_killed && ev->has_sandbox && ev->sandbox.state == SANDBOX_PAUSED;
    t->is_deleted_while_paused = is_gone && last && last->end == EXEC_PAUSED;
}

/* How far apart the newest samples are: a sample is stamped with the start of its interval. */
static int64_t sample_step(const struct evidence *ev)
{
    int64_t step_us = INT64_MAX;

    for (size_t i = ev->metric_count; i > 1 && i + 5 > ev->metric_count; i--) {
        int64_t gap_us = ev->metrics[i - 1].at_us - ev->metrics[i - 2].at_us;

        if (gap_us > 0 && gap_us < step_us)
            step_us = gap_us;
    }
    return step_us == INT64_MAX || step_us < SAMPLE_STEP_US ? SAMPLE_STEP_US : step_us;
}

/* Is the newest health line of the last execution a failing one? */
static bool is_failing_health(const struct evidence *ev, int64_t from_us)
{
    for (size_t i = ev->log_count; i > 0 && ev->logs[i - 1].at_us >= from_us; i--) {
        const struct log_line *l = &ev->logs[i - 1];

        if (strcmp(l->message, "Sandbox healthcheck started failing") == 0)
            return log_line_is_platform(l);
        if (strcmp(l->message, "Sandbox healthcheck recovered") == 0)
            return false;
    }
    return false;
}

/*
 * Samples are the heartbeat: only where they were coming, or where the health check is failing, does
 * their absence tell anything. A quiet sandbox without stored samples is not called silent.
 */
static void set_silence(const struct evidence *ev, struct timeline *t)
{
    const struct execution *last = t->exec_count ? &t->execs[t->exec_count - 1] : NULL;
    int64_t heard_us;
    bool has_samples;

    if (!last || t->state != SANDBOX_RUNNING)
        return;
    has_samples = ev->metric_count && ev->metrics[ev->metric_count - 1].at_us >=
                                          last->start_us - SAMPLE_STEP_US;
    heard_us = last->last_sign_us;
    if (has_samples) {
        int64_t sampled_us = ev->metrics[ev->metric_count - 1].at_us + sample_step(ev);

        if (sampled_us > heard_us)
            heard_us = sampled_us;
    }
    t->is_silent = (has_samples || last->end == EXEC_STOPPED ||
                    is_failing_health(ev, last->start_us)) &&
                   ev->now_us - heard_us > TIMELINE_SILENT_US;
}

void timeline_build_with(struct arena *a, const struct evidence *ev,
                         const struct sandbox_record *record, struct timeline *out)
{
    struct drafts d = {.a = a, .ev = ev, .record = record};
    struct timeline t = {.exec_count = 0};
    struct execution *execs;

    build_executions(&d);
    execs = arena_array(a, d.n, sizeof(*execs));
    for (size_t i = 0; i < d.n; i++)
        execs[i] = d.items[i].e;
    t.execs = execs;
    t.exec_count = d.n;
    add_totals(ev, &t);
    set_state(ev, &t);
    set_silence(ev, &t);
    timeline_set_facts(ev, record, &t);
    *out = t;
}

void timeline_build(struct arena *a, const struct evidence *ev, struct timeline *out)
{
    timeline_build_with(a, ev, NULL, out);
}
