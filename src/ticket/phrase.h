/*
 * What customers paste, and what it proves (ux.md section 10 "Decoder", e2b.md 9 and 11). Pure: one table.
 */
#ifndef CASEBOOK_TICKET_PHRASE_H
#define CASEBOOK_TICKET_PHRASE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct phrase {             /* one row of the table */
    const char *name;       /* "connection_dropped" */
    const char *pattern;    /* PCRE2, caseless */
    const char *proves;     /* one sentence */
    const char *not_proves; /* one sentence */
    const char *example;    /* a text that the pattern matches; a test holds it */
};

struct phrase_hit {
    size_t start, len; /* bytes in the text */
    const struct phrase *phrase;
};

struct phrase_set; /* the compiled table */

struct phrase_set *phrase_set_new(void);
void phrase_set_free(struct phrase_set *set);

/* The rows, for tests and help. */
const struct phrase *phrase_table(size_t *n);

/* Hits in the order of the text, not overlapping, at most `max`; where two rows match the same place the
   earlier row of the table wins. The array is in the arena. */
struct phrase_hit *phrase_find(const struct phrase_set *set, struct arena *a,
                               const char *text, size_t max, size_t *n);

#endif
