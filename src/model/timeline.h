/*
 * The executions of a sandbox, rebuilt from its events, Get Sandbox and logs (e2b.md 3.3, 6, 12).
 *
 * Everything time-based (ran for, gaps, deadline) is per execution; totals are sums. Pure; shared by
 * the diagnosis, the charts and the search.
 */
#ifndef CASEBOOK_MODEL_TIMELINE_H
#define CASEBOOK_MODEL_TIMELINE_H

#include "base/ts.h"
#include "model/evidence.h"

enum exec_end {
    EXEC_OPEN, /* still running as far as anybody knows */
    EXEC_PAUSED,
    EXEC_KILLED,
    EXEC_STOPPED, /* "Sandbox stopped" alone: the VM ended by itself */
    EXEC_GONE,    /* not there any more, and nothing recorded how it ended */
};

/* Where a fact was read. E2B forgets a sandbox that has ended; then facts are rebuilt from what is left. */
enum fact_origin {
    ORIGIN_NONE,   /* not known */
    ORIGIN_GET,    /* E2B's answer of now */
    ORIGIN_EVENT,  /* a lifecycle event */
    ORIGIN_RECORD, /* Casebook's own record of what E2B said earlier */
    ORIGIN_LINE,   /* a log line */
    ORIGIN_SAMPLE, /* the samples, or whatever was heard first or last */
};
struct fact_source {
    enum fact_origin origin;
    enum event_type event_type; /* ORIGIN_EVENT */
    int64_t at_us; /* of the event, line or sample, or when E2B last said so; TS_NONE */
};
enum fact {
    FACT_CPU,
    FACT_MEMORY,
    FACT_DISK,
    FACT_TEMPLATE, /* its id */
    FACT_ALIAS,
    FACT_TAGS, /* known, though there may be none */
    FACT_ON_TIMEOUT,
    FACT_COUNT
};

struct deadline_move { /* one step in the history of the expiry */
    int64_t at_us;     /* when it was set */
    int64_t from_us;   /* TS_NONE: not known before */
    int64_t to_us;
    const struct event *event; /* the `updated` event, or NULL (log line, Get Sandbox) */
    struct fact_source source;
};

struct execution {
    const char *id; /* "" when no event names it */
    int64_t start_us;
    bool start_is_known; /* false: first sign of life only */
    bool is_resume;      /* began with `resumed` */
    bool
        is_first_on_record_resumed; /* `resumed` is the first event at all: a fork, or older */
    int64_t end_us; /* TS_NONE while open; gone: only where our record tells about when */
    enum exec_end end;
    struct fact_source start_source, end_source;
    const char *kill_reason;                     /* "" when absent */
    const struct event *start_event, *end_event; /* may be NULL */
    const struct deadline_move *moves;
    size_t move_count;
    int64_t deadline_us;       /* in force at the end (or now); TS_NONE when not known */
    int64_t first_deadline_us; /* as given at the start; TS_NONE when not known */
    int64_t last_sign_us;      /* last event, sample or line of this execution */
};

struct timeline {
    const struct execution *execs; /* oldest first */
    size_t exec_count;
    int64_t start_us;  /* of the first execution */
    int64_t end_us;    /* of the last; TS_NONE while open */
    int64_t ran_us;    /* sum over executions, an open one up to now; never negative */
    int64_t paused_us; /* sum of the gaps between executions */
    enum sandbox_state state;
    const char *state_text; /* E2B's word for SANDBOX_OTHER */
    bool is_silent;         /* says running, last sign of life more than 60 s ago */
    int64_t last_sign_us;
    bool has_old_snapshot; /* newest event is killed, Get says paused (e2b.md 3.2) */
    bool is_deleted_while_paused; /* last event paused, Get 404 */
    bool is_rebuilt;              /* Get had no answer: facts come from the events */
    int64_t cpu_count, memory_mib,
        disk_mib; /* from Get, else events, else samples; 0: unknown */
    const char *template_id, *template_alias, *on_timeout;
    const struct tag *tags;
    size_t tag_count;
    struct fact_source source[FACT_COUNT]; /* of the facts above */
};

/*
 * What Casebook's own record tells of a sandbox: sightings in E2B's list, and events that E2B may have
 * forgotten since. Numbers 0, texts "" where it does not know.
 */
struct sandbox_record {
    const char *template_id, *template_alias;
    int64_t cpu_count, memory_mib, disk_mib;
    const struct tag *tags;
    size_t tag_count;
    const struct fact_source *source; /* FACT_COUNT of them; NULL: all from seen_us */
    int64_t seen_us;                  /* E2B last said so */
    const struct execution *runs;     /* oldest first; events are not pointed at */
    size_t run_count;
};

/*
 * The tolerances, all ours, chosen from the timings in e2b.md 6.6 and 12.
 *
 * An end counts as "at the deadline" from 2 s before it to 10 s after it, a pause also 5 s a GiB
 * later (its event is sent when the snapshot is written). Samples and lines up to 5 s before a start
 * and 15 s after an end still belong to that execution.
 */
#define TIMELINE_SILENT_US (60 * TS_SEC)
#define TIMELINE_BEFORE_START_US (5 * TS_SEC)
#define TIMELINE_AFTER_END_US (15 * TS_SEC)
#define TIMELINE_DEADLINE_EARLY_US (2 * TS_SEC)
#define TIMELINE_DEADLINE_LATE_US (10 * TS_SEC)
#define TIMELINE_PAUSE_PER_GIB_US (5 * TS_SEC)
#define TIMELINE_EVENT_LATE_US                                                           \
    (60 * TS_SEC) /* an event may still come so long after the fact */

/* Did it end when its deadline came? False while either is not known. memory_mib 0: not known. */
bool execution_ended_at_deadline(const struct execution *x, int64_t memory_mib);

/* Where it ended or, while open or gone, how far it is known to have lived (never before start_us). */
int64_t execution_known_until(const struct execution *x, int64_t now_us);

/* The result lives in the arena; it points into *ev, which must live as long. */
void timeline_build(struct arena *a, const struct evidence *ev, struct timeline *out);
/* The same with what the record adds where neither Get nor an event tells; NULL: nothing. */
void timeline_build_with(struct arena *a, const struct evidence *ev,
                         const struct sandbox_record *record, struct timeline *out);

/* How one sandbox lies against the complaint window. */
enum overlap {
    OVERLAP_NO_WINDOW,
    OVERLAP_BEFORE,
    OVERLAP_AFTER,
    OVERLAP_NONE_GAP,
    OVERLAP_YES,
    OVERLAP_MAYBE
};
struct overlap_info {
    enum overlap kind;
    int64_t us; /* BEFORE, AFTER: the distance; YES: the time shared */
    bool is_all, is_first, is_last; /* which part of the window is covered */
    int64_t since_us;               /* MAYBE: silent since */
};
/* from_us or to_us TS_NONE: no window. A paused gap does not count. */
struct overlap_info timeline_overlap(const struct timeline *t, int64_t from_us,
                                     int64_t to_us, int64_t now_us);

#endif
