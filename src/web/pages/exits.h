/*
 * Exit codes of processes that ended far down a long log. They stand in raw lines only (e2b.md 5.4), and the
 * raw route cannot search: each is read by the time of its end.
 */
#ifndef CASEBOOK_WEB_PAGES_EXITS_H
#define CASEBOOK_WEB_PAGES_EXITS_H

#include "model/process.h"
#include "web/request.h"

/*
 * Start and end lines that are read for the process table, where E2B searches for them in all of the log: a page of
 * them (500 processes) in the round of the other reads, and more only for a sandbox that has started more.
 */
#define EXITS_PROCESS_LINES 3000

/* Results that these lines hold, for processes that have none yet. */
void exits_take(struct arena *a, struct process *p, size_t n,
                const struct log_line *lines, size_t line_n);

/* Only the last few that ended without a result are asked for, all at once: one round more, and only for
   logs longer than a page. Returns why the first of them could not be read, in the arena; NULL: all were. */
const struct source *exits_read(struct req *rq, const char *sandbox_id, struct process *p,
                                size_t n);

#endif
