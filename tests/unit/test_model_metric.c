/*
 * Which metrics are asked for, and how a coarse and finer answers become one series.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/ts.h"
#include "model/metric_merge.h"
#include "model/metric_plan.h"

#include "base/banned.h"

#define NOW ((int64_t)1795532689 * TS_SEC) /* 2026-11-24 15:04:49 */
#define MAX_SAMPLES 20000

static struct arena arena;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

/* ---- widths and steps ---- */

static void test_widths_follow_the_range(void **state)
{
    static const struct {
        int64_t range_us;
        int width_s;
    } table[] = {
        {0,                     5  },
        {TS_HOUR - 1,           5  },
        {TS_HOUR,               30 },
        {6 * TS_HOUR - 1,       30 },
        {6 * TS_HOUR,           60 },
        {12 * TS_HOUR,          120},
        {24 * TS_HOUR - 1,      120},
        {24 * TS_HOUR,          300},
        {7 * TS_DAY - 1,        300},
        {7 * TS_DAY,            900},
        {400 * (int64_t)TS_DAY, 900},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        assert_true(metric_width_us(table[i].range_us) == table[i].width_s * TS_SEC);
}

/* count samples from at_us on, step apart; returns the new n. */
static size_t add(struct metric *m, size_t n, int64_t at_us, int count, int64_t step_us)
{
    for (int i = 0; i < count; i++)
        m[n + (size_t)i] =
            (struct metric){.at_us = at_us + i * step_us, .mem_used = i + 1};
    return n + (size_t)count;
}

static void test_steps_are_told_from_their_neighbours(void **state)
{
    static struct metric m[100];
    size_t n = add(m, 0, 0, 10, 300 * TS_SEC); /* coarse to 2700 */
    size_t fine = n, coarse, gap;

    (void)state;
    n = add(m, n, 3000 * TS_SEC, 10, 5 * TS_SEC);
    gap = n;
    n = add(m, n, 3100 * TS_SEC, 10, 5 * TS_SEC); /* 55 s without a sample before */
    coarse = n;
    n = add(m, n, 3300 * TS_SEC, 10, 300 * TS_SEC);
    for (size_t i = 1; i < fine; i++)
        assert_true(metrics_step_at_us(m, n, i) == 300 * TS_SEC);
    assert_true(metrics_step_at_us(m, n, fine) == 300 * TS_SEC); /* of the last coarse */
    assert_true(metrics_step_at_us(m, n, fine + 1) == 5 * TS_SEC);
    assert_true(metrics_step_at_us(m, n, gap) == 5 * TS_SEC);
    assert_true(metrics_step_at_us(m, n, coarse + 1) == 300 * TS_SEC);
    assert_true(metrics_least_step_us(m, n) == 5 * TS_SEC);
    assert_true(metrics_least_step_us(m, 1) == 0);
}

/* ---- laying over ---- */

static void test_fine_takes_the_place_of_coarse(void **state)
{
    struct metric coarse[10], fine[4];
    size_t n = add(coarse, 0, 0, 10, 60 * TS_SEC);
    const struct metric *all;

    (void)state;
    add(fine, 0, 120 * TS_SEC, 4, 20 * TS_SEC); /* 120 … 180 */
    all = metrics_lay_over(&arena, coarse, &n, fine, 4, 120 * TS_SEC);
    assert_int_equal(n, 12); /* two coarse ones went, four came */
    for (size_t i = 1; i < n; i++)
        assert_true(all[i].at_us > all[i - 1].at_us);
    assert_true(all[1].at_us == 60 * TS_SEC && all[2].at_us == 120 * TS_SEC);
    assert_true(all[5].at_us == 180 * TS_SEC && all[6].at_us == 240 * TS_SEC);
    assert_ptr_equal(metrics_lay_over(&arena, coarse, &n, NULL, 0, 0), coarse);
    all = metrics_lay_over(&arena, all, &n, fine, 4, 30 * TS_SEC);
    assert_int_equal(n, 11); /* nothing was at 60 s, says the fine answer */
    assert_true(all[0].at_us == 0 && all[1].at_us == 120 * TS_SEC);
    n = 0; /* the coarse read failed: what the fine one brought is there */
    all = metrics_lay_over(&arena, NULL, &n, fine, 4, TS_NONE);
    assert_int_equal(n, 4);
    assert_memory_equal(all, fine, sizeof fine);
}

/* ---- plans ---- */

static struct execution run_of(int64_t start_us, int64_t end_us, enum exec_end end)
{
    return (struct execution){.id = "",
                              .start_us = start_us,
                              .start_is_known = true,
                              .end_us = end_us,
                              .end = end,
                              .deadline_us = TS_NONE,
                              .first_deadline_us = TS_NONE};
}

static struct metric_plan plan_of(const struct execution *x, size_t n,
                                  enum sandbox_state state, int64_t win_from_us,
                                  int64_t win_to_us)
{
    struct timeline t = {.execs = x, .exec_count = n, .state = state};
    struct metric_plan p;

    metric_plan_make(&t, win_from_us, win_to_us, NOW, &p);
    return p;
}

/* What is true of every plan. */
static void check(const struct metric_plan *p)
{
    int64_t width = p->whole.from_us == TS_NONE
                        ? TS_SEC
                        : metric_width_us(p->whole.to_us - p->whole.from_us);

    assert_true((p->whole.from_us == TS_NONE) == (p->whole.to_us == TS_NONE));
    assert_true(p->fine_count < METRIC_PLAN_MAX);
    for (size_t i = 0; i < p->fine_count; i++) {
        const struct metric_range *r = &p->fine[i];

        assert_true(r->from_us >= 0 && r->to_us > r->from_us);
        assert_true(metric_width_us(r->to_us - r->from_us) == METRIC_STEP_US);
        assert_true(r->to_us - r->from_us < METRIC_PLAN_FINE_US);
        assert_true(r->from_us % width == 0);
        assert_true((r->to_us + TS_SEC) % width == 0);
        assert_true(r->to_us < NOW + 10 * TS_MIN);
    }
}

static void test_unknown_times_are_asked_without_bounds(void **state)
{
    struct execution x = run_of(NOW - TS_HOUR, TS_NONE, EXEC_OPEN);
    struct metric_plan p = plan_of(NULL, 0, SANDBOX_OTHER, TS_NONE, TS_NONE);

    (void)state;
    check(&p);
    assert_true(p.whole.from_us == TS_NONE);
    assert_int_equal(p.fine_count, 0);
    x.start_is_known = false;
    p = plan_of(&x, 1, SANDBOX_RUNNING, TS_NONE, TS_NONE);
    assert_true(p.whole.from_us == TS_NONE);
    p = plan_of(NULL, 0, SANDBOX_OTHER, NOW - TS_HOUR, NOW - 50 * TS_MIN);
    check(&p); /* the window is known, whatever the life is */
    assert_int_equal(p.fine_count, 1);
    assert_true(p.fine[0].from_us % (10 * TS_MIN) == 0);
    assert_true(p.fine[0].from_us <= NOW - TS_HOUR &&
                p.fine[0].to_us >= NOW - 50 * TS_MIN);
}

static void test_a_short_run_is_one_request_with_both_bounds(void **state)
{
    struct execution x = run_of(NOW - 50 * TS_MIN, NOW - 20 * TS_MIN, EXEC_KILLED);
    struct metric_plan p =
        plan_of(&x, 1, SANDBOX_ENDED, NOW - 40 * TS_MIN, NOW - 30 * TS_MIN);

    (void)state;
    check(&p);
    assert_true(p.whole.from_us == NOW - 50 * TS_MIN - 5 * TS_SEC);
    assert_true(p.whole.to_us == NOW - 20 * TS_MIN + 15 * TS_SEC);
    assert_int_equal(p.fine_count, 0);
    assert_false(metric_plan_misses(&p, x.start_us));
    assert_true(metric_plan_misses(&p, NOW - TS_MIN)); /* resumed since */
    x.end = EXEC_OPEN;
    x.end_us = TS_NONE;
    p = plan_of(&x, 1, SANDBOX_RUNNING, TS_NONE, TS_NONE);
    assert_true(p.whole.to_us == NOW);
}

static void test_a_long_run_is_asked_closely_at_its_end_and_in_the_window(void **state)
{
    struct execution x = run_of(NOW - 20 * TS_HOUR, NOW - 2 * TS_HOUR, EXEC_KILLED);
    int64_t from = NOW - 9 * TS_HOUR, to = from + 15 * TS_MIN;
    struct metric_plan p = plan_of(&x, 1, SANDBOX_ENDED, from, to);

    (void)state;
    check(&p);
    assert_int_equal(p.fine_count, 2);
    assert_true(p.fine[0].to_us >= x.end_us &&
                p.fine[0].from_us < x.end_us - 50 * TS_MIN);
    assert_true(p.fine[1].from_us <= from && p.fine[1].to_us >= to);
    p = plan_of(&x, 1, SANDBOX_ENDED, from, from + 3 * TS_HOUR); /* longer than fine is */
    check(&p);
    assert_int_equal(p.fine_count, 3);
    p = plan_of(&x, 1, SANDBOX_ENDED, NOW - 30 * TS_HOUR, NOW - 29 * TS_HOUR);
    check(&p); /* it did not live then */
    assert_int_equal(p.fine_count, 1);
    p = plan_of(&x, 1, SANDBOX_ENDED, x.end_us - 20 * TS_MIN, x.end_us - 10 * TS_MIN);
    check(&p); /* the end has it already */
    assert_true(p.fine_count <= 2);
}

static void test_runs_between_pauses_are_asked_closely(void **state)
{
    struct execution x[8];
    struct metric_plan p;

    (void)state;
    for (int i = 0; i < 8; i++)
        x[i] = run_of(NOW - (8 - i) * 10 * TS_HOUR,
                      NOW - (8 - i) * 10 * TS_HOUR + 20 * TS_MIN, EXEC_PAUSED);
    p = plan_of(x, 2, SANDBOX_PAUSED, TS_NONE, TS_NONE);
    check(&p);
    assert_true(p.whole.to_us == NOW); /* it may have been resumed */
    assert_int_equal(p.fine_count, 3); /* now, and each of the two */
    assert_true(p.fine[1].from_us <= x[1].start_us && p.fine[1].to_us >= x[1].end_us);
    assert_true(p.fine[2].from_us <= x[0].start_us && p.fine[2].to_us >= x[0].end_us);
    p = plan_of(x, 8, SANDBOX_PAUSED, TS_NONE, TS_NONE);
    check(&p);
    assert_int_equal(p.fine_count, METRIC_PLAN_MAX - 1);
    assert_true(p.fine[1].from_us <= x[7].start_us); /* the newest runs */
}

static void test_nothing_is_asked_of_before_the_retention(void **state)
{
    struct execution x = run_of(NOW - 30 * TS_DAY, TS_NONE, EXEC_OPEN);
    struct metric_plan p = plan_of(&x, 1, SANDBOX_RUNNING, TS_NONE, TS_NONE);

    (void)state;
    check(&p);
    assert_true(p.whole.from_us > NOW - 7 * TS_DAY);
    assert_true(metric_width_us(p.whole.to_us - p.whole.from_us) == 300 * TS_SEC);
    x = run_of(NOW - 30 * TS_DAY, NOW - 29 * TS_DAY, EXEC_KILLED);
    p = plan_of(&x, 1, SANDBOX_ENDED, TS_NONE, TS_NONE);
    check(&p);
    assert_true(p.whole.from_us != TS_NONE && p.whole.from_us <= p.whole.to_us);
    assert_int_equal(p.fine_count, 0);
    x = run_of(NOW + TS_HOUR, TS_NONE, EXEC_OPEN); /* clocks */
    p = plan_of(&x, 1, SANDBOX_RUNNING, TS_NONE, TS_NONE);
    assert_true(p.whole.from_us == TS_NONE);
}

/* ---- both together: no sample is lost, no peak hidden ---- */

static size_t answer(const struct metric *raw, size_t n, int64_t from_us, int64_t to_us,
                     struct metric *out)
{
    int64_t width = metric_width_us(to_us - from_us);
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        int64_t at_us = raw[i].at_us / width * width;

        if (raw[i].at_us < from_us || raw[i].at_us > to_us)
            continue;
        if (count == 0 || out[count - 1].at_us != at_us) {
            out[count] = raw[i];
            out[count++].at_us = at_us;
        } else if (raw[i].mem_used > out[count - 1].mem_used) {
            out[count - 1].mem_used = raw[i].mem_used;
        }
    }
    return count;
}

static bool is_shown(const struct metric *raw, const struct metric *m, size_t n)
{
    for (size_t i = n; i > 0; i--)
        if (m[i - 1].at_us <= raw->at_us)
            return m[i - 1].mem_used >= raw->mem_used;
    return false;
}

static void test_no_peak_is_lost(void **state)
{
    static struct metric raw[MAX_SAMPLES], coarse[MAX_SAMPLES], fine[MAX_SAMPLES];
    struct execution x = run_of(NOW - 20 * TS_HOUR, NOW - 90 * TS_MIN, EXEC_KILLED);
    uint32_t seed = 7;
    size_t n = 0, count;
    const struct metric *all;
    struct metric_plan p;

    (void)state;
    for (int64_t us = x.start_us; us < x.end_us; us += 5 * TS_SEC) {
        seed = seed * 1664525 + 1013904223;
        raw[n++] = (struct metric){.at_us = us / (5 * TS_SEC) * (5 * TS_SEC),
                                   .mem_used = seed >> 8};
    }
    p = plan_of(&x, 1, SANDBOX_ENDED, NOW - 9 * TS_HOUR, NOW - 8 * TS_HOUR);
    assert_true(p.fine_count >= 2);
    count = answer(raw, n, p.whole.from_us, p.whole.to_us, coarse);
    all = coarse;
    for (size_t i = 0; i < p.fine_count; i++)
        all = metrics_lay_over(&arena, all, &count, fine,
                               answer(raw, n, p.fine[i].from_us, p.fine[i].to_us, fine),
                               p.fine[i].from_us);
    for (size_t i = 0; i < n; i++)
        assert_true(is_shown(&raw[i], all, count));
    for (size_t i = 1; i < count; i++)
        assert_true(all[i].at_us > all[i - 1].at_us);
    assert_true(metrics_step_at_us(all, count, count - 1) == METRIC_STEP_US);
    assert_true(metrics_step_at_us(all, count, 1) == 120 * TS_SEC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths_follow_the_range),
        cmocka_unit_test(test_steps_are_told_from_their_neighbours),
        cmocka_unit_test(test_fine_takes_the_place_of_coarse),
        cmocka_unit_test(test_unknown_times_are_asked_without_bounds),
        cmocka_unit_test(test_a_short_run_is_one_request_with_both_bounds),
        cmocka_unit_test(test_a_long_run_is_asked_closely_at_its_end_and_in_the_window),
        cmocka_unit_test(test_runs_between_pauses_are_asked_closely),
        cmocka_unit_test(test_nothing_is_asked_of_before_the_retention),
        cmocka_unit_test(test_no_peak_is_lost),
    };

    return cmocka_run_group_tests_name("metrics: ranges and series", tests, setup,
                                       teardown);
}
