/*
 * The harvest. The list tells what is alive, the events what happened; absence from a complete list
 * tells that a sandbox has gone when no event did.
 *
 * The list is taken to be of the moment before it was asked for: a sandbox that started meanwhile has
 * been seen later than that, and is not marked as gone.
 */
#include "agent/harvest.h"
#include "base/arena.h"
#include "base/ts.h"
#include "store/db.h"
#include "store/st_ledger.h"
#include "sys/clock.h"
#include "upstream/e2b.h"

#include "base/banned.h"

#define HARVEST_TIME_US (50 * TS_SEC)
#define BACKFILL_TIME_US (10 * TS_MIN)

/* Events may reach the feed late, behind newer ones (e2b.md 6.6): only a whole page of known ones in a
   row is taken for the end of the news. */
#define KNOWN_IN_A_ROW 100

struct harvest {
    struct db *db;
    struct arena arena;
    struct e2b_list list;
    struct e2b_events events;
    int known_in_a_row;
    struct err db_err; /* of a look-up in mid-reading */
    int64_t now_us;
    void (*tell)(const char *line);
};

static void say(struct harvest *h, const char *line)
{
    if (h->tell != NULL)
        h->tell(line);
}

static bool is_known(const char *event_id, void *ctx)
{
    struct harvest *h = ctx;
    bool has = false;

    if (h->db_err.kind != ERR_NONE || ledger_has_event(h->db, event_id, &has, &h->db_err))
        return true; /* no use in reading on: nothing could be stored */
    h->known_in_a_row = has ? h->known_in_a_row + 1 : 0;
    return h->known_in_a_row >= KNOWN_IN_A_ROW;
}

static void read_both(struct harvest *h, struct e2b *e2b, bool backfill)
{
    struct http_call *calls[] = {&h->list.call, &h->events.call};
    int64_t time_us = backfill ? BACKFILL_TIME_US : HARVEST_TIME_US;

    e2b_list_init(&h->list, e2b, &h->arena, NULL, NULL);
    e2b_team_events_init(&h->events, e2b, &h->arena, TS_NONE, backfill ? NULL : is_known,
                         h);
    http_run(e2b->http, calls, e2b->has_events < 0 ? 1 : 2, clock_mono_us() + time_us);
}

static int store_events(struct harvest *h, struct err *err)
{
    const struct source *src = &h->events.src;

    if (h->db_err.kind != ERR_NONE) {
        *err = h->db_err;
        return -1;
    }
    if (ledger_put_events(h->db, h->events.events, h->events.count, h->now_us, err))
        return -1;
    if (src->state == SOURCE_UNSUPPORTED)
        say(h, "E2B here has no event history: the ledger lives from the list alone");
    else if (src->is_cut)
        say(h, "there are older events than one harvest reads");
    if (src->state != SOURCE_FAILED)
        return 0;
    *err = src->err;
    return err_ctx(err, "events");
}

/* The v1 list has no paused sandboxes: being absent there proves nothing. */
static int store_list(struct harvest *h, struct err *err)
{
    const struct source *src = &h->list.src;

    if (ledger_put_sandboxes(h->db, h->list.sandboxes, h->list.count, h->now_us, err))
        return -1;
    if (src->state != SOURCE_OK) {
        *err = src->err;
        return err_ctx(err, "list");
    }
    if (src->is_cut || h->list.is_v1) {
        say(h, "the list is not complete: nothing is marked as gone");
        return 0;
    }
    return ledger_mark_gone(h->db, h->now_us, err);
}

/* Both are stored, whatever becomes of the other; the first failure is the one that is told. */
static int store_both(struct harvest *h, struct err *err)
{
    struct err second = ERR_INIT;
    int rc = store_events(h, err);

    if (store_list(h, rc ? &second : err))
        rc = -1;
    if (rc == 0)
        rc = ledger_harvested(h->db, h->now_us, err);
    if (rc == 0)
        say(h, arena_fmt(&h->arena, "%zu sandboxes listed, %zu events read",
                         h->list.count, h->events.count));
    return rc;
}

int harvest_run(struct db *db, struct e2b *e2b, int64_t now_us, bool backfill,
                void (*tell)(const char *line), struct err *err)
{
    struct harvest h = {.db = db, .now_us = now_us, .tell = tell, .db_err = ERR_INIT};
    int rc;

    if (db_ready(db, err))
        return -1;
    arena_init(&h.arena);
    read_both(&h, e2b, backfill);
    rc = store_both(&h, err);
    e2b_list_release(&h.list);
    e2b_events_release(&h.events);
    arena_release(&h.arena);
    return rc;
}
