/*
 * Rules about the failure that ended the work. s->d is there (rules_decide sees to it).
 */
#include "base/text.h"
#include "diag/limits.h"
#include "diag/rules.h"
#include <string.h>

#include "base/banned.h"

static enum meaning meaning(const struct scene *s)
{
    return s->d->told ? s->d->told->meaning : MEAN_COUNT;
}

/* Did something end by signal 9: the process itself, its child, or a worker it tells
   of? */
static bool by_signal_9(const struct scene *s)
{
    return s->d->signal == 9 || meaning(s) == MEAN_KILLED;
}

static bool is_vanished(const struct scene *s)
{
    return by_signal_9(s) ||
           (meaning(s) == MEAN_LOST && s->d->signal != 11 && s->d->signal != 6 &&
            s->d->signal != 7 && s->d->signal != 15);
}

static bool memory_was_full(const struct scene *s)
{
    return s->d->mem.last && s->d->mem.share >= LIMIT_MEMORY_FULL;
}

bool rule_command_limit(const struct scene *s, struct verdict *v)
{
    if (!s->d->is_at_limit)
        return false;
    v->why = s->f->con.limit_us != TS_NONE || (s->d->proc && *s->d->proc->stream_error)
                 ? "the time fits the command's own limit, and its end says so"
                 : "the command ended exactly at its own time limit";
    if (s->f->con.limit_us == TS_NONE && (!s->d->proc || !*s->d->proc->stream_error))
        v->confidence = CONFIDENCE_MEDIUM;
    return true;
}

bool rule_kernel_oom(const struct scene *s, struct verdict *v)
{
    v->why = "the system's own record names the process that was killed for memory";
    return s->d->kernel != NULL;
}

bool rule_api_signal(const struct scene *s, struct verdict *v)
{
    v->why = "the signal call is in the log, just before the end";
    return s->d->has_api_signal && (s->d->signal || !s->d->has_code) &&
           meaning(s) != MEAN_MEM_REFUSED;
}

bool rule_inner_kill(const struct scene *s, struct verdict *v)
{
    v->why = "a kill command ran just before; its target is not recorded";
    if (meaning(s) == MEAN_INNER_KILL) {
        v->why = "the program that sent the signal says so";
        return true;
    }
    return s->d->killer && s->d->signal && s->d->signal != 11;
}

bool rule_not_memory(const struct scene *s, struct verdict *v)
{
    v->why = "the program's own words name the cause";
    return meaning(s) == MEAN_NOT_MEMORY;
}

/* (b) with an end of the process is high, else medium (corpus 4). */
static void told_confidence(const struct scene *s, struct verdict *v)
{
    if (s->d->is_end_known || s->d->proc) {
        v->why = "the program said so itself, and ended";
        return;
    }
    v->confidence = CONFIDENCE_MEDIUM;
    v->why = "the program said so itself; no end of a process is on record";
}

bool rule_memory_ceiling(const struct scene *s, struct verdict *v)
{
    told_confidence(s, v);
    return meaning(s) == MEAN_MEM_CEILING;
}

bool rule_memory_refused(const struct scene *s, struct verdict *v)
{
    told_confidence(s, v);
    return meaning(s) == MEAN_MEM_REFUSED;
}

bool rule_vanished_full(const struct scene *s, struct verdict *v)
{
    v->why = "inferred: memory was full in the last sample before, and nobody else is "
             "known to have "
             "sent the signal";
    return is_vanished(s) && memory_was_full(s);
}

/* "811 Killed  timeout -s KILL 2 ./fuzz": the command that sends signal 9 gets it as well. */
static bool names_own_limit(const struct scene *s)
{
    static const char *const heads[] = {
        "timeout -s KILL ", "timeout -s 9 ",          "timeout -s SIGKILL ",
        "timeout -k ",      "timeout --signal=KILL ", "timeout --signal=9 ",
        "timeout -9 ",      "timeout -KILL ",         NULL};
    const struct proc *p = s->d->proc;
    int64_t limit;

    if (meaning(s) != MEAN_KILLED || s->d->kernel || !p || p->end_us == TS_NONE)
        return false;
    limit = command_own_limit_us(s->d->told->program);
    if (!limit || p->end_us - p->start_us < limit - LIMIT_COMMAND_EARLY_US)
        return false;
    for (const char *const *h = heads; *h; h++)
        if (text_starts(s->d->told->program, *h))
            return true;
    return false;
}

bool rule_shell_timeout(const struct scene *s, struct verdict *v)
{
    const struct proc *p = s->d->proc;

    int64_t limit = p ? command_own_limit_us(p->command) : 0, over;

    if (names_own_limit(s)) {
        v->why = "the shell names the time limit command, set to signal 9, as what ended";
        return true;
    }
    if (!limit)
        return false;
    v->why = "exit code 124 is what the time limit command gives";
    if (s->d->has_code && s->d->code == 124)
        return true;
    if (!s->d->signal || p->end_us == TS_NONE)
        return false;
    over = p->end_us - p->start_us - limit;
    v->why = "a signal ended it just when the limit in its command line had run out";
    return over >= -LIMIT_COMMAND_EARLY_US && over <= LIMIT_COMMAND_LATE_US;
}

bool rule_unknown_sender(const struct scene *s, struct verdict *v)
{
    v->why = "a signal tells how the process ended, not who sent it";
    return by_signal_9(s) || s->d->signal == 15 || s->d->signal == 1 || s->d->signal == 2;
}

bool rule_unknown_loss(const struct scene *s, struct verdict *v)
{
    const char *row = s->d->told && s->d->told->row ? s->d->told->row->name : "";

    if (meaning(s) != MEAN_LOST || s->d->signal)
        return false;
    v->why = "nothing shows why it vanished";
    /* with calm samples it was not memory: the process behind it failed by itself */
    return !s->d->mem.last || strcmp(row, "context-restarting") == 0;
}

bool rule_inner_signal(const struct scene *s, struct verdict *v)
{
    if (!s->d->signal || meaning(s) == MEAN_ERROR)
        return false;
    v->why = "the signal is one that a process brings on itself";
    return true;
}

bool rule_program_error(const struct scene *s, struct verdict *v)
{
    bool is_weak = meaning(s) == MEAN_WRAPPER || meaning(s) == MEAN_LOST;

    if (!s->d->told)
        return false;
    v->why = "the program told the error and ended with it";
    if (is_weak || !s->d->proc) {
        v->confidence = CONFIDENCE_MEDIUM;
        v->why = is_weak ? "it is known that it failed, but its words say little"
                         : "the program told the error; no end of a process is on record";
    }
    return true;
}

bool rule_bare_exit(const struct scene *s, struct verdict *v)
{
    v->why = "only the exit code is known, not what the program printed";
    return s->d->has_code && s->d->code != 0;
}
