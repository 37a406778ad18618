/*
 * The one place that calls malloc. Out of memory is said on stderr and ends the process.
 */
#include "base/xalloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

#include "base/banned.h"

static _Noreturn void die_of_memory(size_t size)
{
    fprintf(stderr, "out of memory: %zu bytes wanted\n", size);
    _Exit(70);
}

void *xmalloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p)
        die_of_memory(size);
    return p;
}

void *xcalloc(size_t n, size_t size)
{
    void *p;

    if (size && n > SIZE_MAX / size)
        BUG("xcalloc: %zu times %zu overflows", n, size);
    p = calloc(n ? n : 1, size ? size : 1);
    if (!p)
        die_of_memory(n * size);
    return p;
}

void *xrealloc(void *p, size_t size)
{
    void *q = realloc(p, size ? size : 1);

    if (!q)
        die_of_memory(size);
    return q;
}

char *xstrdup(const char *s)
{
    size_t n = strlen(s) + 1;

    return memcpy(xmalloc(n), s, n);
}
