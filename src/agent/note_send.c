/*
 * An update of Zendesk cannot be made idempotent (zendesk.md 6.5). The note's row turns `unknown` before the
 * request leaves, with the ticket's stamp that the request carries; from then on the ticket's audits are looked at
 * before anything is sent again.
 *
 * What makes a second note impossible is the stamp. A note that arrived has changed the ticket, so that a
 * repeat with the first stamp is refused; and a new stamp is taken only when the audits tell of the ticket's latest
 * change without naming our marker. Audits may lag for as long as they like: that is waited for, and in the end a
 * person is told that the outcome is not known. Stamps have whole seconds: nothing is sent in the second in
 * which the ticket changed, for the note would leave no trace in the stamp.
 */
#include "agent/note_send.h"

#include "agent/lease.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_note.h"
#include "sys/clock.h"
#include "sys/log.h"
#include "upstream/zendesk_write.h"
#include <string.h>

#include "base/banned.h"

#define ROUNDS 3 /* in one go, as long as others change the ticket meanwhile */
#define LOOKS 2  /* before it counts as never arrived */
#define LOOKS_UNSTAMPED 4
#define LOOK_AGAIN_US (10 * TS_SEC)
#define LOOK_AGAIN_MAX_US (2 * TS_MIN)
#define AUDITS_LATE_US (15 * TS_MIN) /* a change this old is in the audits */
#define MARKER_SLACK_US (5 * TS_MIN) /* our clock and Zendesk's may differ */
#define SECOND_OVER_US                                                                   \
    (11 * TS_SEC / 10) /* until the next whole second has come for sure */

static bool audits_tell(const struct note_sight *s)
{
    return (s->newest_audit_us != TS_NONE && s->newest_audit_us >= s->changed_us) ||
           s->now_us - s->changed_us > AUDITS_LATE_US;
}

enum note_step note_next_step(const struct note_sight *s)
{
    if (!*s->sent) /* from before stamps were kept */
        return audits_tell(s) && s->looks >= LOOKS_UNSTAMPED ? NOTE_STEP_FRESH
                                                             : NOTE_STEP_WAIT;
    if (strcmp(s->sent, s->now) != 0)
        return audits_tell(s) ? NOTE_STEP_FRESH : NOTE_STEP_WAIT;
    return s->was_refused || s->looks >= LOOKS ? NOTE_STEP_SAME : NOTE_STEP_WAIT;
}

/* The ticket as it is now. */
struct target {
    enum note_state verdict; /* NOTE_PREPARED: it takes notes */
    const char *words;       /* why it takes none */
    const char *stamp;       /* for safe_update */
    int64_t updated_us;
    int64_t asked_us; /* by Zendesk's clock */
};

static const char closed_words[] = "the ticket is closed: no note can be added";
static const char merged_words[] =
    "the ticket was merged into another one and is closed: no note can be added";
static const char gone_words[] =
    "the ticket was deleted or is suspended, or Casebook may not see it";

static void take_ticket(const struct zendesk_ticket *op, struct target *out)
{
    out->stamp = op->ticket.updated_stamp;
    out->updated_us = op->ticket.updated_us;
    out->asked_us = http_date_us(&op->call.resp, clock_now_us());
    if (strcmp(op->ticket.status, "closed") != 0)
        return;
    out->verdict = NOTE_CLOSED;
    out->words = op->ticket.is_merged ? merged_words : closed_words;
}

static int read_ticket(struct agent *ag, struct arena *a, int64_t ticket_id,
                       struct target *out, struct err *err)
{
    struct zendesk_ticket op;
    struct http_call *calls[1];
    int64_t deadline = lease_deadline(ag);
    int rc = 0;

    if (zendesk_login(&ag->zendesk, deadline, err))
        return -1;
    zendesk_ticket_init(&op, &ag->zendesk, a, ticket_id);
    calls[0] = &op.call;
    http_run(ag->http, calls, 1, deadline);
    *out = (struct target){.verdict = NOTE_PREPARED, .words = "", .updated_us = TS_NONE};
    if (op.src.state == SOURCE_NOT_THERE) {
        out->verdict = NOTE_GONE;
        out->words = gone_words;
    } else if (op.src.state != SOURCE_OK) {
        *err = op.src.err;
        rc = -1;
    } else {
        take_ticket(&op, out);
    }
    zendesk_ticket_release(&op);
    return rc;
}

/* One attempt at one note. */
struct sending {
    struct agent *ag;
    struct arena *a;
    struct investigation *inv;
    struct note *note;
    const struct tries *tries;
    struct target ticket;
    bool was_refused; /* the round before: 409 */
};

static int finish(struct sending *s, enum note_state state, int64_t audit_id,
                  int64_t comment_id, const char *words, struct err *err)
{
    struct note_result r = {
        .state = state, .audit_id = audit_id, .comment_id = comment_id, .error = words};

    if (note_set(s->ag->db, s->inv, s->note->marker, &r, clock_now_us(), err))
        return -1;
    s->note->state = state;
    return 0;
}

static int64_t look_again_us(int looks)
{
    int64_t us = LOOK_AGAIN_US;

    for (int i = 1; i < looks && us < LOOK_AGAIN_MAX_US; i++)
        us *= 2;
    return us < LOOK_AGAIN_MAX_US ? us : LOOK_AGAIN_MAX_US;
}

/*
 * After a doubtful answer. 0 and note->state tells: posted, or unknown with *stamp to send it with; -1 to look
 * again later.
 */
static int look_for_it(struct sending *s, const char **stamp, struct err *err)
{
    struct note *note = s->note;
    struct zendesk_note_seen seen;
    struct note_sight sight = {.sent = note->stamp,
                               .now = s->ticket.stamp ? s->ticket.stamp : "",
                               .changed_us = s->ticket.updated_us,
                               .now_us = s->ticket.asked_us,
                               .was_refused = s->was_refused,
                               .looks = s->inv->attempt};

    *stamp = "";
    if (zendesk_note_find(&s->ag->zendesk, s->a, note->ticket_id, note->marker,
                          note->prepared_us - MARKER_SLACK_US, lease_deadline(s->ag),
                          &seen, err)) {
        err->is_retryable = true;
        return -1;
    }
    if (seen.found)
        return finish(s, NOTE_POSTED, seen.audit_id, 0, "", err);
    sight.newest_audit_us = seen.newest_us;
    switch (note_next_step(&sight)) {
    case NOTE_STEP_SAME:
        *stamp = note->stamp;
        return 0;
    case NOTE_STEP_FRESH:
        note->stamp = "";
        *stamp = s->ticket.stamp;
        return 0;
    case NOTE_STEP_WAIT:
        break;
    }
    err_set(err, ERR_TIMEOUT, "Zendesk did not confirm the note; looking again");
    err->is_retryable = true;
    err->retry_after_us = look_again_us(s->inv->attempt);
    return -1;
}

/* Nothing was done by this request; is there an earlier one that may yet turn out to have arrived? */
static bool is_open(const struct sending *s)
{
    return !text_is_empty(s->note->stamp);
}

/* Refused for good. Where an earlier one may have arrived, that stays the thing to know. */
static int refused(struct sending *s, const struct err *why, struct err *err)
{
    return finish(s, is_open(s) ? NOTE_UNKNOWN : NOTE_FAILED, 0, 0, why->msg, err);
}

static int not_now(struct sending *s, const struct err *why, struct err *err)
{
    bool is_over = s->tries->is_too_old || (s->tries->is_last && !why->is_wait);
    enum note_state state = is_open(s) ? NOTE_UNKNOWN
                            : is_over  ? NOTE_FAILED
                                       : NOTE_PREPARED;

    if (finish(s, state, 0, 0, why->msg, err))
        return -1;
    if (is_over)
        return 0;
    *err = *why;
    err->is_retryable = true;
    return -1;
}

/* What an answer means for the note's row and for the stage. */
static int settle(struct sending *s, const struct zendesk_note_reply *r, struct err *err)
{
    switch (r->result) {
    case ZNOTE_POSTED:
        if (r->was_public)
            log_event(LOG_ERROR, "Zendesk recorded the internal note as public", NULL);
        return finish(s, NOTE_POSTED, r->audit_id, r->comment_id, "", err);
    case ZNOTE_CLOSED:
        return finish(s, NOTE_CLOSED, 0, 0, closed_words, err);
    case ZNOTE_GONE:
        return finish(s, NOTE_GONE, 0, 0, gone_words, err);
    case ZNOTE_REFUSED:
        return refused(s, &r->err, err);
    case ZNOTE_LATER:
        return not_now(s, &r->err, err);
    case ZNOTE_CONFLICT: /* perhaps it was an earlier one of ours that changed the ticket */
    case ZNOTE_UNKNOWN:
        break;
    }
    *err = r->err;
    err->kind = ERR_UPSTREAM; /* a conflict there is not a lost lease */
    err->is_retryable = true;
    if (r->result == ZNOTE_UNKNOWN && err->retry_after_us == 0)
        err->retry_after_us = TS_SEC;
    s->was_refused = r->result == ZNOTE_CONFLICT;
    return -1;
}

static int send_it(struct sending *s, const char *stamp, struct err *err)
{
    struct zendesk_note_reply reply;
    int rc;

    if (note_sending(s->ag->db, s->inv, s->note->marker, stamp, clock_now_us(), err))
        return -1;
    s->note->state = NOTE_UNKNOWN;
    memset(&reply, 0, sizeof reply);
    zendesk_note_put(&s->ag->zendesk, s->a, s->note->ticket_id, s->note->html,
                     s->note->marker, stamp, lease_deadline(s->ag), &reply);
    rc = settle(s, &reply, err);
    s->note->stamp = stamp;
    return rc;
}

/* The ticket changed in the very second in which Zendesk was asked: its stamp would not tell of our note. */
static int wait_for_next_second(const struct target *t, struct err *err)
{
    if (t->updated_us == TS_NONE || t->asked_us / TS_SEC != t->updated_us / TS_SEC)
        return 0;
    err_set(err, ERR_UPSTREAM, "the ticket is being changed just now");
    err->is_retryable = err->is_wait = true;
    err->retry_after_us = SECOND_OVER_US;
    return -1;
}

/* One round: the ticket as it is, an earlier try looked for, the note sent. */
static int round_of(struct sending *s, struct err *err)
{
    const char *stamp;

    s->ticket = (struct target){0};
    if (read_ticket(s->ag, s->a, s->note->ticket_id, &s->ticket, err))
        return -1;
    stamp = s->ticket.stamp;
    if (s->note->state == NOTE_UNKNOWN && s->ticket.verdict != NOTE_GONE &&
        look_for_it(s, &stamp, err))
        return -1;
    s->was_refused = false;
    if (s->note->state == NOTE_POSTED)
        return 0;
    if (s->ticket.verdict != NOTE_PREPARED)
        return finish(s, s->ticket.verdict, 0, 0, s->ticket.words, err);
    if (wait_for_next_second(&s->ticket, err))
        return -1;
    /* the reads may have taken long: whoever took the investigation over does the rest */
    if (lease_hold(s->ag, s->inv, err))
        return -1;
    return send_it(s, stamp, err);
}

int note_send(struct agent *ag, struct arena *a, struct investigation *inv,
              struct note *note, const struct tries *tries, struct err *err)
{
    struct sending s = {.ag = ag, .a = a, .inv = inv, .note = note, .tries = tries};
    int rc = -1;

    if (note->state == NOTE_PREPARED)
        note->stamp = ""; /* nothing is under way */
    for (int i = 0; i < ROUNDS && rc && (i == 0 || s.was_refused); i++)
        rc = round_of(&s, err);
    if (rc == 0)
        return 0;
    if (err->kind == ERR_DB || err->kind == ERR_CONFLICT)
        return -1;
    if (!tries->is_too_old && (!tries->is_last || err->is_wait))
        return -1;
    /* one that may have arrived stays unknown: that is shown, with a link to the ticket */
    return note->state == NOTE_UNKNOWN ? finish(&s, NOTE_UNKNOWN, 0, 0, err->msg, err)
                                       : finish(&s, NOTE_FAILED, 0, 0, err->msg, err);
}
