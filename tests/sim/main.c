/*
 * casebook-sim: E2B, Zendesk and Linear simulated on a loopback port, from a
 * described world. For the demo and the tests; it links nothing of the
 * product. README.md tells how to use it.
 */
#include "control.h"
#include "fault.h"
#include "http.h"
#include "record.h"
#include "sim.h"
#include "text.h"
#include "when.h"
#include "world.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    const char *world;
    const char *port_file;
    const char *log;
    uint16_t port;
    struct settings settings;
};

void die(const char *fmt, ...)
{
    va_list ap;

    fputs("casebook-sim: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(1);
}

static const struct option long_options[] = {
    {"world",       required_argument, NULL, 'w'},
    {"port",        required_argument, NULL, 'p'},
    {"port-file",   required_argument, NULL, 'f'},
    {"logs-paging", required_argument, NULL, 'l'},
    {"no-events",   no_argument,       NULL, 'e'},
    {"log",         required_argument, NULL, 'o'},
    {NULL,          0,                 NULL, 0  },
};

static uint16_t parse_port(const char *text)
{
    char *end;
    long v = strtol(text, &end, 10);

    if (end == text || *end || v < 0 || v > 65535)
        die("--port: \"%s\" is no port", text);
    return (uint16_t)v;
}

static void parse_options(int argc, char **argv, struct options *o)
{
    int c;

    while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (c == 'w')
            o->world = optarg;
        else if (c == 'p')
            o->port = parse_port(optarg);
        else if (c == 'f')
            o->port_file = optarg;
        else if (c == 'e')
            o->settings.has_events = false;
        else if (c == 'o')
            o->log = optarg;
        else if (c == 'l' && logs_paging_from_name(optarg, &o->settings.logs_paging))
            continue;
        else
            die("usage: casebook-sim --world DIR [--port N] [--port-file FILE] "
                "[--logs-paging cursor|ms|offset] [--no-events] [--log FILE]");
    }
    if (!o->world || optind < argc)
        die("--world DIR is required, and nothing but options is taken");
}

/* Readers must never see a half-written number. */
static void write_port_file(const char *path, uint16_t port)
{
    char *tmp = format("%s.%ld", path, (long)getpid());
    FILE *f = fopen(tmp, "w");

    if (!f || fprintf(f, "%u\n", (unsigned)port) < 0 || fclose(f) != 0 ||
        rename(tmp, path) != 0)
        die("cannot write %s: %s", path, strerror(errno));
    free(tmp);
}

static void block_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    pthread_sigmask(SIG_BLOCK, set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
    struct options o = {
        .settings = {.has_events = true,
                     .zendesk_integrated = true,
                     .ticket_updates = 30,
                     .search_limit = 30,
                     .request_limit = 2500}
    };
    struct sim sim = {0};
    struct MHD_Daemon *daemon;
    sigset_t signals;
    int got;

    parse_options(argc, argv, &o);
    block_signals(&signals);
    pthread_mutex_init(&sim.lock, NULL);
    pthread_cond_init(&sim.ending, NULL);
    sim.start_us = now_us();
    sim.world_dir = o.world;
    sim.settings = sim.start_settings = o.settings;
    sim.tokens = json_object();
    sim.world = world_load(o.world, sim.start_us, sim.tokens, false);
    sim.recorder = recorder_new(o.log);
    sim.faults = faults_new();
    daemon = http_start(&sim, o.port);
    printf("casebook-sim: http://127.0.0.1:%u/{e2b,zendesk,linear/graphql}\n",
           (unsigned)http_port(daemon));
    fflush(stdout);
    if (o.port_file)
        write_port_file(o.port_file, http_port(daemon));
    sigwait(&signals, &got);
    http_stop(&sim, daemon);
    faults_free(sim.faults);
    recorder_free(sim.recorder);
    world_free(sim.world);
    json_decref(sim.tokens);
    pthread_cond_destroy(&sim.ending);
    pthread_mutex_destroy(&sim.lock);
    return 0;
}
