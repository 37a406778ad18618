/* Hostile text: what comes out may be put on a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"

#include "base/banned.h"

#define BAD "\xEF\xBF\xBD" /* U+FFFD */

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

static const char *clean(const char *s)
{
    return text_clean(&arena, s, strlen(s), 1000);
}

static void test_utf8_is_strict(void **state)
{
    static const char *const good[] = {
        "", "a", "\xC3\xAB", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"};
    static const char *const bad[] = {
        "\x80",             /* stray continuation */
        "\xC0\xAF",         /* overlong */
        "\xE0\x80\xAF",     /* overlong */
        "\xED\xA0\x80",     /* surrogate */
        "\xF4\x90\x80\x80", /* above U+10FFFF */
        "\xC3",             /* cut */
        "\xE2\x82",         /* cut */
        "\xFF",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(text_is_utf8(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const char *fixed = text_repair_utf8(&arena, bad[i], strlen(bad[i]), NULL);

        assert_false(text_is_utf8(bad[i], strlen(bad[i])));
        assert_true(text_is_utf8(fixed, strlen(fixed)));
        assert_int_equal(strlen(fixed), 3 * strlen(bad[i]));
    }
}

static void test_repair_keeps_the_rest_and_nul(void **state)
{
    size_t n;
    const char *s = text_repair_utf8(&arena, "a\xFF\0b", 4, &n);

    (void)state;
    assert_int_equal(n, 6);
    assert_memory_equal(s, "a" BAD "\0b", 7);
}

static void test_clean_controls(void **state)
{
    (void)state;
    assert_string_equal(clean("plain\ttext\n"), "plain\ttext\n");
    assert_string_equal(clean("a\r\nb"), "a\nb");
    assert_string_equal(clean("a\rb\x01\x7f"), "a" BAD "b" BAD BAD);
    assert_string_equal(text_clean(&arena, "a\0b", 3, 10), "a" BAD "b");
    assert_string_equal(clean("\xC2\x85"), BAD); /* C1 */
    assert_string_equal(text_clean(&arena, NULL, 7, 10), "");
}

static void test_clean_escape_sequences(void **state)
{
    (void)state;
    assert_string_equal(clean("\x1b[1;31mred\x1b[0m"), "red");
    assert_string_equal(clean("\x1b[?25l\x1b[2K\x1b(Bx"), "x");
    assert_string_equal(clean("\x1b]0;title\ax"), "x");
    assert_string_equal(clean("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"), "link");
    assert_string_equal(clean("a\x1b"), "a");
    assert_string_equal(clean("a\x1b["), "a");
    /* a title that never ends does not swallow the next line */
    assert_string_equal(clean("\x1b]0;open\nnext"), "0;open\nnext");
}

static void test_clean_invisible_characters(void **state)
{
    (void)state;
    assert_string_equal(clean("a\xE2\x80\xAE"
                              "gnp.exe"),
                        "a" BAD "gnp.exe");                               /* RLO */
    assert_string_equal(clean("\xE2\x81\xA6x\xE2\x81\xA9"), BAD "x" BAD); /* isolates */
    assert_string_equal(clean("a\xE2\x80\x8B"
                              "b\xEF\xBB\xBF"),
                        "a" BAD "b" BAD);
    assert_string_equal(clean("\xF3\xA0\x81\x81"), BAD); /* tag character */
    assert_string_equal(clean("a\xE2\x80\xA8"
                              "b"),
                        "a\nb");
    assert_string_equal(clean("zo\xC3\xAB \xF0\x9F\x98\x80"),
                        "zo\xC3\xAB \xF0\x9F\x98\x80");
}

static void test_clean_cut(void **state)
{
    (void)state;
    assert_string_equal(text_clean(&arena, "abcdef", 6, 6), "abcdef");
    assert_string_equal(text_clean(&arena, "abcdefg", 7, 6), "abcdef [cut]");
    assert_string_equal(text_clean(&arena, "ab\xE2\x82\xAC", 5, 4), "ab [cut]");
    assert_string_equal(text_clean(&arena, "\xFF\xFF\xFF", 3, 6), BAD BAD " [cut]");
    assert_string_equal(text_clean(&arena, "x", 1, 0), " [cut]");
}

/* What was cut once stays as it is: kept evidence is read again. */
static void test_clean_twice_is_once(void **state)
{
    const char *once = text_clean(&arena, "ab\xE2\x82\xAC\xE2\x82\xAC", 8, 4);

    (void)state;
    assert_string_equal(once, "ab [cut]");
    assert_string_equal(text_clean(&arena, once, strlen(once), 4), once);
    once = text_clean_line(&arena, "abc\ndefg", 8, 5);
    assert_string_equal(once, "abc d [cut]");
    assert_string_equal(text_clean_line(&arena, once, strlen(once), 5), once);
}

static void test_clean_line(void **state)
{
    (void)state;
    assert_string_equal(text_clean_line(&arena, "  a \n\t b\r\nc  ", 13, 100), "a b c");
    assert_string_equal(text_clean_line(&arena, " \n ", 3, 100), "");
    assert_string_equal(text_clean_line(&arena, "ab cd", 5, 3), "ab [cut]");
}

static void test_sandbox_id(void **state)
{
    char longest[66];

    (void)state;
    memset(longest, 'a', sizeof(longest));
    longest[64] = '\0';
    assert_true(text_is_sandbox_id("i7q2m0xk4v9d1c8b3zt5e"));
    assert_true(text_is_sandbox_id(longest));
    longest[64] = 'a';
    longest[65] = '\0';
    assert_false(text_is_sandbox_id(longest));
    assert_false(text_is_sandbox_id(""));
    assert_false(text_is_sandbox_id(NULL));
    assert_false(text_is_sandbox_id("iABC"));
    assert_false(text_is_sandbox_id("i7q2-x"));
    assert_false(text_is_sandbox_id("../x"));
    assert_false(text_is_sandbox_id("abc\n"));
}

static void test_comparisons(void **state)
{
    (void)state;
    assert_true(text_ieq("Killed", "kILLED"));
    assert_false(text_ieq("a", "ab"));
    assert_true(text_ieq(NULL, ""));
    assert_false(text_ieq("\xC3\x84", "\xC3\xA4")); /* ASCII only */
    assert_true(text_icontains("Out Of Memory", "of mem"));
    assert_true(text_icontains("abc", ""));
    assert_false(text_icontains("abc", "abcd"));
    assert_false(text_icontains(NULL, "x"));
    assert_true(text_starts("sandbox", "sand"));
    assert_false(text_starts("sand", "sandbox"));
    assert_true(text_is_empty(NULL));
    assert_string_equal(text_lower(&arena, "AbC\xC3\x84"), "abc\xC3\x84");
    assert_string_equal(text_trim(&arena, " \t a b\n"), "a b");
    assert_string_equal(text_trim(&arena, NULL), "");
}

static const char *html(const char *s)
{
    return text_from_html(&arena, s, strlen(s), 10000);
}

static void test_html_blocks(void **state)
{
    (void)state;
    assert_string_equal(html("<p>Hello,</p><p>it <b>broke</b><br>again</p>"),
                        "Hello,\n\nit broke\nagain");
    assert_string_equal(html("<ul><li>one</li><li>two</li></ul>end"),
                        "- one\n- two\nend");
    assert_string_equal(html("a  \n  b"), "a b");
    assert_string_equal(html("<pre>a\n  b</pre>"), "a\n  b");
    assert_string_equal(html("<table><tr><td>a</td><td>b</td></tr></table>"), "a b");
}

static void test_html_entities(void **state)
{
    (void)state;
    assert_string_equal(html("a &amp; b &lt;c&gt; &#39;&#x2019;"),
                        "a & b <c> '\xE2\x80\x99");
    assert_string_equal(html("x&nbsp;y &unknown; &amp"), "x y &unknown; &amp");
    assert_string_equal(html("&#0;&#xD800;&#99999999;"), "&#0;&#xD800;&#99999999;");
    assert_string_equal(html("&#x202E;x"), BAD "x");
}

static void test_html_drops_code(void **state)
{
    (void)state;
    assert_string_equal(html("a<script>alert('<p>')</script>b"), "ab");
    assert_string_equal(html("a<STYLE>p{}</style >b<!-- c --> d"), "ab d");
    assert_string_equal(html("a<script>never ends"), "a");
    assert_string_equal(html("a<img src=x onerror=alert(1)>b"), "ab");
}

static void test_html_stray_marks(void **state)
{
    char many[20001];

    (void)state;
    assert_string_equal(html("1 < 2 and 3 <4"), "1 < 2 and 3 <4");
    assert_string_equal(html("end <b"), "end <b");
    for (size_t i = 0; i + 1 < sizeof(many); i += 2)
        memcpy(many + i, "<a", 2);
    many[sizeof(many) - 1] = '\0';
    assert_int_equal(strlen(text_from_html(&arena, many, sizeof(many) - 1, 100)), 106);
    assert_string_equal(text_from_html(&arena, NULL, 5, 100), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_utf8_is_strict, setup, teardown),
        cmocka_unit_test_setup_teardown(test_repair_keeps_the_rest_and_nul, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_clean_controls, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clean_escape_sequences, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clean_invisible_characters, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clean_cut, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clean_twice_is_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clean_line, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sandbox_id, setup, teardown),
        cmocka_unit_test_setup_teardown(test_comparisons, setup, teardown),
        cmocka_unit_test_setup_teardown(test_html_blocks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_html_entities, setup, teardown),
        cmocka_unit_test_setup_teardown(test_html_drops_code, setup, teardown),
        cmocka_unit_test_setup_teardown(test_html_stray_marks, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
