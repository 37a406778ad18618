/* The sub-commands that work on the database: migrate, harvest, prune, retry. */
#include "agent/harvest.h"
#include "base/num.h"
#include "base/ts.h"
#include "store/migrate.h"
#include "store/st_investigation.h"
#include "store/st_ledger.h"
#include "store/st_note.h"
#include "sys/clock.h"
#include "sys/conf.h"
#include "tool/tool.h"
#include "upstream/e2b.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/banned.h"

#define COMMAND_LINE "the command line" /* who asked, on the pages */

int tool_fail(const struct err *err)
{
    fflush(stdout);
    fprintf(stderr, "casebook: %s\n", err->msg);
    return 1;
}

void tool_say(const char *line)
{
    puts(line);
    fflush(stdout);
}

struct db *tool_open(const struct tool_args *args, struct conf **conf)
{
    struct err err = ERR_INIT;
    struct db *db;

    *conf = conf_load(args->config, &err);
    if (*conf == NULL) {
        tool_fail(&err);
        return NULL;
    }
    db = db_new(*conf);
    if (migrate_check(db, &err) == 0)
        return db;
    tool_fail(&err);
    tool_close(db, *conf);
    *conf = NULL;
    return NULL;
}

void tool_close(struct db *db, struct conf *conf)
{
    db_free(db);
    conf_free(conf);
}

int cmd_migrate(const struct tool_args *args)
{
    struct err err = ERR_INIT;
    struct conf *conf = conf_load(args->config, &err);
    struct db *db;
    int status = 0;

    if (conf == NULL)
        return tool_fail(&err);
    db = db_new(conf);
    if (migrate_run(db, args->sql, clock_now_us(), tool_say, &err))
        status = tool_fail(&err);
    else
        printf("the database has the present schema (%d)\n", SCHEMA_VERSION);
    tool_close(db, conf);
    return status;
}

int cmd_harvest(const struct tool_args *args)
{
    struct err err = ERR_INIT;
    struct conf *conf;
    struct db *db = tool_open(args, &conf);
    struct http *http;
    struct e2b e2b;
    int status = 0;

    if (db == NULL)
        return 1;
    http = http_new("casebook/" CASEBOOK_VERSION);
    e2b_init(&e2b, conf, http);
    if (harvest_run(db, &e2b, clock_now_us(), args->backfill, tool_say, &err))
        status = tool_fail(&err);
    http_free(http);
    tool_close(db, conf);
    return status;
}

int cmd_prune(const struct tool_args *args)
{
    struct err err = ERR_INIT;
    struct conf *conf;
    struct db *db = tool_open(args, &conf);
    int64_t removed = 0;
    int status = 0;

    if (db == NULL)
        return 1;
    if (ledger_prune(db, clock_now_us() - conf->ledger_retain_days * TS_DAY, 0, &removed,
                     &err))
        status = tool_fail(&err);
    else
        printf("%" PRId64 " sandboxes removed from the ledger (not seen for %" PRId64
               " days)\n",
               removed, conf->ledger_retain_days);
    tool_close(db, conf);
    return status;
}

/* A failed one goes on where it stopped; one that is done but for its note posts that again. */
static int retry(struct db *db, int64_t id, const char **what, struct err *err)
{
    struct err second = ERR_INIT;

    *what = "goes on where it failed";
    if (inv_retry(db, id, COMMAND_LINE, clock_now_us(), err) == 0)
        return 0;
    if (err->kind != ERR_CONFLICT)
        return -1;
    *what = "posts its note again";
    return note_retry(db, id, 0, COMMAND_LINE, clock_now_us(), &second) == 0 ? 0 : -1;
}

int cmd_retry(const struct tool_args *args)
{
    struct err err = ERR_INIT;
    struct conf *conf;
    struct db *db;
    const char *what;
    int64_t id;
    int status = 0;

    if (parse_i64(args->values[0], 1, INT64_MAX, &id)) {
        fprintf(stderr, "casebook: ID is the number of an investigation\n");
        return 2;
    }
    db = tool_open(args, &conf);
    if (db == NULL)
        return 1;
    if (retry(db, id, &what, &err))
        status = tool_fail(&err);
    else
        printf("investigation %" PRId64 " is queued: it %s\n", id, what);
    tool_close(db, conf);
    return status;
}
