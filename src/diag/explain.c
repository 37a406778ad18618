/*
 * Headline and brief. Plain words only: what broke, when, who or what ended it; names of
 * errors are quoted in the evidence, never here (ux.md 11).
 */
#include "diag/explain.h"
#include "base/arena.h"
#include "base/human.h"
#include "base/sbuf.h"
#include "base/text.h"
#include <string.h>

#include "base/banned.h"

#define BRIEF_MAX 2000

static bool is_rule(const struct verdict *v, const char *name)
{
    return strcmp(v->rule->name, name) == 0;
}

static bool is_install(const struct scene *s)
{
    return s->d && s->d->proc && strcmp(s->d->proc->subject, "The installation") == 0;
}

/* ---- headlines ---- */

#define HEADLINE_WANTED 70 /* characters (ux.md 11) */
#define DURATIONS_FIT 18   /* together, in one headline */
#define WORDS_FIT 36       /* longer words leave no room for "with an error" */

/* The wording with the customer's own name of the thing, or without it when that gets
   too long. */
static const char *fit(struct arena *a, const char *subject, const char *plain,
                       const char *rest)
{
    if (strlen(subject) + strlen(rest) < HEADLINE_WANTED)
        return arena_fmt(a, "%s %s", subject, rest);
    return arena_fmt(a, "%s %s", plain, rest);
}

static const char *headline_memory(const struct scene *s, const struct verdict *v,
                                   const char *subject)
{
    struct arena *a = s->f->a;

    if (!v->names_failure)
        return "The sandbox ran out of memory and its machine stopped";
    if (s->d->told && (s->d->told->factors & FACTOR_KERNEL_RESTARTED))
        return "The notebook kernel ran out of memory and was restarted";
    if (is_install(s))
        return "The installation ran out of memory and failed";
    if (is_rule(v, "own_memory_ceiling"))
        return fit(a, subject, "The program",
                   "used all the memory it may use and stopped");
    if (is_rule(v, "memory_refused"))
        return fit(a, subject, "The program",
                   "asked for more memory than there was and stopped");
    return fit(a, subject, "The program", "ran out of memory and was killed");
}

static const char *headline_timeout(const struct scene *s, const struct verdict *v,
                                    const char *subject)
{
    struct arena *a = s->f->a;
    const char *limit = say_limit(s->f);

    if (is_rule(v, "command_limit"))
        return s->d->proc && s->d->proc->limit_us
                   ? arena_fmt(a,
                               "One command was stopped by its own %s limit; the sandbox "
                               "lived on",
                               say_duration(a, s->d->proc->limit_us))
                   : "One command was stopped by its own time limit; the sandbox lived "
                     "on";
    if (is_rule(v, "shell_time_limit"))
        return "One command was stopped by the time limit it was started with";
    if (is_rule(v, "automatic_pause"))
        return "The timeout paused the sandbox while it was at work; nothing is lost";
    if (is_rule(v, "lost_end"))
        return "The sandbox was gone at its timeout; E2B kept no record of the end";
    if (is_rule(v, "no_reason_late"))
        return arena_fmt(a, "The sandbox ended at its %s timeout; no reason was recorded",
                         limit);
    if (s->f->was_shortened)
        return arena_fmt(a, "The timeout was shortened to %s, and the sandbox ended then",
                         limit);
    if (s->progress.kind == PROGRESS_DONE)
        return arena_fmt(a, "The work was done; the %s timeout then ended the sandbox",
                         limit);
    if (s->progress.kind == PROGRESS_RUNNING && s->progress.proc)
        return fit(a, subject, "The job",
                   arena_fmt(a, "was still running when the %s timeout ended %s", limit,
                             strlen(limit) > 6 ? "it" : "the sandbox"));
    return *limit ? arena_fmt(a, "The %s timeout ended the sandbox", limit)
                  : "The timeout ended the sandbox";
}

/* How much too early; without the time where there is no room for it. */
static const char *early_words(const struct scene *s)
{
    const char *rest = say_duration(s->f->a, s->f->span_us - s->f->life_us);
    const char *life = say_duration(s->f->a, s->f->life_us);

    return strlen(rest) + strlen(life) > DURATIONS_FIT
               ? "before its timeout"
               : arena_fmt(s->f->a, "%s before its timeout", rest);
}

static const char *headline_killed(const struct scene *s, const struct verdict *v)
{
    static const struct {
        const char *reason, *text;
    } fixed[] = {
        {"base_template_missing",
         "E2B ended the sandbox because its template had been deleted"                       },
        {"seal_failed",           "E2B ended the sandbox because an earlier pause had failed"},
        {"resume_failed",
         "E2B ended the sandbox because it could not go on after a snapshot"                 },
        {"unknown",               "The sandbox was ended early; E2B does not say by whom"    },
        {"",                      "The sandbox was ended early; no reason was recorded"      },
    };
    struct arena *a = s->f->a;
    const char *reason = s->f->x ? s->f->x->kill_reason : "", *early = "early";

    if (v->names_failure)
        return "A signal sent from outside ended the command before it was done";
    if (s->f->span_us != TS_NONE && s->f->life_us != TS_NONE &&
        s->f->span_us > s->f->life_us)
        early = early_words(s);
    if (strcmp(reason, "request") == 0)
        return s->f->life_us == TS_NONE
                   ? "A request ended the sandbox before its time"
                   : arena_fmt(a, "A request ended the sandbox after %s, %s",
                               say_duration(a, s->f->life_us), early);
    if (strcmp(reason, "admin") == 0)
        return arena_fmt(a, "E2B's staff ended the sandbox %s", early);
    if (strcmp(reason, "orphaned") == 0)
        return arena_fmt(a, "E2B lost track of the sandbox and cleaned it up %s", early);
    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
        if (strcmp(reason, fixed[i].reason) == 0)
            return fixed[i].text;
    return arena_fmt(a, "The sandbox was ended early; E2B's reason is \"%.24s\"", reason);
}

static const char *headline_crashed(const struct scene *s, const struct verdict *v,
                                    const char *subject)
{
    struct arena *a = s->f->a;
    const char *words;

    if (!v->names_failure)
        return "The sandbox's machine stopped by itself; nobody ended it";
    if (is_rule(v, "kill_command_inside"))
        return arena_fmt(a, "%s was ended by a kill command inside the sandbox", subject);
    words = s->d->told ? say_told(s->d->told) : "";
    if (*words) {
        words =
            arena_strn(a, words, strcspn(words, "(")); /* the rest is told in the brief */
        words = text_trim(a, words);
        return fit(a, subject, "The program",
                   arena_fmt(a,
                             strlen(words) < WORDS_FIT ? "stopped with an error: %s"
                                                       : "stopped: %s",
                             words));
    }
    if (is_rule(v, "signal_from_inside"))
        return fit(a, subject, "The program",
                   arena_fmt(a, "broke down by itself (%s)", signal_words(s->d->signal)));
    return fit(a, subject, "The program", "stopped with an error");
}

static const char *headline_undetermined(const struct scene *s, const struct verdict *v)
{
    struct arena *a = s->f->a;
    char buf[HUMAN_SIZE];

    switch (v->reason) {
    case REASON_STILL_RUNNING:
        return "Nothing has failed so far: the sandbox is running";
    case REASON_RUNNING_SILENT:
        return s->f->tl.last_sign_us == TS_NONE
                   ? "E2B says running, but nothing was ever heard"
                   : arena_fmt(a, "E2B says running, but nothing was heard since %s",
                               human_clock_min(s->f->tl.last_sign_us, buf));
    case REASON_PAUSED:
        return s->f->tl.is_deleted_while_paused
                   ? "The sandbox was paused, and is gone now"
                   : "The sandbox is paused and can be resumed";
    case REASON_ENDED_NORMALLY:
        return "The work finished and the sandbox was ended on purpose";
    case REASON_NEVER_STARTED:
        return "The sandbox started but never became ready";
    default:
        break;
    }
    if (is_rule(v, "unknown_sender"))
        return s->d->signal == 9 || s->d->signal == 0
                   ? "A process was killed, but what killed it cannot be proven"
                   : "A process was told to stop, but by whom cannot be proven";
    if (is_rule(v, "unknown_loss"))
        return "A worker or the notebook kernel vanished; why cannot be proven";
    if (*s->f->contradiction)
        return "The records of the end contradict each other; nothing can be named";
    return "There is too little evidence to name a cause";
}

static const char *headline(const struct scene *s, const struct verdict *v)
{
    const char *subject = say_subject(s, v);

    switch (v->cls) {
    case CLASS_OUT_OF_MEMORY:
        return headline_memory(s, v, subject);
    case CLASS_TIMEOUT:
        return headline_timeout(s, v, subject);
    case CLASS_KILLED_EARLY:
        return headline_killed(s, v);
    case CLASS_CRASHED:
        return headline_crashed(s, v, subject);
    default:
        return headline_undetermined(s, v);
    }
}

/* ---- the brief ---- */

static void brief_exit(struct sbuf *b, const struct scene *s, const char *subject)
{
    struct arena *a = s->f->a;
    const struct failure *d = s->d;
    const char *exit = say_exit(a, d);

    if (d->proc && d->proc->end_us != TS_NONE)
        sbuf_addf(b, "%s ended at %s UTC, after %s%s%s.", subject, say_clock(a, d->at_us),
                  say_duration(a, d->at_us - d->proc->start_us), *exit ? ", with " : "",
                  exit);
    else
        sbuf_addf(b, "It happened at %s UTC%s%s.", say_clock(a, d->at_us),
                  *exit ? ", with " : "", exit);
}

static void brief_memory(struct sbuf *b, const struct scene *s, const struct verdict *v)
{
    struct arena *a = s->f->a;
    const char *size = say_memory(s->f), *of = *size ? " of the sandbox's " : "";
    const struct failure *d = s->d;

    if (is_rule(v, "kernel_memory_kill"))
        sbuf_addf(b,
                  " The system's own record says that it killed %s to get memory back.",
                  d->kernel->program);
    else if (is_rule(v, "own_memory_ceiling"))
        sbuf_addf(b,
                  " The ceiling that was hit is %s%s, not the sandbox's memory: that was "
                  "at most %s used%s%s, so a "
                  "larger sandbox alone would not help.",
                  *d->told->words ? d->told->words : "the program's own limit",
                  say_told_limit(a, d->told->quote),
                  s->f->peak ? say_percent(a, s->f->peak_share) : "an unknown share", of,
                  size);
    else if (is_rule(v, "memory_refused"))
        sbuf_adds(b, " It asked the system for memory and was refused: the ceiling is "
                     "the sandbox's own memory.");
    else
        sbuf_adds(b, " Something ended it from one moment to the next with memory nearly "
                     "full, and no other sender "
                     "is known: that is what the system does when memory runs out.");
    if (d->mem.last && !is_rule(v, "own_memory_ceiling"))
        sbuf_addf(b, " Memory was %s used%s%s in the last sample before%s.",
                  say_percent(a, d->mem.share), of, size,
                  d->mem.share < 0.85 ? "; the jump came between two samples, or the "
                                        "request was refused before any of "
                                        "it was used"
                                      : "");
    else if (!d->mem.last)
        sbuf_addf(b, " There are no samples from just before%s%s.",
                  *size ? "; the sandbox had " : "", *size ? size : "");
}

static void brief_ending_after(struct sbuf *b, const struct scene *s)
{
    const struct execution *x = s->f->x;
    struct arena *a = s->f->a;

    if (!x || x->end_us == TS_NONE || x->end_us <= s->d->at_us)
        return;
    if (x->end == EXEC_KILLED && strcmp(x->kill_reason, "timeout") == 0)
        sbuf_addf(b, " The timeout removed the %ssandbox only later, at %s.",
                  s->progress.kind == PROGRESS_DONE ? "idle " : "",
                  say_clock(a, x->end_us));
    else if (x->end == EXEC_KILLED && strcmp(x->kill_reason, "request") == 0)
        sbuf_addf(b,
                  " The request that removed the sandbox came %s later; it cleared up "
                  "and is not the cause.",
                  say_duration(a, x->end_us - s->d->at_us));
    else if (x->end == EXEC_PAUSED)
        sbuf_addf(b, " The sandbox was paused at %s, after that.",
                  say_clock(a, x->end_us));
}

static void brief_failure(struct sbuf *b, const struct scene *s, const struct verdict *v)
{
    struct arena *a = s->f->a;
    const char *words = s->d->told ? say_told(s->d->told) : "";
    unsigned bits = factor_bits(s, v);

    brief_exit(b, s, say_subject(s, v));
    if (v->cls == CLASS_OUT_OF_MEMORY) {
        brief_memory(b, s, v);
    } else if (is_rule(v, "command_limit")) {
        sbuf_addf(b,
                  " A command has a time limit of its own%s%s; it ran out, and only this "
                  "command was ended. That is "
                  "not the timeout of the sandbox.",
                  s->d->proc && s->d->proc->limit_us ? ", here " : "",
                  s->d->proc && s->d->proc->limit_us
                      ? say_duration(a, s->d->proc->limit_us)
                      : "");
    } else if (v->cls == CLASS_UNDETERMINED) {
        sbuf_addf(
            b,
            " A signal tells how a process ended, not who sent it: memory, a time limit "
            "or a person can. %s",
            s->d->mem.last
                ? arena_fmt(a, "Memory was %s used in the last sample before.",
                            say_percent(a, s->d->mem.share))
                : "There are no metrics from that time, so memory cannot be judged.");
    } else if (*words && v->cls == CLASS_CRASHED) {
        sbuf_addf(b, " The reason it gave: %s.", words);
    } else if (v->cls == CLASS_CRASHED && s->d->signal) {
        sbuf_addf(b, " A signal ended it: %s.", signal_words(s->d->signal));
    }
    if (bits & FACTOR_ORPHANED_PROCESSES)
        sbuf_adds(b, " A process left over from before the pause still ran after the "
                     "resume and held what the new one "
                     "needed.");
    if (v->cls == CLASS_CRASHED && s->d->mem.last && s->d->mem.share < 0.9)
        sbuf_addf(b, " Memory was not the cause: %s used.",
                  say_percent(a, s->d->mem.share));
    brief_ending_after(b, s);
}

static void brief_machine(struct sbuf *b, const struct scene *s, const struct verdict *v)
{
    sbuf_addf(b,
              "The machine of the sandbox stopped by itself%s%s: there is no kill, no "
              "pause and no timeout on record "
              "before it.",
              s->f->x->end_us != TS_NONE ? " at " : "",
              s->f->x->end_us != TS_NONE
                  ? arena_fmt(s->f->a, "%s UTC", say_clock(s->f->a, s->f->x->end_us))
                  : "");
    if (s->f->last_sample)
        sbuf_addf(b, " In the last sample %s of its memory was used%s.",
                  say_percent(s->f->a, metric_mem_share(s->f->last_sample)),
                  v->cls == CLASS_OUT_OF_MEMORY
                      ? ", which is exhaustion of the whole machine"
                      : ", so memory was not the cause");
}

static void brief_progress(struct sbuf *b, const struct scene *s)
{
    struct arena *a = s->f->a;
    const struct progress_info *p = &s->progress;
    int64_t end =
        s->f->x && s->f->x->end_us != TS_NONE ? s->f->x->end_us : s->f->ev->now_us;

    switch (p->kind) {
    case PROGRESS_RUNNING:
        sbuf_addf(b, " Work was in progress: %s.",
                  p->proc ? arena_fmt(a, "\"%s\" was still running",
                                      say_quote(a, p->proc->command))
                          : p->sign);
        break;
    case PROGRESS_SERVER:
        sbuf_addf(b, " The server \"%s\" was still running.",
                  say_quote(a, p->proc->command));
        break;
    case PROGRESS_DONE:
        sbuf_addf(b,
                  " The work had finished %s before, so nothing was lost: the sandbox "
                  "was idle.",
                  say_duration(a, p->since_us == TS_NONE ? 0 : end - p->since_us));
        break;
    default:
        sbuf_adds(b, " Whether work was in progress cannot be seen: there are no process "
                     "entries and no output that "
                     "would show it.");
        break;
    }
}

static void brief_end(struct sbuf *b, const struct scene *s, const struct verdict *v)
{
    const struct facts *f = s->f;
    struct arena *a = f->a;
    const char *life =
        f->life_us == TS_NONE ? "an unknown time" : say_duration(a, f->life_us);
    const char *limit =
        f->span_us == TS_NONE ? "of unknown length" : say_duration_s(a, f->span_us);

    if (v->cls == CLASS_TIMEOUT && is_rule(v, "automatic_pause"))
        sbuf_addf(b,
                  "The sandbox was paused automatically at %s UTC, when its timeout of "
                  "%s had run out.",
                  say_clock(a, f->x->end_us), limit);
    else if (v->cls == CLASS_TIMEOUT)
        sbuf_addf(b, "The sandbox reached its timeout of %s and was ended%s%s.", limit,
                  f->x->end_us != TS_NONE ? " at " : "",
                  f->x->end_us != TS_NONE
                      ? arena_fmt(a, "%s UTC", say_clock(a, f->x->end_us))
                      : "");
    else
        sbuf_addf(b,
                  "The sandbox was ended at %s UTC, after %s of its life time of %s. %s",
                  say_clock(a, f->x->end_us), life, limit,
                  strcmp(f->x->kill_reason, "request") == 0
                      ? "A request did it: a call made with the account's key, from an "
                        "application, a script or a person."
                  : *f->x->kill_reason && strcmp(f->x->kill_reason, "unknown") != 0
                      ? "The platform did it, not the customer."
                      : "The record does not say who did it.");
    if (v->cls == CLASS_TIMEOUT && f->was_shortened)
        sbuf_adds(b, " A request had shortened the timeout before; a reconnect that "
                     "gives no time does that.");
    if (v->cls == CLASS_TIMEOUT && f->was_extended)
        sbuf_adds(b, " The timeout had been extended before, and then was not again.");
    brief_progress(b, s);
    if (f->is_cpu_pegged)
        sbuf_addf(b,
                  " The CPU was fully busy (%d %% or more) throughout the last minute.",
                  (int)f->cpu_last_minute);
    else if (f->peak && v->cls != CLASS_UNDETERMINED)
        sbuf_addf(b, " Memory was not the cause: %s at most.",
                  say_percent(a, f->peak_share));
}

/* Which kinds of data there is nothing of. */
static void brief_absent(struct sbuf *b, const struct evidence *ev)
{
    const char *absent[3];
    size_t n = 0;

    if (!ev->event_count)
        absent[n++] = "no events";
    if (!ev->metric_count)
        absent[n++] = "no metrics";
    if (!ev->log_count)
        absent[n++] = "no log lines";
    if (n == 0)
        return;
    sbuf_adds(b, n < 3              ? " There are"
                 : ev->output_count ? " There is no data but the output:"
                                    : " There is no data:");
    for (size_t i = 0; i < n; i++)
        sbuf_addf(b, "%s %s", i == 0 ? "" : i == n - 1 ? " and" : ",", absent[i]);
    sbuf_adds(b, " on record.");
}

static void brief_undetermined(struct sbuf *b, const struct scene *s,
                               const struct verdict *v)
{
    struct arena *a = s->f->a;
    const struct evidence *ev = s->f->ev;
    bool has_handled = s->failures.handled || s->f->con.told_count;

    switch (v->reason) {
    case REASON_STILL_RUNNING:
        sbuf_adds(b, "The sandbox is running, and nothing in it has failed.");
        brief_progress(b, s);
        break;
    case REASON_RUNNING_SILENT:
        sbuf_adds(b, "E2B says that the sandbox is running, but no sample, log line or "
                     "event came for over a minute. "
                     "E2B keeps saying so until the timeout when a machine has died.");
        break;
    case REASON_PAUSED:
        sbuf_adds(b, "The sandbox was paused and nothing was broken by that.");
        if (s->progress.kind == PROGRESS_DONE)
            sbuf_adds(b, " No command was running then.");
        break;
    case REASON_ENDED_NORMALLY:
        sbuf_addf(
            b,
            "This is a normal ending: the work had completed, and %s later the sandbox "
            "was removed%s.",
            say_duration(a, s->progress.since_us == TS_NONE || s->f->x->end_us == TS_NONE
                                ? 0
                                : s->f->x->end_us - s->progress.since_us),
            strcmp(s->f->x->kill_reason, "request") == 0 ? " by a request" : "");
        break;
    case REASON_NEVER_STARTED:
        sbuf_adds(b, "The sandbox was asked for, but there is no sign that it ever ran.");
        break;
    default:
        sbuf_adds(b, *s->f->contradiction
                         ? s->f->contradiction
                         : "What is on record supports no answer, and guessing would "
                           "mislead.");
        break;
    }
    if (has_handled && v->reason != REASON_NOT_ENOUGH)
        sbuf_adds(b, " Errors told on the way were handled or retried; they did not end "
                     "the work.");
    if (s->f->peak && s->f->cache_share >= 0.5)
        sbuf_adds(b, " Most of the memory in use is page cache from reading files, which "
                     "is given back on demand.");
    if (!s->f->x || v->reason == REASON_NOT_ENOUGH)
        brief_absent(b, ev);
}

static const char *brief(const struct scene *s, const struct verdict *v)
{
    struct sbuf b;
    const char *out;

    sbuf_init(&b, BRIEF_MAX);
    if (v->names_failure && s->d)
        brief_failure(&b, s, v);
    else if (v->cls == CLASS_UNDETERMINED)
        brief_undetermined(&b, s, v);
    else if (is_rule(v, "machine_died") || is_rule(v, "machine_died_full"))
        brief_machine(&b, s, v);
    else
        brief_end(&b, s, v);
    out = arena_str(s->f->a, b.s);
    sbuf_release(&b);
    return out;
}

static int64_t failed_at(const struct scene *s, const struct verdict *v)
{
    if (v->names_failure && s->d)
        return s->d->at_us;
    if (v->cls == CLASS_UNDETERMINED || !s->f->x)
        return TS_NONE;
    return s->f->x->end_us;
}

void explain(const struct scene *s, const struct verdict *v, struct finding *out)
{
    out->headline = headline(s, v);
    out->brief = brief(s, v);
    out->confidence_why = v->why;
    out->failed_at_us = failed_at(s, v);
    out->program = v->names_failure && s->d && s->d->proc ? s->d->proc->program
                   : s->progress.proc                     ? s->progress.proc->program
                                                          : "";
    explain_evidence(s, v, out);
    explain_factors(s, v, out);
    explain_ruled_out(s, v, out);
    explain_could_be(s, v, out);
    out->missing = explain_missing(s, v);
    out->customer_reply = explain_reply(s, v, out);
    out->fix = explain_fix(s, v);
}
