/*
 * How each execution ended: by its event, else by the lines of E2B's hosts, else by what followed.
 *
 * A VM that dies sends no event (e2b.md 6.6): "Sandbox stopped" with no line of a kill, pause or
 * checkpoint before it is all that tells.
 */
#include "model/timeline_draft.h"

#include "base/text.h"

#include "base/banned.h"

#define CHECKPOINT_EXCUSES_US                                                            \
    (10 * TS_MIN)                  /* a checkpoint also stops the VM's process, once */
#define MARK_ORDER_US (2 * TS_SEC) /* lines this close may come in either order */

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The newest time among a draft's events, samples and lines, not after limit_us. */
static int64_t last_sign(const struct evidence *ev, const struct draft *x,
                         int64_t limit_us)
{
    int64_t to_us = limit_us < x->to_us ? limit_us + 1 : x->to_us;
    int64_t sign_us = x->e.start_is_known ? x->e.start_us : TS_NONE;
    size_t m = drafts_first_metric(ev, to_us);
    size_t l = drafts_first_log(ev, to_us);

    for (size_t i = 0; i < x->event_count; i++)
        sign_us = later(sign_us, x->events[i]->at_us);
    if (m > 0 && ev->metrics[m - 1].at_us >= x->from_us)
        sign_us = later(sign_us, ev->metrics[m - 1].at_us);
    if (l > 0 && ev->logs[l - 1].at_us >= x->from_us)
        sign_us = later(sign_us, ev->logs[l - 1].at_us);
    return later(sign_us, x->e.start_us);
}

void drafts_fill_signs(struct drafts *d)
{
    for (size_t i = 0; i < d->n; i++) {
        struct draft *x = &d->items[i];
        int64_t limit_us =
            x->e.end_us == TS_NONE ? d->ev->now_us : x->e.end_us + TIMELINE_AFTER_END_US;

        x->e.last_sign_us = last_sign(d->ev, x, limit_us);
    }
}

struct end_marks {
    const struct log_line *killing, *pausing,
        *checkpointing; /* the newest of each, or NULL */
};

static void note_mark(struct end_marks *seen, const struct log_line *l)
{
    switch (log_line_mark(l)) {
    case MARK_KILLING:
        seen->killing = l;
        break;
    case MARK_PAUSING:
        seen->pausing = l;
        break;
    case MARK_CHECKPOINTING:
        seen->checkpointing = l;
        break;
    default:
        break;
    }
}

static void end_by_line(struct execution *x, enum exec_end end, const struct log_line *l)
{
    x->end = end;
    x->end_us = later(l->at_us, x->start_us);
    x->end_source = source_at(ORIGIN_LINE, l->at_us);
}

static void end_by_kill(struct execution *x, const struct log_line *killing,
                        const struct log_line *at)
{
    end_by_line(x, EXEC_KILLED, at);
    x->kill_reason = tag_get(killing->fields, killing->field_count, "kill_reason", "");
}

/* "Sandbox stopped" at index i. False: a checkpoint explains it and the sandbox went on. */
static bool end_by_stop(const struct evidence *ev, struct draft *x,
                        struct end_marks *seen, size_t i)
{
    const struct log_line *stop = &ev->logs[i];

    if (!seen->killing && !seen->pausing && seen->checkpointing &&
        stop->at_us - seen->checkpointing->at_us <= CHECKPOINT_EXCUSES_US) {
        seen->checkpointing = NULL;
        return false;
    }
    for (i++; i < ev->log_count && ev->logs[i].at_us - stop->at_us <= MARK_ORDER_US; i++)
        note_mark(seen, &ev->logs[i]);
    if (seen->killing)
        end_by_kill(&x->e, seen->killing, stop);
    else
        end_by_line(&x->e, seen->pausing ? EXEC_PAUSED : EXEC_STOPPED, stop);
    return true;
}

/* Old servers write "Sandbox killed" at every ending, a pause too. */
static enum exec_end old_killed_end(const struct drafts *d, size_t i)
{
    bool is_last = i + 1 == d->n;
    bool says_paused = d->ev->has_sandbox && d->ev->sandbox.state == SANDBOX_PAUSED;

    return !is_last || says_paused ? EXEC_PAUSED : EXEC_KILLED;
}

static void end_from_logs(const struct drafts *d, size_t at)
{
    const struct evidence *ev = d->ev;
    struct draft *x = &d->items[at];
    struct end_marks seen = {.killing = NULL};
    bool is_running =
        ev->has_sandbox && ev->sandbox.state == SANDBOX_RUNNING && at + 1 == d->n;

    for (size_t i = drafts_first_log(ev, x->from_us); i < ev->log_count; i++) {
        const struct log_line *l = &ev->logs[i];
        enum log_mark mark = log_line_mark(l);

        if (l->at_us >= x->to_us)
            break;
        note_mark(&seen, l);
        if (mark == MARK_OLD_KILLED) {
            end_by_line(&x->e, old_killed_end(d, at), l);
            return;
        }
        if (mark == MARK_STOPPED && end_by_stop(ev, x, &seen, i))
            return;
    }
    if (seen.killing)
        end_by_kill(&x->e, seen.killing, seen.killing);
    else if (seen.pausing && !is_running)
        end_by_line(&x->e, EXEC_PAUSED, seen.pausing);
}

/* The last execution, of which neither event nor line tells an end. */
static void end_from_get(const struct evidence *ev, struct execution *x)
{
    if (ev->has_sandbox && ev->sandbox.state == SANDBOX_PAUSED) {
        x->end = EXEC_PAUSED;
        x->end_us =
            later(ev->sandbox.end_us, x->start_us); /* may be earlier: e2b.md 3.2 */
        x->end_source = source_at(ORIGIN_GET, ev->now_us);
    } else if (ev->sandbox_src.state == SOURCE_NOT_THERE) {
        x->end = EXEC_GONE;
        x->end_source = source_at(ORIGIN_GET, ev->now_us);
    }
}

void drafts_fill_ends(struct drafts *d)
{
    for (size_t i = 0; i < d->n; i++) {
        struct draft *x = &d->items[i];

        if (x->e.end != EXEC_OPEN)
            continue;
        end_from_logs(d, i);
        if (x->e.end != EXEC_OPEN)
            continue;
        if (i + 1 < d->n || !d->ev->has_sandbox)
            drafts_end_from_record(d, &x->e, i + 1 == d->n);
        if (x->e.end != EXEC_OPEN)
            continue;
        if (i + 1 == d->n) {
            end_from_get(d->ev, &x->e);
        } else { /* another one followed, so this one was saved */
            x->e.end = EXEC_PAUSED;
            x->e.end_us = x->e.last_sign_us;
            x->e.end_source = source_at(ORIGIN_SAMPLE, x->e.last_sign_us);
        }
    }
}

int64_t execution_known_until(const struct execution *x, int64_t now_us)
{
    int64_t until_us = x->end_us;

    if (x->end == EXEC_OPEN)
        until_us = now_us;
    else if (until_us == TS_NONE)
        until_us = x->last_sign_us;
    return later(until_us, x->start_us);
}

bool execution_ended_at_deadline(const struct execution *x, int64_t memory_mib)
{
    int64_t late_us = TIMELINE_DEADLINE_LATE_US;
    int64_t after_us;

    if (x->end_us == TS_NONE || x->deadline_us == TS_NONE)
        return false;
    if (x->end == EXEC_PAUSED && memory_mib > 0)
        late_us += (memory_mib + 1023) / 1024 * TIMELINE_PAUSE_PER_GIB_US;
    after_us = x->end_us - x->deadline_us;
    return after_us >= -TIMELINE_DEADLINE_EARLY_US && after_us <= late_us;
}
