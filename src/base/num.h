/* Numbers from text: the whole string or a failure. */
#ifndef CASEBOOK_BASE_NUM_H
#define CASEBOOK_BASE_NUM_H

#include <stdint.h>

/* Decimal, optional leading '-', no blanks. 0, or -1 when malformed or outside min..max. */
int parse_i64(const char *s, int64_t min, int64_t max, int64_t *out);
/* Also exponent form (E2B log fields, e2b.md 5.3: "5.24288E+06"); locale-free, finite only. */
int parse_f64(const char *s, double *out);

#endif
