/*
 * Filling struct err, and the end of the program for programming errors.
 *
 * Formats into a local buffer first, so that an argument may be the message of the same struct.
 * Decides nothing about how a failure is shown: that is web/respond.c and the views.
 */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static const char *const kind_names[ERR_KIND_COUNT] = {
    [ERR_NONE] = "none",         [ERR_INPUT] = "input",       [ERR_AUTH] = "auth",
    [ERR_DENIED] = "denied",     [ERR_NOTFOUND] = "notfound", [ERR_CONFLICT] = "conflict",
    [ERR_UPSTREAM] = "upstream", [ERR_TIMEOUT] = "timeout",   [ERR_DB] = "db",
    [ERR_INTERNAL] = "internal",
};

/* Drop the beginning of a UTF-8 character that a cut left at the end. */
static void trim_partial_char(char *s)
{
    size_t n = strlen(s);
    size_t back = 0;
    unsigned char lead;
    size_t want;

    while (back < 3 && back < n && ((unsigned char)s[n - 1 - back] & 0xC0) == 0x80)
        back++;
    if (back >= n)
        return;
    lead = (unsigned char)s[n - 1 - back];
    want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (want > back + 1)
        s[n - 1 - back] = '\0';
}

static void store_msg(struct err *e, const char *text, size_t full_len)
{
    size_t n = strlen(text);

    memcpy(e->msg, text, n + 1);
    if (full_len > n)
        trim_partial_char(e->msg);
}

int err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
{
    char text[sizeof(e->msg)];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    *e = (struct err){.kind = kind};
    if (n >= 0)
        store_msg(e, text, (size_t)n);
    return -1;
}

int err_ctx(struct err *e, const char *fmt, ...)
{
    char ctx[sizeof(e->msg)];
    char text[sizeof(e->msg)];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(ctx, sizeof(ctx), fmt, ap);
    va_end(ap);
    if (n < 0)
        return -1;
    n = snprintf(text, sizeof(text), "%s: %s", ctx, e->msg);
    if (n >= 0)
        store_msg(e, text, (size_t)n);
    return -1;
}

const char *err_kind_name(enum err_kind kind)
{
    if ((unsigned)kind >= ERR_KIND_COUNT)
        return "internal";
    return kind_names[kind];
}

_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
{
    va_list ap;

    fprintf(stderr, "BUG: %s:%d: ", file, line);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    abort();
}
