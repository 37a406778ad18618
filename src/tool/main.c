/*
 * The command `casebook`: options, the table of sub-commands, usage. What they do is in the other files
 * of this folder.
 */
#include "sys/log.h"
#include "tool/diagnose.h"
#include "tool/tool.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#ifndef CASEBOOK_SQL
#define CASEBOOK_SQL "/usr/share/casebook/sql"
#endif

enum { OPT_CONFIG = 1, OPT_SQL = 2, OPT_BACKFILL = 4 };

static int run_diagnose(const struct tool_args *args)
{
    return cmd_diagnose(args->count, args->values);
}

static int run_same(const struct tool_args *args)
{
    return cmd_same(args->count, args->values);
}

/* clang-format off */
static const struct command {
    const char *name;
    int (*run)(const struct tool_args *args);
    unsigned options; /* that it takes */
    int values;       /* that have to follow them */
    const char *usage, *about;
} commands[] = {
    {"migrate", cmd_migrate, OPT_CONFIG | OPT_SQL, 0, "migrate [--config FILE] [--sql DIR]",
     "bring the database to the present schema"},
    {"check-config", cmd_check_config, OPT_CONFIG, 0, "check-config [--config FILE]",
     "show the settings, and try the database and each service with a read"},
    {"diagnose", run_diagnose, 0, 1, "diagnose FILE",
     "diagnose a case file; prints one JSON object"},
    {"same", run_same, 0, 2, "same A B", "would two findings be one issue? prints JSON"},
    {"harvest", cmd_harvest, OPT_CONFIG | OPT_BACKFILL, 0,
     "harvest [--backfill] [--config FILE]",
     "bring the ledger of sandboxes up to date; --backfill: as far back as E2B keeps events"},
    {"prune", cmd_prune, OPT_CONFIG, 0, "prune [--config FILE]",
     "remove from the ledger what is older than Ledger.RetainDays"},
    {"retry", cmd_retry, OPT_CONFIG, 1, "retry [--config FILE] ID",
     "let the agent go on with a failed investigation, or post its note again"},
};
/* clang-format on */

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static int usage(FILE *to)
{
    fprintf(to, "Casebook %s: from a ticket to what broke in the customer's sandbox.\n\n",
            CASEBOOK_VERSION);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(to, "  casebook %s\n      %s\n", commands[i].usage, commands[i].about);
    fprintf(to, "\nThe configuration is --config FILE, else $CASEBOOK_CONFIG, else "
                "/etc/casebook/casebook.hdf.\n");
    return to == stdout ? 0 : 2;
}

static int usage_of(const struct command *c)
{
    fprintf(stderr, "usage: casebook %s\n", c->usage);
    return 2;
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* 0, or -1 when an option is not known or not one of this command. */
static int read_options(int argc, char **argv, const struct command *c,
                        struct tool_args *args)
{
    static const struct option options[] = {
        {"config",   required_argument, NULL, OPT_CONFIG  },
        {"sql",      required_argument, NULL, OPT_SQL     },
        {"backfill", no_argument,       NULL, OPT_BACKFILL},
        {NULL,       0,                 NULL, 0           },
    };
    int opt;

    while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (opt == '?' || !((unsigned)opt & c->options))
            return -1;
        if (opt == OPT_CONFIG)
            args->config = optarg;
        else if (opt == OPT_SQL)
            args->sql = optarg;
        else
            args->backfill = true;
    }
    args->count = argc - optind;
    args->values = argv + optind;
    return args->count == c->values ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct tool_args args = {.sql = CASEBOOK_SQL};
    const struct command *c;

    log_init("casebook", LOG_WARN);
    if (argc < 2)
        return usage(stderr);
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0)
        return usage(stdout);
    if (strcmp(argv[1], "--version") == 0)
        return printf("casebook %s\n", CASEBOOK_VERSION) < 0;
    c = find_command(argv[1]);
    if (c == NULL) {
        fprintf(stderr,
                "casebook: there is no command \"%s\"; casebook help lists them\n",
                argv[1]);
        return 2;
    }
    if (read_options(argc - 1, argv + 1, c, &args))
        return usage_of(c);
    return c->run(&args);
}
