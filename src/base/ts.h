/*
 * Time arithmetic: microseconds since the epoch, UTC, as int64_t. No clock is read here.
 */
#ifndef CASEBOOK_BASE_TS_H
#define CASEBOOK_BASE_TS_H

#include <stddef.h>
#include <stdint.h>

#define TS_NONE INT64_MIN /* "no such time" */
#define TS_MS ((int64_t)1000)
#define TS_SEC ((int64_t)1000000)
#define TS_MIN (60 * TS_SEC)
#define TS_HOUR (60 * TS_MIN)
#define TS_DAY (24 * TS_HOUR)

struct ts_civil {
    int year, month, day, hour, minute, second; /* month 1..12 */
    int us;
    int weekday; /* 0 = Sunday */
};

/*
 * RFC 3339 with 0 to 18 fractional digits and `Z` or an offset (e2b.md 11.2); also accepts a blank
 * for `T` and a blank before the offset (the `end_time` form of E2B's logs, e2b.md 5.4).
 * Fractions beyond microseconds are cut. 0, or -1 (then *us is untouched).
 * The year must be 1970..9999.
 */
int ts_parse(const char *s, int64_t *us);

void ts_to_civil(int64_t us, struct ts_civil *out);
int64_t ts_from_civil(const struct ts_civil *c);

#define TS_ISO_SIZE 32
/* "2026-11-24T14:02:58Z". Returns buf. TS_NONE gives "". */
char *ts_iso(int64_t us, char buf[TS_ISO_SIZE]);
/* "2026-11-24T14:02:58.214Z" (milliseconds). */
char *ts_iso_ms(int64_t us, char buf[TS_ISO_SIZE]);
/* "2026-11-24T14:02:58.214402Z" (microseconds): lossless. */
char *ts_iso_us(int64_t us, char buf[TS_ISO_SIZE]);

#endif
