/*
 * Reading what is kept. A failing store costs this part of a page only: is_failed is said there.
 */
#include "web/pages/known.h"

#include "base/text.h"
#include "outgoing/note_text.h"
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
    got(k, note_list(db, a, id, &k->notes, &k->note_count, &err), &err);
    got(k, act_list(db, a, id, &k->acts, &k->act_count, &err), &err);
    got(k, feedback_list(db, a, id, &k->feedback, &k->feedback_count, &err), &err);
    got(k, correction_list(db, a, id, &k->corrections, &k->correction_count, &err), &err);
}

void known_load(struct known *k, struct req *rq, const char *sandbox_id,
                int64_t ticket_id)
{
    struct db *db = rq->app->db;
    struct err err = ERR_INIT;

    memset(k, 0, sizeof *k);
    k->ticket_id = ticket_id;
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

/* What people linked stands above what was decided. */
static const struct issue_correction *correction(const struct known *k)
{
    return k->correction_count ? &k->corrections[k->correction_count - 1] : NULL;
}

static const char *issue_id(const struct known *k)
{
    if (correction(k))
        return correction(k)->issue_id;
    return k->has_decision ? k->decision.issue.id : "";
}

size_t known_calls(struct known *k, struct req *rq, struct http_call **calls, size_t n)
{
    live_want(&k->live, issue_id(k));
    return live_calls(&k->live, rq, calls, n);
}

/* An investigation is told while it runs, and after it failed or was cancelled, until a newer one is done. */
static bool is_run_shown(const struct known *k)
{
    return k->has_latest && k->latest.state != INV_DONE &&
           (!k->has_finding || k->latest.id >= k->inv.id);
}

static const struct note *note_of(const struct known *k, int64_t ticket_id)
{
    for (size_t i = 0; i < k->note_count; i++)
        if (k->notes[i].ticket_id == ticket_id)
            return &k->notes[i];
    return NULL;
}

/* The one with the finding is at work. */
static bool is_at_work(const struct known *k)
{
    return is_run_shown(k) && k->latest.id == k->inv.id &&
           inv_state_is_open(k->latest.state);
}

/* It was over, and was taken up again for another ticket: on this one's page nothing goes on. */
static bool is_only_for_others(const struct known *k, const struct note *own)
{
    return is_at_work(k) && k->latest.state == INV_FILED && k->note_count > 1 && own &&
           own->state != NOTE_NONE && own->state != NOTE_PREPARED &&
           own->state != NOTE_UNKNOWN;
}

/* A finding that is not yet followed by its note is shown only when the steps are over; one that other tickets have
   had is there all the time. */
static bool is_finding_shown(const struct known *k)
{
    return !is_at_work(k) || (k->latest.state >= INV_FILED && k->note_count > 1);
}

/*
 * The note as the agent would make it now, word for word but its number. NULL: it has one, there is no ticket for it, or
 * what it has to tell is not settled yet.
 */
static char *preview(const struct known *k, const struct req *rq, int64_t ticket_id,
                     const struct note *own)
{
    const struct issue_correction *c = correction(k);
    struct linear_decision d = k->decision;
    enum inv_state reached = k->inv.state == INV_FAILED ? k->inv.reached : k->inv.state;

    if ((own && own->state != NOTE_NONE) || !ticket_id || !k->has_finding ||
        !k->has_decision || reached < INV_FILED || reached == INV_CANCELED)
        return NULL;
    if (c)
        note_correct(rq->arena, c->by,
                     &(struct linear_issue){.id = c->issue_id,
                                            .identifier = c->identifier,
                                            .url = c->url,
                                            .title = c->title},
                     &d);
    return note_html(rq->arena, rq->app->mask, &k->finding, &k->inv, &d,
                     rq->app->conf->web.public_url, NOTE_NO_MARKER, rq->now_us);
}

static void show_run(const struct known *k, HDF *hdf, const struct view_link *link,
                     const struct note *own, const char *note_text)
{
    struct investigation run = k->latest;
    bool is_same = k->has_finding && k->latest.id == k->inv.id;

    if (is_same && own)
        run.ticket_id = own->ticket_id;
    /* the decision at hand may be that of an earlier investigation */
    view_run(hdf, link, &run, is_same && k->has_decision ? &k->decision : NULL,
             is_same ? &k->finding : NULL);
    if (is_same)
        view_run_note(hdf, link, own && own->state != NOTE_NONE ? own->html : note_text);
}

void known_show(struct known *k, HDF *hdf, const struct view_link *link,
                const struct evidence *ev, const struct finding_seen *seen, bool is_page)
{
    struct finding_view v = {
        .link = link,
        .inv = &k->inv,
        .finding = &k->finding,
        .ev = ev,
        .decision = k->has_decision ? &k->decision : NULL,
        .live = live_find(&k->live, issue_id(k)),
        .live_src = live_source(&k->live),
        .ticket_id = k->ticket_id ? k->ticket_id : k->inv.ticket_id,
        .notes = k->notes,
        .note_count = k->note_count,
        .feedback = k->feedback,
        .feedback_count = k->feedback_count,
        .corrections = k->corrections,
        .correction_count = k->correction_count,
        .acts = k->acts,
        .act_count = k->act_count,
        .is_page = is_page,
        .seen = seen ? *seen : (struct finding_seen){NULL, NULL, NULL},
    };

    live_take(&k->live);
    v.note = note_of(k, v.ticket_id);
    v.preview = preview(k, link->rq, v.ticket_id, v.note);
    hput_bool(hdf, "KnownFailed", k->is_failed);
    if (is_run_shown(k) && !is_only_for_others(k, v.note))
        show_run(k, hdf, link, v.note, v.preview);
    if (k->has_finding && is_finding_shown(k))
        view_finding(hdf, &v);
}

void known_release(struct known *k)
{
    live_release(&k->live);
}
