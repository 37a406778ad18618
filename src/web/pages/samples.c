/*
 * Metrics asked for and put together.
 */
#include "web/pages/samples.h"

#include "base/arena.h"
#include "base/ts.h"
#include "model/metric_merge.h"
#include <string.h>

#include "base/banned.h"

size_t samples_calls(struct samples *s, struct req *rq, const char *sandbox_id,
                     const struct timeline *before, int64_t win_from_us,
                     int64_t win_to_us, struct http_call **calls, size_t n)
{
    struct e2b *e = &rq->app->e2b;

    memset(s, 0, sizeof *s);
    metric_plan_make(before, win_from_us, win_to_us, rq->now_us, &s->plan);
    e2b_metrics_init(&s->whole, e, rq->arena, sandbox_id, s->plan.whole.from_us,
                     s->plan.whole.to_us);
    calls[n++] = &s->whole.call;
    for (size_t i = 0; i < s->plan.fine_count; i++) {
        e2b_metrics_init(&s->fine[i], e, rq->arena, sandbox_id, s->plan.fine[i].from_us,
                         s->plan.fine[i].to_us);
        calls[n++] = &s->fine[i].call;
    }
    return n;
}

static void ask_again(struct samples *s, struct req *rq, const char *sandbox_id)
{
    struct http_call *calls[1];

    e2b_metrics_release(&s->whole);
    e2b_metrics_init(&s->whole, &rq->app->e2b, rq->arena, sandbox_id, TS_NONE, TS_NONE);
    calls[0] = &s->whole.call;
    http_run(rq->app->http, calls, 1, rq->deadline_us);
}

/* A 404 is no answer here: E2B tells of a sandbox that it does not know by an empty list (e2b.md 4). */
static bool is_read(const struct e2b_metrics *op)
{
    return op->src.state == SOURCE_OK;
}

void samples_take(struct samples *s, struct req *rq, const char *sandbox_id,
                  int64_t started_us)
{
    if (started_us != TS_NONE && metric_plan_misses(&s->plan, started_us))
        ask_again(s, rq, sandbox_id);
    s->src = s->whole.src;
    if (is_read(&s->whole)) {
        s->metrics = s->whole.metrics;
        s->count = s->whole.count;
    } else {
        s->src.state = SOURCE_FAILED;
        s->whole_failed = true;
        s->part_failed = &s->whole.src;
    }
    for (size_t i = 0; i < s->plan.fine_count; i++) {
        const struct e2b_metrics *fine = &s->fine[i];

        if (is_read(fine))
            s->metrics = metrics_lay_over(rq->arena, s->metrics, &s->count, fine->metrics,
                                          fine->count, fine->from_us);
        else if (!s->part_failed)
            s->part_failed = &fine->src;
    }
    if (s->whole_failed && s->count)
        s->src.state = SOURCE_OK;
    else if (s->whole_failed)
        s->part_failed = NULL;
}

void samples_release(struct samples *s)
{
    e2b_metrics_release(&s->whole);
    for (size_t i = 0; i < s->plan.fine_count; i++)
        e2b_metrics_release(&s->fine[i]);
}
