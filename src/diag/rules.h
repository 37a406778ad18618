/*
 * The rules: a table, tried in order; the first whose test holds decides. Failure rules
 * look at the failure that ended the work (failure.h), ending rules at how the sandbox
 * ended.
 */
#ifndef CASEBOOK_DIAG_RULES_H
#define CASEBOOK_DIAG_RULES_H

#include "diag/failure.h"
#include "model/finding.h"

struct scene { /* what a rule may look at */
    const struct facts *f;
    struct failures failures;
    const struct failure *d; /* the decisive failure, or NULL */
    struct progress_info progress;
};

struct verdict {
    const struct rule *rule;
    enum finding_class cls;
    enum undetermined_reason reason;
    enum confidence confidence;
    const char *why;    /* why this confidence */
    bool names_failure; /* the failure is the answer (else the ending is) */
};

struct rule {
    const char *name;
    enum finding_class cls;
    enum undetermined_reason reason;
    enum confidence confidence; /* may be lowered or raised by the test */
    bool names_failure;
    bool (*test)(const struct scene *s, struct verdict *v);
    const char *says;   /* the rule in words, for the documentation */
    const char *source; /* tie-break of the corpus, or section of e2b.md */
    const char *cases;  /* cases that justify it */
};

extern const struct rule rule_table[];
extern const size_t rule_count;

/* The last rule always holds. */
void rules_decide(const struct scene *s, struct verdict *v);

/* rule_failure.c */
bool rule_command_limit(const struct scene *s, struct verdict *v);
bool rule_api_signal(const struct scene *s, struct verdict *v);
bool rule_inner_kill(const struct scene *s, struct verdict *v);
bool rule_kernel_oom(const struct scene *s, struct verdict *v);
bool rule_not_memory(const struct scene *s, struct verdict *v);
bool rule_memory_ceiling(const struct scene *s, struct verdict *v);
bool rule_memory_refused(const struct scene *s, struct verdict *v);
bool rule_vanished_full(const struct scene *s, struct verdict *v);
bool rule_shell_timeout(const struct scene *s, struct verdict *v);
bool rule_unknown_sender(const struct scene *s, struct verdict *v);
bool rule_unknown_loss(const struct scene *s, struct verdict *v);
bool rule_inner_signal(const struct scene *s, struct verdict *v);
bool rule_program_error(const struct scene *s, struct verdict *v);
bool rule_bare_exit(const struct scene *s, struct verdict *v);
/* rule_ending.c */
bool rule_contradiction(const struct scene *s, struct verdict *v);
bool rule_machine_full(const struct scene *s, struct verdict *v);
bool rule_machine_died(const struct scene *s, struct verdict *v);
bool rule_kill_timeout(const struct scene *s, struct verdict *v);
bool rule_auto_pause(const struct scene *s, struct verdict *v);
bool rule_platform_kill(const struct scene *s, struct verdict *v);
bool rule_request_working(const struct scene *s, struct verdict *v);
bool rule_request_unseen(const struct scene *s, struct verdict *v);
bool rule_ended_after_work(const struct scene *s, struct verdict *v);
bool rule_no_reason_late(const struct scene *s, struct verdict *v);
bool rule_no_reason_early(const struct scene *s, struct verdict *v);
bool rule_lost_timeout(const struct scene *s, struct verdict *v);
bool rule_paused(const struct scene *s, struct verdict *v);
bool rule_silent(const struct scene *s, struct verdict *v);
bool rule_running(const struct scene *s, struct verdict *v);
bool rule_never_started(const struct scene *s, struct verdict *v);
bool rule_nothing(const struct scene *s, struct verdict *v);

#endif
