/* Lookup and ticket pages, from model to HDF. */
#ifndef CASEBOOK_WEB_VIEW_TICKET_H
#define CASEBOOK_WEB_VIEW_TICKET_H

#include "store/st_finding.h"
#include "store/st_ticket.h"
#include "ticket/marks.h"
#include "web/view.h"

/* AT.Id .Href .Subject .Excerpt .Requester .Email .Organisation .Status .Tile .Created.* .Age .Seen.* and
   AT.Verdict.* (view_inv_row) when Casebook has a finding for it. */
void view_ticket_row(HDF *at, const struct view_link *l, const struct ticket *t,
                     const struct inv_rows *known);
void view_recent_row(HDF *at, const struct view_link *l, const struct recent_ticket *t,
                     const struct inv_rows *known);

/* Ticket.Subject .Organisation .Created.* .Status … and Window.* : the two fields, the proposals. */
void view_ticket_head(HDF *root, const struct ticket *t, int64_t now_us);
void view_window_form(HDF *root, const struct view_link *l, const char *from_text,
                      const char *to_text, const char *error,
                      const struct window_proposal *p, size_t n);

/*
 * Comments.N.* : .Author .Kind (public, internal) .Role .At.* .UseHref .Later .Runs.M.{Kind,Text,Mark,Href}
 * .Notes.M.{Mark,IsTime,Proves,NotProves,Text,Href,HrefText} .Attachments.M .Flagged .Voice
 */
void view_comments(HDF *root, const struct view_link *l, const struct ticket *t,
                   const struct comment *comments, size_t n,
                   const struct phrase_set *phrases, const struct time_reader *times);

#endif
