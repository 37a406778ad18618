/*
 * One request from its parameters to the finished reply. What holds for many routes (who may, which body,
 * which token, is the database there) is obeyed here from the route's flags, so that handlers are only
 * about their page.
 */
#include "web/route.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "store/migrate.h"
#include "sys/clock.h"
#include "sys/log.h"
#include "web/csrf.h"
#include "web/form.h"
#include "web/stats.h"

#include "base/banned.h"

static const char *const method_names[] = {
    [METHOD_GET] = "GET",
    [METHOD_POST] = "POST",
    [METHOD_HEAD] = "HEAD",
    [METHOD_OTHER] = "other",
};

/* Compares part by part; ":name" takes any one part that is not empty. */
static bool match(const char *pattern, const char *path, struct arena *a,
                  struct field params[REQ_MAX_PARAMS], size_t *count)
{
    *count = 0;
    while (*pattern == '/' && *path == '/') {
        size_t want = strcspn(++pattern, "/"), have = strcspn(++path, "/");

        if (pattern[0] == ':') {
            if (have == 0)
                return false;
            if (*count == REQ_MAX_PARAMS)
                BUG("more than %d parameters in a route", REQ_MAX_PARAMS);
            params[*count].name = arena_strn(a, pattern + 1, want - 1);
            params[(*count)++].value = arena_strn(a, path, have);
        } else if (want != have || memcmp(pattern, path, want) != 0) {
            return false;
        }
        pattern += want;
        path += have;
    }
    return *pattern == '\0' && *path == '\0';
}

const struct route *route_find(const struct route *table, size_t count,
                               enum req_method method, const char *path, struct arena *a,
                               struct field params[REQ_MAX_PARAMS], size_t *param_count,
                               const char **allow)
{
    bool has_get = false, has_post = false;
    enum req_method wanted = method == METHOD_HEAD ? METHOD_GET : method;

    *allow = "";
    for (size_t i = 0; i < count; i++) {
        if (!match(table[i].pattern, path, a, params, param_count))
            continue;
        if (table[i].method == wanted)
            return &table[i];
        has_get |= table[i].method == METHOD_GET;
        has_post |= table[i].method == METHOD_POST;
    }
    *param_count = 0;
    *allow = arena_fmt(a, "%s%s%s", has_get ? "GET, HEAD" : "",
                       has_get && has_post ? ", " : "", has_post ? "POST" : "");
    return NULL;
}

struct refused { /* a request that will get an error page */
    enum refusal why;
    const char *allow;
    struct err err;
};

static int refuse(struct refused *no, enum refusal why, enum err_kind kind,
                  const char *text)
{
    no->why = why;
    return err_set(&no->err, kind, "%s", text);
}

static int read_body(struct req *rq, const struct req_source *src,
                     const struct route *route, struct refused *no)
{
    size_t max = route->max_body ? route->max_body : ROUTE_MAX_FORM;

    if (!(route->flags & (R_FORM | R_RAW)))
        return 0;
    if ((route->flags & R_FORM) && !form_type_ok(rq->content_type))
        return refuse(no, REFUSE_TYPE, ERR_INPUT, "a form of another content type");
    switch (form_read_body(rq, src, max, &no->err)) {
    case FORM_READ:
        break;
    case FORM_TOO_LONG:
        no->why = REFUSE_TOO_LONG;
        return -1;
    case FORM_BROKEN:
        return -1;
    }
    if ((route->flags & R_FORM) && form_decode(rq->arena, rq->body, rq->body_len,
                                               rq->form, &rq->form_count, &no->err))
        return err_ctx(&no->err, "form");
    return 0;
}

/* The schema is looked at once for each process: MariaDB may come up long after the start. */
static int db_check(struct app *app, struct err *err)
{
    if (db_ready(app->db, err))
        return -1;
    if (!app->is_schema_good && migrate_check(app->db, err))
        return -1;
    app->is_schema_good = true;
    return 0;
}

static int ask_db(struct req *rq, const struct route *route, struct refused *no)
{
    if (route->flags & R_NODB)
        return 0;
    rq->has_db = db_check(rq->app, &rq->db_err) == 0;
    if (rq->has_db)
        return 0;
    stats_failure(rq->app->stats, STATS_DATABASE);
    if (route->flags & R_DB) {
        no->err = rq->db_err;
        no->err.kind = ERR_DB;
        return -1;
    }
    log_err(LOG_ERROR, "the page is shown without the database", &rq->db_err);
    return 0;
}

static int admit(struct req *rq, const struct req_source *src, const struct route *route,
                 struct refused *no)
{
    if ((route->flags & R_USER) && !*rq->user)
        return refuse(no, REFUSE_NO_USER, ERR_DENIED, "no REMOTE_USER");
    if (read_body(rq, src, route, no))
        return -1;
    if ((route->flags & R_CSRF) &&
        !csrf_check(rq->app->csrf_key, rq->user, rq->now_us, req_form(rq, "csrf")))
        return refuse(no, REFUSE_EXPIRED, ERR_DENIED, "the form's token is not good");
    return ask_db(rq, route, no);
}

static int handle(struct req *rq, const struct route *route, struct reply *reply,
                  struct refused *no)
{
    struct resp rs;
    int rc;

    resp_init(&rs);
    rc = route->handler(rq, &rs, &no->err);
    if (rq->has_db)
        db_rollback(rq->app->db);
    if (rc == 0)
        rc = respond(rq, &rs, reply, &no->err);
    resp_release(&rs);
    return rc;
}

static int serve(const struct route *table, size_t count, struct req *rq,
                 const struct req_source *src, struct reply *reply, struct refused *no)
{
    const struct route *route;

    if (req_init(rq, src, &no->err))
        return -1;
    log_context("req", rq->request_id);
    route = route_find(table, count, rq->method, rq->path, rq->arena, rq->params,
                       &rq->param_count, &no->allow);
    if (!route && !*no->allow)
        return refuse(no, REFUSE_NO_PAGE, ERR_NOTFOUND, "no such address");
    if (!route)
        return refuse(no, REFUSE_METHOD, ERR_INPUT,
                      "the address does not take this method");
    if (admit(rq, src, route, no))
        return -1;
    return handle(rq, route, reply, no);
}

static void log_request(const struct req *rq, const struct reply *reply, int64_t took_us)
{
    char status[16], ms[24];

    snprintf(status, sizeof(status), "%d", reply->status);
    snprintf(ms, sizeof(ms), "%lld", (long long)(took_us / 1000));
    log_event(LOG_INFO, "request", "method", method_names[rq->method], "path", rq->path,
              "status", status, "ms", ms, "user", rq->user, NULL);
}

void route_serve(const struct route *table, size_t count, struct req *rq,
                 const struct req_source *src, struct reply *reply)
{
    int64_t began_us = clock_mono_us(), took_us;
    struct refused no = {.why = REFUSE_BY_KIND, .err = ERR_INIT};

    if (serve(table, count, rq, src, reply, &no)) {
        log_context("req", rq->request_id);
        respond_error(rq, reply, no.why, no.why == REFUSE_METHOD ? no.allow : NULL,
                      &no.err);
    }
    took_us = clock_mono_us() - began_us;
    stats_request(rq->app->stats, reply->status, took_us);
    log_request(rq, reply, took_us);
    log_context(NULL, NULL);
}
