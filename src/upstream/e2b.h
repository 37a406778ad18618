/*
 * E2B, read only: only GET is ever sent (e2b.md). Each read is an operation: init, put &op.call into
 * one http_run() with the others, then look at op.src and the results.
 *
 * Results live in the arena given at init. Operations own their response buffers until
 * e2b_X_release(). Parsers (e2b_parse.c) are pure.
 *
 * src: after a success, tries and took_us are summed over all pages; err may still name rows that were
 * unreadable. After a failure they are those of the request that failed; when earlier pages
 * are kept, the state stays SOURCE_OK, is_cut is set and err says why. err.msg is the service's own words,
 * one clean line of at most 200 bytes. Events come out oldest first, the team's too.
 */
#ifndef CASEBOOK_UPSTREAM_E2B_H
#define CASEBOOK_UPSTREAM_E2B_H

#include "model/evidence.h"
#include "model/sandbox.h"
#include "sys/conf.h"
#include "sys/http.h"

struct arena;

struct e2b { /* what every operation needs; conf is borrowed */
    const struct conf *conf;
    struct http *http;
    /* Learnt once per process: the v2 logs route, the events route. 0 unknown, 1 there, -1 missing */
    int has_v2_logs;
    int has_events;
    int has_v1_times; /* `start` of v1 logs: 1 a time, -1 a line offset */
};

void e2b_init(struct e2b *e, const struct conf *conf, struct http *http);

/* The `metadata=` value for one filter, with its three encodings (e2b.md 2.2). In the arena. */
char *e2b_metadata_filter(struct arena *a, const struct tag *tags, size_t n);

struct e2b_get { /* GET /sandboxes/{id} */
    struct http_call call;
    struct e2b *e2b;
    struct arena *arena;
    struct sandbox sandbox; /* when src is SOURCE_OK */
    struct source src;      /* SOURCE_NOT_THERE on 404 */
};
void e2b_get_init(struct e2b_get *op, struct e2b *e, struct arena *a,
                  const char *sandbox_id);
void e2b_get_release(struct e2b_get *op);

struct
    e2b_list { /* GET /v2/sandboxes, all pages (cap 20), fallback to v1 on 404; unique by id */
    struct http_call call;
    struct e2b *e2b;
    struct arena *arena;
    const char *filter; /* encoded; NULL: no filter */
    const char *states; /* "running,paused" */
    struct sandbox *sandboxes;
    size_t count, cap;
    int pages;
    const char *token;
    bool is_v1;
    struct source src;
};
/* key NULL: no metadata filter (the harvest). */
void e2b_list_init(struct e2b_list *op, struct e2b *e, struct arena *a, const char *key,
                   const char *value);
void e2b_list_release(struct e2b_list *op);

struct
    e2b_events { /* GET /events/sandboxes/{id}, oldest first, 100 a page, to the end (cap 50) */
    struct http_call call;
    struct e2b *e2b;
    struct arena *arena;
    const char *sandbox_id; /* NULL: the whole team, newest first */
    struct event *events;
    size_t count, cap;
    int64_t offset;
    int pages;
    struct source src; /* SOURCE_UNSUPPORTED where the route is missing */
    /* Team feed: stop once an event is older than this; or when known(id, ctx) says so. */
    int64_t until_us;
    bool (*known)(const char *event_id, void *ctx);
    void *known_ctx;
};
void e2b_events_init(struct e2b_events *op, struct e2b *e, struct arena *a,
                     const char *sandbox_id);
void e2b_team_events_init(struct e2b_events *op, struct e2b *e, struct arena *a,
                          int64_t until_us, bool (*known)(const char *, void *),
                          void *ctx);
void e2b_events_release(struct e2b_events *op);

struct e2b_metrics { /* GET /sandboxes/{id}/metrics: both bounds or neither (e2b.md 4) */
    struct http_call call;
    struct e2b *e2b;
    struct arena *arena;
    const char *sandbox_id;
    int64_t from_us, to_us; /* TS_NONE both, or both set */
    struct metric *metrics;
    size_t count, cap;
    struct source src;
};
void e2b_metrics_init(struct e2b_metrics *op, struct e2b *e, struct arena *a,
                      const char *sandbox_id, int64_t from_us, int64_t to_us);
void e2b_metrics_release(struct e2b_metrics *op);

/*
 * Logs without loss or repeats (e2b.md 5.3), oldest first or newest first. By cursor on the v2 route; where that
 * is missing (E2B.LogsPaging = auto) or with `offset`, by v1 start/limit as a 0-based offset with limit
 * 1000, noticing a server that means milliseconds by `start` before a line is repeated or lost
 * and going over to times. Only the v2 route can be read backward.
 *
 * One page: max_lines 1000; the agent reads all, piece by piece. `position` is opaque text that
 * continues after this read ("" when the end is reached): "Load more" carries it, and it holds the direction.
 * More lines in one millisecond than a page holds are read in other ways (e2b_crowd.h).
 *
 * Memory: the lines that are given out, and what one page needs while it is read.
 */
struct e2b_logs {
    struct http_call call;
    struct e2b *e2b;
    struct arena *arena;
    const char *sandbox_id;
    const char *position; /* where to start; NULL or "": the beginning, or the newest */
    size_t max_lines;
    bool is_piece;     /* of a longer read: nearly max_lines will do, to save a request */
    size_t max_pages;  /* requests, when a filter drops most lines; 0: the bound is 400 */
    bool newest_first; /* without a position: from the newest line backward */
    enum log_level min_level; /* LOG_LEVEL_NONE: all */
    const char *search; /* NULL or "": all; sent when the route can, and filtered again */
    bool search_printed; /* in output and commands, too: not sent, done here */
    bool want_results;   /* also ask the v1 route for raw lines (exit codes) */
    bool want_raw;       /* the lines keep their main text as it came (log_line.raw) */
    bool results_late;   /* for lines that lack one only, after they have come */
    int64_t now_us;
    struct log_line *lines;
    size_t count, cap;
    bool is_newest_first;      /* how they came; false where E2B cannot go backward */
    const char *next_position; /* "" : the end was reached */
    const char
        *turn_position;  /* from the first line, the other way; "" where it cannot */
    size_t looked_at;    /* lines that came, also those that the filters dropped */
    int64_t reached_us;  /* about the time of the last of them; TS_NONE */
    bool is_search_sent; /* E2B searched: messages only */
    bool skipped_some;   /* more lines within one millisecond than could be had */
    struct source src;
    struct source results_src; /* of the raw lines */
    void *state;               /* private to e2b_logs.c */
};
void e2b_logs_init(struct e2b_logs *op, struct e2b *e, struct arena *a,
                   const char *sandbox_id, const char *position, size_t max_lines,
                   int64_t now_us);
void e2b_logs_release(struct e2b_logs *op);

/* Lines before this moment are gone, whatever is asked (e2b.md 5.3). */
int64_t e2b_logs_kept_from_us(int64_t now_us);

/* Does the text that a search looks in hold it: the message, and with `printed` output and command? */
bool e2b_line_holds(const struct log_line *l, const char *search, bool printed);

/* A position at a moment, oldest first: the lines from its millisecond on. In the arena. */
char *e2b_logs_position_at(struct arena *a, int64_t at_us);
/* The same, newest first: the lines before its millisecond. Only the v2 route can be read so. */
char *e2b_logs_position_before(struct arena *a, int64_t at_us);

/* A position text from outside: well-formed? (digits, letters and dots, at most 200 bytes) */
#define E2B_POSITION_SIZE 201
bool e2b_logs_position_ok(const char *position);

#endif
