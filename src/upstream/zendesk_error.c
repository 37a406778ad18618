/*
 * What Zendesk says when it refuses: four JSON shapes (zendesk.md 8), OAuth's own two keys, and plain
 * text or HTML (429, maintenance, an unknown subdomain).
 */
#include "upstream/zendesk_parse.h"

#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/sbuf.h"
#include "base/text.h"

#include "base/banned.h"

#define TEXT_CAP 300

const char *zendesk_error_word(struct arena *a, const json_t *doc)
{
    const json_t *error = json_object_get(doc, "error");
    const json_t *first = json_array_get(jget_arr(doc, "errors"), 0);
    const char *word;

    if (json_is_string(error))
        word = jget_str_value(a, error, "");
    else if (json_is_object(error))
        word = jget_str(a, error, "title", "");
    else
        word = jget_str(a, first, "code", jget_str(a, first, "title", ""));
    return text_clean_line(a, word, strlen(word), 80);
}

/* Appends a part unless it is empty or already there. */
static void say(struct sbuf *sb, const char *between, const char *part)
{
    if (text_is_empty(part) || strstr(sb->s, part))
        return;
    if (sb->len > 0)
        sbuf_adds(sb, between);
    sbuf_adds(sb, part);
}

/* One entry of `details`: usually an array of objects with `description`, but not always. */
static void say_detail(struct arena *a, struct sbuf *sb, const json_t *entry)
{
    size_t i;
    json_t *v;

    if (json_is_string(entry)) {
        say(sb, "; ", jget_str_value(a, entry, ""));
    } else if (json_is_array(entry)) {
        json_array_foreach(entry, i, v)
        {
            if (json_is_string(v))
                say(sb, "; ", jget_str_value(a, v, ""));
            else
                say(sb, "; ", jget_str(a, v, "description", jget_str(a, v, "error", "")));
        }
    } else {
        say(sb, "; ", jget_str(a, entry, "description", jget_str(a, entry, "error", "")));
    }
}

static void say_list(struct arena *a, struct sbuf *sb, const json_t *errors)
{
    size_t i;
    json_t *v;

    json_array_foreach(errors, i, v)
    {
        say(sb, "; ", jget_str(a, v, "title", jget_str(a, v, "code", "")));
        say(sb, ": ", jget_str(a, v, "detail", ""));
    }
}

const char *zendesk_error_text(struct arena *a, const json_t *doc)
{
    const json_t *error = json_object_get(doc, "error");
    json_t *details = json_object_get(doc, "details");
    const char *key, *text;
    struct sbuf sb;
    json_t *v;

    sbuf_init(&sb, 4096);
    say(&sb, ": ", jget_str_value(a, error, ""));
    say(&sb, ": ", jget_str(a, error, "title", ""));
    say(&sb, ": ", jget_str(a, error, "message", ""));
    say(&sb, ": ", jget_str(a, doc, "description", ""));
    say(&sb, ": ", jget_str(a, doc, "error_description", ""));
    json_object_foreach(details, key, v)
    {
        (void)key;
        say_detail(a, &sb, v);
    }
    say_list(a, &sb, jget_arr(doc, "errors"));
    text = text_clean_line(a, sb.s, sb.len, TEXT_CAP);
    sbuf_release(&sb);
    return text;
}

const char *zendesk_plain_error(struct arena *a, const char *body, size_t n)
{
    const char *text = text_from_html(a, body, n, 2000);

    return text_clean_line(a, text, strlen(text), TEXT_CAP);
}
