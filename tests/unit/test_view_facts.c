/*
 * Rebuilt facts and where they are said to come from; the history of the timeout; states in words; the rows of
 * a timeline that no event tells.
 */
#include "test_view_world.h"

#include <string.h>

#include "base/ts.h"
#include "web/chart.h"
#include "web/view_sandbox.h"

#include "base/banned.h"

static struct sandbox_view view;
static struct sandbox_record record;

/* All that the page fills from evidence and record. */
static void show_with(struct view_world *w, const struct sandbox_record *r)
{
    view_fresh(w);
    view = (struct sandbox_view){.link = &w->link,
                                 .sandbox_id = w->ev.sandbox_id,
                                 .ev = &w->ev,
                                 .matched_value = "",
                                 .now_us = w->ev.now_us,
                                 .record = r,
                                 .forgotten_events = view.forgotten_events};
    timeline_build_with(&w->arena, &w->ev, r, &view.tl);
    view_sandbox_head(w->hdf, &view);
    view_sandbox_facts(w->hdf, &view);
    view_timeline(w->hdf, &view, NULL, 0, false, "/casebook/all#timeline");
}

static struct view_world *begin(void)
{
    struct view_world *w = view_begin();

    view = (struct sandbox_view){.forgotten_events = 0};
    record = (struct sandbox_record){
        .template_id = "", .template_alias = "", .seen_us = at("14:10:00")};
    w->ev.sandbox_src.state = SOURCE_NOT_THERE;
    w->ev.events_src.state = w->ev.metrics_src.state = w->ev.logs_src.state = SOURCE_OK;
    return w;
}

/* Created 13:48:12, to end at 13:58:12; moved; killed by its timeout at 14:15:06. */
static struct event *add_life(struct view_world *w)
{
    struct event *killed;

    add_event(w, EVENT_CREATED, "13:48:12", "x1");
    add_created(w, "13:48:12.500", "13:58:12");
    add_event(w, EVENT_UPDATED, "13:52:00", "x1")->set_timeout_us = at("14:15:06");
    killed = add_event(w, EVENT_KILLED, "14:15:06.391", "x1");
    killed->kill_reason = "timeout";
    killed->exec_cpu_count = 2;
    killed->exec_memory_mib = 1024;
    killed->template_id = "p3v8";
    return killed;
}

static void fact(struct view_world *w, int i, const char *label, const char *value,
                 const char *origin)
{
    assert_string_equal(gotf(w, "Facts.%d.Label", i), label);
    assert_string_equal(gotf(w, "Facts.%d.Value", i), value);
    assert_string_equal(gotf(w, "Facts.%d.Origin", i), origin);
    assert_string_equal(gotf(w, "Facts.%d.IsRebuilt", i), *origin ? "1" : "");
}

static void test_each_fact_says_where_it_is_from(void **state)
{
    struct view_world *w = begin();

    (void)state;
    add_life(w);
    add_sample(w, at("13:50:00"), 10, 100 * MIB_BYTES, GIB_BYTES)->disk_total =
        10 * GIB_BYTES;
    record.template_alias = "report-py";
    show_with(w, &record);
    fact(w, 0, "vCPU", "2", "from its killed event of 14:15:06");
    fact(w, 1, "Memory", "1,024 MiB", "from its killed event of 14:15:06");
    fact(w, 2, "Disk", "10 GiB", "from the samples");
    fact(w, 3, "Template", "report-py", "from Casebook's record of 14:10:00");
    want(w, "Facts.3.Mono", "p3v8");
    fact(w, 4, "State", "-", "from its killed event of 14:15:06");
    want(w, "Facts.4.Second", "by its timeout, as configured, 24 Nov 14:15:06");
    fact(w, 5, "Started", "24 Nov 13:48:12 UTC", "from its created event of 13:48:12");
    fact(w, 6, "Ran for", "26 min 54 s", ""); /* reckoned */
    fact(w, 7, "Timeout setting", "10 min, last set to 23 min 6 s",
         "from the log line of 13:48:12");
    want(w, "RebuiltNote",
         "E2B forgets a sandbox when it ends. Rebuilt: vCPU, Memory, State from its "
         "killed "
         "event of 14:15:06; Disk from the samples; Template from Casebook's record of "
         "14:10:00; Started from its created event of 13:48:12; Timeout setting from the "
         "log line of 13:48:12.");
    view_end(w);
}

static void test_the_history_of_the_timeout(void **state)
{
    struct view_world *w = begin();

    (void)state;
    add_life(w);
    show_with(w, NULL);
    want(w, "Facts.7.Fold.Title", "Set 2 times");
    want(w, "Facts.7.Fold.Rows.0.Time.Text", "13:48:12");
    want(w, "Facts.7.Fold.Rows.0.Text", "began with 10 min: the end was to be 13:58:12");
    want(w, "Facts.7.Fold.Rows.0.Origin", "from the log line of 13:48:12");
    want(w, "Facts.7.Fold.Rows.1.Text",
         "prolonged: the end moved from 13:58:12 to 14:15:06");
    want(w, "Facts.7.Fold.Rows.1.Origin", "from its updated event of 13:52:00");
    w->events[1].set_timeout_us = at("13:55:00");
    show_with(w, NULL);
    want(w, "Facts.7.Fold.Rows.1.Text",
         "shortened: the end moved from 13:58:12 to 13:55:00");
    w->events[1].set_timeout_us = at("13:58:12");
    show_with(w, NULL);
    want(w, "Facts.7.Fold.Rows.1.Text", "set again; the end did not move from 13:58:12");
    view_end(w);
}

static void test_a_timeout_that_nobody_told(void **state)
{
    struct view_world *w = begin();
    struct event *killed = add_life(w);

    (void)state;
    w->ev.log_count = 0;
    show_with(w, NULL);
    fact(w, 7, "Timeout setting", "last set to 23 min 6 s",
         "from its updated event of 13:52:00");
    w->events[1].set_timeout_us = TS_NONE;
    show_with(w, NULL); /* it ran into it: that tells how long it was */
    fact(w, 7, "Timeout setting", "about 26 min 54 s: then its timeout ended it",
         "from its killed event of 14:15:06");
    killed->kill_reason = "request";
    show_with(w, NULL);
    fact(w, 7, "Timeout setting", "not known", "");
    view_end(w);
}

static void test_each_run_by_itself(void **state)
{
    struct view_world *w = begin();

    (void)state;
    add_event(w, EVENT_CREATED, "13:00", "x1");
    add_event(w, EVENT_PAUSED, "13:10", "x1");
    add_event(w, EVENT_RESUMED, "14:55:49", "x2");
    set_sandbox(w, SANDBOX_RUNNING, "14:55:49", "15:30");
    w->ev.sandbox_src.state = SOURCE_OK;
    show_with(w, NULL);
    want(w, "Head.Ran", "running for 9 min, 19 min in all");
    fact(w, 6, "Ran for", "19 min", "");
    want(w, "Facts.6.Second", "in 2 runs, paused 1 h 46 min");
    want(w, "Facts.6.Fold.Title", "Each of the 2 runs");
    want(w, "Facts.6.Fold.Rows.0.Text", "10 min, paused");
    want(w, "Facts.6.Fold.Rows.0.Origin", "from its created event of 13:00:00");
    want(w, "Facts.6.Fold.Rows.1.Text", "9 min, still running");
    fact(w, 5, "Started", "24 Nov 13:00:00 UTC", ""); /* E2B tells of it still */
    view_end(w);
}

static void ended(struct view_world *w, const char *second)
{
    show_with(w, NULL);
    want(w, "Facts.4.State.Kind", "ended");
    want(w, "Facts.4.Second", second);
}

static void test_who_ended_it(void **state)
{
    struct view_world *w = begin();
    struct event *killed = add_life(w);

    (void)state;
    killed->kill_reason = "admin";
    ended(w, "by E2B's staff, 24 Nov 14:15:06");
    killed->kill_reason = "quota";
    ended(w, "E2B's reason is \xE2\x80\x9Cquota\xE2\x80\x9D, 24 Nov 14:15:06");
    killed->kill_reason = "";
    ended(w, "no reason recorded; the time fits its timeout, 24 Nov 14:15:06");
    killed->type = EVENT_PAUSED; /* and now it is gone */
    ended(w, "deleted while paused; paused at 24 Nov 14:15:06");
    want(w, "Messages.0.Title", "It was deleted while it was paused.");
    w->ev.event_count = 2;
    ended(w, "how it ended is not on record");
    add_line(w, "14:02:00", "orchestrator", "Sandbox stopped", END);
    ended(w, "its machine stopped by itself, 24 Nov 14:02:00");
    view_end(w);
}

/* ---- messages ---- */

static void test_events_that_E2B_forgot(void **state)
{
    struct view_world *w = begin();

    (void)state;
    add_life(w);
    view.forgotten_events = 3;
    show_with(w, &record);
    want(w, "Messages.0.Title", "E2B no longer has the events.");
    view.forgotten_events = 1;
    show_with(w, &record);
    want(w, "Messages.0.Title", "E2B no longer has all of the events.");
    w->ev.events_src.state = SOURCE_FAILED; /* then nobody knows */
    show_with(w, &record);
    assert_int_equal(rows(w, "Messages"), 0);
    view_end(w);
}

static void test_a_life_that_is_partly_forgotten(void **state)
{
    struct view_world *w = begin();

    (void)state;
    add_event(w, EVENT_CREATED, "-9 13:00", "x1");
    add_event(w, EVENT_PAUSED, "-9 14:00", "x1");
    add_event(w, EVENT_RESUMED, "14:00", "x2");
    set_sandbox(w, SANDBOX_RUNNING, "14:00", "16:00");
    show_with(w, NULL);
    want(w, "Messages.0.Title", "E2B no longer has the first samples and lines.");
    want(w, "Messages.0.Text",
         "It keeps them 7 days: those from before 17 Nov 15:04 UTC are gone.");
    w->ev.event_count = 2;
    set_sandbox(w, SANDBOX_PAUSED, "-9 13:00", "-9 14:00");
    show_with(w, NULL);
    want(w, "Messages.0.Title", "E2B no longer has the samples and lines.");
    want(
        w, "Messages.0.Text",
        "It keeps them 7 days and this sandbox was paused 9 days ago: retention ended on "
        "22 Nov 14:00 UTC. No evidence was kept, since nobody investigated it in time.");
    view_end(w);
}

static void test_nothing_is_denied_that_was_not_answered(void **state)
{
    struct view_world *w = begin();
    struct source *parts[] = {&w->ev.sandbox_src, &w->ev.events_src, &w->ev.metrics_src,
                              &w->ev.logs_src};

    (void)state;
    show_with(w, NULL);
    assert_int_equal(rows(w, "Messages"), 0);
    want(w, "Timeline.Empty", "No event is on record for this sandbox.");
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct source before = *parts[i];

        parts[i]->state = SOURCE_FAILED;
        show_with(w, NULL);
        want(w, "Messages.0.Title", "It is not known whether this sandbox exists.");
        want(w, "TagsKnown", "");
        *parts[i] = before;
    }
    w->ev.events_src.state = SOURCE_FAILED;
    show_with(w, NULL);
    want(w, "Timeline.Empty", "");
    want(w, "Timeline.Margin", "not read");
    w->ev.events_src.state = SOURCE_NOT_THERE;
    show_with(w, NULL);
    assert_non_null(strstr(got(w, "Timeline.Empty"), "404"));
    view_end(w);
}

/* ---- rows without an event ---- */

#define row(w, i, name, value)                                                           \
    want(w, arena_fmt(&(w)->arena, "Timeline.Rows.%d.%s", i, name), value)

static void test_a_timeline_from_lines_alone(void **state)
{
    struct view_world *w = begin();

    (void)state;
    w->ev.events_src.state = SOURCE_UNSUPPORTED;
    add_created(w, "13:48:12.500", "14:18:12");
    add_line(w, "13:58:12", "orchestrator", "Pausing sandbox", END);
    add_line(w, "13:58:13", "orchestrator", "Sandbox stopped", END);
    add_created(w, "14:00:00", "14:30:00");
    add_line(w, "14:10:00", "orchestrator", "Killing sandbox", "kill_reason", "request",
             END);
    add_line(w, "14:10:01", "orchestrator", "Sandbox stopped", END);
    show_with(w, NULL);
    want(w, "Messages.0.Title", "E2B here has no event history.");
    want(w, "Timeline.Margin", "from the logs and Casebook's record");
    assert_int_equal(rows(w, "Timeline.Rows"), 4);
    row(w, 0, "Text", "From the logs: session started with a timeout of 30 min");
    row(w, 0, "End", "14:18:12");
    row(w, 0, "Mark", "");
    row(w, 1, "Text", "From the logs: paused");
    row(w, 1, "Gap", "10 min 1 s running");
    row(w, 2, "Text", "From the logs: resumed, second run with a timeout of 30 min");
    row(w, 2, "Gap", "1 min 47 s paused");
    row(w, 2, "GapKind", "paused");
    row(w, 3, "Text", "From the logs: terminated, by a request");
    row(w, 3, "Gap", "10 min 1 s running");
    view_end(w);
}

static void test_a_timeline_from_sightings_alone(void **state)
{
    struct view_world *w = begin();
    const struct fact_source seen = {.origin = ORIGIN_RECORD, .at_us = at("14:10:00")};
    struct deadline_move moves[2] = {
        {.at_us = at("13:48:12"), .from_us = TS_NONE,        .to_us = at("14:18:12")},
        {.at_us = at("14:00:00"), .from_us = at("14:18:12"), .to_us = at("14:40:00")},
    };
    struct execution run = {.id = "",
                            .start_us = at("13:48:12"),
                            .start_is_known = true,
                            .end_us = at("14:11:00"),
                            .end = EXEC_GONE,
                            .kill_reason = "",
                            .start_source = seen,
                            .end_source = seen,
                            .moves = moves,
                            .move_count = 2,
                            .deadline_us = at("14:40:00"),
                            .first_deadline_us = at("14:18:12"),
                            .last_sign_us = at("14:10:00")};

    (void)state;
    moves[0].source = moves[1].source = seen;
    w->ev.events_src.state = SOURCE_UNSUPPORTED;
    record.runs = &run;
    record.run_count = 1;
    show_with(w, &record);
    assert_int_equal(rows(w, "Timeline.Rows"), 3);
    row(w, 0, "Text", "From Casebook's record: session started with a timeout of 30 min");
    row(w, 1, "Text", "From Casebook's record: the end moved from 14:18:12 to 14:40:00");
    row(w, 1, "End", "14:40:00");
    row(w, 2, "Text",
        "From Casebook's record: no longer listed; how it ended is not on record");
    row(w, 2, "Gap", "22 min 48 s running");
    want(w, "Facts.4.Second",
         "how it ended is not on record; no longer listed at 24 Nov 14:11:00");
    fact(w, 5, "Started", "24 Nov 13:48:12 UTC", "from Casebook's record of 14:10:00");
    fact(w, 7, "Timeout setting", "30 min", "from Casebook's record of 14:10:00");
    view_end(w);
}

static void test_a_start_that_only_the_kill_tells(void **state)
{
    struct view_world *w = begin();
    struct event *killed = add_event(w, EVENT_KILLED, "14:15:06", "x1");

    (void)state;
    killed->exec_started_us = at("13:48:12");
    show_with(w, NULL);
    assert_int_equal(rows(w, "Timeline.Rows"), 2);
    row(w, 0, "Text", "From its killed event of 14:15:06: session started");
    row(w, 0, "Time.Text", "13:48:12");
    row(w, 1, "Bold", "Terminated");
    row(w, 1, "Gap", "26 min 54 s running");
    fact(w, 5, "Started", "24 Nov 13:48:12 UTC", "from its killed event of 14:15:06");
    view_end(w);
}

/* ---- charts of a coarse and a fine answer ---- */

static void test_maxima_are_said_to_be_maxima(void **state)
{
    struct view_world *w = begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "08:00", "12:00", END);
    samples(w, "08:00", "10:00", 120);
    samples(w, "10:02", "10:31:55", 5);
    samples(w, "10:32", "12:00", 120);
    chart_with(w, NULL, true);
    want(w, "Charts.IsMaxima", "1");
    want(w, "Charts.Maxima",
         "Every sample is shown from 10:02:00 to 10:31:55. Elsewhere each value is the "
         "highest of 2 min: the life is too long for finer samples.");
    assert_int_equal(rows(w, "Charts.Gaps"), 0); /* coarse is no gap */
    want(w, "Charts.Rows.0.Of", "highest of 2 min");
    want(w, "Charts.Rows.100.Of", "");
    w->ev.metric_count = 0;
    samples(w, "08:00", "10:00", 120);
    samples(w, "10:02", "10:30", 5);
    samples(w, "10:31", "11:00", 5); /* a minute without, where each sample is there */
    chart_with(w, NULL, true);
    want(w, "Charts.Gaps.0.Text", "no samples for 1 min");
    view_end(w);
}

static void test_charts_of_one_run(void **state)
{
    static const char *const hrefs[] = {"/casebook/x?run=1", "/casebook/x?run=2"};
    struct view_world *w = begin();
    struct chart_input in = {.arena = &w->arena,
                             .ev = &w->ev,
                             .tl = &w->tl,
                             .win_from_us = TS_NONE,
                             .win_to_us = TS_NONE,
                             .now_us = w->ev.now_us,
                             .whole_life_href = "/casebook/x?life=whole",
                             .run = 2,
                             .run_hrefs = hrefs,
                             .run_href_count = 2};

    (void)state;
    set_life(w, SANDBOX_ENDED, "08:00", "08:10", "13:00", "13:25", END);
    samples(w, "08:00", "08:10", 5);
    samples(w, "13:00", "13:25", 5);
    chart_fill(w->hdf, &in);
    want(w, "Charts.From.Text", "12:58:54"); /* with its air */
    want(w, "Charts.To.Text", "13:26:05");
    want(w, "Charts.IsRun", "1");
    want(w, "Charts.Runs.0.Text", "1, from 24 Nov 08:00");
    want(w, "Charts.Runs.0.IsShown", "");
    want(w, "Charts.Runs.1.IsShown", "1");
    assert_int_equal(rows(w, "Charts.Gaps"), 0);
    view_fresh(w);
    in.run = 3; /* there is no such run */
    chart_fill(w->hdf, &in);
    want(w, "Charts.From.Text", "07:45:52");
    want(w, "Charts.IsRun", "");
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fact_says_where_it_is_from),
        cmocka_unit_test(test_the_history_of_the_timeout),
        cmocka_unit_test(test_a_timeout_that_nobody_told),
        cmocka_unit_test(test_each_run_by_itself),
        cmocka_unit_test(test_who_ended_it),
        cmocka_unit_test(test_events_that_E2B_forgot),
        cmocka_unit_test(test_a_life_that_is_partly_forgotten),
        cmocka_unit_test(test_nothing_is_denied_that_was_not_answered),
        cmocka_unit_test(test_a_timeline_from_lines_alone),
        cmocka_unit_test(test_a_timeline_from_sightings_alone),
        cmocka_unit_test(test_a_start_that_only_the_kill_tells),
        cmocka_unit_test(test_maxima_are_said_to_be_maxima),
        cmocka_unit_test(test_charts_of_one_run),
    };

    return cmocka_run_group_tests_name("rebuilt facts", tests, NULL, NULL);
}
