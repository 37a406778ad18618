/*
 * What the tests of the store share: a connection to the private MariaDB that tests/store/run has
 * started, other processes, and things to store.
 */
#ifndef CASEBOOK_TESTS_STORE_WORLD_H
#define CASEBOOK_TESTS_STORE_WORLD_H

/* cmocka.h needs these before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/ts.h"
#include "model/finding.h"
#include "model/linear.h"
#include "store/db.h"
#include "store/st_investigation.h"

#define T0 (1764000000 * TS_SEC) /* when the tests' stories begin */

#define NOTHING_READ ((struct inv_read){.events = -1, .samples = -1, .lines = -1})

extern struct db *db; /* of the test process */
extern struct arena arena;

/* A connection to `database`, ready; any failure ends the test. */
struct db *world_connect(const char *database);
const struct conf *world_conf(const char *database);

/* Statements of the tests' own. */
void must_exec(const char *sql, const char *letters, int64_t value);
int64_t number(const char *sql);
/* How many rows the statements of this connection have read so far. */
int64_t rows_read(void);

/* A new sandbox id. */
const char *new_sandbox(void);

/* Another process: runs body(i) with a connection of its own when all n have started; its result is
   0..100. run_processes gives them in results. */
void run_processes(size_t n, int (*body)(struct db *own, size_t i, void *ctx), void *ctx,
                   int *results);

/* "restart" or "stop" the server; back when it is done. */
void server(const char *word);

#define assert_ok(call)                                                                  \
    do {                                                                                 \
        if ((call) != 0)                                                                 \
            fail_msg("%s: %s", #call, err.msg);                                          \
    } while (0)
#define assert_err(call, wanted)                                                         \
    do {                                                                                 \
        assert_int_equal((call), -1);                                                    \
        if (err.kind != (wanted))                                                        \
            fail_msg("%s: %s, not %s: %s", #call, err_kind_name(err.kind),               \
                     err_kind_name(wanted), err.msg);                                    \
    } while (0)

/* A queued one, claimed by "w". */
struct investigation claimed(const char *sandbox, int64_t ticket);
struct finding a_finding(enum finding_class cls, const char *signature,
                         const char *template_id);
struct linear_decision a_decision(enum linear_outcome outcome, const char *issue_id,
                                  const char *identifier);
/* From claimed to done, with a finding of this class. */
struct investigation finished(const char *sandbox, int64_t ticket, enum finding_class cls,
                              const char *signature, const char *template_id);

int test_db(void);
int test_migrate(void);
int test_queue(void);
int test_stages(void);
int test_lists(void);
int test_ledger(void);
int test_ledger_feed(void);

/* It is this worker's, in the state `filed`; and over again. */
void hold(struct investigation *inv);
void let_go(struct investigation *inv);

#endif
