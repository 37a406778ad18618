/*
 * upstream_probe SETTINGS COMMAND [ARG...] [+ COMMAND [ARG...]]...
 *
 * Runs the clients of src/upstream against the addresses in SETTINGS (JSON text, "zendesk.base_url":
 * "http://127.0.0.1:1234/zendesk", … and "deadline_ms") and prints an array with what each command
 * came to. The commands share one process, so also one token and one connection pool.
 */
#include "probe.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/ts.h"
#include "sys/clock.h"
#include "sys/log.h"

#include "base/banned.h"

#define MAX_ARGS 64

int64_t probe_deadline(const struct probe *p)
{
    return clock_mono_us() + p->deadline_ms * TS_MS;
}

int64_t probe_i64(const char *s)
{
    int64_t v = 0;

    if (parse_i64(s, INT64_MIN, INT64_MAX, &v)) {
        fprintf(stderr, "not a number: %s\n", s);
        exit(2);
    }
    return v;
}

json_t *probe_text(const char *s)
{
    return s ? json_string(s) : json_null();
}

json_t *probe_err(const struct err *err)
{
    return json_pack("{s:s, s:b, s:b, s:i, s:I, s:s}", "kind", err_kind_name(err->kind),
                     "retryable", err->is_retryable, "unknown", err->is_unknown, "status",
                     err->http_status, "retry_after_us", (json_int_t)err->retry_after_us,
                     "msg", err->msg);
}

json_t *probe_result(int rc, const struct err *err)
{
    return json_pack("{s:b, s:o}", "ok", rc == 0, "err", probe_err(err));
}

json_t *probe_source(const struct source *src)
{
    static const char *const names[] = {
        [SOURCE_NOT_ASKED] = "not_asked", [SOURCE_OK] = "ok",
        [SOURCE_NOT_THERE] = "not_there", [SOURCE_UNSUPPORTED] = "unsupported",
        [SOURCE_FAILED] = "failed",
    };

    return json_pack("{s:s, s:o, s:i, s:b}", "state", names[src->state], "err",
                     probe_err(&src->err), "tries", src->tries, "cut", src->is_cut);
}

/* The settings by name; each is a member of struct conf that holds a text. */
static const struct {
    const char *name;
    size_t offset;
} settings[] = {
    {"zendesk.base_url",      offsetof(struct conf, zendesk.base_url)     },
    {"zendesk.client_id",     offsetof(struct conf, zendesk.client_id)    },
    {"zendesk.client_secret", offsetof(struct conf, zendesk.client_secret)},
    {"zendesk.oauth_token",   offsetof(struct conf, zendesk.oauth_token)  },
    {"zendesk.email",         offsetof(struct conf, zendesk.email)        },
    {"zendesk.api_token",     offsetof(struct conf, zendesk.api_token)    },
    {"linear.base_url",       offsetof(struct conf, linear.base_url)      },
    {"linear.api_key",        offsetof(struct conf, linear.api_key)       },
    {"linear.team",           offsetof(struct conf, linear.team)          },
    {"e2b.base_url",          offsetof(struct conf, e2b.base_url)         },
    {"e2b.api_key",           offsetof(struct conf, e2b.api_key)          },
};

static void set_conf(struct conf *conf, const json_t *doc)
{
    const char *paging = json_string_value(json_object_get(doc, "e2b.logs_paging"));

    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        const char *v = json_string_value(json_object_get(doc, settings[i].name));

        if (!v)
            v = "";
        memcpy((char *)conf + settings[i].offset, &v, sizeof v);
    }
    conf->e2b.metadata_keys[0] = "userId";
    conf->e2b.metadata_key_count = 1;
    if (paging && strcmp(paging, "cursor") == 0)
        conf->e2b.logs_paging = LOGS_CURSOR;
    if (paging && strcmp(paging, "offset") == 0)
        conf->e2b.logs_paging = LOGS_OFFSET;
}

static const struct probe_command *find_command(const char *name)
{
    const struct probe_command *tables[] = {probe_zendesk, probe_linear, probe_e2b};

    for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
        for (const struct probe_command *c = tables[t]; c->name; c++) {
            if (strcmp(c->name, name) == 0)
                return c;
        }
    }
    fprintf(stderr, "there is no command %s\n", name);
    exit(2);
}

static void run_all(struct probe *p, int argc, char **argv, json_t *out)
{
    for (int i = 0; i < argc; i++) {
        const struct probe_command *command = find_command(argv[i]);
        const char *args[MAX_ARGS];
        int n = 0;

        for (i++; i < argc && strcmp(argv[i], "+") != 0 && n < MAX_ARGS; i++)
            args[n++] = argv[i];
        while (n < MAX_ARGS)
            args[n++] = "";
        json_array_append_new(out, command->run(p, args));
    }
}

int main(int argc, char **argv)
{
    struct arena arena = ARENA_INIT;
    struct conf conf = {.file = ""};
    struct probe p = {.conf = &conf, .arena = &arena};
    json_auto_t *out = json_array();
    json_auto_t *doc = NULL;
    json_error_t why;

    if (argc < 3)
        return 2;
    doc = json_loads(argv[1], 0, &why);
    if (!doc) {
        fprintf(stderr, "settings: %s\n", why.text);
        return 2;
    }
    log_init("upstream_probe", LOG_DEBUG);
    set_conf(&conf, doc);
    p.deadline_ms = json_integer_value(json_object_get(doc, "deadline_ms"));
    if (p.deadline_ms == 0)
        p.deadline_ms = 20000;
    p.http = http_new("casebook/test");
    zendesk_init(&p.zendesk, &conf, p.http);
    linear_init(&p.linear, &conf, p.http);
    e2b_init(&p.e2b, &conf, p.http);
    run_all(&p, argc - 2, argv + 2, out);
    json_dumpf(out, stdout, JSON_INDENT(1));
    http_free(p.http);
    arena_release(&arena);
    return 0;
}
