/*
 * Words that pages share: why a read failed, states, tiles, links with the ticket and its window, rows of findings.
 */
#include "test_view_world.h"

#include <string.h>

#include "base/ts.h"
#include "web/view_sandbox.h"

#include "base/banned.h"

/* ---- links ---- */

static void test_href(void **state)
{
    struct view_world *w = view_begin();
    struct view_link *l = &w->link;

    (void)state;
    assert_string_equal(view_href(l, "/tickets/7", NULL), "/casebook/tickets/7");
    assert_string_equal(view_href(l, "/sandboxes", "state=running"),
                        "/casebook/sandboxes?state=running");
    assert_string_equal(view_href(l, "/sandboxes?key=org", "state=running"),
                        "/casebook/sandboxes?key=org&state=running");
    window(w, "13:55", "14:10");
    assert_string_equal(view_href(l, "/tickets/7", NULL),
                        "/casebook/tickets/7?from=2026-11-24T13%3A55%3A00Z&to=2026-11-"
                        "24T14%3A10%3A00Z");
    assert_string_equal(view_href(l, "/sandboxes?key=org", "life=whole#charts"),
                        "/casebook/sandboxes?key=org&from=2026-11-24T13%3A55%3A00Z&to="
                        "2026-11-24T14%3A10%3A00Z&life=whole#charts");
    l->to_us = TS_NONE; /* half a window is none */
    assert_string_equal(view_href(l, "/x", ""), "/casebook/x");
    w->conf.base_path = "";
    assert_string_equal(view_href(l, "/x", NULL), "/x");
    view_end(w);
}

static void test_sandbox_path(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    assert_string_equal(view_sandbox_path(&w->link, "iabc"), "/sandboxes/iabc");
    w->link.ticket_id = 42949672970;
    assert_string_equal(view_sandbox_path(&w->link, "iabc"),
                        "/tickets/42949672970/sandboxes/iabc");
    assert_string_equal(view_sandbox_path(&w->link, "../x?"),
                        "/tickets/42949672970/sandboxes/..%2Fx%3F");
    view_end(w);
}

static void test_window_words(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    assert_string_equal(view_window(&w->link), "");
    window(w, "13:55", "14:10");
    assert_string_equal(view_window(&w->link), "24 Nov 13:55 \xE2\x80\x93 14:10 UTC");
    window(w, "-1 23:50", "00:20");
    assert_string_equal(view_window(&w->link),
                        "23 Nov 23:50 \xE2\x80\x93 24 Nov 00:20 UTC");
    window(w, "-365 13:55", "-365 14:10");
    assert_string_equal(view_window(&w->link),
                        "24 Nov 2025 13:55 \xE2\x80\x93 14:10 UTC");
    assert_string_equal(view_field_time(&w->arena, TS_NONE), "");
    assert_string_equal(view_field_time(&w->arena, at("13:55")), "2026-11-24 13:55");
    assert_string_equal(view_field_time(&w->arena, at("13:55:07")),
                        "2026-11-24 13:55:07");
    view_end(w);
}

static void test_strip(void **state)
{
    struct view_world *w = view_begin();
    struct ticket t = {
        .id = 48213,
        .subject = "Report job dies",
        .status = "open",
        .requester = {.name = "Priya", .email = "priya@b.example"},
        .organization = "Brightwater"
    };
    struct recent_ticket known = {.id = 48213,
                                  .subject = "Report job dies",
                                  .requester = "Priya",
                                  .requester_email = "priya@b.example",
                                  .organization = "Brightwater",
                                  .status = "open"};
    struct source src = {.state = SOURCE_FAILED};

    (void)state;
    view_strip(w->hdf, &w->link, NULL, NULL, NULL, "ticket", 0);
    want(w, "Strip.Ticket", "");
    w->link.ticket_id = 48213;
    window(w, "13:55", "14:10");
    view_strip(w->hdf, &w->link, &t, NULL, NULL, "sandbox", 2);
    want(w, "Strip.Ticket", "48213");
    want(w, "Strip.Status", "Open");
    want(w, "Strip.Tile", "O");
    want(w, "Strip.Requester", "priya@b.example");
    want(w, "Strip.Window", "24 Nov 13:55 \xE2\x80\x93 14:10 UTC");
    want(w, "Strip.SandboxesHref",
         "/casebook/tickets/48213/"
         "sandboxes?from=2026-11-24T13%3A55%3A00Z&to=2026-11-24T14%"
         "3A10%3A00Z");
    want(w, "Strip.Zendesk", "https://acme.zendesk.com/agent/tickets/48213");
    want(w, "Strip.InvestigatedCount", "2");
    view_fresh(w);
    view_strip(w->hdf, &w->link, NULL, &known, &src, "ticket", 0);
    want(w, "Strip.Failed", "Zendesk did not answer");
    want(w, "Strip.Requester", "priya@b.example"); /* as last seen */
    want(w, "Strip.Organisation", "Brightwater");
    want(w, "Strip.InvestigatedCount", "");
    src.state = SOURCE_NOT_THERE;
    view_strip(w->hdf, &w->link, NULL, NULL, &src, "ticket", 0);
    want(w, "Strip.Failed", "Zendesk knows no such ticket");
    view_end(w);
}

/* ---- tiles, ids, states ---- */

static void test_status_tiles(void **state)
{
    static const struct {
        const char *status, *tile, *word;
    } table[] = {
        {"new",            "N",        "New"           },
        {"open",           "O",        "Open"          },
        {"pending",        "P",        "Pending"       },
        {"hold",           "H",        "On-hold"       },
        {"solved",         "S",        "Solved"        },
        {"closed",         "C",        "Closed"        },
        {"deleted",        "D",        "Deleted"       },
        {"",               "",         ""              },
        {"\xC3\xA0 faire", "\xC3\xA0", "\xC3\xA0 faire"}, /* no half character */
    };
    struct view_world *w = view_begin();

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        assert_string_equal(view_status_tile(&w->arena, table[i].status), table[i].tile);
        assert_string_equal(view_status_word(&w->arena, table[i].status), table[i].word);
    }
    assert_string_equal(view_short_id(&w->arena, "i7q2m0xk4v9d1c8b3zt5e"),
                        "i7q2m\xE2\x80\xA6zt5e");
    assert_string_equal(view_short_id(&w->arena, "i7q2m0xk4v9d"), "i7q2m0xk4v9d");
    view_end(w);
}

static void state_is(struct view_world *w, enum sandbox_state s, bool silent,
                     const char *kind, const char *word)
{
    struct timeline t = {.state = s, .state_text = "snapshotting", .is_silent = silent};

    view_fresh(w);
    view_state(w->hdf, &t);
    want(w, "Kind", kind);
    want(w, "Word", word);
}

static void test_states(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    state_is(w, SANDBOX_RUNNING, false, "running", "running");
    state_is(w, SANDBOX_RUNNING, true, "silent", "says running, silent");
    state_is(w, SANDBOX_PAUSED, false, "paused", "paused");
    state_is(w, SANDBOX_ENDED, false, "ended", "ended");
    state_is(w, SANDBOX_OTHER, false, "other", "snapshotting");
    view_end(w);
}

/* ---- failures ---- */

static struct source failure(enum err_kind kind, int status, int tries, int64_t took_us,
                             const char *msg)
{
    struct source src = {.state = SOURCE_FAILED, .tries = tries, .took_us = took_us};

    err_set(&src.err, kind, "%s", msg);
    src.err.http_status = status;
    return src;
}

#define Q(words) "\xE2\x80\x9C" words "\xE2\x80\x9D"

static void says(struct view_world *w, struct source src, const char *words)
{
    assert_string_equal(view_failure_words(&w->arena, "E2B", &src), words);
}

static void test_refusals(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    says(w, failure(ERR_AUTH, 401, 1, TS_SEC, "Invalid API key"),
         "E2B refused Casebook's credentials (401). An administrator must renew them.");
    says(w, failure(ERR_DENIED, 403, 1, TS_SEC, "team is blocked"),
         "E2B does not allow it (403): team is blocked");
    says(w, failure(ERR_UPSTREAM, 429, 3, 9 * TS_SEC, "slow down"),
         "E2B asked Casebook to wait: too many requests.");
    says(w, failure(ERR_INPUT, 400, 1, TS_SEC, "Invalid time range"),
         "E2B gave an answer that cannot be used: Invalid time range");
    view_end(w);
}

static void test_faults(void **state)
{
    struct view_world *w = view_begin();
    struct source src;

    (void)state;
    says(w, failure(ERR_UPSTREAM, 500, 3, 10400 * TS_MS, "boom"),
         "E2B answered " Q("500 Internal Server Error") " three times in 10.4 s.");
    says(w, failure(ERR_UPSTREAM, 503, 2, 4 * TS_SEC, ""),
         "E2B answered " Q("503 Service Unavailable") " twice in 4 s.");
    says(w, failure(ERR_UPSTREAM, 502, 1, 200 * TS_MS, ""),
         "E2B answered " Q("502 Bad Gateway") " in 0.2 s.");
    says(w, failure(ERR_UPSTREAM, 504, 5, 25 * TS_SEC, ""),
         "E2B answered " Q("504 Gateway Timeout") " 5 times in 25 s.");
    says(w, failure(ERR_TIMEOUT, 0, 1, 30 * TS_SEC, ""),
         "E2B did not answer: timed out after 30 s.");
    says(w, failure(ERR_TIMEOUT, 0, 2, 30 * TS_SEC, ""),
         "E2B did not answer twice: timed out after 30 s.");
    says(w, failure(ERR_UPSTREAM, 0, 3, 1200 * TS_MS, "the connection was cut"),
         "E2B gave no complete answer three times within 1.2 s.");
    src = failure(ERR_UPSTREAM, 0, 3, 1200 * TS_MS, "no connection could be made");
    src.err.is_unreached = true;
    says(w, src, "E2B could not be reached three times within 1.2 s.");
    view_end(w);
}

/* A page of a proxy with 200 is no answer, and no number of a status helps to understand it. */
static void test_unusable_answers(void **state)
{
    struct view_world *w = view_begin();
    const char *words = "an answer of type \"text/html\" instead of JSON: Sign in";

    (void)state;
    says(w, failure(ERR_UPSTREAM, 200, 1, TS_SEC, words),
         "E2B gave an answer that cannot be used: an answer of type \"text/html\" "
         "instead of JSON: Sign in");
    says(w, failure(ERR_UPSTREAM, 599, 1, TS_SEC, "odd"),
         "E2B gave an answer that cannot be used: odd");
    view_end(w);
}

static void test_failure_panel(void **state)
{
    struct view_world *w = view_begin();
    struct source src = failure(ERR_TIMEOUT, 0, 1, 30 * TS_SEC, "");

    (void)state;
    view_failure(w->hdf, "Zendesk", "Zendesk did not answer.", &src,
                 "This does not mean it does not exist.", "/casebook/again");
    want(w, "Title", "Zendesk did not answer.");
    want(w, "Text",
         "Zendesk did not answer: timed out after 30 s. This does not mean it does not "
         "exist.");
    want(w, "Retry", "/casebook/again");
    view_failure(w->hdf, "Zendesk", "x", &src, NULL, NULL);
    want(w, "Text", "Zendesk did not answer: timed out after 30 s.");
    want(w, "Retry", "");
    view_end(w);
}

/* ---- rows of findings ---- */

static struct inv_row found(int64_t id, enum finding_class cls)
{
    return (struct inv_row){
        .inv = {.id = id,
                .sandbox_id = "i7q2m0xk4v9d1c8b3zt5e",
                .ticket_id = 48213,
                .state = INV_DONE,
                .requested_by = "maya",
                .created_us = at("15:04:51"),
                .started_us = at("15:04:52"),
                .finished_us = at("15:05:12"),
                .failure = ""},
        .has_finding = true,
        .cls = cls,
        .reason = cls == CLASS_UNDETERMINED ? REASON_PAUSED : REASON_NONE,
        .confidence = CONFIDENCE_HIGH,
        .headline = "The script ran out of memory",
        .signature = "killed:9",
        .signature_hash = "7f3a",
        .template_id = "p3v8",
        .template_alias = "",
        .issue_identifier = "SUP-412",
        .issue_url = "https://linear.app/SUP-412",
        .outcome = LINEAR_OUTCOME_MATCHED,
        .note = NOTE_POSTED,
        .ticket_subject = "Report job dies",
        .organization = "Brightwater"
    };
}

static void test_finding_rows(void **state)
{
    struct view_world *w = view_begin();
    struct inv_row r = found(17, CLASS_OUT_OF_MEMORY);

    (void)state;
    w->rq.now_us = at("15:09:12");
    view_inv_row(w->hdf, &w->link, &r);
    want(w, "Class", "out_of_memory");
    want(w, "ClassWord", "Out of memory");
    want(w, "Confidence", "high");
    want(w, "Reason", "");
    want(w, "When.Text", "24 Nov 15:05");
    want(w, "Ago", "4 min ago");
    want(w, "Href", "/casebook/investigations/17");
    want(w, "SandboxHref", "/casebook/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e");
    want(w, "TicketHref", "/casebook/tickets/48213");
    want(w, "Template", "p3v8");
    want(w, "Linear", "known issue");
    want(w, "Note", "Note posted");
    view_fresh(w);
    r = found(18, CLASS_UNDETERMINED);
    view_inv_row(w->hdf, &w->link, &r);
    want(w, "Reason", "paused and resumable");
    want(w, "Confidence", "");
    view_end(w);
}

/* The window of the ticket in hand goes with its own rows only. */
static void test_finding_rows_keep_their_window(void **state)
{
    struct view_world *w = view_begin();
    struct inv_row r = found(17, CLASS_TIMEOUT);

    (void)state;
    window(w, "13:55", "14:10");
    w->link.ticket_id = 48213;
    view_inv_row(w->hdf, &w->link, &r);
    assert_non_null(strstr(got(w, "TicketHref"), "from=2026-11-24T13%3A55"));
    w->link.ticket_id = 7;
    view_inv_row(w->hdf, &w->link, &r);
    want(w, "TicketHref", "/casebook/tickets/48213");
    view_end(w);
}

static void test_rows_without_a_finding(void **state)
{
    static const struct {
        enum inv_state state;
        bool started;
        const char *words;
    } table[] = {
        {INV_QUEUED,    false, "Waiting for the agent"},
        {INV_QUEUED,    true,  "Running"              },
        {INV_COLLECTED, true,  "Running"              },
        {INV_NOTED,     true,  "Running"              },
        {INV_FAILED,    true,  "Failed"               },
        {INV_CANCELED,  true,  "Cancelled"            },
    };
    struct view_world *w = view_begin();

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct inv_row r = found(17, CLASS_TIMEOUT);

        r.has_finding = false;
        r.inv.state = table[i].state;
        r.inv.finished_us = TS_NONE;
        r.inv.started_us = table[i].started ? at("15:04:52") : TS_NONE;
        view_fresh(w);
        view_inv_row(w->hdf, &w->link, &r);
        want(w, "State", table[i].words);
        want(w, "Class", "");
        want(w, "When.Text", "24 Nov 15:04"); /* when it was asked for */
    }
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_href),
        cmocka_unit_test(test_sandbox_path),
        cmocka_unit_test(test_window_words),
        cmocka_unit_test(test_strip),
        cmocka_unit_test(test_status_tiles),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_unusable_answers),
        cmocka_unit_test(test_failure_panel),
        cmocka_unit_test(test_finding_rows),
        cmocka_unit_test(test_finding_rows_keep_their_window),
        cmocka_unit_test(test_rows_without_a_finding),
    };

    return cmocka_run_group_tests_name("words of the views", tests, NULL, NULL);
}
