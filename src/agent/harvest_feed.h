/* The part of a harvest that reads the team's lifecycle events; for harvest.c. */
#ifndef CASEBOOK_AGENT_HARVEST_FEED_H
#define CASEBOOK_AGENT_HARVEST_FEED_H

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

struct db;
struct e2b;

struct feed {
    struct db *db;
    struct e2b *e2b;
    int64_t now_us;      /* wall clock, when the harvest began */
    int64_t deadline_us; /* monotonic; INT64_MAX: none */
    int64_t floor_us;    /* older events are not wanted */
    bool is_backfill;
    void (*tell)(const char *line); /* may be NULL */
    /* what was done */
    int64_t pages, events, added;
    bool is_unsupported; /* there is no events route here */
    /* private to harvest_feed.c */
    struct arena page_arena;
    int64_t began_us, told_us; /* monotonic */
    int64_t first_event, first_offset,
        offset;     /* of the backfill: where this run began, and where it is */
    int64_t length; /* of the feed, down to floor_us; 0: not known */
};

/* -1 with err when E2B or MariaDB failed; what was read until then is stored. */
int feed_harvest(struct feed *f, struct err *err);

#endif
