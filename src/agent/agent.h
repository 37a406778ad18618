/*
 * What a worker of casebook-agent holds: one connection each to MariaDB and to the three services.
 * Everything is borrowed from main.c and lives as long as the worker.
 */
#ifndef CASEBOOK_AGENT_AGENT_H
#define CASEBOOK_AGENT_AGENT_H

#include "base/arena.h"
#include "model/evidence.h"
#include "store/db.h"
#include "sys/conf.h"
#include "sys/http.h"
#include "upstream/e2b.h"
#include "upstream/linear.h"
#include "upstream/zendesk.h"

struct crew;
struct mask;

struct agent {
    const struct conf *conf;
    struct db *db;
    struct http *http;
    struct e2b e2b;
    struct zendesk zendesk;
    struct linear linear;
    struct mask *mask;
    const char *worker;   /* "host:pid" */
    int64_t lease_end_us; /* monotonic: see lease.h */
    struct crew *crew;    /* the workers of this host, see crew.h */
    size_t index;         /* of this one in it */
    /* The kept evidence of the investigation at work, read once for all of its stages. */
    struct arena kept_arena;
    struct evidence kept;
    int64_t kept_of; /* the investigation's number; 0: none is read */
};

#endif
