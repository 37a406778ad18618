/*
 * The proofs of a finding, strongest first, each with its time, its numbers and what it
 * points at. Nothing is said here that is not in the evidence.
 */
#include "base/arena.h"
#include "base/human.h"
#include "base/text.h"
#include "diag/explain.h"
#include "diag/limits.h"
#include <string.h>

#include "base/banned.h"

#define ITEMS_MAX 16

struct list {
    struct arena *a;
    struct evidence_item *v;
    size_t n;
};

static void add(struct list *l, int64_t at_us, const char *kind, const char *ref,
                const char *text)
{
    if (l->n < ITEMS_MAX)
        l->v[l->n++] = (struct evidence_item){at_us, kind, text, ref};
}

static const char *event_ref(struct arena *a, const struct event *e)
{
    return e && *e->id ? arena_fmt(a, "event:%s", e->id) : "";
}

static const char *output_ref(struct arena *a, int64_t at_us)
{
    char buf[TS_ISO_SIZE];

    return at_us == TS_NONE ? "" : arena_fmt(a, "output:%s", ts_iso_us(at_us, buf));
}

static const char *metric_ref(struct arena *a, const struct metric *m)
{
    return arena_fmt(a, "metric:%lld", (long long)(m->at_us / TS_SEC));
}

static void add_line(struct list *l, const struct facts *f, size_t line, const char *lead)
{
    const struct output_line *o;

    if (line >= f->con.line_count)
        return;
    o = &f->con.lines[line];
    add(l, o->at_us, "output", output_ref(l->a, o->at_us),
        arena_fmt(l->a, "%s \"%s\".", lead, say_quote(l->a, text_trim(l->a, o->text))));
}

static void add_told(struct list *l, const struct facts *f, const struct told *t)
{
    add_line(l, f, t->quote_line,
             t->meaning == MEAN_KERNEL_OOM ? "The system itself reported:"
                                           : "The console says:");
    if (*t->frame)
        add(l, t->at_us, "output", output_ref(l->a, t->at_us),
            arena_fmt(l->a, "The place in the customer's own code: %s.", t->frame));
    for (size_t i = 0; i < t->detail_count; i++)
        add(l, t->at_us, "output", output_ref(l->a, t->at_us),
            arena_fmt(l->a, "It adds: \"%s\".", say_quote(l->a, t->details[i])));
}

static void add_proc_end(struct list *l, const struct facts *f, const struct failure *d)
{
    const struct proc *p = d->proc;
    const char *exit = say_exit(l->a, d), *limit = "";
    int64_t end = p->end_us != TS_NONE ? p->end_us : d->at_us;

    if (p->limit_us)
        limit = arena_fmt(l->a, " Its own time limit was %s.",
                          say_duration_s(l->a, p->limit_us));
    add(l, end, "process", arena_fmt(l->a, "pid:%lld", (long long)p->pid),
        arena_fmt(l->a, "The command \"%s\" ended after %s%s%s.%s",
                  say_quote(l->a, p->command), say_duration_s(l->a, end - p->start_us),
                  *exit ? " with " : "", exit, limit));
    if (*p->stream_error)
        add(l, end, "log", "",
            arena_fmt(l->a, "The log gives its end the words \"%s\".",
                      say_quote(l->a, p->stream_error)));
    if (f->x && f->xi == p->exec && f->x->start_us != TS_NONE)
        add(l, end, "process", "",
            arena_fmt(l->a, "That was %s after the sandbox had started.",
                      say_duration_s(l->a, end - f->x->start_us)));
}

static void add_memory_at(struct list *l, const struct facts *f,
                          const struct mem_sample *m, int64_t at_us)
{
    const char *size = say_memory(f), *when;

    if (!m->last)
        return;
    when = at_us < m->high->at_us ? "the sample taken about then"
                                  : arena_fmt(l->a, "the last sample before, %s earlier",
                                              say_duration(l->a, at_us - m->high->at_us));
    add(l, m->high->at_us, "memory", metric_ref(l->a, m->high),
        arena_fmt(l->a, "Used memory was at %s%s%s in %s%s.", say_percent(l->a, m->share),
                  *size ? " of the sandbox's " : "", size, when,
                  m->is_fresh ? "" : "; the samples stop there"));
}

static void add_memory_peak(struct list *l, const struct facts *f)
{
    const char *size = say_memory(f);

    if (!f->peak) {
        add(l, TS_NONE, "gap", "",
            *size ? arena_fmt(l->a, "There are no metrics; the sandbox had %s of memory.",
                              size)
                  : "There are no metrics: memory, processor and disk cannot be judged.");
        return;
    }
    add(l, f->peak->at_us, "memory", metric_ref(l->a, f->peak),
        arena_fmt(
            l->a, "The highest used memory was %s%s%s%s.",
            say_percent(l->a, f->peak_share), *size ? " of the sandbox's " : "", size,
            f->cache_share >= 0.5 ? arena_fmt(l->a,
                                              "; the page cache, up to %s, is given back "
                                              "on demand and does not count",
                                              say_percent(l->a, f->cache_share))
                                  : ""));
}

static void add_cpu_disk(struct list *l, const struct facts *f, unsigned bits)
{
    if (bits & FACTOR_CPU_PEGGED)
        add(l, f->last_sample->at_us, "cpu", metric_ref(l->a, f->last_sample),
            arena_fmt(l->a, "The CPU was at %d %% or more throughout the last minute.",
                      (int)f->cpu_last_minute));
    if ((bits & FACTOR_DISK_FULL) && f->last_sample)
        add(l, f->last_sample->at_us, "disk", metric_ref(l->a, f->last_sample),
            arena_fmt(l->a, "The disk was at most %s full in the samples.",
                      say_percent(l->a, f->disk_peak)));
}

static const char *end_words(const struct scene *s)
{
    const struct execution *x = s->f->x;

    switch (x->end) {
    case EXEC_KILLED:
        return *x->kill_reason
                   ? arena_fmt(s->f->a, "ended, with the recorded reason \"%s\",",
                               x->kill_reason)
                   : "ended, with no reason recorded,";
    case EXEC_PAUSED:
        return "paused";
    case EXEC_STOPPED:
        return "stopped by itself, without a kill or pause on record";
    default:
        return "";
    }
}

static void add_ending(struct list *l, const struct scene *s)
{
    const struct facts *f = s->f;
    const struct execution *x = f->x;
    const char *limit = f->span_us == TS_NONE ? "" : say_duration_s(l->a, f->span_us);

    if (!x)
        return;
    if (x->end == EXEC_OPEN || x->end == EXEC_GONE) {
        if (x->deadline_us != TS_NONE)
            add(l, x->deadline_us, "deadline", "",
                arena_fmt(l->a, "Its time limit is %s after its start%s.", limit,
                          f->tl.state == SANDBOX_RUNNING ? "; it is still running" : ""));
        return;
    }
    add(l, x->end_us, "event", event_ref(l->a, x->end_event),
        arena_fmt(l->a, "The sandbox was %s after %s%s%s.", end_words(s),
                  f->life_us == TS_NONE ? "an unknown time"
                                        : say_duration_s(l->a, f->life_us),
                  *limit ? "; its life time was " : "", limit));
}

static void add_moves(struct list *l, const struct scene *s)
{
    const struct facts *f = s->f;

    for (size_t i = 0; f->x && i < f->x->move_count; i++) {
        const struct deadline_move *m = &f->x->moves[i];
        if (!m->event || m->from_us == TS_NONE || m->to_us == TS_NONE ||
            m->from_us == m->to_us)
            continue;
        add(l, m->at_us, "deadline", event_ref(l->a, m->event),
            arena_fmt(l->a,
                      "A request %s the timeout: the end moved from %s to %s, %s %s.",
                      m->to_us < m->from_us ? "shortened" : "extended",
                      say_clock(l->a, m->from_us), say_clock(l->a, m->to_us),
                      say_duration(l->a, m->to_us < m->from_us ? m->from_us - m->to_us
                                                               : m->to_us - m->from_us),
                      m->to_us < m->from_us ? "sooner" : "later"));
    }
}

static void add_progress(struct list *l, const struct scene *s)
{
    const struct progress_info *p = &s->progress;
    int64_t end =
        s->f->x && s->f->x->end_us != TS_NONE ? s->f->x->end_us : s->f->ev->now_us;

    if (p->proc && (p->kind == PROGRESS_RUNNING || p->kind == PROGRESS_SERVER))
        add(l, p->proc->start_us, "process",
            arena_fmt(l->a, "pid:%lld", (long long)p->proc->pid),
            arena_fmt(l->a,
                      "The command \"%s\" had been running for %s and had not ended.",
                      say_quote(l->a, p->proc->command),
                      say_duration(l->a, end - p->proc->start_us)));
    if (p->proc && p->kind == PROGRESS_DONE)
        add(l, p->proc->end_us, "process",
            arena_fmt(l->a, "pid:%lld", (long long)p->proc->pid),
            arena_fmt(l->a, "The last command, \"%s\", had finished %s before.",
                      say_quote(l->a, p->proc->command),
                      say_duration(l->a, end - p->proc->end_us)));
    if (p->kind == PROGRESS_RUNNING && s->f->con.in_flight_us != TS_NONE)
        add_line(l, s->f, s->f->con.in_flight_line, "The client reported:");
}

static void add_last_output(struct list *l, const struct scene *s)
{
    for (size_t i = s->f->con.line_count; i > 0; i--)
        if (s->f->con.kinds[i - 1] != LINE_HOST &&
            *text_trim(l->a, s->f->con.lines[i - 1].text)) {
            add_line(l, s->f, i - 1, "The last line of output was:");
            return;
        }
}

static void add_machine(struct list *l, const struct scene *s)
{
    const struct facts *f = s->f;

    if (f->health_failing_us == TS_NONE || !f->health_line)
        return;
    add(l, f->health_failing_us, "health",
        f->health_line->at_text ? arena_fmt(l->a, "log:%s", f->health_line->at_text) : "",
        "The regular check of the machine began to fail and did not recover.");
}

static void add_handled(struct list *l, const struct scene *s)
{
    for (size_t i = 0; i < s->f->con.told_count; i++) {
        const struct told *t = &s->f->con.told[i];
        if (s->d && (t == s->d->told || t == s->d->kernel))
            continue;
        add_line(l, s->f, t->quote_line,
                 "Told on the way, but handled or without effect on the end:");
        return;
    }
}

static void add_failure(struct list *l, const struct scene *s, unsigned bits)
{
    const struct failure *d = s->d;

    if (d->kernel)
        add_told(l, s->f, d->kernel);
    if (d->told)
        add_told(l, s->f, d->told);
    if (!d->told && d->proc && d->proc->last_stderr)
        add_line(l, s->f, (size_t)(d->proc->last_stderr - s->f->con.lines),
                 d->proc->last_stderr->is_stderr
                     ? "The last line of its error output was:"
                     : "Its output said:");
    if (d->is_at_limit && s->f->con.limit_us != TS_NONE)
        add_line(l, s->f, s->f->con.limit_line, "The client reported:");
    if (d->proc)
        add_proc_end(l, s->f, d);
    if (d->killer)
        add(l, d->killer->start_us, "process",
            arena_fmt(l->a, "pid:%lld", (long long)d->killer->pid),
            arena_fmt(l->a, "Just before, the command \"%s\" was run in the sandbox.",
                      say_quote(l->a, d->killer->command)));
    if (d->has_api_signal)
        add(l, d->at_us, "log", "",
            "Just before, a signal was sent to a process through the API.");
    add_memory_at(l, s->f, &d->mem, d->at_us);
    add_cpu_disk(l, s->f, bits);
    add_ending(l, s);
}

void explain_evidence(const struct scene *s, const struct verdict *v, struct finding *out)
{
    struct list l = {s->f->a,
                     arena_array(s->f->a, ITEMS_MAX, sizeof(struct evidence_item)), 0};
    unsigned bits = factor_bits(s, v);

    if (v->names_failure && s->d) {
        add_failure(&l, s, bits);
    } else {
        add_ending(&l, s);
        add_moves(&l, s);
        add_machine(&l, s);
        add_progress(&l, s);
        if (v->cls == CLASS_OUT_OF_MEMORY && s->f->x) {
            int64_t at = s->f->x->end_us != TS_NONE ? s->f->x->end_us : s->f->ev->now_us;
            struct mem_sample m = facts_memory_at(s->f, at);
            add_memory_at(&l, s->f, &m, at);
        }
        add_last_output(&l, s);
        add_handled(&l, s);
        add_cpu_disk(&l, s->f, bits);
    }
    if (s->f->x)
        add_memory_peak(&l, s->f);
    out->evidence = l.v;
    out->evidence_count = l.n;
}

/* ---- factors ---- */

unsigned factor_bits(const struct scene *s, const struct verdict *v)
{
    const struct facts *f = s->f;
    unsigned bits = 0;

    if (f->is_cpu_pegged)
        bits |= FACTOR_CPU_PEGGED;
    if (f->was_shortened && v->cls == CLASS_TIMEOUT && !v->names_failure)
        bits |= FACTOR_TIMEOUT_SHORTENED;
    if (f->was_extended && v->cls == CLASS_TIMEOUT && !v->names_failure)
        bits |= FACTOR_TIMEOUT_EXTENDED;
    if (f->x && f->x->is_resume)
        bits |= FACTOR_STARTED_BY_RESUME;
    if (!v->names_failure || !s->d)
        return bits;
    if (s->d->told)
        bits |= s->d->told->factors;
    if (s->d->kernel)
        bits |= s->d->kernel->factors;
    if (s->d->signal == 11)
        bits |= FACTOR_SEGFAULT;
    if (s->d->proc && s->d->proc->is_install &&
        (v->cls == CLASS_CRASHED || v->cls == CLASS_OUT_OF_MEMORY))
        bits |= FACTOR_INSTALL_FAILED;
    if (s->d->told && s->d->told->meaning == MEAN_LOST && s->d->told->signal == 9)
        bits &= ~(unsigned)FACTOR_SEGFAULT;
    if ((bits & FACTOR_PORT_IN_USE) && s->d->exec > 0) {
        for (size_t i = 0; i < f->proc_count; i++)
            if (f->procs[i].exec < s->d->exec && f->procs[i].end_us == TS_NONE)
                bits |= FACTOR_ORPHANED_PROCESSES;
    }
    if (s->d->told && s->d->told->row &&
        strcmp(s->d->told->row->name, "lock-held") == 0 && s->d->exec > 0)
        bits |= FACTOR_ORPHANED_PROCESSES;
    return bits;
}

void explain_factors(const struct scene *s, const struct verdict *v, struct finding *out)
{
    struct arena *a = s->f->a;
    const char **names = arena_array(a, FACTOR_BITS + 4, sizeof(*names));
    unsigned bits = factor_bits(s, v);
    size_t n = 0;

    for (size_t i = 0; i < factor_count; i++)
        if (bits & factor_table[i].bit)
            names[n++] = factor_table[i].name;
    if (v->names_failure && s->d) {
        if (s->d->has_code && s->d->code >= 0)
            names[n++] = arena_fmt(a, "exit_code:%lld", (long long)s->d->code);
        if (s->d->signal)
            names[n++] = arena_fmt(a, "signal:%d", s->d->signal);
    }
    out->factors = names;
    out->factor_count = n;
}
