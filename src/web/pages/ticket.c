/*
 * GET /tickets/:id ?from=&to= - the conversation, the complaint window, what was investigated.
 *
 * Ticket, conversation and the states of the Linear issues are read at once; one that fails costs its part of the page.
 */
#include "base/ts.h"
#include "store/st_finding.h"
#include "sys/log.h"
#include "web/pages/context.h"
#include "web/pages/live.h"
#include "web/pages/pages.h"
#include "web/view_ticket.h"
#include <inttypes.h>

#include "base/banned.h"

#define HISTORY_ROWS 50

struct page {
    struct req *rq;
    struct context ctx;
    struct zendesk_comments comments;
    struct inv_rows history;
    bool has_history;
    struct live live;
};

/* Before anything is asked for: the states of its issues are read along. */
static void load_history(struct page *p)
{
    struct inv_filter f = {
        .cls = -1, .ticket_id = p->ctx.link.ticket_id, .limit = HISTORY_ROWS};
    struct err err = ERR_INIT;

    p->has_history = p->rq->has_db &&
                     inv_list(p->rq->app->db, p->rq->arena, &f, &p->history, &err) == 0;
    for (size_t i = 0; p->has_history && i < p->history.count; i++)
        live_want(&p->live, p->history.items[i].issue_id);
}

static void show_history(struct page *p, HDF *hdf)
{
    live_take(&p->live);
    hput_bool(hdf, "HistoryFailed", !p->has_history);
    for (size_t i = 0; p->has_history && i < p->history.count; i++) {
        HDF *row = hput_row(hdf, "History", (int)i);

        view_inv_row(row, &p->ctx.link, &p->history.items[i]);
        view_issue_state(row, live_find(&p->live, p->history.items[i].issue_id));
    }
    hput_bool(hdf, "HistoryMore", p->has_history && p->history.has_more);
}

static void show_conversation(struct page *p, HDF *hdf, const struct ticket *t)
{
    char *self = view_href(
        &p->ctx.link, arena_fmt(p->rq->arena, "/tickets/%" PRId64, p->ctx.link.ticket_id),
        NULL);

    if (p->comments.src.state != SOURCE_OK)
        view_failure(hput_node(hdf, "CommentsFailed"), "Zendesk",
                     "The conversation could not be read.", &p->comments.src, NULL, self);
    view_comments(hdf, &p->ctx.link, t, p->comments.comments, p->comments.count,
                  p->rq->app->phrases, p->rq->app->times);
    hput_bool(hdf, "CommentsCut", p->comments.src.is_cut);
}

static void show(struct page *p, struct resp *rs, const struct ticket *t)
{
    struct arena *a = p->rq->arena;
    HDF *hdf = resp_page(p->rq, rs, "ticket.cs",
                         arena_fmt(a, "#%" PRId64 ": %s", t->id, t->subject), "tickets");
    size_t n = 0;
    struct window_proposal *proposals = window_propose(
        p->rq->app->times, a, t, p->comments.comments, p->comments.count, &n);

    context_strip(&p->ctx, hdf, "ticket");
    view_ticket_head(hdf, t, p->rq->now_us);
    view_window_form(hdf, &p->ctx.link, p->ctx.from_text, p->ctx.to_text,
                     p->ctx.window_error, proposals, n);
    show_conversation(p, hdf, t);
    show_history(p, hdf);
}

/* Without the ticket nothing but its number and what Casebook did is known; that is shown. */
static void show_failed(struct page *p, struct resp *rs)
{
    struct arena *a = p->rq->arena;
    char *title = arena_fmt(a, "Ticket #%" PRId64, p->ctx.link.ticket_id);
    char *self = view_href(
        &p->ctx.link, arena_fmt(a, "/tickets/%" PRId64, p->ctx.link.ticket_id), NULL);
    HDF *hdf = resp_page(p->rq, rs, "ticket.cs", title, "tickets");

    rs->status = 502;
    context_strip(&p->ctx, hdf, "ticket");
    hput_str(hdf, "Ticket.Subject", title);
    view_failure(hput_node(hdf, "TicketFailed"), "Zendesk",
                 "The ticket could not be read.", &p->ctx.ticket.src,
                 "This does not mean it does not exist.", self);
    show_history(p, hdf);
}

int page_ticket(struct req *rq, struct resp *rs, struct err *err)
{
    struct page p = {.rq = rq};
    struct http_call *calls[3];
    size_t n;
    int rc = 0;

    if (context_init(&p.ctx, rq, true, err))
        return -1;
    load_history(&p);
    n = context_calls(&p.ctx, calls, 0);
    n = live_calls(&p.live, rq, calls, n);
    zendesk_comments_init(&p.comments, &rq->app->zendesk, rq->arena,
                          p.ctx.link.ticket_id);
    calls[n++] = &p.comments.call;
    http_run(rq->app->http, calls, n, rq->deadline_us);
    context_remember(&p.ctx);
    if (context_ticket(&p.ctx)) {
        show(&p, rs, context_ticket(&p.ctx));
    } else if (p.ctx.ticket.src.state == SOURCE_NOT_THERE) {
        rc = resp_problem(
            rq, rs, 404,
            arena_fmt(rq->arena, "There is no ticket #%" PRId64, p.ctx.link.ticket_id),
            "Zendesk knows no ticket with this number: it does not exist, was "
            "deleted, or Casebook's Zendesk user may not see it.",
            arena_fmt(rq->arena, "/?q=%" PRId64, p.ctx.link.ticket_id),
            "Search the text of tickets for it");
    } else {
        show_failed(&p, rs);
    }
    zendesk_comments_release(&p.comments);
    live_release(&p.live);
    context_release(&p.ctx);
    return rc;
}
