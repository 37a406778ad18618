/* Filling the ledger from E2B (design.md section 10). */
#ifndef CASEBOOK_AGENT_HARVEST_H
#define CASEBOOK_AGENT_HARVEST_H

#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

struct db;
struct e2b;

/*
 * One harvest: the running and paused sandboxes, and the team's events newest first until those that
 * are known. With backfill the events are read as far back as E2B keeps them. Safe to run on two hosts
 * at once, and to be killed anywhere: what was stored stands, the next one goes on.
 *
 * tell(line), which may be NULL, gets what was done in plain words, and what could not be read without
 * being a failure. -1 with err when E2B or MariaDB failed; what could be read is stored even then.
 */
int harvest_run(struct db *db, struct e2b *e2b, int64_t now_us, bool backfill,
                void (*tell)(const char *line), struct err *err);

#endif
