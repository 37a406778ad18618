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
 * POST …/:sid/investigations (csrf, from, to, again)
 *
 * Queues an investigation, or finds the one that runs. A sandbox that has a finding is investigated again
 * only when `again` says so; the old finding is kept.
 */
int page_investigate(struct req *rq, struct resp *rs, struct err *err)
{
    const char *sid = req_param(rq, "sid");
    struct investigation inv;
    int64_t ticket_id = 0;
    bool is_new = false;

    if (!text_is_empty(req_param(rq, "id")) && req_param_id(rq, "id", &ticket_id, err))
        return -1;
    if (!text_is_sandbox_id(sid))
        return refuse(rq, rs, "A sandbox id has only small letters and digits.");
    if (text_is_empty(req_form(rq, "again")) &&
        inv_latest_with_finding(rq->app->db, rq->arena, sid, &inv, err) == 0)
        return resp_redirect(rs, sandbox_target(rq, ticket_id, sid, NULL));
    if (err->kind == ERR_DB)
        return -1;
    *err = (struct err)ERR_INIT;
    if (inv_queue(rq->app->db, rq->arena, sid, ticket_id, rq->user, rq->now_us, &inv,
                  &is_new, err))
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

static int back(struct req *rq, struct resp *rs, const struct investigation *inv)
{
    if (strcmp(req_form(rq, "back"), "finding") == 0)
        return resp_redirect(rs,
                             arena_fmt(rq->arena, "/investigations/%" PRId64, inv->id));
    return resp_redirect(rs, sandbox_target(rq, inv->ticket_id, inv->sandbox_id, NULL));
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

/* POST /investigations/:n/retry-note (csrf): post a note again that was not posted. Also takes a failed
   investigation up again at the stage that failed. */
int page_retry_note(struct req *rq, struct resp *rs, struct err *err)
{
    struct investigation inv;
    int rc;

    if (find(rq, &inv, err))
        return -1;
    rc = inv.state == INV_FAILED ? inv_retry(rq->app->db, inv.id, rq->now_us, err)
                                 : note_retry(rq->app->db, inv.id, rq->now_us, err);
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

/* POST /investigations/:n/link (csrf, issue): another Linear issue is the right one, or none ("" unlinks).
   Kept as a correction with who and when; the agent's decision is not overwritten. */
int page_link(struct req *rq, struct resp *rs, struct err *err)
{
    struct investigation inv;
    char *issue = text_trim(rq->arena, req_form(rq, "issue"));

    if (find(rq, &inv, err))
        return -1;
    if (issue[0] && !is_identifier(issue))
        return refuse(rq, rs, "Write the issue like SUP-412.");
    if (correction_add(rq->app->db, inv.id, rq->user, issue, "", rq->now_us, err))
        return -1;
    return back(rq, rs, &inv);
}
