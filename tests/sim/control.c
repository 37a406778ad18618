/*
 * The simulator's own routes: recorded calls, faults, settings, reset, patches
 * and the state for tests to look at.
 */
#include "control.h"

#include "fault.h"
#include "linear.h"
#include "record.h"
#include "story.h"
#include "text.h"
#include "world.h"
#include "zendesk.h"

#include <stdlib.h>
#include <string.h>

static void refuse(struct reply *rp, const char *why)
{
    reply_json(rp, 400, pack("{s:s}", "error", why));
}

static void done(struct reply *rp)
{
    reply_json(rp, 200, pack("{s:b}", "ok", 1));
}

/* ---- settings ------------------------------------------------------------ */

static const char *const paging_names[] = {
    [LOGS_CURSOR] = "cursor", [LOGS_MS] = "ms", [LOGS_OFFSET] = "offset"};

bool logs_paging_from_name(const char *name, enum logs_paging *out)
{
    for (size_t i = 0; name && i < sizeof paging_names / sizeof *paging_names; i++) {
        if (strcmp(paging_names[i], name) == 0) {
            *out = (enum logs_paging)i;
            return true;
        }
    }
    return false;
}

#define BOOL_SETTING(name, member)                                                       \
    {                                                                                    \
        name, offsetof(struct settings, member), true, 1                                 \
    }
#define INT_SETTING(name, member, unit)                                                  \
    {                                                                                    \
        name, offsetof(struct settings, member), false, unit                             \
    }

static const struct {
    const char *name;
    size_t offset;
    bool is_bool;
    int64_t unit;
} known[] = {
    BOOL_SETTING("events", has_events),
    BOOL_SETTING("logs_clickhouse", logs_clickhouse),
    BOOL_SETTING("list_repeats", list_repeats),
    BOOL_SETTING("list_endless", list_is_endless),
    BOOL_SETTING("search_repeats", search_repeats),
    BOOL_SETTING("zendesk_integration", zendesk_integrated),
    INT_SETTING("ingest_delay_ms", ingest_delay_us, US_PER_MS),
    INT_SETTING("search_lag_ms", search_lag_us, US_PER_MS),
    INT_SETTING("ticket_updates", ticket_updates, 1),
    INT_SETTING("linear_searches", search_limit, 1),
    INT_SETTING("linear_requests", request_limit, 1),
    INT_SETTING("linear_issues", issue_limit, 1),
    INT_SETTING("linear_index_lag_ms", index_lag_us, US_PER_MS),
};

static bool set_one(struct settings *s, const char *name, const json_t *value)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char *at = (char *)s + known[i].offset;

        if (strcmp(known[i].name, name) != 0)
            continue;
        if (known[i].is_bool) {
            bool v = json_is_true(value);

            memcpy(at, &v, sizeof v);
            return json_is_boolean(value);
        }
        if (json_is_integer(value)) {
            int64_t v = (int64_t)json_integer_value(value) * known[i].unit;

            memcpy(at, &v, sizeof v);
            return true;
        }
        return false;
    }
    return false;
}

static void post_settings(struct sim *sim, const struct request *rq, const json_t *body,
                          struct reply *rp)
{
    struct settings s = sim->settings;
    const char *name;
    json_t *value;

    (void)rq;
    json_object_foreach((json_t *)body, name, value)
    {
        bool ok;

        if (strcmp(name, "logs_paging") == 0)
            ok = logs_paging_from_name(json_string_value(value), &s.logs_paging);
        else if (strcmp(name, "tokens") == 0)
            ok = json_is_object(value) && json_object_update(sim->tokens, value) == 0;
        else if (strcmp(name, "expire_tokens") == 0)
            ok =
                json_is_true(value) && json_object_clear(sim->world->zendesk_tokens) == 0;
        else
            ok = set_one(&s, name, value);
        if (!ok) {
            refuse(rp, name);
            return;
        }
    }
    sim->settings = s;
    done(rp);
}

/* ---- calls and faults ---------------------------------------------------- */

static void get_calls(struct sim *sim, const struct request *rq, const json_t *body,
                      struct reply *rp)
{
    int64_t since = 0;

    (void)body;
    if (request_int(rq, "since", 0, INT64_MAX, &since) < 0)
        refuse(rp, "since is no number");
    else
        reply_json(rp, 200, recorder_calls(sim->recorder, since));
}

static void delete_calls(struct sim *sim, const struct request *rq, const json_t *body,
                         struct reply *rp)
{
    (void)rq;
    (void)body;
    recorder_clear(sim->recorder);
    done(rp);
}

static void post_fault(struct sim *sim, const struct request *rq, const json_t *body,
                       struct reply *rp)
{
    int64_t id = faults_add(sim->faults, body);

    (void)rq;
    if (id < 0)
        refuse(rp, "service is required, and only known members are taken");
    else
        reply_json(rp, 200, pack("{s:I}", "id", (json_int_t)id));
}

static void delete_faults(struct sim *sim, const struct request *rq, const json_t *body,
                          struct reply *rp)
{
    (void)rq;
    (void)body;
    faults_clear(sim->faults);
    done(rp);
}

/* ---- the world ----------------------------------------------------------- */

static void post_reset(struct sim *sim, const struct request *rq, const json_t *body,
                       struct reply *rp)
{
    struct world *fresh = world_load(sim->world_dir, sim->start_us, sim->tokens,
                                     jbool(body, "empty", false));

    (void)rq;
    world_free(sim->world);
    sim->world = fresh;
    sim->settings = sim->start_settings;
    faults_clear(sim->faults);
    done(rp);
}

static json_t *table_of(const struct sim *sim, const char *service, const char *table)
{
    if (strcmp(service, "linear") == 0)
        return json_object_get(sim->world->linear, table);
    if (strcmp(table, "tickets") == 0)
        return sim->world->tickets;
    return strcmp(table, "users") == 0 ? sim->world->users : NULL;
}

static bool matches(const json_t *record, const json_t *wanted)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)wanted, key, value)
    {
        if (!json_equal(json_object_get(record, key), value))
            return false;
    }
    return true;
}

/* What a person does in a service's own pages: close a ticket, move an issue. */
static void post_patch(struct sim *sim, const struct request *rq, const json_t *body,
                       struct reply *rp)
{
    json_t *table =
        table_of(sim, jstr_or(body, "service", ""), jstr_or(body, "table", ""));
    json_t *set = json_object_get(body, "set"), *record;
    json_int_t count = 0;
    size_t i;

    (void)rq;
    if (!table || !json_is_object(json_object_get(body, "match")) ||
        !json_is_object(set)) {
        refuse(rp, "service, table, match and set are required");
        return;
    }
    json_array_foreach(table, i, record)
    {
        if (matches(record, json_object_get(body, "match"))) {
            json_object_update(record, set);
            count++;
        }
    }
    reply_json(rp, 200, pack("{s:I}", "changed", count));
}

static json_t *sandbox_state(struct world *w, int64_t now)
{
    static const char *const names[] = {[LIFE_NOT_YET] = "not yet",
                                        [LIFE_RUNNING] = "running",
                                        [LIFE_PAUSED] = "paused",
                                        [LIFE_GONE] = "gone"};
    json_t *all = json_array();

    for (size_t i = 0; i < w->sandbox_count; i++) {
        const struct sandbox *sb = &w->sandboxes[i];
        struct life life = {0};

        life_build(sb, now, &life);
        json_array_append_new(all,
                              pack("{s:s, s:s, s:I, s:s, s:I, s:I, s:O?, s:O?}", "id",
                                   sb->id, "template", jstr(sb->template, "name"),
                                   "start_us", (json_int_t)sb->start_us, "state",
                                   names[life.state], "runs", (json_int_t)life.run_count,
                                   "events", (json_int_t)json_array_size(life.events),
                                   "metadata", json_object_get(sb->desc, "metadata"),
                                   "expect", json_object_get(sb->desc, "expect")));
        life_release(&life);
    }
    return all;
}

static void get_state(struct sim *sim, const struct request *rq, const json_t *body,
                      struct reply *rp)
{
    (void)body;
    reply_json(rp, 200,
               pack("{s:I, s:o, s:o, s:o}", "start_us", (json_int_t)sim->start_us,
                    "linear", linear_state(sim), "zendesk", zendesk_state(sim),
                    "sandboxes", sandbox_state(sim->world, rq->now_us)));
}

static void get_health(struct sim *sim, const struct request *rq, const json_t *body,
                       struct reply *rp)
{
    (void)rq;
    (void)body;
    reply_json(rp, 200,
               pack("{s:b, s:I, s:s, s:b}", "ok", 1, "sandboxes",
                    (json_int_t)sim->world->sandbox_count, "logs_paging",
                    paging_names[sim->settings.logs_paging], "events",
                    sim->settings.has_events));
}

static const struct {
    const char *method;
    const char *path;
    void (*serve)(struct sim *, const struct request *, const json_t *, struct reply *);
} routes[] = {
    {"GET",    "/health",   get_health   },
    {"GET",    "/calls",    get_calls    },
    {"DELETE", "/calls",    delete_calls },
    {"POST",   "/faults",   post_fault   },
    {"DELETE", "/faults",   delete_faults},
    {"POST",   "/reset",    post_reset   },
    {"POST",   "/settings", post_settings},
    {"POST",   "/patch",    post_patch   },
    {"GET",    "/state",    get_state    },
};

void control_serve(struct sim *sim, const struct request *rq, struct reply *rp)
{
    json_t *body = json_loadb(rq->body, rq->body_len, 0, NULL);

    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        if (request_is(rq, routes[i].method, routes[i].path)) {
            routes[i].serve(sim, rq, body, rp);
            json_decref(body);
            return;
        }
    }
    json_decref(body);
    reply_json(rp, 404, pack("{s:s}", "error", "no such route"));
}
