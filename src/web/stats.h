/* Counters over all responders, in memory that they share; for /metrics. */
#ifndef CASEBOOK_WEB_STATS_H
#define CASEBOOK_WEB_STATS_H

#include <stddef.h>
#include <stdint.h>

enum stats_service {
    STATS_E2B,
    STATS_ZENDESK,
    STATS_LINEAR,
    STATS_DATABASE,
    STATS_SERVICE_COUNT
};

struct stats;

/* To be called before the responders are forked; NULL when there is no memory. */
struct stats *stats_new(void);
void stats_free(struct stats *stats);

/* In all of them stats may be NULL: nothing is counted. */
void stats_request(struct stats *stats, int status, int64_t took_us);
/* A read for a page failed: one of its panels says so. */
void stats_failure(struct stats *stats, enum stats_service service);
void stats_responder_started(struct stats *stats);

struct stats_view {
    uint64_t requests[6]; /* by hundreds of the status: [2] is 2xx */
    uint64_t took_us, took_count;
    uint64_t failures[STATS_SERVICE_COUNT];
    uint64_t responders_started;
};
void stats_read(const struct stats *stats, struct stats_view *out);
/* "e2b", "zendesk", "linear", "database" */
const char *stats_service_name(enum stats_service service);

#endif
