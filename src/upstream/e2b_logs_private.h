/* The state of one read of logs; for e2b_logs.c and e2b_logs_end.c only. */
#ifndef CASEBOOK_UPSTREAM_E2B_LOGS_PRIVATE_H
#define CASEBOOK_UPSTREAM_E2B_LOGS_PRIVATE_H

#include "upstream/e2b_crowd.h"
#include "upstream/e2b_private.h"

enum probe { PROBE_NONE, PROBE_EMPTY, PROBE_REPEAT };

struct logs_state {
    struct arena page; /* what lives as long as one page is read */
    struct e2b_place place;
    enum probe probe;    /* the running request asks by time after such an offset page */
    bool is_offset_sure; /* the server counts lines */
    bool is_done;
    bool is_shrunk; /* the lines are long: limit is small for that reason */
    int limit;
    int asked; /* the running request's */
    size_t pages;
    size_t taken; /* lines, also those that the filters dropped */
    struct e2b_crowd crowd;
    bool in_crowd;          /* the running request is for it */
    int64_t claimed_end_ms; /* no line should follow this one; TS_NONE */
    struct e2b_results results;
};

static inline bool e2b_logs_is_v2(const struct logs_state *st)
{
    return st->place.mode == PLACE_CURSOR || st->place.mode == PLACE_BACK;
}

/* The end of a read. All return false, for next(). */
bool e2b_logs_finish(struct e2b_logs *op, bool is_end);
/* What was read stays, and the position continues behind it. */
bool e2b_logs_fail(struct e2b_logs *op, enum source_state state, const struct err *err);
bool e2b_logs_stuck(struct e2b_logs *op);

/* Exit codes beside the lines from this millisecond on, in the same round. */
void e2b_logs_results_beside(struct e2b_logs *op, int64_t from_ms);

#endif
