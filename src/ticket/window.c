/*
 * One pattern finds a time of day with the date beside it and its zone; two found side by side with "to",
 * "and" or a dash between them are one span. Relative times ("20 minutes ago") have a pattern of their own.
 *
 * A bare number is never a time, nor is one with a dot unless am or pm follows: versions, sizes and
 * ports look like that.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "ticket/window.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/human.h"
#include "base/num.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/xalloc.h"
#include "ticket/zone.h"
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define READER_MATCH_LIMIT 5000000u
#define SAID_MARGIN_US (15 * TS_MIN) /* people round */
#define EXACT_MARGIN_US (5 * TS_MIN)
#define FUTURE_SLACK_US (5 * TS_MIN)
#define PAST_MAX_US (31 * TS_DAY)
#define SPAN_MAX_US (12 * TS_HOUR)
#define CITY_MAX 60  /* bytes looked at behind a time */
#define JOINT_MAX 12 /* bytes between the two ends of a span */

#define MONTHS "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
#define WEEKDAYS "sunday|monday|tuesday|wednesday|thursday|friday|saturday"
#define SP "\\s{1,4}"
#define DAY_WORDS                                                                        \
    "today|the" SP "day" SP "before" SP "yesterday|yesterday|last" SP "night|this" SP    \
    "(?:morning|afternoon|evening)|" WEEKDAYS
#define TH "(?:st|nd|rd|th)?"
#define YEAR "(?:,?" SP "(?<y>20\\d\\d))?"
/* the words between a date and its time */
#define LEAD                                                                             \
    "(?:" SP "(?:morning|afternoon|evening|night))?"                                     \
    "(?:,?" SP "(?:at|about|around|approx\\.?|between|from|since|um|gegen))*+,?" SP
#define JOINT "(?:-|\\x{2013}|\\x{2014}|to|and|until|till)"

static const char absolute_pattern[] =
    "(?xi)"
    "(?: (?<!\\d)(?<y>20\\d\\d)(?<sep>[-/])(?<m>\\d\\d)\\k<sep>(?<d>\\d\\d)(?:T|" LEAD ")"
    "  | (?<![\\d.])(?<a>\\d{1,2})(?<sep>[./])(?<b>\\d{1,2})\\k<sep>(?<y>20\\d\\d)" LEAD
    "  | (?<!\\d)(?<d>\\d{1,2})/(?<mon>" MONTHS ")/(?<y>20\\d\\d):"
    "  | (?<!\\d)(?<d>\\d{1,2})" TH "(?:" SP "of)?" SP "(?<mon>" MONTHS
    ")[a-z]*\\.?" YEAR LEAD "  | \\b(?<mon>" MONTHS ")[a-z]*\\.?" SP
    "(?<d>\\d{1,2})" TH YEAR LEAD "  | \\b(?<rel>" DAY_WORDS ")" LEAD
    "  | (?<![\\d./])(?<a>\\d{1,2})/(?<b>\\d{1,2})(?:,?" SP "(?:at|around|about))+,?" SP
    "  | (?<![\\w:.]) )"
    "(?: (?<h>[01]?\\d|2[0-3]):(?<min>[0-5]\\d)(?: :(?<s>[0-5]\\d)(?:[.,]\\d{1,9})? )?"
    "    (?: \\s?(?<ap>[ap])\\.?m\\b\\.? )?"
    "  | (?<h>1[0-2]|0?\\d)(?: \\.(?<min>[0-5]\\d) )?\\s?(?<ap>[ap])\\.?m\\b\\.?"
    "  | (?<h>[01]?\\d|2[0-3])h(?<min>[0-5]\\d)"
    "  | (?<word>noon|midnight)\\b"
    "  | (?<h>1[0-2]|[1-9])(?=\\s?" JOINT "\\s?(?:1[0-2]|[1-9])(?:[:.][0-5]\\d)?\\s?[ap]"
    "\\.?m\\b) )"
    "(?![\\d:])"
    "(?: \\s?\\(?(?: (?:UTC|GMT)\\s?(?<off>[+-]\\d{1,2}(?::?[0-5]\\d)?)(?!\\d)"
    "     | "
    "(?<z>Z|UTC|GMT|BST|AE[SD]T|CES?T|EES?T|E[SD]?T|C[SD]?T|M[SD]?T|P[SD]?T|IST|JST)\\b(?"
    "!/)"
    "     | (?<off>\\+(?:0\\d|1[0-4]):?[0-5]\\d|-(?:0\\d|1[0-2])[0-5]\\d)(?![\\d:])"
    /* a dash and a time after seconds only: "10:00-11:30" is a span */
    "     | (?(<s>)(?<off>-(?:0\\d|1[0-2]):[0-5]\\d)(?![\\d:])|(?!)) )\\)? )?"
    "(?: ,?" SP "(?:on" SP ")?(?:"
    "       (?<rel2>" DAY_WORDS ")\\b"
    "     | (?<d2>\\d{1,2})" TH "(?:" SP "of)?" SP "(?<mon2>" MONTHS ")[a-z]*\\b(?:,?" SP
    "(?<y2>20\\d\\d)\\b)?"
    "     | (?<mon2>" MONTHS ")[a-z]*\\.?" SP "(?<d2>\\d{1,2})" TH "\\b(?:,?" SP
    "(?<y2>20\\d\\d)\\b)?"
    "     | (?<y2>20\\d\\d)-(?<m2>\\d\\d)-(?<d2>\\d\\d)"
    " )(?!:|T?\\d|" LEAD "\\d))?";
static const char relative_pattern[] =
    "(?xi) (?<![\\w.,])"
    "(?: (?<hours>\\d{1,2})" SP "h(?:ou)?rs?,?(?:" SP "and)?" SP ")?"
    "(?: (?<n>\\d{1,3})(?:[.,](?<tenth>\\d))?"
    "  | (?<one>an?" SP "couple(?:" SP "of)?|half" SP "an|an?|two|three) )" SP
    "(?<unit>minute|min|hour|hr|day)s?(?<half>" SP "and" SP "a" SP "half)?" SP "ago\\b"
    "| \\b(?:last|past)" SP "(?:(?<last>\\d{1,2})" SP "|(?<couple>couple(?:" SP "of)?)" SP
    ")?(?<unit>minute|min|hour|hr)s?\\b";
/* A part of a day is a span; its clock is taken as UTC like any other without a zone. */
static const char part_pattern[] =
    "(?xi) \\b(?<since>since" SP ")?(?: (?<rel>this|yesterday|" WEEKDAYS ")" SP
    "(?<part>morning|afternoon|evening|night) | (?<rel>last)" SP "(?<part>night) )\\b";
static const char joint_pattern[] = "(?xi) ^\\s*" JOINT "\\s*$";

struct time_reader {
    pcre2_code *absolute, *relative, *part, *joint, *city;
    pcre2_match_data *data;
    pcre2_match_data *aside; /* for a look behind a hit that is still in `data` */
    pcre2_match_context *limits;
};

static pcre2_code *compile(const char *pattern)
{
    int code = 0;
    PCRE2_SIZE at = 0;
    pcre2_code *c =
        pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
                      PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DUPNAMES, &code, &at, NULL);

    if (!c)
        BUG("time pattern does not compile at %zu (%d)", at, code);
    pcre2_jit_compile(c, PCRE2_JIT_COMPLETE);
    return c;
}

/* The cities of zone.c, said in one of the two ways that mean a time zone. */
static pcre2_code *compile_city(void)
{
    struct sbuf cities, pattern;
    pcre2_code *code;

    sbuf_init(&cities, 4000);
    sbuf_init(&pattern, 10000);
    zone_pattern(&cities, true);
    sbuf_addf(&pattern,
              "(?xi) ,? \\s{1,4} (?: in\\s{1,4}(%s)\\b(?:\\s{1,4}time\\b)? | "
              "\\(?(%s)\\s{1,4}time\\b\\)? )",
              cities.s, cities.s);
    if (cities.is_full || pattern.is_full)
        BUG("the pattern of cities does not fit");
    code = compile(pattern.s);
    sbuf_release(&cities);
    sbuf_release(&pattern);
    return code;
}

struct time_reader *time_reader_new(void)
{
    struct time_reader *r = xcalloc(1, sizeof *r);

    r->absolute = compile(absolute_pattern);
    r->relative = compile(relative_pattern);
    r->part = compile(part_pattern);
    r->joint = compile(joint_pattern);
    r->city = compile_city();
    r->data = pcre2_match_data_create(64, NULL);
    r->aside = pcre2_match_data_create(4, NULL);
    r->limits = pcre2_match_context_create(NULL);
    if (r->limits)
        pcre2_set_match_limit(r->limits, READER_MATCH_LIMIT);
    return r;
}

void time_reader_free(struct time_reader *r)
{
    if (!r)
        return;
    pcre2_code_free(r->absolute);
    pcre2_code_free(r->relative);
    pcre2_code_free(r->part);
    pcre2_code_free(r->joint);
    pcre2_code_free(r->city);
    pcre2_match_data_free(r->data);
    pcre2_match_data_free(r->aside);
    pcre2_match_context_free(r->limits);
    free(r);
}

/* A named group as text in buf; "" when it took no part. Of groups with one name, that which did. */
static const char *group(const struct time_reader *r, const char *name, char *buf,
                         size_t size)
{
    PCRE2_SIZE n = size;

    if (pcre2_substring_copy_byname(r->data, (PCRE2_SPTR)name, (PCRE2_UCHAR *)buf, &n) !=
        0)
        buf[0] = '\0';
    return buf;
}

static int64_t group_i64(const struct time_reader *r, const char *name, int64_t dflt)
{
    char buf[16];
    int64_t v;

    return parse_i64(group(r, name, buf, sizeof buf), 0, 9999, &v) ? dflt : v;
}

static int month_number(const char *word)
{
    static const char months[] = MONTHS;

    for (int i = 0; i < 12; i++)
        if (word[0] && strncasecmp(word, months + i * 4, 3) == 0)
            return i + 1;
    return 0;
}

/* "+2", "-0530", "+05:30" as minutes. */
static int64_t offset_minutes(const char *text)
{
    int64_t v = 0, hours, minutes = 0;
    size_t digits = 0;

    for (const char *p = text + 1; *p; p++) {
        if (*p == ':')
            continue;
        v = v * 10 + (*p - '0');
        digits++;
    }
    hours = v;
    if (digits > 2) {
        hours = v / 100;
        minutes = v % 100;
    }
    return (hours * 60 + minutes) * (text[0] == '-' ? -1 : 1);
}

/* A hit with what is needed to join it to its neighbour. */
struct found {
    struct time_hit hit;
    bool is_dated;
    bool has_half;    /* am or pm was said */
    bool is_span;     /* it has two ends of its own */
    bool is_bare;     /* an hour alone: a time only as the start of a span */
    const char *rest; /* the text behind it */
    int64_t zone_min;
};

static size_t end_of(const struct found *f)
{
    return f->hit.start + f->hit.len;
}

/* "in Tokyo", "London time" behind a time: the hit grows by it. A bare city proves nothing. */
static bool take_city(const struct time_reader *r, struct found *f, int64_t local_us)
{
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(r->aside);
    char name[32] = "";

    if (pcre2_match(r->city, (PCRE2_SPTR)f->rest, strnlen(f->rest, CITY_MAX), 0,
                    PCRE2_ANCHORED | PCRE2_NO_UTF_CHECK, r->aside, r->limits) < 2)
        return false;
    for (int i = 1; i <= 2; i++)
        if (at[2 * i] != PCRE2_UNSET)
            snprintf(name, sizeof name, "%.*s", (int)(at[2 * i + 1] - at[2 * i]),
                     f->rest + at[2 * i]);
    if (zone_offset(name, local_us, &f->zone_min))
        return false;
    f->hit.len += at[1];
    return true;
}

/* Minutes east of UTC of the zone that was said, into f; 0 and zone_said false when none was. */
static void read_zone(const struct time_reader *r, struct found *f, int64_t local_us)
{
    char buf[16];

    f->hit.zone_said = true;
    f->zone_min = 0;
    if (group(r, "off", buf, sizeof buf)[0])
        f->zone_min = offset_minutes(buf);
    else if (!(group(r, "z", buf, sizeof buf)[0] &&
               zone_offset(buf, local_us, &f->zone_min) == 0))
        f->hit.zone_said = take_city(r, f, local_us);
}

/* The named day into *c: "yesterday", or the last such weekday. */
static void take_day_word(const char *word, int64_t written_us, struct ts_civil *c)
{
    static const char *const names[] = {"sunday",   "monday", "tuesday", "wednesday",
                                        "thursday", "friday", "saturday"};
    int back = 0;

    if (text_ieq(word, "yesterday") || strncasecmp(word, "last", 4) == 0)
        back = 1;
    else if (strncasecmp(word, "the", 3) == 0)
        back = 2;
    for (int i = 0; i < 7; i++)
        if (text_ieq(word, names[i]))
            back = (c->weekday - i + 7) % 7;
    ts_to_civil(written_us - back * TS_DAY, c);
}

/* 3/4/2026 may be either: the one that is not in the future of the message, else the first as day. */
static void take_numeric_date(int64_t a, int64_t b, int64_t year, int64_t written_us,
                              struct ts_civil *c)
{
    struct ts_civil us_style = {
        .year = (int)year, .month = (int)a, .day = (int)b, .hour = 0};

    c->year = (int)year;
    c->month = (int)b;
    c->day = (int)a;
    if (a > 12 || b > 31)
        return;
    if (b > 12 ||
        (ts_from_civil(c) > written_us && ts_from_civil(&us_style) <= written_us)) {
        c->month = (int)a;
        c->day = (int)b;
    }
}

/* The date that was said before or after the time, or that of the message: false. */
static bool read_date(const struct time_reader *r, int64_t written_us, struct ts_civil *c)
{
    char word[40];
    int64_t year = group_i64(r, "y", group_i64(r, "y2", 0));
    int64_t day = group_i64(r, "d", group_i64(r, "d2", 0));
    int64_t month = group_i64(r, "m", group_i64(r, "m2", 0));

    ts_to_civil(written_us, c);
    c->hour = c->minute = c->second = c->us = 0;
    if (group_i64(r, "a", 0)) {
        take_numeric_date(group_i64(r, "a", 0), group_i64(r, "b", 0),
                          year ? year : c->year, written_us, c);
        return true;
    }
    group(r, "mon", word, sizeof word);
    if (!word[0])
        group(r, "mon2", word, sizeof word);
    if (word[0])
        month = month_number(word);
    if (day && month) {
        if (year)
            c->year = (int)year;
        else if (month > c->month) /* December told in January */
            c->year--;
        c->month = (int)month;
        c->day = (int)day;
        return true;
    }
    group(r, "rel", word, sizeof word);
    if (!word[0])
        group(r, "rel2", word, sizeof word);
    if (word[0])
        take_day_word(word, written_us, c);
    return word[0] != '\0';
}

/* Is it a day of the calendar? */
static bool is_date(const struct ts_civil *c)
{
    struct ts_civil back;

    if (c->month < 1 || c->month > 12 || c->day < 1 || c->day > 31)
        return false;
    ts_to_civil(ts_from_civil(c), &back);
    return back.day == c->day && back.month == c->month;
}

static bool is_near(int64_t us, int64_t written_us)
{
    return us <= written_us + TS_DAY && us >= written_us - PAST_MAX_US;
}

static bool read_absolute(const struct time_reader *r, int64_t written_us,
                          struct found *f)
{
    struct ts_civil c;
    char ap[4], word[16];
    int64_t us, hour = group_i64(r, "h", 0);
    struct found there = *f;

    /* at 15:30 UTC a clock in Tokyo stands at 00:30 of the next day: "today" is the day there */
    read_zone(r, &there, written_us);
    f->is_dated = read_date(r, written_us + there.zone_min * TS_MIN, &c);
    if (!is_date(&c))
        return false;
    group(r, "ap", ap, sizeof ap);
    if (ap[0] && (hour == 0 || hour > 12))
        return false;
    f->has_half = ap[0] != '\0';
    group(r, "word", word, sizeof word);
    if (word[0])
        hour = word[0] == 'n' || word[0] == 'N' ? 12 : 0;
    f->is_bare = !f->has_half && !word[0] && group_i64(r, "min", -1) < 0;
    if (f->has_half)
        hour = hour % 12 + (ap[0] == 'p' || ap[0] == 'P' ? 12 : 0);
    c.hour = (int)hour;
    c.minute = (int)group_i64(r, "min", 0);
    c.second = (int)group_i64(r, "s", 0);
    us = ts_from_civil(&c);
    read_zone(r, f, us);
    us -= f->zone_min * TS_MIN;
    if (!f->is_dated && us > written_us + FUTURE_SLACK_US)
        us -= TS_DAY;
    if (!is_near(us, written_us))
        return false;
    f->hit.from_us = f->hit.to_us = us;
    f->hit.is_exact = group_i64(r, "s", -1) >= 0;
    return true;
}

/* How many units the words mean, in tenths: "half an" 5, "two" 20. */
static int64_t word_tenths(const char *one)
{
    if (one[0] == 'h' || one[0] == 'H')
        return 5;
    if (strncasecmp(one, "three", 5) == 0)
        return 30;
    return strncasecmp(one, "two", 3) == 0 || text_icontains(one, "couple") ? 20 : 10;
}

static bool read_relative(const struct time_reader *r, int64_t written_us,
                          struct found *f)
{
    char unit[16], word[24];
    int64_t tenths = group_i64(r, "n", 0) * 10 + group_i64(r, "tenth", 0);
    int64_t last = group_i64(r, "last", 0), span;

    group(r, "unit", unit, sizeof unit);
    if (group(r, "one", word, sizeof word)[0])
        tenths = word_tenths(word);
    if (group(r, "half", word, sizeof word)[0])
        tenths += 5;
    if (group(r, "couple", word, sizeof word)[0])
        last = 2;
    f->is_span = !tenths && !group_i64(r, "hours", 0);
    if (f->is_span)
        tenths = (last ? last : 1) * 10;
    span = unit[0] == 'd' || unit[0] == 'D'   ? TS_DAY
           : unit[0] == 'h' || unit[0] == 'H' ? TS_HOUR
                                              : TS_MIN;
    span = span / 10 * tenths + group_i64(r, "hours", 0) * TS_HOUR;
    f->hit.from_us = written_us - span;
    f->hit.to_us = f->is_span ? written_us : f->hit.from_us;
    f->hit.zone_said = true; /* none is needed */
    f->is_dated = true;
    return span <= PAST_MAX_US && (!f->is_span || span <= TS_DAY);
}

/* "this morning", "yesterday evening", "last night": hours from the start of the day. */
static bool read_part(const struct time_reader *r, int64_t written_us, struct found *f)
{
    static const struct {
        const char *name;
        int from, to;
    } parts[] = {
        {"morning",   6,  12},
        {"afternoon", 12, 18},
        {"evening",   18, 24},
        {"night",     20, 30},
    };
    struct ts_civil c;
    char word[16];

    group(r, "rel", word, sizeof word);
    ts_to_civil(written_us, &c);
    take_day_word(word, written_us, &c);
    c.hour = c.minute = c.second = c.us = 0;
    group(r, "part", word, sizeof word);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (text_ieq(word, parts[i].name)) {
            f->hit.from_us = ts_from_civil(&c) + parts[i].from * TS_HOUR;
            f->hit.to_us = ts_from_civil(&c) + parts[i].to * TS_HOUR;
        }
    if (f->hit.to_us > written_us || group(r, "since", word, sizeof word)[0])
        f->hit.to_us = written_us;
    f->is_span = f->is_dated = true;
    return f->hit.from_us < f->hit.to_us;
}

/* A part of a day beside a time of that day ("yesterday evening at 8pm") says nothing more. */
static bool is_said_better(const struct found *found, size_t count, size_t i)
{
    for (size_t k = 0; k < count; k++)
        if (k != i && !found[k].is_span &&
            found[k].hit.start < end_of(&found[i]) + CITY_MAX / 2 &&
            found[i].hit.start < end_of(&found[k]))
            return true;
    return false;
}

typedef bool reader(const struct time_reader *r, int64_t written_us, struct found *f);

static size_t collect(const struct time_reader *r, pcre2_code *code, reader *read,
                      const char *text, int64_t written_us, struct found *found, size_t n)
{
    size_t len = strlen(text), from = 0;

    while (n < WINDOW_MAX_HITS && from < len &&
           pcre2_match(code, (PCRE2_SPTR)text, len, from, PCRE2_NO_UTF_CHECK, r->data,
                       r->limits) > 0) {
        const PCRE2_SIZE *at = pcre2_get_ovector_pointer(r->data);
        struct found f = {
            .hit = {.start = at[0], .len = at[1] - at[0]},
              .rest = text + at[1]
        };

        from = at[1] > at[0] ? at[1] : at[0] + 1;
        if (!read(r, written_us, &f))
            continue;
        found[n++] = f;
        if (f.hit.start + f.hit.len > from)
            from = f.hit.start + f.hit.len;
    }
    return n;
}

static int by_place(const void *pa, const void *pb)
{
    const struct found *x = pa, *y = pb;

    return x->hit.start < y->hit.start ? -1 : x->hit.start > y->hit.start;
}

static bool stand_side_by_side(const struct time_reader *r, const char *text,
                               const struct found *a, const struct found *b)
{
    size_t end = end_of(a);

    return b->hit.start >= end && b->hit.start - end <= JOINT_MAX &&
           pcre2_match(r->joint, (PCRE2_SPTR)text + end, b->hit.start - end, 0,
                       PCRE2_NO_UTF_CHECK, r->data, r->limits) > 0;
}

/* How long after a's time of day b's is; below a day. */
static int64_t later_by(int64_t a_us, int64_t b_us)
{
    return ((b_us - a_us) % TS_DAY + TS_DAY) % TS_DAY;
}

/*
 * "13:55 to 14:10 CET yesterday": what only one of the two says about day, zone and half of the day holds
 * for both. Fills *span; false when the second does not follow the first within half a day.
 */
static bool join(const struct found *first, const struct found *second,
                 int64_t written_us, struct time_hit *span)
{
    int64_t a = first->hit.from_us, b = second->hit.from_us;
    bool zone_a = first->hit.zone_said, zone_b = second->hit.zone_said;

    if (!zone_a && zone_b)
        a -= second->zone_min * TS_MIN;
    if (zone_a && !zone_b)
        b -= first->zone_min * TS_MIN;
    if (second->has_half && !first->has_half && later_by(a, b) > 12 * TS_HOUR)
        a += 12 * TS_HOUR;
    if (!second->is_dated)
        b = a + later_by(a, b);
    else if (!first->is_dated)
        a = b - later_by(a, b);
    if (!first->is_dated && !second->is_dated && b > written_us + FUTURE_SLACK_US) {
        a -= TS_DAY;
        b -= TS_DAY;
    }
    if (b <= a || b - a > SPAN_MAX_US || !is_near(a, written_us) ||
        !is_near(b, written_us))
        return false;
    *span = (struct time_hit){.start = first->hit.start,
                              .len = end_of(second) - first->hit.start,
                              .from_us = a,
                              .to_us = b,
                              .is_exact = first->hit.is_exact && second->hit.is_exact,
                              .zone_said = zone_a || zone_b};
    return true;
}

struct time_hit *time_find(const struct time_reader *r, struct arena *a, const char *text,
                           int64_t written_us, size_t *n)
{
    struct time_hit *hits = arena_array(a, WINDOW_MAX_HITS, sizeof *hits);
    struct found *found = arena_array(a, WINDOW_MAX_HITS, sizeof *found);
    size_t count;

    *n = 0;
    if (written_us == TS_NONE)
        return hits;
    count = collect(r, r->absolute, read_absolute, text, written_us, found, 0);
    count = collect(r, r->relative, read_relative, text, written_us, found, count);
    count = collect(r, r->part, read_part, text, written_us, found, count);
    qsort(found, count, sizeof *found, by_place);
    for (size_t i = 0; i < count; i++) {
        if (found[i].is_span && is_said_better(found, count, i))
            continue;
        if (found[i].is_span) {
            hits[(*n)++] = found[i].hit;
            continue;
        }
        if (i + 1 < count && !found[i + 1].is_span &&
            stand_side_by_side(r, text, &found[i], &found[i + 1]) &&
            join(&found[i], &found[i + 1], written_us, &hits[*n])) {
            i++;
            (*n)++;
        } else if (!found[i].is_bare) {
            hits[(*n)++] = found[i].hit;
        }
    }
    return hits;
}

static const char *first_name(struct arena *a, const char *name)
{
    size_t n = strcspn(name, " ");

    return n ? arena_strn(a, name, n) : "Somebody";
}

static struct window_proposal from_hit(struct arena *a, const struct comment *c,
                                       const struct time_hit *h)
{
    struct window_proposal p = {.comment_id = c->id};
    int64_t margin = h->is_exact ? EXACT_MARGIN_US : SAID_MARGIN_US;
    char *quote = arena_strn(a, c->body + h->start, h->len);

    p.quote = text_clean_line(a, quote, h->len, 60);
    if (h->to_us > h->from_us)
        margin = 0;
    /* whole minutes: that is how people write and read a window */
    p.from_us = (h->from_us - margin) / TS_MIN * TS_MIN;
    p.to_us = (h->to_us + margin + TS_MIN - 1) / TS_MIN * TS_MIN;
    p.reason = arena_fmt(a, "%s wrote \xE2\x80\x9C%s\xE2\x80\x9D%s",
                         first_name(a, c->author.name), p.quote,
                         h->zone_said ? "" : ", read as UTC");
    return p;
}

static bool is_known(const struct window_proposal *p, size_t n, int64_t from_us,
                     int64_t to_us)
{
    for (size_t i = 0; i < n; i++)
        if (p[i].from_us == from_us && p[i].to_us == to_us)
            return true;
    return false;
}

/* One pass for each kind of hit, so that spans stand before exact times and these before rounded ones. */
static int rank(const struct time_hit *h)
{
    return h->to_us > h->from_us ? 0 : h->is_exact ? 1 : 2;
}

struct window_proposal *window_propose(const struct time_reader *r, struct arena *a,
                                       const struct ticket *t,
                                       const struct comment *comments,
                                       size_t comment_count, size_t *n)
{
    struct window_proposal *out = arena_array(a, WINDOW_MAX_PROPOSALS, sizeof *out);
    char from[HUMAN_SIZE];

    *n = 0;
    for (int pass = 0; pass < 3; pass++) {
        for (size_t i = 0; i < comment_count; i++) {
            const struct comment *c = &comments[i];
            size_t hits_n;
            struct time_hit *hits;

            if (c->author.id != t->requester.id)
                continue;
            hits = time_find(r, a, c->body, c->at_us, &hits_n);
            for (size_t k = 0; k < hits_n && *n < WINDOW_MAX_PROPOSALS - 1; k++) {
                struct window_proposal p;

                if (rank(&hits[k]) != pass)
                    continue;
                p = from_hit(a, c, &hits[k]);
                if (!is_known(out, *n, p.from_us, p.to_us))
                    out[(*n)++] = p;
            }
        }
    }
    if (t->created_us == TS_NONE)
        return out;
    out[*n] = (struct window_proposal){
        .from_us = t->created_us - TS_HOUR, .to_us = t->created_us, .quote = ""};
    out[*n].reason = arena_fmt(a, "the hour before the ticket came at %s",
                               human_clock_min(t->created_us, from));
    (*n)++;
    return out;
}
