/*
 * casebook-web: the pages. The master reads the configuration, parses every template, binds the socket and
 * forks responders (sys/prefork.h); it answers no request itself. HUP reads configuration and templates
 * again, TERM lets requests finish.
 *
 * What is wrong at the start stops it, with a line that says where. A database that cannot be reached does
 * not: pages then say so.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outgoing/mask.h"
#include "store/migrate.h"
#include "sys/conf.h"
#include "sys/log.h"
#include "sys/prefork.h"
#include "ticket/phrase.h"
#include "ticket/window.h"
#include "web/csrf.h"
#include "web/fcgi.h"
#include "web/listen.h"
#include "web/stats.h"
#include "web/tpl.h"

#include "base/banned.h"

#define PROGRAM "casebook-web"
#define DRAIN_EXTRA_MS 5000

struct web { /* what the master holds; children inherit it */
    const char *config_path;
    struct conf *conf;
    struct tpl_set *templates;
    struct stats *stats;
    struct zendesk_share *zendesk; /* one login for all responders */
    struct listener listener;
};

/* Configuration and templates into *conf and *templates, or neither. */
static int load(const char *path, struct conf **conf, struct tpl_set **templates,
                struct err *err)
{
    *conf = conf_load(path, err);
    if (!*conf)
        return -1;
    *templates = tpl_load((*conf)->web.templates, err);
    if (*templates)
        return 0;
    conf_free(*conf);
    *conf = NULL;
    return -1;
}

static bool reload(void *ctx)
{
    struct web *web = ctx;
    struct conf *conf;
    struct tpl_set *templates;
    struct err err = ERR_INIT;

    if (load(web->config_path, &conf, &templates, &err)) {
        log_err(LOG_ERROR, "the new configuration or templates are not good", &err);
        return false;
    }
    if (strcmp(conf->web.socket, web->conf->web.socket) != 0 ||
        conf->web.responders != web->conf->web.responders)
        log_event(LOG_WARN, "Web.Socket and Web.Responders change with a restart only",
                  NULL);
    conf_free(web->conf);
    tpl_free(web->templates);
    web->conf = conf;
    web->templates = templates;
    /* the credentials may be others now */
    zendesk_share_free(web->zendesk);
    web->zendesk = zendesk_share_new();
    log_init(PROGRAM, conf->log_level);
    return true;
}

/* Responders started together do not retire together: each a bit earlier than the one before. */
static int64_t max_requests_of(const struct conf *conf, size_t index)
{
    int64_t max = conf->web.max_requests;

    return max - max / 2 * (int64_t)index / conf->web.responders;
}

static int responder(size_t index, void *ctx)
{
    const struct web *web = ctx;
    struct app app = {
        .conf = web->conf, .templates = web->templates, .stats = web->stats};
    int rc;

    stats_responder_started(web->stats);
    app.http = http_new(PROGRAM "/" CASEBOOK_VERSION);
    app.db = db_new(web->conf);
    e2b_init(&app.e2b, web->conf, app.http);
    zendesk_init(&app.zendesk, web->conf, app.http);
    app.zendesk.share = web->zendesk;
    linear_init(&app.linear, web->conf, app.http);
    app.phrases = phrase_set_new();
    app.times = time_reader_new();
    app.mask = mask_new();
    csrf_key(web->conf, app.csrf_key);
    rc = fcgi_run(&app, web->listener.fd, max_requests_of(web->conf, index));
    phrase_set_free(app.phrases);
    time_reader_free(app.times);
    mask_free(app.mask);
    db_free(app.db);
    http_free(app.http);
    return rc;
}

/* An older schema stops the start; a database that does not answer does not. */
static int check_schema(const struct conf *conf, struct err *err)
{
    struct db *db = db_new(conf);
    struct err no_db = ERR_INIT;
    int rc = 0;

    if (db_ready(db, &no_db))
        log_err(LOG_WARN, "the database does not answer; starting without it", &no_db);
    else
        rc = migrate_check(db, err);
    db_free(db);
    return rc;
}

static int run(struct web *web, struct err *err)
{
    struct prefork prefork = {
        .children = (size_t)web->conf->web.responders,
        .child = responder,
        .reload = reload,
        .ctx = web,
        .is_restarting = true,
        .drain_ms = web->conf->web.deadline_ms + DRAIN_EXTRA_MS,
    };
    int rc;

    if (check_schema(web->conf, err))
        return -1;
    web->stats = stats_new();
    web->zendesk = zendesk_share_new();
    if (!web->stats)
        return err_set(err, ERR_INTERNAL, "no shared memory for the counters");
    if (listen_open(&web->listener, web->conf->web.socket, err))
        return -1;
    log_event(LOG_INFO, "started", "version", CASEBOOK_VERSION, "socket",
              web->conf->web.socket, NULL);
    rc = prefork_run(&prefork);
    listen_close(&web->listener);
    return rc;
}

static void usage(FILE *to)
{
    fputs("usage: casebook-web [--config FILE] [--check]\n"
          "\n"
          "  --config FILE  instead of $CASEBOOK_CONFIG or /etc/casebook/casebook.hdf\n"
          "  --check        look at configuration and templates, and leave\n",
          to);
}

static int options(int argc, char **argv, const char **config, bool *is_check)
{
    static const struct option known[] = {
        {"config", required_argument, NULL, 'c'},
        {"check",  no_argument,       NULL, 'n'},
        {"help",   no_argument,       NULL, 'h'},
        {NULL,     0,                 NULL, 0  },
    };
    int c;

    while ((c = getopt_long(argc, argv, "", known, NULL)) != -1)
        switch (c) {
        case 'c':
            *config = optarg;
            break;
        case 'n':
            *is_check = true;
            break;
        case 'h':
            usage(stdout);
            exit(0);
        default:
            return -1;
        }
    return optind == argc ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct web web = {
        .listener = {.fd = -1, .lock_fd = -1}
    };
    struct err err = ERR_INIT;
    bool is_check = false;
    int rc = 1;

    if (options(argc, argv, &web.config_path, &is_check)) {
        usage(stderr);
        return 2;
    }
    log_init(PROGRAM, LOG_INFO);
    signal(SIGPIPE, SIG_IGN);
    if (load(web.config_path, &web.conf, &web.templates, &err)) {
        log_err(LOG_ERROR, "cannot start", &err);
        return 1;
    }
    log_init(PROGRAM, web.conf->log_level);
    if (is_check)
        rc = puts("configuration and templates are good") < 0;
    else if ((rc = run(&web, &err)) < 0)
        log_err(LOG_ERROR, "cannot start", &err);
    tpl_free(web.templates);
    conf_free(web.conf);
    zendesk_share_free(web.zendesk);
    stats_free(web.stats);
    return rc < 0 ? 1 : rc;
}
