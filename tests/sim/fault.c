/*
 * The list of ordered faults. The first order that fits a call is used up by
 * it; "skip" lets calls pass first.
 */
#include "fault.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

struct order {
    int64_t id;
    int64_t skip;
    int64_t times; /* left; below zero: for ever */
    json_t *json;
};

struct faults {
    pthread_mutex_t lock;
    struct order *orders;
    size_t count;
    int64_t last_id;
};

static const struct {
    const char *name;
    enum fault_cut cut;
} cuts[] = {
    {"before", CUT_BEFORE},
    {"after",  CUT_AFTER },
    {"mid",    CUT_MID   },
};

static const char html_page[] =
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n"
    "<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n";

/* Looks like JSON at first, then is not; no valid UTF-8 either. */
static const char garbage[] = "{\"sandboxID\": \"\xff\xfe\x80, [[[\x01\x02 }";

static const struct {
    const char *name;
    const char *type;
    const char *text;
} bodies[] = {
    {"html",    "text/html",                 html_page                          },
    {"garbage", "application/json",          garbage                            },
    {"text",    "text/plain; charset=utf-8", "upstream connect error or reset\n"},
};

struct faults *faults_new(void)
{
    struct faults *f = zalloc(sizeof *f);

    pthread_mutex_init(&f->lock, NULL);
    return f;
}

void faults_clear(struct faults *f)
{
    pthread_mutex_lock(&f->lock);
    for (size_t i = 0; i < f->count; i++)
        json_decref(f->orders[i].json);
    free(f->orders);
    f->orders = NULL;
    f->count = 0;
    pthread_mutex_unlock(&f->lock);
}

void faults_free(struct faults *f)
{
    if (!f)
        return;
    faults_clear(f);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

static enum fault_cut cut_from_name(const char *name)
{
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        if (strcmp(cuts[i].name, name) == 0)
            return cuts[i].cut;
    }
    return CUT_NONE;
}

static bool is_order(const json_t *order)
{
    static const char *const known[] = {"service", "method", "path",       "operation",
                                        "times",   "skip",   "latency_ms", "status",
                                        "headers", "body",   "cut",        "has"};
    const char *key, *cut = jstr(order, "cut");
    json_t *value;

    json_object_foreach((json_t *)order, key, value)
    {
        bool is_known = false;

        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_known = is_known || strcmp(known[i], key) == 0;
        if (!is_known)
            return false;
    }
    return jstr(order, "service") && (!cut || cut_from_name(cut) != CUT_NONE);
}

int64_t faults_add(struct faults *f, const json_t *order)
{
    struct order *o;
    int64_t id;

    if (!json_is_object(order) || !is_order(order))
        return -1;
    pthread_mutex_lock(&f->lock);
    f->orders = realloc(f->orders, (f->count + 1) * sizeof *f->orders);
    if (!f->orders)
        die("out of memory");
    o = &f->orders[f->count++];
    id = ++f->last_id;
    *o = (struct order){id, jint(order, "skip", 0), jint(order, "times", 1),
                        json_deep_copy(order)};
    pthread_mutex_unlock(&f->lock);
    return id;
}

static bool fits(const struct order *o, const struct request *rq)
{
    const char *service = jstr(o->json, "service"), *method = jstr(o->json, "method");
    const char *path = jstr(o->json, "path"), *operation = jstr(o->json, "operation");
    const char *has = jstr(o->json, "has");

    return o->times != 0 && strcmp(service, rq->service) == 0 &&
           (!method || strcmp(method, rq->method) == 0) &&
           (!path || has_prefix(rq->path, path)) && (!has || strstr(rq->body, has)) &&
           (!operation || (rq->operation && strcmp(operation, rq->operation) == 0));
}

static void fill_body(struct fault *out, const json_t *order)
{
    const json_t *literal = json_object_get(order, "body");
    const char *name = json_string_value(literal);

    if (literal && !name) {
        out->body = json_dumps(literal, JSON_COMPACT | JSON_ENCODE_ANY);
        out->body_type = "application/json; charset=utf-8";
        out->body_len = strlen(out->body);
        return;
    }
    if (!name && out->status)
        name = "";
    if (!name)
        return;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        if (strcmp(bodies[i].name, name) == 0) {
            out->body = dup_str(bodies[i].text);
            out->body_type = bodies[i].type;
            out->body_len = strlen(bodies[i].text);
            return;
        }
    }
    out->body = dup_str(name);
    out->body_len = strlen(name);
    out->body_type = *name == '{' || *name == '[' ? "application/json" : "text/plain";
}

static void fill(struct fault *out, const json_t *order)
{
    const char *cut = jstr(order, "cut");

    out->latency_us = jint(order, "latency_ms", 0) * US_PER_MS;
    out->status = (int)jint(order, "status", 0);
    out->cut = cut ? cut_from_name(cut) : CUT_NONE;
    out->headers = json_deep_copy(json_object_get(order, "headers"));
    fill_body(out, order);
}

void fault_take(struct faults *f, const struct request *rq, struct fault *out)
{
    *out = (struct fault){0};
    pthread_mutex_lock(&f->lock);
    for (size_t i = 0; i < f->count; i++) {
        struct order *o = &f->orders[i];

        if (!fits(o, rq))
            continue;
        if (o->skip > 0) {
            o->skip--;
            continue;
        }
        if (o->times > 0)
            o->times--;
        fill(out, o->json);
        out->id = o->id;
        break;
    }
    pthread_mutex_unlock(&f->lock);
}

void fault_apply(const struct fault *fault, struct reply *rp)
{
    const char *key;
    json_t *value;

    if (fault->body) {
        free(rp->body);
        rp->body = dup_bytes(fault->body, fault->body_len);
        rp->body_len = fault->body_len;
        rp->content_type = fault->body_type;
    }
    if (fault->status)
        rp->status = fault->status;
    json_object_foreach(fault->headers, key, value)
    {
        reply_header(rp, key, "%s", json_string_value(value));
    }
}

void fault_release(struct fault *fault)
{
    free(fault->body);
    json_decref(fault->headers);
    *fault = (struct fault){0};
}
