/*
 * What several pages show alike, from model structs to HDF. Only view files write HDF names; each function
 * says which it writes. No I/O; the one clock is now_us.
 */
#ifndef CASEBOOK_WEB_VIEW_H
#define CASEBOOK_WEB_VIEW_H

#include "model/finding.h"
#include "model/source.h"
#include "model/ticket.h"
#include "model/timeline.h"
#include "store/st_finding.h"
#include "store/st_ticket.h"
#include "web/hput.h"
#include "web/request.h"

/* The complaint window and the ticket that links carry along. */
struct view_link {
    const struct req *rq;
    int64_t ticket_id;      /* 0: none */
    int64_t from_us, to_us; /* TS_NONE: not set */
};

/*
 * A link below BasePath, in the arena: path (already encoded) with the window as query, and `more`
 * ("state=running", encoded; NULL: nothing) behind it.
 */
char *view_href(const struct view_link *l, const char *path, const char *more);
/* "/tickets/ID/sandboxes/SID" or "/sandboxes/SID". */
char *view_sandbox_path(const struct view_link *l, const char *sandbox_id);
/* "24 Nov 13:55 - 14:10 UTC", in the arena. "" without a window. */
char *view_window(const struct view_link *l);
/* AT.From and AT.To: the same window as two times, the second without its date on the same day. */
void view_window_span(HDF *at, const struct view_link *l);
/* "2026-11-24 13:55", for a field; "" for TS_NONE. */
char *view_field_time(struct arena *a, int64_t us);

/* Strip.*: the ticket strip. t may be NULL (then src says why, and `known`, the ticket as last seen, or
   NULL, still names the customer). tab: which tab is current. */
void view_strip(HDF *root, const struct view_link *l, const struct ticket *t,
                const struct recent_ticket *known, const struct source *src,
                const char *tab, int64_t investigated);

/*
 * AT.Title, .Text, .Retry: a failed read in words, like `E2B answered "503" three times in 10.4 s`.
 * service: "E2B", "Zendesk", "Linear". title: "The charts could not be loaded."
 */
void view_failure(HDF *at, const char *service, const char *title,
                  const struct source *src, const char *rest, const char *retry);
/* The middle sentence alone, in the arena. */
char *view_failure_words(struct arena *a, const char *service, const struct source *src);

/* AT.Kind (running, silent, paused, ended, other) and AT.Word. */
void view_state(HDF *at, const struct timeline *t);
/* AT.Id, .Class, .ClassWord, .Confidence, .Reason, .Headline, .By, .When.*, .Issue, .IssueHref, .Note,
   .Href, .Sandbox, .SandboxShort, .SandboxHref, .Ticket, .TicketHref, .State */
/* .IssueState, .IssueStateType: as Linear has it; NULL: nothing. */
void view_issue_state(HDF *at, const struct linear_issue *issue);
void view_inv_row(HDF *at, const struct view_link *l, const struct inv_row *row);
/* "i7q2m…zt5e" in the arena. */
char *view_short_id(struct arena *a, const char *sandbox_id);
/* "N" for new, … "C" for closed; the first letter of another word in capitals. */
char *view_status_tile(struct arena *a, const char *status);
char *view_status_word(struct arena *a, const char *status);
/* What became of the note, in words for a list: "Note posted", "No note: the ticket is closed", "". */
const char *view_note_words(enum note_state s);

#endif
