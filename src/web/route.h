/*
 * The table of routes. Flags are obeyed once, here, outside the handlers.
 */
#ifndef CASEBOOK_WEB_ROUTE_H
#define CASEBOOK_WEB_ROUTE_H

#include "web/request.h"
#include "web/respond.h"

enum route_flag {
    R_USER = 1,  /* REMOTE_USER must be there, else 403 */
    R_CSRF = 2,  /* the form's `csrf` field must fit the user */
    R_FORM = 4,  /* application/x-www-form-urlencoded, at most 16 KiB */
    R_RAW = 8,   /* the body as it is */
    R_NODB = 16, /* never asks MariaDB: req.has_db is false */
    R_DB =
        32, /* nothing without MariaDB: the handler is not called when it does not answer */
};

typedef int route_handler(struct req *rq, struct resp *rs, struct err *err);

struct route {
    enum req_method method; /* GET answers HEAD too */
    const char *pattern;    /* "/tickets/:id/sandboxes/:sid" */
    route_handler *handler;
    unsigned flags;
    size_t max_body;
};

extern const struct route routes[];
extern const size_t route_count;

/* The bound for forms with R_FORM and no max_body of their own. */
#define ROUTE_MAX_FORM ((size_t)16 << 10)

/*
 * The row for a method and path, and the path's parameters (into params, from the arena). NULL when there
 * is none; *allow is then "" for an unknown path, else what the path takes: "GET, HEAD" (in the arena).
 */
const struct route *route_find(const struct route *table, size_t count,
                               enum req_method method, const char *path, struct arena *a,
                               struct field params[REQ_MAX_PARAMS], size_t *param_count,
                               const char **allow);

/*
 * Answer one request, from its parameters to the finished reply: find the route, obey its flags, read the
 * body, call the handler, render. Never fails: a failure is an error page. Logs the failure once, and
 * one `info` line for the request. rq needs app, arena, now_us, deadline_us and zeroes.
 */
void route_serve(const struct route *table, size_t count, struct req *rq,
                 const struct req_source *src, struct reply *reply);

#endif
