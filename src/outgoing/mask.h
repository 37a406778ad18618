/*
 * Masking of secrets and personal data before a text leaves for Linear or Zendesk (design.md 7).
 * Pure: one table of forms, each with its name and an example in the tests.
 */
#ifndef CASEBOOK_OUTGOING_MASK_H
#define CASEBOOK_OUTGOING_MASK_H

#include <stddef.h>

struct arena;
struct mask;

/* The compiled table; a form that does not compile is a programming error. */
struct mask *mask_new(void);
void mask_free(struct mask *m);

/*
 * A copy of the text with each secret replaced by its kind in brackets ("[key]", "[email]", "[ip]").
 * *count (may be NULL) is raised by the number of replacements. Texts over 256 KiB are cut before.
 */
char *mask_text(const struct mask *m, struct arena *a, const char *text, size_t *count);

#endif
