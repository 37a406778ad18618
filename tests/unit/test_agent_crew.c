/* Spare workers stand in for those that read long logs; a rate limit is told to all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/crew.h"
#include <sys/wait.h>
#include <unistd.h>

#include "base/banned.h"

static void a_spare_works_only_for_one_that_is_busy(void **state)
{
    struct crew *c = crew_new(2);

    (void)state;
    assert_non_null(c);
    assert_true(crew_may_work(c, 0) && crew_may_work(c, 1));
    assert_false(crew_may_work(c, 2) || crew_may_work(c, 3));
    crew_set_long(c, 1, true);
    assert_true(crew_may_work(c, 2));
    assert_false(crew_may_work(c, 3));
    crew_set_long(c, 0, true);
    assert_true(crew_may_work(c, 2) && crew_may_work(c, 3));
    crew_enter(c, 0); /* a new one in the place of one that died */
    assert_false(crew_may_work(c, 3));
    crew_leave(c, 1);
    assert_false(crew_may_work(c, 2));
    crew_free(c);
}

static void it_is_over_when_every_worker_left_or_died(void **state)
{
    struct crew *c = crew_new(2);
    int status;
    pid_t pid;

    (void)state;
    assert_false(crew_is_done(c)); /* they have not begun */
    crew_enter(c, 0);
    crew_leave(c, 0);
    assert_false(crew_is_done(c));
    pid = fork();
    if (pid == 0) {
        crew_enter(c, 1);
        _exit(0); /* without a word */
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(crew_is_done(c));
    crew_free(c);
}

static void quiet_is_shared_and_never_shortened(void **state)
{
    struct crew *c = crew_new(1);
    int status;
    pid_t pid = fork();

    (void)state;
    if (pid == 0) {
        crew_set_quiet(c, INV_DIAGNOSED, 500);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(crew_quiet_until(c, INV_DIAGNOSED), 500);
    crew_set_quiet(c, INV_DIAGNOSED, 400);
    assert_int_equal(crew_quiet_until(c, INV_DIAGNOSED), 500);
    assert_int_equal(crew_quiet_until(c, INV_DEDUPED), 0);
    crew_free(c);
}

static void one_alone_needs_no_crew(void **state)
{
    (void)state;
    crew_enter(NULL, 0);
    crew_set_long(NULL, 0, true);
    crew_set_quiet(NULL, INV_DIAGNOSED, 5);
    crew_leave(NULL, 0);
    assert_true(crew_may_work(NULL, 7));
    assert_true(crew_is_done(NULL));
    assert_int_equal(crew_quiet_until(NULL, INV_DIAGNOSED), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spare_works_only_for_one_that_is_busy),
        cmocka_unit_test(it_is_over_when_every_worker_left_or_died),
        cmocka_unit_test(quiet_is_shared_and_never_shortened),
        cmocka_unit_test(one_alone_needs_no_crew),
    };

    return cmocka_run_group_tests_name("agent: crew", tests, NULL, NULL);
}
