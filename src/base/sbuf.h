/*
 * A growing string with a maximum, always NUL-terminated, never NULL.
 *
 * An append over the maximum appends nothing, sets `is_full` and returns -1; a chain of appends
 * may be made blindly and `is_full` looked at once.
 */
#ifndef CASEBOOK_BASE_SBUF_H
#define CASEBOOK_BASE_SBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct sbuf {
    char *s;
    size_t len; /* without the NUL */
    size_t cap;
    size_t max; /* the largest len allowed */
    bool is_full;
};

void sbuf_init(struct sbuf *sb, size_t max);
void sbuf_release(struct sbuf *sb); /* frees; usable again only after sbuf_init */
void sbuf_reset(struct sbuf *sb);   /* empties, keeps the memory, clears is_full */
int sbuf_add(struct sbuf *sb, const void *bytes, size_t n);
int sbuf_adds(struct sbuf *sb, const char *s);
int sbuf_addch(struct sbuf *sb, char c);
int sbuf_addf(struct sbuf *sb, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int sbuf_vaddf(struct sbuf *sb, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

#endif
