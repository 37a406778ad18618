/*
 * The ranges: the whole, the end, the window, the newest runs.
 */
#include "model/metric_plan.h"

#include "model/metric_merge.h"

#include "base/banned.h"

#define KEPT_US                                                                          \
    (7 * TS_DAY - TS_MIN)          /* a little less: E2B's clock may be ahead of ours */
#define ANY_WIDTH_US (10 * TS_MIN) /* a multiple of every width up to a week's */
#define WINDOW_ROOM_US (10 * TS_MIN)

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Down to a multiple. Times before 1970 do not occur. */
static int64_t whole_steps(int64_t us, int64_t step_us)
{
    return us / step_us * step_us;
}

/* The longest range of whole buckets that still gives every sample. */
static int64_t fine_length(int64_t width_us)
{
    return whole_steps(METRIC_PLAN_FINE_US, width_us);
}

static bool covers(const struct metric_range *r, int64_t from_us, int64_t to_us)
{
    return r->from_us <= from_us && r->to_us >= to_us;
}

/* Adds [from, to) in whole buckets, kept to the fine length; of a longer one the end. */
static void add_fine(struct metric_plan *p, int64_t from_us, int64_t to_us,
                     int64_t width_us)
{
    struct metric_range r;

    to_us = whole_steps(to_us + width_us - 1, width_us);
    from_us = max64(whole_steps(from_us, width_us), to_us - fine_length(width_us));
    r = (struct metric_range){from_us, to_us - TS_SEC};
    if (r.to_us <= r.from_us || p->fine_count == METRIC_PLAN_MAX - 1)
        return;
    for (size_t i = 0; i < p->fine_count; i++)
        if (covers(&p->fine[i], r.from_us, r.to_us))
            return;
    p->fine[p->fine_count++] = r;
}

/* The window with some room; one that is longer than a fine range is taken from both its ends. */
static void add_window(struct metric_plan *p, const struct metric_range *life,
                       int64_t from_us, int64_t to_us, int64_t width_us)
{
    int64_t length = fine_length(width_us) - 2 * width_us;
    int64_t room;

    if (from_us == TS_NONE || to_us < life->from_us || from_us > life->to_us)
        return;
    room = min64(WINDOW_ROOM_US, max64(0, (length - (to_us - from_us)) / 2));
    from_us = max64(life->from_us, from_us - room);
    to_us = min64(life->to_us, to_us + room);
    add_fine(p, max64(from_us, to_us - length), to_us, width_us);
    if (to_us - from_us > length)
        add_fine(p, from_us, from_us + length, width_us);
}

static void add_runs(struct metric_plan *p, const struct timeline *tl,
                     const struct metric_range *life, int64_t width_us)
{
    for (size_t i = tl->exec_count; i > 0; i--) {
        const struct execution *x = &tl->execs[i - 1];
        int64_t end_us =
            x->end_us != TS_NONE ? x->end_us + TIMELINE_AFTER_END_US : life->to_us;

        if (end_us < life->from_us)
            return;
        add_fine(p, max64(life->from_us, x->start_us - TIMELINE_BEFORE_START_US),
                 min64(end_us, life->to_us), width_us);
    }
}

/* From its beginning to its end; to now while it may go on, or may have been resumed. */
static bool life_of(const struct timeline *tl, int64_t now_us, struct metric_range *life)
{
    const struct execution *last = tl->exec_count ? &tl->execs[tl->exec_count - 1] : NULL;
    bool is_over = last && tl->state == SANDBOX_ENDED && last->end_us != TS_NONE;

    if (!last || !tl->execs[0].start_is_known || tl->execs[0].start_us > now_us)
        return false;
    life->from_us = max64(tl->execs[0].start_us - TIMELINE_BEFORE_START_US,
                          max64(0, now_us - KEPT_US));
    life->to_us = is_over ? min64(now_us, last->end_us + TIMELINE_AFTER_END_US) : now_us;
    life->from_us = whole_steps(life->from_us, TS_SEC);
    life->to_us = whole_steps(life->to_us + TS_SEC - 1, TS_SEC);
    return true;
}

void metric_plan_make(const struct timeline *tl, int64_t win_from_us, int64_t win_to_us,
                      int64_t now_us, struct metric_plan *out)
{
    struct metric_range life = {max64(0, now_us - KEPT_US), now_us};
    int64_t width_us;

    *out = (struct metric_plan){
        .whole = {TS_NONE, TS_NONE}
    };
    if (!life_of(tl, now_us, &life)) {
        add_window(out, &life, win_from_us, win_to_us, ANY_WIDTH_US);
        return;
    }
    if (life.to_us <
        life.from_us) /* E2B has forgotten all of it: ask, so that it says so */
        life.from_us = life.to_us;
    out->whole = life;
    width_us = metric_width_us(life.to_us - life.from_us);
    if (width_us <= METRIC_STEP_US)
        return;
    add_fine(out, life.from_us, life.to_us, width_us);
    add_window(out, &life, win_from_us, win_to_us, width_us);
    add_runs(out, tl, &life, width_us);
}

bool metric_plan_misses(const struct metric_plan *p, int64_t start_us)
{
    return p->whole.to_us != TS_NONE && start_us > p->whole.to_us;
}
