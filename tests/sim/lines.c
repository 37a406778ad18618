/*
 * Makes the log of a sandbox. Order: platform lines of the runs, warnings from
 * the samples, agent lines of the processes, then what the description adds;
 * sorted by time at the end.
 */
#include "lines.h"

#include "samples.h"
#include "text.h"
#include "when.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const level_names[] = {
    [LEVEL_NONE] = "",     [LEVEL_DEBUG] = "debug", [LEVEL_INFO] = "info",
    [LEVEL_WARN] = "warn", [LEVEL_ERROR] = "error",
};

const char *level_name(enum line_level level)
{
    return level_names[level];
}

enum line_level level_from_name(const char *name)
{
    for (size_t i = LEVEL_DEBUG; i <= LEVEL_ERROR; i++) {
        if (strcmp(level_names[i], name) == 0)
            return (enum line_level)i;
    }
    return LEVEL_NONE;
}

static struct line *add_line(struct line_list *list, int64_t t_us, enum line_level level)
{
    struct line *line;

    list->items = grow(list->items, list->count, sizeof *list->items);
    line = &list->items[list->count];
    *line = (struct line){.t_us = t_us, .level = level};
    line->extra_ns = (int)(hash_text(list->sandbox->id, list->count) % 1000);
    list->count++;
    return line;
}

/* Takes over members (may be NULL). */
static void add_message(struct line_list *list, int64_t t_us, enum line_level level,
                        const char *service, const char *message, json_t *members)
{
    struct line *line = add_line(list, t_us, level);

    line->object = pack("{s:s, s:s, s:s}", "level", level_names[level], "logger", service,
                        "message", message);
    if (members)
        json_object_update(line->object, members);
    json_decref(members);
}

/* ---- platform lines ------------------------------------------------------ */

static void add_run_begin(struct line_list *list, const struct run *run)
{
    char *end_time =
        time_format(run->first_deadline_us, "%Y-%m-%d %H:%M:%S +00:00", NULL);

    add_message(list, run->start_us - 420 * US_PER_MS, LEVEL_DEBUG, "orchestration-api",
                run->is_resume ? "Started resuming sandbox" : "Started creating sandbox",
                NULL);
    add_message(list, run->start_us + 90 * US_PER_MS, LEVEL_INFO, "orchestration-api",
                "Sandbox created", pack("{s:s}", "end_time", end_time));
    free(end_time);
}

static void add_run_end(struct line_list *list, const struct run *run)
{
    json_t *reason = NULL;

    if (run->dead_us) {
        if (!run->node_died)
            add_message(list, run->dead_us, LEVEL_INFO, "orchestrator", "Sandbox stopped",
                        NULL);
        return;
    }
    if (run->end == END_NONE)
        return;
    if (run->end == END_KILLED && run->kill_reason)
        reason = pack("{s:s}", "kill_reason", run->kill_reason);
    add_message(list, run->end_us - 60 * US_PER_MS, LEVEL_INFO, "orchestrator",
                run->end == END_KILLED ? "Killing sandbox" : "Pausing sandbox", reason);
    if (run->end == END_KILLED)
        add_message(list, run->end_us - 20 * US_PER_MS, LEVEL_INFO, "orchestrator",
                    "Control sandbox healthcheck was successful",
                    pack("{s:b}", "healthcheck", 1));
    add_message(list, run->end_us + 340 * US_PER_MS, LEVEL_INFO, "orchestrator",
                "Sandbox stopped", NULL);
}

static void add_warning(struct line_list *list, int64_t t_us, double percent,
                        const char *message, const char *used, const char *threshold)
{
    double rounded = (double)(int64_t)(percent * 100 + 0.5) / 100;

    if (percent >= 80)
        add_message(list, t_us, LEVEL_WARN, "orchestrator", message,
                    pack("{s:f, s:i}", used, rounded, threshold, 80));
}

static void add_warnings(struct line_list *list, const struct life *life, int64_t at_us)
{
    const struct sandbox *sb = list->sandbox;
    double total = (double)sandbox_mem_total(sb);
    struct sample_list samples;

    samples_build(sb, life, at_us, &samples);
    for (size_t i = 0; i < samples.count; i++) {
        const struct sample *s = &samples.items[i];

        add_warning(list, s->t_us + 3 * US_PER_MS, (double)s->mem_used * 100 / total,
                    "Memory usage threshold exceeded", "mem_used_percent",
                    "mem_threshold_percent");
        add_warning(list, s->t_us + 9 * US_PER_MS, s->cpu_pct,
                    "CPU usage threshold exceeded", "cpu_used_percent",
                    "cpu_threshold_percent");
    }
    samples_release(&samples);
}

/* ---- agent lines --------------------------------------------------------- */

/* e2b.md 5.4: members that are zero, false or empty are left out. */
static json_t *process_result(const json_t *process)
{
    const char *signal = jstr(process, "signal");
    int64_t code = jint(process, "exit", 0);
    json_t *result = json_object();
    char *status;

    if (signal)
        status = format("signal: %s", signal);
    else
        status = format("exit status %d", (int)code);
    if (signal || code != 0)
        json_object_set_new(result, "exit_code", json_integer(signal ? -1 : code));
    if (!signal)
        json_object_set_new(result, "exited", json_true());
    json_object_set_new(result, "status", json_string(status));
    if (signal || code != 0)
        json_object_set_new(result, "error", json_string(status));
    free(status);
    return result;
}

/* When the machine that runs at that moment ends; 0 when none runs. */
static int64_t machine_end(const struct life *life, int64_t t_us)
{
    for (size_t i = 0; i < life->run_count; i++) {
        const struct run *run = &life->runs[i];
        int64_t end = run->dead_us ? run->dead_us : run->end_us;

        if (t_us >= run->start_us && (end == 0 || t_us < end))
            return end ? end : INT64_MAX;
    }
    return 0;
}

static void add_rpc(struct line_list *list, int64_t t_us, const char *what,
                    const char *operation)
{
    char *message = format("Process Start (server stream %s)", what);

    add_message(list, t_us, LEVEL_DEBUG, "process", message,
                pack("{s:s, s:s}", "method", "POST /process.Process/Start",
                     "operation_id", operation));
    free(message);
}

static void add_process_end(struct line_list *list, const json_t *process, int64_t t_us,
                            const char *operation)
{
    char *message = format("Process with pid %d ended", (int)jint(process, "pid", 0));

    add_message(list, t_us, LEVEL_INFO, "process", message,
                pack("{s:s, s:o, s:I, s:I, s:I, s:s}", "event_type", "process_end",
                     "process_result", process_result(process), "stdout_bytes",
                     (json_int_t)jint(process, "stdout", 0), "stderr_bytes",
                     (json_int_t)jint(process, "stderr", 0), "pty_bytes", (json_int_t)0,
                     "operation_id", operation));
    add_rpc(list, t_us + 3 * US_PER_MS, "end", operation);
    free(message);
}

/*
 * One process. Its times are the guest's; "clockSkew" of the sandbox shifts
 * them, as a guest's clock that drifted.
 */
static void add_process(struct line_list *list, const struct life *life,
                        const json_t *process, size_t index)
{
    const struct sandbox *sb = list->sandbox;
    int64_t skew = jint(sb->desc, "clockSkewMs", 0) * US_PER_MS;
    int64_t from = sb->start_us + duration_us(jstr_or(process, "from", "1s"));
    const char *to = jstr(process, "to");
    int64_t end = to ? sb->start_us + duration_us(to) : INT64_MAX;
    char operation[16];
    char *message,
        *command = format("/bin/bash -l -c %s", jstr_or(process, "cmd", "true"));

    snprintf(operation, sizeof operation, "%zu", 5 + index);
    message = format("Process with pid %d started", (int)jint(process, "pid", 0));
    add_rpc(list, from + skew - 2 * US_PER_MS, "start", operation);
    add_message(
        list, from + skew, LEVEL_INFO, "process", message,
        pack("{s:s, s:I, s:s, s:I, s:s}", "event_type", "process_start", "pid",
             (json_int_t)jint(process, "pid", 0), "command",
             jbool(process, "bare", false) ? jstr_or(process, "cmd", "") : command,
             "request_timeout_ms", (json_int_t)jint(process, "timeoutMs", 0),
             "operation_id", operation));
    if (end < machine_end(life, from) || (to && jbool(process, "acrossRuns", false)))
        add_process_end(list, process, end + skew, operation);
    free(command);
    free(message);
}

/* ---- what the description adds ------------------------------------------- */

static bool is_output(const json_t *rule)
{
    return json_object_get(rule, "pid") != NULL;
}

/*
 * Program output exists only with old agents (before 0.5.27): a line with
 * "pid" is "Streaming process event" with the text in "data".
 */
static json_t *output_line(const json_t *rule, const char *text)
{
    bool is_err = strcmp(jstr_or(rule, "stream", "stdout"), "stderr") == 0;
    char *data = format("%s\n", text);
    json_t *object = pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "level", "info", "logger",
                          "process", "message", "Streaming process event", "event_type",
                          is_err ? "stderr" : "stdout", "data", data, "pid",
                          (json_int_t)jint(rule, "pid", 0));

    free(data);
    return object;
}

static void add_described(struct line_list *list, const json_t *rule)
{
    int64_t t_us = list->sandbox->start_us + duration_us(jstr_or(rule, "at", "0s"));
    enum line_level level = level_from_name(jstr_or(rule, "level", "info"));
    const char *garbage = jstr(rule, "garbage");
    struct line *line;

    if (garbage) {
        add_line(list, t_us, LEVEL_NONE)->garbage = garbage;
    } else if (is_output(rule)) {
        line = add_line(list, t_us, LEVEL_INFO);
        line->object = output_line(rule, jstr_or(rule, "text", ""));
    } else {
        line = add_line(list, t_us, level);
        line->object = pack("{s:s, s:s}", "level", level_names[level], "logger",
                            jstr_or(rule, "logger", "orchestrator"));
        json_object_set(line->object, "message", json_object_get(rule, "message"));
        json_object_update(line->object, json_object_get(rule, "fields"));
    }
}

static void add_bulk(struct line_list *list, const json_t *rule)
{
    int64_t base = list->sandbox->start_us;
    int64_t from = base + duration_us(jstr_or(rule, "from", "0s"));
    int64_t to = base + duration_us(jstr_or(rule, "to", "1m"));
    int64_t count = jint(rule, "count", 1);

    for (int64_t k = 0; k < count; k++) {
        int64_t t_us = from + (to - from) / count * k;
        struct line *line =
            add_line(list, t_us, level_from_name(jstr_or(rule, "level", "info")));

        line->bulk = rule;
        line->number = (size_t)k;
    }
}

static void add_all_described(struct line_list *list)
{
    const json_t *rule;
    size_t i;

    json_array_foreach(json_object_get(list->sandbox->desc, "lines"), i, rule)
    {
        if (json_object_get(rule, "count"))
            add_bulk(list, rule);
        else
            add_described(list, rule);
    }
}

/* ---- the whole ----------------------------------------------------------- */

static int by_time(const void *pa, const void *pb)
{
    const struct line *a = pa, *b = pb;
    int64_t ta = a->t_us * 1000 + a->extra_ns, tb = b->t_us * 1000 + b->extra_ns;

    return ta < tb ? -1 : ta > tb;
}

/* Drops what lies after the moment, or in a time when no machine ran. */
static void cut_at(struct line_list *list, int64_t at_us)
{
    size_t keep = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].t_us <= at_us)
            list->items[keep++] = list->items[i];
        else
            json_decref(list->items[i].object);
    }
    list->count = keep;
}

static struct line_list *lines_build(struct sandbox *sb, const struct life *life,
                                     int64_t at_us)
{
    struct line_list *list = zalloc(sizeof *list);
    const json_t *process;
    size_t i;

    list->sandbox = sb;
    if (life->run_count == 0)
        return list;
    for (i = 0; i < life->run_count; i++) {
        add_run_begin(list, &life->runs[i]);
        add_run_end(list, &life->runs[i]);
    }
    add_warnings(list, life, at_us);
    json_array_foreach(json_object_get(sb->desc, "processes"), i, process)
    {
        add_process(list, life, process, i);
    }
    add_all_described(list);
    cut_at(list, at_us);
    qsort(list->items, list->count, sizeof *list->items, by_time);
    return list;
}

static int64_t last_sign_us(const struct life *life)
{
    return life->run_count ? life->runs[life->run_count - 1].end_us : 0;
}

struct line_list *lines_get(struct sandbox *sb, int64_t at_us)
{
    struct life life = {0};
    struct line_list *list;

    if (sb->kept_lines)
        return sb->kept_lines;
    life_build(sb, at_us, &life);
    list = lines_build(sb, &life, at_us);
    if (life_is_over(&life) && at_us > last_sign_us(&life) + 10 * US_PER_S)
        sb->kept_lines = list;
    life_release(&life);
    return list;
}

void line_list_done(struct line_list *list)
{
    if (list && list != list->sandbox->kept_lines)
        line_list_free(list);
}

void line_list_free(struct line_list *list)
{
    if (!list)
        return;
    for (size_t i = 0; i < list->count; i++)
        json_decref(list->items[i].object);
    free(list->items);
    free(list);
}

/* ---- the two forms ------------------------------------------------------- */

/* "{n}" is the line's number from 1, "{count}" the bulk's size. */
static char *bulk_text(const struct line *line)
{
    const json_t *rule = line->bulk;
    const char *pattern = jstr_or(rule, "text", jstr_or(rule, "message", ""));
    char number[24], count[24];
    char *half, *whole;

    snprintf(number, sizeof number, "%zu", line->number + 1);
    snprintf(count, sizeof count, "%lld", (long long)jint(rule, "count", 0));
    half = replace_all(pattern, "{n}", number);
    whole = replace_all(half, "{count}", count);
    free(half);
    return whole;
}

static json_t *bulk_object(const struct line *line)
{
    const json_t *rule = line->bulk;
    char *text = bulk_text(line);
    json_t *object;

    if (is_output(rule))
        object = output_line(rule, text);
    else
        object = pack("{s:s, s:s, s:s}", "level", level_names[line->level], "logger",
                      jstr_or(rule, "logger", "process"), "message", text);
    free(text);
    return object;
}

/* The members every line carries, then the line's own. */
static json_t *full_object(const struct line_list *list, const struct line *line)
{
    const struct sandbox *sb = list->sandbox;
    char *stamp = time_nano(line->t_us, line->extra_ns);
    json_t *own = line->object ? json_incref(line->object) : bulk_object(line);
    const char *logger = jstr_or(own, "logger", "process");
    bool is_host = has_prefix(logger, "orchestrat");
    json_t *all = pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b}", "timestamp", stamp,
                       "instanceID", sb->id, "sandboxID", sb->id, "teamID", TEAM_ID,
                       "envID", jstr(sb->template, "id"), "service",
                       is_host ? logger : "envd", "category", "default", "internal", 0);

    json_object_update(all, own);
    json_decref(own);
    free(stamp);
    return all;
}

json_t *line_raw(const struct line_list *list, const struct line *line)
{
    json_t *object, *text;
    char *dump;

    if (line->garbage)
        return json_string(line->garbage);
    object = full_object(list, line);
    dump = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15));
    text = json_string(dump ? dump : "");
    free(dump);
    json_decref(object);
    return text;
}

/* e2b.md 5.3: flat members as strings; objects, arrays and nulls are dropped. */
static json_t *field_text(const json_t *v)
{
    char *number;
    json_t *text;

    if (json_is_boolean(v))
        return json_string(json_is_true(v) ? "true" : "false");
    if (!json_is_number(v))
        return NULL;
    number = go_float(json_number_value(v));
    text = json_string(number);
    free(number);
    return text;
}

static json_t *entry_fields(json_t *object)
{
    json_t *fields = json_object(), *v;
    const char *key;

    json_object_foreach(object, key, v)
    {
        if (strcmp(key, "message") == 0 || strcmp(key, "level") == 0)
            continue;
        if (json_is_string(v))
            json_object_set(fields, key, v);
        else if (json_is_number(v) || json_is_boolean(v))
            json_object_set_new(fields, key, field_text(v));
    }
    return fields;
}

json_t *line_entry(const struct line_list *list, const struct line *line,
                   bool null_fields)
{
    char *stamp = time_nano(line->t_us, line->extra_ns);
    json_t *entry = pack("{s:s}", "timestamp", stamp), *object;

    free(stamp);
    if (line->garbage) {
        json_object_set_new(entry, "level", json_string("info"));
        json_object_set_new(entry, "message", json_string(""));
        json_object_set_new(entry, "fields", null_fields ? json_null() : json_object());
        return entry;
    }
    object = full_object(list, line);
    json_object_set(entry, "level", json_object_get(object, "level"));
    json_object_set(entry, "message", json_object_get(object, "message"));
    json_object_set_new(entry, "fields", entry_fields(object));
    json_decref(object);
    return entry;
}

char *line_message(const struct line_list *list, const struct line *line)
{
    (void)list;
    if (line->garbage)
        return dup_str("");
    if (line->object)
        return dup_str(jstr_or(line->object, "message", ""));
    return is_output(line->bulk) ? dup_str("Streaming process event") : bulk_text(line);
}
