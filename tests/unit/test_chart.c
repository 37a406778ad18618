/*
 * The charts, with values worked out by hand. Most of these sandboxes live from 14:00:00 to 14:23:00: with 4 %
 * of air on both sides the axis goes from 13:59:00 to 14:24:00, 1,500 s, so that a second is a fifteenth of a
 * percent.
 */
#include "test_view_world.h"

#include <stdlib.h>
#include <string.h>

#include "base/ts.h"
#include "web/chart.h"
#include "web/chart_series.h"

#include "base/banned.h"

static int count(const char *text, char c)
{
    int n = 0;

    for (; *text; text++)
        n += *text == c;
    return n;
}

/* ---- letters, lines, axes ---- */

static void test_letters(void **state)
{
    static const struct {
        size_t index;
        const char *letter;
    } table[] = {
        {0,   "A"  },
        {1,   "B"  },
        {25,  "Z"  },
        {26,  "AA" },
        {27,  "AB" },
        {51,  "AZ" },
        {52,  "BA" },
        {675, "YZ" },
        {676, "ZA" },
        {701, "ZZ" },
        {702, "AAA"},
        {703, "AAB"},
    };
    char buf[8];

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        assert_string_equal(chart_letter(table[i].index, buf), table[i].letter);
}

static void test_kill_line(void **state)
{
    (void)state;
    assert_true(chart_kill_line(512 * MIB_BYTES) == 448 * MIB_BYTES);
    assert_true(chart_kill_line(1024 * MIB_BYTES) == 896 * MIB_BYTES);
    assert_true(chart_kill_line(4096 * MIB_BYTES) == 3968 * MIB_BYTES);
    assert_true(chart_kill_line(507510784) == 444071936); /* e2b.md 4 */
    assert_true(chart_kill_line(64 * GIB_BYTES) == 65408 * MIB_BYTES);
    assert_true(chart_kill_line(0) == 0);
}

static void test_percent(void **state)
{
    const struct chart_axis ax = {at("13:00"), at("14:00")};
    char buf[CHART_PERCENT_SIZE];

    (void)state;
    assert_string_equal(chart_percent(&ax, at("13:00"), buf), "0.00%");
    assert_string_equal(chart_percent(&ax, at("13:15"), buf), "25.00%");
    assert_string_equal(chart_percent(&ax, at("13:20:36"), buf), "34.33%");
    assert_string_equal(chart_percent(&ax, at("14:00"), buf), "100.00%");
}

static void test_axis_has_air(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    fill(w);
    want(w, "Charts.Kind", "ok");
    want(w, "Charts.From.Text", "13:59:00");
    want(w, "Charts.From.Iso", "2026-11-24T13:59:00.000Z");
    want(w, "Charts.To.Text", "14:24:00");
    want(w, "Charts.Cut", "");
    want(w, "Charts.Gaps.0.X", "");
    want(w, "Charts.Window.X", "");
    want(w, "Charts.Step", "5 s");
    want(w, "Charts.IsMaxima", "");
    want(w, "Charts.Samples", "275");
    view_end(w);
}

static void test_running_goes_to_now(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    w->ev.now_us = at("14:23");
    set_life(w, SANDBOX_RUNNING, "14:00", "", END);
    samples(w, "14:00:05", "14:22:40", 5);
    fill(w);
    want(w, "Charts.To.Text", "14:24:00");
    want(w, "Charts.Gaps.0.X", ""); /* the newest samples are on their way */
    view_end(w);
}

static void test_ticks(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    fill(w);
    assert_int_equal(rows(w, "Charts.Ticks"), 5);
    want(w, "Charts.Ticks.0.Text", "14:00");
    want(w, "Charts.Ticks.0.X", "4.00%");
    want(w, "Charts.Ticks.0.Anchor", "middle");
    want(w, "Charts.Ticks.0.Minor", "");
    want(w, "Charts.Ticks.1.Text", "14:05");
    want(w, "Charts.Ticks.1.X", "24.00%");
    want(w, "Charts.Ticks.1.Minor", "1");
    want(w, "Charts.Ticks.4.Text", "14:20");
    want(w, "Charts.Ticks.4.X", "84.00%");
    view_end(w);
}

static void test_tick_steps(void **state)
{
    static const struct {
        const char *from, *to;
        int n;
        const char *first, *second;
    } table[] = {
        {"14:00:00",  "14:00:07", 8,  "14:00:00", "14:00:01"},
        {"14:00:00",  "14:01:00", 7,  "14:00:00", "14:00:10"},
        {"14:00:00",  "14:02:10", 10, "14:00:00", "14:00:15"},
        {"14:00:00",  "14:10:00", 6,  "14:00",    "14:02"   },
        {"12:00:00",  "14:00:00", 9,  "12:00",    "12:15"   },
        {"-1 06:10",  "14:00:00", 6,  "06:00",    "12:00"   },
        {"-3 14:00",  "14:00:00", 7,  "12:00",    "00:00"   },
        {"-30 14:00", "14:00:00", 4,  "29 Oct",   "5 Nov"   },
    };
    struct view_world *w = view_begin();

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        double before = -100;

        set_life(w, SANDBOX_ENDED, table[i].from, table[i].to, END);
        w->ev.metric_count = 0;
        samples(w, table[i].to, table[i].to, 5);
        fill(w);
        want(w, "Charts.Ticks.0.Text", table[i].first);
        want(w, "Charts.Ticks.1.Text", table[i].second);
        assert_int_equal(rows(w, "Charts.Ticks"), table[i].n);
        for (int k = 0; k < table[i].n; k++) {
            double x = strtod(gotf(w, "Charts.Ticks.%d.X", k), NULL);

            assert_true(x - before >= 9.99); /* 90 of 900 px */
            before = x;
        }
    }
    view_end(w);
}

/* ---- gaps and pauses ---- */

static void test_what_is_a_gap(void **state)
{
    struct view_world *w = view_begin();
    struct chart_axis gaps[CHART_MAX_GAPS];
    const struct timeline *t = &w->tl;

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:10", "14:20", "14:30", END);
    assert_false(chart_is_gap(t, at("14:05:00"), at("14:05:15"), 5 * TS_SEC));
    assert_true(chart_is_gap(t, at("14:05:00"), at("14:05:16"), 5 * TS_SEC));
    assert_false(chart_is_gap(t, at("14:05:00"), at("14:06:00"), 30 * TS_SEC));
    assert_true(chart_is_gap(t, at("14:05:00"), at("14:06:01"), 30 * TS_SEC));
    /* the pause alone */
    assert_false(chart_is_gap(t, at("14:09:55"), at("14:20:05"), 5 * TS_SEC));
    assert_int_equal(chart_gaps(t, at("14:09:40"), at("14:20:30"), 5 * TS_SEC, gaps), 2);
    assert_true(gaps[0].from_us == at("14:09:40") && gaps[0].to_us == at("14:10:00"));
    assert_true(gaps[1].from_us == at("14:20:00") && gaps[1].to_us == at("14:20:30"));
    view_end(w);
}

static void test_step(void **state)
{
    static const int widths[] = {5, 30, 60, 120, 300, 900};
    struct view_world *w = view_begin();

    (void)state;
    assert_true(chart_step_us(w->metrics, 0) == 5 * TS_SEC);
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        w->ev.metric_count = 0;
        samples(w, "10:00", "13:00", widths[i]);
        assert_true(chart_step_us(w->metrics, w->ev.metric_count) == widths[i] * TS_SEC);
    }
    view_end(w);
}

static void test_line_is_broken_over_a_gap(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:10:00", 5);
    samples(w, "14:10:25", "14:22:55", 5);
    fill(w);
    assert_int_equal(rows(w, "Charts.Gaps"), 1);
    want(w, "Charts.Gaps.0.X", "44.00");
    want(w, "Charts.Gaps.0.W", "1.67");
    want(w, "Charts.Gaps.0.Mid", "44.83");
    want(w, "Charts.Gaps.0.Text", "no samples for 25 s");
    assert_int_equal(count(got(w, "Charts.Plots.1.Line"), 'M'), 2);
    assert_int_equal(count(got(w, "Charts.Plots.1.Area"), 'Z'), 2);
    assert_int_equal(rows(w, "Charts.Rows"), 120 + 1 + 151);
    want(w, "Charts.Rows.120.Words", "no samples for 25 s");
    want(w, "Charts.Rows.121.Time", "14:10:25");
    view_end(w);
}

static void test_line_is_broken_over_a_pause(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:10", "14:13", "14:23", END);
    samples(w, "14:00:05", "14:09:55", 5);
    samples(w, "14:13:05", "14:22:55", 5);
    fill(w);
    assert_int_equal(rows(w, "Charts.Pauses"), 1);
    want(w, "Charts.Pauses.0.X", "44.00");
    want(w, "Charts.Pauses.0.W", "12.00");
    want(w, "Charts.Pauses.0.Mid", "50.00");
    want(w, "Charts.Gaps.0.X", "");
    assert_int_equal(count(got(w, "Charts.Plots.0.Line"), 'M'), 2);
    want(w, "Charts.Rows.119.Words", "paused for 3 min");
    view_end(w);
}

static void test_gap_beside_a_pause(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:10", "14:13", "14:23", END);
    samples(w, "14:00:05", "14:09:20", 5);
    samples(w, "14:13:05", "14:22:55", 5);
    fill(w);
    assert_int_equal(rows(w, "Charts.Gaps"), 1);
    want(w, "Charts.Gaps.0.Text", "no samples for 40 s"); /* not the pause with it */
    want(w, "Charts.Gaps.0.X", "41.33");
    want(w, "Charts.Gaps.0.End", "44.00");
    want(w, "Charts.Rows.112.Words", "paused for 3 min, no samples for 40 s beside it");
    view_end(w);
}

static void test_gaps_at_both_ends(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:01:00", "14:05:00", 5);
    fill(w);
    assert_int_equal(rows(w, "Charts.Gaps"), 2);
    want(w, "Charts.Gaps.0.X", "4.00");
    want(w, "Charts.Gaps.0.Text", "no samples for 1 min");
    want(w, "Charts.Gaps.1.X", "24.00");
    want(w, "Charts.Gaps.1.End", "96.00");
    want(w, "Charts.Gaps.1.Text", "no samples for 18 min");
    /* silent while it runs: over a minute */
    w->ev.now_us = at("14:06:01");
    set_life(w, SANDBOX_RUNNING, "14:01", "", END);
    fill(w);
    assert_int_equal(rows(w, "Charts.Gaps"), 1);
    want(w, "Charts.Gaps.0.Text", "no samples for 1 min 1 s");
    view_end(w);
}

/* ---- few and none ---- */

static void test_few(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00:00", "14:00:07", END);
    samples(w, "14:00:01", "14:00:06", 5);
    fill(w);
    want(w, "Charts.Kind", "few");
    want(w, "Charts.Text", "2 samples only: the session lasted 7 s");
    assert_int_equal(rows(w, "Charts.Plots.1.Dots"), 2);
    want(w, "Charts.Plots.1.Dots.0.X", "17.14%"); /* 1.304 of 7.609 s */
    want(w, "Charts.Plots.1.Limit.Text", "limit 1,024 MiB");
    want(w, "Charts.Plots.0.Sentence", "Stayed at 10 %.");
    set_life(w, SANDBOX_ENDED, "14:00:00", "14:00:04", END);
    w->ev.metric_count = 1;
    fill(w);
    want(w, "Charts.Text", "1 sample only: the session lasted 4 s");
    want(w, "Charts.Plots.1.Sentence", "One sample, at 14:00:01: 100 MiB.");
    w->ev.now_us = at("14:00:20");
    set_life(w, SANDBOX_RUNNING, "14:00:00", "", END);
    w->ev.metric_count = 0;
    samples(w, "14:00:01", "14:00:11", 5);
    fill(w);
    want(w, "Charts.Text", "3 samples only: the session lasted 20 s so far");
    assert_int_equal(rows(w, "Charts.Plots.2.Dots"), 3);
    samples(w, "14:00:16", "14:00:16", 5);
    fill(w);
    want(w, "Charts.Kind", "ok");
    want(w, "Charts.Plots.2.Dots.0.X", "");
    view_end(w);
}

static void none(struct view_world *w, const char *text)
{
    fill(w);
    want(w, "Charts.Kind", "none");
    want(w, "Charts.Text", text);
    want(w, "Charts.Plots.0.Name", "");
}

static void test_none(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    w->ev.now_us = at("14:00:03");
    set_life(w, SANDBOX_RUNNING, "14:00", "", END);
    none(w, "No samples yet: the session started 3 s ago.");
    w->ev.now_us = at("14:05");
    set_life(w, SANDBOX_RUNNING, "14:00", "", END);
    none(w, "E2B holds no samples for this sandbox, though it ran for 5 min.");
    set_life(w, SANDBOX_ENDED, "14:00:00", "14:00:01", END);
    none(w, "No samples: the session lasted 1 s. E2B takes the first after 1 to 5 s.");
    set_life(w, SANDBOX_ENDED, "13:00", "13:05", END);
    none(w, "E2B holds no samples for this sandbox, though it ran for 5 min.");
    set_life(w, SANDBOX_ENDED, "-10 13:00", "-9 13:05", END);
    none(
        w,
        "The samples are gone: E2B keeps them 7 days and this sandbox ended 9 days ago.");
    set_life(w, SANDBOX_PAUSED, "-10 13:00", "-9 13:05", END);
    none(w, "The samples are gone: E2B keeps them 7 days and this sandbox was paused 9 "
            "days ago.");
    set_life(w, SANDBOX_ENDED, "-7 13:00", "-7 14:06", END);
    none(w, "E2B holds no samples for this sandbox, though it ran for 1 h 6 min.");
    w->ev.events_src.state = SOURCE_UNSUPPORTED;
    none(w, "This E2B stores no metrics, or holds none for this sandbox.");
    w->ev.events_src.state = SOURCE_OK;
    w->ev.metrics_src.state = SOURCE_UNSUPPORTED;
    none(w, "This E2B stores no metrics, or holds none for this sandbox.");
    /* not the same as none */
    w->ev.metrics_src.state = SOURCE_FAILED;
    none(w, "The samples could not be read from E2B.");
    w->ev.metrics_src.state = SOURCE_OK;
    set_life(w, SANDBOX_ENDED, END);
    none(w, "E2B holds no samples for this sandbox.");
    view_end(w);
}

/* ---- the complaint window ---- */

static void test_window_band(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    window(w, "14:05", "14:10");
    fill(w);
    want(w, "Charts.Window.X", "24.00");
    want(w, "Charts.Window.W", "20.00");
    want(w, "Charts.Window.End", "44.00");
    want(w, "Charts.Window.Text", "complaint window 14:05 \xE2\x80\x93 14:10");
    want(w, "Charts.Window.FromIn", "1");
    want(w, "Charts.Window.ToIn", "1");
    window(w, "13:00", "14:10");
    fill(w);
    want(w, "Charts.Window.X", "0.00");
    want(w, "Charts.Window.Text",
         "\xE2\x80\xB9 complaint window 13:00 \xE2\x80\x93 14:10");
    want(w, "Charts.Window.FromIn", "");
    window(w, "14:10", "16:00");
    fill(w);
    want(w, "Charts.Window.End", "100.00");
    want(w, "Charts.Window.Text",
         "complaint window 14:10 \xE2\x80\x93 16:00 \xE2\x80\xBA");
    want(w, "Charts.Window.ToIn", "");
    window(w, "13:00", "16:00");
    fill(w);
    want(w, "Charts.Window.Text",
         "\xE2\x80\xB9 complaint window 13:00 \xE2\x80\x93 16:00 \xE2\x80\xBA");
    window(w, "10:00", "11:00");
    fill(w);
    want(w, "Charts.Window.X", "");
    view_end(w);
}

static void test_long_life_is_cut_to_the_window(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "10:00", "15:00", END);
    samples(w, "10:00:30", "14:59:30", 30);
    window(w, "13:55", "14:10");
    fill(w); /* 13:25 to 14:40 and 195.65 s of air: 4,891.3 s */
    want(w, "Charts.Cut", "1");
    want(w, "Charts.WholeHref", "/casebook/whole");
    want(w, "Charts.From.Text", "13:21:44");
    want(w, "Charts.To.Text", "14:43:15");
    want(w, "Charts.Window.X", "40.80");
    want(w, "Charts.Window.W", "18.40");
    want(w, "Charts.Step", "30 s");
    want(w, "Charts.IsMaxima", "1");
    chart_with(w, NULL, true);
    want(w, "Charts.Cut", "");
    want(w, "Charts.From.Text", "09:46:57"); /* 5 h: 782.6 s of air */
    window(w, "08:00", "09:00");             /* shows nothing of it */
    fill(w);
    want(w, "Charts.Cut", "");
    window(w, "10:10", "14:50"); /* shows all of it */
    fill(w);
    want(w, "Charts.Cut", "");
    set_life(w, SANDBOX_ENDED, "13:00", "15:00", END); /* not over two hours */
    window(w, "13:55", "14:10");
    w->ev.metric_count = 0;
    samples(w, "13:00:30", "14:59:30", 30);
    fill(w);
    want(w, "Charts.Cut", "");
    view_end(w);
}

/* What is told of a part is of that part. */
static void test_cut_numbers_are_of_the_part(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "10:00", "15:00", END);
    add_sample(w, at("10:00"), 10, 900 * MIB_BYTES, GIB_BYTES);
    add_sample(w, at("13:30"), 10, 140 * MIB_BYTES, GIB_BYTES);
    add_sample(w, at("14:00"), 10, 858 * MIB_BYTES, GIB_BYTES);
    add_sample(w, at("14:30"), 10, 121 * MIB_BYTES, GIB_BYTES);
    add_sample(w, at("15:00"), 10, 7 * MIB_BYTES, GIB_BYTES);
    window(w, "13:55", "14:10");
    fill(w);
    want(w, "Charts.Plots.1.Peak", "858 MiB");
    want(w, "Charts.Plots.1.Sentence",
         "Began at 140 MiB, was highest at 14:00:00 with 858 MiB, and at 14:30:00 was at "
         "121 MiB.");
    w->ev.metric_count = 1;
    fill(w);
    want(w, "Charts.Plots.1.Peak", "");
    want(w, "Charts.Plots.1.Sentence", "No sample lies in this part.");
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters),
        cmocka_unit_test(test_kill_line),
        cmocka_unit_test(test_percent),
        cmocka_unit_test(test_axis_has_air),
        cmocka_unit_test(test_running_goes_to_now),
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_tick_steps),
        cmocka_unit_test(test_what_is_a_gap),
        cmocka_unit_test(test_step),
        cmocka_unit_test(test_line_is_broken_over_a_gap),
        cmocka_unit_test(test_line_is_broken_over_a_pause),
        cmocka_unit_test(test_gap_beside_a_pause),
        cmocka_unit_test(test_gaps_at_both_ends),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_window_band),
        cmocka_unit_test(test_long_life_is_cut_to_the_window),
        cmocka_unit_test(test_cut_numbers_are_of_the_part),
    };

    return cmocka_run_group_tests_name("the axis of the charts", tests, NULL, NULL);
}
