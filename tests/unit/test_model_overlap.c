/* A sandbox of which nothing told the end, against the complaint window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ts.h"
#include "model/timeline.h"

#include "base/banned.h"

#define NOON ((int64_t)1795521600000000)
#define M(minutes) (NOON + (minutes)*TS_MIN)

/* Started at 0, last heard of at 10. */
static struct execution gone = {.id = "",
                                .start_us = M(0),
                                .start_is_known = true,
                                .end_us = TS_NONE,
                                .end = EXEC_GONE,
                                .deadline_us = TS_NONE,
                                .last_sign_us = M(10)};

static struct overlap_info overlap(int64_t from, int64_t to)
{
    struct timeline t = {.execs = &gone,
                         .exec_count = 1,
                         .start_us = gone.start_us,
                         .end_us = gone.end_us,
                         .state = SANDBOX_ENDED};

    return timeline_overlap(&t, M(from), M(to), M(120));
}

static void test_found_gone(void **state)
{
    (void)state;
    gone.end_us = M(12); /* found gone then: it ended somewhere between */
    assert_int_equal(overlap(5, 8).kind, OVERLAP_YES);
    assert_int_equal(overlap(11, 20).kind, OVERLAP_MAYBE);
    assert_int_equal(overlap(11, 20).since_us, M(10));
    assert_int_equal(overlap(12, 20).kind, OVERLAP_BEFORE);
    assert_int_equal(overlap(15, 20).us, 3 * TS_MIN);
    assert_int_equal(overlap(5, 20).us, 5 * TS_MIN); /* what is sure */
    assert_false(overlap(5, 20).is_last);
}

static void test_up_to_its_deadline(void **state)
{
    (void)state;
    gone.end_us = TS_NONE;
    gone.deadline_us = M(30);
    assert_int_equal(overlap(20, 25).kind, OVERLAP_MAYBE);
    assert_int_equal(overlap(30, 40).kind, OVERLAP_BEFORE);
    gone.deadline_us = TS_NONE;
    assert_int_equal(overlap(100, 110).kind, OVERLAP_MAYBE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found_gone),
        cmocka_unit_test(test_up_to_its_deadline),
    };

    return cmocka_run_group_tests_name("overlap", tests, NULL, NULL);
}
