/*
 * Exactly once as seen from outside.
 *
 * Linear: the id is ours and derived from the failure, so a repeat is refused and recognised; whatever a
 * create answers that is not a clean success, the id is probed (linear.md 4.3).
 *
 * Zendesk: an update cannot be made idempotent. The note's row turns `unknown` before the request leaves;
 * from then on the ticket's audits are looked at before anything is sent again (zendesk.md 6.5).
 */
#include "agent/publish.h"

#include "agent/issue_text.h"
#include "agent/note_text.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_investigation.h"
#include "store/st_note.h"
#include "sys/clock.h"
#include "sys/log.h"
#include "upstream/linear_write.h"
#include "upstream/zendesk_write.h"
#include <string.h>

#include "base/banned.h"

#define CALL_DEADLINE_US (40 * TS_SEC)
#define LOOK_AGAIN_US (10 * TS_SEC)
/* How often it is looked for before it counts as never arrived; more often when the ticket has changed
   meanwhile, for that may have been the note, and its audit may be late. */
#define LOOKS 2
#define LOOKS_CHANGED 4
#define MARKER_SLACK_US (5 * TS_MIN) /* our clock and Zendesk's may differ */

char *publish_issue_uuid(const char *team_id, const char *template_id,
                         const char *signature_hash, int generation,
                         char out[UUID_TEXT_SIZE])
{
    struct arena a = ARENA_INIT;
    uint8_t digest[DIGEST_SIZE];
    char *seed = arena_fmt(&a, "casebook\n%s\n%s\n%s\n%d", team_id, template_id,
                           signature_hash, generation);

    digest_sha256(seed, strlen(seed), digest);
    arena_release(&a);
    return digest_uuid(digest, out);
}

static char *page_link(struct agent *ag, struct arena *a, const struct investigation *inv)
{
    if (text_is_empty(ag->conf->web.public_url))
        return arena_str(a, "");
    return arena_fmt(a, "%s/investigations/%lld", ag->conf->web.public_url,
                     (long long)inv->id);
}

/* Somebody's create with this very id: another investigation of the same failure, or our own earlier try. */
static int adopt_issue(struct agent *ag, struct arena *a, const char *uuid,
                       struct linear_decision *d, bool *found, struct err *err)
{
    struct linear_issue issue;

    *found = false;
    if (linear_probe(&ag->linear, a, uuid, clock_mono_us() + CALL_DEADLINE_US, &issue,
                     err))
        return -1;
    if (text_is_empty(issue.id))
        return 0;
    if (issue.is_trashed)
        return err_set(err, ERR_DENIED,
                       "Linear: the issue of this failure (%s) lies in the trash; "
                       "restore it, or file one by hand",
                       issue.identifier);
    if (linear_read(&ag->linear, a, uuid, clock_mono_us() + CALL_DEADLINE_US, &d->issue,
                    err))
        return -1;
    *found = true;
    return 0;
}

int publish_issue(struct agent *ag, struct arena *a, const struct investigation *inv,
                  const struct finding *f, const struct evidence *ev,
                  struct linear_decision *d, struct err *err)
{
    char uuid[UUID_TEXT_SIZE];
    struct err create = ERR_INIT;
    bool found;

    if (linear_team(&ag->linear, a, clock_mono_us() + CALL_DEADLINE_US, err))
        return -1;
    publish_issue_uuid(ag->linear.team_id, f->template_id, f->signature_hash, 1, uuid);
    if (linear_create(
            &ag->linear, a, uuid, issue_title(a, ag->mask, f),
            issue_body(a, ag->mask, f, ev, inv, d->token, page_link(ag, a, inv)),
            clock_mono_us() + CALL_DEADLINE_US, &d->issue, &create) == 0) {
        d->outcome = LINEAR_OUTCOME_FILED;
        return 0;
    }
    if (create.is_retryable && !create.is_unknown) {
        *err = create;
        return -1;
    }
    if (adopt_issue(ag, a, uuid, d, &found, err))
        return -1;
    if (!found) {
        *err = create;
        return -1;
    }
    /* is_unknown: it is our own create whose answer was lost */
    d->outcome = create.is_unknown || inv->attempt > 0 ? LINEAR_OUTCOME_FILED
                                                       : LINEAR_OUTCOME_MATCHED;
    if (d->outcome == LINEAR_OUTCOME_MATCHED)
        d->why = "Another investigation filed it at the same moment.";
    return 0;
}

void publish_link(struct agent *ag, struct arena *a, const struct investigation *inv,
                  const struct linear_decision *d)
{
    struct err err = ERR_INIT;

    if (inv->ticket_id == 0 || text_is_empty(d->issue.id))
        return;
    if (linear_link_ticket(&ag->linear, a, d->issue.id, inv->ticket_id,
                           zendesk_agent_link(ag->conf, a, inv->ticket_id),
                           clock_mono_us() + CALL_DEADLINE_US, &err))
        log_err(LOG_WARN, "the ticket could not be linked to the issue", &err);
}

/* The ticket as it is now. */
struct target {
    enum note_state verdict; /* NOTE_PREPARED: it takes notes */
    const char *stamp;       /* for safe_update */
    int64_t updated_us;
};

static int read_ticket(struct agent *ag, struct arena *a, int64_t ticket_id,
                       struct target *out, struct err *err)
{
    struct zendesk_ticket op;
    struct http_call *calls[1];
    int64_t deadline = clock_mono_us() + CALL_DEADLINE_US;
    int rc = 0;

    if (zendesk_login(&ag->zendesk, deadline, err))
        return -1;
    zendesk_ticket_init(&op, &ag->zendesk, a, ticket_id);
    calls[0] = &op.call;
    http_run(ag->http, calls, 1, deadline);
    *out = (struct target){NOTE_PREPARED, "", TS_NONE};
    if (op.src.state == SOURCE_NOT_THERE) {
        out->verdict = NOTE_GONE;
    } else if (op.src.state != SOURCE_OK) {
        *err = op.src.err;
        rc = -1;
    } else if (strcmp(op.ticket.status, "closed") == 0) {
        out->verdict = NOTE_CLOSED;
    } else {
        out->stamp = op.ticket.updated_stamp;
        out->updated_us = op.ticket.updated_us;
    }
    zendesk_ticket_release(&op);
    return rc;
}

static const char *state_words(enum note_state s)
{
    return s == NOTE_CLOSED ? "the ticket is closed: no note can be added"
           : s == NOTE_GONE ? "the ticket was deleted, or Casebook may not see it"
                            : "";
}

static int finish(struct agent *ag, const struct note *note, enum note_state state,
                  int64_t audit_id, int64_t comment_id, const char *words,
                  struct err *err)
{
    return note_set(ag->db, note->marker, state, audit_id, comment_id, words,
                    clock_now_us(), err);
}

/*
 * After a doubtful answer. 0 and note->state tells: posted, or prepared when it may be sent; -1 to look
 * again later. The stamp that a repeat is sent with was read before: had the first one arrived since, the
 * ticket has moved on and the repeat is refused (zendesk.md 6.5).
 */
static int look_for_it(struct agent *ag, struct arena *a, const struct investigation *inv,
                       const struct target *ticket, struct note *note, struct err *err)
{
    int64_t since_us = note->prepared_us - MARKER_SLACK_US, audit_id = 0;
    int looks = ticket->updated_us >= since_us ? LOOKS_CHANGED : LOOKS;
    bool found;

    if (zendesk_note_find(&ag->zendesk, a, note->ticket_id, note->marker, since_us,
                          clock_mono_us() + CALL_DEADLINE_US, &found, &audit_id, err)) {
        err->is_retryable = true;
        return -1;
    }
    if (found) {
        note->state = NOTE_POSTED;
        return finish(ag, note, NOTE_POSTED, audit_id, 0, "", err);
    }
    if (inv->attempt < looks) {
        err_set(err, ERR_TIMEOUT, "Zendesk did not confirm the note; looking again");
        err->is_retryable = true;
        err->retry_after_us = LOOK_AGAIN_US;
        return -1;
    }
    note->state = NOTE_PREPARED;
    return 0;
}

/* What an answer means for the note's row and for the stage. */
static int settle(struct agent *ag, const struct note *note,
                  const struct zendesk_note_reply *r, bool last_try, struct err *err)
{
    switch (r->result) {
    case ZNOTE_POSTED:
        if (r->was_public)
            log_event(LOG_ERROR, "Zendesk recorded the internal note as public", NULL);
        return finish(ag, note, NOTE_POSTED, r->audit_id, r->comment_id, "", err);
    case ZNOTE_CLOSED:
        return finish(ag, note, NOTE_CLOSED, 0, 0, state_words(NOTE_CLOSED), err);
    case ZNOTE_GONE:
        return finish(ag, note, NOTE_GONE, 0, 0, state_words(NOTE_GONE), err);
    case ZNOTE_REFUSED:
        return finish(ag, note, NOTE_FAILED, 0, 0, r->err.msg, err);
    case ZNOTE_LATER:
        /* this one was not posted, and an earlier one was looked for before it was sent */
        if (finish(ag, note, last_try ? NOTE_FAILED : NOTE_PREPARED, 0, 0, r->err.msg,
                   err))
            return -1;
        if (last_try)
            return 0;
        break;
    case ZNOTE_CONFLICT: /* perhaps it was an earlier one of ours that changed the ticket */
    case ZNOTE_UNKNOWN:
        if (last_try)
            return 0;
        break;
    }
    *err = r->err;
    err->is_retryable = true;
    if (r->result == ZNOTE_UNKNOWN && err->retry_after_us == 0)
        err->retry_after_us = TS_SEC;
    return -1;
}

static int send_note(struct agent *ag, struct arena *a, const struct note *note,
                     const char *stamp, bool last_try, struct err *err)
{
    struct zendesk_note_reply reply;

    if (finish(ag, note, NOTE_UNKNOWN, 0, 0, "Zendesk was asked; the answer is awaited",
               err))
        return -1;
    memset(&reply, 0, sizeof reply);
    zendesk_note_put(&ag->zendesk, a, note->ticket_id, note->html, note->marker, stamp,
                     clock_mono_us() + CALL_DEADLINE_US, &reply);
    return settle(ag, note, &reply, last_try, err);
}

/* One round: the ticket as it is, an earlier try looked for, the note sent. */
static int try_note(struct agent *ag, struct arena *a, const struct investigation *inv,
                    struct note *note, bool last_try, struct err *err)
{
    struct target ticket;

    if (read_ticket(ag, a, note->ticket_id, &ticket, err))
        return -1;
    if (note->state == NOTE_UNKNOWN && ticket.verdict != NOTE_GONE &&
        look_for_it(ag, a, inv, &ticket, note, err))
        return -1;
    if (note->state == NOTE_POSTED)
        return 0;
    if (ticket.verdict != NOTE_PREPARED)
        return finish(ag, note, ticket.verdict, 0, 0, state_words(ticket.verdict), err);
    /* the reads may have taken long: whoever took the investigation over does the rest */
    if (inv_renew(ag->db, inv, clock_now_us(), ag->conf->agent.lease_s * TS_SEC, err))
        return -1;
    return send_note(ag, a, note, ticket.stamp, last_try, err);
}

int publish_note(struct agent *ag, struct arena *a, const struct investigation *inv,
                 const struct finding *f, const struct linear_decision *d, bool last_try,
                 struct err *err)
{
    struct note note;
    char marker[UUID_TEXT_SIZE];
    int64_t now_us = clock_now_us();

    random_uuid(marker);
    if (note_prepare(
            ag->db, a, inv->id, inv->ticket_id, marker,
            note_html(a, ag->mask, f, inv, d, page_link(ag, a, inv), marker, now_us),
            now_us, &note, err))
        return -1;
    if (note.state != NOTE_PREPARED && note.state != NOTE_UNKNOWN)
        return 0;
    if (try_note(ag, a, inv, &note, last_try, err) == 0)
        return 0;
    if (!last_try || err->kind == ERR_DB || err->kind == ERR_CONFLICT)
        return -1;
    /* one that may have arrived stays unknown: that is shown, with a link to the ticket */
    return note.state == NOTE_UNKNOWN
               ? 0
               : finish(ag, &note, NOTE_FAILED, 0, 0, err->msg, err);
}
