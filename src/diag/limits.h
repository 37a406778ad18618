/*
 * Every threshold of the diagnosis, with unit and source. "corpus N" is a tie-break of
 * tests/corpus/README.md; "ours" was chosen here, with the reason.
 */
#ifndef CASEBOOK_DIAG_LIMITS_H
#define CASEBOOK_DIAG_LIMITS_H

#include "base/ts.h"

/* Clocks of sandbox and platform differ by up to this (corpus, "Times"). */
#define LIMIT_SKEW_US (2 * TS_SEC)
/* Used memory, of memTotal, at which a vanished process counts as out of memory
   (corpus 4c). */
#define LIMIT_MEMORY_FULL 0.90
/* How old the last sample before a death may be, unless one interval is longer (corpus
   4c). */
#define LIMIT_SAMPLE_AGE_US (15 * TS_SEC)
/* A sample stamped this shortly before a death may describe the time after it: stamps are the start of a bucket,
   and polls are 5 s apart (e2b.md 4), so a bucket that begins within 5 s before it may hold the later poll
   alone. */
#define LIMIT_SAMPLE_EDGE_US (5 * TS_SEC)
/* Requests of this size and more are arithmetic bugs: a pebibyte (corpus 5). */
#define LIMIT_IMPOSSIBLE_BYTES 1125899906842624.0
/* Share of the life time from which a kill without a reason is a timeout (corpus 12). */
#define LIMIT_LATE_SHARE 0.98
/* An automatic pause ends this long after the limit: 10 s and 5 s for each GiB (e2b.md
   12). */
#define LIMIT_PAUSE_LATE_US (10 * TS_SEC)
#define LIMIT_PAUSE_PER_GIB_US (5 * TS_SEC)
/* A command limit fires at its time; later by scheduling (e2b.md 9; ours: 5 s under
   load). */
#define LIMIT_COMMAND_EARLY_US                                                           \
    (500 * TS_MS) /* it counts from the request, just before the start */
#define LIMIT_COMMAND_LATE_US (5 * TS_SEC)
/* CPU at or over this share of all cores ... (corpus, "Factors") */
#define LIMIT_CPU_PCT 95.0
/* ... throughout this long. */
#define LIMIT_CPU_SPAN_US (60 * TS_SEC)
/* Disk share that is full: file systems refuse before the last block (ours). */
#define LIMIT_DISK_FULL 0.995
/* The sender of a signal is looked for this long before the death (ours: RPC and log
   delay). */
#define LIMIT_SENDER_US (5 * TS_SEC)
/* A failure told this long before its process ended is taken for the cause of the end, when the exit
   code is not known (ours: buffered output and clean-up of runtimes). */
#define LIMIT_TOLD_BEFORE_END_US (10 * TS_SEC)
/* What the host prints about an exit follows the end within this (ours). */
#define LIMIT_EXIT_TOLD_US (15 * TS_SEC)
/* Error lines further apart than this are two stories (ours: a stack trace takes
   milliseconds). */
#define LIMIT_BURST_US (3 * TS_SEC)
/* ... and so are lines with more than this between them that say nothing (ours). */
#define LIMIT_BURST_LINES 12
/* Work that went on this long after a failure shows that the failure did not end it
   (ours). */
#define LIMIT_WENT_ON_US (30 * TS_SEC)
/* Signs of life up to this long before the limit: the sandbox lived until it (ours; samples come
   every 5 to 60 s). */
#define LIMIT_ALIVE_AT_DEADLINE_US (75 * TS_SEC)
/* Without an end on record nothing is concluded until this long after the limit
   (e2b.md 6.6). */
#define LIMIT_END_LATE_US (60 * TS_SEC)
/* Output this shortly before a kill is progress (ours; see also twice the usual gap). */
#define LIMIT_PROGRESS_US (60 * TS_SEC)
/* Longest line that is read by the console patterns, bytes (ours; longer ones are
   cut). */
#define LIMIT_LINE_BYTES 4096
/* Lowest similarity of two signatures that are one failure. Chosen on tests/corpus/dedupe.json and
   own-pairs.json: pairs that are the same score 1.00 there, different ones at most 0.79. Merging
   two causes is the worse error, hence the middle of the gap and not its lower end. */
#define LIMIT_SAME_SCORE 0.90

#endif
