/*
 * The FastCGI loop. It waits in ppoll(), the only place where signals come through: none is lost between
 * a look at prefork_stop and the wait, and none cuts a request. The listening socket does not block, since
 * all responders wake for one connection and only one gets it.
 *
 * A connection is closed after its request even when the web server would keep it: an idle one would
 * hold this responder (style.md section 3).
 */
#include "web/fcgi.h"

#include <errno.h>
#include <fcgiapp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "base/ts.h"
#include "sys/clock.h"
#include "sys/log.h"
#include "sys/prefork.h"
#include "web/route.h"

#include "base/banned.h"

/* Connections that wait when a responder is told to stop are still answered, up to so many. */
#define LAST_ORDERS 16

static const char *get_param(void *ctx, const char *name)
{
    const FCGX_Request *request = ctx;

    return FCGX_GetParam(name, request->envp);
}

static int read_some(void *ctx, char *buf, int n)
{
    const FCGX_Request *request = ctx;

    return FCGX_GetStr(buf, n, request->in);
}

static void put(FCGX_Request *request, const struct sbuf *bytes)
{
    const char *p = bytes->s;
    size_t left = bytes->len;

    while (left > 0) {
        int n = FCGX_PutStr(p, left < 65536 ? (int)left : 65536, request->out);

        if (n <= 0)
            return; /* the web server has gone: there is nobody to tell */
        p += n;
        left -= (size_t)n;
    }
}

static void serve(struct app *app, struct arena *arena, FCGX_Request *request)
{
    struct req_source src = {.param = get_param, .read = read_some, .ctx = request};
    struct req rq = {.app = app, .arena = arena, .now_us = clock_now_us()};
    struct reply reply;

    rq.deadline_us = clock_mono_us() + app->conf->web.deadline_ms * TS_MS;
    reply_init(&reply);
    route_serve(routes, route_count, &rq, &src, &reply);
    put(request, &reply.head);
    put(request, &reply.body);
    reply_release(&reply);
    arena_reset(arena);
}

/* Is a connection waiting? Blocks until one is, or a signal came. */
static bool wait_connection(int fd, const sigset_t *open_mask)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    struct timespec at_once = {.tv_sec = 0};

    return ppoll(&p, 1, prefork_stop ? &at_once : NULL, open_mask) > 0;
}

static void loop(struct app *app, int fd, int64_t max_requests, const sigset_t *open_mask)
{
    FCGX_Request request;
    struct arena arena = ARENA_INIT;
    int64_t served = 0;
    int last_orders = 0;

    FCGX_InitRequest(&request, fd, FCGI_FAIL_ACCEPT_ON_INTR);
    while (served < max_requests && last_orders < LAST_ORDERS) {
        if (!wait_connection(fd, open_mask)) {
            if (prefork_stop)
                break;
            continue;
        }
        if (FCGX_Accept_r(&request) != 0)
            continue; /* another responder was faster, or the caller has gone */
        serve(app, &arena, &request);
        request.keepConnection = 0;
        FCGX_Finish_r(&request);
        served++;
        last_orders += prefork_stop ? 1 : 0;
    }
    FCGX_Free(&request, 1);
    arena_release(&arena);
}

int fcgi_run(struct app *app, int fd, int64_t max_requests)
{
    sigset_t stops, before;

    if (FCGX_Init() != 0) {
        log_event(LOG_ERROR, "FCGX_Init failed", NULL);
        return 1;
    }
    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGHUP);
    sigaddset(&stops, SIGINT);
    sigprocmask(SIG_BLOCK, &stops, &before);
    loop(app, fd, max_requests, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return 0;
}
