/* The two stages with effects outside: the Linear issue and the Zendesk note. */
#ifndef CASEBOOK_AGENT_PUBLISH_H
#define CASEBOOK_AGENT_PUBLISH_H

#include "agent/agent.h"
#include "model/evidence.h"
#include "model/finding.h"
#include "model/investigation.h"
#include "model/linear.h"

/* The issue's UUID: from team, template, signature and generation (linear.md 4.2). */
char *publish_issue_uuid(const char *team_id, const char *template_id,
                         const char *signature_hash, int generation,
                         char out[UUID_TEXT_SIZE]);

/*
 * Make the issue for a decision TO_FILE: the decision becomes FILED, or MATCHED when another
 * investigation made it meanwhile. -1: not made, or not known (err.is_unknown): the stage is repeated, with
 * the same UUID.
 */
int publish_issue(struct agent *ag, struct arena *a, const struct investigation *inv,
                  const struct finding *f, const struct evidence *ev,
                  struct linear_decision *d, struct err *err);

/* Put the ticket on the issue; a failure is only logged: the note names the issue anyway. */
void publish_link(struct agent *ag, struct arena *a, const struct investigation *inv,
                  const struct linear_decision *d);

/*
 * Post the note of (investigation, ticket), or find that it was posted. Ends with the note in a final
 * state (posted, closed, gone, failed) and 0; -1 to be repeated later (err.retry_after_us).
 * last_try: what cannot be done now becomes the note's state failed; one that may have arrived stays unknown.
 */
int publish_note(struct agent *ag, struct arena *a, const struct investigation *inv,
                 const struct finding *f, const struct linear_decision *d, bool last_try,
                 struct err *err);

#endif
