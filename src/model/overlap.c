/*
 * A sandbox against the complaint window: how much of the window it was running in.
 *
 * Time while paused does not count. Time after the last sign of life of a silent or vanished sandbox
 * counts as "may overlap" only: up to its deadline, or to when it was found gone.
 */
#include "model/timeline.h"

#include "base/banned.h"

struct interval {
    int64_t from_us, to_us;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Surely running. */
static struct interval sure(const struct timeline *t, size_t i, int64_t now_us)
{
    const struct execution *x = &t->execs[i];
    int64_t until_us = execution_known_until(x, now_us);

    if (i + 1 == t->exec_count &&
        (x->end == EXEC_GONE || (t->is_silent && x->end == EXEC_OPEN)))
        until_us = larger(x->last_sign_us, x->start_us);
    return (struct interval){x->start_us, until_us};
}

/* Perhaps running: after the last sign of one that is silent or gone, up to its end or deadline. */
static struct interval unsure(const struct timeline *t, int64_t now_us)
{
    const struct execution *x = &t->execs[t->exec_count - 1];
    struct interval v = {sure(t, t->exec_count - 1, now_us).to_us, now_us};

    if (x->end != EXEC_GONE && !(t->is_silent && x->end == EXEC_OPEN))
        v.to_us = v.from_us;
    else if (x->end_us != TS_NONE)
        v.to_us = larger(v.from_us, x->end_us);
    else if (x->deadline_us != TS_NONE)
        v.to_us = larger(v.from_us, smaller(v.to_us, x->deadline_us));
    return v;
}

static bool touches(struct interval v, struct interval w)
{
    if (w.from_us == w.to_us)
        return v.from_us <= w.from_us && w.from_us < v.to_us;
    return v.from_us < w.to_us && w.from_us < v.to_us;
}

static struct overlap_info overlap_outside(const struct timeline *t, struct interval w,
                                           int64_t now_us)
{
    struct interval maybe = unsure(t, now_us);
    int64_t over_us = t->end_us != TS_NONE ? maybe.to_us : maybe.from_us;

    if (touches(maybe, w))
        return (struct overlap_info){.kind = OVERLAP_MAYBE, .since_us = maybe.from_us};
    if (w.to_us <= t->start_us)
        return (struct overlap_info){
            .kind = OVERLAP_AFTER, .us = t->start_us - w.to_us, .since_us = TS_NONE};
    if (w.from_us >= over_us)
        return (struct overlap_info){
            .kind = OVERLAP_BEFORE, .us = w.from_us - over_us, .since_us = TS_NONE};
    return (struct overlap_info){.kind = OVERLAP_NONE_GAP, .since_us = TS_NONE};
}

struct overlap_info timeline_overlap(const struct timeline *t, int64_t from_us,
                                     int64_t to_us, int64_t now_us)
{
    struct overlap_info o = {.kind = OVERLAP_NO_WINDOW, .since_us = TS_NONE};
    struct interval w = {from_us, to_us};
    bool is_touched = false;

    if (from_us == TS_NONE || to_us == TS_NONE || from_us > to_us || t->exec_count == 0)
        return o;
    /* a window that reaches into the future ends now for a sandbox that is still running */
    if (t->end_us == TS_NONE && w.from_us < now_us)
        w.to_us = smaller(w.to_us, larger(now_us, w.from_us));
    for (size_t i = 0; i < t->exec_count; i++) {
        struct interval v = sure(t, i, now_us);

        if (!touches(v, w))
            continue;
        is_touched = true;
        o.us += smaller(v.to_us, w.to_us) - larger(v.from_us, w.from_us);
        o.is_first = o.is_first || v.from_us <= w.from_us;
        o.is_last = o.is_last || v.to_us >= w.to_us;
    }
    if (!is_touched)
        return overlap_outside(t, w, now_us);
    o.kind = OVERLAP_YES;
    o.is_all = o.us == w.to_us - w.from_us;
    return o;
}
