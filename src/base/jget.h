/*
 * Reading JSON that a stranger wrote. The getters are tolerant: a missing member, null, and a
 * member of another type all give the default. The jreq_ forms name the member that is missing.
 */
#ifndef CASEBOOK_BASE_JGET_H
#define CASEBOOK_BASE_JGET_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

/*
 * Load a document of n bytes. Bad UTF-8 is repaired first; \u0000 is allowed; duplicate keys,
 * trailing text and depth over jansson's bound are refused. Returns a new reference, or NULL with
 * err set (ERR_UPSTREAM).
 */
json_t *jget_load(const char *bytes, size_t n, struct err *err);

/* The strings are copied into the arena; embedded NUL bytes become U+FFFD. */
const char *jget_str(struct arena *a, const json_t *o, const char *key, const char *dflt);
/* The value itself when it is a string, else dflt. */
const char *jget_str_value(struct arena *a, const json_t *v, const char *dflt);
/* Integers, and reals without a fraction (linear.md 1.4). */
int64_t jget_i64(const json_t *o, const char *key, int64_t dflt);
double jget_f64(const json_t *o, const char *key, double dflt);
bool jget_bool(const json_t *o, const char *key, bool dflt);
/* Borrowed; NULL when it is not there or of another type. */
const json_t *jget_obj(const json_t *o, const char *key);
const json_t *jget_arr(const json_t *o, const char *key);
/* A time in RFC 3339; TS_NONE when missing or unreadable. */
int64_t jget_time(const json_t *o, const char *key);

int jreq_str(struct arena *a, const json_t *o, const char *key, const char **out,
             struct err *err);
int jreq_i64(const json_t *o, const char *key, int64_t *out, struct err *err);

/* Compact text of a value, in the arena. */
char *jget_dump(struct arena *a, const json_t *v);

#endif
