/*
 * The shared nouns of the simulator: one request, one reply, the settings and
 * the world. The simulator is test code and links nothing of the product.
 *
 * Every service handler is a function (struct sim *, const struct request *,
 * struct reply *) that is called with sim->lock held.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define US_PER_MS ((int64_t)1000)
#define US_PER_S ((int64_t)1000000)

struct MHD_Connection;
struct world;
struct recorder;
struct faults;

/* How log reads behave; see README.md and e2b.md 5.1, 5.2. */
enum logs_paging { LOGS_CURSOR, LOGS_MS, LOGS_OFFSET };

struct settings {
    enum logs_paging logs_paging;
    bool has_events;         /* false: every /events route answers 404 */
    bool logs_clickhouse;    /* false: Loki bounds and null fields */
    bool list_repeats;       /* a page of the list repeats its predecessor's last row */
    bool list_is_endless;    /* the list always has a next token */
    bool search_repeats;     /* a page of Zendesk search repeats a row */
    bool zendesk_integrated; /* Linear's Zendesk integration is switched on */
    int64_t ingest_delay_us; /* metrics and logs become visible this late */
    int64_t search_lag_us;   /* Zendesk search shows runtime changes this late */
    int64_t ticket_updates;  /* updates per ticket and 10 min before 429; 0: no limit */
    int64_t search_limit;    /* Linear searches per minute; 0: no limit */
    int64_t request_limit;   /* Linear requests per hour; 0: no limit */
    int64_t issue_limit;     /* Linear issues before "usage limit exceeded"; 0: none */
    int64_t index_lag_us;    /* Linear finds a new issue by its text this late */
};

struct sim {
    pthread_mutex_t lock;
    pthread_cond_t ending; /* signalled when is_ending becomes true */
    bool is_ending;        /* ordered waits are cut short */
    int64_t start_us;      /* when the simulator started; the world's "now" */
    const char *world_dir;
    struct settings settings;
    struct settings start_settings; /* what reset goes back to */
    json_t *tokens;                 /* text variables overridden at run time */
    struct world *world;
    struct recorder *recorder;
    struct faults *faults;
};

struct param {
    char *name;
    char *value;
};

struct request {
    struct MHD_Connection *conn;
    const char *service; /* "e2b", "zendesk", "linear" or "_sim" */
    const char *method;
    char *path;  /* below the service, percent-decoded, starts with "/" */
    char *query; /* raw, without "?"; never NULL */
    struct param *params;
    size_t param_count;
    char *body; /* NUL-terminated; never NULL */
    size_t body_len;
    char *operation; /* GraphQL operation name or NULL */
    int64_t now_us;
};

#define REPLY_HEADERS_MAX 24

struct reply {
    int status;
    const char *content_type;
    char *body;
    size_t body_len;
    struct param headers[REPLY_HEADERS_MAX];
    size_t header_count;
};

/* A request header, or NULL. */
const char *request_header(const struct request *rq, const char *name);

/* The first query parameter of that name, decoded once, or NULL. */
const char *request_param(const struct request *rq, const char *name);

/*
 * Read an integer parameter. 1 and *out set when present and a whole number in
 * [min, max]; 0 when absent; -1 when present and wrong.
 */
int request_int(const struct request *rq, const char *name, int64_t min, int64_t max,
                int64_t *out);

bool request_is(const struct request *rq, const char *method, const char *path);

/* Takes a copy of the text. */
void reply_text(struct reply *rp, int status, const char *content_type, const char *text);

/*
 * Answer with JSON; takes over the reference. The private character U+E0FF
 * becomes the byte 0xFF on the way out: the way a world describes text that is
 * no valid UTF-8 (README.md).
 */
void reply_json(struct reply *rp, int status, json_t *value);

void reply_header(struct reply *rp, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

void reply_release(struct reply *rp);

/* Prints the message and ends the program: a broken world or no memory. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
