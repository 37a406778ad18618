/*
 * The master of a prefork program: forks children, replaces dead ones with back-off, passes
 * signals on. Shared by casebook-web (responders) and casebook-agent (workers).
 */
#ifndef CASEBOOK_SYS_PREFORK_H
#define CASEBOOK_SYS_PREFORK_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prefork {
    size_t children;
    /* Runs in a child; its return value is the exit status. Signals are at their defaults but for
       TERM, HUP and INT, which set prefork_stop. */
    int (*child)(size_t index, void *ctx);
    /* Runs in the master on HUP: reload; false keeps the old children (logged). May be NULL. */
    bool (*reload)(void *ctx);
    /* Runs in the master once, when the children are told to end. May be NULL. */
    void (*stopping)(void *ctx);
    void *ctx;
    bool
        is_restarting; /* replace a child that ends (web); false: wait for all to end (agent) */
    int64_t drain_ms; /* after TERM: how long children may finish before KILL */
    int64_t
        stop_after_ms; /* > 0: behave as if TERM came after so long (agent --run-for) */
};

/* Set in a child when it should finish its work and end. */
extern volatile sig_atomic_t prefork_stop;

/* Returns the exit status for the program. */
int prefork_run(const struct prefork *p);

#endif
