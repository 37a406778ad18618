/*
 * The answer of a handler. Handlers set it up; respond.c writes status, headers (CSP, nosniff,
 * Cache-Control, Content-Length) and body once rendering has succeeded.
 */
#ifndef CASEBOOK_WEB_RESPOND_H
#define CASEBOOK_WEB_RESPOND_H

#include "base/err.h"
#include "base/sbuf.h"
#include "web/cs.h"
#include "web/request.h"

struct resp {
    int status;                /* 200 unless set */
    const char *template_name; /* "ticket.cs": rendered with hdf */
    HDF *hdf;                  /* made by resp_page; escaping mode is set */
    const char *location;      /* of a 303: a path below BasePath, begins with '/' */
    const char *content_type;  /* of `body`, when there is no template */
    struct sbuf body;
    const char *etag; /* quoted; a match with If-None-Match makes a 304 */
    const char *retry_after;
    const char *disposition; /* "attachment; filename=..." */
    const char *allow;       /* of a 405 */
    const char
        *refresh; /* "Refresh" header value, seconds; for pages without JavaScript */
};

/*
 * Start a page: creates the HDF with the frame's data (Page.Title, Page.Nav, Page.Base, Page.User,
 * Page.Csrf, Page.RequestId, Page.Now). nav: "tickets", "sandboxes", "investigations" or "".
 */
HDF *resp_page(const struct req *rq, struct resp *rs, const char *template_name,
               const char *title, const char *nav);
/* A fragment: no frame, but Page.Base, Page.Csrf and so on are there. */
HDF *resp_fragment(const struct req *rq, struct resp *rs, const char *template_name);
/* 303 See Other to a path below BasePath. Always returns 0. */
int resp_redirect(struct resp *rs, const char *path);
/*
 * A page of its own for what is wrong, in the handler's words (they go to the reader): always 0. back, a
 * path below BasePath or NULL, is offered as the way on.
 */
int resp_problem(const struct req *rq, struct resp *rs, int status, const char *title,
                 const char *text, const char *back, const char *back_text);
/* Text or JSON made by the handler. */
void resp_text(struct resp *rs, int status, const char *content_type, const char *text);

void resp_init(struct resp *rs);
void resp_release(struct resp *rs);

/* What goes to the web server: CGI headers with their empty line, and the body. */
struct reply {
    int status;
    struct sbuf head;
    struct sbuf body; /* empty for HEAD, 303 and 304 */
};

void reply_init(struct reply *reply);
void reply_release(struct reply *reply);

/*
 * Render and write the headers. -1 with err when the template fails or a header value holds CR, LF or
 * another control byte; the reply is then unusable until respond_error() has made it anew.
 */
int respond(const struct req *rq, struct resp *rs, struct reply *reply, struct err *err);

/* Why a request is refused before it comes to a handler; each has its status and words. */
enum refusal {
    REFUSE_BY_KIND, /* by err.kind */
    REFUSE_NO_USER,
    REFUSE_EXPIRED, /* the form's token is not, or no longer, good */
    REFUSE_METHOD,  /* allow says what the address takes */
    REFUSE_NO_PAGE,
    REFUSE_TOO_LONG,
    REFUSE_TYPE,
    REFUSE_COUNT
};

/* The error page, with the request's id; cannot fail (a page built in comes when error.cs fails). Logs
   the error, once: `error` for what an administrator should look at, else `warn`. */
void respond_error(const struct req *rq, struct reply *reply, enum refusal why,
                   const char *allow, const struct err *err);

#endif
