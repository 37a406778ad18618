/*
 * Times of the described world: expressions relative to the simulator's start
 * or to an anchor, and the forms in which services print times.
 * All times are microseconds UTC.
 */
#ifndef SIM_WHEN_H
#define SIM_WHEN_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

int64_t now_us(void);

/*
 * Read a length such as "1h20m", "35s", "11m54.369s", "250ms". Dies on
 * anything else: lengths come from the world's files only.
 */
int64_t duration_us(const char *text);

/*
 * Read a point in time: "now", "-1h20m" or "+35s" (from base_us), "8m28s"
 * (same as with "+"), "@NAME", "@NAME-5m" (from an anchor), each with an
 * optional "~10m" that rounds to whole multiples. Dies on anything else.
 */
int64_t when_us(const char *text, int64_t base_us, const json_t *anchors);

/* RFC 3339 in UTC with that many fractional digits (0, 3, 6, 9), "Z". */
char *time_rfc3339(int64_t us, int digits);

/* As Go prints it: 9 digits from us and a fixed tail, trailing zeros dropped. */
char *time_nano(int64_t us, int extra_ns);

/* strftime with %L for milliseconds; zone NULL is UTC, or a city of when.c. */
char *time_format(int64_t us, const char *fmt, const char *zone);

#endif
