/*
 * One request as the handlers see it. Everything lives in req->arena, which is reset after the answer;
 * nothing of FCGX is kept.
 */
#ifndef CASEBOOK_WEB_REQUEST_H
#define CASEBOOK_WEB_REQUEST_H

#include "base/arena.h"
#include "store/db.h"
#include "sys/conf.h"
#include "sys/http.h"
#include "upstream/e2b.h"
#include "upstream/linear.h"
#include "upstream/zendesk.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum req_method { METHOD_GET, METHOD_POST, METHOD_HEAD, METHOD_OTHER };

struct field { /* one decoded name=value of the query or of a form */
    const char *name;
    const char *value;
};
#define REQ_MAX_FIELDS 64
#define REQ_MAX_PARAMS 4
#define REQ_MAX_QUERY 8192

struct app { /* what a responder keeps between requests */
    const struct conf *conf;
    struct http *http;
    struct db *db;
    struct e2b e2b;
    struct zendesk zendesk;
    struct linear linear;
    struct tpl_set *templates;
    struct phrase_set *phrases; /* the compiled tables of src/ticket */
    struct time_reader *times;
    struct mask *mask; /* and of src/outgoing */
    struct stats *stats;
    unsigned char csrf_key[32];
    bool is_schema_good; /* checked once for each process, when MariaDB first answers */
};

struct req {
    struct app *app;
    struct arena *arena;
    enum req_method method;
    const char *path; /* below BasePath, decoded, begins with '/' */
    const char *query_string;
    const char
        *request_id; /* nginx's, else one of ours; in every log line and on error pages */
    const char *user;    /* REMOTE_USER; "" only on routes that need none */
    int64_t now_us;      /* the one clock of this request */
    int64_t deadline_us; /* monotonic; for http_run */
    struct field query[REQ_MAX_FIELDS];
    size_t query_count;
    struct field form[REQ_MAX_FIELDS];
    size_t form_count;
    struct field params[REQ_MAX_PARAMS]; /* of the path: "id", "sid" */
    size_t param_count;
    const char *body; /* raw routes only */
    size_t body_len;
    const char *content_type, *content_encoding, *authorization, *if_none_match;
    const char *e2b_signature, *e2b_signature_version; /* of a webhook request */
    /*
     * MariaDB was there when the request began. Without it, routes with R_DB have been answered already;
     * other pages show what they can without the store, and say so from db_err.
     */
    bool has_db;
    struct err db_err;
};

/* Where a request comes from: libfcgi, or a test. Strings may die when the request is over. */
struct req_source {
    const char *(*param)(void *ctx, const char *name); /* NULL when there is none */
    int (*read)(void *ctx, char *buf, int n); /* fewer than n: the end of the body */
    void *ctx;
};

/*
 * Fill rq from the FastCGI parameters: DOCUMENT_URI (else REQUEST_URI, decoded here) below BasePath,
 * REQUEST_METHOD, QUERY_STRING, REMOTE_USER, REQUEST_ID and headers. The body is not read.
 * app, arena and the times are the caller's to set before.
 *
 * ERR_INPUT: a path or query with bad bytes or over its bound (the request id is set even then);
 * ERR_NOTFOUND: outside of BasePath.
 */
int req_init(struct req *rq, const struct req_source *src, struct err *err);

/* Values, never NULL: "" when missing. */
const char *req_query(const struct req *rq, const char *name);
const char *req_form(const struct req *rq, const char *name);
const char *req_param(const struct req *rq, const char *name);
/* ERR_NOTFOUND when the path part is no positive number: such a thing cannot exist. */
int req_param_id(const struct req *rq, const char *name, int64_t *out, struct err *err);

#endif
