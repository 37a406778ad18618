/* JSON that a stranger wrote. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/ts.h"

#include "base/banned.h"

#define BAD "\xEF\xBF\xBD" /* U+FFFD */

static struct arena arena;
static struct err err;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena);
    err = (struct err)ERR_INIT;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static json_t *load(const char *s)
{
    json_t *doc = jget_load(s, strlen(s), &err);

    assert_non_null(doc);
    return doc;
}

static void test_load_repairs(void **state)
{
    static const char bytes[] =
        "{\"a\":\"x\xFFy\",\"b\":\"n\\u0000n\",\"c\":\"\\ud83d\\ude00\","
        "\"d\":\"\\ud83dx\",\"e\":\"\\\\ud800\",\"f\":\"\\udc00\"}";
    json_t *doc = load(bytes);

    (void)state;
    assert_string_equal(jget_str(&arena, doc, "a", ""), "x" BAD "y");
    assert_string_equal(jget_str(&arena, doc, "b", ""), "n" BAD "n");
    assert_string_equal(jget_str(&arena, doc, "c", ""), "\xF0\x9F\x98\x80");
    assert_string_equal(jget_str(&arena, doc, "d", ""), BAD "x");
    assert_string_equal(jget_str(&arena, doc, "e", ""), "\\ud800");
    assert_string_equal(jget_str(&arena, doc, "f", ""), BAD);
    json_decref(doc);
}

static void test_load_refuses(void **state)
{
    static const char *const bad[] = {"",
                                      "<html>502</html>",
                                      "{\"a\":1",
                                      "{\"a\":1,\"a\":2}",
                                      "[1] trailing",
                                      "{\"a\":99999999999999999999}",
                                      "{\"\\u00"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        err = (struct err)ERR_INIT;
        assert_null(jget_load(bad[i], strlen(bad[i]), &err));
        assert_int_equal(err.kind, ERR_UPSTREAM);
        assert_string_not_equal(err.msg, "");
    }
}

static void test_load_depth(void **state)
{
    size_t n = 100000;
    char *deep = malloc(n);

    (void)state;
    assert_non_null(deep);
    memset(deep, '[', n);
    assert_null(jget_load(deep, n, &err));
    free(deep);
}

static void test_missing_null_and_wrong_type(void **state)
{
    json_t *doc =
        load("{\"null\":null,\"n\":3,\"s\":\"x\",\"r\":2.0,\"half\":2.5,\"big\":1e300,"
             "\"t\":true,\"o\":{},\"l\":[],\"when\":\"2026-09-14T08:12:03Z\"}");

    (void)state;
    assert_string_equal(jget_str(&arena, doc, "null", "d"), "d");
    assert_string_equal(jget_str(&arena, doc, "none", "d"), "d");
    assert_string_equal(jget_str(&arena, doc, "n", "d"), "d");
    assert_null(jget_str(&arena, doc, "n", NULL));
    assert_int_equal(jget_i64(doc, "n", -1), 3);
    assert_int_equal(jget_i64(doc, "r", -1), 2);
    assert_int_equal(jget_i64(doc, "half", -1), -1);
    assert_int_equal(jget_i64(doc, "big", -1), -1);
    assert_int_equal(jget_i64(doc, "s", -1), -1);
    assert_true(jget_f64(doc, "half", 0) == 2.5);
    assert_true(jget_f64(doc, "n", 0) == 3.0);
    assert_true(jget_bool(doc, "t", false));
    assert_true(jget_bool(doc, "s", true));
    assert_non_null(jget_obj(doc, "o"));
    assert_null(jget_obj(doc, "l"));
    assert_non_null(jget_arr(doc, "l"));
    assert_null(jget_arr(doc, "null"));
    assert_true(jget_time(doc, "when") == INT64_C(1789373523000000));
    assert_true(jget_time(doc, "s") == TS_NONE);
    assert_true(jget_time(doc, "null") == TS_NONE);
    /* no object at all */
    assert_int_equal(jget_i64(NULL, "x", 7), 7);
    assert_null(jget_obj(NULL, "x"));
    assert_int_equal(jget_i64(json_object_get(doc, "l"), "x", 7), 7);
    json_decref(doc);
}

static void test_integers_are_64_bit(void **state)
{
    json_t *doc = load("{\"a\":9007199254740993,\"b\":4294967296.0}");

    (void)state;
    assert_true(jget_i64(doc, "a", 0) == INT64_C(9007199254740993));
    assert_true(jget_i64(doc, "b", 0) == INT64_C(4294967296));
    json_decref(doc);
}

static void test_required_members(void **state)
{
    json_t *doc = load("{\"id\":\"x\",\"n\":4,\"null\":null}");
    const char *s = NULL;
    int64_t v = 0;

    (void)state;
    assert_int_equal(jreq_str(&arena, doc, "id", &s, &err), 0);
    assert_string_equal(s, "x");
    assert_int_equal(jreq_i64(doc, "n", &v, &err), 0);
    assert_int_equal(v, 4);
    assert_int_equal(jreq_str(&arena, doc, "null", &s, &err), -1);
    assert_non_null(strstr(err.msg, "\"null\""));
    assert_int_equal(jreq_i64(doc, "id", &v, &err), -1);
    assert_int_equal(err.kind, ERR_UPSTREAM);
    assert_string_equal(s, "x");
    json_decref(doc);
}

static void test_dump(void **state)
{
    json_t *doc = load("{ \"z\" : [1, \"\xC3\xAB\"], \"a\": null }");

    (void)state;
    assert_string_equal(jget_dump(&arena, doc), "{\"z\":[1,\"\xC3\xAB\"],\"a\":null}");
    assert_string_equal(jget_dump(&arena, json_object_get(doc, "a")), "null");
    json_decref(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_load_repairs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_load_refuses, setup, teardown),
        cmocka_unit_test_setup_teardown(test_load_depth, setup, teardown),
        cmocka_unit_test_setup_teardown(test_missing_null_and_wrong_type, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_integers_are_64_bit, setup, teardown),
        cmocka_unit_test_setup_teardown(test_required_members, setup, teardown),
        cmocka_unit_test_setup_teardown(test_dump, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
