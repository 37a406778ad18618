/*
 * The transport of the upstream clients: one curl multi handle, its kept connections, and a batch of
 * calls driven together until each has ended or the deadline has come.
 *
 * Duties: limits (connect, one try, body), the retry rule of e2b.md 1.4, telling apart why there was no
 * answer and whether a write may have arrived. It knows no service: what a status means, and what to
 * send next, is decided by the owner in next().
 */
#include "sys/http.h"

#include <ctype.h>
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/xalloc.h"
#include "sys/clock.h"

#include "base/banned.h"

#define MAX_TRIES 3
#define CONNECT_TIMEOUT_MS 5000L
#define TRY_TIMEOUT_MS 30000
#define RETRY_AFTER_CAP_US (10 * TS_SEC)
#define WAIT_TOO_LONG ((int64_t)-1)
#define POLL_MAX_US TS_SEC
#define IDLE_MAX 16
#define KEPT_CONNECTIONS 16L

static const int64_t backoff_us[MAX_TRIES] = {TS_SEC / 2, TS_SEC, 2 * TS_SEC};

enum slot_state { SLOT_WAITING, SLOT_RUNNING, SLOT_DONE };

struct slot { /* one call of the running batch */
    struct http_call *call;
    enum slot_state state;
    CURL *easy;
    struct curl_slist *headers;
    int64_t due_us;     /* when to send */
    int64_t started_us; /* the first try of this request */
    char detail[CURL_ERROR_SIZE];
};

struct http {
    CURLM *multi;
    char *user_agent;
    CURL *idle[IDLE_MAX];
    size_t idle_count;
    /* the running batch */
    bool is_running;
    bool is_over; /* nothing more can be sent for the call whose next() runs */
    int64_t deadline_us;
    struct slot **slots; /* pointers, because curl holds them while the array grows */
    size_t slot_count, slot_cap;
};

struct http *http_new(const char *user_agent)
{
    struct http *h = xcalloc(1, sizeof(*h));

    if (curl_global_init(CURL_GLOBAL_DEFAULT))
        BUG("libcurl cannot start");
    h->multi = curl_multi_init();
    if (!h->multi)
        BUG("libcurl gives no multi handle");
    curl_multi_setopt(h->multi, CURLMOPT_MAXCONNECTS, KEPT_CONNECTIONS);
    h->user_agent = xstrdup(user_agent);
    return h;
}

void http_free(struct http *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->idle_count; i++)
        curl_easy_cleanup(h->idle[i]);
    curl_multi_cleanup(h->multi);
    curl_global_cleanup();
    free(h->user_agent);
    free(h);
}

void http_call_init(struct http_call *c, bool (*next)(struct http_call *call))
{
    *c = (struct http_call){.next = next};
    sbuf_init(&c->resp.body, HTTP_MAX_BODY);
}

void http_call_release(struct http_call *c)
{
    sbuf_release(&c->resp.body);
}

/* -- the answer as it comes in ----------------------------------------------------------- */

static size_t on_body(char *bytes, size_t size, size_t n, void *arg)
{
    struct http_call *call = arg;

    return sbuf_add(&call->resp.body, bytes, size * n) ? 0 : size * n;
}

/* Whole lines only; a line that does not fit is left out. A status line begins anew. */
static size_t on_header(char *line, size_t size, size_t n, void *arg)
{
    struct http_call *call = arg;
    char *kept = call->resp.headers;
    size_t bytes = size * n;
    size_t used;

    if (bytes >= 5 && !memcmp(line, "HTTP/", 5))
        kept[0] = '\0';
    used = strlen(kept);
    if (!memchr(line, '\0', bytes) && used + bytes < sizeof(call->resp.headers)) {
        memcpy(kept + used, line, bytes);
        kept[used + bytes] = '\0';
    }
    return bytes;
}

/* -- why there was no answer ------------------------------------------------------------- */

struct fault {
    CURLcode code;
    enum err_kind kind;
    bool may_retry;
    const char *words;
};

static const struct fault faults[] = {
    {CURLE_COULDNT_RESOLVE_HOST,     ERR_UPSTREAM, true,  "the host name is not known"   },
    {CURLE_COULDNT_RESOLVE_PROXY,    ERR_UPSTREAM, true,  "the proxy's name is not known"},
    {CURLE_COULDNT_CONNECT,          ERR_UPSTREAM, true,  "no connection could be made"  },
    {CURLE_SSL_CONNECT_ERROR,        ERR_UPSTREAM, true,  "no secure connection"         },
    {CURLE_PEER_FAILED_VERIFICATION, ERR_UPSTREAM, false,
     "the certificate is not trusted"                                                    },
    {CURLE_GOT_NOTHING,              ERR_UPSTREAM, true,  "connection closed, no answer" },
    {CURLE_PARTIAL_FILE,             ERR_UPSTREAM, true,  "the answer was cut off"       },
    {CURLE_RECV_ERROR,               ERR_UPSTREAM, true,  "the connection was cut"       },
    {CURLE_SEND_ERROR,               ERR_UPSTREAM, true,  "the connection was cut"       },
    {CURLE_HTTP2,                    ERR_UPSTREAM, true,  "the connection was cut"       },
    {CURLE_HTTP2_STREAM,             ERR_UPSTREAM, true,  "the connection was cut"       },
    {CURLE_WEIRD_SERVER_REPLY,       ERR_UPSTREAM, false, "the answer is not HTTP"       },
    {CURLE_UNSUPPORTED_PROTOCOL,     ERR_INPUT,    false, "not an http or https address" },
    {CURLE_URL_MALFORMAT,            ERR_INPUT,    false, "not an address"               },
};

static const struct fault other_fault = {CURLE_OK, ERR_UPSTREAM, false,
                                         "no usable answer"};

static const struct fault *fault_find(CURLcode code)
{
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        if (faults[i].code == code)
            return &faults[i];
    }
    return &other_fault;
}

static int64_t try_timeout_ms(const struct http_request *rq)
{
    return rq->timeout_ms > 0 ? rq->timeout_ms : TRY_TIMEOUT_MS;
}

/* Did the running or failed try put the beginning of its request on the wire? */
static bool slot_has_sent(const struct slot *s)
{
    long bytes = 0;

    return s->easy &&
           (curl_easy_getinfo(s->easy, CURLINFO_REQUEST_SIZE, &bytes) || bytes > 0);
}

/* true when the try may be repeated. A slow answer is not asked for again, a slow connect is. */
static bool fail_timed_out(struct slot *s)
{
    struct http_call *c = s->call;
    bool is_sent = slot_has_sent(s);

    if (is_sent)
        err_set(&c->resp.err, ERR_TIMEOUT, "no answer within %lld ms",
                (long long)try_timeout_ms(&c->req));
    else
        err_set(&c->resp.err, ERR_TIMEOUT, "no connection in time");
    c->resp.err.is_retryable = true;
    return !is_sent;
}

/* Fill resp.err for a try without a usable answer. true when the try may be repeated. */
static bool slot_fail(struct slot *s, CURLcode code)
{
    struct http_call *c = s->call;
    struct err *err = &c->resp.err;
    const struct fault *f = fault_find(code);
    bool may_retry = f->may_retry;

    c->resp.status = 0;
    if (c->resp.body.is_full)
        err_set(err, ERR_UPSTREAM, "the answer is larger than %zu bytes",
                c->resp.body.max);
    else if (code == CURLE_OPERATION_TIMEDOUT)
        may_retry = fail_timed_out(s);
    else
        err_set(err, f->kind, "%s (%s)", f->words,
                s->detail[0] ? s->detail : curl_easy_strerror(code));
    err->is_retryable = err->is_retryable || may_retry;
    err->is_unreached = code == CURLE_COULDNT_CONNECT ||
                        code == CURLE_COULDNT_RESOLVE_HOST ||
                        code == CURLE_COULDNT_RESOLVE_PROXY;
    err->is_unknown = c->req.method != HTTP_GET && slot_has_sent(s);
    return may_retry;
}

/* -- one try ----------------------------------------------------------------------------- */

/* Loopback addresses are reached directly whatever the environment's proxies are. */
static bool is_loopback(const char *url)
{
    CURLU *u = curl_url();
    char *host = NULL;
    bool yes = false;

    if (u && !curl_url_set(u, CURLUPART_URL, url, 0) &&
        !curl_url_get(u, CURLUPART_HOST, &host, 0))
        yes = text_ieq(host, "localhost") || text_ieq(host, "[::1]") ||
              text_starts(host, "127.");
    curl_free(host);
    curl_url_cleanup(u);
    return yes;
}

static bool has_control(const char *s)
{
    for (; *s; s++) {
        if (iscntrl((unsigned char)*s))
            return true;
    }
    return false;
}

static void slot_header(struct slot *s, const char *line)
{
    struct curl_slist *list = curl_slist_append(s->headers, line);

    if (!list)
        BUG("out of memory");
    s->headers = list;
}

static int slot_add_headers(struct slot *s)
{
    const struct http_request *rq = &s->call->req;

    for (size_t i = 0; i < rq->header_count; i++) {
        if (has_control(rq->headers[i]))
            return err_set(&s->call->resp.err, ERR_INPUT,
                           "a request header holds a control character");
        slot_header(s, rq->headers[i]);
    }
    if (rq->method != HTTP_GET)
        slot_header(s, "Expect:"); /* no waiting for "100 Continue" before a body */
    curl_easy_setopt(s->easy, CURLOPT_HTTPHEADER, s->headers);
    return 0;
}

static void slot_set_method(struct slot *s)
{
    const struct http_request *rq = &s->call->req;

    if (rq->method == HTTP_GET) {
        curl_easy_setopt(s->easy, CURLOPT_HTTPGET, 1L);
        return;
    }
    curl_easy_setopt(s->easy, CURLOPT_POST, 1L);
    curl_easy_setopt(s->easy, CURLOPT_POSTFIELDS, rq->body ? rq->body : "");
    curl_easy_setopt(s->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)rq->body_len);
    if (rq->method == HTTP_PUT)
        curl_easy_setopt(s->easy, CURLOPT_CUSTOMREQUEST, "PUT");
    /* libcurl sends a request again when a kept connection dies under it: a write could happen
       twice. On a fresh connection it does not. */
    if (!rq->is_idempotent)
        curl_easy_setopt(s->easy, CURLOPT_FRESH_CONNECT, 1L);
}

static void slot_set_limits(struct slot *s)
{
    CURL *e = s->easy;

    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(e, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_TIMEOUT_MS);
    curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)try_timeout_ms(&s->call->req));
    if (is_loopback(s->call->req.url))
        curl_easy_setopt(e, CURLOPT_PROXY, "");
}

static int slot_prepare(struct http *h, struct slot *s)
{
    CURL *e = h->idle_count ? h->idle[--h->idle_count] : curl_easy_init();

    if (!e)
        BUG("libcurl gives no handle");
    s->easy = e;
    s->detail[0] = '\0';
    curl_easy_setopt(e, CURLOPT_PRIVATE, (void *)s);
    curl_easy_setopt(e, CURLOPT_ERRORBUFFER, s->detail);
    curl_easy_setopt(e, CURLOPT_URL, s->call->req.url);
    curl_easy_setopt(e, CURLOPT_USERAGENT, h->user_agent);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, (void *)s->call);
    curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(e, CURLOPT_HEADERDATA, (void *)s->call);
    slot_set_limits(s);
    slot_set_method(s);
    return slot_add_headers(s);
}

/* Give the handle back to the pool; its connection stays in the multi handle. */
static void slot_drop_easy(struct http *h, struct slot *s)
{
    if (s->easy) {
        curl_multi_remove_handle(h->multi, s->easy);
        curl_easy_reset(s->easy);
        if (h->idle_count < IDLE_MAX)
            h->idle[h->idle_count++] = s->easy;
        else
            curl_easy_cleanup(s->easy);
    }
    s->easy = NULL;
    curl_slist_free_all(s->headers);
    s->headers = NULL;
}

/* -- the life of a slot ------------------------------------------------------------------ */

static void response_reset(struct http_response *r)
{
    sbuf_reset(&r->body);
    r->status = 0;
    r->content_type[0] = '\0';
    r->headers[0] = '\0';
    r->err = (struct err){.kind = ERR_NONE};
}

/* The call's req was filled: wait for its time. */
static void slot_request(struct slot *s, int64_t now_us)
{
    struct http_call *c = s->call;

    response_reset(&c->resp);
    c->resp.body.max = c->req.max_body ? c->req.max_body : HTTP_MAX_BODY;
    c->resp.tries = 0;
    c->resp.took_us = 0;
    s->started_us = 0;
    s->due_us = c->not_before_us > now_us ? c->not_before_us : now_us;
    c->not_before_us = 0;
    s->state = SLOT_WAITING;
}

/* The final answer or failure is in resp: the owner says whether there is more. */
static void slot_end(struct http *h, struct slot *s, bool is_over)
{
    struct http_call *c = s->call;
    bool more;

    slot_drop_easy(h, s);
    s->state = SLOT_DONE;
    h->is_over = is_over;
    more = c->next && c->next(c);
    h->is_over = false;
    if (more && !is_over)
        slot_request(s, clock_mono_us());
}

/* Nothing can be sent or received for this call before the deadline. */
static void slot_expire(struct http *h, struct slot *s, int64_t now_us)
{
    struct http_call *c = s->call;
    bool is_sent = s->state == SLOT_RUNNING && slot_has_sent(s);

    response_reset(&c->resp);
    err_set(&c->resp.err, ERR_TIMEOUT, "%s",
            is_sent ? "no answer before the time for this was over"
                    : "not asked before the time for this was over");
    c->resp.err.is_retryable = true;
    c->resp.err.is_unknown = c->req.method != HTTP_GET && is_sent;
    if (s->started_us)
        c->resp.took_us = now_us - s->started_us;
    slot_end(h, s, true);
}

static void slot_start(struct http *h, struct slot *s, int64_t now_us)
{
    struct http_call *c = s->call;

    response_reset(&c->resp);
    if (!s->started_us)
        s->started_us = now_us;
    c->resp.tries++;
    if (slot_prepare(h, s)) {
        slot_end(h, s, false);
        return;
    }
    if (curl_multi_add_handle(h->multi, s->easy))
        BUG("libcurl refuses a handle");
    s->state = SLOT_RUNNING;
}

static bool status_may_retry(int status)
{
    return status == 429 || status == 502 || status == 503 || status == 504;
}

/* How long until the next try. A wait that is asked for is kept or, when it is long, left to the caller. */
static int64_t retry_wait_us(const struct http_response *r)
{
    int64_t asked_us = http_retry_after_us(r, clock_now_us());

    if (asked_us > RETRY_AFTER_CAP_US)
        return WAIT_TOO_LONG;
    return asked_us > 0 ? asked_us : backoff_us[r->tries - 1];
}

static void slot_take_info(struct slot *s)
{
    struct http_response *r = &s->call->resp;
    const char *type = NULL;
    long status = 0;

    curl_easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(s->easy, CURLINFO_CONTENT_TYPE, &type);
    r->status = (int)status;
    if (type && strlen(type) < sizeof(r->content_type))
        memcpy(r->content_type, type, strlen(type) + 1);
}

/* A try is over. */
static void slot_done(struct http *h, struct slot *s, CURLcode code)
{
    struct http_call *c = s->call;
    int64_t now_us = clock_mono_us();
    bool may_retry;

    slot_take_info(s);
    c->resp.took_us = now_us - s->started_us;
    may_retry = code ? slot_fail(s, code) : status_may_retry(c->resp.status);
    if (may_retry && c->resp.tries < MAX_TRIES &&
        (c->req.method == HTTP_GET || c->req.is_idempotent)) {
        int64_t wait_us = retry_wait_us(&c->resp);

        if (wait_us != WAIT_TOO_LONG && now_us + wait_us < h->deadline_us) {
            slot_drop_easy(h, s);
            s->due_us = now_us + wait_us;
            s->state = SLOT_WAITING;
            return;
        }
    }
    slot_end(h, s, false);
}

/* -- the batch --------------------------------------------------------------------------- */

void http_also(struct http *h, struct http_call *call)
{
    struct slot *s = xcalloc(1, sizeof(*s));

    if (!h->is_running)
        BUG("http_also outside http_run");
    if (h->slot_count == h->slot_cap) {
        h->slot_cap = h->slot_cap ? 2 * h->slot_cap : 8;
        h->slots = xrealloc(h->slots, h->slot_cap * sizeof(struct slot *));
    }
    h->slots[h->slot_count++] = s;
    s->call = call;
    s->state = SLOT_DONE;
    if (call->req.url || (call->next && call->next(call) && call->req.url))
        slot_request(s, clock_mono_us());
}

/* Start, or give up, what is due. Returns how many calls are unfinished, and when to wake. */
static size_t batch_step(struct http *h, int64_t *wake_us)
{
    size_t open = 0;

    *wake_us = h->deadline_us;
    for (size_t i = 0; i < h->slot_count; i++) {
        struct slot *s = h->slots[i];
        int64_t now_us = clock_mono_us();

        if (s->state == SLOT_DONE)
            continue;
        if (now_us >= h->deadline_us ||
            (s->state == SLOT_WAITING && s->due_us >= h->deadline_us))
            slot_expire(h, s, now_us);
        else if (s->state == SLOT_WAITING && s->due_us <= now_us)
            slot_start(h, s, now_us);
        if (s->state == SLOT_WAITING && s->due_us < *wake_us)
            *wake_us = s->due_us;
        open += s->state != SLOT_DONE;
    }
    return open;
}

/* Hand out finished tries. Returns how many there were. */
static size_t batch_collect(struct http *h)
{
    size_t n = 0;
    int left;

    for (CURLMsg *m = curl_multi_info_read(h->multi, &left); m;
         m = curl_multi_info_read(h->multi, &left)) {
        CURLcode code = m->data.result; /* m is gone once the handle is removed */
        char *slot = NULL;

        if (m->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &slot);
        slot_done(h, (struct slot *)(void *)slot, code);
        n++;
    }
    return n;
}

static void batch_wait(struct http *h, int64_t wake_us)
{
    int64_t us = wake_us - clock_mono_us();

    if (us > POLL_MAX_US)
        us = POLL_MAX_US;
    if (us > 0)
        curl_multi_poll(h->multi, NULL, 0, (int)(us / TS_MS) + 1, NULL);
}

void http_run(struct http *h, struct http_call *const *calls, size_t n,
              int64_t deadline_us)
{
    int64_t wake_us;
    int running;

    if (h->is_running)
        BUG("http_run inside http_run");
    h->is_running = true;
    h->deadline_us = deadline_us;
    for (size_t i = 0; i < n; i++)
        http_also(h, calls[i]);
    while (batch_step(h, &wake_us)) {
        curl_multi_perform(h->multi, &running);
        if (!batch_collect(h))
            batch_wait(h, wake_us);
    }
    for (size_t i = 0; i < h->slot_count; i++)
        free(h->slots[i]);
    free(h->slots);
    h->slots = NULL;
    h->slot_count = h->slot_cap = 0;
    h->is_running = false;
}

bool http_deadline_over(const struct http *h)
{
    return h->is_over || clock_mono_us() >= h->deadline_us;
}

/* -- reading an answer ------------------------------------------------------------------- */

const char *http_header(const struct http_response *r, const char *name, char *buf,
                        size_t size)
{
    size_t name_len = strlen(name);

    for (const char *line = r->headers; *line;) {
        size_t len = strcspn(line, "\r\n");
        const char *v = line + name_len + 1;
        size_t v_len;

        if (len > name_len && line[name_len] == ':' &&
            !strncasecmp(line, name, name_len)) {
            v_len = len - name_len - 1;
            for (; v_len && (*v == ' ' || *v == '\t'); v_len--)
                v++;
            while (v_len && (v[v_len - 1] == ' ' || v[v_len - 1] == '\t'))
                v_len--;
            if (v_len >= size)
                return NULL;
            memcpy(buf, v, v_len);
            buf[v_len] = '\0';
            return buf;
        }
        line += len;
        line += strspn(line, "\r\n");
    }
    return NULL;
}

bool http_is_json(const struct http_response *r)
{
    const char *type = r->content_type;
    size_t n = strcspn(type, "; \t");

    return (n == 16 && !strncasecmp(type, "application/json", n)) ||
           (n > 5 && !strncasecmp(type + n - 5, "+json", 5));
}

int64_t http_retry_after_us(const struct http_response *r, int64_t now_us)
{
    char text[64];
    int64_t seconds;
    time_t at;

    if (!http_header(r, "Retry-After", text, sizeof(text)))
        return 0;
    if (!parse_i64(text, 0, INT32_MAX, &seconds))
        return seconds * TS_SEC;
    at = curl_getdate(text, NULL);
    if (at == (time_t)-1 || (int64_t)at * TS_SEC <= now_us)
        return 0;
    return (int64_t)at * TS_SEC - now_us;
}

int64_t http_date_us(const struct http_response *r, int64_t otherwise_us)
{
    char text[64];
    time_t at;

    if (!http_header(r, "Date", text, sizeof(text)))
        return otherwise_us;
    at = curl_getdate(text, NULL);
    return at == (time_t)-1 ? otherwise_us : (int64_t)at * TS_SEC;
}
