/*
 * The three reads of Zendesk as operations for a batch: a ticket, its comments, a search.
 */
#include "upstream/zendesk.h"

#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/url.h"
#include "upstream/zendesk_parse.h"
#include "upstream/zendesk_query.h"
#include "upstream/zendesk_request.h"

#include "base/banned.h"

#define COMMENT_PAGES_MAX 50
#define SEARCH_PAGE_MAX 10
#define SEARCH_PER_PAGE 25

/* --- a ticket --- */

static bool ticket_next(struct http_call *call)
{
    struct zendesk_ticket *op = (struct zendesk_ticket *)call;
    struct err err = ERR_INIT;
    json_t *doc;

    switch (zendesk_request_step(&op->rq, call, &op->src, &doc)) {
    case ZSTEP_AGAIN:
        return true;
    case ZSTEP_FAILED:
        return false;
    case ZSTEP_DONE:
        break;
    }
    if (zendesk_parse_ticket(op->rq.arena, doc, &op->ticket, &err))
        zendesk_source_end(&op->src, &op->rq, &err);
    else
        zendesk_source_end(&op->src, &op->rq, NULL);
    json_decref(doc);
    return false;
}

void zendesk_ticket_init(struct zendesk_ticket *op, struct zendesk *z, struct arena *a,
                         int64_t ticket_id)
{
    const char *path = arena_fmt(
        a, "/api/v2/tickets/%lld.json?include=users,organizations,comment_count",
        (long long)ticket_id);

    memset(op, 0, sizeof *op);
    http_call_init(&op->call, ticket_next);
    zendesk_request_start(&op->rq, z, a, &op->call,
                          arena_fmt(a, "ticket %lld", (long long)ticket_id),
                          zendesk_url(z->conf, a, path), NULL);
}

void zendesk_ticket_release(struct zendesk_ticket *op)
{
    http_call_release(&op->call);
}

/* --- its comments --- */

static const char *comments_url(struct zendesk *z, struct arena *a, int64_t ticket_id,
                                const char *cursor)
{
    const char *after =
        cursor ? arena_fmt(a, "&page%%5Bafter%%5D=%s", url_encode(a, cursor)) : "";

    return zendesk_url(
        z->conf, a,
        arena_fmt(a,
                  "/api/v2/tickets/%lld/comments.json?page%%5Bsize%%5D=100%s"
                  "&sort=created_at&include=users&include_inline_images=true",
                  (long long)ticket_id, after));
}

/* A later page failed: what came before it is shown, and src.err says why there is no more. */
static void comments_keep(struct zendesk_comments *op)
{
    if (op->pages == 0)
        return;
    op->src.state = SOURCE_OK;
    op->src.is_cut = true;
}

/* True: there is another page to ask for. */
static bool comments_take(struct zendesk_comments *op, const json_t *doc)
{
    struct zendesk_comment_page page = {
        .items = op->comments, .count = op->count, .cap = op->cap};
    struct err err = ERR_INIT;

    if (zendesk_parse_comments(op->rq.arena, doc, &page, &err)) {
        zendesk_source_end(&op->src, &op->rq, &err);
        comments_keep(op);
        return false;
    }
    op->comments = page.items;
    op->count = page.count;
    op->cap = page.cap;
    op->pages++;
    op->src.is_cut = page.is_cut;
    if (!page.next_cursor[0]) {
        zendesk_source_end(&op->src, &op->rq, NULL);
        return false;
    }
    if (op->pages >= COMMENT_PAGES_MAX ||
        (op->cursor && strcmp(op->cursor, page.next_cursor) == 0)) {
        op->src.is_cut = true;
        zendesk_source_end(&op->src, &op->rq, NULL);
        return false;
    }
    op->cursor = page.next_cursor;
    return true;
}

static bool comments_next(struct http_call *call)
{
    struct zendesk_comments *op = (struct zendesk_comments *)call;
    bool has_more;
    json_t *doc;

    switch (zendesk_request_step(&op->rq, call, &op->src, &doc)) {
    case ZSTEP_AGAIN:
        return true;
    case ZSTEP_FAILED:
        comments_keep(op);
        return false;
    case ZSTEP_DONE:
        break;
    }
    has_more = comments_take(op, doc);
    json_decref(doc);
    if (has_more)
        zendesk_request_get(
            &op->rq, call,
            comments_url(op->rq.z, op->rq.arena, op->ticket_id, op->cursor));
    return has_more;
}

void zendesk_comments_init(struct zendesk_comments *op, struct zendesk *z,
                           struct arena *a, int64_t ticket_id)
{
    memset(op, 0, sizeof *op);
    op->ticket_id = ticket_id;
    http_call_init(&op->call, comments_next);
    zendesk_request_start(&op->rq, z, a, &op->call,
                          arena_fmt(a, "comments of ticket %lld", (long long)ticket_id),
                          comments_url(z, a, ticket_id, NULL), NULL);
}

void zendesk_comments_release(struct zendesk_comments *op)
{
    http_call_release(&op->call);
}

/* --- a search --- */

/* The answer lacked its users: GET /users/show_many for them (zendesk.md 2.4). NULL: nobody to ask. */
static const char *people_url(const struct zendesk_search *op)
{
    const char *url = NULL;
    struct sbuf sb;

    sbuf_init(&sb, 4096);
    for (size_t i = 0; i < op->count; i++) {
        int64_t id = op->tickets[i].requester.id;

        for (size_t k = 0; k < i && id > 0; k++) {
            if (op->tickets[k].requester.id == id)
                id = 0;
        }
        if (id > 0)
            sbuf_addf(&sb, "%s%lld", sb.len > 0 ? "," : "", (long long)id);
    }
    if (sb.len > 0)
        url = zendesk_url(
            op->rq.z->conf, op->rq.arena,
            arena_fmt(op->rq.arena, "/api/v2/users/show_many.json?ids=%s", sb.s));
    sbuf_release(&sb);
    return url;
}

/* A search by address also brings look-alikes (zendesk.md 2.5). */
static void keep_exact(struct zendesk_search *op)
{
    size_t n = 0;

    if (!op->email)
        return;
    for (size_t i = 0; i < op->count; i++) {
        if (text_ieq(op->tickets[i].requester.email, op->email))
            op->tickets[n++] = op->tickets[i];
    }
    op->count = n;
    op->is_by_email = true;
}

/* The next address to ask, or NULL: src is complete. */
static const char *search_take(struct zendesk_search *op, const json_t *doc)
{
    struct zendesk_tickets found = {.items = op->tickets, .count = op->count};
    struct err err = ERR_INIT;

    if (op->asks_people) {
        zendesk_parse_requesters(op->rq.arena, doc, &found);
    } else if (zendesk_parse_search(op->rq.arena, doc, &found, &err)) {
        zendesk_source_end(&op->src, &op->rq, &err);
        return NULL;
    } else {
        op->tickets = found.items;
        op->count = found.count;
        op->cap = found.cap;
        op->total = found.total;
        if (!found.has_people && people_url(op)) {
            op->asks_people = true;
            return people_url(op);
        }
    }
    keep_exact(op);
    zendesk_source_end(&op->src, &op->rq, NULL);
    return NULL;
}

static bool search_next(struct http_call *call)
{
    struct zendesk_search *op = (struct zendesk_search *)call;
    const char *url;
    json_t *doc;

    if (!op->query)
        return false;
    switch (zendesk_request_step(&op->rq, call, &op->src, &doc)) {
    case ZSTEP_AGAIN:
        return true;
    case ZSTEP_FAILED:
        op->count = 0;
        return false;
    case ZSTEP_DONE:
        break;
    }
    url = search_take(op, doc);
    json_decref(doc);
    if (url)
        zendesk_request_get(&op->rq, call, url);
    return url != NULL;
}

void zendesk_search_init(struct zendesk_search *op, struct zendesk *z, struct arena *a,
                         const char *text, int page)
{
    struct zendesk_query query;
    const char *path;

    memset(op, 0, sizeof *op);
    op->total = -1;
    http_call_init(&op->call, search_next);
    zendesk_query_build(a, text, &query);
    op->query = query.text;
    op->email = query.email;
    if (!query.text) {
        op->src.state = SOURCE_FAILED;
        err_set(&op->src.err, ERR_INPUT,
                "zendesk: search: there is nothing to search for");
        return;
    }
    if (page < 1)
        page = 1;
    if (page > SEARCH_PAGE_MAX)
        page = SEARCH_PAGE_MAX;
    path = arena_fmt(a,
                     "/api/v2/search.json?query=%s%s&per_page=%d"
                     "&include=tickets(users,organizations)%s",
                     url_encode(a, query.text),
                     query.email ? "&sort_by=updated_at&sort_order=desc" : "",
                     SEARCH_PER_PAGE, page > 1 ? arena_fmt(a, "&page=%d", page) : "");
    zendesk_request_start(&op->rq, z, a, &op->call, "search",
                          zendesk_url(z->conf, a, path), NULL);
}

void zendesk_search_release(struct zendesk_search *op)
{
    http_call_release(&op->call);
}
