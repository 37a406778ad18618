/*
 * The lane below the letters: when it ran, when it was expected to end, and how that moved. The timeline says
 * the same in words.
 */
#include "web/chart_series.h"

#include "base/human.h"
#include "base/ts.h"
#include <stdio.h>
#include <stdlib.h>

#include "base/banned.h"

#define MAX_EXECS 60
#define MAX_ENDS 24
#define KEPT_MOVES 4 /* of many in one run: the last ones */

struct lane {
    HDF *at;
    const struct chart_input *in;
    const struct chart_axis *ax;
    int ends, moves;
};

static bool is_on(const struct chart_axis *ax, int64_t us)
{
    return us >= ax->from_us && us <= ax->to_us;
}

static int64_t clipped(const struct chart_axis *ax, int64_t us)
{
    return us < ax->from_us ? ax->from_us : us > ax->to_us ? ax->to_us : us;
}

static void put_end(struct lane *l, const struct execution *x, int64_t end_us,
                    bool is_last)
{
    char clock[HUMAN_SIZE], buf[CHART_PERCENT_SIZE];
    HDF *row;

    if (end_us == TS_NONE || !is_on(l->ax, end_us) || l->ends == MAX_ENDS)
        return;
    row = hput_row(l->at, "Ends", l->ends++);
    hput_str(row, "X", chart_percent(l->ax, end_us, buf));
    hput_bool(row, "IsInForce", is_last);
    hput_fmt(row, "Title", "expected end %s%s", human_clock(end_us, clock),
             !is_last                                                ? ", moved"
             : execution_ended_at_deadline(x, l->in->tl->memory_mib) ? ", reached"
             : x->end == EXEC_OPEN && end_us > l->in->now_us         ? ", ahead"
             : x->end == EXEC_PAUSED ? ", not reached: paused"
                                     : ", not reached");
}

/* An arrow from the old end to the new one, as far as it is on the axis. */
static void put_move(struct lane *l, const struct deadline_move *m)
{
    char buf[CHART_PERCENT_SIZE];
    HDF *row;

    if (m->from_us == TS_NONE || llabs(m->to_us - m->from_us) < TS_SEC ||
        l->moves == MAX_ENDS || (!is_on(l->ax, m->from_us) && !is_on(l->ax, m->to_us)))
        return;
    row = hput_row(l->at, "Moves", l->moves++);
    hput_str(row, "X1", chart_percent(l->ax, clipped(l->ax, m->from_us), buf));
    hput_str(row, "X2", chart_percent(l->ax, clipped(l->ax, m->to_us), buf));
    hput_bool(row, "IsRight", m->to_us > m->from_us);
    hput_bool(row, "IsCut", !is_on(l->ax, m->to_us));
}

static bool is_same_end(int64_t a_us, int64_t b_us)
{
    return a_us != TS_NONE && b_us != TS_NONE && llabs(a_us - b_us) < TS_SEC;
}

/* Each end that it had once; of many, the first and the last ones. */
static void put_run(struct lane *l, const struct execution *x)
{
    size_t from = x->move_count > KEPT_MOVES ? x->move_count - KEPT_MOVES : 0;
    int64_t end_us = x->first_deadline_us;
    int64_t last_us = x->move_count ? x->moves[x->move_count - 1].to_us : end_us;

    put_end(l, x, end_us, is_same_end(end_us, last_us));
    for (size_t i = from; i < x->move_count; i++) {
        put_move(l, &x->moves[i]);
        if (is_same_end(x->moves[i].to_us, end_us))
            continue;
        end_us = x->moves[i].to_us;
        put_end(l, x, end_us, is_same_end(end_us, last_us));
    }
}

void chart_ends_fill(HDF *charts, const struct chart_input *in,
                     const struct chart_axis *ax)
{
    struct lane l = {.at = charts, .in = in, .ax = ax};
    int n = 0;
    HDF *row;

    for (size_t i = 0; i < in->tl->exec_count && n < MAX_EXECS; i++) {
        const struct execution *x = &in->tl->execs[i];

        if (chart_band(charts, "Execs", n, ax, x->start_us,
                       execution_known_until(x, in->now_us), &row))
            n++;
        put_run(&l, x);
    }
}
