/*
 * An investigation: one piece of work of the agent, and the states it goes through
 * (design.md section 7).
 */
#ifndef CASEBOOK_MODEL_INVESTIGATION_H
#define CASEBOOK_MODEL_INVESTIGATION_H

#include "base/err.h"
#include <stddef.h>

enum inv_state { /* the order is the order of the stages */
                 INV_QUEUED,
                 INV_COLLECTED,
                 INV_DIAGNOSED,
                 INV_DEDUPED,
                 INV_FILED,
                 INV_NOTED,
                 INV_DONE,
                 INV_FAILED,
                 INV_CANCELED,
                 INV_STATE_COUNT
};

enum inv_event { INV_EV_ADVANCE, INV_EV_FAIL, INV_EV_CANCEL, INV_EV_RETRY };

const char *inv_state_name(enum inv_state s); /* "queued" */
int inv_state_parse(const char *name, enum inv_state *out);
/* Still to be worked on? (not done, failed, canceled) */
bool inv_state_is_open(enum inv_state s);

/*
 * The legal moves, in one place. ADVANCE: to the next stage; FAIL, CANCEL: from any open state;
 * RETRY: from failed back to `resume_at` (the last stage that was reached). 0, or -1 when the move
 * is not legal (then *next is untouched).
 */
int investigation_next_state(enum inv_state from, enum inv_event ev,
                             enum inv_state resume_at, enum inv_state *next);

/* How much was read of E2B and kept as evidence; -1: E2B did not give it. */
struct inv_read {
    bool
        is_known; /* not before it was read, nor of investigations from before this was kept */
    int64_t events, samples, lines;
};

struct investigation {
    int64_t id;
    const char *sandbox_id;
    int64_t ticket_id; /* 0: none */
    enum inv_state state;
    enum inv_state reached; /* failed, canceled: the last stage that was reached */
    const char *requested_by;
    int64_t created_us;
    int64_t opened_us;   /* when it was last queued, or taken up again by a person */
    int64_t started_us;  /* first claimed; TS_NONE while waiting */
    int64_t finished_us; /* TS_NONE while open */
    int64_t
        stage_us[INV_STATE_COUNT]; /* when each state was entered; TS_NONE: not (yet) */
    int64_t run_after_us;          /* not before */
    int attempt;                   /* tries of the present stage */
    int64_t fence;      /* grows with each claim: a late worker's writes are refused */
    const char *worker; /* "host:pid" of the holder; "" */
    int64_t lease_until_us;
    const char *failure; /* in plain words and the service's own; "" */
    const char *canceled_by;
    struct inv_read read;
};

#endif
