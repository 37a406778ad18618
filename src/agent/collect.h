/* Reading everything E2B still knows about one sandbox into one evidence bundle. */
#ifndef CASEBOOK_AGENT_COLLECT_H
#define CASEBOOK_AGENT_COLLECT_H

#include "agent/agent.h"
#include "model/evidence.h"

/*
 * All four reads go out at once. Each becomes present, absent or unavailable with its reason; a failed
 * one does not fail the whole. Events the ledger kept fill in what E2B has forgotten; printed text among the
 * log lines becomes output.
 *
 * -1 when nothing could be read, or the key was refused; err is that of Get Sandbox.
 * *worth_retry: some part failed in a way that may heal.
 */
int collect_evidence(struct agent *ag, struct arena *a, const char *sandbox_id,
                     struct evidence *out, bool *worth_retry, struct err *err);

#endif
