/* Linear issues as last read, kept for a short while so that pages do not ask for each view. */
#ifndef CASEBOOK_STORE_ST_ISSUE_H
#define CASEBOOK_STORE_ST_ISSUE_H

#include "model/linear.h"
#include "store/db.h"

struct arena;

#define ISSUES_MAX 50 /* of one call */

struct kept_issue {
    struct linear_issue issue;
    int64_t read_us;
};

/* Those of the n ids that are kept, however old; in no order. */
int issue_get_kept(struct db *db, struct arena *a, const char *const *ids, size_t n,
                   struct kept_issue **out, size_t *count, struct err *err);
int issue_keep(struct db *db, const struct linear_issue *issues, size_t n, int64_t now_us,
               struct err *err);

#endif
