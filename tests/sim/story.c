/*
 * Runs and lifecycle events of one sandbox (e2b.md 6.3-6.6) as a pure function
 * of its description and a moment. Samples and log lines are made elsewhere
 * from the runs found here.
 */
#include "story.h"

#include "text.h"
#include "when.h"

#include <stdlib.h>
#include <string.h>

struct teller {
    const struct sandbox *sb;
    struct life *life;
    int64_t at_us;
};

int64_t sandbox_memory_mb(const struct sandbox *sb)
{
    return jint(sb->desc, "memoryMB", jint(sb->template, "memoryMB", 1024));
}

int64_t sandbox_cpus(const struct sandbox *sb)
{
    return jint(sb->desc, "cpuCount", jint(sb->template, "cpuCount", 2));
}

int64_t sandbox_disk_mb(const struct sandbox *sb)
{
    return jint(sb->desc, "diskSizeMB", jint(sb->template, "diskSizeMB", 10240));
}

int64_t sandbox_mem_total(const struct sandbox *sb)
{
    double bytes = (double)sandbox_memory_mb(sb) * 1048576.0 * 0.964453125;

    return (int64_t)bytes / 4096 * 4096;
}

static struct run *last_run(struct life *life)
{
    return life->run_count ? &life->runs[life->run_count - 1] : NULL;
}

/* ---- events -------------------------------------------------------------- */

static const struct {
    const char *type;
    const char *label;
} labels[] = {
    {"sandbox.lifecycle.created", "create"},
    {"sandbox.lifecycle.updated", "update"},
    {"sandbox.lifecycle.paused",  "pause" },
    {"sandbox.lifecycle.resumed", "resume"},
    {"sandbox.lifecycle.killed",  "kill"  },
};

static void set_label(json_t *event, const char *type)
{
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        if (strcmp(labels[i].type, type) == 0) {
            json_object_set_new(event, "eventCategory", json_string("lifecycle"));
            json_object_set_new(event, "eventLabel", json_string(labels[i].label));
        }
    }
}

/*
 * eventData of a v2 event holds the metadata and what the type adds; worlds
 * may ask for old events: "eventData": "null" or "absent".
 */
static void set_event_data(const struct teller *t, json_t *event, json_t *extra)
{
    const json_t *metadata = json_object_get(t->sb->desc, "metadata");
    const char *form = jstr_or(t->sb->desc, "eventData", "full");

    if (strcmp(form, "full") == 0) {
        if (json_object_size(metadata) > 0)
            json_object_set(extra, "sandbox_metadata", (json_t *)metadata);
        json_object_set(event, "eventData", extra);
    } else if (strcmp(form, "null") == 0) {
        json_object_set_new(event, "eventData", json_null());
    }
    json_decref(extra);
}

/* Takes over extra. */
static void add_event(struct teller *t, const char *type, int64_t us, json_t *extra)
{
    const struct sandbox *sb = t->sb;
    size_t n = json_array_size(t->life->events);
    const struct run *run = last_run(t->life);
    bool is_old = json_object_get(sb->desc, "eventData") != NULL;
    char id[37];
    char *stamp = time_nano(us, n % 3 == 2 ? 0 : (int)(hash_text(sb->id, n) % 1000));
    json_t *event;

    if (us > t->at_us) {
        json_decref(extra);
        free(stamp);
        return;
    }
    hash_uuid(sb->id, 1000 + n, id);
    event = pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "id", id, "version",
                 is_old ? "v1" : "v2", "type", type, "timestamp", stamp, "sandboxId",
                 sb->id, "sandboxExecutionId", run ? run->execution_id : "",
                 "sandboxTemplateId", jstr(sb->template, "id"), "sandboxBuildId",
                 jstr(sb->template, "buildId"), "sandboxTeamId", TEAM_ID);
    if (is_old)
        set_label(event, type);
    set_event_data(t, event, extra);
    json_array_append_new(t->life->events, event);
    free(stamp);
}

static json_t *execution_data(const struct teller *t, const struct run *run, int64_t us)
{
    char *started = time_rfc3339(run->start_us, 0);
    json_t *v = pack("{s:{s:s, s:I, s:I, s:I}}", "execution", "started_at", started,
                     "vcpu_count", (json_int_t)sandbox_cpus(t->sb), "memory_mb",
                     (json_int_t)sandbox_memory_mb(t->sb), "execution_time",
                     (json_int_t)((us - run->start_us) / US_PER_MS));

    free(started);
    return v;
}

/* ---- transitions --------------------------------------------------------- */

static void begin_run(struct teller *t, int64_t us, const char *timeout, bool is_resume)
{
    struct life *life = t->life;
    struct run *run;
    bool is_fork = jbool(t->sb->desc, "fork", false);

    if (life->run_count == LIFE_RUNS_MAX)
        die("sandbox %s has too many runs", t->sb->id);
    run = &life->runs[life->run_count++];
    *run = (struct run){.start_us = us, .is_resume = is_resume};
    run->deadline_us = run->first_deadline_us = us + duration_us(timeout);
    hash_uuid(t->sb->id, life->run_count, run->execution_id);
    life->state = LIFE_RUNNING;
    add_event(t,
              is_resume || is_fork ? "sandbox.lifecycle.resumed"
                                   : "sandbox.lifecycle.created",
              us, json_object());
}

static void end_paused(struct teller *t, int64_t us)
{
    struct run *run = last_run(t->life);
    int64_t snapshot_us = sandbox_memory_mb(t->sb) * 4 * US_PER_S / 1024 / 10;

    run->end = END_PAUSED;
    run->end_us = us;
    t->life->state = LIFE_PAUSED;
    t->life->paused_us = us;
    add_event(t, "sandbox.lifecycle.paused", us + snapshot_us,
              execution_data(t, run, us));
}

static void end_killed(struct teller *t, int64_t us, const char *reason)
{
    struct run *run = last_run(t->life);
    json_t *extra = execution_data(t, run, us);

    run->end = END_KILLED;
    run->end_us = us;
    run->kill_reason = strcmp(reason, "absent") == 0 ? NULL : reason;
    t->life->state = LIFE_GONE;
    if (run->kill_reason)
        json_object_set_new(extra, "kill_reason", json_string(reason));
    if (jbool(t->sb->desc, "lostEnd", false))
        json_decref(extra);
    else
        add_event(t, "sandbox.lifecycle.killed", us, extra);
}

/* The deadline's effect, if it lies before the moment. */
static void reach_deadline(struct teller *t, int64_t us)
{
    struct run *run = last_run(t->life);

    if (t->life->state != LIFE_RUNNING || run->deadline_us > us)
        return;
    if (run->dead_us) {
        t->life->state = LIFE_GONE;
        run->end_us = run->deadline_us;
    } else if (strcmp(jstr_or(t->sb->desc, "onTimeout", "kill"), "pause") == 0) {
        end_paused(t, run->deadline_us);
    } else {
        int64_t late = 90 * US_PER_MS + (int64_t)(hash_text(t->sb->id, 7) % 400000);

        end_killed(t, run->deadline_us + late,
                   jstr_or(t->sb->desc, "deadlineReason", "timeout"));
    }
}

/* ---- steps --------------------------------------------------------------- */

static void set_deadline(struct teller *t, int64_t us, int64_t deadline_us)
{
    char *text = time_rfc3339(deadline_us, 0);

    last_run(t->life)->deadline_us = deadline_us / US_PER_S * US_PER_S;
    add_event(t, "sandbox.lifecycle.updated", us, pack("{s:s}", "set_timeout", text));
    free(text);
}

static void step_pause(struct teller *t, const json_t *step, int64_t us)
{
    (void)step;
    end_paused(t, us);
}

static void step_resume(struct teller *t, const json_t *step, int64_t us)
{
    if (t->life->state != LIFE_PAUSED)
        die("sandbox %s: resumed while not paused", t->sb->id);
    begin_run(t, us, jstr_or(step, "timeout", "15s"), true);
}

static void step_timeout(struct teller *t, const json_t *step, int64_t us)
{
    set_deadline(t, us, us + duration_us(jstr_or(step, "to", "5m")));
}

static void step_network(struct teller *t, const json_t *step, int64_t us)
{
    (void)step;
    add_event(t, "sandbox.lifecycle.updated", us,
              pack("{s:{s:[s], s:n, s:[s]}}", "network_egress", "allowed_cidrs",
                   "10.0.0.0/8", "denied_cidrs", "allowed_domains", "pypi.org"));
}

static void step_kill(struct teller *t, const json_t *step, int64_t us)
{
    end_killed(t, us, jstr_or(step, "reason", "request"));
}

static void step_vm_death(struct teller *t, const json_t *step, int64_t us)
{
    struct run *run = last_run(t->life);

    run->dead_us = us;
    run->end = END_VANISHED;
    run->node_died = jbool(step, "silent", false);
}

static void step_delete(struct teller *t, const json_t *step, int64_t us)
{
    (void)step;
    (void)us;
    if (t->life->state == LIFE_PAUSED)
        t->life->state = LIFE_GONE;
}

static void step_checkpoint(struct teller *t, const json_t *step, int64_t us)
{
    (void)step;
    add_event(t, "sandbox.lifecycle.checkpointed", us, json_object());
}

static void step_event(struct teller *t, const json_t *step, int64_t us)
{
    add_event(t, jstr_or(step, "type", "sandbox.lifecycle.unheard_of"), us,
              json_object());
}

/* A client that pushes its deadline ahead over and over. */
static void step_keepalive(struct teller *t, const json_t *step, int64_t us)
{
    int64_t every = duration_us(jstr_or(step, "every", "30s"));
    int64_t until = us + duration_us(jstr_or(step, "for", "10m"));
    int64_t to = duration_us(jstr_or(step, "to", "5m"));

    for (; us <= until && us <= t->at_us; us += every)
        set_deadline(t, us, us + to);
}

static const struct {
    const char *name;
    void (*apply)(struct teller *, const json_t *, int64_t);
} steps[] = {
    {"pause",      step_pause     },
    {"resume",     step_resume    },
    {"timeout",    step_timeout   },
    {"network",    step_network   },
    {"kill",       step_kill      },
    {"vm_death",   step_vm_death  },
    {"delete",     step_delete    },
    {"checkpoint", step_checkpoint},
    {"event",      step_event     },
    {"keepalive",  step_keepalive },
};

static void apply_step(struct teller *t, const json_t *step, int64_t us)
{
    const char *name = jstr_or(step, "do", "");

    reach_deadline(t, us);
    if (t->life->state == LIFE_GONE)
        die("sandbox %s: step \"%s\" comes after its end", t->sb->id, name);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (strcmp(steps[i].name, name) == 0) {
            steps[i].apply(t, step, us);
            return;
        }
    }
    die("sandbox %s: unknown step \"%s\"", t->sb->id, name);
}

/* Older events than the first "lostEvents" fell out of the retained window. */
static void lose_beginnings(struct life *life, int64_t count)
{
    while (count-- > 0 && json_array_size(life->events) > 0)
        json_array_remove(life->events, 0);
}

void life_build(const struct sandbox *sb, int64_t at_us, struct life *out)
{
    struct teller t = {sb, out, at_us};
    const json_t *step;
    size_t i;

    memset(out, 0, sizeof *out);
    out->events = json_array();
    if (sb->start_us > at_us)
        return;
    begin_run(&t, sb->start_us, jstr_or(sb->desc, "timeout", "5m"), false);
    json_array_foreach(json_object_get(sb->desc, "steps"), i, step)
    {
        int64_t us = sb->start_us + duration_us(jstr_or(step, "at", ""));

        if (us > at_us)
            break;
        apply_step(&t, step, us);
    }
    reach_deadline(&t, at_us);
    lose_beginnings(out, jint(sb->desc, "lostEvents", 0));
    if (out->state == LIFE_GONE && jbool(sb->desc, "snapshotReturns", false))
        out->state = LIFE_PAUSED;
}

void life_release(struct life *life)
{
    json_decref(life->events);
    life->events = NULL;
}

bool life_is_over(const struct life *life)
{
    return life->state == LIFE_GONE;
}
