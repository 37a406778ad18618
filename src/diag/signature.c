/*
 * Signatures are built from the kind of error, its message without the variable parts,
 * and the innermost frame of the customer's own code; without a frame, from the program
 * concerned (corpus, "Signatures").
 */
#include "diag/signature.h"
#include "base/arena.h"
#include "base/text.h"
#include "diag/limits.h"
#include "diag/normal.h"
#include "diag/prefix.h"
#include "diag/signal.h"
#include <ctype.h>
#include <string.h>

#include "base/banned.h"

const char *signature_program(struct arena *a, const char *command)
{
    const char *p = command_label(a, command_bare(a, command));

    return *p ? p : "a process";
}

/* A frame's own variable parts: line numbers, generated suffixes. */
static const char *clean_frame(struct arena *a, const char *frame)
{
    char *out = arena_str(a, strchr(frame, '.') ? normal_file(a, frame) : frame),
         *w = out;

    for (const char *p = out; *p;) {
        size_t n = strspn(p, "0123456789");
        if (n >= 3) {
            *w++ = '#';
            p += n;
        } else {
            *w++ = *p++;
        }
    }
    *w = '\0';
    return out;
}

/* "bash: line 1: ", "./run.sh: line 6: " before a message say where the shell was, not
   what failed. */
static const char *past_shell_place(const char *m)
{
    const char *line = strstr(m, ": line "), *end;

    if (!line || line - m > 120)
        return m;
    end = line + 7 + strspn(line + 7, "0123456789");
    return end[0] == ':' && end[1] == ' ' ? end + 2 : m;
}

static const char *killed_text(struct arena *a, const struct told *t)
{
    if (*t->program)
        return arena_fmt(a, "killed by signal 9: %s", signature_program(a, t->program));
    if (text_ieq(text_trim(a, t->quote), "killed"))
        return "killed by signal 9";
    return normal_message(a, past_shell_place(t->quote));
}

static const char *message_text(struct arena *a, const struct told *t)
{
    bool is_pip = t->row && (strcmp(t->row->name, "pip-conflict") == 0 ||
                             strcmp(t->row->name, "pip-impossible") == 0);
    const char *m;

    if (is_pip && t->detail_count)
        return "pip ResolutionImpossible";
    if (is_pip)
        return arena_fmt(a, "pip ResolutionImpossible: %s",
                         normal_message(a, t->message));
    m = normal_message(a, past_shell_place(*t->message   ? t->message
                                           : t->is_trace ? ""
                                                         : t->quote));
    if (t->is_trace && *t->kind && *m && strcmp(t->kind, m) != 0)
        return arena_fmt(a, "%s: %s", t->kind, m);
    return *m ? m : t->kind;
}

/* "buffer overflow detected: aborted by signal 6" */
static const char *signal_text(struct arena *a, const struct told *t)
{
    const char *s = arena_fmt(a, "%s by signal %d", signal_name(t->signal), t->signal);

    return *t->before
               ? arena_fmt(a, "%s: %s", normal_message(a, past_shell_place(t->before)), s)
               : s;
}

const char *signature_told(struct arena *a, const struct told *t)
{
    const char *s;

    if (t->meaning == MEAN_KERNEL_OOM)
        return arena_fmt(a, "out of memory: the kernel killed %s", t->program);
    if (t->meaning == MEAN_KILLED && !t->is_trace)
        return killed_text(a, t);
    if (t->meaning == MEAN_SIGNAL && !t->is_trace)
        s = signal_text(a, t);
    else if (*t->before)
        s = normal_message(a, past_shell_place(t->before));
    else
        s = message_text(a, t);
    if (*t->program && t->meaning != MEAN_SIGNAL && !strstr(s, t->program) &&
        strlen(t->program) < 80)
        s = arena_fmt(a, "%s: %s", s, t->program);
    else if (*t->program && t->meaning == MEAN_SIGNAL && !t->is_trace)
        s = arena_fmt(a, "%s: %s", s, signature_program(a, t->program));
    if (t->is_impossible)
        s = arena_fmt(a, "%s (impossible size)", s);
    for (size_t i = 0; i < t->detail_count; i++)
        s = arena_fmt(a, "%s; %s", s, normal_message(a, t->details[i]));
    if (t->meaning == MEAN_LOST && t->signal)
        s = arena_fmt(a, "%s; %s by signal %d", s, signal_name(t->signal), t->signal);
    if (*t->frame)
        s = arena_fmt(a, "%s in %s", s, clean_frame(a, t->frame));
    return s;
}

/* Told without any name of what ended. */
static bool names_nothing(const struct told *t, const char *text)
{
    return strcmp(text, "killed by signal 9") == 0 ||
           (t->meaning == MEAN_SIGNAL && !*t->program && !*t->frame && !*t->before);
}

static const char *last_words(struct arena *a, const struct proc *p)
{
    return normal_message(a, past_shell_place(prefix_strip(a, p->last_stderr->text)));
}

/* A signal that a process brings on itself often follows a line that says why. */
static bool said_why(const struct failure *d)
{
    bool is_own = d->signal != 9 && d->signal != 15 && d->signal != 2 && d->signal != 1;

    return is_own && d->proc && d->proc->last_stderr && d->proc->choice.sound &&
           d->at_us - d->proc->last_stderr->at_us <= LIMIT_TOLD_BEFORE_END_US;
}

static const char *failure_text(const struct scene *s, const struct verdict *v)
{
    struct arena *a = s->f->a;
    const struct failure *d = s->d;
    const char *program = d->proc ? d->proc->label : "";

    if (d->is_at_limit)
        return arena_fmt(
            a, "context deadline exceeded: command ended by its own time limit%s%s",
            *program ? ": " : "", program);
    if (d->kernel)
        return signature_told(a, d->kernel);
    if (strcmp(v->rule->name, "signal_from_api") == 0)
        return arena_fmt(a, "signal sent through the API: %s", program);
    if (strcmp(v->rule->name, "kill_command_inside") == 0)
        return arena_fmt(a, "kill command inside the sandbox ended %s", program);
    if (strcmp(v->rule->name, "shell_time_limit") == 0)
        return arena_fmt(a, "exit code 124: %s ended by its own time limit", program);
    if (d->told) {
        const char *t = signature_told(a, d->told);
        if (d->told->meaning == MEAN_WRAPPER && d->has_code && !strstr(t, "code"))
            t = arena_fmt(a, "%s (exit code %lld)", t, (long long)d->code);
        return names_nothing(d->told, t) && *program ? arena_fmt(a, "%s: %s", t, program)
                                                     : t;
    }
    if (d->signal == 9)
        return arena_fmt(a, "killed by signal 9: %s", *program ? program : "a process");
    if (d->signal && said_why(d))
        return arena_fmt(a, "%s: %s by signal %d", last_words(a, d->proc),
                         signal_name(d->signal), d->signal);
    if (d->signal)
        return arena_fmt(a, "%s by signal %d: %s", signal_name(d->signal), d->signal,
                         *program ? program : "a process");
    if (d->proc && d->proc->last_stderr)
        return arena_fmt(a, "exit code %lld: %s", (long long)d->code,
                         last_words(a, d->proc));
    return arena_fmt(a, "exit code %lld: %s", (long long)d->code,
                     *program ? program : "a process");
}

static const char *ending_text(const struct scene *s, const struct verdict *v)
{
    struct arena *a = s->f->a;
    const char *program = s->progress.proc && s->progress.kind == PROGRESS_RUNNING
                              ? s->progress.proc->label
                              : "";
    const char *reason = s->f->x ? s->f->x->kill_reason : "";

    switch (v->cls) {
    case CLASS_OUT_OF_MEMORY:
        return "machine stopped by itself at the memory limit";
    case CLASS_CRASHED:
        return "machine stopped by itself";
    case CLASS_TIMEOUT:
        if (strcmp(v->rule->name, "automatic_pause") == 0)
            return arena_fmt(a, "timeout: automatic pause while %s was running",
                             *program ? program : "work");
        if (s->progress.kind == PROGRESS_DONE)
            return "timeout: idle sandbox reached its life time";
        return arena_fmt(a, "timeout: sandbox life time ended%s%s%s",
                         *program ? " while " : "", program,
                         *program ? " was running" : "");
    case CLASS_KILLED_EARLY:
        return arena_fmt(a, "killed early: %s", *reason ? reason : "no reason recorded");
    default:
        return "";
    }
}

/* Customer identifiers may hide anywhere: what the metadata says never stands in a
   signature. */
static const char *without_tags(struct arena *a, const char *text,
                                const struct timeline *tl, const char *id)
{
    char *s = arena_str(a, text);

    for (size_t i = 0; i <= tl->tag_count; i++) {
        const char *v = i < tl->tag_count ? tl->tags[i].value : id;
        size_t n = v ? strlen(v) : 0;
        if (n < 4)
            continue;
        for (char *hit = strstr(s, v); hit; hit = strstr(hit + 1, v)) {
            bool is_part = (hit > s && isalnum((unsigned char)hit[-1])) ||
                           isalnum((unsigned char)hit[n]);
            if (is_part && v != id)
                continue;
            *hit = '#';
            memmove(hit + 1, hit + n, strlen(hit + n) + 1);
        }
    }
    return s;
}

const char *signature_make(const struct scene *s, const struct verdict *v)
{
    const char *t;

    if (v->cls == CLASS_UNDETERMINED && !(v->names_failure && s->d))
        return "";
    t = v->names_failure ? failure_text(s, v) : ending_text(s, v);
    if (v->cls == CLASS_OUT_OF_MEMORY &&
        strcmp(v->rule->name, "vanished_at_full_memory") == 0 &&
        text_starts(t, "killed by signal 9"))
        t = arena_fmt(s->f->a, "%s (at the memory limit)", t);
    return without_tags(s->f->a, t, &s->f->tl, s->f->ev->sandbox_id);
}
