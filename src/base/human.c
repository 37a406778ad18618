/*
 * Numbers and times as people write them (ux.md 4).
 *
 * Durations are rounded to the smallest part that is shown; clocks and ages are cut, as clocks are.
 */
#include "base/human.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/ts.h"

#include "base/banned.h"

static const char *const month_names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/* Two parts, the second left out when it is zero. */
static char *put_parts(char buf[HUMAN_SIZE], int64_t big, const char *big_unit,
                       int64_t small, const char *small_unit)
{
    if (small)
        snprintf(buf, HUMAN_SIZE, "%lld %s %lld %s", (long long)big, big_unit,
                 (long long)small, small_unit);
    else
        snprintf(buf, HUMAN_SIZE, "%lld %s", (long long)big, big_unit);
    return buf;
}

static int64_t round_to(int64_t us, int64_t unit)
{
    return us / unit + (us % unit >= unit / 2 ? 1 : 0);
}

/* From two days on whole days are told, cut: "9 days ago" is never said early. */
char *human_duration(int64_t us, char buf[HUMAN_SIZE])
{
    int64_t seconds = us > 0 ? round_to(us, TS_SEC) : 0;
    int64_t minutes;

    if (seconds < 60)
        return put_parts(buf, seconds, "s", 0, "");
    if (seconds < 3600)
        return put_parts(buf, seconds / 60, "min", seconds % 60, "s");
    if (us >= 2 * TS_DAY)
        return put_parts(buf, us / TS_DAY, "days", 0, "");
    minutes = round_to(us, TS_MIN);
    return put_parts(buf, minutes / 60, "h", minutes % 60, "min");
}

char *human_duration_fine(int64_t us, char buf[HUMAN_SIZE])
{
    int64_t tenths = us > 0 ? round_to(us, TS_SEC / 10) : 0;

    if (tenths >= 600 || tenths % 10 == 0)
        return human_duration(us, buf);
    snprintf(buf, HUMAN_SIZE, "%lld.%lld s", (long long)(tenths / 10),
             (long long)(tenths % 10));
    return buf;
}

char *human_setting(int64_t us, char buf[HUMAN_SIZE])
{
    int64_t minutes = (us + TS_MIN / 2) / TS_MIN * TS_MIN;

    if (us >= TS_MIN - 2 * TS_SEC && us - minutes <= 2 * TS_SEC &&
        minutes - us <= 2 * TS_SEC)
        return human_duration(minutes, buf);
    return human_duration((us + TS_SEC / 2) / TS_SEC * TS_SEC, buf);
}

char *human_offset(int64_t us, char buf[HUMAN_SIZE])
{
    int64_t seconds = us / TS_SEC;
    const char *sign = seconds < 0 ? "-" : "+";

    if (seconds < 0)
        seconds = -seconds;
    if (seconds < 3600)
        snprintf(buf, HUMAN_SIZE, "%s%02d:%02d", sign, (int)(seconds / 60),
                 (int)(seconds % 60));
    else
        snprintf(buf, HUMAN_SIZE, "%s%lld:%02d:%02d", sign, (long long)(seconds / 3600),
                 (int)(seconds / 60 % 60), (int)(seconds % 60));
    return buf;
}

/* One decimal below 10 of a unit, and for all from GiB on; never ".0". */
char *human_bytes(int64_t bytes, char buf[HUMAN_SIZE])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    const size_t last = sizeof(units) / sizeof(units[0]) - 1;
    double v = bytes < 0 ? -(double)bytes : (double)bytes;
    const char *sign = bytes < 0 ? "-" : "";
    size_t u = 0;
    int64_t tenths;

    while (u < last && v >= 1023.5) {
        v /= 1024;
        u++;
    }
    tenths = (int64_t)(v * 10 + 0.5);
    if (tenths % 10 != 0 && (tenths < 100 || u >= 3))
        snprintf(buf, HUMAN_SIZE, "%s%lld.%lld %s", sign, (long long)(tenths / 10),
                 (long long)(tenths % 10), units[u]);
    else
        snprintf(buf, HUMAN_SIZE, "%s%lld %s", sign, (long long)(v + 0.5), units[u]);
    return buf;
}

char *human_count(int64_t n, char buf[HUMAN_SIZE])
{
    uint64_t rest = n < 0 ? (uint64_t)0 - (uint64_t)n : (uint64_t)n;
    char digits[32];
    int count = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)rest);
    char *p = buf;

    if (n < 0)
        *p++ = '-';
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *p++ = ',';
        *p++ = digits[i];
    }
    *p = '\0';
    return buf;
}

/* True when there is a time; else the buffer becomes "". */
static bool to_civil(int64_t us, struct ts_civil *c, char buf[HUMAN_SIZE])
{
    buf[0] = '\0';
    if (us == TS_NONE)
        return false;
    ts_to_civil(us, c);
    return true;
}

char *human_clock(int64_t us, char buf[HUMAN_SIZE])
{
    struct ts_civil c;

    if (to_civil(us, &c, buf))
        snprintf(buf, HUMAN_SIZE, "%02d:%02d:%02d", c.hour, c.minute, c.second);
    return buf;
}

char *human_clock_ms(int64_t us, char buf[HUMAN_SIZE])
{
    struct ts_civil c;

    if (to_civil(us, &c, buf))
        snprintf(buf, HUMAN_SIZE, "%02d:%02d:%02d.%03d", c.hour, c.minute, c.second,
                 c.us / 1000);
    return buf;
}

char *human_clock_min(int64_t us, char buf[HUMAN_SIZE])
{
    struct ts_civil c;

    if (to_civil(us, &c, buf))
        snprintf(buf, HUMAN_SIZE, "%02d:%02d", c.hour, c.minute);
    return buf;
}

/* "24 Nov" or "24 Nov 2025"; the length written. */
static int put_date(const struct ts_civil *c, int64_t now_us, char buf[HUMAN_SIZE])
{
    struct ts_civil now = {.year = c->year};

    if (now_us != TS_NONE)
        ts_to_civil(now_us, &now);
    if (now.year == c->year)
        return snprintf(buf, HUMAN_SIZE, "%d %s", c->day, month_names[c->month - 1]);
    return snprintf(buf, HUMAN_SIZE, "%d %s %d", c->day, month_names[c->month - 1],
                    c->year);
}

char *human_date(int64_t us, int64_t now_us, char buf[HUMAN_SIZE])
{
    struct ts_civil c;

    if (to_civil(us, &c, buf))
        put_date(&c, now_us, buf);
    return buf;
}

char *human_datetime(int64_t us, int64_t now_us, char buf[HUMAN_SIZE])
{
    struct ts_civil c;

    if (to_civil(us, &c, buf)) {
        int n = put_date(&c, now_us, buf);

        snprintf(buf + n, HUMAN_SIZE - (size_t)n, " %02d:%02d", c.hour, c.minute);
    }
    return buf;
}

char *human_datetime_s(int64_t us, int64_t now_us, char buf[HUMAN_SIZE])
{
    struct ts_civil c;

    if (to_civil(us, &c, buf)) {
        int n = put_date(&c, now_us, buf);

        snprintf(buf + n, HUMAN_SIZE - (size_t)n, " %02d:%02d:%02d", c.hour, c.minute,
                 c.second);
    }
    return buf;
}

char *human_ago(int64_t us, int64_t now_us, char buf[HUMAN_SIZE])
{
    static const struct {
        int64_t from_us, unit_us;
        const char *one, *many;
    } steps[] = {
        {2 * TS_DAY, TS_DAY,  "day", "days"},
        {TS_HOUR,    TS_HOUR, "h",   "h"   },
        {TS_MIN,     TS_MIN,  "min", "min" },
        {0,          TS_SEC,  "s",   "s"   },
    };
    int64_t apart_us;
    size_t i = 0;
    int64_t n;

    buf[0] = '\0';
    if (us == TS_NONE || now_us == TS_NONE)
        return buf;
    apart_us = us > now_us ? us - now_us : now_us - us;
    while (apart_us < steps[i].from_us)
        i++;
    n = apart_us / steps[i].unit_us;
    if (us > now_us)
        snprintf(buf, HUMAN_SIZE, "in %lld %s", (long long)n,
                 n == 1 ? steps[i].one : steps[i].many);
    else
        snprintf(buf, HUMAN_SIZE, "%lld %s ago", (long long)n,
                 n == 1 ? steps[i].one : steps[i].many);
    return buf;
}
