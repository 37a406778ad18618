/*
 * The harvest. The list tells what is alive, the events what happened; absence from complete lists tells that
 * a sandbox has gone when no event did. Reading the events is in harvest_feed.c.
 *
 * The list is taken to be of the moment before it was asked for: a sandbox that started meanwhile has
 * been seen later than that, and is not marked as gone.
 */
#include "agent/harvest.h"
#include "agent/harvest_feed.h"
#include "base/human.h"
#include "base/ts.h"
#include "store/db.h"
#include "store/st_ledger.h"
#include "sys/clock.h"
#include "sys/prefork.h"
#include "upstream/e2b_pages.h"

#include <string.h>

#include "base/banned.h"

#define HARVEST_TIME_US (50 * TS_SEC)
#define LIST_TIME_US (40 * TS_SEC)
#define LIST_PAGES_MAX 5000
#define PRUNE_ROWS 5000 /* in one harvest */

struct harvest {
    struct db *db;
    struct e2b *e2b;
    int64_t now_us, deadline_us;
    bool is_backfill;
    void (*tell)(const char *line);
    int64_t listed;
    struct feed feed;
};

static void say(struct harvest *h, const char *line)
{
    if (h->tell != NULL)
        h->tell(line);
}

/* ---- the list ---- */

enum list_end { LIST_MORE, LIST_COMPLETE, LIST_CUT };

static enum list_end list_end_of(const struct e2b_list_page *op, int64_t pages)
{
    if (op->is_v1) /* it knows no paused ones: being absent there proves nothing */
        return LIST_CUT;
    if (*op->next_token == '\0')
        return LIST_COMPLETE;
    if (op->count == 0 || pages >= LIST_PAGES_MAX ||
        (op->token != NULL && strcmp(op->token, op->next_token) == 0))
        return LIST_CUT;
    return LIST_MORE;
}

/* One page, read and stored; its arena is reset, but for the token of the next page. */
static int list_page(struct harvest *h, struct arena *a, char **token, int64_t pages,
                     enum list_end *end, struct err *err)
{
    struct e2b_list_page op;
    struct http_call *calls[] = {&op.call};
    int64_t until_us = clock_mono_us() + LIST_TIME_US;
    int rc = -1;

    e2b_list_page_init(&op, h->e2b, a, *token);
    http_run(h->e2b->http, calls, 1,
             until_us < h->deadline_us ? until_us : h->deadline_us);
    if (op.src.state == SOURCE_OK) {
        rc = ledger_put_sandboxes(h->db, op.sandboxes, op.count, h->now_us, err);
        *end = list_end_of(&op, pages);
        h->listed += (int64_t)op.count;
    } else {
        *err = op.src.err;
        err_ctx(err, "list");
    }
    *token = arena_str(a, op.next_token);
    e2b_list_page_release(&op);
    return rc;
}

static int harvest_list(struct harvest *h, bool *is_complete, struct err *err)
{
    struct arena pages[2] = {ARENA_INIT,
                             ARENA_INIT}; /* in turn: the token outlives its page */
    enum list_end end = LIST_MORE;
    char *token = NULL;
    int rc = 0;

    for (int64_t n = 1; rc == 0 && end == LIST_MORE && !prefork_stop; n++) {
        arena_reset(&pages[n % 2]);
        rc = list_page(h, &pages[n % 2], &token, n, &end, err);
    }
    arena_release(&pages[0]);
    arena_release(&pages[1]);
    if (rc == 0 && end == LIST_CUT)
        say(h, "the list is not complete: nothing is marked as gone");
    *is_complete = rc == 0 && end == LIST_COMPLETE;
    return rc;
}

/* ---- the events ---- */

static int harvest_events(struct harvest *h, struct err *err)
{
    struct feed *f = &h->feed;

    *f = (struct feed){
        .db = h->db,
        .e2b = h->e2b,
        .now_us = h->now_us,
        .deadline_us = h->deadline_us,
        .floor_us = h->now_us - h->e2b->conf->ledger_retain_days * TS_DAY,
        .is_backfill = h->is_backfill,
        .tell = h->tell,
        .is_unsupported = h->e2b->has_events < 0,
    };
    if (!f->is_unsupported && feed_harvest(f, err))
        return err_ctx(err, "events");
    if (f->is_unsupported)
        say(h, "E2B here has no event history: the ledger lives from the list alone");
    return 0;
}

static void tell_all(struct harvest *h)
{
    struct arena a = ARENA_INIT;
    char listed[HUMAN_SIZE], events[HUMAN_SIZE], added[HUMAN_SIZE];

    say(h, arena_fmt(&a, "%s sandboxes listed, %s events read, %s of them new",
                     human_count(h->listed, listed), human_count(h->feed.events, events),
                     human_count(h->feed.added, added)));
    arena_release(&a);
}

/*
 * List and events are stored, whatever becomes of the other; the first failure is the one that is told. What is
 * absent from the list is looked at when the events have had their say.
 */
static int harvest_both(struct harvest *h, struct err *err)
{
    struct err second = ERR_INIT;
    bool is_complete = false;
    int rc = harvest_list(h, &is_complete, err);
    int64_t removed;

    if (harvest_events(h, rc ? &second : err))
        rc = -1;
    if (is_complete && ledger_listed(h->db, h->now_us, rc ? &second : err))
        rc = -1;
    if (rc == 0)
        rc = ledger_prune(h->db, h->feed.floor_us, PRUNE_ROWS, &removed, err);
    if (rc == 0)
        rc = ledger_harvested(h->db, h->now_us, err);
    tell_all(h);
    return rc;
}

int harvest_run(struct db *db, struct e2b *e2b, int64_t now_us, bool backfill,
                void (*tell)(const char *line), struct err *err)
{
    struct harvest h = {
        .db = db, .e2b = e2b, .now_us = now_us, .is_backfill = backfill, .tell = tell};

    if (db_ready(db, err))
        return -1;
    h.deadline_us = backfill ? INT64_MAX : clock_mono_us() + HARVEST_TIME_US;
    return harvest_both(&h, err);
}
