/*
 * Executions in the making; for timeline*.c only.
 *
 * The steps run in the order of the declarations below, each on all drafts.
 */
#ifndef CASEBOOK_MODEL_TIMELINE_DRAFT_H
#define CASEBOOK_MODEL_TIMELINE_DRAFT_H

#include "model/timeline.h"

struct draft {
    struct execution e;
    const struct event **events; /* its events, oldest first */
    size_t event_count, event_cap;
    int64_t from_us, to_us; /* samples and lines in [from, to) are taken for its own */
};

struct drafts {
    struct arena *a;
    const struct evidence *ev;
    struct draft *items; /* oldest first */
    size_t n, cap;
};

/* The lines of E2B's hosts that mark a step in a sandbox's life (e2b.md 5.4 a). */
enum log_mark {
    MARK_NONE,
    MARK_STARTING, /* asked for, not up yet */
    MARK_RESUMING,
    MARK_CREATED, /* up; also after a resume */
    MARK_CHECKPOINTING,
    MARK_PAUSING,
    MARK_KILLING,
    MARK_STOPPED,   /* the VM's process has ended, for whatever cause */
    MARK_OLD_KILLED /* servers before December 2025: at every ending */
};
enum log_mark log_line_mark(const struct log_line *l);

/* Index of the first sample or line at or after at_us. */
size_t drafts_first_metric(const struct evidence *ev, int64_t at_us);
size_t drafts_first_log(const struct evidence *ev, int64_t at_us);

void drafts_from_events(struct drafts *d);
void drafts_from_logs(struct drafts *d);   /* when there are no events */
void drafts_add_current(struct drafts *d); /* the one that only Get Sandbox knows */
void drafts_fill_starts(struct drafts *d);
void drafts_fill_spans(struct drafts *d);
void drafts_fill_signs(
    struct drafts *d); /* last_sign_us; again once the ends are known */
void drafts_fill_ends(struct drafts *d);
void drafts_fill_deadlines(struct drafts *d);

#endif
