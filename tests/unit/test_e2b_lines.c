/* Pages of log lines: both routes' forms, odd rows, order to the nanosecond, and rows read one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/jrows.h"
#include "base/ts.h"
#include "upstream/e2b_lines.h"
#include "upstream/e2b_place.h"

#include "base/banned.h"

static struct arena arena;
static struct err err;
static struct e2b_lines got;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena);
    err = (struct err){.kind = ERR_NONE};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static int v1(const char *body)
{
    return e2b_lines_v1(&arena, body, strlen(body), E2B_LINES_ALL, &got, &err);
}

static int v2(const char *body)
{
    return e2b_lines_v2(&arena, body, strlen(body), E2B_LINES_ALL, &got, &err);
}

/* -- rows ------------------------------------------------------------------------------------ */

/* The members "t" of a list's rows, joined by bars; "?" for one without, "(bad)" at a row that is no JSON. */
static const char *rows_of(const char *doc, const char *key)
{
    char *out = arena_str(&arena, "");
    struct jrows r;
    json_t *row;
    int rc;

    if (jrows_open(doc, strlen(doc), key, &r, &err))
        return "(no list)";
    while ((rc = jrows_next(&r, &row, &err)) == 1) {
        out =
            arena_fmt(&arena, "%s%s%s", out, *out ? "|" : "",
                      json_object_get(row, "t") ? jget_str(&arena, row, "t", "?") : "?");
        json_decref(row);
    }
    return rc ? arena_fmt(&arena, "%s(bad)", out) : out;
}

static void rows_are_found_whatever_stands_around_them(void **state)
{
    (void)state;
    assert_string_equal(rows_of("{\"l\":[{\"t\":\"a\"},{\"t\":\"b\"}]}", "l"), "a|b");
    assert_string_equal(
        rows_of(" { \"x\" : {\"l\":[{\"t\":\"no\"}]} , \"l\" : [ {\"t\":\"a\"} , "
                "{\"k\":[1,\"]}\"]} , {\"t\":\"b\"} ] , \"y\":\"]}\" } \n",
                "l"),
        "a|?|b");
    assert_string_equal(rows_of("{\"l\":[{\"t\":\"a\\\"]\"},{\"t\":\"\\\\\"}]}", "l"),
                        "a\"]|\\");
    assert_string_equal(rows_of("{\"l\":[]}", "l"), "");
    assert_string_equal(rows_of("{\"l\":null,\"m\":1}", "l"), "");
    assert_string_equal(rows_of("{}", "l"), "");
    assert_string_equal(rows_of("{\"l\":[1 ,true,null, \"x\",[],{}]}", "l"),
                        "?|?|?|?|?|?");
}

static void broken_documents_are_errors(void **state)
{
    static const char *const no_list[] = {
        "",       "[]",      "<html>",    "{\"l\":[\"a\"",     "{\"l\":[\"a]}",
        "{\"l\"", "{\"l\":", "{\"l\" 3}", "{\"l\":[\"a\"]} x", "{\"l\":[\"a\"],",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(no_list) / sizeof(no_list[0]); i++) {
        err = (struct err){.kind = ERR_NONE};
        assert_string_equal(rows_of(no_list[i], "l"), "(no list)");
        assert_int_equal(err.kind, ERR_UPSTREAM);
    }
    assert_string_equal(rows_of("{\"l\":[{\"t\":\"a\"},,{}]}", "l"), "a(bad)");
    assert_string_equal(rows_of("{\"l\":[{\"t\":\"a\"},b]}", "l"), "a(bad)");
    assert_string_equal(rows_of("{\"l\":[{\"t\":\"a\"},{\"t\":b}]}", "l"), "a(bad)");
    assert_string_equal(rows_of("{\"l\":[{\"t\":\"a\"} {}]}", "l"), "(bad)");
}

static void a_member_that_is_no_list_is_not_there(void **state)
{
    struct jrows r;
    const char *doc = "{\"l\":{\"a\":1},\"n\":null,\"m\":[]}";

    (void)state;
    assert_int_equal(jrows_open(doc, strlen(doc), "l", &r, &err), 0);
    assert_false(r.is_there);
    assert_int_equal(jrows_open(doc, strlen(doc), "zz", &r, &err), 0);
    assert_false(r.is_there);
    assert_int_equal(jrows_open(doc, strlen(doc), "n", &r, &err), 0);
    assert_true(r.is_there);
    assert_int_equal(jrows_open(doc, strlen(doc), "m", &r, &err), 0);
    assert_true(r.is_there);
}

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16;
}

/* Whatever a document is damaged into: rows are as jansson reads them, or there is an error. */
static void damaged_documents_are_read_like_a_whole_reader_does(void **state)
{
    static const char good[] = "{\"x\":[{\"l\":[1]}],\"l\":[{\"t\":\"a,]}\"},"
                               "{\"t\":\"\\\"\",\"u\":[[{}],3]},{}],\"y\":\"]\"}";
    static const char bytes[] = "{}[],:\"\\ a1";
    unsigned seed = 7;
    size_t agreed = 0;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t n = sizeof(good) - 1;
        char *doc = malloc(n); /* no byte behind it may be read */
        struct err ignored = ERR_INIT;
        struct jrows r;
        json_t *whole, *row;
        size_t rows = 0;
        int rc = -1;

        assert_non_null(doc);
        memcpy(doc, good, n);
        for (unsigned k = next_random(&seed) % 3; k > 0; k--)
            doc[next_random(&seed) % n] = bytes[next_random(&seed) % (sizeof(bytes) - 1)];
        if (next_random(&seed) % 4 == 0)
            n = next_random(&seed) % n;
        whole = jget_load(doc, n, &ignored);
        if (!jrows_open(doc, n, "l", &r, &ignored)) {
            while ((rc = jrows_next(&r, &row, &ignored)) == 1) {
                json_decref(row);
                rows++;
            }
        }
        if (json_is_object(whole)) {
            assert_int_equal(rc, 0);
            assert_int_equal(rows, json_array_size(json_object_get(whole, "l")));
            agreed++;
        }
        json_decref(whole);
        free(doc);
    }
    assert_true(agreed > 1000);
}

static void rows_are_counted_without_reading_them(void **state)
{
    struct jrows r;
    const char *doc = "{\"l\":[ {\"a\":[1,2]}, \"x,y\", 3 ]}";

    (void)state;
    assert_int_equal(jrows_open(doc, strlen(doc), "l", &r, &err), 0);
    assert_int_equal(jrows_count(&r), 3);
}

/* -- lines ----------------------------------------------------------------------------------- */

#define RAW_END                                                                          \
    "{\\\"level\\\":\\\"info\\\",\\\"event_type\\\":\\\"process_end\\\","                \
    "\\\"process_result\\\":{\\\"exit_code\\\":137,\\\"exited\\\":true,"                 \
    "\\\"status\\\":\\\"exit status 137\\\"},\\\"stdout_bytes\\\":80,"                   \
    "\\\"message\\\":\\\"Process with pid 512 ended\\\"}"

static void v1_takes_results_from_the_raw_lines(void **state)
{
    (void)state;
    assert_int_equal(
        v1("{\"logs\":[{\"timestamp\":\"2026-09-14T08:12:04Z\",\"line\":\"no json\"},"
           "{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"line\":\"" RAW_END "\"}],"
           "\"logEntries\":[{\"timestamp\":\"2026-09-14T08:12:04Z\",\"level\":\"info\","
           "\"message\":\"\",\"fields\":null},"
           "{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"level\":\"info\","
           "\"message\":\"Process with pid 512 ended\","
           "\"fields\":{\"event_type\":\"process_end\"}}]}"),
        0);
    assert_int_equal(got.page.rows, 2);
    assert_int_equal(got.count, 2);
    assert_false(got.lines[0].has_result);
    assert_true(got.lines[1].has_result);
    assert_int_equal(got.lines[1].exit_code, 137);
    assert_string_equal(got.lines[1].status, "exit status 137");
}

/* The same line from either route is one line, though only one of them tells the result. */
static void a_line_is_the_same_on_both_routes(void **state)
{
    uint64_t id;

    (void)state;
    assert_int_equal(
        v2("{\"logs\":[{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"level\":\"info\","
           "\"message\":\"Process with pid 512 ended\","
           "\"fields\":{\"event_type\":\"process_end\",\"pty_bytes\":\"0\"}}]}"),
        0);
    id = e2b_line_identity(&got.lines[0]);
    assert_int_equal(
        v1("{\"logs\":[{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"line\":\"" RAW_END
           "\"}],"
           "\"logEntries\":[{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"level\":\"info\","
           "\"message\":\"Process with pid 512 ended\","
           "\"fields\":{\"pty_bytes\":\"0\",\"event_type\":\"process_end\"}}]}"),
        0);
    assert_true(got.lines[0].has_result);
    assert_true(e2b_line_identity(&got.lines[0]) == id);
    got.lines[0].message = "Process with pid 513 ended";
    assert_true(e2b_line_identity(&got.lines[0]) != id);
}

static void v1_without_entries_is_read_from_raw_lines(void **state)
{
    static const char *const docs[] = {
        "{\"logs\":[{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"line\":\"" RAW_END
        "\"}]}",
        "{\"logs\":[{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"line\":\"" RAW_END "\"}],"
        "\"logEntries\":null}",
        "{\"logs\":[{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"line\":\"" RAW_END "\"}],"
        "\"logEntries\":[]}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(docs) / sizeof(docs[0]); i++) {
        assert_int_equal(v1(docs[i]), 0);
        assert_int_equal(got.page.rows, 1);
        assert_string_equal(got.lines[0].message, "Process with pid 512 ended");
        assert_int_equal(got.lines[0].level, LOG_LEVEL_INFO);
        assert_int_equal(got.lines[0].exit_code, 137);
    }
}

/* Lists of different lengths cannot be paired: the entries count. */
static void lists_that_do_not_pair_give_no_results(void **state)
{
    (void)state;
    assert_int_equal(
        v1("{\"logs\":[{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"line\":\"" RAW_END
           "\"}],"
           "\"logEntries\":[{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"message\":\"a\"},"
           "{\"timestamp\":\"2026-09-14T08:12:19.9Z\",\"message\":\"b\"}]}"),
        0);
    assert_int_equal(got.count, 2);
    assert_string_equal(got.lines[1].message, "b");
    assert_false(got.lines[0].has_result);
}

static void v1_with_nothing_is_empty_not_wrong(void **state)
{
    static const char *const docs[] = {"{\"logs\":[],\"logEntries\":[]}",
                                       "{\"logs\":null,\"logEntries\":null}",
                                       "{\"logEntries\":[]}", "{\"logs\":[]}"};

    (void)state;
    for (size_t i = 0; i < sizeof(docs) / sizeof(docs[0]); i++) {
        assert_int_equal(v1(docs[i]), 0);
        assert_int_equal(got.page.rows, 0);
        assert_int_equal(got.count, 0);
        assert_int_equal(err.kind, ERR_NONE);
    }
}

static void a_document_without_lines_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(v2("{\"sandboxes\":[]}"), -1);
    assert_non_null(strstr(err.msg, "\"logs\""));
    assert_int_equal(v1("[{\"no\":1}]"), -1);
    assert_int_equal(v2("{\"logs\":[{\"no\":1},{\"no\":2}]}"), -1);
    assert_non_null(strstr(err.msg, "no line of 2"));
    assert_int_equal(v2("{\"logs\":[{\"timestamp\":\"2026-09-14T08:12:04Z\""), -1);
    assert_int_equal(v2("{\"logs\":[{\"timestamp\":\"2026-09-14T08:12:04Z\"}, oops]}"),
                     -1);
}

static void an_unreadable_line_keeps_its_place(void **state)
{
    (void)state;
    assert_int_equal(v2("{\"logs\":[{\"message\":\"no time\"},"
                        "{\"timestamp\":\"2026-09-14T08:12:04Z\",\"level\":\"warn\","
                        "\"message\":\"b\",\"fields\":null}]}"),
                     0);
    assert_int_equal(got.page.rows, 2);
    assert_int_equal(got.page.bad, 1);
    assert_true(got.lines[0].at_us == TS_NONE);
    assert_string_equal(got.lines[1].message, "b");
}

/* What follows the wanted millisecond is counted, not read. */
static void reading_stops_behind_a_millisecond(void **state)
{
    const char *body = "{\"logs\":[{\"timestamp\":\"2026-09-14T08:12:04.0011Z\"},"
                       "{\"timestamp\":\"2026-09-14T08:12:04.0019Z\"},"
                       "{\"timestamp\":\"2026-09-14T08:12:04.002Z\"},"
                       "{\"timestamp\":\"2026-09-14T08:12:05Z\"},{\"bad\":1}]}";
    int64_t at_us = 0;

    (void)state;
    assert_int_equal(ts_parse("2026-09-14T08:12:04.001Z", &at_us), 0);
    assert_int_equal(e2b_lines_v2(&arena, body, strlen(body), at_us / TS_MS, &got, &err),
                     0);
    assert_int_equal(got.page.rows, 5);
    assert_int_equal(got.count, 3);
    assert_true(e2b_line_ms(&got.lines[2]) == at_us / TS_MS + 1);
}

static void moments_are_told_to_the_nanosecond(void **state)
{
    struct log_line l = {.at_us = 1234567, .at_text = "1970-01-01T00:00:01.234567891Z"};

    (void)state;
    assert_int_equal(e2b_line_ms(&l), 1234);
    assert_int_equal(e2b_line_ns(&l), 567891);
    l.at_text = "1970-01-01T00:00:01.2345678Z";
    assert_int_equal(e2b_line_ns(&l), 567800);
    l.at_text = "1970-01-01T00:00:01.234567Z";
    assert_int_equal(e2b_line_ns(&l), 567000);
    l.at_text = NULL;
    assert_int_equal(e2b_line_ns(&l), 567000);
    l.at_us = -1;
    assert_int_equal(e2b_line_ms(&l), -1);
    assert_int_equal(e2b_line_ns(&l), 999000);
}

static void lines_are_sorted_and_equal_times_keep_their_order(void **state)
{
    struct log_line l[] = {
        {.at_us = 5,       .message = "c"                             },
        {.at_us = 3,       .message = "a"                             },
        {.at_us = 5,       .message = "d"                             },
        {.at_us = 3,       .message = "b"                             },
        {.at_us = 4,       .at_text = "1970-01-01T00:00:00.000004009Z", .message = "n9"},
        {.at_us = 4,                .at_text = "1970-01-01T00:00:00.000004001Z",                                                  .message = "n1"},
        {.at_us = TS_NONE, .message = "none"}
    };
    static const char *const want[] = {"none", "a", "b", "n1", "n9", "c", "d"};

    (void)state;
    e2b_lines_sort(&arena, l, 7);
    for (size_t i = 0; i < 7; i++)
        assert_string_equal(l[i].message, want[i]);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_are_found_whatever_stands_around_them),
        TEST(broken_documents_are_errors),
        TEST(a_member_that_is_no_list_is_not_there),
        TEST(damaged_documents_are_read_like_a_whole_reader_does),
        TEST(rows_are_counted_without_reading_them),
        TEST(v1_takes_results_from_the_raw_lines),
        TEST(a_line_is_the_same_on_both_routes),
        TEST(v1_without_entries_is_read_from_raw_lines),
        TEST(lists_that_do_not_pair_give_no_results),
        TEST(v1_with_nothing_is_empty_not_wrong),
        TEST(a_document_without_lines_is_an_error),
        TEST(an_unreadable_line_keeps_its_place),
        TEST(reading_stops_behind_a_millisecond),
        TEST(moments_are_told_to_the_nanosecond),
        TEST(lines_are_sorted_and_equal_times_keep_their_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
