/*
 * Allocation that does not fail: out of memory ends the process (its master starts another).
 * Sane only because every input size is capped first.
 */
#ifndef CASEBOOK_BASE_XALLOC_H
#define CASEBOOK_BASE_XALLOC_H

#include <stddef.h>

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *xrealloc(void *p, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));

#endif
