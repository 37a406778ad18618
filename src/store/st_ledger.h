/*
 * The ledger: every sandbox Casebook has seen, so that ended ones can be found (design.md section 10).
 * Facts are the events (kept as JSON, by id), the sightings in the list, and absence from it; the row of a
 * sandbox, with its executions, is derived from them, whatever the order in which they came.
 *
 * How far the team's feed has been read is kept here too, as the gaps that are left to read: see
 * the end of this file.
 */
#ifndef CASEBOOK_STORE_ST_LEDGER_H
#define CASEBOOK_STORE_ST_LEDGER_H

#include "model/sandbox.h"
#include "model/timeline.h"
#include "store/db.h"

struct arena;

struct ledger_row {
    const char *sandbox_id, *template_id;
    /* As listed; else the one that another sandbox of the same template was listed with; "" */
    const char *template_alias;
    enum sandbox_state state;
    int64_t first_start_us, last_start_us;
    int64_t end_us;      /* of the last execution, or when it was paused; TS_NONE */
    int64_t deadline_us; /* last known; TS_NONE */
    int64_t ran_us;      /* sum of finished executions */
    const char *kill_reason;
    int64_t cpu_count, memory_mib, disk_mib;
    const struct tag *tags;
    size_t tag_count;
    int64_t seen_us;             /* last event or sighting */
    bool from_events, from_list; /* what it is known from */
    /*
     * All executions, oldest first, each with the history of its expiry; known from events, or from
     * sightings where there are no events. start_event, end_event and a move's event are NULL. Of
     * a very long history of the expiry the first and the newest moves are here. 0 runs: a row that
     * an older version of Casebook wrote.
     */
    const struct execution *runs;
    size_t run_count;
    /* Where each fact is from, and when E2B said so: ORIGIN_EVENT, ORIGIN_RECORD (a list), ORIGIN_NONE. An
       alias learnt from another sandbox is ORIGIN_RECORD with the time of that one's listing. */
    struct fact_source source[FACT_COUNT];
};

/* ---- facts coming in ---- */

#define LEDGER_ID_MAX 64 /* characters of an id; facts about longer ones are left out */

enum ledger_via { LEDGER_FEED, LEDGER_HOOK }; /* how an event came to us */

/* Idempotent; a hundred in one transaction. Events without id, sandbox or time are left out. *added (may
   be NULL): how many were not there yet. */
int ledger_put_events(struct db *db, const struct event *events, size_t n,
                      enum ledger_via via, int64_t now_us, size_t *added,
                      struct err *err);
/* An older sighting never overwrites a newer one. A hundred in one transaction. */
int ledger_put_sandboxes(struct db *db, const struct sandbox *list, size_t n,
                         int64_t now_us, struct err *err);
/*
 * A complete list of the moment list_us has been put. Those that run or are paused and are neither in it
 * nor in the complete list before get state ended: one list alone may miss a sandbox that was just
 * changing its state (e2b.md 2.1, 2.3).
 */
int ledger_listed(struct db *db, int64_t list_us, struct err *err);
/* Rows not seen since list_us that were running or paused get state ended, gone at list_us. */
int ledger_mark_gone(struct db *db, int64_t list_us, struct err *err);
/* Removes sandboxes not seen since, in short transactions; at most max_rows of sandboxes and events
   together (0: all). */
int ledger_prune(struct db *db, int64_t older_than_us, int64_t max_rows, int64_t *removed,
                 struct err *err);

/* ---- looking up ---- */

/* One sandbox; ERR_NOTFOUND. And its kept events, oldest first. */
int ledger_get(struct db *db, struct arena *a, const char *sandbox_id,
               struct ledger_row *out, struct err *err);
int ledger_events(struct db *db, struct arena *a, const char *sandbox_id,
                  struct event **out, size_t *n, struct err *err);
int ledger_has_event(struct db *db, const char *event_id, bool *has, struct err *err);
/* The name that the list last gave a template; "" when it never did. */
int ledger_template_alias(struct db *db, struct arena *a, const char *template_id,
                          const char **alias, struct err *err);
/* Since when the ledger watches (first harvest), when it last did; TS_NONE when never. */
int ledger_span(struct db *db, int64_t *since_us, int64_t *last_us, struct err *err);
int ledger_harvested(struct db *db, int64_t now_us, struct err *err);

/* ---- how far the feed has been read ---- */

/*
 * The feed is read newest first, page by page, and each page is stored before the next is asked for. What a
 * harvest has begun and not finished is a gap, of events between two times; it is stored before
 * anything behind it counts as read, and shrinks from above. So a harvest may be killed anywhere, and
 * several may run at once: all that they tell each other is true.
 */
enum ledger_gap_kind {
    GAP_NEW,  /* from the newest event back to what was read before */
    GAP_BACK, /* back to the beginning of the feed: the backfill */
    GAP_CHECK /* all of it once more, slowly: for events that came very late */
};
struct ledger_gap {
    int64_t id;
    enum ledger_gap_kind kind;
    int64_t from_us; /* TS_NONE: the beginning of the feed */
    int64_t to_us;   /* everything later is stored; INT64_MAX: nothing yet */
    int64_t skip; /* so many events are later, or a few more: a place to begin to look */
};

/* Events may reach the feed so late, behind newer ones (e2b.md 6.6). */
#define LEDGER_LATE_US (2 * TS_MIN)

/* Where a harvest has to read back to: TS_NONE before the first one, or with an empty ledger. */
int ledger_feed_from(struct db *db, int64_t *from_us, struct err *err);
/* Everything from ledger_feed_from() to newest_us is stored. */
int ledger_feed_read(struct db *db, int64_t newest_us, struct err *err);
/* The same but for a gap, which is kept now; its id is set. Too many of them become one. */
int ledger_feed_left(struct db *db, int64_t newest_us, struct ledger_gap *gap,
                     struct err *err);
/* Make sure that there is a gap of this kind over all of the feed; *gap is it. */
int ledger_feed_all(struct db *db, enum ledger_gap_kind kind, struct ledger_gap *gap,
                    struct err *err);
/*
 * The gap to work on: new ones first, GAP_CHECK last; *has false: all has been read. It is taken for this
 * connection; *is_busy: another one has it (asked for up to two seconds) and it is not taken. Taking only
 * saves work that would be done twice: on a cluster two hosts may take one gap, and that is
 * harmless too.
 */
int ledger_gap_take(struct db *db, struct ledger_gap *gap, bool *has, bool *is_busy,
                    struct err *err);
void ledger_gap_release(struct db *db, const struct ledger_gap *gap);
int ledger_gap_shrink(struct db *db, const struct ledger_gap *gap, struct err *err);
int ledger_gap_close(struct db *db, const struct ledger_gap *gap, int64_t now_us,
                     struct err *err);
/* When all of the feed had last been read; TS_NONE: never yet. */
int ledger_feed_whole(struct db *db, int64_t *whole_us, struct err *err);

#endif
