/*
 * Which metrics to ask E2B for, so that one round of requests gives the whole run and the fine picture of what
 * matters (e2b.md 4). Never one bound alone: that is a 400 for a run without samples. Pure.
 *
 * Where the times of the runs are known beforehand, everything is asked for with both bounds: the whole life
 * and, where that is too long for 5 s buckets, at most 55 minutes each before the end of the last run, of the
 * complaint window, and of the newest runs besides. Where they are not known, the whole is asked for without
 * bounds, so that the width of the buckets follows what is stored.
 */
#ifndef CASEBOOK_MODEL_METRIC_PLAN_H
#define CASEBOOK_MODEL_METRIC_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "model/timeline.h"

#define METRIC_PLAN_FINE_US (55 * TS_MIN)
#define METRIC_PLAN_MAX 6

struct metric_range {       /* whole seconds; both TS_NONE: without bounds */
    int64_t from_us, to_us; /* both ends belong to it */
};

struct metric_plan {
    struct metric_range whole;
    struct metric_range fine[METRIC_PLAN_MAX - 1]; /* in whole buckets of `whole` */
    size_t fine_count;
};

/*
 * tl: what is known before E2B is asked (from our record; no executions: nothing). win_*: the complaint
 * window, or TS_NONE.
 */
void metric_plan_make(const struct timeline *tl, int64_t win_from_us, int64_t win_to_us,
                      int64_t now_us, struct metric_plan *out);

/* Does a run that began then lie outside of the whole that was asked for? */
bool metric_plan_misses(const struct metric_plan *p, int64_t start_us);

#endif
