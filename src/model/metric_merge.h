/*
 * One series of samples from several answers (e2b.md 4): a coarse one of a whole run, whose points are each the
 * maximum of a bucket, and finer ones of parts of it. Pure.
 */
#ifndef CASEBOOK_MODEL_METRIC_MERGE_H
#define CASEBOOK_MODEL_METRIC_MERGE_H

#include "model/sandbox.h"

struct arena;

/* What E2B gives for a range under an hour: every sample. */
#define METRIC_STEP_US ((int64_t)5 * 1000000)

/* The width of the buckets that E2B uses for a range of this length. */
int64_t metric_width_us(int64_t range_us);

/* The least step between two neighbouring samples: the width of the finest buckets. 0: cannot be told. */
int64_t metrics_least_step_us(const struct metric *m, size_t n);

/*
 * The width of the bucket that the sample m[i - 1] stands for, 0 < i < n: told from the steps around it,
 * the wider where they differ, and never more than the way to m[i].
 */
int64_t metrics_step_at_us(const struct metric *m, size_t n, size_t i);

/*
 * The fine samples take the place of the coarse ones from from_us, where their answer begins, to the last of them. A
 * coarse bucket that began before stays: it is a maximum, and losing one would hide a peak. Asked for in
 * whole buckets (metric_plan.h) none reaches over either end. Both oldest first; *n becomes the new count, the
 * result lives in the arena. No effect without a fine sample.
 */
const struct metric *metrics_lay_over(struct arena *a, const struct metric *coarse,
                                      size_t *n, const struct metric *fine, size_t fine_n,
                                      int64_t from_us);

#endif
