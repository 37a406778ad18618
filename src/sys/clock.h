/* The only place that reads a clock or the random source. */
#ifndef CASEBOOK_SYS_CLOCK_H
#define CASEBOOK_SYS_CLOCK_H

#include <stddef.h>
#include <stdint.h>

int64_t clock_now_us(void);  /* wall clock, microseconds since the epoch, UTC */
int64_t clock_mono_us(void); /* monotonic, for deadlines and durations */

/* Fills buf from the kernel's random source; never fails. */
void random_bytes(void *buf, size_t n);
/* A random UUID in lower-case text; buf of 37 bytes. Returns buf. */
char *random_uuid(char buf[37]);

#endif
