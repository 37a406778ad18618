/*
 * Linear's answers to the model, and its errors to struct err (linear.md 1.2, 1.3, 7). Pure; private
 * to upstream. Strings are cleaned and live in the arena.
 */
#ifndef CASEBOOK_UPSTREAM_LINEAR_PARSE_H
#define CASEBOOK_UPSTREAM_LINEAR_PARSE_H

#include "base/err.h"
#include "model/linear.h"
#include <jansson.h>

struct arena;
struct linear_issues;

/*
 * Success is: a 2xx status, no errors, and data (linear.md, rule 2). 0 and *data (borrowed from doc);
 * otherwise -1 with err from the first error and the status. doc NULL: the body was no JSON.
 * The wait of RATELIMITED is in headers: the caller fills retry_after_us.
 */
int linear_parse_answer(struct arena *a, int status, const json_t *doc,
                        const json_t **data, struct err *err);
/* Was the request refused by a rate limit, in any of its three forms (400, 200, 429)? */
bool linear_is_ratelimited(int status, const json_t *doc);

/* -1 without an id. duplicate_of from `relations`, when they were asked for. */
int linear_parse_issue(struct arena *a, const json_t *o, struct linear_issue *out,
                       struct err *err);
/* The nodes of the connection data.KEY, appended; issues in the trash are left out unless
   with_trashed. */
int linear_parse_issues(struct arena *a, const json_t *data, const char *key,
                        bool with_trashed, struct linear_issues *out, struct err *err);
/* The issues of data.attachmentsForURL, each once, of this team, without those in the trash. */
int linear_parse_linked(struct arena *a, const json_t *data, const char *team_id,
                        struct linear_issues *out, struct err *err);
/* Title or description contains the token, ASCII case ignored. */
bool linear_has_token(const struct linear_issue *issue, const char *token);

/* A mutation's payload data.KEY: `success` and a non-null issue. */
int linear_parse_created(struct arena *a, const json_t *data, const char *key,
                         struct linear_issue *out, struct err *err);
/* data.KEY.success of any other mutation. */
int linear_parse_success(const json_t *data, const char *key, struct err *err);

struct linear_links {
    const char *team_id;
    bool has_url;
};
int linear_parse_links(struct arena *a, const json_t *data, const char *url,
                       struct linear_links *out, struct err *err);

struct
    linear_window { /* one of the limits, as its headers tell it; NULL: no such header */
    const char *remaining;
    const char *reset; /* Unix milliseconds */
};

/*
 * How long to wait after RATELIMITED: until the latest reset of the windows that are used up; where none
 * says so, of all (linear.md 1.3: every answer carries every window, also those with plenty left).
 * Not less than retry_after_us; at least 2 s, at most 6 h.
 */
int64_t linear_wait_us(const struct linear_window *windows, size_t n,
                       int64_t retry_after_us, int64_t now_us);

#endif
