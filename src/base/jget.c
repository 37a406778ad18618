/*
 * Tolerant reading of JSON. What jansson would refuse although the rest is good (bad UTF-8, a lone
 * surrogate escape, NUL) is repaired, since one odd log line must not cost the whole answer.
 */
#include "base/jget.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"
#include "base/ts.h"

#include "base/banned.h"

#define TWO_TO_63 9223372036854775808.0

/* The value of the \uXXXX at s (n bytes are there), or -1. */
static int unicode_escape(const char *s, size_t n)
{
    int v = 0;

    if (n < 6 || s[0] != '\\' || s[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        const char *digits = "0123456789abcdef";
        const char *d = strchr(digits, s[i] >= 'A' && s[i] <= 'F' ? s[i] + 32 : s[i]);

        if (!s[i] || !d)
            return -1;
        v = v * 16 + (int)(d - digits);
    }
    return v;
}

/* A surrogate escape without its partner becomes \ufffd, in place. */
static void repair_surrogates(char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int v, next;

        if (s[i] != '\\')
            continue;
        v = unicode_escape(s + i, n - i);
        if (v < 0xD800 || v > 0xDFFF) {
            i++; /* the escaped character is no start of another escape */
            continue;
        }
        next = unicode_escape(s + i + 6, n - i - 6);
        if (v <= 0xDBFF && next >= 0xDC00 && next <= 0xDFFF)
            i += 11;
        else
            memcpy(s + i + 2, "fffd", 4);
    }
}

json_t *jget_load(const char *bytes, size_t n, struct err *err)
{
    struct arena a = ARENA_INIT;
    json_error_t why;
    size_t fixed_n;
    char *fixed = text_repair_utf8(&a, bytes, n, &fixed_n);
    json_t *doc;

    repair_surrogates(fixed, fixed_n);
    doc = json_loadb(fixed, fixed_n, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &why);
    arena_release(&a);
    if (!doc)
        err_set(err, ERR_UPSTREAM, "not JSON: line %d, column %d: %s", why.line,
                why.column, why.text);
    return doc;
}

const char *jget_str_value(struct arena *a, const json_t *v, const char *dflt)
{
    const char *s;
    size_t n, nuls = 0;
    char *out, *p;

    if (!json_is_string(v))
        return dflt;
    s = json_string_value(v);
    n = json_string_length(v);
    for (size_t i = 0; i < n; i++)
        nuls += s[i] == '\0';
    if (!nuls)
        return arena_strn(a, s, n);
    out = p = arena_alloc(a, n + nuls * 2 + 1);
    for (size_t i = 0; i < n; i++) {
        if (s[i]) {
            *p++ = s[i];
        } else {
            memcpy(p, "\xEF\xBF\xBD", 3);
            p += 3;
        }
    }
    return out;
}

const char *jget_str(struct arena *a, const json_t *o, const char *key, const char *dflt)
{
    return jget_str_value(a, json_object_get(o, key), dflt);
}

/* 0 when v is a whole number that fits. */
static int whole_number(const json_t *v, int64_t *out)
{
    double d;

    if (json_is_integer(v)) {
        *out = json_integer_value(v);
        return 0;
    }
    if (!json_is_real(v))
        return -1;
    d = json_real_value(v);
    if (d < -TWO_TO_63 || d >= TWO_TO_63 || d != (double)(int64_t)d)
        return -1;
    *out = (int64_t)d;
    return 0;
}

int64_t jget_i64(const json_t *o, const char *key, int64_t dflt)
{
    int64_t v;

    return whole_number(json_object_get(o, key), &v) ? dflt : v;
}

double jget_f64(const json_t *o, const char *key, double dflt)
{
    const json_t *v = json_object_get(o, key);

    return json_is_number(v) ? json_number_value(v) : dflt;
}

bool jget_bool(const json_t *o, const char *key, bool dflt)
{
    const json_t *v = json_object_get(o, key);

    return json_is_boolean(v) ? json_is_true(v) : dflt;
}

const json_t *jget_obj(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);

    return json_is_object(v) ? v : NULL;
}

const json_t *jget_arr(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);

    return json_is_array(v) ? v : NULL;
}

int64_t jget_time(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    int64_t us;

    if (!json_is_string(v) || strlen(json_string_value(v)) != json_string_length(v) ||
        ts_parse(json_string_value(v), &us))
        return TS_NONE;
    return us;
}

int jreq_str(struct arena *a, const json_t *o, const char *key, const char **out,
             struct err *err)
{
    const char *s = jget_str(a, o, key, NULL);

    if (!s)
        return err_set(err, ERR_UPSTREAM, "member \"%s\" is missing or no text", key);
    *out = s;
    return 0;
}

int jreq_i64(const json_t *o, const char *key, int64_t *out, struct err *err)
{
    int64_t v;

    if (whole_number(json_object_get(o, key), &v))
        return err_set(err, ERR_UPSTREAM, "member \"%s\" is missing or no whole number",
                       key);
    *out = v;
    return 0;
}

char *jget_dump(struct arena *a, const json_t *v)
{
    size_t n = json_dumpb(v, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
    char *out = arena_alloc(a, n + 1);

    if (n)
        json_dumpb(v, out, n, JSON_COMPACT | JSON_ENCODE_ANY);
    return out;
}
