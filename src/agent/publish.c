/*
 * Exactly once as seen from outside. The ids are ours and derived from the failure, so a repeat is refused and
 * recognised; whatever a create answers that is not a clean success, the id is probed (linear.md 4.3). Notes on
 * tickets are another matter: note_send.c.
 */
#include "agent/publish.h"

#include "agent/issue_text.h"
#include "agent/lease.h"
#include "agent/note_send.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/url.h"
#include "outgoing/note_text.h"
#include "store/st_finding.h"
#include "store/st_note.h"
#include "sys/clock.h"
#include "sys/log.h"
#include "upstream/linear_write.h"
#include <string.h>

#include "base/banned.h"

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

char *publish_failure_link(const struct conf *conf, struct arena *a,
                           const struct finding *f)
{
    if (text_is_empty(conf->web.public_url) || text_is_empty(f->signature_hash))
        return arena_str(a, "");
    return arena_fmt(a, "%s/investigations?signature=%s&template=%s",
                     conf->web.public_url, f->signature_hash,
                     url_encode(a, f->template_id ? f->template_id : ""));
}

static char *page_link(struct agent *ag, struct arena *a, const struct investigation *inv)
{
    return note_link(a, ag->conf->web.public_url, inv->id);
}

/* Somebody's create with this very id: another investigation of the same failure, or our own earlier try. */
static int adopt_issue(struct agent *ag, struct arena *a, const char *uuid,
                       struct linear_decision *d, bool *found, struct err *err)
{
    struct linear_issue issue;

    *found = false;
    if (linear_probe(&ag->linear, a, uuid, lease_deadline(ag), &issue, err))
        return -1;
    if (text_is_empty(issue.id))
        return 0;
    if (issue.is_trashed)
        return err_set(err, ERR_DENIED,
                       "Linear: the issue of this failure (%s) lies in the trash; "
                       "restore it, or file one by hand",
                       issue.identifier);
    if (linear_read(&ag->linear, a, uuid, lease_deadline(ag), &d->issue, err))
        return -1;
    *found = true;
    return 0;
}

/* An issue that tells of this very sandbox was made for it: by our own create, whose answer was lost. */
static void tell_adopted(const struct investigation *inv, struct arena *a,
                         struct linear_decision *d)
{
    bool is_ours =
        strstr(d->issue.description, arena_fmt(a, "`%s`", inv->sandbox_id)) != NULL;

    d->outcome = is_ours ? LINEAR_OUTCOME_FILED : LINEAR_OUTCOME_MATCHED;
    if (!is_ours)
        d->why = "Another investigation filed it at the same moment.";
}

int publish_issue(struct agent *ag, struct arena *a, struct investigation *inv,
                  const struct finding *f, const struct evidence *ev,
                  const struct customer *who, struct linear_decision *d, struct err *err)
{
    char uuid[UUID_TEXT_SIZE];
    struct err create = ERR_INIT;
    const char *body;
    bool found;

    if (linear_team(&ag->linear, a, lease_deadline(ag), err))
        return -1;
    publish_issue_uuid(ag->linear.team_id, f->template_id, f->signature_hash, 1, uuid);
    body = issue_body(a, ag->mask, f, ev, inv, who, d->token, page_link(ag, a, inv));
    if (lease_hold(ag, inv, err))
        return -1;
    if (linear_create(&ag->linear, a, uuid, issue_title(a, ag->mask, f, who), body,
                      lease_deadline(ag), &d->issue, &create) == 0) {
        d->outcome = LINEAR_OUTCOME_FILED;
        return 0;
    }
    if (create.kind == ERR_CONFLICT)
        create.kind = ERR_INPUT; /* the id is taken: not a lost lease */
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
    tell_adopted(inv, a, d);
    return 0;
}

/* Nothing of this is worth failing for; but a wait that Linear asks for is waited for. */
static int not_put(const char *what, const struct err *err)
{
    log_err(err->is_wait ? LOG_INFO : LOG_WARN, what, err);
    return err->is_wait ? -1 : 0;
}

/* The failure's own address: whatever becomes of the text, the issue is found by it. */
static int put_failure_link(struct agent *ag, struct arena *a,
                            const struct linear_decision *d, struct err *err)
{
    if (text_is_empty(d->link) || d->has_link ||
        strcmp(d->issue.team_id, ag->linear.team_id) != 0)
        return 0;
    if (linear_put_link(&ag->linear, a, d->issue.id, d->link,
                        "All findings of this failure", lease_deadline(ag), err) == 0)
        return 0;
    return not_put("the failure's address could not be put on the issue", err);
}

static int put_ticket(struct agent *ag, struct arena *a, int64_t ticket_id,
                      const struct linear_decision *d, struct err *err)
{
    if (ticket_id == 0 || text_is_empty(d->issue.id))
        return 0;
    if (linear_link_ticket(&ag->linear, a, d->issue.id, d->issue.team_id, ticket_id,
                           zendesk_agent_link(ag->conf, a, ticket_id), lease_deadline(ag),
                           err) == 0)
        return 0;
    return not_put("the ticket could not be linked to the issue", err);
}

/* One for each sandbox, whoever and however often it is investigated. */
static char *comment_uuid(struct arena *a, const char *issue_id, const char *sandbox_id,
                          char out[UUID_TEXT_SIZE])
{
    uint8_t digest[DIGEST_SIZE];
    char *seed = arena_fmt(a, "casebook\noccurrence\n%s\n%s", issue_id, sandbox_id);

    digest_sha256(seed, strlen(seed), digest);
    return digest_uuid(digest, out);
}

static int comment_occurrence(struct agent *ag, struct arena *a,
                              const struct investigation *inv, const struct finding *f,
                              const struct linear_decision *d, struct err *err)
{
    char uuid[UUID_TEXT_SIZE];
    bool is_new = false;

    if (!ag->conf->linear.comment_occurrences || d->outcome != LINEAR_OUTCOME_MATCHED ||
        strcmp(d->issue.team_id, ag->linear.team_id) != 0)
        return 0;
    if (failure_is_new_to_customer(ag->db, inv->id, f->signature_hash, f->template_id,
                                   &is_new, err))
        return not_put("who else met this failure cannot be told", err);
    if (!is_new)
        return 0;
    comment_uuid(a, d->issue.id, inv->sandbox_id, uuid);
    if (linear_comment(
            &ag->linear, a, uuid, d->issue.id,
            issue_comment(a, ag->mask, f, clock_now_us(), page_link(ag, a, inv)),
            lease_deadline(ag), err) == 0)
        return 0;
    return not_put("the occurrence could not be told on the issue", err);
}

int publish_around(struct agent *ag, struct arena *a, const struct investigation *inv,
                   const struct finding *f, const struct linear_decision *d,
                   struct err *err)
{
    if (text_is_empty(d->issue.id))
        return 0;
    if (put_ticket(ag, a, inv->ticket_id, d, err) || put_failure_link(ag, a, d, err) ||
        comment_occurrence(ag, a, inv, f, d, err))
        return -1;
    *err = (struct err)ERR_INIT;
    return 0;
}

/* What a person linked since the decision is what the note of a later ticket has to name. */
static int corrected(struct agent *ag, struct arena *a, const struct investigation *inv,
                     struct linear_decision *d, struct err *err)
{
    struct issue_correction *all, *last;
    size_t n;

    if (correction_list(ag->db, a, inv->id, &all, &n, err))
        return -1;
    if (n == 0)
        return 0;
    last = &all[n - 1];
    note_correct(a, last->by,
                 &(struct linear_issue){.id = last->issue_id,
                                        .identifier = last->identifier,
                                        .url = last->url,
                                        .title = last->title},
                 d);
    return 0;
}

static int note_one(struct agent *ag, struct arena *a, struct investigation *inv,
                    const struct finding *f, const struct linear_decision *d,
                    struct note *note, const struct tries *tries, struct err *err)
{
    char marker[UUID_TEXT_SIZE];
    int64_t ticket_id = note->ticket_id, now_us = clock_now_us();

    if (note->state == NOTE_NONE) {
        if (ticket_id != inv->ticket_id && put_ticket(ag, a, ticket_id, d, err) &&
            !tries->is_too_old)
            return -1;
        random_uuid(marker);
        if (note_prepare(ag->db, a, inv, ticket_id, marker,
                         note_html(a, ag->mask, f, inv, d, ag->conf->web.public_url,
                                   marker, now_us),
                         now_us, note, err))
            return -1;
    }
    if (note->state != NOTE_PREPARED && note->state != NOTE_UNKNOWN)
        return 0;
    return note_send(ag, a, inv, note, tries, err);
}

/* One that must wait does not hold the others; the first trouble is the one that is told. */
int publish_notes(struct agent *ag, struct arena *a, struct investigation *inv,
                  const struct finding *f, struct linear_decision *d,
                  const struct tries *tries, struct err *err)
{
    struct note *notes;
    size_t n;
    int rc = 0;

    if (note_list(ag->db, a, inv->id, &notes, &n, err) || corrected(ag, a, inv, d, err))
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct err one = ERR_INIT;

        if (note_one(ag, a, inv, f, d, &notes[i], tries, &one) == 0)
            continue;
        if (rc == 0 || one.kind == ERR_DB || one.kind == ERR_CONFLICT)
            *err = one;
        rc = -1;
        if (one.kind == ERR_DB || one.kind == ERR_CONFLICT)
            break;
    }
    return rc;
}
