/* Percent encoding of RFC 3986 and its undoing. Pure. */
#ifndef CASEBOOK_BASE_URL_H
#define CASEBOOK_BASE_URL_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* Everything but A-Z a-z 0-9 - . _ ~ becomes %XX in upper-case hex; blank is %20 (e2b.md 2.2). */
char *url_encode(struct arena *a, const char *s);

/*
 * Undo it. `is_form` also turns '+' into a blank. A '%' that starts no valid pair stays as it is.
 * *out_n (may be NULL) counts bytes; the result may hold NUL bytes: compare with strlen to refuse.
 */
char *url_decode(struct arena *a, const char *s, size_t n, bool is_form, size_t *out_n);

/* http:// or https:// with a host and no blanks, controls, quotes, credentials. */
bool url_is_http(const char *s);

#endif
