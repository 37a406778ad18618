/*
 * The ledger's row of one sandbox, derived from its events and from when it was listed, by way of the
 * same timeline that the pages and the diagnosis use.
 */
#include "store/st_ledger_row.h"
#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "model/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

/* Lists are read about once a minute: a gap of this size still tells when a sandbox went. */
#define GONE_IS_THE_END_US (10 * TS_MIN)

static const char *const state_names[] = {
    [SANDBOX_RUNNING] = "running",
    [SANDBOX_PAUSED] = "paused",
    [SANDBOX_ENDED] = "ended",
    [SANDBOX_OTHER] = "other",
};

const char *ledger_state_name(enum sandbox_state s)
{
    return state_names[s];
}

enum sandbox_state ledger_state_parse(const char *name)
{
    for (size_t i = 0; i < sizeof(state_names) / sizeof(state_names[0]); i++)
        if (strcmp(state_names[i], name) == 0)
            return (enum sandbox_state)i;
    return SANDBOX_OTHER;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t last_event_us(const struct ledger_facts *f)
{
    return f->event_count ? f->events[f->event_count - 1].at_us : TS_NONE;
}

/* A sighting that is older than the newest event says nothing about the state any more. */
static void fill_evidence(const struct ledger_facts *f, int64_t now_us,
                          struct evidence *ev)
{
    *ev = (struct evidence){
        .now_us = now_us,
        .sandbox_id = f->sandbox_id,
        .has_sandbox = f->has_sighting && f->sighted_us > last_event_us(f),
        .sandbox = f->sighting,
        .events = f->events,
        .event_count = f->event_count,
    };
    ev->sandbox_src.state = ev->has_sandbox ? SOURCE_OK : SOURCE_NOT_ASKED;
    ev->events_src.state = SOURCE_OK;
}

/* Nothing told the end, but it is not there any more. */
static int64_t end_of_gone(const struct ledger_facts *f, const struct execution *x,
                           int64_t seen_us)
{
    if (x->deadline_us != TS_NONE && x->deadline_us >= seen_us &&
        x->deadline_us <= f->gone_us)
        return x->deadline_us;
    return f->gone_us - seen_us <= GONE_IS_THE_END_US ? f->gone_us : TS_NONE;
}

static void fill_life(const struct ledger_facts *f, const struct timeline *t,
                      struct ledger_row *out)
{
    const struct execution *last = &t->execs[t->exec_count - 1];
    bool is_gone = f->gone_us > out->seen_us;

    out->first_start_us = t->execs[0].start_us;
    out->last_start_us = last->start_us;
    out->end_us = last->end_us;
    out->deadline_us = last->deadline_us;
    out->kill_reason = last->kill_reason ? last->kill_reason : "";
    if (is_gone && last->end_us == TS_NONE)
        out->end_us = end_of_gone(f, last, out->seen_us);
    for (size_t i = 0; i < t->exec_count; i++) {
        const struct execution *x = &t->execs[i];
        int64_t end_us = x == last ? out->end_us : x->end_us;

        if (end_us != TS_NONE && x->start_us != TS_NONE)
            out->ran_us += later(end_us - x->start_us, 0);
    }
}

/* What only the list knows; kept also when the events are newer. */
static void fill_from_sighting(const struct sandbox *s, struct ledger_row *out)
{
    if (text_is_empty(out->template_id))
        out->template_id = s->template_id;
    if (text_is_empty(out->template_alias))
        out->template_alias = s->template_alias;
    if (out->cpu_count == 0)
        out->cpu_count = s->cpu_count;
    if (out->memory_mib == 0)
        out->memory_mib = s->memory_mib;
    if (out->disk_mib == 0)
        out->disk_mib = s->disk_mib;
    if (out->tag_count == 0) {
        out->tags = s->tags;
        out->tag_count = s->tag_count;
    }
}

void ledger_derive(struct arena *a, const struct ledger_facts *f, int64_t now_us,
                   struct ledger_row *out)
{
    struct evidence ev;
    struct timeline t;

    fill_evidence(f, now_us, &ev);
    timeline_build(a, &ev, &t);
    *out = (struct ledger_row){
        .sandbox_id = f->sandbox_id,
        .template_id = t.template_id,
        .template_alias = t.template_alias,
        .state = t.state,
        .first_start_us = TS_NONE,
        .last_start_us = TS_NONE,
        .end_us = TS_NONE,
        .deadline_us = TS_NONE,
        .kill_reason = "",
        .cpu_count = t.cpu_count,
        .memory_mib = t.memory_mib,
        .disk_mib = t.disk_mib,
        .tags = t.tags,
        .tag_count = t.tag_count,
        .seen_us = later(f->sighted_us, last_event_us(f)),
        .from_events = f->event_count > 0,
        .from_list = f->has_sighting,
    };
    if (f->has_sighting)
        fill_from_sighting(&f->sighting, out);
    if (t.exec_count > 0)
        fill_life(f, &t, out);
    if (f->gone_us > out->seen_us)
        out->state = SANDBOX_ENDED;
}

/* ---- tags ---- */

char *ledger_tags_text(struct arena *a, const struct tag *tags, size_t n)
{
    json_t *o = json_object();
    char *text;

    for (size_t i = 0; i < n; i++)
        json_object_set_new(o, tags[i].key, json_string(tags[i].value));
    text = jget_dump(a, o);
    json_decref(o);
    return text;
}

const struct tag *ledger_tags_parse(struct arena *a, const char *text, size_t *n)
{
    struct err ignored = ERR_INIT; /* the text is our own */
    json_t *o = jget_load(text, strlen(text), &ignored);
    struct tag *tags = arena_array(a, json_object_size(o), sizeof(*tags));
    const char *key;
    json_t *value;

    *n = 0;
    json_object_foreach(o, key, value)
    {
        tags[*n].key = arena_str(a, key);
        tags[(*n)++].value = jget_str_value(a, value, "");
    }
    json_decref(o);
    return tags;
}
