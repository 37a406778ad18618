/*
 * The E2B client: what all reads have in common, and the two that are one request each, Get Sandbox
 * and metrics. Only GETs are made here; there is no other method in these files.
 */
#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "sys/clock.h"
#include "upstream/e2b_private.h"

#include "base/banned.h"

void e2b_init(struct e2b *e, const struct conf *conf, struct http *http)
{
    *e = (struct e2b){.conf = conf, .http = http};
}

/* -- asking ------------------------------------------------------------------------------ */

bool e2b_send(struct http_call *call, const struct e2b *e, struct arena *a,
              const char *path)
{
    struct http_request *rq = &call->req;
    size_t n = strlen(e->conf->e2b.base_url);

    while (n && e->conf->e2b.base_url[n - 1] == '/')
        n--;
    rq->method = HTTP_GET;
    rq->url = arena_fmt(a, "%.*s%s", (int)n, e->conf->e2b.base_url, path);
    if (!rq->header_count) {
        rq->headers[0] = "Accept: application/json";
        rq->headers[1] = arena_fmt(a, "X-API-Key: %s", e->conf->e2b.api_key);
        rq->header_count = 2;
    }
    return true;
}

bool e2b_id_ok(struct source *src, const char *sandbox_id)
{
    if (text_is_sandbox_id(sandbox_id))
        return true;
    *src = (struct source){.state = SOURCE_FAILED};
    err_set(&src->err, ERR_INPUT, "this is no sandbox id");
    return false;
}

/* -- judging an answer ------------------------------------------------------------------- */

struct status_meaning {
    int status;
    enum err_kind kind;
    bool is_retryable;
};

static const struct status_meaning meanings[] = {
    {400, ERR_INPUT,    false},
    {401, ERR_AUTH,     false},
    {403, ERR_DENIED,   false},
    {404, ERR_NOTFOUND, false},
    {409, ERR_CONFLICT, true },
    {429, ERR_UPSTREAM, true },
};

static void err_from_status(const struct http_response *r, const struct e2b *e,
                            struct arena *a, struct err *err)
{
    struct status_meaning m = {r->status, ERR_UPSTREAM, r->status >= 500};
    const char *words =
        e2b_error_words(a, r->body.s, r->body.len, r->content_type, e->conf->e2b.api_key);

    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
        if (meanings[i].status == r->status)
            m = meanings[i];
    }
    if (*words)
        err_set(err, m.kind, "%s", words);
    else
        err_set(err, m.kind, "HTTP %d without a word", r->status);
    err->is_retryable = m.is_retryable;
    err->retry_after_us = http_retry_after_us(r, clock_now_us());
    err->is_wait = r->status == 429 && err->retry_after_us > 0;
}

static void err_not_json(const struct http_response *r, const struct e2b *e,
                         struct arena *a, struct err *err)
{
    const char *type = text_clean_line(a, r->content_type, strlen(r->content_type), 60);
    const char *words =
        e2b_error_words(a, r->body.s, r->body.len, r->content_type, e->conf->e2b.api_key);

    err_set(err, ERR_UPSTREAM, "an answer of type \"%s\" instead of JSON: %s", type,
            words);
    err->http_status = r->status;
}

int e2b_judge(const struct http_call *call, const struct e2b *e, struct arena *a,
              struct err *err)
{
    const struct http_response *r = &call->resp;

    if (r->err.kind != ERR_NONE) {
        *err = r->err;
        return -1;
    }
    if (r->status != 200) {
        err_from_status(r, e, a, err);
        return -1;
    }
    if (r->content_type[0] && !http_is_json(r)) {
        err_not_json(r, e, a, err);
        return -1;
    }
    return 0;
}

json_t *e2b_answer(const struct http_call *call, const struct e2b *e, struct arena *a,
                   struct err *err)
{
    if (e2b_judge(call, e, a, err))
        return NULL;
    return jget_load(call->resp.body.s, call->resp.body.len, err);
}

enum source_state e2b_state_of(const struct http_call *call)
{
    const struct http_response *r = &call->resp;

    if (r->err.kind != ERR_NONE || r->status != 404)
        return SOURCE_FAILED;
    return e2b_is_no_route(r->body.s, r->body.len) ? SOURCE_UNSUPPORTED
                                                   : SOURCE_NOT_THERE;
}

/* -- the account of a source ------------------------------------------------------------- */

void e2b_source_page(struct source *src, const struct http_call *call,
                     const struct e2b_page *page)
{
    src->state = SOURCE_OK;
    src->fetched_us = clock_now_us();
    src->took_us += call->resp.took_us;
    src->tries += call->resp.tries;
    if (page && page->bad && src->err.kind == ERR_NONE) {
        src->err = page->why;
        err_ctx(&src->err, "%zu of %zu rows are unreadable", page->bad, page->rows);
    }
}

bool e2b_source_fail(struct source *src, const struct http_call *call, bool has_data,
                     enum source_state state, const struct err *err)
{
    src->state = has_data ? SOURCE_OK : state;
    src->is_cut = has_data;
    src->err = *err;
    src->err.http_status = call->resp.status; /* also of a 200 that was no use */
    src->tries = call->resp.tries;
    src->took_us = call->resp.took_us;
    if (!has_data)
        src->fetched_us = clock_now_us();
    return false;
}

/* -- GET /sandboxes/{id} ----------------------------------------------------------------- */

/*
 * "No such sandbox" only in E2B's own words or in none: the 404 page of a proxy, or of another
 * program at a wrong BaseUrl, says nothing about the sandbox.
 */
static enum source_state get_state(const struct http_call *call)
{
    enum source_state state = e2b_state_of(call);

    if (state == SOURCE_UNSUPPORTED)
        return call->resp.body.len ? SOURCE_FAILED : SOURCE_NOT_THERE;
    return state;
}

static bool get_next(struct http_call *call)
{
    struct e2b_get *op = (struct e2b_get *)call;
    struct err err = ERR_INIT;
    json_t *doc;
    int rc;

    doc = e2b_answer(call, op->e2b, op->arena, &err);
    if (!doc)
        return e2b_source_fail(&op->src, call, false, get_state(call), &err);
    rc = sandbox_from_json(op->arena, doc, &op->sandbox, &err);
    json_decref(doc);
    if (rc)
        return e2b_source_fail(&op->src, call, false, SOURCE_FAILED, &err);
    e2b_source_page(&op->src, call, NULL);
    return false;
}

void e2b_get_init(struct e2b_get *op, struct e2b *e, struct arena *a,
                  const char *sandbox_id)
{
    *op = (struct e2b_get){.e2b = e, .arena = a};
    http_call_init(&op->call, NULL);
    if (!e2b_id_ok(&op->src, sandbox_id))
        return; /* no url, no next(): the call ends at once */
    op->call.next = get_next;
    e2b_send(&op->call, e, a, arena_fmt(a, "/sandboxes/%s", sandbox_id));
}

void e2b_get_release(struct e2b_get *op)
{
    http_call_release(&op->call);
}

/* -- GET /sandboxes/{id}/metrics --------------------------------------------------------- */

static bool metrics_next(struct http_call *call)
{
    struct e2b_metrics *op = (struct e2b_metrics *)call;
    struct err err = ERR_INIT;
    struct e2b_page page;
    json_t *doc;
    int rc;

    doc = e2b_answer(call, op->e2b, op->arena, &err);
    if (!doc)
        return e2b_source_fail(&op->src, call, false, e2b_state_of(call), &err);
    rc = e2b_parse_metrics(op->arena, doc, &page, &op->metrics, &op->count, &err);
    json_decref(doc);
    if (rc)
        return e2b_source_fail(&op->src, call, false, SOURCE_FAILED, &err);
    op->cap = op->count;
    e2b_source_page(&op->src, call, &page);
    return false;
}

void e2b_metrics_init(struct e2b_metrics *op, struct e2b *e, struct arena *a,
                      const char *sandbox_id, int64_t from_us, int64_t to_us)
{
    char *path;

    *op = (struct e2b_metrics){.e2b = e,
                               .arena = a,
                               .sandbox_id = sandbox_id,
                               .from_us = from_us,
                               .to_us = to_us};
    http_call_init(&op->call, NULL);
    if (!e2b_id_ok(&op->src, sandbox_id))
        return;
    op->call.next = metrics_next;
    path = arena_fmt(a, "/sandboxes/%s/metrics", sandbox_id);
    /* both or neither: one alone, or in the wrong order, is a 400 (e2b.md 4) */
    if (from_us != TS_NONE && to_us != TS_NONE && from_us >= 0 && from_us <= to_us)
        path = arena_fmt(a, "%s?start=%lld&end=%lld", path, (long long)(from_us / TS_SEC),
                         (long long)((to_us + TS_SEC - 1) / TS_SEC));
    e2b_send(&op->call, e, a, path);
}

void e2b_metrics_release(struct e2b_metrics *op)
{
    http_call_release(&op->call);
}
