/*
 * The numbers behind the charts as a table, and which of them are maxima of several samples (e2b.md 4).
 */
#include "web/chart_series.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/ts.h"
#include "model/metric_merge.h"

#include "base/banned.h"

#define TABLE_ROWS 2100
#define MIB ((double)((int64_t)1 << 20))

static void put_gap_row(HDF *charts, int *n, const struct chart_input *in, size_t i)
{
    int64_t from = in->ev->metrics[i - 1].at_us, to = in->ev->metrics[i].at_us;
    int64_t step = metrics_step_at_us(in->ev->metrics, in->ev->metric_count, i);
    struct chart_axis gaps[CHART_MAX_GAPS];
    size_t count = chart_gaps(in->tl, from, to, step, gaps);
    int64_t paused_us = chart_paused_between(in->tl, from, to), gap_us = 0;
    char gap[HUMAN_SIZE], pause[HUMAN_SIZE];
    HDF *row;

    if (!chart_is_broken(in, i))
        return;
    for (size_t k = 0; k < count; k++)
        gap_us += gaps[k].to_us - gaps[k].from_us;
    human_duration(gap_us, gap);
    human_duration(paused_us, pause);
    row = hput_row(charts, "Rows", (*n)++);
    if (gap_us && paused_us)
        hput_fmt(row, "Words", "paused for %s, no samples for %s beside it", pause, gap);
    else if (paused_us)
        hput_fmt(row, "Words", "paused for %s", pause);
    else if (gap_us)
        hput_fmt(row, "Words", "no samples for %s", gap);
    else
        hput_str(row, "Words", "another run begins");
}

/* How much time a sample stands for. */
static int64_t width_of(const struct chart_input *in, size_t i)
{
    size_t n = in->ev->metric_count;

    return n < 2 ? METRIC_STEP_US
                 : metrics_step_at_us(in->ev->metrics, n, i + 1 < n ? i + 1 : i);
}

/* "highest of 5 min", where a sample is the maximum of a bucket. */
static void put_maximum(HDF *row, const struct chart_input *in, size_t i)
{
    int64_t step = width_of(in, i);
    char text[HUMAN_SIZE];

    if (step > METRIC_STEP_US)
        hput_fmt(row, "Of", "highest of %s", human_duration(step, text));
}

static void put_rows(HDF *charts, const struct chart_input *in)
{
    const struct metric *m = in->ev->metrics;
    size_t from =
        in->ev->metric_count > TABLE_ROWS ? in->ev->metric_count - TABLE_ROWS : 0;
    char text[HUMAN_SIZE];
    int n = 0;

    hput_bool(charts, "RowsCut", from > 0);
    for (size_t i = from; i < in->ev->metric_count; i++) {
        HDF *row;

        if (i > from)
            put_gap_row(charts, &n, in, i);
        row = hput_row(charts, "Rows", n++);
        hput_str(row, "Time", human_clock(m[i].at_us, text));
        put_maximum(row, in, i);
        hput_fmt(row, "Cpu", "%.0f", m[i].cpu_pct);
        hput_fmt(row, "Mem", "%.0f", (double)m[i].mem_used / MIB);
        hput_fmt(row, "Cache", "%.0f", (double)m[i].mem_cache / MIB);
        hput_fmt(row, "Disk", "%.1f", (double)m[i].disk_used / MIB / 1024);
    }
}

#define MAX_FINE_PARTS 4

/* The stretches in which every sample is shown, though others are coarse: "13:30 to 14:25", in words. */
static char *fine_parts(const struct chart_input *in)
{
    const struct metric *m = in->ev->metrics;
    char from[HUMAN_SIZE], to[HUMAN_SIZE];
    char *all = NULL;
    int parts = 0;

    for (size_t i = 0; i < in->ev->metric_count && parts < MAX_FINE_PARTS; i++) {
        size_t first = i;

        while (i < in->ev->metric_count && width_of(in, i) <= METRIC_STEP_US)
            i++;
        if (i - first < 2)
            continue;
        human_clock(m[first].at_us, from);
        human_clock(m[i - 1].at_us, to);
        all = parts++ ? arena_fmt(in->arena, "%s, from %s to %s", all, from, to)
                      : arena_fmt(in->arena, "from %s to %s", from, to);
    }
    return all;
}

/* A value that stands for more than one sample is a maximum, of each measure by itself, and said to be one. */
static void put_maxima(HDF *charts, const struct chart_input *in)
{
    int64_t widest = 0;
    char text[HUMAN_SIZE];
    const char *fine;

    for (size_t i = 0; i < in->ev->metric_count; i++)
        if (width_of(in, i) > widest)
            widest = width_of(in, i);
    hput_bool(charts, "IsMaxima", widest > METRIC_STEP_US);
    if (widest <= METRIC_STEP_US)
        return;
    human_duration(widest, text);
    fine = fine_parts(in);
    if (fine)
        hput_fmt(
            charts, "Maxima",
            "Every sample is shown %s. Elsewhere each value is the highest of %s: the "
            "life is too long for finer samples.",
            fine, text);
    else
        hput_fmt(
            charts, "Maxima",
            "Each value is the highest of %s: the run is too long for finer samples.",
            text);
}

/* A script finds the row of a point by counting. */
static void put_first_shown(HDF *charts, const struct chart_input *in,
                            const struct chart_axis *ax)
{
    size_t from =
        in->ev->metric_count > TABLE_ROWS ? in->ev->metric_count - TABLE_ROWS : 0;
    int64_t n = -(int64_t)from;

    for (size_t i = 0; i < in->ev->metric_count && in->ev->metrics[i].at_us < ax->from_us;
         i++)
        n++;
    hput_i64(charts, "FirstShown", n);
}

void chart_numbers_fill(HDF *charts, const struct chart_input *in,
                        const struct chart_axis *ax)
{
    put_first_shown(charts, in, ax);
    put_maxima(charts, in);
    put_rows(charts, in);
}
