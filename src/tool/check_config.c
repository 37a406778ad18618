/*
 * check-config: the settings as they are in force, then one look at the database and one read of each
 * service. Every failure is told with what to do about it; secrets are shown as "(set)".
 */
#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/migrate.h"
#include "sys/clock.h"
#include "sys/conf.h"
#include "tool/tool.h"
#include "upstream/e2b.h"
#include "upstream/linear.h"
#include "upstream/zendesk.h"

#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define CHECK_TIME_US (20 * TS_SEC)

struct check {
    const struct conf *conf;
    struct http *http;
    struct arena arena;
    bool has_failed;
};

static void show_setting(const char *name, const char *value, void *ctx)
{
    (void)ctx;
    printf("  %s = %s\n", name, value);
}

static void good(const char *name, const char *text)
{
    printf("ok      %s: %s\n", name, text);
    fflush(stdout);
}

/* What to do, by what went wrong; `key` is the setting that holds the credential. */
static const char *advice(struct check *ck, enum err_kind kind, const char *key,
                          const char *address)
{
    switch (kind) {
    case ERR_AUTH:
        return arena_fmt(&ck->arena, "The credential was refused: check %s.", key);
    case ERR_DENIED:
        return arena_fmt(&ck->arena,
                         "The credential is known but lacks a right: check what %s "
                         "may read.",
                         key);
    case ERR_NOTFOUND:
        return arena_fmt(&ck->arena, "Nothing was found there: check %s.", address);
    case ERR_TIMEOUT:
    case ERR_UPSTREAM:
        return arena_fmt(
            &ck->arena, "No usable answer: check %s and the network from here.", address);
    default:
        return "";
    }
}

static void bad(struct check *ck, const char *name, const struct err *err,
                const char *key, const char *address)
{
    const char *what = advice(ck, err->kind, key, address);

    ck->has_failed = true;
    printf("FAILED  %s: %s\n", name, err->msg);
    if (*what != '\0')
        printf("        %s\n", what);
    fflush(stdout);
}

static void check_database(struct check *ck)
{
    struct err err = ERR_INIT;
    struct db *db = db_new(ck->conf);

    if (db_ready(db, &err)) {
        ck->has_failed = true;
        printf("FAILED  MariaDB: %s\n        Check Database.*: is the server running, "
               "and are "
               "user and password right?\n",
               err.msg);
    } else if (migrate_check(db, &err)) {
        ck->has_failed = true;
        printf("FAILED  MariaDB: %s\n", err.msg);
    } else {
        good("MariaDB", arena_fmt(&ck->arena, "connected, schema %d", SCHEMA_VERSION));
    }
    db_free(db);
}

/* A tag that nobody uses: one small page, whatever runs at the moment. */
static void check_e2b(struct check *ck)
{
    struct e2b e2b;
    struct e2b_list list;
    struct http_call *calls[] = {&list.call};

    e2b_init(&e2b, ck->conf, ck->http);
    e2b_list_init(&list, &e2b, &ck->arena, "casebook-check-config", "1");
    http_run(ck->http, calls, 1, clock_mono_us() + CHECK_TIME_US);
    if (list.src.state == SOURCE_OK)
        good("E2B", "the list of sandboxes can be read");
    else
        bad(ck, "E2B", &list.src.err, "E2B.ApiKey", "E2B.BaseUrl");
    e2b_list_release(&list);
}

static const char *zendesk_key(const struct conf *c)
{
    if (!text_is_empty(c->zendesk.client_id))
        return "Zendesk.ClientId and Zendesk.ClientSecret";
    return text_is_empty(c->zendesk.oauth_token) ? "Zendesk.Email and Zendesk.ApiToken"
                                                 : "Zendesk.OAuthToken";
}

static void search_zendesk(struct check *ck, struct zendesk *z)
{
    struct zendesk_search search;
    struct http_call *calls[] = {&search.call};

    zendesk_search_init(&search, z, &ck->arena, "casebook", 1);
    http_run(ck->http, calls, 1, clock_mono_us() + CHECK_TIME_US);
    if (search.src.state == SOURCE_OK)
        good("Zendesk", "tickets can be searched");
    else
        bad(ck, "Zendesk", &search.src.err, zendesk_key(ck->conf), "Zendesk.BaseUrl");
    zendesk_search_release(&search);
}

static void check_zendesk(struct check *ck)
{
    struct err err = ERR_INIT;
    struct zendesk z;

    zendesk_init(&z, ck->conf, ck->http);
    if (zendesk_login(&z, clock_mono_us() + CHECK_TIME_US, &err))
        bad(ck, "Zendesk", &err, zendesk_key(ck->conf), "Zendesk.BaseUrl");
    else
        search_zendesk(ck, &z);
}

static void check_linear(struct check *ck)
{
    struct err err = ERR_INIT;
    struct linear l;
    const char *name = "", *org = "";
    int64_t deadline_us = clock_mono_us() + CHECK_TIME_US;

    linear_init(&l, ck->conf, ck->http);
    if (linear_whoami(&l, &ck->arena, &name, &org, deadline_us, &err)) {
        bad(ck, "Linear", &err, "Linear.ApiKey", "Linear.BaseUrl");
        return;
    }
    if (linear_team(&l, &ck->arena, deadline_us, &err))
        bad(ck, "Linear", &err, "Linear.ApiKey",
            "Linear.Team (the key in front of an issue's number)");
    else
        good("Linear", arena_fmt(&ck->arena, "signed in as %s of %s, team %s", name, org,
                                 ck->conf->linear.team));
}

int cmd_check_config(const struct tool_args *args)
{
    struct err err = ERR_INIT;
    struct conf *conf = conf_load(args->config, &err);
    struct check ck = {.conf = conf};

    if (conf == NULL)
        return tool_fail(&err);
    printf("%s\n", conf->file);
    conf_each(conf, show_setting, NULL);
    arena_init(&ck.arena);
    ck.http = http_new("casebook/" CASEBOOK_VERSION);
    check_database(&ck);
    check_e2b(&ck);
    check_zendesk(&ck);
    check_linear(&ck);
    http_free(ck.http);
    arena_release(&ck.arena);
    conf_free(conf);
    return ck.has_failed ? 1 : 0;
}
