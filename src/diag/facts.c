/*
 * Facts of machine and life time: executions, limits, memory, CPU, disk, health.
 */
#include "diag/facts.h"
#include "base/arena.h"
#include "base/text.h"
#include "diag/limits.h"
#include "diag/usable.h"
#include <string.h>

#include "base/banned.h"

double metric_mem_share(const struct metric *m)
{
    return m->mem_total > 0 ? (double)m->mem_used / (double)m->mem_total : 0;
}

bool facts_in_exec(const struct facts *f, size_t i, int64_t at_us)
{
    const struct execution *x;

    if (i >= f->tl.exec_count || at_us == TS_NONE)
        return false;
    x = &f->tl.execs[i];
    if (at_us < x->start_us - LIMIT_SKEW_US && i > 0)
        return false;
    return i + 1 >= f->tl.exec_count ||
           at_us < f->tl.execs[i + 1].start_us - LIMIT_SKEW_US;
}

/* The usual distance of samples: the median of the first gaps. */
static int64_t usual_interval(const struct evidence *ev)
{
    int64_t gaps[31];
    size_t n = 0;

    for (size_t i = 1; i < ev->metric_count && n < 31; i++) {
        int64_t gap = ev->metrics[i].at_us - ev->metrics[i - 1].at_us;
        size_t k = n;
        if (gap <= 0)
            continue;
        for (; k > 0 && gaps[k - 1] > gap; k--)
            gaps[k] = gaps[k - 1];
        gaps[k] = gap;
        n++;
    }
    return n ? gaps[n / 2] : 0;
}

static void read_samples(struct facts *f)
{
    const struct evidence *ev = f->ev;

    f->interval_us = usual_interval(ev);
    for (size_t i = 0; i < ev->metric_count; i++) {
        const struct metric *m = &ev->metrics[i];
        int64_t early = f->interval_us > LIMIT_SKEW_US ? f->interval_us : LIMIT_SKEW_US;
        double share = metric_mem_share(m), disk, cache;
        if (f->xi > 0 && m->at_us < f->x->start_us - early)
            continue;
        f->sample_count++;
        f->last_sample = m;
        if (!f->peak || share > f->peak_share) {
            f->peak = m;
            f->peak_share = share;
        }
        cache = m->mem_total > 0 ? (double)m->mem_cache / (double)m->mem_total : 0;
        if (cache > f->cache_share)
            f->cache_share = cache;
        disk = m->disk_total > 0 ? (double)m->disk_used / (double)m->disk_total : 0;
        if (disk > f->disk_peak)
            f->disk_peak = disk;
    }
    f->is_disk_full = f->disk_peak >= LIMIT_DISK_FULL;
}

/* 95 % or more throughout at least the last minute of the last execution (corpus,
   "Factors"). */
static void read_cpu(struct facts *f)
{
    const struct evidence *ev = f->ev;
    int64_t first = TS_NONE, last = TS_NONE;
    bool busy = true;

    if (!f->last_sample || !f->x)
        return;
    last = f->last_sample->at_us;
    f->cpu_last_minute = 100;
    for (size_t i = ev->metric_count; i > 0 && busy; i--) {
        const struct metric *m = &ev->metrics[i - 1];
        if (m->at_us < f->x->start_us - f->interval_us || m->at_us > last)
            continue;
        if (m->cpu_pct < LIMIT_CPU_PCT) {
            busy = last - m->at_us >= LIMIT_CPU_SPAN_US;
            break;
        }
        first = m->at_us;
        if (m->cpu_pct < f->cpu_last_minute)
            f->cpu_last_minute = m->cpu_pct;
        if (last - first >= LIMIT_CPU_SPAN_US)
            break;
    }
    f->is_cpu_pegged =
        busy && first != TS_NONE && last - first + f->interval_us >= LIMIT_CPU_SPAN_US;
}

static void read_log_facts(struct facts *f)
{
    f->health_failing_us = f->last_file_read_us = f->last_file_write_us = TS_NONE;
    for (size_t i = 0; i < f->ev->log_count; i++) {
        const struct log_line *l = &f->ev->logs[i];
        if (!f->x || !facts_in_exec(f, f->xi, l->at_us))
            continue;
        if (strcmp(l->message, "Sandbox healthcheck started failing") == 0) {
            f->health_failing_us = l->at_us;
            f->health_line = l;
        } else if (strcmp(l->message, "Sandbox healthcheck recovered") == 0) {
            f->health_failing_us = TS_NONE;
            f->health_line = NULL;
        } else if (strcmp(l->message, "Killing sandbox") == 0) {
            f->has_killing_line = true;
        } else if (strcmp(l->message, "Pausing sandbox") == 0) {
            f->has_pausing_line = true;
        } else if (strcmp(l->message, "File read") == 0) {
            f->last_file_read_us = l->at_us;
        } else if (strcmp(l->message, "File write") == 0) {
            f->last_file_write_us = l->at_us;
        }
    }
}

/*
 * Samples show a little less than what was ordered (corpus, "Memory and disk"): the next
 * usual size. Only for sandboxes whose size neither Get Sandbox nor an event tells.
 */
static int64_t ordered_mib(int64_t seen_mib)
{
    int64_t step = seen_mib < 1024 ? 128 : seen_mib < 4096 ? 512 : 1024;

    return (seen_mib + step - 1) / step * step;
}

static int64_t memory_size(const struct facts *f)
{
    bool is_told = f->ev->has_sandbox && f->ev->sandbox.memory_mib > 0;

    for (size_t i = 0; i < f->ev->event_count && !is_told; i++)
        is_told = f->ev->events[i].exec_memory_mib > 0;
    return is_told || f->tl.memory_mib <= 0 ? f->tl.memory_mib
                                            : ordered_mib(f->tl.memory_mib);
}

static void read_life(struct facts *f)
{
    const struct execution *x = f->x;
    int64_t until;

    f->life_us = f->span_us = TS_NONE;
    f->life_share = -1;
    if (!x)
        return;
    until = x->end_us != TS_NONE ? x->end_us : f->ev->now_us;
    if (x->start_us == TS_NONE || until < x->start_us)
        return;
    f->life_us = until - x->start_us;
    if (x->deadline_us != TS_NONE && x->deadline_us > x->start_us) {
        /* a limit told in whole seconds was cut: count from the second of the start */
        f->span_us = x->deadline_us % TS_SEC
                         ? x->deadline_us - x->start_us
                         : x->deadline_us - x->start_us / TS_SEC * TS_SEC;
        f->life_share = (double)f->life_us / (double)f->span_us;
    }
    if (x->first_deadline_us == TS_NONE || x->deadline_us == TS_NONE)
        return;
    f->was_shortened = x->deadline_us < x->first_deadline_us - LIMIT_SKEW_US;
    f->was_extended = x->deadline_us > x->first_deadline_us + LIMIT_SKEW_US;
}

/* The sample at index k is higher than what was found: it may describe the moment as
   well. */
static void take_higher(const struct facts *f, size_t k, struct mem_sample *s)
{
    double share = metric_mem_share(&f->ev->metrics[k]);

    if (share > s->share) {
        s->high = &f->ev->metrics[k];
        s->share = share;
    }
}

struct mem_sample facts_memory_at(const struct facts *f, int64_t at_us)
{
    const struct evidence *ev = f->ev;
    struct mem_sample s = {0};
    int64_t age_max =
        f->interval_us > LIMIT_SAMPLE_AGE_US ? f->interval_us : LIMIT_SAMPLE_AGE_US;
    size_t k = ev->metric_count;

    if (at_us == TS_NONE)
        return s;
    while (k > 0 && ev->metrics[k - 1].at_us > at_us)
        k--;
    if (k == 0 || (f->x && f->xi > 0 && at_us >= f->x->start_us - LIMIT_SKEW_US &&
                   ev->metrics[k - 1].at_us < f->x->start_us - f->interval_us))
        return s; /* none, or only from before the pause */
    s.last = s.high = &ev->metrics[k - 1];
    s.share = metric_mem_share(s.last);
    s.is_fresh = at_us - s.last->at_us <= age_max;
    if (at_us - s.last->at_us <= LIMIT_SAMPLE_EDGE_US && k > 1 &&
        s.last->at_us - ev->metrics[k - 2].at_us <= age_max)
        take_higher(f, k - 2,
                    &s); /* the one taken after it may be all that its bucket holds */
    if (k < ev->metric_count && ev->metrics[k].at_us - at_us <= LIMIT_SKEW_US)
        take_higher(f, k, &s); /* the clocks differ: it may have been taken before */
    return s;
}

void facts_build(struct arena *a, const struct evidence *ev, struct facts *f)
{
    int64_t since = TS_NONE;

    memset(f, 0, sizeof(*f));
    f->a = a;
    f->ev = ev = usable_samples(a, ev, &f->bad_samples);
    timeline_build(a, ev, &f->tl);
    if (f->tl.exec_count) {
        f->xi = f->tl.exec_count - 1;
        f->x = &f->tl.execs[f->xi];
        if (f->tl.execs[0].start_is_known)
            since = f->tl.execs[0].start_us - LIMIT_SKEW_US;
    }
    f->memory_mib = memory_size(f);
    read_samples(f);
    read_cpu(f);
    read_log_facts(f);
    read_life(f);
    console_read(a, ev->output, ev->output_count, since, &f->con);
    procs_build(f);
    f->contradiction = usable_contradiction(f);
}
