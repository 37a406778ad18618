/*
 * A row of the sandbox search. The mini bar is one SVG with the same axis in all rows: the window with
 * 40 minutes on both sides, or with its own length where that is longer (ux.md section 6). Positions are
 * thousandths of the width, computed here; the template only draws.
 */
#include "web/view_search.h"

#include "base/human.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define AXIS_MARGIN_US (40 * TS_MIN)
#define AXIS_UNITS 1000
#define MAX_BARS 40

struct axis {
    int64_t from_us, to_us;
};

static struct axis axis_of(const struct view_link *l)
{
    int64_t length = l->to_us - l->from_us;
    int64_t margin = length > AXIS_MARGIN_US ? length : AXIS_MARGIN_US;

    return (struct axis){l->from_us - margin, l->to_us + margin};
}

static int axis_x(const struct axis *ax, int64_t us)
{
    int64_t span = ax->to_us - ax->from_us;

    if (us <= ax->from_us)
        return 0;
    if (us >= ax->to_us)
        return AXIS_UNITS;
    return (int)((us - ax->from_us) * AXIS_UNITS / span);
}

void view_search_axis(HDF *root, const struct view_link *l)
{
    HDF *at = hput_node(root, "Axis");
    char text[HUMAN_SIZE];
    struct axis ax;

    if (l->from_us == TS_NONE)
        return;
    ax = axis_of(l);
    hput_bool(at, "IsSet", true);
    hput_str(at, "From", human_clock_min(l->from_us, text));
    hput_str(at, "To", human_clock_min(l->to_us, text));
    hput_i64(at, "WinX", axis_x(&ax, l->from_us));
    hput_i64(at, "WinW", axis_x(&ax, l->to_us) - axis_x(&ax, l->from_us));
}

static void put_bar(HDF *at, int *n, const struct axis *ax, const char *kind,
                    int64_t from_us, int64_t to_us)
{
    int x = axis_x(ax, from_us), w = axis_x(ax, to_us) - x;
    HDF *bar;

    if (*n >= MAX_BARS || to_us < ax->from_us || from_us > ax->to_us)
        return;
    bar = hput_row(at, "Bars", (*n)++);
    hput_str(bar, "Kind", kind);
    hput_i64(bar, "X", x);
    hput_i64(bar, "W", w < 4 ? 4 : w);
}

/* Up to when it surely ran: its end, its last sign of life where the end is not on record, or now. */
static int64_t sure_until(const struct timeline *t, size_t i, int64_t now_us)
{
    const struct execution *e = &t->execs[i];

    if (t->is_silent && i + 1 == t->exec_count && e->end == EXEC_OPEN &&
        e->last_sign_us != TS_NONE)
        return e->last_sign_us;
    return execution_known_until(e, now_us);
}

/* From there on nobody knows; its deadline, or now, is the latest that it can have run. */
static void put_silence(HDF *at, int *n, const struct axis *ax, const struct execution *e,
                        int64_t from_us, int64_t now_us)
{
    int64_t until = now_us;

    if (e->end == EXEC_GONE && e->deadline_us != TS_NONE && e->deadline_us < now_us)
        until = e->deadline_us;
    if (until > from_us)
        put_bar(at, n, ax, "silent", from_us, until);
}

static void put_bars(HDF *at, const struct view_link *l, const struct timeline *t)
{
    struct axis ax = axis_of(l);
    int64_t now_us = l->rq->now_us;
    int n = 0;

    for (size_t i = 0; i < t->exec_count; i++) {
        const struct execution *e = &t->execs[i];
        bool is_last = i + 1 == t->exec_count;
        int64_t until = sure_until(t, i, now_us);

        if (i > 0 && t->execs[i - 1].end_us != TS_NONE)
            put_bar(at, &n, &ax, "paused", t->execs[i - 1].end_us, e->start_us);
        put_bar(at, &n, &ax, "running", e->start_us, until);
        if (is_last && (e->end == EXEC_GONE || (e->end == EXEC_OPEN && t->is_silent)))
            put_silence(at, &n, &ax, e, until, now_us);
    }
    if (t->state == SANDBOX_PAUSED && t->end_us != TS_NONE)
        put_bar(at, &n, &ax, "paused", t->end_us, now_us);
    if (n == 0)
        hput_str(at, "Outside", t->start_us > ax.to_us ? "after" : "before");
}

/* The words against the window (ux.md section 6). */
static void put_overlap(HDF *at, const struct overlap_info *o)
{
    char span[HUMAN_SIZE], clock[HUMAN_SIZE];

    human_duration(o->us, span);
    switch (o->kind) {
    case OVERLAP_NO_WINDOW:
        return;
    case OVERLAP_BEFORE:
        hput_fmt(at, "Against", "ended %s before it", span);
        return;
    case OVERLAP_AFTER:
        hput_fmt(at, "Against", "started %s after it", span);
        return;
    case OVERLAP_NONE_GAP:
        hput_str(at, "Against", "paused during all of it");
        return;
    case OVERLAP_MAYBE:
        hput_bool(at, "Overlap", true);
        hput_fmt(at, "Against", "may overlap: silent since %s",
                 human_clock_min(o->since_us, clock));
        return;
    case OVERLAP_YES:
        break;
    }
    hput_bool(at, "Overlap", true);
    if (o->is_all)
        hput_str(at, "Against", "overlaps all of it");
    else if (o->is_first && o->is_last)
        hput_fmt(at, "Against", "overlaps %s of it, with a pause between", span);
    else if (o->is_first)
        hput_fmt(at, "Against", "overlaps its first %s", span);
    else if (o->is_last)
        hput_fmt(at, "Against", "overlaps its last %s", span);
    else
        hput_fmt(at, "Against", "overlaps %s in the middle of it", span);
}

static const char *day_word(int64_t us, int64_t now_us, char *buf)
{
    if (us / TS_DAY == now_us / TS_DAY)
        return "today";
    if (us / TS_DAY == now_us / TS_DAY - 1)
        return "yesterday";
    return human_date(us, now_us, buf);
}

static void put_times(HDF *at, const struct view_link *l, const struct timeline *t)
{
    int64_t now_us = l->rq->now_us;
    char text[HUMAN_SIZE];

    if (t->start_us == TS_NONE)
        return;
    hput_time(at, "Started", t->start_us, human_clock(t->start_us, text));
    hput_str(at, "StartedDay", day_word(t->start_us, now_us, text));
    human_duration(t->ran_us, text);
    if (t->state == SANDBOX_RUNNING && t->is_silent) {
        hput_str(at, "RanFor", "unknown");
        if (t->last_sign_us != TS_NONE)
            hput_fmt(at, "Second", "last sign of life %s",
                     human_clock_min(t->last_sign_us, text));
        return;
    }
    hput_fmt(at, "RanFor", "%s%s", text, t->state == SANDBOX_RUNNING ? " so far" : "");
    if (t->state == SANDBOX_PAUSED && t->end_us != TS_NONE)
        hput_fmt(at, "Second", "paused since %s", human_clock_min(t->end_us, text));
    else if (t->paused_us > 0)
        hput_fmt(at, "Second", "paused %s", human_duration(t->paused_us, text));
}

static void put_matched(HDF *at, const struct search_row *row)
{
    struct sbuf sb;

    sbuf_init(&sb, 2000);
    for (size_t i = 0; i < row->matched_count; i++)
        sbuf_addf(&sb, "%s%s", i ? ", " : "", row->matched[i]);
    hput_str(at, "Matched", sb.s);
    sbuf_release(&sb);
}

void view_search_row(HDF *at, const struct view_link *l, const struct search_row *row,
                     const struct inv_rows *known, bool is_mixed)
{
    const struct timeline *t = &row->timeline;

    hput_str(at, "Id", row->sandbox_id);
    hput_str(at, "Href", view_href(l, view_sandbox_path(l, row->sandbox_id), NULL));
    view_state(hput_node(at, "State"), t);
    hput_str(at, "Template", text_is_empty(t->template_alias) ? "" : t->template_alias);
    hput_str(at, "TemplateId", t->template_id);
    put_times(at, l, t);
    put_matched(at, row);
    if (!row->in_list)
        hput_str(at, "Source", is_mixed ? "from Casebook's record" : "");
    put_overlap(at, &row->overlap);
    if (l->from_us != TS_NONE)
        put_bars(at, l, t);
    for (size_t i = 0; known && i < known->count; i++)
        if (strcmp(known->items[i].inv.sandbox_id, row->sandbox_id) == 0)
            view_inv_row(hput_node(at, "Verdict"), l, &known->items[i]);
}
