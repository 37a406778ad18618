/*
 * What stays of a long log, in bounded memory: its first lines, its last ones whole, and of what lies
 * between the lines that tell something, with their neighbourhood. Log lines and printed lines are one
 * stream here, so that a failure keeps what stood around it in either.
 *
 * Of the lines between are kept: process starts and ends; what the platform says; lines that may tell of a
 * failure. Of those that keep coming in one shape only the last stay once there are some. Where even the rare ones are too
 * many, the first and the last of them stay.
 */
#ifndef CASEBOOK_AGENT_KEEP_H
#define CASEBOOK_AGENT_KEEP_H

#include "model/evidence.h"

struct arena;
struct keep;

/* Until this many lines all of them stay (unless they are very long). */
#define KEEP_ALL_LINES 1300
/* Never more than this. */
#define KEEP_MAX_LINES 6000
/* A kept text is cut at this, with a mark: the diagnosis reads no further (diag/limits.h). */
#define KEEP_TEXT_BYTES ((size_t)6 << 10)

struct keep *keep_new(void);
void keep_free(struct keep *k);

/* In the order of the log. Copies. Fields that only say where a line comes from are not kept. */
void keep_log(struct keep *k, const struct log_line *l);
void keep_output(struct keep *k, const struct output_line *l);

/*
 * The kept lines as ev->logs and ev->output, oldest first, in the arena; lines that were in
 * ev->output already stay. Returns how many were left out.
 */
size_t keep_finish(struct keep *k, struct arena *a, struct evidence *ev);

#endif
