/* What a single word of a message is. Used by normal.c only. */
#ifndef CASEBOOK_DIAG_WORD_KIND_H
#define CASEBOOK_DIAG_WORD_KIND_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* NULL-terminated list; case is ignored. */
bool word_in_list(const char *w, const char *const *list);
/* Not empty, and of these characters only. */
bool word_is_all(const char *w, const char *set);
void word_count(const char *w, size_t *digits, size_t *letters);

bool word_is_path(const char *w); /* a path, or a file's name by its extension */
bool word_is_ipv4(const char *w); /* with or without a port */
bool word_is_ipv6(const char *w);
bool word_is_email(const char *w);
bool word_is_identifier(const char *w);               /* hashes, tokens, UUIDs */
bool word_is_duration(const char *w);                 /* "1m23s" */
bool word_is_month(const char *w, const char *after); /* "May", before a number */
bool word_is_unit(const char *w);
/* What follows such a word is a value, a file, a host. */
bool word_names_value(const char *before);
bool word_names_file(const char *before);
bool word_names_host(const char *before);

/* A file's name without ":12", ":12:5" at its end. */
const char *word_without_position(struct arena *a, const char *name);
/* Is this part of a name made by a program: digits, or letters and digits mixed? */
bool word_is_generated(const char *s, size_t n);
/* "web-7d4b9c6f5-x2x9z" -> "web-#-#" */
char *word_without_generated(struct arena *a, const char *word);

#endif
