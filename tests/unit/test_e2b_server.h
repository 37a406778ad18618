/*
 * A small HTTP server on a free loopback port, in threads of the test's own process: each test gives
 * the function that answers. It records what was asked and how many requests were open at once.
 */
#ifndef TEST_E2B_SERVER_H
#define TEST_E2B_SERVER_H

#include <stdbool.h>
#include <stddef.h>

enum server_cut { SERVER_ANSWERS, SERVER_CUTS_BEFORE, SERVER_CUTS_MID };

struct server_request {
    size_t number; /* 0 for the first */
    const char *method;
    const char *target; /* path and query as sent */
    const char *body;
};

struct server_reply { /* starts as 200, application/json, "" */
    int status;
    const char *type; /* NULL: no Content-Type */
    char *body;       /* malloc'ed; freed by the server */
    size_t body_len;
    char header[128], value[1024]; /* one more header, when set */
    enum server_cut cut;
};

struct server;
typedef void server_fn(struct server *s, void *ctx, const struct server_request *rq,
                       struct server_reply *rp);

struct server *server_start(server_fn *answer, void *ctx);
void server_stop(struct server *s);
const char *server_url(const struct server *s); /* "http://127.0.0.1:PORT" */

void server_say(struct server_reply *rp, int status, const char *body);
void server_header(struct server_reply *rp, const char *name, const char *value);

size_t server_count(struct server *s);                      /* requests so far */
const char *server_target(struct server *s, size_t number); /* lives until server_stop */
const char *server_api_key(struct server *s, size_t number);
size_t server_connections(struct server *s);

/* From an answering function: wait until n requests came, this one held open; false after 20 s. */
bool server_wait_open(struct server *s, size_t n);
/* From an answering function: wait until server_let_go(). */
void server_hold(struct server *s);
void server_let_go(struct server *s);

/* The value of a query parameter of a target, decoded once into buf; NULL when absent. */
const char *target_param(const char *target, const char *name, char *buf, size_t size);

#endif
