/* Escape sequences are those of ECMA-48, in their 7-bit form; the 8-bit one (U+0080 to U+009F) is only named. */
#include "base/text_parts.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/utf8.h"

#include "base/banned.h"

#define ESC 0x1B
#define NAME_SIZE 16
#define WIDEST 5          /* bytes that one of the input can become */
#define SGR_CODE_MAX 9999 /* a larger one means nothing */

struct name {
    uint32_t cp;
    char text[NAME_SIZE];
};

static const struct name names[] = {
    {0x061C, "ALM"   },
    {0x180E, "MVS"   },
    {0x200B, "ZWSP"  },
    {0x200C, "ZWNJ"  },
    {0x200D, "ZWJ"   },
    {0x200E, "LRM"   },
    {0x200F, "RLM"   },
    {0x202A, "LRE"   },
    {0x202B, "RLE"   },
    {0x202C, "PDF"   },
    {0x202D, "LRO"   },
    {0x202E, "RLO"   },
    {0x2060, "WJ"    },
    {0x2066, "LRI"   },
    {0x2067, "RLI"   },
    {0x2068, "FSI"   },
    {0x2069, "PDI"   },
    {0xFEFF, "ZWNBSP"},
};

/* U+0080 to U+009F */
static const char c1_names[32][5] = {
    "PAD", "HOP", "BPH", "NBH", "IND", "NEL", "SSA", "ESA", "HTS", "HTJ", "VTS",
    "PLD", "PLU", "RI",  "SS2", "SS3", "DCS", "PU1", "PU2", "STS", "CCH", "MW",
    "SPA", "EPA", "SOS", "SGC", "SCI", "CSI", "ST",  "OSC", "PM",  "APC"};

struct writer {
    struct arena *a;
    struct text_parts *out;
    size_t cap; /* of the text */
    size_t part_cap, max_parts;
    bool is_strong, is_coloured; /* SGR */
    bool is_cut;
};

/* ---- out ---------------------------------------------------------------------------------- */

static void open_part(struct writer *w, bool is_bold, bool is_mark)
{
    struct text_parts *o = w->out;

    o->parts = arena_grow(w->a, o->parts, o->count, &w->part_cap, sizeof *o->parts);
    o->parts[o->count++] =
        (struct text_part){.from = o->n, .is_bold = is_bold, .is_mark = is_mark};
}

/* The part that takes such text; the last one that there may be takes any. */
static struct text_part *part_for(struct writer *w, bool is_bold, bool is_mark)
{
    struct text_parts *o = w->out;
    const struct text_part *last = o->count ? &o->parts[o->count - 1] : NULL;

    if (o->count + 1 >= w->max_parts)
        is_bold = is_mark = false;
    if (!last || (o->count < w->max_parts &&
                  (last->is_bold != is_bold || last->is_mark != is_mark)))
        open_part(w, is_bold, is_mark);
    return &o->parts[o->count - 1];
}

static void put(struct writer *w, const char *s, size_t n, bool is_mark)
{
    struct text_part *part;

    if (n > w->cap - w->out->n) {
        w->is_cut = true;
        return;
    }
    part = part_for(w, w->is_strong || w->is_coloured, is_mark);
    memcpy(w->out->text + w->out->n, s, n);
    part->n += n;
    w->out->n += n;
}

static void put_name(struct writer *w, uint32_t cp)
{
    char text[NAME_SIZE + 8];
    const char *name = NULL;
    size_t n;

    if (cp < 0x20 || cp == 0x7F) {
        n = utf8_encode(cp == 0x7F ? 0x2421 : 0x2400 + cp, text);
        put(w, text, n, true);
        return;
    }
    if (cp >= 0x80 && cp <= 0x9F)
        name = c1_names[cp - 0x80];
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !name; i++)
        if (names[i].cp == cp)
            name = names[i].text;
    if (name)
        n = (size_t)snprintf(text, sizeof text, "\u27E8%s\u27E9", name);
    else
        n = (size_t)snprintf(text, sizeof text, "\u27E8U+%04X\u27E9", (unsigned)cp);
    put(w, text, n, true);
}

/* ---- in ------------------------------------------------------------------------------------ */

static size_t span(const char *s, size_t from, size_t n, unsigned char lo,
                   unsigned char hi)
{
    while (from < n && (unsigned char)s[from] >= lo && (unsigned char)s[from] <= hi)
        from++;
    return from;
}

/* One number of SGR's list, "38" or "38:5:1" (of which the first counts); the bytes of it with its ';'. */
static size_t sgr_code(const char *s, size_t n, int *code)
{
    size_t i = 0;

    for (*code = 0; i < n && s[i] >= '0' && s[i] <= '9'; i++)
        *code = *code > SGR_CODE_MAX ? *code : *code * 10 + (s[i] - '0');
    while (i < n && s[i] != ';')
        i++;
    return i < n ? i + 1 : i;
}

/* How many of the numbers behind 38, 48 and 58 belong to them: 5;N and 2;R;G;B. */
static int sgr_arguments(const char *s, size_t n)
{
    int kind;

    sgr_code(s, n, &kind);
    return kind == 5 ? 2 : kind == 2 ? 4 : 0;
}

/* The n bytes between "ESC [" and "m". */
static void take_sgr(struct writer *w, const char *s, size_t n)
{
    size_t i = 0;

    do {
        size_t begin = i;
        int code, skip = 0, ignored;

        i += sgr_code(s + i, n - i, &code);
        if (code == 0)
            w->is_strong = w->is_coloured = false;
        else if (code == 1 || code == 22)
            w->is_strong = code == 1;
        else if ((code >= 30 && code <= 39) || (code >= 90 && code <= 97))
            w->is_coloured = code != 39;
        if ((code == 38 || code == 48 || code == 58) &&
            !memchr(s + begin, ':', i - begin))
            skip = sgr_arguments(s + i, n - i);
        while (skip-- > 0)
            i += sgr_code(s + i, n - i, &ignored);
    } while (i < n);
}

/* "ESC [": the bytes it takes, to its end or as far as it is one. */
static size_t take_csi(struct writer *w, const char *s, size_t n)
{
    size_t params = span(s, 2, n, 0x30, 0x3F);
    size_t end = span(s, params, n, 0x20, 0x2F);

    if (end == n || s[end] < 0x40 || s[end] > 0x7E)
        return end;
    if (s[end] == 'm' && end == params && span(s, 2, end, '0', ';') == end)
        take_sgr(w, s + 2, end - 2);
    return end + 1;
}

/* OSC, DCS, SOS, PM, APC: with what ends it. */
static size_t string_length(const char *s, size_t n)
{
    for (size_t i = 2; i < n; i++) {
        if (s[i] == '\a')
            return i + 1;
        if (s[i] == ESC)
            return i + 1 < n && s[i + 1] == '\\' ? i + 2 : i;
        if (s[i] == '\n')
            return i;
    }
    return n;
}

/* s[0] is ESC; 0: no sequence begins there. */
static size_t take_escape(struct writer *w, const char *s, size_t n)
{
    size_t end;

    if (n < 2)
        return 0;
    if (s[1] == '[')
        return take_csi(w, s, n);
    if (memchr("]PX^_", s[1], 5))
        return string_length(s, n);
    end = span(s, 1, n, 0x20, 0x2F);
    if (end < n && s[end] >= 0x30 && s[end] <= 0x7E)
        return end + 1;
    return end > 1 ? end : 0;
}

/* One unit of input: a character, an escape sequence, or CR LF; the bytes consumed. */
static size_t step(struct writer *w, const char *s, size_t n)
{
    char bad[4];
    uint32_t cp;
    size_t len = s[0] == ESC ? take_escape(w, s, n) : 0;

    if (len)
        return len;
    if (s[0] == '\r' && n > 1 && s[1] == '\n') {
        put(w, "\n", 1, false);
        return 2;
    }
    len = utf8_decode(s, n, &cp);
    if (!len)
        put(w, bad, utf8_encode(UTF8_REPLACEMENT, bad), false);
    else if (text_is_hidden(cp))
        put_name(w, cp);
    else if (cp == 0x2028 || cp == 0x2029) /* line and paragraph separator */
        put(w, "\n", 1, false);
    else
        put(w, s, len, false);
    return len ? len : 1;
}

static void drop_line_breaks(struct text_parts *o)
{
    while (o->n && o->text[o->n - 1] == '\n') {
        o->n--;
        if (!--o->parts[o->count - 1].n)
            o->count--;
    }
}

bool text_has_controls(const char *s, size_t n)
{
    uint32_t cp;
    size_t len;

    for (size_t i = 0; i < n; i += len) {
        len = utf8_decode(s + i, n - i, &cp);
        if (!len ||
            (text_is_hidden(cp) && !(cp == '\r' && i + 1 < n && s[i + 1] == '\n')))
            return true;
    }
    return false;
}

void text_parts(struct arena *a, const char *s, size_t n, size_t cap, size_t max_parts,
                struct text_parts *out)
{
    struct writer w = {.a = a, .out = out, .cap = cap, .max_parts = max_parts};
    size_t room = n < cap / WIDEST ? n * WIDEST : cap;

    *out = (struct text_parts){.text = arena_alloc(a, room + sizeof TEXT_CUT_MARK)};
    for (size_t i = 0; i < n && !w.is_cut;)
        i += step(&w, s + i, n - i);
    if (w.is_cut) {
        w.cap = out->n + sizeof TEXT_CUT_MARK;
        w.is_strong = w.is_coloured = false;
        put(&w, TEXT_CUT_MARK, sizeof TEXT_CUT_MARK - 1, false);
    } else {
        drop_line_breaks(out);
    }
    out->text[out->n] = '\0';
}
