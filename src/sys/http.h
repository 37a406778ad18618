/*
 * HTTP for the upstream clients: a batch of calls at once on one curl multi handle with kept
 * connections, each call a small state machine (paging, fallbacks) driven by its owner.
 *
 * Redirects are never followed (credentials would leak to another host). Bodies are capped.
 * GETs are retried on 429, 502, 503, 504 and connection failures: at most 3 tries, waiting what
 * Retry-After asks (more than 10 s: not retried), else 0.5 s, 1 s, 2 s, never beyond the batch's
 * deadline (e2b.md 1.4).
 * Other methods are sent once, each on a connection of its own (libcurl repeats a request by itself
 * when a kept connection turns out dead); the owner decides. Proxies from the environment are not
 * used for loopback addresses. Not re-entrant: next() may not call http_run (BUG).
 */
#ifndef CASEBOOK_SYS_HTTP_H
#define CASEBOOK_SYS_HTTP_H

#include "base/err.h"
#include "base/sbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HTTP_MAX_HEADERS 8
#define HTTP_MAX_BODY ((size_t)32 << 20)

enum http_method { HTTP_GET, HTTP_POST, HTTP_PUT };

struct http_request {
    enum http_method method;
    const char *url;                       /* borrowed until the call is over */
    const char *headers[HTTP_MAX_HEADERS]; /* "Name: value"; borrowed */
    size_t header_count;
    const char *body; /* POST, PUT */
    size_t body_len;
    size_t max_body;    /* of the answer; 0: HTTP_MAX_BODY */
    int64_t timeout_ms; /* of one try; 0: 30 s (connect 5 s) */
    bool is_idempotent; /* a POST or PUT that may be retried like a GET */
};

struct http_response {
    int status; /* 0: no answer, see err */
    struct sbuf body;
    char content_type[128];
    char headers[4096]; /* the last answer's headers as received, for http_header() */
    struct err err; /* transport failure: ERR_TIMEOUT or ERR_UPSTREAM, is_unknown when the
                           request may have reached the service */
    int tries;
    int64_t took_us; /* all tries of this request */
};

struct http_call {
    struct http_request req;
    struct http_response resp;
    /*
     * Called when a request has its final response (or failure). May fill `req` anew and return true
     * to send another; false ends the call. Runs in the caller's thread. A call that begins
     * with req.url NULL has next() called first, to fill it. NULL: one request only.
     */
    bool (*next)(struct http_call *call);
    int64_t
        not_before_us; /* monotonic; set by next() to delay its new request; 0: at once */
};

struct http;

/* One for each process. user_agent is sent with every request. */
struct http *http_new(const char *user_agent);
void http_free(struct http *h);

/* A fresh call with an initialised response; http_call_release frees the response body. */
void http_call_init(struct http_call *c, bool (*next)(struct http_call *call));
void http_call_release(struct http_call *c);

/*
 * Drive all calls at once until each has ended or the deadline (monotonic microseconds) has come;
 * what is unfinished then gets resp.err = ERR_TIMEOUT and next() is called once more
 * (it must return false when resp.err.kind is ERR_TIMEOUT and `deadline_over` below is true).
 */
void http_run(struct http *h, struct http_call *const *calls, size_t n,
              int64_t deadline_us);
bool http_deadline_over(const struct http *h);
/* From inside next(): drive this call in the running batch too. */
void http_also(struct http *h, struct http_call *call);

/* The value of a response header, without regard to case, copied into buf; NULL when absent. */
const char *http_header(const struct http_response *r, const char *name, char *buf,
                        size_t size);
bool http_is_json(const struct http_response *r); /* by content type */

/* Retry-After in seconds or as an HTTP date; 0 when absent or unreadable. */
int64_t http_retry_after_us(const struct http_response *r, int64_t now_us);

/* The service's own clock: the header Date, whole seconds; `otherwise_us` when it told none. */
int64_t http_date_us(const struct http_response *r, int64_t otherwise_us);

#endif
