/*
 * The texts of a Linear issue and the words to search for. Pure; nothing of the customer's name,
 * address or sandbox owner goes into a search, and everything is masked before it leaves.
 */
#ifndef CASEBOOK_AGENT_ISSUE_TEXT_H
#define CASEBOOK_AGENT_ISSUE_TEXT_H

#include "agent/customer.h"
#include "model/evidence.h"
#include "model/finding.h"
#include "model/investigation.h"
#include "outgoing/mask.h"

/* One line of at most 200 bytes (linear.md 5.1). who: whose words are left out of all these texts; may be NULL. */
char *issue_title(struct arena *a, const struct mask *m, const struct finding *f,
                  const struct customer *who);

/* Markdown of at most 60 KiB: root cause, sandbox, template, timeline table, log excerpt in a fence that
   the excerpt cannot close, the token in inline code on the last line (linear.md 5.2, 5.3).
   link: of the finding's page, "" when there is none to give. */
char *issue_body(struct arena *a, const struct mask *m, const struct finding *f,
                 const struct evidence *ev, const struct investigation *inv,
                 const struct customer *who, const char *token, const char *link);

/* A comment on an issue: the same failure was met again. Nothing in it tells of whom. */
char *issue_comment(struct arena *a, const struct mask *m, const struct finding *f,
                    int64_t now_us, const char *link);

/* A handful of telling words from signature and template for Search Issues, at most 200 bytes. */
char *issue_search_words(struct arena *a, const struct mask *m, const struct finding *f,
                         const struct customer *who);

#endif
