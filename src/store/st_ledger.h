/*
 * The ledger: every sandbox Casebook has seen, so that ended ones can be found (design.md section 10).
 * Facts are the events (kept as JSON, by id) and sightings in the list; the sandbox row is derived.
 */
#ifndef CASEBOOK_STORE_ST_LEDGER_H
#define CASEBOOK_STORE_ST_LEDGER_H

#include "model/sandbox.h"
#include "store/db.h"

struct arena;

struct ledger_row {
    const char *sandbox_id, *template_id, *template_alias;
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
};

/* Idempotent; an older fact never overwrites a newer one. In one transaction. */
int ledger_put_events(struct db *db, const struct event *events, size_t n, int64_t now_us,
                      struct err *err);
int ledger_put_sandboxes(struct db *db, const struct sandbox *list, size_t n,
                         int64_t now_us, struct err *err);
/* Rows not seen in a complete list of `now` that were running there before get state ended. */
int ledger_mark_gone(struct db *db, int64_t list_us, struct err *err);
int ledger_has_event(struct db *db, const char *event_id, bool *has, struct err *err);
int ledger_prune(struct db *db, int64_t older_than_us, int64_t *removed, struct err *err);

/* One sandbox; ERR_NOTFOUND. And its kept events, oldest first. */
int ledger_get(struct db *db, struct arena *a, const char *sandbox_id,
               struct ledger_row *out, struct err *err);
int ledger_events(struct db *db, struct arena *a, const char *sandbox_id,
                  struct event **out, size_t *n, struct err *err);
/* Sandboxes with this tag value under any of the keys (exact, case-sensitive), newest start first. */
int ledger_find(struct db *db, struct arena *a, const char *const *keys, size_t key_n,
                const char *value, int limit, struct ledger_row **out, size_t *n,
                struct err *err);
/* Since when the ledger watches (first harvest), when it last did; TS_NONE when never. */
int ledger_span(struct db *db, int64_t *since_us, int64_t *last_us, struct err *err);
int ledger_harvested(struct db *db, int64_t now_us, struct err *err);

#endif
