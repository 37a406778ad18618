/*
 * The series of the charts and what is drawn into them, with values worked out by hand. The axis goes from
 * 13:59:00 to 14:24:00 for a life from 14:00:00 to 14:23:00 (test_chart.c): 0.6 of 900 pixels a second.
 */
#include "test_view_world.h"

#include <stdlib.h>
#include <string.h>

#include "base/ts.h"
#include "web/chart.h"

#include "base/banned.h"

/* ---- the series ---- */

static void test_path(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    add_sample(w, at("14:00:00"), 50, 512 * MIB_BYTES, 4198 * MIB_BYTES);
    add_sample(w, at("14:00:05"), 0, 0, 0);
    add_sample(w, at("14:00:10"), 100, 1024 * MIB_BYTES, 10240 * MIB_BYTES);
    add_sample(w, at("14:00:15"), 0, 0, 0);
    fill(w);
    want(w, "Charts.Plots.0.Line", "M400 54L433 96L466 11L500 96");
    want(w, "Charts.Plots.0.Area", "M400 54L433 96L466 11L500 96V96H400Z");
    want(w, "Charts.Plots.1.Line", "M400 94L433 168L466 19L500 168");
    want(w, "Charts.Plots.2.Line", "M400 62L433 98L466 11L500 98");
    want(w, "Charts.Plots.0.Name", "cpu");
    want(w, "Charts.Plots.1.Title", "Memory");
    want(w, "Charts.Plots.2.Height", "98");
    view_end(w);
}

static void test_limits(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    w->metrics[7].mem_used = 887 * MIB_BYTES;
    fill(w);
    want(w, "Charts.Plots.0.Limit.Text", "");
    want(w, "Charts.Plots.1.Limit.Text", "limit 1,024 MiB");
    want(w, "Charts.Plots.1.Limit.Y", "19");
    want(w, "Charts.Plots.1.Kill.Text", "processes are killed from about 896 MiB");
    want(w, "Charts.Plots.1.Kill.Y", "38");
    want(w, "Charts.Plots.2.Limit.Text", "disk size 10 GiB");
    want(w, "Charts.Plots.2.Limit.Y", "11");
    want(w, "Charts.Plots.0.Y.1.Text", "50 %");
    want(w, "Charts.Plots.0.Y.2.Y", "11");
    want(w, "Charts.Plots.1.Y.0.Text", "0");
    want(w, "Charts.Plots.1.Y.1.Text", "512 MiB");
    want(w, "Charts.Plots.1.Y.2.Text", "1,024 MiB");
    want(w, "Charts.Plots.0.PeakNote", "peak, of 2 vCPU together");
    want(w, "Charts.Plots.1.Peak", "887 MiB");
    want(w, "Charts.Plots.1.PeakNote", "peak, 99 % of the kill line");
    want(w, "Charts.Plots.2.PeakNote", "peak, of 10 GiB");
    view_end(w);
}

static void test_values_above_the_limit(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    w->metrics[0].mem_used = 1200 * MIB_BYTES;
    fill(w); /* the upper edge is 1,356 MiB */
    want(w, "Charts.Plots.1.Limit.Y", "41");
    assert_memory_equal(got(w, "Charts.Plots.1.Line"), "M433 19L", 8);
    view_end(w);
}

static void test_large_values(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    w->tl.memory_mib = 65536;
    w->tl.disk_mib = (int64_t)4 << 20;
    for (size_t i = 0; i < w->ev.metric_count; i++) {
        w->metrics[i].mem_total = 64 * GIB_BYTES;
        w->metrics[i].mem_used = 40 * GIB_BYTES;
        w->metrics[i].disk_used = 3072 * GIB_BYTES;
        w->metrics[i].disk_total = 4096 * GIB_BYTES;
    }
    fill(w);
    want(w, "Charts.Plots.1.Peak", "40 GiB");
    want(w, "Charts.Plots.1.Limit.Text", "limit 64 GiB");
    want(w, "Charts.Plots.1.Kill.Text", "processes are killed from about 63.9 GiB");
    want(w, "Charts.Plots.1.Sentence", "Stayed at 40 GiB.");
    want(w, "Charts.Plots.2.Peak", "3 TiB");
    want(w, "Charts.Plots.2.Limit.Text", "disk size 4 TiB");
    want(w, "Charts.Rows.0.Mem", "40960");
    want(w, "Charts.Rows.0.Disk", "3072.0");
    view_end(w);
}

/* Agents before 0.2.4 tell no disk. */
static void test_unknown_sizes(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    w->tl.disk_mib = w->tl.memory_mib = 0;
    for (size_t i = 0; i < w->ev.metric_count; i++) {
        w->metrics[i].mem_total = i == 3 ? 512 * MIB_BYTES : 0;
        w->metrics[i].disk_used = w->metrics[i].disk_total = 0;
    }
    fill(w);
    want(w, "Charts.Plots.1.Limit.Text", "limit 512 MiB");
    want(w, "Charts.Plots.1.Kill.Text", "processes are killed from about 448 MiB");
    want(w, "Charts.Plots.2.Limit.Text", "");
    want(w, "Charts.Plots.2.PeakNote", "peak");
    view_end(w);
}

static void sentence(struct view_world *w, const int mib[4], const char *text)
{
    w->ev.metric_count = 0;
    for (int i = 0; i < 4; i++)
        add_sample(w, at("14:00:00") + i * 5 * TS_SEC, 10, mib[i] * MIB_BYTES, 0);
    fill(w);
    want(w, "Charts.Plots.1.Sentence", text);
}

static void test_sentences(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    sentence(
        w, (const int[]){140, 858, 300, 121},
        "Began at 140 MiB, was highest at 14:00:05 with 858 MiB, and at 14:00:15 was "
        "at 121 MiB.");
    sentence(w, (const int[]){100, 200, 300, 400},
             "Went from 100 MiB to 400 MiB, its highest, at 14:00:15, the last sample.");
    sentence(w, (const int[]){400, 300, 200, 100},
             "Began at 400 MiB, its highest, and at 14:00:15 was at 100 MiB.");
    sentence(w, (const int[]){100, 100, 100, 100}, "Stayed at 100 MiB.");
    /* the same at both ends, but not between */
    sentence(w, (const int[]){100, 50, 50, 100},
             "Began at 100 MiB, its highest, and at 14:00:15 was at 100 MiB.");
    view_end(w);
}

static void test_columns_hold_maxima(void **state)
{
    struct view_world *w = view_begin();
    bool found = false;
    int n;

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00:00", "15:00:00", END);
    samples(w, "14:00:00", "14:59:55", 5);
    assert_int_equal(w->ev.metric_count, 720);
    w->metrics[360].mem_used = 858 * MIB_BYTES; /* 14:30:00 */
    fill(w);
    for (int p = 0; p < 3; p++) {
        char name[40] = "Charts.Plots.0.Cols";

        name[13] = (char)('0' + p);
        n = rows(w, name);
        assert_in_range(n, 100, 120);
    }
    want(w, "Charts.Plots.1.Cols.0.Title", "14:00:00 UTC, 100 MiB");
    want(w, "Charts.Plots.1.Cols.0.X", "3.333"); /* the fifth of 120: 4 % lies in it */
    for (int i = 0; i < rows(w, "Charts.Plots.1.Cols"); i++)
        found = found || strcmp(gotf(w, "Charts.Plots.1.Cols.%d.Title", i),
                                "14:30:00 UTC, 858 MiB") == 0;
    assert_true(found);
    want(w, "Charts.Rows.360.Mem", "858");
    want(w, "Charts.Rows.360.Cpu", "10");
    want(w, "Charts.Rows.360.Cache", "12");
    want(w, "Charts.Rows.360.Disk", "1.0");
    view_end(w);
}

static void test_hdf_of_an_hour_is_small(void **state)
{
    struct view_world *w = view_begin();
    char *text = NULL;

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00:00", "15:00:00", END);
    samples(w, "14:00:00", "14:59:55", 5);
    fill(w);
    assert_true(!hdf_write_string(w->hdf, &text));
    assert_in_range(strlen(text), 60000, 160000);
    free(text);
    view_end(w);
}

/* ---- what is drawn into them ---- */

static void test_marks_of_evidence(void **state)
{
    struct view_world *w = view_begin();
    /* 14:00:05 and 14:10:00 */
    static const struct evidence_item items[] = {
        {.at_us = TS_NONE, .kind = "memory",  .text = "", .ref = "metric:1795528805"},
        {.at_us = TS_NONE, .kind = "process", .text = "", .ref = "pid:685"          },
        {.at_us = TS_NONE, .kind = "cpu",     .text = "", .ref = "metric:1795529400"},
        {.at_us = TS_NONE, .kind = "memory",  .text = "", .ref = "metric:1795529400"},
        {.at_us = TS_NONE, .kind = "memory",  .text = "", .ref = "metric:1795529400"},
        {.at_us = TS_NONE, .kind = "memory",  .text = "", .ref = "metric:1795529400"},
        {.at_us = TS_NONE, .kind = "memory",  .text = "", .ref = "metric:1"         },
        {.at_us = TS_NONE, .kind = "memory",  .text = "", .ref = "metric:x"         },
    };
    struct finding f = {.failed_at_us = TS_NONE,
                        .evidence = items,
                        .evidence_count = sizeof(items) / sizeof(items[0])};

    (void)state;
    assert_true(at("14:00:05") == 1795528805 * TS_SEC);
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    chart_with(w, &f, false);
    assert_int_equal(rows(w, "Charts.Plots.0.Marks"), 1);
    want(w, "Charts.Plots.0.Marks.0.Number", "3");
    want(w, "Charts.Plots.0.Marks.0.X", "44.00%");
    want(w, "Charts.Plots.0.Marks.0.Y", "88");
    assert_int_equal(rows(w, "Charts.Plots.1.Marks"), 4);
    want(w, "Charts.Plots.1.Marks.0.Number", "1");
    want(w, "Charts.Plots.1.Marks.0.X", "4.33%");
    want(w, "Charts.Plots.1.Marks.0.NumberX", "21"); /* near the left edge */
    want(w, "Charts.Plots.1.Marks.1.Number", "4");
    want(w, "Charts.Plots.1.Marks.1.NumberX", "-21");
    want(w, "Charts.Plots.1.Marks.1.NumberY", "0");
    want(w, "Charts.Plots.1.Marks.2.Number", "5");
    want(w, "Charts.Plots.1.Marks.2.NumberX", "21"); /* not on top of the other */
    want(w, "Charts.Plots.1.Marks.2.NumberY", "0");
    want(w, "Charts.Plots.1.Marks.3.Number", "6");
    want(w, "Charts.Plots.1.Marks.3.NumberX", "-21");
    want(w, "Charts.Plots.1.Marks.3.NumberY",
         "-19"); /* above: the sample is at the foot */
    assert_int_equal(rows(w, "Charts.Plots.2.Marks"), 0);
    view_end(w);
}

static void test_events(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    add_event(w, EVENT_CREATED, "14:00", "x1");
    add_event(w, EVENT_UPDATED, "14:05:00", "x1"); /* 6 px apart: each steps away */
    add_event(w, EVENT_UPDATED, "14:05:10", "x1");
    add_event(w, EVENT_KILLED, "14:23", "x1");
    add_event(w, EVENT_OTHER, "14:40", "x1"); /* off the axis */
    fill(w);
    assert_int_equal(rows(w, "Charts.Events"), 4);
    want(w, "Charts.Events.0.Letter", "A");
    want(w, "Charts.Events.0.X", "4.00%");
    want(w, "Charts.Events.0.Dx", "0");
    want(w, "Charts.Events.1.X", "24.00%");
    want(w, "Charts.Events.1.Dx", "-6");
    want(w, "Charts.Events.2.X", "24.67%");
    want(w, "Charts.Events.2.Dx", "6");
    want(w, "Charts.Events.3.Letter", "D");
    want(w, "Charts.Events.3.Dx", "0");
    view_end(w);
}

static void test_a_crowd_of_events(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    for (int i = 0; i < 9; i++)
        add_event(w, EVENT_UPDATED, "14:05", "x1")->at_us += i * 5 * TS_SEC;
    fill(w);
    assert_int_equal(rows(w, "Charts.Events"), 9);
    want(w, "Charts.Events.0.Letter", "A");
    want(w, "Charts.Events.1.Letter", "");
    want(w, "Charts.Events.7.Letter", "");
    want(w, "Charts.Events.8.Letter", "I");
    want(w, "Charts.Events.8.X", "26.67%");
    view_end(w);
}

static void test_failure_line(void **state)
{
    struct view_world *w = view_begin();
    struct finding f = {.failed_at_us = at("14:10:00")};

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    chart_with(w, &f, false);
    want(w, "Charts.Failed.X", "44.00%");
    want(w, "Charts.Failed.Text", "failed 14:10:00");
    want(w, "Charts.Failed.IsRight", "");
    add_event(w, EVENT_KILLED, "14:12", "x1"); /* 72 px to the right */
    chart_with(w, &f, false);
    want(w, "Charts.Failed.IsRight", "1");
    w->events[0].at_us = at("14:12:31"); /* 90.6 px */
    chart_with(w, &f, false);
    want(w, "Charts.Failed.IsRight", "");
    f.failed_at_us = at("14:22");
    chart_with(w, &f, false);
    want(w, "Charts.Failed.IsRight", "1");
    f.failed_at_us = at("15:00");
    chart_with(w, &f, false);
    want(w, "Charts.Failed.X", "");
    f.failed_at_us = TS_NONE;
    chart_with(w, &f, false);
    want(w, "Charts.Failed.X", "");
    view_end(w);
}

/* What is no sample stands on the rail, where and while it is in view; who asks is told what stands where. */
static void test_evidence_on_the_rail(void **state)
{
    struct view_world *w = view_begin();
    const struct evidence_item items[] = {
        {.at_us = at("14:02:58"), .kind = "process", .text = "", .ref = "pid:685"},
        {.at_us = at("14:02:59"), .kind = "log",     .text = "", .ref = "log:x"  },
        {.at_us = at("14:00:05"),
         .kind = "memory",
         .text = "",
         .ref = "metric:1795528805"                                              },
        {.at_us = at("13:00:00"), .kind = "event",   .text = "", .ref = "event:a"},
        {.at_us = TS_NONE,        .kind = "process", .text = "", .ref = "pid:1"  },
        {.at_us = at("14:23:00"), .kind = "event",   .text = "", .ref = "event:b"},
        {.at_us = at("14:23:00"), .kind = "event",   .text = "", .ref = "event:c"},
    };
    struct finding f = {.failed_at_us = TS_NONE, .evidence = items, .evidence_count = 7};
    enum chart_place places[7] = {CHART_NOWHERE};
    struct chart_input in = {.arena = &w->arena,
                             .ev = &w->ev,
                             .tl = &w->tl,
                             .finding = &f,
                             .win_from_us = TS_NONE,
                             .win_to_us = TS_NONE,
                             .now_us = w->ev.now_us,
                             .places = places};

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    in.tl = &w->tl;
    chart_fill(w->hdf, &in);
    assert_int_equal(rows(w, "Charts.Marks"), 4);
    want(w, "Charts.Marks.0.Number", "1");
    want(w, "Charts.Marks.0.X", "15.87%");
    want(w, "Charts.Marks.0.Dx", "0");
    want(w, "Charts.Marks.1.Number", "2");
    want(w, "Charts.Marks.1.Dx", "19"); /* beside the first */
    want(w, "Charts.Marks.2.Number", "6");
    want(w, "Charts.Marks.3.Number", "7");
    want(w, "Charts.Marks.3.Dx", "-19"); /* at the right edge to the left */
    assert_int_equal(places[0], CHART_RAIL);
    assert_int_equal(places[2], CHART_POINT);
    assert_int_equal(places[3], CHART_NOWHERE);
    assert_int_equal(places[4], CHART_NOWHERE);
    view_end(w);
}

static void zoomed(struct view_world *w, const struct finding *f, const char *zoom,
                   const char *from, const char *to)
{
    struct chart_input in = {.arena = &w->arena,
                             .ev = &w->ev,
                             .tl = &w->tl,
                             .finding = f,
                             .win_from_us = w->link.from_us,
                             .win_to_us = w->link.to_us,
                             .now_us = w->ev.now_us,
                             .whole_life_href = "/whole",
                             .zoom = zoom,
                             .zoom_href = "/page?"};

    view_fresh(w);
    chart_fill(w->hdf, &in);
    want(w, "Charts.From.Text", from);
    want(w, "Charts.To.Text", to);
}

/* Only what shows a part of its life is offered; the air is 4 % on both sides. */
static void test_zooms(void **state)
{
    struct view_world *w = view_begin();
    struct finding f = {.failed_at_us = at("14:10:00")};

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    window(w, "13:55", "14:11:30");
    zoomed(w, &f, "", "13:59:00", "14:24:00");
    want(w, "Charts.IsZoomed", "");
    want(w, "Charts.Zooms.0.Text", "the complaint window");
    want(w, "Charts.Zooms.0.Href", "/page?zoom=window#charts");
    want(w, "Charts.Zooms.1.Text", "around the failure");
    want(w, "Charts.Zooms.2.Href", "/page?zoom=5m#charts");
    want(w, "Charts.Zooms.3.Text", "the last 15 min");
    assert_int_equal(rows(w, "Charts.Zooms"), 4); /* it did not live an hour */
    want(w, "Charts.FirstShown", "0");
    zoomed(w, &f, "15m", "14:07:20", "14:23:39");
    want(w, "Charts.IsZoomed", "1");
    want(w, "Charts.WholeHref", "/whole");
    want(w, "Charts.Zooms.3.IsShown", "1");
    want(w, "Charts.FirstShown", "88"); /* 14:00:05 … 14:07:20 */
    want(w, "Charts.Plots.1.Sentence", "Stayed at 100 MiB.");
    zoomed(w, &f, "failure", "14:07:49", "14:12:10");
    zoomed(w, &f, "window", "13:54:16", "14:12:13");
    zoomed(w, NULL, "failure", "13:59:00", "14:24:00"); /* there is none */
    zoomed(w, NULL, "x", "13:59:00", "14:24:00");
    window(w, "13:00", "15:00"); /* shows all of it */
    zoomed(w, NULL, "window", "13:59:00", "14:24:00");
    want(w, "Charts.Zooms.0.Text", "the last 5 min");
    window(w, "12:00", "12:30"); /* shows nothing of it */
    zoomed(w, NULL, "window", "13:59:00", "14:24:00");
    want(w, "Charts.Zooms.0.Text", "the last 5 min");
    view_end(w);
}

/* When it ran, when it was to end, and how that moved. */
static void test_expected_ends(void **state)
{
    struct view_world *w = view_begin();
    struct deadline_move moves[] = {
        {.at_us = at("14:12"), .from_us = at("14:20"), .to_us = at("14:23")},
        {.at_us = at("14:13"), .from_us = at("14:23"), .to_us = at("14:23")},
    };
    struct execution *x;

    (void)state;
    set_life(w, SANDBOX_ENDED, "14:00", "14:05", "14:10", "14:23", END);
    samples(w, "14:00:05", "14:22:55", 5);
    x = (struct execution *)w->tl.execs;
    x[0].end = EXEC_PAUSED;
    x[0].first_deadline_us = x[0].deadline_us = at("14:08");
    x[1].end = EXEC_KILLED;
    x[1].first_deadline_us = at("14:20");
    x[1].deadline_us = at("14:23");
    x[1].moves = moves;
    x[1].move_count = 2;
    fill(w);
    assert_int_equal(rows(w, "Charts.Execs"), 2);
    want(w, "Charts.Execs.0.X", "4.00");
    want(w, "Charts.Execs.0.W", "20.00");
    want(w, "Charts.Ends.0.X", "36.00%");
    want(w, "Charts.Ends.0.Title", "expected end 14:08:00, not reached: paused");
    want(w, "Charts.Ends.0.IsInForce", "1");
    want(w, "Charts.Ends.1.Title", "expected end 14:20:00, moved");
    want(w, "Charts.Ends.1.IsInForce", "");
    want(w, "Charts.Ends.2.Title", "expected end 14:23:00, reached");
    want(w, "Charts.Ends.2.IsInForce", "1");
    assert_int_equal(rows(w, "Charts.Moves"), 1); /* the second moved nothing */
    want(w, "Charts.Moves.0.X1", "84.00%");
    want(w, "Charts.Moves.0.X2", "96.00%");
    want(w, "Charts.Moves.0.IsRight", "1");
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_values_above_the_limit),
        cmocka_unit_test(test_large_values),
        cmocka_unit_test(test_unknown_sizes),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_columns_hold_maxima),
        cmocka_unit_test(test_hdf_of_an_hour_is_small),
        cmocka_unit_test(test_marks_of_evidence),
        cmocka_unit_test(test_evidence_on_the_rail),
        cmocka_unit_test(test_zooms),
        cmocka_unit_test(test_expected_ends),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_a_crowd_of_events),
        cmocka_unit_test(test_failure_line),
    };

    return cmocka_run_group_tests_name("the series of the charts", tests, NULL, NULL);
}
