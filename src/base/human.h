/*
 * Numbers and times as people write them (ux.md section 4): pure formatting, shared by the
 * diagnosis brief and by the pages. Every function returns its buffer.
 */
#ifndef CASEBOOK_BASE_HUMAN_H
#define CASEBOOK_BASE_HUMAN_H

#include <stddef.h>
#include <stdint.h>

#define HUMAN_SIZE 48

/* "0 s", "7 s", "2 min 51 s", "1 h 20 min", "9 days"; negative is told as 0 s. Never two zero
   parts: "15 min", not "15 min 00 s". */
char *human_duration(int64_t us, char buf[HUMAN_SIZE]);
/* Like it, but sub-second values keep one decimal: "0.4 s", "10.4 s" (below a minute). */
char *human_duration_fine(int64_t us, char buf[HUMAN_SIZE]);
/* A length that somebody set, told from two clocks: within 2 s of whole minutes it is those minutes,
   else rounded to seconds. */
char *human_setting(int64_t us, char buf[HUMAN_SIZE]);
/* "+08:28", "+2:00:00"; negative "-00:03". */
char *human_offset(int64_t us, char buf[HUMAN_SIZE]);
/* "858 MiB", "4.1 GiB", "12 KiB", "512 B". */
char *human_bytes(int64_t bytes, char buf[HUMAN_SIZE]);
/* "1,204". */
char *human_count(int64_t n, char buf[HUMAN_SIZE]);
/* "14:02:58" and "14:02:58.214" and "14:02". */
char *human_clock(int64_t us, char buf[HUMAN_SIZE]);
char *human_clock_ms(int64_t us, char buf[HUMAN_SIZE]);
char *human_clock_min(int64_t us, char buf[HUMAN_SIZE]);
/* "24 Nov", with the year when it is not that of now_us: "24 Nov 2025". */
char *human_date(int64_t us, int64_t now_us, char buf[HUMAN_SIZE]);
/* "24 Nov 14:21". */
char *human_datetime(int64_t us, int64_t now_us, char buf[HUMAN_SIZE]);
/* "24 Nov 14:21:07". */
char *human_datetime_s(int64_t us, int64_t now_us, char buf[HUMAN_SIZE]);
/* "20 s ago", "4 min ago", "3 h ago", "2 days ago"; the future: "in 26 min". */
char *human_ago(int64_t us, int64_t now_us, char buf[HUMAN_SIZE]);

#endif
