/*
 * Linear's one address: login, limits, the GraphQL request's envelope, and the
 * answer's (linear.md 1).
 */
#include "linear.h"

#include "lin.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API_KEY "lin_api_demo"
#define HOUR_US (3600 * US_PER_S)
#define MINUTE_US (60 * US_PER_S)

char *linear_operation_name(const json_t *body)
{
    const char *given = jstr(body, "operationName"), *query = jstr(body, "query");
    struct gql_definition *doc;
    char error[256], *name = NULL;

    if (given)
        return dup_str(given);
    doc = query ? gql_parse(query, error) : NULL;
    if (doc && doc->name)
        name = dup_str(doc->name);
    gql_free(doc);
    return name;
}

/* ---- login --------------------------------------------------------------- */

static bool is_authorised(struct lin *l)
{
    const char *header = request_header(l->rq, "Authorization");

    if (header && strcmp(header, API_KEY) == 0)
        return true;
    if (header && has_prefix(header, "Bearer lin_api_"))
        lin_refuse(l, 400, "INPUT_ERROR",
                   "It looks like you're trying to use an API key as a Bearer token. "
                   "Remove the Bearer prefix from the Authorization header.",
                   "Remove the Bearer prefix from the Authorization header.");
    else
        lin_fail(l, 401, "AUTHENTICATION_ERROR", "authentication error",
                 "Authentication required, not authenticated");
    return false;
}

/* ---- limits -------------------------------------------------------------- */

/* Counts a call in the window; false when the limit was reached before. */
static bool count_call(json_t *calls, int64_t now, int64_t window_us, int64_t limit)
{
    while (json_array_size(calls) > 0 &&
           json_integer_value(json_array_get(calls, 0)) <= now - window_us)
        json_array_remove(calls, 0);
    if (limit > 0 && (int64_t)json_array_size(calls) >= limit)
        return false;
    json_array_append_new(calls, json_integer((json_int_t)now));
    return true;
}

static int64_t reset_ms(const json_t *calls, int64_t now, int64_t window_us)
{
    json_int_t oldest = json_integer_value(json_array_get(calls, 0));

    return ((oldest ? (int64_t)oldest : now) + window_us) / US_PER_MS;
}

static int64_t remaining(const json_t *calls, int64_t limit)
{
    int64_t left = limit - (int64_t)json_array_size(calls);

    return left > 0 ? left : 0;
}

static void add_limit_headers(struct lin *l, bool is_search, struct reply *rp)
{
    const struct settings *s = &l->sim->settings;
    json_t *requests = json_object_get(l->world->linear_calls, "requests");
    json_t *searches = json_object_get(l->world->linear_calls, "searches");

    reply_header(rp, "X-RateLimit-Requests-Limit", "%lld", (long long)s->request_limit);
    reply_header(rp, "X-RateLimit-Requests-Remaining", "%lld",
                 (long long)remaining(requests, s->request_limit));
    reply_header(rp, "X-RateLimit-Requests-Reset", "%lld",
                 (long long)reset_ms(requests, l->rq->now_us, HOUR_US));
    reply_header(rp, "X-Complexity", "%.0f", l->cost);
    reply_header(rp, "X-RateLimit-Complexity-Limit", "3000000");
    reply_header(rp, "X-RateLimit-Complexity-Remaining", "2990000");
    reply_header(rp, "X-RateLimit-Complexity-Reset", "%lld",
                 (long long)reset_ms(requests, l->rq->now_us, HOUR_US));
    if (!is_search)
        return;
    reply_header(rp, "X-RateLimit-Endpoint-Name", "searchIssues");
    reply_header(rp, "X-RateLimit-Endpoint-Requests-Limit", "%lld",
                 (long long)s->search_limit);
    reply_header(rp, "X-RateLimit-Endpoint-Requests-Remaining", "%lld",
                 (long long)remaining(searches, s->search_limit));
    reply_header(rp, "X-RateLimit-Endpoint-Requests-Reset", "%lld",
                 (long long)reset_ms(searches, l->rq->now_us, MINUTE_US));
}

static bool is_search(const struct lin *l)
{
    const struct gql_selection *s = l->operation ? l->operation->selections : NULL;

    for (; s; s = s->next) {
        if (s->kind == GS_FIELD && strcmp(s->name, "searchIssues") == 0)
            return true;
    }
    return false;
}

/* HTTP 400, not 429; the document is not run. */
static bool is_within_limits(struct lin *l)
{
    const struct settings *s = &l->sim->settings;
    json_t *calls = l->world->linear_calls;

    if (count_call(json_object_get(calls, "requests"), l->rq->now_us, HOUR_US,
                   s->request_limit) &&
        (!is_search(l) || count_call(json_object_get(calls, "searches"), l->rq->now_us,
                                     MINUTE_US, s->search_limit)))
        return true;
    lin_refuse(l, 400, "RATELIMITED", "Rate limit exceeded",
               "You are sending requests too quickly. Please try again later.");
    json_object_set_new(json_object_get(l->error, "extensions"), "type",
                        json_string("ratelimited"));
    return false;
}

/* ---- the request --------------------------------------------------------- */

static bool choose_operation(struct lin *l, const json_t *body)
{
    const char *wanted = jstr(body, "operationName");

    for (const struct gql_definition *d = l->doc; d; d = d->next) {
        if (strcmp(d->keyword, "fragment") == 0)
            continue;
        if (!wanted || (d->name && strcmp(d->name, wanted) == 0)) {
            l->operation = d;
            return true;
        }
    }
    lin_fail(l, 400, "GRAPHQL_VALIDATION_FAILED", "graphql error",
             "Unknown operation named \"%s\".", wanted ? wanted : "");
    return false;
}

static bool parse_document(struct lin *l, const json_t *body)
{
    const char *query = jstr(body, "query");
    char error[256];

    if (!query) {
        lin_fail(l, 400, "BAD_USER_INPUT", "graphql error",
                 "POST body missing, invalid, or without a query");
        return false;
    }
    l->doc = gql_parse(query, error);
    if (!l->doc) {
        lin_fail(l, 400, "GRAPHQL_PARSE_FAILED", "graphql error", "%s", error);
        return false;
    }
    return choose_operation(l, body);
}

static bool value_has_type(const json_t *v, const char *type)
{
    if (*type == '[')
        return json_is_array(v);
    if (has_prefix(type, "String"))
        return json_is_string(v);
    if (has_prefix(type, "ID"))
        return json_is_string(v) || json_is_integer(v);
    if (has_prefix(type, "Int"))
        return json_is_integer(v);
    if (has_prefix(type, "Float"))
        return json_is_number(v);
    if (has_prefix(type, "Boolean"))
        return json_is_boolean(v);
    if (has_prefix(type, "JSONObject"))
        return json_is_object(v);
    return true;
}

static void coerce_variable(struct lin *l, const struct gql_variable *def,
                            const json_t *given)
{
    json_t *v = json_object_get(given, def->name);
    bool is_required = has_suffix(def->type, "!");

    if (!v && def->dflt) {
        json_object_set_new(l->variables, def->name, gql_value_json(def->dflt, NULL));
        return;
    }
    if (!v && is_required)
        lin_fail(l, 400, "BAD_USER_INPUT", "graphql error",
                 "Variable \"$%s\" of required type \"%s\" was not provided.", def->name,
                 def->type);
    else if (v && json_is_null(v) ? is_required : v && !value_has_type(v, def->type))
        lin_fail(l, 400, "BAD_USER_INPUT", "graphql error",
                 "Variable \"$%s\" got an invalid value; expected type \"%s\".",
                 def->name, def->type);
    else if (v)
        json_object_set(l->variables, def->name, v);
}

static bool coerce_variables(struct lin *l, const json_t *given)
{
    for (const struct gql_variable *v = l->operation->variables; v; v = v->next)
        coerce_variable(l, v, given);
    return !l->error;
}

static void send_answer(struct lin *l, json_t *data, struct reply *rp)
{
    json_t *answer = data ? pack("{s:o}", "data", data) : json_object();

    if (l->error) {
        json_object_set_new(answer, "errors", pack("[O]", l->error));
        json_object_set_new(answer, "data", json_null());
    }
    reply_json(rp, l->error ? l->http_status : 200, answer);
    add_limit_headers(l, is_search(l), rp);
}

void linear_serve(struct sim *sim, const struct request *rq, struct reply *rp)
{
    struct lin l = {
        .sim = sim, .world = sim->world, .rq = rq, .variables = json_object()};
    json_t *body, *data = NULL;

    if (!request_is(rq, "POST", "/graphql")) {
        reply_text(rp, 404, "text/plain", "Not Found");
        json_decref(l.variables);
        return;
    }
    body = json_loadb(rq->body, rq->body_len, JSON_ALLOW_NUL, NULL);
    if (is_authorised(&l) && parse_document(&l, body) && is_within_limits(&l) &&
        coerce_variables(&l, json_object_get(body, "variables")) && lin_validate(&l))
        data = lin_execute(&l);
    send_answer(&l, data, rp);
    json_decref(body);
    json_decref(l.variables);
    json_decref(l.error);
    gql_free(l.doc);
}

json_t *linear_state(struct sim *sim)
{
    return json_copy(sim->world->linear);
}
