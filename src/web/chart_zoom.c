/*
 * Which time the charts show, and the links to other ways to see it: all of its life, one run, the complaint
 * window, around the failure, the last minutes. Links, so that they work without a script.
 */
#include "web/chart_series.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/text.h"
#include "base/ts.h"
#include <string.h>

#include "base/banned.h"

#define AIR_PERCENT 4
#define LONG_LIFE_US (2 * TS_HOUR)
#define WINDOW_ROOM_US (30 * TS_MIN)
#define FAILURE_ROOM_US (2 * TS_MIN)

struct stretch {
    int64_t from, to;
};

/* The run that was asked for, where there is one. */
static const struct execution *shown_run(const struct chart_input *in)
{
    return in->run > 0 && in->run <= in->tl->exec_count ? &in->tl->execs[in->run - 1]
                                                        : NULL;
}

/* Links to each run, where a pause between them may make them thin. */
static void put_runs(HDF *at, const struct chart_input *in)
{
    const struct execution *shown = shown_run(in);
    char clock[HUMAN_SIZE];

    if (in->tl->exec_count < 2)
        return;
    if (shown)
        hput_bool(at, "IsRun", true);
    for (size_t i = 0; i < in->run_href_count && i < in->tl->exec_count; i++) {
        HDF *row = hput_row(at, "Runs", (int)i);

        hput_fmt(row, "Text", "%zu, from %s", i + 1,
                 human_datetime(in->tl->execs[i].start_us, in->now_us, clock));
        hput_str(row, "Href", in->run_hrefs[i]);
        hput_bool(row, "IsShown", shown == &in->tl->execs[i]);
    }
}

/* Does the part show something of the life, but not all of it? */
static bool is_part(const struct stretch *part, const struct stretch *life)
{
    return part->from < life->to && part->to > life->from &&
           (part->from > life->from || part->to < life->to);
}

static bool window_part(const struct chart_input *in, struct stretch *out)
{
    *out = (struct stretch){in->win_from_us, in->win_to_us};
    return in->win_from_us != TS_NONE;
}

static bool failure_part(const struct chart_input *in, struct stretch *out)
{
    if (!in->finding || in->finding->failed_at_us == TS_NONE)
        return false;
    *out = (struct stretch){in->finding->failed_at_us - FAILURE_ROOM_US,
                            in->finding->failed_at_us + FAILURE_ROOM_US};
    return true;
}

/* The ways to look closer, in the order in which they are offered. */
static const struct way {
    const char *name, *text;
    bool (*part)(const struct chart_input *in, struct stretch *out);
    int64_t last_us; /* without part: so much before the end of its life */
} ways[] = {
    {"window",  "the complaint window", window_part,  0          },
    {"failure", "around the failure",   failure_part, 0          },
    {"5m",      "the last 5 min",       NULL,         5 * TS_MIN },
    {"15m",     "the last 15 min",      NULL,         15 * TS_MIN},
    {"1h",      "the last hour",        NULL,         TS_HOUR    },
};
#define WAY_COUNT (sizeof ways / sizeof ways[0])

/* False where that way is not there, or would show all of its life or nothing. */
static bool part_of(const struct chart_input *in, const struct way *way,
                    const struct stretch *life, struct stretch *out)
{
    if (way->part) {
        if (!way->part(in, out))
            return false;
    } else {
        *out = (struct stretch){life->to - way->last_us, life->to};
    }
    return is_part(out, life);
}

/* Offers each way; the one that was asked for becomes *shown. */
static bool put_zooms(HDF *at, const struct chart_input *in, const struct stretch *life,
                      struct stretch *shown)
{
    bool is_shown = false;
    int n = 0;

    for (size_t i = 0; i < WAY_COUNT; i++) {
        struct stretch part;
        bool is_asked = in->zoom && strcmp(in->zoom, ways[i].name) == 0;
        HDF *row;

        if (!part_of(in, &ways[i], life, &part))
            continue;
        if (is_asked)
            *shown = part;
        is_shown = is_shown || is_asked;
        if (!in->zoom_href)
            continue;
        row = hput_row(at, "Zooms", n++);
        hput_str(row, "Text", ways[i].text);
        hput_str(row, "Href",
                 arena_fmt(in->arena, "%szoom=%s#charts", in->zoom_href, ways[i].name));
        hput_bool(row, "IsShown", is_asked);
    }
    return is_shown;
}

/* The half hours around the window, of a life that is too long to see them otherwise. */
static bool cut_long_life(const struct chart_input *in, const struct stretch *life,
                          struct stretch *shown)
{
    struct stretch part;

    if (life->to - life->from <= LONG_LIFE_US || in->win_from_us == TS_NONE ||
        in->whole_life)
        return false;
    part = (struct stretch){in->win_from_us - WINDOW_ROOM_US,
                            in->win_to_us + WINDOW_ROOM_US};
    if (!is_part(&part, life))
        return false;
    shown->from = part.from > life->from ? part.from : life->from;
    shown->to = part.to < life->to ? part.to : life->to;
    return true;
}

struct chart_axis chart_axis_make(HDF *at, const struct chart_input *in, int64_t from,
                                  int64_t to)
{
    const struct execution *run = shown_run(in);
    struct stretch life = {from, to}, shown = life;
    bool is_zoomed, is_cut = false;
    int64_t air;

    put_runs(at, in);
    is_zoomed = put_zooms(at, in, &life, &shown);
    if (run && !is_zoomed) {
        shown.from = run->start_us;
        shown.to = execution_known_until(run, in->now_us);
        shown.to = shown.to > shown.from ? shown.to : shown.from + TS_SEC;
    } else if (!is_zoomed) {
        is_cut = cut_long_life(in, &life, &shown);
    }
    hput_bool(at, "Cut", is_cut);
    hput_bool(at, "IsZoomed", is_zoomed || run || is_cut);
    if (is_zoomed || run || is_cut)
        hput_str(at, "WholeHref", in->whole_life_href);
    air = (shown.to - shown.from) * AIR_PERCENT / (100 - 2 * AIR_PERCENT);
    if (air < TS_SEC / 4)
        air = TS_SEC / 4;
    return (struct chart_axis){shown.from - air, shown.to + air};
}
