/*
 * Reading what is kept. A failing store costs this part of a page only: is_failed is said there.
 */
#include "web/pages/known.h"

#include "base/text.h"
#include "store/st_investigation.h"
#include "store/st_note.h"
#include "sys/log.h"
#include <string.h>

#include "base/banned.h"

/* 0: it is there; 1: it is not; -1: the store failed, once for all. */
static int got(struct known *k, int rc, struct err *err)
{
    if (rc == 0)
        return 0;
    if (err->kind == ERR_NOTFOUND) {
        *err = (struct err)ERR_INIT;
        return 1;
    }
    if (!k->is_failed)
        log_err(LOG_ERROR, "what is kept of this sandbox", err);
    k->is_failed = true;
    return -1;
}

static void load_parts(struct known *k, struct req *rq)
{
    struct db *db = rq->app->db;
    struct arena *a = rq->arena;
    struct err err = ERR_INIT;
    int64_t id = k->inv.id;

    k->has_finding = got(k, finding_get(db, a, id, &k->finding, &err), &err) == 0;
    k->has_decision = got(k, decision_get(db, a, id, &k->decision, &err), &err) == 0;
    k->has_note = got(k, note_get(db, a, id, &k->note, &err), &err) == 0;
    got(k, feedback_list(db, a, id, &k->feedback, &k->feedback_count, &err), &err);
    got(k, correction_list(db, a, id, &k->corrections, &k->correction_count, &err), &err);
}

void known_load(struct known *k, struct req *rq, const char *sandbox_id)
{
    struct db *db = rq->app->db;
    struct err err = ERR_INIT;

    memset(k, 0, sizeof *k);
    k->is_failed = !rq->has_db;
    if (k->is_failed)
        return;
    k->has_latest =
        got(k, inv_latest(db, rq->arena, sandbox_id, &k->latest, &err), &err) == 0;
    if (!k->has_latest)
        return;
    if (got(k, inv_latest_with_finding(db, rq->arena, sandbox_id, &k->inv, &err), &err) ==
        0)
        load_parts(k, rq);
}

int known_load_one(struct known *k, struct req *rq, int64_t inv_id, struct err *err)
{
    memset(k, 0, sizeof *k);
    if (inv_get(rq->app->db, rq->arena, inv_id, &k->inv, err))
        return -1;
    k->latest = k->inv;
    k->has_latest = true;
    load_parts(k, rq);
    return 0;
}

size_t known_calls(struct known *k, struct req *rq, struct http_call **calls, size_t n)
{
    const char *ids[1];

    if (!k->has_decision || text_is_empty(k->decision.issue.id))
        return n;
    ids[0] = k->decision.issue.id;
    linear_states_init(&k->live, &rq->app->linear, rq->arena, ids, 1);
    k->is_asking = true;
    calls[n] = &k->live.call;
    return n + 1;
}

/* An investigation is told while it runs, and after it failed or was cancelled, until a newer one is done. */
static bool is_run_shown(const struct known *k)
{
    return k->has_latest && k->latest.state != INV_DONE &&
           (!k->has_finding || k->latest.id >= k->inv.id);
}

void known_show(struct known *k, HDF *hdf, const struct view_link *link,
                const struct evidence *ev, const struct finding_seen *seen, bool is_page)
{
    bool is_live =
        k->is_asking && k->live.src.state == SOURCE_OK && k->live.found.count > 0;
    struct finding_view v = {
        .link = link,
        .inv = &k->inv,
        .finding = &k->finding,
        .ev = ev,
        .decision = k->has_decision ? &k->decision : NULL,
        .live = is_live ? &k->live.found.items[0] : NULL,
        .live_src = k->is_asking ? &k->live.src : NULL,
        .note = k->has_note ? &k->note : NULL,
        .feedback = k->feedback,
        .feedback_count = k->feedback_count,
        .corrections = k->corrections,
        .correction_count = k->correction_count,
        .is_page = is_page,
        .seen = seen ? *seen : (struct finding_seen){NULL, NULL, NULL},
    };

    hput_bool(hdf, "KnownFailed", k->is_failed);
    if (is_run_shown(k)) {
        /* what is at hand may be of an earlier investigation */
        bool is_of_it = k->has_finding && k->latest.id == k->inv.id;

        view_run(hdf, link, &k->latest, is_of_it && k->has_decision ? &k->decision : NULL,
                 is_of_it ? &k->finding : NULL);
        if (is_of_it && k->has_note)
            view_note(hdf, &v);
    }
    /* a finding that is not yet followed by its note is shown only when the steps are over */
    if (k->has_finding && !(is_run_shown(k) && k->latest.id == k->inv.id &&
                            inv_state_is_open(k->latest.state)))
        view_finding(hdf, &v);
}

void known_release(struct known *k)
{
    if (k->is_asking)
        linear_states_release(&k->live);
    k->is_asking = false;
}
