/*
 * What programs printed, where it stands among E2B's log lines: agents in the VM before 0.5.27 logged it
 * in pieces (e2b.md 5.4 b). Pure, line by line, in bounded memory.
 */
#ifndef CASEBOOK_AGENT_PRINTED_H
#define CASEBOOK_AGENT_PRINTED_H

#include <stdbool.h>

#include "model/sandbox.h"

struct printed;

/*
 * `line` gets each printed line when it is complete, when its process has ended, or at the end: with
 * the time at which it began. Its text is borrowed for the call, and cut at PRINTED_LINE_BYTES.
 */
#define PRINTED_LINE_BYTES ((size_t)16 << 10)
struct printed *printed_new(void (*line)(void *ctx, const struct output_line *l),
                            void *ctx);

/* A line of the log, in its order. true: it was printed text, and is no log line. */
bool printed_take(struct printed *p, const struct log_line *l);

/* Gives out the lines that had no end, and frees. */
void printed_end(struct printed *p);

#endif
