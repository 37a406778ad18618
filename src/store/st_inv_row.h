/* Inside of store: how the row of an investigation is read, in one place. */
#ifndef CASEBOOK_STORE_ST_INV_ROW_H
#define CASEBOOK_STORE_ST_INV_ROW_H

#include "model/investigation.h"
#include "store/db.h"

struct arena;

/* To be selected from `investigation AS i`, first in the list. */
#define INV_COLUMNS                                                                      \
    "i.id, i.sandbox_id, i.ticket_id, i.state, i.reached, i.requested_by, "              \
    "i.canceled_by, "                                                                    \
    "i.created_us, i.started_us, i.finished_us, i.collected_us, i.diagnosed_us, "        \
    "i.deduped_us, i.filed_us, i.noted_us, i.done_us, i.failed_us, i.canceled_us, "      \
    "i.run_after_us, i.attempt, i.fence, i.worker, i.lease_until_us, i.failure"
#define INV_COLUMN_COUNT 24

void inv_read_row(const struct db_rows *rows, struct arena *a, struct investigation *out);

/* The first row of a result, which is closed in every case. rows NULL: err is set already.
   ERR_NOTFOUND "`what` not found" when there is none. */
int inv_read_one(struct db_rows *rows, struct arena *a, const char *what,
                 struct investigation *out, struct err *err);

#endif
