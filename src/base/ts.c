/*
 * Time arithmetic and RFC 3339, by hand: no locale, no time zone of the machine, no clock.
 *
 * Day numbers follow the proleptic Gregorian calendar, counted in eras of 400 years that begin
 * on 1 March, so that the leap day is the last day of a counted year.
 */
#include "base/ts.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/banned.h"

#define DAYS_PER_ERA 146097
#define DAYS_TO_1970 719468 /* from 0000-03-01 */

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;

    return a % b < 0 ? q - 1 : q;
}

static int64_t days_from_date(int64_t year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = floor_div(y, 400);
    int64_t year_of_era = y - era * 400;
    int64_t month_from_march = month > 2 ? month - 3 : month + 9;
    int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

    return era * DAYS_PER_ERA + day_of_era - DAYS_TO_1970;
}

static void date_from_days(int64_t days, struct ts_civil *out)
{
    int64_t shifted = days + DAYS_TO_1970;
    int64_t era = floor_div(shifted, DAYS_PER_ERA);
    int64_t doe = shifted - era * DAYS_PER_ERA;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / (DAYS_PER_ERA - 1)) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;

    out->day = (int)(doy - (153 * mp + 2) / 5 + 1);
    out->month = (int)(mp < 10 ? mp + 3 : mp - 9);
    out->year = (int)(yoe + era * 400 + (out->month <= 2 ? 1 : 0));
    out->weekday = (int)(days - floor_div(days + 4, 7) * 7 + 4) % 7;
}

void ts_to_civil(int64_t us, struct ts_civil *out)
{
    int64_t days = floor_div(us, TS_DAY);
    int64_t rest = us - days * TS_DAY;

    date_from_days(days, out);
    out->us = (int)(rest % TS_SEC);
    rest /= TS_SEC;
    out->second = (int)(rest % 60);
    out->minute = (int)(rest / 60 % 60);
    out->hour = (int)(rest / 3600);
}

int64_t ts_from_civil(const struct ts_civil *c)
{
    int64_t days = days_from_date(c->year, c->month, c->day);

    return days * TS_DAY + c->hour * TS_HOUR + c->minute * TS_MIN + c->second * TS_SEC +
           c->us;
}

/* Exactly n digits; advances *s. */
static bool read_digits(const char **s, int n, int *out)
{
    int v = 0;

    for (int i = 0; i < n; i++) {
        char c = (*s)[i];

        if (c < '0' || c > '9')
            return false;
        v = v * 10 + (c - '0');
    }
    *s += n;
    *out = v;
    return true;
}

static bool read_char(const char **s, char c)
{
    if (**s != c)
        return false;
    (*s)++;
    return true;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return month == 2 && is_leap ? 29 : days[month - 1];
}

static bool read_date(const char **s, struct ts_civil *c)
{
    return read_digits(s, 4, &c->year) && read_char(s, '-') &&
           read_digits(s, 2, &c->month) && read_char(s, '-') &&
           read_digits(s, 2, &c->day) && c->year >= 1970 && c->month >= 1 &&
           c->month <= 12 && c->day >= 1 && c->day <= days_in_month(c->year, c->month);
}

/* A second of 60 (leap second) is let through: the arithmetic carries it over. */
static bool read_clock(const char **s, struct ts_civil *c)
{
    return read_digits(s, 2, &c->hour) && read_char(s, ':') &&
           read_digits(s, 2, &c->minute) && read_char(s, ':') &&
           read_digits(s, 2, &c->second) && c->hour <= 23 && c->minute <= 59 &&
           c->second <= 60;
}

static bool read_fraction(const char **s, int *us)
{
    int scale = 100000;
    int n = 0;

    *us = 0;
    if (!read_char(s, '.'))
        return true;
    for (; **s >= '0' && **s <= '9'; (*s)++, n++) {
        *us += (**s - '0') * scale;
        scale /= 10;
    }
    return n >= 1 && n <= 18;
}

static bool read_zone(const char **s, int64_t *offset_us)
{
    int sign, hour, minute;

    *offset_us = 0;
    if (**s == ' ')
        (*s)++;
    if (**s == 'Z' || **s == 'z') {
        (*s)++;
        return true;
    }
    if (**s != '+' && **s != '-')
        return false;
    sign = **s == '-' ? -1 : 1;
    (*s)++;
    if (!read_digits(s, 2, &hour) || !read_char(s, ':') || !read_digits(s, 2, &minute) ||
        hour > 23 || minute > 59)
        return false;
    *offset_us = sign * (hour * TS_HOUR + minute * TS_MIN);
    return true;
}

int ts_parse(const char *s, int64_t *us)
{
    struct ts_civil c = {.year = 0};
    int64_t offset_us;

    if (!s || !read_date(&s, &c))
        return -1;
    if (*s != 'T' && *s != 't' && *s != ' ')
        return -1;
    s++;
    if (!read_clock(&s, &c) || !read_fraction(&s, &c.us) || !read_zone(&s, &offset_us) ||
        *s)
        return -1;
    *us = ts_from_civil(&c) - offset_us;
    return 0;
}

/* With `digits` (0, 3 or 6) of the fraction. */
static char *format_iso(int64_t us, int digits, char buf[TS_ISO_SIZE])
{
    struct ts_civil c;

    buf[0] = '\0';
    if (us == TS_NONE)
        return buf;
    ts_to_civil(us, &c);
    if (c.year < 0 || c.year > 9999)
        return buf;
    int n = snprintf(buf, TS_ISO_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d", c.year % 10000,
                     c.month, c.day, c.hour, c.minute, c.second);
    if (digits == 3)
        n += snprintf(buf + n, TS_ISO_SIZE - (size_t)n, ".%03d", c.us / 1000);
    if (digits == 6)
        n += snprintf(buf + n, TS_ISO_SIZE - (size_t)n, ".%06d", c.us);
    snprintf(buf + n, TS_ISO_SIZE - (size_t)n, "Z");
    return buf;
}

char *ts_iso(int64_t us, char buf[TS_ISO_SIZE])
{
    return format_iso(us, 0, buf);
}

char *ts_iso_ms(int64_t us, char buf[TS_ISO_SIZE])
{
    return format_iso(us, 3, buf);
}

char *ts_iso_us(int64_t us, char buf[TS_ISO_SIZE])
{
    return format_iso(us, 6, buf);
}
