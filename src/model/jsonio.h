/*
 * Between JSON members and model fields; for the *_json.c files of this folder only.
 *
 * Text is cleaned on the way in (base/text.h); what is not known is "" or TS_NONE in the model and
 * left out in JSON.
 */
#ifndef CASEBOOK_MODEL_JSONIO_H
#define CASEBOOK_MODEL_JSONIO_H

#include "base/jget.h"
#include "model/sandbox.h"

/* Cleaned text of a member; dflt when it is missing or no text. _line: white space folded. */
const char *jio_text(struct arena *a, const json_t *o, const char *key, size_t cap,
                     const char *dflt);
const char *jio_line(struct arena *a, const json_t *o, const char *key, size_t cap,
                     const char *dflt);
/* The same for the first of several spellings that is there. The list ends with NULL. */
const char *jio_line_any(struct arena *a, const json_t *o, const char *const keys[],
                         size_t cap, const char *dflt);
const json_t *jio_obj_any(const json_t *o, const char *const keys[]);

/*
 * Members of an object as tags, in the given order: at most max of them, keys to 256 bytes, values
 * to value_cap. Numbers, booleans and nested values become their JSON text; null is left out.
 */
const struct tag *jio_tags(struct arena *a, const json_t *o, size_t max, size_t value_cap,
                           size_t *count);

/* Writers. NULL and "" texts, TS_NONE, and no tags write nothing. Bad UTF-8 is repaired. */
void jio_put_text(json_t *o, const char *key, const char *s);
void jio_put_time(json_t *o, const char *key, int64_t us);
void jio_put_i64(json_t *o, const char *key, int64_t v);
void jio_put_bool(json_t *o, const char *key, bool v);
void jio_put_tags(json_t *o, const char *key, const struct tag *tags, size_t n);
/* Like jio_put_text, but "" is written too. */
void jio_put_string(json_t *o, const char *key, const char *s);
/* A new reference; never NULL. */
json_t *jio_string(const char *s);

#endif
