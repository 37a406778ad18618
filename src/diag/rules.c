/*
 * The rule table, and the choice between its rules.
 */
#include "diag/rules.h"
#include <string.h>

#include "base/banned.h"

#define OOM CLASS_OUT_OF_MEMORY
#define UND CLASS_UNDETERMINED
#define HIGH CONFIDENCE_HIGH
#define MEDIUM CONFIDENCE_MEDIUM
#define LOW CONFIDENCE_LOW

/* clang-format off */
const struct rule rule_table[] = {
    /* failures, by the order in which senders of a signal are looked for (corpus 7) */
    {"command_limit", CLASS_TIMEOUT, REASON_NONE, HIGH, true, rule_command_limit,
     "A command's own time limit had just run out when it ended.",
     "corpus 7", "shared-022 own-020 sig-command-limit-full"},
    {"shell_time_limit", CLASS_TIMEOUT, REASON_NONE, MEDIUM, true, rule_shell_timeout,
     "The command was started with a time limit of its own (timeout N) and ended "
     "with its code, 124, or by a signal just when it had run out; or the shell names that "
     "time limit as what signal 9 ended.",
     "corpus, classes", "own-004 say-timeout-command fifth-002"},
    {"kernel_memory_kill", OOM, REASON_NONE, HIGH, true, rule_kernel_oom,
     "The kernel's memory killer names a process of this sandbox.",
     "corpus 4a", "shared-001 shared-012 shared-017"},
    {"signal_from_api", CLASS_KILLED_EARLY, REASON_NONE, HIGH, true, rule_api_signal,
     "A signal was sent to the process through the API just before it ended.",
     "corpus 7", "own-001 sig-api-full-memory"},
    {"kill_command_inside", CLASS_CRASHED, REASON_NONE, MEDIUM, true, rule_inner_kill,
     "A kill command was run inside the sandbox just before, or a program in it says "
     "that it sent the signal.",
     "corpus 7", "own-002 sig-inner-watchdog"},
    {"not_sandbox_memory", CLASS_CRASHED, REASON_NONE, HIGH, true, rule_not_memory,
     "The words are about memory, but not the sandbox's: graphics card, shared "
     "memory, threads, impossible sizes.",
     "corpus 5", "own-003 own-012"},
    {"own_memory_ceiling", OOM, REASON_NONE, HIGH, true, rule_memory_ceiling,
     "The runtime stopped at its own memory limit.",
     "corpus 4b", "shared-004 shared-005"},
    {"memory_refused", OOM, REASON_NONE, HIGH, true, rule_memory_refused,
     "A runtime or tool could not get main memory, and that ended the work.",
     "corpus 4b", "shared-003 shared-007 shared-008 shared-009 shared-010"},
    {"vanished_at_full_memory", OOM, REASON_NONE, MEDIUM, true, rule_vanished_full,
     "Signal 9 or a vanished worker with used memory at 90 % or more just before, "
     "and no other sender.",
     "corpus 4c", "shared-002 shared-006 shared-011 shared-013 shared-014 shared-015"},
    {"unknown_sender", UND, REASON_NOT_ENOUGH, LOW, true, rule_unknown_sender,
     "A signal ended the process and nothing shows who sent it.",
     "corpus 7", "shared-058 mem-89"},
    {"unknown_loss", UND, REASON_NOT_ENOUGH, LOW, true, rule_unknown_loss,
     "A worker or notebook kernel vanished and nothing shows why.",
     "corpus 7", "own-005 kill-jupyter-calm"},
    {"signal_from_inside", CLASS_CRASHED, REASON_NONE, HIGH, true, rule_inner_signal,
     "A signal that a process brings on itself: bad memory access, abort, bus "
     "error.",
     "corpus, classes", "shared-040"},
    {"program_error", CLASS_CRASHED, REASON_NONE, HIGH, true, rule_program_error,
     "The program told an error and ended.",
     "corpus 1", "shared-037 shared-041 shared-042 shared-048"},
    {"bad_exit", CLASS_CRASHED, REASON_NONE, MEDIUM, true, rule_bare_exit,
     "The command ended with an exit code that means failure, without a word.",
     "corpus, classes", "own-006"},
    /* endings */
    {"contradiction", UND, REASON_NOT_ENOUGH, HIGH, false, rule_contradiction,
     "The records of the end contradict each other.",
     "corpus, classes", "life-killed-yet-running"},
    {"machine_died_full", OOM, REASON_NONE, MEDIUM, false, rule_machine_full,
     "The machine ended by itself with used memory at 90 % or more.",
     "corpus 4c", "shared-016"},
    {"machine_died", CLASS_CRASHED, REASON_NONE, MEDIUM, false, rule_machine_died,
     "The machine ended by itself: stopped, with no kill or pause before it.",
     "e2b.md 5.4", "shared-049"},
    {"killed_by_timeout", CLASS_TIMEOUT, REASON_NONE, HIGH, false, rule_kill_timeout,
     "The recorded reason of the kill is the timeout.",
     "corpus 8", "shared-018 shared-019 shared-020 shared-021 shared-024 shared-026"},
    {"platform_kill", CLASS_KILLED_EARLY, REASON_NONE, HIGH, false, rule_platform_kill,
     "The recorded reason names the platform or its staff.",
     "corpus 11", "shared-031 shared-032 shared-036"},
    {"killed_while_working", CLASS_KILLED_EARLY, REASON_NONE, HIGH, false, rule_request_working,
     "A delete request while work was in progress, at any point of the life time.",
     "corpus 10", "shared-029 shared-030 shared-033 shared-035"},
    {"ended_after_work", UND, REASON_ENDED_NORMALLY, HIGH, false, rule_ended_after_work,
     "The sandbox was removed after the work had been completed.",
     "corpus 10, 12", "shared-052 shared-054 shared-055 shared-056 shared-059"},
    {"killed_unseen", CLASS_KILLED_EARLY, REASON_NONE, LOW, false, rule_request_unseen,
     "A delete request well before the limit; nothing shows whether work was in "
     "progress.",
     "corpus 10", "own-007"},
    {"no_reason_late", CLASS_TIMEOUT, REASON_NONE, MEDIUM, false, rule_no_reason_late,
     "A kill without a reason at 98 % of the life time or later.",
     "corpus 12", "shared-025"},
    {"no_reason_early", CLASS_KILLED_EARLY, REASON_NONE, LOW, false, rule_no_reason_early,
     "A kill without a reason, earlier.",
     "corpus 12", "shared-034"},
    {"automatic_pause", CLASS_TIMEOUT, REASON_NONE, MEDIUM, false, rule_auto_pause,
     "An automatic pause at the limit while a command was running.",
     "corpus 9", "shared-023"},
    {"lost_end", CLASS_TIMEOUT, REASON_NONE, LOW, false, rule_lost_timeout,
     "No end on record, but the sandbox lived until its limit and is gone.",
     "e2b.md 12", "own-008"},
    {"paused", UND, REASON_PAUSED, HIGH, false, rule_paused,
     "Paused on request, or with nothing running.",
     "corpus 9", "shared-060"},
    {"running_silent", UND, REASON_RUNNING_SILENT, LOW, false, rule_silent,
     "E2B says running, but nothing was heard for over a minute.",
     "e2b.md 3.2", "own-009"},
    {"running", UND, REASON_STILL_RUNNING, HIGH, false, rule_running,
     "Running and healthy.",
     "corpus, classes", "shared-051 shared-057"},
    {"never_started", UND, REASON_NEVER_STARTED, LOW, false, rule_never_started,
     "The machine was asked for and never came up.",
     "e2b.md 5.4", "own-010"},
    {"not_enough", UND, REASON_NOT_ENOUGH, LOW, false, rule_nothing,
     "The evidence supports no class.",
     "corpus, classes", "shared-053"},
};
/* clang-format on */
const size_t rule_count = sizeof(rule_table) / sizeof(rule_table[0]);

void rules_decide(const struct scene *s, struct verdict *v)
{
    for (size_t i = 0; i < rule_count; i++) {
        const struct rule *r = &rule_table[i];
        *v = (struct verdict){r, r->cls, r->reason, r->confidence, "", r->names_failure};
        if ((!r->names_failure || s->d) && r->test(s, v))
            return;
    }
}
