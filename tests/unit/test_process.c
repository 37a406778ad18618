/* Processes put together from start and end lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/ts.h"
#include "model/process.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static struct arena arena = ARENA_INIT;

static int tear_down(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static struct log_line started(int64_t at, int pid, const char *command)
{
    struct tag *t = arena_array(&arena, 3, sizeof *t);

    t[0] = (struct tag){"event_type", "process_start"};
    t[1] = (struct tag){"command", command};
    t[2] = (struct tag){"request_timeout_ms", "60000"};
    return (struct log_line){.at_us = at,
                             .message =
                                 arena_fmt(&arena, "Process with pid %d started", pid),
                             .fields = t,
                             .field_count = 3};
}

static struct log_line ended(int64_t at, int pid, const char *type)
{
    struct tag *t = arena_array(&arena, 3, sizeof *t);

    t[0] = (struct tag){"event_type", type};
    t[1] = (struct tag){"stdout_bytes", "5.24288E+06"};
    t[2] = (struct tag){"stderr_bytes", "17"};
    return (struct log_line){.at_us = at,
                             .message =
                                 arena_fmt(&arena, "Process with pid %d ended", pid),
                             .fields = t,
                             .field_count = 3};
}

static struct log_line with_code(struct log_line l, int64_t code, const char *status)
{
    l.has_result = true;
    l.exit_code = code;
    l.status = status;
    return l;
}

static void start_and_end_are_paired(void **state)
{
    struct log_line logs[] = {
        started(1, 512, "/bin/bash -l -c python job.py"),
        started(2, 513, "node x.js"),
        with_code(ended(3, 512, "process_end"), 3, "exit status 3"),
    };
    size_t n;
    struct process *p = processes_build(&arena, logs, 3, &n);

    (void)state;
    assert_int_equal(n, 2);
    assert_int_equal(p[0].pid, 512);
    assert_string_equal(p[0].command, "python job.py");
    assert_int_equal(p[0].start_us, 1);
    assert_int_equal(p[0].end_us, 3);
    assert_int_equal(p[0].limit_ms, 60000);
    assert_int_equal(p[0].stdout_bytes, 5242880);
    assert_int_equal(p[0].stderr_bytes, 17);
    assert_true(p[0].has_result);
    assert_int_equal(p[0].exit_code, 3);
    assert_int_equal(p[1].pid, 513);
    assert_string_equal(p[1].command, "node x.js");
    assert_int_equal(p[1].end_us, TS_NONE);
    assert_int_equal(p[1].stdout_bytes, -1);
}

static void shells_in_front_are_dropped(void **state)
{
    static const char *const rows[][2] = {
        {"/bin/bash -l -c ls -l", "ls -l"              },
        {"/bin/bash -c ls",       "ls"                 },
        {"/bin/sh -c ls",         "ls"                 },
        {"/bin/bash script.sh",   "/bin/bash script.sh"},
        {"",                      ""                   },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct log_line l = started(1, 1, rows[i][0]);
        size_t n;

        assert_string_equal(processes_build(&arena, &l, 1, &n)[0].command, rows[i][1]);
    }
}

static void pid_that_starts_again_is_another(void **state)
{
    struct log_line logs[] = {
        started(1, 512, "a"),
        ended(2, 512, "process_end"),
        started(3, 512, "b"),
        ended(4, 512, "process_end_readopted"),
    };
    size_t n;
    struct process *p = processes_build(&arena, logs, 4, &n);

    (void)state;
    assert_int_equal(n, 2);
    assert_int_equal(p[0].end_us, 2);
    assert_int_equal(p[1].start_us, 3);
    assert_int_equal(p[1].end_us, 4);
    assert_string_equal(p[1].command, "b");
}

static void end_alone_is_kept(void **state)
{
    struct log_line l = with_code(ended(9, 700, "process_end"), 0, "exit status 0");
    size_t n;
    struct process *p = processes_build(&arena, &l, 1, &n);

    (void)state;
    assert_int_equal(n, 1);
    assert_int_equal(p[0].start_us, TS_NONE);
    assert_int_equal(p[0].end_us, 9);
    assert_string_equal(p[0].command, "");
}

static void other_lines_are_left(void **state)
{
    struct log_line logs[] = {
        {.at_us = 1, .message = "Process with pid 5 started"}, /* says no event_type */
        {.at_us = 2, .message = "Sandbox created"           },
        started(3, 6, "x"),
        started(4, 7, "y"),
    };
    size_t n;

    (void)state;
    logs[2].message = "Process with pid x started";
    logs[3].message = "Process with pid 99999999999999999999999 started";
    processes_build(&arena, logs, 4, &n);
    assert_int_equal(n, 0);
    processes_build(&arena, NULL, 0, &n);
    assert_int_equal(n, 0);
}

static void numbers_that_are_none_are_not_told(void **state)
{
    struct log_line l = ended(1, 5, "process_end");
    struct tag bad[] = {
        {"event_type",   "process_end"},
        {"stdout_bytes", "many"       },
        {"stderr_bytes", "-4"         }
    };
    size_t n;
    struct process *p;

    (void)state;
    l.fields = bad;
    p = processes_build(&arena, &l, 1, &n);
    assert_int_equal(p[0].stdout_bytes, -1);
    assert_int_equal(p[0].stderr_bytes, -1);
}

static void at_most_so_many(void **state)
{
    struct log_line *logs = arena_array(&arena, PROCESS_MAX + 200, sizeof *logs);
    size_t n;
    struct process *p;

    (void)state;
    for (int i = 0; i < PROCESS_MAX + 100; i++)
        logs[i] = started(i, i + 1, "x");
    for (int i = 0; i < 100; i++)
        logs[PROCESS_MAX + 100 + i] = ended(5000 + i, i + 1, "process_end");
    p = processes_build(&arena, logs, PROCESS_MAX + 200, &n);
    assert_int_equal(n, PROCESS_MAX);
    /* the ends of those that are there are still read */
    assert_int_equal(p[0].end_us, 5000);
    assert_int_equal(p[99].end_us, 5099);
}

static void ends_in_words(void **state)
{
    static const struct {
        int64_t code;
        const char *status, *words;
        bool failed;
    } rows[] = {
        {0,   "exit status 0",                            "finished, exit code 0",                          false},
        {3,   "exit status 3",                            "exit code 3",                                    true },
        {137, "exit status 137",                          "exit code 137: killed by signal 9",              true },
        {139, "exit status 139",                          "exit code 139: a memory fault (signal 11)",      true },
        {143, "exit status 143",                          "exit code 143: asked to stop (signal 15)",       true },
        {134, "exit status 134",                          "exit code 134: it gave up by itself (signal 6)", true },
        {130, "exit status 130",                          "exit code 130",                                  true },
        {128, "exit status 128",                          "exit code 128",                                  true },
        {-1,  "signal: killed",                           "killed by signal 9",                             true },
        {-1,  "signal: terminated",                       "asked to stop (signal 15)",                      true },
        {-1,  "signal: segmentation fault (core dumped)", "a memory fault (signal 11)",
         true                                                                                                    },
        {-1,  "signal: aborted",                          "it gave up by itself (signal 6)",                true },
        {-1,  "signal: hangup",                           "ended by a signal (hangup)",                     true },
        {-1,  "",                                         "ended by a signal (which one is not recorded)",  true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct process p = {.end_us = 1,
                            .has_result = true,
                            .exit_code = rows[i].code,
                            .status = rows[i].status};

        assert_string_equal(process_end_words(&arena, &p), rows[i].words);
        assert_int_equal(process_failed(&p), rows[i].failed);
    }
}

static void what_is_not_recorded_is_said(void **state)
{
    struct process p = {.end_us = TS_NONE, .status = ""};

    (void)state;
    assert_string_equal(process_end_words(&arena, &p), "no end on record");
    assert_false(process_failed(&p));
    p.end_us = 1;
    assert_string_equal(process_end_words(&arena, &p), "ended, exit code not recorded");
    assert_false(process_failed(&p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_and_end_are_paired),
        cmocka_unit_test(shells_in_front_are_dropped),
        cmocka_unit_test(pid_that_starts_again_is_another),
        cmocka_unit_test(end_alone_is_kept),
        cmocka_unit_test(other_lines_are_left),
        cmocka_unit_test(numbers_that_are_none_are_not_told),
        cmocka_unit_test(at_most_so_many),
        cmocka_unit_test(ends_in_words),
        cmocka_unit_test(what_is_not_recorded_is_said),
    };

    return cmocka_run_group_tests_name("model: process", tests, NULL, tear_down);
}
