/*
 * The raw logs: closed by default, read page by page of up to 1,000 lines, to the end and said, from either end.
 * Shared by the sandbox page (without JavaScript) and the fragment that a script loads.
 *
 * A position (e2b.h) holds the direction of the read. Lines are shown in that direction, unless `order`
 * says otherwise: a page "above" the one that is shown is read backward and turned round.
 */
#ifndef CASEBOOK_WEB_PAGES_LOGS_H
#define CASEBOOK_WEB_PAGES_LOGS_H

#include "upstream/e2b.h"
#include "web/request.h"
#include "web/view_sandbox.h"

#define LOG_PAGE_LINES 1000

struct log_request {
    bool is_open;    /* asked for at all */
    bool is_reading; /* an own read was needed: not just the first page, unfiltered */
    const char *position; /* "" : the beginning, or the newest line */
    int64_t before;       /* lines of the list before the place where the read begins */
    bool has_order; /* `order` was given: newest_first holds, whatever the position */
    bool newest_first;
    bool in_printed; /* search what programs printed, too */
    enum log_level level;
    const char *level_text;
    const char *search;
    struct e2b_logs op;
};

/* Reads logs (or from), n, q, level, order, in of the query. A malformed position is the beginning. */
void log_request_init(struct log_request *r, const struct req *rq);
/* Adds the read when one of its own is needed; returns the new n. */
size_t log_request_calls(struct log_request *r, struct req *rq, const char *sandbox_id,
                         struct http_call **calls, size_t n);
/*
 * Fills Logs.*; first: the page's own first, unfiltered read, used when it is what was asked for.
 * .Lines.N.* (view_log_lines), .First .Last .LastNumber .IsLater .IsOpen .Search .Level .InPrinted .NewestFirst
 * .IsFiltered
 * .OpenHref .CloseHref .OrderHref .OrderText .FirstCount .FirstIsAll .Failed.*;
 * .Foot.{Title,Text}, .Down.{Position,Href,Text}, .Up.{Href,Text}, .Notes.N.{Text,IsBad,Href,HrefText}
 */
void log_request_show(struct log_request *r, const struct req *rq, HDF *hdf,
                      const struct sandbox_view *v, const char *self,
                      const struct e2b_logs *first);
void log_request_release(struct log_request *r);

#endif
