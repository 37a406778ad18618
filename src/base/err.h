/*
 * One form of failure for the whole program: functions return 0 or -1 and fill a struct err.
 *
 * The struct has a fixed size, so that failing never allocates. `msg` is for the log and for
 * the sysadmin; what a user of the pages reads is derived from `kind` in one place (web/respond.c)
 * or, for a failed upstream, from `service`, `http_status` and `msg` by the view.
 */
#ifndef CASEBOOK_BASE_ERR_H
#define CASEBOOK_BASE_ERR_H

#include <stdbool.h>
#include <stdint.h>

enum err_kind {
    ERR_NONE,
    ERR_INPUT,    /* the caller's or user's input is not acceptable */
    ERR_AUTH,     /* credentials refused (401) */
    ERR_DENIED,   /* not allowed (403), or a missing CSRF token */
    ERR_NOTFOUND, /* the thing does not exist */
    ERR_CONFLICT, /* it changed meanwhile, or exists already */
    ERR_UPSTREAM, /* a service answered with something unusable */
    ERR_TIMEOUT,  /* no answer in time */
    ERR_DB,       /* MariaDB failed */
    ERR_INTERNAL,
    ERR_KIND_COUNT
};

struct err {
    enum err_kind kind;
    bool is_retryable; /* the same call may succeed later */
    bool is_unreached; /* not even a connection to the service could be made */
    bool is_unknown;   /* the effect of a write is not known: it may have happened */
    bool is_wait;      /* nothing was done, and it is no failure: wait and come again */
    int http_status;   /* of an upstream's answer; 0: there was none */
    int64_t retry_after_us; /* what the service asked for; 0: nothing said */
    char msg[400];
};

#define ERR_INIT                                                                         \
    {                                                                                    \
        .kind = ERR_NONE                                                                 \
    }

/* Fill *e (e may not be NULL) and return -1. Clears the flags. Long texts are cut. */
int err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Put "context: " in front of the message; always -1. */
int err_ctx(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "input", "auth", ...: the machine word used in logs. */
const char *err_kind_name(enum err_kind kind);

/* A programming error: prints file, line and message to stderr and aborts. Never for input. */
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

#endif
