/* The console reader as a stream: what it keeps is bounded, and pieces of any length do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/ts.h"
#include "diag/automaton.h"
#include "diag/console.h"
#include "diag/diag.h"
#include "test_diag_case.h"

#include "base/banned.h"

#define MIB ((size_t)1024 * 1024)

static struct arena arena;
static struct console console;

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

static const char *number_error(size_t i)
{
    return arena_fmt(&arena, "ValueError: bad row in part_%zu", i);
}

/* 20,000 failures, each a story of its own: the first and the latest are kept. */
static void test_failures_are_bounded(void **state)
{
    struct console_reader *r = console_begin(&arena, &console);
    struct arena *texts = &arena;
    size_t before;

    (void)state;
    before = texts->used;
    for (size_t i = 0; i < 20000; i++) {
        char line[64];
        snprintf(line, sizeof(line), "ValueError: bad row in part_%zu", i);
        console_feed(r, line, (int64_t)i * 10 * TS_SEC, true);
    }
    console_end(r);
    assert_int_equal(console.line_count, 20000);
    assert_int_equal(console.told_count, TOLD_FIRST + TOLD_LATEST);
    assert_true(texts->used - before < 4 * MIB);
    assert_string_equal(console.told[0].quote, number_error(0));
    assert_string_equal(console.told[TOLD_FIRST - 1].quote, number_error(TOLD_FIRST - 1));
    assert_string_equal(console.told[TOLD_FIRST].quote,
                        number_error(20000 - TOLD_LATEST));
    assert_string_equal(console.told[console.told_count - 1].quote, number_error(19999));
    assert_int_equal(console.told[console.told_count - 1].quote_line, 19999);
}

static void test_exits_are_bounded(void **state)
{
    struct console_reader *r = console_begin(&arena, &console);

    (void)state;
    for (size_t i = 0; i < EXITS_MAX + 100; i++)
        console_feed(r, i == 0 ? "Command exited with code 3" : "exit status 4", 0, true);
    console_feed(r, "Command exited with code 5", 0, true);
    console_end(r);
    assert_int_equal(console.exit_count, EXITS_MAX);
    assert_int_equal(console.exits[0].code, 3);
    assert_int_equal(console.exits[EXITS_MAX - 1].code, 5);
}

/* One story without an end does not grow without an end. */
static void test_a_long_story_is_cut(void **state)
{
    struct console_reader *r = console_begin(&arena, &console);
    size_t before = arena.used;

    (void)state;
    for (size_t i = 0; i < 50000; i++)
        console_feed(r, "Error: boom at the same moment, again and again", 0, true);
    console_end(r);
    assert_true(console.told_count > 1);
    assert_true(arena.used - before < 4 * MIB);
}

static void signature_in_pieces(const char *text, size_t piece, struct finding *out)
{
    struct diag_text *t = diag_text_begin(&arena);

    for (size_t n = strlen(text), at = 0; at < n; at += piece)
        diag_text_feed(t, text + at, n - at < piece ? n - at : piece);
    diag_text_end(t, out);
}

static void test_pieces_make_no_difference(void **state)
{
    static const char text[] = "Traceback (most recent call last):\n  File \"/a/b.py\", "
                               "line 3, in load\n    x()\n"
                               "KeyError: 'unit_price'\nCommand exited with code 1\n";
    struct finding whole, parts;

    (void)state;
    diag_run_text(text, sizeof(text) - 1, &arena, &whole);
    assert_string_equal(whole.signature, "KeyError: 'unit_price' in load");
    for (size_t piece = 1; piece < 40; piece += 3) {
        signature_in_pieces(text, piece, &parts);
        assert_string_equal(parts.signature, whole.signature);
    }
}

static void test_long_and_odd_lines(void **state)
{
    struct finding f;
    char *line = arena_alloc(&arena, 3 * MIB);

    (void)state;
    memset(line, 'x', 3 * MIB - 1);
    diag_run_text(line, 3 * MIB - 1, &arena, &f);
    assert_true(strlen(f.signature) < 1000);
    memset(line, '\0', 3 * MIB - 1);
    diag_run_text(line, 3 * MIB - 1, &arena, &f);
    memset(line, 0xff, 3 * MIB - 1);
    memcpy(line + MIB, "\nKeyError: 'a'\n", 15);
    diag_run_text(line, 3 * MIB - 1, &arena, &f);
    assert_string_equal(f.signature, "KeyError: 'a'");
    diag_run_text("", 0, &arena, &f);
    assert_string_equal(f.signature, "");
}

/* "Aborted" says nothing; the line before it does. */
static void test_the_line_before(void **state)
{
    struct console_reader *r = console_begin(&arena, &console);

    (void)state;
    console_feed(r, "*** buffer overflow detected ***: terminated", 0, true);
    console_feed(r, "Aborted (core dumped)", 0, true);
    console_end(r);
    assert_int_equal(console.told_count, 1);
    assert_string_equal(console.told[0].before,
                        "*** buffer overflow detected ***: terminated");
    assert_int_equal(console.told[0].signal, 6);
}

/* Loose wording on standard output is kept, but marked as weak. */
static void test_loose_wording(void **state)
{
    struct console_reader *r = console_begin(&arena, &console);

    (void)state;
    console_feed(r, "sort: memory exhausted", 0, true);
    console_feed(r, "the parser ran out of memory", 100 * TS_SEC, false);
    console_feed(r, "perhaps it ran out of memory", 200 * TS_SEC, true);
    console_end(r);
    assert_int_equal(console.told_count, 2);
    assert_int_equal(console.told[0].meaning, MEAN_MEM_REFUSED);
    assert_false(console.told[0].is_weak);
    assert_true(console.told[1].is_weak);
}

static void test_automaton(void **state)
{
    struct automaton *m = automaton_new();
    bool seen[5] = {false};

    (void)state;
    automaton_add(m, "he", 2, 0);
    automaton_add(m, "she", 3, 1);
    automaton_add(m, "\nhers", 5, 2);
    automaton_add(m, "ok\n", 3, 3);
    automaton_add(m, "HE", 2, 4);
    automaton_finish(m);
    assert_true(automaton_find(m, "uSHErs", 6, seen));
    assert_true(seen[0] && seen[1] && seen[4]);
    assert_false(seen[2] || seen[3]);
    assert_true(automaton_find(m, "hers is ok", 10, seen));
    assert_true(seen[2] && seen[3]);
    memset(seen, 0, sizeof(seen));
    assert_false(automaton_find(m, "a token", 7, seen));
    assert_false(automaton_find(m, "", 0, seen));
    assert_false(automaton_find(m, "ok?", 3, seen));
    automaton_free(m);
    automaton_free(NULL);
}

/* Same facts, same finding: every text and list of it. */
static void test_the_same_twice(void **state)
{
    struct test_case c;
    struct finding a, b;

    (void)state;
    case_init(&c, 300);
    case_samples(&c, 0, 60, 95, 40);
    case_proc(&c, 960, "python3 job.py", 5, 61, 0);
    case_out(&c, 61.2, "Command exited with code 137");
    case_running(&c, 105);
    case_run(&c, &a);
    case_run(&c, &b);
    assert_string_equal(a.headline, b.headline);
    assert_string_equal(a.brief, b.brief);
    assert_string_equal(a.signature,
                        "killed by signal 9: python3 job.py (at the memory limit)");
    assert_string_equal(a.signature_hash, b.signature_hash);
    assert_string_equal(a.customer_reply, b.customer_reply);
    assert_int_equal(a.evidence_count, b.evidence_count);
    for (size_t i = 0; i < a.evidence_count; i++)
        assert_string_equal(a.evidence[i].text, b.evidence[i].text);
    case_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures_are_bounded),
        cmocka_unit_test(test_exits_are_bounded),
        cmocka_unit_test(test_a_long_story_is_cut),
        cmocka_unit_test(test_pieces_make_no_difference),
        cmocka_unit_test(test_long_and_odd_lines),
        cmocka_unit_test(test_the_line_before),
        cmocka_unit_test(test_loose_wording),
        cmocka_unit_test(test_automaton),
        cmocka_unit_test(test_the_same_twice),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
