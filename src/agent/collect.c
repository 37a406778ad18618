/*
 * Collecting: one batch with four operations (get, events, metrics, logs). Metrics are asked without
 * bounds, for the run's times are not known yet (e2b.md 4); where that made the buckets wider than
 * 5 s, the last 55 minutes are read again in a second batch for the fine picture of the end.
 */
#include "agent/collect.h"

#include "agent/long_log.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "model/metric_merge.h"
#include "store/st_ledger.h"
#include "sys/clock.h"
#include <string.h>

#include "base/banned.h"

#define FINE_WINDOW_US (55 * TS_MIN)
#define FINE_AFTER_US (2 * TS_MIN)
#define FINE_STEP_US (6 * TS_SEC)

struct reads {
    struct e2b_get get;
    struct e2b_events events;
    struct e2b_metrics metrics;
    struct e2b_logs logs;
};

/* Reading ends before the lease does, so that a slow E2B does not make two workers of one. */
static int64_t deadline_of(const struct agent *ag)
{
    return clock_mono_us() + ag->conf->agent.lease_s * TS_SEC / 10 * 9;
}

static void read_all(struct agent *ag, struct arena *a, const char *id, int64_t now_us,
                     int64_t deadline_us, struct reads *r)
{
    struct http_call *calls[4];

    e2b_get_init(&r->get, &ag->e2b, a, id);
    e2b_events_init(&r->events, &ag->e2b, a, id);
    e2b_metrics_init(&r->metrics, &ag->e2b, a, id, TS_NONE, TS_NONE);
    e2b_logs_init(&r->logs, &ag->e2b, a, id, "", LONG_LOG_PIECE, now_us);
    r->logs.want_results = r->logs.results_late = true;
    calls[0] = &r->get.call;
    calls[1] = &r->events.call;
    calls[2] = &r->metrics.call;
    calls[3] = &r->logs.call;
    http_run(ag->http, calls, 4, deadline_us);
}

static void release_all(struct reads *r)
{
    e2b_get_release(&r->get);
    e2b_events_release(&r->events);
    e2b_metrics_release(&r->metrics);
    e2b_logs_release(&r->logs);
}

/* When the last process ended, as far as the log tells; TS_NONE. */
static int64_t last_process_end_us(const struct evidence *ev)
{
    for (size_t i = ev->log_count; i-- > 0;)
        if (text_starts(
                tag_get(ev->logs[i].fields, ev->logs[i].field_count, "event_type", ""),
                "process_end"))
            return ev->logs[i].at_us;
    return TS_NONE;
}

/* Where a run is too long for 5 s buckets, its last 55 minutes and those before the last process ended are
   read again, at once. Failing reads leave the coarse picture. */
static void refine_metrics(struct agent *ag, struct arena *a, const char *id,
                           int64_t deadline_us, struct evidence *ev)
{
    int64_t ends[2] = {0, last_process_end_us(ev)};
    struct e2b_metrics fine[2];
    struct http_call *calls[2];
    size_t n = 0;

    if (ev->metric_count < 2 ||
        metrics_least_step_us(ev->metrics, ev->metric_count) < FINE_STEP_US)
        return;
    ends[0] = ev->metrics[ev->metric_count - 1].at_us;
    for (size_t i = 0; i < 2; i++) {
        if (ends[i] == TS_NONE || (i == 1 && ends[1] > ends[0] - FINE_WINDOW_US))
            continue;
        e2b_metrics_init(&fine[n], &ag->e2b, a, id, ends[i] - FINE_WINDOW_US,
                         ends[i] + FINE_AFTER_US);
        calls[n] = &fine[n].call;
        n++;
    }
    http_run(ag->http, calls, n, deadline_us);
    for (size_t i = 0; i < n; i++) {
        if (fine[i].src.state == SOURCE_OK)
            ev->metrics =
                metrics_lay_over(a, ev->metrics, &ev->metric_count, fine[i].metrics,
                                 fine[i].count, fine[i].from_us);
        e2b_metrics_release(&fine[i]);
    }
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
    int64_t deadline_us = deadline_of(ag);
    bool all_failed;

    memset(out, 0, sizeof *out);
    out->now_us = clock_now_us();
    out->sandbox_id = arena_str(a, sandbox_id);
    read_all(ag, a, sandbox_id, out->now_us, deadline_us, &r);
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
    long_log_read(ag, a, &r.logs, deadline_us, out);
    release_all(&r);

    *worth_retry = may_heal(&out->sandbox_src) || may_heal(&out->events_src) ||
                   may_heal(&out->metrics_src) || may_heal(&out->logs_src);
    all_failed = out->sandbox_src.state == SOURCE_FAILED &&
                 out->metrics_src.state == SOURCE_FAILED &&
                 out->logs_src.state == SOURCE_FAILED;
    if (all_failed) {
        *err = out->sandbox_src.err;
        return err_ctx(err, "E2B could not be read");
    }
    refine_metrics(ag, a, sandbox_id, deadline_us, out);
    add_kept_events(ag, a, sandbox_id, out);
    return 0;
}
