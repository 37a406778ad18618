#include "test_e2b_server.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/url.h"
#include "base/xalloc.h"

#include "base/banned.h"

#define TARGETS_MAX 1000

struct server {
    struct MHD_Daemon *daemon;
    server_fn *answer;
    void *ctx;
    char url[64];
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t count, open, connections;
    bool is_let_go;
    char *targets[TARGETS_MAX];
    char *keys[TARGETS_MAX];
};

struct exchange { /* one request */
    char *target;
    char *body;
    size_t body_len;
    struct server_reply reply;
};

static void *on_uri(void *cls, const char *uri, struct MHD_Connection *conn)
{
    struct exchange *x = xcalloc(1, sizeof(*x));

    (void)cls;
    (void)conn;
    x->target = xstrdup(uri);
    return x;
}

static ssize_t half_body(void *cls, uint64_t pos, char *buf, size_t max)
{
    struct exchange *x = cls;
    size_t half = x->reply.body_len / 2;
    size_t n = half - (size_t)pos < max ? half - (size_t)pos : max;

    if (pos >= half)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    memcpy(buf, x->reply.body + pos, n);
    return (ssize_t)n;
}

static enum MHD_Result send_reply(struct MHD_Connection *conn, struct exchange *x)
{
    struct server_reply *rp = &x->reply;
    struct MHD_Response *r;
    enum MHD_Result sent;

    if (rp->cut == SERVER_CUTS_BEFORE)
        return MHD_NO;
    if (rp->cut == SERVER_CUTS_MID)
        r = MHD_create_response_from_callback(rp->body_len, 1024, half_body, x, NULL);
    else
        r = MHD_create_response_from_buffer(rp->body_len, rp->body,
                                            MHD_RESPMEM_PERSISTENT);
    if (rp->type)
        MHD_add_response_header(r, "Content-Type", rp->type);
    if (rp->header[0])
        MHD_add_response_header(r, rp->header, rp->value);
    sent = MHD_queue_response(conn, (unsigned)rp->status, r);
    MHD_destroy_response(r);
    return sent;
}

static size_t note_request(struct server *s, struct MHD_Connection *conn,
                           const struct exchange *x)
{
    const char *key = MHD_lookup_connection_value(conn, MHD_HEADER_KIND, "X-API-Key");
    size_t number;

    pthread_mutex_lock(&s->lock);
    number = s->count++;
    if (number < TARGETS_MAX) {
        s->targets[number] = xstrdup(x->target);
        s->keys[number] = xstrdup(key ? key : "");
    }
    s->open++;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return number;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *conn, const char *url,
                                  const char *method, const char *version,
                                  const char *data, size_t *size, void **req_cls)
{
    struct server *s = cls;
    struct exchange *x = *req_cls;
    struct server_request rq = {.method = method, .target = x->target};
    enum MHD_Result sent;

    (void)url;
    (void)version;
    if (!x->body) { /* the head has arrived */
        x->body = xcalloc(1, 1);
        return MHD_YES;
    }
    if (*size) {
        x->body = xrealloc(x->body, x->body_len + *size + 1);
        memcpy(x->body + x->body_len, data, *size);
        x->body_len += *size;
        x->body[x->body_len] = '\0';
        *size = 0;
        return MHD_YES;
    }
    rq.body = x->body;
    rq.number = note_request(s, conn, x);
    x->reply = (struct server_reply){.status = 200, .type = "application/json"};
    s->answer(s, s->ctx, &rq, &x->reply);
    sent = send_reply(conn, x);
    pthread_mutex_lock(&s->lock);
    s->open--;
    pthread_mutex_unlock(&s->lock);
    return sent;
}

static void on_done(void *cls, struct MHD_Connection *conn, void **req_cls,
                    enum MHD_RequestTerminationCode code)
{
    struct exchange *x = *req_cls;

    (void)cls;
    (void)conn;
    (void)code;
    if (!x)
        return;
    free(x->target);
    free(x->body);
    free(x->reply.body);
    free(x);
    *req_cls = NULL;
}

static void on_connection(void *cls, struct MHD_Connection *conn, void **ctx,
                          enum MHD_ConnectionNotificationCode code)
{
    struct server *s = cls;

    (void)conn;
    (void)ctx;
    if (code != MHD_CONNECTION_NOTIFY_STARTED)
        return;
    pthread_mutex_lock(&s->lock);
    s->connections++;
    pthread_mutex_unlock(&s->lock);
}

struct server *server_start(server_fn *answer, void *ctx)
{
    struct server *s = xcalloc(1, sizeof(*s));
    struct sockaddr_in here = {.sin_family = AF_INET};
    const union MHD_DaemonInfo *info;

    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->answer = answer;
    s->ctx = ctx;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL,
        on_request, s, MHD_OPTION_SOCK_ADDR, &here, MHD_OPTION_URI_LOG_CALLBACK, on_uri,
        NULL, MHD_OPTION_NOTIFY_COMPLETED, on_done, NULL, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, s, MHD_OPTION_END);
    if (!s->daemon)
        abort();
    info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
    snprintf(s->url, sizeof(s->url), "http://127.0.0.1:%u", (unsigned)info->port);
    return s;
}

void server_stop(struct server *s)
{
    server_let_go(s);
    MHD_stop_daemon(s->daemon);
    for (size_t i = 0; i < TARGETS_MAX; i++) {
        free(s->targets[i]);
        free(s->keys[i]);
    }
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s);
}

const char *server_url(const struct server *s)
{
    return s->url;
}

void server_say(struct server_reply *rp, int status, const char *body)
{
    free(rp->body);
    rp->status = status;
    rp->body = xstrdup(body);
    rp->body_len = strlen(body);
}

void server_header(struct server_reply *rp, const char *name, const char *value)
{
    snprintf(rp->header, sizeof(rp->header), "%s", name);
    snprintf(rp->value, sizeof(rp->value), "%s", value);
}

size_t server_count(struct server *s)
{
    size_t n;

    pthread_mutex_lock(&s->lock);
    n = s->count;
    pthread_mutex_unlock(&s->lock);
    return n;
}

size_t server_connections(struct server *s)
{
    size_t n;

    pthread_mutex_lock(&s->lock);
    n = s->connections;
    pthread_mutex_unlock(&s->lock);
    return n;
}

static const char *recorded(struct server *s, char **list, size_t number)
{
    const char *t = "";

    pthread_mutex_lock(&s->lock);
    if (number < s->count && number < TARGETS_MAX)
        t = list[number];
    pthread_mutex_unlock(&s->lock);
    return t;
}

const char *server_target(struct server *s, size_t number)
{
    return recorded(s, s->targets, number);
}

const char *server_api_key(struct server *s, size_t number)
{
    return recorded(s, s->keys, number);
}

bool server_wait_open(struct server *s, size_t n)
{
    struct timespec until;
    bool in_time = true;
    bool reached;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    pthread_mutex_lock(&s->lock);
    /* who came first may be gone already: the number that ever came says the same */
    while (s->count < n && in_time)
        in_time = !pthread_cond_timedwait(&s->changed, &s->lock, &until);
    reached = s->count >= n;
    pthread_mutex_unlock(&s->lock);
    return reached;
}

void server_hold(struct server *s)
{
    pthread_mutex_lock(&s->lock);
    while (!s->is_let_go)
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

void server_let_go(struct server *s)
{
    pthread_mutex_lock(&s->lock);
    s->is_let_go = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

const char *target_param(const char *target, const char *name, char *buf, size_t size)
{
    size_t n = strlen(name);
    const char *p = strchr(target, '?');

    while (p) {
        size_t len = strcspn(++p, "&");

        if (len > n && p[n] == '=' && !strncmp(p, name, n)) {
            struct arena a = ARENA_INIT;

            snprintf(buf, size, "%s", url_decode(&a, p + n + 1, len - n - 1, true, NULL));
            arena_release(&a);
            return buf;
        }
        p = strchr(p, '&');
    }
    return NULL;
}
