/*
 * Patterns: the same failure (signature) in the findings of a span of days, across customers and templates, and
 * the findings of each day by class. Read from one index (by_created); undetermined findings have no pattern.
 */
#ifndef CASEBOOK_STORE_ST_PATTERN_H
#define CASEBOOK_STORE_ST_PATTERN_H

#include "store/st_finding.h"

#define PATTERN_MAX 50

struct pattern {
    int64_t findings, sandboxes; /* in the span; one sandbox may have several findings */
    int64_t customers;           /* organisations; findings without one are not counted */
    int64_t templates;
    int64_t first_us; /* the first of all on record, also before the span */
    int64_t last_us;
    struct inv_row newest;
    const char *issue_uuid; /* of the issue that was decided on; "" after a correction */
};
struct patterns {
    struct pattern *items;
    size_t count;
    bool has_more;
};
struct pattern_filter {
    int64_t since_us;                    /* findings that were started from then on */
    int64_t min_findings, min_customers; /* in the span */
    int limit;                           /* 1..PATTERN_MAX */
};

/* Most findings first; ties: the newest first. */
int pattern_list(struct db *db, struct arena *a, const struct pattern_filter *f,
                 struct patterns *out, struct err *err);

/* Findings by day (UTC) and class: out[cls * days + d], d 0 for the day of first_day_us, which begins a day. What
   lies after the last of the days is not counted. */
int pattern_days(struct db *db, int64_t first_day_us, size_t days, int64_t *out,
                 struct err *err);

#endif
