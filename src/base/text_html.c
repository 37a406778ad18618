/*
 * HTML of a mail reduced to text. Not a parser of HTML: what it does not understand is dropped or
 * shown as text, and the result is cleaned like any other text, so it can carry no markup to trust.
 */
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/utf8.h"

#include "base/banned.h"

struct html_out {
    char *
        s; /* never longer than the input: each construct is replaced by something shorter */
    size_t len;
    bool is_pre;
    bool blank_due;
    bool is_last_tag_past; /* no '>' follows: looked for once only */
    int breaks_due; /* newlines owed before the next visible character; at most 2 */
};

static void put_due(struct html_out *o)
{
    for (; o->breaks_due > 0 && o->len > 0; o->breaks_due--) {
        o->s[o->len++] = '\n';
        o->blank_due = false;
    }
    o->breaks_due = 0;
    if (o->blank_due && o->len > 0 && o->s[o->len - 1] != '\n')
        o->s[o->len++] = ' ';
    o->blank_due = false;
}

static void put_char(struct html_out *o, uint32_t cp)
{
    bool is_space = cp == ' ' || cp == '\t' || cp == '\n' || cp == '\r' || cp == 0xA0;

    if (is_space && !o->is_pre) {
        o->blank_due = true;
        return;
    }
    if (cp == '\r')
        return;
    put_due(o);
    o->len += utf8_encode(cp == 0xA0 ? ' ' : cp, o->s + o->len);
}

enum tag_effect {
    TAG_BREAK,
    TAG_BLOCK,
    TAG_PARAGRAPH,
    TAG_ITEM,
    TAG_CELL,
    TAG_PRE,
    TAG_DROP
};

static const struct {
    const char *name;
    enum tag_effect effect;
} tags[] = {
    {"br",         TAG_BREAK    },
    {"p",          TAG_PARAGRAPH},
    {"div",        TAG_BLOCK    },
    {"tr",         TAG_BLOCK    },
    {"td",         TAG_CELL     },
    {"th",         TAG_CELL     },
    {"li",         TAG_ITEM     },
    {"ul",         TAG_BLOCK    },
    {"ol",         TAG_BLOCK    },
    {"table",      TAG_PARAGRAPH},
    {"blockquote", TAG_PARAGRAPH},
    {"pre",        TAG_PRE      },
    {"hr",         TAG_PARAGRAPH},
    {"h1",         TAG_PARAGRAPH},
    {"h2",         TAG_PARAGRAPH},
    {"h3",         TAG_PARAGRAPH},
    {"h4",         TAG_PARAGRAPH},
    {"h5",         TAG_PARAGRAPH},
    {"h6",         TAG_PARAGRAPH},
    {"style",      TAG_DROP     },
    {"script",     TAG_DROP     },
    {"head",       TAG_DROP     },
    {"title",      TAG_DROP     },
};

static void owe_breaks(struct html_out *o, int n)
{
    if (o->breaks_due < n)
        o->breaks_due = n;
}

static void apply_tag(struct html_out *o, enum tag_effect effect, bool is_end)
{
    switch (effect) {
    case TAG_BREAK:
        o->breaks_due = o->breaks_due < 2 ? o->breaks_due + 1 : 2;
        break;
    case TAG_ITEM:
        owe_breaks(o, 1);
        if (!is_end) {
            put_due(o);
            memcpy(o->s + o->len, "- ", 2);
            o->len += 2;
        }
        break;
    case TAG_BLOCK:
        owe_breaks(o, 1);
        break;
    case TAG_CELL:
        o->blank_due = true;
        break;
    case TAG_PRE:
        o->is_pre = !is_end;
        owe_breaks(o, 2);
        break;
    case TAG_PARAGRAPH:
        owe_breaks(o, 2);
        break;
    case TAG_DROP:
        break;
    }
}

/* Where the content of a dropped element ends: behind its end tag, or at the end of all. */
static size_t skip_element(const char *s, size_t n, size_t from, const char *name)
{
    size_t name_n = strlen(name);

    for (size_t i = from; i + name_n + 2 <= n; i++) {
        if (s[i] == '<' && s[i + 1] == '/' && strncasecmp(s + i + 2, name, name_n) == 0) {
            const char *end = memchr(s + i, '>', n - i);

            return end ? (size_t)(end - s) + 1 : n;
        }
    }
    return n;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* s[i] is '<'. Returns the index behind the markup, or i when this '<' is only text. */
static size_t read_markup(struct html_out *o, const char *s, size_t n, size_t i)
{
    size_t at = i + 1;
    bool is_end = at < n && s[at] == '/';
    size_t name_n = 0;
    const char *close;

    if (n - i >= 4 && memcmp(s + i, "<!--", 4) == 0) {
        close = memmem(s + i + 4, n - i - 4, "-->", 3);
        return close ? (size_t)(close - s) + 3 : n;
    }
    at += is_end;
    while (at + name_n < n && (is_letter(s[at + name_n]) ||
                               (s[at + name_n] >= '0' && s[at + name_n] <= '9')))
        name_n++;
    if (at >= n || !(is_letter(s[at]) || s[at] == '!' || s[at] == '?') ||
        o->is_last_tag_past)
        return i;
    close = memchr(s + at, '>', n - at);
    if (!close) {
        o->is_last_tag_past = true;
        return i;
    }
    for (size_t t = 0; t < sizeof(tags) / sizeof(tags[0]); t++) {
        if (strlen(tags[t].name) != name_n ||
            strncasecmp(tags[t].name, s + at, name_n) != 0)
            continue;
        if (tags[t].effect == TAG_DROP && !is_end)
            return skip_element(s, n, (size_t)(close - s) + 1, tags[t].name);
        apply_tag(o, tags[t].effect, is_end);
        break;
    }
    return (size_t)(close - s) + 1;
}

static const struct {
    const char *name;
    uint32_t cp;
} entities[] = {
    {"amp",    '&'   },
    {"lt",     '<'   },
    {"gt",     '>'   },
    {"quot",   '"'   },
    {"apos",   '\''  },
    {"nbsp",   0xA0  },
    {"ndash",  0x2013},
    {"mdash",  0x2014},
    {"hellip", 0x2026},
    {"lsquo",  0x2018},
    {"rsquo",  0x2019},
    {"ldquo",  0x201C},
    {"rdquo",  0x201D},
    {"bull",   0x2022},
    {"middot", 0xB7  },
    {"copy",   0xA9  },
    {"euro",   0x20AC},
    {"deg",    0xB0  },
};

/* The value of "#8217" or "#x2019"; 0 when it is no character. */
static uint32_t numeric_entity(const char *s, size_t n)
{
    bool is_hex = n > 2 && (s[1] == 'x' || s[1] == 'X');
    uint32_t v = 0;

    for (size_t i = is_hex ? 2 : 1; i < n; i++) {
        const char *digits = "0123456789abcdef";
        const char *d = strchr(digits, s[i] >= 'A' && s[i] <= 'F' ? s[i] + 32 : s[i]);

        if (!s[i] || !d || (!is_hex && d - digits > 9) || v > 0x10FFFF)
            return 0;
        v = v * (is_hex ? 16 : 10) + (uint32_t)(d - digits);
    }
    return v > 0x10FFFF || (v >= 0xD800 && v <= 0xDFFF) ? 0 : v;
}

/* s[i] is '&'. Returns the index behind the entity, or i when it is none. */
static size_t read_entity(struct html_out *o, const char *s, size_t n, size_t i)
{
    size_t limit = n - i - 1 < 12 ? n - i - 1 : 12;
    const char *end = memchr(s + i + 1, ';', limit);
    size_t len = end ? (size_t)(end - s) - i - 1 : 0;
    uint32_t cp = 0;

    if (len < 2)
        return i;
    if (s[i + 1] == '#')
        cp = numeric_entity(s + i + 1, len);
    for (size_t e = 0; !cp && e < sizeof(entities) / sizeof(entities[0]); e++) {
        if (strlen(entities[e].name) == len &&
            memcmp(entities[e].name, s + i + 1, len) == 0)
            cp = entities[e].cp;
    }
    if (!cp)
        return i;
    put_char(o, cp);
    return i + len + 2;
}

char *text_from_html(struct arena *a, const char *html, size_t n, size_t cap)
{
    struct html_out o = {.len = 0};
    size_t i = 0;

    if (!html)
        n = 0;
    html = text_repair_utf8(a, html, n, &n);
    o.s = arena_alloc(a, n + 1);
    while (i < n) {
        size_t next = i;
        uint32_t cp = 0;

        if (html[i] == '<')
            next = read_markup(&o, html, n, i);
        else if (html[i] == '&')
            next = read_entity(&o, html, n, i);
        if (next == i) {
            next = i + utf8_decode(html + i, n - i, &cp);
            put_char(&o, cp);
        }
        i = next;
    }
    return text_clean(a, o.s, o.len, cap);
}
