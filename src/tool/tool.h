/*
 * The command `casebook`: what its sub-commands share. Each returns the exit status: 0 done, 1 failed
 * (said on stderr), 2 wrong usage.
 */
#ifndef CASEBOOK_TOOL_TOOL_H
#define CASEBOOK_TOOL_TOOL_H

#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

struct conf;
struct db;

struct tool_args {
    const char *config; /* --config; NULL: as conf_load says */
    const char *sql;    /* --sql; the installed folder by default */
    bool backfill;      /* --backfill */
    int count;          /* what follows the options */
    char **values;
};

int cmd_migrate(const struct tool_args *args);
int cmd_check_config(const struct tool_args *args);
int cmd_harvest(const struct tool_args *args);
int cmd_prune(const struct tool_args *args);
int cmd_retry(const struct tool_args *args);

/* "casebook: MESSAGE" on stderr; returns 1. */
int tool_fail(const struct err *err);
/* One line on stdout, at once. */
void tool_say(const char *line);

/* Configuration and a database with the present schema; both NULL and told when one is missing. */
struct db *tool_open(const struct tool_args *args, struct conf **conf);
void tool_close(struct db *db, struct conf *conf);

#endif
