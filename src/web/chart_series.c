/*
 * One table describes the three charts; one set of functions makes each of them.
 */
#include "web/chart_series.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/sbuf.h"
#include "base/ts.h"
#include "model/metric_merge.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define UNITS 10000
#define GAP_US (15 * TS_SEC)
#define COLUMNS 120   /* as wide as .c-cols says in the stylesheet */
#define HEADROOM 1.13 /* above a limit, for its label */
#define PATH_MAX_BYTES ((size_t)256 << 10)
#define MAX_MARKS 20
#define MARK_PIXELS 19 /* numbers closer than that would cover each other */
#define PLOT_PIXELS 900
#define MIB_UP_TO (8192.0 * 1048576) /* larger memories are told in GiB */
#define MAX_MIB ((int64_t)1 << 40)
#define MIB ((double)((int64_t)1 << 20))

enum plot_id { PLOT_CPU, PLOT_MEMORY, PLOT_DISK, PLOT_COUNT };

struct plot {
    enum plot_id id;
    const char *name, *title;
    int height;
    double limit; /* drawn as a ceiling; 0: none */
    double kill;  /* memory: the kill line; 0: none */
    double top;   /* value at the upper edge */
};

double chart_share(const struct chart_axis *ax, int64_t us)
{
    return (double)(us - ax->from_us) * 100.0 / (double)(ax->to_us - ax->from_us);
}

char *chart_percent(const struct chart_axis *ax, int64_t us, char buf[CHART_PERCENT_SIZE])
{
    snprintf(buf, CHART_PERCENT_SIZE, "%.2f%%", chart_share(ax, us));
    return buf;
}

int64_t chart_step_us(const struct metric *m, size_t n)
{
    static const int64_t widths[] = {5, 30, 60, 120, 300, 900}; /* seconds, e2b.md 4 */
    size_t best = 0, hits[sizeof widths / sizeof widths[0]] = {0};

    for (size_t i = 1; i < n; i++)
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
            if (m[i].at_us - m[i - 1].at_us <= widths[w] * TS_SEC * 3 / 2) {
                hits[w]++;
                break;
            }
    for (size_t w = 1; w < sizeof widths / sizeof widths[0]; w++)
        if (hits[w] > hits[best])
            best = w;
    return widths[best] * TS_SEC;
}

static bool is_long(int64_t us, int64_t step_us)
{
    return us > GAP_US && us > 2 * step_us;
}

size_t chart_gaps(const struct timeline *tl, int64_t from_us, int64_t to_us,
                  int64_t step_us, struct chart_axis out[CHART_MAX_GAPS])
{
    size_t n = 0;

    for (size_t i = 1; i < tl->exec_count && n < CHART_MAX_GAPS - 1; i++) {
        int64_t a = tl->execs[i - 1].end_us, b = tl->execs[i].start_us;

        if (a == TS_NONE || b <= from_us || a >= to_us)
            continue;
        if (is_long(a - from_us, step_us))
            out[n++] = (struct chart_axis){from_us, a};
        from_us = b;
    }
    if (is_long(to_us - from_us, step_us))
        out[n++] = (struct chart_axis){from_us, to_us};
    return n;
}

bool chart_is_gap(const struct timeline *tl, int64_t from_us, int64_t to_us,
                  int64_t step_us)
{
    struct chart_axis gaps[CHART_MAX_GAPS];

    return chart_gaps(tl, from_us, to_us, step_us, gaps) > 0;
}

int64_t chart_paused_between(const struct timeline *tl, int64_t from_us, int64_t to_us)
{
    int64_t paused_us = 0;

    for (size_t i = 1; i < tl->exec_count; i++) {
        int64_t a = tl->execs[i - 1].end_us, b = tl->execs[i].start_us;

        if (a == TS_NONE || b <= from_us || a >= to_us)
            continue;
        paused_us += (b < to_us ? b : to_us) - (a > from_us ? a : from_us);
    }
    return paused_us;
}

static double value_of(const struct metric *m, enum plot_id id)
{
    switch (id) {
    case PLOT_CPU:
        return m->cpu_pct;
    case PLOT_MEMORY:
        return (double)m->mem_used;
    default:
        return (double)m->disk_used;
    }
}

bool chart_is_broken(const struct chart_input *in, size_t i)
{
    const struct metric *m = in->ev->metrics;
    int64_t from = m[i - 1].at_us, to = m[i].at_us;
    int64_t step = metrics_step_at_us(m, in->ev->metric_count, i);

    if (chart_is_gap(in->tl, from, to, step) ||
        (to - from > step && chart_paused_between(in->tl, from, to) > 0))
        return true;
    for (size_t k = 1; k < in->tl->exec_count; k++)
        if (in->tl->execs[k].start_us > from && in->tl->execs[k].start_us <= to)
            return true;
    return false;
}

static int unit_x(const struct chart_axis *ax, int64_t us)
{
    return (int)(chart_share(ax, us) * UNITS / 100);
}

static int unit_y(const struct plot *p, double value)
{
    double y = p->height - value / p->top * p->height;

    return (int)(y < 0 ? 0 : y + 0.5);
}

/* The line, and the area below it closed at the base for each unbroken part. */
static void put_paths(HDF *at, const struct chart_input *in, const struct chart_axis *ax,
                      const struct plot *p)
{
    const struct metric *m = in->ev->metrics;
    struct sbuf line, area;
    int first_x = 0;
    bool is_open = false;

    sbuf_init(&line, PATH_MAX_BYTES);
    sbuf_init(&area, PATH_MAX_BYTES);
    for (size_t i = 0; i < in->ev->metric_count; i++) {
        int x, y;

        if (m[i].at_us < ax->from_us || m[i].at_us > ax->to_us)
            continue;
        x = unit_x(ax, m[i].at_us);
        y = unit_y(p, value_of(&m[i], p->id));
        if (is_open && chart_is_broken(in, i)) {
            sbuf_addf(&area, "V%dH%dZ", p->height, first_x);
            is_open = false;
        }
        sbuf_addf(&line, "%c%d %d", is_open ? 'L' : 'M', x, y);
        sbuf_addf(&area, "%c%d %d", is_open ? 'L' : 'M', x, y);
        if (!is_open)
            first_x = x;
        is_open = true;
    }
    if (is_open)
        sbuf_addf(&area, "V%dH%dZ", p->height, first_x);
    hput_str(at, "Line", line.s);
    hput_str(at, "Area", area.s);
    sbuf_release(&line);
    sbuf_release(&area);
}

static char *amount(const struct plot *p, double value, char buf[HUMAN_SIZE])
{
    char count[HUMAN_SIZE];

    if (p->id == PLOT_CPU)
        snprintf(buf, HUMAN_SIZE, "%.0f %%", value);
    else if (p->id == PLOT_MEMORY && p->limit < MIB_UP_TO)
        snprintf(buf, HUMAN_SIZE, "%.40s MiB",
                 human_count((int64_t)(value / MIB + 0.5), count));
    else
        human_bytes((int64_t)value, buf);
    return buf;
}

static void put_scale(HDF *at, const struct plot *p, double value, int n)
{
    char text[HUMAN_SIZE];
    HDF *row = hput_row(at, "Y", n);

    hput_i64(row, "Y", unit_y(p, value));
    if (value <= 0)
        hput_str(row, "Text", p->id == PLOT_CPU ? "0 %" : "0");
    else
        hput_str(row, "Text", amount(p, value, text));
}

static void put_limits(HDF *at, const struct plot *p)
{
    char text[HUMAN_SIZE];
    HDF *row;

    if (p->limit > 0 && p->id != PLOT_CPU) {
        row = hput_node(at, "Limit");
        hput_i64(row, "Y", unit_y(p, p->limit));
        hput_fmt(row, "Text", "%s %s", p->id == PLOT_MEMORY ? "limit" : "disk size",
                 amount(p, p->limit, text));
    }
    if (p->kill > 0) {
        row = hput_node(at, "Kill");
        hput_i64(row, "Y", unit_y(p, p->kill));
        hput_fmt(row, "Text", "processes are killed from about %s",
                 amount(p, p->kill, text));
    }
    put_scale(at, p, 0, 0);
    put_scale(at, p,
              p->id == PLOT_CPU ? 50
              : p->limit > 0    ? p->limit / 2
                                : p->top / 2,
              1);
    put_scale(at, p, p->id == PLOT_CPU ? 100 : p->limit > 0 ? p->limit : p->top, 2);
}

static void put_note(HDF *at, const struct plot *p, const struct metric *peak)
{
    char text[HUMAN_SIZE];

    switch (p->id) {
    case PLOT_CPU:
        if (peak->cpu_count > 0)
            hput_fmt(at, "PeakNote", "peak, of %" PRId64 " vCPU together",
                     peak->cpu_count);
        else
            hput_str(at, "PeakNote", "peak");
        break;
    case PLOT_MEMORY:
        if (p->kill > 0)
            hput_fmt(at, "PeakNote", "peak, %.0f %% of the kill line",
                     (double)peak->mem_used * 100 / p->kill);
        else
            hput_str(at, "PeakNote", "peak");
        break;
    default:
        if (p->limit > 0)
            hput_fmt(at, "PeakNote", "peak, of %s", amount(p, p->limit, text));
        else
            hput_str(at, "PeakNote", "peak");
    }
}

struct extremes { /* of the samples on the axis; count > 0 */
    const struct metric *first, *last, *peak;
    double least;
    size_t count;
};

static struct extremes extremes_of(const struct chart_input *in,
                                   const struct chart_axis *ax, enum plot_id id)
{
    struct extremes x = {.count = 0};

    for (size_t i = 0; i < in->ev->metric_count; i++) {
        const struct metric *m = &in->ev->metrics[i];
        double v = value_of(m, id);

        if (m->at_us < ax->from_us || m->at_us > ax->to_us)
            continue;
        if (!x.count || v > value_of(x.peak, id))
            x.peak = m;
        if (!x.count || v < x.least)
            x.least = v;
        if (!x.count)
            x.first = m;
        x.last = m;
        x.count++;
    }
    return x;
}

/* One sentence made from first, highest and last sample. */
static void put_sentence(HDF *at, const struct plot *p, const struct extremes *x)
{
    char a[HUMAN_SIZE], b[HUMAN_SIZE], c[HUMAN_SIZE], least[HUMAN_SIZE], t[HUMAN_SIZE],
        u[HUMAN_SIZE];

    amount(p, value_of(x->first, p->id), a);
    amount(p, value_of(x->peak, p->id), b);
    amount(p, value_of(x->last, p->id), c);
    amount(p, x->least, least);
    human_clock(x->peak->at_us, t);
    human_clock(x->last->at_us, u);
    if (x->count == 1)
        hput_fmt(at, "Sentence", "One sample, at %s: %s.", t, b);
    else if (strcmp(least, b) == 0)
        hput_fmt(at, "Sentence", "Stayed at %s.", b);
    else if (x->peak == x->last)
        hput_fmt(at, "Sentence",
                 "Went from %s to %s, its highest, at %s, the last sample.", a, b, t);
    else if (x->peak == x->first)
        hput_fmt(at, "Sentence", "Began at %s, its highest, and at %s was at %s.", b, u,
                 c);
    else
        hput_fmt(at, "Sentence",
                 "Began at %s, was highest at %s with %s, and at %s was at %s.", a, t, b,
                 u, c);
}

static void put_columns(HDF *at, const struct chart_input *in,
                        const struct chart_axis *ax, const struct plot *p)
{
    const struct metric *best[COLUMNS] = {NULL};
    char text[HUMAN_SIZE], clock[HUMAN_SIZE];
    int n = 0;

    for (size_t i = 0; i < in->ev->metric_count; i++) {
        const struct metric *m = &in->ev->metrics[i];
        int col;

        if (m->at_us < ax->from_us || m->at_us >= ax->to_us)
            continue;
        col = (int)(chart_share(ax, m->at_us) * COLUMNS / 100);
        if (!best[col] || value_of(m, p->id) > value_of(best[col], p->id))
            best[col] = m;
    }
    for (int col = 0; col < COLUMNS; col++) {
        HDF *row;

        if (!best[col])
            continue;
        row = hput_row(at, "Cols", n++);
        hput_fmt(row, "X", "%.4g", (double)col * 100 / COLUMNS);
        hput_fmt(row, "Title", "%s UTC, %s", human_clock(best[col]->at_us, clock),
                 amount(p, value_of(best[col], p->id), text));
    }
}

static void put_dots(HDF *at, const struct chart_input *in, const struct chart_axis *ax,
                     const struct plot *p)
{
    char x[CHART_PERCENT_SIZE];

    if (in->ev->metric_count > 3)
        return;
    for (size_t i = 0; i < in->ev->metric_count; i++) {
        HDF *row = hput_row(at, "Dots", (int)i);

        hput_str(row, "X", chart_percent(ax, in->ev->metrics[i].at_us, x));
        hput_i64(row, "Y", unit_y(p, value_of(&in->ev->metrics[i], p->id)));
    }
}

/* Evidence that points at a sample gets its number there. */
static void put_marks(HDF *at, const struct chart_input *in, const struct chart_axis *ax,
                      const struct plot *p)
{
    static const char *const kinds[PLOT_COUNT] = {"cpu", "memory", "disk"};
    int at_px[MAX_MARKS], at_y[MAX_MARKS];
    char x[CHART_PERCENT_SIZE];
    int n = 0;

    for (size_t i = 0; in->finding && i < in->finding->evidence_count; i++) {
        const struct evidence_item *e = &in->finding->evidence[i];
        struct chart_mark mark;
        const struct metric *m;
        int before = 0, y, px;
        HDF *row;

        if (n == MAX_MARKS || strcmp(e->kind, kinds[p->id]) != 0 ||
            !(m = chart_sample_of(in, ax, e->ref)))
            continue;
        y = unit_y(p, value_of(m, p->id));
        px = (int)(chart_share(ax, m->at_us) * PLOT_PIXELS / 100);
        for (int k = 0; k < n; k++)
            before += abs(at_px[k] - px) < MARK_PIXELS && abs(at_y[k] - y) < MARK_PIXELS;
        at_px[n] = px;
        at_y[n] = y;
        chart_mark_place(chart_share(ax, m->at_us), y, p->height, before, &mark);
        row = hput_row(at, "Marks", n++);
        hput_str(row, "X", chart_percent(ax, m->at_us, x));
        hput_i64(row, "Y", y);
        hput_i64(row, "Number", (int64_t)i + 1);
        hput_i64(row, "NumberX", mark.number_x);
        hput_i64(row, "NumberY", mark.number_y);
        if (in->places)
            in->places[i] = CHART_POINT;
    }
}

static void put_plot(HDF *charts, const struct chart_input *in,
                     const struct chart_axis *ax, const struct plot *p)
{
    HDF *at = hput_row(charts, "Plots", (int)p->id);
    struct extremes x = extremes_of(in, ax, p->id);
    char text[HUMAN_SIZE];

    hput_str(at, "Name", p->name);
    hput_str(at, "Title", p->title);
    hput_i64(at, "Height", p->height);
    hput_i64(at, "Mid", p->height / 2);
    put_limits(at, p);
    if (x.count) {
        hput_str(at, "Peak", amount(p, value_of(x.peak, p->id), text));
        put_note(at, p, x.peak);
        put_sentence(at, p, &x);
    } else {
        hput_str(at, "Sentence", "No sample lies in this part.");
    }
    put_paths(at, in, ax, p);
    put_columns(at, in, ax, p);
    put_dots(at, in, ax, p);
    put_marks(at, in, ax, p);
}

/* The largest total that any sample tells: older agents leave it 0 in some. */
static double largest_total(const struct evidence *ev, bool is_memory)
{
    int64_t best = 0;

    for (size_t i = 0; i < ev->metric_count; i++) {
        int64_t v = is_memory ? ev->metrics[i].mem_total : ev->metrics[i].disk_total;

        if (v > best)
            best = v;
    }
    return (double)best;
}

/* E2B's number is not trusted to fit. */
static double bytes_of_mib(int64_t n)
{
    return (double)(n < MAX_MIB ? n : MAX_MIB) * MIB;
}

void chart_series_fill(HDF *charts, const struct chart_input *in,
                       const struct chart_axis *ax)
{
    int64_t step = chart_step_us(in->ev->metrics, in->ev->metric_count);
    double mem_total = largest_total(in->ev, true), disk = largest_total(in->ev, false);
    double limit = in->tl->memory_mib > 0 ? bytes_of_mib(in->tl->memory_mib) : mem_total;
    struct plot plots[PLOT_COUNT] = {
        {PLOT_CPU,    "cpu",    "CPU",    96,  100,   0, 113             },
        {PLOT_MEMORY, "memory", "Memory", 168, limit, 0, limit * HEADROOM},
        {PLOT_DISK,   "disk",   "Disk",   98,  disk,  0, disk * HEADROOM },
    };
    char text[HUMAN_SIZE];

    if (in->tl->disk_mib > 0)
        plots[PLOT_DISK].limit = bytes_of_mib(in->tl->disk_mib);
    if (mem_total > 0)
        plots[PLOT_MEMORY].kill = (double)chart_kill_line((int64_t)mem_total);
    for (int i = 0; i < PLOT_COUNT; i++) {
        struct extremes x = extremes_of(in, ax, (enum plot_id)i);
        double most = x.count ? value_of(x.peak, (enum plot_id)i) : 0;

        if (i != PLOT_CPU)
            plots[i].top = (plots[i].limit > most ? plots[i].limit : most) * HEADROOM;
        if (plots[i].top <= 0)
            plots[i].top = 1;
        put_plot(charts, in, ax, &plots[i]);
    }
    hput_str(charts, "Step", human_duration(step, text));
    chart_numbers_fill(charts, in, ax);
}
