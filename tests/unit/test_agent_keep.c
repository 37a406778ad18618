/* What stays of a long log: enough to decide on, in memory that does not grow with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/keep.h"
#include "base/arena.h"
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static struct arena arena = ARENA_INIT;
static struct keep *keep;
static struct evidence ev;
static int64_t clock_us;

static int set_up(void **state)
{
    (void)state;
    keep = keep_new();
    ev = (struct evidence){.now_us = 0};
    clock_us = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    keep_free(keep);
    arena_release(&arena);
    return 0;
}

static void message(const char *text)
{
    struct log_line l = {.at_us = ++clock_us, .level = LOG_LEVEL_INFO, .message = text};

    keep_log(keep, &l);
}

static void output(const char *text, bool is_stderr)
{
    struct output_line l = {.at_us = ++clock_us, .is_stderr = is_stderr, .text = text};

    keep_output(keep, &l);
}

/* n lines that say nothing. */
static void noise(int n)
{
    struct arena scratch = ARENA_INIT;

    for (int i = 0; i < n; i++) {
        char *text = arena_fmt(&scratch, "row %d of the table is stored", i);

        if (i % 2)
            message(text);
        else
            output(text, false);
        arena_reset(&scratch);
    }
    arena_release(&scratch);
}

static void process(const char *what, int pid, const char *command)
{
    struct tag t[3] = {
        {"event_type", strcmp(what, "ended") ? "process_start" : "process_end"},
        {"pid",            "7"                  },
        {"command",            command}
    };
    struct log_line l = {.at_us = ++clock_us,
                         .level = LOG_LEVEL_INFO,
                         .message =
                             arena_fmt(&arena, "Process with pid %d %s", pid, what),
                         .fields = t,
                         .field_count = 3};

    keep_log(keep, &l);
}

static size_t has_output(const char *text)
{
    size_t n = 0;

    for (size_t i = 0; i < ev.output_count; i++)
        n += strcmp(ev.output[i].text, text) == 0;
    return n;
}

static size_t has_log(const char *text)
{
    size_t n = 0;

    for (size_t i = 0; i < ev.log_count; i++)
        n += strcmp(ev.logs[i].message, text) == 0;
    return n;
}

static void check_order(void)
{
    for (size_t i = 1; i < ev.log_count; i++)
        assert_true(ev.logs[i - 1].at_us < ev.logs[i].at_us);
    for (size_t i = 1; i < ev.output_count; i++)
        assert_true(ev.output[i - 1].at_us <= ev.output[i].at_us);
    assert_true(ev.log_count + ev.output_count <= KEEP_MAX_LINES);
}

static void a_short_log_stays_whole(void **state)
{
    (void)state;
    noise(KEEP_ALL_LINES);
    assert_int_equal(keep_finish(keep, &arena, &ev), 0);
    assert_int_equal(ev.log_count, KEEP_ALL_LINES / 2);
    assert_int_equal(ev.output_count, KEEP_ALL_LINES / 2);
    check_order();
}

static void first_and_last_lines_stay(void **state)
{
    size_t left_out;

    (void)state;
    message("first");
    noise(100000);
    message("last");
    left_out = keep_finish(keep, &arena, &ev);
    check_order();
    assert_int_equal(left_out + ev.log_count + ev.output_count, 100002);
    assert_string_equal(ev.logs[0].message, "first");
    assert_string_equal(ev.logs[1].message, "row 1 of the table is stored");
    assert_string_equal(ev.logs[ev.log_count - 1].message, "last");
    assert_string_equal(ev.output[ev.output_count - 500].text,
                        "row 99000 of the table is stored");
}

/* A trace in the middle, the command around it, and what stood beside it. */
static void what_tells_stays_with_its_neighbourhood(void **state)
{
    (void)state;
    noise(20000);
    process("started", 7, "python3 settle.py --month 9");
    noise(20000);
    output("settling September", false);
    output("Traceback (most recent call last):", true);
    for (int i = 0; i < 40; i++) {
        output(arena_fmt(&arena, "  File \"/srv/settle.py\", line %d, in step", i), true);
        output("    settle(month)", true);
    }
    output("KeyError: 9", true);
    output("cleaning up", false);
    process("ended", 7, "");
    noise(20000);
    keep_finish(keep, &arena, &ev);
    check_order();
    assert_int_equal(has_output("Traceback (most recent call last):"), 1);
    assert_int_equal(has_output("KeyError: 9"), 1);
    assert_int_equal(has_output("    settle(month)"), 40);
    assert_int_equal(has_output("settling September"), 1);
    assert_int_equal(has_output("cleaning up"), 1);
    assert_int_equal(has_log("Process with pid 7 started"), 1);
    assert_int_equal(has_log("Process with pid 7 ended"), 1);
    for (size_t i = 0; i < ev.log_count; i++)
        if (strcmp(ev.logs[i].message, "Process with pid 7 started") == 0)
            assert_string_equal(
                tag_get(ev.logs[i].fields, ev.logs[i].field_count, "command", ""),
                "python3 settle.py --month 9");
}

/* The last words of a program stay although no word in them tells anything. */
static void last_words_before_an_end_stay(void **state)
{
    (void)state;
    noise(5000);
    output("42 apples, and that was it", false);
    process("ended", 7, "");
    noise(5000);
    keep_finish(keep, &arena, &ev);
    assert_int_equal(has_output("42 apples, and that was it"), 1);
}

/* What keeps coming does not push out what came once. */
static void noise_that_sounds_bad_does_not_hide_what_is(void **state)
{
    (void)state;
    for (int i = 0; i < 50000; i++) {
        output(arena_fmt(&arena, "GET /health failed 0 times, error rate %d", i), true);
        if (i == 20000)
            output("FATAL: could not write to ledger: disk quota exceeded", true);
        if (i == 40000)
            message("Sandbox healthcheck started failing");
        if (i % 5000 == 0)
            arena_reset(&arena);
    }
    keep_finish(keep, &arena, &ev);
    check_order();
    assert_int_equal(has_output("FATAL: could not write to ledger: disk quota exceeded"),
                     1);
    assert_int_equal(has_log("Sandbox healthcheck started failing"), 1);
    assert_true(ev.output_count < 2500);
}

/* Each line another failure: the first and the last of them stay. */
static void floods_of_failures_are_bounded(void **state)
{
    (void)state;
    for (int i = 0; i < 60000; i++) {
        output(arena_fmt(&arena, "error %c%c%c: cannot go on", 'a' + i % 26,
                         'a' + i / 26 % 26, 'a' + i / 676 % 26),
               true);
        if (i % 5000 == 0)
            arena_reset(&arena);
    }
    keep_finish(keep, &arena, &ev);
    check_order();
    assert_int_equal(has_output("error aaa: cannot go on") > 0, 1);
    assert_int_equal(ev.output[ev.output_count - 1].at_us, 60000);
}

static void many_processes_stay_within_bounds(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        process("started", i, "true");
        process("ended", i, "");
        if (i % 1000 == 0)
            arena_reset(&arena);
    }
    keep_finish(keep, &arena, &ev);
    check_order();
    assert_int_equal(has_log("Process with pid 3 started"), 1);
    assert_int_equal(has_log("Process with pid 140 ended"), 1);
    assert_int_equal(has_log("Process with pid 19300 ended"), 1);
}

static void warnings_of_the_platform_are_thinned(void **state)
{
    struct tag t[2] = {
        {"service",          "orchestrator"},
        {"mem_used_percent", "86.77"       }
    };
    struct log_line l = {.level = LOG_LEVEL_WARN,
                         .message = "Memory usage threshold exceeded",
                         .fields = t,
                         .field_count = 2};

    (void)state;
    message("Killing sandbox");
    for (int i = 0; i < 20000; i++) {
        l.at_us = ++clock_us;
        keep_log(keep, &l);
    }
    message("Sandbox stopped");
    keep_finish(keep, &arena, &ev);
    check_order();
    assert_int_equal(has_log("Killing sandbox"), 1);
    assert_int_equal(has_log("Sandbox stopped"), 1);
    assert_true(has_log("Memory usage threshold exceeded") < 2000);
    assert_string_equal(
        tag_get(ev.logs[5].fields, ev.logs[5].field_count, "mem_used_percent", ""),
        "86.77");
}

static void origins_and_long_texts_are_cut(void **state)
{
    char *text = arena_alloc(&arena, 100001);
    struct tag t[3] = {
        {"sandboxID", "i1"     },
        {"teamID",    "t"      },
        {"logger",    "process"}
    };
    struct log_line l = {
        .at_us = 1, .message = text, .fields = t, .field_count = 3, .at_text = "x"};

    (void)state;
    memset(text, 'x', 100000);
    keep_log(keep, &l);
    output(text, false);
    keep_finish(keep, &arena, &ev);
    assert_int_equal(ev.logs[0].field_count, 1);
    assert_string_equal(ev.logs[0].fields[0].key, "logger");
    assert_string_equal(ev.logs[0].at_text, "x");
    assert_true(strlen(ev.logs[0].message) < KEEP_TEXT_BYTES + 20);
    assert_non_null(strstr(ev.logs[0].message, "[cut]"));
    assert_non_null(strstr(ev.output[0].text, "[cut]"));
}

/* An output line is told when it ends; it stands where it began. */
static void output_goes_by_its_beginning(void **state)
{
    struct output_line late = {.at_us = 3, .text = "began early"};
    struct output_line before[] = {
        {.at_us = 0, .text = "forwarded"}
    };

    (void)state;
    ev.output = before;
    ev.output_count = 1;
    clock_us = 4;
    output("a", false);
    output("b", false);
    keep_output(keep, &late);
    keep_finish(keep, &arena, &ev);
    assert_int_equal(ev.output_count, 4);
    assert_string_equal(ev.output[0].text, "forwarded");
    assert_string_equal(ev.output[1].text, "began early");
    assert_string_equal(ev.output[3].text, "b");
}

/* All kinds at once, with long lines: what is held at 300,000 lines is no more than at 60,000. */
static size_t held_after(int lines)
{
    struct arena scratch = ARENA_INIT;
    struct mallinfo2 info;

    for (int i = 0; i < lines; i++) {
        char *text = arena_fmt(&scratch, "%s %d %s", i % 7 ? "row" : "error", i,
                               i % 100 ? "of many" : arena_fmt(&scratch, "%01000d", i));

        if (i % 3)
            output(text, i % 2);
        else
            message(text);
        if (i % 50 == 0)
            process(i % 100 ? "started" : "ended", i, text);
        arena_reset(&scratch);
        if (i % 1000 == 0)
            arena_reset(&arena);
    }
    arena_release(&scratch);
    info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void memory_does_not_grow(void **state)
{
    size_t few = held_after(60000), many = held_after(240000);

    (void)state;
    assert_true(many < few + (1 << 20));
    assert_true(keep_finish(keep, &arena, &ev) > 0);
    check_order();
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_short_log_stays_whole),
        TEST(first_and_last_lines_stay),
        TEST(what_tells_stays_with_its_neighbourhood),
        TEST(last_words_before_an_end_stay),
        TEST(noise_that_sounds_bad_does_not_hide_what_is),
        TEST(floods_of_failures_are_bounded),
        TEST(many_processes_stay_within_bounds),
        TEST(warnings_of_the_platform_are_thinned),
        TEST(origins_and_long_texts_are_cut),
        TEST(output_goes_by_its_beginning),
        TEST(memory_does_not_grow),
    };

    return cmocka_run_group_tests_name("agent: keep", tests, NULL, NULL);
}
