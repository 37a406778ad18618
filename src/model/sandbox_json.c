/*
 * JSON of E2B's sandboxes, lifecycle events and metric samples, read and written.
 *
 * Only named members are read, so envdAccessToken and network never enter the model. Events come in
 * two spellings: camelCase from the API, snake_case from webhooks (e2b.md 6.3).
 */
#include "model/sandbox.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "model/jsonio.h"

#include "base/banned.h"

#define MIB_MAX ((int64_t)1 << 30) /* a pebibyte */

#define ID_CAP 128
#define NAME_CAP 512
#define TAG_MAX 64
#define TAG_VALUE_CAP 1024
#define UNIX_SECONDS_MAX INT64_C(253402300799) /* the last second of the year 9999 */

static const char *const sandbox_id_keys[] = {"sandboxID", "sandboxId", "sandbox_id",
                                              NULL};

static enum sandbox_state state_from_text(const char *text)
{
    if (strcmp(text, "running") == 0)
        return SANDBOX_RUNNING;
    return strcmp(text, "paused") == 0 ? SANDBOX_PAUSED : SANDBOX_OTHER;
}

static int64_t not_negative(int64_t v)
{
    return v < 0 ? 0 : v;
}

static int64_t get_count(const json_t *o, const char *key)
{
    return not_negative(jget_i64(o, key, 0));
}

/* A size no machine has is none that E2B told: computing with it must not overflow. */
static int64_t get_mib(const json_t *o, const char *key)
{
    int64_t mib = get_count(o, key);

    return mib <= MIB_MAX ? mib : 0;
}

int sandbox_from_json(struct arena *a, const json_t *o, struct sandbox *out,
                      struct err *err)
{
    const json_t *lifecycle = jget_obj(o, "lifecycle");
    struct sandbox s = {.id = jio_line_any(a, o, sandbox_id_keys, ID_CAP, "")};

    if (text_is_empty(s.id))
        return err_set(err, ERR_UPSTREAM, "sandbox: member \"sandboxID\" is missing");
    s.template_id = jio_line(a, o, "templateID", ID_CAP, "");
    s.template_alias = jio_line(a, o, "alias", NAME_CAP, "");
    s.state_text = jio_line(a, o, "state", ID_CAP, "");
    s.state = state_from_text(s.state_text);
    s.started_us = jget_time(o, "startedAt");
    s.end_us = jget_time(o, "endAt");
    s.cpu_count = get_count(o, "cpuCount");
    s.memory_mib = get_mib(o, "memoryMB");
    s.disk_mib = get_mib(o, "diskSizeMB");
    s.envd_version = jio_line(a, o, "envdVersion", ID_CAP, "");
    s.on_timeout = jio_line(a, lifecycle, "onTimeout", ID_CAP, "");
    s.auto_resume = jget_bool(lifecycle, "autoResume", false);
    s.tags = jio_tags(a, jget_obj(o, "metadata"), TAG_MAX, TAG_VALUE_CAP, &s.tag_count);
    *out = s;
    return 0;
}

json_t *sandbox_to_json(const struct sandbox *s)
{
    json_t *o = json_object();

    jio_put_text(o, "sandboxID", s->id);
    jio_put_text(o, "templateID", s->template_id);
    jio_put_text(o, "alias", s->template_alias);
    jio_put_text(o, "state", s->state_text);
    jio_put_time(o, "startedAt", s->started_us);
    jio_put_time(o, "endAt", s->end_us);
    if (s->cpu_count)
        jio_put_i64(o, "cpuCount", s->cpu_count);
    if (s->memory_mib)
        jio_put_i64(o, "memoryMB", s->memory_mib);
    if (s->disk_mib)
        jio_put_i64(o, "diskSizeMB", s->disk_mib);
    jio_put_text(o, "envdVersion", s->envd_version);
    if (!text_is_empty(s->on_timeout) || s->auto_resume) {
        json_t *lifecycle = json_object();

        jio_put_text(lifecycle, "onTimeout", s->on_timeout);
        jio_put_bool(lifecycle, "autoResume", s->auto_resume);
        json_object_set_new(o, "lifecycle", lifecycle);
    }
    jio_put_tags(o, "metadata", s->tags, s->tag_count);
    return o;
}

/* eventData; all of it may be missing (version v1). */
static void read_event_data(struct arena *a, const json_t *data, struct event *e)
{
    const json_t *exec = jget_obj(data, "execution");

    e->has_data = data != NULL;
    e->set_timeout_us = jget_time(data, "set_timeout");
    e->changed_network = jget_obj(data, "network_egress") != NULL;
    e->kill_reason = jio_line(a, data, "kill_reason", ID_CAP, "");
    e->exec_started_us = jget_time(exec, "started_at");
    e->exec_ms = jget_i64(exec, "execution_time", -1);
    if (e->exec_ms < 0)
        e->exec_ms = -1;
    e->exec_cpu_count = get_count(exec, "vcpu_count");
    e->exec_memory_mib = get_mib(exec, "memory_mb");
    e->tags = jio_tags(a, jget_obj(data, "sandbox_metadata"), TAG_MAX, TAG_VALUE_CAP,
                       &e->tag_count);
}

int event_from_json(struct arena *a, const json_t *o, struct event *out, struct err *err)
{
    static const char *const exec_keys[] = {"sandboxExecutionId", "sandbox_execution_id",
                                            NULL};
    static const char *const template_keys[] = {"sandboxTemplateId",
                                                "sandbox_template_id", NULL};
    static const char *const team_keys[] = {"sandboxTeamId", "sandbox_team_id", NULL};
    static const char *const data_keys[] = {"eventData", "event_data", NULL};
    struct event e = {.id = jio_line(a, o, "id", ID_CAP, "")};

    if (text_is_empty(e.id))
        return err_set(err, ERR_UPSTREAM, "event: member \"id\" is missing");
    e.type_text = jio_line(a, o, "type", ID_CAP, "");
    if (text_is_empty(e.type_text))
        return err_set(err, ERR_UPSTREAM, "event %s: member \"type\" is missing", e.id);
    e.type = event_type_from_text(e.type_text);
    e.at_us = jget_time(o, "timestamp");
    if (e.at_us == TS_NONE)
        return err_set(err, ERR_UPSTREAM, "event %s: member \"timestamp\" is no time",
                       e.id);
    e.sandbox_id = jio_line_any(a, o, sandbox_id_keys, ID_CAP, "");
    e.execution_id = jio_line_any(a, o, exec_keys, ID_CAP, "");
    e.template_id = jio_line_any(a, o, template_keys, ID_CAP, "");
    e.team_id = jio_line_any(a, o, team_keys, ID_CAP, "");
    read_event_data(a, jio_obj_any(o, data_keys), &e);
    *out = e;
    return 0;
}

static json_t *event_data_to_json(const struct event *e)
{
    json_t *data = json_object();

    jio_put_tags(data, "sandbox_metadata", e->tags, e->tag_count);
    jio_put_time(data, "set_timeout", e->set_timeout_us);
    if (e->changed_network)
        json_object_set_new(data, "network_egress", json_object());
    jio_put_text(data, "kill_reason", e->kill_reason);
    if (e->exec_started_us != TS_NONE || e->exec_ms >= 0 || e->exec_cpu_count ||
        e->exec_memory_mib) {
        json_t *exec = json_object();

        jio_put_time(exec, "started_at", e->exec_started_us);
        if (e->exec_cpu_count)
            jio_put_i64(exec, "vcpu_count", e->exec_cpu_count);
        if (e->exec_memory_mib)
            jio_put_i64(exec, "memory_mb", e->exec_memory_mib);
        if (e->exec_ms >= 0)
            jio_put_i64(exec, "execution_time", e->exec_ms);
        json_object_set_new(data, "execution", exec);
    }
    return data;
}

json_t *event_to_json(const struct event *e)
{
    json_t *o = json_object();

    jio_put_text(o, "id", e->id);
    jio_put_text(o, "type", e->type_text);
    jio_put_time(o, "timestamp", e->at_us);
    jio_put_text(o, "sandboxId", e->sandbox_id);
    jio_put_text(o, "sandboxExecutionId", e->execution_id);
    jio_put_text(o, "sandboxTemplateId", e->template_id);
    jio_put_text(o, "sandboxTeamId", e->team_id);
    json_object_set_new(o, "eventData",
                        e->has_data ? event_data_to_json(e) : json_null());
    return o;
}

/* timestampUnix is whole seconds; `timestamp` is the deprecated duplicate (e2b.md 4). */
static int64_t metric_time(const json_t *o)
{
    int64_t seconds = jget_i64(o, "timestampUnix", -1);

    if (seconds >= 0 && seconds <= UNIX_SECONDS_MAX)
        return seconds * TS_SEC;
    return jget_time(o, "timestamp");
}

int metric_from_json(const json_t *o, struct metric *out, struct err *err)
{
    struct metric m = {.at_us = metric_time(o)};

    if (m.at_us == TS_NONE)
        return err_set(err, ERR_UPSTREAM, "metric: member \"timestampUnix\" is no time");
    m.cpu_pct = jget_f64(o, "cpuUsedPct", 0);
    if (m.cpu_pct < 0)
        m.cpu_pct = 0;
    m.cpu_count = get_count(o, "cpuCount");
    m.mem_used = get_count(o, "memUsed");
    m.mem_total = get_count(o, "memTotal");
    m.mem_cache = get_count(o, "memCache");
    m.disk_used = get_count(o, "diskUsed");
    m.disk_total = get_count(o, "diskTotal");
    *out = m;
    return 0;
}

json_t *metric_to_json(const struct metric *m)
{
    json_t *o = json_object();

    jio_put_time(o, "timestamp", m->at_us);
    if (m->at_us >= 0 && m->at_us % TS_SEC == 0)
        jio_put_i64(o, "timestampUnix", m->at_us / TS_SEC);
    jio_put_i64(o, "cpuCount", m->cpu_count);
    json_object_set_new(o, "cpuUsedPct", json_real(m->cpu_pct));
    jio_put_i64(o, "memUsed", m->mem_used);
    jio_put_i64(o, "memTotal", m->mem_total);
    jio_put_i64(o, "memCache", m->mem_cache);
    jio_put_i64(o, "diskUsed", m->disk_used);
    jio_put_i64(o, "diskTotal", m->disk_total);
    return o;
}
