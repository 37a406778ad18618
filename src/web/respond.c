/*
 * From a handler's struct resp to bytes: rendering first, headers last, so that nothing is sent before it is
 * certain. Error pages are in respond_error.c.
 */
#include "web/respond.h"

#include <stdio.h>
#include <string.h>

#include "base/human.h"
#include "base/text.h"
#include "web/csrf.h"
#include "web/hput.h"
#include "web/tpl.h"

#include "base/banned.h"

#define MAX_HEAD 16384

static const char csp[] =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

void resp_init(struct resp *rs)
{
    *rs = (struct resp){.status = 200};
    sbuf_init(&rs->body, TPL_MAX_PAGE);
}

void resp_release(struct resp *rs)
{
    if (rs->hdf)
        hdf_destroy(&rs->hdf);
    sbuf_release(&rs->body);
    *rs = (struct resp){.status = 0};
}

void reply_init(struct reply *reply)
{
    reply->status = 0;
    sbuf_init(&reply->head, MAX_HEAD);
    sbuf_init(&reply->body, TPL_MAX_PAGE);
}

void reply_release(struct reply *reply)
{
    sbuf_release(&reply->head);
    sbuf_release(&reply->body);
}

static void put_frame(const struct req *rq, HDF *hdf)
{
    HDF *page = hput_node(hdf, "Page");
    char token[CSRF_TOKEN_SIZE], clock[HUMAN_SIZE];

    hput_str(page, "Base", rq->app->conf->base_path);
    hput_str(page, "User", rq->user);
    if (*rq->user)
        hput_str(page, "Csrf",
                 csrf_token(rq->app->csrf_key, rq->user, rq->now_us, token));
    hput_str(page, "RequestId", rq->request_id);
    hput_fmt(page, "Address", "%s%s",
             text_is_empty(rq->app->conf->web.public_url) ? rq->app->conf->base_path
                                                          : rq->app->conf->web.public_url,
             rq->path ? rq->path : "");
    hput_str(page, "Made", human_datetime(rq->now_us, rq->now_us, clock));
    hput_time(page, "Now", rq->now_us, human_clock(rq->now_us, clock));
    hput_str(page, "StaticVersion", tpl_static_version(rq->app->templates));
    hput_str(page, "Version", CASEBOOK_VERSION);
}

HDF *resp_fragment(const struct req *rq, struct resp *rs, const char *template_name)
{
    if (rs->hdf)
        hdf_destroy(&rs->hdf);
    rs->hdf = tpl_hdf();
    rs->template_name = template_name;
    put_frame(rq, rs->hdf);
    return rs->hdf;
}

HDF *resp_page(const struct req *rq, struct resp *rs, const char *template_name,
               const char *title, const char *nav)
{
    HDF *hdf = resp_fragment(rq, rs, template_name);

    hput_str(hdf, "Page.Title", title);
    hput_str(hdf, "Page.Nav", nav);
    return hdf;
}

int resp_problem(const struct req *rq, struct resp *rs, int status, const char *title,
                 const char *text, const char *back, const char *back_text)
{
    HDF *hdf = resp_page(rq, rs, "error.cs", title, "");

    hput_i64(hdf, "Error.Status", status);
    hput_str(hdf, "Error.Title", title);
    hput_str(hdf, "Error.Text", text);
    if (back)
        hput_fmt(hdf, "Error.Back", "%s%s", rq->app->conf->base_path, back);
    hput_str(hdf, "Error.BackText", back_text);
    rs->status = status;
    return 0;
}

int resp_redirect(struct resp *rs, const char *path)
{
    rs->status = 303;
    rs->location = path;
    return 0;
}

void resp_text(struct resp *rs, int status, const char *content_type, const char *text)
{
    rs->status = status;
    rs->content_type = content_type;
    sbuf_reset(&rs->body);
    sbuf_adds(&rs->body, text);
}

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        {200, "OK"                    },
        {202, "Accepted"              },
        {303, "See Other"             },
        {304, "Not Modified"          },
        {400, "Bad Request"           },
        {401, "Unauthorized"          },
        {403, "Forbidden"             },
        {404, "Not Found"             },
        {405, "Method Not Allowed"    },
        {409, "Conflict"              },
        {413, "Content Too Large"     },
        {415, "Unsupported Media Type"},
        {429, "Too Many Requests"     },
        {500, "Internal Server Error" },
        {502, "Bad Gateway"           },
        {503, "Service Unavailable"   },
        {504, "Gateway Timeout"       },
    };

    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Status";
}

/* One header line; nothing when value is NULL. A control byte would start a header of its own. */
static int header(struct sbuf *head, const char *name, const char *value, struct err *err)
{
    if (!value)
        return 0;
    for (const char *p = value; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return err_set(err, ERR_INTERNAL, "header %s: a control byte in its value",
                           name);
    if (sbuf_addf(head, "%s: %s\r\n", name, value))
        return err_set(err, ERR_INTERNAL, "header %s: too long", name);
    return 0;
}

/* Below BasePath, and no other host: "//host" and "/\host" lead away. */
static int put_location(const struct req *rq, const struct resp *rs, struct sbuf *head,
                        struct err *err)
{
    const char *path = rs->location;

    if (!path)
        return 0;
    for (const char *p = path; *p; p++)
        if (*p <= 0x20 || *p >= 0x7f || *p == '\\')
            return err_set(err, ERR_INTERNAL, "Location: a byte that no address has");
    if (path[0] != '/' || path[1] == '/')
        return err_set(err, ERR_INTERNAL, "Location: not a path below BasePath");
    return header(head, "Location",
                  arena_fmt(rq->arena, "%s%s", rq->app->conf->base_path, path), err);
}

static int put_head(const struct req *rq, const struct resp *rs, struct reply *reply,
                    struct err *err)
{
    const char *type = rs->template_name ? "text/html; charset=utf-8" : rs->content_type;
    bool has_body = reply->status != 303 && reply->status != 304;
    const struct {
        const char *name, *value;
    } lines[] = {
        {"Content-Type",            has_body ? type : NULL                     },
        {"Content-Security-Policy", csp                                        },
        {"X-Content-Type-Options",  "nosniff"                                  },
        {"Referrer-Policy",         "same-origin"                              },
        {"Cache-Control",           rs->etag ? "private, no-cache" : "no-store"},
        {"ETag",                    rs->etag                                   },
        {"Retry-After",             rs->retry_after                            },
        {"Content-Disposition",     rs->disposition                            },
        {"Allow",                   rs->allow                                  },
        {"Refresh",                 rs->refresh                                },
    };

    sbuf_addf(&reply->head, "Status: %d %s\r\n", reply->status, reason_of(reply->status));
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (header(&reply->head, lines[i].name, lines[i].value, err))
            return -1;
    if (put_location(rq, rs, &reply->head, err))
        return -1;
    if (reply->status != 304)
        sbuf_addf(&reply->head, "Content-Length: %zu\r\n", reply->body.len);
    sbuf_adds(&reply->head, "\r\n");
    if (reply->head.is_full)
        return err_set(err, ERR_INTERNAL, "the headers are too long");
    return 0;
}

/* Is the ETag in the list of If-None-Match? Weak comparison: W/ does not count. */
static bool is_unchanged(const struct req *rq, const struct resp *rs)
{
    const char *list = rq->if_none_match, *hit;
    size_t n;

    if (!rs->etag || rs->status != 200 || !*list ||
        (rq->method != METHOD_GET && rq->method != METHOD_HEAD))
        return false;
    if (strcmp(list, "*") == 0)
        return true;
    n = strlen(rs->etag);
    hit = strstr(list, rs->etag);
    return hit && (hit[n] == '\0' || strchr(", \t", hit[n])) &&
           (hit == list || strchr(", \t/", hit[-1]));
}

static int put_body(const struct req *rq, const struct resp *rs, struct reply *reply,
                    struct err *err)
{
    if (rs->template_name)
        return tpl_render(rq->app->templates, rs->template_name, rs->hdf, &reply->body,
                          err);
    if (rs->body.is_full || sbuf_add(&reply->body, rs->body.s, rs->body.len))
        return err_set(err, ERR_INTERNAL, "the answer is longer than %zu bytes",
                       reply->body.max);
    return 0;
}

int respond(const struct req *rq, struct resp *rs, struct reply *reply, struct err *err)
{
    sbuf_reset(&reply->head);
    sbuf_reset(&reply->body);
    reply->status = is_unchanged(rq, rs) ? 304 : rs->status;
    if (reply->status != 304 && !rs->location && put_body(rq, rs, reply, err))
        return -1;
    if (put_head(rq, rs, reply, err))
        return -1;
    if (rq->method == METHOD_HEAD)
        sbuf_reset(&reply->body);
    return 0;
}
