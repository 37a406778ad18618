/*
 * The timeline: events with letters, few marks from the logs, the gap between two events, and on the same
 * line when the sandbox was expected to end (ux.md section 7 has the phrases).
 */
#include "web/chart.h"
#include "web/view_sandbox.h"

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
#define MAX_ROWS 400

struct item { /* one line: an event, or a mark from the logs */
    int64_t at_us;
    const struct event *event; /* NULL: a mark */
    size_t index;              /* of the event: its letter */
    const char *text;
    const char *href; /* of a mark */
};

struct builder {
    const struct sandbox_view *v;
    struct arena *a;
    HDF *at;
    int rows;
    int64_t last_event_us;
    bool was_paused; /* by the last event */
};

static const struct execution *exec_of(const struct timeline *tl, const struct event *e)
{
    const struct execution *best = NULL;

    for (size_t i = 0; i < tl->exec_count; i++) {
        const struct execution *x = &tl->execs[i];

        if (!text_is_empty(x->id) && strcmp(x->id, e->execution_id) == 0)
            return x;
        if (x->start_us <= e->at_us)
            best = x;
    }
    return best;
}

static const struct deadline_move *move_of(const struct execution *x,
                                           const struct event *e)
{
    for (size_t i = 0; x && i < x->move_count; i++)
        if (x->moves[i].event == e ||
            (x->moves[i].event && strcmp(x->moves[i].event->id, e->id) == 0))
            return &x->moves[i];
    return NULL;
}

/* How an end lay against the deadline in force: "1 min 32 s before its timeout". */
static const char *before_timeout(struct builder *b, const struct execution *x,
                                  int64_t at_us)
{
    char span[HUMAN_SIZE];

    if (!x || x->deadline_us == TS_NONE)
        return "";
    if (at_us >= x->deadline_us - TIMELINE_DEADLINE_EARLY_US)
        return "";
    return arena_fmt(b->a, ", %s before its timeout",
                     human_duration(x->deadline_us - at_us, span));
}

static void tell_created(HDF *row, const struct execution *x)
{
    char span[HUMAN_SIZE];

    hput_str(row, "Bold", "Session started");
    if (x && x->first_deadline_us != TS_NONE && x->first_deadline_us > x->start_us)
        hput_fmt(row, "Text", "with a timeout of %s",
                 human_setting(x->first_deadline_us - x->start_us, span));
}

static const char *ordinal(size_t n, struct arena *a)
{
    static const char *const words[] = {"first", "second",  "third",  "fourth", "fifth",
                                        "sixth", "seventh", "eighth", "ninth",  "tenth"};

    return n < sizeof words / sizeof words[0] ? words[n] : arena_fmt(a, "%zuth", n + 1);
}

static void tell_resumed(struct builder *b, HDF *row, const struct execution *x)
{
    const struct timeline *tl = &b->v->tl;

    hput_str(row, "Bold", "Resumed");
    if (x && x->is_first_on_record_resumed)
        hput_str(row, "Text",
                 "its beginning is not on record (a fork, or older than E2B keeps)");
    else
        hput_fmt(row, "Text", "same sandbox, %s run",
                 ordinal(x ? (size_t)(x - tl->execs) : 1, b->a));
}

static void tell_paused(struct builder *b, HDF *row, const struct execution *x,
                        int64_t at_us)
{
    hput_str(row, "Bold", "Paused");
    if (x && execution_ended_at_deadline(x, b->v->tl.memory_mib))
        hput_str(row, "Text", "by its timeout; it can be resumed");
    else
        hput_fmt(row, "Text", "by a request%s", before_timeout(b, x, at_us));
}

static void tell_moved(HDF *row, const struct deadline_move *m, int64_t at_us)
{
    char span[HUMAN_SIZE], from[HUMAN_SIZE], to[HUMAN_SIZE], sooner[HUMAN_SIZE];

    human_setting(m->to_us - at_us, span);
    human_clock(m->to_us, to);
    if (m->from_us == TS_NONE) {
        hput_fmt(row, "Text", "a request set the timeout to %s; the end is now %s", span,
                 to);
        return;
    }
    human_clock(m->from_us, from);
    if (llabs(m->to_us - m->from_us) < TS_SEC)
        hput_str(row, "Text", "the timeout was set again; the end did not move");
    else if (m->to_us > m->from_us)
        hput_fmt(row, "Text",
                 "a request set the timeout to %s; the end moved from %s to %s", span,
                 from, to);
    else
        hput_fmt(
            row, "Text",
            "a request shortened the timeout; the end moved from %s to %s, %s sooner",
            from, to, human_duration(m->from_us - m->to_us, sooner));
}

static void tell_updated(HDF *row, const struct event *e, const struct execution *x)
{
    const struct deadline_move *m = move_of(x, e);

    hput_str(row, "Bold", "Settings changed:");
    if (m)
        tell_moved(row, m, e->at_us);
    else if (e->set_timeout_us != TS_NONE)
        hput_str(row, "Text", "the timeout was set again; the end did not move");
    else if (e->changed_network)
        hput_str(row, "Text", "network access; the end did not move");
    else
        hput_str(row, "Text", "E2B does not say what");
}

static void tell_killed(struct builder *b, HDF *row, const struct event *e,
                        const struct execution *x)
{
    static const struct {
        const char *reason, *words;
        bool tells_time;
    } reasons[] = {
        {"timeout",               "by its timeout, as configured",                      false},
        {"request",               "by a request",                                       true },
        {"admin",                 "by E2B's staff",                                     true },
        {"orphaned",              "by E2B: clean-up of a sandbox it had lost track of", false},
        {"base_template_missing",
         "by E2B: the template was deleted, so it could not be paused",                 false},
        {"seal_failed",           "by E2B: an earlier snapshot could not be completed", false},
        {"resume_failed",         "by E2B: it could not go on after a snapshot",        false},
        {"unknown",               "E2B does not say by whom",                           false},
    };
    char span[HUMAN_SIZE];

    hput_str(row, "Bold", "Terminated");
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strcmp(e->kill_reason, reasons[i].reason) == 0) {
            hput_fmt(row, "Text", "%s%s", reasons[i].words,
                     reasons[i].tells_time ? before_timeout(b, x, e->at_us) : "");
            return;
        }
    if (!text_is_empty(e->kill_reason))
        hput_fmt(row, "Text", "reason given by E2B: \xE2\x80\x9C%s\xE2\x80\x9D",
                 e->kill_reason);
    else if (x && execution_ended_at_deadline(x, b->v->tl.memory_mib))
        hput_str(row, "Text", "no reason recorded; the time fits its timeout");
    else if (x && x->deadline_us != TS_NONE && x->deadline_us > e->at_us)
        hput_fmt(row, "Text", "no reason recorded; %s before its timeout",
                 human_duration(x->deadline_us - e->at_us, span));
    else
        hput_str(row, "Text", "no reason recorded");
}

/* "sandbox.lifecycle.frozen_twice" -> "Frozen twice" */
static char *type_words(struct arena *a, const char *type)
{
    const char *last = strrchr(type, '.');
    char *words = arena_str(a, last ? last + 1 : type);

    for (char *p = words; *p; p++)
        if (*p == '_' || *p == '.')
            *p = ' ';
    if (words[0] >= 'a' && words[0] <= 'z')
        words[0] = (char)(words[0] - 'a' + 'A');
    return words;
}

static void tell_event(struct builder *b, HDF *row, const struct event *e)
{
    const struct execution *x = exec_of(&b->v->tl, e);

    switch (e->type) {
    case EVENT_CREATED:
        tell_created(row, x);
        break;
    case EVENT_RESUMED:
        tell_resumed(b, row, x);
        break;
    case EVENT_UPDATED:
        tell_updated(row, e, x);
        break;
    case EVENT_CHECKPOINTED:
        hput_str(row, "Bold", "Snapshot taken");
        hput_str(row, "Text", "the sandbox went on");
        break;
    case EVENT_PAUSED:
        tell_paused(b, row, x, e->at_us);
        break;
    case EVENT_KILLED:
        tell_killed(b, row, e, x);
        break;
    case EVENT_OTHER:
    case EVENT_TYPE_COUNT:
        hput_str(row, "Bold", type_words(b->a, e->type_text));
        break;
    }
}

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
    const struct execution *x = exec_of(&b->v->tl, e);
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
static void tell_gap(struct builder *b, HDF *row, const struct event *e)
{
    char span[HUMAN_SIZE];
    bool was_paused = b->was_paused;

    if (b->last_event_us == TS_NONE)
        return;
    for (size_t i = 0; i + 1 < b->v->tl.exec_count; i++)
        if (b->v->tl.execs[i].end_us != TS_NONE &&
            b->v->tl.execs[i].end_us <= b->last_event_us &&
            b->v->tl.execs[i + 1].start_us >= e->at_us - TS_SEC)
            was_paused = true;
    hput_fmt(row, "Gap", "%s %s", human_duration(e->at_us - b->last_event_us, span),
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
    tell_gap(b, row, it->event);
    tell_event(b, row, it->event);
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
    items[n] = (struct item){.at_us = at_us, .text = text, .href = href};
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

static int by_time(const void *pa, const void *pb)
{
    const struct item *x = pa, *y = pb;

    if (x->at_us != y->at_us)
        return x->at_us < y->at_us ? -1 : 1;
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

void view_timeline(HDF *root, const struct sandbox_view *v, const struct process *p,
                   size_t n, bool all_events, const char *all_href)
{
    struct builder b = {.v = v, .a = v->link->rq->arena, .last_event_us = TS_NONE};
    struct item *items =
        arena_array(b.a, v->ev->event_count + MAX_LOG_MARKS + 1, sizeof *items);
    size_t count = 0;

    b.at = hput_node(root, "Timeline");
    for (size_t i = 0; i < v->ev->event_count; i++)
        items[count++] = (struct item){
            .at_us = v->ev->events[i].at_us, .event = &v->ev->events[i], .index = i};
    count = add_marks(&b, items, count, p, n);
    qsort(items, count, sizeof *items, by_time);
    for (size_t i = 0; i < count && b.rows < MAX_ROWS; i++) {
        size_t run =
            all_events || !items[i].event ? 0 : fold_length(&items[i], count - i);

        if (!items[i].event) {
            put_mark(&b, &items[i]);
        } else if (run >= FOLD_RUN) {
            put_event(&b, &items[i]);
            put_fold(&b, run - 2, all_href);
            i += run - 1;
            put_event(&b, &items[i]);
        } else {
            put_event(&b, &items[i]);
        }
    }
    put_ahead(&b);
    hput_i64(b.at, "Count", (int64_t)v->ev->event_count);
    hput_bool(b.at, "IsCut", b.rows >= MAX_ROWS);
}
