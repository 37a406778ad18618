/*
 * casebook-agent: what cron starts each minute. Takes the host's lock or leaves at once, forks one harvester, the
 * workers, and as many spare ones (crew.h), works until the time is up (--run-for) or nothing is due (--once), then leaves: a
 * new binary is picked up by the next minute by itself.
 */
#include "agent/agent.h"
#include "agent/crew.h"
#include "agent/harvest.h"
#include "agent/run.h"
#include "base/num.h"
#include "base/ts.h"
#include "outgoing/mask.h"
#include "store/migrate.h"
#include "sys/clock.h"
#include "sys/log.h"
#include "sys/prefork.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/banned.h"

#define IDLE_POLL_MS 1000
#define SPARE_POLL_MS 100 /* looks at shared memory only */
#define HARVEST_EVERY_US (50 * TS_SEC)
#define DRAIN_MORE_MS 5000 /* a stage ends within its lease */

struct options {
    const char *config;
    bool once;
    int64_t run_for_s;
};

struct program {
    const struct conf *conf;
    struct options opt;
    struct mask *mask; /* made once, for all that are forked */
    struct crew *crew;
    struct zendesk_share *share;
    int lock; /* the open file */
};

static int usage(int status)
{
    fprintf(status ? stderr : stdout,
            "usage: casebook-agent [--config FILE] --run-for SECONDS | --once\n");
    return status;
}

static int parse_options(int argc, char **argv, struct options *o)
{
    static const struct option longs[] = {
        {"config",  required_argument, NULL, 'c'},
        {"run-for", required_argument, NULL, 'r'},
        {"once",    no_argument,       NULL, 'o'},
        {"help",    no_argument,       NULL, 'h'},
        {NULL,      0,                 NULL, 0  },
    };
    int c;

    while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (c == 'c')
            o->config = optarg;
        else if (c == 'o')
            o->once = true;
        else if (c == 'h')
            exit(usage(0));
        else if (c != 'r' || parse_i64(optarg, 1, 86400, &o->run_for_s))
            return -1;
    }
    return optind == argc && o->once != (o->run_for_s > 0) ? 0 : -1;
}

/* The host's lock, held by the open file until the process and its children end. -1: another has it. */
static int take_lock(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT, 0640);

    if (fd < 0) {
        fprintf(stderr, "casebook-agent: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    if (flock(fd, LOCK_EX | LOCK_NB)) {
        close(fd);
        return -1;
    }
    return fd;
}

static void agent_open(struct agent *ag, const struct program *p, char *name, size_t size)
{
    const struct conf *conf = p->conf;
    char host[HOST_NAME_MAX + 1] = "";

    gethostname(host, sizeof host - 1);
    snprintf(name, size, "%.80s:%ld", host, (long)getpid());
    memset(ag, 0, sizeof *ag);
    arena_init(&ag->kept_arena);
    ag->crew = p->crew;
    ag->conf = conf;
    ag->worker = name;
    ag->db = db_new(conf);
    ag->http = http_new("casebook-agent/" CASEBOOK_VERSION);
    ag->mask = p->mask;
    e2b_init(&ag->e2b, conf, ag->http);
    zendesk_init(&ag->zendesk, conf, ag->http);
    linear_init(&ag->linear, conf, ag->http);
    ag->zendesk.share = p->share;
}

static void agent_close(struct agent *ag)
{
    db_free(ag->db);
    http_free(ag->http);
    arena_release(&ag->kept_arena);
}

static void idle(int ms)
{
    if (!prefork_stop)
        poll(NULL, 0, ms);
}

static int work_loop(struct agent *ag, bool once)
{
    struct arena a = ARENA_INIT;
    int failures = 0;

    while (!prefork_stop) {
        struct err err = ERR_INIT;
        int rc;

        if (!crew_may_work(ag->crew, ag->index)) {
            if (once && crew_is_done(ag->crew))
                break;
            idle(SPARE_POLL_MS);
            continue;
        }
        rc = run_next(ag, &a, &err);

        arena_reset(&a);
        if (rc < 0) {
            log_err(LOG_ERROR, "the queue cannot be read", &err);
            if (once && ++failures >= 3)
                break;
        }
        if (rc == 0 && once)
            break;
        if (rc <= 0)
            idle(IDLE_POLL_MS);
    }
    arena_release(&a);
    return failures >= 3;
}

static void harvest_tell(const char *line)
{
    log_event(LOG_DEBUG, line, NULL);
}

static int harvest_loop(struct agent *ag, bool once)
{
    int status = 0;

    while (!prefork_stop) {
        struct err err = ERR_INIT;
        int64_t next_us = clock_mono_us() + HARVEST_EVERY_US;

        status = 0;
        if (db_ready(ag->db, &err) ||
            harvest_run(ag->db, &ag->e2b, clock_now_us(), false, harvest_tell, &err)) {
            log_err(LOG_WARN, "the ledger was not brought up to date", &err);
            status = once;
        }
        if (once)
            break;
        while (!prefork_stop && clock_mono_us() < next_us)
            idle(IDLE_POLL_MS);
    }
    return status;
}

static int child(size_t index, void *ctx)
{
    struct program *p = ctx;
    struct agent ag;
    char name[128];
    int status;

    agent_open(&ag, p, name, sizeof name);
    if (index == 0) {
        status = harvest_loop(&ag, p->opt.once);
    } else {
        ag.index = index - 1;
        crew_enter(p->crew, ag.index);
        status = work_loop(&ag, p->opt.once);
        crew_leave(p->crew, ag.index);
    }
    agent_close(&ag);
    return status;
}

static int check_schema(const struct conf *conf)
{
    struct err err = ERR_INIT;
    struct db *db = db_new(conf);
    int rc = db_ready(db, &err) || migrate_check(db, &err);

    if (rc)
        log_err(LOG_ERROR, "cannot start", &err);
    db_free(db);
    return rc;
}

/* What is begun is finished, however long it takes; the next agent need not wait for that. */
static void release_lock(void *ctx)
{
    const struct program *p = ctx;

    flock(p->lock, LOCK_UN);
}

/* Until the time is up, the lock is this process's and its children's. */
static int run(struct program *p)
{
    struct prefork fork_plan = {0};
    int status;

    p->lock = take_lock(p->conf->agent.lock);
    if (p->lock < 0) {
        log_event(LOG_DEBUG, "another agent runs on this host", NULL);
        return 0;
    }
    if (check_schema(p->conf))
        return 1;
    p->mask = mask_new();
    p->crew = crew_new((size_t)p->conf->agent.workers);
    p->share = zendesk_share_new();
    fork_plan.children = (size_t)p->conf->agent.workers * (p->crew ? 2 : 1) + 1;
    fork_plan.child = child;
    fork_plan.ctx = p;
    fork_plan.stopping = release_lock;
    fork_plan.drain_ms = p->conf->agent.lease_s * 1000 + DRAIN_MORE_MS;
    fork_plan.stop_after_ms = p->opt.run_for_s * 1000;
    status = prefork_run(&fork_plan);
    zendesk_share_free(p->share);
    crew_free(p->crew);
    mask_free(p->mask);
    return status;
}

int main(int argc, char **argv)
{
    struct program p = {0};
    struct err err = ERR_INIT;
    struct conf *conf;
    int status;

    if (parse_options(argc, argv, &p.opt))
        return usage(2);
    conf = conf_load(p.opt.config, &err);
    if (!conf) {
        fprintf(stderr, "casebook-agent: %s\n", err.msg);
        return 1;
    }
    p.conf = conf;
    log_init("casebook-agent", conf->log_level);
    status = run(&p);
    conf_free(conf);
    return status;
}
