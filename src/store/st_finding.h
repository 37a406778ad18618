/* Findings, Linear decisions, filings, and what people said of them. */
#ifndef CASEBOOK_STORE_ST_FINDING_H
#define CASEBOOK_STORE_ST_FINDING_H

#include "model/finding.h"
#include "model/investigation.h"
#include "model/linear.h"
#include "model/note.h"
#include "store/db.h"

int finding_get(struct db *db, struct arena *a, int64_t inv_id, struct finding *out,
                struct err *err); /* ERR_NOTFOUND */
int decision_get(struct db *db, struct arena *a, int64_t inv_id,
                 struct linear_decision *out, struct err *err); /* ERR_NOTFOUND */

struct filing { /* one per signature and template */
    const char *issue_id, *identifier, *url, *title;
    bool was_filed_by_us;
    int64_t first_inv_id;
    int64_t created_us;
};
/* ERR_NOTFOUND when this failure has no issue yet in our own record. */
int filing_get(struct db *db, struct arena *a, const char *signature_hash,
               const char *template_id, struct filing *out, struct err *err);

/*
 * *is_new: the customer of this investigation (its organization, else its ticket's requester) is known, and no other
 * investigation of this failure was for the same one.
 */
int failure_is_new_to_customer(struct db *db, int64_t inv_id, const char *signature_hash,
                               const char *template_id, bool *is_new, struct err *err);

struct inv_row {              /* one line of a list */
    struct investigation inv; /* the fields a list shows */
    bool has_finding;
    enum finding_class cls;
    enum undetermined_reason reason;
    enum confidence confidence;
    const char *headline, *signature, *signature_hash, *template_id, *template_alias;
    const char *issue_identifier, *issue_url, *issue_id;
    enum linear_outcome outcome;
    enum note_state note;
    int64_t failed_at_us;
    const char *ticket_subject, *organization; /* as seen when it was queued; "" */
};
struct inv_rows {
    struct inv_row *items;
    size_t count;
    bool has_more;
};
struct inv_filter { /* NULL, "" and -1: not filtered */
    int cls;
    const char *template_id, *signature_hash, *by, *organization;
    int64_t ticket_id; /* 0: any */
    const char *sandbox_id;
    int64_t before_id; /* paging: ids below this; 0: from the newest */
    int limit;         /* 1..200 */
};
int inv_list(struct db *db, struct arena *a, const struct inv_filter *f,
             struct inv_rows *out, struct err *err);
/* The newest row with a finding for each of up to 100 sandboxes (the search's Finding column). */
int inv_list_for_sandboxes(struct db *db, struct arena *a, const char *const *ids,
                           size_t n, struct inv_rows *out, struct err *err);
/* The newest finding for each of up to 100 tickets (the lookup's In Casebook column). */
int inv_list_for_tickets(struct db *db, struct arena *a, const int64_t *ids, size_t n,
                         struct inv_rows *out, struct err *err);
/* Count of findings by class under the same filter (class and paging ignored). */
int inv_count_by_class(struct db *db, const struct inv_filter *f,
                       int64_t out[CLASS_COUNT], struct err *err);

struct feedback {
    int64_t id, at_us;
    const char *by;
    bool is_right;
    enum finding_class cls; /* wrong: the correct class */
    const char *remark;
};
int feedback_add(struct db *db, int64_t inv_id, const char *by, bool is_right,
                 enum finding_class cls, const char *remark, int64_t now_us,
                 struct err *err);
int feedback_list(struct db *db, struct arena *a, int64_t inv_id, struct feedback **out,
                  size_t *n, struct err *err); /* oldest first */

struct
    issue_correction { /* a person linked another issue, or unlinked; nothing is overwritten */
    int64_t at_us;
    const char *by, *identifier, *url; /* identifier "": unlinked */
    const char *issue_id, *title;      /* "": Linear could not be asked then */
};
int correction_add(struct db *db, int64_t inv_id, const struct issue_correction *c,
                   struct err *err);
/* The newest one about any investigation of this failure; ERR_NOTFOUND when people said nothing. */
int correction_of_failure(struct db *db, struct arena *a, const char *signature_hash,
                          const char *template_id, struct issue_correction *out,
                          struct err *err);
int correction_list(struct db *db, struct arena *a, int64_t inv_id,
                    struct issue_correction **out, size_t *n, struct err *err);

#endif
