/*
 * The error pages: one table from a failure to its status, its words, and how loudly it is logged. What an
 * err says is for the log; a reader gets the words of the table, and the number of the request, which
 * is in the log too.
 */
#include "web/respond.h"

#include <string.h>

#include "sys/log.h"
#include "web/hput.h"

#include "base/banned.h"

struct problem {
    int status;
    enum log_severity severity;
    bool can_retry; /* the same address may work later */
    const char *title, *text;
};

static const struct problem by_kind[ERR_KIND_COUNT] = {
    [ERR_NONE] =
        {500, LOG_ERROR, true,  "Casebook made a mistake",
                    "The page could not be made. Nothing is lost: findings are kept. If it happens "
         "again, tell your administrator the request number below."         },
    [ERR_INPUT] =
        {400, LOG_WARN,  false, "This address or form cannot be used",
                    "A part of it is missing, too long, or not written the way Casebook expects. "
         "Nothing was done. Go back and look at what was entered."          },
    [ERR_AUTH] =
        {502, LOG_ERROR, true,  "A service refused Casebook's key",
                    "E2B, Zendesk or Linear did not accept the key that Casebook uses. This says "
         "nothing about the ticket or the sandbox. Tell your administrator."},
    [ERR_DENIED] =
        {403, LOG_WARN,  false, "This is not allowed",
                    "Nothing was done. If it should be allowed, tell your administrator the "
         "request number below."                                            },
    [ERR_NOTFOUND] =
        {404, LOG_INFO,  false, "There is no such page",
                    "Check the address letter by letter: a ticket or an investigation has a "
         "number, a sandbox an id of letters and digits."                   },
    [ERR_CONFLICT] =
        {409, LOG_WARN,  false, "It has changed in the meantime",
                    "Somebody else was first. Nothing was done. Open the page again to see how "
         "things stand now."                                                },
    [ERR_UPSTREAM] =
        {502, LOG_ERROR, true,  "A service gave no usable answer",
                    "E2B, Zendesk or Linear answered with something Casebook cannot use. This "
         "does not mean that what you look for does not exist."             },
    [ERR_TIMEOUT] =
        {504, LOG_ERROR, true,  "A service did not answer in time",
                    "E2B, Zendesk or Linear took too long. This does not mean that what you look "
         "for does not exist."                                              },
    [ERR_DB] =
        {503, LOG_ERROR, true,  "Casebook's database does not answer",
                    "Nothing was done. Findings are kept, but they cannot be read or written at the "
         "moment. Try again in a minute; if it stays like this, tell your "
         "administrator."                                                   },
    [ERR_INTERNAL] =
        {500, LOG_ERROR, true,  "Casebook made a mistake",
                    "The page could not be made. Nothing is lost: findings are kept. If it "
         "happens again, tell your administrator the request number below." },
};

static const struct problem by_refusal[REFUSE_COUNT] = {
    [REFUSE_NO_USER] = {403, LOG_WARN, false, "Casebook does not know who you are",
                        "The web server in front of Casebook did not pass on a name "
                        "(REMOTE_USER). Sign in; if you have, tell your administrator."    },
    [REFUSE_EXPIRED] =
        {403, LOG_WARN, false, "Nothing was done",
                        "This page was open too long. Nothing was done. Please try again." },
    [REFUSE_METHOD] = {405, LOG_INFO, false, "This address cannot be used that way",
                        "It exists, but takes another kind of request. Nothing was done."  },
    [REFUSE_NO_PAGE] =
        {404, LOG_INFO, false, "There is no such page",
                        "Check the address letter by letter: a ticket or an investigation has a "
         "number, a sandbox an id of letters and digits."                                  },
    [REFUSE_TOO_LONG] =
        {413, LOG_WARN, false, "Too much was sent",
                        "The form or file is longer than Casebook takes. Nothing was done."},
    [REFUSE_TYPE] =
        {415, LOG_WARN, false, "This form cannot be read",
                        "It was not sent the way a page of Casebook sends its forms. Nothing was "
         "done."                                                                           },
};

/* A page without templates and data, for when those are what failed. */
static void put_built_in(const struct req *rq, struct reply *reply,
                         const struct problem *p)
{
    sbuf_reset(&reply->head);
    sbuf_reset(&reply->body);
    sbuf_addf(&reply->body,
              "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>%s - "
              "Casebook</title>\n<h1>%s</h1>\n<p>%s</p>\n<p>Request <code>%s</code></p>\n"
              "</html>\n",
              p->title, p->title, p->text, rq->request_id);
    sbuf_addf(&reply->head,
              "Status: %d Error\r\nContent-Type: text/html; charset=utf-8\r\n"
              "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
              "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
              "Content-Length: %zu\r\n\r\n",
              p->status, reply->body.len);
    reply->status = p->status;
    if (rq->method == METHOD_HEAD)
        sbuf_reset(&reply->body);
}

static int put_page(const struct req *rq, struct reply *reply, const struct problem *p,
                    const char *allow, struct err *err)
{
    struct resp rs;
    HDF *hdf;
    int rc;

    resp_init(&rs);
    hdf = resp_page(rq, &rs, "error.cs", p->title, "");
    hput_i64(hdf, "Error.Status", p->status);
    hput_str(hdf, "Error.Title", p->title);
    hput_str(hdf, "Error.Text", p->text);
    hput_bool(hdf, "Error.CanRetry",
              p->can_retry && (rq->method == METHOD_GET || rq->method == METHOD_HEAD));
    rs.status = p->status;
    rs.allow = allow;
    rs.retry_after = p->status == 503 ? "10" : NULL;
    rc = respond(rq, &rs, reply, err);
    resp_release(&rs);
    return rc;
}

void respond_error(const struct req *rq, struct reply *reply, enum refusal why,
                   const char *allow, const struct err *err)
{
    const struct problem *p =
        why == REFUSE_BY_KIND ? &by_kind[err->kind] : &by_refusal[why];
    struct err page_err = ERR_INIT;

    log_err(p->severity, "request refused or failed", err);
    if (put_page(rq, reply, p, allow, &page_err) == 0)
        return;
    log_err(LOG_ERROR, "the error page itself failed", &page_err);
    put_built_in(rq, reply, p);
}
