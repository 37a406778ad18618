/* A world for the tests of the views: structs filled by hand, HDF read by name. */
#include "test_view_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/ts.h"
#include "base/xalloc.h"
#include "web/chart.h"
#include "web/tpl.h"

#include "base/banned.h"

#define DAY_US ((int64_t)1795478400000000) /* 2026-11-24T00:00:00Z */

int64_t at(const char *clock)
{
    int64_t us = DAY_US;
    unsigned part[4] = {0};
    int n = 0;

    if (clock[0] == '+' || clock[0] == '-') {
        char *rest;
        long days = strtol(clock, &rest, 10);

        us += days * TS_DAY;
        clock = rest + 1;
    }
    for (const char *p = clock; *p && n < 4; n++) {
        char *rest;

        part[n] = (unsigned)strtoul(p, &rest, 10);
        p = *rest ? rest + 1 : rest;
    }
    assert_true(n >= 2);
    return us + part[0] * TS_HOUR + part[1] * TS_MIN + part[2] * TS_SEC + part[3] * TS_MS;
}

struct view_world *view_begin(void)
{
    struct view_world *w = xcalloc(1, sizeof(*w));

    w->conf.base_path = "/casebook";
    w->conf.zendesk.base_url = "https://acme.zendesk.com";
    w->app.conf = &w->conf;
    arena_init(&w->arena);
    w->rq = (struct req){
        .app = &w->app, .arena = &w->arena, .user = "maya", .now_us = at("15:04:49")};
    w->link = (struct view_link){.rq = &w->rq, .from_us = TS_NONE, .to_us = TS_NONE};
    w->hdf = tpl_hdf();
    w->ev = (struct evidence){.now_us = w->rq.now_us,
                              .sandbox_id = "i7q2m0xk4v9d1c8b3zt5e",
                              .events = w->events,
                              .metrics = w->metrics,
                              .logs = w->lines};
    w->ev.sandbox_src.state = SOURCE_NOT_THERE;
    w->ev.events_src.state = SOURCE_OK;
    w->ev.metrics_src.state = SOURCE_OK;
    w->ev.logs_src.state = SOURCE_OK;
    return w;
}

void view_end(struct view_world *w)
{
    hdf_destroy(&w->hdf);
    arena_release(&w->arena);
    free(w);
}

void view_fresh(struct view_world *w)
{
    hdf_destroy(&w->hdf);
    w->hdf = tpl_hdf();
}

struct event *add_event(struct view_world *w, enum event_type type, const char *clock,
                        const char *exec_id)
{
    struct event *e = &w->events[w->ev.event_count];

    assert_true(w->ev.event_count < VIEW_MAX_EVENTS);
    *e = (struct event){.id = arena_fmt(&w->arena, "e%zu", w->ev.event_count + 1),
                        .type = type,
                        .type_text = "",
                        .at_us = at(clock),
                        .sandbox_id = w->ev.sandbox_id,
                        .execution_id = exec_id,
                        .template_id = "p3v8n1r6t0w5y2k9c4m7",
                        .team_id = "",
                        .set_timeout_us = TS_NONE,
                        .kill_reason = "",
                        .exec_started_us = TS_NONE,
                        .exec_ms = -1};
    w->ev.event_count++;
    return e;
}

struct metric *add_sample(struct view_world *w, int64_t at_us, double cpu, int64_t mem,
                          int64_t disk)
{
    struct metric *m = &w->metrics[w->ev.metric_count];

    assert_true(w->ev.metric_count < VIEW_MAX_METRICS);
    *m = (struct metric){.at_us = at_us,
                         .cpu_pct = cpu,
                         .cpu_count = 2,
                         .mem_used = mem,
                         .mem_total = 1024 * MIB_BYTES,
                         .mem_cache = 12 * MIB_BYTES,
                         .disk_used = disk,
                         .disk_total = 10240 * MIB_BYTES};
    w->ev.metric_count++;
    return m;
}

struct log_line *add_line(struct view_world *w, const char *clock, const char *logger,
                          const char *message, ...)
{
    size_t i = w->ev.log_count;
    struct log_line *l = &w->lines[i];
    const char *name;
    va_list ap;

    assert_true(i < VIEW_MAX_LINES);
    *l = (struct log_line){.at_us = at(clock),
                           .at_text = "",
                           .message = message,
                           .fields = w->fields[i],
                           .status = ""};
    w->fields[i][l->field_count++] = (struct tag){"logger", logger};
    va_start(ap, message);
    while ((name = va_arg(ap, const char *))) {
        assert_true(l->field_count < VIEW_MAX_FIELDS);
        w->fields[i][l->field_count++] = (struct tag){name, va_arg(ap, const char *)};
    }
    va_end(ap);
    w->ev.log_count++;
    return l;
}

void add_created(struct view_world *w, const char *clock, const char *deadline)
{
    add_line(w, clock, "orchestration-api", "Sandbox created", "end_time",
             arena_fmt(&w->arena, "2026-11-24 %s +00:00", deadline), END);
}

void set_sandbox(struct view_world *w, enum sandbox_state state, const char *start,
                 const char *end)
{
    static const char *const words[] = {"running", "paused", "ended", "frozen"};

    w->ev.has_sandbox = true;
    w->ev.sandbox_src.state = SOURCE_OK;
    w->ev.sandbox = (struct sandbox){.id = w->ev.sandbox_id,
                                     .template_id = "p3v8n1r6t0w5y2k9c4m7",
                                     .template_alias = "report-py",
                                     .state = state,
                                     .state_text = words[state],
                                     .started_us = at(start),
                                     .end_us = at(end),
                                     .cpu_count = 2,
                                     .memory_mib = 1024,
                                     .disk_mib = 10240,
                                     .envd_version = "0.5.9",
                                     .on_timeout = "kill"};
}

/* An execution without a clock for its end is open. */
void set_life(struct view_world *w, enum sandbox_state state, ...)
{
    struct timeline *t = &w->tl;
    const char *from;
    va_list ap;

    *t = (struct timeline){.execs = w->execs,
                           .start_us = TS_NONE,
                           .end_us = TS_NONE,
                           .state = state,
                           .state_text = "",
                           .last_sign_us = TS_NONE,
                           .memory_mib = 1024,
                           .disk_mib = 10240,
                           .template_id = "",
                           .template_alias = "",
                           .on_timeout = ""};
    va_start(ap, state);
    while ((from = va_arg(ap, const char *))) {
        const char *to = va_arg(ap, const char *);
        struct execution *x = &w->execs[t->exec_count++];

        assert_true(t->exec_count <= VIEW_MAX_EXECS);
        *x = (struct execution){.id = "",
                                .start_us = at(from),
                                .start_is_known = true,
                                .end_us = *to ? at(to) : TS_NONE,
                                .end = *to ? EXEC_PAUSED : EXEC_OPEN,
                                .kill_reason = "",
                                .deadline_us = TS_NONE,
                                .first_deadline_us = TS_NONE,
                                .last_sign_us = *to ? at(to) : w->ev.now_us};
        t->ran_us += (*to ? x->end_us : w->ev.now_us) - x->start_us;
        if (t->exec_count > 1)
            t->paused_us += x->start_us - x[-1].end_us;
        t->end_us = x->end_us;
        t->last_sign_us = x->last_sign_us;
    }
    va_end(ap);
    if (t->exec_count)
        t->start_us = w->execs[0].start_us;
}

void chart_with(struct view_world *w, const struct finding *f, bool whole)
{
    struct chart_input in = {.arena = &w->arena,
                             .ev = &w->ev,
                             .tl = &w->tl,
                             .finding = f,
                             .win_from_us = w->link.from_us,
                             .win_to_us = w->link.to_us,
                             .now_us = w->ev.now_us,
                             .whole_life = whole,
                             .whole_life_href = "/casebook/whole"};

    view_fresh(w);
    chart_fill(w->hdf, &in);
}

void fill(struct view_world *w)
{
    chart_with(w, NULL, false);
}

void window(struct view_world *w, const char *from, const char *to)
{
    w->link.from_us = at(from);
    w->link.to_us = at(to);
}

/* A sample of 100 MiB and 1 GiB of disk every `step` seconds, ends included. */
void samples(struct view_world *w, const char *from, const char *to, int step)
{
    for (int64_t us = at(from); us <= at(to); us += step * TS_SEC)
        add_sample(w, us, 10, 100 * MIB_BYTES, GIB_BYTES);
}

const char *got(const struct view_world *w, const char *name)
{
    return hdf_get_value(w->hdf, name, "");
}

const char *gotf(const struct view_world *w, const char *fmt, ...)
{
    char name[200];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(name, sizeof(name), fmt, ap);
    va_end(ap);
    return got(w, name);
}

int rows(const struct view_world *w, const char *name)
{
    int n = 0;

    for (HDF *c = hdf_get_child(w->hdf, name); c; c = hdf_obj_next(c))
        n++;
    return n;
}

void want_at(const struct view_world *w, const char *name, const char *value,
             const char *file, int line)
{
    const char *is = got(w, name);

    if (strcmp(is, value) == 0)
        return;
    print_error("%s is \"%s\", not \"%s\"\n", name, is, value);
    _fail(file, line);
}
