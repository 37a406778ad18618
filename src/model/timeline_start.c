/*
 * Which executions there were, and when each began.
 *
 * Events are grouped by execution id; those without one (version v1) by their created and resumed
 * boundaries. Beginnings may have fallen off the list, so that it starts with any type.
 */
#include "model/timeline_draft.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"

#include "base/banned.h"

#define NEWER_START_US                                                                   \
    (60 * TS_SEC) /* so much later, a start is that of another execution */

struct fact_source source_at(enum fact_origin origin, int64_t at_us)
{
    return (struct fact_source){.origin = origin, .at_us = at_us};
}

struct draft *drafts_new(struct drafts *d)
{
    struct draft *x;

    d->items = arena_grow(d->a, d->items, d->n, &d->cap, sizeof(*d->items));
    x = &d->items[d->n++];
    *x = (struct draft){
        .e = {.id = "",
              .start_us = TS_NONE,
              .end_us = TS_NONE,
              .end = EXEC_OPEN,
              .kill_reason = "",
              .deadline_us = TS_NONE,
              .first_deadline_us = TS_NONE,
              .last_sign_us = TS_NONE}
    };
    return x;
}

static bool is_start(const struct event *e)
{
    return e->type == EVENT_CREATED || e->type == EVENT_RESUMED;
}

static bool is_end(const struct event *e)
{
    return e->type == EVENT_PAUSED || e->type == EVENT_KILLED;
}

/* The draft that an event without a usable id belongs to; NULL: it begins another. */
static struct draft *find_by_boundary(struct drafts *d, const struct event *e)
{
    struct draft *last = d->n ? &d->items[d->n - 1] : NULL;

    if (!last || is_start(e) || (last->e.end_event && is_end(e)))
        return NULL;
    return last;
}

static struct draft *find_draft(struct drafts *d, const struct event *e)
{
    struct draft *last;

    if (text_is_empty(e->execution_id))
        return find_by_boundary(d, e);
    for (size_t i = d->n; i > 0; i--) {
        if (strcmp(d->items[i - 1].e.id, e->execution_id) == 0)
            return &d->items[i - 1];
    }
    /* a run that began with events without ids */
    last = d->n ? &d->items[d->n - 1] : NULL;
    if (last && text_is_empty(last->e.id) && !last->e.end_event)
        return find_by_boundary(d, e);
    return NULL;
}

struct fact_source source_of_event(const struct event *e)
{
    return (struct fact_source){
        .origin = ORIGIN_EVENT, .event_type = e->type, .at_us = e->at_us};
}

static void set_end(struct execution *x, const struct event *e)
{
    x->end_event = e;
    x->end_source = source_of_event(e);
    x->end_us = e->at_us;
    x->end = e->type == EVENT_KILLED ? EXEC_KILLED : EXEC_PAUSED;
    x->kill_reason = e->kill_reason;
}

static void add_event(struct drafts *d, struct draft *x, const struct event *e)
{
    x->events =
        arena_grow(d->a, x->events, x->event_count, &x->event_cap, sizeof(*x->events));
    x->events[x->event_count++] = e;
    if (text_is_empty(x->e.id))
        x->e.id = e->execution_id;
    if (is_start(e) && !x->e.start_event) {
        x->e.start_event = e;
        x->e.start_us = e->at_us;
        x->e.start_source = source_of_event(e);
        x->e.start_is_known = true;
        x->e.is_resume = e->type == EVENT_RESUMED;
    }
    /* a kill says more than the pause before it */
    if (is_end(e) && x->e.end != EXEC_KILLED)
        set_end(&x->e, e);
}

void drafts_from_events(struct drafts *d)
{
    for (size_t i = 0; i < d->ev->event_count; i++) {
        const struct event *e = &d->ev->events[i];
        struct draft *x = find_draft(d, e);

        add_event(d, x ? x : drafts_new(d), e);
    }
    if (d->n > 0 && d->items[0].e.start_event == &d->ev->events[0])
        d->items[0].e.is_first_on_record_resumed = d->items[0].e.is_resume;
}

static const struct {
    const char *message;
    enum log_mark mark;
} marks[] = {
    {"Started creating sandbox", MARK_STARTING     },
    {"Started resuming sandbox", MARK_RESUMING     },
    {"Sandbox created",          MARK_CREATED      },
    {"Checkpointing sandbox",    MARK_CHECKPOINTING},
    {"Pausing sandbox",          MARK_PAUSING      },
    {"Killing sandbox",          MARK_KILLING      },
    {"Sandbox stopped",          MARK_STOPPED      },
    {"Sandbox killed",           MARK_OLD_KILLED   },
};

enum log_mark log_line_mark(const struct log_line *l)
{
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (strcmp(l->message, marks[i].message) == 0)
            return log_line_is_platform(l) ? marks[i].mark : MARK_NONE;
    }
    return MARK_NONE;
}

static bool is_request_mark(enum log_mark mark)
{
    return mark == MARK_STARTING || mark == MARK_RESUMING;
}

/* Any sign that a VM was up? A request to start one is none. */
static bool has_life(const struct evidence *ev)
{
    if (ev->has_sandbox || ev->metric_count > 0)
        return true;
    for (size_t i = 0; i < ev->log_count; i++) {
        if (!is_request_mark(log_line_mark(&ev->logs[i])))
            return true;
    }
    return ev->output_count > 0;
}

/* "Sandbox created" is written at each start; lines of an end before the first one tell of an
   execution whose beginning is lost. */
void drafts_from_logs(struct drafts *d)
{
    bool is_resume = false;

    for (size_t i = 0; i < d->ev->log_count; i++) {
        const struct log_line *l = &d->ev->logs[i];
        enum log_mark mark = log_line_mark(l);

        if (is_request_mark(mark)) {
            is_resume = mark == MARK_RESUMING;
        } else if (mark == MARK_CREATED) {
            struct draft *x = drafts_new(d);

            x->e.start_us = l->at_us;
            x->e.start_source = source_at(ORIGIN_LINE, l->at_us);
            x->e.start_is_known = true;
            x->e.is_resume = is_resume || d->n > 1;
        } else if (mark != MARK_NONE && d->n == 0) {
            drafts_new(d);
        }
    }
    if (d->n == 0 && has_life(d->ev))
        drafts_new(d);
}

static int64_t newest_of(const struct draft *x)
{
    return x->event_count ? x->events[x->event_count - 1]->at_us : x->e.start_us;
}

/* Get Sandbox may know of a start whose event is late or lost. */
void drafts_add_current(struct drafts *d)
{
    const struct sandbox *s = &d->ev->sandbox;
    const struct draft *last = d->n ? &d->items[d->n - 1] : NULL;
    bool is_newer;
    struct draft *x;

    if (!d->ev->has_sandbox || s->started_us == TS_NONE)
        return;
    if (!last)
        is_newer = true;
    else if (last->e.end_us != TS_NONE)
        is_newer = s->started_us > last->e.end_us;
    else
        is_newer = newest_of(last) != TS_NONE &&
                   s->started_us > newest_of(last) + NEWER_START_US;
    if (!is_newer)
        return;
    x = drafts_new(d);
    x->e.start_us = s->started_us;
    x->e.start_source = source_at(ORIGIN_GET, d->ev->now_us);
    x->e.start_is_known = true;
    x->e.is_resume = d->n > 1;
}

size_t drafts_first_metric(const struct evidence *ev, int64_t at_us)
{
    size_t lo = 0, hi = ev->metric_count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (ev->metrics[mid].at_us < at_us)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

size_t drafts_first_log(const struct evidence *ev, int64_t at_us)
{
    size_t lo = 0, hi = ev->log_count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (ev->logs[mid].at_us < at_us)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The newest "Sandbox created" in [from, to]; TS_NONE when there is none. */
static int64_t created_line_in(const struct evidence *ev, int64_t from_us, int64_t to_us)
{
    int64_t found_us = TS_NONE;

    for (size_t i = drafts_first_log(ev, from_us); i < ev->log_count; i++) {
        if (ev->logs[i].at_us > to_us)
            break;
        if (log_line_mark(&ev->logs[i]) == MARK_CREATED)
            found_us = ev->logs[i].at_us;
    }
    return found_us;
}

/* The first sample or line in [from, to]; to when there is none. */
static int64_t first_sign_in(const struct evidence *ev, int64_t from_us, int64_t to_us)
{
    size_t m = drafts_first_metric(ev, from_us);
    size_t l = drafts_first_log(ev, from_us);
    int64_t first_us = to_us;

    if (m < ev->metric_count && ev->metrics[m].at_us < first_us)
        first_us = ev->metrics[m].at_us;
    while (l < ev->log_count && is_request_mark(log_line_mark(&ev->logs[l])))
        l++;
    if (l < ev->log_count && ev->logs[l].at_us < first_us)
        first_us = ev->logs[l].at_us;
    return first_us;
}

/* It had begun when its first event or forwarded line came, and before the next one began. */
static int64_t latest_start(const struct drafts *d, size_t i)
{
    const struct evidence *ev = d->ev;
    const struct draft *x = &d->items[i];
    int64_t us = x->event_count ? x->events[0]->at_us : ev->now_us;

    if (!x->event_count && ev->output_count && ev->output[0].at_us != TS_NONE &&
        ev->output[0].at_us < us)
        us = ev->output[0].at_us;
    if (i + 1 < d->n && d->items[i + 1].e.start_is_known &&
        d->items[i + 1].e.start_us <= us)
        us = d->items[i + 1].e.start_us - 1;
    return us;
}

static void find_start(const struct drafts *d, size_t i)
{
    const struct evidence *ev = d->ev;
    struct draft *x = &d->items[i];
    const struct execution *prev = i > 0 ? &d->items[i - 1].e : NULL;
    int64_t from_us = TS_NONE; /* the smallest time there is */
    int64_t to_us = latest_start(d, i);
    int64_t start_us = x->e.end_event ? x->e.end_event->exec_started_us : TS_NONE;

    if (prev && prev->end_us != TS_NONE)
        from_us = prev->end_us + TIMELINE_AFTER_END_US;
    else if (prev)
        from_us = prev->start_us + 1;
    if (from_us > to_us)
        from_us = to_us;
    if (start_us != TS_NONE)
        x->e.start_source = source_of_event(x->e.end_event);
    if (start_us == TS_NONE) {
        start_us = created_line_in(ev, from_us, to_us);
        x->e.start_source = source_at(ORIGIN_LINE, start_us);
    }
    if (start_us == TS_NONE && i + 1 == d->n && ev->has_sandbox &&
        ev->sandbox.started_us >= from_us && ev->sandbox.started_us <= to_us) {
        start_us = ev->sandbox.started_us;
        x->e.start_source = source_at(ORIGIN_GET, ev->now_us);
    }
    x->e.start_is_known = start_us != TS_NONE;
    if (!x->e.start_is_known) {
        start_us = first_sign_in(ev, from_us, to_us);
        x->e.start_source = source_at(ORIGIN_SAMPLE, start_us);
    }
    x->e.start_us = start_us;
    x->e.is_resume = i > 0;
}

void drafts_fill_starts(struct drafts *d)
{
    for (size_t i = 0; i < d->n; i++) {
        struct execution *x = &d->items[i].e;

        if (!x->start_is_known)
            find_start(d, i);
        if (x->end_us != TS_NONE && x->end_us < x->start_us)
            x->end_us = x->start_us; /* clocks disagree, or the list is odd */
    }
}

void drafts_fill_spans(struct drafts *d)
{
    for (size_t i = 0; i < d->n; i++) {
        struct draft *x = &d->items[i];

        x->from_us = INT64_MIN;
        x->to_us = INT64_MAX;
        if (i == 0)
            continue;
        x->from_us = x->e.start_us - TIMELINE_BEFORE_START_US;
        if (d->items[i - 1].e.end_us != TS_NONE && x->from_us < d->items[i - 1].e.end_us)
            x->from_us = d->items[i - 1].e.end_us;
        if (x->from_us < d->items[i - 1].from_us)
            x->from_us = d->items[i - 1].from_us;
        d->items[i - 1].to_us = x->from_us;
    }
}
