/*
 * The ledger's row of one sandbox, derived from its events and from when it was listed, by way of the
 * same timeline that the pages and the diagnosis use. Where there are no events (a self-hosted E2B), the
 * executions are read from what the list said over time.
 */
#include "store/st_ledger_row.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

/* Lists are read about once a minute: a gap of this size still tells when a sandbox went. */
#define GONE_IS_THE_END_US (10 * TS_MIN)
#define SAME_DEADLINE_US (2 * TS_SEC)

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

static struct fact_source listed_at(int64_t us)
{
    return (struct fact_source){.origin = ORIGIN_RECORD, .at_us = us};
}

/* To the ledger, Get's answer of now is a sighting of then. */
static struct fact_source as_kept(const struct ledger_facts *f, struct fact_source s)
{
    return s.origin == ORIGIN_GET ? listed_at(f->sighted_us) : s;
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

/* ---- executions ---- */

/* The timeline's own, without what points into the events. */
static struct execution *runs_from_timeline(struct arena *a, const struct ledger_facts *f,
                                            const struct timeline *t)
{
    struct execution *runs = arena_array(a, t->exec_count, sizeof(*runs));

    for (size_t i = 0; i < t->exec_count; i++) {
        struct execution *x = &runs[i];
        struct deadline_move *moves;

        *x = t->execs[i];
        x->start_event = x->end_event = NULL;
        x->start_source = as_kept(f, x->start_source);
        x->end_source = as_kept(f, x->end_source);
        moves = arena_array(a, x->move_count, sizeof(*moves));
        for (size_t k = 0; k < x->move_count; k++) {
            moves[k] = x->moves[k];
            moves[k].event = NULL;
            moves[k].source = as_kept(f, moves[k].source);
        }
        x->moves = moves;
    }
    return runs;
}

/* One execution, from the sightings that tell the same start: by first_us. */
static struct execution run_from_sightings(struct arena *a,
                                           const struct ledger_sighting *s, size_t n,
                                           bool is_last)
{
    struct deadline_move *moves = arena_array(a, n, sizeof(*moves));
    struct execution x = {.id = "",
                          .start_us = s->started_us,
                          .start_is_known = s->started_us != TS_NONE,
                          .start_source = listed_at(s->first_us),
                          .end_us = TS_NONE,
                          .end_source = {.at_us = TS_NONE},
                          .kill_reason = "",
                          .moves = moves,
                          .deadline_us = TS_NONE,
                          .first_deadline_us = TS_NONE,
                          .last_sign_us = TS_NONE};

    for (size_t i = 0; i < n; i++) {
        x.last_sign_us = later(x.last_sign_us, s[i].last_us);
        if (s[i].state == SANDBOX_PAUSED) {
            x.end = EXEC_PAUSED;
            x.end_us = later(s[i].ends_us, x.start_us);
            x.end_source = listed_at(s[i].first_us);
        } else if (s[i].ends_us != TS_NONE &&
                   (x.deadline_us == TS_NONE ||
                    llabs(s[i].ends_us - x.deadline_us) > SAME_DEADLINE_US)) {
            moves[x.move_count++] =
                (struct deadline_move){.at_us = s[i].first_us,
                                       .from_us = x.deadline_us,
                                       .to_us = s[i].ends_us,
                                       .source = listed_at(s[i].first_us)};
            x.deadline_us = s[i].ends_us;
        }
    }
    if (x.end == EXEC_OPEN && !is_last) { /* another one followed: this one was saved */
        x.end = EXEC_PAUSED;
        x.end_us = later(x.last_sign_us, x.start_us);
        x.end_source = listed_at(x.last_sign_us);
    }
    return x;
}

static struct execution *runs_from_list(struct arena *a, const struct ledger_facts *f,
                                        size_t *count)
{
    struct execution *runs = arena_array(a, f->sighting_count, sizeof(*runs));
    size_t n;

    *count = 0;
    for (size_t i = 0; i < f->sighting_count; i += n) {
        const struct ledger_sighting *s = &f->sightings[i];

        n = 1;
        while (i + n < f->sighting_count && s[n].started_us == s->started_us)
            n++;
        runs[*count] = run_from_sightings(a, s, n, i + n == f->sighting_count);
        runs[*count].is_resume = *count > 0;
        (*count)++;
    }
    return runs;
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

static void end_last(const struct ledger_facts *f, struct execution *last,
                     int64_t seen_us)
{
    if (f->gone_us <= seen_us || last->end != EXEC_OPEN)
        return;
    last->end = EXEC_GONE;
    last->end_us = end_of_gone(f, last, seen_us);
    last->end_source = listed_at(f->gone_us);
}

static void fill_life(const struct ledger_facts *f, struct execution *runs, size_t n,
                      struct ledger_row *out)
{
    struct execution *last = &runs[n - 1];

    end_last(f, last, out->seen_us);
    out->runs = runs;
    out->run_count = n;
    out->first_start_us = runs[0].start_us;
    out->last_start_us = last->start_us;
    out->end_us = last->end_us;
    out->deadline_us = last->deadline_us;
    out->kill_reason = last->kill_reason ? last->kill_reason : "";
    for (size_t i = 0; i < n; i++)
        if (runs[i].end_us != TS_NONE && runs[i].start_us != TS_NONE)
            out->ran_us += later(runs[i].end_us - runs[i].start_us, 0);
}

/* ---- the other facts ---- */

static void take_number(struct ledger_row *out, enum fact f, int64_t *to, int64_t value,
                        int64_t at_us)
{
    if (*to != 0 || value == 0)
        return;
    *to = value;
    out->source[f] = listed_at(at_us);
}

static void take_text(struct ledger_row *out, enum fact f, const char **to,
                      const char *value, int64_t at_us)
{
    if (!text_is_empty(*to) || text_is_empty(value))
        return;
    *to = value;
    out->source[f] = listed_at(at_us);
}

/* What only the list knows; kept also when the events are newer. */
static void fill_from_sighting(const struct ledger_facts *f, struct ledger_row *out)
{
    const struct sandbox *s = &f->sighting;

    take_text(out, FACT_TEMPLATE, &out->template_id, s->template_id, f->sighted_us);
    take_text(out, FACT_ALIAS, &out->template_alias, s->template_alias, f->sighted_us);
    take_number(out, FACT_CPU, &out->cpu_count, s->cpu_count, f->sighted_us);
    take_number(out, FACT_MEMORY, &out->memory_mib, s->memory_mib, f->sighted_us);
    take_number(out, FACT_DISK, &out->disk_mib, s->disk_mib, f->sighted_us);
    if (out->tag_count == 0 && s->tag_count > 0) {
        out->tags = s->tags;
        out->tag_count = s->tag_count;
        out->source[FACT_TAGS] = listed_at(f->sighted_us);
    }
}

static void fill_facts(const struct ledger_facts *f, const struct timeline *t,
                       struct ledger_row *out)
{
    *out = (struct ledger_row){
        .sandbox_id = f->sandbox_id,
        .template_id = t->template_id,
        .template_alias = t->template_alias,
        .state = t->state,
        .first_start_us = TS_NONE,
        .last_start_us = TS_NONE,
        .end_us = TS_NONE,
        .deadline_us = TS_NONE,
        .kill_reason = "",
        .cpu_count = t->cpu_count,
        .memory_mib = t->memory_mib,
        .disk_mib = t->disk_mib,
        .tags = t->tags,
        .tag_count = t->tag_count,
        .seen_us = later(f->sighted_us, last_event_us(f)),
        .from_events = f->event_count > 0,
        .from_list = f->has_sighting,
    };
    for (size_t i = 0; i < FACT_COUNT; i++)
        out->source[i] = as_kept(f, t->source[i]);
    if (f->has_sighting)
        fill_from_sighting(f, out);
}

void ledger_derive(struct arena *a, const struct ledger_facts *f, int64_t now_us,
                   struct ledger_row *out)
{
    bool is_listed_only = f->event_count == 0 && f->sighting_count > 0;
    struct execution *runs;
    struct evidence ev;
    struct timeline t;
    size_t n;

    fill_evidence(f, now_us, &ev);
    timeline_build(a, &ev, &t);
    fill_facts(f, &t, out);
    n = t.exec_count;
    runs = is_listed_only ? runs_from_list(a, f, &n) : runs_from_timeline(a, f, &t);
    if (n > 0)
        fill_life(f, runs, n, out);
    if (f->gone_us > out->seen_us)
        out->state = SANDBOX_ENDED;
}
