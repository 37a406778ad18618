/*
 * Bytes in, bytes out: decoding, comparing, hashing. Returned strings are
 * malloc'ed and belong to the caller.
 */
#ifndef SIM_TEXT_H
#define SIM_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory that is never NULL; dies instead. */
void *zalloc(size_t bytes);
void *grow(void *p, size_t count, size_t size); /* room for count + 1 items */
char *dup_bytes(const char *s, size_t len);
char *dup_str(const char *s);
char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Percent-decode; with plus_is_space as form values do. */
char *pct_decode(const char *s, size_t len, bool plus_is_space);

/* Standard base64; NULL when malformed. */
char *base64_decode(const char *s);

/* Replace bytes that are no UTF-8 by "?" in place. */
void utf8_clean(char *s, size_t len);

/* The largest length <= max that does not cut a UTF-8 sequence. */
size_t utf8_cut(const char *s, size_t len, size_t max);

bool has_prefix(const char *s, const char *prefix);
bool has_suffix(const char *s, const char *suffix);
bool contains_ci(const char *hay, const char *needle);
bool equals_ci(const char *a, const char *b);

/* Replace every from by to. */
char *replace_all(const char *s, const char *from, const char *to);

/* Escape & < > " ' for HTML. */
char *html_escape(const char *s);

/* Drop tags, decode the five entities; a block's end becomes a newline. */
char *html_to_text(const char *s);

/* Deterministic 64-bit hash of a text and a number. */
uint64_t hash_text(const char *s, uint64_t salt);

/* A number in [-1, 1], from the same hash. */
double hash_noise(const char *s, uint64_t salt);

/* A version 4 shaped UUID made from the hash; out holds 37 bytes. */
void hash_uuid(const char *s, uint64_t salt, char out[37]);

bool is_uuid_v4(const char *s);

/* 21 resp. 20 characters of [a-z0-9]: is the id acceptable to E2B? */
bool is_sandbox_id(const char *s);

/* Go's strconv 'G' form with the fewest digits: 5242880 -> 5.24288E+06. */
char *go_float(double v);

/* jansson conveniences: null and missing are the same. */
const char *jstr(const json_t *o, const char *key); /* or NULL */
const char *jstr_or(const json_t *o, const char *key, const char *dflt);
int64_t jint(const json_t *o, const char *key, int64_t dflt);
double jnum(const json_t *o, const char *key, double dflt);
bool jbool(const json_t *o, const char *key, bool dflt);

/* A string value of any bytes that are UTF-8, NUL included. */
json_t *json_text(const char *s, size_t len);

/* json_pack that dies instead of returning NULL. */
json_t *pack(const char *fmt, ...);

#endif
