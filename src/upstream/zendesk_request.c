/*
 * What every exchange with Zendesk has in common: the address, the three ways to sign in, the one
 * renewal after a 401, and turning a refusal into a struct err.
 *
 * The client secret and tokens go into requests only, never into a message.
 */
#include "upstream/zendesk_request.h"

#include <nettle/base64.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "sys/clock.h"
#include "sys/log.h"
#include "upstream/zendesk_parse.h"

#include "base/banned.h"

#define MAX_BODY ((size_t)8 << 20)
#define TOKEN_LIFE_S 3600
#define TOKEN_MARGIN_S 60
#define WAIT_UNTOLD (10 * TS_SEC) /* after a 429 without Retry-After (zendesk.md 7) */
#define QUIET_MAX TS_MIN          /* the account's limits count by the minute */

void zendesk_init(struct zendesk *z, const struct conf *conf, struct http *http)
{
    memset(z, 0, sizeof *z);
    z->conf = conf;
    z->http = http;
}

char *zendesk_url(const struct conf *conf, struct arena *a, const char *path)
{
    const char *base = conf->zendesk.base_url;
    size_t n = strlen(base);

    while (n > 0 && base[n - 1] == '/')
        n--;
    return arena_fmt(a, "%.*s%s", (int)n, base, path);
}

char *zendesk_agent_link(const struct conf *conf, struct arena *a, int64_t ticket_id)
{
    return zendesk_url(conf, a,
                       arena_fmt(a, "/agent/tickets/%lld", (long long)ticket_id));
}

static bool uses_client(const struct zendesk *z)
{
    return !text_is_empty(z->conf->zendesk.client_id) &&
           !text_is_empty(z->conf->zendesk.client_secret);
}

static bool has_token(const struct zendesk *z)
{
    return z->token[0] && clock_mono_us() < z->token_until_us;
}

static bool needs_login(struct zendesk *z)
{
    if (!uses_client(z))
        return false;
    if (!has_token(z))
        zendesk_share_take(z);
    return !has_token(z);
}

/* "Basic …" from EMAIL/token:TOKEN (zendesk.md 1.3). */
static const char *basic_header(const struct conf *conf, struct arena *a)
{
    char *plain =
        arena_fmt(a, "%s/token:%s", conf->zendesk.email, conf->zendesk.api_token);
    size_t n = strlen(plain);
    char *out = arena_alloc(a, BASE64_ENCODE_RAW_LENGTH(n) + 1);

    base64_encode_raw(out, n, (const uint8_t *)plain);
    return arena_fmt(a, "Authorization: Basic %s", out);
}

static const char *authorization(struct zendesk_request *rq)
{
    const struct conf *conf = rq->z->conf;

    rq->sent_token = NULL;
    if (uses_client(rq->z)) {
        rq->sent_token = arena_str(rq->arena, rq->z->token);
        return arena_fmt(rq->arena, "Authorization: Bearer %s", rq->sent_token);
    }
    if (!text_is_empty(conf->zendesk.oauth_token))
        return arena_fmt(rq->arena, "Authorization: Bearer %s",
                         conf->zendesk.oauth_token);
    return basic_header(conf, rq->arena);
}

static void add_header(struct http_request *req, const char *header)
{
    if (req->header_count >= HTTP_MAX_HEADERS)
        BUG("too many headers");
    req->headers[req->header_count++] = header;
}

static void send_login(struct zendesk_request *rq, struct http_call *call)
{
    const struct conf *conf = rq->z->conf;
    json_t *doc = json_pack("{s:s, s:s, s:s, s:s, s:i}", "grant_type",
                            "client_credentials", "client_id", conf->zendesk.client_id,
                            "client_secret", conf->zendesk.client_secret, "scope",
                            "read tickets:write", "expires_in", TOKEN_LIFE_S);
    struct http_request *req = &call->req;

    memset(req, 0, sizeof *req);
    req->method = HTTP_POST;
    req->url = zendesk_url(conf, rq->arena, "/oauth/tokens");
    req->body = doc ? jget_dump(rq->arena, doc) : "{}";
    req->body_len = strlen(req->body);
    req->max_body = MAX_BODY;
    req->is_idempotent = true; /* a second token does no harm */
    add_header(req, "Content-Type: application/json");
    add_header(req, "Accept: application/json");
    rq->is_login = true;
    json_decref(doc);
}

static void send_data(struct zendesk_request *rq, struct http_call *call)
{
    struct http_request *req = &call->req;

    memset(req, 0, sizeof *req);
    req->method = rq->body ? HTTP_PUT : HTTP_GET;
    req->url = rq->url;
    req->body = rq->body;
    req->body_len = rq->body ? strlen(rq->body) : 0;
    req->max_body = MAX_BODY;
    rq->authorization = authorization(rq);
    add_header(req, rq->authorization);
    add_header(req, "Accept: application/json");
    if (rq->body)
        add_header(req, "Content-Type: application/json");
    rq->is_login = false;
}

static void send_either(struct zendesk_request *rq, struct http_call *call)
{
    call->not_before_us = rq->z->quiet_until_us;
    if (needs_login(rq->z))
        send_login(rq, call);
    else
        send_data(rq, call);
}

void zendesk_request_start(struct zendesk_request *rq, struct zendesk *z, struct arena *a,
                           struct http_call *call, const char *what, const char *url,
                           const char *body)
{
    memset(rq, 0, sizeof *rq);
    rq->z = z;
    rq->arena = a;
    rq->what = what;
    rq->url = url;
    rq->body = body;
    send_either(rq, call);
}

void zendesk_request_get(struct zendesk_request *rq, struct http_call *call,
                         const char *url)
{
    rq->url = url;
    rq->body = NULL;
    send_either(rq, call);
}

static enum err_kind kind_of_status(int status)
{
    static const struct {
        int status;
        enum err_kind kind;
    } kinds[] = {
        {400, ERR_INPUT   },
        {401, ERR_AUTH    },
        {403, ERR_DENIED  },
        {404, ERR_NOTFOUND},
        {409, ERR_CONFLICT},
        {413, ERR_INPUT   },
        {422, ERR_INPUT   },
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (kinds[i].status == status)
            return kinds[i].kind;
    }
    return ERR_UPSTREAM;
}

/* Puts "zendesk: WHAT: " in front and the number that Zendesk's support asks for behind. */
static void set_context(const struct zendesk_request *rq,
                        const struct http_response *resp, struct err *err)
{
    char id[100];
    struct arena *a = rq->arena;

    if (http_header(resp, "X-Zendesk-Request-Id", id, sizeof id)) {
        size_t n = strlen(err->msg);

        snprintf(err->msg + n, sizeof err->msg - n, " [request %s]",
                 text_clean_line(a, id, strlen(id), 80));
    }
    err_ctx(err, "zendesk: %s", rq->is_login ? "login" : rq->what);
}

static void be_quiet(struct zendesk *z, int64_t wait_us)
{
    z->quiet_until_us = clock_mono_us() + (wait_us < QUIET_MAX ? wait_us : QUIET_MAX);
}

/* There was no answer; or nothing was sent, because an earlier 429 asked for a wait that is longer
   than the time there is. */
static void unanswered(const struct zendesk_request *rq, const struct http_response *resp,
                       struct err *err)
{
    int64_t left_us = rq->z->quiet_until_us - clock_mono_us();

    *err = resp->err;
    err->is_unknown = err->is_unknown && rq->body && !rq->is_login;
    if (resp->tries == 0 && err->kind == ERR_TIMEOUT && left_us > 0) {
        err_set(err, ERR_UPSTREAM, "HTTP 429 a moment ago: a wait of %lld s is asked for",
                (long long)(left_us / TS_SEC + 1));
        err->http_status = 429;
        err->is_retryable = err->is_wait = true;
        err->retry_after_us = left_us;
    }
    err_ctx(err, "zendesk: %s", rq->is_login ? "login" : rq->what);
}

/* doc: the JSON of the answer, or NULL. */
static void refused(const struct zendesk_request *rq, const struct http_response *resp,
                    const json_t *doc, struct err *err)
{
    struct arena *a = rq->arena;
    int status = resp->status;
    const char *text = doc ? zendesk_error_text(a, doc)
                           : zendesk_plain_error(a, resp->body.s, resp->body.len);

    /* The login may come back in an echo of the request; its words are not needed then. */
    if (rq->is_login && !doc)
        text = "";
    err_set(err, kind_of_status(status), "HTTP %d%s%s", status, text[0] ? ": " : "",
            text);
    err->http_status = status;
    err->is_retryable = status == 429 || status == 500 ||
                        (status >= 502 && status <= 504) ||
                        strcmp(zendesk_error_word(a, doc), "unavailable") == 0;
    err->retry_after_us = http_retry_after_us(resp, clock_now_us());
    err->is_wait = status == 429 && err->retry_after_us > 0;
    if (status == 429 && err->retry_after_us <= 0)
        err->retry_after_us = WAIT_UNTOLD;
    /* A refused note may be about its ticket alone; a refused read is about the account. */
    if (status == 429 && !rq->body)
        be_quiet(rq->z, err->retry_after_us);
    set_context(rq, resp, err);
}

static json_t *load(const struct http_response *resp, struct err *err)
{
    if (!http_is_json(resp)) {
        err_set(err, ERR_UPSTREAM, "HTTP %d, but not JSON", resp->status);
        return NULL;
    }
    return jget_load(resp->body.s, resp->body.len, err);
}

void zendesk_source_end(struct source *src, const struct zendesk_request *rq,
                        const struct err *err)
{
    src->fetched_us = clock_now_us();
    src->state = SOURCE_OK;
    if (!err)
        return;
    src->state = SOURCE_FAILED;
    if (err != &src->err)
        src->err = *err;
    if (!text_starts(src->err.msg, "zendesk: "))
        err_ctx(&src->err, "zendesk: %s", rq->what);
}

/* A 401: another operation may have renewed the token already; else ask for one, once. */
static bool renew(struct zendesk_request *rq, struct http_call *call)
{
    struct zendesk *z = rq->z;

    if (rq->has_renewed || rq->is_login || !uses_client(z))
        return false;
    rq->has_renewed = true;
    if (rq->sent_token && strcmp(rq->sent_token, z->token) == 0) {
        memcpy(z->refused, z->token, sizeof z->refused);
        z->token[0] = '\0';
    }
    send_either(rq, call);
    return true;
}

static int take_token(struct zendesk_request *rq, const json_t *doc, struct err *err)
{
    struct zendesk *z = rq->z;
    int64_t life_s = 0;

    if (zendesk_parse_token(doc, z->token, sizeof z->token, &life_s, err))
        return -1;
    if (life_s <= 0 || life_s > 2 * TS_DAY / TS_SEC)
        life_s = TOKEN_LIFE_S;
    if (life_s > 2 * TOKEN_MARGIN_S)
        life_s -= TOKEN_MARGIN_S;
    z->token_until_us = clock_mono_us() + life_s * TS_SEC;
    zendesk_share_put(z);
    return 0;
}

/* Zendesk drops unknown keys silently and tells it only in this header (zendesk.md 10). */
static void log_warning(const struct zendesk_request *rq,
                        const struct http_response *resp)
{
    char text[300];

    if (http_header(resp, "X-Zendesk-API-Warn", text, sizeof text))
        log_event(LOG_WARN, "zendesk warns", "what", rq->is_login ? "login" : rq->what,
                  "text", text, (char *)NULL);
}

static enum zendesk_step fail(const struct zendesk_request *rq, struct source *src,
                              const struct err *err, const json_t *doc)
{
    zendesk_source_end(src, rq, err);
    if (src->err.http_status == 404 && doc && !rq->is_login &&
        strcmp(zendesk_error_word(rq->arena, doc), "InvalidEndpoint") != 0)
        src->state = SOURCE_NOT_THERE;
    return ZSTEP_FAILED;
}

enum zendesk_step zendesk_request_step(struct zendesk_request *rq, struct http_call *call,
                                       struct source *src, json_t **doc)
{
    const struct http_response *resp = &call->resp;
    struct err err = ERR_INIT, unreadable = ERR_INIT;
    json_auto_t *answer = NULL;

    *doc = NULL;
    src->tries += resp->tries;
    src->took_us += resp->took_us;
    if (resp->status == 0) {
        unanswered(rq, resp, &err);
        return fail(rq, src, &err, NULL);
    }
    log_warning(rq, resp);
    if (resp->status == 401 && renew(rq, call))
        return ZSTEP_AGAIN;
    answer = load(resp, &unreadable);
    if (resp->status < 200 || resp->status > 299) {
        refused(rq, resp, answer, &err);
        return fail(rq, src, &err, answer);
    }
    if (!answer || (rq->is_login && take_token(rq, answer, &unreadable))) {
        unreadable.http_status = resp->status;
        unreadable.is_retryable = true;
        set_context(rq, resp, &unreadable);
        return fail(rq, src, &unreadable, NULL);
    }
    if (rq->is_login && rq->url) {
        send_data(rq, call);
        return ZSTEP_AGAIN;
    }
    *doc = json_incref(answer);
    return ZSTEP_DONE;
}

void zendesk_run_one(struct zendesk *z, struct http_call *call, int64_t deadline_us)
{
    http_run(z->http, &call, 1, deadline_us);
}

struct login {
    struct http_call call;
    struct zendesk_request rq;
    struct source src;
};

static bool login_next(struct http_call *call)
{
    struct login *op = (struct login *)call;
    json_t *doc;

    if (zendesk_request_step(&op->rq, call, &op->src, &doc) == ZSTEP_DONE) {
        json_decref(doc);
        zendesk_source_end(&op->src, &op->rq, NULL);
    }
    return false;
}

int zendesk_login(struct zendesk *z, int64_t deadline_us, struct err *err)
{
    struct arena a = ARENA_INIT;
    struct login op = {
        .rq = {.z = z, .arena = &a, .what = "login"}
    };

    if (!needs_login(z))
        return 0;
    http_call_init(&op.call, login_next);
    send_login(&op.rq, &op.call);
    zendesk_run_one(z, &op.call, deadline_us);
    http_call_release(&op.call);
    arena_release(&a);
    if (op.src.state == SOURCE_OK)
        return 0;
    *err = op.src.err;
    return -1;
}
