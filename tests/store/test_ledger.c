/* The ledger: facts in any order, two harvests at once, searches by tag. */
#include "store/st_ledger.h"
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
    assert_ok(ledger_put_events(db, e, 2, BORN + TS_HOUR, &err));
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
    assert_ok(ledger_put_events(db, e, 2, BORN + TS_HOUR, &err)); /* again */
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
                assert_ok(ledger_put_events(db, &c, 1, now_us, &err));
            else if (orders[o][i] == 1)
                assert_ok(ledger_put_events(db, &k, 1, now_us, &err));
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
    assert_ok(ledger_put_events(db, &c, 1, BORN + 70 * TS_SEC, &err));
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
    struct ledger_row *found;
    const char *key = "userId";
    size_t n;

    (void)state;
    memset(value, 'v', 800);
    e[1].tags = &long_tag;
    e[1].tag_count = 1;
    e[2].id = "other";
    assert_ok(ledger_put_events(db, e, 3, BORN, &err));
    assert_string_equal(row_of(sandbox).tags[0].value, value);
    assert_ok(ledger_find(db, &arena, &key, 1, value, 10, &found, &n, &err));
    assert_int_equal(n, 0);
    assert_ok(ledger_put_events(db, NULL, 0, BORN, &err));
    assert_ok(ledger_put_sandboxes(db, NULL, 0, BORN, &err));
}

static void a_tag_is_found_exactly_and_newest_first(void **state)
{
    struct err err = ERR_INIT;
    static const struct tag both[] = {
        {"userId",   "Zo\xc3\xab+1"},
        {"customer", "Zo\xc3\xab+1"}
    };
    static const struct tag other[] = {
        {"userId", "zo\xc3\xab+1"}
    };
    const char *a = new_sandbox(), *b = new_sandbox(), *c = new_sandbox();
    struct event e[] = {created(a, BORN), created(b, BORN + 5), created(c, BORN + 9)};
    const char *keys[] = {"customer", "userId", "nokey"};
    struct ledger_row *found;
    size_t n;

    (void)state;
    e[0].tags = e[1].tags = both;
    e[2].tags = other;
    e[2].tag_count = 1;
    e[1].tag_count = 2;
    assert_ok(ledger_put_events(db, e, 3, BORN, &err));
    assert_ok(ledger_find(db, &arena, keys, 3, "Zo\xc3\xab+1", 10, &found, &n, &err));
    assert_int_equal(n, 2);
    assert_string_equal(found[0].sandbox_id, b);
    assert_string_equal(found[1].sandbox_id, a);
    assert_ok(ledger_find(db, &arena, keys, 3, "Zo\xc3\xab+1", 1, &found, &n, &err));
    assert_int_equal(n, 1);
    assert_string_equal(found[0].sandbox_id, b);
    assert_ok(ledger_find(db, &arena, keys, 1, "zo\xc3\xab+1", 10, &found, &n, &err));
    assert_int_equal(n, 0);
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
        ledger_put_events(own, e, 2 * AT_ONCE, BORN + TS_HOUR, &err) ||
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

static void a_search_in_a_large_ledger_reads_what_it_shows(void **state)
{
    struct err err = ERR_INIT;
    const char *keys[] = {"userId", "email"};
    struct ledger_row *found, row;
    struct event *events;
    int64_t from;
    size_t n;

    (void)state;
    must_exec("INSERT INTO ledger_sandbox (sandbox_id, state, last_start_us, seen_us) "
              "SELECT CONCAT('big', seq), 'ended', seq, ? + seq FROM seq_1_to_30000",
              "i", T0);
    must_exec("INSERT INTO ledger_tag SELECT CONCAT('big', seq), 'userId', "
              "CONCAT('u', seq % 5), ? + seq FROM seq_1_to_30000",
              "i", T0);
    must_exec("ANALYZE TABLE ledger_sandbox", "", 0);
    must_exec("ANALYZE TABLE ledger_tag", "", 0);
    rows_read();
    from = rows_read();
    assert_ok(ledger_find(db, &arena, keys, 2, "u3", 100, &found, &n, &err));
    assert_int_equal(n, 100);
    assert_string_equal(found[0].sandbox_id, "big29998");
    assert_ok(ledger_get(db, &arena, "big77", &row, &err));
    assert_ok(ledger_events(db, &arena, "big77", &events, &n, &err));
    assert_ok(ledger_mark_gone(db, T0 - 1, &err));
    if (rows_read() - from > 1500)
        fail_msg("%lld rows were read", (long long)(rows_read() - from));
}

static void old_ones_are_pruned_with_all_that_is_theirs(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct event e = created(sandbox, T0 + 40000);
    struct ledger_row row;
    struct event *events;
    int64_t removed;
    size_t n;

    (void)state;
    assert_ok(ledger_put_events(db, &e, 1, T0 + 40000, &err));
    assert_ok(ledger_prune(db, T0 + 30000, &removed, &err));
    assert_int_equal(removed, 29999);
    assert_ok(ledger_prune(db, T0 + 40000, &removed, &err));
    assert_int_equal(removed, 1);
    assert_ok(ledger_get(db, &arena, sandbox, &row, &err));
    assert_ok(ledger_prune(db, T0 + 40001, &removed, &err));
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
        cmocka_unit_test(a_tag_is_found_exactly_and_newest_first),
        cmocka_unit_test(two_hosts_at_once_store_the_same),
        cmocka_unit_test(nothing_is_known_before_the_first_harvest),
        cmocka_unit_test(a_search_in_a_large_ledger_reads_what_it_shows),
        cmocka_unit_test(old_ones_are_pruned_with_all_that_is_theirs),
    };

    return cmocka_run_group_tests_name("store: ledger", tests, NULL, NULL);
}
