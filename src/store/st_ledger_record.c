/*
 * The JSON columns of a ledger row: tags; executions with the history of their expiry; where each fact is
 * from. Names instead of numbers, so that an enum may grow.
 */
#include "base/arena.h"
#include "base/jget.h"
#include "base/ts.h"
#include "store/st_ledger_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

/* Of a longer history the first and the newest are kept; all of it is in the events. */
#define RUNS_MAX 500
#define MOVES_MAX 100

static const char *const end_names[] = {
    [EXEC_OPEN] = "open",       [EXEC_PAUSED] = "paused", [EXEC_KILLED] = "killed",
    [EXEC_STOPPED] = "stopped", [EXEC_GONE] = "gone",
};
static const char *const event_names[] = {
    [EVENT_CREATED] = "created", [EVENT_RESUMED] = "resumed",
    [EVENT_UPDATED] = "updated", [EVENT_CHECKPOINTED] = "checkpointed",
    [EVENT_PAUSED] = "paused",   [EVENT_KILLED] = "killed",
    [EVENT_OTHER] = "other",
};
static const char *const fact_names[FACT_COUNT] = {
    [FACT_CPU] = "cpu",           [FACT_MEMORY] = "memory", [FACT_DISK] = "disk",
    [FACT_TEMPLATE] = "template", [FACT_ALIAS] = "alias",   [FACT_TAGS] = "tags",
    [FACT_ON_TIMEOUT] = "on_end",
};

#define NAME_COUNT(table) (sizeof(table) / sizeof((table)[0]))

static size_t name_index(const char *const *names, size_t n, const char *name,
                         size_t dflt)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return dflt;
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

static json_t *load(const char *text)
{
    struct err ignored = ERR_INIT; /* the text is our own */

    return *text != '\0' ? jget_load(text, strlen(text), &ignored) : NULL;
}

const struct tag *ledger_tags_parse(struct arena *a, const char *text, size_t *n)
{
    json_t *o = load(text);
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

/* ---- writing ---- */

static void put_time(json_t *o, const char *key, int64_t us)
{
    if (us != TS_NONE)
        json_object_set_new(o, key, json_integer(us));
}

static void put_text(json_t *o, const char *key, const char *text)
{
    if (text != NULL && *text != '\0')
        json_object_set_new(o, key, json_string(text));
}

static void put_source(json_t *o, const char *key, const struct fact_source *s)
{
    json_t *v;

    if (s->origin != ORIGIN_EVENT && s->origin != ORIGIN_RECORD)
        return;
    v = json_object();
    put_time(v, "at", s->at_us);
    if (s->origin == ORIGIN_EVENT)
        put_text(v, "event", event_names[s->event_type]);
    json_object_set_new(o, key, v);
}

static json_t *moves_json(const struct execution *x)
{
    json_t *list = json_array();

    for (size_t i = 0; i < x->move_count; i++) {
        const struct deadline_move *m = &x->moves[i];
        json_t *o;

        if (i > 0 && x->move_count - i >= MOVES_MAX)
            continue;
        o = json_object();
        put_time(o, "at", m->at_us);
        put_time(o, "from", m->from_us);
        put_time(o, "to", m->to_us);
        put_source(o, "source", &m->source);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *run_json(const struct execution *x)
{
    json_t *o = json_object();

    put_text(o, "id", x->id);
    put_time(o, "start", x->start_us);
    put_source(o, "start_source", &x->start_source);
    json_object_set_new(o, "known", json_boolean(x->start_is_known));
    json_object_set_new(o, "resume", json_boolean(x->is_resume));
    json_object_set_new(o, "fork", json_boolean(x->is_first_on_record_resumed));
    put_time(o, "end", x->end_us);
    put_source(o, "end_source", &x->end_source);
    put_text(o, "how", end_names[x->end]);
    put_text(o, "reason", x->kill_reason);
    put_time(o, "deadline", x->deadline_us);
    put_time(o, "first_deadline", x->first_deadline_us);
    put_time(o, "sign", x->last_sign_us);
    if (x->move_count > 0)
        json_object_set_new(o, "moves", moves_json(x));
    return o;
}

char *ledger_record_text(struct arena *a, const struct ledger_row *row)
{
    json_t *o = json_object(), *runs = json_array(), *facts = json_object();
    char *text;

    for (size_t i = 0; i < row->run_count; i++)
        if (i == 0 || row->run_count - i < RUNS_MAX)
            json_array_append_new(runs, run_json(&row->runs[i]));
    for (size_t i = 0; i < FACT_COUNT; i++)
        put_source(facts, fact_names[i], &row->source[i]);
    json_object_set_new(o, "runs", runs);
    json_object_set_new(o, "facts", facts);
    text = jget_dump(a, o);
    json_decref(o);
    return text;
}

/* ---- reading ---- */

static int64_t get_time(const json_t *o, const char *key)
{
    return jget_i64(o, key, TS_NONE);
}

static struct fact_source get_source(struct arena *a, const json_t *o, const char *key)
{
    const json_t *v = jget_obj(o, key);
    struct fact_source s = {.origin = ORIGIN_NONE, .at_us = TS_NONE};
    const char *event;

    if (v == NULL)
        return s;
    event = jget_str(a, v, "event", "");
    s.origin = *event != '\0' ? ORIGIN_EVENT : ORIGIN_RECORD;
    s.event_type = (enum event_type)name_index(event_names, NAME_COUNT(event_names),
                                               event, EVENT_OTHER);
    s.at_us = get_time(v, "at");
    return s;
}

static const struct deadline_move *get_moves(struct arena *a, const json_t *list,
                                             size_t *n)
{
    size_t count = json_array_size(list);
    struct deadline_move *moves = arena_array(a, count, sizeof(*moves));

    for (size_t i = 0; i < count; i++) {
        const json_t *o = json_array_get(list, i);

        moves[i] = (struct deadline_move){.at_us = get_time(o, "at"),
                                          .from_us = get_time(o, "from"),
                                          .to_us = get_time(o, "to"),
                                          .source = get_source(a, o, "source")};
    }
    *n = count;
    return moves;
}

static struct execution get_run(struct arena *a, const json_t *o)
{
    struct execution x = {
        .id = jget_str(a, o, "id", ""),
        .start_us = get_time(o, "start"),
        .start_is_known = jget_bool(o, "known", false),
        .is_resume = jget_bool(o, "resume", false),
        .is_first_on_record_resumed = jget_bool(o, "fork", false),
        .end_us = get_time(o, "end"),
        .end = (enum exec_end)name_index(end_names, NAME_COUNT(end_names),
                                         jget_str(a, o, "how", ""), EXEC_OPEN),
        .start_source = get_source(a, o, "start_source"),
        .end_source = get_source(a, o, "end_source"),
        .kill_reason = jget_str(a, o, "reason", ""),
        .deadline_us = get_time(o, "deadline"),
        .first_deadline_us = get_time(o, "first_deadline"),
        .last_sign_us = get_time(o, "sign"),
    };

    x.moves = get_moves(a, jget_arr(o, "moves"), &x.move_count);
    return x;
}

void ledger_record_parse(struct arena *a, const char *text, struct ledger_row *row)
{
    json_t *doc = load(text);
    const json_t *runs = jget_arr(doc, "runs"), *facts = jget_obj(doc, "facts");
    struct execution *x = arena_array(a, json_array_size(runs), sizeof(*x));

    row->run_count = json_array_size(runs);
    for (size_t i = 0; i < row->run_count; i++)
        x[i] = get_run(a, json_array_get(runs, i));
    row->runs = x;
    for (size_t i = 0; i < FACT_COUNT; i++)
        row->source[i] = get_source(a, facts, fact_names[i]);
    json_decref(doc);
}
