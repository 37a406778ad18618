/* Uniting what several questions give of one crowded millisecond. */
#include "upstream/e2b_crowd.h"

#include <limits.h>

#include "base/ts.h"
#include "upstream/e2b_private.h"

#include "base/banned.h"

#define WHOLE_LIMIT                                                                      \
    5000 /* a store's own bound; more may be answered with nothing (e2b.md 5.1) */

static const struct e2b_question questions[] = {
    {true,  false, LOG_LEVEL_NONE },
    {false, true,  LOG_LEVEL_NONE },
    {false, false, LOG_LEVEL_NONE },
    {false, true,  LOG_LEVEL_ERROR},
    {false, false, LOG_LEVEL_ERROR},
    {false, true,  LOG_LEVEL_WARN },
    {false, false, LOG_LEVEL_WARN },
    {false, true,  LOG_LEVEL_INFO },
    {false, false, LOG_LEVEL_INFO },
};
#define QUESTION_COUNT (sizeof(questions) / sizeof(questions[0]))

static void set_limit(struct e2b_crowd *c)
{
    c->limit = c->step < QUESTION_COUNT && questions[c->step].is_v1 ? WHOLE_LIMIT
                                                                    : E2B_LOGS_LIMIT;
}

void e2b_crowd_begin(struct e2b_crowd *c, int64_t ms, bool has_v2,
                     enum log_level min_level)
{
    *c = (struct e2b_crowd){.ms = ms,
                            .has_v2 = has_v2,
                            .min_level = min_level,
                            .newest_ns = -1,
                            .oldest_ns = INT_MAX};
    arena_init(&c->arena);
    set_limit(c);
}

void e2b_crowd_release(struct e2b_crowd *c)
{
    arena_release(&c->arena);
    *c = (struct e2b_crowd){.step = QUESTION_COUNT};
}

/* A level that is asked anyway tells nothing new. */
static bool is_useful(const struct e2b_crowd *c, const struct e2b_question *q)
{
    return q->is_v1 ||
           (c->has_v2 && (q->level == LOG_LEVEL_NONE || q->level > c->min_level));
}

static void next_step(struct e2b_crowd *c)
{
    c->step++;
    set_limit(c);
}

bool e2b_crowd_ask(struct e2b_crowd *c, struct e2b_question *out)
{
    while (c->step < QUESTION_COUNT && !is_useful(c, &questions[c->step]))
        next_step(c);
    if (c->is_complete || c->step == QUESTION_COUNT)
        return false;
    *out = questions[c->step];
    if (out->level < c->min_level)
        out->level = c->min_level;
    return true;
}

/* Was the line there before this page? Of truly identical ones each counts once. */
static bool is_known(struct e2b_crowd *c, size_t before, uint64_t id)
{
    for (size_t i = 0; i < before; i++) {
        if (c->ids[i].id == id && !c->ids[i].is_seen) {
            c->ids[i].is_seen = true;
            return true;
        }
    }
    return false;
}

/* Returns how many were new. */
static size_t unite(struct e2b_crowd *c, const struct e2b_lines *got)
{
    size_t before = c->count;

    for (size_t i = 0; i < before; i++)
        c->ids[i].is_seen = false;
    for (size_t i = 0; i < got->count; i++) {
        const struct log_line *l = &got->lines[i];
        uint64_t id;

        if (l->at_us == TS_NONE || e2b_line_ms(l) != c->ms)
            continue;
        id = e2b_line_identity(l);
        if (is_known(c, before, id))
            continue;
        c->lines = arena_grow(&c->arena, c->lines, c->count, &c->cap, sizeof(*c->lines));
        c->ids = arena_grow(&c->arena, c->ids, c->count, &c->id_cap, sizeof(*c->ids));
        c->lines[c->count] = before ? log_line_copy(&c->arena, l) : *l;
        c->ids[c->count++] = (struct e2b_crowd_id){id, true};
    }
    return c->count - before;
}

/* The newest and oldest that were read; NULL when there is none with a time. */
static const struct log_line *newest(const struct e2b_lines *got)
{
    const struct log_line *l = got->count ? &got->lines[got->count - 1] : NULL;

    return l && l->at_us != TS_NONE ? l : NULL;
}

static const struct log_line *oldest(const struct e2b_lines *got)
{
    for (size_t i = 0; i < got->count; i++) {
        if (got->lines[i].at_us != TS_NONE)
            return &got->lines[i];
    }
    return NULL;
}

/*
 * A page from the millisecond on. A short one that ends in it says that no line follows, if the server
 * gives as much as was asked: one that keeps to a page of its own shows in its number.
 */
static void judge_forward(struct e2b_crowd *c, const struct e2b_lines *got)
{
    const struct log_line *last = newest(got);

    if (!last || e2b_line_ms(last) < c->ms)
        return;
    if (e2b_line_ms(last) > c->ms) {
        c->is_complete = true;
        return;
    }
    if (got->page.rows < (size_t)c->limit && got->page.rows != E2B_LOGS_LIMIT)
        c->is_complete = c->is_end_claimed = true;
    if (e2b_line_ns(last) > c->newest_ns)
        c->newest_ns = e2b_line_ns(last);
}

/* The last page that fits, and it begins with the first line that is known: that was all. */
static bool is_same_page(const struct e2b_crowd *c, const struct e2b_lines *got,
                         const struct log_line *first)
{
    uint64_t id = e2b_line_identity(first);

    for (size_t i = 1; i < got->count; i++) {
        if (e2b_line_identity(&got->lines[i]) != id) /* else nothing can be told apart */
            return id == e2b_line_identity(&c->lines[0]);
    }
    return false;
}

/* A page that ends with the millisecond: it has all, or it meets what came from the other end. */
static void judge_backward(struct e2b_crowd *c, const struct e2b_lines *got, size_t fresh)
{
    const struct log_line *first = oldest(got);

    if (!first)
        return;
    c->is_complete = e2b_line_ms(first) < c->ms || got->page.rows < (size_t)c->limit ||
                     (!fresh && is_same_page(c, got, first));
    if (e2b_line_ms(first) == c->ms)
        c->oldest_ns = e2b_line_ns(first);
}

struct arena *e2b_crowd_arena(struct e2b_crowd *c, struct arena *scratch)
{
    return c->count ? scratch : &c->arena;
}

void e2b_crowd_take(struct e2b_crowd *c, const struct e2b_lines *got)
{
    const struct e2b_question *q = &questions[c->step];

    size_t fresh = unite(c, got);

    c->answered++;
    if (!got->page.bad && q->level == LOG_LEVEL_NONE) {
        if (q->is_backward)
            judge_backward(c, got, fresh);
        else
            judge_forward(c, got);
        c->is_complete = c->is_complete || c->oldest_ns < c->newest_ns;
    }
    next_step(c);
}

void e2b_crowd_fail(struct e2b_crowd *c, bool is_too_large)
{
    if (is_too_large && c->limit / 2 > E2B_LOGS_LIMIT_MIN)
        c->limit /= 2;
    else
        next_step(c);
}
