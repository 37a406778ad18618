/*
 * What is known of a sandbox beside its times, and where each fact was read.
 *
 * Sources in the order in which they are believed: E2B's answer of now, the lifecycle events (newest
 * first, so that a value of the last execution wins), our own record, the samples' totals, log lines.
 */
#include "model/timeline_draft.h"

#include "base/text.h"

#include "base/banned.h"

#define MIB ((int64_t)1024 * 1024)

static void set_number(struct timeline *t, enum fact f, int64_t *to, int64_t value,
                       struct fact_source source)
{
    if (*to > 0 || value <= 0)
        return;
    *to = value;
    t->source[f] = source;
}

static void set_text(struct timeline *t, enum fact f, const char **to, const char *value,
                     struct fact_source source)
{
    if (!text_is_empty(*to) || text_is_empty(value))
        return;
    *to = value;
    t->source[f] = source;
}

/* "None" is known as well as any other set of tags. */
static void set_tags(struct timeline *t, const struct tag *tags, size_t n,
                     struct fact_source source)
{
    if (t->tag_count || (t->source[FACT_TAGS].origin != ORIGIN_NONE && !n))
        return;
    t->tags = tags;
    t->tag_count = n;
    t->source[FACT_TAGS] = source;
}

static void add_from_get(const struct evidence *ev, struct timeline *t)
{
    const struct sandbox *s = &ev->sandbox;
    const struct fact_source source = {.origin = ORIGIN_GET, .at_us = ev->now_us};

    if (!ev->has_sandbox)
        return;
    set_number(t, FACT_CPU, &t->cpu_count, s->cpu_count, source);
    set_number(t, FACT_MEMORY, &t->memory_mib, s->memory_mib, source);
    set_number(t, FACT_DISK, &t->disk_mib, s->disk_mib, source);
    set_text(t, FACT_TEMPLATE, &t->template_id, s->template_id, source);
    set_text(t, FACT_ALIAS, &t->template_alias, s->template_alias, source);
    set_text(t, FACT_ON_TIMEOUT, &t->on_timeout, s->on_timeout, source);
    set_tags(t, s->tags, s->tag_count, source);
}

static void add_from_events(const struct evidence *ev, struct timeline *t)
{
    for (size_t i = ev->event_count; i > 0; i--) {
        const struct event *e = &ev->events[i - 1];
        const struct fact_source source = {
            .origin = ORIGIN_EVENT, .event_type = e->type, .at_us = e->at_us};

        set_number(t, FACT_CPU, &t->cpu_count, e->exec_cpu_count, source);
        set_number(t, FACT_MEMORY, &t->memory_mib, e->exec_memory_mib, source);
        set_text(t, FACT_TEMPLATE, &t->template_id, e->template_id, source);
        if (!ev->has_sandbox && (e->tag_count || e->has_data))
            set_tags(t, e->tags, e->tag_count, source);
    }
}

static struct fact_source recorded(const struct sandbox_record *r, enum fact f)
{
    if (r->source && r->source[f].origin != ORIGIN_NONE)
        return drafts_as_recorded(r->source[f]);
    return (struct fact_source){.origin = ORIGIN_RECORD, .at_us = r->seen_us};
}

static void add_from_record(const struct sandbox_record *r, struct timeline *t)
{
    if (!r)
        return;
    set_number(t, FACT_CPU, &t->cpu_count, r->cpu_count, recorded(r, FACT_CPU));
    set_number(t, FACT_MEMORY, &t->memory_mib, r->memory_mib, recorded(r, FACT_MEMORY));
    set_number(t, FACT_DISK, &t->disk_mib, r->disk_mib, recorded(r, FACT_DISK));
    set_text(t, FACT_TEMPLATE, &t->template_id, r->template_id,
             recorded(r, FACT_TEMPLATE));
    set_text(t, FACT_ALIAS, &t->template_alias, r->template_alias,
             recorded(r, FACT_ALIAS));
    if (t->source[FACT_TAGS].origin != ORIGIN_GET)
        set_tags(t, r->tags, r->tag_count, recorded(r, FACT_TAGS));
}

static void add_from_samples(const struct evidence *ev, struct timeline *t)
{
    for (size_t i = ev->metric_count; i > 0; i--) {
        const struct metric *m = &ev->metrics[i - 1];
        const struct fact_source source = {.origin = ORIGIN_SAMPLE, .at_us = m->at_us};

        set_number(t, FACT_CPU, &t->cpu_count, m->cpu_count, source);
        set_number(t, FACT_MEMORY, &t->memory_mib, m->mem_total / MIB, source);
        set_number(t, FACT_DISK, &t->disk_mib, m->disk_total / MIB, source);
        if (t->cpu_count && t->memory_mib && t->disk_mib)
            return;
    }
}

static void add_from_lines(const struct evidence *ev, struct timeline *t)
{
    for (size_t i = 0; i < ev->log_count && text_is_empty(t->template_id); i++) {
        const struct log_line *l = &ev->logs[i];
        const struct fact_source source = {.origin = ORIGIN_LINE, .at_us = l->at_us};

        set_text(t, FACT_TEMPLATE, &t->template_id,
                 tag_get(l->fields, l->field_count, "templateID",
                         tag_get(l->fields, l->field_count, "envID", "")),
                 source);
    }
}

void timeline_set_facts(const struct evidence *ev, const struct sandbox_record *record,
                        struct timeline *t)
{
    t->template_id = t->template_alias = t->on_timeout = "";
    t->is_rebuilt = !ev->has_sandbox;
    add_from_get(ev, t);
    add_from_events(ev, t);
    add_from_record(record, t);
    add_from_samples(ev, t);
    add_from_lines(ev, t);
}
