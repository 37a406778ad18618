/* Inside of store: how the row of an investigation is read, in one place. */
#ifndef CASEBOOK_STORE_ST_INV_ROW_H
#define CASEBOOK_STORE_ST_INV_ROW_H

#include "model/investigation.h"
#include "store/db.h"

struct arena;
struct inv_row;

/* To be selected from `investigation AS i`, first in the list. */
#define INV_COLUMNS                                                                      \
    "i.id, i.sandbox_id, i.ticket_id, i.state, i.reached, i.requested_by, "              \
    "i.canceled_by, "                                                                    \
    "i.created_us, i.started_us, i.finished_us, i.collected_us, i.diagnosed_us, "        \
    "i.deduped_us, i.filed_us, i.noted_us, i.done_us, i.failed_us, i.canceled_us, "      \
    "i.run_after_us, i.attempt, i.fence, i.worker, i.lease_until_us, i.failure, "        \
    "i.opened_us, i.read_events, i.read_samples, i.read_lines"
#define INV_COLUMN_COUNT 28

/*
 * Inside a transaction: locks the row of an investigation that this worker still holds. ERR_CONFLICT when its
 * lease was taken over or it was canceled. Whoever writes for an investigation takes its row first.
 */
int inv_lock_held(struct db *db, const struct investigation *inv, struct err *err);

/* Inside a transaction: who had it do what (see act.sql). */
int inv_act(struct db *db, int64_t inv_id, const char *act, const char *by,
            const char *detail, int64_t now_us, struct err *err);

/*
 * A line of a list: those and the finding's, from `investigation AS i` with INV_LIST_JOINS. The newest correction by
 * a person stands above what was decided.
 */
#define INV_LIST_COLUMNS                                                                 \
    INV_COLUMNS                                                                          \
    ", f.class, f.reason, f.confidence, f.headline, f.signature, "                       \
    "f.signature_hash, COALESCE(f.template_id, i.template_id), f.template_alias, "       \
    "COALESCE(c.identifier, d.issue_identifier), COALESCE(c.url, d.issue_url), "         \
    "COALESCE(c.issue_id, d.issue_id), "                                                 \
    "d.outcome, n.state, f.failed_at_us, t.subject, "                                    \
    "COALESCE(NULLIF(i.organization, ''), t.organization)"
#define INV_LIST_COLUMN_COUNT (INV_COLUMN_COUNT + 16)

/* ticket: the one that the row is told for; an investigation may be for several. */
#define INV_LIST_JOINS(ticket)                                                           \
    " LEFT JOIN finding AS f ON f.investigation_id = i.id"                               \
    " LEFT JOIN linear_decision AS d ON d.investigation_id = i.id"                       \
    " LEFT JOIN note AS n ON n.investigation_id = i.id AND n.ticket_id = " ticket        \
    " LEFT JOIN ticket AS t ON t.id = " ticket                                           \
    " LEFT JOIN issue_correction AS c ON c.id = (SELECT MAX(cc.id) FROM "                \
    "issue_correction AS cc"                                                             \
    " WHERE cc.investigation_id = i.id) "

void inv_read_row(const struct db_rows *rows, struct arena *a, struct investigation *out);

void inv_read_list_row(const struct db_rows *rows, struct arena *a, struct inv_row *out);

/* The first row of a result, which is closed in every case. rows NULL: err is set already.
   ERR_NOTFOUND "`what` not found" when there is none. */
int inv_read_one(struct db_rows *rows, struct arena *a, const char *what,
                 struct investigation *out, struct err *err);

#endif
