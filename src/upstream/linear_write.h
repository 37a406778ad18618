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

/* attachmentLinkZendesk, else attachmentLinkURL (documents 13, 12): the ticket on the issue. */
int linear_link_ticket(struct linear *l, struct arena *a, const char *issue_id,
                       int64_t ticket_id, const char *ticket_url, int64_t deadline_us,
                       struct err *err);

#endif
