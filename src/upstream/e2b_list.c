/*
 * List Sandboxes, all pages (e2b.md 2): collected into one row per sandbox id, since a sandbox that
 * changes between two pages can come twice. Where the v2 route is missing, the older one is asked,
 * which knows running sandboxes only and has no pages.
 */
#include <string.h>

#include "base/arena.h"
#include "base/url.h"
#include "upstream/e2b_private.h"

#include "base/banned.h"

#define LIST_PAGES_MAX 20
#define TOKEN_MAX 1024

static bool list_send(struct e2b_list *op)
{
    struct arena *a = op->arena;
    char *path;

    if (op->is_v1) {
        path = op->filter ? arena_fmt(a, "/sandboxes?metadata=%s", op->filter)
                          : arena_str(a, "/sandboxes");
        return e2b_send(&op->call, op->e2b, a, path);
    }
    path = arena_fmt(a, "/v2/sandboxes?state=%s&limit=100", url_encode(a, op->states));
    if (op->filter)
        path = arena_fmt(a, "%s&metadata=%s", path, op->filter);
    if (op->token)
        path = arena_fmt(a, "%s&nextToken=%s", path, url_encode(a, op->token));
    return e2b_send(&op->call, op->e2b, a, path);
}

/* A later page is the fresher news about a sandbox that is there already. */
static void list_merge(struct e2b_list *op, const struct sandbox *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = 0;

        while (at < op->count && strcmp(op->sandboxes[at].id, rows[i].id))
            at++;
        if (at == op->count) {
            op->sandboxes = arena_grow(op->arena, op->sandboxes, op->count, &op->cap,
                                       sizeof(*op->sandboxes));
            op->count++;
        }
        op->sandboxes[at] = rows[i];
    }
}

/* true: there is another page, and it was asked for. */
static bool list_turn_page(struct e2b_list *op)
{
    char token[TOKEN_MAX];

    if (op->is_v1 || !http_header(&op->call.resp, "X-Next-Token", token, sizeof(token)) ||
        !token[0])
        return false;
    if ((op->token && !strcmp(op->token, token)) || op->pages >= LIST_PAGES_MAX) {
        op->src.is_cut = true;
        return false;
    }
    op->token = arena_str(op->arena, token);
    return list_send(op);
}

static bool list_next(struct http_call *call)
{
    struct e2b_list *op = (struct e2b_list *)call;
    struct err err = ERR_INIT;
    struct e2b_page page;
    struct sandbox *rows = NULL;
    size_t n = 0;
    json_t *doc;
    int rc;

    if (!call->req.url)
        return list_send(op);
    if (call->resp.status == 404 && !op->is_v1 && !op->pages) {
        op->is_v1 = true;
        return list_send(op);
    }
    doc = e2b_answer(call, op->e2b, op->arena, &err);
    if (!doc)
        return e2b_source_fail(&op->src, call, op->pages > 0, SOURCE_FAILED, &err);
    rc = e2b_parse_sandboxes(op->arena, doc, &page, &rows, &n, &err);
    json_decref(doc);
    if (rc)
        return e2b_source_fail(&op->src, call, op->pages > 0, SOURCE_FAILED, &err);
    op->pages++;
    list_merge(op, rows, n);
    e2b_source_page(&op->src, call, &page);
    return list_turn_page(op);
}

void e2b_list_init(struct e2b_list *op, struct e2b *e, struct arena *a, const char *key,
                   const char *value)
{
    struct tag tag = {key, value ? value : ""};

    *op = (struct e2b_list){.e2b = e, .arena = a, .states = "running,paused"};
    http_call_init(&op->call, list_next);
    if (key)
        op->filter = e2b_metadata_filter(a, &tag, 1);
}

void e2b_list_release(struct e2b_list *op)
{
    http_call_release(&op->call);
}
