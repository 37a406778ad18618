/* Counters in one anonymous shared mapping, made by the master and inherited by every responder. */
#include "web/stats.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "base/banned.h"

#define CLASSES 6

struct stats {
    _Atomic uint64_t requests[CLASSES];
    _Atomic uint64_t took_us, took_count;
    _Atomic uint64_t failures[STATS_SERVICE_COUNT];
    _Atomic uint64_t responders_started;
};

struct stats *stats_new(void)
{
    void *p = mmap(NULL, sizeof(struct stats), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

void stats_free(struct stats *stats)
{
    if (stats)
        munmap(stats, sizeof(*stats));
}

static void add(_Atomic uint64_t *counter, uint64_t n)
{
    atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

void stats_request(struct stats *stats, int status, int64_t took_us)
{
    int class = status / 100;

    if (!stats)
        return;
    add(&stats->requests[class >= 0 && class < CLASSES ? class : 0], 1);
    add(&stats->took_us, took_us > 0 ? (uint64_t)took_us : 0);
    add(&stats->took_count, 1);
}

void stats_failure(struct stats *stats, enum stats_service service)
{
    if (stats)
        add(&stats->failures[service], 1);
}

void stats_responder_started(struct stats *stats)
{
    if (stats)
        add(&stats->responders_started, 1);
}

static uint64_t get(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

void stats_read(const struct stats *stats, struct stats_view *out)
{
    *out = (struct stats_view){.took_us = 0};
    if (!stats)
        return;
    for (int i = 0; i < CLASSES; i++)
        out->requests[i] = get(&stats->requests[i]);
    for (int i = 0; i < STATS_SERVICE_COUNT; i++)
        out->failures[i] = get(&stats->failures[i]);
    out->took_us = get(&stats->took_us);
    out->took_count = get(&stats->took_count);
    out->responders_started = get(&stats->responders_started);
}

const char *stats_service_name(enum stats_service service)
{
    static const char *const names[STATS_SERVICE_COUNT] = {
        [STATS_E2B] = "e2b",
        [STATS_ZENDESK] = "zendesk",
        [STATS_LINEAR] = "linear",
        [STATS_DATABASE] = "database",
    };

    return names[service];
}
