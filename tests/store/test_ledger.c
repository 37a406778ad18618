/* The ledger: facts in any order, two harvests at once, searches by tag. */
#include "store/st_ledger.h"
#include "store/st_ledger_search.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define BORN (T0 + TS_HOUR)

static const struct tag tags[] = {
    {"userId", "ana" },
    {"env",    "prod"}
};

static struct event an_event(const char *sandbox, const char *id, enum event_type type,
                             const char *type_text, int64_t at_us)
{
    return (struct event){.id = arena_fmt(&arena, "%s-%s", sandbox, id),
                          .type = type,
                          .type_text = type_text,
                          .at_us = at_us,
                          .sandbox_id = sandbox,
                          .execution_id = "x1",
                          .template_id = "tpl",
                          .team_id = "team",
                          .has_data = true,
                          .set_timeout_us = TS_NONE,
                          .kill_reason = "",
                          .exec_started_us = TS_NONE,
                          .exec_ms = -1,
                          .tags = tags,
                          .tag_count = 2};
}

static struct event created(const char *sandbox, int64_t at_us)
{
    return an_event(sandbox, "c", EVENT_CREATED, "sandbox.lifecycle.created", at_us);
}

static struct event killed(const char *sandbox, int64_t at_us)
{
    struct event e =
        an_event(sandbox, "k", EVENT_KILLED, "sandbox.lifecycle.killed", at_us);

    e.kill_reason = "timeout";
    e.exec_started_us = BORN;
    e.exec_ms = (at_us - BORN) / 1000;
    e.exec_cpu_count = 2;
    e.exec_memory_mib = 512;
    return e;
}

static struct sandbox listed(const char *id, enum sandbox_state state, int64_t started_us,
                             int64_t end_us)
{
    return (struct sandbox){.id = id,
                            .template_id = "tpl",
                            .template_alias = "team/py",
                            .state = state,
                            .state_text = state == SANDBOX_PAUSED ? "paused" : "running",
                            .started_us = started_us,
                            .end_us = end_us,
                            .cpu_count = 2,
                            .memory_mib = 512,
                            .disk_mib = 1024,
                            .envd_version = "0.6",
                            .on_timeout = "",
                            .tags = tags,
                            .tag_count = 2};
}

static struct ledger_row row_of(const char *sandbox)
{
    struct err err = ERR_INIT;
    struct ledger_row row;

    assert_ok(ledger_get(db, &arena, sandbox, &row, &err));
    return row;
}

static void events_alone_tell_a_life(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct event e[] = {killed(sandbox, BORN + 300 * TS_SEC), created(sandbox, BORN)};
    struct event *kept;
    struct ledger_row row;
    size_t n;
    bool has;

    (void)state;
    assert_ok(ledger_put_events(db, e, 2, LEDGER_FEED, BORN + TS_HOUR, NULL, &err));
    row = row_of(sandbox);
    assert_int_equal(row.state, SANDBOX_ENDED);
    assert_true(row.first_start_us == BORN && row.last_start_us == BORN);
    assert_true(row.end_us == BORN + 300 * TS_SEC);
    assert_true(row.ran_us == 300 * TS_SEC);
    assert_string_equal(row.kill_reason, "timeout");
    assert_string_equal(row.template_id, "tpl");
    assert_int_equal(row.memory_mib, 512);
    assert_true(row.from_events && !row.from_list);
    assert_int_equal(row.tag_count, 2);
    assert_string_equal(tag_get(row.tags, row.tag_count, "userId", ""), "ana");
    assert_true(row.seen_us == BORN + 300 * TS_SEC);
    assert_ok(ledger_events(db, &arena, sandbox, &kept, &n, &err));
    assert_int_equal(n, 2);
    assert_int_equal(kept[0].type, EVENT_CREATED);
    assert_string_equal(kept[1].kill_reason, "timeout");
    assert_ok(ledger_has_event(db, e[0].id, &has, &err));
    assert_true(has);
    assert_ok(ledger_has_event(db, "nothing", &has, &err));
    assert_false(has);
    assert_ok(
        ledger_put_events(db, e, 2, LEDGER_FEED, BORN + TS_HOUR, NULL, &err)); /* again */
    assert_ok(ledger_events(db, &arena, sandbox, &kept, &n, &err));
    assert_int_equal(n, 2);
}

static void the_order_of_the_facts_does_not_matter(void **state)
{
    struct err err = ERR_INIT;
    static const int orders[6][3] = {
        {0, 1, 2},
        {0, 2, 1},
        {1, 0, 2},
        {1, 2, 0},
        {2, 0, 1},
        {2, 1, 0}
    };

    (void)state;
    for (int o = 0; o < 6; o++) {
        const char *sandbox = new_sandbox();
        struct event c = created(sandbox, BORN), k = killed(sandbox, BORN + 300 * TS_SEC);
        struct sandbox s =
            listed(sandbox, SANDBOX_RUNNING, BORN + TS_MS, BORN + 300 * TS_SEC);
        struct ledger_row row;

        for (int i = 0; i < 3; i++) {
            int64_t now_us = BORN + TS_HOUR + i;

            if (orders[o][i] == 0)
                assert_ok(ledger_put_events(db, &c, 1, LEDGER_FEED, now_us, NULL, &err));
            else if (orders[o][i] == 1)
                assert_ok(ledger_put_events(db, &k, 1, LEDGER_FEED, now_us, NULL, &err));
            else
                assert_ok(ledger_put_sandboxes(db, &s, 1, BORN + 60 * TS_SEC, &err));
        }
        row = row_of(sandbox);
        assert_int_equal(row.state, SANDBOX_ENDED);
        assert_true(row.first_start_us == BORN);
        assert_true(row.end_us == BORN + 300 * TS_SEC);
        assert_true(row.ran_us == 300 * TS_SEC);
        assert_string_equal(row.template_alias, "team/py");
        assert_int_equal(row.disk_mib, 1024);
        assert_true(row.from_events && row.from_list);
    }
}

static void the_list_alone_tells_a_life(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct sandbox s = listed(sandbox, SANDBOX_RUNNING, BORN, BORN + 600 * TS_SEC);
    struct ledger_row row;

    (void)state;
    assert_ok(ledger_put_sandboxes(db, &s, 1, BORN + 10 * TS_SEC, &err));
    row = row_of(sandbox);
    assert_int_equal(row.state, SANDBOX_RUNNING);
    assert_true(row.first_start_us == BORN);
    assert_true(row.deadline_us == BORN + 600 * TS_SEC);
    assert_true(row.end_us == TS_NONE);
    assert_true(row.from_list && !row.from_events);

    assert_ok(ledger_put_sandboxes(db, &s, 1, BORN + 70 * TS_SEC, &err)); /* as before */
    assert_true(row_of(sandbox).seen_us == BORN + 70 * TS_SEC);
    assert_ok(
        ledger_put_sandboxes(db, &s, 1, BORN + 30 * TS_SEC, &err)); /* a late host */
    assert_true(row_of(sandbox).seen_us == BORN + 70 * TS_SEC);

    assert_ok(ledger_mark_gone(db, BORN + 70 * TS_SEC, &err)); /* it was in that list */
    assert_int_equal(row_of(sandbox).state, SANDBOX_RUNNING);
    assert_ok(ledger_mark_gone(db, BORN + 130 * TS_SEC, &err));
    row = row_of(sandbox);
    assert_int_equal(row.state, SANDBOX_ENDED);
    assert_true(row.end_us == BORN + 130 * TS_SEC);
    assert_true(row.ran_us == 130 * TS_SEC);

    assert_ok(
        ledger_put_sandboxes(db, &s, 1, BORN + 100 * TS_SEC, &err)); /* an older list */
    assert_int_equal(row_of(sandbox).state, SANDBOX_ENDED);
    assert_ok(
        ledger_put_sandboxes(db, &s, 1, BORN + 190 * TS_SEC, &err)); /* it was a gap */
    row = row_of(sandbox);
    assert_int_equal(row.state, SANDBOX_RUNNING);
    assert_true(row.end_us == TS_NONE);
}

static void one_that_is_gone_at_its_deadline_ended_then(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox(), *lost = new_sandbox();
    struct sandbox s = listed(sandbox, SANDBOX_RUNNING, BORN, BORN + 100 * TS_SEC);
    struct event c = created(lost, BORN);

    (void)state;
    assert_ok(ledger_put_sandboxes(db, &s, 1, BORN + 70 * TS_SEC, &err));
    assert_ok(ledger_put_events(db, &c, 1, LEDGER_FEED, BORN + 70 * TS_SEC, NULL, &err));
    assert_ok(ledger_mark_gone(db, BORN + 2 * TS_DAY, &err));
    assert_true(row_of(sandbox).end_us == BORN + 100 * TS_SEC);
    /* known by one event two days ago: nobody knows when it ended */
    assert_int_equal(row_of(lost).state, SANDBOX_ENDED);
    assert_true(row_of(lost).end_us == TS_NONE);
}

static void a_paused_one_that_leaves_the_list_was_deleted(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct sandbox s = listed(sandbox, SANDBOX_PAUSED, BORN, BORN + 50 * TS_SEC);

    (void)state;
    assert_ok(ledger_put_sandboxes(db, &s, 1, BORN + 60 * TS_SEC, &err));
    assert_int_equal(row_of(sandbox).state, SANDBOX_PAUSED);
    assert_true(row_of(sandbox).end_us == BORN + 50 * TS_SEC);
    assert_ok(ledger_mark_gone(db, BORN + 3 * TS_DAY, &err));
    assert_int_equal(row_of(sandbox).state, SANDBOX_ENDED);
    assert_true(row_of(sandbox).end_us == BORN + 50 * TS_SEC);
}

static void what_cannot_be_kept_is_left_out(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    char *value = arena_alloc(&arena, 801);
    struct tag long_tag = {"userId", value};
    struct event e[] = {created("", BORN), created(sandbox, BORN),
                        created(sandbox, TS_NONE)};
    struct ledger_seeks found;

    (void)state;
    memset(value, 'v', 800);
    e[1].tags = &long_tag;
    e[1].tag_count = 1;
    e[2].id = "other";
    assert_ok(ledger_put_events(db, e, 3, LEDGER_FEED, BORN, NULL, &err));
    assert_string_equal(row_of(sandbox).tags[0].value, value);
    assert_ok(ledger_seek(db, &arena, "userId", value, 10, &found, &err));
    assert_int_equal(found.count, 0);
    assert_ok(ledger_put_events(db, NULL, 0, LEDGER_FEED, BORN, NULL, &err));
    assert_ok(ledger_put_sandboxes(db, NULL, 0, BORN, &err));
}

static void one_bad_event_does_not_cost_the_others(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox(), *other = new_sandbox();
    struct event e[] = {created(sandbox, BORN), created(other, BORN),
                        created(other, BORN)};
    char *id = arena_alloc(&arena, 100);
    size_t added;
    bool has;

    (void)state;
    memset(id, 'x', 99);
    e[1].sandbox_id = id;
    e[2].id = id;
    assert_ok(ledger_put_events(db, e, 3, LEDGER_FEED, BORN, &added, &err));
    assert_int_equal(added, 1);
    assert_ok(ledger_has_event(db, e[0].id, &has, &err));
    assert_true(has);
}

/* As many tags as are read, as long as they are read, of what grows most when it is written as JSON. */
static void a_page_of_the_longest_tags_is_kept(void **state)
{
    struct err err = ERR_INIT;
    struct event *e = arena_array(&arena, 100, sizeof(*e));
    struct sandbox *s = arena_array(&arena, 100, sizeof(*s));
    struct tag *huge = arena_array(&arena, 64, sizeof(*huge));
    char *value = arena_alloc(&arena, 1025);
    size_t added;

    (void)state;
    memset(value, '"', 1024);
    for (int i = 0; i < 64; i++) {
        huge[i].key = arena_fmt(&arena, "%.100s%d", value, i);
        huge[i].value = value;
    }
    for (int i = 0; i < 100; i++) {
        const char *sandbox = new_sandbox();

        e[i] = created(sandbox, BORN);
        e[i].tags = huge;
        e[i].tag_count = 64;
        s[i] = listed(sandbox, SANDBOX_RUNNING, BORN, BORN + TS_HOUR);
        s[i].tags = huge;
        s[i].tag_count = 64;
    }
    assert_ok(ledger_put_events(db, e, 100, LEDGER_FEED, BORN, &added, &err));
    assert_int_equal(added, 100);
    assert_ok(ledger_put_sandboxes(db, s, 100, BORN + TS_MIN, &err));
    assert_int_equal(row_of(s[99].id).tag_count, 64);
    assert_string_equal(row_of(s[0].id).tags[63].value, value);
}

static void a_tag_is_found_newest_first(void **state)
{
    struct err err = ERR_INIT;
    static const struct tag both[] = {
        {"userId",   "Zo\xc3\xab+1"},
        {"customer", "Zo\xc3\xab+1"}
    };
    const char *a = new_sandbox(), *b = new_sandbox();
    struct event e[] = {created(a, BORN), created(b, BORN + 5)};
    struct ledger_seeks found;

    (void)state;
    e[0].tags = e[1].tags = both;
    assert_ok(ledger_put_events(db, e, 2, LEDGER_FEED, BORN, NULL, &err));
    assert_ok(ledger_seek(db, &arena, "customer", "Zo\xc3\xab+1", 10, &found, &err));
    assert_int_equal(found.count, 2);
    assert_string_equal(found.items[0].sandbox_id, b);
    assert_true(found.items[0].first_start_us == BORN + 5);
    assert_true(found.items[0].last_start_us == BORN + 5);
    assert_int_equal(found.items[0].state, row_of(b).state);
    assert_string_equal(found.items[1].sandbox_id, a);
    assert_string_equal(found.items[1].template_id, "tpl");
}

/* ---- executions ---- */

static struct event next_run(const char *sandbox, const char *id, enum event_type type,
                             const char *type_text, int64_t at_us)
{
    struct event e = an_event(sandbox, id, type, type_text, at_us);

    e.execution_id = "x2";
    return e;
}

static void runs_and_their_expiry_are_kept(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct event e[] = {
        created(sandbox, BORN),
        an_event(sandbox, "u1", EVENT_UPDATED, "sandbox.lifecycle.updated",
                 BORN + TS_MIN),
        an_event(sandbox, "u2", EVENT_UPDATED, "sandbox.lifecycle.updated",
                 BORN + 2 * TS_MIN),
        an_event(sandbox, "p", EVENT_PAUSED, "sandbox.lifecycle.paused", BORN + TS_HOUR),
        next_run(sandbox, "r", EVENT_RESUMED, "sandbox.lifecycle.resumed", BORN + TS_DAY),
        next_run(sandbox, "k2", EVENT_KILLED, "sandbox.lifecycle.killed",
                 BORN + TS_DAY + TS_MIN)};
    struct ledger_row row;
    const struct execution *x;

    (void)state;
    e[1].set_timeout_us = BORN + 30 * TS_MIN;
    e[2].set_timeout_us = BORN + 40 * TS_MIN;
    e[5].kill_reason = "request";
    assert_ok(ledger_put_events(db, e, 6, LEDGER_HOOK, BORN + 2 * TS_DAY, NULL, &err));
    row = row_of(sandbox);
    assert_int_equal(row.run_count, 2);
    x = row.runs;
    assert_string_equal(x[0].id, "x1");
    assert_true(x[0].start_us == BORN && x[0].end_us == BORN + TS_HOUR);
    assert_int_equal(x[0].end, EXEC_PAUSED);
    assert_int_equal(x[0].start_source.origin, ORIGIN_EVENT);
    assert_int_equal(x[0].start_source.event_type, EVENT_CREATED);
    assert_true(x[0].end_source.at_us == BORN + TS_HOUR);
    assert_int_equal(x[0].move_count, 2);
    assert_true(x[0].moves[1].at_us == BORN + 2 * TS_MIN);
    assert_true(x[0].moves[1].from_us == BORN + 30 * TS_MIN);
    assert_true(x[0].moves[1].to_us == BORN + 40 * TS_MIN);
    assert_int_equal(x[0].moves[1].source.event_type, EVENT_UPDATED);
    assert_true(x[0].moves[0].from_us == TS_NONE);
    assert_true(x[0].deadline_us == BORN + 40 * TS_MIN);
    assert_string_equal(x[1].id, "x2");
    assert_true(x[1].is_resume && x[1].start_us == BORN + TS_DAY);
    assert_int_equal(x[1].end, EXEC_KILLED);
    assert_string_equal(x[1].kill_reason, "request");
    assert_true(row.ran_us == TS_HOUR + TS_MIN);
    assert_int_equal(row.source[FACT_TEMPLATE].origin, ORIGIN_EVENT);
    assert_true(row.source[FACT_TEMPLATE].at_us == BORN + TS_DAY + TS_MIN);
    assert_int_equal(row.source[FACT_DISK].origin, ORIGIN_NONE);
    assert_int_equal(
        number(arena_fmt(&arena,
                         "SELECT COUNT(*) FROM ledger_event WHERE via = 'hook' AND "
                         "came_us = %lld AND sandbox_id = '%s'",
                         (long long)(BORN + 2 * TS_DAY), sandbox)),
        6);
}

/* A self-hosted E2B has no events: what the list says over time is all there is. */
static void without_events_the_list_tells_the_runs(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    const struct sandbox said[] = {
        listed(sandbox, SANDBOX_RUNNING, BORN, BORN + 10 * TS_MIN),
        listed(sandbox, SANDBOX_RUNNING, BORN, BORN + 10 * TS_MIN),
        listed(sandbox, SANDBOX_RUNNING, BORN, BORN + 20 * TS_MIN),
        listed(sandbox, SANDBOX_PAUSED, BORN, BORN + 4 * TS_MIN),
        listed(sandbox, SANDBOX_RUNNING, BORN + TS_HOUR, BORN + TS_HOUR + TS_MIN)};
    const struct execution *x;
    struct ledger_row row;

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_ok(ledger_put_sandboxes(db, &said[i], 1,
                                       BORN + (i == 4 ? 61 : i + 1) * TS_MIN, &err));
    assert_ok(ledger_put_sandboxes(db, said, 1, BORN + 2 * TS_MIN, &err)); /* late */
    assert_ok(ledger_mark_gone(db, BORN + 63 * TS_MIN, &err));
    row = row_of(sandbox);
    assert_int_equal(row.run_count, 2);
    x = row.runs;
    assert_true(x[0].start_us == BORN && x[0].end_us == BORN + 4 * TS_MIN);
    assert_int_equal(x[0].end, EXEC_PAUSED);
    assert_int_equal(x[0].move_count, 2);
    assert_true(x[0].moves[1].at_us == BORN + 3 * TS_MIN);
    assert_true(x[0].moves[1].from_us == BORN + 10 * TS_MIN);
    assert_true(x[0].moves[1].to_us == BORN + 20 * TS_MIN);
    assert_int_equal(x[0].moves[1].source.origin, ORIGIN_RECORD);
    assert_true(x[1].is_resume && x[1].start_us == BORN + TS_HOUR);
    assert_int_equal(x[1].end, EXEC_GONE);
    assert_true(x[1].end_us == BORN + 61 * TS_MIN);
    assert_true(row.first_start_us == BORN && row.last_start_us == BORN + TS_HOUR);
    assert_true(row.ran_us == 5 * TS_MIN);
    assert_int_equal(row.source[FACT_DISK].origin, ORIGIN_RECORD);
    assert_true(row.source[FACT_DISK].at_us == BORN + 61 * TS_MIN);
}

static void a_name_from_the_list_names_ended_ones_too(void **state)
{
    struct err err = ERR_INIT;
    const char *ended = new_sandbox(), *alive = new_sandbox(), *alias;
    struct event e[] = {created(ended, BORN), killed(ended, BORN + TS_MIN)};
    struct sandbox s = listed(alive, SANDBOX_RUNNING, BORN, BORN + TS_HOUR);
    struct ledger_row row;

    (void)state;
    e[0].template_id = e[1].template_id = s.template_id = "tplnamed";
    s.template_alias = "team/late-name";
    assert_ok(ledger_put_events(db, e, 2, LEDGER_FEED, BORN + TS_HOUR, NULL, &err));
    assert_string_equal(row_of(ended).template_alias, "");
    assert_ok(ledger_template_alias(db, &arena, "tplnamed", &alias, &err));
    assert_string_equal(alias, "");
    assert_ok(ledger_put_sandboxes(db, &s, 1, BORN + 5 * TS_MIN, &err));
    row = row_of(ended);
    assert_string_equal(row.template_alias, "team/late-name");
    assert_int_equal(row.source[FACT_ALIAS].origin, ORIGIN_RECORD);
    assert_true(row.source[FACT_ALIAS].at_us == BORN + 5 * TS_MIN);
    s.template_alias = "team/newer";
    assert_ok(ledger_put_sandboxes(db, &s, 1, BORN + 9 * TS_MIN, &err));
    s.template_alias = "team/older";
    assert_ok(ledger_put_sandboxes(db, &s, 1, BORN + 7 * TS_MIN, &err));
    assert_ok(ledger_template_alias(db, &arena, "tplnamed", &alias, &err));
    assert_string_equal(alias, "team/newer");
}

static void one_list_without_it_is_not_enough(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct sandbox s = listed(sandbox, SANDBOX_RUNNING, BORN, BORN + TS_HOUR);

    (void)state;
    must_exec("DELETE FROM ledger_feed WHERE id = ?", "i", 1);
    assert_ok(ledger_put_sandboxes(db, &s, 1, BORN + 1 * TS_MIN, &err));
    assert_ok(ledger_listed(db, BORN + 1 * TS_MIN, &err));
    assert_ok(ledger_listed(db, BORN + 2 * TS_MIN, &err));
    assert_int_equal(row_of(sandbox).state, SANDBOX_RUNNING);
    assert_ok(ledger_listed(db, BORN + 3 * TS_MIN, &err));
    assert_int_equal(row_of(sandbox).state, SANDBOX_ENDED);
    assert_true(row_of(sandbox).end_us == BORN + 2 * TS_MIN);
}

/* ---- two hosts ---- */

#define AT_ONCE 12

static int harvest_too(struct db *own, size_t i, void *ctx)
{
    struct err err = ERR_INIT;
    const char **ids = ctx;
    struct event e[2 * AT_ONCE];
    struct sandbox s[AT_ONCE];

    for (int k = 0; k < AT_ONCE; k++) {
        int at = i % 2 ? AT_ONCE - 1 - k : k; /* the other way round */

        e[2 * k] = created(ids[at], BORN);
        e[2 * k + 1] = killed(ids[at], BORN + 300 * TS_SEC);
        s[k] = listed(ids[at], SANDBOX_RUNNING, BORN, BORN + 300 * TS_SEC);
    }
    if (ledger_put_sandboxes(own, s, AT_ONCE, BORN + 60 * TS_SEC + (int64_t)i, &err) ||
        ledger_put_events(own, e, 2 * AT_ONCE, LEDGER_FEED, BORN + TS_HOUR, NULL, &err) ||
        ledger_mark_gone(own, BORN + 60 * TS_SEC, &err) ||
        ledger_harvested(own, BORN + TS_HOUR + (int64_t)i, &err))
        return 100;
    return 0;
}

static void two_hosts_at_once_store_the_same(void **state)
{
    struct err err = ERR_INIT;
    const char *ids[AT_ONCE];
    int results[4];
    int64_t since, last;

    (void)state;
    for (int i = 0; i < AT_ONCE; i++)
        ids[i] = new_sandbox();
    run_processes(4, harvest_too, ids, results);
    for (int i = 0; i < 4; i++)
        assert_int_equal(results[i], 0);
    for (int i = 0; i < AT_ONCE; i++) {
        assert_int_equal(row_of(ids[i]).state, SANDBOX_ENDED);
        assert_true(row_of(ids[i]).end_us == BORN + 300 * TS_SEC);
    }
    assert_ok(ledger_span(db, &since, &last, &err));
    assert_true(last == BORN + TS_HOUR + 3);
    assert_true(since >= BORN + TS_HOUR && since <= last);
}

static void nothing_is_known_before_the_first_harvest(void **state)
{
    struct err err = ERR_INIT;
    int64_t since, last;

    (void)state;
    must_exec("DELETE FROM ledger_span WHERE id = ?", "i", 1);
    assert_ok(ledger_span(db, &since, &last, &err));
    assert_true(since == TS_NONE && last == TS_NONE);
    assert_ok(ledger_harvested(db, T0 + 5, &err));
    assert_ok(ledger_harvested(db, T0 + 9, &err));
    assert_ok(ledger_harvested(db, T0 + 7, &err));
    assert_ok(ledger_span(db, &since, &last, &err));
    assert_true(since == T0 + 5 && last == T0 + 9);
}

/* ---- many, and pruning ---- */

static void looking_one_up_costs_the_same_in_a_large_ledger(void **state)
{
    struct err err = ERR_INIT;
    struct ledger_row row;
    struct event *events;
    int64_t from;
    size_t n;

    (void)state;
    must_exec("INSERT INTO ledger_sandbox (sandbox_id, state, last_start_us, seen_us) "
              "SELECT CONCAT('big', seq), 'ended', seq, ? + seq FROM seq_1_to_30000",
              "i", T0);
    must_exec("INSERT INTO ledger_tag (sandbox_id, tag_key, tag_value, last_start_us) "
              "SELECT CONCAT('big', seq), 'userId', CONCAT('u', seq % 5), ? + seq "
              "FROM seq_1_to_30000",
              "i", T0);
    must_exec("ANALYZE TABLE ledger_sandbox", "", 0);
    must_exec("ANALYZE TABLE ledger_tag", "", 0);
    rows_read();
    from = rows_read();
    assert_ok(ledger_get(db, &arena, "big77", &row, &err));
    assert_int_equal(row.run_count, 0);
    assert_ok(ledger_events(db, &arena, "big77", &events, &n, &err));
    assert_ok(ledger_mark_gone(db, T0 - 1, &err));
    if (rows_read() - from > 200)
        fail_msg("%lld rows were read", (long long)(rows_read() - from));
}

static void old_ones_are_pruned_with_all_that_is_theirs(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct event e = created(sandbox, T0 + 40000);
    struct ledger_row row;
    struct event *events;
    int64_t removed, from;
    size_t n;

    (void)state;
    assert_ok(ledger_put_events(db, &e, 1, LEDGER_FEED, T0 + 40000, NULL, &err));
    assert_ok(ledger_prune(db, T0 + 30000, 5000, &removed, &err));
    assert_in_range(removed, 5000, 5999); /* a part, in whole batches */
    from = rows_read();
    assert_ok(ledger_prune(db, T0 + 10001, 0, &removed, &err));
    assert_in_range(removed, 4001, 5000);
    if (rows_read() - from > 40000) /* each by its index, not by reading all each time */
        fail_msg("%lld rows were read", (long long)(rows_read() - from));
    assert_ok(ledger_prune(db, T0 + 30000, 0, &removed, &err));
    assert_int_equal(removed, 19999);
    assert_ok(ledger_prune(db, T0 + 40000, 0, &removed, &err));
    assert_int_equal(removed, 1);
    assert_ok(ledger_get(db, &arena, sandbox, &row, &err));
    assert_ok(ledger_prune(db, T0 + 40001, 0, &removed, &err));
    assert_int_equal(removed, 1);
    assert_err(ledger_get(db, &arena, sandbox, &row, &err), ERR_NOTFOUND);
    assert_ok(ledger_events(db, &arena, sandbox, &events, &n, &err));
    assert_int_equal(n, 0);
    assert_int_equal(
        number("SELECT COUNT(*) FROM ledger_tag WHERE sandbox_id LIKE 'big%'"), 0);
}

int test_ledger(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_alone_tell_a_life),
        cmocka_unit_test(the_order_of_the_facts_does_not_matter),
        cmocka_unit_test(the_list_alone_tells_a_life),
        cmocka_unit_test(one_that_is_gone_at_its_deadline_ended_then),
        cmocka_unit_test(a_paused_one_that_leaves_the_list_was_deleted),
        cmocka_unit_test(what_cannot_be_kept_is_left_out),
        cmocka_unit_test(one_bad_event_does_not_cost_the_others),
        cmocka_unit_test(a_page_of_the_longest_tags_is_kept),
        cmocka_unit_test(a_tag_is_found_newest_first),
        cmocka_unit_test(runs_and_their_expiry_are_kept),
        cmocka_unit_test(without_events_the_list_tells_the_runs),
        cmocka_unit_test(a_name_from_the_list_names_ended_ones_too),
        cmocka_unit_test(one_list_without_it_is_not_enough),
        cmocka_unit_test(two_hosts_at_once_store_the_same),
        cmocka_unit_test(nothing_is_known_before_the_first_harvest),
        cmocka_unit_test(looking_one_up_costs_the_same_in_a_large_ledger),
        cmocka_unit_test(old_ones_are_pruned_with_all_that_is_theirs),
    };

    return cmocka_run_group_tests_name("store: ledger", tests, NULL, NULL);
}
