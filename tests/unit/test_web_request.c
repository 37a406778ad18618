/* From FastCGI parameters and bodies to struct req; form tokens. */
#include "web_world.h"

#include <stdlib.h>
#include <string.h>

#include "base/ts.h"
#include "web/csrf.h"
#include "web/form.h"

#include "base/banned.h"

static struct world world;

static int setup(void **state)
{
    (void)state;
    world_init(&world);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    world_release(&world);
    return 0;
}

#define INIT(err, ...) init((const char *const[]){__VA_ARGS__, NULL}, err)

static int init(const char *const *params, struct err *err)
{
    world_request(&world, params, "", 0);
    return req_init(&world.rq, &world.src, err);
}

static void test_all_parts(void **state)
{
    struct err err = ERR_INIT;
    int64_t id = 0;

    (void)state;
    assert_int_equal(INIT(&err, "REQUEST_METHOD", "GET", "DOCUMENT_URI",
                          "/casebook/tickets/7", "QUERY_STRING",
                          "q=a%20b+c%2B&empty=&flag&q=second&x=%3D", "REMOTE_USER",
                          "maya", "REQUEST_ID", "0123456789abcdef"),
                     0);
    assert_int_equal(world.rq.method, METHOD_GET);
    assert_string_equal(world.rq.path, "/tickets/7");
    assert_string_equal(world.rq.user, "maya");
    assert_string_equal(world.rq.request_id, "0123456789abcdef");
    assert_string_equal(req_query(&world.rq, "q"), "a b c+");
    assert_string_equal(req_query(&world.rq, "empty"), "");
    assert_string_equal(req_query(&world.rq, "flag"), "");
    assert_string_equal(req_query(&world.rq, "x"), "=");
    assert_string_equal(req_query(&world.rq, "missing"), "");
    assert_int_equal(world.rq.query_count, 5);
    world.rq.params[world.rq.param_count++] = (struct field){"id", "9223372036854775807"};
    assert_int_equal(req_param_id(&world.rq, "id", &id, &err), 0);
    assert_true(id == INT64_MAX);
}

static void test_ids_that_cannot_be(void **state)
{
    static const char *const bad[] = {
        "", "0", "-1", "+1", "01", "1x", " 1", "0x10", "9223372036854775808"};
    struct err err = ERR_INIT;
    int64_t id;

    (void)state;
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/"), 0);
    world.rq.param_count = 1;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        world.rq.params[0] = (struct field){"id", bad[i]};
        if (req_param_id(&world.rq, "id", &id, &err) == 0)
            fail_msg("accepted \"%s\"", bad[i]);
        assert_int_equal(err.kind, ERR_NOTFOUND);
    }
}

static void test_path(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    /* What the web server has decoded is not decoded again. */
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/a%20b", "REQUEST_URI", "/no"),
                     0);
    assert_string_equal(world.rq.path, "/a%20b");
    assert_int_equal(INIT(&err, "REQUEST_URI", "/casebook/a%20b?c=d"), 0);
    assert_string_equal(world.rq.path, "/a b");

    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebookish/"), -1);
    assert_int_equal(err.kind, ERR_NOTFOUND);
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook"), -1);
    assert_int_equal(err.kind, ERR_NOTFOUND);
    world.conf.base_path = "";
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/tickets/1"), 0);
    assert_string_equal(world.rq.path, "/tickets/1");
}

static void test_bad_paths(void **state)
{
    static const char *const bad[] = {"/casebook/a%00b", "/casebook/a%0ab",
                                      "/casebook/%7f", "/casebook/%ff%fe",
                                      "/casebook/%1b[0m"};
    char longest[1200];
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (INIT(&err, "REQUEST_URI", bad[i], "REQUEST_ID", "abcdef0123") == 0)
            fail_msg("accepted %s", bad[i]);
        assert_int_equal(err.kind, ERR_INPUT);
        assert_string_equal(world.rq.path, "");
        assert_string_equal(world.rq.request_id, "abcdef0123");
    }
    memset(longest, 'a', sizeof(longest));
    memcpy(longest, "/casebook/", 10);
    longest[sizeof(longest) - 1] = '\0';
    assert_int_equal(INIT(&err, "DOCUMENT_URI", longest), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    world_request(&world, NULL, "", 0);
    assert_int_equal(req_init(&world.rq, &world.src, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
}

static void test_request_id(void **state)
{
    static const char *const bad[] = {
        "short",     "UPPERCASE0",
        "has space", "abcdefgh\n",
        "<script>",  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    struct err err = ERR_INIT;
    char first[40];

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "REQUEST_ID", bad[i]),
                         0);
        assert_string_not_equal(world.rq.request_id, bad[i]);
        assert_int_equal(strlen(world.rq.request_id), 36);
    }
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/"), 0);
    memcpy(first, world.rq.request_id, 37);
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/"), 0);
    assert_string_not_equal(world.rq.request_id, first);
}

static void test_user(void **state)
{
    struct err err = ERR_INIT;
    char longest[200];

    (void)state;
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "REMOTE_USER", "a\nb"), 0);
    assert_string_equal(world.rq.user, "");
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "REMOTE_USER", "\xff"), 0);
    assert_string_equal(world.rq.user, "");
    memset(longest, 'a', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "REMOTE_USER", longest), 0);
    assert_string_equal(world.rq.user, "");
    assert_int_equal(
        INIT(&err, "DOCUMENT_URI", "/casebook/", "REMOTE_USER", "J\xc3\xb6rg"), 0);
    assert_string_equal(world.rq.user, "J\xc3\xb6rg");
}

static void test_query_bounds(void **state)
{
    struct err err = ERR_INIT;
    char *text = malloc(10001);

    (void)state;
    memset(text, 'a', 10000);
    text[REQ_MAX_QUERY] = '\0';
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "QUERY_STRING", text), 0);
    text[REQ_MAX_QUERY] = 'a';
    text[REQ_MAX_QUERY + 1] = '\0';
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "QUERY_STRING", text), -1);
    assert_int_equal(err.kind, ERR_INPUT);

    for (size_t i = 0; i < 65; i++)
        memcpy(text + 4 * i, "a=1&", 4);
    text[4 * 64] = '\0';
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "QUERY_STRING", text), 0);
    assert_int_equal(world.rq.query_count, 64);
    text[4 * 64] = 'a';
    text[4 * 65] = '\0';
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "QUERY_STRING", text), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(world.rq.query_count, 0);
    free(text);
}

static void test_field_bytes(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "QUERY_STRING", "a=%00"),
                     -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "QUERY_STRING", "a%1b=1"),
                     -1);
    assert_int_equal(INIT(&err, "DOCUMENT_URI", "/casebook/", "QUERY_STRING",
                          "a=1%0d%0a2%09&b=%ff%fe&c=%zz%&&=v&"),
                     0);
    assert_string_equal(req_query(&world.rq, "a"), "1\r\n2\t");
    assert_string_equal(req_query(&world.rq, "b"), "\xef\xbf\xbd\xef\xbf\xbd");
    assert_string_equal(req_query(&world.rq, "c"), "%zz%");
    assert_string_equal(req_query(&world.rq, ""), "v");
    assert_int_equal(world.rq.query_count, 4);
}

static void test_form_type(void **state)
{
    (void)state;
    assert_true(form_type_ok("application/x-www-form-urlencoded"));
    assert_true(form_type_ok("application/x-www-form-urlencoded; charset=UTF-8"));
    assert_true(form_type_ok("Application/X-WWW-Form-URLEncoded ;charset=utf-8"));
    assert_false(form_type_ok("application/x-www-form-urlencodedx"));
    assert_false(form_type_ok("application/x-www-form"));
    assert_false(form_type_ok("multipart/form-data; boundary=x"));
    assert_false(form_type_ok("text/plain"));
    assert_false(form_type_ok(""));
}

static enum form_body read_body(const char *length, const char *body, size_t n,
                                size_t max, struct err *err)
{
    const char *const params[] = {"CONTENT_LENGTH", length, NULL};

    world_request(&world, length ? params : NULL, body, n);
    return form_read_body(&world.rq, &world.src, max, err);
}

static void test_bodies(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(read_body("26", "abcdefghijklmnopqrstuvwxyz", 26, 26, &err),
                     FORM_READ);
    assert_int_equal(world.rq.body_len, 26);
    assert_string_equal(world.rq.body, "abcdefghijklmnopqrstuvwxyz");
    assert_int_equal(read_body("3", "a\0b", 3, 26, &err), FORM_READ);
    assert_memory_equal(world.rq.body, "a\0b", 4);
    assert_int_equal(read_body("0", "", 0, 26, &err), FORM_READ);
    assert_int_equal(read_body(NULL, "ignored", 7, 26, &err), FORM_READ);
    assert_int_equal(world.rq.body_len, 0);

    assert_int_equal(read_body("27", "x", 1, 26, &err), FORM_TOO_LONG);
    assert_int_equal(world.body_at, 0);
    assert_int_equal(read_body("9223372036854775807", "x", 1, 26, &err), FORM_TOO_LONG);
    assert_int_equal(read_body("26", "short", 5, 26, &err), FORM_BROKEN);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(read_body("-1", "x", 1, 26, &err), FORM_BROKEN);
    assert_int_equal(read_body("1e3", "x", 1, 26, &err), FORM_BROKEN);
    assert_int_equal(read_body("99999999999999999999", "x", 1, 26, &err), FORM_BROKEN);
}

static void test_csrf(void **state)
{
    char token[CSRF_TOKEN_SIZE], other[CSRF_TOKEN_SIZE];
    const unsigned char *key = world.app.csrf_key;

    (void)state;
    csrf_token(key, "maya", WORLD_NOW, token);
    assert_true(csrf_check(key, "maya", WORLD_NOW, token));
    assert_true(csrf_check(key, "maya", WORLD_NOW + TS_DAY, token));
    assert_false(csrf_check(key, "maya", WORLD_NOW + 2 * TS_DAY, token));
    assert_false(csrf_check(key, "maya", WORLD_NOW - TS_DAY, token));
    assert_false(csrf_check(key, "theo", WORLD_NOW, token));
    assert_false(csrf_check(key, "", WORLD_NOW, token));
    assert_false(csrf_check(key, "maya", WORLD_NOW, ""));
    assert_false(csrf_check(key, "maya", WORLD_NOW, "00"));
    token[5] = token[5] == '0' ? '1' : '0';
    assert_false(csrf_check(key, "maya", WORLD_NOW, token));
    csrf_token(key, "maya", WORLD_NOW, token);
    assert_string_not_equal(csrf_token(key, "theo", WORLD_NOW, other), token);
}

static void test_csrf_key(void **state)
{
    unsigned char same[CSRF_KEY_SIZE], other[CSRF_KEY_SIZE];

    (void)state;
    /* Every responder and host derives the same one; each secret counts. */
    csrf_key(&world.conf, same);
    assert_memory_equal(same, world.app.csrf_key, CSRF_KEY_SIZE);
    world.conf.db.password = "";
    csrf_key(&world.conf, other);
    assert_memory_not_equal(same, other, CSRF_KEY_SIZE);
    world.conf.db.password = "database-secret";
    world.conf.e2b.api_key = "e2b-secret2";
    csrf_key(&world.conf, other);
    assert_memory_not_equal(same, other, CSRF_KEY_SIZE);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_all_parts),    T(test_ids_that_cannot_be),
        T(test_path),         T(test_bad_paths),
        T(test_request_id),   T(test_user),
        T(test_query_bounds), T(test_field_bytes),
        T(test_form_type),    T(test_bodies),
        T(test_csrf),         T(test_csrf_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
