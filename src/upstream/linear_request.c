/*
 * What every exchange with Linear has in common: the address, the key, the body, and reading whether
 * it was a success (linear.md 1.1 to 1.3).
 */
#include "upstream/linear_request.h"

#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "sys/clock.h"
#include "upstream/linear_parse.h"

#include "base/banned.h"

#define MAX_BODY ((size_t)8 << 20)

/* OAuth tokens: "lin_oauth_…", or the older form of nothing but hex digits. */
static bool is_oauth_token(const char *key)
{
    return text_starts(key, "lin_oauth_") ||
           (strlen(key) >= 40 && strspn(key, "0123456789abcdef") == strlen(key));
}

/* A personal key goes bare, also when somebody wrote "Bearer" in front of it (linear.md, rule 1). */
static const char *authorization(struct arena *a, const char *key)
{
    bool has_bearer = text_starts(key, "Bearer ");

    if (has_bearer)
        key += strlen("Bearer ");
    if (text_starts(key, "lin_api_") || (!has_bearer && !is_oauth_token(key)))
        return arena_fmt(a, "Authorization: %s", key);
    return arena_fmt(a, "Authorization: Bearer %s", key);
}

void linear_request_fill(const struct linear *l, struct arena *a,
                         struct http_request *req, const struct linear_document *document,
                         json_t *variables, bool is_write)
{
    json_auto_t *doc = json_pack("{s:s, s:o, s:s}", "query", document->text, "variables",
                                 variables ? variables : json_object(), "operationName",
                                 document->operation);

    if (!doc)
        BUG("no body for %s", document->operation);
    memset(req, 0, sizeof *req);
    req->method = HTTP_POST;
    req->url = l->conf->linear.base_url;
    req->body = jget_dump(a, doc);
    req->body_len = strlen(req->body);
    req->max_body = MAX_BODY;
    req->is_idempotent = !is_write;
    req->headers[req->header_count++] = authorization(a, l->conf->linear.api_key);
    req->headers[req->header_count++] = "Content-Type: application/json";
    req->headers[req->header_count++] = "Accept: application/json";
}

/* *is_told: Linear said so itself. */
static int64_t wait_us(const struct http_response *resp, bool *is_told)
{
    static const struct {
        const char *remaining, *reset;
    } names[] = {
        {"X-RateLimit-Requests-Remaining",          "X-RateLimit-Requests-Reset"  },
        {"X-RateLimit-Complexity-Remaining",        "X-RateLimit-Complexity-Reset"},
        {"X-RateLimit-Endpoint-Requests-Remaining",
         "X-RateLimit-Endpoint-Requests-Reset"                                    },
    };
    enum { COUNT = sizeof(names) / sizeof(names[0]) };
    char text[COUNT][2][40];
    struct linear_window windows[COUNT];
    int64_t now_us = clock_now_us(), asked_us = http_retry_after_us(resp, now_us);

    *is_told = asked_us > 0;
    for (size_t i = 0; i < COUNT; i++) {
        windows[i].remaining =
            http_header(resp, names[i].remaining, text[i][0], sizeof text[i][0]);
        windows[i].reset =
            http_header(resp, names[i].reset, text[i][1], sizeof text[i][1]);
        *is_told = *is_told || windows[i].reset;
    }
    return linear_wait_us(windows, COUNT, asked_us, now_us);
}

int linear_context(struct err *err, const struct linear_document *document)
{
    return err_ctx(err, "linear: %s", document->operation);
}

int linear_request_take(struct arena *a, const struct http_response *resp,
                        const struct linear_document *document, bool is_write,
                        json_t **doc, const json_t **data, struct err *err)
{
    struct err unreadable = ERR_INIT;

    *doc = NULL;
    *data = NULL;
    if (resp->status == 0) {
        *err = resp->err;
        err->is_unknown = err->is_unknown && is_write;
        return linear_context(err, document);
    }
    if (http_is_json(resp))
        *doc = jget_load(resp->body.s, resp->body.len, &unreadable);
    if (linear_parse_answer(a, resp->status, *doc, data, err) == 0)
        return 0;
    if (linear_is_ratelimited(resp->status, *doc)) {
        /* it was not run (linear.md 1.3) */
        err->retry_after_us = wait_us(resp, &err->is_wait);
    } else {
        err->is_unknown = is_write && err->is_retryable;
    }
    json_decref(*doc);
    *doc = NULL;
    return linear_context(err, document);
}

static bool exchange_next(struct http_call *call)
{
    (void)call;
    return false;
}

int linear_exchange(struct linear *l, struct arena *a,
                    const struct linear_document *document, json_t *variables,
                    bool is_write, int64_t deadline_us, json_t **doc, const json_t **data,
                    struct err *err)
{
    struct http_call call, *calls[] = {&call};
    int rc;

    http_call_init(&call, exchange_next);
    linear_request_fill(l, a, &call.req, document, variables, is_write);
    http_run(l->http, calls, 1, deadline_us);
    rc = linear_request_take(a, &call.resp, document, is_write, doc, data, err);
    http_call_release(&call);
    return rc;
}

char *linear_line(struct arena *a, const char *s, size_t max)
{
    char *line = text_clean_line(a, s, s ? strlen(s) : 0, 4 * max);
    size_t n = strlen(line);

    if (n <= max)
        return line;
    for (n = max; n > 0 && ((unsigned char)line[n] & 0xC0) == 0x80;)
        n--;
    line[n] = '\0';
    return text_trim(a, line);
}

void linear_issue_blank(struct linear_issue *issue)
{
    *issue = (struct linear_issue){.id = "",
                                   .identifier = "",
                                   .url = "",
                                   .title = "",
                                   .description = "",
                                   .state_name = "",
                                   .state_type = "",
                                   .team_id = "",
                                   .duplicate_of = "",
                                   .created_us = TS_NONE,
                                   .updated_us = TS_NONE,
                                   .completed_us = TS_NONE,
                                   .canceled_us = TS_NONE};
}
