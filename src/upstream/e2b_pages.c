/* Single pages of E2B's team-wide lists (e2b.md 2.1, 2.4, 6.2). */
#include "upstream/e2b_pages.h"

#include "base/arena.h"
#include "base/url.h"
#include "upstream/e2b_private.h"

#include "base/banned.h"

#define TOKEN_MAX 1024

/* ---- the feed ---- */

/* 404 means "no events here" on an installation without the route (e2b.md 1.1); a thing that might
   be missing is not named. */
static enum source_state feed_state(struct e2b_feed_page *op)
{
    enum source_state state = e2b_state_of(&op->call);

    if (state == SOURCE_FAILED || op->e2b->has_events == 1)
        return SOURCE_FAILED;
    if (state == SOURCE_UNSUPPORTED)
        op->e2b->has_events = -1;
    return SOURCE_UNSUPPORTED;
}

static bool feed_next(struct http_call *call)
{
    struct e2b_feed_page *op = (struct e2b_feed_page *)call;
    struct err err = ERR_INIT;
    struct e2b_page page;
    json_t *doc = e2b_answer(call, op->e2b, op->arena, &err);
    int rc =
        doc ? e2b_parse_events(op->arena, doc, &page, &op->events, &op->count, &err) : -1;

    json_decref(doc);
    if (rc)
        return e2b_source_fail(&op->src, call, false, feed_state(op), &err);
    op->e2b->has_events = 1;
    op->rows = page.rows;
    e2b_source_page(&op->src, call, &page);
    return false;
}

void e2b_feed_page_init(struct e2b_feed_page *op, struct e2b *e, struct arena *a,
                        int64_t offset, int limit)
{
    *op = (struct e2b_feed_page){.e2b = e, .arena = a};
    http_call_init(&op->call, feed_next);
    e2b_send(&op->call, e, a,
             arena_fmt(a, "/events/sandboxes?offset=%lld&limit=%d&orderAsc=false",
                       (long long)offset, limit));
}

void e2b_feed_page_release(struct e2b_feed_page *op)
{
    http_call_release(&op->call);
}

/* ---- the list ---- */

static bool list_send(struct e2b_list_page *op)
{
    struct arena *a = op->arena;

    if (op->is_v1)
        return e2b_send(&op->call, op->e2b, a, "/sandboxes");
    return e2b_send(&op->call, op->e2b, a,
                    arena_fmt(a, "/v2/sandboxes?state=running%%2Cpaused&limit=%d%s%s",
                              E2B_PAGE_MAX, op->token ? "&nextToken=" : "",
                              op->token ? url_encode(a, op->token) : ""));
}

static bool list_next(struct http_call *call)
{
    struct e2b_list_page *op = (struct e2b_list_page *)call;
    struct err err = ERR_INIT;
    struct e2b_page page;
    char token[TOKEN_MAX];
    json_t *doc;
    int rc;

    if (call->resp.status == 404 && !op->is_v1 && !op->token) {
        op->is_v1 = true;
        return list_send(op);
    }
    doc = e2b_answer(call, op->e2b, op->arena, &err);
    rc =
        doc ? e2b_parse_sandboxes(op->arena, doc, &page, &op->sandboxes, &op->count, &err)
            : -1;
    json_decref(doc);
    if (rc)
        return e2b_source_fail(&op->src, call, false, SOURCE_FAILED, &err);
    if (!op->is_v1 && http_header(&call->resp, "X-Next-Token", token, sizeof(token)))
        op->next_token = arena_str(op->arena, token);
    e2b_source_page(&op->src, call, &page);
    return false;
}

void e2b_list_page_init(struct e2b_list_page *op, struct e2b *e, struct arena *a,
                        const char *token)
{
    *op = (struct e2b_list_page){.e2b = e, .arena = a, .token = token, .next_token = ""};
    http_call_init(&op->call, list_next);
    list_send(op);
}

void e2b_list_page_release(struct e2b_list_page *op)
{
    http_call_release(&op->call);
}
