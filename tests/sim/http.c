/*
 * Takes requests apart, sends them to a service, and carries out the faults
 * that were ordered: waiting, other answers, cut connections.
 */
#include "http.h"

#include "control.h"
#include "e2b.h"
#include "fault.h"
#include "linear.h"
#include "record.h"
#include "text.h"
#include "when.h"
#include "zendesk.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODY_MAX (8u << 20)

/* ---- requests and replies ------------------------------------------------ */

const char *request_header(const struct request *rq, const char *name)
{
    return MHD_lookup_connection_value(rq->conn, MHD_HEADER_KIND, name);
}

const char *request_param(const struct request *rq, const char *name)
{
    for (size_t i = 0; i < rq->param_count; i++) {
        if (strcmp(rq->params[i].name, name) == 0)
            return rq->params[i].value;
    }
    return NULL;
}

int request_int(const struct request *rq, const char *name, int64_t min, int64_t max,
                int64_t *out)
{
    const char *text = request_param(rq, name);
    char *end;
    long long v;

    if (!text)
        return 0;
    v = strtoll(text, &end, 10);
    if (end == text || *end || strchr(" \t+", *text) || v < min || v > max)
        return -1;
    *out = v;
    return 1;
}

bool request_is(const struct request *rq, const char *method, const char *path)
{
    return strcmp(rq->method, method) == 0 && strcmp(rq->path, path) == 0;
}

void reply_text(struct reply *rp, int status, const char *content_type, const char *text)
{
    free(rp->body);
    rp->status = status;
    rp->content_type = content_type;
    rp->body = dup_str(text);
    rp->body_len = strlen(text);
}

/* U+E0FF is EE 83 BF in UTF-8. */
static void put_bad_bytes(struct reply *rp)
{
    char *from = rp->body, *to = rp->body, *end = rp->body + rp->body_len;

    while (from < end) {
        if (end - from >= 3 && memcmp(from, "\xee\x83\xbf", 3) == 0) {
            *to++ = (char)0xff;
            from += 3;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    rp->body_len = (size_t)(to - rp->body);
}

void reply_json(struct reply *rp, int status, json_t *value)
{
    char *dump =
        json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

    if (!dump)
        die("an answer cannot be written as JSON");
    free(rp->body);
    rp->status = status;
    rp->content_type = "application/json; charset=utf-8";
    rp->body = dump;
    rp->body_len = strlen(dump);
    put_bad_bytes(rp);
    json_decref(value);
}

void reply_header(struct reply *rp, const char *name, const char *fmt, ...)
{
    char value[256];
    va_list ap;

    if (rp->header_count == REPLY_HEADERS_MAX)
        die("too many headers in a reply");
    va_start(ap, fmt);
    vsnprintf(value, sizeof value, fmt, ap);
    va_end(ap);
    rp->headers[rp->header_count++] = (struct param){dup_str(name), dup_str(value)};
}

void reply_release(struct reply *rp)
{
    for (size_t i = 0; i < rp->header_count; i++) {
        free(rp->headers[i].name);
        free(rp->headers[i].value);
    }
    free(rp->body);
    *rp = (struct reply){0};
}

/* ---- taking a request apart ---------------------------------------------- */

struct intake {
    char *uri;
    char *body;
    size_t len;
    bool has_begun;
};

static void *intake_new(void *cls, const char *uri, struct MHD_Connection *conn)
{
    struct intake *in = zalloc(sizeof *in);

    (void)cls;
    (void)conn;
    in->uri = dup_str(uri);
    return in;
}

static void intake_free(void *cls, struct MHD_Connection *conn, void **con_cls,
                        enum MHD_RequestTerminationCode why)
{
    struct intake *in = *con_cls;

    (void)cls;
    (void)conn;
    (void)why;
    if (!in)
        return;
    free(in->uri);
    free(in->body);
    free(in);
    *con_cls = NULL;
}

static bool intake_add(struct intake *in, const char *data, size_t len)
{
    char *body;

    if (len > BODY_MAX - in->len)
        return false;
    body = realloc(in->body, in->len + len + 1);
    if (!body)
        die("out of memory");
    memcpy(body + in->len, data, len);
    in->len += len;
    body[in->len] = '\0';
    in->body = body;
    return true;
}

static void parse_params(struct request *rq)
{
    const char *s = rq->query;

    while (*s) {
        size_t n = strcspn(s, "&");
        size_t name = strcspn(s, "=");

        if (name > n)
            name = n;
        if (n > 0) {
            rq->params = grow(rq->params, rq->param_count, sizeof *rq->params);
            rq->params[rq->param_count++] = (struct param){
                pct_decode(s, name, true),
                name < n ? pct_decode(s + name + 1, n - name - 1, true) : dup_str("")};
        }
        s += n + (s[n] == '&');
    }
}

typedef void (*service_fn)(struct sim *, const struct request *, struct reply *);

static const struct {
    const char *name;
    service_fn serve;
} services[] = {
    {"e2b",     e2b_serve    },
    {"zendesk", zendesk_serve},
    {"linear",  linear_serve },
    {"_sim",    control_serve},
};

#define SERVICE_COUNT (sizeof services / sizeof *services)

/* Splits "/SERVICE/path?query"; returns the service's index or SERVICE_COUNT. */
static size_t request_init(struct request *rq, struct intake *in,
                           struct MHD_Connection *conn, const char *method)
{
    const char *mark = strchr(in->uri, '?');
    size_t path_len = mark ? (size_t)(mark - in->uri) : strlen(in->uri);

    *rq = (struct request){.conn = conn, .method = method, .now_us = now_us()};
    rq->query = dup_str(mark ? mark + 1 : "");
    rq->body = dup_bytes(in->body ? in->body : "", in->len);
    rq->body_len = in->len;
    parse_params(rq);
    for (size_t i = 0; i < SERVICE_COUNT; i++) {
        size_t n = strlen(services[i].name);

        if (path_len > n && strncmp(in->uri + 1, services[i].name, n) == 0 &&
            (in->uri[n + 1] == '/' || path_len == n + 1)) {
            rq->service = services[i].name;
            rq->path = pct_decode(in->uri + 1 + n, path_len - 1 - n, false);
            return i;
        }
    }
    rq->service = "";
    rq->path = pct_decode(in->uri, path_len, false);
    return SERVICE_COUNT;
}

static void request_release(struct request *rq)
{
    for (size_t i = 0; i < rq->param_count; i++) {
        free(rq->params[i].name);
        free(rq->params[i].value);
    }
    free(rq->params);
    free(rq->path);
    free(rq->query);
    free(rq->body);
    free(rq->operation);
}

static char *operation_name(const struct request *rq)
{
    json_t *body;
    char *name;

    if (strcmp(rq->service, "linear") != 0)
        return NULL;
    body = json_loadb(rq->body, rq->body_len, 0, NULL);
    name = linear_operation_name(body);
    json_decref(body);
    return name;
}

/* ---- sending ------------------------------------------------------------- */

struct half_body {
    char *data;
    size_t sent_max;
};

static ssize_t read_half(void *cls, uint64_t pos, char *buf, size_t max)
{
    struct half_body *half = cls;
    size_t left = pos < half->sent_max ? half->sent_max - (size_t)pos : 0;

    if (left == 0)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (left > max)
        left = max;
    memcpy(buf, half->data + pos, left);
    return (ssize_t)left;
}

static void free_half(void *cls)
{
    struct half_body *half = cls;

    free(half->data);
    free(half);
}

/* Announces the whole length, sends half, and lets the connection drop. */
static struct MHD_Response *cut_response(const struct reply *rp)
{
    struct half_body *half = zalloc(sizeof *half);

    half->data = dup_bytes(rp->body, rp->body_len);
    half->sent_max = rp->body_len / 2;
    return MHD_create_response_from_callback(rp->body_len ? rp->body_len : 1, 512,
                                             read_half, half, free_half);
}

static enum MHD_Result send_reply(struct MHD_Connection *conn, struct reply *rp,
                                  bool is_cut)
{
    struct MHD_Response *response;
    enum MHD_Result result;

    if (is_cut)
        response = cut_response(rp);
    else
        response = MHD_create_response_from_buffer(rp->body_len, rp->body,
                                                   MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    if (rp->content_type)
        MHD_add_response_header(response, "Content-Type", rp->content_type);
    for (size_t i = 0; i < rp->header_count; i++)
        MHD_add_response_header(response, rp->headers[i].name, rp->headers[i].value);
    result = MHD_queue_response(conn, (unsigned)rp->status, response);
    MHD_destroy_response(response);
    return result;
}

/* Holds no lock while it waits; ends early when the program does. */
static void wait_until(struct sim *sim, int64_t at_us)
{
    struct timespec ts = {(time_t)(at_us / US_PER_S), (long)(at_us % US_PER_S) * 1000};

    pthread_mutex_lock(&sim->lock);
    while (!sim->is_ending &&
           pthread_cond_timedwait(&sim->ending, &sim->lock, &ts) != ETIMEDOUT)
        ;
    pthread_mutex_unlock(&sim->lock);
}

/* ---- one request --------------------------------------------------------- */

static void run_service(struct sim *sim, size_t service, const struct request *rq,
                        struct reply *rp)
{
    pthread_mutex_lock(&sim->lock);
    services[service].serve(sim, rq, rp);
    pthread_mutex_unlock(&sim->lock);
}

/* A recorded call to one of the three services, with the fault due for it. */
static enum MHD_Result serve_recorded(struct sim *sim, size_t service, struct request *rq)
{
    struct fault fault;
    struct reply rp = {0};
    enum MHD_Result result = MHD_NO;
    bool is_cut;
    int64_t call;

    rq->operation = operation_name(rq);
    call = recorder_add(sim->recorder, rq);
    fault_take(sim->faults, rq, &fault);
    if (fault.id)
        recorder_set_fault(sim->recorder, call, fault.id);
    if (fault.latency_us > 0)
        wait_until(sim, rq->now_us + fault.latency_us);
    rq->now_us = now_us();
    if (fault.cut != CUT_BEFORE && !fault.status)
        run_service(sim, service, rq, &rp);
    fault_apply(&fault, &rp);
    is_cut = fault.cut != CUT_NONE;
    recorder_set_status(sim->recorder, call, is_cut ? 0 : rp.status);
    if (fault.cut == CUT_NONE || fault.cut == CUT_MID)
        result = send_reply(rq->conn, &rp, fault.cut == CUT_MID);
    reply_release(&rp);
    fault_release(&fault);
    return result;
}

static enum MHD_Result handle(void *cls, struct MHD_Connection *conn, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_len, void **con_cls)
{
    struct sim *sim = cls;
    struct intake *in = *con_cls;
    struct request rq;
    struct reply rp = {0};
    enum MHD_Result result;
    size_t service;

    (void)url;
    (void)version;
    if (!in->has_begun) {
        in->has_begun = true;
        return MHD_YES;
    }
    if (*upload_len > 0) {
        bool fits = intake_add(in, upload, *upload_len);

        *upload_len = 0;
        return fits ? MHD_YES : MHD_NO;
    }
    service = request_init(&rq, in, conn, method);
    if (service == SERVICE_COUNT) {
        reply_text(&rp, 404, "text/plain", "no such service\n");
        result = send_reply(conn, &rp, false);
    } else if (services[service].serve == control_serve) {
        run_service(sim, service, &rq, &rp);
        result = send_reply(conn, &rp, false);
    } else {
        result = serve_recorded(sim, service, &rq);
    }
    reply_release(&rp);
    request_release(&rq);
    return result;
}

/* ---- the daemon ---------------------------------------------------------- */

struct MHD_Daemon *http_start(struct sim *sim, uint16_t port)
{
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct MHD_Daemon *daemon;

    addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL,
        port, NULL, NULL, handle, sim, MHD_OPTION_SOCK_ADDR, &addr,
        MHD_OPTION_URI_LOG_CALLBACK, intake_new, sim, MHD_OPTION_NOTIFY_COMPLETED,
        intake_free, sim, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(256 * 1024),
        MHD_OPTION_CONNECTION_TIMEOUT, 120u, MHD_OPTION_END);
    if (!daemon)
        die("cannot listen on 127.0.0.1:%u", (unsigned)port);
    return daemon;
}

uint16_t http_port(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);

    return info ? info->port : 0;
}

void http_stop(struct sim *sim, struct MHD_Daemon *daemon)
{
    pthread_mutex_lock(&sim->lock);
    sim->is_ending = true;
    pthread_cond_broadcast(&sim->ending);
    pthread_mutex_unlock(&sim->lock);
    MHD_stop_daemon(daemon);
}
