/*
 * Zendesk's JSON to the model (zendesk.md sections 2 to 6, 8). Pure; private to upstream.
 *
 * Every text is cleaned and capped here: bodies at 64 KiB, subjects at 500 bytes, names at 200.
 * Strings live in the arena. Unknown fields are ignored; null is "missing".
 */
#ifndef CASEBOOK_UPSTREAM_ZENDESK_PARSE_H
#define CASEBOOK_UPSTREAM_ZENDESK_PARSE_H

#include "base/err.h"
#include "model/ticket.h"
#include <jansson.h>

struct arena;

#define ZENDESK_BODY_CAP ((size_t)64 << 10)
#define ZENDESK_SUBJECT_CAP 500

/* {"ticket":{…},"users":[…],"organizations":[…]}; ERR_UPSTREAM without a ticket or its id. */
int zendesk_parse_ticket(struct arena *a, const json_t *doc, struct ticket *out,
                         struct err *err);

struct zendesk_tickets {
    struct ticket *items;
    size_t count, cap;
    int64_t total;   /* `count` of the answer; -1 when not told */
    bool has_people; /* the answer had a `users` array (zendesk.md 2.4) */
};

/* A search answer: tickets only, each id once. ERR_UPSTREAM without `results`. */
int zendesk_parse_search(struct arena *a, const json_t *doc, struct zendesk_tickets *out,
                         struct err *err);
/* Fills the requesters from the `users` array of another answer (users/show_many). */
void zendesk_parse_requesters(struct arena *a, const json_t *doc,
                              struct zendesk_tickets *tickets);

struct zendesk_comment_page {
    struct comment *items; /* appended to */
    size_t count, cap;
    const char *next_cursor; /* "" at the end */
    bool is_cut;             /* the answer says there is more, but not how to get it */
};

/* One page of comments in cursor style. ERR_UPSTREAM without `comments`. */
int zendesk_parse_comments(struct arena *a, const json_t *doc,
                           struct zendesk_comment_page *page, struct err *err);

/* A token answer (zendesk.md 1.2). The token must be printable ASCII and fit into size. */
int zendesk_parse_token(const json_t *doc, char *token, size_t size,
                        int64_t *expires_in_s, struct err *err);

struct zendesk_audit {
    int64_t audit_id, comment_id; /* 0 when not told */
    bool has_comment;
    bool is_public; /* true unless the event says `"public": false` */
};

/* The audit in the answer to a ticket update (zendesk.md 6.3). */
void zendesk_parse_update(const json_t *doc, struct zendesk_audit *out);

struct zendesk_audit_page {
    bool found;
    int64_t audit_id;             /* of the one with the marker */
    int64_t newest_us, oldest_us; /* TS_NONE when the page is empty */
    bool is_falling; /* each audit is no newer than the one before, and one is older */
    const char *next_cursor; /* "" at the end */
    bool is_cut;
};

/* One page of audits, searched for metadata.custom.casebook_note = marker. */
int zendesk_parse_audits(struct arena *a, const json_t *doc, const char *marker,
                         struct zendesk_audit_page *page, struct err *err);

/* The machine word of an error in any of the four shapes (zendesk.md 8): "RecordNotFound"; "". */
const char *zendesk_error_word(struct arena *a, const json_t *doc);
/* What the error says, on one line, with every entry of `details`; "" when it says nothing. */
const char *zendesk_error_text(struct arena *a, const json_t *doc);
/* The same for an answer that is no JSON: its text without tags, on one line. */
const char *zendesk_plain_error(struct arena *a, const char *body, size_t n);

#endif
