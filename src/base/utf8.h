/*
 * One character of UTF-8 at a time (RFC 3629). Pure. For text.c and its kin; others use text.h.
 */
#ifndef CASEBOOK_BASE_UTF8_H
#define CASEBOOK_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT ((uint32_t)0xFFFD)
#define UTF8_REPLACEMENT_SIZE 3

/* The length of the well-formed character at s (1..4, n bytes are there), or 0 when it is none. */
size_t utf8_decode(const char *s, size_t n, uint32_t *cp);

/* Writes 1..4 bytes, without a NUL; returns how many. cp is a Unicode scalar value. */
size_t utf8_encode(uint32_t cp, char *out);
size_t utf8_size(uint32_t cp);

#endif
