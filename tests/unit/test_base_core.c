/* err, sbuf, arena, num, url, digest: the small parts everything stands on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/err.h"
#include "base/num.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/url.h"

#include "base/banned.h"

static void test_err_set_and_context(void **state)
{
    struct err e = {.kind = ERR_DB, .is_retryable = true, .http_status = 500};

    (void)state;
    assert_int_equal(err_set(&e, ERR_UPSTREAM, "HTTP %d", 502), -1);
    assert_int_equal(e.kind, ERR_UPSTREAM);
    assert_false(e.is_retryable);
    assert_int_equal(e.http_status, 0);
    e.is_retryable = true;
    assert_int_equal(err_ctx(&e, "sandbox %s", "iabc"), -1);
    assert_string_equal(e.msg, "sandbox iabc: HTTP 502");
    assert_true(e.is_retryable);
    err_set(&e, ERR_INPUT, "again: %s", e.msg);
    assert_string_equal(e.msg, "again: sandbox iabc: HTTP 502");
    assert_string_equal(err_kind_name(ERR_NOTFOUND), "notfound");
}

static void test_err_cuts_at_a_character(void **state)
{
    struct err e;
    char text[600];

    (void)state;
    for (size_t i = 0; i + 2 < sizeof(text); i += 2)
        memcpy(text + i, "\xC3\xAB", 2);
    text[sizeof(text) - 2] = '\0';
    err_set(&e, ERR_INPUT, "%s", text);
    assert_int_equal(strlen(e.msg), 398); /* 399 would split the last one */
    assert_true(text_is_utf8(e.msg, strlen(e.msg)));
}

static void test_sbuf_maximum(void **state)
{
    struct sbuf sb;

    (void)state;
    sbuf_init(&sb, 5);
    assert_string_equal(sb.s, "");
    assert_int_equal(sbuf_adds(&sb, "abc"), 0);
    assert_int_equal(sbuf_adds(&sb, "def"), -1);
    assert_string_equal(sb.s, "abc");
    assert_true(sb.is_full);
    assert_int_equal(sbuf_addf(&sb, "%d", 12), 0);
    assert_string_equal(sb.s, "abc12");
    assert_int_equal(sbuf_addch(&sb, 'x'), -1);
    sbuf_reset(&sb);
    assert_false(sb.is_full);
    assert_int_equal(sb.len, 0);
    sbuf_release(&sb);
    assert_null(sb.s);
}

static void test_sbuf_grows_and_keeps_nul(void **state)
{
    struct sbuf sb;

    (void)state;
    sbuf_init(&sb, 100000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(sbuf_add(&sb, "a\0b", 3), 0);
    assert_int_equal(sb.len, 30000);
    assert_int_equal(sb.s[1], 0);
    assert_int_equal(sb.s[29999], 'b');
    assert_int_equal(sb.s[30000], 0);
    sbuf_release(&sb);
}

static void test_arena_is_zeroed_and_aligned(void **state)
{
    struct arena a = ARENA_INIT;
    unsigned char *p;

    (void)state;
    for (int round = 0; round < 3; round++) {
        for (size_t size = 0; size < 3000; size += 7) {
            p = arena_alloc(&a, size);
            assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
            for (size_t i = 0; i < size; i++)
                assert_int_equal(p[i], 0);
            memset(p, 0xAA, size);
        }
        assert_true(a.used > 0);
        arena_reset(&a);
        assert_int_equal(a.used, 0);
    }
    p = arena_alloc(&a, (size_t)5 * 1024 * 1024);
    assert_int_equal(p[5 * 1024 * 1024 - 1], 0);
    arena_release(&a);
    assert_null(a.head);
}

static void test_arena_strings_and_growth(void **state)
{
    struct arena a = ARENA_INIT;
    int *items = NULL;
    size_t cap = 0;

    (void)state;
    assert_null(arena_str(&a, NULL));
    assert_string_equal(arena_str(&a, "x"), "x");
    assert_string_equal(arena_strn(&a, "abcdef", 3), "abc");
    assert_string_equal(arena_fmt(&a, "%s-%d", "n", 7), "n-7");
    for (int i = 0; i < 1000; i++) {
        items = arena_grow(&a, items, (size_t)i, &cap, sizeof(*items));
        items[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
    assert_true(cap >= 1000);
    arena_release(&a);
}

static void test_parse_i64(void **state)
{
    static const char *const bad[] = {"",
                                      "-",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1x",
                                      "0x10",
                                      "1.0",
                                      "--1",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "99999999999999999999"};
    int64_t v = 5;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(parse_i64(bad[i], INT64_MIN, INT64_MAX, &v), -1);
    assert_int_equal(parse_i64(NULL, 0, 1, &v), -1);
    assert_int_equal(v, 5);
    assert_int_equal(parse_i64("9223372036854775807", 0, INT64_MAX, &v), 0);
    assert_true(v == INT64_MAX);
    assert_int_equal(parse_i64("-9223372036854775808", INT64_MIN, 0, &v), 0);
    assert_true(v == INT64_MIN);
    assert_int_equal(parse_i64("007", 0, 10, &v), 0);
    assert_int_equal(v, 7);
    assert_int_equal(parse_i64("11", 0, 10, &v), -1);
    assert_int_equal(parse_i64("-1", 0, 10, &v), -1);
}

static void test_parse_f64(void **state)
{
    static const char *const bad[] = {"",   "nan", "inf",   "0x1p3", "1e",
                                      "1.", ".5",  "1e999", " 1",    "1,5"};
    double v = 0;

    (void)state;
    assert_int_equal(parse_f64("5.24288E+06", &v), 0);
    assert_true(v == 5242880.0);
    assert_int_equal(parse_f64("86.77", &v), 0);
    assert_true(v == 86.77);
    assert_int_equal(parse_f64("-3.6e-2", &v), 0);
    assert_true(v == -0.036);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(parse_f64(bad[i], &v), -1);
}

/* The recipe and the vectors of the metadata filter: three encodings. */
static void test_url_encode_three_times(void **state)
{
    static const struct {
        const char *value, *want;
    } cases[] = {
        {"48213",                  "48213"                             },
        {"#48213",                 "%25252348213"                      },
        {"Ana & Co",               "Ana%252520%252526%252520Co"        },
        {"a+b",                    "a%25252Bb"                         },
        {"a=b",                    "a%25253Db"                         },
        {"50%+x",                  "50%252525%25252Bx"                 },
        {"zo\xC3\xAB@example.com", "zo%2525C3%2525AB%252540example.com"},
    };
    struct arena a = ARENA_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *s = cases[i].value;

        for (int n = 0; n < 3; n++)
            s = url_encode(&a, s);
        assert_string_equal(s, cases[i].want);
    }
    arena_release(&a);
}

static void test_url_decode(void **state)
{
    struct arena a = ARENA_INIT;
    size_t n;

    (void)state;
    assert_string_equal(url_decode(&a, "a%20b+c", 7, true, NULL), "a b c");
    assert_string_equal(url_decode(&a, "a%20b+c", 7, false, NULL), "a b+c");
    assert_string_equal(url_decode(&a, "100%", 4, true, NULL), "100%");
    assert_string_equal(url_decode(&a, "%zz%4", 5, true, NULL), "%zz%4");
    assert_string_equal(url_decode(&a, "%C3%ab", 6, true, NULL), "\xC3\xAB");
    url_decode(&a, "a%00b", 5, true, &n);
    assert_int_equal(n, 3);
    arena_release(&a);
}

static void test_url_is_http(void **state)
{
    static const char *const good[] = {"https://linear.app/x/issue/SUP-1",
                                       "http://127.0.0.1:8080", "HTTPS://a.b?q=@",
                                       "http://[::1]:80/x"};
    static const char *const bad[] = {
        "javascript:alert(1)", "//x.y/z",          "https://",
        "https:///x",          "http://u:p@host/", "http://host/a b",
        "http://h/\"",         "http://h/<x>",     "ftp://h/",
        "http://h\\@x/",       "http://h:port/",   "http://h/\n",
        "http://h/\x7f",       " http://h/",       "http://h/'x",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(url_is_http(good[i]));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(url_is_http(bad[i]));
    assert_false(url_is_http(NULL));
}

static void test_digest_known_answers(void **state)
{
    uint8_t d[DIGEST_SIZE];
    char hex[DIGEST_HEX_SIZE];
    char uuid[UUID_TEXT_SIZE];

    (void)state;
    digest_sha256("abc", 3, d);
    assert_string_equal(
        digest_hex(d, hex),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(digest_uuid(d, uuid), "ba7816bf-8f01-4fea-8141-40de5dae2223");
    /* RFC 4231, test case 2 */
    digest_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, d);
    assert_string_equal(
        digest_hex(d, hex),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    assert_true(digest_equal("abc", "abc", 3));
    assert_false(digest_equal("abc", "abd", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_err_set_and_context),
        cmocka_unit_test(test_err_cuts_at_a_character),
        cmocka_unit_test(test_sbuf_maximum),
        cmocka_unit_test(test_sbuf_grows_and_keeps_nul),
        cmocka_unit_test(test_arena_is_zeroed_and_aligned),
        cmocka_unit_test(test_arena_strings_and_growth),
        cmocka_unit_test(test_parse_i64),
        cmocka_unit_test(test_parse_f64),
        cmocka_unit_test(test_url_encode_three_times),
        cmocka_unit_test(test_url_decode),
        cmocka_unit_test(test_url_is_http),
        cmocka_unit_test(test_digest_known_answers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
