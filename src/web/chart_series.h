/* The three series of the charts: paths, limits, captions, numbers. Private to chart.c and its tests. */
#ifndef CASEBOOK_WEB_CHART_SERIES_H
#define CASEBOOK_WEB_CHART_SERIES_H

#include "web/chart.h"

struct chart_axis {
    int64_t from_us, to_us;
};

#define CHART_PERCENT_SIZE 24

/* Where a moment lies, 0..100. */
double chart_share(const struct chart_axis *ax, int64_t us);
/* The same as text with two decimals and a percent sign. */
char *chart_percent(const struct chart_axis *ax, int64_t us,
                    char buf[CHART_PERCENT_SIZE]);

/*
 * The time that is shown, from the life of the sandbox (from, to) and what was asked for, with some air; writes
 * the links that lead to the other ways to see it.
 */
struct chart_axis chart_axis_make(HDF *at, const struct chart_input *in, int64_t from,
                                  int64_t to);

/*
 * A band as the node `name`, or its row n: left edge, width, middle and end in percent, cut to the axis. False
 * when all of it lies outside; then nothing is written.
 */
bool chart_band(HDF *list, const char *name, int n, const struct chart_axis *ax,
                int64_t from, int64_t to, HDF **row);

/* .Execs, .Ends, .Moves: when it ran, when it was to end, and how that moved. */
void chart_ends_fill(HDF *charts, const struct chart_input *in,
                     const struct chart_axis *ax);
/* .Marks: the numbers of evidence with a time that is no sample. Before chart_series_fill. */
void chart_marks_fill(HDF *charts, const struct chart_input *in,
                      const struct chart_axis *ax);

/* The sample that "metric:UNIXSECONDS" points at, when it is on the axis; else NULL. */
const struct metric *chart_sample_of(const struct chart_input *in,
                                     const struct chart_axis *ax, const char *ref);
/*
 * Where the number of a sample stands, in pixels from it: beside it, further ones (`before` are there already)
 * around it and inside the plot. share: of the width, 0..100; y of the sample in a plot of that height.
 */
struct chart_mark {
    int number_x, number_y;
};
void chart_mark_place(double share, int y, int height, int before,
                      struct chart_mark *out);

/* The usual distance of samples: the most frequent one. 5 s when it cannot be told. Where fine samples were
   laid over coarse ones, each place has a step of its own (model/metric_merge.h). */
int64_t chart_step_us(const struct metric *m, size_t n);
/*
 * The parts of a time without samples in which it ran: pauses taken out, each over 15 s and more than two
 * steps long. Returns their number.
 */
#define CHART_MAX_GAPS 8
size_t chart_gaps(const struct timeline *tl, int64_t from_us, int64_t to_us,
                  int64_t step_us, struct chart_axis out[CHART_MAX_GAPS]);
/* Is there such a part? */
bool chart_is_gap(const struct timeline *tl, int64_t from_us, int64_t to_us,
                  int64_t step_us);

/* How much of the time between two samples it was paused. */
int64_t chart_paused_between(const struct timeline *tl, int64_t from_us, int64_t to_us);
/* Does the line stop before the sample i > 0: a gap, or a pause? A sample is stamped with the start of its
   bucket, so a pause shorter than that may lie between two neighbours. */
bool chart_is_broken(const struct chart_input *in, size_t i);

/* .IsMaxima, .Maxima, .Rows, .RowsCut, .FirstShown */
void chart_numbers_fill(HDF *charts, const struct chart_input *in,
                        const struct chart_axis *ax);
void chart_series_fill(HDF *charts, const struct chart_input *in,
                       const struct chart_axis *ax);

#endif
