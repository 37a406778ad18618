/* Filling the ledger from E2B (design.md section 10). */
#ifndef CASEBOOK_AGENT_HARVEST_H
#define CASEBOOK_AGENT_HARVEST_H

#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

struct db;
struct e2b;

/*
 * One harvest: the running and paused sandboxes; the team's events newest first until those that are known;
 * what earlier harvests left unread, as far as the time goes; and a little pruning (Ledger.RetainDays).
 * With backfill, the events as far back as E2B keeps them (and RetainDays reaches), however many pages
 * that is. Each page is stored before the next is asked for: memory is that of one page, and a
 * harvest that is killed anywhere is gone on with by the next. Safe on two hosts at once.
 *
 * tell(line), which may be NULL, gets what was done in plain words, and what could not be read without
 * being a failure; during a backfill also, every two seconds, how far it is. -1 with err when E2B or
 * MariaDB failed; what could be read is stored even then. Ends early, and well, when prefork_stop is set.
 */
int harvest_run(struct db *db, struct e2b *e2b, int64_t now_us, bool backfill,
                void (*tell)(const char *line), struct err *err);

#endif
