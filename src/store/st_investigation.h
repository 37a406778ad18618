/*
 * Investigations: the queue, the lease, the stages. Every write of a worker names its fence: after its
 * lease was taken over it changes nothing and gets ERR_CONFLICT.
 */
#ifndef CASEBOOK_STORE_ST_INVESTIGATION_H
#define CASEBOOK_STORE_ST_INVESTIGATION_H

#include "model/finding.h"
#include "model/investigation.h"
#include "model/linear.h"
#include "model/note.h"
#include "store/db.h"

/* Insert a queued one, or give the unfinished one of this sandbox (the schema allows one):
   *is_new tells which. */
int inv_queue(struct db *db, struct arena *a, const char *sandbox_id, int64_t ticket_id,
              const char *by, int64_t now_us, struct investigation *out, bool *is_new,
              struct err *err);
int inv_get(struct db *db, struct arena *a, int64_t id, struct investigation *out,
            struct err *err); /* ERR_NOTFOUND */
/* The unfinished one, else the newest; ERR_NOTFOUND when there is none. */
int inv_latest(struct db *db, struct arena *a, const char *sandbox_id,
               struct investigation *out, struct err *err);
/* The newest one with a finding (also when a later one runs or failed); ERR_NOTFOUND. */
int inv_latest_with_finding(struct db *db, struct arena *a, const char *sandbox_id,
                            struct investigation *out, struct err *err);

/*
 * Claim the next due one: queued or in a later open stage, run_after passed, lease free or expired;
 * oldest due first; SKIP LOCKED. Sets worker, fence + 1, lease. ERR_NOTFOUND when nothing is due.
 */
int inv_claim(struct db *db, struct arena *a, const char *worker, int64_t now_us,
              int64_t lease_us, struct investigation *out, struct err *err);
/* Still this worker's? ERR_CONFLICT when not. */
int inv_is_held(struct db *db, const struct investigation *inv, struct err *err);
int inv_renew(struct db *db, const struct investigation *inv, int64_t now_us,
              int64_t lease_us, struct err *err);

/* The arrows; each is one transaction that stores the stage's product, enters the next state and
   resets `attempt`. inv->state is updated on success. */
int inv_save_collected(struct db *db, struct investigation *inv,
                       const char *evidence_json, size_t n, const struct inv_read *read,
                       int64_t now_us, struct err *err); /* compressed here */
int inv_save_diagnosed(struct db *db, struct investigation *inv, const struct finding *f,
                       int64_t now_us, struct err *err);
int inv_save_deduped(struct db *db, struct investigation *inv,
                     const struct linear_decision *d, int64_t now_us, struct err *err);
/* Also records the filing (signature and template) when d->outcome is MATCHED or FILED. */
int inv_save_filed(struct db *db, struct investigation *inv,
                   const struct linear_decision *d, const char *signature_hash,
                   const char *template_id, int64_t now_us, struct err *err);
/* err.is_wait, and nothing changed: a further ticket was asked for meanwhile and has no note yet. */
int inv_save_noted(struct db *db, struct investigation *inv, int64_t now_us,
                   struct err *err);
int inv_save_done(struct db *db, struct investigation *inv, int64_t now_us,
                  struct err *err);

/* Give it back for later: run_after, attempt + 1, lease freed, `why` kept for the page. */
int inv_postpone(struct db *db, struct investigation *inv, int64_t run_after_us,
                 const char *why, struct err *err);
/* The same for a wait that is no failure (a rate limit): it is not counted as a try. */
int inv_wait(struct db *db, struct investigation *inv, int64_t run_after_us,
             const char *why, struct err *err);
/* Give it back as it is, at once, for another worker: nothing was tried. */
int inv_release(struct db *db, struct investigation *inv, struct err *err);
int inv_fail(struct db *db, struct investigation *inv, const char *why, int64_t now_us,
             struct err *err);
/* By people, kept with who and when (act_list). ERR_CONFLICT when the state does not allow it. A cancel also
   bumps the fence. A retry goes on at the stage that failed; of one that is done, where Linear was unavailable. */
int inv_cancel(struct db *db, int64_t id, const char *by, int64_t now_us,
               struct err *err);
int inv_retry(struct db *db, int64_t id, const char *by, int64_t now_us, struct err *err);

/*
 * Another ticket is to get this finding, and its own note: an unfinished investigation does it in passing, a
 * finished or failed one is taken up again where that is left to do. Nothing happens when the ticket has been
 * asked for before. ERR_CONFLICT: canceled, or another one of this sandbox is unfinished.
 */
int inv_add_ticket(struct db *db, int64_t id, int64_t ticket_id, const char *by,
                   int64_t now_us, struct err *err);

struct act { /* what a person had it do */
    int64_t at_us;
    const char *act; /* "retry", "retry_note", "ticket", "cancel" */
    const char *by, *detail;
};
int act_list(struct db *db, struct arena *a, int64_t inv_id, struct act **out, size_t *n,
             struct err *err); /* oldest first */

/* The kept evidence: JSON text, uncompressed, in the arena (bound 256 MiB). */
int inv_evidence(struct db *db, struct arena *a, int64_t id, const char **json, size_t *n,
                 struct err *err);

/* How long the queue is, the oldest waiting (TS_NONE), for /metrics and the "waiting" text. */
int inv_queue_depth(struct db *db, int64_t *open_count, int64_t *oldest_us,
                    struct err *err);

#endif
