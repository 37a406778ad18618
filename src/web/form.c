/*
 * Query strings and form bodies. The number of fields is bounded before they are looked up, since look-up is
 * a walk (ClearSilver's own kit takes seconds for 256 KiB of repeated keys).
 */
#include "web/form.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/url.h"

#include "base/banned.h"

/* One decoded part in valid UTF-8; NULL when it holds a control byte that no field has. */
static const char *decode(struct arena *a, const char *s, size_t n)
{
    size_t len;
    const char *raw = url_decode(a, s, n, true, &len);

    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)raw[i];

        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
            return NULL;
    }
    return text_is_utf8(raw, len) ? raw : text_repair_utf8(a, raw, len, NULL);
}

static int decode_pair(struct arena *a, const char *s, size_t n, struct field *out,
                       struct err *err)
{
    const char *eq = memchr(s, '=', n);
    size_t name_len = eq ? (size_t)(eq - s) : n;

    out->name = decode(a, s, name_len);
    out->value = eq ? decode(a, eq + 1, n - name_len - 1) : "";
    if (!out->name || !out->value)
        return err_set(err, ERR_INPUT, "a field holds a control byte");
    return 0;
}

int form_decode(struct arena *a, const char *text, size_t n,
                struct field out[REQ_MAX_FIELDS], size_t *count, struct err *err)
{
    const char *p = text, *end = text + n;

    *count = 0;
    while (p < end) {
        const char *amp = memchr(p, '&', (size_t)(end - p));
        size_t len = (size_t)((amp ? amp : end) - p);

        if (len > 0) {
            if (*count == REQ_MAX_FIELDS)
                return err_set(err, ERR_INPUT, "more than %d fields", REQ_MAX_FIELDS);
            if (decode_pair(a, p, len, &out[*count], err))
                return -1;
            (*count)++;
        }
        p += len + 1;
    }
    return 0;
}

bool form_type_ok(const char *content_type)
{
    static const char form[] = "application/x-www-form-urlencoded";
    size_t n = sizeof(form) - 1;
    char head[sizeof(form)] = "";

    if (strlen(content_type) < n)
        return false;
    memcpy(head, content_type, n);
    content_type += n;
    content_type += strspn(content_type, " \t");
    return text_ieq(head, form) && (*content_type == '\0' || *content_type == ';');
}

enum form_body form_read_body(struct req *rq, const struct req_source *src, size_t max,
                              struct err *err)
{
    const char *text = src->param(src->ctx, "CONTENT_LENGTH");
    int64_t length = 0;
    size_t got = 0;
    char *body;

    if (text && *text && parse_i64(text, 0, INT64_MAX, &length)) {
        err_set(err, ERR_INPUT, "CONTENT_LENGTH is no length");
        return FORM_BROKEN;
    }
    if ((uint64_t)length > max) {
        err_set(err, ERR_INPUT, "a body of %lld bytes, over the limit of %zu",
                (long long)length, max);
        return FORM_TOO_LONG;
    }
    body = arena_alloc(rq->arena, (size_t)length + 1);
    while (got < (size_t)length) {
        size_t want = (size_t)length - got;
        int n = src->read(src->ctx, body + got, want < 65536 ? (int)want : 65536);

        if (n <= 0) {
            err_set(err, ERR_INPUT, "the body ended after %zu of %lld bytes", got,
                    (long long)length);
            return FORM_BROKEN;
        }
        got += (size_t)n;
    }
    rq->body = body;
    rq->body_len = got;
    return FORM_READ;
}
