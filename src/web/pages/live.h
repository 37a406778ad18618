/*
 * The state of Linear's issues as it is now: one request for all of a page, and none for those that any page has
 * read within the last half minute.
 */
#ifndef CASEBOOK_WEB_PAGES_LIVE_H
#define CASEBOOK_WEB_PAGES_LIVE_H

#include "base/ts.h"
#include "store/st_issue.h"
#include "upstream/linear.h"
#include "web/request.h"

#define LIVE_WAIT_US (3 * TS_SEC) /* longer nobody should wait for a word beside a link */

struct live {
    struct req *rq;
    const char *ids[LINEAR_STATES_MAX];
    size_t id_count;
    struct kept_issue *kept;
    size_t kept_count;
    struct linear_states states; /* what is asked for now */
    bool is_asking;
};

/* Adds an issue by its UUID; "" and NULL, and those over the bound, are left out. */
void live_want(struct live *l, const char *issue_id);
/* Reads what is kept, and adds the request for the rest to calls[n], when there is one; returns the new n. */
size_t live_calls(struct live *l, struct req *rq, struct http_call **calls, size_t n);
/* After the batch: keeps what was read. */
void live_take(struct live *l);
/* The issue, when its state is known, be it from before because Linear did not answer; NULL. */
const struct linear_issue *live_find(const struct live *l, const char *issue_id);
/* How Linear answered; NULL when it was not asked. */
const struct source *live_source(const struct live *l);
void live_release(struct live *l);

#endif
