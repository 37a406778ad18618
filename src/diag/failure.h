/*
 * Failures: moments at which something of the customer's work ended badly, and whether
 * that ended the work. "The first thing that ended the work decides" (corpus, tie-break
 * 1).
 */
#ifndef CASEBOOK_DIAG_FAILURE_H
#define CASEBOOK_DIAG_FAILURE_H

#include "diag/facts.h"

enum outcome {
    OUTCOME_ENDED_WORK, /* it counts */
    OUTCOME_HANDLED,    /* caught or retried with success, or the work went on */
};

struct failure {
    int64_t at_us;
    size_t exec;
    const struct proc *proc; /* NULL: notebook code, or no process entries */
    const struct told *told; /* what the console says; NULL */
    const struct told
        *kernel; /* the kernel's memory killer named a process of it; NULL */
    int signal;  /* 0: none known */
    bool has_code;
    int64_t code;
    bool is_at_limit;          /* the command's own time limit had just run out */
    bool has_api_signal;       /* a signal call through the API just before */
    const struct proc *killer; /* a kill command inside the sandbox just before; NULL */
    struct mem_sample mem;
    enum outcome outcome;
    bool is_end_known; /* a process end is on record for it */
};

struct failures {
    struct failure *v; /* by time */
    size_t n;
    const struct failure *decisive; /* the first that ended the work; NULL */
    const struct failure *handled;  /* the first that did not; NULL */
};

void failures_find(const struct facts *f, struct failures *out);

/* How far the work of the last execution was when it ended. */
enum progress {
    PROGRESS_UNKNOWN, /* nothing shows whether work was under way */
    PROGRESS_RUNNING, /* a command had not ended, output went on, or a request was in flight */
    PROGRESS_SERVER, /* only a server was up, and nothing else was ever run */
    PROGRESS_DONE,   /* the work had been completed */
    PROGRESS_NEVER,  /* nothing was ever run, and the logs would show it */
};
struct progress_info {
    enum progress kind;
    const struct proc *proc; /* RUNNING: the command; DONE: the last that ended */
    int64_t since_us;        /* DONE: since when nothing ran; TS_NONE */
    const char
        *sign; /* "a command had not ended", "output went on until 2 s before", ... */
};
struct progress_info progress_at_end(const struct facts *f);

#endif
