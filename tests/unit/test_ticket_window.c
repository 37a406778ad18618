/* Times in messages, and the windows they suggest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/ts.h"
#include "ticket/window.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static struct time_reader *reader;
static struct arena arena = ARENA_INIT;

static int set_up(void **state)
{
    (void)state;
    reader = time_reader_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    time_reader_free(reader);
    arena_release(&arena);
    return 0;
}

static int64_t at(const char *iso)
{
    int64_t us = 0;

    if (ts_parse(iso, &us))
        fail_msg("%s is no time", iso);
    return us;
}

/* "FROM", or "FROM/TO" for a span; several hits apart by a blank. */
static const char *told(const char *text, int64_t written_us)
{
    size_t n;
    struct time_hit *h = time_find(reader, &arena, text, written_us, &n);
    char *out = arena_str(&arena, "");
    char iso[TS_ISO_SIZE];

    for (size_t i = 0; i < n; i++) {
        assert_true(h[i].start + h[i].len <= strlen(text));
        out = arena_fmt(&arena, "%s%s%s", out, i ? " " : "", ts_iso(h[i].from_us, iso));
        if (h[i].to_us != h[i].from_us)
            out = arena_fmt(&arena, "%s/%s", out, ts_iso(h[i].to_us, iso));
    }
    return out;
}

struct row {
    const char *text, *times;
};

static void check(const struct row *rows, size_t n, const char *written)
{
    for (size_t i = 0; i < n; i++) {
        const char *out = told(rows[i].text, at(written));

        if (strcmp(out, rows[i].times) != 0)
            fail_msg("\"%s\": \"%s\", not \"%s\"", rows[i].text, out, rows[i].times);
    }
}
#define CHECK(rows, written) check(rows, sizeof(rows) / sizeof(rows)[0], written)

/* 24 November 2026 is a Tuesday. */
#define WRITTEN "2026-11-24T16:00:00Z"

static void times_of_day(void **state)
{
    static const struct row rows[] = {
        {"it broke at 14:02",                   "2026-11-24T14:02:00Z"},
        {"it broke at 14:02.",                  "2026-11-24T14:02:00Z"},
        {"(14:02)",                             "2026-11-24T14:02:00Z"},
        {"2:30pm",                              "2026-11-24T14:30:00Z"},
        {"at 2:30 p.m. again",                  "2026-11-24T14:30:00Z"},
        {"at 2pm",                              "2026-11-24T14:00:00Z"},
        {"at 9 AM",                             "2026-11-24T09:00:00Z"},
        {"2.30 pm",                             "2026-11-24T14:30:00Z"},
        {"12am",                                "2026-11-24T00:00:00Z"},
        {"12:15 pm",                            "2026-11-24T12:15:00Z"},
 /* in the future of the message: the day before */
        {"around 17:30",                        "2026-11-23T17:30:00Z"},
        {"at 16:04 just now",                   "2026-11-24T16:04:00Z"},
        {"at 9:05 and again at 11:00 it broke",
         "2026-11-24T09:05:00Z 2026-11-24T11:00:00Z"                  },
    };

    (void)state;
    CHECK(rows, WRITTEN);
}

static void times_in_words(void **state)
{
    static const struct row rows[] = {
        {"we see this since this morning",        "2026-11-24T06:00:00Z/2026-11-24T16:00:00Z"},
        {"this morning it broke",                 "2026-11-24T06:00:00Z/2026-11-24T12:00:00Z"},
        {"yesterday evening it broke",            "2026-11-23T18:00:00Z/2026-11-24T00:00:00Z"},
        {"yesterday evening at 8pm",              "2026-11-23T20:00:00Z"                     },
        {"last night it broke",                   "2026-11-23T20:00:00Z/2026-11-24T06:00:00Z"},
        {"last night around 11:30pm",             "2026-11-23T23:30:00Z"                     },
        {"this afternoon",                        "2026-11-24T12:00:00Z/2026-11-24T16:00:00Z"},
        {"this evening it will",                  ""                                         },
        {"an hour and a half ago",                "2026-11-24T14:30:00Z"                     },
        {"a couple of hours ago",                 "2026-11-24T14:00:00Z"                     },
        {"two days ago",                          "2026-11-22T16:00:00Z"                     },
        {"over the last 3 hours",                 "2026-11-24T13:00:00Z/2026-11-24T16:00:00Z"},
        {"in the past hour",                      "2026-11-24T15:00:00Z/2026-11-24T16:00:00Z"},
        {"the day before yesterday at noon",      "2026-11-22T12:00:00Z"                     },
        {"around midnight UTC it stopped",        "2026-11-24T00:00:00Z"                     },
        {"at 14h30 Paris time",                   "2026-11-24T13:30:00Z"                     },
        {"am 23.11.2026 um 14:30 CET",            "2026-11-23T13:30:00Z"                     },
        {"on 11/23 at 3:05 PM PT",                "2026-11-23T23:05:00Z"                     },
        {"around 2pm ET yesterday",               "2026-11-23T19:00:00Z"                     },
        {"good morning, last week it was fine",   ""                                         },
        {"the ratio is 16:9 in 1/2 of the cases", ""                                         },
    };

    (void)state;
    CHECK(rows, WRITTEN);
}

static void zones(void **state)
{
    static const struct row rows[] = {
        {"14:02 UTC",                 "2026-11-24T14:02:00Z"},
        {"14:02 (UTC)",               "2026-11-24T14:02:00Z"},
        {"14:02 CET",                 "2026-11-24T13:02:00Z"},
        {"9am EST",                   "2026-11-24T14:00:00Z"},
        {"6:30 am PST",               "2026-11-24T14:30:00Z"},
        {"14:02 UTC+2",               "2026-11-24T12:02:00Z"},
        {"9:02 GMT-5:30",             "2026-11-24T14:32:00Z"},
        {"14:02 +0530",               "2026-11-24T08:32:00Z"},
        {"14:02+02:00",               "2026-11-24T12:02:00Z"},
        {"2026-11-24T09:02:58-05:00", "2026-11-24T14:02:58Z"},
 /* 23:30 in Tokyo on the 24th is 14:30 UTC */
        {"23:30 JST",                 "2026-11-24T14:30:00Z"},
    };
    static const struct row cities[] = {
  /* Tokyo is 9 h before UTC all year */
        {"about 17:20 in Tokyo",          "2026-11-24T08:20:00Z"                     },
        {"at 17:20 in Tokyo (08:20 UTC)", "2026-11-24T08:20:00Z 2026-11-24T08:20:00Z"},
        {"2:00 pm London time",           "2026-11-24T14:00:00Z"                     },
        {"10:00 Oslo time",               "2026-11-24T09:00:00Z"                     },
        {"9:30 am (New York time)",       "2026-11-24T14:30:00Z"                     },
        {"9:30 am ET",                    "2026-11-24T14:30:00Z"                     },
 /* a city alone is where somebody is, not when */
        {"at 10:00 Oslo called",          "2026-11-24T10:00:00Z"                     },
        {"at 10:00 in Oslobod",           "2026-11-24T10:00:00Z"                     },
    };
    static const struct row summer[] = {
  /* summer time: London +1, Oslo +2, New York -4; none in Tokyo */
        {"2:00 pm London time", "2026-07-14T13:00:00Z"},
        {"14:00 in Oslo",       "2026-07-14T12:00:00Z"},
        {"9:30 am ET",          "2026-07-14T13:30:00Z"},
        {"17:20 in Tokyo",      "2026-07-14T08:20:00Z"},
 /* southern winter: Sydney +10 */
        {"20:00 in Sydney",     "2026-07-14T10:00:00Z"},
    };
    size_t n;

    (void)state;
    CHECK(rows, WRITTEN);
    CHECK(cities, WRITTEN);
    CHECK(summer, "2026-07-14T16:00:00Z");
    /* the days of the change: Europe 25 October 2026, America 1 November 2026 */
    assert_string_equal(told("12:00 in Berlin", at("2026-10-24T12:00:00Z")),
                        "2026-10-24T10:00:00Z");
    assert_string_equal(told("12:00 in Berlin", at("2026-10-25T12:00:00Z")),
                        "2026-10-25T11:00:00Z");
    assert_string_equal(told("8:00 am ET", at("2026-10-31T14:00:00Z")),
                        "2026-10-31T12:00:00Z");
    assert_string_equal(told("8:00 am ET", at("2026-11-01T14:00:00Z")),
                        "2026-11-01T13:00:00Z");
    assert_true(time_find(reader, &arena, "14:02 Z", at(WRITTEN), &n)[0].zone_said);
    assert_true(time_find(reader, &arena, "14:02 UTC+2", at(WRITTEN), &n)[0].zone_said);
    assert_false(time_find(reader, &arena, "14:02", at(WRITTEN), &n)[0].zone_said);
    assert_false(
        time_find(reader, &arena, "14:02 est-elle", at(WRITTEN), &n)[0].is_exact);
}

/* The day of a time is the day where its clock hangs, not that of UTC. */
static void days_of_zones(void **state)
{
    static const struct row east[] = {
        {"about 00:15 in Tokyo",        "2026-11-30T15:15:00Z"},
        {"yesterday at 23:50 in Tokyo", "2026-11-30T14:50:00Z"},
        {"at 15:15 UTC",                "2026-11-30T15:15:00Z"},
        {"yesterday at 23:50 UTC",      "2026-11-29T23:50:00Z"},
    };
    static const struct row west[] = {
        {"at 4pm PST",           "2026-11-25T00:00:00Z"},
        {"yesterday at 4pm PST", "2026-11-24T00:00:00Z"},
        {"at 00:30 UTC",         "2026-11-25T00:30:00Z"},
    };

    (void)state;
    CHECK(east, "2026-11-30T15:30:00Z"); /* 00:30 of 1 December in Tokyo */
    CHECK(west, "2026-11-25T01:00:00Z"); /* 17:00 of the 24th in California */
}

static void dates(void **state)
{
    static const struct row rows[] = {
        {"2026-11-20 14:02",                 "2026-11-20T14:02:00Z"                     },
        {"2026-11-20 at 14:02",              "2026-11-20T14:02:00Z"                     },
        {"2026/11/20 14:02",                 "2026-11-20T14:02:00Z"                     },
        {"20.11.2026 14:02",                 "2026-11-20T14:02:00Z"                     },
        {"20/11/2026, 14:02",                "2026-11-20T14:02:00Z"                     },
        {"11/20/2026 2:02 PM",               "2026-11-20T14:02:00Z"                     },
 /* 11 December is in the future: it can only be 12 November */
        {"11/12/2026 14:02",                 "2026-11-12T14:02:00Z"                     },
        {"20 Nov 14:02",                     "2026-11-20T14:02:00Z"                     },
        {"20th of November, at about 14:02", "2026-11-20T14:02:00Z"                     },
        {"Nov 20, 2026 at 2pm",              "2026-11-20T14:00:00Z"                     },
        {"November 20th around 14:02",       "2026-11-20T14:02:00Z"                     },
        {"14:02 on 20 November",             "2026-11-20T14:02:00Z"                     },
        {"at 2pm on Nov 20, 2026, it",       "2026-11-20T14:00:00Z"                     },
        {"14:02 UTC, 2026-11-20",            "2026-11-20T14:02:00Z"                     },
        {"yesterday at 14:02",               "2026-11-23T14:02:00Z"                     },
        {"Yesterday, around 2pm",            "2026-11-23T14:00:00Z"                     },
        {"yesterday afternoon at 2:30pm",    "2026-11-23T14:30:00Z"                     },
        {"14:02 yesterday",                  "2026-11-23T14:02:00Z"                     },
        {"today at 14:02",                   "2026-11-24T14:02:00Z"                     },
        {"on Monday at 14:02",               "2026-11-23T14:02:00Z"                     },
        {"14:02 on Friday",                  "2026-11-20T14:02:00Z"                     },
        {"at 14:02, 20 Nov 15:00 and so on", "2026-11-24T14:02:00Z 2026-11-20T15:00:00Z"},
 /* too long ago, in the future, no such day */
        {"2026-09-20 14:02",                 ""                                         },
        {"2027-11-20 14:02",                 ""                                         },
        {"20 Nov 2025 14:02",                ""                                         },
        {"2026-11-31 14:02",                 ""                                         },
    };
    static const struct row january[] = {
        {"28 Dec 14:02", "2026-12-28T14:02:00Z"},
        {"2 Jan 14:02",  "2027-01-02T14:02:00Z"},
    };

    (void)state;
    CHECK(rows, WRITTEN);
    CHECK(january, "2027-01-03T10:00:00Z");
}

static void exact_times_of_logs(void **state)
{
    static const struct row rows[] = {
        {"2026-11-24T14:02:58Z ERROR",        "2026-11-24T14:02:58Z"},
        {"2026-11-24T14:02:58.214402Z ERROR", "2026-11-24T14:02:58Z"},
        {"2026-11-24 14:02:58,214 ERROR",     "2026-11-24T14:02:58Z"},
        {"[24/Nov/2026:14:02:58 +0000]",      "2026-11-24T14:02:58Z"},
        {"Nov 24 14:02:58 host",              "2026-11-24T14:02:58Z"},
        {"14:02:58.2",                        "2026-11-24T14:02:58Z"},
    };

    (void)state;
    CHECK(rows, WRITTEN);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t n;

        assert_true(time_find(reader, &arena, rows[i].text, at(WRITTEN), &n)[0].is_exact);
    }
}

static void spans(void **state)
{
    static const struct row rows[] = {
        {"13:55 to 14:10",                    "2026-11-24T13:55:00Z/2026-11-24T14:10:00Z"},
        {"between 13:55 and 14:10",           "2026-11-24T13:55:00Z/2026-11-24T14:10:00Z"},
        {"13:55-14:10",                       "2026-11-24T13:55:00Z/2026-11-24T14:10:00Z"},
        {"10:00-11:30",                       "2026-11-24T10:00:00Z/2026-11-24T11:30:00Z"},
        {"13:55 \xE2\x80\x93 14:10 UTC",      "2026-11-24T13:55:00Z/2026-11-24T14:10:00Z"},
        {"13:55 to 14:10 CET",                "2026-11-24T12:55:00Z/2026-11-24T13:10:00Z"},
        {"13:55 CET to 14:10",                "2026-11-24T12:55:00Z/2026-11-24T13:10:00Z"},
        {"yesterday between 13:55 and 14:10",
         "2026-11-23T13:55:00Z/2026-11-23T14:10:00Z"                                     },
        {"13:55 to 14:10 yesterday",          "2026-11-23T13:55:00Z/2026-11-23T14:10:00Z"},
        {"20 Nov 13:55 until 14:10",          "2026-11-20T13:55:00Z/2026-11-20T14:10:00Z"},
        {"2-3pm",                             "2026-11-24T14:00:00Z/2026-11-24T15:00:00Z"},
        {"between 2 and 3:30 pm",             "2026-11-24T14:00:00Z/2026-11-24T15:30:00Z"},
        {"2:00 to 2:45pm",                    "2026-11-24T14:00:00Z/2026-11-24T14:45:00Z"},
        {"11 to 1pm",                         "2026-11-24T11:00:00Z/2026-11-24T13:00:00Z"},
        {"11am - 1pm",                        "2026-11-24T11:00:00Z/2026-11-24T13:00:00Z"},
 /* across midnight */
        {"20 Nov 23:50 to 00:10",             "2026-11-20T23:50:00Z/2026-11-21T00:10:00Z"},
        {"23:50 to 00:10",                    "2026-11-23T23:50:00Z/2026-11-24T00:10:00Z"},
        {"11pm to 1am",                       "2026-11-23T23:00:00Z/2026-11-24T01:00:00Z"},
 /* not yet today: yesterday, both ends */
        {"15:30 to 17:30",                    "2026-11-23T15:30:00Z/2026-11-23T17:30:00Z"},
 /* more than half a day, or words between: two moments */
        {"01:00 to 15:00",                    "2026-11-24T01:00:00Z 2026-11-24T15:00:00Z"},
        {"13:55 and then at 14:10",           "2026-11-24T13:55:00Z 2026-11-24T14:10:00Z"},
    };

    (void)state;
    CHECK(rows, WRITTEN);
}

static void relative_times(void **state)
{
    static const struct row rows[] = {
        {"20 minutes ago",            "2026-11-24T15:40:00Z"},
        {"about an hour ago",         "2026-11-24T15:00:00Z"},
        {"half an hour ago",          "2026-11-24T15:30:00Z"},
        {"a minute ago",              "2026-11-24T15:59:00Z"},
        {"3 hrs ago",                 "2026-11-24T13:00:00Z"},
        {"2.5 hours ago",             "2026-11-24T13:30:00Z"},
        {"1 hour and 20 minutes ago", "2026-11-24T14:40:00Z"},
        {"999 hours ago",             ""                    },
        {"20 minutes later",          ""                    },
    };

    (void)state;
    CHECK(rows, WRITTEN);
}

static void other_numbers_are_no_times(void **state)
{
    static const struct row rows[] = {
        {"version 3.14 and 2.15 GB of 2.1 GB",               ""},
        {"10.0.0.1:8080 and localhost:3000 and 10.0.0.1:14", ""},
        {"ratio 16:9, 4:3 and 100:30",                       ""},
        {"aa:12:34:56:78:bb 12:34:56:78",                    ""},
        {"file.py:12:30: error",                             ""},
        {"24:30 25:00 14:75 99:99 13:5",                     ""},
        {"14pm 0pm 13:00pm",                                 ""},
        {"2 and 3 and 2026-11-24 and 24 Nov 2026",           ""},
        {"1.14.02 and v14:02 x3.30",                         ""},
        {"HTTP/1.1 200 12345",                               ""},
        {"I am here, 3 amazing 4 pmol",                      ""},
        {"exit code 137",                                    ""},
    };

    (void)state;
    CHECK(rows, WRITTEN);
}

static void hits_say_where_they_stand(void **state)
{
    const char *text = "\xC3\xA9t\xC3\xA9: yesterday at 14:02 UTC, then 20 minutes ago.";
    size_t n;
    struct time_hit *h = time_find(reader, &arena, text, at(WRITTEN), &n);

    (void)state;
    assert_int_equal(n, 2);
    assert_memory_equal(text + h[0].start, "yesterday at 14:02 UTC", h[0].len);
    assert_int_equal(h[0].len, 22);
    assert_memory_equal(text + h[1].start, "20 minutes ago", h[1].len);
    assert_int_equal(h[1].len, 14);
}

static void message_without_time_tells_nothing(void **state)
{
    size_t n = 7;

    (void)state;
    time_find(reader, &arena, "at 14:02", TS_NONE, &n);
    assert_int_equal(n, 0);
}

static void long_and_hostile_texts_come_back(void **state)
{
    static const char *const units[] = {
        "14:02 ",        "1",  " ",   "14:02:58.", "24 Nov ",        "nov 24      ",
        "yesterday at ", "2-", "12:", "a",         "24 Nov\n\n\n\n", "an hour ",
    };
    size_t n, bytes = 128u << 10;

    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t len = strlen(units[i]);
        char *s = arena_alloc(&arena, bytes + len + 32);

        for (size_t k = 0; k < bytes; k += len)
            memcpy(s + k, units[i], len);
        memcpy(s + bytes, " at 15:30 CET", 14);
        time_find(reader, &arena, s, at(WRITTEN), &n);
        assert_true(n <= WINDOW_MAX_HITS);
        if (units[i][0] == 'a') { /* a long one without any other is read to its end */
            assert_int_equal(n, 1);
        }
        arena_reset(&arena);
    }
}

/* ---- proposals ---- */

static struct comment said(int64_t author, const char *when, const char *body)
{
    return (struct comment){
        .id = author * 100 + body[0],
        .at_us = at(when),
        .author = {.id = author, .name = author == 5 ? "Priya N." : "Ann"},
        .body = body
    };
}

static struct ticket a_ticket(void)
{
    return (struct ticket){
        .id = 1, .created_us = at("2026-11-24T14:20:00Z"), .requester = {.id = 5}};
}

#define MINUTES(n) ((n)*TS_MIN)

static void best_proposal_first(void **state)
{
    struct comment c[] = {
        said(5, "2026-11-24T14:20:00Z", "it broke at 14:02"),
        said(9, "2026-11-24T14:30:00Z", "was it 12:00?"),
        said(5, "2026-11-24T14:40:00Z", "the log says 2026-11-24T14:03:10Z"),
        said(5, "2026-11-24T14:50:00Z", "so 13:55 to 14:10 CET, and 14:02 again"),
    };
    struct ticket t = a_ticket();
    size_t n;
    struct window_proposal *p = window_propose(reader, &arena, &t, c, 4, &n);

    (void)state;
    assert_int_equal(n, 4);
    assert_int_equal(p[0].from_us, at("2026-11-24T12:55:00Z"));
    assert_int_equal(p[0].to_us, at("2026-11-24T13:10:00Z"));
    assert_string_equal(p[0].quote, "13:55 to 14:10 CET");
    assert_string_equal(p[0].reason, "Priya wrote \xE2\x80\x9C"
                                     "13:55 to 14:10 CET\xE2\x80\x9D");
    assert_int_equal(p[0].comment_id, c[3].id);
    /* exact, 14:03:10: five minutes around it, outwards to whole minutes */
    assert_int_equal(p[1].from_us, at("2026-11-24T13:58:00Z"));
    assert_int_equal(p[1].to_us, at("2026-11-24T14:09:00Z"));
    /* from memory: fifteen */
    assert_int_equal(p[2].from_us, at("2026-11-24T14:02:00Z") - MINUTES(15));
    assert_int_equal(p[2].to_us, at("2026-11-24T14:02:00Z") + MINUTES(15));
    assert_string_equal(p[2].reason, "Priya wrote \xE2\x80\x9C"
                                     "14:02\xE2\x80\x9D, read as UTC");
    /* the same moment in another message is the same window */
    assert_int_equal(p[3].from_us, at("2026-11-24T13:20:00Z"));
    assert_int_equal(p[3].to_us, at("2026-11-24T14:20:00Z"));
    assert_string_equal(p[3].reason, "the hour before the ticket came at 14:20");
    assert_string_equal(p[3].quote, "");
    assert_int_equal(p[3].comment_id, 0);
}

static void without_times_the_hour_before(void **state)
{
    struct comment c[] = {said(5, "2026-11-24T14:20:00Z", "it broke")};
    struct ticket t = a_ticket();
    size_t n;
    struct window_proposal *p = window_propose(reader, &arena, &t, c, 1, &n);

    (void)state;
    assert_int_equal(n, 1);
    assert_int_equal(p[0].to_us - p[0].from_us, TS_HOUR);
    t.created_us = TS_NONE;
    window_propose(reader, &arena, &t, c, 1, &n);
    assert_int_equal(n, 0);
}

static void proposals_are_bounded(void **state)
{
    struct comment c[] = {
        said(5, "2026-11-24T14:20:00Z",
             "1:00, 2:00, 3:00, 4:00, 5:00, 6:00, 7:00, 8:00, 9:00, 10:00")};
    struct ticket t = a_ticket();
    size_t n;
    struct window_proposal *p = window_propose(reader, &arena, &t, c, 1, &n);

    (void)state;
    assert_int_equal(n, WINDOW_MAX_PROPOSALS);
    assert_int_equal(p[n - 1].comment_id, 0); /* the hour before always has its place */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_day),
        cmocka_unit_test(times_in_words),
        cmocka_unit_test(zones),
        cmocka_unit_test(days_of_zones),
        cmocka_unit_test(dates),
        cmocka_unit_test(exact_times_of_logs),
        cmocka_unit_test(spans),
        cmocka_unit_test(relative_times),
        cmocka_unit_test(other_numbers_are_no_times),
        cmocka_unit_test(hits_say_where_they_stand),
        cmocka_unit_test(message_without_time_tells_nothing),
        cmocka_unit_test(long_and_hostile_texts_come_back),
        cmocka_unit_test(best_proposal_first),
        cmocka_unit_test(without_times_the_hour_before),
        cmocka_unit_test(proposals_are_bounded),
    };

    return cmocka_run_group_tests_name("ticket: window", tests, set_up, tear_down);
}
