/*
 * From FastCGI parameters to struct req: everything is copied into the arena, bounded and checked. What
 * the handlers see holds no control bytes in names and paths, and is valid UTF-8.
 */
#include "web/request.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/url.h"
#include "sys/clock.h"
#include "web/form.h"

#include "base/banned.h"

#define MAX_PATH 1024
#define MAX_USER 128
#define MAX_HEADER 4096
#define MAX_SIGNATURE 256

/* A parameter in the arena; "" when it is missing or longer than max. */
static const char *param(struct req *rq, const struct req_source *src, const char *name,
                         size_t max)
{
    const char *s = src->param(src->ctx, name);

    return s && strlen(s) <= max ? arena_str(rq->arena, s) : "";
}

static enum req_method method_of(const char *name)
{
    static const struct {
        const char *name;
        enum req_method method;
    } methods[] = {
        {"GET",  METHOD_GET },
        {"HEAD", METHOD_HEAD},
        {"POST", METHOD_POST},
    };

    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if (strcmp(methods[i].name, name) == 0)
            return methods[i].method;
    return METHOD_OTHER;
}

static bool is_request_id(const char *s)
{
    size_t n = strspn(s, "0123456789abcdef-");

    return n >= 8 && n <= 64 && s[n] == '\0';
}

static const char *request_id(struct req *rq, const struct req_source *src)
{
    const char *given = param(rq, src, "REQUEST_ID", 64);
    char uuid[37];

    return is_request_id(given) ? given : arena_str(rq->arena, random_uuid(uuid));
}

static bool has_control(const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7f)
            return true;
    return false;
}

/* The web server's word for who this is; a name that cannot be one is nobody. */
static const char *user(struct req *rq, const struct req_source *src)
{
    const char *s = param(rq, src, "REMOTE_USER", MAX_USER);

    return has_control(s) || !text_is_utf8(s, strlen(s)) ? "" : s;
}

static int read_path(struct req *rq, const struct req_source *src, struct err *err)
{
    const char *raw = src->param(src->ctx, "DOCUMENT_URI");
    bool is_encoded = !raw || !*raw;
    const char *base = rq->app->conf->base_path;
    size_t base_len = strlen(base), n;

    rq->path = "";
    if (is_encoded)
        raw = src->param(src->ctx, "REQUEST_URI");
    if (!raw)
        return err_set(err, ERR_INPUT,
                       "neither DOCUMENT_URI nor REQUEST_URI was passed on");
    n = is_encoded ? strcspn(raw, "?#") : strlen(raw);
    if (n > MAX_PATH)
        return err_set(err, ERR_INPUT, "the path is longer than %d bytes", MAX_PATH);
    rq->path = is_encoded ? url_decode(rq->arena, raw, n, false, &n)
                          : arena_strn(rq->arena, raw, n);
    if (n != strlen(rq->path) || has_control(rq->path) || !text_is_utf8(rq->path, n)) {
        rq->path = "";
        return err_set(err, ERR_INPUT, "the path holds bytes that no path has");
    }
    if (strncmp(rq->path, base, base_len) != 0 || rq->path[base_len] != '/')
        return err_set(err, ERR_NOTFOUND, "the path is not below BasePath");
    rq->path += base_len;
    return 0;
}

static int read_query(struct req *rq, const struct req_source *src, struct err *err)
{
    const char *s = src->param(src->ctx, "QUERY_STRING");

    rq->query_string = "";
    if (!s || !*s)
        return 0;
    if (strlen(s) > REQ_MAX_QUERY)
        return err_set(err, ERR_INPUT, "the query is longer than %d bytes",
                       REQ_MAX_QUERY);
    rq->query_string = arena_str(rq->arena, s);
    if (form_decode(rq->arena, s, strlen(s), rq->query, &rq->query_count, err) == 0)
        return 0;
    rq->query_count = 0;
    return err_ctx(err, "query");
}

int req_init(struct req *rq, const struct req_source *src, struct err *err)
{
    rq->request_id = request_id(rq, src);
    rq->method = method_of(param(rq, src, "REQUEST_METHOD", 16));
    rq->user = user(rq, src);
    rq->content_type = param(rq, src, "CONTENT_TYPE", MAX_HEADER);
    rq->content_encoding = param(rq, src, "HTTP_CONTENT_ENCODING", MAX_HEADER);
    rq->authorization = param(rq, src, "HTTP_AUTHORIZATION", MAX_HEADER);
    rq->if_none_match = param(rq, src, "HTTP_IF_NONE_MATCH", MAX_HEADER);
    rq->e2b_signature = param(rq, src, "HTTP_E2B_SIGNATURE", MAX_SIGNATURE);
    rq->e2b_signature_version =
        param(rq, src, "HTTP_E2B_SIGNATURE_VERSION", MAX_SIGNATURE);
    rq->query_string = "";
    rq->path = "";
    if (read_path(rq, src, err))
        return -1;
    return read_query(rq, src, err);
}

static const char *value_of(const struct field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return fields[i].value;
    return "";
}

const char *req_query(const struct req *rq, const char *name)
{
    return value_of(rq->query, rq->query_count, name);
}

const char *req_form(const struct req *rq, const char *name)
{
    return value_of(rq->form, rq->form_count, name);
}

const char *req_param(const struct req *rq, const char *name)
{
    return value_of(rq->params, rq->param_count, name);
}

int req_param_id(const struct req *rq, const char *name, int64_t *out, struct err *err)
{
    const char *s = req_param(rq, name);

    if (s[0] < '1' || s[0] > '9' || parse_i64(s, 1, INT64_MAX, out))
        return err_set(err, ERR_NOTFOUND, "%.40s is no number of a thing", s);
    return 0;
}
