/*
 * One exchange with Zendesk inside an operation: authorization, one new token after a 401, and errors
 * in words (zendesk.md 1, 8). Private to upstream.
 */
#ifndef CASEBOOK_UPSTREAM_ZENDESK_REQUEST_H
#define CASEBOOK_UPSTREAM_ZENDESK_REQUEST_H

#include "upstream/zendesk.h"
#include <jansson.h>

enum zendesk_step {
    ZSTEP_AGAIN,  /* the call holds a new request: next() returns true */
    ZSTEP_DONE,   /* *doc is the answer, a new reference */
    ZSTEP_FAILED, /* src tells; next() returns false */
};

/* BASE + path in the arena. */
char *zendesk_url(const struct conf *conf, struct arena *a, const char *path);

/* Prepares *call for a GET of url, or a PUT of body when that is not NULL; asks for a token first
   when one is needed. `what` is for messages: "ticket 4711". Both are borrowed. */
void zendesk_request_start(struct zendesk_request *rq, struct zendesk *z, struct arena *a,
                           struct http_call *call, const char *what, const char *url,
                           const char *body);
/* The next request of the same operation (another page). */
void zendesk_request_get(struct zendesk_request *rq, struct http_call *call,
                         const char *url);

/* To be called from next(): what became of the request. Counts its tries and time in *src. */
enum zendesk_step zendesk_request_step(struct zendesk_request *rq, struct http_call *call,
                                       struct source *src, json_t **doc);

/* src is complete: SOURCE_OK, or SOURCE_FAILED with *err when that is not NULL. */
void zendesk_source_end(struct source *src, const struct zendesk_request *rq,
                        const struct err *err);

/* Drive one call by itself. */
void zendesk_run_one(struct zendesk *z, struct http_call *call, int64_t deadline_us);

#endif
