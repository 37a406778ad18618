/*
 * The log of a sandbox read to its end, in pieces, in bounded memory: its size does not matter. What stays
 * of a long one is told in keep.h.
 */
#ifndef CASEBOOK_AGENT_LONG_LOG_H
#define CASEBOOK_AGENT_LONG_LOG_H

#include "agent/agent.h"
#include "model/evidence.h"

#define LONG_LOG_PIECE                                                                   \
    1000 /* lines of one read; also of the first, which is the caller's */
#define LONG_LOG_MAX 5000000 /* lines read at the most */

/*
 * first: a finished read from the beginning. Reads on from there when there is more; ev->logs and ev->output become
 * what is kept of all of it (in the arena), printed text as output. What was left out, and why a read
 * ended early, is told by ev->logs_src (is_cut, err), and so by output_src when there is output. Returns at the end
 * of the log, at LONG_LOG_MAX, or at the deadline (monotonic).
 */
void long_log_read(struct agent *ag, struct arena *a, const struct e2b_logs *first,
                   int64_t deadline_us, struct evidence *ev);

#endif
