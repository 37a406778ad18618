/*
 * What Casebook's own record adds to a timeline, and where each fact is said to come from. All times are of
 * one day; E2B answers nothing unless a test says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/ts.h"
#include "model/timeline.h"

#include "base/banned.h"

#define MAX 8

static struct arena arena;
static struct evidence ev;
static struct event events[MAX];
static struct metric metrics[MAX];
static struct execution runs[MAX];
static struct deadline_move moves[MAX];
static struct sandbox_record record;
static struct timeline t;

static int64_t at(const char *clock)
{
    int64_t us;

    assert_int_equal(ts_parse(arena_fmt(&arena, "2026-09-14T%sZ", clock), &us), 0);
    return us;
}

static int setup(void **state)
{
    (void)state;
    arena_init(&arena);
    ev = (struct evidence){.now_us = at("12:00:00"),
                           .sandbox_id = "iabc",
                           .events = events,
                           .metrics = metrics};
    ev.sandbox_src.state = SOURCE_NOT_THERE;
    ev.events_src.state = SOURCE_UNSUPPORTED;
    ev.metrics_src.state = ev.logs_src.state = SOURCE_OK;
    record = (struct sandbox_record){
        .template_id = "", .template_alias = "", .runs = runs, .seen_us = at("09:59:00")};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static struct execution *add_run(const char *start, const char *end, enum exec_end how)
{
    struct execution *x = &runs[record.run_count++];

    *x = (struct execution){.id = "",
                            .start_us = at(start),
                            .start_is_known = true,
                            .end_us = *end ? at(end) : TS_NONE,
                            .end = how,
                            .kill_reason = "",
                            .deadline_us = TS_NONE,
                            .first_deadline_us = TS_NONE,
                            .last_sign_us = at(start)};
    x->start_source = x->end_source =
        (struct fact_source){.origin = ORIGIN_RECORD, .at_us = record.seen_us};
    return x;
}

static struct event *add_event(enum event_type type, const char *clock, const char *exec)
{
    struct event *e = &events[ev.event_count++];

    *e = (struct event){.id = arena_fmt(&arena, "e%zu", ev.event_count),
                        .type = type,
                        .at_us = at(clock),
                        .execution_id = exec,
                        .template_id = "",
                        .kill_reason = "",
                        .set_timeout_us = TS_NONE,
                        .exec_started_us = TS_NONE,
                        .exec_ms = -1};
    return e;
}

static void build(void)
{
    timeline_build_with(&arena, &ev, &record, &t);
}

static void assert_run(size_t i, const char *start, enum exec_end end, const char *end_at)
{
    assert_true(i < t.exec_count);
    assert_true(t.execs[i].start_us == at(start));
    assert_int_equal(t.execs[i].end, end);
    assert_true(t.execs[i].end_us == (*end_at ? at(end_at) : TS_NONE));
}

/* ---- self-hosted: only sightings ---- */

static void test_sightings_alone_tell_a_life(void **state)
{
    (void)state;
    add_run("09:00:00", "09:20:00", EXEC_PAUSED);
    add_run("09:30:00", "10:00:00", EXEC_GONE);
    build();
    assert_int_equal(t.exec_count, 2);
    assert_run(0, "09:00:00", EXEC_PAUSED, "09:20:00");
    assert_run(1, "09:30:00", EXEC_GONE, "10:00:00");
    assert_true(t.execs[1].is_resume);
    assert_int_equal(t.state, SANDBOX_ENDED);
    assert_true(t.ran_us == 50 * TS_MIN);
    assert_true(t.paused_us == 10 * TS_MIN);
    assert_int_equal(t.execs[0].start_source.origin, ORIGIN_RECORD);
    assert_int_equal(t.execs[1].end_source.origin, ORIGIN_RECORD);
    timeline_build(&arena, &ev, &t); /* without the record nothing is known */
    assert_int_equal(t.exec_count, 0);
}

static void test_a_record_of_now_is_no_answer_of_get(void **state)
{
    (void)state;
    add_run("09:00:00", "", EXEC_OPEN)->start_source.origin = ORIGIN_GET;
    build();
    assert_int_equal(t.execs[0].start_source.origin, ORIGIN_RECORD);
    assert_int_equal(t.execs[0].end, EXEC_GONE); /* Get says 404 */
    assert_int_equal(t.execs[0].end_source.origin, ORIGIN_GET);
    ev.sandbox_src.state = SOURCE_FAILED; /* nobody knows; the record says running */
    build();
    assert_int_equal(t.execs[0].end, EXEC_OPEN);
    assert_int_equal(t.state, SANDBOX_RUNNING);
}

static void test_paused_then_gone_was_deleted_while_paused(void **state)
{
    (void)state;
    add_run("09:00:00", "09:20:00", EXEC_PAUSED);
    build();
    assert_true(t.is_deleted_while_paused);
    assert_int_equal(t.state, SANDBOX_ENDED);
    ev.sandbox_src.state = SOURCE_FAILED;
    build();
    assert_false(t.is_deleted_while_paused);
    assert_int_equal(t.state, SANDBOX_PAUSED);
}

static void test_signs_of_life_outlast_a_recorded_end(void **state)
{
    (void)state;
    add_run("09:00:00", "09:20:00", EXEC_PAUSED);
    metrics[0] = (struct metric){.at_us = at("09:40:00"), .cpu_count = 2};
    ev.metric_count = 1;
    build(); /* it had been resumed and nobody saw that */
    assert_run(0, "09:00:00", EXEC_GONE, "");
    assert_true(t.ran_us == 40 * TS_MIN);
}

static void test_the_expiry_is_rebuilt_from_sightings(void **state)
{
    struct execution *x = add_run("09:00:00", "09:30:10", EXEC_GONE);

    (void)state;
    moves[0] = (struct deadline_move){
        .at_us = at("09:00:00"), .from_us = TS_NONE, .to_us = at("09:10:00")};
    moves[1] = (struct deadline_move){
        .at_us = at("09:05:00"), .from_us = at("09:10:00"), .to_us = at("09:30:00")};
    moves[0].source = moves[1].source =
        (struct fact_source){.origin = ORIGIN_RECORD, .at_us = at("09:05:00")};
    x->moves = moves;
    x->move_count = 2;
    x->first_deadline_us = at("09:10:00");
    build();
    assert_int_equal(t.execs[0].move_count, 2);
    assert_true(t.execs[0].first_deadline_us == at("09:10:00"));
    assert_true(t.execs[0].deadline_us == at("09:30:00"));
    assert_true(t.execs[0].moves[1].from_us == at("09:10:00"));
    assert_int_equal(t.execs[0].moves[1].source.origin, ORIGIN_RECORD);
    assert_true(execution_ended_at_deadline(&t.execs[0], 0));
}

/* ---- beside events ---- */

static void test_events_outweigh_the_record(void **state)
{
    struct event *killed;

    (void)state;
    add_event(EVENT_CREATED, "09:00:00", "x1");
    killed = add_event(EVENT_KILLED, "09:25:00", "x1");
    killed->kill_reason = "request";
    killed->exec_cpu_count = 4;
    record.cpu_count = 2;
    record.memory_mib = 512;
    add_run("09:00:02", "09:40:00", EXEC_GONE);
    build();
    assert_int_equal(t.exec_count, 1);
    assert_run(0, "09:00:00", EXEC_KILLED, "09:25:00");
    assert_int_equal(t.execs[0].end_source.origin, ORIGIN_EVENT);
    assert_int_equal(t.execs[0].end_source.event_type, EVENT_KILLED);
    assert_true(t.cpu_count == 4 && t.memory_mib == 512);
    assert_int_equal(t.source[FACT_CPU].origin, ORIGIN_EVENT);
    assert_true(t.source[FACT_CPU].at_us == at("09:25:00"));
    assert_int_equal(t.source[FACT_MEMORY].origin, ORIGIN_RECORD);
    assert_true(t.source[FACT_MEMORY].at_us == record.seen_us);
}

static void test_a_lost_beginning_comes_from_the_record(void **state)
{
    (void)state;
    add_event(EVENT_RESUMED, "09:30:00", "x2");
    add_event(EVENT_KILLED, "09:50:00", "x2");
    add_run("09:00:00", "09:20:00", EXEC_PAUSED);
    add_run("09:30:01", "09:50:00", EXEC_KILLED);
    build();
    assert_int_equal(t.exec_count, 2);
    assert_run(0, "09:00:00", EXEC_PAUSED, "09:20:00");
    assert_run(1, "09:30:00", EXEC_KILLED, "09:50:00");
    assert_false(t.execs[1].is_first_on_record_resumed);
    assert_true(t.ran_us == 40 * TS_MIN);
}

static void test_a_first_sign_is_no_start(void **state)
{
    (void)state;
    add_event(EVENT_UPDATED, "09:10:00", "x1");
    add_event(EVENT_KILLED, "09:50:00", "x1");
    add_run("09:10:00", "09:50:00", EXEC_KILLED); /* what the ledger made of the same */
    build();
    assert_int_equal(t.exec_count, 1);
    assert_false(t.execs[0].start_is_known);
    runs[0].start_us = at("09:00:00"); /* seen in the list before */
    build();
    assert_int_equal(t.exec_count, 1);
    assert_true(t.execs[0].start_is_known);
    assert_run(0, "09:00:00", EXEC_KILLED, "09:50:00");
    assert_int_equal(t.execs[0].start_source.origin, ORIGIN_RECORD);
}

static void test_get_outweighs_the_record(void **state)
{
    (void)state;
    ev.has_sandbox = true;
    ev.sandbox_src.state = SOURCE_OK;
    ev.sandbox = (struct sandbox){.template_id = "p3",
                                  .template_alias = "",
                                  .on_timeout = "",
                                  .state = SANDBOX_RUNNING,
                                  .state_text = "running",
                                  .started_us = at("11:00:00"),
                                  .end_us = at("13:00:00"),
                                  .cpu_count = 8};
    record.cpu_count = 2;
    record.template_alias = "support-py";
    add_run("09:00:00", "10:00:00", EXEC_GONE);
    build();
    assert_int_equal(t.exec_count, 2); /* the record had not seen that it was resumed */
    assert_run(0, "09:00:00", EXEC_PAUSED, "10:00:00");
    assert_run(1, "11:00:00", EXEC_OPEN, "");
    assert_int_equal(t.state, SANDBOX_RUNNING);
    assert_true(t.cpu_count == 8);
    assert_int_equal(t.source[FACT_CPU].origin, ORIGIN_GET);
    assert_string_equal(t.template_alias, "support-py");
    assert_int_equal(t.source[FACT_ALIAS].origin, ORIGIN_RECORD);
    assert_false(t.is_rebuilt);
}

static void test_sizes_in_the_order_of_belief(void **state)
{
    (void)state;
    metrics[0] = (struct metric){.at_us = at("09:10:00"),
                                 .cpu_count = 1,
                                 .mem_total = 100 * (1 << 20),
                                 .disk_total = 300 * (1 << 20)};
    ev.metric_count = 1;
    record.cpu_count = 2;
    add_run("09:00:00", "09:40:00", EXEC_GONE);
    build();
    assert_true(t.cpu_count == 2 && t.memory_mib == 100 && t.disk_mib == 300);
    assert_int_equal(t.source[FACT_CPU].origin, ORIGIN_RECORD);
    assert_int_equal(t.source[FACT_MEMORY].origin, ORIGIN_SAMPLE);
    assert_int_equal(t.source[FACT_DISK].origin, ORIGIN_SAMPLE);
    assert_int_equal(t.source[FACT_TEMPLATE].origin, ORIGIN_NONE);
}

/* Whatever the clocks say. */
static void test_no_duration_is_negative(void **state)
{
    (void)state;
    add_run("09:30:00", "09:10:00", EXEC_PAUSED);
    add_run("09:20:00", "09:00:00", EXEC_GONE);
    add_run("23:00:00", "23:30:00", EXEC_PAUSED); /* not yet */
    build();
    assert_true(t.ran_us >= 0 && t.paused_us >= 0);
    for (size_t i = 0; i < t.exec_count; i++) {
        assert_true(execution_known_until(&t.execs[i], ev.now_us) >= t.execs[i].start_us);
        assert_true(t.execs[i].start_us <= ev.now_us);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sightings_alone_tell_a_life, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_a_record_of_now_is_no_answer_of_get, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_paused_then_gone_was_deleted_while_paused,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_signs_of_life_outlast_a_recorded_end, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_the_expiry_is_rebuilt_from_sightings, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_events_outweigh_the_record, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_lost_beginning_comes_from_the_record,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_first_sign_is_no_start, setup, teardown),
        cmocka_unit_test_setup_teardown(test_get_outweighs_the_record, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sizes_in_the_order_of_belief, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_no_duration_is_negative, setup, teardown),
    };

    return cmocka_run_group_tests_name("timelines with a record", tests, NULL, NULL);
}
