/*
 * Routes of E2B's API, its login and Get Sandbox. Only reads are served;
 * whoever sends anything else finds it in the recorded calls.
 */
#include "e2b.h"

#include "story.h"
#include "text.h"
#include "when.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API_KEY "e2b_demo0000000000000000000000000000000000"

void e2b_error(struct reply *rp, int code, const char *message)
{
    reply_json(rp, code, pack("{s:i, s:s}", "code", code, "message", message));
}

/* e2b.md 1.2 */
static bool is_authorised(const struct request *rq, struct reply *rp)
{
    const char *key = request_header(rq, "X-API-Key");

    if (key && strcmp(key, API_KEY) == 0)
        return true;
    if (!key)
        e2b_error(rp, 401, "authorization header is missing");
    else if (!has_prefix(key, "e2b_"))
        e2b_error(rp, 401, "authorization header is malformed");
    else
        e2b_error(rp, 401,
                  "Invalid API key, please visit https://e2b.dev/docs/api-key for more "
                  "information.\nthe key is unknown");
    return false;
}

/*
 * The id in a path: 400 for characters outside [a-z0-9] or more than one dash;
 * the legacy form ID-CLIENT is cut (e2b.md 1.3). Fills out, 65 bytes.
 */
static bool read_id(const char *text, size_t len, char *out, struct reply *rp)
{
    const char *dash = memchr(text, '-', len);
    size_t n = dash ? (size_t)(dash - text) : len;

    if (n > 0 && n <= 64 && !(dash && memchr(dash + 1, '-', len - n - 1))) {
        memcpy(out, text, n);
        out[n] = '\0';
        if (is_sandbox_id(out))
            return true;
    }
    e2b_error(rp, 400, "Invalid sandbox ID");
    return false;
}

/* ---- one sandbox --------------------------------------------------------- */

static char *start_text(const struct sandbox *sb, const struct run *run, bool is_running)
{
    /* e2b.md 3.2: taken after the machine came up. */
    int64_t us = run->start_us + 16 * US_PER_MS;

    return is_running ? time_nano(us, (int)(hash_text(sb->id, 3) % 1000))
                      : time_rfc3339(us, 6);
}

static void set_text(json_t *o, const char *key, char *text)
{
    json_object_set_new(o, key, json_string(text));
    free(text);
}

json_t *e2b_listed(const struct sandbox *sb, const struct life *life)
{
    const struct run *run = &life->runs[life->run_count - 1];
    bool is_running = life->state == LIFE_RUNNING;
    const json_t *metadata = json_object_get(sb->desc, "metadata");
    json_t *o =
        pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:s}", "sandboxID", sb->id,
             "templateID", jstr(sb->template, "id"), "clientID", "6532622b", "state",
             is_running ? "running" : "paused", "cpuCount", (json_int_t)sandbox_cpus(sb),
             "memoryMB", (json_int_t)sandbox_memory_mb(sb), "diskSizeMB",
             (json_int_t)sandbox_disk_mb(sb), "envdVersion",
             jstr_or(sb->template, "envd", ""));

    if (!jbool(sb->template, "noAlias", false))
        json_object_set_new(o, "alias", json_string(jstr(sb->template, "name")));
    set_text(o, "startedAt", start_text(sb, run, is_running));
    set_text(o, "endAt",
             is_running ? time_nano(run->deadline_us + 16 * US_PER_MS, 0)
                        : time_rfc3339(life->paused_us, 6));
    if (json_object_size(metadata) > 0)
        json_object_set(o, "metadata", (json_t *)metadata);
    if (is_running)
        json_object_set_new(o, "volumeMounts", json_array());
    return o;
}

/* Members that only Get has; two of them are secrets a reader must drop. */
static void add_details(json_t *o, const struct sandbox *sb)
{
    char token[37];

    hash_uuid(sb->id, 99, token);
    set_text(o, "envdAccessToken", format("ea_secret_%s", token));
    json_object_set_new(o, "allowInternetAccess", json_true());
    json_object_set_new(o, "lifecycle",
                        pack("{s:s, s:b}", "onTimeout",
                             jstr_or(sb->desc, "onTimeout", "kill"), "autoResume", 0));
    json_object_set_new(
        o, "network",
        pack("{s:b, s:[], s:[s], s:{s:[{s:{s:{s:s}}}]}}", "allowPublicTraffic", 1,
             "allowOut", "denyOut", "169.254.0.0/16", "rules", "api.partner.example",
             "transform", "headers", "Authorization", "Bearer rule_secret_do_not_show"));
}

static void get_sandbox(struct sim *sim, const struct request *rq, const char *id,
                        struct reply *rp)
{
    struct sandbox *sb = world_sandbox(sim->world, id);
    struct life life = {0};

    if (sb)
        life_build(sb, rq->now_us, &life);
    if (life.state == LIFE_RUNNING || life.state == LIFE_PAUSED) {
        json_t *o = e2b_listed(sb, &life);

        add_details(o, sb);
        reply_json(rp, 200, o);
    } else {
        char *message =
            format("Sandbox \"%s\" doesn't exist or you don't have access to it", id);

        e2b_error(rp, 404, message);
        free(message);
    }
    life_release(&life);
}

/* ---- routes -------------------------------------------------------------- */

typedef void (*one_fn)(struct sim *, const struct request *, const char *,
                       struct reply *);

static const struct {
    const char *prefix;
    const char *suffix;
    one_fn serve;
    bool needs_events;
} one_routes[] = {
    {"/sandboxes/",        "/metrics", e2b_metrics, false},
    {"/v2/sandboxes/",     "/logs",    e2b_logs_v2, false},
    {"/sandboxes/",        "/logs",    e2b_logs_v1, false},
    {"/events/sandboxes/", "",         e2b_events,  true },
    {"/sandboxes/",        "",         get_sandbox, false},
};

static void no_route(struct reply *rp)
{
    e2b_error(rp, 404, "validation error: no matching operation was found");
}

static void serve_one(struct sim *sim, const struct request *rq, struct reply *rp)
{
    for (size_t i = 0; i < sizeof one_routes / sizeof *one_routes; i++) {
        size_t head = strlen(one_routes[i].prefix), tail = strlen(one_routes[i].suffix);
        size_t len = strlen(rq->path);
        char id[65];

        if (len <= head + tail || !has_prefix(rq->path, one_routes[i].prefix) ||
            !has_suffix(rq->path, one_routes[i].suffix) ||
            memchr(rq->path + head, '/', len - head - tail))
            continue;
        if (one_routes[i].needs_events && !sim->settings.has_events)
            break;
        if (one_routes[i].serve == e2b_logs_v2 &&
            sim->settings.logs_paging != LOGS_CURSOR)
            break;
        if (read_id(rq->path + head, len - head - tail, id, rp))
            one_routes[i].serve(sim, rq, id, rp);
        return;
    }
    no_route(rp);
}

static void get_template(struct sim *sim, const char *id, struct reply *rp)
{
    const json_t *t;
    size_t i;

    json_array_foreach(json_object_get(sim->world->desc, "templates"), i, t)
    {
        if (strcmp(jstr_or(t, "id", ""), id) != 0)
            continue;
        reply_json(rp, 200,
                   pack("{s:s, s:b, s:[s], s:[s+], s:I, s:[]}", "templateID", id,
                        "public", 0, "aliases", jstr(t, "name"), "names", "demo/",
                        jstr(t, "name"), "spawnCount", (json_int_t)120, "builds"));
        return;
    }
    e2b_error(rp, 404, "Template not found");
}

void e2b_serve(struct sim *sim, const struct request *rq, struct reply *rp)
{
    bool is_get = strcmp(rq->method, "GET") == 0;

    if (request_is(rq, "GET", "/health"))
        reply_text(rp, 200, "text/plain", "Health check successful");
    else if (!is_authorised(rq, rp))
        return;
    else if (!is_get)
        e2b_error(rp, 405, "the simulator only serves reads");
    else if (strcmp(rq->path, "/v2/sandboxes") == 0)
        e2b_list(sim, rq, false, rp);
    else if (strcmp(rq->path, "/sandboxes") == 0)
        e2b_list(sim, rq, true, rp);
    else if (strcmp(rq->path, "/sandboxes/metrics") == 0)
        e2b_latest_metrics(sim, rq, rp);
    else if (strcmp(rq->path, "/events/sandboxes") == 0 && sim->settings.has_events)
        e2b_events(sim, rq, NULL, rp);
    else if (has_prefix(rq->path, "/templates/"))
        get_template(sim, rq->path + strlen("/templates/"), rp);
    else
        serve_one(sim, rq, rp);
}
