#include "world.h"
#include "base/xalloc.h"
#include "store/migrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/banned.h"

struct db *db;
struct arena arena = ARENA_INIT;

static const char *env(const char *name)
{
    const char *value = getenv(name);

    if (value == NULL) {
        fprintf(stderr, "%s is not set: run tests/store/run\n", name);
        exit(1);
    }
    return value;
}

/* Lives as long as the process, as a configuration does. */
const struct conf *world_conf(const char *database)
{
    struct conf *c = arena_alloc(&arena, sizeof(*c));

    c->db.socket = env("STORE_SOCKET");
    c->db.host = "";
    c->db.name = arena_str(&arena, database);
    c->db.user = "casebook";
    c->db.password = env("STORE_PASSWORD");
    return c;
}

struct db *world_connect(const char *database)
{
    struct err err = ERR_INIT;
    struct db *own = db_new(world_conf(database));

    if (db_ready(own, &err)) {
        fprintf(stderr, "no connection: %s\n", err.msg);
        exit(1);
    }
    return own;
}

void must_exec(const char *sql, const char *letters, int64_t value)
{
    struct err err = ERR_INIT;

    assert_ok(db_exec(db, NULL, &err, sql, letters, value));
}

int64_t number(const char *sql)
{
    struct err err = ERR_INIT;
    struct db_rows *rows = db_query(db, &err, sql, "");
    int64_t n;

    if (rows == NULL || db_next(rows, &err) != 1)
        fail_msg("%s: %s", sql, err.msg);
    n = db_i64(rows, 0, -1);
    db_close(rows);
    return n;
}

int64_t rows_read(void)
{
    return number("SELECT CAST(SUM(variable_value) AS SIGNED) "
                  "FROM information_schema.session_status "
                  "WHERE variable_name LIKE 'Handler_read_%'");
}

const char *new_sandbox(void)
{
    static int n;

    return arena_fmt(&arena, "i%ds%d", (int)getpid(), n++);
}

static pid_t start(size_t i, const int gate[2],
                   int (*body)(struct db *own, size_t i, void *ctx), void *ctx)
{
    struct db *own;
    char byte;
    pid_t pid;
    int rc;

    fflush(NULL);
    pid = fork();
    if (pid != 0)
        return pid;
    close(gate[1]);
    own = world_connect("casebook");
    rc = read(gate[0], &byte, 1) == 0 ? body(own, i, ctx) : 101;
    db_free(own);
    _exit(rc);
}

void run_processes(size_t n, int (*body)(struct db *own, size_t i, void *ctx), void *ctx,
                   int *results)
{
    pid_t pids[16];
    int gate[2];

    assert_true(n <= 16);
    assert_int_equal(pipe(gate), 0);
    for (size_t i = 0; i < n; i++) {
        pids[i] = start(i, gate, body, ctx);
        assert_true(pids[i] > 0);
    }
    close(gate[0]);
    close(gate[1]); /* the last writer: all of them go on at once */
    for (size_t i = 0; i < n; i++) {
        int status;

        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_true(WIFEXITED(status));
        results[i] = WEXITSTATUS(status);
    }
}

void server(const char *word)
{
    FILE *ask = fopen(env("STORE_ASK"), "w");
    FILE *answer;
    char line[16];

    assert_non_null(ask);
    fprintf(ask, "%s\n", word);
    fflush(ask);
    answer = fopen(env("STORE_ANSWER"), "r");
    assert_non_null(answer);
    assert_non_null(fgets(line, sizeof(line), answer));
    fclose(answer);
    fclose(ask);
}

struct investigation claimed(const char *sandbox, int64_t ticket)
{
    struct err err = ERR_INIT;
    struct investigation inv;
    bool is_new;

    assert_ok(inv_queue(db, &arena, sandbox, ticket, "ada", T0, &inv, &is_new, &err));
    must_exec("UPDATE investigation SET run_after_us = 0 WHERE id = ?", "i", inv.id);
    assert_ok(inv_claim(db, &arena, "w", 1, T0, &inv, &err));
    assert_string_equal(inv.sandbox_id, sandbox);
    return inv;
}

struct finding a_finding(enum finding_class cls, const char *signature,
                         const char *template_id)
{
    static const struct evidence_item item = {T0, "memory", "Memory was at 99 %.",
                                              "event:e1"};
    struct finding f = {
        .cls = cls,
        .confidence = CONFIDENCE_HIGH,
        .confidence_why = "two signs agree",
        .rule = "oom_kill",
        .signature = signature,
        .headline = "The program ran out of memory",
        .brief = "It used all of its memory. It was killed.",
        .failed_at_us = T0 + TS_SEC,
        .evidence = &item,
        .evidence_count = 1,
        .customer_reply = "Use less memory.",
        .missing = "",
        .fix = "",
        .program = "report.py",
        .template_id = template_id,
        .template_alias = "team/py",
        .diag_version = 3,
    };
    uint8_t digest[DIGEST_SIZE];

    if (*signature != '\0') {
        digest_sha256(signature, strlen(signature), digest);
        digest_hex(digest, f.signature_hash);
    }
    return f;
}

struct linear_decision a_decision(enum linear_outcome outcome, const char *issue_id,
                                  const char *identifier)
{
    struct linear_decision d = {
        .outcome = outcome,
        .token = "cbk0123",
        .words = "memory report.py",
        .searched_us = T0,
        .why = "nothing was found",
        .issue = {.id = issue_id,
                  .identifier = identifier,
                  .url = arena_fmt(&arena, "https://linear.app/x/issue/%s", identifier),
                  .title = "Out of memory",
                  .description = "",
                  .state_name = "Todo",
                  .state_type = "unstarted",
                  .team_id = "t",
                  .duplicate_of = "",
                  .created_us = T0,
                  .updated_us = T0,
                  .completed_us = TS_NONE,
                  .canceled_us = TS_NONE},
    };

    return d;
}

struct investigation finished(const char *sandbox, int64_t ticket, enum finding_class cls,
                              const char *signature, const char *template_id)
{
    struct err err = ERR_INIT;
    struct investigation inv = claimed(sandbox, ticket);
    struct finding f = a_finding(cls, signature, template_id);
    struct linear_decision d = a_decision(LINEAR_OUTCOME_NOT_FILED, "", "");

    assert_ok(inv_save_collected(db, &inv, "{}", 2, &NOTHING_READ, T0 + 1, &err));
    assert_ok(inv_save_diagnosed(db, &inv, &f, T0 + 2, &err));
    assert_ok(inv_save_deduped(db, &inv, &d, T0 + 3, &err));
    assert_ok(inv_save_filed(db, &inv, &d, f.signature_hash, template_id, T0 + 4, &err));
    assert_ok(inv_save_noted(db, &inv, T0 + 5, &err));
    assert_ok(inv_save_done(db, &inv, T0 + 6, &err));
    return inv;
}

/* Everything is stored in database casebook, made by the migrations themselves. */
int main(void)
{
    struct err err = ERR_INIT;
    int failed = 0;

    db = world_connect("casebook");
    if (migrate_run(db, env("STORE_SQL"), T0, NULL, &err)) {
        fprintf(stderr, "no schema: %s\n", err.msg);
        return 1;
    }
    failed += test_migrate();
    failed += test_db();
    failed += test_queue();
    failed += test_stages();
    failed += test_lists();
    failed += test_ledger();
    failed += test_ledger_feed();
    db_free(db);
    arena_release(&arena);
    return failed ? 1 : 0;
}

void hold(struct investigation *inv)
{
    struct err err = ERR_INIT;

    must_exec("UPDATE investigation SET state = 'filed', worker = 'w', "
              "lease_until_us = 9000000000000000000 WHERE id = ?",
              "i", inv->id);
    assert_ok(inv_get(db, &arena, inv->id, inv, &err));
}

void let_go(struct investigation *inv)
{
    struct err err = ERR_INIT;

    must_exec("UPDATE investigation SET state = 'done', worker = '', "
              "lease_until_us = 0 WHERE id = ?",
              "i", inv->id);
    assert_ok(inv_get(db, &arena, inv->id, inv, &err));
}
