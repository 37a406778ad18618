/*
 * Zendesk, the reads (zendesk.md sections 1 to 5). The one write is in zendesk_write.h, in an archive
 * of its own that casebook-web does not link.
 */
#ifndef CASEBOOK_UPSTREAM_ZENDESK_H
#define CASEBOOK_UPSTREAM_ZENDESK_H

#include "model/source.h"
#include "model/ticket.h"
#include "sys/conf.h"
#include "sys/http.h"

struct arena;
struct zendesk_share;

#define ZENDESK_TOKEN_MAX 2048

struct zendesk {
    const struct conf *conf;
    struct http *http;
    char token[ZENDESK_TOKEN_MAX];   /* OAuth access token; "" when there is none yet */
    int64_t token_until_us;          /* monotonic */
    char refused[ZENDESK_TOKEN_MAX]; /* the last token that was answered with 401 */
    struct zendesk_share *share;     /* with other processes; NULL: this one alone */
    int64_t
        quiet_until_us; /* monotonic: after a 429 to a read nothing is sent before it */
};

void zendesk_init(struct zendesk *z, const struct conf *conf, struct http *http);

/*
 * A token shared by the processes that are forked after it was made; z->share points to it. NULL when there
 * is no memory: then each process signs in by itself.
 */
struct zendesk_share *zendesk_share_new(void);
void zendesk_share_free(struct zendesk_share *s);
/* Give the own token to the others; take theirs when the own one is missing or over. Not for callers. */
void zendesk_share_put(struct zendesk *z);
void zendesk_share_take(struct zendesk *z);

/*
 * Get an OAuth token if one is needed and none is valid (once in its life time; zendesk.md 1.2).
 * Operations renew it by themselves on 401, once. 0, or -1 with err: ops will fail the same way, so
 * the result may be ignored by a page.
 */
int zendesk_login(struct zendesk *z, int64_t deadline_us, struct err *err);

/* "https://acme.zendesk.com/agent/tickets/ID" in the arena. */
char *zendesk_agent_link(const struct conf *conf, struct arena *a, int64_t ticket_id);

/* One exchange with Zendesk inside an operation: private to zendesk_request.c. */
struct zendesk_request {
    struct zendesk *z;
    struct arena *arena;
    const char *what; /* for messages: "ticket 4711" */
    const char *url;
    const char *body; /* of a PUT; NULL: a GET */
    const char *sent_token;
    const char *authorization;
    bool has_renewed; /* a 401 has been answered with a new token once */
    bool is_login;    /* the request under way is the one for a token */
};

struct zendesk_ticket { /* GET /tickets/{id} with users, organizations, comment_count */
    struct http_call call;
    struct zendesk_request rq;
    struct ticket ticket;
    struct source src; /* SOURCE_NOT_THERE on 404 */
};
void zendesk_ticket_init(struct zendesk_ticket *op, struct zendesk *z, struct arena *a,
                         int64_t ticket_id);
void zendesk_ticket_release(struct zendesk_ticket *op);

struct
    zendesk_comments { /* all comments oldest first, cursor paging, cap 50 pages of 100 */
    struct http_call call;
    struct zendesk_request rq;
    int64_t ticket_id;
    struct comment *comments;
    size_t count, cap;
    int pages;
    const char *cursor;
    struct source
        src; /* is_cut at the cap, and when a later page failed (then with src.err) */
};
void zendesk_comments_init(struct zendesk_comments *op, struct zendesk *z,
                           struct arena *a, int64_t ticket_id);
void zendesk_comments_release(struct zendesk_comments *op);

struct zendesk_search { /* GET /search.json, tickets only (zendesk.md 2.5) */
    struct http_call call;
    struct zendesk_request rq;
    struct ticket *tickets; /* relevance order by words, newest first by address */
    size_t count, cap;
    int64_t total;     /* Zendesk's count; -1 when not told */
    const char *query; /* what was sent, for the page */
    const char *email; /* the address that is looked for; NULL: by words */
    bool is_by_email;  /* rows were checked against the address */
    bool asks_people;  /* the answer had no users: they are read by their ids */
    struct source src;
};
/*
 * text: what the user typed, at most 200 bytes are used; page 1..10 of 25. An address (one word with
 * '@') searches by requester and drops look-alikes; anything else by words; a text in double quotes
 * as one phrase. A text without anything to search for sends nothing: src is SOURCE_FAILED with
 * ERR_INPUT, before and after the batch.
 */
void zendesk_search_init(struct zendesk_search *op, struct zendesk *z, struct arena *a,
                         const char *text, int page);
void zendesk_search_release(struct zendesk_search *op);

#endif
