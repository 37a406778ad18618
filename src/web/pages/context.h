/*
 * What every page under a ticket needs: the ticket for the strip, the complaint window of the query, and
 * what Casebook did for this ticket.
 */
#ifndef CASEBOOK_WEB_PAGES_CONTEXT_H
#define CASEBOOK_WEB_PAGES_CONTEXT_H

#include "upstream/zendesk.h"
#include "web/request.h"
#include "web/respond.h"
#include "web/view.h"

struct context {
    struct req *rq;
    struct view_link link; /* ticket_id 0: a page without ticket */
    const char
        *window_error; /* a time in the query that cannot be read: in words; NULL */
    const char *from_text, *to_text; /* as given, for the fields */
    struct zendesk_ticket
        ticket;      /* put &ticket.call into the page's batch when link.ticket_id != 0 */
    bool is_reading; /* the operation was initialised */
};

/*
 * Reads the path's ticket id (when the route has one) and from/to of the query. Times are RFC 3339 or
 * "2026-11-24 13:55" (UTC). An unreadable one is no failure: window_error says so and there is no window.
 * -1: the ticket id is no number.
 */
int context_init(struct context *c, struct req *rq, bool has_ticket, struct err *err);

/* A time as people or links write it; 0, or -1 and *us untouched. */
int context_time(struct arena *a, const char *text, int64_t *us);

/*
 * Add the ticket's read to calls[n]; returns the new n. No effect without a
 * ticket. A login that is needed is part of the operation, so that a silent Zendesk costs nobody else.
 */
size_t context_calls(struct context *c, struct http_call **calls, size_t n);

/* The ticket that was read, or NULL. */
const struct ticket *context_ticket(const struct context *c);

/* Remembers the ticket as seen by this user; a failing store costs nothing but that. */
void context_remember(struct context *c);

/* Fills Strip.* */
void context_strip(struct context *c, HDF *root, const char *tab);

/* Releases the operation; harmless when there is none. */
void context_release(struct context *c);

#endif
