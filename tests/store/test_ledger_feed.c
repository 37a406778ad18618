/* How far the feed has been read: gaps that shrink, join and are taken by one harvest at a time. */
#include "store/st_ledger.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

#include "base/banned.h"

static int begin(void **state)
{
    (void)state;
    must_exec("DELETE FROM ledger_feed WHERE id = ?", "i", 1);
    must_exec("DELETE FROM ledger_gap WHERE id > ?", "i", 0);
    must_exec(
        "INSERT IGNORE INTO ledger_sandbox (sandbox_id, seen_us) VALUES ('ifeed', ?)",
        "i", T0);
    must_exec("INSERT IGNORE INTO ledger_event (id, sandbox_id, at_us, doc) "
              "VALUES ('feed', 'ifeed', ?, '{}')",
              "i", T0);
    return 0;
}

static struct ledger_gap take(bool *has)
{
    struct err err = ERR_INIT;
    struct ledger_gap gap = {.id = 0};
    bool is_busy;

    assert_ok(ledger_gap_take(db, &gap, has, &is_busy, &err));
    assert_false(is_busy);
    if (*has)
        ledger_gap_release(db, &gap);
    return gap;
}

static void a_harvest_reads_back_to_the_one_before(void **state)
{
    struct err err = ERR_INIT;
    int64_t from_us;

    (void)state;
    assert_ok(ledger_feed_from(db, &from_us, &err));
    assert_true(from_us == TS_NONE);
    assert_ok(ledger_feed_read(db, T0 + TS_HOUR, &err));
    assert_ok(ledger_feed_read(db, T0, &err)); /* a host that was slower */
    assert_ok(ledger_feed_from(db, &from_us, &err));
    assert_true(from_us == T0 + TS_HOUR - LEDGER_LATE_US);
}

static void what_was_begun_is_left_as_a_gap(void **state)
{
    struct err err = ERR_INIT;
    struct ledger_gap gap = {
        .kind = GAP_NEW, .from_us = T0, .to_us = T0 + 9 * TS_MIN, .skip = 95};
    struct ledger_gap late, got;
    int64_t from_us;
    bool has;

    (void)state;
    take(&has);
    assert_false(has);
    assert_ok(ledger_feed_left(db, T0 + TS_HOUR, &gap, &err));
    assert_ok(ledger_feed_from(db, &from_us, &err));
    assert_true(from_us == T0 + TS_HOUR - LEDGER_LATE_US);
    got = take(&has);
    assert_true(has && got.id == gap.id && got.kind == GAP_NEW);
    assert_true(got.from_us == T0 && got.to_us == gap.to_us && got.skip == 95);

    late = gap;
    gap.to_us = T0 + 4 * TS_MIN;
    gap.skip = 190;
    late.to_us = T0 + 7 * TS_MIN;
    late.skip = 400;
    assert_ok(ledger_gap_shrink(db, &gap, &err));
    assert_ok(ledger_gap_shrink(db, &late, &err)); /* another host, not so far down */
    got = take(&has);
    assert_true(got.to_us == gap.to_us && got.skip == 190);
    assert_ok(ledger_gap_close(db, &gap, T0, &err));
    assert_ok(ledger_gap_close(db, &late, T0, &err));
    take(&has);
    assert_false(has);
    assert_ok(ledger_feed_whole(db, &from_us, &err));
    assert_true(from_us == TS_NONE);
}

static void the_newest_gap_is_worked_on_first(void **state)
{
    struct err err = ERR_INIT;
    struct ledger_gap back, again, check,
        old = {.kind = GAP_NEW, .from_us = T0, .to_us = T0 + 5},
        new = {.kind = GAP_NEW, .from_us = T0 + 10, .to_us = T0 + 15};
    const int64_t order[] = {1, 0, 2, 3};
    int64_t ids[4], whole_us;
    bool has;

    (void)state;
    assert_ok(ledger_feed_all(db, GAP_CHECK, &check, &err));
    assert_ok(ledger_feed_all(db, GAP_BACK, &back, &err));
    assert_ok(ledger_feed_all(db, GAP_BACK, &again, &err));
    assert_true(back.id == again.id && back.from_us == TS_NONE);
    assert_true(back.to_us == INT64_MAX);
    assert_ok(ledger_feed_left(db, T0, &old, &err));
    assert_ok(ledger_feed_left(db, T0, &new, &err));
    ids[0] = old.id;
    ids[1] = new.id;
    ids[2] = back.id;
    ids[3] = check.id;
    for (int i = 0; i < 4; i++) {
        struct ledger_gap got = take(&has);

        assert_true(has && got.id == ids[order[i]]);
        assert_ok(ledger_gap_close(db, &got, T0 + i, &err));
    }
    assert_ok(ledger_feed_whole(db, &whole_us, &err));
    assert_true(whole_us == T0 + 3);
}

static void too_many_gaps_become_fewer_and_lose_nothing(void **state)
{
    struct err err = ERR_INIT;
    struct ledger_gap got;
    int covered[60] = {0};
    bool has;

    (void)state;
    for (int i = 0; i < 60; i++) {
        struct ledger_gap gap = {
            .kind = GAP_NEW, .from_us = T0 + 10 * i, .to_us = T0 + 10 * i + 5};

        assert_ok(ledger_feed_left(db, T0 + 10 * i + 5, &gap, &err));
    }
    assert_in_range(number("SELECT COUNT(*) FROM ledger_gap"), 2, 20);
    for (got = take(&has); has; got = take(&has)) {
        for (int i = 0; i < 60; i++)
            covered[i] += got.from_us <= T0 + 10 * i && T0 + 10 * i + 5 <= got.to_us;
        assert_ok(ledger_gap_close(db, &got, T0, &err));
    }
    for (int i = 0; i < 60; i++)
        assert_int_equal(covered[i], 1);
}

/* Ends with what it has taken, giving nothing back. */
static int take_and_die(struct db *own, size_t i, void *ctx)
{
    struct err err = ERR_INIT;
    struct ledger_gap gap;
    bool has, is_busy;

    (void)i;
    (void)ctx;
    if (ledger_gap_take(own, &gap, &has, &is_busy, &err) || !has)
        return 100;
    return is_busy ? 2 : 1;
}

static void a_gap_is_one_harvests_and_a_dead_one_holds_nothing(void **state)
{
    struct err err = ERR_INIT;
    struct ledger_gap gap, other;
    bool has, is_busy;
    int results[1];

    (void)state;
    assert_ok(ledger_feed_all(db, GAP_BACK, &gap, &err));
    assert_ok(ledger_gap_take(db, &gap, &has, &is_busy, &err));
    assert_true(has && !is_busy);
    run_processes(1, take_and_die, NULL, results);
    assert_int_equal(results[0], 2);
    ledger_gap_release(db, &gap);
    run_processes(1, take_and_die, NULL, results);
    assert_int_equal(results[0], 1);
    assert_ok(ledger_gap_take(db, &other, &has, &is_busy, &err));
    assert_true(has && !is_busy && other.id == gap.id);
    ledger_gap_release(db, &other);
}

static void an_emptied_ledger_is_filled_anew(void **state)
{
    struct err err = ERR_INIT;
    int64_t from_us;

    (void)state;
    assert_ok(ledger_feed_read(db, T0, &err));
    must_exec("DELETE FROM ledger_sandbox WHERE seen_us > ?", "i", -1);
    assert_ok(ledger_feed_from(db, &from_us, &err));
    assert_true(from_us == TS_NONE);
}

int test_ledger_feed(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_harvest_reads_back_to_the_one_before, begin),
        cmocka_unit_test_setup(what_was_begun_is_left_as_a_gap, begin),
        cmocka_unit_test_setup(the_newest_gap_is_worked_on_first, begin),
        cmocka_unit_test_setup(too_many_gaps_become_fewer_and_lose_nothing, begin),
        cmocka_unit_test_setup(a_gap_is_one_harvests_and_a_dead_one_holds_nothing, begin),
        cmocka_unit_test_setup(an_emptied_ledger_is_filled_anew, begin),
    };

    return cmocka_run_group_tests_name("store: feed", tests, NULL, NULL);
}
