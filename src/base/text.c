/*
 * Untrusted text made safe to show: UTF-8 repaired, escape sequences and invisible characters taken
 * out, length bounded. HTML of mails is text_html.c.
 *
 * The cleaner runs twice over its input: once to count, once to write, so that the arena gives out
 * exactly what is needed however much the text grows or shrinks.
 */
#include "base/text.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

#include "base/banned.h"

#define ESC 0x1B
#define STRING_SEQUENCE_MAX 512 /* a longer OSC or DCS is not believed to be one */

bool text_is_utf8(const char *s, size_t n)
{
    uint32_t cp;

    for (size_t i = 0; i < n;) {
        size_t len = utf8_decode(s + i, n - i, &cp);

        if (!len)
            return false;
        i += len;
    }
    return true;
}

char *text_repair_utf8(struct arena *a, const char *s, size_t n, size_t *out_n)
{
    size_t bad = 0;
    size_t len = 0;
    uint32_t cp;
    char *out;

    for (size_t i = 0; i < n;) {
        size_t step = utf8_decode(s + i, n - i, &cp);

        bad += step == 0;
        i += step ? step : 1;
    }
    out = arena_alloc(a, n + bad * (UTF8_REPLACEMENT_SIZE - 1) + 1);
    for (size_t i = 0; i < n;) {
        size_t step = utf8_decode(s + i, n - i, &cp);

        len += utf8_encode(step ? cp : UTF8_REPLACEMENT, out + len);
        i += step ? step : 1;
    }
    out[len] = '\0';
    if (out_n)
        *out_n = len;
    return out;
}

static size_t span(const char *s, size_t from, size_t n, unsigned char lo,
                   unsigned char hi)
{
    while (from < n && (unsigned char)s[from] >= lo && (unsigned char)s[from] <= hi)
        from++;
    return from;
}

/* The end of an OSC, DCS, SOS, PM or APC that began at s[0..1]; 0 when it does not end. */
static size_t string_sequence_length(const char *s, size_t n)
{
    for (size_t i = 2; i < n && i < STRING_SEQUENCE_MAX; i++) {
        if (s[i] == '\a')
            return i + 1;
        if (s[i] == ESC)
            return i + 1 < n && s[i + 1] == '\\' ? i + 2 : i;
        if (s[i] == '\n')
            return 0;
    }
    return 0;
}

/* How many bytes the escape sequence at s takes (s[0] is ESC); at least 1. ECMA-48. */
static size_t escape_length(const char *s, size_t n)
{
    size_t end;

    if (n < 2)
        return 1;
    if (s[1] == '[') {
        end = span(s, 2, n, 0x30, 0x3F);
        end = span(s, end, n, 0x20, 0x2F);
        return end < n && s[end] >= 0x40 && s[end] <= 0x7E ? end + 1 : end;
    }
    if (strchr("]PX^_", s[1]) && s[1]) {
        end = string_sequence_length(s, n);
        return end ? end : 2;
    }
    end = span(s, 1, n, 0x20, 0x2F);
    return end < n && s[end] >= 0x30 && s[end] <= 0x7E ? end + 1 : end;
}

struct cp_range {
    uint32_t first, last;
};

/* Characters that a reader cannot see or that reorder what is seen. */
static const struct cp_range hidden[] = {
    {0x0000,  0x0008 },
    {0x000B,  0x001F },
    {0x007F,  0x009F }, /* DEL and C1 */
    {0x061C,  0x061C }, /* Arabic letter mark */
    {0x180E,  0x180E },
    {0x200B,  0x200F }, /* zero width, LRM, RLM */
    {0x202A,  0x202E }, /* bidirectional embeddings and overrides */
    {0x2060,  0x2064 },
    {0x2066,  0x206F }, /* bidirectional isolates */
    {0xFEFF,  0xFEFF },
    {0xFFF9,  0xFFFB },
    {0xE0000, 0xE007F}, /* tag characters */
};

bool text_is_hidden(uint32_t cp)
{
    if (cp >= 0x20 && cp < 0x7F)
        return false;
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
        if (cp >= hidden[i].first && cp <= hidden[i].last)
            return true;
    }
    return false;
}

struct cleaner {
    char *out; /* NULL: count only */
    size_t len;
    size_t cap;
    bool is_line;    /* white space runs become one blank, none at the ends */
    bool is_pending; /* a blank is due before the next visible character */
    bool is_cut;
};

static void put(struct cleaner *c, uint32_t cp)
{
    bool is_space = cp == ' ' || cp == '\n' || cp == '\t';
    size_t size = utf8_size(cp);
    size_t blank = 0;

    if (c->is_line && is_space) {
        c->is_pending = c->len > 0;
        return;
    }
    if (c->is_pending)
        blank = 1;
    if (size + blank > c->cap - c->len) {
        c->is_cut = true;
        return;
    }
    if (c->out) {
        if (blank)
            c->out[c->len] = ' ';
        utf8_encode(cp, c->out + c->len + blank);
    }
    c->len += size + blank;
    c->is_pending = false;
}

/* One unit of input: a character, an escape sequence, or CR LF; the bytes consumed. */
static size_t clean_step(struct cleaner *c, const char *s, size_t n)
{
    uint32_t cp;
    size_t step;

    if (s[0] == ESC)
        return escape_length(s, n);
    if (s[0] == '\r' && n > 1 && s[1] == '\n') {
        put(c, '\n');
        return 2;
    }
    step = utf8_decode(s, n, &cp);
    if (!step) {
        put(c, UTF8_REPLACEMENT);
        return 1;
    }
    if (cp == 0x2028 || cp == 0x2029) /* line and paragraph separator */
        cp = '\n';
    put(c, text_is_hidden(cp) ? UTF8_REPLACEMENT : cp);
    return step;
}

static void clean_all(struct cleaner *c, const char *s, size_t n)
{
    for (size_t i = 0; i < n && !c->is_cut;)
        i += clean_step(c, s + i, n - i);
}

/* Text that was cut before and carries the mark is not cut a second time. */
static bool is_cut_already(const char *s, size_t n, size_t cap)
{
    size_t mark_n = sizeof(TEXT_CUT_MARK) - 1;

    return n >= mark_n && n - mark_n <= cap &&
           memcmp(s + n - mark_n, TEXT_CUT_MARK, mark_n) == 0;
}

static char *clean(struct arena *a, const char *s, size_t n, size_t cap, bool is_line)
{
    struct cleaner count, c;

    if (!s)
        n = 0;
    if (n > 0 && is_cut_already(s, n, cap))
        cap = n;
    count = c = (struct cleaner){.cap = cap, .is_line = is_line};
    clean_all(&count, s, n);
    c.out = arena_alloc(a, count.len + sizeof(TEXT_CUT_MARK));
    clean_all(&c, s, n);
    if (c.is_cut)
        memcpy(c.out + c.len, TEXT_CUT_MARK, sizeof(TEXT_CUT_MARK));
    return c.out;
}

/* Most text is short and plain; it needs no second look. */
static bool is_plain(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char ch = (unsigned char)s[i];

        if ((ch < 0x20 && ch != '\n' && ch != '\t') || ch >= 0x7F)
            return false;
    }
    return true;
}

char *text_clean(struct arena *a, const char *s, size_t n, size_t cap)
{
    if (s && n <= cap && is_plain(s, n))
        return arena_strn(a, s, n);
    return clean(a, s, n, cap, false);
}

char *text_clean_line(struct arena *a, const char *s, size_t n, size_t cap)
{
    return clean(a, s, n, cap, true);
}

bool text_is_sandbox_id(const char *s)
{
    size_t n;

    if (!s)
        return false;
    n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789");
    return n >= 1 && n <= 64 && s[n] == '\0';
}

bool text_looks_like_sandbox(const char *s)
{
    return s[0] == 'i' && strlen(s) == 21 && text_is_sandbox_id(s) &&
           strpbrk(s, "0123456789");
}

static unsigned char fold(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool text_ieq(const char *a, const char *b)
{
    a = a ? a : "";
    b = b ? b : "";
    while (*a && fold(*a) == fold(*b)) {
        a++;
        b++;
    }
    return fold(*a) == fold(*b);
}

static bool istarts(const char *s, const char *prefix)
{
    while (*prefix && fold(*s) == fold(*prefix)) {
        s++;
        prefix++;
    }
    return *prefix == '\0';
}

const char *text_ifind(const char *hay, const char *needle)
{
    needle = needle ? needle : "";
    for (hay = hay ? hay : ""; !istarts(hay, needle); hay++) {
        if (*hay == '\0')
            return NULL;
    }
    return hay;
}

bool text_icontains(const char *hay, const char *needle)
{
    return text_ifind(hay, needle) != NULL;
}

bool text_starts(const char *s, const char *prefix)
{
    return s && prefix && strncmp(s, prefix, strlen(prefix)) == 0;
}

bool text_is_empty(const char *s)
{
    return !s || *s == '\0';
}

char *text_lower(struct arena *a, const char *s)
{
    size_t n = s ? strlen(s) : 0;
    char *out = arena_strn(a, s, n);

    for (size_t i = 0; i < n; i++)
        out[i] = (char)fold(out[i]);
    return out;
}

char *text_trim(struct arena *a, const char *s)
{
    static const char blanks[] = " \t\r\n\v\f";
    size_t n;

    s = s ? s : "";
    s += strspn(s, blanks);
    n = strlen(s);
    while (n > 0 && strchr(blanks, s[n - 1]))
        n--;
    return arena_strn(a, s, n);
}
