/* One worker: claims investigations and takes each through its stages. */
#ifndef CASEBOOK_AGENT_RUN_H
#define CASEBOOK_AGENT_RUN_H

#include "agent/agent.h"
#include "base/arena.h"
#include "model/investigation.h"

/* 1: one was worked on; 0: nothing was due; -1: MariaDB failed. */
int run_next(struct agent *ag, struct arena *a, struct err *err);

/* How long to wait before try number `attempt` (from 0): the service's own wait when it said one (at most
   an hour), else 1 s doubling to 2 min with a jitter of a quarter. seed: any number that differs. */
int64_t run_backoff_us(int attempt, int64_t retry_after_us, uint32_t seed);

#endif
