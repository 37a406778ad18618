/*
 * The processes that were started through E2B, from its start and end lines (e2b.md 5.4 b). Grandchildren are
 * not logged; what a program printed is counted, not kept. Pure.
 */
#ifndef CASEBOOK_MODEL_PROCESS_H
#define CASEBOOK_MODEL_PROCESS_H

#include "model/sandbox.h"

struct process {
    int64_t pid;
    const char *
        command; /* as E2B logged it, without the shell that E2B's library puts in front */
    int64_t start_us;                   /* TS_NONE: only its end is on record */
    int64_t end_us;                     /* TS_NONE: no end is on record */
    int64_t limit_ms;                   /* request_timeout_ms; 0: none */
    bool has_result;                    /* exit code or signal is known */
    int64_t exit_code;                  /* -1 when a signal ended it directly */
    const char *status;                 /* "exit status 137", "signal: killed" */
    int64_t stdout_bytes, stderr_bytes; /* -1: not told */
};

#define PROCESS_MAX 500

/* In the order of their starts; at most PROCESS_MAX. A pid that starts again is another process. */
struct process *processes_build(struct arena *a, const struct log_line *logs, size_t n,
                                size_t *count);

/* "finished, exit code 0", "exit code 137: killed by signal 9", "ended, exit code not recorded". In the arena. */
char *process_end_words(struct arena *a, const struct process *p);
/* Known to have ended with a code other than 0, or by a signal. */
bool process_failed(const struct process *p);

#endif
