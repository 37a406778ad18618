/*
 * A small world for the diagnosis' tests: evidence put together by hand, times in seconds after the start
 * of the sandbox. The defaults are a healthy sandbox of 1,024 MiB that was created with a limit of 300 s.
 */
#ifndef CASEBOOK_TEST_DIAG_CASE_H
#define CASEBOOK_TEST_DIAG_CASE_H

#include "base/arena.h"
#include "diag/diag.h"

#define CASE_MAX 400

struct test_case {
    struct arena a;
    struct evidence ev;
    struct event events[8];
    struct metric metrics[CASE_MAX];
    struct log_line logs[64];
    struct output_line output[64];
    int64_t limit_s;
};

void case_init(struct test_case *c, double limit_s);
void case_release(struct test_case *c);
/* Samples every 5 s; memory and CPU in percent. */
void case_samples(struct test_case *c, double from_s, double to_s, double memory,
                  double cpu);
void case_log(struct test_case *c, double at_s, const char *message, const char *key,
              const char *value);
/* end_s < 0: it has not ended. limit_s 0: none. */
void case_proc(struct test_case *c, int pid, const char *command, double start_s,
               double end_s, double limit_s);
void case_out(struct test_case *c, double at_s,
              const char *text); /* lines, standard error */
void case_print(struct test_case *c, double at_s, const char *text);
/* type "killed", "paused", "resumed", "updated"; reason: of the kill, may be NULL. */
void case_event(struct test_case *c, double at_s, const char *type, const char *reason);
/* The end of the sandbox by a kill, with the lines E2B writes. */
void case_kill(struct test_case *c, double at_s, const char *reason);
void case_running(struct test_case *c, double now_s);
const struct finding *case_run(struct test_case *c, struct finding *out);
int case_has_factor(const struct finding *f, const char *name);

#endif
