/*
 * The JSON form of an evidence bundle: a corpus case read, a bundle of our own read and written.
 *
 * An element of a list that cannot be read costs that element only; the source then says how many
 * were lost. A section of the wrong shape means that the file is no case.
 */
#include "model/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "model/jsonio.h"

#include "base/banned.h"

#define REASON_CAP 300

static const char *const source_state_names[] = {
    [SOURCE_NOT_ASKED] = "not_asked", [SOURCE_OK] = "ok",
    [SOURCE_NOT_THERE] = "not_there", [SOURCE_UNSUPPORTED] = "unsupported",
    [SOURCE_FAILED] = "failed",
};

/* The parts of a bundle: how each list is read, written, and ordered. */
struct section {
    const char *name;
    size_t max;
    size_t size;
    size_t at_offset;
    int (*read)(struct arena *a, const json_t *o, void *out, struct err *err);
    json_t *(*write)(const void *item);
};

static int read_event(struct arena *a, const json_t *o, void *out, struct err *err)
{
    return event_from_json(a, o, out, err);
}

static int read_metric(struct arena *a, const json_t *o, void *out, struct err *err)
{
    (void)a;
    return metric_from_json(o, out, err);
}

static int read_log(struct arena *a, const json_t *o, void *out, struct err *err)
{
    return log_line_from_json(a, o, out, err);
}

static int read_output(struct arena *a, const json_t *o, void *out, struct err *err)
{
    return output_line_from_json(a, o, out, err);
}

static json_t *write_event(const void *item)
{
    return event_to_json(item);
}

static json_t *write_metric(const void *item)
{
    return metric_to_json(item);
}

static json_t *write_log(const void *item)
{
    return log_line_to_json(item);
}

static json_t *write_output(const void *item)
{
    return output_line_to_json(item);
}

static const struct section events_section = {
    "events",   EVIDENCE_MAX_EVENTS, sizeof(struct event), offsetof(struct event, at_us),
    read_event, write_event};
static const struct section metrics_section = {"metrics",
                                               EVIDENCE_MAX_METRICS,
                                               sizeof(struct metric),
                                               offsetof(struct metric, at_us),
                                               read_metric,
                                               write_metric};
static const struct section logs_section = {"logs",
                                            EVIDENCE_MAX_LOGS,
                                            sizeof(struct log_line),
                                            offsetof(struct log_line, at_us),
                                            read_log,
                                            write_log};
static const struct section output_section = {"output",
                                              EVIDENCE_MAX_OUTPUT,
                                              sizeof(struct output_line),
                                              offsetof(struct output_line, at_us),
                                              read_output,
                                              write_output};

static int64_t item_time(const struct section *s, const char *items, size_t i)
{
    int64_t at_us;

    memcpy(&at_us, items + i * s->size + s->at_offset, sizeof(at_us));
    return at_us;
}

/* Output lines may lack their time: they keep their place behind the line before them. */
static void inherit_times(const struct section *s, char *items, size_t n)
{
    int64_t last_us = TS_NONE;

    for (size_t i = 0; i < n; i++) {
        int64_t at_us = item_time(s, items, i);

        if (at_us == TS_NONE && last_us != TS_NONE)
            memcpy(items + i * s->size + s->at_offset, &last_us, sizeof(last_us));
        if (at_us != TS_NONE)
            last_us = at_us;
    }
}

struct order_key {
    int64_t at_us;
    size_t place;
};

static int by_time_then_place(const void *va, const void *vb)
{
    const struct order_key *a = va, *b = vb;

    if (a->at_us != b->at_us)
        return a->at_us < b->at_us ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* Oldest first. Equal times keep their order, seen oldest first also in a newest-first list. */
static char *sort_items(struct arena *a, const struct section *s, char *items, size_t n)
{
    bool is_newest_first = n > 1 && item_time(s, items, 0) > item_time(s, items, n - 1);
    bool is_sorted = true;
    struct order_key *keys;
    char *sorted;

    for (size_t i = 1; i < n && is_sorted; i++)
        is_sorted = item_time(s, items, i - 1) <= item_time(s, items, i);
    if (is_sorted)
        return items;
    keys = arena_array(a, n, sizeof(*keys));
    for (size_t i = 0; i < n; i++) {
        keys[i].at_us = item_time(s, items, i);
        keys[i].place = is_newest_first ? n - 1 - i : i;
    }
    qsort(keys, n, sizeof(*keys), by_time_then_place);
    sorted = arena_array(a, n, s->size);
    for (size_t i = 0; i < n; i++) {
        size_t from = is_newest_first ? n - 1 - keys[i].place : keys[i].place;

        memcpy(sorted + i * s->size, items + from * s->size, s->size);
    }
    return sorted;
}

/* NULL and a count of 0 for a missing section. Over the bound the newest are kept. */
static int read_section(struct arena *a, const json_t *doc, const struct section *s,
                        void **out, size_t *count, struct source *src, struct err *err)
{
    const json_t *list = json_object_get(doc, s->name);
    size_t total = json_array_size(list);
    size_t first = total > s->max ? total - s->max : 0;
    size_t n = 0, bad = 0;
    struct err why = ERR_INIT;
    char *items;

    *out = NULL;
    *count = 0;
    if (!list || json_is_null(list))
        return 0;
    if (!json_is_array(list))
        return err_set(err, ERR_INPUT, "\"%s\" is not a list", s->name);
    src->state = SOURCE_OK;
    src->is_cut = first > 0;
    items = arena_array(a, total - first, s->size);
    for (size_t i = first; i < total; i++) {
        if (s->read(a, json_array_get(list, i), items + n * s->size, &why))
            bad++;
        else
            n++;
    }
    if (bad > 0 && n == 0)
        return err_set(err, ERR_INPUT, "\"%s\": %s", s->name, why.msg);
    if (bad > 0)
        err_set(&src->err, ERR_UPSTREAM, "%zu of %zu could not be read: %s", bad,
                total - first, why.msg);
    inherit_times(s, items, n);
    *out = sort_items(a, s, items, n);
    *count = n;
    return 0;
}

static int read_sandbox(struct arena *a, const json_t *doc, struct evidence *ev,
                        struct err *err)
{
    const json_t *sandbox = json_object_get(doc, "sandbox");
    int64_t status = jget_i64(doc, "sandbox_status", 0);

    if (sandbox && !json_is_null(sandbox) && !json_is_object(sandbox))
        return err_set(err, ERR_INPUT, "\"sandbox\" is not an object");
    if (json_is_object(sandbox)) {
        if (sandbox_from_json(a, sandbox, &ev->sandbox, err)) {
            err->kind = ERR_INPUT;
            return -1;
        }
        ev->has_sandbox = true;
        ev->sandbox_src.state = SOURCE_OK;
    } else if (status == 404 || (status == 0 && sandbox)) {
        ev->sandbox_src.state = SOURCE_NOT_THERE;
    } else if (status != 0) {
        ev->sandbox_src.state = SOURCE_FAILED;
        err_set(&ev->sandbox_src.err, ERR_UPSTREAM,
                "Get Sandbox answered %lld without a body", (long long)status);
        ev->sandbox_src.err.http_status = status > 0 && status < 1000 ? (int)status : 0;
    }
    return 0;
}

static enum err_kind err_kind_from_name(const char *name)
{
    for (int k = 0; k < ERR_KIND_COUNT; k++) {
        if (strcmp(err_kind_name((enum err_kind)k), name) == 0)
            return (enum err_kind)k;
    }
    return ERR_NONE;
}

/* What our own bundles say about each read; it wins over what was guessed from the content. */
static void read_source(struct arena *a, const json_t *sources, const char *name,
                        struct source *src)
{
    const json_t *o = jget_obj(sources, name);
    const char *state = jio_line(a, o, "state", REASON_CAP, "");
    enum err_kind kind = err_kind_from_name(jio_line(a, o, "kind", REASON_CAP, ""));
    int64_t status = jget_i64(o, "http_status", 0);
    int64_t tries = jget_i64(o, "tries", 0);

    if (!o)
        return;
    for (size_t i = 0; i < sizeof(source_state_names) / sizeof(source_state_names[0]);
         i++) {
        if (strcmp(state, source_state_names[i]) == 0)
            src->state = (enum source_state)i;
    }
    if (kind != ERR_NONE)
        err_set(&src->err, kind, "%s", jio_line(a, o, "reason", REASON_CAP, ""));
    src->err.http_status = status > 0 && status < 1000 ? (int)status : 0;
    src->fetched_us = jget_time(o, "fetched");
    if (src->fetched_us == TS_NONE)
        src->fetched_us = 0;
    src->took_us = jget_i64(o, "took_us", 0);
    src->tries = tries > 0 && tries < 1000 ? (int)tries : 0;
    src->is_cut = jget_bool(o, "is_cut", src->is_cut);
}

static int64_t latest(int64_t a, int64_t b)
{
    return a > b ? a : b; /* TS_NONE is the smallest */
}

/* The moment of the investigation; for a file without it, the newest time in it. */
static int read_now(const json_t *doc, struct evidence *ev, struct err *err)
{
    const json_t *now = json_object_get(doc, "now");

    ev->now_us = jget_time(doc, "now");
    if (now && !json_is_null(now) && ev->now_us == TS_NONE)
        return err_set(err, ERR_INPUT, "\"now\" is no time");
    if (ev->now_us != TS_NONE)
        return 0;
    if (ev->has_sandbox)
        ev->now_us = ev->sandbox.started_us;
    if (ev->event_count)
        ev->now_us = latest(ev->now_us, ev->events[ev->event_count - 1].at_us);
    if (ev->metric_count)
        ev->now_us = latest(ev->now_us, ev->metrics[ev->metric_count - 1].at_us);
    if (ev->log_count)
        ev->now_us = latest(ev->now_us, ev->logs[ev->log_count - 1].at_us);
    if (ev->output_count)
        ev->now_us = latest(ev->now_us, ev->output[ev->output_count - 1].at_us);
    if (ev->now_us == TS_NONE)
        return err_set(err, ERR_INPUT,
                       "\"now\" is missing, and nothing else tells a time");
    return 0;
}

static const char *find_sandbox_id(struct arena *a, const json_t *doc,
                                   const struct evidence *ev)
{
    const char *id = jio_line(a, doc, "sandbox_id", 128, "");

    if (ev->has_sandbox)
        return ev->sandbox.id;
    for (size_t i = 0; i < ev->event_count && text_is_empty(id); i++)
        id = ev->events[i].sandbox_id;
    for (size_t i = 0; i < ev->log_count && text_is_empty(id); i++)
        id = tag_get(ev->logs[i].fields, ev->logs[i].field_count, "sandboxID", "");
    return id;
}

/* Is it an object that has at least one part of a case, in a format we know? */
static int check_shape(const json_t *doc, struct err *err)
{
    static const char *const parts[] = {"sandbox", "sandbox_status", "events",
                                        "metrics", "logs",           "output"};
    size_t known = 0;

    if (!json_is_object(doc))
        return err_set(err, ERR_INPUT, "not a JSON object");
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        known += json_object_get(doc, parts[i]) != NULL;
    if (known == 0)
        return err_set(err, ERR_INPUT,
                       "no case: it has neither a sandbox nor events, metrics, "
                       "logs or output");
    if (jget_i64(doc, "format", EVIDENCE_FORMAT) > EVIDENCE_FORMAT)
        return err_set(err, ERR_INPUT, "its format is newer than this program");
    return 0;
}

int evidence_from_json(struct arena *a, const json_t *doc, struct evidence *out,
                       struct err *err)
{
    struct evidence ev = {.sandbox_id = ""};
    const json_t *sources;
    void *events, *metrics, *logs, *output;

    if (check_shape(doc, err) || read_sandbox(a, doc, &ev, err) ||
        read_section(a, doc, &events_section, &events, &ev.event_count, &ev.events_src,
                     err) ||
        read_section(a, doc, &metrics_section, &metrics, &ev.metric_count,
                     &ev.metrics_src, err) ||
        read_section(a, doc, &logs_section, &logs, &ev.log_count, &ev.logs_src, err) ||
        read_section(a, doc, &output_section, &output, &ev.output_count, &ev.output_src,
                     err))
        return -1;
    if (events)
        ev.event_count = events_sort_unique(events, ev.event_count);
    ev.events = events;
    ev.metrics = metrics;
    ev.logs = logs;
    ev.output = output;
    sources = jget_obj(doc, "sources");
    read_source(a, sources, "sandbox", &ev.sandbox_src);
    read_source(a, sources, "events", &ev.events_src);
    read_source(a, sources, "metrics", &ev.metrics_src);
    read_source(a, sources, "logs", &ev.logs_src);
    read_source(a, sources, "output", &ev.output_src);
    if (read_now(doc, &ev, err))
        return -1;
    ev.sandbox_id = find_sandbox_id(a, doc, &ev);
    *out = ev;
    return 0;
}

static void put_section(json_t *doc, const struct section *s, const void *items, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, s->write((const char *)items + i * s->size));
    json_object_set_new(doc, s->name, list);
}

static void put_source(json_t *sources, const char *name, const struct source *src)
{
    json_t *o = json_object();

    jio_put_text(o, "state", source_state_names[src->state]);
    if (src->err.kind != ERR_NONE) {
        jio_put_text(o, "kind", err_kind_name(src->err.kind));
        jio_put_text(o, "reason", src->err.msg);
    }
    if (src->err.http_status)
        jio_put_i64(o, "http_status", src->err.http_status);
    if (src->fetched_us > 0)
        jio_put_time(o, "fetched", src->fetched_us);
    if (src->took_us > 0)
        jio_put_i64(o, "took_us", src->took_us);
    if (src->tries > 0)
        jio_put_i64(o, "tries", src->tries);
    if (src->is_cut)
        jio_put_bool(o, "is_cut", true);
    json_object_set_new(sources, name, o);
}

json_t *evidence_to_json(const struct evidence *ev)
{
    json_t *doc = json_object();
    json_t *sources = json_object();

    jio_put_i64(doc, "format", EVIDENCE_FORMAT);
    jio_put_text(doc, "sandbox_id", ev->sandbox_id);
    json_object_set_new(doc, "sandbox",
                        ev->has_sandbox ? sandbox_to_json(&ev->sandbox) : json_null());
    if (ev->has_sandbox)
        jio_put_i64(doc, "sandbox_status", 200);
    else if (ev->sandbox_src.state == SOURCE_NOT_THERE)
        jio_put_i64(doc, "sandbox_status", 404);
    put_section(doc, &events_section, ev->events, ev->event_count);
    put_section(doc, &metrics_section, ev->metrics, ev->metric_count);
    put_section(doc, &logs_section, ev->logs, ev->log_count);
    put_section(doc, &output_section, ev->output, ev->output_count);
    jio_put_time(doc, "now", ev->now_us);
    put_source(sources, "sandbox", &ev->sandbox_src);
    put_source(sources, "events", &ev->events_src);
    put_source(sources, "metrics", &ev->metrics_src);
    put_source(sources, "logs", &ev->logs_src);
    put_source(sources, "output", &ev->output_src);
    json_object_set_new(doc, "sources", sources);
    return doc;
}
