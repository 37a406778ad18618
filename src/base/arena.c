/*
 * The arena: a list of blocks, the newest first; allocations are cut off the newest.
 *
 * Blocks double up to BLOCK_MAX; a bigger request gets a block of its own. A reset keeps the newest
 * block when that is of ordinary size, so that a steady load allocates nothing.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"

#include "base/banned.h"

#define BLOCK_FIRST ((size_t)8 * 1024)
#define BLOCK_MAX ((size_t)1024 * 1024)
#define ALIGNMENT alignof(max_align_t)

struct arena_block {
    struct arena_block *next;
    size_t size; /* of data */
    size_t used;
    alignas(max_align_t) unsigned char data[];
};

void arena_init(struct arena *a)
{
    *a = (struct arena)ARENA_INIT;
}

static void free_list(struct arena_block *b)
{
    while (b) {
        struct arena_block *next = b->next;

        free(b);
        b = next;
    }
}

void arena_reset(struct arena *a)
{
    struct arena_block *b = a->head;

    a->used = 0;
    if (!b)
        return;
    free_list(b->next);
    b->next = NULL;
    b->used = 0;
    if (b->size > BLOCK_MAX) {
        free(b);
        a->head = NULL;
    }
}

void arena_release(struct arena *a)
{
    free_list(a->head);
    arena_init(a);
}

static struct arena_block *new_block(struct arena *a, size_t need)
{
    size_t size = a->head ? a->head->size : BLOCK_FIRST / 2;
    struct arena_block *b;

    size = size < BLOCK_MAX / 2 ? size * 2 : BLOCK_MAX;
    if (size < need)
        size = need;
    b = xmalloc(sizeof(*b) + size);
    b->size = size;
    b->used = 0;
    b->next = a->head;
    a->head = b;
    return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
    struct arena_block *b = a->head;
    size_t need;
    void *p;

    if (size > SIZE_MAX / 2)
        BUG("arena: %zu bytes wanted", size);
    need = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (need == 0)
        need = ALIGNMENT;
    if (!b || need > b->size - b->used)
        b = new_block(a, need);
    p = b->data + b->used;
    b->used += need;
    a->used += need;
    return memset(p, 0, need);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        BUG("arena: %zu times %zu overflows", n, size);
    return arena_alloc(a, n * size);
}

char *arena_str(struct arena *a, const char *s)
{
    return s ? arena_strn(a, s, strlen(s)) : NULL;
}

char *arena_strn(struct arena *a, const char *s, size_t n)
{
    char *p;

    if (n == SIZE_MAX)
        BUG("arena: text of %zu bytes", n);
    p = arena_alloc(a, n + 1);
    if (n)
        memcpy(p, s, n);
    return p;
}

char *arena_fmt(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    char *p;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        BUG("arena: bad format");
    p = arena_alloc(a, (size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return p;
}

void *arena_grow(struct arena *a, void *items, size_t n, size_t *cap, size_t size)
{
    size_t want;
    void *bigger;

    if (items && n < *cap)
        return items;
    want = *cap < 8 ? 8 : *cap * 2;
    if (want <= n)
        want = n + 1;
    bigger = arena_array(a, want, size);
    if (items && n)
        memcpy(bigger, items, n * size);
    *cap = want;
    return bigger;
}
