/*
 * What people do: every POST of a page. Each changes Casebook's own store only (pages never write to a
 * service; the agent does) and ends in a 303 to the page it came from.
 */
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_finding.h"
#include "store/st_investigation.h"
#include "store/st_note.h"
#include "sys/log.h"
#include "web/pages/context.h"
#include "web/pages/pages.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

static int refuse(struct req *rq, struct resp *rs, const char *text)
{
    return resp_problem(rq, rs, 400, "Nothing was done", text, NULL, NULL);
}

/* The page of a sandbox, with the window that the form carried. Below BasePath. */
static char *sandbox_target(struct req *rq, int64_t ticket_id, const char *sandbox_id,
                            const char *extra)
{
    struct view_link l = {
        .rq = rq, .ticket_id = ticket_id, .from_us = TS_NONE, .to_us = TS_NONE};
    int64_t from = TS_NONE, to = TS_NONE;
    char *href;

    if (context_time(rq->arena, req_form(rq, "from"), &from) == 0 &&
        context_time(rq->arena, req_form(rq, "to"), &to) == 0 && from <= to) {
        l.from_us = from;
        l.to_us = to;
    }
    href = view_href(&l, view_sandbox_path(&l, sandbox_id), extra);
    return href + strlen(rq->app->conf->base_path);
}

/*
 * The finding that there is goes to this ticket too. 1: there is none to give; ERR_CONFLICT is none of ours
 * to tell: another investigation of the sandbox is on its way, and gets the ticket.
 */
static int give_finding(struct req *rq, const char *sid, int64_t ticket_id,
                        struct err *err)
{
    struct investigation inv;

    if (inv_latest_with_finding(rq->app->db, rq->arena, sid, &inv, err) == 0 &&
        inv.state != INV_CANCELED) {
        if (ticket_id == 0 || inv_add_ticket(rq->app->db, inv.id, ticket_id, rq->user,
                                             rq->now_us, err) == 0)
            return 0;
        return err->kind == ERR_CONFLICT ? 1 : -1;
    }
    return err->kind == ERR_DB ? -1 : 1;
}

/*
 * POST …/:sid/investigations (csrf, from, to, again)
 *
 * Queues an investigation, or finds the one that runs. A sandbox that has a finding is investigated again
 * only when `again` says so, and the old finding is kept; otherwise the finding goes to this ticket too, with a note
 * of its own.
 */
int page_investigate(struct req *rq, struct resp *rs, struct err *err)
{
    const char *sid = req_param(rq, "sid");
    struct investigation inv;
    int64_t ticket_id = 0;
    bool is_new = false;
    int rc;

    if (!text_is_empty(req_param(rq, "id")) && req_param_id(rq, "id", &ticket_id, err))
        return -1;
    if (!text_is_sandbox_id(sid))
        return refuse(rq, rs, "A sandbox id has only small letters and digits.");
    rc = text_is_empty(req_form(rq, "again")) ? give_finding(rq, sid, ticket_id, err) : 1;
    if (rc <= 0)
        return rc < 0 ? -1 : resp_redirect(rs, sandbox_target(rq, ticket_id, sid, NULL));
    *err = (struct err)ERR_INIT;
    if (inv_queue(rq->app->db, rq->arena, sid, ticket_id, rq->user, rq->now_us, &inv,
                  &is_new, err))
        return -1;
    if (!is_new && ticket_id > 0 &&
        inv_add_ticket(rq->app->db, inv.id, ticket_id, rq->user, rq->now_us, err))
        return -1;
    return resp_redirect(rs,
                         sandbox_target(rq, ticket_id, sid, is_new ? NULL : "already=1"));
}

/* The investigation of /investigations/:n/…, and where its page is. */
static int find(struct req *rq, struct investigation *inv, struct err *err)
{
    int64_t id;

    if (req_param_id(rq, "n", &id, err))
        return -1;
    return inv_get(rq->app->db, rq->arena, id, inv, err);
}

/* The ticket that the form was under: one investigation may be for several. */
static int64_t form_ticket(struct req *rq, const struct investigation *inv)
{
    int64_t id;

    return parse_i64(req_form(rq, "ticket"), 0, INT64_MAX, &id) ? inv->ticket_id : id;
}

static int back(struct req *rq, struct resp *rs, const struct investigation *inv)
{
    if (strcmp(req_form(rq, "back"), "finding") == 0)
        return resp_redirect(rs,
                             arena_fmt(rq->arena, "/investigations/%" PRId64, inv->id));
    return resp_redirect(rs,
                         sandbox_target(rq, form_ticket(rq, inv), inv->sandbox_id, NULL));
}

/* POST /investigations/:n/cancel (csrf): while it waits or works. Too late is no error: the page tells. */
int page_cancel(struct req *rq, struct resp *rs, struct err *err)
{
    struct investigation inv;

    if (find(rq, &inv, err))
        return -1;
    if (inv_cancel(rq->app->db, inv.id, rq->user, rq->now_us, err) &&
        err->kind != ERR_CONFLICT)
        return -1;
    return back(rq, rs, &inv);
}

/* POST /investigations/:n/feedback (csrf, verdict=right|wrong, class, remark): kept beside, with who and
   when; the finding is never changed. */
int page_feedback(struct req *rq, struct resp *rs, struct err *err)
{
    struct investigation inv;
    struct finding f;
    enum finding_class cls = CLASS_UNDETERMINED;
    const char *verdict = req_form(rq, "verdict");
    bool is_right = strcmp(verdict, "right") == 0;
    const char *remark = req_form(rq, "remark");

    if (find(rq, &inv, err) || finding_get(rq->app->db, rq->arena, inv.id, &f, err))
        return -1;
    if (!is_right && strcmp(verdict, "wrong") != 0)
        return refuse(rq, rs, "Say whether the finding is right or wrong.");
    if (!is_right && finding_class_parse(req_form(rq, "class"), &cls))
        return refuse(rq, rs, "Choose what it was instead.");
    if (is_right)
        cls = f.cls;
    if (feedback_add(rq->app->db, inv.id, rq->user, is_right, cls,
                     text_clean(rq->arena, remark, strlen(remark), 2000), rq->now_us,
                     err))
        return -1;
    return back(rq, rs, &inv);
}

/* POST /investigations/:n/retry-note (csrf, ticket, what): post a note again that was not posted. A failed
   investigation is taken up again at the stage that failed; with what=linear, Linear is asked again. */
int page_retry_note(struct req *rq, struct resp *rs, struct err *err)
{
    struct investigation inv;
    bool is_stage;
    int rc;

    if (find(rq, &inv, err))
        return -1;
    is_stage = inv.state == INV_FAILED || strcmp(req_form(rq, "what"), "linear") == 0;
    rc = is_stage ? inv_retry(rq->app->db, inv.id, rq->user, rq->now_us, err)
                  : note_retry(rq->app->db, inv.id, form_ticket(rq, &inv), rq->user,
                               rq->now_us, err);
    if (rc && err->kind != ERR_CONFLICT)
        return -1;
    return back(rq, rs, &inv);
}

static bool is_identifier(const char *s)
{
    size_t dash = strcspn(s, "-");
    int64_t number;

    if (dash == 0 || dash > 10 || s[dash] != '-' || strlen(s) > 24)
        return false;
    for (size_t i = 0; i < dash; i++)
        if (!((s[i] >= 'A' && s[i] <= 'Z') || (s[i] >= '0' && s[i] <= '9')))
            return false;
    return parse_i64(s + dash + 1, 1, INT32_MAX, &number) == 0;
}

/* The issue as Linear has it. 1: there is no such issue. When Linear cannot be asked, the name alone is kept. */
static int read_issue(struct req *rq, const char *name, struct issue_correction *c)
{
    struct linear_issue issue;
    struct err err = ERR_INIT;

    if (linear_read(&rq->app->linear, rq->arena, name, rq->deadline_us, &issue, &err)) {
        if (err.kind == ERR_NOTFOUND)
            return 1;
        log_err(LOG_WARN, "the issue that a person linked was not checked", &err);
        return 0;
    }
    c->issue_id = issue.id;
    c->identifier = issue.identifier;
    c->url = issue.url;
    c->title = issue.title;
    return 0;
}

/* POST /investigations/:n/link (csrf, issue): another Linear issue is the right one, or none ("" unlinks).
   Kept as a correction with who and when; the agent's decision is not overwritten. */
int page_link(struct req *rq, struct resp *rs, struct err *err)
{
    struct investigation inv;
    char *issue = text_trim(rq->arena, req_form(rq, "issue"));
    struct issue_correction c = {.by = rq->user,
                                 .at_us = rq->now_us,
                                 .identifier = issue,
                                 .url = "",
                                 .issue_id = "",
                                 .title = ""};

    if (find(rq, &inv, err))
        return -1;
    if (issue[0] && !is_identifier(issue))
        return refuse(rq, rs, "Write the issue like SUP-412.");
    if (issue[0] && read_issue(rq, issue, &c))
        return refuse(rq, rs, arena_fmt(rq->arena, "Linear has no issue %s.", issue));
    if (correction_add(rq->app->db, inv.id, &c, err))
        return -1;
    return back(rq, rs, &inv);
}
