/*
 * What a worker of casebook-agent holds: one connection each to MariaDB and to the three services.
 * Everything is borrowed from main.c and lives as long as the worker.
 */
#ifndef CASEBOOK_AGENT_AGENT_H
#define CASEBOOK_AGENT_AGENT_H

#include "store/db.h"
#include "sys/conf.h"
#include "sys/http.h"
#include "upstream/e2b.h"
#include "upstream/linear.h"
#include "upstream/zendesk.h"

struct mask;

struct agent {
    const struct conf *conf;
    struct db *db;
    struct http *http;
    struct e2b e2b;
    struct zendesk zendesk;
    struct linear linear;
    struct mask *mask;
    const char *worker; /* "host:pid" */
};

#endif
