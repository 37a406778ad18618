/*
 * Start and end lines paired by pid. The end line has no `pid` field (e2b.md 5.4): it is read from the
 * message. process_result comes from raw lines only, so an end without code is common and is said.
 */
#include "model/process.h"

#include "base/arena.h"
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define SIGNAL_BASE 128

static bool starts_process(const struct log_line *l)
{
    return strcmp(tag_get(l->fields, l->field_count, "event_type", ""),
                  "process_start") == 0;
}

static bool ends_process(const struct log_line *l)
{
    const char *type = tag_get(l->fields, l->field_count, "event_type", "");

    return strcmp(type, "process_end") == 0 || strcmp(type, "process_end_readopted") == 0;
}

/* "Process with pid 512 ended" */
static int64_t pid_of(const struct log_line *l)
{
    static const char lead[] = "Process with pid ";
    char digits[20] = "";
    int64_t pid = -1;
    size_t n;

    if (!text_starts(l->message, lead))
        return -1;
    n = strspn(l->message + sizeof lead - 1, "0123456789");
    if (n == 0 || n >= sizeof digits)
        return -1;
    memcpy(digits, l->message + sizeof lead - 1, n);
    return parse_i64(digits, 0, INT32_MAX, &pid) ? -1 : pid;
}

static int64_t number(const struct log_line *l, const char *field, int64_t dflt)
{
    double v;

    if (parse_f64(tag_get(l->fields, l->field_count, field, ""), &v) || v < 0 || v > 9e15)
        return dflt;
    return (int64_t)v;
}

static const char *bare_command(const char *command)
{
    static const char *const shells[] = {"/bin/bash -l -c ", "/bin/bash -c ",
                                         "/bin/sh -c "};

    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (text_starts(command, shells[i]))
            return command + strlen(shells[i]);
    return command;
}

/* The youngest one with this pid that has no end yet. */
static struct process *find_open(struct process *p, size_t n, int64_t pid)
{
    while (n-- > 0)
        if (p[n].pid == pid && p[n].end_us == TS_NONE)
            return &p[n];
    return NULL;
}

static struct process *add(struct process *p, size_t *n, int64_t pid)
{
    struct process *q;

    if (*n == PROCESS_MAX)
        return NULL;
    q = &p[(*n)++];
    *q = (struct process){.pid = pid,
                          .command = "",
                          .start_us = TS_NONE,
                          .end_us = TS_NONE,
                          .status = "",
                          .stdout_bytes = -1,
                          .stderr_bytes = -1};
    return q;
}

static void take_end(struct process *q, const struct log_line *l)
{
    q->end_us = l->at_us;
    q->stdout_bytes = number(l, "stdout_bytes", -1);
    q->stderr_bytes = number(l, "stderr_bytes", -1);
    q->has_result = l->has_result;
    q->exit_code = l->exit_code;
    q->status = l->status ? l->status : "";
}

struct process *processes_build(struct arena *a, const struct log_line *logs, size_t n,
                                size_t *count)
{
    struct process *p = arena_array(a, PROCESS_MAX, sizeof *p), *q;

    *count = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t pid = pid_of(&logs[i]);

        if (pid < 0)
            continue;
        if (starts_process(&logs[i])) {
            q = add(p, count, pid);
            if (!q)
                continue; /* full: the ends of the others are still read */
            q->start_us = logs[i].at_us;
            q->command =
                bare_command(tag_get(logs[i].fields, logs[i].field_count, "command", ""));
            q->limit_ms = number(&logs[i], "request_timeout_ms", 0);
        } else if (ends_process(&logs[i])) {
            q = find_open(p, *count, pid);
            if (!q)
                q = add(p, count, pid);
            if (q)
                take_end(q, &logs[i]);
        }
    }
    return p;
}

bool process_failed(const struct process *p)
{
    return p->end_us != TS_NONE && p->has_result && p->exit_code != 0;
}

static const char *signal_words(int64_t number)
{
    switch (number) {
    case 6:
        return "it gave up by itself (signal 6)";
    case 9:
        return "killed by signal 9";
    case 11:
        return "a memory fault (signal 11)";
    case 15:
        return "asked to stop (signal 15)";
    default:
        return NULL;
    }
}

/* "signal: segmentation fault (core dumped)" in words. */
static char *direct_signal(struct arena *a, const char *status)
{
    static const struct {
        const char *name;
        int number;
    } names[] = {
        {"killed",             9 },
        {"terminated",         15},
        {"segmentation fault", 11},
        {"aborted",            6 },
    };
    const char *name = text_starts(status, "signal: ") ? status + 8 : status;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (text_starts(name, names[i].name))
            return arena_str(a, signal_words(names[i].number));
    return arena_fmt(a, "ended by a signal (%s)",
                     *name ? name : "which one is not recorded");
}

char *process_end_words(struct arena *a, const struct process *p)
{
    const char *words;

    if (p->end_us == TS_NONE)
        return arena_str(a, "no end on record");
    if (!p->has_result)
        return arena_str(a, "ended, exit code not recorded");
    if (p->exit_code < 0)
        return direct_signal(a, p->status);
    if (p->exit_code == 0)
        return arena_str(a, "finished, exit code 0");
    words = p->exit_code > SIGNAL_BASE ? signal_words(p->exit_code - SIGNAL_BASE) : NULL;
    if (words)
        return arena_fmt(a, "exit code %" PRId64 ": %s", p->exit_code, words);
    return arena_fmt(a, "exit code %" PRId64, p->exit_code);
}
