/*
 * A worker works on an investigation only while its lease lasts, and waits for no answer longer than that: what
 * comes later would be another worker's.
 */
#ifndef CASEBOOK_AGENT_LEASE_H
#define CASEBOOK_AGENT_LEASE_H

#include "agent/agent.h"
#include "model/investigation.h"

/* Before each stage: a whole lease from now on. ERR_CONFLICT when another worker has it, or it was canceled. */
int lease_renew(struct agent *ag, struct investigation *inv, struct err *err);

/* Before each effect in another service: makes sure that the investigation is still ours and stays so for a while.
   ERR_CONFLICT as above. */
int lease_hold(struct agent *ag, struct investigation *inv, struct err *err);

/* The monotonic deadline of one call: 40 s, and never after the lease. */
int64_t lease_deadline(const struct agent *ag);

#endif
