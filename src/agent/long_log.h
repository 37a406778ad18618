/*
 * The rest of a long log: read to its end in pieces, in bounded memory. Kept are the beginning, the last
 * stretch whole, and of what lies between the lines that tell of processes, warnings and the platform.
 */
#ifndef CASEBOOK_AGENT_LONG_LOG_H
#define CASEBOOK_AGENT_LONG_LOG_H

#include "agent/agent.h"
#include "model/evidence.h"

#define LONG_LOG_HEAD 10000   /* lines of the first read, which is the caller's */
#define LONG_LOG_PIECE 5000   /* lines of each further read */
#define LONG_LOG_TAIL 30000   /* last lines kept whole, at least */
#define LONG_LOG_MIDDLE 10000 /* telling lines kept between */
#define LONG_LOG_MAX 2000000  /* lines read at the most */

/*
 * first: a finished read from the beginning; its lines are ev's already. When there is more, reads on and
 * appends to ev->logs (all in the arena). What was left out, and why a read ended early, is told by
 * ev->logs_src (is_cut, err). Returns at the end of the log, at LONG_LOG_MAX, or at the deadline
 * (monotonic).
 */
void long_log_read(struct agent *ag, struct arena *a, const struct e2b_logs *first,
                   int64_t deadline_us, struct evidence *ev);

/* Does this line tell something by itself? (processes, the platform, warnings and errors) */
bool long_log_is_telling(const struct log_line *l);

#endif
