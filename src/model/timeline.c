/*
 * The whole life of a sandbox: executions put together, then totals, state and facts.
 *
 * How executions are found and how they begin and end is in timeline_start.c, timeline_end.c and
 * timeline_deadline.c.
 */
#include "model/timeline.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "model/timeline_draft.h"

#include "base/banned.h"

#define SAMPLE_STEP_US (5 * TS_SEC)
#define MIB ((int64_t)1024 * 1024)

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

/* Newest first, so that a value of the last execution wins. */
static void add_facts_from_events(const struct evidence *ev, struct timeline *t)
{
    for (size_t i = ev->event_count; i > 0; i--) {
        const struct event *e = &ev->events[i - 1];

        if (!t->cpu_count)
            t->cpu_count = e->exec_cpu_count;
        if (!t->memory_mib)
            t->memory_mib = e->exec_memory_mib;
        if (text_is_empty(t->template_id))
            t->template_id = e->template_id;
        if (!t->tag_count && !ev->has_sandbox) {
            t->tags = e->tags;
            t->tag_count = e->tag_count;
        }
    }
}

static void add_facts_from_samples(const struct evidence *ev, struct timeline *t)
{
    for (size_t i = ev->metric_count; i > 0; i--) {
        const struct metric *m = &ev->metrics[i - 1];

        if (!t->cpu_count)
            t->cpu_count = m->cpu_count;
        if (!t->memory_mib)
            t->memory_mib = m->mem_total / MIB;
        if (!t->disk_mib)
            t->disk_mib = m->disk_total / MIB;
        if (t->cpu_count && t->memory_mib && t->disk_mib)
            return;
    }
}

static void add_template_from_logs(const struct evidence *ev, struct timeline *t)
{
    for (size_t i = 0; i < ev->log_count && text_is_empty(t->template_id); i++) {
        const struct log_line *l = &ev->logs[i];

        t->template_id = tag_get(l->fields, l->field_count, "templateID",
                                 tag_get(l->fields, l->field_count, "envID", ""));
    }
}

static void set_facts(const struct evidence *ev, struct timeline *t)
{
    t->template_id = t->template_alias = t->on_timeout = "";
    t->is_rebuilt = !ev->has_sandbox;
    if (ev->has_sandbox) {
        t->cpu_count = ev->sandbox.cpu_count;
        t->memory_mib = ev->sandbox.memory_mib;
        t->disk_mib = ev->sandbox.disk_mib;
        t->template_id = ev->sandbox.template_id;
        t->template_alias = ev->sandbox.template_alias;
        t->on_timeout = ev->sandbox.on_timeout;
        t->tags = ev->sandbox.tags;
        t->tag_count = ev->sandbox.tag_count;
    }
    add_facts_from_events(ev, t);
    add_facts_from_samples(ev, t);
    add_template_from_logs(ev, t);
}

void timeline_build(struct arena *a, const struct evidence *ev, struct timeline *out)
{
    struct drafts d = {.a = a, .ev = ev};
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
    set_facts(ev, &t);
    *out = t;
}
