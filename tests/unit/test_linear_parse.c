/* Linear's answers: what counts as success, what an error means, and issues to the model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/ts.h"
#include "upstream/linear.h"
#include "upstream/linear_parse.h"

#include "base/banned.h"

static struct arena arena;

static json_t *load(const char *text)
{
    struct err err = ERR_INIT;
    json_t *doc = jget_load(text, strlen(text), &err);

    if (!doc)
        fail_msg("%s in %s", err.msg, text);
    return doc;
}

static void success_needs_status_data_and_no_errors(void **state)
{
    static const struct {
        int status;
        const char *text;
        int rc;
    } cases[] = {
        {200, "{\"data\":{\"a\":1}}",                                                0 },
        {200, "{\"data\":{\"a\":1},\"errors\":[]}",                                  0 },
        {400, "{\"data\":{\"a\":1}}",                                                -1},
        {200, "{\"data\":null}",                                                     -1},
        {200, "{}",                                                                  -1},
        {200, "{\"data\":{\"a\":1,\"b\":null},\"errors\":[{\"message\":\"half\"}]}", -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *doc = load(cases[i].text);
        struct err err = ERR_INIT;
        const json_t *data = NULL;

        assert_int_equal(linear_parse_answer(&arena, cases[i].status, doc, &data, &err),
                         cases[i].rc);
        if (cases[i].rc == 0)
            assert_int_equal(jget_i64(data, "a", 0), 1);
        else
            assert_int_equal(err.http_status, cases[i].status);
        json_decref(doc);
    }
}

#define E(rest) "{\"data\":null,\"errors\":[{" rest "}]}"

static void errors_by_code_and_type(void **state)
{
    static const struct {
        int status;
        const char *text;
        enum err_kind kind;
        bool is_retryable;
        const char *says;
    } cases[] = {
        {400, E("\"message\":\"no\",\"extensions\":{\"code\":\"AUTHENTICATION_ERROR\"}"),
         ERR_AUTH,                                                                                       false, "no"              },
        {200,
         E("\"message\":\"m\",\"extensions\":{\"type\":\"forbidden\","
           "\"userPresentableMessage\":\"Ask an admin\"}"),
         ERR_DENIED,                                                                                     false, "Ask an admin"    },
        {200,
         E("\"message\":\"Entity not found: Issue\",\"extensions\":"
           "{\"code\":\"INPUT_ERROR\"}"),
         ERR_NOTFOUND,                                                                                   false, "Entity not found"},
        {200, E("\"message\":\"x\",\"extensions\":{\"code\":\"ENTITY_NOT_FOUND\"}"),
         ERR_NOTFOUND,                                                                                   false, "x"               },
        {400,
         E("\"message\":\"must be a UUID\",\"extensions\":{\"code\":\"INPUT_ERROR\","
           "\"statusCode\":400}"),
         ERR_INPUT,                                                                                      false, "must be a UUID"  },
        {400,
         E("\"message\":\"exceeded\",\"extensions\":{\"code\":\"USAGE_LIMIT_EXCEEDED\"}"),
         ERR_DENIED,                                                                                     false, "exceeded"        },
        {200, E("\"message\":\"lock\",\"extensions\":{\"type\":\"lock timeout\"}"),
         ERR_UPSTREAM,                                                                                   true,  "lock"            },
        {200, E("\"message\":\"later\",\"extensions\":{\"statusCode\":503}"),
         ERR_UPSTREAM,                                                                                   true,  "later"           },
        {200, E("\"extensions\":{\"type\":\"other\"}"),                                    ERR_UPSTREAM, false, "other"           },
        {200, E("\"path\":[\"x\"]"),                                                       ERR_UPSTREAM, false, "without words"   },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *doc = load(cases[i].text);
        struct err err = ERR_INIT;
        const json_t *data;

        assert_int_equal(linear_parse_answer(&arena, cases[i].status, doc, &data, &err),
                         -1);
        if (err.kind != cases[i].kind || err.is_retryable != cases[i].is_retryable)
            fail_msg("case %zu: kind %s, retryable %d", i, err_kind_name(err.kind),
                     err.is_retryable);
        assert_non_null(strstr(err.msg, cases[i].says));
        json_decref(doc);
    }
}

static void without_a_body_the_status_decides(void **state)
{
    static const struct {
        int status;
        enum err_kind kind;
        bool is_retryable;
    } cases[] = {
        {401, ERR_AUTH,     false},
        {403, ERR_DENIED,   false},
        {418, ERR_AUTH,     false},
        {429, ERR_UPSTREAM, true },
        {500, ERR_UPSTREAM, true },
        {502, ERR_UPSTREAM, true },
        {200, ERR_UPSTREAM, true },
        {302, ERR_UPSTREAM, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct err err = ERR_INIT;
        const json_t *data;

        assert_int_equal(linear_parse_answer(&arena, cases[i].status, NULL, &data, &err),
                         -1);
        assert_int_equal(err.kind, cases[i].kind);
        assert_int_equal(err.is_retryable, cases[i].is_retryable);
    }
}

static void a_rate_limit_has_three_forms(void **state)
{
    json_t *code = load(E("\"message\":\"m\",\"extensions\":{\"code\":\"RATELIMITED\"}"));
    json_t *type = load(E("\"message\":\"m\",\"extensions\":{\"type\":\"ratelimited\"}"));
    json_t *other =
        load(E("\"message\":\"m\",\"extensions\":{\"code\":\"INPUT_ERROR\"}"));
    struct err err = ERR_INIT;
    const json_t *data;

    (void)state;
    assert_true(linear_is_ratelimited(400, code));
    assert_true(linear_is_ratelimited(200, code));
    assert_true(linear_is_ratelimited(200, type));
    assert_true(linear_is_ratelimited(429, NULL));
    assert_false(linear_is_ratelimited(400, other));
    assert_false(linear_is_ratelimited(400, NULL));
    assert_int_equal(linear_parse_answer(&arena, 400, code, &data, &err), -1);
    assert_true(err.is_retryable);
    assert_false(err.is_unknown);
    json_decref(code);
    json_decref(type);
    json_decref(other);
}

static void the_latest_reset_is_waited_for(void **state)
{
    struct linear_window w[3] = {
        {NULL, "1764000030000"},
        {NULL, NULL           },
        {NULL, "1764000090000"}
    };
    struct linear_window odd[3] = {
        {"x",  "soon"         },
        {NULL, "-5"           },
        {"0",  "1763999999000"}
    };
    int64_t now_us = INT64_C(1764000000) * TS_SEC;

    (void)state;
    assert_true(linear_wait_us(w, 3, 0, now_us) == 90 * TS_SEC);
    assert_true(linear_wait_us(w, 3, 120 * TS_SEC, now_us) == 120 * TS_SEC);
    assert_true(linear_wait_us(odd, 3, 0, now_us) == 2 * TS_SEC);
    assert_true(linear_wait_us(odd, 0, 0, now_us) == 2 * TS_SEC);
    w[0].reset = "9000000000000000";
    assert_true(linear_wait_us(w, 3, 0, now_us) == 6 * TS_HOUR);
}

static void a_window_with_some_left_is_not_waited_for(void **state)
{
    struct linear_window w[2] = {
        {"2400", "1764003600000"},
        {"0",    "1764000040000"}
    };
    int64_t now_us = INT64_C(1764000000) * TS_SEC;

    (void)state;
    assert_true(linear_wait_us(w, 2, 0, now_us) == 40 * TS_SEC);
    w[1].remaining =
        "7"; /* too little for this request: nobody says which window it was */
    assert_true(linear_wait_us(w, 2, 0, now_us) == TS_HOUR);
}

static void an_issue(void **state)
{
    json_t *o =
        load("{\"id\":\"u-1\",\"identifier\":\"SUP-412\",\"title\":\"Stops\","
             "\"url\":\"https://linear.example/SUP-412\",\"description\":\"a\\n\\nb\","
             "\"createdAt\":\"2026-11-01T00:00:00.000Z\",\"completedAt\":null,"
             "\"archivedAt\":\"2026-11-02T00:00:00.000Z\",\"trashed\":null,"
             "\"priority\":2.0,\"state\":{\"name\":\"Copy\",\"type\":\"duplicate\"},"
             "\"team\":{\"id\":\"t-1\"},\"relations\":{\"nodes\":["
             "{\"type\":\"related\",\"relatedIssue\":{\"id\":\"u-8\"}},"
             "{\"type\":\"duplicate\",\"relatedIssue\":{\"id\":\"u-9\"}}]}}");
    struct err err = ERR_INIT;
    struct linear_issue i;

    (void)state;
    assert_int_equal(linear_parse_issue(&arena, o, &i, &err), 0);
    assert_string_equal(i.id, "u-1");
    assert_string_equal(i.identifier, "SUP-412");
    assert_string_equal(i.title, "Stops");
    assert_string_equal(i.description, "a\n\nb");
    assert_string_equal(i.state_name, "Copy");
    assert_int_equal(i.state, LINEAR_DUPLICATE);
    assert_string_equal(i.team_id, "t-1");
    assert_string_equal(i.duplicate_of, "u-9");
    assert_true(i.completed_us == TS_NONE);
    assert_true(i.is_archived);
    assert_false(i.is_trashed);
    json_decref(o);
}

static void the_trash_is_left_out(void **state)
{
    json_t *data = load("{\"issues\":{\"nodes\":[{\"id\":\"a\",\"trashed\":true},"
                        "{\"id\":\"b\",\"state\":{\"type\":\"brand new\"}}]}}");
    struct linear_issues kept = {.count = 0}, all = {.count = 0}, none = {.count = 0};
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(linear_parse_issues(&arena, data, "issues", false, &kept, &err), 0);
    assert_int_equal(kept.count, 1);
    assert_string_equal(kept.items[0].id, "b");
    assert_int_equal(kept.items[0].state, LINEAR_OPEN);
    assert_int_equal(linear_parse_issues(&arena, data, "issues", true, &all, &err), 0);
    assert_int_equal(all.count, 2);
    assert_true(all.items[0].is_trashed);
    assert_int_equal(linear_parse_issues(&arena, data, "searchIssues", true, &none, &err),
                     -1);
    json_decref(data);
}

static void a_token_is_looked_for_in_both_texts(void **state)
{
    struct linear_issue i = {.title = "x FSIGab1", .description = "long `fsigcd2` text"};

    (void)state;
    assert_true(linear_has_token(&i, "fsigab1"));
    assert_true(linear_has_token(&i, "fsigcd2"));
    assert_false(linear_has_token(&i, "fsigcd3"));
}

static void created_needs_success_and_an_issue(void **state)
{
    json_t *good = load("{\"issueCreate\":{\"success\":true,\"issue\":{\"id\":\"a\"}}}");
    json_t *no = load("{\"issueCreate\":{\"success\":false,\"issue\":{\"id\":\"a\"}}}");
    json_t *null = load("{\"issueCreate\":{\"success\":true,\"issue\":null}}");
    struct err err = ERR_INIT;
    struct linear_issue i;

    (void)state;
    assert_int_equal(linear_parse_created(&arena, good, "issueCreate", &i, &err), 0);
    assert_string_equal(i.id, "a");
    assert_int_equal(linear_parse_created(&arena, no, "issueCreate", &i, &err), -1);
    assert_int_equal(linear_parse_created(&arena, null, "issueCreate", &i, &err), -1);
    json_decref(good);
    json_decref(no);
    json_decref(null);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success_needs_status_data_and_no_errors),
        cmocka_unit_test(errors_by_code_and_type),
        cmocka_unit_test(without_a_body_the_status_decides),
        cmocka_unit_test(a_rate_limit_has_three_forms),
        cmocka_unit_test(the_latest_reset_is_waited_for),
        cmocka_unit_test(a_window_with_some_left_is_not_waited_for),
        cmocka_unit_test(an_issue),
        cmocka_unit_test(the_trash_is_left_out),
        cmocka_unit_test(a_token_is_looked_for_in_both_texts),
        cmocka_unit_test(created_needs_success_and_an_issue),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);

    arena_release(&arena);
    return rc;
}
