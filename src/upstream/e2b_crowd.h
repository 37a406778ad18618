/*
 * More lines in one millisecond than a page holds: v2 gives at most 1,000 from a cursor, and its cursor
 * is no finer than the millisecond (e2b.md 5.2, 5.3). What is asked instead, until all are there:
 *
 *   v1 from that millisecond, limit 5,000 (its schema has no bound, 5.1)
 *   v2 from both ends, 1,000 each
 *   v2 from both ends, of each level at least
 *
 * The pages overlap; their lines are united as multisets. This says what to ask and takes the answers; it
 * sends nothing.
 */
#ifndef CASEBOOK_UPSTREAM_E2B_CROWD_H
#define CASEBOOK_UPSTREAM_E2B_CROWD_H

#include "base/arena.h"
#include "upstream/e2b_lines.h"

struct e2b_crowd_id {
    uint64_t id;
    bool is_seen; /* in the page being taken */
};

struct e2b_crowd {
    struct arena arena; /* of the lines; e2b_crowd_release() */
    int64_t ms;
    bool has_v2;
    enum log_level min_level; /* that is asked anyway: narrower ones only help */
    size_t step;              /* of the questions */
    int limit;                /* of the one that is asked */
    struct log_line *lines;   /* of that millisecond, by time */
    struct e2b_crowd_id *ids; /* one each */
    size_t count, cap, id_cap;
    /* Everything up to newest_ns is there, and everything from oldest_ns on. -1, INT_MAX: nothing is sure. */
    int newest_ns, oldest_ns;
    size_t answered;     /* questions */
    bool is_complete;    /* nothing of the millisecond is missing */
    bool is_end_claimed; /* ... if it is true that no line follows it */
};

void e2b_crowd_begin(struct e2b_crowd *c, int64_t ms, bool has_v2,
                     enum log_level min_level);
void e2b_crowd_release(struct e2b_crowd *c);

struct e2b_question {
    bool is_v1, is_backward;
    enum log_level level; /* of v2 */
};

/* What to ask now; false when it is complete, or nothing is left to be asked. */
bool e2b_crowd_ask(struct e2b_crowd *c, struct e2b_question *out);

/* Where to read the answer into: the first may stay where it is, of later ones only the new lines are copied. */
struct arena *e2b_crowd_arena(struct e2b_crowd *c, struct arena *scratch);

/* The answer, sorted by time; not all of its rows may have been read (e2b_lines.h). Then on to the next. */
void e2b_crowd_take(struct e2b_crowd *c, const struct e2b_lines *got);
/* No answer. is_too_large: a smaller one can be asked for. */
void e2b_crowd_fail(struct e2b_crowd *c, bool is_too_large);

#endif
