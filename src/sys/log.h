/*
 * One line an event, key=value, to stderr: "ts=... level=info prog=casebook-web req=... msg=...".
 *
 * Values are quoted and newlines escaped here. Never log a token, customer output or an SQL
 * parameter. Who handles a failure logs it, once.
 */
#ifndef CASEBOOK_SYS_LOG_H
#define CASEBOOK_SYS_LOG_H

#include "base/err.h"

enum log_severity { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

void log_init(const char *program, enum log_severity at_least);
/* "error", "warn", "info", "debug"; -1 when none of them. */
int log_severity_parse(const char *name, enum log_severity *out);

/* Context put on every line until changed: "req", id or "inv", id. NULL key: none. */
void log_context(const char *key, const char *value);

/* The message, then pairs of name and value (char *), ended by NULL:
   log_event(LOG_INFO, "request", "method", m, "path", p, NULL). */
void log_event(enum log_severity level, const char *msg, ...) __attribute__((sentinel));
/* kind, status and message of *e on one line. */
void log_err(enum log_severity level, const char *what, const struct err *e);

#endif
