/*
 * Times of the described world; see when.h. Zones are POSIX rules, so that
 * the demo's texts are right without a zone database on the machine.
 */
#include "when.h"

#include "sim.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int64_t now_us(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_REALTIME, &ts);
    return (int64_t)ts.tv_sec * US_PER_S + ts.tv_nsec / 1000;
}

static const struct {
    const char *name;
    int64_t us;
} units[] = {
    {"ms", US_PER_MS           },
    {"s",  US_PER_S            },
    {"m",  60 * US_PER_S       },
    {"h",  3600 * US_PER_S     },
    {"d",  24 * 3600 * US_PER_S},
};

static const char *read_unit(const char *s, int64_t *us)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (has_prefix(s, units[i].name)) {
            *us = units[i].us;
            return s + strlen(units[i].name);
        }
    }
    return NULL;
}

/* Reads as many number+unit pairs as there are; returns where it stopped. */
static const char *read_duration(const char *s, int64_t *out)
{
    *out = 0;
    while (*s >= '0' && *s <= '9') {
        char *end;
        double v = strtod(s, &end);
        int64_t unit;
        const char *next = read_unit(end, &unit);

        if (!next)
            return s;
        *out += (int64_t)(v * (double)unit + 0.5);
        s = next;
    }
    return s;
}

int64_t duration_us(const char *text)
{
    int64_t us;
    const char *end = read_duration(text, &us);

    if (end == text || *end)
        die("\"%s\" is no length of time (as 1h20m or 35s)", text);
    return us;
}

static const char *read_anchor(const char *s, const json_t *anchors, int64_t *us)
{
    size_t n = strcspn(s, "+-~");
    char *name = dup_bytes(s, n);
    const json_t *v = json_object_get(anchors, name);

    if (!json_is_integer(v))
        die("there is no anchor \"%s\"", name);
    *us = (int64_t)json_integer_value(v);
    free(name);
    return s + n;
}

int64_t when_us(const char *text, int64_t base_us, const json_t *anchors)
{
    const char *s = text;
    int64_t us = base_us, delta, step;
    bool is_minus;

    if (*s == '@')
        s = read_anchor(s + 1, anchors, &us);
    else if (has_prefix(s, "now"))
        s += 3;
    is_minus = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    s = read_duration(s, &delta);
    us += is_minus ? -delta : delta;
    if (*s == '~') {
        s = read_duration(s + 1, &step);
        if (step > 0)
            us = (us + step / 2) / step * step;
    }
    if (*s)
        die("\"%s\" is no time (as -1h20m, now, @anchor+5m)", text);
    return us;
}

static void utc_parts(int64_t us, struct tm *tm, int *fraction)
{
    int64_t s = us / US_PER_S, rest = us % US_PER_S;
    time_t t;

    if (rest < 0) {
        rest += US_PER_S;
        s--;
    }
    t = (time_t)s;
    gmtime_r(&t, tm);
    *fraction = (int)rest;
}

char *time_rfc3339(int64_t us, int digits)
{
    struct tm tm;
    int fraction;
    char head[32], tail[16] = "";

    utc_parts(us, &tm, &fraction);
    strftime(head, sizeof head, "%Y-%m-%dT%H:%M:%S", &tm);
    if (digits > 0)
        snprintf(tail, sizeof tail, ".%06d000", fraction);
    return format("%s%.*sZ", head, digits > 0 ? digits + 1 : 0, tail);
}

char *time_nano(int64_t us, int extra_ns)
{
    struct tm tm;
    int fraction;
    char head[32], tail[16];
    size_t n;

    utc_parts(us, &tm, &fraction);
    strftime(head, sizeof head, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(tail, sizeof tail, ".%06d%03d", fraction, extra_ns % 1000);
    for (n = strlen(tail); n > 1 && tail[n - 1] == '0'; n--)
        ;
    return format("%s%.*sZ", head, n > 1 ? (int)n : 0, tail);
}

static const struct {
    const char *city;
    const char *rule;
} zones[] = {
    {"London",  "GMT0BST,M3.5.0/1,M10.5.0"  },
    {"Lisbon",  "WET0WEST,M3.5.0/1,M10.5.0" },
    {"Berlin",  "CET-1CEST,M3.5.0,M10.5.0/3"},
    {"Oslo",    "CET-1CEST,M3.5.0,M10.5.0/3"},
    {"Tokyo",   "JST-9"                     },
    {"NewYork", "EST5EDT,M3.2.0,M11.1.0"    },
};

/* Only called while a world is loaded, by one thread at a time. */
static void zone_parts(int64_t us, const char *city, struct tm *tm)
{
    time_t t = (time_t)(us / US_PER_S);
    const char *rule = NULL;

    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        if (strcmp(zones[i].city, city) == 0)
            rule = zones[i].rule;
    }
    if (!rule)
        die("there is no zone \"%s\"", city);
    setenv("TZ", rule, 1);
    tzset();
    localtime_r(&t, tm);
}

char *time_format(int64_t us, const char *fmt, const char *zone)
{
    struct tm tm;
    int fraction;
    char millis[16], buf[128];
    char *full;

    utc_parts(us, &tm, &fraction);
    if (zone)
        zone_parts(us, zone, &tm);
    snprintf(millis, sizeof millis, "%03d", fraction / 1000);
    full = replace_all(fmt, "%L", millis);
    if (strftime(buf, sizeof buf, full, &tm) == 0)
        buf[0] = '\0';
    free(full);
    return dup_str(buf);
}
