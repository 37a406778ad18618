/* E2B's JSON in all the shapes it comes in, and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "model/sandbox.h"

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

    if (!doc)
        fail_msg("%s", err.msg);
    return doc;
}

static struct sandbox sandbox_of(const char *text)
{
    struct sandbox s;
    json_t *doc = load(text);

    assert_int_equal(sandbox_from_json(&arena, doc, &s, &err), 0);
    json_decref(doc);
    return s;
}

static struct event event_of(const char *text)
{
    struct event e;
    json_t *doc = load(text);

    assert_int_equal(event_from_json(&arena, doc, &e, &err), 0);
    json_decref(doc);
    return e;
}

static struct metric metric_of(const char *text)
{
    struct metric m;
    json_t *doc = load(text);

    assert_int_equal(metric_from_json(doc, &m, &err), 0);
    json_decref(doc);
    return m;
}

static struct log_line log_of(const char *text)
{
    struct log_line l;
    json_t *doc = load(text);

    assert_int_equal(log_line_from_json(&arena, doc, &l, &err), 0);
    json_decref(doc);
    return l;
}

static char *dump_and_free(json_t *doc)
{
    char *text = jget_dump(&arena, doc);

    json_decref(doc);
    return text;
}

static const char sandbox_text[] =
    "{\"sandboxID\":\"i7q2m0xk4v9d1c8b3zt5e\",\"templateID\":\"p3v8n1r6t0w5y2k9c4m7\","
    "\"alias\":\"support-py\",\"clientID\":\"6532622b\",\"state\":\"running\","
    "\"startedAt\":\"2026-09-14T08:12:03.418207114Z\",\"endAt\":\"2026-09-14T08:42:03."
    "418207114Z\","
    "\"cpuCount\":2,\"memoryMB\":512,\"diskSizeMB\":1024,"
    "\"metadata\":{\"ticket\":\"48213\",\"env\":\"prod\"},"
    "\"envdVersion\":\"0.6.13\",\"envdAccessToken\":\"verysecret\","
    "\"network\":{\"rules\":{\"x.y\":[{\"transform\":{\"headers\":{\"A\":\"verysecret\"}}"
    "}]}},"
    "\"lifecycle\":{\"onTimeout\":\"pause\",\"autoResume\":true},\"volumeMounts\":[],"
    "\"new\":1}";

static void test_sandbox_full(void **state)
{
    struct sandbox s = sandbox_of(sandbox_text);

    (void)state;
    assert_string_equal(s.id, "i7q2m0xk4v9d1c8b3zt5e");
    assert_string_equal(s.template_id, "p3v8n1r6t0w5y2k9c4m7");
    assert_string_equal(s.template_alias, "support-py");
    assert_int_equal(s.state, SANDBOX_RUNNING);
    assert_true(s.started_us == INT64_C(1789373523418207));
    assert_true(s.end_us - s.started_us == 30 * TS_MIN);
    assert_int_equal(s.cpu_count, 2);
    assert_int_equal(s.memory_mib, 512);
    assert_int_equal(s.disk_mib, 1024);
    assert_string_equal(s.on_timeout, "pause");
    assert_true(s.auto_resume);
    assert_int_equal(s.tag_count, 2);
    assert_string_equal(s.tags[0].key, "ticket"); /* in the order given */
    assert_string_equal(s.tags[1].value, "prod");
    assert_string_equal(tag_get(s.tags, s.tag_count, "ticket", ""), "48213");
    assert_string_equal(tag_get(s.tags, s.tag_count, "Ticket", "none"), "none");
}

static void test_sandbox_never_keeps_secrets(void **state)
{
    struct sandbox s = sandbox_of(sandbox_text);
    const char *text = dump_and_free(sandbox_to_json(&s));
    struct sandbox again = sandbox_of(text);

    (void)state;
    assert_null(strstr(text, "secret"));
    assert_null(strstr(text, "envdAccessToken"));
    assert_string_equal(dump_and_free(sandbox_to_json(&again)), text);
}

static void test_sandbox_omitted_null_and_unknown(void **state)
{
    struct sandbox s =
        sandbox_of("{\"sandboxID\":\"iabc\",\"state\":\"frozen\",\"alias\":null,"
                   "\"metadata\":null,\"lifecycle\":null,\"cpuCount\":null,"
                   "\"endAt\":\"soon\",\"memoryMB\":-5}");

    (void)state;
    assert_int_equal(s.state, SANDBOX_OTHER);
    assert_string_equal(s.state_text, "frozen");
    assert_string_equal(s.template_id, "");
    assert_string_equal(s.template_alias, "");
    assert_string_equal(s.on_timeout, "");
    assert_true(s.started_us == TS_NONE);
    assert_true(s.end_us == TS_NONE);
    assert_int_equal(s.cpu_count, 0);
    assert_int_equal(s.memory_mib, 0);
    assert_int_equal(s.disk_mib, 0);
    assert_int_equal(s.tag_count, 0);
}

static void test_sandbox_needs_an_id(void **state)
{
    static const char *const bad[] = {"{}", "{\"sandboxID\":null}", "{\"sandboxID\":7}",
                                      "[]"};
    struct sandbox s = {.id = "untouched"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        json_t *doc = load(bad[i]);

        assert_int_equal(sandbox_from_json(&arena, doc, &s, &err), -1);
        assert_int_equal(err.kind, ERR_UPSTREAM);
        assert_non_null(strstr(err.msg, "sandboxID"));
        assert_string_equal(s.id, "untouched");
        json_decref(doc);
    }
}

static void test_tags_are_bounded_and_cleaned(void **state)
{
    json_t *doc = json_pack("{s:s,s:{}}", "sandboxID", "iabc", "metadata");
    json_t *metadata = json_object_get(doc, "metadata");
    struct sandbox s;
    char *huge = malloc(5000);

    (void)state;
    assert_non_null(huge);
    memset(huge, 'v', 4999);
    huge[4999] = '\0';
    json_object_set_new(metadata, "evil", json_string("\x1b[31m<script>\xE2\x80\xAE"));
    json_object_set_new(metadata, "number", json_integer(42));
    json_object_set_new(metadata, "nothing", json_null());
    json_object_set_new(metadata, "huge", json_string(huge));
    for (int i = 0; i < 100; i++) {
        char key[20];

        snprintf(key, sizeof(key), "k%d", i);
        json_object_set_new(metadata, key, json_string("v"));
    }
    assert_int_equal(sandbox_from_json(&arena, doc, &s, &err), 0);
    assert_int_equal(s.tag_count, 64);
    assert_string_equal(tag_get(s.tags, s.tag_count, "evil", ""), "<script>" BAD);
    assert_string_equal(tag_get(s.tags, s.tag_count, "number", ""), "42");
    assert_null(tag_get(s.tags, s.tag_count, "nothing", NULL));
    assert_int_equal(strlen(tag_get(s.tags, s.tag_count, "huge", "")),
                     1024 + strlen(" [cut]"));
    free(huge);
    json_decref(doc);
}

static void test_event_camel_case(void **state)
{
    struct event e = event_of(
        "{\"id\":\"c80d\",\"version\":\"v2\",\"type\":\"sandbox.lifecycle.killed\","
        "\"timestamp\":\"2026-09-14T08:50:00.238Z\",\"eventData\":{\"sandbox_metadata\":"
        "{\"ticket\":\"48213\"},\"kill_reason\":\"timeout\",\"execution\":{\"started_"
        "at\":"
        "\"2026-09-14T08:12:03Z\",\"vcpu_count\":2,\"memory_mb\":512,\"execution_time\":"
        "2276836}},"
        "\"sandboxId\":\"iabc\",\"sandboxExecutionId\":\"b1a9\",\"sandboxTemplateId\":"
        "\"tpl\","
        "\"sandboxTeamId\":\"team\"}");

    (void)state;
    assert_int_equal(e.type, EVENT_KILLED);
    assert_true(e.has_data);
    assert_string_equal(e.kill_reason, "timeout");
    assert_string_equal(e.sandbox_id, "iabc");
    assert_string_equal(e.execution_id, "b1a9");
    assert_string_equal(e.template_id, "tpl");
    assert_string_equal(e.team_id, "team");
    assert_true(e.exec_started_us == INT64_C(1789373523000000));
    assert_int_equal(e.exec_ms, 2276836);
    assert_int_equal(e.exec_cpu_count, 2);
    assert_int_equal(e.exec_memory_mib, 512);
    assert_string_equal(e.tags[0].value, "48213");
    assert_true(e.set_timeout_us == TS_NONE);
}

static void test_event_snake_case(void **state)
{
    struct event e = event_of(
        "{\"id\":\"a47e\",\"type\":\"sandbox.lifecycle.updated\","
        "\"timestamp\":\"2026-09-14T08:20:00.1Z\",\"event_data\":{\"set_timeout\":"
        "\"2026-09-14T08:50:00Z\",\"network_egress\":{\"allowed_cidrs\":null}},"
        "\"sandbox_id\":\"iabc\",\"sandbox_execution_id\":\"b1a9\","
        "\"sandbox_template_id\":\"tpl\",\"sandbox_team_id\":\"team\"}");

    (void)state;
    assert_int_equal(e.type, EVENT_UPDATED);
    assert_string_equal(e.sandbox_id, "iabc");
    assert_string_equal(e.execution_id, "b1a9");
    assert_string_equal(e.template_id, "tpl");
    assert_true(e.set_timeout_us - e.at_us == 30 * TS_MIN - 100 * TS_MS);
    assert_true(e.changed_network);
}

static void test_event_without_data(void **state)
{
    static const char *const forms[] = {
        "{\"id\":\"1\",\"type\":\"sandbox.lifecycle.paused\",\"timestamp\":\"2026-09-"
        "14T08:20:00Z\"}",
        "{\"id\":\"1\",\"type\":\"sandbox.lifecycle.paused\",\"timestamp\":\"2026-09-"
        "14T08:20:00Z\","
        "\"eventData\":null,\"sandboxUptimeSecs\":4}",
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct event e = event_of(forms[i]);

        assert_false(e.has_data);
        assert_int_equal(e.exec_ms, -1);
        assert_string_equal(e.kill_reason, "");
        assert_string_equal(e.execution_id, "");
        assert_true(e.exec_started_us == TS_NONE);
        assert_non_null(strstr(dump_and_free(event_to_json(&e)), "\"eventData\":null"));
    }
}

static void test_event_unknown_type_and_bad_ones(void **state)
{
    static const char *const bad[] = {
        "{\"type\":\"x\",\"timestamp\":\"2026-09-14T08:20:00Z\"}",
        "{\"id\":\"1\",\"timestamp\":\"2026-09-14T08:20:00Z\"}",
        "{\"id\":\"1\",\"type\":\"x\",\"timestamp\":17}",
        "{\"id\":\"1\",\"type\":\"x\"}",
    };
    struct event e = event_of("{\"id\":\"1\",\"type\":\"sandbox.lifecycle.frozen\","
                              "\"timestamp\":\"2026-09-14T08:20:00Z\"}");

    (void)state;
    assert_int_equal(e.type, EVENT_OTHER);
    assert_string_equal(e.type_text, "sandbox.lifecycle.frozen");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        json_t *doc = load(bad[i]);

        assert_int_equal(event_from_json(&arena, doc, &e, &err), -1);
        json_decref(doc);
    }
}

static void test_events_sorted_and_unique(void **state)
{
    struct event events[] = {
        {.id = "c", .at_us = 30},
        {.id = "b", .at_us = 10},
        {.id = "c", .at_us = 31},
        {.id = "a", .at_us = 10},
        {.id = "b", .at_us = 10},
    };

    (void)state;
    assert_int_equal(events_sort_unique(events, 5), 3);
    assert_string_equal(events[0].id, "a");
    assert_string_equal(events[1].id, "b");
    assert_string_equal(events[2].id, "c");
    assert_int_equal(events[2].at_us, 30);
    assert_int_equal(events_sort_unique(NULL, 0), 0);
}

static void test_metric_large_and_missing(void **state)
{
    struct metric m = metric_of(
        "{\"timestampUnix\":1789373530,\"timestamp\":\"2000-01-01T00:00:00Z\","
        "\"cpuCount\":8,\"cpuUsedPct\":37,\"memUsed\":6442450944,"
        "\"memTotal\":8589934592.0,\"diskUsed\":21474836480,\"diskTotal\":null}");

    (void)state;
    assert_true(m.at_us == INT64_C(1789373530000000));
    assert_true(m.mem_used == INT64_C(6442450944));
    assert_true(m.mem_total == INT64_C(8589934592));
    assert_int_equal(m.mem_cache, 0);
    assert_true(m.disk_used == INT64_C(21474836480));
    assert_int_equal(m.disk_total, 0);
    assert_true(m.cpu_pct == 37.0);
    m = metric_of(
        "{\"timestamp\":\"2026-09-14T08:12:10.5Z\",\"cpuUsedPct\":99.5,\"memUsed\":-1}");
    assert_true(m.at_us == INT64_C(1789373530500000));
    assert_int_equal(m.mem_used, 0);
}

static void test_metric_without_a_time(void **state)
{
    static const char *const bad[] = {"{}", "{\"timestampUnix\":-1}",
                                      "{\"timestampUnix\":1e17}",
                                      "{\"timestampUnix\":\"5\"}", "[]"};
    struct metric m;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        json_t *doc = load(bad[i]);

        assert_int_equal(metric_from_json(doc, &m, &err), -1);
        json_decref(doc);
    }
}

static void test_metric_round_trip(void **state)
{
    static const char *const forms[] = {
        "{\"timestampUnix\":1789373530,\"cpuUsedPct\":37.25,\"memUsed\":311427072}",
        "{\"timestamp\":\"2026-09-14T08:12:10.5Z\",\"cpuUsedPct\":0.01}",
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct metric m = metric_of(forms[i]);
        const char *text = dump_and_free(metric_to_json(&m));
        struct metric again = metric_of(text);

        assert_true(again.at_us == m.at_us);
        assert_true(again.cpu_pct == m.cpu_pct);
        assert_true(again.mem_used == m.mem_used);
    }
}

static void test_log_entry(void **state)
{
    struct log_line l =
        log_of("{\"timestamp\":\"2026-09-14T08:12:04.120388Z\",\"level\":\"warn\","
               "\"message\":\"Memory usage threshold "
               "exceeded\",\"fields\":{\"service\":\"orchestrator\","
               "\"mem_used_percent\":\"86.77\",\"stdout_bytes\":\"5.24288E+06\"}}");

    (void)state;
    assert_string_equal(l.at_text, "2026-09-14T08:12:04.120388Z");
    assert_int_equal(l.level, LOG_LEVEL_WARN);
    assert_string_equal(tag_get(l.fields, l.field_count, "stdout_bytes", ""),
                        "5.24288E+06");
    assert_false(l.has_result);
    assert_true(log_line_is_platform(&l));
}

static void test_log_fields_null_and_levels(void **state)
{
    struct log_line l = log_of("{\"timestamp\":\"2026-09-14T08:12:04Z\",\"level\":null,"
                               "\"message\":\"\",\"fields\":null}");

    (void)state;
    assert_int_equal(l.field_count, 0);
    assert_int_equal(l.level, LOG_LEVEL_NONE);
    assert_int_equal(log_level_from_text("WARNING"), LOG_LEVEL_WARN);
    assert_int_equal(log_level_from_text("noise"), LOG_LEVEL_NONE);
    assert_int_equal(log_level_from_text(NULL), LOG_LEVEL_NONE);
    assert_string_equal(log_level_name(LOG_LEVEL_ERROR), "error");
    assert_string_equal(log_level_name(LOG_LEVEL_NONE), "");
}

static void test_log_platform_or_agent(void **state)
{
    struct log_line l =
        log_of("{\"timestamp\":\"2026-09-14T08:12:04Z\",\"message\":\"Sandbox "
               "stopped\"}");

    (void)state;
    assert_true(log_line_is_platform(&l));
    /* the customer's words with the customer's origin */
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:04Z\",\"message\":\"Sandbox stopped\","
               "\"fields\":{\"service\":\"envd\"}}");
    assert_false(log_line_is_platform(&l));
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:04Z\",\"message\":\"Process with pid 5 "
               "ended\"}");
    assert_false(log_line_is_platform(&l));
}

static void test_result_from_raw_line(void **state)
{
    static const char raw[] =
        "{\"event_type\":\"process_end\",\"process_result\":{\"exit_code\":-1,"
        "\"status\":\"signal: killed\",\"error\":\"signal: "
        "killed\"},\"stdout_bytes\":5242880}";
    struct log_line l =
        log_of("{\"timestamp\":\"2026-09-14T08:12:21.5Z\",\"level\":\"info\","
               "\"message\":\"Process with pid 513 ended\",\"fields\":{}}");
    struct log_line again;

    (void)state;
    log_line_add_raw(&arena, "not JSON process_result", 23, &l);
    assert_false(l.has_result);
    log_line_add_raw(&arena, raw, sizeof(raw) - 1, &l);
    assert_true(l.has_result);
    assert_int_equal(l.exit_code, -1);
    assert_false(l.exited);
    assert_string_equal(l.status, "signal: killed");
    again = log_of(dump_and_free(log_line_to_json(&l)));
    assert_true(again.has_result);
    assert_int_equal(again.exit_code, -1);
    assert_string_equal(again.status, "signal: killed");
}

static void test_result_from_field(void **state)
{
    struct log_line l = log_of(
        "{\"timestamp\":\"2026-09-14T08:12:21.5Z\",\"message\":\"Process with pid 5 "
        "ended\","
        "\"fields\":{\"process_result\":\"{\\\"exit_code\\\":137,\\\"exited\\\":true,"
        "\\\"status\\\":\\\"exit status 137\\\"}\"}}");

    (void)state;
    assert_true(l.has_result);
    assert_int_equal(l.exit_code, 137);
    assert_true(l.exited);
    assert_string_equal(l.status, "exit status 137");
    /* success leaves the code out */
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:21.5Z\",\"message\":\"x\",\"fields\":"
               "{\"process_result\":{\"exited\":true,\"status\":\"exit status 0\"}}}");
    assert_true(l.has_result);
    assert_int_equal(l.exit_code, 0);
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:21.5Z\",\"message\":\"x\",\"fields\":"
               "{\"process_result\":{\"exit_code\":-1}}}");
    assert_true(l.has_result);
    assert_int_equal(l.exit_code, -1);
    assert_false(l.exited);
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:21.5Z\",\"message\":\"x\",\"fields\":"
               "{\"process_result\":\"{broken\"}}");
    assert_false(l.has_result);
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:21.5Z\",\"message\":\"x\",\"fields\":"
               "{\"process_result\":\"{}\"}}");
    assert_false(l.has_result);
}

static void test_result_survives_many_fields(void **state)
{
    static const char raw[] = "{\"process_result\":{\"exit_code\":3,\"exited\":true}}";
    json_t *doc = json_pack("{s:s,s:s,s:{}}", "timestamp", "2026-09-14T08:12:21Z",
                            "message", "x", "fields");
    struct log_line l;

    (void)state;
    for (int i = 0; i < 90; i++) {
        char key[20];

        snprintf(key, sizeof(key), "f%d", i);
        json_object_set_new(json_object_get(doc, "fields"), key, json_string("v"));
    }
    assert_int_equal(log_line_from_json(&arena, doc, &l, &err), 0);
    json_decref(doc);
    log_line_add_raw(&arena, raw, sizeof(raw) - 1, &l);
    assert_int_equal(l.field_count, 64);
    l = log_of(dump_and_free(log_line_to_json(&l)));
    assert_int_equal(l.exit_code, 3);
}

static void test_log_only_raw_line(void **state)
{
    struct log_line l = log_of(
        "{\"timestamp\":\"2026-09-14T08:12:21.5Z\",\"line\":\"{\\\"level\\\":"
        "\\\"info\\\","
        "\\\"message\\\":\\\"Process with pid 512 ended\\\",\\\"process_result\\\":"
        "{\\\"exit_code\\\":3,\\\"exited\\\":true},\\\"pid\\\":512}\"}");

    (void)state;
    assert_string_equal(l.message, "Process with pid 512 ended");
    assert_int_equal(l.exit_code, 3);
    assert_string_equal(tag_get(l.fields, l.field_count, "pid", ""), "512");
    l = log_of(
        "{\"timestamp\":\"2026-09-14T08:12:21.5Z\",\"line\":\"plain \\u0000 text\"}");
    assert_string_equal(l.message, "plain " BAD " text");
    assert_int_equal(l.level, LOG_LEVEL_INFO);
}

static void test_log_message_is_cut(void **state)
{
    size_t n = 200000;
    char *huge = malloc(n + 1);
    json_t *doc;
    struct log_line l;

    (void)state;
    assert_non_null(huge);
    memset(huge, 'm', n);
    huge[n] = '\0';
    doc = json_pack("{s:s,s:s}", "timestamp", "2026-09-14T08:12:21Z", "message", huge);
    assert_int_equal(log_line_from_json(&arena, doc, &l, &err), 0);
    assert_int_equal(strlen(l.message), 65536 + strlen(" [cut]"));
    json_decref(doc);
    free(huge);
}

/* Kept where there is something in it that the cleaned text lacks; of what was printed, where that is the text. */
static void test_log_raw_text(void **state)
{
    struct log_line l = log_of("{\"timestamp\":\"2026-09-14T08:12:21Z\",\"message\":"
                               "\"a\\u001b[1mb\\u0000\"}");
    struct log_line copy;
    char *huge = malloc(300001);
    json_t *doc;

    (void)state;
    assert_string_equal(l.message, "ab" BAD);
    assert_int_equal(l.raw_n, 7);
    assert_memory_equal(l.raw, "a\033[1mb\0", 7);
    copy = log_line_copy(&arena, &l);
    assert_ptr_not_equal(copy.raw, l.raw);
    assert_memory_equal(copy.raw, "a\033[1mb\0", 7);
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:21Z\",\"message\":\"a\\r\\n\\tb\"}");
    assert_null(l.raw);
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:21Z\",\"message\":\"x\\u202e\","
               "\"fields\":{\"event_type\":\"stdout\",\"data\":\"\\u001b[1my\"}}");
    assert_int_equal(l.raw_n, 5);
    assert_memory_equal(l.raw, "\033[1my", 5);
    assert_string_equal(log_line_printed(&l), "y");
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:21Z\",\"message\":\"x\\u202e\","
               "\"fields\":{\"event_type\":\"stdout\",\"data\":\"y\"}}");
    assert_null(l.raw);
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:21Z\",\"line\":\"x\\u202e\"}");
    assert_memory_equal(l.raw, "x\u202E", 4);
    l = log_of("{\"timestamp\":\"2026-09-14T08:12:21Z\",\"line\":"
               "\"{\\\"message\\\":\\\"z\\u202e\\\"}\"}");
    assert_memory_equal(l.raw, "z\u202E", 4);
    /* four times what is shown, at a character; the mark of the cut comes on top */
    assert_non_null(huge);
    memset(huge, 'm', 300000);
    huge[300000] = '\0';
    huge[9] = '\x1B';
    huge[262143] = '\xC3';
    huge[262144] = '\xA9';
    doc = json_pack("{s:s,s:s}", "timestamp", "2026-09-14T08:12:21Z", "message", huge);
    assert_int_equal(log_line_from_json(&arena, doc, &l, &err), 0);
    assert_int_equal(l.raw_n, 262143 + strlen(" [cut]"));
    assert_string_equal(l.raw + 262142, "m [cut]");
    json_decref(doc);
    free(huge);
}

static void test_output_line(void **state)
{
    struct output_line l;
    json_t *doc = load("{\"timestamp\":\"2026-09-14T08:12:21Z\",\"stream\":\"stderr\","
                       "\"line\":\"\\u001b[31mKilled\\u001b[0m\"}");

    (void)state;
    assert_int_equal(output_line_from_json(&arena, doc, &l, &err), 0);
    assert_true(l.is_stderr);
    assert_string_equal(l.text, "Killed");
    json_decref(doc);
    doc = load("{\"line\":\"no time\"}");
    assert_int_equal(output_line_from_json(&arena, doc, &l, &err), 0);
    assert_true(l.at_us == TS_NONE);
    assert_false(l.is_stderr);
    json_decref(doc);
    doc = load("{\"timestamp\":\"2026-09-14T08:12:21Z\"}");
    assert_int_equal(output_line_from_json(&arena, doc, &l, &err), -1);
    json_decref(doc);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_sandbox_full),
        T(test_sandbox_never_keeps_secrets),
        T(test_sandbox_omitted_null_and_unknown),
        T(test_sandbox_needs_an_id),
        T(test_tags_are_bounded_and_cleaned),
        T(test_event_camel_case),
        T(test_event_snake_case),
        T(test_event_without_data),
        T(test_event_unknown_type_and_bad_ones),
        T(test_events_sorted_and_unique),
        T(test_metric_large_and_missing),
        T(test_metric_without_a_time),
        T(test_metric_round_trip),
        T(test_log_entry),
        T(test_log_fields_null_and_levels),
        T(test_log_platform_or_agent),
        T(test_result_from_raw_line),
        T(test_result_from_field),
        T(test_result_survives_many_fields),
        T(test_log_only_raw_line),
        T(test_log_message_is_cut),
        T(test_log_raw_text),
        T(test_output_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
