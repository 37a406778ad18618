/*
 * Pitfalls of E2B's API (e2b.md 11) that no test of one module shows by itself. tests/pitfalls has the list of
 * all of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/ts.h"
#include "model/process.h"
#include "model/timeline.h"

#include "base/banned.h"

static struct arena arena;
static struct evidence ev;
static struct timeline t;

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

static void build(const char *text)
{
    struct err err = ERR_INIT;
    json_t *doc = jget_load(text, strlen(text), &err);

    if (!doc || evidence_from_json(&arena, doc, &ev, &err))
        fail_msg("%s", err.msg);
    json_decref(doc);
    timeline_build(&arena, &ev, &t);
}

static int64_t at(const char *text)
{
    int64_t us;

    assert_int_equal(ts_parse(text, &us), 0);
    return us;
}

/* One life told in every unit there is: all of it comes out alike. */
static void units_differ_by_call(void **state)
{
    (void)state;
    build(
        "{\"now\":\"2026-09-14T09:00:00Z\",\"sandbox\":null,\"sandbox_status\":404,"
        "\"events\":["
        "{\"id\":\"a\",\"type\":\"sandbox.lifecycle.created\",\"timestamp\":"
        "\"2026-09-14T08:12:03.402118Z\",\"sandboxId\":\"i1\",\"sandboxExecutionId\":"
        "\"x\",\"eventData\":null},"
        "{\"id\":\"b\",\"type\":\"sandbox.lifecycle.updated\",\"timestamp\":"
        "\"2026-09-14T08:20:00.1Z\",\"sandboxId\":\"i1\",\"sandboxExecutionId\":\"x\","
        "\"eventData\":{\"set_timeout\":\"2026-09-14T08:50:00Z\"}},"
        "{\"id\":\"c\",\"type\":\"sandbox.lifecycle.killed\",\"timestamp\":"
        "\"2026-09-14T08:50:00.238Z\",\"sandboxId\":\"i1\",\"sandboxExecutionId\":\"x\","
        "\"eventData\":{\"kill_reason\":\"timeout\",\"execution\":{\"started_at\":"
        "\"2026-09-14T08:12:03Z\",\"vcpu_count\":2,\"memory_mb\":512,"
        "\"execution_time\":2276836}}}],"
        "\"metrics\":[{\"timestampUnix\":1789373530,\"cpuCount\":2,\"memUsed\":311427072,"
        "\"memTotal\":507510784,\"diskTotal\":1073741824}],"
        "\"logs\":[{\"timestamp\":\"2026-09-14T08:12:04.120388Z\",\"message\":"
        "\"Sandbox created\",\"fields\":{\"service\":\"orchestration-api\",\"end_time\":"
        "\"2026-09-14 08:42:03 +00:00\"}}]}");
    assert_int_equal(t.exec_count, 1);
    assert_true(t.ran_us ==
                at("2026-09-14T08:50:00.238Z") - at("2026-09-14T08:12:03.402118Z"));
    assert_true(ev.events[2].exec_ms == 2276836);                   /* milliseconds */
    assert_true(t.ran_us - ev.events[2].exec_ms * TS_MS < TS_SEC);  /* the same time */
    assert_true(ev.metrics[0].at_us == at("2026-09-14T08:12:10Z")); /* seconds */
    assert_true(ev.metrics[0].mem_total == 507510784);              /* bytes */
    assert_true(t.memory_mib == 512 && t.disk_mib == 1024);         /* MiB */
    assert_true(t.execs[0].first_deadline_us == at("2026-09-14T08:42:03Z"));
    assert_true(t.execs[0].deadline_us ==
                at("2026-09-14T08:50:00Z")); /* a point in time */
}

static void end_time_in_logs_has_another_form(void **state)
{
    (void)state;
    assert_true(at("2026-09-14 08:42:03 +00:00") == at("2026-09-14T08:42:03Z"));
    assert_true(at("2026-09-14 10:42:03 +02:00") == at("2026-09-14T08:42:03Z"));
}

static void numbers_in_fields_may_have_an_exponent(void **state)
{
    struct process *p;
    size_t n;

    (void)state;
    build("{\"now\":\"2026-09-14T09:00:00Z\",\"sandbox\":null,\"sandbox_status\":404,"
          "\"events\":[],\"metrics\":["
          "{\"timestampUnix\":1789373530,\"cpuUsedPct\":37},"
          "{\"timestampUnix\":1789373535,\"cpuUsedPct\":37.25}],"
          "\"logs\":[{\"timestamp\":\"2026-09-14T08:12:21.5Z\",\"message\":"
          "\"Process with pid 513 ended\",\"fields\":{\"event_type\":\"process_end\","
          "\"stdout_bytes\":\"5.24288E+06\",\"stderr_bytes\":\"0\"}}]}");
    assert_true(ev.metrics[0].cpu_pct > 36.9 && ev.metrics[0].cpu_pct < 37.1);
    assert_true(ev.metrics[1].cpu_pct > 37.2 && ev.metrics[1].cpu_pct < 37.3);
    p = processes_build(&arena, ev.logs, ev.log_count, &n);
    assert_int_equal(n, 1);
    assert_true(p[0].stdout_bytes == 5242880);
}

/* After a failed auto-pause; and a paused one's endAt is always past. */
static void an_end_may_come_before_its_start(void **state)
{
    (void)state;
    build("{\"now\":\"2026-09-14T09:00:00Z\",\"sandbox\":{\"sandboxID\":\"i1\","
          "\"templateID\":\"p3\",\"state\":\"paused\",\"startedAt\":"
          "\"2026-09-14T08:30:00Z\",\"endAt\":\"2026-09-14T08:10:00Z\"},"
          "\"events\":[],\"metrics\":[],\"logs\":[]}");
    assert_int_equal(t.exec_count, 1);
    assert_int_equal(t.state, SANDBOX_PAUSED);
    assert_true(t.execs[0].end_us >= t.execs[0].start_us);
    assert_true(t.ran_us == 0);
    assert_true(t.execs[0].deadline_us == TS_NONE); /* when it was paused, no deadline */
}

#define SLOW(last)                                                                       \
    "{\"now\":\"2026-09-14T09:00:00Z\",\"sandbox\":{\"sandboxID\":\"i1\","               \
    "\"templateID\":"                                                                    \
    "\"p3\",\"state\":\"running\",\"startedAt\":\"2026-09-14T08:30:00Z\",\"endAt\":"     \
    "\"2026-09-14T10:00:00Z\"},\"events\":[],\"metrics\":[],\"logs\":["                  \
    "{\"timestamp\":\"2026-09-14T08:40:00Z\",\"message\":"                               \
    "\"Sandbox healthcheck started "                                                     \
    "failing\",\"fields\":{\"service\":\"orchestrator\"}}" last "]}"

static void a_recovered_health_check_is_no_death(void **state)
{
    (void)state;
    build(SLOW(""));
    assert_true(t.is_silent);
    build(SLOW(",{\"timestamp\":\"2026-09-14T08:41:00Z\",\"message\":"
               "\"Sandbox healthcheck recovered\",\"fields\":{\"service\":"
               "\"orchestrator\"}}"));
    assert_false(t.is_silent);
    assert_int_equal(t.execs[0].end, EXEC_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(units_differ_by_call, setup, teardown),
        cmocka_unit_test_setup_teardown(end_time_in_logs_has_another_form, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(numbers_in_fields_may_have_an_exponent, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(an_end_may_come_before_its_start, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_recovered_health_check_is_no_death, setup,
                                        teardown),
    };

    return cmocka_run_group_tests_name("pitfalls", tests, NULL, NULL);
}
