/*
 * Finding the ends of JSON values without reading them. Nothing here recurses: nested brackets are
 * counted, and only inside of quotes do they not count.
 */
#include "base/jrows.h"

#include <string.h>

#include "base/err.h"
#include "base/jget.h"

#include "base/banned.h"

static const char *skip_space(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r'))
        s++;
    return s;
}

/* Past the closing quote; NULL when there is none. *s is the opening one. */
static const char *skip_text(const char *s, const char *end)
{
    for (s++; s < end; s++) {
        if (*s == '\\')
            s++;
        else if (*s == '"')
            return s + 1;
    }
    return NULL;
}

/* Past one value; NULL when the document ends in it. */
static const char *skip_value(const char *s, const char *end)
{
    size_t depth = 0;

    while (s && s < end) {
        if (*s == '"') {
            s = skip_text(s, end);
            if (!s || !depth)
                return s;
            continue;
        }
        if (*s == '{' || *s == '[') {
            depth++;
        } else if (*s == '}' || *s == ']') {
            if (!depth)
                return s; /* of the list or object around a bare word */
            if (!--depth)
                return s + 1;
        } else if (*s == ',' && !depth) {
            return s;
        }
        s++;
    }
    return depth ? NULL : s;
}

static int cut_off(struct err *err)
{
    return err_set(err, ERR_UPSTREAM, "not JSON: the document is cut off");
}

/* Of a value that is a list, what is between its brackets. */
static void take_list(const char *value, const char *value_end, struct jrows *out)
{
    while (value_end > value && strchr(" \t\r\n", value_end[-1]))
        value_end--;
    if (value_end - value == 4 && memcmp(value, "null", 4) == 0) {
        out->is_there = true;
    } else if (value_end - value >= 2 && *value == '[' && value_end[-1] == ']') {
        out->is_there = true;
        out->at = value + 1;
        out->end = value_end - 1;
    }
}

int jrows_open(const char *doc, size_t n, const char *key, struct jrows *out,
               struct err *err)
{
    const char *end = doc + n, *s = skip_space(doc, end);
    size_t key_n = strlen(key);

    *out = (struct jrows){.at = end, .end = end};
    if (s == end || *s != '{')
        return err_set(err, ERR_UPSTREAM, "the answer is no JSON object");
    s = skip_space(s + 1, end);
    while (s < end && *s == '"') {
        const char *name = s + 1, *value;

        s = skip_text(s, end);
        if (!s)
            return cut_off(err);
        value = skip_space(s, end);
        if (value == end || *value != ':')
            return err_set(err, ERR_UPSTREAM, "not JSON: a member has no value");
        value = skip_space(value + 1, end);
        if ((size_t)(s - 1 - name) == key_n && memcmp(name, key, key_n) == 0) {
            s = skip_value(value, end);
            if (s)
                take_list(value, s, out);
        } else {
            s = skip_value(value, end);
        }
        if (!s)
            return cut_off(err);
        s = skip_space(s, end);
        if (s < end && *s == ',')
            s = skip_space(s + 1, end);
    }
    if (s == end)
        return cut_off(err);
    if (*s != '}' || skip_space(s + 1, end) != end)
        return err_set(err, ERR_UPSTREAM, "not JSON: something stands after its end");
    return 0;
}

size_t jrows_count(const struct jrows *r)
{
    const char *s = skip_space(r->at, r->end);
    size_t n = 0;

    while (s && s < r->end) {
        n++;
        s = skip_value(s, r->end);
        if (s)
            s = skip_space(s, r->end);
        if (s && s < r->end)
            s = skip_space(s + 1, r->end);
    }
    return n;
}

static bool is_word(const char *s, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(s, word, n) == 0;
}

static json_t *load_row(const char *s, size_t n, struct err *err)
{
    while (n && strchr(" \t\r\n", s[n - 1]))
        n--;
    if (*s != '{' && *s != '[' &&
        (*s == '"' || strchr("-0123456789", *s) || is_word(s, n, "null") ||
         is_word(s, n, "true") || is_word(s, n, "false")))
        return json_null();
    return jget_load(s, n, err);
}

int jrows_next(struct jrows *r, json_t **out, struct err *err)
{
    const char *s = skip_space(r->at, r->end), *row_end;

    *out = NULL;
    r->at = s;
    if (s == r->end)
        return 0;
    row_end = skip_value(s, r->end);
    if (!row_end || row_end == s)
        return err_set(err, ERR_UPSTREAM, "not JSON: a row is missing");
    *out = load_row(s, (size_t)(row_end - s), err);
    s = skip_space(row_end, r->end);
    if (s < r->end && *s == ',')
        s++;
    else if (s < r->end && *out) {
        json_decref(*out);
        *out = NULL;
        return err_set(err, ERR_UPSTREAM, "not JSON: rows without a comma");
    }
    r->at = s;
    return *out ? 1 : -1;
}
