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
    const struct sandbox_record *record; /* or NULL */
    struct draft *items;                 /* oldest first */
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

struct fact_source source_of_event(const struct event *e);
struct fact_source source_at(enum fact_origin origin, int64_t at_us);

/* A further one, with nothing known; it stands last. Drafts move in memory. */
struct draft *drafts_new(struct drafts *d);

void drafts_from_events(struct drafts *d);
void drafts_from_logs(struct drafts *d);    /* when there are no events */
void drafts_add_current(struct drafts *d);  /* the one that only Get Sandbox knows */
void drafts_add_recorded(struct drafts *d); /* those that only our record knows */
void drafts_fill_starts(struct drafts *d);
void drafts_fill_spans(struct drafts *d);
void drafts_fill_signs(
    struct drafts *d); /* last_sign_us; again once the ends are known */
void drafts_fill_ends(struct drafts *d);
void drafts_fill_deadlines(struct drafts *d);

/* An answer of Get that our record kept is no answer of now. */
struct fact_source drafts_as_recorded(struct fact_source s);
/* The run of our record that this execution is; NULL: it knows none. */
const struct execution *drafts_recorded_run(const struct drafts *d,
                                            const struct execution *x);
/* An end that neither an event nor a line tells. One that another followed was paused, if it merely vanished. */
void drafts_end_from_record(const struct drafts *d, struct execution *x, bool is_last);

/* Size, template and tags, each with where it was read: Get, else events, our record, samples, lines. */
void timeline_set_facts(const struct evidence *ev, const struct sandbox_record *record,
                        struct timeline *t);

#endif
