/*
 * An arena: memory that lives as long as one request or one investigation.
 *
 * Everything allocated from it is freed together by arena_reset (keeps one block for reuse)
 * or arena_release. Allocation never fails (xalloc.h). Not thread-safe.
 */
#ifndef CASEBOOK_BASE_ARENA_H
#define CASEBOOK_BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *head;
    size_t used; /* bytes handed out since the last reset; for bounds and tests */
};

#define ARENA_INIT                                                                       \
    {                                                                                    \
        .head = NULL, .used = 0                                                          \
    }

void arena_init(struct arena *a);
void arena_reset(struct arena *a);
void arena_release(struct arena *a);

/* Zeroed, aligned for any type. */
void *arena_alloc(struct arena *a, size_t size) __attribute__((returns_nonnull));
/* n * size with an overflow check (BUG). Zeroed. */
void *arena_array(struct arena *a, size_t n, size_t size)
    __attribute__((returns_nonnull));
/* Copies; NULL stays NULL. */
char *arena_str(struct arena *a, const char *s);
char *arena_strn(struct arena *a, const char *s, size_t n)
    __attribute__((returns_nonnull));
char *arena_fmt(struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), returns_nonnull));

/*
 * Grow an arena array by doubling: returns items with room for at least n + 1 elements.
 * *cap is the current capacity in elements. The old memory stays in the arena until reset.
 */
void *arena_grow(struct arena *a, void *items, size_t n, size_t *cap, size_t size)
    __attribute__((returns_nonnull));

#endif
