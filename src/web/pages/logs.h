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
#include "web/view_log.h"

#define LOG_PAGE_LINES 1000

struct log_request {
    bool is_open;    /* asked for at all */
    bool is_reading; /* an own read was needed: not just the first page, unfiltered */
    const char *position; /* "" : the beginning, or the newest line */
    int64_t before;       /* lines of the list before the place where the read begins */
    bool is_unnumbered;   /* how many these are is not known */
    int64_t
        at_us; /* the lines around this moment, all of them (log_around.h); TS_NONE: not asked */
    bool has_order; /* `order` was given: newest_first holds, whatever the position */
    bool newest_first;
    bool in_printed; /* search what programs printed, too */
    enum log_level level;
    const char *level_text;
    const char *search;
    const char *
        only; /* "platform", "process"; else "": which are shown of those that were read */
    bool no_wrap, no_fold;
    struct e2b_logs op;
    struct e2b_logs earlier; /* with at_us: what stands before it */
    bool is_reading_earlier;
};

/*
 * Reads logs (or from), n, at, q, level, order, in, show, wrap, fold of the query. A malformed position is the
 * beginning; n=u says that the number of the lines before is not known.
 */
void log_request_init(struct log_request *r, const struct req *rq);
/* Adds the reads when some of its own are needed, at most 2; returns the new n. */
size_t log_request_calls(struct log_request *r, struct req *rq, const char *sandbox_id,
                         struct http_call **calls, size_t n);
/*
 * Fills Logs.*; first: the page's own first, unfiltered read, used when it is what was asked for.
 * .Lines.N.*, .PlatformCount, .ProcessCount (view_log_lines), .First .Last .LastNumber .IsLater .IsOpen .Search .Level .InPrinted .NewestFirst
 * .IsFiltered
 * .Only .NoWrap .NoFold .Around .AllHref .TextHref .Jumps.N.{Text,Href}
 * .OpenHref .CloseHref .OrderHref .OrderText .FirstCount .FirstIsAll .Failed.*;
 * .Foot.{Title,Text}, .Down.{Position,Href,Text}, .Up.{Position,Href,Text}, .Notes.N.{Text,IsBad,Href,HrefText}
 */
void log_request_show(struct log_request *r, const struct req *rq, HDF *hdf,
                      const struct sandbox_view *v, const char *self,
                      const struct e2b_logs *first);
void log_request_release(struct log_request *r);

#endif
