/*
 * Scales, marks and texts of the charts. Nothing is joined over a gap, nothing missing is drawn as zero, and
 * values of wide buckets are said to be maxima (e2b.md 4).
 */
#include "web/chart.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include "model/metric_merge.h"
#include "web/chart_series.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define MAX_EVENTS 60
#define MAX_GAPS 40
#define NO_SAMPLE_YET_US (20 * TS_SEC)
#define SHORT_RUN_US (10 * TS_SEC) /* the first sample may well be missed */
#define PLOT_PIXELS 900            /* the width that distances in pixels are judged by */
#define LETTER_PIXELS 20
#define BOX_PIXELS 18.0 /* a letter's box with its air */
#define LABEL_PIXELS 90 /* "failed 14:02:58" */
#define TICK_PIXELS 90

char *chart_letter(size_t index, char buf[8])
{
    char *p = buf + 7;

    *p = '\0';
    do {
        *--p = (char)('A' + index % 26);
        index = index / 26;
    } while (index-- > 0 && p > buf);
    memmove(buf, p, strlen(p) + 1);
    return buf;
}

int64_t chart_kill_line(int64_t mem_total)
{
    int64_t reserve = mem_total / 8;

    if (reserve > ((int64_t)128 << 20))
        reserve = (int64_t)128 << 20;
    return mem_total - reserve;
}

/* The first and last moment that anything is known of. */
static bool life_of(const struct chart_input *in, int64_t *from, int64_t *to)
{
    const struct evidence *ev = in->ev;
    const struct timeline *tl = in->tl;

    *from = tl->start_us;
    if (ev->metric_count && (*from == TS_NONE || ev->metrics[0].at_us < *from - TS_MIN))
        *from = ev->metrics[0].at_us;
    *to = tl->end_us != TS_NONE ? tl->end_us : in->now_us;
    if (tl->state == SANDBOX_ENDED && tl->end_us == TS_NONE &&
        tl->last_sign_us != TS_NONE)
        *to = tl->last_sign_us;
    if (ev->metric_count && ev->metrics[ev->metric_count - 1].at_us > *to)
        *to = ev->metrics[ev->metric_count - 1].at_us;
    if (*from == TS_NONE)
        return false;
    if (*to <= *from)
        *to = *from + TS_SEC;
    return true;
}

static void put_x(HDF *at, const char *name, const struct chart_axis *ax, int64_t us)
{
    char buf[CHART_PERCENT_SIZE];

    hput_str(at, name, chart_percent(ax, us, buf));
}

bool chart_band(HDF *list, const char *name, int n, const struct chart_axis *ax,
                int64_t from, int64_t to, HDF **row)
{
    char x[CHART_PERCENT_SIZE];
    double left, right;

    if (to <= ax->from_us || from >= ax->to_us)
        return false;
    left = chart_share(ax, from < ax->from_us ? ax->from_us : from);
    right = chart_share(ax, to > ax->to_us ? ax->to_us : to);
    *row = n < 0 ? hput_node(list, name) : hput_row(list, name, n);
    snprintf(x, sizeof x, "%.2f", left);
    hput_str(*row, "X", x);
    snprintf(x, sizeof x, "%.2f", right - left);
    hput_str(*row, "W", x);
    snprintf(x, sizeof x, "%.2f", (left + right) / 2);
    hput_str(*row, "Mid", x);
    snprintf(x, sizeof x, "%.2f", right);
    hput_str(*row, "End", x);
    return true;
}

static void put_window(HDF *at, const struct chart_input *in, const struct chart_axis *ax)
{
    char from[HUMAN_SIZE], to[HUMAN_SIZE];
    HDF *row;

    if (in->win_from_us == TS_NONE ||
        !chart_band(at, "Window", -1, ax, in->win_from_us, in->win_to_us, &row))
        return;
    hput_fmt(row, "Text", "%scomplaint window %s \xE2\x80\x93 %s%s",
             in->win_from_us < ax->from_us ? "\xE2\x80\xB9 " : "",
             human_clock_min(in->win_from_us, from), human_clock_min(in->win_to_us, to),
             in->win_to_us > ax->to_us ? " \xE2\x80\xBA" : "");
    hput_bool(row, "FromIn", in->win_from_us >= ax->from_us);
    hput_bool(row, "ToIn", in->win_to_us <= ax->to_us);
}

static void put_pauses(HDF *at, const struct chart_input *in, const struct chart_axis *ax)
{
    const struct timeline *tl = in->tl;
    int n = 0;
    HDF *row;

    for (size_t i = 1; i < tl->exec_count; i++)
        if (tl->execs[i - 1].end_us != TS_NONE &&
            chart_band(at, "Pauses", n, ax, tl->execs[i - 1].end_us,
                       tl->execs[i].start_us, &row))
            n++;
}

/* So many events at one place that their boxes would not fit: only the ends keep theirs. */
#define CROWD 6

/* Boxes n of a group around the middle of their lines, so that none covers another. */
static void spread_boxes(HDF *const *rows, const double *px, size_t n)
{
    double middle = n ? (px[0] + px[n - 1]) / 2 : 0;
    size_t boxes = n > CROWD ? 2 : n, box = 0;

    for (size_t i = 0; i < n; i++) {
        if (n > CROWD && i > 0 && i + 1 < n) {
            hput_str(rows[i], "Letter", "");
            continue;
        }
        if (n > 1)
            hput_fmt(rows[i], "Dx", "%.0f",
                     middle - px[i] +
                         ((double)box - (double)(boxes - 1) / 2) * BOX_PIXELS);
        else
            hput_str(rows[i], "Dx", "0");
        box++;
    }
}

static void put_events(HDF *at, const struct chart_input *in, const struct chart_axis *ax)
{
    HDF *rows[MAX_EVENTS];
    double px[MAX_EVENTS];
    size_t n = 0, first = 0; /* of the group: closer than LETTER_PIXELS to the next */
    char letter[8];

    for (size_t i = 0; i < in->ev->event_count && n < MAX_EVENTS; i++) {
        int64_t us = in->ev->events[i].at_us;

        if (us < ax->from_us || us > ax->to_us)
            continue;
        px[n] = chart_share(ax, us) * PLOT_PIXELS / 100;
        rows[n] = hput_row(at, "Events", (int)n);
        hput_str(rows[n], "Letter", chart_letter(i, letter));
        put_x(rows[n], "X", ax, us);
        if (n > first && px[n] - px[n - 1] >= LETTER_PIXELS) {
            spread_boxes(rows + first, px + first, n - first);
            first = n;
        }
        n++;
    }
    spread_boxes(rows + first, px + first, n - first);
}

/* Would words to the right of this line run into the box of an event? */
static bool has_box_right_of(const struct chart_input *in, const struct chart_axis *ax,
                             int64_t us)
{
    double line = chart_share(ax, us) * PLOT_PIXELS / 100;

    for (size_t i = 0; i < in->ev->event_count; i++) {
        double px = chart_share(ax, in->ev->events[i].at_us) * PLOT_PIXELS / 100;

        if (px > line - BOX_PIXELS / 2 && px < line + LABEL_PIXELS)
            return true;
    }
    return false;
}

static void put_failed(HDF *at, const struct chart_input *in, const struct chart_axis *ax)
{
    char text[HUMAN_SIZE];
    double share;
    HDF *row;

    if (!in->finding || in->finding->failed_at_us == TS_NONE ||
        in->finding->failed_at_us < ax->from_us || in->finding->failed_at_us > ax->to_us)
        return;
    share = chart_share(ax, in->finding->failed_at_us);
    row = hput_node(at, "Failed");
    put_x(row, "X", ax, in->finding->failed_at_us);
    hput_fmt(row, "Text", "failed %s", human_clock(in->finding->failed_at_us, text));
    /* words on the left of the line */
    hput_bool(row, "IsRight",
              share > 15 &&
                  (share > 85 || has_box_right_of(in, ax, in->finding->failed_at_us)));
}

static void put_ticks(HDF *at, const struct chart_axis *ax)
{
    static const int64_t steps[] = {TS_SEC,       2 * TS_SEC,  5 * TS_SEC,  10 * TS_SEC,
                                    15 * TS_SEC,  30 * TS_SEC, TS_MIN,      2 * TS_MIN,
                                    5 * TS_MIN,   10 * TS_MIN, 15 * TS_MIN, 30 * TS_MIN,
                                    TS_HOUR,      2 * TS_HOUR, 3 * TS_HOUR, 6 * TS_HOUR,
                                    12 * TS_HOUR, TS_DAY,      2 * TS_DAY,  7 * TS_DAY};
    int64_t span = ax->to_us - ax->from_us, step = 0;
    char text[HUMAN_SIZE];
    int n = 0;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        step = steps[i];
        if (step * PLOT_PIXELS / span >= TICK_PIXELS)
            break;
    }
    for (int64_t us = (ax->from_us / step + 1) * step; us < ax->to_us && n < 60;
         us += step) {
        HDF *row = hput_row(at, "Ticks", n);
        double share = chart_share(ax, us);

        put_x(row, "X", ax, us);
        if (step >= TS_DAY)
            hput_str(row, "Text", human_date(us, us, text));
        else
            hput_str(row, "Text",
                     step < TS_MIN ? human_clock(us, text) : human_clock_min(us, text));
        hput_str(row, "Anchor", share < 3 ? "start" : share > 97 ? "end" : "middle");
        hput_bool(row, "Minor", n % 2 == 1);
        n++;
    }
}

static int put_gaps_in(HDF *at, const struct chart_input *in, const struct chart_axis *ax,
                       int n, const struct chart_axis *span, int64_t step)
{
    struct chart_axis gaps[CHART_MAX_GAPS];
    size_t count = chart_gaps(in->tl, span->from_us, span->to_us, step, gaps);
    char text[HUMAN_SIZE];
    HDF *row;

    for (size_t i = 0; i < count && n < MAX_GAPS; i++) {
        if (!chart_band(at, "Gaps", n, ax, gaps[i].from_us, gaps[i].to_us, &row))
            continue;
        hput_fmt(row, "Text", "no samples for %s",
                 human_duration(gaps[i].to_us - gaps[i].from_us, text));
        n++;
    }
    return n;
}

/* Before the first sample, between two, and after the last. */
static void put_gaps(HDF *at, const struct chart_input *in, const struct chart_axis *ax,
                     int64_t from, int64_t to)
{
    const struct metric *m = in->ev->metrics;
    size_t count = in->ev->metric_count;
    struct chart_axis span = {from, m[0].at_us};
    int n = put_gaps_in(at, in, ax, 0, &span,
                        count > 1 ? metrics_step_at_us(m, count, 1) : METRIC_STEP_US);

    for (size_t i = 1; i < count; i++) {
        span = (struct chart_axis){m[i - 1].at_us, m[i].at_us};
        n = put_gaps_in(at, in, ax, n, &span, metrics_step_at_us(m, count, i));
    }
    /* samples arrive late: of one that still runs, only what counts as silence is a gap */
    span = (struct chart_axis){m[count - 1].at_us, to};
    if (in->tl->state != SANDBOX_RUNNING || to - m[count - 1].at_us > TIMELINE_SILENT_US)
        put_gaps_in(at, in, ax, n, &span,
                    count > 1 ? metrics_step_at_us(m, count, count - 1) : METRIC_STEP_US);
}

/* Why there is no sample at all, in words. */
static void put_none(HDF *at, const struct chart_input *in)
{
    const struct timeline *tl = in->tl;
    char span[HUMAN_SIZE], keep[HUMAN_SIZE];
    int64_t ended = tl->end_us != TS_NONE ? tl->end_us : tl->last_sign_us;

    hput_str(at, "Kind", "none");
    human_duration(tl->ran_us, span);
    if (in->ev->metrics_src.state == SOURCE_FAILED)
        hput_str(at, "Text", "The samples could not be read from E2B.");
    else if (tl->state == SANDBOX_RUNNING && tl->ran_us < NO_SAMPLE_YET_US)
        hput_fmt(at, "Text", "No samples yet: the session started %s ago.", span);
    else if (tl->state != SANDBOX_RUNNING && ended != TS_NONE &&
             in->now_us - ended > 7 * TS_DAY)
        hput_fmt(
            at, "Text",
            "The samples are gone: E2B keeps them 7 days and this sandbox %s %s ago.",
            tl->state == SANDBOX_PAUSED ? "was paused" : "ended",
            human_duration(in->now_us - ended, keep));
    else if (tl->state != SANDBOX_RUNNING && tl->ran_us > 0 && tl->ran_us < SHORT_RUN_US)
        hput_fmt(at, "Text",
                 "No samples: the session lasted %s. E2B takes the first after 1 to 5 s.",
                 span);
    else if (in->ev->events_src.state == SOURCE_UNSUPPORTED ||
             in->ev->metrics_src.state == SOURCE_UNSUPPORTED)
        hput_str(at, "Text",
                 "This E2B stores no metrics, or holds none for this sandbox.");
    else if (tl->ran_us > 0)
        hput_fmt(at, "Text",
                 "E2B holds no samples for this sandbox, though it ran for %s.", span);
    else
        hput_str(at, "Text", "E2B holds no samples for this sandbox.");
}

static void put_few(HDF *at, const struct chart_input *in)
{
    char span[HUMAN_SIZE];
    size_t n = in->ev->metric_count;

    hput_str(at, "Kind", "few");
    hput_fmt(at, "Text", "%zu %s only: the session lasted %s%s", n,
             n == 1 ? "sample" : "samples", human_duration(in->tl->ran_us, span),
             in->tl->state == SANDBOX_RUNNING ? " so far" : "");
}

void chart_fill(HDF *root, const struct chart_input *in)
{
    HDF *at = hput_node(root, "Charts");
    struct chart_axis ax;
    int64_t from, to;
    char text[HUMAN_SIZE];

    if (!life_of(in, &from, &to)) {
        put_none(at, in);
        return;
    }
    ax = chart_axis_make(at, in, from, to);
    hput_time(at, "From", ax.from_us, human_clock(ax.from_us, text));
    hput_time(at, "To", ax.to_us, human_clock(ax.to_us, text));
    put_window(at, in, &ax);
    put_pauses(at, in, &ax);
    put_events(at, in, &ax);
    put_failed(at, in, &ax);
    chart_ends_fill(at, in, &ax);
    chart_marks_fill(at, in, &ax);
    put_ticks(at, &ax);
    hput_i64(at, "Samples", (int64_t)in->ev->metric_count);
    if (in->ev->metric_count == 0) {
        put_none(at, in);
        return;
    }
    hput_str(at, "Kind", "ok");
    if (in->ev->metric_count <= 3)
        put_few(at, in);
    put_gaps(at, in, &ax, from, to);
    chart_series_fill(at, in, &ax);
}
