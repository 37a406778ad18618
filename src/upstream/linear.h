/*
 * Linear, the reads (linear.md). Documents are text constants in linear_documents.c, checked against
 * the schema by a test; everything variable goes in `variables`. The create is in linear_write.h.
 */
#ifndef CASEBOOK_UPSTREAM_LINEAR_H
#define CASEBOOK_UPSTREAM_LINEAR_H

#include "model/linear.h"
#include "model/source.h"
#include "sys/conf.h"
#include "sys/http.h"

struct arena;

struct linear {
    const struct conf *conf;
    struct http *http;
    char team_id[64]; /* looked up once per process; "" before */
    char org_id[64];
};

void linear_init(struct linear *l, const struct conf *conf, struct http *http);

/* Every failure: err.kind, err.retry_after_us for RATELIMITED (linear.md 1.3), the service's own
   userPresentableMessage in err.msg. Blocking, one request each. */

/* viewer and organization; ERR_AUTH when there is no viewer.id. */
int linear_whoami(struct linear *l, struct arena *a, const char **name, const char **org,
                  int64_t deadline_us, struct err *err);
/* Resolves Linear.Team to its id (cached in *l). ERR_NOTFOUND when there is no such team. */
int linear_team(struct linear *l, struct arena *a, int64_t deadline_us, struct err *err);

struct linear_issues {
    struct linear_issue *items;
    size_t count, cap;
};

/* Suggestions by words (document 7): never a proof. */
int linear_search(struct linear *l, struct arena *a, const char *words,
                  int64_t deadline_us, struct linear_issues *out, struct err *err);
/* One issue by UUID or identifier, with duplicate_of filled; ERR_NOTFOUND. */
int linear_read(struct linear *l, struct arena *a, const char *id, int64_t deadline_us,
                struct linear_issue *out, struct err *err);
/* Is there an issue with this UUID (document 11)? out->id is "" when not. */
int linear_probe(struct linear *l, struct arena *a, const char *uuid, int64_t deadline_us,
                 struct linear_issue *out, struct err *err);

/* What is known of a failure beforehand: each is read when it is not NULL or "". */
struct linear_wanted {
    const char *by_person, *on_record; /* an issue's UUID or identifier */
    const char *link;                  /* the address that hangs on its issue, whole */
    const char *token; /* of issues whose title or description really holds it */
};
struct linear_known {
    struct linear_issue by_person, on_record;   /* id "": there is no such issue */
    struct linear_issues with_link, with_token; /* of our team; trashed ones left out */
};
/* All of it at once (documents 10, 6, 5); archived issues too. -1 when any of it did not answer: that is never "there is none". */
int linear_find_known(struct linear *l, struct arena *a, const struct linear_wanted *w,
                      int64_t deadline_us, struct linear_known *out, struct err *err);

#define LINEAR_STATES_MAX 50
/* The live state of up to LINEAR_STATES_MAX issues by UUID in one request, as an operation for a page's batch. */
struct linear_states {
    struct http_call call;
    struct linear *l;
    struct arena *arena;
    struct linear_issues found;
    struct source src;
    const char *body;
};
void linear_states_init(struct linear_states *op, struct linear *l, struct arena *a,
                        const char *const *uuids, size_t n);
void linear_states_release(struct linear_states *op);

#endif
