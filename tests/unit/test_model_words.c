/* Names, legal moves and JSON forms of findings, investigations, notes and Linear decisions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/ts.h"
#include "model/finding.h"
#include "model/investigation.h"
#include "model/linear.h"
#include "model/note.h"

#include "base/banned.h"

static void test_names_there_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < CLASS_COUNT; i++) {
        enum finding_class c;

        assert_int_equal(
            finding_class_parse(finding_class_name((enum finding_class)i), &c), 0);
        assert_int_equal(c, i);
        assert_string_not_equal(finding_class_words((enum finding_class)i), "");
    }
    for (int i = 0; i < CONFIDENCE_COUNT; i++) {
        enum confidence c;

        assert_int_equal(confidence_parse(confidence_name((enum confidence)i), &c), 0);
        assert_int_equal(c, i);
    }
    for (int i = 0; i < REASON_COUNT; i++) {
        enum undetermined_reason r;

        assert_int_equal(reason_parse(reason_name((enum undetermined_reason)i), &r), 0);
        assert_int_equal(r, i);
    }
    for (int i = 0; i < INV_STATE_COUNT; i++) {
        enum inv_state s;

        assert_int_equal(inv_state_parse(inv_state_name((enum inv_state)i), &s), 0);
        assert_int_equal(s, i);
    }
    for (int i = 0; i < NOTE_STATE_COUNT; i++) {
        enum note_state s;

        assert_int_equal(note_state_parse(note_state_name((enum note_state)i), &s), 0);
        assert_int_equal(s, i);
    }
}

static void test_unknown_names(void **state)
{
    enum finding_class c;
    enum confidence k;
    enum undetermined_reason r;
    enum inv_state s;
    enum note_state n;

    (void)state;
    assert_int_equal(finding_class_parse("oom", &c), -1);
    assert_int_equal(finding_class_parse(NULL, &c), -1);
    assert_int_equal(confidence_parse("sure", &k), -1);
    assert_int_equal(reason_parse("tired", &r), -1);
    assert_int_equal(inv_state_parse("running", &s), -1);
    assert_int_equal(inv_state_parse(NULL, &s), -1);
    assert_int_equal(note_state_parse("", &n), -1);
    assert_string_equal(finding_class_name(CLASS_COUNT), "");
}

static void test_fixed_words(void **state)
{
    (void)state;
    assert_string_equal(finding_class_name(CLASS_OUT_OF_MEMORY), "out_of_memory");
    assert_string_equal(finding_class_words(CLASS_TIMEOUT), "Hit its timeout");
    assert_string_equal(reason_name(REASON_NONE), "");
    assert_string_equal(reason_name(REASON_STILL_RUNNING), "still_running");
    assert_string_equal(reason_words(REASON_STILL_RUNNING), "still running");
    assert_string_equal(confidence_name(CONFIDENCE_LOW), "low");
    assert_string_equal(inv_state_name(INV_DEDUPED), "deduped");
    assert_string_equal(linear_outcome_name(LINEAR_OUTCOME_MATCHED), "matched");
    assert_int_equal(linear_state_from_type("canceled"), LINEAR_CANCELED);
    assert_int_equal(linear_state_from_type("duplicate"), LINEAR_DUPLICATE);
    assert_int_equal(linear_state_from_type("completed"), LINEAR_COMPLETED);
    assert_int_equal(linear_state_from_type("triage"), LINEAR_OPEN);
    assert_int_equal(linear_state_from_type("something new"), LINEAR_OPEN);
    assert_int_equal(linear_state_from_type(NULL), LINEAR_OPEN);
}

/* The whole table of moves: what is not listed is refused. */
static void test_moves(void **state)
{
    (void)state;
    for (int from = 0; from < INV_STATE_COUNT; from++) {
        enum inv_state f = (enum inv_state)from;
        bool is_open = from < INV_DONE;
        enum inv_state next = INV_STATE_COUNT;

        assert_int_equal(inv_state_is_open(f), is_open);
        assert_int_equal(investigation_next_state(f, INV_EV_ADVANCE, INV_QUEUED, &next),
                         is_open ? 0 : -1);
        assert_int_equal(next, is_open ? from + 1 : INV_STATE_COUNT);
        next = INV_STATE_COUNT;
        assert_int_equal(investigation_next_state(f, INV_EV_FAIL, INV_QUEUED, &next),
                         is_open ? 0 : -1);
        assert_int_equal(next, is_open ? INV_FAILED : INV_STATE_COUNT);
        next = INV_STATE_COUNT;
        assert_int_equal(investigation_next_state(f, INV_EV_CANCEL, INV_QUEUED, &next),
                         is_open ? 0 : -1);
        assert_int_equal(next, is_open ? INV_CANCELED : INV_STATE_COUNT);
        for (int at = 0; at < INV_STATE_COUNT; at++) {
            bool is_legal = f == INV_FAILED && at < INV_DONE;

            next = INV_STATE_COUNT;
            assert_int_equal(
                investigation_next_state(f, INV_EV_RETRY, (enum inv_state)at, &next),
                is_legal ? 0 : -1);
            assert_int_equal(next, is_legal ? at : INV_STATE_COUNT);
        }
    }
}

static void test_stages_end_in_done(void **state)
{
    enum inv_state s = INV_QUEUED;
    int steps = 0;

    (void)state;
    while (investigation_next_state(s, INV_EV_ADVANCE, INV_QUEUED, &s) == 0)
        steps++;
    assert_int_equal(s, INV_DONE);
    assert_int_equal(steps, 6);
}

/* printf 'abc\ntpl' | sha256sum */
static void test_token(void **state)
{
    char token[SIGNATURE_TOKEN_SIZE];
    char other[SIGNATURE_TOKEN_SIZE];

    (void)state;
    assert_string_equal(finding_token("abc", "tpl", token),
                        "cbk18471219c5436e2e5eb1475d");
    assert_int_equal(strlen(token), 27);
    assert_int_equal(strspn(token, "abcdefghijklmnopqrstuvwxyz0123456789"), 27);
    assert_string_not_equal(finding_token("abc", "tpm", other), token);
    assert_string_not_equal(finding_token("abd", "tpl", other), token);
    assert_string_equal(finding_token("", "tpl", token), "");
    assert_string_equal(finding_token(NULL, "tpl", token), "");
}

static void test_finding_round_trip(void **state)
{
    static const char *const factors[] = {"exit_code:137", "cpu_pegged"};
    const struct evidence_item items[] = {
        {.at_us = INT64_C(1789373523418207),
         .kind = "memory",
         .text = "858 MiB <b>",
         .ref = "pid:5"                                                                       },
        {.at_us = TS_NONE,                   .kind = "log", .text = "cut \xFF here", .ref = ""},
    };
    const struct ruled_out out_of[] = {
        {.cls = CLASS_TIMEOUT, .text = "12 min before it"}
    };
    const struct could_be could_be[] = {
        {.cls = CLASS_CRASHED,      .likelihood = POSSIBLE, .text = "no output"},
        {.cls = CLASS_KILLED_EARLY, .likelihood = UNLIKELY, .text = "no kill"  },
    };
    struct finding f = {.cls = CLASS_OUT_OF_MEMORY,
                        .confidence = CONFIDENCE_HIGH,
                        .confidence_why = "why",
                        .rule = "oom_kernel_line",
                        .factors = factors,
                        .factor_count = 2,
                        .signature = "MemoryError in load",
                        .signature_hash = "abc123",
                        .headline = "head",
                        .brief = "one.\ntwo.",
                        .failed_at_us = INT64_C(1789373523418207),
                        .evidence = items,
                        .evidence_count = 2,
                        .ruled_out = out_of,
                        .ruled_out_count = 1,
                        .could_be = could_be,
                        .could_be_count = 2,
                        .customer_reply = "Dear",
                        .missing = "",
                        .fix = "more memory",
                        .program = "report.py",
                        .template_id = "tpl",
                        .template_alias = "py",
                        .diag_version = 3};
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    json_t *once = finding_to_json(&f);
    json_t *twice;
    struct finding g;

    (void)state;
    assert_int_equal(finding_from_json(&a, once, &g, &err), 0);
    twice = finding_to_json(&g);
    assert_true(json_equal(once, twice));
    assert_int_equal(g.cls, CLASS_OUT_OF_MEMORY);
    assert_int_equal(g.reason, REASON_NONE);
    assert_int_equal(g.confidence, CONFIDENCE_HIGH);
    assert_string_equal(g.factors[1], "cpu_pegged");
    assert_string_equal(g.signature_hash, "abc123");
    assert_string_equal(g.brief, "one.\ntwo.");
    assert_true(g.evidence[0].at_us == items[0].at_us);
    assert_true(g.evidence[1].at_us == TS_NONE);
    assert_string_equal(g.evidence[1].text, "cut \xEF\xBF\xBD here");
    assert_string_equal(g.evidence[0].ref, "pid:5");
    assert_int_equal(g.ruled_out[0].cls, CLASS_TIMEOUT);
    assert_int_equal(g.could_be_count, 2);
    assert_int_equal(g.could_be[1].cls, CLASS_KILLED_EARLY);
    assert_int_equal(g.could_be[1].likelihood, UNLIKELY);
    assert_string_equal(g.could_be[0].text, "no output");
    assert_true(g.failed_at_us == f.failed_at_us);
    assert_int_equal(g.diag_version, 3);
    assert_string_equal(g.program, "report.py");
    json_decref(once);
    json_decref(twice);
    arena_release(&a);
}

static void test_finding_refused(void **state)
{
    static const char *const bad[] = {
        "{}",
        "{\"class\":\"boom\",\"confidence\":\"low\"}",
        "{\"class\":\"timeout\",\"confidence\":\"certain\"}",
        "{\"class\":\"timeout\",\"confidence\":\"low\",\"reason\":\"odd\"}",
    };
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        json_t *doc = jget_load(bad[i], strlen(bad[i]), &err);
        struct finding f;

        assert_int_equal(finding_from_json(&a, doc, &f, &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
        json_decref(doc);
    }
    arena_release(&a);
}

static void test_decision_round_trip(void **state)
{
    const struct linear_candidate candidates[] = {
        {.issue = {.id = "u-1",
                   .identifier = "SUP-412",
                   .url = "https://linear.app/x/SUP-412",
                   .title = "Out of memory",
                   .description = "line\nline",
                   .state_name = "Done",
                   .state_type = "completed",
                   .state = LINEAR_COMPLETED,
                   .team_id = "t",
                   .duplicate_of = "",
                   .created_us = 1000000,
                   .updated_us = TS_NONE,
                   .completed_us = 2000000,
                   .canceled_us = TS_NONE,
                   .is_archived = true},
         .score = 0.75,
         .via = "search",
         .result = "other cause (timeout)",
         .is_match = false},
    };
    struct linear_decision d = {.outcome = LINEAR_OUTCOME_TO_FILE,
                                .token = "cbk1",
                                .words = "memory report.py",
                                .searched_us = 5000000,
                                .why = "Nothing matched.",
                                .candidates = candidates,
                                .candidate_count = 1,
                                .issue = {.id = ""}};
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    json_t *once = linear_decision_to_json(&d);
    json_t *twice;
    struct linear_decision e;

    (void)state;
    assert_int_equal(linear_decision_from_json(&a, once, &e, &err), 0);
    twice = linear_decision_to_json(&e);
    assert_true(json_equal(once, twice));
    assert_int_equal(e.outcome, LINEAR_OUTCOME_TO_FILE);
    assert_string_equal(e.issue.id, "");
    assert_int_equal(e.candidates[0].issue.state, LINEAR_COMPLETED);
    assert_true(e.candidates[0].issue.updated_us == TS_NONE);
    assert_true(e.candidates[0].score == 0.75);
    assert_string_equal(e.candidates[0].result, "other cause (timeout)");
    json_decref(once);
    json_decref(twice);
    once = json_pack("{s:s}", "outcome", "perhaps");
    assert_int_equal(linear_decision_from_json(&a, once, &e, &err), -1);
    json_decref(once);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_there_and_back),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_fixed_words),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_stages_end_in_done),
        cmocka_unit_test(test_token),
        cmocka_unit_test(test_finding_round_trip),
        cmocka_unit_test(test_finding_refused),
        cmocka_unit_test(test_decision_round_trip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
