/* Migrations: once, in order, by several at once, and what is refused. */
#include "store/migrate.h"
#include "world.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"

static int told;

static void count(const char *line)
{
    if (strncmp(line, "applied 00", 10) == 0)
        told++;
}

static const char *new_database(void)
{
    static int n;
    struct err err = ERR_INIT;
    const char *name = arena_fmt(&arena, "test_migrate_%d", n++);
    const char *sql = arena_fmt(&arena, "CREATE DATABASE %s CHARACTER SET utf8mb4", name);

    assert_ok(db_exec(db, NULL, &err, sql, ""));
    return name;
}

static const char *sql_folder(void)
{
    return getenv("STORE_SQL");
}

static void copy_file(const char *from, const char *to)
{
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    int c;

    assert_non_null(in);
    assert_non_null(out);
    while ((c = fgetc(in)) != EOF)
        fputc(c, out);
    fclose(in);
    fclose(out);
}

/* A copy of sql/ that a test may change. */
static const char *folder_copy(void)
{
    const char *to = mkdtemp(arena_fmt(&arena, "%s/sqlXXXXXX", getenv("STORE_TMP")));
    DIR *dir = opendir(sql_folder());
    struct dirent *e;

    assert_non_null(to);
    assert_non_null(dir);
    while ((e = readdir(dir)) != NULL)
        if (strstr(e->d_name, ".sql"))
            copy_file(arena_fmt(&arena, "%s/%s", sql_folder(), e->d_name),
                      arena_fmt(&arena, "%s/%s", to, e->d_name));
    closedir(dir);
    return to;
}

static void put_file(const char *folder, const char *name, const char *text)
{
    FILE *f = fopen(arena_fmt(&arena, "%s/%s", folder, name), "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void twice_is_once(void **state)
{
    struct err err = ERR_INIT;
    struct db *own = world_connect(new_database());

    (void)state;
    assert_err(migrate_check(own, &err), ERR_DB);
    assert_non_null(strstr(err.msg, "casebook migrate"));
    told = 0;
    assert_ok(migrate_run(own, sql_folder(), T0, count, &err));
    assert_int_equal(told, SCHEMA_VERSION);
    assert_ok(migrate_check(own, &err));
    told = 0;
    assert_ok(migrate_run(own, sql_folder(), T0 + 1, count, &err));
    assert_int_equal(told, 0);
    assert_ok(migrate_check(own, &err));
    db_free(own);
}

static int migrate_too(struct db *own, size_t i, void *ctx)
{
    struct err err = ERR_INIT;
    struct db *mine;
    int rc;

    (void)own;
    (void)i;
    told = 0;
    mine = world_connect(ctx);
    rc = migrate_run(mine, sql_folder(), T0, count, &err);
    db_free(mine);
    return rc ? 100 : told;
}

static void several_at_once_apply_each_once(void **state)
{
    const char *name = new_database();
    int results[4], sum = 0;

    (void)state;
    run_processes(4, migrate_too, arena_str(&arena, name), results);
    for (int i = 0; i < 4; i++) {
        assert_true(results[i] < 100);
        sum += results[i];
    }
    assert_int_equal(sum, SCHEMA_VERSION);
}

static void one_that_died_before_its_record_is_repeated(void **state)
{
    struct err err = ERR_INIT;
    struct db *own = world_connect(new_database());

    (void)state;
    assert_ok(migrate_run(own, sql_folder(), T0, count, &err));
    assert_ok(
        db_exec(own, NULL, &err, "DELETE FROM schema_migration WHERE number > 3", ""));
    assert_err(migrate_check(own, &err), ERR_DB);
    assert_ok(migrate_run(own, sql_folder(), T0, count, &err));
    assert_ok(migrate_check(own, &err));
    db_free(own);
}

/* The name of a migration that comes so many after the newest. */
static const char *step_name(int after, const char *what)
{
    return arena_fmt(&arena, "%04d_%s.sql", SCHEMA_VERSION + after, what);
}

static void what_cannot_be_right_is_refused(void **state)
{
    struct err err = ERR_INIT;
    struct db *own = world_connect(new_database());
    const char *folder = folder_copy();

    (void)state;
    assert_err(migrate_run(own, "/nowhere", T0, count, &err), ERR_INPUT);
    put_file(folder, "16_short.sql", "SELECT 1;\n");
    assert_err(migrate_run(own, folder, T0, count, &err), ERR_INPUT);
    assert_non_null(strstr(err.msg, "16_short.sql"));
    unlink(arena_fmt(&arena, "%s/16_short.sql", folder));

    put_file(folder, step_name(2, "gap"), "SELECT 1;\n");
    assert_err(migrate_run(own, folder, T0, count, &err), ERR_INPUT);
    assert_non_null(strstr(err.msg, arena_fmt(&arena, "%04d", SCHEMA_VERSION + 1)));
    unlink(arena_fmt(&arena, "%s/%s", folder, step_name(2, "gap")));

    assert_ok(migrate_run(own, folder, T0, count, &err));
    put_file(folder, "0003_evidence_part.sql", "-- other\nSELECT 1;\n");
    assert_err(migrate_run(own, folder, T0, count, &err), ERR_INPUT);
    assert_non_null(strstr(err.msg, "changed after it was applied"));
    unlink(arena_fmt(&arena, "%s/0015_ledger_span.sql", folder));
    assert_err(migrate_run(own, folder, T0, count, &err), ERR_INPUT);
    db_free(own);
}

static void a_newer_step_runs_statement_by_statement(void **state)
{
    struct err err = ERR_INIT;
    struct db *own = world_connect(new_database());
    const char *folder = folder_copy();

    (void)state;
    put_file(folder, step_name(1, "two"),
             "-- two statements; a comment with a semicolon;\n"
             "CREATE TABLE IF NOT EXISTS one (\n    id INT -- not the end\n);\n"
             "INSERT INTO one\n    VALUES (4);\n");
    assert_ok(migrate_run(own, folder, T0, count, &err));
    assert_int_equal(number(arena_fmt(&arena, "SELECT id FROM test_migrate_%d.one", 4)),
                     4);
    put_file(folder, step_name(2, "bad"), "CREATE TABLE bad (;\n");
    assert_err(migrate_run(own, folder, T0, count, &err), ERR_DB);
    assert_non_null(strstr(err.msg, step_name(2, "bad")));
    /* what was applied before it stands, and an older program still finds its schema */
    assert_ok(migrate_check(own, &err));
    db_free(own);
}

int test_migrate(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twice_is_once),
        cmocka_unit_test(several_at_once_apply_each_once),
        cmocka_unit_test(one_that_died_before_its_record_is_repeated),
        cmocka_unit_test(what_cannot_be_right_is_refused),
        cmocka_unit_test(a_newer_step_runs_statement_by_statement),
    };

    return cmocka_run_group_tests_name("store: migrate", tests, NULL, NULL);
}
