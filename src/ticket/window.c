/*
 * One pattern finds a time with its optional date and zone; two found side by side with "to", "and" or a
 * dash between them are one span. Relative times ("20 minutes ago") have a pattern of their own.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "ticket/window.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/human.h"
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/xalloc.h"
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define READER_MATCH_LIMIT 100000u
#define SAID_MARGIN_US (15 * TS_MIN) /* people round */
#define EXACT_MARGIN_US (5 * TS_MIN)
#define FUTURE_SLACK_US (5 * TS_MIN)
#define PAST_MAX_US (31 * TS_DAY)

#define MONTHS "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
static const char absolute_pattern[] =
    "(?xi)"
    "(?: (?<!\\d) (?<y>20\\d\\d)-(?<m>\\d\\d)-(?<d>\\d\\d) [T\\s]\\s*"
    "  | (?<!\\d) (?<d2>\\d{1,2})(?:st|nd|rd|th)? \\s+ (?<mon>" MONTHS
    ")[a-z]*\\.?,? (?:\\s+20\\d\\d)?,? (?:\\s+at)? \\s+"
    "  | \\b (?<mon2>" MONTHS ")[a-z]*\\.? \\s+ (?<d3>\\d{1,2})(?:st|nd|rd|th)?,? "
    "(?:\\s+20\\d\\d)?,? (?:\\s+at)? \\s+"
    "  | \\b (?<rel>today|yesterday),? (?:\\s+at)? (?:\\s+(?:about|around))? \\s+"
    ")?"
    "(?<![\\d:.]) (?<h>[01]?\\d|2[0-3])"
    "(?: [:.](?<min>[0-5]\\d) (?: :(?<s>[0-5]\\d)(?:[.,]\\d+)? )? (?: "
    "\\s?(?<ap>[ap])\\.?m\\b\\.? )?"
    "  | \\s?(?<ap2>[ap])\\.?m\\b\\.? )"
    "(?![\\d:])"
    "(?: \\s? (?: "
    "(?<z>Z|UTC|GMT|BST|CET|CEST|EET|EEST|EST|EDT|CST|CDT|MST|MDT|PST|PDT|IST|JST)\\b "
    "(?!/)"
    "       | (?<off>[+-]\\d\\d:?\\d\\d)(?!\\d) ) )?";
static const char relative_pattern[] =
    "(?xi) \\b (?: (?<n>\\d{1,3}) | (?<one>an?|half\\s+an) ) \\s+ "
    "(?<unit>minute|min|hour|hr)s? \\s+ ago \\b";
static const char joint_pattern[] =
    "(?xi) ^ \\s* (?: - | \\x{2013} | to | and | until | till ) \\s* $";

struct time_reader {
    pcre2_code *absolute, *relative, *joint;
    pcre2_match_data *data;
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

struct time_reader *time_reader_new(void)
{
    struct time_reader *r = xcalloc(1, sizeof *r);

    r->absolute = compile(absolute_pattern);
    r->relative = compile(relative_pattern);
    r->joint = compile(joint_pattern);
    r->data = pcre2_match_data_create(32, NULL);
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
    pcre2_code_free(r->joint);
    pcre2_match_data_free(r->data);
    pcre2_match_context_free(r->limits);
    free(r);
}

/* A named group as text in buf; "" when it took no part. */
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

/* Minutes east of UTC of a zone that was said. */
static int64_t zone_minutes(const struct time_reader *r, bool *said)
{
    static const struct {
        const char *name;
        int minutes;
    } zones[] = {
        {"Z",    0   },
        {"UTC",  0   },
        {"GMT",  0   },
        {"BST",  60  },
        {"CET",  60  },
        {"CEST", 120 },
        {"EET",  120 },
        {"EEST", 180 },
        {"EST",  -300},
        {"EDT",  -240},
        {"CST",  -360},
        {"CDT",  -300},
        {"MST",  -420},
        {"MDT",  -360},
        {"PST",  -480},
        {"PDT",  -420},
        {"IST",  330 },
        {"JST",  540 },
    };
    char buf[16];

    *said = true;
    group(r, "z", buf, sizeof buf);
    for (size_t i = 0; buf[0] && i < sizeof zones / sizeof zones[0]; i++)
        if (text_ieq(buf, zones[i].name))
            return zones[i].minutes;
    group(r, "off", buf, sizeof buf);
    if (buf[0]) {
        int h = (buf[1] - '0') * 10 + buf[2] - '0';
        const char *m = buf + (buf[3] == ':' ? 4 : 3);
        int minutes = h * 60 + (m[0] - '0') * 10 + m[1] - '0';

        return buf[0] == '-' ? -minutes : minutes;
    }
    *said = false;
    return 0;
}

/* The date that was said, or that of the message. *dated: one was said. */
static void read_date(const struct time_reader *r, int64_t written_us, struct ts_civil *c,
                      bool *dated)
{
    char word[16];
    int64_t day = group_i64(r, "d2", group_i64(r, "d3", 0));

    ts_to_civil(written_us, c);
    *dated = true;
    if (group_i64(r, "y", 0)) {
        c->year = (int)group_i64(r, "y", 0);
        c->month = (int)group_i64(r, "m", 1);
        c->day = (int)group_i64(r, "d", 1);
        return;
    }
    group(r, "mon", word, sizeof word);
    if (!word[0])
        group(r, "mon2", word, sizeof word);
    if (day && month_number(word)) {
        int month = month_number(word);

        if (month > c->month) /* December told in January */
            c->year--;
        c->month = month;
        c->day = (int)day;
        return;
    }
    group(r, "rel", word, sizeof word);
    if (word[0]) {
        if (text_ieq(word, "yesterday"))
            ts_to_civil(written_us - TS_DAY, c);
        return;
    }
    *dated = false;
}

static bool read_absolute(const struct time_reader *r, int64_t written_us,
                          struct time_hit *hit)
{
    struct ts_civil c;
    bool dated;
    char ap[4];
    int64_t us, hour = group_i64(r, "h", 0);

    read_date(r, written_us, &c, &dated);
    group(r, "ap", ap, sizeof ap);
    if (!ap[0])
        group(r, "ap2", ap, sizeof ap);
    if (ap[0] && (hour == 0 || hour > 12))
        return false;
    if (ap[0])
        hour = hour % 12 + (ap[0] == 'p' || ap[0] == 'P' ? 12 : 0);
    if (c.month < 1 || c.month > 12 || c.day < 1 || c.day > 31)
        return false;
    c.hour = (int)hour;
    c.minute = (int)group_i64(r, "min", 0);
    c.second = (int)group_i64(r, "s", 0);
    c.us = 0;
    us = ts_from_civil(&c) - zone_minutes(r, &hit->zone_said) * TS_MIN;
    if (!dated && us > written_us + FUTURE_SLACK_US)
        us -= TS_DAY;
    if (us > written_us + TS_DAY || us < written_us - PAST_MAX_US)
        return false;
    hit->from_us = hit->to_us = us;
    hit->is_exact = group_i64(r, "s", -1) >= 0;
    return true;
}

static bool read_relative(const struct time_reader *r, int64_t written_us,
                          struct time_hit *hit)
{
    char unit[16], one[16];
    int64_t n = group_i64(r, "n", 1);
    int64_t span;

    group(r, "unit", unit, sizeof unit);
    group(r, "one", one, sizeof one);
    span = (unit[0] == 'h' || unit[0] == 'H') ? TS_HOUR : TS_MIN;
    if (text_starts(one, "half") || text_starts(one, "Half"))
        span /= 2;
    hit->from_us = hit->to_us = written_us - n * span;
    hit->zone_said = true;
    hit->is_exact = false;
    return true;
}

typedef bool reader(const struct time_reader *r, int64_t written_us,
                    struct time_hit *hit);

static size_t collect(const struct time_reader *r, pcre2_code *code, reader *read,
                      const char *text, int64_t written_us, struct time_hit *hits,
                      size_t n)
{
    size_t len = strlen(text), from = 0;

    while (n < WINDOW_MAX_HITS && from < len &&
           pcre2_match(code, (PCRE2_SPTR)text, len, from, PCRE2_NO_UTF_CHECK, r->data,
                       r->limits) > 0) {
        const PCRE2_SIZE *at = pcre2_get_ovector_pointer(r->data);
        struct time_hit hit = {.start = at[0], .len = at[1] - at[0]};

        from = at[1] > at[0] ? at[1] : at[0] + 1;
        if (read(r, written_us, &hit))
            hits[n++] = hit;
    }
    return n;
}

static int by_place(const void *pa, const void *pb)
{
    const struct time_hit *x = pa, *y = pb;

    return x->start < y->start ? -1 : x->start > y->start;
}

/* "13:55 to 14:10": the second takes the first one's day and the zone that either of them named. */
static size_t join_spans(const struct time_reader *r, const char *text,
                         struct time_hit *hits, size_t n)
{
    size_t out = 0;

    for (size_t i = 0; i < n; i++) {
        size_t end = hits[i].start + hits[i].len;

        if (i + 1 < n && hits[i + 1].start >= end && hits[i + 1].start - end <= 12 &&
            hits[i + 1].from_us > hits[i].from_us &&
            hits[i + 1].from_us - hits[i].from_us <= 12 * TS_HOUR &&
            pcre2_match(r->joint, (PCRE2_SPTR)text + end, hits[i + 1].start - end, 0,
                        PCRE2_NO_UTF_CHECK, r->data, r->limits) > 0) {
            hits[out] = hits[i];
            hits[out].to_us = hits[i + 1].from_us;
            hits[out].len = hits[i + 1].start + hits[i + 1].len - hits[i].start;
            hits[out].zone_said = hits[i].zone_said || hits[i + 1].zone_said;
            out++;
            i++;
        } else {
            hits[out++] = hits[i];
        }
    }
    return out;
}

struct time_hit *time_find(const struct time_reader *r, struct arena *a, const char *text,
                           int64_t written_us, size_t *n)
{
    struct time_hit *hits = arena_array(a, WINDOW_MAX_HITS, sizeof *hits);

    *n = collect(r, r->absolute, read_absolute, text, written_us, hits, 0);
    *n = collect(r, r->relative, read_relative, text, written_us, hits, *n);
    qsort(hits, *n, sizeof *hits, by_place);
    *n = join_spans(r, text, hits, *n);
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
    p.from_us = h->from_us - margin;
    p.to_us = h->to_us + margin;
    p.reason = arena_fmt(a, "%s wrote \xE2\x80\x9C%s\xE2\x80\x9D%s",
                         first_name(a, c->author.name), p.quote,
                         h->zone_said ? "" : ", no zone said: UTC assumed");
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
