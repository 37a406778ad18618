/*
 * The samples of one sandbox for its charts: which requests are sent, in the page's one round, and what their
 * answers make together (model/metric_plan.h, metric_merge.h).
 */
#ifndef CASEBOOK_WEB_PAGES_SAMPLES_H
#define CASEBOOK_WEB_PAGES_SAMPLES_H

#include "model/metric_plan.h"
#include "upstream/e2b.h"
#include "web/request.h"

#define SAMPLES_MAX_CALLS METRIC_PLAN_MAX

struct samples {
    struct metric_plan plan;
    struct e2b_metrics whole;
    struct e2b_metrics fine[METRIC_PLAN_MAX - 1];
    /* after samples_take: */
    const struct metric *metrics; /* oldest first */
    size_t count;
    struct source src; /* SOURCE_FAILED only when there is nothing to show */
    const struct source
        *part_failed;  /* one of the reads, though others gave samples; or NULL */
    bool whole_failed; /* that one is the whole life */
};

/* before: what is known of the runs (pages/record.h); the window may be TS_NONE. Returns the new n. */
size_t samples_calls(struct samples *s, struct req *rq, const char *sandbox_id,
                     const struct timeline *before, int64_t win_from_us,
                     int64_t win_to_us, struct http_call **calls, size_t n);
/*
 * After the round. started_us: the start that Get told, or TS_NONE: a run that the record did not know yet
 * is asked for once more, without bounds.
 */
void samples_take(struct samples *s, struct req *rq, const char *sandbox_id,
                  int64_t started_us);
void samples_release(struct samples *s);

#endif
