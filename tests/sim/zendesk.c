/*
 * Routes of Zendesk's API, its two ways to log in, and scopes (zendesk.md 1).
 */
#include "zendesk.h"

#include "text.h"
#include "zd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLIENT_ID "casebook"
#define CLIENT_SECRET "demo-secret"
#define API_TOKEN "demo-token"

/* ---- login --------------------------------------------------------------- */

static void give_token(struct sim *sim, const struct request *rq, struct reply *rp)
{
    json_t *body = json_loadb(rq->body, rq->body_len, 0, NULL);
    const char *scope = jstr(body, "scope");
    int64_t expires_in = jint(body, "expires_in", 1800);
    char token[37], *full;

    if (strcmp(jstr_or(body, "grant_type", ""), "client_credentials") != 0) {
        zd_error(rp, 400, "unsupported_grant_type", "The grant type is not supported");
    } else if (strcmp(jstr_or(body, "client_id", ""), CLIENT_ID) != 0 ||
               strcmp(jstr_or(body, "client_secret", ""), CLIENT_SECRET) != 0) {
        zd_error(rp, 401, "invalid_client",
                 "Client authentication failed due to unknown client");
    } else if (!scope || expires_in < 300 || expires_in > 172800) {
        zd_error(rp, 400, "invalid_request", "scope or expires_in is missing or wrong");
    } else {
        hash_uuid("token",
                  (uint64_t)rq->now_us + json_object_size(sim->world->zendesk_tokens),
                  token);
        full = format("demo-oauth-%s", token);
        json_object_set_new(sim->world->zendesk_tokens, full,
                            pack("{s:s, s:I}", "scope", scope, "until_us",
                                 (json_int_t)(rq->now_us + expires_in * US_PER_S)));
        reply_json(rp, 201,
                   pack("{s:s, s:s, s:s, s:I}", "access_token", full, "token_type",
                        "bearer", "scope", scope, "expires_in", (json_int_t)expires_in));
        free(full);
    }
    json_decref(body);
}

/* The scopes of the caller; NULL and an answer when the login is no good. */
static const char *caller_scope(struct sim *sim, const struct request *rq,
                                struct reply *rp)
{
    const char *header = request_header(rq, "Authorization");

    if (header && strncasecmp(header, "Basic ", 6) == 0) {
        char *pair = base64_decode(header + 6);
        bool ok = pair && strcmp(pair, ZD_SERVICE_EMAIL "/token:" API_TOKEN) == 0;

        free(pair);
        if (ok)
            return "read write";
        zd_error(rp, 401, "Couldn't authenticate you", NULL);
        return NULL;
    }
    if (header && strncasecmp(header, "Bearer ", 7) == 0) {
        const json_t *token = json_object_get(sim->world->zendesk_tokens, header + 7);

        if (token && jint(token, "until_us", 0) > rq->now_us)
            return jstr(token, "scope");
        zd_error(rp, 401, "invalid_token",
                 "The access token provided is expired, revoked, malformed or invalid.");
        return NULL;
    }
    zd_error(rp, 401, "Couldn't authenticate you", NULL);
    return NULL;
}

static bool has_scope(const char *scopes, const char *wanted)
{
    size_t n = strlen(wanted);

    while (*scopes) {
        size_t len = strcspn(scopes, " ");

        if (len == n && strncmp(scopes, wanted, n) == 0)
            return true;
        scopes += len + (scopes[len] == ' ');
    }
    return false;
}

/* ---- routes -------------------------------------------------------------- */

enum need { NEED_READ, NEED_TICKETS_READ, NEED_TICKETS_WRITE };

static bool is_allowed(const char *scopes, enum need need, struct reply *rp)
{
    static const struct {
        const char *broad;
        const char *narrow;
    } names[] = {
        [NEED_READ] = {"read",  NULL           },
        [NEED_TICKETS_READ] = {"read",  "tickets:read" },
        [NEED_TICKETS_WRITE] = {"write", "tickets:write"},
    };
    char *text;

    if (has_scope(scopes, names[need].broad) ||
        (names[need].narrow && has_scope(scopes, names[need].narrow)))
        return true;
    text = format("You do not have access to this page. Missing the following required "
                  "scopes: %s",
                  names[need].broad);
    zd_error(rp, 403, "Forbidden", text);
    free(text);
    return false;
}

typedef void (*route_fn)(struct sim *, const struct request *, int64_t, struct reply *);

static void search(struct sim *sim, const struct request *rq, int64_t id,
                   struct reply *rp)
{
    (void)id;
    zd_search(sim, rq, false, rp);
}

static void search_count(struct sim *sim, const struct request *rq, int64_t id,
                         struct reply *rp)
{
    (void)id;
    zd_search(sim, rq, true, rp);
}

static void tickets(struct sim *sim, const struct request *rq, int64_t id,
                    struct reply *rp)
{
    (void)id;
    zd_tickets_many(sim, rq, rp);
}

static void ticket_count(struct sim *sim, const struct request *rq, int64_t id,
                         struct reply *rp)
{
    (void)rq;
    (void)id;
    reply_json(rp, 200,
               pack("{s:{s:I}}", "count", "value",
                    (json_int_t)json_array_size(sim->world->tickets)));
}

static void me(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp)
{
    (void)rq;
    (void)id;
    reply_json(
        rp, 200,
        pack("{s:o}", "user", zd_public(zd_user_by_email(sim->world, ZD_SERVICE_EMAIL))));
}

static void user(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp)
{
    json_t *found = zd_visible_user(sim->world, id);

    (void)rq;
    if (found)
        reply_json(rp, 200, pack("{s:o}", "user", found));
    else
        zd_not_found(rp);
}

static void users_many(struct sim *sim, const struct request *rq, int64_t id,
                       struct reply *rp)
{
    const char *ids = request_param(rq, "ids");
    json_t *list = json_array();

    (void)id;
    while (ids && *ids) {
        zd_add_user(sim->world, list, strtoll(ids, NULL, 10));
        ids += strcspn(ids, ",");
        ids += *ids == ',';
    }
    zd_send_page(rq, rp, "users", list, NULL);
}

static void users_search(struct sim *sim, const struct request *rq, int64_t id,
                         struct reply *rp)
{
    const char *text = request_param(rq, "query");
    json_t *list = json_array(), *o;
    size_t i;

    (void)id;
    json_array_foreach(sim->world->users, i, o)
    {
        if (text && (contains_ci(jstr_or(o, "email", ""), text) ||
                     contains_ci(jstr_or(o, "name", ""), text)))
            json_array_append(list, o);
    }
    zd_send_page(rq, rp, "users", list, NULL);
}

static void requested(struct sim *sim, const struct request *rq, int64_t id,
                      struct reply *rp)
{
    json_t *list = json_array(), *t;
    size_t i;

    json_array_foreach(sim->world->tickets, i, t)
    {
        if (jint(t, "requester_id", 0) == id)
            json_array_append(list, t);
    }
    zd_send_page(rq, rp, "tickets", list, NULL);
}

static void organization(struct sim *sim, const struct request *rq, int64_t id,
                         struct reply *rp)
{
    json_t *found = zd_by_id(sim->world->organizations, id);

    (void)rq;
    if (found)
        reply_json(rp, 200, pack("{s:o}", "organization", zd_public(found)));
    else
        zd_not_found(rp);
}

static void custom_statuses(struct sim *sim, const struct request *rq, int64_t id,
                            struct reply *rp)
{
    (void)sim;
    (void)id;
    zd_send_page(rq, rp, "custom_statuses", json_array(), NULL);
}

/* "#" stands for a number, which the function gets. */
static const struct {
    const char *method;
    const char *pattern;
    enum need need;
    route_fn serve;
} routes[] = {
    {"GET", "/search",                    NEED_READ,          search          },
    {"GET", "/search/count",              NEED_READ,          search_count    },
    {"GET", "/tickets",                   NEED_TICKETS_READ,  tickets         },
    {"GET", "/tickets/show_many",         NEED_TICKETS_READ,  tickets         },
    {"GET", "/tickets/count",             NEED_TICKETS_READ,  ticket_count    },
    {"GET", "/tickets/#",                 NEED_TICKETS_READ,  zd_ticket       },
    {"GET", "/tickets/#/comments",        NEED_TICKETS_READ,  zd_comments     },
    {"GET", "/tickets/#/comments/count",  NEED_TICKETS_READ,  zd_comment_count},
    {"GET", "/tickets/#/audits",          NEED_READ,          zd_audits       },
    {"PUT", "/tickets/#",                 NEED_TICKETS_WRITE, zd_update       },
    {"PUT", "/tickets/#/tags",            NEED_TICKETS_WRITE, zd_put_tags     },
    {"GET", "/users/me",                  NEED_READ,          me              },
    {"GET", "/users/show_many",           NEED_READ,          users_many      },
    {"GET", "/users/search",              NEED_READ,          users_search    },
    {"GET", "/users/#",                   NEED_READ,          user            },
    {"GET", "/users/#/tickets/requested", NEED_READ,          requested       },
    {"GET", "/organizations/#",           NEED_READ,          organization    },
    {"GET", "/custom_statuses",           NEED_READ,          custom_statuses },
};

static bool path_fits(const char *pattern, const char *path, int64_t *id)
{
    while (*pattern) {
        if (*pattern == '#') {
            char *end;

            if (*path < '0' || *path > '9')
                return false;
            *id = strtoll(path, &end, 10);
            path = end;
            pattern++;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0';
}

static void serve_route(struct sim *sim, const struct request *rq, const char *path,
                        struct reply *rp)
{
    const char *scopes;
    int64_t id = 0;

    /* zendesk.md 1.4: without a login this one may answer 200. */
    if (strcmp(path, "/users/me") == 0 && !request_header(rq, "Authorization")) {
        reply_json(rp, 200,
                   pack("{s:{s:n, s:s, s:s, s:s}}", "user", "id", "name",
                        "Anonymous user", "email", "invalid@example.com", "role",
                        "end-user"));
        return;
    }
    scopes = caller_scope(sim, rq, rp);
    if (!scopes)
        return;
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        if (strcmp(routes[i].method, rq->method) != 0 ||
            !path_fits(routes[i].pattern, path, &id))
            continue;
        if (is_allowed(scopes, routes[i].need, rp))
            routes[i].serve(sim, rq, id, rp);
        return;
    }
    zd_error(rp, 404, "InvalidEndpoint", "Not found");
}

static void add_headers(const struct request *rq, struct reply *rp)
{
    char id[37];

    hash_uuid("request", (uint64_t)rq->now_us, id);
    reply_header(rp, "X-Zendesk-Request-Id", "%s", id);
    reply_header(rp, "X-Rate-Limit", "700");
    reply_header(rp, "X-Rate-Limit-Remaining", "690");
    reply_header(rp, "ratelimit-limit", "700");
    reply_header(rp, "ratelimit-remaining", "690");
    reply_header(rp, "ratelimit-reset", "42");
    if (strstr(rq->path, "/search"))
        reply_header(rp, "Zendesk-RateLimit-search-index",
                     "total=2500; remaining=2490; resets=42");
    if (strcmp(rq->method, "PUT") == 0)
        reply_header(rp, "Zendesk-RateLimit-tickets-update",
                     "total=100; remaining=90; resets=42");
}

void zendesk_serve(struct sim *sim, const struct request *rq, struct reply *rp)
{
    static const char base[] = "/api/v2";
    char *path;

    if (request_is(rq, "POST", "/oauth/tokens")) {
        give_token(sim, rq, rp);
    } else if (has_prefix(rq->path, base)) {
        path = dup_str(rq->path + strlen(base));
        if (has_suffix(path, ".json"))
            path[strlen(path) - strlen(".json")] = '\0';
        serve_route(sim, rq, path, rp);
        free(path);
    } else {
        zd_error(rp, 404, "InvalidEndpoint", "Not found");
    }
    add_headers(rq, rp);
}

json_t *zendesk_state(struct sim *sim)
{
    json_t *all = json_array(), *t, *c;
    size_t i, k;

    json_array_foreach(sim->world->tickets, i, t)
    {
        json_t *comments = json_array();

        json_array_foreach(json_object_get(t, "_comments"), k, c)
        {
            json_array_append_new(comments, zd_public(c));
        }
        json_array_append_new(
            all, pack("{s:O, s:O, s:O, s:O, s:o, s:O}", "id", json_object_get(t, "id"),
                      "subject", json_object_get(t, "subject"), "status",
                      json_object_get(t, "status"), "updated_at",
                      json_object_get(t, "updated_at"), "comments", comments, "audits",
                      json_object_get(t, "_audits")));
    }
    return all;
}
