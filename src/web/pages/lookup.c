/*
 * GET / ?q= - find a ticket.
 *
 * One box. Only digits (a leading '#' is allowed): the ticket with that number, and what the words of other
 * tickets say of it, at once (zendesk.md 2.5). What looks like a sandbox id opens that sandbox. Anything else
 * is searched: an address by requester, words as words. Without q: the tickets this user looked at last.
 */
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "store/st_finding.h"
#include "store/st_ticket.h"
#include "sys/log.h"
#include "web/pages/pages.h"
#include "web/view_ticket.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define RECENT_ROWS 12

struct lookup {
    struct req *rq;
    struct view_link link;
    const char *q;
    int64_t number; /* 0: not a number */
    int page;
    struct zendesk_ticket by_id;
    struct zendesk_search search;
};

static void ask(struct lookup *k)
{
    struct http_call *calls[2];
    struct zendesk *z = &k->rq->app->zendesk;
    size_t n = 0;

    zendesk_search_init(&k->search, z, k->rq->arena, k->q, k->page);
    calls[n++] = &k->search.call;
    if (k->number) {
        zendesk_ticket_init(&k->by_id, z, k->rq->arena, k->number);
        calls[n++] = &k->by_id.call;
    }
    http_run(k->rq->app->http, calls, n, k->rq->deadline_us);
}

/* Newest findings for the tickets on the page; without a store the column stays empty. */
static struct inv_rows known_for(struct req *rq, const int64_t *ids, size_t n)
{
    struct inv_rows rows = {0};
    struct err err = ERR_INIT;

    if (n && rq->has_db &&
        inv_list_for_tickets(rq->app->db, rq->arena, ids, n, &rows, &err))
        log_err(LOG_WARN, "findings for the list", &err);
    return rows;
}

static void show_rows(struct lookup *k, HDF *hdf)
{
    int64_t *ids = arena_array(k->rq->arena, k->search.count + 2, sizeof *ids);
    bool has_ticket = k->number && k->by_id.src.state == SOURCE_OK;
    size_t n = 0;
    struct inv_rows known;
    int row = 0;

    if (has_ticket)
        ids[n++] = k->number;
    for (size_t i = 0; i < k->search.count && n < 100; i++)
        ids[n++] = k->search.tickets[i].id;
    known = known_for(k->rq, ids, n);
    if (has_ticket)
        view_ticket_row(hput_row(hdf, "Exact", 0), &k->link, &k->by_id.ticket, &known);
    for (size_t i = 0; i < k->search.count; i++)
        if (!has_ticket || k->search.tickets[i].id != k->number)
            view_ticket_row(hput_row(hdf, "Rows", row++), &k->link, &k->search.tickets[i],
                            &known);
    hput_i64(hdf, "RowCount", row);
}

static void show_totals(struct lookup *k, HDF *hdf)
{
    struct arena *a = k->rq->arena;
    int64_t total = k->search.total > 1000 ? 1000 : k->search.total;

    if (k->search.total >= 0)
        hput_i64(hdf, "Total", k->search.total);
    hput_i64(hdf, "PageNo", k->page);
    if (k->page > 1)
        hput_str(
            hdf, "Newer",
            view_href(&k->link,
                      arena_fmt(a, "/?q=%s&page=%d", url_encode(a, k->q), k->page - 1),
                      NULL));
    if (total > (int64_t)k->page * 25)
        hput_str(
            hdf, "Older",
            view_href(&k->link,
                      arena_fmt(a, "/?q=%s&page=%d", url_encode(a, k->q), k->page + 1),
                      NULL));
}

static void show_answer(struct lookup *k, HDF *hdf)
{
    struct arena *a = k->rq->arena;
    char *retry = view_href(&k->link, arena_fmt(a, "/?q=%s", url_encode(a, k->q)), NULL);

    hput_str(hdf, "Query", k->q);
    if (k->search.src.state != SOURCE_OK)
        view_failure(hput_node(hdf, "SearchFailed"), "Zendesk",
                     "The tickets could not be searched.", &k->search.src,
                     "This does not mean that there are none.", retry);
    if (k->number && k->by_id.src.state == SOURCE_FAILED)
        view_failure(hput_node(hdf, "TicketFailed"), "Zendesk",
                     "The ticket could not be read.", &k->by_id.src,
                     "This does not mean it does not exist.", retry);
    hput_bool(hdf, "IsNumber", k->number != 0);
    hput_bool(hdf, "NoSuchNumber", k->number && k->by_id.src.state == SOURCE_NOT_THERE);
    show_rows(k, hdf);
    show_totals(k, hdf);
}

static void show_recent(struct lookup *k, HDF *hdf)
{
    struct recent_ticket *items = NULL;
    struct inv_rows known;
    struct err err = ERR_INIT;
    size_t n = 0;
    int64_t ids[RECENT_ROWS];

    hput_bool(hdf, "IsRecent", true);
    if (!k->rq->has_db || ticket_recent(k->rq->app->db, k->rq->arena, k->rq->user,
                                        RECENT_ROWS, &items, &n, &err)) {
        hput_bool(hdf, "NoStore", true);
        return;
    }
    for (size_t i = 0; i < n; i++)
        ids[i] = items[i].id;
    known = known_for(k->rq, ids, n);
    for (size_t i = 0; i < n; i++)
        view_recent_row(hput_row(hdf, "Rows", (int)i), &k->link, &items[i], &known);
    hput_i64(hdf, "RowCount", (int64_t)n);
}

int page_lookup(struct req *rq, struct resp *rs, struct err *err)
{
    struct lookup k = {.rq = rq};
    const char *digits;
    int64_t page = 1;
    HDF *hdf;

    (void)err;
    k.link = (struct view_link){.rq = rq, .from_us = TS_NONE, .to_us = TS_NONE};
    k.q = text_clean_line(rq->arena, req_query(rq, "q"), strlen(req_query(rq, "q")), 200);
    if (text_looks_like_sandbox(k.q))
        return resp_redirect(rs, arena_fmt(rq->arena, "/sandboxes/%s", k.q));
    hdf = resp_page(rq, rs, "lookup.cs", text_is_empty(k.q) ? "Find a ticket" : k.q,
                    "tickets");
    if (text_is_empty(k.q)) {
        show_recent(&k, hdf);
        return 0;
    }
    parse_i64(req_query(rq, "page"), 1, 10, &page);
    k.page = (int)page;
    digits = k.q[0] == '#' ? k.q + 1 : k.q;
    if (parse_i64(digits, 1, INT64_MAX, &k.number))
        k.number = 0;
    ask(&k);
    show_answer(&k, hdf);
    if (k.number)
        zendesk_ticket_release(&k.by_id);
    zendesk_search_release(&k.search);
    return 0;
}
