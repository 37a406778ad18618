/*
 * The process table: commands started through the API, how each ended, and what was told
 * meanwhile. Exit codes are rarely in the log (e2b.md 5.4); the host often prints them.
 */
#include "base/arena.h"
#include "base/num.h"
#include "base/text.h"
#include "diag/facts.h"
#include "diag/lastwords.h"
#include "diag/limits.h"
#include "diag/trace.h"
#include <string.h>

#include "base/banned.h"

/* ---- the table ---- */

static int64_t message_pid(const char *message)
{
    int64_t pid;
    char digits[24];
    size_t n;

    if (!text_starts(message, "Process with pid "))
        return -1;
    message += strlen("Process with pid ");
    n = strspn(message, "0123456789");
    if (n == 0 || n >= sizeof(digits))
        return -1;
    memcpy(digits, message, n);
    digits[n] = '\0';
    return parse_i64(digits, 0, INT64_MAX, &pid) == 0 ? pid : -1;
}

static int64_t field_number(const struct log_line *l, const char *key, int64_t dflt)
{
    double v;

    if (parse_f64(tag_get(l->fields, l->field_count, key, ""), &v) < 0 || v < -1e15 ||
        v > 1e15)
        return dflt;
    return (int64_t)v;
}

static size_t exec_at(const struct facts *f, int64_t at_us)
{
    size_t i = 0;

    while (i + 1 < f->tl.exec_count &&
           at_us >= f->tl.execs[i + 1].start_us - LIMIT_SKEW_US)
        i++;
    return i;
}

static void start_proc(struct facts *f, struct proc *p, const struct log_line *l,
                       int64_t pid)
{
    int64_t ms = field_number(l, "request_timeout_ms", 0);

    memset(p, 0, sizeof(*p));
    p->pid = pid;
    p->command = command_bare(f->a, tag_get(l->fields, l->field_count, "command", ""));
    p->program = command_program(f->a, p->command);
    p->role = command_role(p->command);
    p->is_install = command_is_install(p->command);
    p->label = command_label(f->a, p->command);
    p->subject = *p->command ? command_subject(f->a, p->command) : "A command";
    p->exec = exec_at(f, l->at_us);
    p->start_us = l->at_us;
    p->end_us = TS_NONE;
    p->limit_us = ms > 0 && ms < INT64_MAX / 1000 ? ms * TS_MS : 0;
    p->stream_error = p->code_ref = "";
    p->stderr_bytes = -1;
}

static void end_proc(struct proc *p, const struct log_line *l)
{
    p->end_us = l->at_us;
    p->stderr_bytes = field_number(l, "stderr_bytes", -1);
    if (!l->has_result)
        return;
    p->has_code = true;
    p->code = l->exit_code;
    if (text_starts(l->status, "signal: "))
        p->signal = signal_number(l->status + 8);
    if (text_icontains(l->status, "segmentation"))
        p->signal = 11;
    if (text_icontains(l->status, "aborted"))
        p->signal = 6;
}

/* The latest start with this pid that has no end yet. */
static struct proc *find_open(struct facts *f, int64_t pid)
{
    for (size_t i = f->proc_count; i > 0; i--)
        if (f->procs[i - 1].pid == pid && f->procs[i - 1].end_us == TS_NONE)
            return &f->procs[i - 1];
    return NULL;
}

static void stream_end(struct facts *f, const struct log_line *l, const char *const *ops)
{
    const char *op = tag_get(l->fields, l->field_count, "operation_id", "");
    const char *error = tag_get(l->fields, l->field_count, "error", "");

    if (!*error)
        return;
    for (size_t i = f->proc_count; i > 0; i--)
        if (*op && strcmp(ops[i - 1], op) == 0) {
            f->procs[i - 1].stream_error = error;
            return;
        }
}

static bool is_signal_call(const struct log_line *l)
{
    const char *method = tag_get(l->fields, l->field_count, "method", "");

    return text_icontains(method, "SendSignal") ||
           text_icontains(l->message, "send signal") ||
           text_icontains(l->message, "sendSignal");
}

static void read_logs(struct facts *f)
{
    const struct evidence *ev = f->ev;
    const char **ops = NULL;
    size_t cap = 0, ops_cap = 0, call_cap = 0;

    for (size_t i = 0; i < ev->log_count; i++) {
        const struct log_line *l = &ev->logs[i];
        int64_t pid = message_pid(l->message);
        struct proc *p;
        if (is_signal_call(l)) {
            f->signal_calls = arena_grow(f->a, f->signal_calls, f->signal_call_count,
                                         &call_cap, sizeof(*f->signal_calls));
            f->signal_calls[f->signal_call_count++] = l->at_us;
        }
        if (pid < 0) {
            if (text_icontains(l->message, "stream end"))
                stream_end(f, l, ops);
            continue;
        }
        if (text_icontains(l->message, " started")) {
            f->procs = arena_grow(f->a, f->procs, f->proc_count, &cap, sizeof(*f->procs));
            ops = arena_grow(f->a, ops, f->proc_count, &ops_cap, sizeof(*ops));
            ops[f->proc_count] = tag_get(l->fields, l->field_count, "operation_id", "");
            start_proc(f, &f->procs[f->proc_count++], l, pid);
        } else if (text_icontains(l->message, " ended")) {
            p = find_open(f, pid);
            if (p)
                end_proc(p, l);
            else
                f->orphan_ends++;
        }
    }
}

/* ---- what the console says about a process ---- */

/* Could the host be telling, at that moment, how this process ended? */
static bool may_be_told(const struct proc *p, int64_t at_us)
{
    return p->end_us != TS_NONE && p->end_us <= at_us + LIMIT_SKEW_US &&
           at_us - p->end_us <= LIMIT_EXIT_TOLD_US;
}

/*
 * The process whose end the host tells: the one that ended last before (or just around)
 * the moment. NULL when that one only looked: between the end of a job and its telling
 * somebody may have looked, but not for long.
 */
static struct proc *ended_before(struct facts *f, int64_t at_us)
{
    struct proc *best = NULL, *looked = NULL;

    for (size_t i = 0; i < f->proc_count; i++) {
        struct proc *p = &f->procs[i], **to;
        if (!may_be_told(p, at_us))
            continue;
        to = p->role == ROLE_PROBE || p->role == ROLE_KILLER ? &looked : &best;
        if (!*to || p->end_us >= (*to)->end_us)
            *to = p;
    }
    if (best && looked && looked->end_us - best->end_us > LIMIT_SKEW_US)
        return NULL;
    return best;
}

static void add_exits(struct facts *f)
{
    for (size_t i = 0; i < f->con.exit_count; i++) {
        const struct host_exit *e = &f->con.exits[i];
        struct proc *p = ended_before(f, e->at_us);
        if (!p)
            continue;
        if (e->has_code && (!p->has_code || p->is_code_told)) {
            p->code = e->code;
            p->has_code = true;
            p->is_code_told = true;
            p->code_ref = arena_fmt(f->a, "%zu", e->line);
        }
        if (e->signal && !p->signal) {
            p->signal = e->signal;
            p->is_code_told = true;
            p->code_ref = arena_fmt(f->a, "%zu", e->line);
        }
    }
    for (size_t i = 0; i < f->proc_count; i++) {
        struct proc *p = &f->procs[i];
        if (p->has_code && !p->signal && p->code > 128 && p->code < 160 &&
            *signal_words((int)p->code - 128))
            p->signal = (int)p->code - 128;
    }
}

/* Which process a moment of the console belongs to: one that ran then, rather one that
   ended soon after. */
static struct proc *running_at(struct facts *f, int64_t at_us)
{
    struct proc *best = NULL, *probe = NULL;

    for (size_t i = 0; i < f->proc_count; i++) {
        struct proc *p = &f->procs[i];
        bool ran = p->start_us <= at_us + LIMIT_SKEW_US &&
                   (p->end_us == TS_NONE || p->end_us >= at_us - LIMIT_SKEW_US);
        if (!ran || p->exec != exec_at(f, at_us))
            continue;
        if (p->role == ROLE_PROBE) { /* only where nothing else can have said it */
            probe = p->has_code && p->code ? p : probe;
            continue;
        }
        if (!best ||
            (p->end_us != TS_NONE &&
             (best->end_us == TS_NONE || p->end_us < best->end_us) &&
             !(best->end_us != TS_NONE && best->end_us >= at_us && p->end_us < at_us)) ||
            (p->end_us == TS_NONE && best->end_us == TS_NONE &&
             p->start_us >= best->start_us) ||
            (best->end_us != TS_NONE && best->end_us < at_us && p->end_us != TS_NONE &&
             p->end_us >= at_us))
            best = p;
    }
    return best ? best : probe;
}

static int told_weight(const struct told *t)
{
    return t->is_soft ? 0 : t->is_weak ? 1 : 2;
}

/* The last error counts, not one that was handled; a wrapper adds nothing to its cause. */
static bool is_better(const struct told *old, const struct told *t)
{
    if (!old)
        return true;
    if (t->meaning == MEAN_WRAPPER && old->meaning != MEAN_WRAPPER &&
        told_weight(old) == 2 && t->at_us - old->last_us <= LIMIT_TOLD_BEFORE_END_US)
        return false;
    return told_weight(t) >= told_weight(old);
}

static enum sound sound_of(enum line_kind kind)
{
    return kind == LINE_BAD ? SOUND_BAD : kind == LINE_WEAK ? SOUND_WEAK : SOUND_PLAIN;
}

static void add_told(struct facts *f)
{
    for (size_t i = 0; i < f->con.told_count; i++) {
        const struct told *t = &f->con.told[i];
        struct proc *p = running_at(f, t->last_us);
        if (!p || t->meaning == MEAN_KERNEL_OOM)
            continue;
        if (is_better(p->told, t))
            p->told = t;
    }
    for (size_t i = 0; i < f->con.line_count; i++) {
        struct proc *p;
        if (f->con.kinds[i] == LINE_HOST || f->con.kinds[i] == LINE_FAILURE)
            continue;
        p = running_at(f, f->con.lines[i].at_us);
        if (!p)
            continue;
        p->has_output = true;
        if (f->con.lines[i].is_stderr && *f->con.lines[i].text &&
            last_words_hear(&p->choice, sound_of(f->con.kinds[i]), i,
                            f->con.lines[i].at_us))
            p->last_stderr = &f->con.lines[i];
        if (!f->con.lines[i].is_stderr && sound_of(f->con.kinds[i]) &&
            last_words_hear(&p->stdout_choice, sound_of(f->con.kinds[i]), i,
                            f->con.lines[i].at_us))
            p->last_stdout = &f->con.lines[i];
        if (f->con.kinds[i] == LINE_SUCCESS && (!p->told || p->told->last < i))
            p->has_success = true;
    }
}

/* Some tools tell their errors on standard output only. */
static void use_stdout(struct facts *f)
{
    for (size_t i = 0; i < f->proc_count; i++)
        if (!f->procs[i].last_stderr && f->procs[i].last_stdout) {
            f->procs[i].last_stderr = f->procs[i].last_stdout;
            f->procs[i].choice = f->procs[i].stdout_choice;
        }
}

void procs_build(struct facts *f)
{
    read_logs(f);
    add_exits(f);
    add_told(f);
    use_stdout(f);
}
