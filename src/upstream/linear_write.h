/*
 * The writes to Linear. In libupstream_write.a, which only casebook-agent and the tool link.
 */
#ifndef CASEBOOK_UPSTREAM_LINEAR_WRITE_H
#define CASEBOOK_UPSTREAM_LINEAR_WRITE_H

#include "upstream/linear.h"

/*
 * issueCreate with our own UUID (linear.md 4). 0 on a clean success. On -1: err.is_unknown tells that
 * the issue may exist (timeout, cut, 5xx, unreadable); ERR_CONFLICT that the id is taken. In both
 * cases the caller probes with linear_probe(). is_retryable with retry_after_us: RATELIMITED, not run.
 */
int linear_create(struct linear *l, struct arena *a, const char *uuid, const char *title,
                  const char *description, int64_t deadline_us, struct linear_issue *out,
                  struct err *err);

/*
 * The address of a failure on its issue (document 14): customer-neutral, found again by linear_find_known(). An
 * issue holds an address once. For issues of our team only: the caller has seen to that.
 */
int linear_put_link(struct linear *l, struct arena *a, const char *issue_id,
                    const char *url, const char *title, int64_t deadline_us,
                    struct err *err);

/* commentCreate with our own UUID (document 15): 0 also when that comment is there already. */
int linear_comment(struct linear *l, struct arena *a, const char *uuid,
                   const char *issue_id, const char *body, int64_t deadline_us,
                   struct err *err);

/* attachmentLinkZendesk, else attachmentLinkURL (documents 13, 12): the ticket on the issue. team_id: the issue's,
   when it has been read just now; else "", and it is read first. Nothing is written to another team's issue. */
int linear_link_ticket(struct linear *l, struct arena *a, const char *issue_id,
                       const char *team_id, int64_t ticket_id, const char *ticket_url,
                       int64_t deadline_us, struct err *err);

#endif
