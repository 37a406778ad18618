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
static char *told;
static size_t count, longest;

static int tear_down(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

/* "TIME:line" and "TIME!line" for stderr, apart by bars. */
static void tell(void *ctx, const struct output_line *l)
{
    size_t n = strlen(l->text);

    (void)ctx;
    if (n < 100)
        told = arena_fmt(&arena, "%s%s%d%c%s", told, count ? "|" : "", (int)l->at_us,
                         l->is_stderr ? '!' : ':', l->text);
    longest = n > longest ? n : longest;
    count++;
}

static struct printed *begin(void)
{
    told = arena_str(&arena, "");
    count = longest = 0;
    return printed_new(tell, NULL);
}

static bool piece(struct printed *p, int64_t at, const char *stream, const char *pid,
                  const char *data)
{
    struct tag t[3] = {
        {"event_type", stream},
        {"pid",        pid   },
        {"data",       data  }
    };
    struct log_line l = {
        .at_us = at, .message = "Streaming process event", .fields = t, .field_count = 3};

    return printed_take(p, &l);
}

static void process_end(struct printed *p, const char *message)
{
    struct tag t[1] = {
        {"event_type", "process_end"}
    };
    struct log_line l = {.message = message, .fields = t, .field_count = 1};

    assert_false(printed_take(p, &l));
}

static void pieces_become_lines(void **state)
{
    struct printed *p = begin();

    (void)state;
    assert_true(piece(p, 1, "stdout", "5", "one\ntwo\nthr"));
    piece(p, 2, "stderr", "5", "error");
    piece(p, 3, "stdout", "6", "other\n");
    piece(p, 4, "stdout", "5", "ee\n");
    piece(p, 5, "stderr", "5", " here\n\n");
    piece(p, 6, "stdout", "5", "last");
    assert_string_equal(told, "1:one|1:two|3:other|1:three|2!error here|5!");
    printed_end(p);
    assert_string_equal(told, "1:one|1:two|3:other|1:three|2!error here|5!|6:last");
}

static void other_lines_are_left_to_the_log(void **state)
{
    struct printed *p = begin();
    struct log_line l = {.at_us = 1, .message = "Sandbox created"};

    (void)state;
    assert_false(printed_take(p, &l));
    assert_true(piece(p, 2, "stdout", "5", ""));
    assert_false(piece(p, 3, "process_start", "5", "x\n"));
    printed_end(p);
    assert_int_equal(count, 0);
}

/* The last words of a program need no newline, and are told before what comes later. */
static void an_ended_process_has_said_its_last_line(void **state)
{
    struct printed *p = begin();

    (void)state;
    piece(p, 1, "stdout", "51", "other");
    piece(p, 2, "stderr", "5", "Killed");
    process_end(p, "Process with pid 5 ended");
    assert_string_equal(told, "2!Killed");
    process_end(p, "Process with pid x ended");
    piece(p, 3, "stderr", "5", "again\n");
    assert_string_equal(told, "2!Killed|3!again");
    printed_end(p);
    assert_string_equal(told, "2!Killed|3!again|1:other");
}

/* A line that never ends, and more processes than are kept apart. */
static void hostile_output_is_bounded(void **state)
{
    enum { N = 5000 };
    struct printed *p = begin();

    (void)state;
    for (int i = 0; i < N; i++)
        piece(p, i, "stdout", "5", "0123456789");
    piece(p, N, "stdout", "5", "\nnext\n");
    assert_int_equal(count, 2);
    assert_int_equal(longest, PRINTED_LINE_BYTES);
    assert_string_equal(told, "|5000:next");
    printed_end(p);

    p = begin();
    for (int i = 0; i < N; i++)
        piece(p, i, "stdout", arena_fmt(&arena, "%d", i), "x");
    assert_true(count >= N - 100);
    assert_int_equal(strncmp(told, "0:x|1:x|2:x|", 12), 0);
    piece(p, 1, "stdout", "a pid that is far longer than any pid can be", "y\n");
    printed_end(p);
    assert_int_equal(count, N + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_become_lines),
        cmocka_unit_test(other_lines_are_left_to_the_log),
        cmocka_unit_test(an_ended_process_has_said_its_last_line),
        cmocka_unit_test(hostile_output_is_bounded),
    };

    return cmocka_run_group_tests_name("agent: printed", tests, NULL, tear_down);
}
