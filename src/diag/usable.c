/*
 * Unusable evidence is told, not hidden: a finding that rests on half of the input says
 * so.
 */
#include "diag/usable.h"
#include "base/arena.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "diag/explain.h"
#include "diag/limits.h"
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define DOUBTS_MAX 1200

/* Used may be a little over the total, by rounding. */
#define USED_MAX_SHARE 1.02
/* All cores together are 100; the sum of rounded values may be a little more. */
#define CPU_MAX_PCT 101.0

static bool is_usable(const struct metric *m)
{
    bool is_memory = m->mem_total >= 0 && m->mem_used >= 0 && m->mem_cache >= 0 &&
                     (m->mem_total == 0 ||
                      (m->mem_used > 0 &&
                       (double)m->mem_used <= USED_MAX_SHARE * (double)m->mem_total));
    bool is_disk = m->disk_used >= 0 && m->disk_total >= 0;

    return is_memory && is_disk && m->cpu_pct >= 0 && m->cpu_pct <= CPU_MAX_PCT;
}

const struct evidence *usable_samples(struct arena *a, const struct evidence *ev,
                                      size_t *bad)
{
    struct evidence *copy;
    struct metric *kept;
    size_t n = 0;

    *bad = 0;
    for (size_t i = 0; i < ev->metric_count; i++)
        *bad += !is_usable(&ev->metrics[i]);
    if (*bad == 0)
        return ev;
    copy = arena_alloc(a, sizeof(*copy));
    kept = arena_array(a, ev->metric_count, sizeof(*kept));
    for (size_t i = 0; i < ev->metric_count; i++)
        if (is_usable(&ev->metrics[i]))
            kept[n++] = ev->metrics[i];
    *copy = *ev;
    copy->metrics = kept;
    copy->metric_count = n;
    return copy;
}

const char *usable_contradiction(const struct facts *f)
{
    const struct execution *x = f->x;
    int64_t told;

    if (!x || x->end_us == TS_NONE)
        return "";
    told = x->end_event ? x->end_event->at_us : x->end_us;
    if (x->start_is_known && told < x->start_us - LIMIT_SKEW_US)
        return arena_fmt(f->a,
                         "The records contradict each other: an end at %s UTC, before "
                         "the start at %s UTC.",
                         say_clock(f->a, told), say_clock(f->a, x->start_us));
    if (x->end != EXEC_KILLED)
        return "";
    if (f->ev->has_sandbox && f->ev->sandbox.state == SANDBOX_RUNNING &&
        f->ev->now_us - x->end_us > LIMIT_END_LATE_US)
        return arena_fmt(f->a,
                         "The records contradict each other: E2B says that it is "
                         "running, and that it was ended at %s UTC.",
                         say_clock(f->a, x->end_us));
    if (f->last_sample && f->last_sample->at_us - x->end_us > LIMIT_END_LATE_US)
        return arena_fmt(f->a,
                         "The records contradict each other: it was ended at %s UTC, and "
                         "samples go on until %s UTC.",
                         say_clock(f->a, x->end_us),
                         say_clock(f->a, f->last_sample->at_us));
    return "";
}

static void add_source(struct sbuf *b, const char *name, const struct source *src)
{
    if (src->state == SOURCE_OK && src->err.kind != ERR_NONE)
        sbuf_addf(b, "Of the %s, %s. ", name, src->err.msg);
    if (src->is_cut)
        sbuf_addf(b, "Of the %s only the latest were read. ", name);
}

const char *usable_doubts(const struct facts *f)
{
    const struct evidence *ev = f->ev;
    struct sbuf b;
    const char *out;

    sbuf_init(&b, DOUBTS_MAX);
    add_source(&b, "lifecycle events", &ev->events_src);
    add_source(&b, "metrics", &ev->metrics_src);
    add_source(&b, "log lines", &ev->logs_src);
    add_source(&b, "lines of output", &ev->output_src);
    if (f->bad_samples)
        sbuf_addf(&b, "Of the metrics, %zu %s impossible values and %s passed over. ",
                  f->bad_samples, f->bad_samples == 1 ? "has" : "have",
                  f->bad_samples == 1 ? "was" : "were");
    if (f->orphan_ends)
        sbuf_addf(&b, "Ends of processes without a start before them: %zu. ",
                  f->orphan_ends);
    if (*f->contradiction)
        sbuf_addf(&b, "%s ", f->contradiction);
    out = text_trim(f->a, arena_str(f->a, b.s));
    sbuf_release(&b);
    return out;
}
