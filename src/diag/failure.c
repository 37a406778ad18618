/*
 * Finds failures and decides which ended the work. A failure of a process counts when
 * the process ended badly; text alone counts when nothing good follows it.
 */
#include "diag/failure.h"
#include "base/arena.h"
#include "base/text.h"
#include "diag/limits.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static size_t exec_of(const struct facts *f, int64_t at_us)
{
    size_t i = 0;

    while (i + 1 < f->tl.exec_count &&
           at_us >= f->tl.execs[i + 1].start_us - LIMIT_SKEW_US)
        i++;
    return i;
}

static bool near(int64_t at_us, int64_t from_us, int64_t before_us, int64_t after_us)
{
    return at_us != TS_NONE && at_us >= from_us - before_us &&
           at_us <= from_us + after_us;
}

/* ---- how a process ended ---- */

static bool is_hard(const struct told *t)
{
    return t && !t->is_soft && !t->is_weak;
}

/* Loose wording counts when the process ended with an error. */
static bool told_counts(const struct proc *p)
{
    return is_hard(p->told) ||
           (p->told && !p->told->is_soft && (p->signal || (p->has_code && p->code != 0)));
}

static bool told_at_end(const struct proc *p)
{
    return is_hard(p->told) && p->end_us != TS_NONE &&
           p->told->last_us >= p->end_us - LIMIT_TOLD_BEFORE_END_US;
}

static bool was_at_limit(const struct facts *f, const struct proc *p)
{
    bool says = text_icontains(p->stream_error, "deadline exceeded");
    int64_t end = p->end_us, due;

    if (end == TS_NONE)
        end = f->con.limit_us;
    if (end == TS_NONE || p->role == ROLE_PROBE)
        return false;
    says = says || near(f->con.limit_us, end, LIMIT_SKEW_US, LIMIT_EXIT_TOLD_US);
    if (!p->limit_us)
        return says && p->end_us != TS_NONE;
    due = p->start_us + p->limit_us;
    if (!near(end, due, LIMIT_COMMAND_EARLY_US, LIMIT_COMMAND_LATE_US))
        return false;
    if (says)
        return true;
    if (p->end_us == TS_NONE)
        return false;
    if (p->has_code)
        return p->code == -1 || p->signal == 9 || p->signal == 15;
    return !p->has_success && !told_at_end(p);
}

static bool ended_badly(const struct facts *f, const struct proc *p)
{
    if (was_at_limit(f, p))
        return true;
    if (p->end_us == TS_NONE)
        return false;
    if (p->signal || (p->has_code && p->code != 0))
        return true;
    if (p->has_code)
        return false;
    return told_at_end(p) && !p->has_success;
}

static bool ended_well(const struct facts *f, const struct proc *p)
{
    if (p->end_us == TS_NONE || ended_badly(f, p))
        return false;
    return (p->has_code && p->code == 0) || p->has_success ||
           (!p->has_code && p->stderr_bytes <= 0);
}

/*
 * What fell because its sandbox was ended is a consequence, not a cause. A machine that
 * is ended reports no process ends any more: an end on record came before, whatever the
 * clocks say.
 */
static bool is_consequence(const struct facts *f, const struct failure *x)
{
    const struct execution *e = x->exec < f->tl.exec_count ? &f->tl.execs[x->exec] : NULL;
    bool is_stop = x->signal == 15 || x->signal == 2 || x->signal == 1;

    if (!e || e->end_us == TS_NONE || x->is_at_limit)
        return false;
    if (x->is_end_known)
        return x->at_us > e->end_us + LIMIT_SKEW_US ||
               (is_stop && x->at_us >= e->end_us - TS_SEC);
    return x->at_us > e->end_us || (x->at_us >= e->end_us - TS_SEC && !is_hard(x->told));
}

/* ---- who sent the signal ---- */

static void find_senders(const struct facts *f, struct failure *x)
{
    for (size_t i = 0; i < f->signal_call_count; i++)
        if (near(f->signal_calls[i], x->at_us, LIMIT_SENDER_US, LIMIT_SKEW_US))
            x->has_api_signal = true;
    for (size_t i = 0; i < f->proc_count; i++) {
        const struct proc *p = &f->procs[i];
        if (p->role == ROLE_KILLER && p != x->proc &&
            near(p->start_us, x->at_us, LIMIT_SENDER_US, LIMIT_SKEW_US))
            x->killer = p;
    }
}

/* ---- the kernel's memory killer ---- */

static bool names_program(const char *command, const char *comm)
{
    size_t n = strlen(comm);
    const char *hit = n ? strstr(command, comm) : NULL;

    return hit != NULL;
}

/* Does the kernel's line fit a process of this sandbox (corpus 3)? Words in a file do
   not. */
static bool kernel_fits(const struct facts *f, const struct told *t)
{
    bool has_work = false;

    for (size_t i = 0; i < f->proc_count; i++) {
        const struct proc *p = &f->procs[i];
        bool died = p->end_us != TS_NONE &&
                    near(p->end_us, t->at_us, 60 * TS_SEC, LIMIT_SKEW_US) &&
                    ended_badly(f, p);
        if (p->role == ROLE_PROBE)
            continue;
        has_work = true;
        if (p->pid == t->pid || names_program(p->command, t->program) || died)
            return true;
    }
    for (size_t i = 0; i < f->con.told_count; i++) {
        const struct told *o = &f->con.told[i];
        if (o != t && o->meaning == MEAN_KILLED && names_program(o->quote, t->program))
            return true;
    }
    return !has_work || facts_memory_at(f, t->at_us).share >= LIMIT_MEMORY_FULL;
}

static struct failure *add(struct failures *out, const struct facts *f, size_t *cap,
                           int64_t at_us)
{
    struct failure *x;

    out->v = arena_grow(f->a, out->v, out->n, cap, sizeof(*out->v));
    x = &out->v[out->n++];
    memset(x, 0, sizeof(*x));
    x->at_us = at_us;
    x->exec = exec_of(f, at_us);
    return x;
}

/* Commands that look and tidy up may fail as they like, but a copy onto a full disk is work
   that was lost. */
static bool is_disk_full(const struct proc *p)
{
    return told_counts(p) && (p->told->factors & FACTOR_DISK_FULL);
}

static void add_processes(const struct facts *f, struct failures *out, size_t *cap)
{
    for (size_t i = 0; i < f->proc_count; i++) {
        const struct proc *p = &f->procs[i];
        struct failure *x;
        if ((p->role == ROLE_PROBE && !is_disk_full(p)) || p->role == ROLE_KILLER ||
            !ended_badly(f, p))
            continue;
        x = add(out, f, cap, p->end_us != TS_NONE ? p->end_us : f->con.limit_us);
        x->proc = p;
        x->told = told_counts(p) ? p->told : NULL;
        x->has_code = p->has_code;
        x->code = p->code;
        x->signal = p->signal ? p->signal : x->told ? x->told->signal : 0;
        x->is_at_limit = was_at_limit(f, p);
        x->is_end_known = p->end_us != TS_NONE;
        if (is_consequence(f, x))
            out->n--;
    }
}

static struct failure *failure_near(struct failures *v, const struct told *t)
{
    struct failure *best = NULL;

    for (size_t i = 0; i < v->n; i++) {
        struct failure *x = &v->v[i];
        if (x->proc && x->proc->pid == t->pid &&
            x->at_us <= t->at_us + LIMIT_EXIT_TOLD_US)
            return x;
        if (near(x->at_us, t->at_us, 60 * TS_SEC, LIMIT_SKEW_US) &&
            (!best || x->at_us > best->at_us))
            best = x;
    }
    return best;
}

static void add_kernel(const struct facts *f, struct failures *out, size_t *cap)
{
    for (size_t i = 0; i < f->con.told_count; i++) {
        const struct told *t = &f->con.told[i];
        struct failure *x;
        if (t->meaning != MEAN_KERNEL_OOM || t->is_soft || !kernel_fits(f, t))
            continue;
        x = failure_near(out, t);
        if (!x) {
            x = add(out, f, cap, t->at_us);
            x->signal = 9;
        }
        if (!x->kernel)
            x->kernel = t;
        if (!x->signal)
            x->signal = 9;
    }
}

static bool is_used(const struct failures *v, const struct told *t)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->v[i].told == t || v->v[i].kernel == t)
            return true;
    return false;
}

/* Was a job (no server, no probe) under way at that moment, or did one end just then? */
static bool belongs_to_job(const struct facts *f, int64_t at_us)
{
    for (size_t i = 0; i < f->proc_count; i++) {
        const struct proc *p = &f->procs[i];
        if (p->role != ROLE_SERVER && p->start_us <= at_us + LIMIT_SKEW_US &&
            (p->end_us == TS_NONE || p->end_us >= at_us - LIMIT_SKEW_US))
            return true;
    }
    return false;
}

/* Notebook code leaves no process entries: what it told stands for itself. */
static void add_told(const struct facts *f, struct failures *out, size_t *cap)
{
    for (size_t i = 0; i < f->con.told_count; i++) {
        const struct told *t = &f->con.told[i];
        struct failure *x;
        if (!is_hard(t) || t->meaning == MEAN_KERNEL_OOM || is_used(out, t) ||
            (t->meaning == MEAN_WRAPPER && f->proc_count) ||
            belongs_to_job(f, t->last_us))
            continue;
        x = add(out, f, cap, t->last_us);
        x->told = t;
        x->signal = t->signal;
        if (near(f->con.restart_asked_us, t->at_us, LIMIT_SENDER_US, LIMIT_SKEW_US) ||
            is_consequence(f, x))
            out->n--;
    }
    if (f->con.limit_us != TS_NONE && !out->n && !belongs_to_job(f, f->con.limit_us)) {
        struct failure *x = add(out, f, cap, f->con.limit_us);
        x->is_at_limit = true;
        if (is_consequence(f, x))
            out->n--;
    }
}

/* ---- which of them ended the work ---- */

static bool is_same_work(const struct proc *a, const struct proc *b)
{
    return strcmp(a->command, b->command) == 0 ||
           (*a->program && strcmp(a->program, b->program) == 0 &&
            strcmp(a->subject, b->subject) == 0);
}

static bool went_on(const struct facts *f, const struct failure *x, const struct proc *q)
{
    int64_t until = q->end_us;

    if (q->role == ROLE_PROBE || q->role == ROLE_KILLER || q == x->proc)
        return false;
    if (q->start_us <= x->at_us - LIMIT_SKEW_US)
        return false;
    if (until == TS_NONE)
        until = f->x && f->x->end_us != TS_NONE ? f->x->end_us : f->ev->now_us;
    if (x->proc &&
        is_same_work(x->proc, q)) /* repeated: with success, or at work since */
        return ended_well(f, q) ||
               (q->end_us == TS_NONE && until - q->start_us >= LIMIT_WENT_ON_US);
    if (x->proc && x->proc->role == ROLE_CHECK)
        return true; /* a red test is part of the work while the work goes on */
    if (q->role == ROLE_SERVER)
        return exec_of(f, q->start_us) > x->exec;
    if (ended_badly(f, q))
        return false; /* what fails after it may fail because of it */
    return ended_well(f, q) || until - q->start_us >= LIMIT_WENT_ON_US;
}

/* A helper was killed, and the job that it helped is still there or ended well. */
static bool has_survivor(const struct facts *f, const struct failure *x)
{
    for (size_t i = 0; i < f->proc_count; i++) {
        const struct proc *p = &f->procs[i];
        if (p->role != ROLE_PROBE && p->role != ROLE_KILLER && p->role != ROLE_SERVER &&
            p->start_us < x->at_us && (p->end_us == TS_NONE || p->end_us > x->at_us) &&
            !ended_badly(f, p) && !names_program(p->command, x->kernel->program))
            return true;
    }
    return false;
}

/* Output after a failure that no process stands for. */
static bool output_went_on(const struct facts *f, const struct failure *x)
{
    size_t enough = x->kernel && !x->proc && has_survivor(f, x) ? 1 : 3;
    size_t plain = 0, from = x->told     ? x->told->last + 1
                             : x->kernel ? x->kernel->last + 1
                                         : 0;

    for (size_t i = from; i < f->con.line_count; i++) {
        const struct output_line *l = &f->con.lines[i];
        if (l->at_us <= x->at_us || l->is_stderr ||
            (enough < 3 && l->at_us - x->at_us < LIMIT_WENT_ON_US))
            continue;
        if (f->con.kinds[i] == LINE_SUCCESS)
            return true;
        if (f->con.kinds[i] <= LINE_BAD && *l->text && ++plain >= enough)
            return true;
    }
    return false;
}

/* A command that was started before x's and never ended: x stood beside it. */
static bool has_main_command(const struct facts *f, const struct failure *x)
{
    for (size_t i = 0; i < f->proc_count; i++) {
        const struct proc *p = &f->procs[i];
        if (p->role == ROLE_WORK && p->end_us == TS_NONE && p->exec == f->xi &&
            p->start_us < x->proc->start_us - LIMIT_SKEW_US)
            return true;
    }
    return false;
}

/* Did the work print something that sounds well until the sandbox ended? */
static bool spoke_until_end(const struct facts *f, const struct failure *x)
{
    int64_t end_us = f->x ? f->x->end_us : TS_NONE;

    for (size_t i = 0; end_us != TS_NONE && i < f->con.line_count; i++) {
        const struct output_line *l = &f->con.lines[i];
        if (l->at_us >= x->at_us + LIMIT_WENT_ON_US && l->at_us <= end_us &&
            l->at_us >= end_us - LIMIT_PROGRESS_US && *l->text &&
            (f->con.kinds[i] == LINE_PLAIN || f->con.kinds[i] == LINE_SUCCESS))
            return true;
    }
    return false;
}

/* The death of a command beside the main one does not end the work while the main one
   goes on until the sandbox's own time is over. */
static bool was_beside(const struct facts *f, const struct failure *x)
{
    return x->proc && x->exec == f->xi && !x->kernel && f->x &&
           f->x->end == EXEC_KILLED && strcmp(f->x->kill_reason, "timeout") == 0 &&
           has_main_command(f, x) && spoke_until_end(f, x);
}

static void judge(const struct facts *f, struct failure *x)
{
    x->outcome = OUTCOME_ENDED_WORK;
    if (was_beside(f, x)) {
        x->outcome = OUTCOME_HANDLED;
        return;
    }
    for (size_t i = 0; i < f->proc_count; i++)
        if (went_on(f, x, &f->procs[i])) {
            x->outcome = OUTCOME_HANDLED;
            return;
        }
    if ((!x->proc || x->exec < f->xi) && output_went_on(f, x))
        x->outcome = OUTCOME_HANDLED;
}

static int by_time(const void *a, const void *b)
{
    const struct failure *x = a, *y = b;

    return (x->at_us > y->at_us) - (x->at_us < y->at_us);
}

void failures_find(const struct facts *f, struct failures *out)
{
    size_t cap = 0;

    memset(out, 0, sizeof(*out));
    add_processes(f, out, &cap);
    add_told(f, out, &cap);
    add_kernel(f, out, &cap);
    if (out->n)
        qsort(out->v, out->n, sizeof(*out->v), by_time);
    for (size_t i = 0; i < out->n; i++) {
        struct failure *x = &out->v[i];
        find_senders(f, x);
        x->mem = facts_memory_at(f, x->at_us);
        judge(f, x);
        if (x->outcome == OUTCOME_ENDED_WORK && !out->decisive)
            out->decisive = x;
        if (x->outcome == OUTCOME_HANDLED && !out->handled)
            out->handled = x;
    }
}

/* ---- progress ---- */

static struct progress_info info(enum progress kind, const struct proc *p,
                                 int64_t since_us, const char *sign)
{
    return (struct progress_info){kind, p, since_us, sign};
}

/* Lines that differ in numbers only, one after the other, count work; none of them
   says that it is done. */
static bool same_shape(const char *a, const char *b)
{
    for (;;) {
        a += strspn(a, "0123456789.,");
        b += strspn(b, "0123456789.,");
        if (!*a || !*b || *a != *b)
            return *a == *b;
        a++;
        b++;
    }
}

/* Was it printed by a command that only looks? */
static bool is_of_probe(const struct facts *f, int64_t at_us)
{
    bool is_probe = false;

    for (size_t i = 0; i < f->proc_count; i++) {
        const struct proc *p = &f->procs[i];
        if (at_us < p->start_us - TS_SEC ||
            (p->end_us != TS_NONE && at_us > p->end_us + TS_SEC))
            continue;
        if (p->role != ROLE_PROBE)
            return false;
        is_probe = true;
    }
    return is_probe;
}

/* Output of the last execution: does it go on until the end, or does it say that it is
   done? */
static struct progress_info output_progress(const struct facts *f, int64_t end_us)
{
    int64_t first = TS_NONE, last = TS_NONE, usual;
    size_t count = 0, last_line = 0, line_before = 0;
    bool is_done = false;

    for (size_t i = 0; i < f->con.line_count; i++) {
        const struct output_line *l = &f->con.lines[i];
        if (!facts_in_exec(f, f->xi, l->at_us) || f->con.kinds[i] == LINE_HOST ||
            l->at_us > end_us + LIMIT_SKEW_US || !*l->text || is_of_probe(f, l->at_us))
            continue;
        if (first == TS_NONE)
            first = l->at_us;
        last = l->at_us;
        line_before = count ? last_line : i;
        last_line = i;
        count++;
    }
    if (count == 0)
        return info(PROGRESS_UNKNOWN, NULL, TS_NONE, "");
    is_done = f->con.kinds[last_line] == LINE_SUCCESS &&
              (line_before == last_line ||
               !same_shape(f->con.lines[last_line].text, f->con.lines[line_before].text));
    if (is_done)
        return info(PROGRESS_DONE, NULL, last, "the output said that the work was done");
    usual = count > 1 ? (last - first) / (int64_t)(count - 1) : 0;
    if (end_us - last <= LIMIT_PROGRESS_US || end_us - last <= 2 * usual)
        return info(PROGRESS_RUNNING, NULL, last, "output went on until the end");
    return info(PROGRESS_UNKNOWN, NULL, last, "");
}

/* A stop signal at the very end came from the end of the sandbox: it was at work. */
static bool fell_with_sandbox(const struct proc *p, int64_t end_us)
{
    return p->end_us >= end_us - TS_SEC &&
           (p->signal == 15 || p->signal == 2 || p->signal == 1);
}

struct progress_info progress_at_end(const struct facts *f)
{
    const struct proc *last = NULL, *server = NULL, *job = NULL, *looked = NULL;
    int64_t end_us = f->x && f->x->end_us != TS_NONE ? f->x->end_us : f->ev->now_us;
    struct progress_info p;
    size_t in_exec = 0;

    for (size_t i = 0; i < f->proc_count; i++) {
        const struct proc *q = &f->procs[i];
        if (q->role == ROLE_KILLER || q->start_us > end_us + LIMIT_SKEW_US)
            continue;
        if (q->exec == f->xi)
            in_exec++;
        if (q->end_us == TS_NONE || q->end_us > end_us + LIMIT_SKEW_US ||
            fell_with_sandbox(q, end_us)) {
            if (q->role == ROLE_SERVER)
                server = q;
            else if (q->role != ROLE_PROBE)
                job = q;
            else
                server = q; /* it only waits or looks, and goes on */
        } else if (q->role == ROLE_PROBE) {
            looked = q;
        } else if (q->exec == f->xi && (!last || q->end_us > last->end_us)) {
            last = q;
        }
    }
    if (f->con.in_flight_us != TS_NONE &&
        near(f->con.in_flight_us, end_us, LIMIT_EXIT_TOLD_US, LIMIT_END_LATE_US))
        return info(PROGRESS_RUNNING, job, TS_NONE,
                    "a request of the client was under way");
    if (job)
        return info(PROGRESS_RUNNING, job, TS_NONE, "a command had not ended");
    p = output_progress(f, end_us);
    if (last && p.kind == PROGRESS_RUNNING && p.since_us > last->end_us + LIMIT_SENDER_US)
        return p; /* notebook code, after a command that prepared it */
    if (last && p.kind != PROGRESS_DONE)
        return info(PROGRESS_DONE, last, last->end_us, "the last command had ended");
    if (last)
        return info(PROGRESS_DONE, last,
                    last->end_us > p.since_us ? last->end_us : p.since_us, p.sign);
    if (server && p.kind != PROGRESS_DONE)
        return info(PROGRESS_SERVER, server, TS_NONE, "a server was up");
    if (p.kind == PROGRESS_UNKNOWN && looked && f->last_file_write_us == TS_NONE)
        return info(PROGRESS_DONE, looked, looked->end_us, "the last command had ended");
    if (p.kind == PROGRESS_UNKNOWN && f->last_file_read_us != TS_NONE && !in_exec)
        return info(PROGRESS_DONE, NULL, f->last_file_read_us,
                    "results had been fetched");
    return p;
}
