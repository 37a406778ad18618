/*
 * Reads the described world: merges the files, resolves anchors, and replaces
 * <<TIME|FORMAT|ZONE>> and <<token:NAME>> in every text. A mistake in a file
 * ends the program with a message: a world is right or not served at all.
 */
#include "world.h"

#include "lines.h"
#include "text.h"
#include "when.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_json_file(const struct dirent *d)
{
    return has_suffix(d->d_name, ".json");
}

static void merge_member(json_t *all, const char *key, json_t *value, const char *file)
{
    json_t *have = json_object_get(all, key);

    if (!have)
        json_object_set(all, key, value);
    else if (json_is_array(have) && json_is_array(value))
        json_array_extend(have, value);
    else if (json_is_object(have) && json_is_object(value))
        json_object_update(have, value);
    else
        die("%s: \"%s\" has another shape than in an earlier file", file, key);
}

static json_t *read_folder(const char *dir)
{
    struct dirent **names;
    int n = scandir(dir, &names, is_json_file, alphasort);
    json_t *all = json_object();

    if (n <= 0)
        die("%s: no world here (*.json)", dir);
    for (int i = 0; i < n; i++) {
        char *path = format("%s/%s", dir, names[i]->d_name);
        json_error_t error;
        json_t *file =
            json_load_file(path, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
        const char *key;
        json_t *value;

        if (!json_is_object(file))
            die("%s:%d: %s", path, error.line, file ? "no object" : error.text);
        json_object_foreach(file, key, value)
        {
            merge_member(all, key, value, path);
        }
        json_decref(file);
        free(path);
        free(names[i]);
    }
    free(names);
    return all;
}

/* ---- texts --------------------------------------------------------------- */

struct expander {
    int64_t start_us;
    const json_t *anchors;
    const json_t *tokens;
};

static char *expand_marker(const struct expander *x, const char *marker)
{
    char *expr = dup_str(marker), *rest = expr, *out;
    const char *when = strsep(&rest, "|");
    const char *fmt = rest ? strsep(&rest, "|") : "%Y-%m-%dT%H:%M:%SZ";

    if (has_prefix(when, "token:")) {
        const char *value = jstr(x->tokens, when + 6);

        if (!value)
            die("there is no token \"%s\"", when + 6);
        out = dup_str(value);
    } else {
        out = time_format(when_us(when, x->start_us, x->anchors), fmt, rest);
    }
    free(expr);
    return out;
}

static json_t *expand_text(const struct expander *x, const char *s, size_t len)
{
    char *out = NULL;
    size_t out_len = 0;
    FILE *f = open_memstream(&out, &out_len);
    json_t *value;
    const char *end = s + len;

    if (!f)
        die("out of memory");
    while (s < end) {
        const char *close = end - s > 4 && has_prefix(s, "<<") ? strstr(s, ">>") : NULL;

        if (close) {
            char *marker = dup_bytes(s + 2, (size_t)(close - s - 2));
            char *text = expand_marker(x, marker);

            fputs(text, f);
            free(text);
            free(marker);
            s = close + 2;
        } else {
            fputc(*s++, f);
        }
    }
    fclose(f);
    value = json_text(out, out_len);
    free(out);
    return value;
}

static json_t *expand(const struct expander *x, json_t *v)
{
    const char *key;
    json_t *member;
    size_t i;

    if (json_is_string(v)) {
        const char *s = json_string_value(v);

        return strstr(s, "<<") ? expand_text(x, s, json_string_length(v))
                               : json_incref(v);
    }
    if (json_is_object(v)) {
        json_object_foreach(v, key, member)
        {
            json_object_set_new(v, key, expand(x, member));
        }
    } else if (json_is_array(v)) {
        json_array_foreach(v, i, member)
        {
            json_array_set_new(v, i, expand(x, member));
        }
    }
    return json_incref(v);
}

/* ---- anchors and sandboxes ----------------------------------------------- */

static void add_anchors(struct world *w)
{
    const char *key;
    json_t *value;

    json_object_foreach(json_object_get(w->desc, "anchors"), key, value)
    {
        int64_t us = when_us(json_string_value(value), w->start_us, w->anchors);

        json_object_set_new(w->anchors, key, json_integer((json_int_t)us));
    }
}

static const json_t *find_template(const struct world *w, const char *name)
{
    const json_t *t;
    size_t i;

    json_array_foreach(json_object_get(w->desc, "templates"), i, t)
    {
        if (name && strcmp(jstr_or(t, "name", ""), name) == 0)
            return t;
    }
    return NULL;
}

/* Fractions of a second of their own: all stories on one beat would look made up. */
static int64_t start_time(const struct world *w, const struct sandbox *sb)
{
    const char *start = jstr_or(sb->desc, "start", "now");
    int64_t us = when_us(start, w->start_us, w->anchors);

    us -= us % US_PER_S;
    return us + (int64_t)(hash_text(sb->id, 11) % 900) * US_PER_MS;
}

static void add_sandboxes(struct world *w)
{
    json_t *list = json_object_get(w->desc, "sandboxes"), *desc;
    size_t i;

    w->sandboxes = zalloc((json_array_size(list) + 1) * sizeof *w->sandboxes);
    json_array_foreach(list, i, desc)
    {
        struct sandbox *sb = &w->sandboxes[w->sandbox_count++];

        sb->id = jstr(desc, "id");
        sb->desc = desc;
        sb->template = find_template(w, jstr(desc, "template"));
        if (!sb->id || !is_sandbox_id(sb->id))
            die("sandbox %zu has no proper id", i);
        if (!sb->template)
            die("sandbox %s: unknown template", sb->id);
        if (json_object_get(w->anchors, sb->id))
            die("sandbox %s is there twice", sb->id);
        sb->start_us = start_time(w, sb);
        json_object_set_new(w->anchors, sb->id, json_integer((json_int_t)sb->start_us));
    }
}

static void drop_data(json_t *desc)
{
    json_t *linear = json_object_get(desc, "linear");

    json_object_del(desc, "sandboxes");
    json_object_del(desc, "tickets");
    json_object_del(linear, "issues");
    json_object_del(linear, "relations");
    json_object_del(desc, "issues");
}

struct world *world_load(const char *dir, int64_t start_us, const json_t *tokens,
                         bool is_empty)
{
    struct world *w = zalloc(sizeof *w);
    struct expander x;
    json_t *own_tokens;

    w->desc = read_folder(dir);
    w->start_us = start_us;
    w->anchors = json_object();
    if (is_empty)
        drop_data(w->desc);
    add_anchors(w);
    add_sandboxes(w);
    own_tokens = json_object_get(w->desc, "tokens");
    if (!own_tokens) {
        json_object_set_new(w->desc, "tokens", json_object());
        own_tokens = json_object_get(w->desc, "tokens");
    }
    json_object_update(own_tokens, (json_t *)tokens);
    x = (struct expander){start_us, w->anchors, own_tokens};
    json_decref(expand(&x, w->desc));
    zendesk_build(w);
    linear_build(w);
    return w;
}

void world_free(struct world *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->sandbox_count; i++)
        line_list_free(w->sandboxes[i].kept_lines);
    free(w->sandboxes);
    json_decref(w->organizations);
    json_decref(w->users);
    json_decref(w->tickets);
    json_decref(w->zendesk_tokens);
    json_decref(w->linear);
    json_decref(w->linear_calls);
    json_decref(w->anchors);
    json_decref(w->desc);
    free(w);
}

struct sandbox *world_sandbox(struct world *w, const char *id)
{
    for (size_t i = 0; i < w->sandbox_count; i++) {
        if (strcmp(w->sandboxes[i].id, id) == 0)
            return &w->sandboxes[i];
    }
    return NULL;
}

int64_t world_when(const struct world *w, const char *text)
{
    return when_us(text, w->start_us, w->anchors);
}
