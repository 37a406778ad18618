#include "test_diag_case.h"
#include "base/ts.h"
#include <string.h>

#include "base/banned.h"

#define T0 (1770000000 * TS_SEC)
#define MIB ((int64_t)1024 * 1024)

static int64_t at(double s)
{
    return T0 + (int64_t)(s * 1e6);
}

static struct event *event_new(struct test_case *c, double at_s, enum event_type type)
{
    struct event *e = &c->events[c->ev.event_count];

    memset(e, 0, sizeof(*e));
    e->id = arena_fmt(&c->a, "e%zu", c->ev.event_count);
    e->type = type;
    e->type_text = "";
    e->at_us = at(at_s);
    e->sandbox_id = c->ev.sandbox_id;
    e->execution_id = e->template_id = e->team_id = e->kill_reason = "";
    e->set_timeout_us = e->exec_started_us = TS_NONE;
    e->exec_ms = -1;
    c->ev.event_count++;
    c->ev.now_us = at(at_s + 60);
    return e;
}

void case_log(struct test_case *c, double at_s, const char *message, const char *key,
              const char *value)
{
    size_t i = c->ev.log_count++;
    struct log_line *l,
        made = {.at_us = at(at_s), .at_text = "", .message = message, .status = ""};
    struct tag *t = arena_array(&c->a, 1, sizeof(*t));

    if (key) {
        *t = (struct tag){key, value};
        made.fields = t;
        made.field_count = 1;
    }
    for (; i > 0 && c->logs[i - 1].at_us > made.at_us; i--)
        c->logs[i] = c->logs[i - 1];
    l = &c->logs[i];
    *l = made;
}

void case_init(struct test_case *c, double limit_s)
{
    memset(c, 0, sizeof(*c));
    arena_init(&c->a);
    c->ev.sandbox_id = "isandbox0000000000001";
    c->ev.events = c->events;
    c->ev.metrics = c->metrics;
    c->ev.logs = c->logs;
    c->ev.output = c->output;
    c->ev.events_src.state = c->ev.metrics_src.state = c->ev.logs_src.state = SOURCE_OK;
    c->limit_s = (int64_t)limit_s;
    event_new(c, 0, EVENT_CREATED);
    case_log(c, 0.1, "Sandbox created", "end_time",
             arena_str(&c->a, ts_iso(at(limit_s), arena_alloc(&c->a, TS_ISO_SIZE))));
}

void case_release(struct test_case *c)
{
    arena_release(&c->a);
}

void case_samples(struct test_case *c, double from_s, double to_s, double memory,
                  double cpu)
{
    for (double s = from_s; s < to_s && c->ev.metric_count < CASE_MAX; s += 5) {
        struct metric *m = &c->metrics[c->ev.metric_count++];
        m->at_us = at(s);
        m->cpu_pct = cpu;
        m->cpu_count = 2;
        m->mem_total = 1000 * MIB;
        m->mem_used = (int64_t)(memory * 10 * (double)MIB);
        m->disk_total = 10000 * MIB;
        m->disk_used = 1400 * MIB;
    }
}

void case_proc(struct test_case *c, int pid, const char *command, double start_s,
               double end_s, double limit_s)
{
    struct tag *t = arena_array(&c->a, 2, sizeof(*t));

    case_log(c, start_s, arena_fmt(&c->a, "Process with pid %d started", pid), NULL,
             NULL);
    t[0] = (struct tag){"command", arena_fmt(&c->a, "/bin/bash -l -c %s", command)};
    t[1] = (struct tag){"request_timeout_ms", arena_fmt(&c->a, "%.0f", limit_s * 1000)};
    for (size_t i = 0; i < c->ev.log_count; i++)
        if (c->logs[i].at_us == at(start_s) && !c->logs[i].fields) {
            c->logs[i].fields = t;
            c->logs[i].field_count = 2;
        }
    if (end_s >= 0)
        case_log(c, end_s, arena_fmt(&c->a, "Process with pid %d ended", pid),
                 "stderr_bytes", "0");
}

static void add_output(struct test_case *c, double at_s, const char *text, bool is_stderr)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        c->output[c->ev.output_count++] =
            (struct output_line){at(at_s), is_stderr, arena_strn(&c->a, text, n)};
        at_s += 0.001;
        text += n + (text[n] == '\n');
    }
}

void case_out(struct test_case *c, double at_s, const char *text)
{
    add_output(c, at_s, text, true);
}

void case_print(struct test_case *c, double at_s, const char *text)
{
    add_output(c, at_s, text, false);
}

void case_event(struct test_case *c, double at_s, const char *type, const char *reason)
{
    char *text = arena_fmt(&c->a, "sandbox.lifecycle.%s", type);
    struct event *e = event_new(c, at_s, event_type_from_text(text));

    e->execution_id = "";
    if (reason) {
        e->has_data = true;
        e->kill_reason = reason;
    }
}

void case_kill(struct test_case *c, double at_s, const char *reason)
{
    case_log(c, at_s - 0.1, "Killing sandbox", reason ? "kill_reason" : NULL, reason);
    case_log(c, at_s + 0.5, "Sandbox stopped", NULL, NULL);
    case_event(c, at_s, "killed", reason);
}

void case_running(struct test_case *c, double now_s)
{
    struct sandbox *s = &c->ev.sandbox;

    c->ev.has_sandbox = true;
    c->ev.sandbox_src.state = SOURCE_OK;
    s->id = c->ev.sandbox_id;
    s->template_id = s->template_alias = s->envd_version = s->on_timeout = "";
    s->state = SANDBOX_RUNNING;
    s->state_text = "running";
    s->started_us = at(0);
    s->end_us = at((double)c->limit_s);
    s->memory_mib = 1024;
    c->ev.now_us = at(now_s);
}

const struct finding *case_run(struct test_case *c, struct finding *out)
{
    diag_run(&c->ev, &c->a, out);
    return out;
}

int case_has_factor(const struct finding *f, const char *name)
{
    for (size_t i = 0; i < f->factor_count; i++)
        if (strcmp(f->factors[i], name) == 0)
            return 1;
    return 0;
}
