/*
 * Evidence bundles: read, written, read again. With CASEBOOK_SHARED set, every case of the corpus.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/ts.h"
#include "model/evidence.h"
#include "model/timeline.h"

#include "base/banned.h"

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

static int read_case(const char *text, struct evidence *ev)
{
    json_t *doc = jget_load(text, strlen(text), &err);
    int rc;

    if (!doc)
        fail_msg("%s", err.msg);
    rc = evidence_from_json(&arena, doc, ev, &err);
    json_decref(doc);
    return rc;
}

static void assert_round_trip(const struct evidence *ev)
{
    json_t *once = evidence_to_json(ev);
    struct evidence again;
    json_t *twice;

    assert_int_equal(evidence_from_json(&arena, once, &again, &err), 0);
    twice = evidence_to_json(&again);
    assert_true(json_equal(once, twice));
    assert_string_equal(again.sandbox_id, ev->sandbox_id);
    assert_true(again.now_us == ev->now_us);
    assert_int_equal(again.has_sandbox, ev->has_sandbox);
    assert_int_equal(again.event_count, ev->event_count);
    assert_int_equal(again.metric_count, ev->metric_count);
    assert_int_equal(again.log_count, ev->log_count);
    assert_int_equal(again.output_count, ev->output_count);
    assert_int_equal(again.sandbox_src.state, ev->sandbox_src.state);
    for (size_t i = 0; i < ev->log_count; i++) {
        assert_true(again.logs[i].at_us == ev->logs[i].at_us);
        assert_string_equal(again.logs[i].at_text, ev->logs[i].at_text);
        assert_int_equal(again.logs[i].has_result, ev->logs[i].has_result);
    }
    for (size_t i = 0; i < ev->metric_count; i++)
        assert_memory_equal(&again.metrics[i], &ev->metrics[i], sizeof(ev->metrics[i]));
    json_decref(once);
    json_decref(twice);
}

static void test_empty_case(void **state)
{
    struct evidence ev;

    (void)state;
    assert_int_equal(read_case("{\"sandbox\":null,\"sandbox_status\":404,\"events\":[],"
                               "\"metrics\":[],\"logs\":[],\"output\":[],"
                               "\"now\":\"2026-06-01T00:00:00Z\"}",
                               &ev),
                     0);
    assert_false(ev.has_sandbox);
    assert_int_equal(ev.sandbox_src.state, SOURCE_NOT_THERE);
    assert_int_equal(ev.events_src.state, SOURCE_OK);
    assert_string_equal(ev.sandbox_id, "");
    assert_round_trip(&ev);
}

static void test_missing_is_not_empty(void **state)
{
    struct evidence ev;

    (void)state;
    assert_int_equal(
        read_case("{\"events\":[],\"metrics\":null,\"now\":\"2026-06-01T00:00:00Z\"}",
                  &ev),
        0);
    assert_int_equal(ev.events_src.state, SOURCE_OK);
    assert_int_equal(ev.metrics_src.state, SOURCE_NOT_ASKED);
    assert_int_equal(ev.logs_src.state, SOURCE_NOT_ASKED);
    assert_int_equal(ev.sandbox_src.state, SOURCE_NOT_ASKED);
    assert_int_equal(read_case("{\"sandbox\":null,\"sandbox_status\":503,"
                               "\"now\":\"2026-06-01T00:00:00Z\"}",
                               &ev),
                     0);
    assert_int_equal(ev.sandbox_src.state, SOURCE_FAILED);
    assert_int_equal(ev.sandbox_src.err.http_status, 503);
}

static void test_no_case(void **state)
{
    static const struct {
        const char *text, *word;
    } bad[] = {
        {"[]",                                                            "object"     },
        {"{}",                                                            "no case"    },
        {"{\"hello\":1}",                                                 "no case"    },
        {"{\"events\":{},\"now\":\"2026-06-01T00:00:00Z\"}",              "\"events\"" },
        {"{\"logs\":\"x\",\"now\":\"2026-06-01T00:00:00Z\"}",             "\"logs\""   },
        {"{\"sandbox\":\"x\",\"now\":\"2026-06-01T00:00:00Z\"}",          "\"sandbox\""},
        {"{\"sandbox\":{},\"now\":\"2026-06-01T00:00:00Z\"}",             "sandboxID"  },
        {"{\"events\":[1],\"now\":\"2026-06-01T00:00:00Z\"}",             "\"events\"" },
        {"{\"events\":[],\"now\":\"yesterday\"}",                         "\"now\""    },
        {"{\"events\":[]}",                                               "\"now\""    },
        {"{\"events\":[],\"format\":2,\"now\":\"2026-06-01T00:00:00Z\"}", "format"     },
    };
    struct evidence ev;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        err = (struct err)ERR_INIT;
        assert_int_equal(read_case(bad[i].text, &ev), -1);
        assert_int_equal(err.kind, ERR_INPUT);
        assert_non_null(strstr(err.msg, bad[i].word));
        assert_null(strchr(err.msg, '\n'));
    }
}

static void test_odd_elements_cost_only_themselves(void **state)
{
    struct evidence ev;

    (void)state;
    assert_int_equal(
        read_case(
            "{\"logs\":[{\"timestamp\":\"2026-06-01T00:00:02Z\",\"message\":\"b\"},7,"
            "{\"message\":\"no time\"}],\"events\":[]}",
            &ev),
        0);
    assert_int_equal(ev.log_count, 1);
    assert_int_equal(ev.logs_src.state, SOURCE_OK);
    assert_non_null(strstr(ev.logs_src.err.msg, "2 of 3"));
    assert_true(ev.now_us == ev.logs[0].at_us); /* the newest time that is known */
}

static void test_newest_first_is_turned(void **state)
{
    struct evidence ev;

    (void)state;
    assert_int_equal(
        read_case(
            "{\"logs\":[{\"timestamp\":\"2026-06-01T00:00:02Z\",\"message\":\"d\"},"
            "{\"timestamp\":\"2026-06-01T00:00:01.5Z\",\"message\":\"c\"},"
            "{\"timestamp\":\"2026-06-01T00:00:01.5Z\",\"message\":\"b\"},"
            "{\"timestamp\":\"2026-06-01T00:00:01Z\",\"message\":\"a\"}],"
            "\"output\":[{\"timestamp\":\"2026-06-01T00:00:01Z\",\"line\":\"1\"},"
            "{\"line\":\"2\"},{\"timestamp\":\"2026-06-01T00:00:00Z\",\"line\":\"0\"}]}",
            &ev),
        0);
    for (size_t i = 0; i < 4; i++) {
        const char want[] = {(char)('a' + i), '\0'};

        assert_string_equal(ev.logs[i].message, want);
    }
    assert_string_equal(ev.output[0].text, "0");
    assert_string_equal(ev.output[2].text, "1");
    assert_true(ev.output[1].at_us == ev.output[2].at_us); /* took its neighbour's time */
}

static void test_sources_survive(void **state)
{
    struct evidence ev;

    (void)state;
    assert_int_equal(read_case("{\"sandbox\":null,\"sandbox_status\":404,\"events\":[],"
                               "\"logs\":[],\"now\":\"2026-06-01T00:00:00Z\"}",
                               &ev),
                     0);
    err_set(&ev.events_src.err, ERR_TIMEOUT, "no answer in 30 s");
    ev.events_src.state = SOURCE_FAILED;
    ev.events_src.err.http_status = 504;
    ev.events_src.tries = 3;
    ev.events_src.took_us = 30 * TS_SEC;
    ev.events_src.fetched_us = ev.now_us;
    ev.metrics_src.state = SOURCE_UNSUPPORTED;
    ev.logs_src.is_cut = true;
    assert_round_trip(&ev);
    {
        json_t *doc = evidence_to_json(&ev);
        struct evidence again;

        assert_int_equal(evidence_from_json(&arena, doc, &again, &err), 0);
        assert_int_equal(again.events_src.state, SOURCE_FAILED);
        assert_int_equal(again.events_src.err.kind, ERR_TIMEOUT);
        assert_string_equal(again.events_src.err.msg, "no answer in 30 s");
        assert_int_equal(again.events_src.err.http_status, 504);
        assert_int_equal(again.events_src.tries, 3);
        assert_true(again.events_src.took_us == 30 * TS_SEC);
        assert_true(again.events_src.fetched_us == ev.now_us);
        assert_int_equal(again.metrics_src.state, SOURCE_UNSUPPORTED);
        assert_true(again.logs_src.is_cut);
        json_decref(doc);
    }
}

static void test_hostile_text_round_trip(void **state)
{
    struct evidence ev;

    (void)state;
    assert_int_equal(
        read_case(
            "{\"sandbox\":{\"sandboxID\":\"iabc\",\"state\":\"running\",\"metadata\":"
            "{\"<b>\":\"\\u0000\\u202e\xFF\"}},\"sandbox_status\":200,"
            "\"logs\":[{\"timestamp\":\"2026-06-01T00:00:01Z\",\"message\":"
            "\"\\u001b[31m<script>\\u0000\\ud800\",\"fields\":{\"command\":"
            "\"a\\r\\nb\xC0\"}}],"
            "\"output\":[{\"line\":\"\\u2066\\u0007\"}],\"now\":\"2026-06-01T00:00:"
            "00Z\"}",
            &ev),
        0);
    assert_string_equal(ev.logs[0].message, "<script>\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_string_equal(tag_get(ev.logs[0].fields, 1, "command", ""), "a\nb\xEF\xBF\xBD");
    assert_round_trip(&ev);
}

static char *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *bytes = malloc(1 << 22);

    assert_non_null(bytes);
    if (!f)
        fail_msg("%s cannot be opened", path);
    *n = fread(bytes, 1, 1 << 22, f);
    fclose(f);
    return bytes;
}

/* Nothing of a case may be lost on reading. */
static void check_counts(const json_t *doc, const struct evidence *ev)
{
    assert_int_equal(json_array_size(json_object_get(doc, "events")), ev->event_count);
    assert_int_equal(json_array_size(json_object_get(doc, "metrics")), ev->metric_count);
    assert_int_equal(json_array_size(json_object_get(doc, "logs")), ev->log_count);
    assert_int_equal(json_array_size(json_object_get(doc, "output")), ev->output_count);
    assert_int_equal(json_is_object(json_object_get(doc, "sandbox")), ev->has_sandbox);
    assert_true(jget_time(doc, "now") == ev->now_us);
    for (size_t i = 0; i < ev->log_count; i++) {
        const json_t *line = json_array_get(json_object_get(doc, "logs"), i);

        assert_string_equal(jget_str(&arena, line, "timestamp", ""), ev->logs[i].at_text);
        assert_int_equal(json_object_size(jget_obj(line, "fields")),
                         ev->logs[i].field_count);
    }
}

static void check_timeline(const struct evidence *ev)
{
    struct timeline t;

    timeline_build(&arena, ev, &t);
    assert_true(t.ran_us >= 0 && t.paused_us >= 0);
    if (ev->event_count)
        assert_true(t.exec_count > 0);
    for (size_t i = 0; i < t.exec_count; i++) {
        assert_true(t.execs[i].start_us != TS_NONE);
        assert_true(t.execs[i].end_us == TS_NONE ||
                    t.execs[i].end_us >= t.execs[i].start_us);
        assert_true(t.execs[i].deadline_us != TS_NONE);
        assert_true(t.execs[i].start_is_known);
    }
}

static void test_corpus(void **state)
{
    const char *shared = getenv("CASEBOOK_SHARED");
    char pattern[1000];
    glob_t files;

    (void)state;
    if (!shared)
        skip();
    snprintf(pattern, sizeof(pattern), "%s/corpus/[0-9]*.json", shared);
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 60);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        size_t n;
        char *bytes = read_file(files.gl_pathv[i], &n);
        json_t *doc = jget_load(bytes, n, &err);
        struct evidence ev;

        free(bytes);
        if (!doc || evidence_from_json(&arena, doc, &ev, &err))
            fail_msg("%s: %s", files.gl_pathv[i], err.msg);
        check_counts(doc, &ev);
        assert_round_trip(&ev);
        check_timeline(&ev);
        json_decref(doc);
        arena_reset(&arena);
    }
    globfree(&files);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_empty_case),
        T(test_missing_is_not_empty),
        T(test_no_case),
        T(test_odd_elements_cost_only_themselves),
        T(test_newest_first_is_turned),
        T(test_sources_survive),
        T(test_hostile_text_round_trip),
        T(test_corpus),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
