/*
 * Uniting live list and ledger. A sandbox that is in both is the list's: its state is of now; the events that the
 * ledger kept add its earlier executions.
 */
#include "web/search.h"

#include "base/text.h"
#include "base/ts.h"
#include "sys/log.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define LEDGER_ROWS 1000
#define MAX_ROWS 3000

size_t search_calls(struct search *s, struct http_call **calls, size_t n)
{
    if (text_is_empty(s->value))
        return n;
    for (size_t i = 0; i < s->key_count; i++) {
        e2b_list_init(&s->lists[i], &s->rq->app->e2b, s->rq->arena, s->keys[i], s->value);
        calls[n++] = &s->lists[i].call;
    }
    s->is_asking = true;
    return n;
}

void search_release(struct search *s)
{
    for (size_t i = 0; i < s->key_count && s->is_asking; i++)
        e2b_list_release(&s->lists[i]);
    s->is_asking = false;
}

const struct source *search_failure(const struct search *s)
{
    for (size_t i = 0; i < s->key_count && s->is_asking; i++)
        if (s->lists[i].src.state != SOURCE_OK)
            return &s->lists[i].src;
    return NULL;
}

static void ask_ledger(struct search *s)
{
    struct err err = ERR_INIT;

    s->ledger_failed = !s->rq->has_db ||
                       ledger_find(s->rq->app->db, s->rq->arena, s->keys, s->key_count,
                                   s->value, LEDGER_ROWS, &s->kept, &s->kept_count, &err);
    if (s->ledger_failed && s->rq->has_db)
        log_err(LOG_WARN, "search in the ledger", &err);
}

static struct search_row *row_of(struct search *s, const char *id)
{
    struct search_row *row;

    for (size_t i = 0; i < s->row_count; i++)
        if (strcmp(s->rows[i].sandbox_id, id) == 0)
            return &s->rows[i];
    if (s->row_count == MAX_ROWS)
        return NULL;
    s->rows =
        arena_grow(s->rq->arena, s->rows, s->row_count, &s->row_cap, sizeof *s->rows);
    row = &s->rows[s->row_count++];
    memset(row, 0, sizeof *row);
    row->sandbox_id = id;
    return row;
}

static void add_match(struct search_row *row, const char *key)
{
    for (size_t i = 0; i < row->matched_count; i++)
        if (strcmp(row->matched[i], key) == 0)
            return;
    if (row->matched_count < CONF_MAX_KEYS)
        row->matched[row->matched_count++] = key;
}

/* The row's executions, from what the list says and what the ledger kept. */
static void build_row(struct search *s, struct search_row *row,
                      const struct sandbox *listed)
{
    struct evidence ev = {.now_us = s->rq->now_us, .sandbox_id = row->sandbox_id};
    struct event *events = NULL;
    size_t n = 0;
    struct err err = ERR_INIT;

    if (listed) {
        ev.has_sandbox = true;
        ev.sandbox = *listed;
        ev.sandbox_src.state = SOURCE_OK;
    } else {
        ev.sandbox_src.state = SOURCE_NOT_THERE;
    }
    if (s->rq->has_db &&
        ledger_events(s->rq->app->db, s->rq->arena, row->sandbox_id, &events, &n, &err) ==
            0 &&
        n > 0) {
        ev.events = events;
        ev.event_count = n;
        ev.events_src.state = SOURCE_OK;
    }
    timeline_build(s->rq->arena, &ev, &row->timeline);
    row->overlap = timeline_overlap(&row->timeline, s->from_us, s->to_us, s->rq->now_us);
}

/* A sandbox of which only sightings in the list are on record: no event tells of it. */
static void from_ledger(struct search *s, struct search_row *row,
                        const struct ledger_row *k)
{
    struct timeline *t = &row->timeline;

    if (t->exec_count == 0) {
        struct execution *e = arena_alloc(s->rq->arena, sizeof *e);

        *e = (struct execution){.id = "",
                                .start_us = k->first_start_us,
                                .start_is_known = true,
                                .end_us = k->end_us,
                                .end = k->end_us == TS_NONE ? EXEC_GONE : EXEC_KILLED,
                                .kill_reason = k->kill_reason,
                                .deadline_us = k->deadline_us,
                                .first_deadline_us = TS_NONE,
                                .last_sign_us = k->seen_us};
        t->execs = e;
        t->exec_count = 1;
        t->start_us = k->first_start_us;
        t->end_us = k->end_us;
        t->state = k->state;
        t->ran_us = k->ran_us;
        row->overlap = timeline_overlap(t, s->from_us, s->to_us, s->rq->now_us);
    }
    if (text_is_empty(t->template_id))
        t->template_id = k->template_id;
    if (text_is_empty(t->template_alias))
        t->template_alias = k->template_alias;
}

static void add_listed(struct search *s)
{
    for (size_t i = 0; i < s->key_count; i++)
        for (size_t k = 0; k < s->lists[i].count; k++) {
            struct search_row *row = row_of(s, s->lists[i].sandboxes[k].id);

            if (!row)
                return;
            if (!row->in_list)
                build_row(s, row, &s->lists[i].sandboxes[k]);
            row->in_list = true;
            add_match(row, s->keys[i]);
        }
}

static void add_kept(struct search *s)
{
    for (size_t i = 0; i < s->kept_count; i++) {
        const struct ledger_row *kept = &s->kept[i];
        struct search_row *row = row_of(s, kept->sandbox_id);

        if (!row)
            return;
        if (!row->in_list && !row->in_ledger)
            build_row(s, row, NULL);
        row->in_ledger = true;
        from_ledger(s, row, kept);
        for (size_t k = 0; k < s->key_count; k++)
            if (strcmp(tag_get(kept->tags, kept->tag_count, s->keys[k], ""), s->value) ==
                0)
                add_match(row, s->keys[k]);
    }
}

/* Events name the template's id only; another row of the same template may know its name. */
static void name_templates(struct search *s)
{
    for (size_t i = 0; i < s->row_count; i++) {
        struct timeline *t = &s->rows[i].timeline;

        for (size_t k = 0; k < s->row_count && text_is_empty(t->template_alias); k++)
            if (strcmp(s->rows[k].timeline.template_id, t->template_id) == 0)
                t->template_alias = s->rows[k].timeline.template_alias;
    }
}

static bool is_wanted(const struct search *s, const struct search_row *row)
{
    static const char *const words[] = {[SANDBOX_RUNNING] = "running",
                                        [SANDBOX_PAUSED] = "paused",
                                        [SANDBOX_ENDED] = "ended",
                                        [SANDBOX_OTHER] = "other"};
    const struct timeline *t = &row->timeline;

    if (!text_is_empty(s->state) && strcmp(s->state, words[t->state]) != 0)
        return false;
    if (s->started_from_us != TS_NONE && t->start_us < s->started_from_us)
        return false;
    return s->started_to_us == TS_NONE || t->start_us <= s->started_to_us;
}

static int by_start(const void *pa, const void *pb)
{
    const struct search_row *x = pa, *y = pb;

    if (x->timeline.start_us != y->timeline.start_us)
        return x->timeline.start_us < y->timeline.start_us ? 1 : -1;
    return strcmp(x->sandbox_id, y->sandbox_id);
}

static void narrow(struct search *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->row_count; i++)
        if (is_wanted(s, &s->rows[i]))
            s->rows[n++] = s->rows[i];
    s->row_count = n;
    if (n)
        qsort(s->rows, n, sizeof *s->rows, by_start);
}

void search_unite(struct search *s)
{
    if (!s->is_asking)
        return;
    ask_ledger(s);
    add_listed(s);
    add_kept(s);
    name_templates(s);
    narrow(s);
}
