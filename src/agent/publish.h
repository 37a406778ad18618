/* The two stages with effects outside: the Linear issue and the Zendesk notes. */
#ifndef CASEBOOK_AGENT_PUBLISH_H
#define CASEBOOK_AGENT_PUBLISH_H

#include "agent/agent.h"
#include "agent/issue_text.h"
#include "agent/note_send.h"
#include "model/evidence.h"
#include "model/finding.h"
#include "model/investigation.h"
#include "model/linear.h"

/* The issue's UUID: from team, template, signature and generation (linear.md 4.2). */
char *publish_issue_uuid(const char *team_id, const char *template_id,
                         const char *signature_hash, int generation,
                         char out[UUID_TEXT_SIZE]);

/* The address of a failure: Casebook's list of its findings. It hangs on the issue, and the issue is found by it.
   "" without Web.PublicUrl or signature. */
char *publish_failure_link(const struct conf *conf, struct arena *a,
                           const struct finding *f);

/*
 * Make the issue for a decision TO_FILE: the decision becomes FILED, or MATCHED when another
 * investigation made it meanwhile. -1: not made, or not known (err.is_unknown): the stage is repeated, with
 * the same UUID; ERR_CONFLICT: the lease is lost.
 */
int publish_issue(struct agent *ag, struct arena *a, struct investigation *inv,
                  const struct finding *f, const struct evidence *ev,
                  const struct customer *who, struct linear_decision *d, struct err *err);

/* What goes onto the issue beside its text: the ticket, the failure's address, and, when the administrator wants
   it, a comment that another customer has met it. A failure is only logged, for the note names the issue anyway. -1: a
   wait was asked for; all of it can be done again. */
int publish_around(struct agent *ag, struct arena *a, const struct investigation *inv,
                   const struct finding *f, const struct linear_decision *d,
                   struct err *err);

/*
 * Post the note of each ticket of the investigation that has none yet, or find that it was posted. 0 when all are in
 * a final state (posted, closed, gone, failed, unknown at the last try); -1 to be repeated later
 * (err.retry_after_us), ERR_DB, or ERR_CONFLICT when the lease is lost. d becomes what people made of it.
 */
int publish_notes(struct agent *ag, struct arena *a, struct investigation *inv,
                  const struct finding *f, struct linear_decision *d,
                  const struct tries *tries, struct err *err);

#endif
