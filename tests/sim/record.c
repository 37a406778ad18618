/*
 * The list of calls. It has its own lock: calls are noted before and after the
 * services' lock is held. Header values are not kept, so no credential is.
 */
#include "record.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_BODY_MAX 65536

struct recorder {
    pthread_mutex_t lock;
    json_t *calls;
    int64_t last;
    FILE *log;
};

struct recorder *recorder_new(const char *log_path)
{
    struct recorder *r = zalloc(sizeof *r);

    pthread_mutex_init(&r->lock, NULL);
    r->calls = json_array();
    if (log_path) {
        r->log = fopen(log_path, "a");
        if (!r->log)
            die("cannot write %s", log_path);
        setvbuf(r->log, NULL, _IOLBF, 0);
    }
    return r;
}

void recorder_free(struct recorder *r)
{
    if (!r)
        return;
    if (r->log)
        fclose(r->log);
    json_decref(r->calls);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/* A form body may carry a client secret; it must not reach a file. */
static json_t *kept_body(const struct request *rq)
{
    size_t len = utf8_cut(rq->body, rq->body_len, KEPT_BODY_MAX);

    if (has_suffix(rq->path, "/oauth/tokens"))
        return json_string("(credentials)");
    return json_text(rq->body, len);
}

int64_t recorder_add(struct recorder *r, const struct request *rq)
{
    json_t *call = pack("{s:I, s:s, s:s, s:o, s:o, s:o, s:s?, s:i}", "t_us",
                        (json_int_t)rq->now_us, "service", rq->service, "method",
                        rq->method, "path", json_text(rq->path, strlen(rq->path)),
                        "query", json_text(rq->query, strlen(rq->query)), "body",
                        kept_body(rq), "operation", rq->operation, "status", 0);
    int64_t number;

    pthread_mutex_lock(&r->lock);
    number = ++r->last;
    json_object_set_new(call, "n", json_integer((json_int_t)number));
    json_array_append_new(r->calls, call);
    pthread_mutex_unlock(&r->lock);
    return number;
}

static void log_call(FILE *log, const json_t *call, int status)
{
    fprintf(log, "n=%lld service=%s method=%s path=%s query=%s operation=%s status=%d\n",
            (long long)jint(call, "n", 0), jstr_or(call, "service", ""),
            jstr_or(call, "method", ""), jstr_or(call, "path", ""),
            jstr_or(call, "query", ""), jstr_or(call, "operation", "-"), status);
}

/* With the lock held; NULL when it was forgotten meanwhile. */
static json_t *find_call(const struct recorder *r, int64_t number)
{
    for (size_t i = json_array_size(r->calls); i-- > 0;) {
        json_t *call = json_array_get(r->calls, i);

        if (jint(call, "n", 0) == number)
            return call;
    }
    return NULL;
}

void recorder_set_status(struct recorder *r, int64_t number, int status)
{
    json_t *call;

    pthread_mutex_lock(&r->lock);
    call = find_call(r, number);
    if (call) {
        json_object_set_new(call, "status", json_integer(status));
        if (r->log)
            log_call(r->log, call, status);
    }
    pthread_mutex_unlock(&r->lock);
}

void recorder_set_fault(struct recorder *r, int64_t number, int64_t fault)
{
    json_t *call;

    pthread_mutex_lock(&r->lock);
    call = find_call(r, number);
    if (call)
        json_object_set_new(call, "fault", json_integer((json_int_t)fault));
    pthread_mutex_unlock(&r->lock);
}

json_t *recorder_calls(struct recorder *r, int64_t since)
{
    json_t *out = json_array(), *call;
    size_t i;

    pthread_mutex_lock(&r->lock);
    json_array_foreach(r->calls, i, call)
    {
        if (jint(call, "n", 0) > since)
            json_array_append_new(out, json_deep_copy(call));
    }
    pthread_mutex_unlock(&r->lock);
    return out;
}

/* Numbers go on, so a "since" from before a clearing stays right. */
void recorder_clear(struct recorder *r)
{
    pthread_mutex_lock(&r->lock);
    json_array_clear(r->calls);
    pthread_mutex_unlock(&r->lock);
}
