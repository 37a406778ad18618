/*
 * Hashes and their text forms (nettle does the work). Pure.
 */
#ifndef CASEBOOK_BASE_DIGEST_H
#define CASEBOOK_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_SIZE 32
#define DIGEST_HEX_SIZE 65 /* 64 hex digits and NUL */

void digest_sha256(const void *bytes, size_t n, uint8_t out[DIGEST_SIZE]);
void digest_hmac_sha256(const void *key, size_t key_n, const void *bytes, size_t n,
                        uint8_t out[DIGEST_SIZE]);
char *digest_hex(const uint8_t in[DIGEST_SIZE], char out[DIGEST_HEX_SIZE]);
/* In constant time. */
bool digest_equal(const void *a, const void *b, size_t n);

#define UUID_TEXT_SIZE 37
/* The first 16 bytes shaped as a UUID version 4 in lower case (linear.md 4.2). */
char *digest_uuid(const uint8_t in[DIGEST_SIZE], char out[UUID_TEXT_SIZE]);

#endif
