/*
 * Rules about how the sandbox ended, used when nothing that happened inside ended the
 * work.
 */
#include "base/text.h"
#include "diag/limits.h"
#include "diag/rules.h"
#include <string.h>

#include "base/banned.h"

static const struct execution *last(const struct scene *s)
{
    return s->f->x;
}

static bool was_killed_for(const struct scene *s, const char *reason)
{
    return last(s) && last(s)->end == EXEC_KILLED &&
           strcmp(last(s)->kill_reason, reason) == 0;
}

static bool has_no_reason(const struct scene *s)
{
    return last(s) && last(s)->end == EXEC_KILLED &&
           (!*last(s)->kill_reason || strcmp(last(s)->kill_reason, "unknown") == 0);
}

bool rule_contradiction(const struct scene *s, struct verdict *v)
{
    v->why = "the records of the end contradict each other";
    return *s->f->contradiction != '\0';
}

/* ---- the machine ---- */

static bool machine_died(const struct scene *s)
{
    const struct facts *f = s->f;

    if (!last(s))
        return false;
    if (last(s)->end == EXEC_STOPPED)
        return !f->has_killing_line && !f->has_pausing_line;
    if (f->health_failing_us == TS_NONE ||
        (last(s)->end != EXEC_OPEN && last(s)->end != EXEC_GONE))
        return false;
    /* health failing and nothing heard since: dead, though E2B may say running until
       the limit */
    return f->ev->now_us - f->health_failing_us > TIMELINE_SILENT_US &&
           (!f->last_sample ||
            f->ev->now_us - f->last_sample->at_us > TIMELINE_SILENT_US) &&
           (!f->last_sample ||
            f->last_sample->at_us <= f->health_failing_us + LIMIT_SAMPLE_AGE_US);
}

bool rule_machine_full(const struct scene *s, struct verdict *v)
{
    struct mem_sample m;
    int64_t at;

    if (!machine_died(s))
        return false;
    at = last(s)->end_us != TS_NONE ? last(s)->end_us : s->f->ev->now_us;
    m = facts_memory_at(s->f, at);
    v->why = "inferred: memory was full in the last sample, and nobody asked for the end";
    return m.last && m.share >= LIMIT_MEMORY_FULL;
}

bool rule_machine_died(const struct scene *s, struct verdict *v)
{
    if (!machine_died(s))
        return false;
    v->why = "no kill and no pause is on record, and memory was not full";
    if (!s->f->last_sample) {
        v->confidence = CONFIDENCE_LOW;
        v->why =
            "no kill and no pause is on record; without samples, memory cannot be judged";
    }
    return true;
}

/* ---- kills ---- */

bool rule_kill_timeout(const struct scene *s, struct verdict *v)
{
    v->why = "E2B recorded the reason itself";
    return was_killed_for(s, "timeout");
}

bool rule_platform_kill(const struct scene *s, struct verdict *v)
{
    if (!last(s) || last(s)->end != EXEC_KILLED || has_no_reason(s) ||
        was_killed_for(s, "request") || was_killed_for(s, "timeout"))
        return false;
    v->why = "E2B recorded the reason itself";
    return true;
}

bool rule_request_working(const struct scene *s, struct verdict *v)
{
    if (!was_killed_for(s, "request"))
        return false;
    v->why = "E2B recorded the request, and work was in progress";
    if (s->progress.kind == PROGRESS_SERVER) {
        v->confidence = CONFIDENCE_MEDIUM;
        v->why =
            "E2B recorded the request; only a server was up, so its use cannot be seen";
        return true;
    }
    if (s->progress.kind == PROGRESS_RUNNING && !s->progress.proc &&
        s->f->con.in_flight_us == TS_NONE) {
        v->confidence = CONFIDENCE_MEDIUM;
        v->why =
            "E2B recorded the request; that work was in progress is read from the output";
    }
    return s->progress.kind == PROGRESS_RUNNING;
}

bool rule_ended_after_work(const struct scene *s, struct verdict *v)
{
    if (!was_killed_for(s, "request") && !has_no_reason(s))
        return false;
    v->why = "the work had ended before the sandbox was removed";
    return s->progress.kind == PROGRESS_DONE;
}

bool rule_request_unseen(const struct scene *s, struct verdict *v)
{
    if (!was_killed_for(s, "request"))
        return false;
    v->why = "the request is on record, but nothing shows whether work was in progress";
    return s->f->life_share < 0 || s->f->life_share < LIMIT_LATE_SHARE;
}

bool rule_no_reason_late(const struct scene *s, struct verdict *v)
{
    v->why = "the reason is inferred from the time alone";
    return has_no_reason(s) && s->f->life_share >= LIMIT_LATE_SHARE;
}

bool rule_no_reason_early(const struct scene *s, struct verdict *v)
{
    v->why = "no reason was recorded; the time does not fit the timeout";
    return has_no_reason(s) && s->f->life_share >= 0;
}

/* ---- pauses, lost ends, running ---- */

static bool is_at_limit(const struct scene *s, int64_t at_us)
{
    int64_t gib = s->f->memory_mib > 0 ? (s->f->memory_mib + 1023) / 1024 : 1;
    int64_t late = LIMIT_PAUSE_LATE_US + gib * LIMIT_PAUSE_PER_GIB_US;

    return last(s)->deadline_us != TS_NONE && at_us != TS_NONE &&
           at_us >= last(s)->deadline_us - LIMIT_SKEW_US &&
           at_us <= last(s)->deadline_us + late;
}

bool rule_auto_pause(const struct scene *s, struct verdict *v)
{
    if (!last(s) || last(s)->end != EXEC_PAUSED || !is_at_limit(s, last(s)->end_us))
        return false;
    v->why = "the time of the pause fits the limit; E2B does not mark it as automatic";
    if (s->progress.kind == PROGRESS_SERVER)
        v->confidence = CONFIDENCE_LOW;
    return s->progress.kind == PROGRESS_RUNNING || s->progress.kind == PROGRESS_SERVER;
}

bool rule_lost_timeout(const struct scene *s, struct verdict *v)
{
    const struct execution *x = last(s);

    v->why = "inferred: it was alive until its limit and is gone; the record of the end "
             "is missing";
    return x && x->end == EXEC_GONE && x->deadline_us != TS_NONE &&
           s->f->ev->now_us - x->deadline_us > LIMIT_END_LATE_US &&
           x->last_sign_us != TS_NONE &&
           x->last_sign_us >= x->deadline_us - LIMIT_ALIVE_AT_DEADLINE_US;
}

bool rule_paused(const struct scene *s, struct verdict *v)
{
    v->why = "E2B recorded the pause";
    return (last(s) && last(s)->end == EXEC_PAUSED) ||
           (last(s) == NULL && s->f->tl.state == SANDBOX_PAUSED);
}

bool rule_silent(const struct scene *s, struct verdict *v)
{
    v->why = "silence alone does not show whether the machine has died";
    return s->f->tl.state == SANDBOX_RUNNING && s->f->tl.is_silent &&
           s->f->ev->has_sandbox;
}

bool rule_running(const struct scene *s, struct verdict *v)
{
    v->why = "E2B says so, and nothing has failed";
    return s->f->tl.state == SANDBOX_RUNNING && s->f->ev->has_sandbox;
}

bool rule_never_started(const struct scene *s, struct verdict *v)
{
    const struct evidence *ev = s->f->ev;
    bool was_asked = false;

    for (size_t i = 0; i < ev->log_count; i++) {
        if (text_starts(ev->logs[i].message, "Started creating sandbox"))
            was_asked = true;
        else if (strcmp(ev->logs[i].message, "Sandbox stopped") != 0)
            return false;
    }
    v->why = "the request is in the log, but no start";
    return was_asked && ev->event_count == 0 && ev->metric_count == 0;
}

bool rule_nothing(const struct scene *s, struct verdict *v)
{
    (void)s;
    v->why = "what is there supports no answer";
    return true;
}
