/*
 * The timeline: events with letters, few marks from the logs, the gap between two events, and on the same
 * line when the sandbox was expected to end (ux.md section 7 has the phrases).
 */
#include "web/chart.h"
#include "web/view_finding.h"
#include "web/view_timeline_words.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define FOLD_RUN 4 /* so many `updated` in a row within FOLD_US become one line */
#define FOLD_US (10 * TS_MIN)
#define MAX_LOG_MARKS 12
#define MAX_TOLD 100
#define MAX_ROWS 400

enum item_kind { ITEM_EVENT, ITEM_MARK, ITEM_START, ITEM_MOVE, ITEM_END };

/* One line: an event; a mark from the logs; or a start, an end or a new deadline that no event tells. */
struct item {
    int64_t at_us;
    enum item_kind kind;
    const struct event *event;
    size_t index; /* of the event: its letter */
    const char *text;
    const char *href;                 /* of a mark */
    const struct execution *x;        /* of a start, move or end */
    const struct deadline_move *move; /* of a move */
};

struct builder {
    const struct sandbox_view *v;
    struct arena *a;
    HDF *at;
    int rows;
    int64_t last_event_us;
    bool was_paused; /* by the last event */
};

/* The deadline that was in force after this event, within its execution. */
static int64_t deadline_after(const struct execution *x, int64_t at_us)
{
    int64_t deadline = x->first_deadline_us;

    for (size_t i = 0; i < x->move_count; i++)
        if (x->moves[i].at_us <= at_us)
            deadline = x->moves[i].to_us;
    return deadline;
}

/* The letter of the event that moved it next; "" when none did. */
static const char *moved_by(struct builder *b, const struct execution *x, int64_t at_us,
                            int64_t deadline)
{
    char letter[8];

    for (size_t i = 0; i < x->move_count; i++) {
        const struct deadline_move *m = &x->moves[i];

        if (m->at_us <= at_us || llabs(m->to_us - deadline) < TS_SEC || !m->event)
            continue;
        for (size_t k = 0; k < b->v->ev->event_count; k++)
            if (strcmp(b->v->ev->events[k].id, m->event->id) == 0)
                return arena_str(b->a, chart_letter(k, letter));
    }
    return "";
}

/* The time of day; with its date where that is not the day of the line it stands on. */
static char *end_clock(int64_t us, int64_t line_us, char buf[HUMAN_SIZE])
{
    if (us / TS_DAY == line_us / TS_DAY)
        return human_clock(us, buf);
    return human_datetime_s(us, line_us, buf);
}

/* The word after the expected end, on the same line. */
static void tell_deadline(struct builder *b, HDF *row, const struct event *e)
{
    const struct execution *x = timeline_exec_of(&b->v->tl, e);
    int64_t deadline;
    const char *letter;
    char clock[HUMAN_SIZE];

    if (e->type == EVENT_PAUSED) {
        hput_str(row, "EndWhy", "none while paused");
        return;
    }
    if (!x || (deadline = deadline_after(x, e->at_us)) == TS_NONE)
        return;
    hput_str(row, "End", end_clock(deadline, e->at_us, clock));
    letter = moved_by(b, x, e->at_us, deadline);
    if (e->type == EVENT_KILLED) {
        bool reached = execution_ended_at_deadline(x, b->v->tl.memory_mib);

        hput_bool(row, "EndStruck", !reached);
        hput_str(row, "EndWhy", reached ? "reached" : "not reached: terminated");
    } else if (!text_is_empty(letter)) {
        hput_bool(row, "EndStruck", true);
        hput_fmt(row, "EndWhy", "moved by %s", letter);
    } else if (x->end == EXEC_PAUSED &&
               !execution_ended_at_deadline(x, b->v->tl.memory_mib)) {
        hput_bool(row, "EndStruck", true);
        hput_str(row, "EndWhy", "not reached: paused");
    } else if (x->end == EXEC_KILLED &&
               !execution_ended_at_deadline(x, b->v->tl.memory_mib)) {
        hput_bool(row, "EndStruck", true);
        hput_str(row, "EndWhy", "not reached: terminated");
    } else if (x->end == EXEC_STOPPED &&
               !execution_ended_at_deadline(x, b->v->tl.memory_mib)) {
        hput_bool(row, "EndStruck", true);
        hput_str(row, "EndWhy", "not reached: the machine stopped");
    }
}

/* "8 min 28 s running" on the small line before this event. */
static void tell_gap(struct builder *b, HDF *row, int64_t at_us)
{
    char span[HUMAN_SIZE];
    bool was_paused = b->was_paused;

    if (b->last_event_us == TS_NONE)
        return;
    for (size_t i = 0; i + 1 < b->v->tl.exec_count; i++)
        if (b->v->tl.execs[i].end_us != TS_NONE &&
            b->v->tl.execs[i].end_us <= b->last_event_us &&
            b->v->tl.execs[i + 1].start_us >= at_us - TS_SEC)
            was_paused = true;
    hput_fmt(row, "Gap", "%s %s", human_duration(at_us - b->last_event_us, span),
             was_paused ? "paused" : "running");
    hput_str(row, "GapKind", was_paused ? "paused" : "running");
}

static HDF *new_row(struct builder *b, const char *kind, int64_t at_us)
{
    HDF *row = hput_row(b->at, "Rows", b->rows++);
    char text[HUMAN_SIZE];

    hput_str(row, "Kind", kind);
    if (at_us == TS_NONE)
        return row;
    hput_time(row, "Time", at_us, human_clock(at_us, text));
    hput_fmt(row, "Ms", ".%03d", (int)(at_us / TS_MS % 1000));
    if (b->v->tl.start_us != TS_NONE)
        hput_str(row, "Offset", human_offset(at_us - b->v->tl.start_us, text));
    return row;
}

static void put_event(struct builder *b, const struct item *it)
{
    HDF *row = new_row(b, "event", it->at_us);
    char letter[8];

    hput_str(row, "Mark", chart_letter(it->index, letter));
    hput_fmt(row, "Anchor", "event-%s", letter);
    tell_gap(b, row, it->at_us);
    timeline_tell_event(b->v, row, it->event);
    view_evidence_numbers(row, b->v->finding, arena_fmt(b->a, "event:%s", it->event->id));
    tell_deadline(b, row, it->event);
    b->last_event_us = it->at_us;
    b->was_paused = it->event->type == EVENT_PAUSED;
}

static void put_mark(struct builder *b, const struct item *it)
{
    HDF *row = new_row(b, "log", it->at_us);

    hput_fmt(row, "Text", "From the logs: %s", it->text);
    hput_str(row, "Href", it->href);
    hput_str(row, "HrefText", it->href ? "Processes" : "");
}

/* "From Casebook's record:", before what no event tells. */
static const char *told_by(struct builder *b, const struct fact_source *s)
{
    switch (s->origin) {
    case ORIGIN_GET:
        return "From E2B's answer of now:";
    case ORIGIN_LINE:
        return "From the logs:";
    case ORIGIN_RECORD:
        return "From Casebook's record:";
    case ORIGIN_EVENT: {
        const char *words = view_origin(b->a, s, b->v->now_us);

        return arena_fmt(b->a, "F%s:", words + 1);
    }
    case ORIGIN_SAMPLE:
    case ORIGIN_NONE:
        break;
    }
    return "";
}

static void tell_start(struct builder *b, HDF *row, const struct item *it)
{
    const struct timeline *tl = &b->v->tl;
    size_t run = (size_t)(it->x - tl->execs);
    char span[HUMAN_SIZE], clock[HUMAN_SIZE];
    const struct execution *x = it->x;

    hput_fmt(row, "Text", "%s %s%s", told_by(b, &x->start_source),
             run ? arena_fmt(b->a, "resumed, %s run", timeline_ordinal(b->a, run))
                 : "session started",
             x->first_deadline_us > x->start_us
                 ? arena_fmt(b->a, " with a timeout of %s",
                             human_setting(x->first_deadline_us - x->start_us, span))
                 : "");
    if (deadline_after(x, it->at_us) != TS_NONE)
        hput_str(row, "End", end_clock(deadline_after(x, it->at_us), it->at_us, clock));
}

static void tell_end(struct builder *b, HDF *row, const struct item *it)
{
    const struct execution *x = it->x;
    const char *words = view_run_end(b->a, &b->v->tl, x);

    if (x->end == EXEC_GONE)
        words = "no longer listed; how it ended is not on record";
    else if (x->end == EXEC_KILLED)
        words = arena_fmt(b->a, "terminated, %s", words);
    hput_fmt(row, "Text", "%s %s", told_by(b, &x->end_source), words);
    if (x->end == EXEC_PAUSED)
        hput_str(row, "EndWhy", "none while paused");
}

static void tell_recorded_move(struct builder *b, HDF *row, const struct item *it)
{
    const struct deadline_move *m = it->move;
    char from[HUMAN_SIZE], to[HUMAN_SIZE];

    end_clock(m->to_us, it->at_us, to);
    if (m->from_us == TS_NONE)
        hput_fmt(row, "Text", "%s the end was to be %s", told_by(b, &m->source), to);
    else
        hput_fmt(row, "Text", "%s the end moved from %s to %s", told_by(b, &m->source),
                 end_clock(m->from_us, it->at_us, from), to);
    hput_str(row, "End", to);
}

/* A start, move or end without an event; starts and ends part the running time as events do. */
static void put_told(struct builder *b, const struct item *it)
{
    HDF *row = new_row(b, "log", it->at_us);

    if (it->kind == ITEM_MOVE) {
        tell_recorded_move(b, row, it);
        return;
    }
    tell_gap(b, row, it->at_us);
    if (it->kind == ITEM_START)
        tell_start(b, row, it);
    else
        tell_end(b, row, it);
    b->last_event_us = it->at_us;
    b->was_paused = it->kind == ITEM_END && it->x->end == EXEC_PAUSED;
}

/* How many `updated` events in a row start here within FOLD_US. */
static size_t fold_length(const struct item *items, size_t n)
{
    size_t k = 0;

    while (k < n && items[k].event && items[k].event->type == EVENT_UPDATED &&
           items[k].at_us - items[0].at_us <= FOLD_US)
        k++;
    return k;
}

static void put_fold(struct builder *b, size_t count, const char *href)
{
    HDF *row = new_row(b, "more", TS_NONE);

    hput_fmt(row, "Text", "%zu more changes of the settings", count);
    hput_str(row, "Href", href);
    hput_fmt(row, "HrefText", "Show all %zu", count + 2);
}

static size_t add_mark(struct item *items, size_t n, int64_t at_us, const char *text,
                       const char *href)
{
    items[n] =
        (struct item){.at_us = at_us, .kind = ITEM_MARK, .text = text, .href = href};
    return n + 1;
}

/* "Sandbox stopped" is logged at every ending; it tells something only where nothing else ended the run. */
static bool stopped_alone(const struct timeline *tl, int64_t at_us)
{
    for (size_t i = 0; i < tl->exec_count; i++)
        if (tl->execs[i].end == EXEC_STOPPED && tl->execs[i].end_us != TS_NONE &&
            llabs(tl->execs[i].end_us - at_us) < TIMELINE_AFTER_END_US)
            return true;
    return false;
}

/* Few: ends other than 0, a failing health check, the end of the machine. */
static size_t add_marks(struct builder *b, struct item *items, size_t n,
                        const struct process *p, size_t count)
{
    const struct evidence *ev = b->v->ev;
    size_t limit = n + MAX_LOG_MARKS;

    for (size_t i = 0; i < count && n < limit; i++)
        if (process_failed(&p[i]))
            n = add_mark(items, n, p[i].end_us,
                         arena_fmt(b->a, "process %" PRId64 " ended, %s", p[i].pid,
                                   process_end_words(b->a, &p[i])),
                         "#processes");
    for (size_t i = 0; i < ev->log_count && n < limit; i++) {
        const struct log_line *l = &ev->logs[i];

        if (strcmp(l->message, "Sandbox healthcheck started failing") == 0 &&
            log_line_is_platform(l))
            n = add_mark(items, n, l->at_us,
                         "the sandbox stopped answering health checks", NULL);
        else if (strcmp(l->message, "Sandbox stopped") == 0 && log_line_is_platform(l) &&
                 stopped_alone(&b->v->tl, l->at_us))
            n = add_mark(items, n, l->at_us, "the sandbox's machine stopped", NULL);
    }
    return n;
}

static bool is_told(const struct fact_source *s)
{
    return s->origin != ORIGIN_NONE && s->origin != ORIGIN_SAMPLE;
}

/* "Sandbox stopped" alone has its mark already. */
static bool is_end_told(const struct execution *x)
{
    return !x->end_event && x->end_us != TS_NONE && x->end != EXEC_OPEN &&
           x->end != EXEC_STOPPED && is_told(&x->end_source);
}

/* Starts, ends and new deadlines that no event tells: all of them where E2B has no events. */
static size_t add_told(struct builder *b, struct item *items, size_t n)
{
    const struct timeline *tl = &b->v->tl;
    size_t limit = n + MAX_TOLD;

    for (size_t i = 0; i < tl->exec_count; i++) {
        const struct execution *x = &tl->execs[i];

        if (!x->start_event && x->start_is_known && is_told(&x->start_source) &&
            n < limit)
            items[n++] = (struct item){.at_us = x->start_us, .kind = ITEM_START, .x = x};
        for (size_t k = 0; k < x->move_count && n < limit; k++)
            if (x->moves[k].source.origin == ORIGIN_RECORD &&
                x->moves[k].at_us > x->start_us)
                items[n++] = (struct item){.at_us = x->moves[k].at_us,
                                           .kind = ITEM_MOVE,
                                           .x = x,
                                           .move = &x->moves[k]};
        if (is_end_told(x) && n < limit)
            items[n++] = (struct item){.at_us = x->end_us, .kind = ITEM_END, .x = x};
    }
    return n;
}

static int by_time(const void *pa, const void *pb)
{
    const struct item *x = pa, *y = pb;

    if (x->at_us != y->at_us)
        return x->at_us < y->at_us ? -1 : 1;
    if (x->kind != y->kind && (x->kind == ITEM_START || y->kind == ITEM_START))
        return x->kind == ITEM_START ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* A deadline that is still ahead. */
static void put_ahead(struct builder *b)
{
    const struct timeline *tl = &b->v->tl;
    const struct execution *x = tl->exec_count ? &tl->execs[tl->exec_count - 1] : NULL;
    char text[HUMAN_SIZE];
    HDF *row;

    if (!x || tl->state != SANDBOX_RUNNING || x->deadline_us == TS_NONE ||
        x->deadline_us <= b->v->now_us)
        return;
    row = new_row(b, "ahead", TS_NONE);
    hput_str(row, "Mark", "?");
    hput_fmt(row, "Text", "Expected end, in %s",
             human_duration(x->deadline_us - b->v->now_us, text));
    hput_str(row, "End", end_clock(x->deadline_us, b->v->now_us, text));
}

/* What the rows are made from, and why there may be none. */
static void put_sources(struct builder *b)
{
    const struct source *src = &b->v->ev->events_src;
    size_t n = b->v->ev->event_count;

    if (n)
        hput_fmt(b->at, "Margin", "%zu %s, oldest first", n, n == 1 ? "event" : "events");
    else if (src->state == SOURCE_FAILED)
        hput_str(b->at, "Margin", b->rows ? "without its events" : "not read");
    else if (b->rows)
        hput_str(b->at, "Margin", "from the logs and Casebook's record");
    else
        hput_str(b->at, "Margin", "no events");
    if (src->state == SOURCE_UNSUPPORTED)
        hput_str(b->at, "Empty",
                 "This E2B has no event history, and neither the logs nor Casebook's own "
                 "record tell of this sandbox.");
    else if (src->state == SOURCE_NOT_THERE)
        hput_str(
            b->at, "Empty",
            "E2B answered 404 when it was asked for the events: it knows of none, or "
            "no longer does.");
    else if (src->state != SOURCE_FAILED)
        hput_str(b->at, "Empty", "No event is on record for this sandbox.");
}

static void put_item(struct builder *b, const struct item *it)
{
    switch (it->kind) {
    case ITEM_EVENT:
        put_event(b, it);
        break;
    case ITEM_MARK:
        put_mark(b, it);
        break;
    case ITEM_START:
    case ITEM_MOVE:
    case ITEM_END:
        put_told(b, it);
        break;
    }
}

static size_t collect(struct builder *b, struct item *items, const struct process *p,
                      size_t n)
{
    const struct evidence *ev = b->v->ev;
    size_t count = 0;

    for (size_t i = 0; i < ev->event_count; i++)
        items[count++] = (struct item){
            .at_us = ev->events[i].at_us, .event = &ev->events[i], .index = i};
    count = add_told(b, items, count);
    count = add_marks(b, items, count, p, n);
    qsort(items, count, sizeof *items, by_time);
    return count;
}

void view_timeline(HDF *root, const struct sandbox_view *v, const struct process *p,
                   size_t n, bool all_events, const char *all_href)
{
    struct builder b = {.v = v, .a = v->link->rq->arena, .last_event_us = TS_NONE};
    struct item *items = arena_array(
        b.a, v->ev->event_count + MAX_TOLD + MAX_LOG_MARKS + 1, sizeof *items);
    size_t count = collect(&b, items, p, n);

    b.at = hput_node(root, "Timeline");
    for (size_t i = 0; i < count && b.rows < MAX_ROWS; i++) {
        size_t run = all_events ? 0 : fold_length(&items[i], count - i);

        put_item(&b, &items[i]);
        if (run < FOLD_RUN)
            continue;
        put_fold(&b, run - 2, all_href);
        i += run - 1;
        put_item(&b, &items[i]);
    }
    put_ahead(&b);
    put_sources(&b);
    hput_bool(b.at, "IsCut", b.rows >= MAX_ROWS);
}
