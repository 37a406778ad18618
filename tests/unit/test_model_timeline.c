/*
 * Executions, deadlines, ends and states from what E2B leaves behind; and the complaint window.
 * All times are of one day.
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
#include "model/timeline.h"

#include "base/banned.h"

#define DAY "2026-09-14T"
#define EVENT(id, type, at, exec, data)                                                  \
    "{\"id\":\"" id "\",\"type\":\"sandbox.lifecycle." type "\",\"timestamp\":\"" DAY at \
    "Z\",\"sandboxId\":\"iabc\",\"sandboxExecutionId\":\"" exec "\",\"eventData\":" data \
    "}"
#define TIMEOUT_AT(at) "{\"set_timeout\":\"" DAY at "Z\"}"
#define KILLED_BY(reason) "{\"kill_reason\":\"" reason "\"}"
#define LINE_WITH(at, message, fields)                                                   \
    "{\"timestamp\":\"" DAY at "Z\",\"message\":\"" message "\",\"fields\":" fields "}"
#define LINE(at, message) LINE_WITH(at, message, "{}")
#define CREATED_LINE(at, end)                                                            \
    "{\"timestamp\":\"" DAY at                                                           \
    "Z\",\"message\":\"Sandbox created\",\"fields\":{\"service\":"                       \
    "\"orchestration-api\",\"end_time\":\"2026-09-14 " end " +00:00\"}}"
#define SAMPLE(at) "{\"timestamp\":\"" DAY at "Z\",\"memUsed\":1,\"memTotal\":507510784}"
#define RUNNING(start, end)                                                              \
    "{\"sandboxID\":\"iabc\",\"state\":\"running\",\"startedAt\":\"" DAY start           \
    "Z\",\"endAt\":\"" DAY end "Z\",\"memoryMB\":512}"
#define PAUSED(start, end)                                                               \
    "{\"sandboxID\":\"iabc\",\"state\":\"paused\",\"startedAt\":\"" DAY start            \
    "Z\",\"endAt\":\"" DAY end "Z\"}"
#define GONE "null,\"sandbox_status\":404"
#define LIST(...) list(__VA_ARGS__, (const char *)NULL)

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

/* "a,b,c"; the last argument is NULL. */
static const char *list(const char *first, ...)
{
    const char *all = first;
    va_list ap;

    va_start(ap, first);
    for (const char *s = va_arg(ap, const char *); s; s = va_arg(ap, const char *))
        all = arena_fmt(&arena, "%s,%s", all, s);
    va_end(ap);
    return all;
}

static const char *bundle(const char *now, const char *sandbox, const char *events,
                          const char *logs, const char *metrics)
{
    return arena_fmt(
        &arena,
        "{\"now\":\"" DAY
        "%sZ\",\"sandbox\":%s,\"events\":[%s],\"logs\":[%s],\"metrics\":[%s]}",
        now, sandbox, events, logs, metrics);
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

static int64_t at(const char *clock)
{
    int64_t us;

    assert_int_equal(ts_parse(arena_fmt(&arena, DAY "%sZ", clock), &us), 0);
    return us;
}

static void assert_exec(size_t i, const char *start, enum exec_end end,
                        const char *end_at)
{
    assert_true(i < t.exec_count);
    assert_true(t.execs[i].start_us == at(start));
    assert_int_equal(t.execs[i].end, end);
    assert_true(t.execs[i].end_us == (end_at ? at(end_at) : TS_NONE));
}

static void test_nothing(void **state)
{
    (void)state;
    build(bundle("09:00:00", GONE, "", "", ""));
    assert_int_equal(t.exec_count, 0);
    assert_true(t.start_us == TS_NONE);
    assert_true(t.ran_us == 0);
    assert_int_equal(t.state, SANDBOX_OTHER);
    assert_true(t.is_rebuilt);
}

static void test_three_pauses(void **state)
{
    (void)state;
    build(bundle("09:00:00", PAUSED("08:40:00", "08:50:00"),
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "paused", "08:10:00", "A", "null"),
                      EVENT("3", "resumed", "08:20:00", "B", "null"),
                      EVENT("4", "paused", "08:25:00", "B", "null"),
                      EVENT("5", "resumed", "08:40:00", "C", "null"),
                      EVENT("6", "paused", "08:50:00", "C", "null")),
                 "", ""));
    assert_int_equal(t.exec_count, 3);
    assert_exec(0, "08:00:00", EXEC_PAUSED, "08:10:00");
    assert_exec(1, "08:20:00", EXEC_PAUSED, "08:25:00");
    assert_exec(2, "08:40:00", EXEC_PAUSED, "08:50:00");
    assert_false(t.execs[0].is_resume);
    assert_true(t.execs[1].is_resume);
    assert_true(t.ran_us == 25 * TS_MIN);
    assert_true(t.paused_us == 25 * TS_MIN);
    assert_int_equal(t.state, SANDBOX_PAUSED);
    assert_false(t.is_deleted_while_paused);
    assert_false(t.has_old_snapshot);
}

static void test_events_without_execution_ids(void **state)
{
    (void)state;
    build(bundle("09:00:00", GONE,
                 LIST(EVENT("1", "created", "08:00:00", "", "null"),
                      EVENT("2", "updated", "08:05:00", "", "null"),
                      EVENT("3", "paused", "08:10:00", "", "null"),
                      EVENT("4", "resumed", "08:20:00", "", "null"),
                      EVENT("5", "killed", "08:25:00", "", "null")),
                 "", ""));
    assert_int_equal(t.exec_count, 2);
    assert_exec(0, "08:00:00", EXEC_PAUSED, "08:10:00");
    assert_exec(1, "08:20:00", EXEC_KILLED, "08:25:00");
    assert_string_equal(t.execs[1].kill_reason, "");
    assert_true(t.execs[1].deadline_us == TS_NONE);
    assert_int_equal(t.state, SANDBOX_ENDED);
}

static void test_list_begins_with_killed(void **state)
{
    (void)state;
    build(bundle("09:00:00", GONE,
                 EVENT("9", "killed", "08:50:00", "A",
                       "{\"kill_reason\":\"request\",\"execution\":{\"started_at\":\"" DAY
                       "08:12:03Z\",\"vcpu_count\":2,\"memory_mb\":512}}"),
                 "", ""));
    assert_int_equal(t.exec_count, 1);
    assert_exec(0, "08:12:03", EXEC_KILLED, "08:50:00");
    assert_true(t.execs[0].start_is_known);
    assert_int_equal(t.memory_mib, 512);
    assert_int_equal(t.cpu_count, 2);
    assert_null(t.execs[0].start_event);
}

static void test_list_begins_with_updated(void **state)
{
    (void)state;
    build(bundle("09:00:00", GONE,
                 LIST(EVENT("8", "updated", "08:20:00", "A", TIMEOUT_AT("08:50:00")),
                      EVENT("9", "killed", "08:50:00.2", "A", KILLED_BY("timeout"))),
                 "", LIST(SAMPLE("08:14:00"), SAMPLE("08:14:05"))));
    assert_exec(0, "08:14:00", EXEC_KILLED, "08:50:00.2");
    assert_false(t.execs[0].start_is_known);
    assert_true(t.execs[0].first_deadline_us == TS_NONE);
    assert_true(t.execs[0].deadline_us == at("08:50:00"));
    assert_true(execution_ended_at_deadline(&t.execs[0], 512));
    assert_int_equal(t.memory_mib,
                     484); /* from the samples: a little below the allocation */
}

static void test_fork_begins_with_resumed(void **state)
{
    (void)state;
    build(bundle("08:30:00", RUNNING("08:20:00", "09:00:00"),
                 EVENT("1", "resumed", "08:20:00", "A", "null"), "", ""));
    assert_true(t.execs[0].is_first_on_record_resumed);
    assert_true(t.execs[0].is_resume);
    assert_int_equal(t.execs[0].end, EXEC_OPEN);
    assert_true(t.execs[0].first_deadline_us == at("09:00:00"));
    assert_true(t.ran_us == 10 * TS_MIN);
    assert_true(t.end_us == TS_NONE);
}

static void test_deadline_history(void **state)
{
    const struct execution *x;

    (void)state;
    build(bundle("09:30:00", GONE,
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "updated", "08:03:00", "A", TIMEOUT_AT("08:40:00")),
                      EVENT("3", "updated", "08:04:00", "A", "null"),
                      EVENT("4", "updated", "08:05:00", "A", TIMEOUT_AT("08:20:00")),
                      EVENT("5", "killed", "08:20:00.4", "A", KILLED_BY("timeout"))),
                 CREATED_LINE("08:00:00.3", "08:10:00"), ""));
    x = &t.execs[0];
    assert_int_equal(x->move_count, 3);
    assert_true(x->moves[0].from_us == TS_NONE);
    assert_true(x->moves[0].to_us == at("08:10:00"));
    assert_null(x->moves[0].event);
    assert_true(x->moves[1].from_us == at("08:10:00"));
    assert_true(x->moves[1].to_us == at("08:40:00"));
    assert_string_equal(x->moves[1].event->id, "2");
    assert_true(x->moves[2].from_us == at("08:40:00"));
    assert_true(x->moves[2].to_us == at("08:20:00"));
    assert_true(x->first_deadline_us == at("08:10:00"));
    assert_true(x->deadline_us == at("08:20:00"));
    assert_true(execution_ended_at_deadline(x, 0));
}

static void test_each_resume_has_its_own_deadline(void **state)
{
    (void)state;
    build(bundle("09:00:00", RUNNING("08:30:00", "08:55:00"),
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "updated", "08:03:00", "A", TIMEOUT_AT("08:40:00")),
                      EVENT("3", "paused", "08:10:00", "A", "null"),
                      EVENT("4", "resumed", "08:30:00", "B", "null")),
                 LIST(CREATED_LINE("08:00:00.3", "08:05:00"),
                      CREATED_LINE("08:30:00.3", "08:35:00")),
                 ""));
    assert_true(t.execs[0].first_deadline_us == at("08:05:00"));
    assert_true(t.execs[0].deadline_us == at("08:40:00"));
    assert_false(execution_ended_at_deadline(&t.execs[0], 512));
    assert_true(t.execs[1].first_deadline_us == at("08:35:00"));
    assert_true(t.execs[1].deadline_us ==
                at("08:55:00")); /* Get knows of a later change */
    assert_int_equal(t.execs[1].move_count, 2);
    assert_null(t.execs[1].moves[1].event);
}

/* set_timeout is in whole seconds, endAt is not: that is no second change. */
static void test_get_repeats_the_deadline(void **state)
{
    (void)state;
    build(bundle("08:20:00", RUNNING("08:00:00", "08:40:00.9"),
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "updated", "08:03:00", "A", TIMEOUT_AT("08:40:00"))),
                 "", ""));
    assert_int_equal(t.execs[0].move_count, 1);
    assert_true(t.execs[0].deadline_us == at("08:40:00"));
    assert_true(t.execs[0].first_deadline_us == TS_NONE);
}

static void test_end_of_a_paused_one_is_no_deadline(void **state)
{
    (void)state;
    build(bundle("09:00:00", PAUSED("08:00:00", "08:10:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"), "", ""));
    assert_exec(0, "08:00:00", EXEC_PAUSED,
                "08:10:00"); /* the event is late: Get tells */
    assert_null(t.execs[0].end_event);
    assert_true(t.execs[0].deadline_us == TS_NONE);
}

static void test_deadline_tolerances(void **state)
{
    struct execution x = {.end = EXEC_KILLED, .deadline_us = at("08:10:00")};

    (void)state;
    x.end_us = at("08:09:58");
    assert_true(execution_ended_at_deadline(&x, 0));
    x.end_us = at("08:09:57.9");
    assert_false(execution_ended_at_deadline(&x, 0));
    x.end_us = at("08:10:10");
    assert_true(execution_ended_at_deadline(&x, 4096));
    x.end_us = at("08:10:11");
    assert_false(execution_ended_at_deadline(&x, 4096));
    x.end = EXEC_PAUSED; /* the snapshot takes its time */
    x.end_us = at("08:10:30");
    assert_true(execution_ended_at_deadline(&x, 4096));
    x.end_us = at("08:10:31");
    assert_false(execution_ended_at_deadline(&x, 4096));
    x.deadline_us = TS_NONE;
    assert_false(execution_ended_at_deadline(&x, 4096));
}

static void test_vm_that_died(void **state)
{
    (void)state;
    build(bundle("08:10:00", RUNNING("08:00:00", "09:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"),
                 LIST(CREATED_LINE("08:00:00.3", "09:00:00"),
                      LINE("08:05:30", "Sandbox healthcheck started failing"),
                      LINE("08:05:36", "Sandbox stopped")),
                 LIST(SAMPLE("08:05:20"), SAMPLE("08:05:25"))));
    assert_exec(0, "08:00:00", EXEC_STOPPED, "08:05:36");
    assert_int_equal(t.state, SANDBOX_RUNNING); /* as E2B says */
    assert_true(t.is_silent);
    assert_true(t.last_sign_us == at("08:05:36"));
    assert_true(t.ran_us == 5 * TS_MIN + 36 * TS_SEC);
}

static void test_stop_after_kill_or_pause_is_no_death(void **state)
{
    (void)state;
    /* self-hosted: no events, only lines */
    build(bundle("09:00:00", GONE, "",
                 LIST(LINE("07:59:59", "Started creating sandbox"),
                      CREATED_LINE("08:00:00", "08:30:00"),
                      LINE("08:10:00", "Pausing sandbox"),
                      LINE("08:10:02", "Sandbox stopped"),
                      LINE("08:19:59", "Started resuming sandbox"),
                      CREATED_LINE("08:20:00", "08:50:00"),
                      "{\"timestamp\":\"" DAY "08:25:00Z\",\"message\":\"Killing "
                      "sandbox\",\"fields\":{\"service\":\"orchestrator\",\"kill_"
                      "reason\":\"request\"}}," LINE("08:25:01", "Sandbox stopped")),
                 ""));
    assert_int_equal(t.exec_count, 2);
    assert_exec(0, "08:00:00", EXEC_PAUSED, "08:10:02");
    assert_exec(1, "08:20:00", EXEC_KILLED, "08:25:01");
    assert_true(t.execs[1].is_resume);
    assert_string_equal(t.execs[1].kill_reason, "request");
    assert_true(t.execs[1].first_deadline_us == at("08:50:00"));
    assert_int_equal(t.state, SANDBOX_ENDED);
}

static void test_stop_and_kill_lines_in_either_order(void **state)
{
    (void)state;
    build(bundle("09:00:00", GONE, EVENT("1", "created", "08:00:00", "A", "null"),
                 LIST(LINE("08:10:00.1", "Sandbox stopped"),
                      LINE("08:10:00.3", "Killing sandbox")),
                 ""));
    assert_int_equal(t.execs[0].end, EXEC_KILLED);
}

static void test_checkpoint_goes_on_and_may_die_later(void **state)
{
    (void)state;
    build(bundle("09:00:00", RUNNING("08:00:00", "10:00:00"),
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "checkpointed", "08:10:05", "A", "null")),
                 LIST(LINE("08:10:00", "Checkpointing sandbox"),
                      LINE("08:10:04", "Sandbox stopped")),
                 ""));
    assert_int_equal(t.exec_count, 1);
    assert_int_equal(t.execs[0].end, EXEC_OPEN);
    build(bundle("09:00:00", RUNNING("08:00:00", "10:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"),
                 LIST(LINE("08:10:00", "Checkpointing sandbox"),
                      LINE("08:10:04", "Sandbox stopped"),
                      LINE("08:12:00", "Sandbox stopped")),
                 ""));
    assert_exec(0, "08:00:00", EXEC_STOPPED, "08:12:00"); /* excused once only */
    build(bundle("09:00:00", RUNNING("08:00:00", "10:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"),
                 LIST(LINE("08:10:00", "Checkpointing sandbox"),
                      LINE("08:30:00", "Sandbox stopped")),
                 ""));
    assert_exec(0, "08:00:00", EXEC_STOPPED, "08:30:00"); /* much too late for it */
}

static void test_old_server_says_killed_at_every_end(void **state)
{
    (void)state;
    build(bundle(
        "09:00:00", PAUSED("08:00:00", "08:10:00"), "",
        LIST(CREATED_LINE("08:00:00", "08:30:00"), LINE("08:10:02", "Sandbox killed")),
        ""));
    assert_exec(0, "08:00:00", EXEC_PAUSED, "08:10:02");
    build(bundle(
        "09:00:00", GONE, "",
        LIST(CREATED_LINE("08:00:00", "08:30:00"), LINE("08:10:02", "Sandbox killed")),
        ""));
    assert_exec(0, "08:00:00", EXEC_KILLED, "08:10:02");
}

static void test_customer_cannot_fake_a_stop(void **state)
{
    (void)state;
    build(bundle("08:06:00", RUNNING("08:00:00", "09:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"),
                 LINE_WITH("08:05:00", "Sandbox stopped", "{\"service\":\"envd\"}"), ""));
    assert_int_equal(t.execs[0].end, EXEC_OPEN);
}

static void test_lost_end_and_gone(void **state)
{
    (void)state;
    build(bundle("09:00:00", GONE, EVENT("1", "created", "08:00:00", "A", "null"), "",
                 LIST(SAMPLE("08:00:05"), SAMPLE("08:04:55"))));
    assert_exec(0, "08:00:00", EXEC_GONE, NULL);
    assert_true(t.execs[0].last_sign_us == at("08:04:55"));
    assert_true(t.ran_us == 4 * TS_MIN + 55 * TS_SEC);
    assert_int_equal(t.state, SANDBOX_ENDED);
}

static void test_old_snapshot(void **state)
{
    (void)state;
    build(bundle("09:00:00", PAUSED("08:00:00", "08:10:00"),
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "paused", "08:10:00", "A", "null"),
                      EVENT("3", "resumed", "08:20:00", "B", "null"),
                      EVENT("4", "killed", "08:25:00", "B", KILLED_BY("timeout"))),
                 "", ""));
    assert_int_equal(t.exec_count, 2);
    assert_true(t.has_old_snapshot);
    assert_int_equal(t.state, SANDBOX_ENDED);
    assert_false(t.is_rebuilt);
}

static void test_deleted_while_paused(void **state)
{
    (void)state;
    build(bundle("09:00:00", GONE,
                 LIST(EVENT("1", "created", "08:00:00", "A",
                            "{\"sandbox_metadata\":{\"k\":\"v\"}}"),
                      EVENT("2", "paused", "08:10:00", "A", "null")),
                 "", ""));
    assert_true(t.is_deleted_while_paused);
    assert_int_equal(t.state, SANDBOX_ENDED);
    assert_true(t.is_rebuilt);
    assert_string_equal(tag_get(t.tags, t.tag_count, "k", ""), "v");
}

static void test_resumed_event_is_late(void **state)
{
    (void)state;
    build(bundle("08:40:00", RUNNING("08:30:00", "09:00:00"),
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "paused", "08:10:00", "A", "null")),
                 "", SAMPLE("08:39:55")));
    assert_int_equal(t.exec_count, 2);
    assert_exec(0, "08:00:00", EXEC_PAUSED, "08:10:00");
    assert_exec(1, "08:30:00", EXEC_OPEN, NULL);
    assert_true(t.execs[1].is_resume);
    assert_true(t.execs[1].deadline_us == at("09:00:00"));
    assert_int_equal(t.state, SANDBOX_RUNNING);
    assert_true(t.paused_us == 20 * TS_MIN);
}

static void test_paused_event_is_lost(void **state)
{
    (void)state;
    build(bundle("08:40:00", RUNNING("08:30:00", "09:00:00"),
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("3", "resumed", "08:30:00", "B", "null")),
                 "", LIST(SAMPLE("08:09:55"), SAMPLE("08:30:05"))));
    assert_exec(0, "08:00:00", EXEC_PAUSED, "08:09:55"); /* its last sign of life */
    assert_null(t.execs[0].end_event);
    assert_exec(1, "08:30:00", EXEC_OPEN, NULL);
}

static void test_kill_says_more_than_pause(void **state)
{
    (void)state;
    build(bundle("09:00:00", GONE,
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "killed", "08:11:00", "A", KILLED_BY("orphaned")),
                      EVENT("3", "paused", "08:10:00", "A", "null")),
                 "", ""));
    assert_int_equal(t.exec_count, 1);
    assert_exec(0, "08:00:00", EXEC_KILLED, "08:11:00");
    assert_string_equal(t.execs[0].kill_reason, "orphaned");
    assert_false(t.is_deleted_while_paused);
    build(bundle("09:00:00", GONE,
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "killed", "08:09:00", "A", KILLED_BY("orphaned")),
                      EVENT("3", "paused", "08:10:00", "A", "null")),
                 "", ""));
    assert_exec(0, "08:00:00", EXEC_KILLED, "08:09:00");
}

static void test_one_execution_from_samples_alone(void **state)
{
    (void)state;
    build(bundle("09:00:00", GONE, "", "", LIST(SAMPLE("08:00:05"), SAMPLE("08:00:10"))));
    assert_int_equal(t.exec_count, 1);
    assert_exec(0, "08:00:05", EXEC_GONE, NULL);
    assert_false(t.execs[0].start_is_known);
    assert_true(t.ran_us == 5 * TS_SEC);
}

static void test_only_asked_for_is_no_execution(void **state)
{
    (void)state;
    build(bundle("09:00:00", GONE, "", LINE("08:00:00", "Started creating sandbox"), ""));
    assert_int_equal(t.exec_count, 0);
}

static void test_from_get_alone(void **state)
{
    (void)state;
    build(bundle("08:07:00", RUNNING("08:00:00", "08:30:00"), "", "", ""));
    assert_exec(0, "08:00:00", EXEC_OPEN, NULL);
    assert_true(t.execs[0].deadline_us == at("08:30:00"));
    assert_true(t.execs[0].first_deadline_us == TS_NONE); /* it may have been moved */
    assert_false(t.is_silent); /* nothing was ever heard: no samples are stored */
    assert_true(t.ran_us == 7 * TS_MIN);
}

static void test_silence_needs_a_heartbeat(void **state)
{
    (void)state;
    build(bundle("08:06:05", RUNNING("08:00:00", "09:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"), "",
                 LIST(SAMPLE("08:04:55"), SAMPLE("08:05:00"))));
    assert_false(t.is_silent); /* 60 s after the end of the last sample's interval */
    build(bundle("08:06:06", RUNNING("08:00:00", "09:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"), "",
                 LIST(SAMPLE("08:04:55"), SAMPLE("08:05:00"))));
    assert_true(t.is_silent);
    build(bundle("08:06:30", RUNNING("08:00:00", "09:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"),
                 LINE("08:06:00", "Process with pid 4 started"),
                 LIST(SAMPLE("08:04:55"), SAMPLE("08:05:00"))));
    assert_false(t.is_silent); /* a line was heard */
    /* wide intervals of a long run */
    build(bundle("08:12:30", RUNNING("08:00:00", "09:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"), "",
                 LIST(SAMPLE("08:06:00"), SAMPLE("08:08:00"), SAMPLE("08:10:00"))));
    assert_false(t.is_silent);
    build(bundle("08:12:30", RUNNING("08:00:00", "09:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"),
                 LINE("08:10:00", "Sandbox healthcheck started failing"), ""));
    assert_true(t.is_silent);
}

static void test_clocks_that_disagree(void **state)
{
    (void)state;
    /* "now" before the start; endAt before startedAt */
    build(bundle("07:59:58", RUNNING("08:00:00", "09:00:00"), "", "", ""));
    assert_true(t.ran_us == 0);
    build(bundle("09:00:00", PAUSED("08:00:00", "07:59:00"), "", "", ""));
    assert_exec(0, "08:00:00", EXEC_PAUSED, "08:00:00");
    assert_true(t.ran_us == 0);
    /* an end that is dated before the start of its own execution */
    build(bundle("09:00:00", GONE,
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "killed", "07:59:59", "A", KILLED_BY("request"))),
                 "", ""));
    assert_exec(0, "08:00:00", EXEC_KILLED, "08:00:00");
}

static void test_get_failed(void **state)
{
    (void)state;
    build(bundle("08:05:00", "null,\"sandbox_status\":503",
                 EVENT("1", "created", "08:00:00", "A", "null"),
                 CREATED_LINE("08:00:00", "08:10:00"), ""));
    assert_int_equal(t.execs[0].end, EXEC_OPEN);
    assert_int_equal(t.state, SANDBOX_RUNNING);
    assert_true(t.is_rebuilt);
    build(bundle("08:12:00", "null,\"sandbox_status\":503",
                 EVENT("1", "created", "08:00:00", "A", "null"),
                 CREATED_LINE("08:00:00", "08:10:00"), ""));
    assert_int_equal(t.state, SANDBOX_OTHER); /* its deadline has passed: nobody knows */
}

/* Ran 08:00 to 08:10 and 08:20 to 08:30. */
static void build_two_runs(void)
{
    build(bundle("09:00:00", GONE,
                 LIST(EVENT("1", "created", "08:00:00", "A", "null"),
                      EVENT("2", "paused", "08:10:00", "A", "null"),
                      EVENT("3", "resumed", "08:20:00", "B", "null"),
                      EVENT("4", "killed", "08:30:00", "B", KILLED_BY("request"))),
                 "", ""));
}

static struct overlap_info overlap(const char *from, const char *to)
{
    return timeline_overlap(&t, at(from), at(to), ev.now_us);
}

static void test_overlap_outside(void **state)
{
    struct overlap_info o;

    (void)state;
    build_two_runs();
    o = overlap("08:57:00", "08:59:00");
    assert_int_equal(o.kind, OVERLAP_BEFORE);
    assert_true(o.us == 27 * TS_MIN);
    o = overlap("07:00:00", "07:12:00");
    assert_int_equal(o.kind, OVERLAP_AFTER);
    assert_true(o.us == 48 * TS_MIN);
    o = overlap("08:12:00", "08:18:00");
    assert_int_equal(o.kind, OVERLAP_NONE_GAP);
    o = overlap("08:30:00", "08:40:00"); /* touching is not sharing */
    assert_int_equal(o.kind, OVERLAP_BEFORE);
    assert_true(o.us == 0);
    o = timeline_overlap(&t, TS_NONE, at("08:00:00"), ev.now_us);
    assert_int_equal(o.kind, OVERLAP_NO_WINDOW);
    o = overlap("08:40:00", "08:20:00");
    assert_int_equal(o.kind, OVERLAP_NO_WINDOW);
}

static void test_overlap_parts(void **state)
{
    struct overlap_info o;

    (void)state;
    build_two_runs();
    o = overlap("08:02:00", "08:08:00");
    assert_int_equal(o.kind, OVERLAP_YES);
    assert_true(o.is_all && o.is_first && o.is_last);
    assert_true(o.us == 6 * TS_MIN);
    o = overlap("08:08:00", "08:15:00");
    assert_true(o.is_first && !o.is_last && !o.is_all);
    assert_true(o.us == 2 * TS_MIN);
    o = overlap("08:17:00", "08:23:00");
    assert_true(o.is_last && !o.is_first && !o.is_all);
    assert_true(o.us == 3 * TS_MIN);
    o = overlap("07:50:00", "08:15:00");
    assert_true(!o.is_last && !o.is_first && !o.is_all);
    assert_true(o.us == 10 * TS_MIN);
    o = overlap("08:05:00", "08:25:00"); /* the paused gap does not count */
    assert_true(o.is_first && o.is_last && !o.is_all);
    assert_true(o.us == 10 * TS_MIN);
    o = overlap("08:00:00", "08:10:00"); /* exactly one run */
    assert_true(o.is_first && o.is_last && o.is_all);
    o = overlap("08:05:00", "08:05:00");
    assert_int_equal(o.kind, OVERLAP_YES);
}

static void test_overlap_maybe(void **state)
{
    struct overlap_info o;

    (void)state;
    build(bundle("09:00:00", RUNNING("08:00:00", "10:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"), "",
                 LIST(SAMPLE("08:29:55"), SAMPLE("08:30:00"))));
    assert_true(t.is_silent);
    o = overlap("08:40:00", "08:50:00");
    assert_int_equal(o.kind, OVERLAP_MAYBE);
    assert_true(o.since_us == at("08:30:00"));
    o = overlap("08:20:00", "08:50:00");
    assert_int_equal(o.kind, OVERLAP_YES);
    assert_true(o.us == 10 * TS_MIN);
    /* vanished: it can have lived up to its deadline, not beyond */
    build(bundle("09:00:00", GONE, EVENT("1", "created", "08:00:00", "A", "null"),
                 CREATED_LINE("08:00:00", "08:45:00"), SAMPLE("08:30:00")));
    assert_int_equal(overlap("08:40:00", "08:50:00").kind, OVERLAP_MAYBE);
    assert_int_equal(overlap("08:46:00", "08:50:00").kind, OVERLAP_BEFORE);
}

static void test_overlap_still_running(void **state)
{
    struct overlap_info o;

    (void)state;
    build(bundle("09:00:00", RUNNING("08:00:00", "10:00:00"),
                 EVENT("1", "created", "08:00:00", "A", "null"), "", SAMPLE("08:59:55")));
    o = overlap("08:50:00", "09:30:00"); /* the window reaches into the future */
    assert_int_equal(o.kind, OVERLAP_YES);
    assert_true(o.is_all);
    assert_true(o.us == 10 * TS_MIN);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_nothing),
        T(test_three_pauses),
        T(test_events_without_execution_ids),
        T(test_list_begins_with_killed),
        T(test_list_begins_with_updated),
        T(test_fork_begins_with_resumed),
        T(test_deadline_history),
        T(test_each_resume_has_its_own_deadline),
        T(test_get_repeats_the_deadline),
        T(test_end_of_a_paused_one_is_no_deadline),
        T(test_deadline_tolerances),
        T(test_vm_that_died),
        T(test_stop_after_kill_or_pause_is_no_death),
        T(test_stop_and_kill_lines_in_either_order),
        T(test_checkpoint_goes_on_and_may_die_later),
        T(test_old_server_says_killed_at_every_end),
        T(test_customer_cannot_fake_a_stop),
        T(test_lost_end_and_gone),
        T(test_old_snapshot),
        T(test_deleted_while_paused),
        T(test_resumed_event_is_late),
        T(test_paused_event_is_lost),
        T(test_kill_says_more_than_pause),
        T(test_one_execution_from_samples_alone),
        T(test_only_asked_for_is_no_execution),
        T(test_from_get_alone),
        T(test_silence_needs_a_heartbeat),
        T(test_clocks_that_disagree),
        T(test_get_failed),
        T(test_overlap_outside),
        T(test_overlap_parts),
        T(test_overlap_maybe),
        T(test_overlap_still_running),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
