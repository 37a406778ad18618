/*
 * Building the `query` of a ticket search, so that what a person types can never change what is
 * searched: there is no documented way to escape a quote or a colon (zendesk.md 2.3).
 */
#include "upstream/zendesk_query.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/utf8.h"

#include "base/banned.h"

#define TYPED_MAX 200

static bool is_ascii_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

/*
 * Letters beyond ASCII, roughly: everything but the blocks of signs, punctuation and invisible
 * characters. A letter that is missed is only put between quotes.
 */
static bool is_wide_letter(uint32_t cp)
{
    static const struct {
        uint32_t from, to;
    } signs[] = {
        {0x0000,  0x00BF  },
        {0x00D7,  0x00D7  },
        {0x00F7,  0x00F7  },
        {0x2000,  0x2BFF  },
        {0x3000,  0x303F  },
        {0xD800,  0xF8FF  },
        {0xFE00,  0xFFFF  },
        {0x10000, 0x10FFFF},
    };

    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        if (cp >= signs[i].from && cp <= signs[i].to)
            return false;
    }
    return true;
}

static bool is_bare(const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t cp = 0;
        size_t len = utf8_decode(s + i, n - i, &cp);

        if (len == 0 || (len == 1 && !is_ascii_word(s[i])) ||
            (len > 1 && !is_wide_letter(cp)))
            return false;
        i += len;
    }
    return n > 0;
}

/* Repaired, at most 200 bytes, white space as blanks, other control characters gone, trimmed. */
static char *tidy(struct arena *a, const char *typed)
{
    size_t n = 0, len = 0;
    char *s = text_repair_utf8(a, typed ? typed : "", typed ? strlen(typed) : 0, &n);

    for (size_t i = 0; i < n;) {
        uint32_t cp;
        size_t size = utf8_decode(s + i, n - i, &cp);

        if (size == 0 || len + size > TYPED_MAX)
            break;
        if (cp == '\t' || cp == '\n' || cp == '\r' || cp == 0xA0)
            s[len++] = ' ';
        else if (cp >= 0x20 && !(cp >= 0x7F && cp <= 0x9F)) {
            memmove(s + len, s + i, size);
            len += size;
        }
        i += size;
    }
    s[len] = '\0';
    return text_trim(a, s);
}

/* One word, one '@' with something on both sides, and only what needs no quotes in a query. */
static bool is_address(const char *s)
{
    const char *at = strchr(s, '@');

    if (!at || at == s || !at[1] || strchr(at + 1, '@'))
        return false;
    for (; *s; s++) {
        if (!is_ascii_word(*s) && !strchr(".!#$%&'+/=?^`{|}~-@", *s))
            return false;
    }
    return true;
}

/* s between double quotes; what would end or escape them becomes a blank. */
static void add_quoted(struct arena *a, struct sbuf *sb, const char *s, size_t n)
{
    char *piece = arena_strn(a, s, n);

    for (char *p = piece; *p; p++) {
        if (*p == '"' || *p == '\\')
            *p = ' ';
    }
    piece = text_trim(a, piece);
    if (piece[0])
        sbuf_addf(sb, " \"%s\"", piece);
}

static void add_pieces(struct arena *a, struct sbuf *sb, const char *s)
{
    while (*s) {
        size_t n = strcspn(s, " ");

        if (is_bare(s, n))
            sbuf_addf(sb, " %.*s", (int)n, s);
        else
            add_quoted(a, sb, s, n);
        s += n;
        s += strspn(s, " ");
    }
}

void zendesk_query_build(struct arena *a, const char *typed, struct zendesk_query *out)
{
    char *s = tidy(a, typed);
    size_t n = strlen(s);
    struct sbuf sb;

    out->text = out->email = NULL;
    if (is_address(s)) {
        out->email = s;
        out->text = arena_fmt(a, "type:ticket requester:%s", s);
        return;
    }
    sbuf_init(&sb, 8 * TYPED_MAX);
    if (n > 2 && s[0] == '"' && s[n - 1] == '"')
        add_quoted(a, &sb, s, n);
    else
        add_pieces(a, &sb, s);
    if (sb.len > 0)
        out->text = arena_fmt(a, "type:ticket%s", sb.s);
    sbuf_release(&sb);
}
