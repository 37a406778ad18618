/*
 * The growing string. Memory doubles up to the maximum; nothing is ever half appended.
 */
#include "base/sbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"

#include "base/banned.h"

#define SBUF_FIRST 64

void sbuf_init(struct sbuf *sb, size_t max)
{
    *sb = (struct sbuf){.s = xmalloc(SBUF_FIRST), .cap = SBUF_FIRST, .max = max};
    sb->s[0] = '\0';
}

/* Room for n more bytes and the NUL; -1 (and is_full) when that is over the maximum. */
static int make_room(struct sbuf *sb, size_t n)
{
    size_t cap = sb->cap;

    if (!sb->s)
        BUG("sbuf used before sbuf_init");
    if (sb->len > sb->max || n > sb->max - sb->len || n >= (size_t)-1 / 2 - sb->len) {
        sb->is_full = true;
        return -1;
    }
    if (sb->len + n + 1 <= cap)
        return 0;
    while (cap < sb->len + n + 1)
        cap *= 2;
    sb->s = xrealloc(sb->s, cap);
    sb->cap = cap;
    return 0;
}

void sbuf_release(struct sbuf *sb)
{
    char *s = sb->s;

    *sb = (struct sbuf){.s = NULL};
    free(s);
}

void sbuf_reset(struct sbuf *sb)
{
    sb->len = 0;
    sb->s[0] = '\0';
    sb->is_full = false;
}

int sbuf_add(struct sbuf *sb, const void *bytes, size_t n)
{
    if (make_room(sb, n))
        return -1;
    if (n)
        memcpy(sb->s + sb->len, bytes, n);
    sb->len += n;
    sb->s[sb->len] = '\0';
    return 0;
}

int sbuf_adds(struct sbuf *sb, const char *s)
{
    return sbuf_add(sb, s, strlen(s));
}

int sbuf_addch(struct sbuf *sb, char c)
{
    return sbuf_add(sb, &c, 1);
}

int sbuf_vaddf(struct sbuf *sb, const char *fmt, va_list ap)
{
    va_list again;
    int n;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0)
        BUG("sbuf: bad format");
    if (make_room(sb, (size_t)n))
        return -1;
    vsnprintf(sb->s + sb->len, (size_t)n + 1, fmt, ap);
    sb->len += (size_t)n;
    return 0;
}

int sbuf_addf(struct sbuf *sb, const char *fmt, ...)
{
    va_list ap;
    int rc;

    va_start(ap, fmt);
    rc = sbuf_vaddf(sb, fmt, ap);
    va_end(ap);
    return rc;
}
