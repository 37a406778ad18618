/* The stages' products, notes, and what people say of a finding. */
#include "store/st_finding.h"
#include "store/st_note.h"
#include "store/st_ticket.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static void a_whole_run_is_read_back(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct investigation inv =
        finished(sandbox, 9, CLASS_OUT_OF_MEMORY, "oom/report", "tpl1");
    struct investigation got;
    struct finding f;
    struct linear_decision d;

    (void)state;
    assert_ok(inv_latest_with_finding(db, &arena, sandbox, &got, &err));
    assert_int_equal(got.id, inv.id);
    assert_int_equal(got.state, INV_DONE);
    for (int s = INV_COLLECTED; s <= INV_DONE; s++)
        assert_true(got.stage_us[s] == T0 + s);
    assert_true(got.finished_us == T0 + 6);
    assert_string_equal(got.worker, "");
    assert_ok(finding_get(db, &arena, inv.id, &f, &err));
    assert_int_equal(f.cls, CLASS_OUT_OF_MEMORY);
    assert_int_equal(f.confidence, CONFIDENCE_HIGH);
    assert_string_equal(f.signature, "oom/report");
    assert_int_equal(strlen(f.signature_hash), 64);
    assert_int_equal(f.evidence_count, 1);
    assert_string_equal(f.evidence[0].text, "Memory was at 99 %.");
    assert_true(f.failed_at_us == T0 + TS_SEC);
    assert_ok(decision_get(db, &arena, inv.id, &d, &err));
    assert_int_equal(d.outcome, LINEAR_OUTCOME_NOT_FILED);
    assert_string_equal(d.words, "memory report.py");
    assert_err(finding_get(db, &arena, inv.id + 1000, &f, &err), ERR_NOTFOUND);
    assert_err(decision_get(db, &arena, inv.id + 1000, &d, &err), ERR_NOTFOUND);
    assert_err(inv_latest(db, &arena, "inobody", &got, &err), ERR_NOTFOUND);
    assert_err(inv_latest_with_finding(db, &arena, "inobody", &got, &err), ERR_NOTFOUND);
}

static void a_stage_out_of_order_is_refused(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = claimed(new_sandbox(), 0);
    struct linear_decision d = a_decision(LINEAR_OUTCOME_FILED, "u", "SUP-1");

    (void)state;
    assert_err(inv_save_deduped(db, &inv, &d, T0, &err), ERR_CONFLICT);
    assert_err(inv_save_done(db, &inv, T0, &err), ERR_CONFLICT);
    inv.state = INV_DIAGNOSED; /* a worker that is mistaken */
    assert_err(inv_save_deduped(db, &inv, &d, T0, &err), ERR_CONFLICT);
    assert_int_equal(number("SELECT COUNT(*) FROM linear_decision WHERE issue_id = 'u'"),
                     0);
    assert_ok(inv_cancel(db, inv.id, "ada", T0, &err));
}

static void a_new_finding_keeps_the_old_one(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct investigation one = finished(sandbox, 0, CLASS_TIMEOUT, "t", "tpl"), two, got;
    struct finding f;

    (void)state;
    two = claimed(sandbox, 0);
    assert_ok(inv_latest(db, &arena, sandbox, &got, &err));
    assert_int_equal(got.id, two.id);
    assert_ok(inv_latest_with_finding(db, &arena, sandbox, &got, &err));
    assert_int_equal(got.id, one.id);
    assert_ok(inv_fail(db, &two, "E2B is down", T0, &err));
    assert_ok(inv_latest_with_finding(db, &arena, sandbox, &got, &err));
    assert_int_equal(got.id, one.id);
    two = finished(sandbox, 0, CLASS_CRASHED, "c", "tpl");
    assert_ok(inv_latest_with_finding(db, &arena, sandbox, &got, &err));
    assert_int_equal(got.id, two.id);
    assert_ok(finding_get(db, &arena, one.id, &f, &err));
    assert_int_equal(f.cls, CLASS_TIMEOUT);
}

/* Text that zlib cannot make smaller than several parts. */
static char *noise(size_t n)
{
    char *s = arena_alloc(&arena, n + 1);
    uint64_t x = 88172645463325252u;

    for (size_t i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        s[i] = (char)(' ' + x % 94);
    }
    return s;
}

static void evidence_of_any_size_comes_back(void **state)
{
    static const size_t sizes[] = {2, 70000, 5u << 20};
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct investigation inv = claimed(new_sandbox(), 0);
        char *text = noise(sizes[i]);
        const char *back;
        size_t n;

        assert_err(inv_evidence(db, &arena, inv.id, &back, &n, &err), ERR_NOTFOUND);
        assert_ok(inv_save_collected(db, &inv, text, sizes[i], &NOTHING_READ, T0, &err));
        assert_ok(inv_evidence(db, &arena, inv.id, &back, &n, &err));
        assert_int_equal(n, sizes[i]);
        assert_memory_equal(back, text, n);
        assert_ok(inv_cancel(db, inv.id, "ada", T0, &err));
    }
    assert_true(number("SELECT COUNT(*) FROM evidence_part WHERE investigation_id = "
                       "(SELECT MAX(id) FROM investigation)") >= 4);
    assert_true(number("SELECT MAX(LENGTH(body)) FROM evidence_part") <= 1 << 20);
}

/* Of each kind by itself, for the steps; and they come with the investigation, without the evidence. */
static void how_much_was_read_is_kept_beside_it(void **state)
{
    const struct inv_read read = {
        .is_known = true, .events = 5, .samples = -1, .lines = 1204};
    struct err err = ERR_INIT;
    struct investigation inv = claimed(new_sandbox(), 0), got;

    (void)state;
    assert_ok(inv_get(db, &arena, inv.id, &got, &err));
    assert_false(got.read.is_known);
    assert_ok(inv_save_collected(db, &inv, "{}", 2, &read, T0, &err));
    assert_int_equal(inv.read.lines, 1204);
    assert_ok(inv_get(db, &arena, inv.id, &got, &err));
    assert_true(got.read.is_known);
    assert_int_equal(got.read.events, 5);
    assert_int_equal(got.read.samples, -1);
    assert_int_equal(got.read.lines, 1204);
    assert_ok(inv_cancel(db, inv.id, "ada", T0, &err));
    inv = claimed(new_sandbox(), 0);
    assert_ok(inv_save_collected(db, &inv, "{}", 2, &NOTHING_READ, T0, &err));
    assert_ok(inv_get(db, &arena, inv.id, &got, &err));
    assert_false(got.read.is_known);
    assert_ok(inv_cancel(db, inv.id, "ada", T0, &err));
}

static void evidence_is_stored_compressed_and_damage_is_noticed(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = claimed(new_sandbox(), 0);
    char *text = arena_alloc(&arena, 400001);
    const char *back;
    size_t n;

    (void)state;
    memset(text, 'a', 400000);
    assert_ok(inv_save_collected(db, &inv, text, 400000, &NOTHING_READ, T0, &err));
    assert_true(number("SELECT packed_bytes FROM evidence ORDER BY investigation_id DESC "
                       "LIMIT 1") < 4000);
    must_exec("UPDATE evidence_part SET body = REVERSE(body) WHERE investigation_id = ?",
              "i", inv.id);
    assert_err(inv_evidence(db, &arena, inv.id, &back, &n, &err), ERR_DB);
    must_exec("DELETE FROM evidence_part WHERE investigation_id = ?", "i", inv.id);
    assert_err(inv_evidence(db, &arena, inv.id, &back, &n, &err), ERR_DB);
    assert_ok(inv_cancel(db, inv.id, "ada", T0, &err));
}

/* ---- filings ---- */

static struct investigation filed(const char *signature, const char *template_id,
                                  enum linear_outcome outcome, const char *issue)
{
    struct err err = ERR_INIT;
    struct investigation inv = claimed(new_sandbox(), 0);
    struct finding f = a_finding(CLASS_CRASHED, signature, template_id);
    struct linear_decision none = a_decision(LINEAR_OUTCOME_TO_FILE, "", "");
    struct linear_decision d =
        a_decision(outcome, issue, arena_fmt(&arena, "SUP-%s", issue));

    assert_ok(inv_save_collected(db, &inv, "{}", 2, &NOTHING_READ, T0, &err));
    assert_ok(inv_save_diagnosed(db, &inv, &f, T0, &err));
    assert_ok(inv_save_deduped(db, &inv, &none, T0, &err));
    assert_ok(
        inv_save_filed(db, &inv, &d, f.signature_hash, template_id, T0 + inv.id, &err));
    assert_ok(inv_cancel(db, inv.id, "ada", T0, &err));
    return inv;
}

static void one_issue_is_on_record_for_a_failure(void **state)
{
    struct err err = ERR_INIT;
    struct finding f = a_finding(CLASS_CRASHED, "one", "tplA");
    struct investigation first, second;
    struct filing got;

    (void)state;
    assert_err(filing_get(db, &arena, f.signature_hash, "tplA", &got, &err),
               ERR_NOTFOUND);
    filed("one", "tplA", LINEAR_OUTCOME_UNAVAILABLE, "");
    assert_err(filing_get(db, &arena, f.signature_hash, "tplA", &got, &err),
               ERR_NOTFOUND);
    first = filed("one", "tplA", LINEAR_OUTCOME_FILED, "u1");
    assert_ok(filing_get(db, &arena, f.signature_hash, "tplA", &got, &err));
    assert_string_equal(got.issue_id, "u1");
    assert_string_equal(got.identifier, "SUP-u1");
    assert_true(got.was_filed_by_us);
    assert_int_equal(got.first_inv_id, first.id);

    second =
        filed("one", "tplA", LINEAR_OUTCOME_MATCHED, "u1"); /* the same issue again */
    assert_ok(filing_get(db, &arena, f.signature_hash, "tplA", &got, &err));
    assert_true(got.was_filed_by_us);
    assert_int_equal(got.first_inv_id, first.id);
    assert_true(got.created_us == T0 + first.id);
    assert_err(filing_get(db, &arena, f.signature_hash, "tplB", &got, &err),
               ERR_NOTFOUND);

    second = filed("one", "tplA", LINEAR_OUTCOME_MATCHED, "u2"); /* another one since */
    assert_ok(filing_get(db, &arena, f.signature_hash, "tplA", &got, &err));
    assert_string_equal(got.issue_id, "u2");
    assert_false(got.was_filed_by_us);
    assert_int_equal(got.first_inv_id, second.id);
}

/* ---- notes ---- */

static struct note the_note(const struct investigation *inv)
{
    struct err err = ERR_INIT;
    struct note n;

    assert_ok(note_get(db, &arena, inv->id, inv->ticket_id, &n, &err));
    return n;
}

static int set_note(const struct investigation *inv, const char *marker,
                    enum note_state state, int64_t now_us, struct err *err)
{
    struct note_result r = {.state = state, .error = "as told"};

    if (state == NOTE_POSTED)
        r = (struct note_result){.state = state, .audit_id = 7, .comment_id = 8};
    return note_set(db, inv, marker, &r, now_us, err);
}

static void a_note_is_made_once(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = finished(new_sandbox(), 11, CLASS_TIMEOUT, "t", "tpl"),
                         nobody = {.id = 99999999};
    struct note a, b;

    (void)state;
    hold(&inv);
    assert_err(note_get(db, &arena, inv.id, 11, &a, &err), ERR_NOTFOUND);
    assert_ok(note_prepare(db, &arena, &inv, 11, "marker-1", "<p>x</p>", T0, &a, &err));
    assert_int_equal(a.state, NOTE_PREPARED);
    assert_string_equal(a.marker, "marker-1");
    assert_string_equal(a.stamp, "");
    assert_true(a.posted_us == TS_NONE && a.sent_us == TS_NONE);
    assert_ok(
        note_prepare(db, &arena, &inv, 11, "marker-2", "<p>y</p>", T0 + 1, &b, &err));
    assert_string_equal(b.marker, "marker-1");
    assert_string_equal(b.html, "<p>x</p>");
    assert_string_equal(the_note(&inv).marker, "marker-1");
    assert_err(note_prepare(db, &arena, &nobody, 11, "marker-3", "", T0, &a, &err),
               ERR_CONFLICT);
    let_go(&inv);
}

static void a_note_moves_only_while_its_outcome_is_open(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = finished(new_sandbox(), 12, CLASS_TIMEOUT, "t", "tpl");
    struct note n;

    (void)state;
    hold(&inv);
    assert_ok(note_prepare(db, &arena, &inv, 12, "marker-12", "", T0, &n, &err));
    assert_ok(note_sending(db, &inv, "marker-12", "2026-11-30T10:15:00Z", T0 + 1, &err));
    n = the_note(&inv);
    assert_int_equal(n.state, NOTE_UNKNOWN);
    assert_string_equal(n.stamp, "2026-11-30T10:15:00Z");
    assert_true(n.sent_us == T0 + 1);
    assert_ok(set_note(&inv, "marker-12", NOTE_UNKNOWN, T0 + 1, &err));
    assert_string_equal(the_note(&inv).stamp, "2026-11-30T10:15:00Z"); /* it stays */
    assert_ok(set_note(&inv, "marker-12", NOTE_POSTED, T0 + 2, &err));
    n = the_note(&inv);
    assert_int_equal(n.state, NOTE_POSTED);
    assert_int_equal(n.audit_id, 7);
    assert_int_equal(n.comment_id, 8);
    assert_true(n.posted_us == T0 + 2);
    assert_string_equal(n.error, "");
    for (int s = NOTE_PREPARED; s < NOTE_STATE_COUNT; s++)
        assert_err(set_note(&inv, "marker-12", (enum note_state)s, T0, &err),
                   ERR_CONFLICT);
    assert_err(note_sending(db, &inv, "marker-12", "s", T0, &err), ERR_CONFLICT);
    assert_err(set_note(&inv, "nobody", NOTE_POSTED, T0, &err), ERR_NOTFOUND);
    let_go(&inv);
    assert_err(note_retry(db, inv.id, 0, "bob", T0, &err), ERR_CONFLICT);
}

static void a_late_worker_changes_no_note(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = finished(new_sandbox(), 14, CLASS_TIMEOUT, "t", "tpl"),
                         late;
    struct note n;

    (void)state;
    hold(&inv);
    assert_ok(note_prepare(db, &arena, &inv, 14, "marker-14", "", T0, &n, &err));
    assert_ok(note_sending(db, &inv, "marker-14", "first", T0 + 1, &err));
    late = inv;
    must_exec("UPDATE investigation SET fence = fence + 1 WHERE id = ?", "i", inv.id);
    assert_err(note_sending(db, &late, "marker-14", "second", T0 + 2, &err),
               ERR_CONFLICT);
    assert_err(set_note(&late, "marker-14", NOTE_PREPARED, T0 + 2, &err), ERR_CONFLICT);
    assert_err(note_prepare(db, &arena, &late, 15, "marker-15", "", T0, &n, &err),
               ERR_CONFLICT);
    assert_err(inv_is_held(db, &late, &err), ERR_CONFLICT);
    assert_err(inv_release(db, &late, &err), ERR_CONFLICT);
    assert_err(inv_wait(db, &late, T0, "", &err), ERR_CONFLICT);
    n = the_note(&inv);
    assert_int_equal(n.state, NOTE_UNKNOWN);
    assert_string_equal(n.stamp, "first");
    assert_int_equal(number("SELECT COUNT(*) FROM note WHERE marker = 'marker-15'"), 0);
    let_go(&inv);
}

static void a_failed_note_is_posted_again_by_the_agent(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct investigation inv = finished(sandbox, 13, CLASS_TIMEOUT, "t", "tpl"), got,
                         other;
    struct note n;
    struct act *acts;
    size_t act_count;
    bool is_new;

    (void)state;
    assert_err(note_retry(db, inv.id, 0, "bob", T0, &err), ERR_CONFLICT); /* none there */
    hold(&inv);
    assert_ok(note_prepare(db, &arena, &inv, 13, "marker-13", "h", T0, &n, &err));
    let_go(&inv);
    assert_err(note_retry(db, inv.id, 0, "bob", T0, &err),
               ERR_CONFLICT); /* it did not fail */
    hold(&inv);
    assert_ok(set_note(&inv, "marker-13", NOTE_FAILED, T0, &err));
    let_go(&inv);
    assert_ok(inv_queue(db, &arena, sandbox, 13, "bob", T0, &other, &is_new, &err));
    assert_err(note_retry(db, inv.id, 0, "bob", T0, &err),
               ERR_CONFLICT); /* another one is at work */
    assert_int_equal(the_note(&inv).state, NOTE_FAILED);
    assert_ok(inv_cancel(db, other.id, "bob", T0, &err));

    assert_err(note_retry(db, inv.id, 99, "bob", T0, &err),
               ERR_CONFLICT); /* of another ticket */
    assert_ok(note_retry(db, inv.id, 13, "bob", T0 + 50, &err));
    assert_int_equal(the_note(&inv).state, NOTE_PREPARED);
    assert_string_equal(the_note(&inv).marker, "marker-13");
    assert_ok(act_list(db, &arena, inv.id, &acts, &act_count, &err));
    assert_int_equal(act_count, 1);
    assert_string_equal(acts[0].act, "retry_note");
    assert_string_equal(acts[0].by, "bob");
    assert_string_equal(acts[0].detail, "as told"); /* why it had failed */
    assert_true(acts[0].at_us == T0 + 50);
    assert_ok(inv_claim(db, &arena, "w", T0 + 50, 9, &got, &err));
    assert_int_equal(got.id, inv.id);
    assert_int_equal(got.state, INV_FILED);
    assert_true(got.opened_us == T0 + 50);
    assert_ok(set_note(&got, "marker-13", NOTE_POSTED, T0 + 51, &err));
    assert_ok(inv_save_noted(db, &got, T0 + 52, &err));
    assert_ok(inv_save_done(db, &got, T0 + 53, &err));
}

/* It may have arrived: a retry makes the agent look for it, it does not make it unsent. */
static void an_unknown_note_stays_unknown_when_it_is_tried_again(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = finished(new_sandbox(), 15, CLASS_TIMEOUT, "t", "tpl"),
                         got;
    struct note n;

    (void)state;
    hold(&inv);
    assert_ok(note_prepare(db, &arena, &inv, 15, "marker-15", "h", T0, &n, &err));
    assert_ok(note_sending(db, &inv, "marker-15", "first", T0, &err));
    let_go(&inv);
    assert_ok(note_retry(db, inv.id, 0, "bob", T0 + 50, &err));
    n = the_note(&inv);
    assert_int_equal(n.state, NOTE_UNKNOWN);
    assert_string_equal(n.stamp, "first");
    assert_ok(inv_claim(db, &arena, "w", T0 + 50, 9, &got, &err));
    assert_int_equal(got.id, inv.id);
    assert_int_equal(got.state, INV_FILED);
    assert_ok(set_note(&got, "marker-15", NOTE_POSTED, T0 + 51, &err));
    assert_ok(inv_save_noted(db, &got, T0 + 52, &err));
    assert_ok(inv_save_done(db, &got, T0 + 53, &err));
}

/* ---- further tickets ---- */

static void another_ticket_gets_the_finding_and_its_own_note(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct investigation inv = finished(sandbox, 71, CLASS_TIMEOUT, "t", "tpl"), got;
    struct note n, *notes;
    size_t count;

    (void)state;
    assert_ok(inv_add_ticket(db, inv.id, 71, "bob", T0, &err)); /* its own: nothing */
    assert_ok(inv_get(db, &arena, inv.id, &got, &err));
    assert_int_equal(got.state, INV_DONE);
    assert_ok(inv_add_ticket(db, inv.id, 72, "bob", T0 + 9, &err));
    assert_ok(inv_add_ticket(db, inv.id, 72, "cleo", T0 + 10, &err)); /* once */
    assert_int_equal(number("SELECT COUNT(*) FROM further_ticket WHERE ticket_id = 72"),
                     1);
    assert_ok(inv_claim(db, &arena, "w", T0 + 10, 99, &got, &err));
    assert_int_equal(got.id, inv.id);
    assert_int_equal(got.state, INV_FILED);
    assert_ok(note_list(db, &arena, inv.id, &notes, &count, &err));
    assert_int_equal(count, 2);
    assert_int_equal(notes[0].ticket_id, 71);
    assert_int_equal(notes[1].ticket_id, 72);
    assert_int_equal(notes[1].state, NOTE_NONE);
    /* a ticket that comes while the notes are posted is not forgotten */
    assert_ok(note_prepare(db, &arena, &got, 72, "marker-72", "h", T0, &n, &err));
    assert_ok(inv_add_ticket(db, inv.id, 73, "bob", T0 + 11, &err));
    assert_int_equal(inv_save_noted(db, &got, T0 + 12, &err), -1);
    assert_true(err.is_wait);
    assert_int_equal(got.state, INV_FILED);
    assert_ok(note_prepare(db, &arena, &got, 73, "marker-73", "h", T0, &n, &err));
    assert_ok(inv_save_noted(db, &got, T0 + 13, &err));
    /* nor one that comes between the notes and the end: it is taken up again */
    assert_ok(inv_add_ticket(db, inv.id, 74, "bob", T0 + 14, &err));
    assert_err(inv_save_done(db, &got, T0 + 15, &err), ERR_CONFLICT);
    assert_ok(inv_claim(db, &arena, "w", T0 + 15, 99, &got, &err));
    assert_int_equal(got.state, INV_FILED);
    let_go(&got);
}

static void another_ticket_waits_for_the_one_that_is_open(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct investigation old = finished(sandbox, 75, CLASS_TIMEOUT, "t", "tpl"), open,
                         got;
    bool is_new;

    (void)state;
    assert_ok(inv_queue(db, &arena, sandbox, 75, "ada", T0, &open, &is_new, &err));
    assert_err(inv_add_ticket(db, old.id, 76, "bob", T0, &err), ERR_CONFLICT);
    assert_int_equal(number("SELECT COUNT(*) FROM further_ticket WHERE ticket_id = 76"),
                     0);
    assert_ok(inv_add_ticket(db, open.id, 76, "bob", T0, &err));
    assert_ok(inv_get(db, &arena, open.id, &got, &err));
    assert_int_equal(got.state, INV_QUEUED); /* it goes on as it was */
    assert_true(got.fence == open.fence);
    assert_ok(inv_cancel(db, open.id, "bob", T0, &err));
    assert_err(inv_add_ticket(db, open.id, 77, "bob", T0, &err), ERR_CONFLICT);
}

static void linear_that_was_unavailable_is_asked_again(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv = finished(new_sandbox(), 0, CLASS_TIMEOUT, "t", "tpl"), got;

    (void)state;
    assert_err(inv_retry(db, inv.id, "bob", T0, &err), ERR_CONFLICT); /* it answered */
    must_exec("UPDATE linear_decision SET outcome = 'unavailable' "
              "WHERE investigation_id = ?",
              "i", inv.id);
    assert_ok(inv_retry(db, inv.id, "bob", T0 + 1, &err));
    assert_ok(inv_claim(db, &arena, "w", T0 + 1, 99, &got, &err));
    assert_int_equal(got.id, inv.id);
    assert_int_equal(got.state, INV_DIAGNOSED); /* the finding stands */
    assert_true(got.stage_us[INV_FILED] == TS_NONE);
    let_go(&got);
}

/* ---- people ---- */

static void feedback_and_corrections_are_kept_in_order(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv =
        finished(new_sandbox(), 0, CLASS_TIMEOUT, "said", "tpl-said");
    struct finding same = a_finding(CLASS_TIMEOUT, "said", "tpl-said");
    const char *f_hash = same.signature_hash;
    struct feedback *f;
    struct issue_correction *c, last;
    struct issue_correction linked = {.at_us = T0,
                                      .by = "ada",
                                      .identifier = "SUP-7",
                                      .url = "https://l/7",
                                      .issue_id = "u7",
                                      .title = "It stops"};
    struct issue_correction unlinked = {.at_us = T0 + 1,
                                        .by = "bob",
                                        .identifier = "",
                                        .url = "",
                                        .issue_id = "",
                                        .title = ""};
    size_t n;

    (void)state;
    assert_ok(feedback_list(db, &arena, inv.id, &f, &n, &err));
    assert_int_equal(n, 0);
    assert_ok(feedback_add(db, inv.id, "ada", true, CLASS_TIMEOUT, "", T0, &err));
    assert_ok(feedback_add(db, inv.id, "bob", false, CLASS_CRASHED, "it crashed", T0 + 1,
                           &err));
    assert_ok(feedback_list(db, &arena, inv.id, &f, &n, &err));
    assert_int_equal(n, 2);
    assert_true(f[0].is_right && !f[1].is_right);
    assert_string_equal(f[1].by, "bob");
    assert_int_equal(f[1].cls, CLASS_CRASHED);
    assert_string_equal(f[1].remark, "it crashed");
    assert_err(feedback_add(db, 99999999, "ada", true, CLASS_TIMEOUT, "", T0, &err),
               ERR_NOTFOUND);
    assert_err(correction_of_failure(db, &arena, f_hash, "tpl-said", &last, &err),
               ERR_NOTFOUND);
    assert_ok(correction_add(db, inv.id, &linked, &err));
    assert_ok(correction_add(db, inv.id, &unlinked, &err));
    assert_ok(correction_of_failure(db, &arena, f_hash, "tpl-said", &last, &err));
    assert_string_equal(last.by, "bob");
    assert_string_equal(last.identifier, "");
    assert_ok(correction_list(db, &arena, inv.id, &c, &n, &err));
    assert_int_equal(n, 2);
    assert_string_equal(c[0].identifier, "SUP-7");
    assert_string_equal(c[0].issue_id, "u7");
    assert_string_equal(c[0].title, "It stops");
    assert_string_equal(c[1].identifier, "");
    assert_string_equal(c[1].by, "bob");
}

/* ---- tickets ---- */

static struct ticket a_ticket(int64_t id)
{
    struct ticket t = {
        .id = id,
        .subject = arena_fmt(&arena, "Subject %lld \xf0\x9f\x90\x9e", (long long)id),
        .status = "open",
        .created_us = T0 - id,
        .organization = "Ana & Co"};

    t.requester.name = "Ana";
    t.requester.email = "ana+x@example.com";
    return t;
}

static void the_last_fifty_tickets_of_a_person_are_kept(void **state)
{
    struct err err = ERR_INIT;
    struct recent_ticket *r;
    struct ticket t;
    size_t n;

    (void)state;
    for (int64_t i = 1; i <= 60; i++) {
        t = a_ticket(20000 + i);
        assert_ok(ticket_seen(db, &t, "ada", T0 + i, &err));
    }
    t = a_ticket(20055);
    t.subject = "changed";
    assert_ok(ticket_seen(db, &t, "ada", T0 + 100, &err));
    assert_ok(ticket_seen(db, &t, "bob", T0 + 1, &err));
    assert_ok(ticket_recent(db, &arena, "ada", 200, &r, &n, &err));
    assert_int_equal(n, 50);
    assert_int_equal(r[0].id, 20055);
    assert_true(r[0].at_us == T0 + 100);
    assert_string_equal(r[0].subject, "changed");
    assert_string_equal(r[0].organization, "Ana & Co");
    assert_string_equal(r[0].requester_email, "ana+x@example.com");
    assert_int_equal(r[1].id, 20060);
    assert_string_equal(r[1].subject, "Subject 20060 \xf0\x9f\x90\x9e");
    assert_ok(ticket_recent(db, &arena, "ada", 3, &r, &n, &err));
    assert_int_equal(n, 3);
    assert_ok(ticket_recent(db, &arena, "bob", 10, &r, &n, &err));
    assert_int_equal(n, 1);
    assert_ok(ticket_recent(db, &arena, "eve", 10, &r, &n, &err));
    assert_int_equal(n, 0);
}

static void long_texts_of_a_ticket_are_cut_not_refused(void **state)
{
    struct err err = ERR_INIT;
    struct ticket t = a_ticket(30001);
    char *name = arena_alloc(&arena, 1001);
    struct recent_ticket *r;
    size_t n;

    (void)state;
    for (size_t i = 0; i < 1000; i += 2) {
        name[i] = '\xc3';
        name[i + 1] = '\xab';
    }
    t.organization = t.requester.name = name;
    assert_ok(ticket_seen(db, &t, "cut", T0, &err));
    assert_ok(ticket_recent(db, &arena, "cut", 1, &r, &n, &err));
    assert_int_equal(strlen(r[0].organization), 254);
}

int test_stages(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_run_is_read_back),
        cmocka_unit_test(a_stage_out_of_order_is_refused),
        cmocka_unit_test(a_new_finding_keeps_the_old_one),
        cmocka_unit_test(evidence_of_any_size_comes_back),
        cmocka_unit_test(how_much_was_read_is_kept_beside_it),
        cmocka_unit_test(evidence_is_stored_compressed_and_damage_is_noticed),
        cmocka_unit_test(one_issue_is_on_record_for_a_failure),
        cmocka_unit_test(a_note_is_made_once),
        cmocka_unit_test(a_note_moves_only_while_its_outcome_is_open),
        cmocka_unit_test(a_late_worker_changes_no_note),
        cmocka_unit_test(another_ticket_gets_the_finding_and_its_own_note),
        cmocka_unit_test(another_ticket_waits_for_the_one_that_is_open),
        cmocka_unit_test(linear_that_was_unavailable_is_asked_again),
        cmocka_unit_test(a_failed_note_is_posted_again_by_the_agent),
        cmocka_unit_test(an_unknown_note_stays_unknown_when_it_is_tried_again),
        cmocka_unit_test(feedback_and_corrections_are_kept_in_order),
        cmocka_unit_test(the_last_fifty_tickets_of_a_person_are_kept),
        cmocka_unit_test(long_texts_of_a_ticket_are_cut_not_refused),
    };

    return cmocka_run_group_tests_name("store: stages", tests, NULL, NULL);
}
