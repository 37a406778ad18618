/*
 * A value of the metadata may be anything ("eu", "render"): what is a plain short word says nothing of a customer, and
 * hiding it would only make the text worse. What stands under a key that the administrator named is an
 * identifier, whatever it looks like.
 */
#include "agent/customer.h"

#include "base/arena.h"
#include "base/sbuf.h"
#include "base/text.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/banned.h"

#define WORD_MIN 3      /* bytes: shorter ones would be found everywhere */
#define NAME_PART_MIN 4 /* of a part of a name */
#define VALUE_MIN 5     /* of a value under some other key */
#define HIDDEN "[customer]"

static void add(struct customer *c, const char *word)
{
    if (strlen(word) < WORD_MIN || c->count == CUSTOMER_MAX_WORDS)
        return;
    for (size_t i = 0; i < c->count; i++)
        if (text_ieq(c->words[i], word))
            return;
    c->words[c->count++] = word;
}

void customer_add_name(struct customer *c, struct arena *a, const char *name)
{
    char *all = text_trim(a, name ? name : "");
    bool is_address = strchr(all, '@') != NULL;

    add(c, all);
    for (const char *p = all; *p && !is_address;) {
        size_t n = strcspn(p, " ,&\"'<>()/");

        if (n >= NAME_PART_MIN && n < strlen(all) &&
            (isupper((unsigned char)*p) || (unsigned char)*p >= 0x80))
            add(c, arena_strn(a, p, n));
        p += n + (p[n] != '\0');
    }
}

static bool is_telling(const char *value)
{
    size_t n = strlen(value);

    return n >= VALUE_MIN &&
           strspn(value, "abcdefghijklmnopqrstuvwxyz"
                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ") < n &&
           strspn(value, "0123456789.:") < n;
}

void customer_add_metadata(struct customer *c, struct arena *a, const struct conf *conf,
                           const struct tag *tags, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool is_named = false;

        for (size_t k = 0; k < conf->e2b.metadata_key_count; k++)
            is_named = is_named || strcmp(conf->e2b.metadata_keys[k], tags[i].key) == 0;
        if (is_named)
            customer_add_name(c, a, tags[i].value);
        else if (is_telling(tags[i].value))
            add(c, text_trim(a, tags[i].value));
    }
}

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* The length of the word that begins here; 0. */
static size_t word_at(const struct customer *c, const char *text, size_t at)
{
    size_t longest = 0;

    if (at > 0 && is_word_byte(text[at - 1]) && is_word_byte(text[at]))
        return 0;
    for (size_t i = 0; i < c->count; i++) {
        size_t n = strlen(c->words[i]);

        if (n > longest && strncasecmp(text + at, c->words[i], n) == 0 &&
            !(is_word_byte(text[at + n - 1]) && is_word_byte(text[at + n])))
            longest = n;
    }
    return longest;
}

char *customer_hide(const struct customer *c, struct arena *a, const char *text,
                    size_t *count)
{
    size_t len = strlen(text), hidden = 0;
    struct sbuf sb;
    char *out;

    if (!c || c->count == 0)
        return arena_str(a, text);
    sbuf_init(&sb, len * sizeof(HIDDEN) + 1);
    for (size_t i = 0; i < len;) {
        size_t n = word_at(c, text, i);

        if (n > 0) {
            sbuf_adds(&sb, HIDDEN);
            hidden++;
        } else {
            sbuf_addch(&sb, text[i]);
        }
        i += n > 0 ? n : 1;
    }
    out = hidden ? arena_strn(a, sb.s, sb.len) : arena_str(a, text);
    sbuf_release(&sb);
    *count += hidden;
    return out;
}
