/* Small steps shared by the JSON forms of the model. */
#include "model/jsonio.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"

#include "base/banned.h"

#define TAG_KEY_CAP 256

typedef char *clean_fn(struct arena *a, const char *s, size_t n, size_t cap);

static const char *clean_value(struct arena *a, const json_t *v, size_t cap,
                               const char *dflt, clean_fn *clean)
{
    if (!json_is_string(v))
        return dflt;
    return clean(a, json_string_value(v), json_string_length(v), cap);
}

const char *jio_text(struct arena *a, const json_t *o, const char *key, size_t cap,
                     const char *dflt)
{
    return clean_value(a, json_object_get(o, key), cap, dflt, text_clean);
}

const char *jio_line(struct arena *a, const json_t *o, const char *key, size_t cap,
                     const char *dflt)
{
    return clean_value(a, json_object_get(o, key), cap, dflt, text_clean_line);
}

const char *jio_line_any(struct arena *a, const json_t *o, const char *const keys[],
                         size_t cap, const char *dflt)
{
    for (; *keys; keys++) {
        const char *s = jio_line(a, o, *keys, cap, NULL);

        if (s)
            return s;
    }
    return dflt;
}

const json_t *jio_obj_any(const json_t *o, const char *const keys[])
{
    const json_t *found = NULL;

    for (; *keys && !found; keys++)
        found = jget_obj(o, *keys);
    return found;
}

static const char *tag_value(struct arena *a, const json_t *v, size_t cap)
{
    const char *text;

    if (json_is_string(v))
        return clean_value(a, v, cap, "", text_clean);
    text = jget_dump(a, v);
    return text_clean(a, text, strlen(text), cap);
}

const struct tag *jio_tags(struct arena *a, const json_t *o, size_t max, size_t value_cap,
                           size_t *count)
{
    /* jansson's iteration wants a writable object although it changes nothing */
    json_t *obj = json_is_object(o) ? (json_t *)(uintptr_t)o : NULL;
    size_t size = json_object_size(o);
    struct tag *tags;
    size_t n = 0;

    *count = 0;
    if (!obj || size == 0)
        return NULL;
    tags = arena_array(a, size < max ? size : max, sizeof(*tags));
    for (void *i = json_object_iter(obj); i && n < max;
         i = json_object_iter_next(obj, i)) {
        const char *key = json_object_iter_key(i);
        const json_t *v = json_object_iter_value(i);

        if (json_is_null(v))
            continue;
        tags[n].key = text_clean_line(a, key, strlen(key), TAG_KEY_CAP);
        tags[n].value = tag_value(a, v, value_cap);
        n++;
    }
    *count = n;
    return tags;
}

json_t *jio_string(const char *s)
{
    struct arena a = ARENA_INIT;
    json_t *v;

    if (!s)
        s = "";
    if (!text_is_utf8(s, strlen(s)))
        s = text_repair_utf8(&a, s, strlen(s), NULL);
    v = json_string(s);
    arena_release(&a);
    return v;
}

void jio_put_string(json_t *o, const char *key, const char *s)
{
    json_object_set_new(o, key, jio_string(s));
}

void jio_put_text(json_t *o, const char *key, const char *s)
{
    if (!text_is_empty(s))
        jio_put_string(o, key, s);
}

void jio_put_time(json_t *o, const char *key, int64_t us)
{
    char buf[TS_ISO_SIZE];

    jio_put_text(o, key, ts_iso_us(us, buf));
}

void jio_put_i64(json_t *o, const char *key, int64_t v)
{
    json_object_set_new(o, key, json_integer(v));
}

void jio_put_bool(json_t *o, const char *key, bool v)
{
    json_object_set_new(o, key, json_boolean(v));
}

void jio_put_tags(json_t *o, const char *key, const struct tag *tags, size_t n)
{
    json_t *obj;

    if (n == 0)
        return;
    obj = json_object();
    for (size_t i = 0; i < n; i++)
        jio_put_string(obj, tags[i].key, tags[i].value);
    json_object_set_new(o, key, obj);
}
