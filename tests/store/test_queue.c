/* The queue, the lease, and what people may do. */
#include "world.h"

#include <stdio.h>
#include <string.h>

#include "base/banned.h"

static void empty_queue(void)
{
    must_exec(
        "UPDATE investigation SET state = 'canceled' WHERE due_us IS NOT NULL AND id > ?",
        "i", 0);
}

static void queueing_twice_gives_the_first(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct investigation one, two;
    bool is_new;

    (void)state;
    assert_ok(inv_queue(db, &arena, sandbox, 48213, "ada", T0, &one, &is_new, &err));
    assert_true(is_new);
    assert_int_equal(one.state, INV_QUEUED);
    assert_int_equal(one.ticket_id, 48213);
    assert_string_equal(one.requested_by, "ada");
    assert_true(one.created_us == T0 && one.stage_us[INV_QUEUED] == T0);
    assert_true(one.started_us == TS_NONE && one.finished_us == TS_NONE);
    assert_ok(inv_queue(db, &arena, sandbox, 0, "bob", T0 + 9, &two, &is_new, &err));
    assert_false(is_new);
    assert_int_equal(two.id, one.id);
    assert_string_equal(two.requested_by, "ada");
    assert_true(two.created_us == T0);
    assert_ok(inv_cancel(db, one.id, "bob", T0 + 10, &err));
    assert_ok(inv_queue(db, &arena, sandbox, 0, "bob", T0 + 11, &two, &is_new, &err));
    assert_true(is_new);
    assert_int_equal(two.ticket_id, 0);
    assert_true(two.id > one.id);
}

static int queue_one(struct db *own, size_t i, void *ctx)
{
    struct err err = ERR_INIT;
    struct investigation inv;
    bool is_new;

    if (inv_queue(own, &arena, ctx, 1, i % 2 ? "ada" : "bob", T0, &inv, &is_new, &err))
        return 100;
    return is_new ? 1 : 0;
}

static void many_at_once_start_one(void **state)
{
    (void)state;
    for (int round = 0; round < 15; round++) {
        const char *sandbox = new_sandbox();
        int results[6], started = 0;

        run_processes(6, queue_one, arena_str(&arena, sandbox), results);
        for (int i = 0; i < 6; i++) {
            assert_true(results[i] < 100);
            started += results[i];
        }
        assert_int_equal(started, 1);
    }
    assert_int_equal(
        number("SELECT COUNT(*) FROM (SELECT sandbox_id FROM investigation "
               "WHERE due_us IS NOT NULL GROUP BY sandbox_id HAVING COUNT(*) > 1) "
               "AS twice"),
        0);
}

static int claim_all(struct db *own, size_t i, void *ctx)
{
    struct err err = ERR_INIT;
    struct investigation inv;
    int n = 0;

    (void)ctx;
    while (inv_claim(own, &arena, arena_fmt(&arena, "w%zu", i), T0, TS_HOUR, &inv,
                     &err) == 0)
        n++;
    return err.kind == ERR_NOTFOUND ? n : 100;
}

static void workers_share_without_taking_one_twice(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv;
    int results[4], sum = 0;
    bool is_new;

    (void)state;
    empty_queue();
    for (int i = 0; i < 60; i++)
        assert_ok(
            inv_queue(db, &arena, new_sandbox(), 0, "ada", T0 - 5, &inv, &is_new, &err));
    run_processes(4, claim_all, NULL, results);
    for (int i = 0; i < 4; i++) {
        assert_true(results[i] < 100);
        sum += results[i];
    }
    assert_int_equal(sum, 60);
    assert_int_equal(number("SELECT COUNT(*) FROM investigation WHERE due_us IS NOT NULL "
                            "AND fence = 1 AND worker <> '' AND attempt = 0"),
                     60);
    assert_err(inv_claim(db, &arena, "w", T0, 1, &inv, &err), ERR_NOTFOUND);
    empty_queue();
}

static void the_oldest_due_comes_first_and_not_before_its_time(void **state)
{
    struct err err = ERR_INIT;
    struct investigation a, b, got;
    bool is_new;

    (void)state;
    empty_queue();
    assert_ok(
        inv_queue(db, &arena, new_sandbox(), 0, "ada", T0 + 100, &a, &is_new, &err));
    assert_ok(inv_queue(db, &arena, new_sandbox(), 0, "ada", T0 + 50, &b, &is_new, &err));
    assert_err(inv_claim(db, &arena, "w", T0 + 49, 10, &got, &err), ERR_NOTFOUND);
    assert_ok(inv_claim(db, &arena, "w", T0 + 200, 10, &got, &err));
    assert_int_equal(got.id, b.id);
    assert_true(got.started_us == T0 + 200);
    assert_true(got.lease_until_us == T0 + 210);
    assert_string_equal(got.worker, "w");
    assert_ok(inv_claim(db, &arena, "w", T0 + 200, 10, &got, &err));
    assert_int_equal(got.id, a.id);
    empty_queue();
}

static void a_lease_that_ended_is_taken_over_and_the_late_worker_refused(void **state)
{
    struct err err = ERR_INIT;
    struct investigation first = claimed(new_sandbox(), 0), second, now;
    struct finding f = a_finding(CLASS_CRASHED, "sig", "tpl");

    (void)state;
    /* claimed at 1 for T0 */
    assert_err(inv_claim(db, &arena, "other", T0, T0, &second, &err), ERR_NOTFOUND);
    assert_ok(inv_claim(db, &arena, "other", T0 + 1, T0, &second, &err));
    assert_int_equal(second.id, first.id);
    assert_int_equal(second.fence, first.fence + 1);
    assert_int_equal(second.attempt, 1); /* the lost try counts */
    assert_true(second.started_us == first.started_us);

    assert_err(inv_save_collected(db, &first, "{}", 2, &NOTHING_READ, T0, &err),
               ERR_CONFLICT);
    assert_err(inv_renew(db, &first, T0, TS_HOUR, &err), ERR_CONFLICT);
    assert_err(inv_postpone(db, &first, T0, "later", &err), ERR_CONFLICT);
    assert_err(inv_fail(db, &first, "no", T0, &err), ERR_CONFLICT);
    assert_int_equal(first.state, INV_QUEUED);
    assert_ok(inv_get(db, &arena, first.id, &now, &err));
    assert_int_equal(now.state, INV_QUEUED);
    assert_string_equal(now.worker, "other");
    assert_int_equal(number("SELECT COUNT(*) FROM evidence WHERE investigation_id = "
                            "(SELECT MAX(id) FROM investigation)"),
                     0);
    assert_ok(inv_save_collected(db, &second, "{}", 2, &NOTHING_READ, T0, &err));
    assert_err(inv_save_diagnosed(db, &first, &f, T0, &err), ERR_CONFLICT);
    empty_queue();
}

static void a_lease_is_renewed_also_to_the_same_moment(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = claimed(new_sandbox(), 0), now;

    (void)state;
    assert_ok(inv_renew(db, &inv, T0, TS_HOUR, &err));
    assert_ok(inv_renew(db, &inv, T0, TS_HOUR, &err));
    assert_ok(inv_get(db, &arena, inv.id, &now, &err));
    assert_true(now.lease_until_us == T0 + TS_HOUR);
    empty_queue();
}

static void postponing_gives_it_back_for_later(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = claimed(new_sandbox(), 0), got;

    (void)state;
    assert_ok(inv_postpone(db, &inv, T0 + 30, "E2B: 503", &err));
    assert_int_equal(inv.attempt, 1);
    assert_err(inv_claim(db, &arena, "w2", T0 + 29, 9, &got, &err), ERR_NOTFOUND);
    assert_ok(inv_claim(db, &arena, "w2", T0 + 30, 9, &got, &err));
    assert_int_equal(got.id, inv.id);
    assert_int_equal(got.attempt, 1); /* counted once */
    assert_string_equal(got.failure, "E2B: 503");
    assert_ok(inv_save_collected(db, &got, "{}", 2, &NOTHING_READ, T0 + 31, &err));
    assert_ok(inv_get(db, &arena, inv.id, &got, &err));
    assert_int_equal(got.attempt, 0);
    assert_string_equal(got.failure, "");
    empty_queue();
}

static void waiting_and_giving_back_are_no_tries(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = claimed(new_sandbox(), 0), got;

    (void)state;
    assert_ok(inv_wait(db, &inv, T0 + 30, "rate limited", &err));
    assert_err(inv_claim(db, &arena, "w2", T0 + 29, 9, &got, &err), ERR_NOTFOUND);
    assert_ok(inv_claim(db, &arena, "w2", T0 + 30, 99, &got, &err));
    assert_int_equal(got.attempt, 0);
    assert_string_equal(got.failure, "rate limited");
    assert_ok(inv_release(db, &got, &err));
    assert_err(inv_is_held(db, &got, &err), ERR_CONFLICT);
    assert_ok(inv_claim(db, &arena, "w3", T0 + 31, 9, &got, &err)); /* at once */
    assert_int_equal(got.id, inv.id);
    assert_int_equal(got.attempt, 0);
    assert_ok(inv_is_held(db, &got, &err));
    empty_queue();
}

static void a_cancel_stops_the_worker(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = claimed(new_sandbox(), 0), now;

    (void)state;
    assert_ok(inv_save_collected(db, &inv, "{}", 2, &NOTHING_READ, T0, &err));
    assert_ok(inv_cancel(db, inv.id, "bob", T0 + 5, &err));
    assert_err(inv_renew(db, &inv, T0, 5, &err), ERR_CONFLICT);
    assert_err(inv_save_noted(db, &inv, T0, &err), ERR_CONFLICT);
    assert_ok(inv_get(db, &arena, inv.id, &now, &err));
    assert_int_equal(now.state, INV_CANCELED);
    assert_int_equal(now.reached, INV_COLLECTED);
    assert_string_equal(now.canceled_by, "bob");
    assert_true(now.finished_us == T0 + 5 && now.stage_us[INV_CANCELED] == T0 + 5);
    assert_err(inv_cancel(db, inv.id, "bob", T0 + 6, &err), ERR_CONFLICT);
    assert_err(inv_retry(db, inv.id, "bob", T0, &err), ERR_CONFLICT);
    assert_err(inv_cancel(db, 123456789, "bob", T0, &err), ERR_NOTFOUND);
}

static void a_failed_one_goes_on_where_it_was(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct investigation inv = claimed(sandbox, 0), got;
    bool is_new;

    (void)state;
    assert_ok(inv_save_collected(db, &inv, "{}", 2, &NOTHING_READ, T0, &err));
    assert_ok(inv_fail(db, &inv, "E2B: 500", T0 + 1, &err));
    assert_int_equal(inv.state, INV_FAILED);
    assert_ok(inv_get(db, &arena, inv.id, &got, &err));
    assert_int_equal(got.state, INV_FAILED);
    assert_int_equal(got.reached, INV_COLLECTED);
    assert_string_equal(got.failure, "E2B: 500");
    assert_true(got.finished_us == T0 + 1);
    /* not beside another unfinished one of the sandbox */
    assert_ok(inv_queue(db, &arena, sandbox, 0, "bob", T0 + 2, &got, &is_new, &err));
    assert_true(is_new);
    assert_err(inv_retry(db, inv.id, "bob", T0 + 3, &err), ERR_CONFLICT);
    assert_ok(inv_cancel(db, got.id, "bob", T0 + 3, &err));
    assert_ok(inv_retry(db, inv.id, "bob", T0 + 4, &err));
    assert_ok(inv_latest(db, &arena, sandbox, &got,
                         &err)); /* the unfinished one, not the newest */
    assert_int_equal(got.id, inv.id);
    assert_int_equal(got.state, INV_COLLECTED);
    assert_true(got.finished_us == TS_NONE && got.stage_us[INV_FAILED] == TS_NONE);
    assert_ok(inv_claim(db, &arena, "w", T0 + 4, 9, &got, &err));
    assert_int_equal(got.id, inv.id);
    empty_queue();
}

static void the_depth_counts_what_is_open(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv;
    int64_t n, oldest;
    bool is_new;

    (void)state;
    empty_queue();
    assert_ok(inv_queue_depth(db, &n, &oldest, &err));
    assert_int_equal(n, 0);
    assert_true(oldest == TS_NONE);
    assert_ok(inv_queue(db, &arena, new_sandbox(), 0, "a", T0 + 7, &inv, &is_new, &err));
    assert_ok(inv_queue(db, &arena, new_sandbox(), 0, "a", T0 + 3, &inv, &is_new, &err));
    assert_ok(inv_queue_depth(db, &n, &oldest, &err));
    assert_int_equal(n, 2);
    assert_true(oldest == T0 + 3);
    empty_queue();
}

static void the_schema_itself_holds_the_invariants(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct investigation inv = claimed(sandbox, 0);
    static const char insert[] =
        "INSERT INTO investigation (sandbox_id, requested_by, created_us, "
        "run_after_us, state) VALUES (?, 'x', 1, 1, ?)";

    (void)state;
    assert_err(db_exec(db, NULL, &err, insert, "ss", sandbox, "queued"), ERR_CONFLICT);
    assert_err(db_exec(db, NULL, &err, insert, "ss", sandbox, "noted"), ERR_CONFLICT);
    assert_ok(db_exec(db, NULL, &err, insert, "ss", sandbox, "done"));
    assert_ok(db_exec(db, NULL, &err, insert, "ss", sandbox, "failed"));
    assert_err(db_exec(db, NULL, &err,
                       "UPDATE investigation SET state = 'deduped' "
                       "WHERE sandbox_id = ? AND state = 'done'",
                       "s", sandbox),
               ERR_CONFLICT);
    assert_err(db_exec(db, NULL, &err, insert, "ss", new_sandbox(), "sleeping"),
               ERR_INPUT);
    assert_err(db_exec(db, NULL, &err, insert, "ss", "", "queued"), ERR_INPUT);

    assert_ok(
        db_exec(db, NULL, &err,
                "INSERT INTO filing VALUES ('s1', 't1', 'i', 'SUP-1', '', '', 1, ?, 1)",
                "i", inv.id));
    assert_err(
        db_exec(db, NULL, &err,
                "INSERT INTO filing VALUES ('s1', 't1', 'j', 'SUP-2', '', '', 1, ?, 1)",
                "i", inv.id),
        ERR_CONFLICT);
    assert_ok(
        db_exec(db, NULL, &err,
                "INSERT INTO filing VALUES ('s1', 't2', 'j', 'SUP-2', '', '', 1, ?, 1)",
                "i", inv.id));
    assert_err(
        db_exec(db, NULL, &err,
                "INSERT INTO filing VALUES ('s2', 't2', 'j', 'SUP-2', '', '', 1, ?, 1)",
                "i", (int64_t)987654321),
        ERR_NOTFOUND);

    assert_ok(
        db_exec(db, NULL, &err,
                "INSERT INTO note (marker, investigation_id, ticket_id, state, html, "
                "prepared_us) VALUES ('m1', ?, 5, 'prepared', '', 1)",
                "i", inv.id));
    assert_err(
        db_exec(db, NULL, &err,
                "INSERT INTO note (marker, investigation_id, ticket_id, state, html, "
                "prepared_us) VALUES ('m2', ?, 5, 'prepared', '', 1)",
                "i", inv.id),
        ERR_CONFLICT);
    assert_err(
        db_exec(db, NULL, &err, "UPDATE note SET state = 'lost' WHERE marker = 'm1'", ""),
        ERR_INPUT);
    empty_queue();
}

int test_queue(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queueing_twice_gives_the_first),
        cmocka_unit_test(many_at_once_start_one),
        cmocka_unit_test(workers_share_without_taking_one_twice),
        cmocka_unit_test(the_oldest_due_comes_first_and_not_before_its_time),
        cmocka_unit_test(a_lease_that_ended_is_taken_over_and_the_late_worker_refused),
        cmocka_unit_test(a_lease_is_renewed_also_to_the_same_moment),
        cmocka_unit_test(postponing_gives_it_back_for_later),
        cmocka_unit_test(waiting_and_giving_back_are_no_tries),
        cmocka_unit_test(a_cancel_stops_the_worker),
        cmocka_unit_test(a_failed_one_goes_on_where_it_was),
        cmocka_unit_test(the_depth_counts_what_is_open),
        cmocka_unit_test(the_schema_itself_holds_the_invariants),
    };

    return cmocka_run_group_tests_name("store: queue", tests, NULL, NULL);
}
