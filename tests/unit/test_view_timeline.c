/*
 * The timeline: every phrase of the table in ux.md section 7, the gap before each event, the expected end beside
 * it, folds and marks. The executions are rebuilt from the events and lines, as on the page.
 */
#include "test_view_world.h"

#include <string.h>

#include "base/ts.h"
#include "web/view_sandbox.h"

#include "base/banned.h"

#define X1 "exec-1"
#define X2 "exec-2"

static void tell_with(struct view_world *w, bool all)
{
    struct sandbox_view v = {.link = &w->link,
                             .sandbox_id = w->ev.sandbox_id,
                             .ev = &w->ev,
                             .matched_value = "",
                             .now_us = w->ev.now_us};
    struct process *p;
    size_t n;

    view_fresh(w);
    timeline_build(&w->arena, &w->ev, &v.tl);
    p = processes_build(&w->arena, w->ev.logs, w->ev.log_count, &n);
    view_timeline(w->hdf, &v, p, n, all, "/casebook/all#timeline");
}

static void tell(struct view_world *w)
{
    tell_with(w, false);
}

#define row(w, i, name, value)                                                           \
    want(w, arena_fmt(&(w)->arena, "Timeline.Rows.%d.%s", i, name), value)

/* The row's bold words, the rest, and the expected end with what is said of it. */
static void line(struct view_world *w, int i, const char *bold, const char *text,
                 const char *end, const char *why)
{
    row(w, i, "Bold", bold);
    row(w, i, "Text", text);
    row(w, i, "End", end);
    row(w, i, "EndWhy", why);
}

/* From 13:30:00 with an expected end at 14:30:00. */
static struct view_world *begin_hour(void)
{
    struct view_world *w = view_begin();

    add_event(w, EVENT_CREATED, "13:30:00", X1);
    add_created(w, "13:30:00", "14:30:00");
    return w;
}

static void forget(struct view_world *w)
{
    w->ev.event_count = 1;
    w->ev.log_count = 1;
}

/* ---- the story of the picture: paused, resumed, moved, timed out ---- */

static struct view_world *begin_story(void)
{
    struct view_world *w = view_begin();
    struct log_line *l;

    add_event(w, EVENT_CREATED, "13:48:12.402", X1);
    add_event(w, EVENT_PAUSED, "13:56:40.118", X1);
    add_event(w, EVENT_RESUMED, "13:59:31.020", X2);
    add_event(w, EVENT_UPDATED, "14:00:06.771", X2)->set_timeout_us = at("14:15:06");
    add_event(w, EVENT_KILLED, "14:15:06.391", X2)->kill_reason = "timeout";
    add_created(w, "13:48:12.500", "13:58:12");
    add_created(w, "13:59:31.100", "14:09:31");
    add_line(w, "14:00:06.900", "process", "Process with pid 685 started", "event_type",
             "process_start", "command", "/bin/bash -l -c ./start.sh", END);
    l = add_line(w, "14:02:58.214", "process", "Process with pid 685 ended", "event_type",
                 "process_end", END);
    l->has_result = true;
    l->exit_code = 137;
    return w;
}

static void test_story(void **state)
{
    struct view_world *w = begin_story();

    (void)state;
    tell(w);
    assert_int_equal(rows(w, "Timeline.Rows"), 6);
    want(w, "Timeline.Margin", "5 events, oldest first");
    row(w, 0, "Kind", "event");
    row(w, 0, "Mark", "A");
    row(w, 0, "Anchor", "event-A");
    row(w, 0, "Time.Text", "13:48:12");
    row(w, 0, "Ms", ".402");
    row(w, 0, "Time.Iso", "2026-11-24T13:48:12.402Z");
    row(w, 0, "Offset", "+00:00");
    row(w, 0, "Gap", "");
    line(w, 0, "Session started", "with a timeout of 10 min", "13:58:12",
         "not reached: paused");
    row(w, 0, "EndStruck", "1");
    row(w, 1, "Gap", "8 min 28 s running");
    row(w, 1, "GapKind", "running");
    row(w, 1, "Offset", "+08:27");
    line(w, 1, "Paused", "by a request, 1 min 32 s before its timeout", "",
         "none while paused");
    row(w, 2, "Gap", "2 min 51 s paused");
    row(w, 2, "GapKind", "paused");
    line(w, 2, "Resumed", "same sandbox, second run", "14:09:31", "moved by D");
    row(w, 2, "EndStruck", "1");
    row(w, 3, "Gap", "36 s running");
    line(w, 3, "Settings changed:",
         "a request set the timeout to 15 min; the end moved from 14:09:31 to 14:15:06",
         "14:15:06", "");
    row(w, 3, "EndStruck", "");
    row(w, 4, "Kind", "log");
    row(w, 4, "Mark", "");
    row(w, 4, "Gap", "");
    row(w, 4, "Text",
        "From the logs: process 685 ended, exit code 137: killed by signal 9");
    row(w, 4, "Href", "#processes");
    row(w, 4, "HrefText", "Processes");
    row(w, 5, "Mark", "E");
    row(w, 5, "Gap", "15 min running"); /* from event to event: the mark resets nothing */
    line(w, 5, "Terminated", "by its timeout, as configured", "14:15:06", "reached");
    row(w, 5, "EndStruck", "");
    view_end(w);
}

/* ---- one phrase each ---- */

static void test_beginnings(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    tell(w);
    line(w, 0, "Session started", "with a timeout of 1 h", "14:30:00", "");
    w->ev.log_count = 0; /* nobody says for how long */
    tell(w);
    line(w, 0, "Session started", "", "", "");
    w->events[0].type = EVENT_RESUMED;
    tell(w);
    line(w, 0, "Resumed",
         "its beginning is not on record (a fork, or older than E2B keeps)", "", "");
    view_end(w);
}

static void test_runs_are_counted(void **state)
{
    static const char *const ordinals[] = {"second", "third",   "fourth", "fifth",
                                           "sixth",  "seventh", "eighth", "ninth",
                                           "tenth",  "11th"};
    struct view_world *w = view_begin();

    (void)state;
    add_event(w, EVENT_CREATED, "10:00", "run-0");
    for (size_t i = 0; i < 10; i++) {
        const char *id = arena_fmt(&w->arena, "run-%zu", i);
        const char *next = arena_fmt(&w->arena, "run-%zu", i + 1);

        add_event(w, EVENT_PAUSED, "10:00", id)->at_us += (int64_t)(2 * i + 1) * TS_MIN;
        add_event(w, EVENT_RESUMED, "10:00", next)->at_us +=
            (int64_t)(2 * i + 2) * TS_MIN;
    }
    tell(w);
    for (int i = 0; i < 10; i++) {
        row(w, 2 * i + 2, "Text",
            arena_fmt(&w->arena, "same sandbox, %s run", ordinals[i]));
        row(w, 2 * i + 2, "Gap", "1 min paused");
    }
    view_end(w);
}

static void test_pauses(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    add_event(w, EVENT_PAUSED, "14:28:28", X1);
    tell(w);
    line(w, 1, "Paused", "by a request, 1 min 32 s before its timeout", "",
         "none while paused");
    row(w, 0, "EndStruck", "1");
    w->events[1].at_us = at("14:30:04");
    tell(w);
    line(w, 1, "Paused", "by its timeout; it can be resumed", "", "none while paused");
    line(w, 0, "Session started", "with a timeout of 1 h", "14:30:00", "");
    row(w, 0, "EndStruck", "");
    w->ev.log_count = 0;
    tell(w);
    line(w, 1, "Paused", "by a request or by its timeout: when that was is not known", "",
         "none while paused");
    view_end(w);
}

static void update(struct view_world *w, const char *clock, const char *to)
{
    w->ev.event_count = 1;
    add_event(w, EVENT_UPDATED, clock, X1)->set_timeout_us = *to ? at(to) : TS_NONE;
}

static void test_updates(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    update(w, "14:00:06", "14:45:06");
    tell(w);
    line(w, 1, "Settings changed:",
         "a request set the timeout to 45 min; the end moved from 14:30:00 to 14:45:06",
         "14:45:06", "");
    line(w, 0, "Session started", "with a timeout of 1 h", "14:30:00", "moved by B");
    update(w, "14:00:02", "14:05:02");
    tell(w);
    line(w, 1, "Settings changed:",
         "a request shortened the timeout; the end moved from 14:30:00 to 14:05:02, 24 "
         "min "
         "58 s sooner",
         "14:05:02", "");
    update(w, "14:00:00", "14:30:00");
    tell(w);
    line(w, 1, "Settings changed:", "the timeout was set again; the end did not move",
         "14:30:00", "");
    row(w, 0, "EndStruck", "");
    update(w, "14:00:00", "");
    w->events[1].has_data = w->events[1].changed_network = true;
    tell(w);
    line(w, 1, "Settings changed:", "network access; the end did not move", "14:30:00",
         "");
    update(w, "14:00:00", "");
    tell(w);
    line(w, 1, "Settings changed:", "E2B does not say what", "14:30:00", "");
    w->ev.log_count = 0;
    update(w, "14:00:00", "14:10:00");
    tell(w);
    line(w, 1, "Settings changed:",
         "a request set the timeout to 10 min; the end is now 14:10:00", "14:10:00", "");
    view_end(w);
}

static void test_endings(void **state)
{
    static const struct {
        const char *clock, *reason, *text, *why;
    } table[] = {
        {"14:30:00.400", "timeout",               "by its timeout, as configured",                      "reached"                },
        {"14:25:07",     "request",               "by a request, 4 min 53 s before its timeout",
         "not reached: terminated"                                                                                               },
        {"13:37:00",     "admin",                 "by E2B's staff, 53 min before its timeout",
         "not reached: terminated"                                                                                               },
        {"14:00",        "orphaned",              "by E2B: clean-up of a sandbox it had lost track of",
         "not reached: terminated"                                                                                               },
        {"14:00",        "base_template_missing",
         "by E2B: the template was deleted, so it could not be paused",                                 "not reached: terminated"},
        {"14:00",        "seal_failed",           "by E2B: an earlier snapshot could not be completed",
         "not reached: terminated"                                                                                               },
        {"14:00",        "resume_failed",         "by E2B: it could not go on after a snapshot",
         "not reached: terminated"                                                                                               },
        {"14:00",        "unknown",               "E2B does not say by whom",                           "not reached: terminated"},
        {"14:30:01",     "",                      "no reason recorded; the time fits its timeout",      "reached"                },
        {"14:18",        "",                      "no reason recorded; 12 min before its timeout",
         "not reached: terminated"                                                                                               },
        {"14:00",        "quota",                 "reason given by E2B: \xE2\x80\x9Cquota\xE2\x80\x9D",
         "not reached: terminated"                                                                                               },
        {"14:30:01",     "request",               "by a request",                                       "reached"                },
    };
    struct view_world *w = begin_hour();

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        bool is_reached = strcmp(table[i].why, "reached") == 0;

        forget(w);
        add_event(w, EVENT_KILLED, table[i].clock, X1)->kill_reason = table[i].reason;
        tell(w);
        line(w, 1, "Terminated", table[i].text, "14:30:00", table[i].why);
        row(w, 1, "EndStruck", is_reached ? "" : "1");
        row(w, 0, "EndWhy", is_reached ? "" : "not reached: terminated");
    }
    view_end(w);
}

static void test_endings_without_a_deadline(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    add_event(w, EVENT_KILLED, "14:00", X1)->kill_reason = "request";
    w->ev.log_count = 0;
    tell(w);
    line(w, 1, "Terminated", "by a request", "", "");
    w->events[1].kill_reason = "";
    tell(w);
    line(w, 1, "Terminated", "no reason recorded", "", "");
    view_end(w);
}

static void test_other_events(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    add_event(w, EVENT_CHECKPOINTED, "13:40", X1);
    add_event(w, EVENT_OTHER, "13:41", X1)->type_text = "sandbox.lifecycle.frozen";
    add_event(w, EVENT_OTHER, "13:42", X1)->type_text = "sandbox.disk_grown.twice_over";
    add_event(w, EVENT_OTHER, "13:43", X1)->type_text = "moved";
    tell(w);
    line(w, 1, "Snapshot taken", "the sandbox went on", "14:30:00", "");
    line(w, 2, "Frozen", "", "14:30:00", "");
    line(w, 3, "Twice over", "", "14:30:00", "");
    line(w, 4, "Moved", "", "14:30:00", "");
    view_end(w);
}

/* ---- expected ends ---- */

static void test_moved_by_the_next_that_moved(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    add_event(w, EVENT_UPDATED, "13:40", X1)->changed_network = true;
    add_event(w, EVENT_UPDATED, "13:50", X1)->set_timeout_us = at("14:40:00");
    add_event(w, EVENT_UPDATED, "14:00", X1)->set_timeout_us = at("15:30:15");
    tell(w);
    row(w, 0, "EndWhy", "moved by C");
    row(w, 1, "EndWhy", "moved by C");
    row(w, 1, "End", "14:30:00");
    row(w, 2, "End", "14:40:00");
    row(w, 2, "EndWhy", "moved by D");
    row(w, 3, "End", "15:30:15");
    row(w, 3, "EndStruck", "");
    view_end(w);
}

static void test_machine_that_stopped(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    add_line(w, "13:44:00.871", "orchestrator", "Sandbox stopped", END);
    tell(w);
    row(w, 0, "EndStruck", "1");
    row(w, 0, "EndWhy", "not reached: the machine stopped");
    row(w, 1, "Kind", "log");
    row(w, 1, "Text", "From the logs: the sandbox's machine stopped");
    /* at its deadline: the event was lost */
    forget(w);
    add_line(w, "14:30:01", "orchestrator", "Sandbox stopped", END);
    tell(w);
    row(w, 0, "EndStruck", "");
    row(w, 0, "EndWhy", "");
    view_end(w);
}

static void test_deadline_ahead(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    add_event(w, EVENT_CREATED, "13:30:15.220", X1);
    set_sandbox(w, SANDBOX_RUNNING, "13:30:15", "15:30:15");
    tell(w);
    assert_int_equal(rows(w, "Timeline.Rows"), 2);
    row(w, 1, "Kind", "ahead");
    row(w, 1, "Mark", "?");
    row(w, 1, "Text", "Expected end, in 25 min 26 s");
    row(w, 1, "End", "15:30:15");
    row(w, 0, "Text", "with a timeout of 2 h");
    w->ev.now_us = at("15:31"); /* past: E2B has not ended it yet */
    tell(w);
    assert_int_equal(rows(w, "Timeline.Rows"), 1);
    view_end(w);
}

static void test_end_on_another_day(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    update(w, "14:00", "+1 13:00:05");
    tell(w);
    row(w, 1, "End", "25 Nov 13:00:05");
    view_end(w);
}

/* ---- gaps ---- */

static void test_killed_while_paused(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    add_event(w, EVENT_PAUSED, "13:40", X1);
    add_event(w, EVENT_KILLED, "14:00", X1)->kill_reason = "request";
    tell(w);
    row(w, 1, "Gap", "10 min running");
    row(w, 2, "Gap", "20 min paused");
    row(w, 2, "GapKind", "paused");
    view_end(w);
}

/* ---- folds and letters ---- */

static void add_updates(struct view_world *w, int n, int64_t step_us)
{
    for (int i = 0; i < n; i++)
        add_event(w, EVENT_UPDATED, "13:40", X1)->at_us += i * step_us;
}

static void test_fold(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    add_updates(w, 14, 30 * TS_SEC);
    add_event(w, EVENT_KILLED, "14:00", X1)->kill_reason = "request";
    tell(w);
    assert_int_equal(rows(w, "Timeline.Rows"), 5);
    row(w, 1, "Mark", "B");
    row(w, 2, "Kind", "more");
    row(w, 2, "Text", "12 more changes of the settings");
    row(w, 2, "Href", "/casebook/all#timeline");
    row(w, 2, "HrefText", "Show all 14");
    row(w, 3, "Mark", "O");
    row(w, 3, "Gap", "6 min 30 s running");
    row(w, 4, "Mark", "P");
    want(w, "Timeline.Margin", "16 events, oldest first");
    tell_with(w, true);
    assert_int_equal(rows(w, "Timeline.Rows"), 16);
    view_end(w);
}

static void test_no_fold(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    add_updates(w, 3, TS_SEC); /* too few */
    tell(w);
    assert_int_equal(rows(w, "Timeline.Rows"), 4);
    forget(w);
    add_updates(w, 4, 4 * TS_MIN); /* the fourth is 12 minutes later */
    tell(w);
    assert_int_equal(rows(w, "Timeline.Rows"), 5);
    forget(w);
    add_updates(w, 4, 200 * TS_SEC); /* in exactly ten minutes */
    tell(w);
    assert_int_equal(rows(w, "Timeline.Rows"), 4);
    row(w, 2, "HrefText", "Show all 4");
    view_end(w);
}

static void test_many_events(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    for (int i = 0; i < 500; i++)
        add_event(w, EVENT_OTHER, "13:31", X1)->at_us += i * TS_SEC;
    tell(w);
    row(w, 25, "Mark", "Z");
    row(w, 26, "Mark", "AA");
    row(w, 26, "Anchor", "event-AA");
    row(w, 52, "Mark", "BA");
    assert_int_equal(rows(w, "Timeline.Rows"), 400);
    want(w, "Timeline.IsCut", "1");
    want(w, "Timeline.Margin", "501 events, oldest first");
    view_end(w);
}

/* ---- marks from the logs ---- */

static void test_marks(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    add_line(w, "13:40", "orchestrator", "Sandbox healthcheck started failing", END);
    add_line(w, "13:41", "my-app", "Sandbox healthcheck started failing", END);
    add_line(w, "13:42", "orchestrator", "Sandbox healthcheck recovered", END);
    add_line(w, "14:00", "orchestrator", "Killing sandbox", "kill_reason", "request",
             END);
    add_line(w, "14:00:00.100", "orchestrator", "Sandbox stopped", END);
    add_event(w, EVENT_KILLED, "14:00", X1)->kill_reason = "request";
    tell(w);
    assert_int_equal(rows(w, "Timeline.Rows"), 3); /* stopping is told by the event */
    row(w, 1, "Text", "From the logs: the sandbox stopped answering health checks");
    row(w, 1, "Time.Text", "13:40:00");
    row(w, 1, "Ms", ".000");
    row(w, 1, "Offset", "+10:00");
    row(w, 1, "HrefText", "");
    view_end(w);
}

static void test_marks_are_few(void **state)
{
    struct view_world *w = begin_hour();

    (void)state;
    for (int i = 0; i < 30; i++) {
        struct log_line *l =
            add_line(w, "13:40", "process",
                     arena_fmt(&w->arena, "Process with pid %d ended", i + 1),
                     "event_type", "process_end", END);

        l->at_us += i * TS_SEC;
        l->has_result = true;
        l->exit_code = i < 2 ? 0 : 1; /* an end with 0 is none */
    }
    tell(w);
    assert_int_equal(rows(w, "Timeline.Rows"), 1 + 12);
    row(w, 1, "Text", "From the logs: process 3 ended, exit code 1");
    view_end(w);
}

static void test_nothing(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    tell(w);
    want(w, "Timeline.Margin", "no events");
    assert_int_equal(rows(w, "Timeline.Rows"), 0);
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_story),
        cmocka_unit_test(test_beginnings),
        cmocka_unit_test(test_runs_are_counted),
        cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_endings_without_a_deadline),
        cmocka_unit_test(test_other_events),
        cmocka_unit_test(test_moved_by_the_next_that_moved),
        cmocka_unit_test(test_machine_that_stopped),
        cmocka_unit_test(test_deadline_ahead),
        cmocka_unit_test(test_end_on_another_day),
        cmocka_unit_test(test_killed_while_paused),
        cmocka_unit_test(test_fold),
        cmocka_unit_test(test_no_fold),
        cmocka_unit_test(test_many_events),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_marks_are_few),
        cmocka_unit_test(test_nothing),
    };

    return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
