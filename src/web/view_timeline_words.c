/*
 * What happened at an event, in the words of ux.md section 7.
 */
#include "web/view_timeline_words.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/text.h"
#include "base/ts.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

const struct execution *timeline_exec_of(const struct timeline *tl, const struct event *e)
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
static const char *before_timeout(const struct sandbox_view *v, const struct execution *x,
                                  int64_t at_us)
{
    char span[HUMAN_SIZE];

    if (!x || x->deadline_us == TS_NONE)
        return "";
    if (at_us >= x->deadline_us - TIMELINE_DEADLINE_EARLY_US)
        return "";
    return arena_fmt(v->link->rq->arena, ", %s before its timeout",
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

const char *timeline_ordinal(struct arena *a, size_t n)
{
    static const char *const words[] = {"first", "second",  "third",  "fourth", "fifth",
                                        "sixth", "seventh", "eighth", "ninth",  "tenth"};

    return n < sizeof words / sizeof words[0] ? words[n] : arena_fmt(a, "%zuth", n + 1);
}

static void tell_resumed(const struct sandbox_view *v, HDF *row,
                         const struct execution *x)
{
    const struct timeline *tl = &v->tl;

    hput_str(row, "Bold", "Resumed");
    if (x && x->is_first_on_record_resumed)
        hput_str(row, "Text",
                 "its beginning is not on record (a fork, or older than E2B keeps)");
    else
        hput_fmt(row, "Text", "same sandbox, %s run",
                 timeline_ordinal(v->link->rq->arena, x ? (size_t)(x - tl->execs) : 1));
}

static void tell_paused(const struct sandbox_view *v, HDF *row, const struct execution *x,
                        int64_t at_us)
{
    hput_str(row, "Bold", "Paused");
    if (x && execution_ended_at_deadline(x, v->tl.memory_mib))
        hput_str(row, "Text", "by its timeout; it can be resumed");
    else if (!x || x->deadline_us == TS_NONE)
        hput_str(row, "Text",
                 "by a request or by its timeout: when that was is not known");
    else
        hput_fmt(row, "Text", "by a request%s", before_timeout(v, x, at_us));
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

const char *view_kill_words(const char *reason, bool *tells_time)
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

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strcmp(reason, reasons[i].reason) == 0) {
            *tells_time = reasons[i].tells_time;
            return reasons[i].words;
        }
    return NULL;
}

static void tell_killed(const struct sandbox_view *v, HDF *row, const char *reason,
                        int64_t at_us, const struct execution *x)
{
    bool tells_time;
    const char *words = view_kill_words(reason, &tells_time);
    char span[HUMAN_SIZE];

    hput_str(row, "Bold", "Terminated");
    if (words)
        hput_fmt(row, "Text", "%s%s", words,
                 tells_time ? before_timeout(v, x, at_us) : "");
    else if (!text_is_empty(reason))
        hput_fmt(row, "Text", "reason given by E2B: \xE2\x80\x9C%s\xE2\x80\x9D", reason);
    else if (x && execution_ended_at_deadline(x, v->tl.memory_mib))
        hput_str(row, "Text", "no reason recorded; the time fits its timeout");
    else if (x && x->deadline_us != TS_NONE && x->deadline_us > at_us)
        hput_fmt(row, "Text", "no reason recorded; %s before its timeout",
                 human_duration(x->deadline_us - at_us, span));
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

void timeline_tell_event(const struct sandbox_view *v, HDF *row, const struct event *e)
{
    const struct execution *x = timeline_exec_of(&v->tl, e);

    switch (e->type) {
    case EVENT_CREATED:
        tell_created(row, x);
        break;
    case EVENT_RESUMED:
        tell_resumed(v, row, x);
        break;
    case EVENT_UPDATED:
        tell_updated(row, e, x);
        break;
    case EVENT_CHECKPOINTED:
        hput_str(row, "Bold", "Snapshot taken");
        hput_str(row, "Text", "the sandbox went on");
        break;
    case EVENT_PAUSED:
        tell_paused(v, row, x, e->at_us);
        break;
    case EVENT_KILLED:
        tell_killed(v, row, e->kill_reason, e->at_us, x);
        break;
    case EVENT_OTHER:
    case EVENT_TYPE_COUNT:
        hput_str(row, "Bold", type_words(v->link->rq->arena, e->type_text));
        break;
    }
}
