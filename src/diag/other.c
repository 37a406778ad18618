/*
 * What was ruled out and by which number, what is missing, what to tell the customer,
 * what would fix it.
 */
#include "base/arena.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "diag/explain.h"
#include "diag/limits.h"
#include "diag/usable.h"
#include <ctype.h>
#include <string.h>

#include "base/banned.h"

/* Factors that say by themselves what to correct. */
#define FACTORS_OF_CAUSE                                                                 \
    (~(unsigned)(FACTOR_CPU_PEGGED | FACTOR_STARTED_BY_RESUME |                          \
                 FACTOR_TIMEOUT_EXTENDED | FACTOR_TIMEOUT_SHORTENED))
#define TEXT_MAX 1500
/* How long E2B keeps metrics and logs (e2b.md 4, 5.3). */
#define RETENTION_US (7 * TS_DAY)

/* ---- ruled out ---- */

static const char *not_memory(const struct scene *s)
{
    const struct facts *f = s->f;

    if (!f->peak)
        return "";
    if (f->peak_share < LIMIT_MEMORY_FULL)
        return arena_fmt(f->a, "Used memory was never above %s.",
                         say_percent(f->a, f->peak_share));
    return arena_fmt(f->a,
                     "Used memory reached %s, but nothing died of it or was refused.",
                     say_percent(f->a, f->peak_share));
}

static const char *not_timeout(const struct scene *s, const struct verdict *v)
{
    const struct facts *f = s->f;
    const struct execution *x = f->x;

    if (!x)
        return "";
    if (x->end == EXEC_KILLED && strcmp(x->kill_reason, "timeout") == 0 &&
        v->names_failure)
        return arena_fmt(f->a, "It came at %s, %s after the failure.",
                         say_clock(f->a, x->end_us),
                         say_duration(f->a, x->end_us - s->d->at_us));
    if (x->end == EXEC_KILLED && *x->kill_reason &&
        strcmp(x->kill_reason, "timeout") != 0 && strcmp(x->kill_reason, "unknown") != 0)
        return arena_fmt(f->a, "The only kill on record has the reason \"%s\".",
                         x->kill_reason);
    if (x->end == EXEC_STOPPED)
        return "No timeout is on record, and it always leaves one.";
    if (f->span_us != TS_NONE && f->life_us != TS_NONE && f->span_us > f->life_us)
        return arena_fmt(f->a, "The limit was still %s away.",
                         say_duration(f->a, f->span_us - f->life_us));
    return "";
}

static const char *not_killed(const struct scene *s, const struct verdict *v)
{
    const struct execution *x = s->f->x;

    if (!x)
        return "";
    if (x->end == EXEC_KILLED && v->names_failure && s->d && x->end_us >= s->d->at_us)
        return arena_fmt(s->f->a,
                         "The sandbox was ended %s after the failure, not before.",
                         say_duration(s->f->a, x->end_us - s->d->at_us));
    if (x->end == EXEC_KILLED && strcmp(x->kill_reason, "timeout") == 0)
        return "The only kill on record has the reason \"timeout\".";
    if (x->end == EXEC_KILLED && v->cls == CLASS_UNDETERMINED)
        return strcmp(x->kill_reason, "request") == 0
                   ? "The request came after the work was done."
                   : "The end came after the work was done.";
    if (x->end == EXEC_PAUSED)
        return "It was paused, not ended.";
    return x->end == EXEC_KILLED ? "" : "No kill is on record.";
}

static const char *not_crashed(const struct scene *s)
{
    if (s->failures.handled || s->f->con.told_count)
        return "What failed on the way was handled, or had no effect on the end.";
    if (!s->f->con.line_count && !s->f->proc_count)
        return "";
    return s->f->con.line_count ? "No program error is on record before the end."
                                : "No command ended badly, as far as the log shows.";
}

void explain_ruled_out(const struct scene *s, const struct verdict *v,
                       struct finding *out)
{
    struct ruled_out *list = arena_array(s->f->a, CLASS_COUNT, sizeof(*list));
    const char *texts[CLASS_COUNT] = {
        [CLASS_OUT_OF_MEMORY] = not_memory(s),
        [CLASS_TIMEOUT] = not_timeout(s, v),
        [CLASS_KILLED_EARLY] = not_killed(s, v),
        [CLASS_CRASHED] = v->names_failure ? "" : not_crashed(s),
        [CLASS_UNDETERMINED] = "",
    };
    size_t n = 0;

    if (v->cls == CLASS_OUT_OF_MEMORY && v->names_failure)
        texts[CLASS_CRASHED] =
            s->d->kernel ? "The kill is on record; the program did not fail by itself."
                         : "No other program error came before.";
    if (v->reason == REASON_NOT_ENOUGH)
        texts[CLASS_CRASHED] = "";
    if (v->reason == REASON_NOT_ENOUGH && v->names_failure)
        /* a process that died: these say nothing certain of that (possible.c) */
        texts[CLASS_OUT_OF_MEMORY] = texts[CLASS_KILLED_EARLY] = "";
    for (int c = 0; c < CLASS_COUNT; c++)
        if (c != (int)v->cls && *texts[c])
            list[n++] = (struct ruled_out){(enum finding_class)c, texts[c]};
    out->ruled_out = list;
    out->ruled_out_count = n;
}

/* ---- missing ---- */

static const char *why_missing(const struct facts *f, const struct source *src)
{
    int64_t sign = f->tl.last_sign_us;

    if (src->state == SOURCE_FAILED)
        return " (they could not be read)";
    if (src->state == SOURCE_UNSUPPORTED)
        return " (this installation has none)";
    if (sign != TS_NONE && f->ev->now_us - sign > RETENTION_US)
        return " (E2B keeps them 7 days only)";
    return "";
}

const char *explain_missing(const struct scene *s, const struct verdict *v)
{
    const struct facts *f = s->f;
    const struct evidence *ev = f->ev;
    struct sbuf b;
    const char *out;

    sbuf_init(&b, TEXT_MAX);
    if (!ev->event_count)
        sbuf_addf(&b, "No lifecycle events%s. ", why_missing(f, &ev->events_src));
    if (!ev->metric_count)
        sbuf_addf(&b, "No metrics%s: memory, processor and disk cannot be judged. ",
                  why_missing(f, &ev->metrics_src));
    else if (f->sample_count > 0 && f->sample_count < 3)
        sbuf_addf(&b, "Only %zu %s of memory and processor. ", f->sample_count,
                  f->sample_count == 1 ? "sample" : "samples");
    if (!ev->log_count)
        sbuf_addf(&b, "No log lines%s. ", why_missing(f, &ev->logs_src));
    if (!ev->output_count)
        sbuf_adds(
            &b, "What the programs printed was not forwarded: ask the customer for it. ");
    if (ev->log_count && !f->proc_count)
        sbuf_adds(&b, "No process entries: notebook code leaves none. ");
    if (v->cls == CLASS_UNDETERMINED && v->names_failure)
        sbuf_adds(&b, "The system's own log (dmesg) from that time, and metrics, would "
                      "settle it. ");
    sbuf_adds(&b, usable_doubts(f));
    out = text_trim(f->a, arena_str(f->a, b.s));
    sbuf_release(&b);
    return out;
}

/* ---- reply and fix ---- */

/* "The script train.py" inside a sentence. */
static const char *inside(struct arena *a, const char *s)
{
    char *out = arena_str(a, s);

    if (*out && isupper((unsigned char)out[0]) && !isupper((unsigned char)out[1]))
        out[0] = (char)tolower((unsigned char)out[0]);
    return out;
}

/* Endings that the platform chose, and what helps then; NULL for other reasons. */
static const char *platform_helps(const char *reason)
{
    static const struct {
        const char *reason, *helps;
    } rows[] = {
        {"admin",                 "It did not fail by itself."                          },
        {"orphaned",
         "It did not fail by itself; starting it again in a new sandbox should be fine."},
        {"seal_failed",
         "It did not fail by itself; starting it again in a new sandbox should be fine."},
        {"resume_failed",
         "It did not fail by itself; starting it again in a new sandbox should be fine."},
        {"base_template_missing",
         "Its template had been deleted; a new sandbox needs a template that exists."   },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(reason, rows[i].reason) == 0)
            return rows[i].helps;
    return NULL;
}

static const char *kill_reason(const struct scene *s)
{
    return s->f->x ? s->f->x->kill_reason : "";
}

static const char *reply_helps(const struct scene *s, const struct verdict *v)
{
    switch (v->cls) {
    case CLASS_OUT_OF_MEMORY:
        if (strcmp(v->rule->name, "own_memory_ceiling") == 0)
            return "The limit is a setting of the program itself; raising it, or working "
                   "in smaller parts, should "
                   "help.";
        return "Working in smaller parts, or a sandbox with more memory, should help.";
    case CLASS_TIMEOUT:
        if (strcmp(v->rule->name, "command_limit") == 0)
            return "Giving that command a longer time limit should help.";
        if (s->progress.kind == PROGRESS_DONE && !v->names_failure)
            return "Nothing was lost; a longer time only matters if you still need the "
                   "sandbox.";
        return "A longer time limit, or extending it while the work goes on, should "
               "help.";
    case CLASS_KILLED_EARLY:
        if (!v->names_failure && platform_helps(kill_reason(s)))
            return platform_helps(kill_reason(s));
        return "It did not fail by itself. Please check whether something on your side "
               "ended it; running it again should be fine.";
    case CLASS_CRASHED:
        return v->names_failure ? "The message of the program names the place; we are "
                                  "glad to look at it with you."
                                : "Starting it again in a new sandbox should be fine.";
    default:
        return "If something still looks wrong, please send us what your program printed "
               "and the time.";
    }
}

const char *explain_reply(const struct scene *s, const struct verdict *v,
                          const struct finding *out)
{
    struct arena *a = s->f->a;
    const char *what = "";
    const char *at = out->failed_at_us != TS_NONE
                         ? arena_fmt(a, " at %s UTC", say_clock(a, out->failed_at_us))
                         : "";
    const char *subject = inside(a, say_subject(s, v));
    const char *cause = s->d && s->d->told ? s->d->told->words : "";

    switch (v->cls) {
    case CLASS_OUT_OF_MEMORY:
        what =
            v->names_failure
                ? arena_fmt(a, "%s needed more memory than it could get%s and stopped.",
                            subject, at)
                : arena_fmt(a, "the memory was used up%s and your sandbox stopped.", at);
        break;
    case CLASS_TIMEOUT:
        what =
            v->names_failure
                ? arena_fmt(a,
                            "one command took longer than the time it was given and was "
                            "stopped%s.",
                            at)
                : arena_fmt(a, "your sandbox reached the end of its set time%s.", at);
        break;
    case CLASS_KILLED_EARLY:
        what =
            v->names_failure
                ? arena_fmt(a, "%s was told to stop from outside%s.", subject, at)
            : platform_helps(kill_reason(s))
                ? arena_fmt(
                      a, "the platform ended your sandbox%s, before its time was up.", at)
                : arena_fmt(
                      a, "your sandbox was ended from outside%s, before its time was up.",
                      at);
        break;
    case CLASS_CRASHED:
        what = v->names_failure
                   ? arena_fmt(a, "%s stopped with an error%s%s%s.", subject, at,
                               *cause ? ": " : "", cause)
                   : arena_fmt(a, "the machine behind your sandbox stopped%s.", at);
        break;
    default:
        what = v->reason == REASON_NOT_ENOUGH
                   ? "we cannot tell from our records yet what happened, and do not want "
                     "to guess."
                   : "we found no failure on our side of this run.";
        break;
    }
    return arena_fmt(a,
                     "Hello,\n\nwe looked into this: %s %s\n\nPlease tell us if it "
                     "happens again.\n",
                     what, reply_helps(s, v));
}

static const char *fix_of_class(const struct verdict *v, unsigned bits)
{
    switch (v->cls) {
    case CLASS_OUT_OF_MEMORY:
        if (strcmp(v->rule->name, "own_memory_ceiling") == 0)
            return "Raise the program's own memory limit, or let it work in smaller "
                   "parts.";
        return "Use a template with more memory, or let the program work in smaller "
               "parts.";
    case CLASS_TIMEOUT:
        if (v->names_failure)
            return "Give the command a longer time limit of its own.";
        if (bits & (FACTOR_TIMEOUT_SHORTENED | FACTOR_TIMEOUT_EXTENDED))
            return ""; /* the factor says it better */
        return "Set a longer timeout at the start, or extend it while the work goes on.";
    case CLASS_KILLED_EARLY:
        return "Find what ended it: the application that holds the key, or the platform.";
    case CLASS_CRASHED:
        return v->names_failure && !(bits & FACTORS_OF_CAUSE)
                   ? "Correct the program at the place that its message names."
                   : "";
    default:
        return "";
    }
}

/* The advice of the class, then that of each factor. */
const char *explain_fix(const struct scene *s, const struct verdict *v)
{
    unsigned bits = factor_bits(s, v);
    const char *out = fix_of_class(v, bits);

    if (v->cls == CLASS_UNDETERMINED)
        return out;
    for (size_t i = 0; i < factor_count; i++)
        if ((bits & factor_table[i].bit) &&
            factor_table[i].bit != FACTOR_STARTED_BY_RESUME)
            out = *out ? arena_fmt(s->f->a, "%s %s", out, factor_table[i].advice)
                       : factor_table[i].advice;
    return out;
}
