/* The pure parts of publishing and of the stages: the issue's id, the waiting time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/publish.h"
#include "agent/run.h"
#include "base/ts.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static const char team[] = "2a9d3c1e-5b70-4f0a-9d6e-0c8b7a6f5e4d";
static const char hash[] =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/* By hand: sha256 of "casebook\nTEAM\ntpl\nHASH\n1" begins with
   ab0f84d441fd87c9; digit 13 becomes 4, digit 17 one of 89ab. */
static void uuid_is_derived(void **state)
{
    char a[UUID_TEXT_SIZE], b[UUID_TEXT_SIZE];

    (void)state;
    assert_string_equal(publish_issue_uuid(team, "tpl", hash, 1, a),
                        "ab0f84d4-41fd-47c9-a03a-86c4d78a57c4");
    assert_string_equal(publish_issue_uuid(team, "tpl", hash, 1, b), a);
}

static void uuid_has_the_shape_of_version_4(void **state)
{
    char u[UUID_TEXT_SIZE];

    (void)state;
    for (int generation = 1; generation <= 64; generation++) {
        publish_issue_uuid(team, "tpl", hash, generation, u);
        assert_int_equal(strlen(u), 36);
        assert_int_equal(strspn(u, "0123456789abcdef-"), 36);
        assert_true(u[8] == '-' && u[13] == '-' && u[18] == '-' && u[23] == '-');
        assert_int_equal(u[14], '4');
        assert_non_null(strchr("89ab", u[19]));
    }
}

static void uuid_differs_by_each_input(void **state)
{
    char u[5][UUID_TEXT_SIZE];

    (void)state;
    publish_issue_uuid(team, "tpl", hash, 1, u[0]);
    publish_issue_uuid("other", "tpl", hash, 1, u[1]);
    publish_issue_uuid(team, "other", hash, 1, u[2]);
    publish_issue_uuid(team, "tpl", "other", 1, u[3]);
    publish_issue_uuid(team, "tpl", hash, 2, u[4]);
    for (int i = 0; i < 5; i++)
        for (int k = i + 1; k < 5; k++)
            assert_string_not_equal(u[i], u[k]);
}

static void back_off_doubles_to_two_minutes(void **state)
{
    (void)state;
    assert_int_equal(run_backoff_us(0, 0, 0), TS_SEC);
    assert_int_equal(run_backoff_us(1, 0, 0), 2 * TS_SEC);
    assert_int_equal(run_backoff_us(6, 0, 0), 64 * TS_SEC);
    assert_int_equal(run_backoff_us(7, 0, 0), 120 * TS_SEC);
    assert_int_equal(run_backoff_us(1000000, 0, 0), 120 * TS_SEC);
}

static void jitter_is_at_most_a_quarter(void **state)
{
    (void)state;
    assert_int_equal(run_backoff_us(0, 0, 999), TS_SEC + 249750);
    assert_int_equal(run_backoff_us(0, 0, 1000), TS_SEC);
    assert_int_equal(run_backoff_us(9, 0, 500), 135 * TS_SEC);
    for (uint32_t seed = 0; seed < 5000; seed++)
        assert_in_range(run_backoff_us(3, 0, seed * 857), 8 * TS_SEC, 10 * TS_SEC - 1);
}

static void the_service_says_how_long(void **state)
{
    (void)state;
    assert_int_equal(run_backoff_us(0, 37 * TS_SEC, 123), 37 * TS_SEC);
    assert_int_equal(run_backoff_us(9, TS_MS, 123), TS_MS);
    assert_int_equal(run_backoff_us(0, 5 * TS_HOUR, 123), TS_HOUR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uuid_is_derived),
        cmocka_unit_test(uuid_has_the_shape_of_version_4),
        cmocka_unit_test(uuid_differs_by_each_input),
        cmocka_unit_test(back_off_doubles_to_two_minutes),
        cmocka_unit_test(jitter_is_at_most_a_quarter),
        cmocka_unit_test(the_service_says_how_long),
    };

    return cmocka_run_group_tests_name("agent: publish", tests, NULL, NULL);
}
