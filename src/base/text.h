/*
 * Untrusted text: repaired, bounded, and told apart. Pure.
 */
#ifndef CASEBOOK_BASE_TEXT_H
#define CASEBOOK_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* Is this the whole of well-formed UTF-8 (no surrogates, no overlong forms, <= U+10FFFF)? */
bool text_is_utf8(const char *s, size_t n);

/* A copy in which each bad byte became U+FFFD. *out_n may be NULL. NUL bytes are kept. */
char *text_repair_utf8(struct arena *a, const char *s, size_t n, size_t *out_n);

#define TEXT_CUT_MARK " [cut]"

/* A control character but newline and tab, or one that nobody sees or that turns round what is seen. */
bool text_is_hidden(uint32_t cp);

/*
 * Text fit for a page or an outgoing message: valid UTF-8; ANSI escape sequences removed; control
 * characters (but newline and tab; CR LF becomes LF), bidirectional overrides and zero-width
 * characters shown as U+FFFD; at most cap bytes, cut at a character with the mark " [cut]"
 * (the mark comes on top). NULL gives "".
 */
char *text_clean(struct arena *a, const char *s, size_t n, size_t cap);

/* text_clean, and every run of white space (newlines too) becomes one blank; trimmed. */
char *text_clean_line(struct arena *a, const char *s, size_t n, size_t cap);

/* 1..64 characters of [a-z0-9] (e2b.md 1.3). */
bool text_is_sandbox_id(const char *s);
/* What a person who types it means as one: `i`, twenty more of these characters, a digit among them. */
bool text_looks_like_sandbox(const char *s);

/* ASCII-only case folding and comparison, independent of the locale. NULL is "". */
bool text_ieq(const char *a, const char *b);
bool text_icontains(const char *hay, const char *needle);
/* Where it is found first; NULL: nowhere. */
const char *text_ifind(const char *hay, const char *needle);
bool text_starts(const char *s, const char *prefix);
bool text_is_empty(const char *s); /* NULL or "" */
char *text_lower(struct arena *a, const char *s);
char *text_trim(struct arena *a, const char *s);

/*
 * HTML from a mail reduced to safe text: tags dropped, block ends become newlines, entities
 * decoded, style/script content dropped. Only where a service gives no plain form.
 */
char *text_from_html(struct arena *a, const char *html, size_t n, size_t cap);

#endif
