/* Head, messages, facts and processes of the sandbox page. */
#include "test_view_world.h"

#include <string.h>

#include "base/ts.h"
#include "web/view_sandbox.h"

#include "base/banned.h"

static struct sandbox_view view_of(struct view_world *w)
{
    struct sandbox_view v = {.link = &w->link,
                             .sandbox_id = w->ev.sandbox_id,
                             .ev = &w->ev,
                             .tl = w->tl,
                             .matched_value = "priya@b.example",
                             .now_us = w->ev.now_us};

    view_fresh(w);
    return v;
}

static void head(struct view_world *w)
{
    struct sandbox_view v = view_of(w);

    view_sandbox_head(w->hdf, &v);
}

static void message(struct view_world *w, int n, const char *tone, const char *title,
                    const char *text)
{
    head(w);
    assert_int_equal(rows(w, "Messages"), n);
    if (n == 0)
        return;
    want(w, "Messages.0.Tone", tone);
    want(w, "Messages.0.Title", title);
    want(w, "Messages.0.Text", text);
}

static void test_head(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "13:48:12", "13:56:40", "13:59:31", "14:15:06", END);
    w->tl.template_id = "p3v8";
    head(w);
    want(w, "Head.Id", "i7q2m0xk4v9d1c8b3zt5e");
    want(w, "Head.State.Kind", "ended");
    want(w, "Head.Ran", "ran 24 min 3 s");
    want(w, "Head.Template", "p3v8");
    w->tl.template_alias = "report-py";
    w->tl.state = SANDBOX_RUNNING;
    head(w);
    want(w, "Head.Ran", "running for 15 min 35 s, 24 min 3 s in all");
    want(w, "Head.Template", "report-py");
    set_life(w, SANDBOX_OTHER, END); /* nothing is known of it */
    head(w);
    want(w, "Head.State.Kind", "");
    want(w, "Head.Ran", "");
    view_end(w);
}

static void test_messages(void **state)
{
    struct view_world *w = view_begin();
    struct finding f = {.failed_at_us = TS_NONE};
    struct sandbox_view v;

    (void)state;
    set_life(w, SANDBOX_ENDED, "13:48", "14:15", END);
    message(w, 0, "", "", "");
    w->tl.has_old_snapshot = true;
    message(w, 1, "quiet", "It has ended.",
            "E2B still lists an older snapshot of it as paused.");
    w->tl.has_old_snapshot = false;
    w->tl.is_deleted_while_paused = true;
    message(w, 1, "quiet", "It was deleted while it was paused.",
            "E2B records no event for that: who deleted it, and when, is not known.");
    set_life(w, SANDBOX_ENDED, "13:48", "15:04:29", END);
    message(w, 1, "quiet", "Ended 20 s ago.",
            "The last samples and lines are still arriving.");
    set_life(w, SANDBOX_ENDED, "-10 13:48", "-9 14:15", END);
    message(w, 1, "quiet", "E2B no longer has the samples and lines.",
            "It keeps them 7 days and this sandbox ended 9 days ago: retention ended on "
            "22 Nov "
            "14:15 UTC. No evidence was kept, since nobody investigated it in time.");
    v = view_of(w);
    v.finding = &f;
    view_sandbox_head(w->hdf, &v);
    want(w, "Messages.0.Text",
         "It keeps them 7 days and this sandbox ended 9 days ago: retention ended on 22 "
         "Nov "
         "14:15 UTC. The finding below was made from what was there then.");
    v = view_of(w); /* kept evidence is what it was */
    v.is_kept = true;
    view_sandbox_head(w->hdf, &v);
    assert_int_equal(rows(w, "Messages"), 0);
    view_end(w);
}

static void test_silence_is_said(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_RUNNING, "13:30:15", "", END);
    w->tl.is_silent = true;
    w->tl.last_sign_us = at("13:44:49");
    message(w, 1, "bad",
            "E2B says this sandbox is running, but it has been silent for 1 h 20 min.",
            "Its last sign of life is from 13:44:49. E2B keeps saying "
            "\xE2\x80\x9Crunning\xE2\x80\x9D until the timeout when a machine has died.");
    want(w, "Head.State.Kind", "silent");
    view_end(w);
}

/* ---- facts ---- */

static void facts(struct view_world *w)
{
    struct sandbox_view v = view_of(w);

    view_sandbox_facts(w->hdf, &v);
}

static void fact(struct view_world *w, int i, const char *label, const char *value,
                 const char *second)
{
    assert_string_equal(gotf(w, "Facts.%d.Label", i), label);
    assert_string_equal(gotf(w, "Facts.%d.Value", i), value);
    assert_string_equal(gotf(w, "Facts.%d.Second", i), second);
}

static void test_facts(void **state)
{
    static const struct tag tags[] = {
        {"userId", "priya@b.example"},
        {"org",    "brightwater"    }
    };
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "13:48:12", "13:56:40", "13:59:31", "14:15:06", END);
    w->tl.cpu_count = 2;
    w->tl.template_id = "p3v8";
    w->tl.template_alias = "report-py";
    w->tl.tags = tags;
    w->tl.tag_count = 2;
    w->tl.is_rebuilt = true;
    w->execs[0].first_deadline_us = w->execs[0].deadline_us = at("13:58:12");
    facts(w);
    fact(w, 0, "vCPU", "2", "");
    fact(w, 1, "Memory", "1,024 MiB", "");
    fact(w, 2, "Disk", "10 GiB", "");
    fact(w, 3, "Template", "report-py", "");
    want(w, "Facts.3.Mono", "p3v8");
    fact(w, 4, "State", "-", "24 Nov 14:15:06");
    want(w, "Facts.4.State.Kind", "ended");
    fact(w, 5, "Started", "24 Nov 13:48:12 UTC", "");
    fact(w, 6, "Ran for", "24 min 3 s", "in 2 runs, paused 2 min 51 s");
    want(w, "Facts.0.IsRebuilt", "1");
    want(w, "Facts.6.IsRebuilt", ""); /* reckoned, not rebuilt */
    want(w, "AnyRebuilt", "1");
    want(w, "FactsFrom", "");
    want(w, "Tags.0.IsMatch", "1");
    want(w, "Tags.1.IsMatch", "");
    view_end(w);
}

static void test_unknown_facts(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_OTHER, END);
    w->tl.memory_mib = w->tl.disk_mib = 0;
    w->tl.is_rebuilt = true;
    facts(w);
    fact(w, 0, "vCPU", "not known", "");
    fact(w, 1, "Memory", "not known", "");
    fact(w, 2, "Disk", "not known", "");
    fact(w, 5, "Started", "not known", "");
    want(w, "Facts.1.IsRebuilt", ""); /* nothing was */
    w->tl.disk_mib = INT64_MAX;       /* nonsense, but no harm */
    facts(w);
    fact(w, 2, "Disk", "1 EiB", "");
    view_end(w);
}

static void test_timeout_settings(void **state)
{
    static const struct event moved = {.id = "e2"};
    struct deadline_move move = {.at_us = at("13:52:00"),
                                 .from_us = at("13:58:12"),
                                 .to_us = at("14:07:00"),
                                 .event = &moved};
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "13:48:12", "14:15:06", END);
    facts(w);
    fact(w, 7, "Timeout setting", "not known", "");
    w->execs[0].first_deadline_us = w->execs[0].deadline_us = at("13:58:12");
    facts(w);
    fact(w, 7, "Timeout setting", "10 min", "");
    w->tl.on_timeout = "kill";
    facts(w);
    fact(w, 7, "Timeout setting", "10 min (then it ends)", "");
    w->tl.on_timeout = "pause";
    w->execs[0].moves = &move;
    w->execs[0].move_count = 1;
    facts(w);
    fact(w, 7, "Timeout setting", "10 min, last set to 15 min (then it pauses)", "");
    view_end(w);
}

/* ---- processes ---- */

static void processes(struct view_world *w)
{
    struct sandbox_view v = view_of(w);
    size_t n;
    struct process *p = processes_build(&w->arena, w->ev.logs, w->ev.log_count, &n);

    view_sandbox_processes(w->hdf, &v, p, n);
}

static struct log_line *add_end(struct view_world *w, const char *clock,
                                const char *message, int64_t code, const char *status)
{
    struct log_line *l =
        add_line(w, clock, "process", message, "event_type", "process_end",
                 "stdout_bytes", "18204", "stderr_bytes", "1.912E+03", END);

    l->has_result = true;
    l->exit_code = code;
    l->status = status;
    return l;
}

static void test_processes(void **state)
{
    struct view_world *w = view_begin();
    char *script = arena_alloc(&w->arena, 301);

    (void)state;
    memset(script, 'x', 300);
    set_life(w, SANDBOX_RUNNING, "13:48", "", END);
    add_line(w, "13:48:40", "process", "Process with pid 512 started", "event_type",
             "process_start", "command", "/bin/bash -l -c python3 a.py",
             "request_timeout_ms", "60000", END);
    add_line(w, "14:00:06", "process", "Process with pid 685 started", "event_type",
             "process_start", "command", script, END);
    add_line(w, "14:01:00", "process", "Process with pid 700 started", "event_type",
             "process_start", END);
    add_end(w, "13:51:55", "Process with pid 512 ended", 0, "exit status 0");
    add_end(w, "14:02:58.400", "Process with pid 685 ended", -1, "signal: killed");
    processes(w);
    want(w, "ProcessCount", "3");
    want(w, "Processes.0.Pid", "512");
    want(w, "Processes.0.Command", "python3 a.py");
    want(w, "Processes.0.Limit", "its own limit: 1 min");
    want(w, "Processes.0.Ran", "3 min 15 s");
    want(w, "Processes.0.End", "finished, exit code 0");
    want(w, "Processes.0.Tone", "good");
    want(w, "Processes.0.Out", "18,204 B / 1,912 B");
    want(w, "Processes.1.IsLong", "1");
    assert_in_range(strlen(got(w, "Processes.1.Short")), 100, 260);
    assert_int_equal(strlen(got(w, "Processes.1.Command")), 300);
    want(w, "Processes.1.Tone", "bad");
    want(w, "Processes.1.End", "killed by signal 9");
    want(w, "Processes.2.Command", "not recorded");
    want(w, "Processes.2.Ran", "still running");
    want(w, "Processes.2.Tone", "");
    want(w, "Processes.2.Out", "");
    w->tl.is_silent = true;
    processes(w);
    want(w, "Processes.2.Ran", ""); /* nobody knows */
    w->ev.log_count = 0;
    processes(w);
    want(w, "ProcessCount", "0");
    want(w, "ProcessNote", "");
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_silence_is_said),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_unknown_facts),
        cmocka_unit_test(test_timeout_settings),
        cmocka_unit_test(test_processes),
    };

    return cmocka_run_group_tests_name("the sandbox page's parts", tests, NULL, NULL);
}
