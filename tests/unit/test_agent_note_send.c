/* After an unknown outcome: when may a note be sent again, and with which stamp of the ticket? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/note_send.h"
#include "base/ts.h"

#include "base/banned.h"

#define OLD "2026-11-30T10:15:00Z"
#define NEW "2026-11-30T10:16:30Z"
#define AT (INT64_C(1796033790) * TS_SEC)

static const struct note_sight unmoved = {.sent = OLD,
                                          .now = OLD,
                                          .changed_us = AT,
                                          .newest_audit_us = AT,
                                          .now_us = AT + TS_MIN,
                                          .looks = 1};

static void an_unmoved_ticket_is_looked_at_twice_then_the_same_stamp(void **state)
{
    struct note_sight s = unmoved;

    (void)state;
    assert_int_equal(note_next_step(&s), NOTE_STEP_WAIT);
    s.looks = 2;
    assert_int_equal(note_next_step(&s), NOTE_STEP_SAME);
    s.looks = 0;
    s.was_refused = true; /* nothing is under way */
    assert_int_equal(note_next_step(&s), NOTE_STEP_SAME);
}

static void audits_that_lag_are_waited_for_however_long(void **state)
{
    struct note_sight s = unmoved;

    (void)state;
    s.now = NEW;
    s.changed_us = AT;
    for (int looks = 0; looks < 1000; looks += 100) {
        s.looks = looks;
        s.newest_audit_us = AT - TS_SEC; /* they do not tell of the latest change */
        assert_int_equal(note_next_step(&s), NOTE_STEP_WAIT);
        s.newest_audit_us = TS_NONE;
        assert_int_equal(note_next_step(&s), NOTE_STEP_WAIT);
    }
    s.was_refused = true;
    assert_int_equal(note_next_step(&s), NOTE_STEP_WAIT);
}

static void a_new_stamp_needs_audits_that_tell_of_the_change(void **state)
{
    struct note_sight s = unmoved;

    (void)state;
    s.now = NEW;
    s.looks = 0;
    s.newest_audit_us = AT; /* the change is there, and it was not ours */
    assert_int_equal(note_next_step(&s), NOTE_STEP_FRESH);
    s.newest_audit_us = AT - TS_SEC;
    s.now_us = AT + TS_HOUR; /* so late no audit is */
    assert_int_equal(note_next_step(&s), NOTE_STEP_FRESH);
}

static void without_a_known_stamp_only_the_audits_count(void **state)
{
    struct note_sight s = unmoved;

    (void)state;
    s.sent = "";
    assert_int_equal(note_next_step(&s), NOTE_STEP_WAIT);
    s.looks = 4;
    assert_int_equal(note_next_step(&s), NOTE_STEP_FRESH);
    s.newest_audit_us = AT - TS_SEC;
    assert_int_equal(note_next_step(&s), NOTE_STEP_WAIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unmoved_ticket_is_looked_at_twice_then_the_same_stamp),
        cmocka_unit_test(audits_that_lag_are_waited_for_however_long),
        cmocka_unit_test(a_new_stamp_needs_audits_that_tell_of_the_change),
        cmocka_unit_test(without_a_known_stamp_only_the_audits_count),
    };

    return cmocka_run_group_tests_name("agent: notes", tests, NULL, NULL);
}
