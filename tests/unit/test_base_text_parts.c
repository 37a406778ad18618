/* Text of a terminal on a page: what is bold, what is named, what is gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/text_parts.h"

#include "base/banned.h"

#define BIG ((size_t)5 << 20)

static struct arena arena;

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

/* The parts as one string: bold in *stars*, names in {braces}, both in *{both}*. Checks that they are the text. */
static const char *shown_n(const char *s, size_t n, size_t cap, size_t max)
{
    struct text_parts t;
    char *out = arena_str(&arena, "");
    size_t at = 0;

    text_parts(&arena, s, n, cap, max, &t);
    assert_int_equal(strlen(t.text), t.n);
    assert_true(t.count <= max);
    for (size_t i = 0; i < t.count; i++) {
        const struct text_part *p = &t.parts[i];

        assert_int_equal(p->from, at);
        assert_true(p->n > 0);
        out = arena_fmt(&arena, "%s%s%s%.*s%s%s", out, p->is_bold ? "*" : "",
                        p->is_mark ? "{" : "", (int)p->n, t.text + p->from,
                        p->is_mark ? "}" : "", p->is_bold ? "*" : "");
        at += p->n;
    }
    assert_int_equal(at, t.n);
    return out;
}

#define SHOWN(literal) shown_n(literal, sizeof(literal) - 1, 1000, 100)

static void test_plain_text(void **state)
{
    (void)state;
    assert_string_equal(SHOWN(""), "");
    assert_string_equal(SHOWN("a\tb\r\nc \xC3\xA9"), "a\tb\nc \xC3\xA9");
    assert_string_equal(SHOWN("a\xE2\x80\xA8z"), "a\nz"); /* line separator */
    assert_string_equal(SHOWN("a\xFFz\xC3"), "a\uFFFDz\uFFFD");
    assert_string_equal(SHOWN("a\n\r\n\n"), "a");
    assert_string_equal(SHOWN("a\n\033[0m\n"), "a");
    assert_string_equal(SHOWN("\n"), "");
}

static void test_bold_and_colours(void **state)
{
    (void)state;
    assert_string_equal(SHOWN("a\033[1mb\033[0mc"), "a*b*c");
    assert_string_equal(SHOWN("a\033[1mb\033[mc"), "a*b*c");
    assert_string_equal(SHOWN("a\033[1mb\033[22mc"), "a*b*c");
    assert_string_equal(SHOWN("a\033[31mb\033[39mc"), "a*b*c");
    assert_string_equal(SHOWN("a\033[97mb\033[39mc"), "a*b*c");
    assert_string_equal(SHOWN("\033[01;31mb\033[0;4mc"), "*b*c");
    /* still red, then still bold */
    assert_string_equal(SHOWN("\033[1;31mb\033[22mc\033[39md"), "*bc*d");
    assert_string_equal(SHOWN("\033[1;31mb\033[39mc\033[22md"), "*bc*d");
    assert_string_equal(SHOWN("\033[38;5;208mb\033[0mc"), "*b*c");
    assert_string_equal(SHOWN("\033[38;2;1;2;3mb\033[0mc"), "*b*c");
    assert_string_equal(SHOWN("\033[38:2::1:2:3mb\033[0mc"), "*b*c");
    /* to its end */
    assert_string_equal(SHOWN("a\033[31mb"), "a*b*");
    /* one part for what is alike */
    assert_string_equal(SHOWN("\033[31ma\033[32mb\033[1mc"), "*abc*");
    assert_string_equal(SHOWN("\033[1mtwo\nlines\033[0m"), "*two\nlines*");
}

static void test_what_is_not_bold(void **state)
{
    (void)state;
    assert_string_equal(SHOWN("\033[2;3;4;7;9;29;40;47;100;107mb"), "b");
    /* a background's numbers, and an underline's, are no colours of letters */
    assert_string_equal(SHOWN("\033[48;5;31mb\033[48;2;1;31;1mc\033[58;5;1md"), "bcd");
    assert_string_equal(SHOWN("\033[48:5:31mb\033[4:1mc"), "bc");
    assert_string_equal(SHOWN("\033[38;5;0m\033[39mb"),
                        "b"); /* its 0 is a colour's number */
    assert_string_equal(SHOWN("\033[?1mb\033[>1mc\033[1 md"), "bcd");
    assert_string_equal(SHOWN("\033[99999999999999999999999999991mb"), "b");
    assert_string_equal(SHOWN("\033[1Kb\033[31Hc"), "bc");
    assert_string_equal(SHOWN("\033[38mb"), "*b*"); /* without its numbers */
}

static void test_sequences_are_dropped(void **state)
{
    (void)state;
    assert_string_equal(SHOWN("a\033[2J\033[10;3H\033[?25lb"), "ab");
    assert_string_equal(SHOWN("a\0337\033cb\033(Bc\033#8d"), "abcd");
    assert_string_equal(SHOWN("a\033]0;title\ab"), "ab");
    assert_string_equal(SHOWN("a\033]0;title\033\\b"), "ab");
    assert_string_equal(SHOWN("\033]8;;http://evil.example\033\\link\033]8;;\033\\ b"),
                        "link b");
    assert_string_equal(SHOWN("a\033Pq#0\033\\b\033_x\033\\c\033^y\033\\d\033Xz\033\\e"),
                        "abcde");
    /* without an end */
    assert_string_equal(SHOWN("a\033]0;title"), "a");
    assert_string_equal(SHOWN("a\033]0;title\nb"), "a\nb");
    assert_string_equal(SHOWN("a\033]0;title\033[1mb"), "a*b*");
    assert_string_equal(SHOWN("a\033[31"), "a");
    assert_string_equal(SHOWN("a\033[31\033[1mb"), "a*b*");
    assert_string_equal(SHOWN("a\033[31\nb"), "a\nb");
    assert_string_equal(SHOWN("a\033[31 \xC3\xA9"), "a\xC3\xA9");
    assert_string_equal(SHOWN("a\033("), "a");
    /* what begins none */
    assert_string_equal(SHOWN("a\033"), "a{\u241B}");
    assert_string_equal(SHOWN("a\033\033[1mb"), "a{\u241B}*b*");
    assert_string_equal(SHOWN("a\033\xC3\xA9"), "a{\u241B}\xC3\xA9");
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(SHOWN("a\0b"), "a{\u2400}b");
    assert_string_equal(SHOWN("10%\r20%\r"), "10%{\u240D}20%{\u240D}");
    assert_string_equal(SHOWN("a\b\a\v\f\037\177z"),
                        "a{\u2408\u2407\u240B\u240C\u241F\u2421}z");
    /* U+0085, U+009B: named, and no sequence */
    assert_string_equal(SHOWN("a\xC2\x85\xC2\x9B"
                              "31mb"),
                        "a{\u27E8NEL\u27E9\u27E8CSI\u27E9}31mb");
    assert_string_equal(SHOWN("\u202Eevil\u202C"),
                        "{\u27E8RLO\u27E9}evil{\u27E8PDF\u27E9}");
    assert_string_equal(SHOWN("\u202A\u202B\u202D"),
                        "{\u27E8LRE\u27E9\u27E8RLE\u27E9\u27E8LRO\u27E9}");
    assert_string_equal(SHOWN("\u2066\u2067\u2068\u2069"),
                        "{\u27E8LRI\u27E9\u27E8RLI\u27E9\u27E8FSI\u27E9\u27E8PDI\u27E9}");
    assert_string_equal(SHOWN("\u200E\u200F\u061C"),
                        "{\u27E8LRM\u27E9\u27E8RLM\u27E9\u27E8ALM\u27E9}");
    assert_string_equal(SHOWN("\u200B\u200C\u200D\u2060\uFEFF"),
                        "{\u27E8ZWSP\u27E9\u27E8ZWNJ\u27E9\u27E8ZWJ\u27E9\u27E8WJ\u27E9"
                        "\u27E8ZWNBSP\u27E9}");
    assert_string_equal(SHOWN("\u2061\U000E0041"),
                        "{\u27E8U+2061\u27E9\u27E8U+E0041\u27E9}");
    assert_string_equal(SHOWN("\033[1ma\bb"), "*a**{\u2408}**b*");
}

/* Nothing of what text_clean replaces comes through, whatever character it is. */
static void test_no_hidden_character_comes_through(void **state)
{
    static const uint32_t last = 0x10FFFF;
    char s[8];

    (void)state;
    for (uint32_t cp = 0; cp <= last; cp += cp >= 0x30000 && cp < 0xDFF00 ? 0xFD : 1) {
        struct text_parts t;
        size_t n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;

        if (cp == 0xD800)
            cp = 0xE000;
        s[0] = (char)(n == 1   ? cp
                      : n == 2 ? 0xC0 | cp >> 6
                      : n == 3 ? 0xE0 | cp >> 12
                               : 0xF0 | cp >> 18);
        for (size_t i = 1; i < n; i++)
            s[i] = (char)(0x80 | (cp >> 6 * (n - 1 - i) & 0x3F));
        text_parts(&arena, s, n, 100, 10, &t);
        assert_false(text_has_controls(t.text, t.n));
        assert_int_equal(text_has_controls(s, n), text_is_hidden(cp));
        if (text_is_hidden(cp))
            assert_true(t.count == 1 && t.parts->is_mark);
        arena_reset(&arena);
    }
}

static void test_who_needs_it(void **state)
{
    (void)state;
    assert_false(text_has_controls("a\tb\r\nc", 6));
    assert_true(text_has_controls("a\r", 2));
    assert_true(text_has_controls("a\0b", 3));
    assert_true(text_has_controls("\033[1m", 4));
    assert_true(text_has_controls("\xFF", 1));
    assert_true(text_has_controls("\u202E", 3));
}

static void test_bounds(void **state)
{
    (void)state;
    /* cut at a character; the mark comes on top, and is not bold */
    assert_string_equal(shown_n("\033[1mabcdef", 10, 3, 10), "*abc* [cut]");
    assert_string_equal(shown_n("ab\xC3\xA9", 4, 3, 10), "ab [cut]");
    assert_string_equal(shown_n("ab\033[0m", 6, 2, 10), "ab");
    assert_string_equal(shown_n("a\0", 2, 3, 10), "a [cut]"); /* its name is 3 bytes */
    /* more parts than may be are one */
    assert_string_equal(shown_n("a\033[1mb\033[0mc\033[1md", 16, 99, 4), "a*b*cd");
    assert_string_equal(shown_n("a\033[1mb\033[0mc\033[1md", 16, 99, 3), "a*b*cd");
    assert_string_equal(shown_n("a\033[1mb\033[0mc\033[1md", 16, 99, 2), "abcd");
    assert_string_equal(shown_n("a\0b\033[1mc", 8, 99, 1), "a\u2400"
                                                           "bc");
    assert_string_equal(shown_n("\033[1ma\0b", 7, 99, 2), "*a*\u2400"
                                                          "b");
}

/* 5 MB of one pattern: a look back or ahead that depends on the length would take hours. */
static void test_time(void **state)
{
    static const char *const patterns[] = {
        "\033]",        "\033[1", "\033P", "\033[1m", "\033", "\033(",  "\033[38;2;",
        "\xE2\x80\xAE", "\r",     "1;",    "\n",      "\xFF", "\033]0;"};

    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        size_t n = strlen(patterns[i]);
        char *s = arena_alloc(&arena, BIG + 1);
        struct text_parts t;
        clock_t began;

        for (size_t k = 0; k < BIG; k++)
            s[k] = patterns[i][k % n];
        memcpy(s, "\033[\033]", 4); /* and all of it after an opening */
        began = clock();
        text_parts(&arena, s, BIG, 20 * BIG, 200, &t);
        assert_true(t.count <= 200);
        text_parts(&arena, s + 2, BIG - 2, 64 * 1024, 200, &t);
        assert_true(t.n <= 64 * 1024 + sizeof TEXT_CUT_MARK);
        assert_true(clock() - began < 10 * CLOCKS_PER_SEC);
        arena_reset(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_text),
        cmocka_unit_test(test_bold_and_colours),
        cmocka_unit_test(test_what_is_not_bold),
        cmocka_unit_test(test_sequences_are_dropped),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_no_hidden_character_comes_through),
        cmocka_unit_test(test_who_needs_it),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_time),
    };

    return cmocka_run_group_tests_name("text parts", tests, setup, teardown);
}
