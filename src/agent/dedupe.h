/*
 * Is this failure known already? What people said and our own record, the failure's address and its literal mark
 * in Linear, then Search Issues: always all of them; every candidate is kept with its score.
 */
#ifndef CASEBOOK_AGENT_DEDUPE_H
#define CASEBOOK_AGENT_DEDUPE_H

#include "agent/agent.h"
#include "agent/customer.h"
#include "model/finding.h"
#include "model/linear.h"

/*
 * Fills *out: MATCHED, TO_FILE, or NOT_FILED. -1 when a search did not answer: that is never "no match"
 * (linear.md 3.3). token as from finding_token(); link as from publish_failure_link().
 */
int dedupe_search(struct agent *ag, struct arena *a, const struct finding *f,
                  const struct customer *who, const char *token, const char *link,
                  struct linear_decision *out, struct err *err);

#endif
