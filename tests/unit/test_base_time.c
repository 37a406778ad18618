/* Times parsed and told. The numbers were made with `date -u -d ... +%s`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/human.h"
#include "base/ts.h"

#include "base/banned.h"

#define T0 INT64_C(1789373523418207) /* 2026-09-14T08:12:03.418207Z */

static int64_t parsed(const char *s)
{
    int64_t us;

    return ts_parse(s, &us) ? TS_NONE : us;
}

static void test_parse_forms(void **state)
{
    (void)state;
    assert_true(parsed("2026-09-14T08:12:03.418207114Z") == T0);
    assert_true(parsed("2026-09-14T08:12:03.418207Z") == T0);
    assert_true(parsed("2026-09-14T08:12:03.418Z") == T0 - 207);
    assert_true(parsed("2026-09-14T08:12:03Z") == T0 - 418207);
    assert_true(parsed("2026-09-14T08:12:03.5z") == T0 - 418207 + 500000);
    assert_true(parsed("2026-09-14T10:12:03+02:00") == T0 - 418207);
    assert_true(parsed("2026-09-13T22:42:03-09:30") == T0 - 418207);
    assert_true(parsed("2026-09-14 08:12:03 +00:00") == T0 - 418207);
    assert_true(parsed("1970-01-01T00:00:00Z") == 0);
    assert_true(parsed("2024-02-29T12:00:00Z") == INT64_C(1709208000000000));
    assert_true(parsed("9999-12-31T23:59:59.999999999999999999Z") ==
                INT64_C(253402300799999999));
}

static void test_parse_refuses(void **state)
{
    static const char *const bad[] = {
        "",
        "now",
        "2026-09-14",
        "2026-09-14T08:12:03",
        "2026-09-14T08:12Z",
        "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "2026-09-31T00:00:00Z",
        "2026-09-14T24:00:00Z",
        "2026-09-14T08:61:00Z",
        "2026-09-14T08:12:03.Z",
        "2026-09-14T08:12:03.1234567890123456789Z",
        "2026-09-14T08:12:03Zx",
        "2026-09-14T08:12:03+0200",
        "1969-12-31T23:59:59Z",
        "026-09-14T08:12:03Z",
        "2026-9-14T08:12:03Z",
        "2026-09-14T08:12:0",
    };
    int64_t us = 42;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(ts_parse(bad[i], &us), -1);
    assert_int_equal(ts_parse(NULL, &us), -1);
    assert_int_equal(us, 42);
}

static void test_format(void **state)
{
    char b[TS_ISO_SIZE];

    (void)state;
    assert_string_equal(ts_iso(T0, b), "2026-09-14T08:12:03Z");
    assert_string_equal(ts_iso_ms(T0, b), "2026-09-14T08:12:03.418Z");
    assert_string_equal(ts_iso_us(T0, b), "2026-09-14T08:12:03.418207Z");
    assert_string_equal(ts_iso(TS_NONE, b), "");
    assert_string_equal(ts_iso_us(-1, b), "1969-12-31T23:59:59.999999Z");
    assert_string_equal(ts_iso(INT64_MAX, b), "");
}

/* Every day from 1970 to 2100, there and back, weekdays in step. */
static void test_civil_round_trip(void **state)
{
    struct ts_civil c;

    (void)state;
    for (int64_t day = 0; day < 47482; day++) {
        int64_t us = day * TS_DAY + 12345678901 % TS_DAY;

        ts_to_civil(us, &c);
        assert_true(ts_from_civil(&c) == us);
        assert_int_equal(c.weekday, (day + 4) % 7); /* 1970-01-01 was a Thursday */
    }
    assert_int_equal(c.year, 2099);
    assert_int_equal(c.month, 12);
    assert_int_equal(c.day, 31);
}

static void test_durations(void **state)
{
    static const struct {
        int64_t us;
        const char *want;
    } cases[] = {
        {-5 * TS_SEC,                         "0 s"       },
        {0,                                   "0 s"       },
        {7 * TS_SEC,                          "7 s"       },
        {59 * TS_SEC + 600 * TS_MS,           "1 min"     },
        {2 * TS_MIN + 51 * TS_SEC,            "2 min 51 s"},
        {15 * TS_MIN,                         "15 min"    },
        {TS_HOUR,                             "1 h"       },
        {TS_HOUR + 20 * TS_MIN,               "1 h 20 min"},
        {TS_HOUR + 59 * TS_MIN + 59 * TS_SEC, "2 h"       },
        {24 * TS_HOUR,                        "24 h"      },
        {9 * TS_DAY + 23 * TS_HOUR,           "9 days"    },
    };
    char b[HUMAN_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_string_equal(human_duration(cases[i].us, b), cases[i].want);
    assert_string_equal(human_duration_fine(400 * TS_MS, b), "0.4 s");
    assert_string_equal(human_duration_fine(10430 * TS_MS, b), "10.4 s");
    assert_string_equal(human_duration_fine(7 * TS_SEC, b), "7 s");
    assert_string_equal(human_duration_fine(59960 * TS_MS, b), "1 min");
    assert_string_equal(human_duration_fine(-1, b), "0 s");
}

static void test_offsets(void **state)
{
    char b[HUMAN_SIZE];

    (void)state;
    assert_string_equal(human_offset(8 * TS_MIN + 28 * TS_SEC, b), "+08:28");
    assert_string_equal(human_offset(2 * TS_HOUR, b), "+2:00:00");
    assert_string_equal(human_offset(-3 * TS_SEC, b), "-00:03");
    assert_string_equal(human_offset(-200 * TS_MS, b), "+00:00");
    assert_string_equal(human_offset(26 * TS_HOUR + 61 * TS_SEC, b), "+26:01:01");
}

static void test_bytes_and_counts(void **state)
{
    char b[HUMAN_SIZE];

    (void)state;
    assert_string_equal(human_bytes(512, b), "512 B");
    assert_string_equal(human_bytes(12 * 1024, b), "12 KiB");
    assert_string_equal(human_bytes(INT64_C(858) << 20, b), "858 MiB");
    assert_string_equal(human_bytes((INT64_C(41) << 30) / 10, b), "4.1 GiB");
    assert_string_equal(human_bytes(INT64_C(4) << 30, b), "4 GiB");
    assert_string_equal(human_bytes((INT64_C(1024) << 20) - 1, b), "1 GiB");
    assert_string_equal(human_bytes(INT64_C(3) << 19, b), "1.5 MiB");
    assert_string_equal(human_bytes(0, b), "0 B");
    assert_string_equal(human_bytes(INT64_MAX, b), "8 EiB");
    assert_string_equal(human_count(1204, b), "1,204");
    assert_string_equal(human_count(999, b), "999");
    assert_string_equal(human_count(-1234567, b), "-1,234,567");
    assert_string_equal(human_count(INT64_MIN, b), "-9,223,372,036,854,775,808");
}

static void test_clocks_and_dates(void **state)
{
    int64_t next_year = parsed("2027-01-02T00:00:00Z");
    char b[HUMAN_SIZE];

    (void)state;
    assert_string_equal(human_clock(T0, b), "08:12:03");
    assert_string_equal(human_clock_ms(T0, b), "08:12:03.418");
    assert_string_equal(human_clock_min(T0, b), "08:12");
    assert_string_equal(human_date(T0, T0, b), "14 Sep");
    assert_string_equal(human_date(T0, next_year, b), "14 Sep 2026");
    assert_string_equal(human_datetime(T0, T0, b), "14 Sep 08:12");
    assert_string_equal(human_datetime_s(T0, next_year, b), "14 Sep 2026 08:12:03");
    assert_string_equal(human_clock(TS_NONE, b), "");
}

static void test_settings(void **state)
{
    char b[HUMAN_SIZE];

    (void)state;
    /* two clocks apart by less than two seconds do not spoil "1 h" */
    assert_string_equal(human_setting(TS_HOUR - 900 * TS_MS, b), "1 h");
    assert_string_equal(human_setting(15 * TS_MIN + 1900 * TS_MS, b), "15 min");
    assert_string_equal(human_setting(59 * TS_SEC + 600 * TS_MS, b), "1 min");
    assert_string_equal(human_setting(15 * TS_SEC + 400 * TS_MS, b), "15 s");
    assert_string_equal(human_setting(90 * TS_SEC, b), "1 min 30 s");
    assert_string_equal(human_setting(57 * TS_SEC, b), "57 s");
    assert_string_equal(human_setting(TS_SEC, b), "1 s");
}

static void test_ago(void **state)
{
    char b[HUMAN_SIZE];

    (void)state;
    assert_string_equal(human_ago(T0 - 20 * TS_SEC, T0, b), "20 s ago");
    assert_string_equal(human_ago(T0 - 4 * TS_MIN - 59 * TS_SEC, T0, b), "4 min ago");
    assert_string_equal(human_ago(T0 - 3 * TS_HOUR, T0, b), "3 h ago");
    assert_string_equal(human_ago(T0 - 47 * TS_HOUR, T0, b), "47 h ago");
    assert_string_equal(human_ago(T0 - 2 * TS_DAY, T0, b), "2 days ago");
    assert_string_equal(human_ago(T0 + 26 * TS_MIN, T0, b), "in 26 min");
    assert_string_equal(human_ago(TS_NONE, T0, b), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_forms),      cmocka_unit_test(test_parse_refuses),
        cmocka_unit_test(test_format),           cmocka_unit_test(test_civil_round_trip),
        cmocka_unit_test(test_durations),        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_bytes_and_counts), cmocka_unit_test(test_clocks_and_dates),
        cmocka_unit_test(test_settings),         cmocka_unit_test(test_ago),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
