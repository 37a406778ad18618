/*
 * What programs printed, where it stands among E2B's log lines: agents in the VM before 0.5.27 logged it
 * in pieces (e2b.md 5.4 b). Pure.
 */
#ifndef CASEBOOK_AGENT_PRINTED_H
#define CASEBOOK_AGENT_PRINTED_H

#include "model/evidence.h"

struct arena;

/*
 * Moves such log lines to ev->output: pieces are put together and cut into lines, each with the time at
 * which it began, in that order; at most EVIDENCE_MAX_OUTPUT. What was in ev->output stays in front.
 * Without any of them nothing changes; otherwise output_src is that of the logs.
 */
void printed_take(struct arena *a, struct evidence *ev);

#endif
