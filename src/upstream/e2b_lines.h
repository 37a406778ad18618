/*
 * Pages of log lines (e2b.md 5.1, 5.2), out of the body as it came: row by row, so that a page of
 * thousands of lines costs little more than the lines themselves. Pure; strings in the arena.
 *
 * As in e2b_parse.h, one unreadable row does not cost the others. -1 with err when the document has another
 * shape, or when it has rows and none is readable.
 */
#ifndef CASEBOOK_UPSTREAM_E2B_LINES_H
#define CASEBOOK_UPSTREAM_E2B_LINES_H

#include "upstream/e2b_parse.h"

struct e2b_lines {
    struct e2b_page page; /* page.rows: as received, those not read too */
    struct log_line
        *lines;   /* in the order received; an unreadable one has at_us TS_NONE */
    size_t count; /* read: all of them, or up to the first one after until_ms */
};

#define E2B_LINES_ALL INT64_MAX

/* v2: {"logs": [entry]} (5.2). */
int e2b_lines_v2(struct arena *a, const char *body, size_t n, int64_t until_ms,
                 struct e2b_lines *out, struct err *err);
/*
 * v1: {"logs": [raw], "logEntries": [entry]} (5.1), with results from the raw lines; a very old answer
 * without entries is read from the raw lines alone.
 */
int e2b_lines_v1(struct arena *a, const char *body, size_t n, int64_t until_ms,
                 struct e2b_lines *out, struct err *err);

/* By time, to the nanosecond; equal times keep their order; lines without a time come first. */
void e2b_lines_sort(struct arena *a, struct log_line *lines, size_t n);

/* The millisecond of a line, floored, and the nanoseconds within it: its stamp is finer than at_us. */
int64_t e2b_line_ms(const struct log_line *l);
int e2b_line_ns(const struct log_line *l);

#endif
