/* Connection, transactions, binding. */
#include "world.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/banned.h"

static void every_kind_of_value_comes_back(void **state)
{
    struct err err = ERR_INIT;
    char *big = arena_alloc(&arena, 300001);
    struct db_rows *rows;
    size_t n;

    (void)state;
    memset(big, 'x', 300000);
    rows = db_query(db, &err, "SELECT ?, ?, ?, ?, ?, ?, ?", "iIsSSbs", INT64_MIN + 1,
                    TS_NONE, "zo\xc3\xab", "", "a", "\0\1", (size_t)2, big);
    assert_non_null(rows);
    assert_int_equal(db_next(rows, &err), 1);
    assert_true(db_i64(rows, 0, 0) == INT64_MIN + 1);
    assert_true(db_is_null(rows, 1));
    assert_int_equal(db_i64(rows, 0, 7) == 7, 0);
    assert_string_equal(db_str(rows, 2, &arena), "zo\xc3\xab");
    assert_true(db_is_null(rows, 3));
    assert_string_equal(db_str(rows, 3, &arena), "");
    assert_string_equal(db_str(rows, 4, &arena), "a");
    assert_memory_equal(db_blob(rows, 5, &n), "\0\1", 2);
    assert_int_equal(n, 2);
    assert_string_equal(db_str(rows, 6, &arena), big);
    assert_int_equal(db_next(rows, &err), 0);
    db_close(rows);
}

static void rows_of_growing_length_are_whole(void **state)
{
    struct err err = ERR_INIT;
    struct db_rows *rows =
        db_query(db, &err,
                 "SELECT REPEAT('ab', seq * 1000), seq FROM seq_0_to_20 "
                 "ORDER BY seq",
                 "");
    int n = 0;

    (void)state;
    assert_non_null(rows);
    while (db_next(rows, &err) == 1) {
        assert_int_equal(strlen(db_str(rows, 0, &arena)), 2000 * n);
        assert_int_equal(db_i64(rows, 1, -1), n++);
    }
    assert_int_equal(n, 21);
    db_close(rows);
}

static void the_session_is_strict(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(number("SELECT @@sql_mode LIKE '%STRICT_ALL_TABLES%'"), 1);
    assert_int_equal(number("SELECT @@tx_isolation = 'READ-COMMITTED'"), 1);
    assert_int_equal(number("SELECT @@character_set_connection = 'utf8mb4'"), 1);
    assert_err(db_exec(db, NULL, &err,
                       "INSERT INTO investigation (sandbox_id, requested_by, created_us, "
                       "run_after_us) VALUES (REPEAT('a', 65), 'x', 1, 1)",
                       ""),
               ERR_INPUT);
}

static void a_wrong_statement_fails_and_the_next_works(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_err(db_exec(db, NULL, &err, "SELEKT 1", ""), ERR_DB);
    assert_false(err.is_retryable);
    assert_int_equal(number("SELECT 41 + 1"), 42);
}

static void a_result_that_is_left_in_the_middle_blocks_nothing(void **state)
{
    struct err err = ERR_INIT;
    struct db_rows *rows = db_query(db, &err, "SELECT seq FROM seq_1_to_5000", "");

    (void)state;
    assert_non_null(rows);
    assert_int_equal(db_next(rows, &err), 1);
    db_close(rows);
    db_close(NULL);
    assert_int_equal(number("SELECT 7"), 7);
}

static void a_rollback_leaves_nothing(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    db_rollback(db); /* harmless */
    assert_ok(db_begin(db, &err));
    must_exec("INSERT INTO ticket_view SELECT 'rolled', 1, ? FROM seq_1_to_1 WHERE 1 = 0",
              "i", 1);
    must_exec("INSERT INTO ticket VALUES (77, '', '', '', '', '', NULL, ?)", "i", 1);
    db_rollback(db);
    assert_int_equal(number("SELECT COUNT(*) FROM ticket WHERE id = 77"), 0);
    assert_ok(db_begin(db, &err));
    must_exec("INSERT INTO ticket VALUES (77, '', '', '', '', '', NULL, ?)", "i", 1);
    assert_ok(db_commit(db, &err));
    assert_int_equal(number("SELECT COUNT(*) FROM ticket WHERE id = 77"), 1);
    /* and each statement is on its own again */
    must_exec("UPDATE ticket SET status = 'seen' WHERE id = ?", "i", 77);
    db_rollback(db);
    assert_int_equal(number("SELECT COUNT(*) FROM ticket WHERE status = 'seen'"), 1);
}

/* ---- deadlock ---- */

struct crossing {
    int to_other[2][2]; /* pipes: i writes to the other, reads from its own */
};

struct crossed {
    struct crossing *c;
    size_t i;
    int tries;
};

static int cross_body(struct db *own, void *ctx, struct err *err)
{
    struct crossed *x = ctx;
    int64_t first = 900 + (int64_t)x->i, second = 901 - (int64_t)x->i;
    char byte = 0;

    x->tries++;
    if (db_exec(own, NULL, err, "UPDATE ticket SET seen_us = seen_us + 1 WHERE id = ?",
                "i", first))
        return -1;
    /* Only at the first try: both hold their first row before one asks for its second. */
    if (x->tries == 1 && (write(x->c->to_other[1 - x->i][1], &byte, 1) != 1 ||
                          read(x->c->to_other[x->i][0], &byte, 1) != 1))
        return err_set(err, ERR_INTERNAL, "no pipe");
    return db_exec(own, NULL, err, "UPDATE ticket SET seen_us = seen_us + 1 WHERE id = ?",
                   "i", second);
}

static int cross(struct db *own, size_t i, void *ctx)
{
    struct crossed x = {.c = ctx, .i = i};
    struct err err = ERR_INIT;

    if (db_transaction(own, cross_body, &x, &err))
        return 100;
    return x.tries;
}

static void a_deadlock_is_repeated(void **state)
{
    struct crossing c;
    int results[2];

    (void)state;
    assert_int_equal(pipe(c.to_other[0]), 0);
    assert_int_equal(pipe(c.to_other[1]), 0);
    must_exec(
        "INSERT INTO ticket SELECT seq, '', '', '', '', '', NULL, ? FROM seq_900_to_901",
        "i", 0);
    run_processes(2, cross, &c, results);
    /* one was the victim and tried twice; both changes of both are there */
    assert_int_equal(results[0] + results[1], 3);
    assert_int_equal(number("SELECT SUM(seen_us) FROM ticket WHERE id IN (900, 901)"), 4);
    for (int i = 0; i < 2; i++) {
        close(c.to_other[i][0]);
        close(c.to_other[i][1]);
    }
}

static int always_deadlocked(struct db *own, void *ctx, struct err *err)
{
    (*(int *)ctx)++;
    return db_exec(own, NULL, err, "SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213", "");
}

static int refuses(struct db *own, void *ctx, struct err *err)
{
    (void)own;
    (*(int *)ctx)++;
    return err_set(err, ERR_INPUT, "no");
}

static void only_conflicts_are_repeated_and_not_for_ever(void **state)
{
    struct err err = ERR_INIT;
    int tries = 0;

    (void)state;
    assert_err(db_transaction(db, always_deadlocked, &tries, &err), ERR_DB);
    assert_true(err.is_retryable);
    assert_int_equal(tries, 5);
    tries = 0;
    assert_err(db_transaction(db, refuses, &tries, &err), ERR_INPUT);
    assert_int_equal(tries, 1);
}

/* ---- lost connections ---- */

static void a_killed_connection_is_made_again(void **state)
{
    struct err err = ERR_INIT;
    int64_t id = number("SELECT CONNECTION_ID()");
    struct db *other = world_connect("casebook");

    (void)state;
    assert_ok(db_exec(other, NULL, &err, "KILL CONNECTION ?", "i", id));
    db_free(other);
    assert_err(db_exec(db, NULL, &err, "SELECT 1", ""), ERR_DB);
    assert_true(err.is_retryable);
    assert_ok(db_ready(db, &err));
    assert_true(number("SELECT CONNECTION_ID()") != id);
}

static void a_restarted_server_is_found_again(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv;

    (void)state;
    assert_ok(db_ready(db, &err));
    must_exec("UPDATE ticket SET status = 'before' WHERE id = ?", "i", 77);
    server("restart");
    assert_ok(db_ready(db, &err));
    assert_int_equal(number("SELECT COUNT(*) FROM ticket WHERE status = 'before'"), 1);
    assert_err(inv_get(db, &arena, 999999, &inv, &err), ERR_NOTFOUND);
}

static void a_stopped_server_is_an_error_that_may_heal(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_ok(db_begin(db, &err));
    server("stop");
    assert_err(db_exec(db, NULL, &err, "SELECT 1", ""), ERR_DB);
    db_rollback(db);
    assert_err(db_ready(db, &err), ERR_DB);
    assert_true(err.is_retryable);
    assert_err(db_begin(db, &err), ERR_DB);
    assert_null(db_query(db, &err, "SELECT 1", ""));
    server("restart");
    assert_ok(db_ready(db, &err));
    assert_int_equal(number("SELECT 5"), 5);
}

static void wrong_credentials_are_told_without_them(void **state)
{
    struct err err = ERR_INIT;
    struct conf c = *world_conf("casebook");
    struct db *wrong;

    (void)state;
    c.db.password = "very-secret";
    wrong = db_new(&c);
    assert_err(db_ready(wrong, &err), ERR_DB);
    assert_null(strstr(err.msg, "very-secret"));
    assert_non_null(strstr(err.msg, "Access denied"));
    db_free(wrong);
}

int test_db(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value_comes_back),
        cmocka_unit_test(rows_of_growing_length_are_whole),
        cmocka_unit_test(the_session_is_strict),
        cmocka_unit_test(a_wrong_statement_fails_and_the_next_works),
        cmocka_unit_test(a_result_that_is_left_in_the_middle_blocks_nothing),
        cmocka_unit_test(a_rollback_leaves_nothing),
        cmocka_unit_test(a_deadlock_is_repeated),
        cmocka_unit_test(only_conflicts_are_repeated_and_not_for_ever),
        cmocka_unit_test(a_killed_connection_is_made_again),
        cmocka_unit_test(a_restarted_server_is_found_again),
        cmocka_unit_test(a_stopped_server_is_an_error_that_may_heal),
        cmocka_unit_test(wrong_credentials_are_told_without_them),
    };

    return cmocka_run_group_tests_name("store: db", tests, NULL, NULL);
}
