/*
 * E2B's two long lists, one page at a time, for whoever stores a page before the next is asked for (the
 * harvest): nothing is kept between pages, and there is no bound on their number. Operations like those in
 * e2b.h: init, http_run() with &op.call, look at op.src, release.
 */
#ifndef CASEBOOK_UPSTREAM_E2B_PAGES_H
#define CASEBOOK_UPSTREAM_E2B_PAGES_H

#include "upstream/e2b.h"

#define E2B_PAGE_MAX 100

struct e2b_feed_page { /* GET /events/sandboxes: the team's events, newest first */
    struct http_call call;
    struct e2b *e2b;
    struct arena *arena;
    struct event
        *events; /* as E2B orders them; unreadable ones are left out, src.err says so */
    size_t count;
    size_t rows; /* as received: fewer than were asked for means the end of the feed */
    struct source src; /* SOURCE_UNSUPPORTED where the route is missing */
};
/* offset: events to skip, from the newest; limit: 1..E2B_PAGE_MAX. */
void e2b_feed_page_init(struct e2b_feed_page *op, struct e2b *e, struct arena *a,
                        int64_t offset, int limit);
void e2b_feed_page_release(struct e2b_feed_page *op);

struct e2b_list_page { /* GET /v2/sandboxes without a filter, fallback to v1 on 404 */
    struct http_call call;
    struct e2b *e2b;
    struct arena *arena;
    const char *token; /* NULL: the first page */
    struct sandbox *sandboxes;
    size_t count;
    const char *next_token; /* "": this was the last one */
    bool is_v1;             /* running ones only, and all on one page */
    struct source src;
};
void e2b_list_page_init(struct e2b_list_page *op, struct e2b *e, struct arena *a,
                        const char *token);
void e2b_list_page_release(struct e2b_list_page *op);

#endif
