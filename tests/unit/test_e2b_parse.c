/* E2B's documents read from literal JSON; the filter's encodings; places in the logs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "upstream/e2b.h"
#include "upstream/e2b_parse.h"
#include "upstream/e2b_place.h"

#include "base/banned.h"

static struct arena arena;

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static json_t *load(const char *text)
{
    struct err err = ERR_INIT;
    json_t *doc = jget_load(text, strlen(text), &err);

    if (!doc)
        fail_msg("%s: %s", text, err.msg);
    return doc;
}

/* -- the metadata filter (e2b.md 2.2) ------------------------------------------------------- */

static void the_filter_is_encoded_three_times(void **state)
{
    struct {
        struct tag tags[2];
        size_t n;
        const char *want;
    } rows[] = {
        {{{"ticket", "48213"}},                  1, "ticket%3D48213"                                },
        {{{"ticket", "48213"}, {"env", "prod"}}, 2, "ticket%3D48213%26env%3Dprod"                   },
        {{{"zendesk_ticket", "#48213"}},         1, "zendesk_ticket%3D%25252348213"                 },
        {{{"customer", "Ana & Co"}},             1, "customer%3DAna%252520%252526%252520Co"         },
        {{{"customer id", "Ana & Co"}},
         1,                                         "customer%252520id%3DAna%252520%252526%252520Co"},
        {{{"k", "a+b"}},                         1, "k%3Da%25252Bb"                                 },
        {{{"q", "a=b"}},                         1, "q%3Da%25253Db"                                 },
        {{{"q", "50%+x"}},                       1, "q%3D50%252525%25252Bx"                         },
        {{{"e", "zo\xC3\xAB@example.com"}},      1, "e%3Dzo%2525C3%2525AB%252540example.com"        },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_string_equal(e2b_metadata_filter(&arena, rows[i].tags, rows[i].n),
                            rows[i].want);
    assert_string_equal(e2b_metadata_filter(&arena, NULL, 0), "");
}

/* -- arrays ----------------------------------------------------------------------------------- */

static void one_bad_row_does_not_cost_the_others(void **state)
{
    json_t *doc =
        load("[{\"sandboxID\":\"ia\",\"state\":\"running\"},{\"state\":\"x\"},7,"
             "{\"sandboxID\":\"ib\",\"state\":\"paused\",\"new\":{}}]");
    struct e2b_page page;
    struct sandbox *rows = NULL;
    struct err err = ERR_INIT;
    size_t n;

    (void)state;
    assert_int_equal(e2b_parse_sandboxes(&arena, doc, &page, &rows, &n, &err), 0);
    assert_int_equal(n, 2);
    assert_int_equal(page.rows, 4);
    assert_int_equal(page.bad, 2);
    assert_non_null(strstr(page.why.msg, "sandboxID"));
    assert_string_equal(rows[1].id, "ib");
    json_decref(doc);
}

static void rows_that_are_all_bad_are_an_error(void **state)
{
    json_t *bad = load("[{\"no\":1},{\"no\":2}]");
    json_t *no_list = load("{\"sandboxes\":[]}");
    json_t *empty = load("[]");
    struct e2b_page page;
    struct event *events = NULL;
    struct metric *metrics = NULL;
    struct sandbox *sandboxes = NULL;
    struct err err = ERR_INIT;
    size_t n;

    (void)state;
    assert_int_equal(e2b_parse_events(&arena, bad, &page, &events, &n, &err), -1);
    assert_int_equal(err.kind, ERR_UPSTREAM);
    assert_int_equal(e2b_parse_metrics(&arena, bad, &page, &metrics, &n, &err), -1);
    assert_int_equal(e2b_parse_sandboxes(&arena, no_list, &page, &sandboxes, &n, &err),
                     -1);
    assert_int_equal(e2b_parse_events(&arena, empty, &page, &events, &n, &err), 0);
    assert_int_equal(n, 0);
    json_decref(bad);
    json_decref(no_list);
    json_decref(empty);
}

static void events_come_with_null_and_absent_data(void **state)
{
    json_t *doc =
        load("[{\"id\":\"1\",\"type\":\"sandbox.lifecycle.created\","
             "\"timestamp\":\"2026-09-14T08:12:03.402118Z\",\"eventData\":null},"
             "{\"id\":\"2\",\"type\":\"sandbox.lifecycle.killed\","
             "\"timestamp\":\"2026-09-14T08:50:00Z\",\"eventData\":{\"kill_reason\":"
             "\"timeout\"}},"
             "{\"id\":\"3\",\"type\":\"sandbox.lifecycle.melted\","
             "\"timestamp\":\"2026-09-14T08:51:00.123456789Z\"}]");
    struct e2b_page page;
    struct event *rows = NULL;
    struct err err = ERR_INIT;
    size_t n;

    (void)state;
    assert_int_equal(e2b_parse_events(&arena, doc, &page, &rows, &n, &err), 0);
    assert_int_equal(n, 3);
    assert_int_equal(rows[0].type, EVENT_CREATED);
    assert_string_equal(rows[1].kill_reason, "timeout");
    assert_int_equal(rows[2].type, EVENT_OTHER);
    json_decref(doc);
}

static void metrics_are_sorted_and_bad_ones_left_out(void **state)
{
    json_t *doc =
        load("[{\"timestampUnix\":1789373535,\"cpuUsedPct\":99.5,\"cpuCount\":2,"
             "\"memUsed\":5368709120,\"memTotal\":8589934592,\"diskUsed\":1,"
             "\"diskTotal\":2},null,{\"timestampUnix\":\"x\"},"
             "{\"timestampUnix\":1789373530,\"cpuUsedPct\":37,\"memUsed\":1,"
             "\"memTotal\":2}]");
    struct e2b_page page;
    struct metric *rows = NULL;
    struct err err = ERR_INIT;
    size_t n;

    (void)state;
    assert_int_equal(e2b_parse_metrics(&arena, doc, &page, &rows, &n, &err), 0);
    assert_int_equal(n, 2);
    assert_int_equal(page.bad, 2);
    assert_true(rows[0].at_us == INT64_C(1789373530) * TS_SEC);
    assert_true(rows[1].mem_used == INT64_C(5368709120));
    json_decref(doc);
}

/* -- error bodies ----------------------------------------------------------------------------- */

static char *words(const char *body, const char *type)
{
    return e2b_error_words(&arena, body, strlen(body), type, "e2b_0f3c");
}

static void errors_speak_in_the_services_words(void **state)
{
    char big[5000];

    (void)state;
    assert_string_equal(
        words("{\"code\":404,\"message\":\"Sandbox \\\"ix\\\" doesn't exist\"}",
              "application/json"),
        "Sandbox \"ix\" doesn't exist");
    assert_string_equal(words("<html><head><title>502</title><style>x{}</style></head>"
                              "<body><h1>502 Bad Gateway</h1></body></html>",
                              "text/html"),
                        "502 Bad Gateway");
    assert_string_equal(words("upstream\n connect \x1b[31merror", "text/plain"),
                        "upstream connect error");
    assert_string_equal(words("", ""), "");
    assert_string_equal(
        words("{\"message\":\"Invalid API key,\\nkey e2b_0f3c unknown: e2b_0f3c\"}",
              "application/json"),
        "Invalid API key, key (key) unknown: (key)");
    memset(big, 'y', sizeof(big) - 1);
    big[sizeof(big) - 1] = '\0';
    assert_in_range(strlen(words(big, "text/plain")), 200, 200 + strlen(" [cut]"));
}

static void a_missing_route_is_told_from_a_missing_thing(void **state)
{
    static const char no_route[] = "{\"code\":404,\"message\":\"validation error: no "
                                   "matching operation was found\"}";
    static const char no_thing[] = "{\"code\":404,\"message\":\"Sandbox not found\"}";

    (void)state;
    assert_true(e2b_is_no_route(no_route, strlen(no_route)));
    assert_true(e2b_is_no_route("404 page not found", 18));
    assert_false(e2b_is_no_route(no_thing, strlen(no_thing)));
}

/* -- places ----------------------------------------------------------------------------------- */

static struct log_line line_at(int64_t us, const char *text, const char *message)
{
    return (struct log_line){.at_us = us, .at_text = text, .message = message};
}

static void identity_looks_at_everything_but_the_order_of_fields(void **state)
{
    struct tag ab[] =
        {
            {"a", "1"},
            {"b", "2"}
    },
               ba[] = {{"b", "2"}, {"a", "1"}}, other[] = {{"a", "12"}, {"b", ""}};
    struct log_line l = line_at(5, "t5", "m"), k = l;
    uint64_t id = e2b_line_identity(&l);

    (void)state;
    assert_true(e2b_line_identity(&k) == id);
    k.at_text = "t50";
    assert_false(e2b_line_identity(&k) == id);
    k = l;
    k.message = "n";
    assert_false(e2b_line_identity(&k) == id);
    k = l;
    k.level = LOG_LEVEL_WARN;
    assert_false(e2b_line_identity(&k) == id);
    l.fields = ab;
    l.field_count = 2;
    k = l;
    k.fields = ba;
    assert_true(e2b_line_identity(&k) == e2b_line_identity(&l));
    k.fields = other;
    assert_false(e2b_line_identity(&k) == e2b_line_identity(&l));
}

static void two_identical_lines_are_two(void **state)
{
    struct log_line l = line_at(7500, "t", "tick");
    struct e2b_place p;

    (void)state;
    e2b_place_start(&p, PLACE_CURSOR, 0);
    e2b_place_begin_page(&p);
    assert_true(e2b_place_take(&arena, &p, &l));
    assert_true(e2b_place_take(&arena, &p, &l));
    assert_int_equal(p.ms, 7);
    e2b_place_begin_page(&p); /* both come again, and a third */
    assert_false(e2b_place_take(&arena, &p, &l));
    assert_false(e2b_place_take(&arena, &p, &l));
    assert_true(e2b_place_take(&arena, &p, &l));
}

static void older_lines_and_lines_without_time_are_not_new(void **state)
{
    struct log_line l = line_at(7500, "t", "a"), old = line_at(6999, "o", "b"),
                    none = line_at(TS_NONE, "", "c");
    struct e2b_place p;

    (void)state;
    e2b_place_start(&p, PLACE_TIME, 0);
    e2b_place_begin_page(&p);
    assert_true(e2b_place_take(&arena, &p, &l));
    e2b_place_begin_page(&p);
    assert_false(e2b_place_take(&arena, &p, &old));
    assert_false(e2b_place_take(&arena, &p, &none));
}

/* The place goes through its text after n lines of one millisecond; all n are known then. */
static void check_text_form(enum e2b_place_mode mode, size_t n)
{
    struct e2b_place p, q;
    struct log_line l[40];
    char stamps[40][24];
    char *text;

    e2b_place_start(&p, mode, 1000);
    p.offset = mode == PLACE_OFFSET ? 2000000 : 0;
    e2b_place_begin_page(&p);
    for (size_t i = 0; i < n; i++) {
        snprintf(stamps[i], sizeof(stamps[i]), "s%zu", i);
        l[i] = line_at(INT64_C(1789373530123456), stamps[i], "m");
        assert_true(e2b_place_take(&arena, &p, &l[i]));
    }
    text = e2b_place_encode(&arena, &p);
    assert_true(strlen(text) <= E2B_PLACE_TEXT_MAX);
    assert_true(e2b_logs_position_ok(text));
    assert_int_equal(strspn(text, "0123456789abcdefghijklmnopqrstuvwxyz."), strlen(text));
    assert_int_equal(e2b_place_decode(&arena, text, &q), 0);
    assert_int_equal(q.mode, mode);
    assert_true(q.offset == p.offset);
    assert_true(q.ms == p.ms);
    e2b_place_begin_page(&q);
    for (size_t i = 0; i < n; i++)
        assert_false(e2b_place_take(&arena, &q, &l[i]));
    l[0] = line_at(INT64_C(1789373530123456), "new", "m");
    assert_true(e2b_place_take(&arena, &q, &l[0]));
    assert_int_equal(q.held_count + q.unnamed, n + 1);
}

static void a_place_travels_as_text(void **state)
{
    static const size_t counts[] = {0, 1, 2, 11, 12, 40};

    (void)state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        check_text_form(PLACE_CURSOR, counts[i]);
        check_text_form(PLACE_TIME, counts[i]);
        check_text_form(PLACE_OFFSET, counts[i]);
    }
}

static void bad_positions_are_refused(void **state)
{
    static const char *const bad[] = {"c",
                                      "x.1.0",
                                      "c.",
                                      "c.-1.0",
                                      "c.1",
                                      "c.1.",
                                      "c.1.1.zz",
                                      "c.1.0.00",
                                      "c.1.1.",
                                      "c.1.1.0123456789abc",
                                      "o.1.2",
                                      "c.1e3.0",
                                      "c.99999999999999999999.0",
                                      "c.1.2.0123456789ab",
                                      "c.1.1.0123456789AB",
                                      "c.1.12.0123456789ab",
                                      "C.1.0",
                                      "c..0",
                                      "c.1.0\n"};
    char longest[300];

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (e2b_logs_position_ok(bad[i]))
            fail_msg("accepted: %s", bad[i]);
    }
    memset(longest, '1', sizeof(longest));
    longest[0] = 'c';
    longest[1] = '.';
    longest[sizeof(longest) - 1] = '\0';
    assert_false(e2b_logs_position_ok(longest));
    assert_true(e2b_logs_position_ok(NULL));
    assert_true(e2b_logs_position_ok(""));
    assert_true(e2b_logs_position_ok("c.1789373530123.1.0123456789ab"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_filter_is_encoded_three_times),
        cmocka_unit_test(one_bad_row_does_not_cost_the_others),
        cmocka_unit_test(rows_that_are_all_bad_are_an_error),
        cmocka_unit_test(events_come_with_null_and_absent_data),
        cmocka_unit_test(metrics_are_sorted_and_bad_ones_left_out),
        cmocka_unit_test(errors_speak_in_the_services_words),
        cmocka_unit_test(a_missing_route_is_told_from_a_missing_thing),
        cmocka_unit_test(identity_looks_at_everything_but_the_order_of_fields),
        cmocka_unit_test(two_identical_lines_are_two),
        cmocka_unit_test(older_lines_and_lines_without_time_are_not_new),
        cmocka_unit_test(a_place_travels_as_text),
        cmocka_unit_test(bad_positions_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, teardown);
}
