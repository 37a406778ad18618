/* Names in stack traces. Used by trace.c only; all results point into the argument or
   the arena. */
#ifndef CASEBOOK_DIAG_TRACE_NAMES_H
#define CASEBOOK_DIAG_TRACE_NAMES_H

#include "diag/trace.h"

/* Does s begin with one of the NULL-terminated list? */
bool name_starts_with_any(const char *s, const char *const *list);
/* The last `parts` components of a dotted name. */
const char *last_parts(const char *name, int parts);
/* "java.lang.IllegalStateException" -> "IllegalStateException"; names in std:: stay
   whole. */
const char *short_kind(const char *kind);

/* The function's name as people write it; file stands in for a name that is none. */
const char *java_name(struct arena *a, const char *fn);
const char *go_name(struct arena *a, const char *fn);
const char *js_name(const char *fn, const char *file);
const char *ruby_name(const char *fn);
const char *php_name(const char *fn);

bool java_is_library(const char *fn);
/* Names that libraries use more than customers: taken only when there is no other. */
bool is_mostly_library(const char *fn);
bool net_is_library(const char *fn);
bool elixir_is_library(const char *app, const char *file);
/* Is the name in the list? An entry that ends with '.' or is a sign stands for all
   that begin with it. */
bool r_is_known(const char *name, const char *const *known);

#endif
