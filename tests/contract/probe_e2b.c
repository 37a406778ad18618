/* The commands of upstream_probe that go to E2B. */
#include "probe.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/ts.h"
#include "sys/clock.h"

#include "base/banned.h"

static json_t *counted(const struct source *src, size_t n)
{
    return json_pack("{s:o, s:I}", "src", probe_source(src), "count", (json_int_t)n);
}

static json_t *run_get(struct probe *p, const char *const *argv)
{
    struct e2b_get op;
    struct http_call *calls[] = {&op.call};
    json_t *out;

    e2b_get_init(&op, &p->e2b, p->arena, argv[0]);
    http_run(p->http, calls, 1, probe_deadline(p));
    out = counted(&op.src, op.src.state == SOURCE_OK);
    e2b_get_release(&op);
    return out;
}

static json_t *run_list(struct probe *p, const char *const *argv)
{
    struct e2b_list op;
    struct http_call *calls[] = {&op.call};
    json_t *out;

    e2b_list_init(&op, &p->e2b, p->arena, argv[0][0] ? argv[0] : NULL, argv[1]);
    http_run(p->http, calls, 1, probe_deadline(p));
    out = counted(&op.src, op.count);
    e2b_list_release(&op);
    return out;
}

static json_t *run_events(struct probe *p, const char *const *argv)
{
    struct e2b_events op;
    struct http_call *calls[] = {&op.call};
    json_t *out;

    e2b_events_init(&op, &p->e2b, p->arena, argv[0]);
    http_run(p->http, calls, 1, probe_deadline(p));
    out = counted(&op.src, op.count);
    e2b_events_release(&op);
    return out;
}

static json_t *run_team_events(struct probe *p, const char *const *argv)
{
    struct e2b_events op;
    struct http_call *calls[] = {&op.call};
    json_t *out;

    (void)argv;
    e2b_team_events_init(&op, &p->e2b, p->arena, 0, NULL, NULL);
    http_run(p->http, calls, 1, probe_deadline(p));
    out = counted(&op.src, op.count);
    e2b_events_release(&op);
    return out;
}

static json_t *run_metrics(struct probe *p, const char *const *argv)
{
    int64_t from_us = TS_NONE, to_us = TS_NONE;
    struct e2b_metrics op;
    struct http_call *calls[] = {&op.call};
    json_t *out;

    if (argv[1][0] && (ts_parse(argv[1], &from_us) || ts_parse(argv[2], &to_us)))
        return json_null();
    e2b_metrics_init(&op, &p->e2b, p->arena, argv[0], from_us, to_us);
    http_run(p->http, calls, 1, probe_deadline(p));
    out = counted(&op.src, op.count);
    e2b_metrics_release(&op);
    return out;
}

static json_t *run_logs(struct probe *p, const char *const *argv)
{
    struct e2b_logs op;
    struct http_call *calls[] = {&op.call};
    json_t *out;

    e2b_logs_init(&op, &p->e2b, p->arena, argv[0], argv[1], 1000, clock_now_us());
    op.search = argv[2];
    op.want_results = argv[3][0] != '\0';
    http_run(p->http, calls, 1, probe_deadline(p));
    out = counted(&op.src, op.count);
    json_object_set_new(out, "next", probe_text(op.next_position));
    e2b_logs_release(&op);
    return out;
}

const struct probe_command probe_e2b[] = {
    {"e2b-get",         run_get        },
    {"e2b-list",        run_list       },
    {"e2b-events",      run_events     },
    {"e2b-team-events", run_team_events},
    {"e2b-metrics",     run_metrics    },
    {"e2b-logs",        run_logs       },
    {NULL,              NULL           },
};
