/* Messages cut into runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "ticket/marks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define WRITTEN INT64_C(1795536000000000) /* 2026-11-24 16:00:00 UTC */
#define ID "i7q2m0xk4v9d1c8b3zt5e"

static struct phrase_set *phrases;
static struct time_reader *times;
static struct arena arena = ARENA_INIT;

static int set_up(void **state)
{
    (void)state;
    phrases = phrase_set_new();
    times = time_reader_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    phrase_set_free(phrases);
    time_reader_free(times);
    arena_release(&arena);
    return 0;
}

/* Runs as "T<..>", "P<..>", "W<..>", "S<..>"; and that all of them together are the text. */
static const char *told(const char *text)
{
    size_t n;
    struct run *r = marks_runs(phrases, times, &arena, text, WRITTEN, &n);
    char *out = arena_str(&arena, ""), *all = arena_str(&arena, "");

    for (size_t i = 0; i < n; i++) {
        out = arena_fmt(&arena, "%s%c<%s>", out, "TPWS"[r[i].kind], r[i].text);
        all = arena_fmt(&arena, "%s%s", all, r[i].text);
        assert_true((r[i].phrase != NULL) == (r[i].kind == RUN_PHRASE));
        assert_true((r[i].sandbox_id != NULL) == (r[i].kind == RUN_SANDBOX));
    }
    assert_string_equal(all, text);
    return out;
}

static void runs_cover_the_text(void **state)
{
    (void)state;
    assert_string_equal(told(""), "");
    assert_string_equal(told("hello"), "T<hello>");
    assert_string_equal(told("14:02"), "W<14:02>");
    assert_string_equal(told("At 14:02 " ID " said Killed\nbye"),
                        "T<At >W<14:02>T< >S<" ID ">T< said >P<Killed>T<\nbye>");
    assert_string_equal(told(ID ID), "T<" ID ID ">");
    assert_string_equal(told("14:02"
                             "\xE2\x80\xA6"
                             "SIGKILL"),
                        "W<14:02>T<\xE2\x80\xA6>P<SIGKILL>");
}

static void ids_are_found(void **state)
{
    size_t n;
    struct run *r;

    (void)state;
    /* the old form with a client id behind a dash */
    r = marks_runs(phrases, times, &arena, "id " ID "-6532622b.", WRITTEN, &n);
    assert_int_equal(n, 3);
    assert_int_equal(r[1].kind, RUN_SANDBOX);
    assert_string_equal(r[1].sandbox_id, ID);
    assert_string_equal(told("https://3000-" ID ".e2b.app/x"),
                        "T<https://3000->S<" ID ">T<.e2b.app/x>");
    assert_string_equal(told(ID ", " ID), "S<" ID ">T<, >S<" ID ">");
}

static void words_are_no_ids(void **state)
{
    static const char *const texts[] = {
        "internationalizations", /* 21 letters, no digit */
        "i7q2m0xk4v9d1c8b3zt5",  "i7q2m0xk4v9d1c8b3zt5ee",  "xi7q2m0xk4v9d1c8b3zt5e",
        "I7Q2M0XK4V9D1C8B3ZT5E", "i7q2m0xk4v9d1c8b3zt5e_x", "_i7q2m0xk4v9d1c8b3zt5e",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_string_equal(told(texts[i]), arena_fmt(&arena, "T<%s>", texts[i]));
}

static void phrases_win_over_times(void **state)
{
    (void)state;
    /* a time inside of what a phrase matches is a part of it; behind it, it is a time */
    assert_string_equal(told("sandbox at 14:02 not found"),
                        "P<sandbox at 14:02 not found>");
    assert_string_equal(told("peer closed connection at 14:02"),
                        "P<peer closed connection>T< at >W<14:02>");
}

static void marks_are_bounded(void **state)
{
    char *s = arena_alloc(&arena, 40000);
    size_t n, marks = 0;
    struct run *r;

    (void)state;
    for (int i = 0; i < 1000; i++)
        memcpy(s + i * 22, ID " ", 22);
    r = marks_runs(phrases, times, &arena, s, WRITTEN, &n);
    for (size_t i = 0; i < n; i++)
        marks += r[i].kind == RUN_SANDBOX;
    assert_int_equal(marks, 200);
    told(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_cover_the_text), cmocka_unit_test(ids_are_found),
        cmocka_unit_test(words_are_no_ids),    cmocka_unit_test(phrases_win_over_times),
        cmocka_unit_test(marks_are_bounded),
    };

    return cmocka_run_group_tests_name("ticket: marks", tests, set_up, tear_down);
}
