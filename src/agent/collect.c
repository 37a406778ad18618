/*
 * Collecting: one batch with four operations (get, events, metrics, logs). Metrics are asked without
 * bounds, for the run's times are not known yet (e2b.md 4); where that made the buckets wider than
 * 5 s, the last 55 minutes are read again in a second batch for the fine picture of the end.
 */
#include "agent/collect.h"

#include "base/arena.h"
#include "base/ts.h"
#include "store/st_ledger.h"
#include "sys/clock.h"
#include <string.h>

#include "base/banned.h"

#define COLLECT_DEADLINE_US (90 * TS_SEC)
#define FINE_WINDOW_US (55 * TS_MIN)
#define FINE_STEP_US (6 * TS_SEC)

struct reads {
    struct e2b_get get;
    struct e2b_events events;
    struct e2b_metrics metrics;
    struct e2b_logs logs;
};

static void read_all(struct agent *ag, struct arena *a, const char *id, int64_t now_us,
                     struct reads *r)
{
    struct http_call *calls[4];

    e2b_get_init(&r->get, &ag->e2b, a, id);
    e2b_events_init(&r->events, &ag->e2b, a, id);
    e2b_metrics_init(&r->metrics, &ag->e2b, a, id, TS_NONE, TS_NONE);
    e2b_logs_init(&r->logs, &ag->e2b, a, id, "", EVIDENCE_MAX_LOGS, now_us);
    r->logs.want_results = true;
    calls[0] = &r->get.call;
    calls[1] = &r->events.call;
    calls[2] = &r->metrics.call;
    calls[3] = &r->logs.call;
    http_run(ag->http, calls, 4, clock_mono_us() + COLLECT_DEADLINE_US);
}

static void release_all(struct reads *r)
{
    e2b_get_release(&r->get);
    e2b_events_release(&r->events);
    e2b_metrics_release(&r->metrics);
    e2b_logs_release(&r->logs);
}

/* The widest step between two neighbouring samples tells the bucket width only when most agree. */
static int64_t typical_step_us(const struct metric *m, size_t n)
{
    int64_t least = INT64_MAX;

    for (size_t i = 1; i < n; i++)
        if (m[i].at_us > m[i - 1].at_us && m[i].at_us - m[i - 1].at_us < least)
            least = m[i].at_us - m[i - 1].at_us;
    return least == INT64_MAX ? 0 : least;
}

/*
 * Coarse samples before the window, fine ones inside it. A coarse bucket that straddles the border is
 * kept: it is a maximum, and losing one would hide a peak.
 */
static void refine_metrics(struct agent *ag, struct arena *a, const char *id,
                           struct evidence *ev)
{
    struct e2b_metrics fine;
    struct http_call *calls[1];
    struct metric *all;
    size_t n = 0;
    int64_t last_us, from_us;

    if (ev->metric_count < 2 ||
        typical_step_us(ev->metrics, ev->metric_count) < FINE_STEP_US)
        return;
    last_us = ev->metrics[ev->metric_count - 1].at_us;
    from_us = last_us - FINE_WINDOW_US;
    e2b_metrics_init(&fine, &ag->e2b, a, id, from_us, last_us + 2 * TS_MIN);
    calls[0] = &fine.call;
    http_run(ag->http, calls, 1, clock_mono_us() + COLLECT_DEADLINE_US / 3);
    if (fine.src.state == SOURCE_OK && fine.count > 0) {
        all = arena_array(a, ev->metric_count + fine.count, sizeof *all);
        for (size_t i = 0; i < ev->metric_count; i++)
            if (ev->metrics[i].at_us < fine.metrics[0].at_us)
                all[n++] = ev->metrics[i];
        memcpy(all + n, fine.metrics, fine.count * sizeof *all);
        ev->metrics = all;
        ev->metric_count = n + fine.count;
    }
    e2b_metrics_release(&fine);
}

/* What E2B no longer tells, our own record may. A failing record costs only what it would have added. */
static void add_kept_events(struct agent *ag, struct arena *a, const char *id,
                            struct evidence *ev)
{
    struct event *kept = NULL, *all;
    size_t n = 0;
    struct err ignored = ERR_INIT;

    if (ledger_events(ag->db, a, id, &kept, &n, &ignored) || n == 0)
        return;
    all = arena_array(a, n + ev->event_count, sizeof *all);
    if (ev->event_count)
        memcpy(all, ev->events, ev->event_count * sizeof *all);
    memcpy(all + ev->event_count, kept, n * sizeof *all);
    ev->event_count = events_sort_unique(all, n + ev->event_count);
    ev->events = all;
}

static bool may_heal(const struct source *s)
{
    return s->state == SOURCE_FAILED && s->err.kind != ERR_AUTH &&
           s->err.kind != ERR_DENIED && s->err.kind != ERR_INPUT;
}

int collect_evidence(struct agent *ag, struct arena *a, const char *sandbox_id,
                     struct evidence *out, bool *worth_retry, struct err *err)
{
    struct reads r;
    bool all_failed;

    memset(out, 0, sizeof *out);
    out->now_us = clock_now_us();
    out->sandbox_id = arena_str(a, sandbox_id);
    read_all(ag, a, sandbox_id, out->now_us, &r);
    out->sandbox_src = r.get.src;
    out->events_src = r.events.src;
    out->metrics_src = r.metrics.src;
    out->logs_src = r.logs.src;
    out->has_sandbox = r.get.src.state == SOURCE_OK;
    if (out->has_sandbox)
        out->sandbox = r.get.sandbox;
    out->events = r.events.events;
    out->event_count = r.events.count;
    out->metrics = r.metrics.metrics;
    out->metric_count = r.metrics.count;
    out->logs = r.logs.lines;
    out->log_count = r.logs.count;
    release_all(&r);

    *worth_retry = may_heal(&out->sandbox_src) || may_heal(&out->events_src) ||
                   may_heal(&out->metrics_src) || may_heal(&out->logs_src);
    all_failed = out->sandbox_src.state == SOURCE_FAILED &&
                 out->metrics_src.state == SOURCE_FAILED &&
                 out->logs_src.state == SOURCE_FAILED;
    if (all_failed) {
        *err = out->sandbox_src.err;
        return -1;
    }
    refine_metrics(ag, a, sandbox_id, out);
    add_kept_events(ag, a, sandbox_id, out);
    return 0;
}
