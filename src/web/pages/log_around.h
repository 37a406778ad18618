/*
 * The raw logs around one moment, for links to a line: whichever page it was on, its line is among these, with
 * what stands before it. Nothing is filtered. For logs.c only.
 */
#ifndef CASEBOOK_WEB_PAGES_LOG_AROUND_H
#define CASEBOOK_WEB_PAGES_LOG_AROUND_H

#include "web/pages/log_foot.h"

/* Can this E2B be asked for the lines at a time? Until it has shown otherwise: yes. */
bool log_around_can(const struct app *app);
/* Reads `at` of the query, RFC 3339; sets r->at_us. */
void log_around_init(struct log_request *r, const struct req *rq);
/* Begins both reads and adds them; returns the new n. */
size_t log_around_calls(struct log_request *r, struct req *rq, const char *sandbox_id,
                        struct http_call **calls, size_t n);
/* read: a copy of r->op; gets the lines of both reads, oldest first. */
void log_around_lay_out(const struct log_request *r, struct e2b_logs *read,
                        struct log_layout *out);

#endif
