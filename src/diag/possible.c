/*
 * What an undetermined failure could have been, class by class: possible, or unlikely and why. A class that a
 * number rules out is in other.c, not here.
 */
#include "base/arena.h"
#include "diag/explain.h"
#include "diag/limits.h"
#include <string.h>

#include "base/banned.h"

static void add(struct finding *out, struct could_be *list, enum finding_class cls,
                enum likelihood likelihood, const char *text)
{
    list[out->could_be_count++] = (struct could_be){cls, likelihood, text};
}

static void add_memory(const struct scene *s, struct finding *out, struct could_be *list)
{
    const struct facts *f = s->f;
    const char *share = f->peak ? say_percent(f->a, f->peak_share) : "";

    if (s->d && s->d->signal && s->d->signal != 9)
        add(out, list, CLASS_OUT_OF_MEMORY, UNLIKELY,
            arena_fmt(f->a, "When memory runs out, signal 9 is sent, not signal %d.",
                      s->d->signal));
    else if (f->peak && f->peak_share < LIMIT_MEMORY_FULL)
        add(out, list, CLASS_OUT_OF_MEMORY, UNLIKELY,
            arena_fmt(f->a,
                      "Used memory was never above %s in a sample; only a jump between "
                      "two samples would not show.",
                      share));
    else if (f->peak)
        add(out, list, CLASS_OUT_OF_MEMORY, POSSIBLE,
            arena_fmt(f->a, "Used memory reached %s, but nothing ties the end to it.",
                      share));
    else
        add(out, list, CLASS_OUT_OF_MEMORY, POSSIBLE,
            s->d ? "It ends a process like this. There is no memory sample to show it."
                 : "There is no memory sample to judge it by.");
}

static void add_timeout(const struct scene *s, const struct verdict *v,
                        struct finding *out, struct could_be *list)
{
    add(out, list, CLASS_TIMEOUT, POSSIBLE,
        v->names_failure ? "A command's own time limit ends it with such a signal, too."
        : s->f->x        ? "How the sandbox ended is not on record."
                         : "Neither its start nor its end is on record.");
}

static void add_killed(const struct scene *s, const struct verdict *v,
                       struct finding *out, struct could_be *list)
{
    const struct execution *x = s->f->x;

    if (!v->names_failure)
        add(out, list, CLASS_KILLED_EARLY, POSSIBLE,
            "Who ended it, if anybody did, is not on record.");
    else if (x && x->end == EXEC_KILLED)
        add(out, list, CLASS_KILLED_EARLY, POSSIBLE,
            "Not the sandbox, which ended later. A kill of the process alone leaves no "
            "record.");
    else
        add(out, list, CLASS_KILLED_EARLY, POSSIBLE,
            "No kill of the sandbox is on record. A kill of the process alone leaves "
            "none.");
}

static void add_crash(const struct scene *s, const struct verdict *v, struct finding *out,
                      struct could_be *list)
{
    const struct facts *f = s->f;

    if (s->d && s->d->signal)
        add(out, list, CLASS_CRASHED, UNLIKELY,
            arena_fmt(f->a, "An error of the program does not end it with signal %d.",
                      s->d->signal));
    else if (v->names_failure)
        add(out, list, CLASS_CRASHED, POSSIBLE,
            "A fault in native code can end a process without a word.");
    else if (f->con.line_count || f->proc_count)
        add(out, list, CLASS_CRASHED, UNLIKELY, "No program error is on record.");
    else
        add(out, list, CLASS_CRASHED, POSSIBLE,
            "What its programs did and printed is not on record.");
}

static bool is_ruled_out(const struct finding *out, enum finding_class cls)
{
    for (size_t i = 0; i < out->ruled_out_count; i++)
        if (out->ruled_out[i].cls == cls)
            return true;
    return false;
}

void explain_could_be(const struct scene *s, const struct verdict *v, struct finding *out)
{
    struct could_be *list;

    if (v->reason != REASON_NOT_ENOUGH)
        return;
    list = arena_array(s->f->a, CLASS_COUNT, sizeof(*list));
    if (!is_ruled_out(out, CLASS_OUT_OF_MEMORY))
        add_memory(s, out, list);
    if (!is_ruled_out(out, CLASS_TIMEOUT))
        add_timeout(s, v, out, list);
    if (!is_ruled_out(out, CLASS_KILLED_EARLY))
        add_killed(s, v, out, list);
    if (!is_ruled_out(out, CLASS_CRASHED))
        add_crash(s, v, out, list);
    out->could_be = list;
}
