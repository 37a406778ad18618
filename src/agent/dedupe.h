/*
 * Is this failure known already? Our own record, then the literal mark in Linear, then Search Issues,
 * always all of them; every candidate is kept with its score.
 */
#ifndef CASEBOOK_AGENT_DEDUPE_H
#define CASEBOOK_AGENT_DEDUPE_H

#include "agent/agent.h"
#include "model/finding.h"
#include "model/linear.h"

/*
 * Fills *out: MATCHED, TO_FILE, or NOT_FILED. -1 when a search did not answer: that is never "no match"
 * (linear.md 3.3). token as from finding_token().
 */
int dedupe_search(struct agent *ag, struct arena *a, const struct finding *f,
                  const char *token, struct linear_decision *out, struct err *err);

#endif
