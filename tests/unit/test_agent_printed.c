/* Output of programs put together from pieces in the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/printed.h"
#include "base/arena.h"
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

static struct log_line piece(int64_t at, const char *stream, const char *pid,
                             const char *data)
{
    struct tag *t = arena_array(&arena, 3, sizeof *t);

    t[0] = (struct tag){"event_type", stream};
    t[1] = (struct tag){"pid", pid};
    t[2] = (struct tag){"data", data};
    return (struct log_line){
        .at_us = at, .message = "Streaming process event", .fields = t, .field_count = 3};
}

/* "TIME:line" and "TIME!line" for stderr, apart by bars. */
static const char *told(const struct evidence *ev)
{
    char *out = arena_str(&arena, "");

    for (size_t i = 0; i < ev->output_count; i++)
        out = arena_fmt(&arena, "%s%s%d%c%s", out, i ? "|" : "", (int)ev->output[i].at_us,
                        ev->output[i].is_stderr ? '!' : ':', ev->output[i].text);
    return out;
}

static const char *taken(const struct log_line *logs, size_t n)
{
    struct evidence ev = {.logs = logs, .log_count = n, .logs_src = {.state = SOURCE_OK}};

    printed_take(&arena, &ev);
    return told(&ev);
}

static void pieces_become_lines(void **state)
{
    struct log_line logs[] = {
        piece(1, "stdout", "5", "one\ntwo\nthr"), piece(2, "stderr", "5", "error"),
        piece(3, "stdout", "6", "other\n"),       piece(4, "stdout", "5", "ee\n"),
        piece(5, "stderr", "5", " here\n\n"),     piece(6, "stdout", "5", "last"),
    };

    (void)state;
    assert_string_equal(taken(logs, 6),
                        "1:one|1:two|1:three|2!error here|3:other|5!|6:last");
}

static void other_lines_stay_in_the_log(void **state)
{
    struct log_line logs[] = {
        {.at_us = 1, .message = "Sandbox created"},
        piece(2, "stdout", "5", "x\n"),
        piece(3, "process_end", "5", ""),
    };
    struct output_line kept[] = {
        {.at_us = 0, .text = "forwarded"}
    };
    struct evidence ev = {
        .logs = logs,
        .log_count = 3,
        .logs_src = {.state = SOURCE_OK, .is_cut = true},
        .output = kept,
        .output_count = 1
    };

    (void)state;
    printed_take(&arena, &ev);
    assert_string_equal(told(&ev), "0:forwarded|2:x");
    assert_int_equal(ev.log_count, 2);
    assert_int_equal(ev.logs[0].at_us, 1);
    assert_int_equal(ev.logs[1].at_us, 3);
    assert_int_equal(ev.output_src.state, SOURCE_OK);
    assert_true(ev.output_src.is_cut);
}

static void without_output_nothing_changes(void **state)
{
    struct log_line logs[] = {
        {.at_us = 1, .message = "Sandbox created"}
    };
    struct evidence ev = {.logs = logs, .log_count = 1, .logs_src = {.state = SOURCE_OK}};

    (void)state;
    printed_take(&arena, &ev);
    assert_ptr_equal(ev.logs, logs);
    assert_int_equal(ev.output_count, 0);
    assert_int_equal(ev.output_src.state, SOURCE_NOT_ASKED);
}

/* A line that never ends, and more processes than are kept apart. */
static void hostile_output_is_bounded(void **state)
{
    enum { N = 5000 };
    struct log_line *logs = arena_array(&arena, N, sizeof *logs);
    struct evidence ev = {.logs = logs, .log_count = N};

    (void)state;
    for (int i = 0; i < N; i++)
        logs[i] = piece(i, "stdout", "5", "0123456789");
    printed_take(&arena, &ev);
    assert_int_equal(ev.output_count, 1);
    assert_true(strlen(ev.output[0].text) <= 16u << 10);

    ev = (struct evidence){.logs = logs, .log_count = N};
    for (int i = 0; i < N; i++)
        logs[i] = piece(i, "stdout", arena_fmt(&arena, "%d", i), "x");
    printed_take(&arena, &ev);
    assert_int_equal(ev.output_count, N);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_become_lines),
        cmocka_unit_test(other_lines_stay_in_the_log),
        cmocka_unit_test(without_output_nothing_changes),
        cmocka_unit_test(hostile_output_is_bounded),
    };

    return cmocka_run_group_tests_name("agent: printed", tests, NULL, tear_down);
}
