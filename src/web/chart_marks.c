/*
 * The numbers of the evidence, where it happened: beside its sample in a plot, or, when it is none, on the rail.
 * Numbers that would cover each other are laid out around their place.
 */
#include "web/chart_series.h"

#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include <string.h>

#include "base/banned.h"

#define MAX_MARKS 20
#define LEADER_PIXELS 21
#define ROUND_PIXELS 19 /* a number with its air */
#define PLOT_PIXELS 900
#define EDGE_PERCENT 12

const struct metric *chart_sample_of(const struct chart_input *in,
                                     const struct chart_axis *ax, const char *ref)
{
    int64_t seconds;

    if (!text_starts(ref, "metric:") ||
        parse_i64(ref + 7, 0, INT64_MAX / TS_SEC, &seconds))
        return NULL;
    for (size_t i = 0; i < in->ev->metric_count; i++) {
        const struct metric *m = &in->ev->metrics[i];

        if (m->at_us / TS_SEC == seconds && m->at_us >= ax->from_us &&
            m->at_us <= ax->to_us)
            return m;
    }
    return NULL;
}

void chart_mark_place(double share, int y, int height, int before, struct chart_mark *out)
{
    bool is_right = (share < EDGE_PERCENT) != (before % 2 == 1);
    int row = before / 2, up = y > height / 2 ? -1 : 1;

    out->number_x = is_right ? LEADER_PIXELS : -LEADER_PIXELS;
    out->number_y = up * row * ROUND_PIXELS;
    /* inside the plot, so that it does not cover what stands above or below */
    if (y + out->number_y < 9)
        out->number_y = 9 - y + row * ROUND_PIXELS;
    if (y + out->number_y > height - 9)
        out->number_y = height - 9 - y - row * ROUND_PIXELS;
}

/* Is it in a plot? Kinds are the names of these. */
static bool is_sample(const struct chart_input *in, const struct chart_axis *ax,
                      const struct evidence_item *e)
{
    return (strcmp(e->kind, "cpu") == 0 || strcmp(e->kind, "memory") == 0 ||
            strcmp(e->kind, "disk") == 0) &&
           chart_sample_of(in, ax, e->ref);
}

void chart_marks_fill(HDF *charts, const struct chart_input *in,
                      const struct chart_axis *ax)
{
    char buf[CHART_PERCENT_SIZE];
    double px[MAX_MARKS];
    int n = 0;

    for (size_t i = 0; in->finding && i < in->finding->evidence_count && n < MAX_MARKS;
         i++) {
        const struct evidence_item *e = &in->finding->evidence[i];
        double at;
        int before = 0;
        HDF *row;

        if (e->at_us == TS_NONE || e->at_us < ax->from_us || e->at_us > ax->to_us ||
            is_sample(in, ax, e))
            continue;
        at = chart_share(ax, e->at_us) * PLOT_PIXELS / 100;
        for (int k = 0; k < n; k++)
            before += px[k] > at - ROUND_PIXELS && px[k] < at + ROUND_PIXELS;
        px[n] = at;
        row = hput_row(charts, "Marks", n++);
        hput_str(row, "X", chart_percent(ax, e->at_us, buf));
        hput_i64(row, "Number", (int64_t)i + 1);
        /* to the right, but not over the edge */
        hput_i64(row, "Dx", (at > PLOT_PIXELS * 0.8 ? -1 : 1) * before * ROUND_PIXELS);
        if (in->places)
            in->places[i] = CHART_RAIL;
    }
}
