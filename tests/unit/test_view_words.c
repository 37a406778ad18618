/*
 * Words that pages share: how a sandbox lies against the complaint window, why a read failed, states, tiles,
 * links with the ticket and its window, rows of findings.
 */
#include "test_view_world.h"

#include <string.h>

#include "base/ts.h"
#include "web/view_sandbox.h"
#include "web/view_search.h"

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
    says(w, failure(ERR_UPSTREAM, 0, 3, 1200 * TS_MS, "connection refused"),
         "E2B could not be reached three times within 1.2 s.");
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

/* ---- the search's rows ---- */

static void search(struct view_world *w)
{
    struct search_row r = {
        .timeline = w->tl,
        .sandbox_id = w->ev.sandbox_id,
        .matched = {"userId", "org"},
        .matched_count = 2,
        .in_ledger = true
    };

    r.overlap = timeline_overlap(&w->tl, w->link.from_us, w->link.to_us, w->rq.now_us);
    view_fresh(w);
    view_search_row(w->hdf, &w->link, &r, NULL, true);
}

static void against(struct view_world *w, bool marked, const char *words)
{
    search(w);
    want(w, "Overlap", marked ? "1" : "");
    want(w, "Against", words);
}

static void test_against_the_window(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "13:48", "14:15", END);
    against(w, false, "");
    window(w, "13:55", "14:10");
    against(w, true, "overlaps all of it");
    set_life(w, SANDBOX_ENDED, "13:48", "13:57", END);
    against(w, true, "overlaps its first 2 min");
    set_life(w, SANDBOX_ENDED, "14:07", "14:57", END);
    against(w, true, "overlaps its last 3 min");
    set_life(w, SANDBOX_ENDED, "14:00", "14:04", END);
    against(w, true, "overlaps 4 min in the middle of it");
    set_life(w, SANDBOX_ENDED, "13:00", "13:28", END);
    against(w, false, "ended 27 min before it");
    set_life(w, SANDBOX_ENDED, "14:58", "14:59", END);
    against(w, false, "started 48 min after it");
    set_life(w, SANDBOX_PAUSED, "13:00", "13:50", "14:20", "14:30", END);
    against(w, false, "paused during all of it");
    set_life(w, SANDBOX_ENDED, "13:00", "13:58", "14:06", "14:30", END);
    against(w, true, "overlaps 7 min of it, with a pause between");
    set_life(w, SANDBOX_RUNNING, "13:30", "", END);
    w->execs[0].last_sign_us = w->tl.last_sign_us = at("13:44");
    w->tl.is_silent = true;
    against(w, true, "may overlap: silent since 13:44");
    view_end(w);
}

static void bar(struct view_world *w, int i, const char *kind, const char *x,
                const char *width)
{
    want(w, arena_fmt(&w->arena, "Bars.%d.Kind", i), kind);
    want(w, arena_fmt(&w->arena, "Bars.%d.X", i), x);
    want(w, arena_fmt(&w->arena, "Bars.%d.W", i), width);
}

/* The window of 20 min with 40 min on both sides: 13:10 to 14:50, ten thousandths a minute. */
static void test_mini_bars(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    window(w, "13:50", "14:10");
    view_search_axis(w->hdf, &w->link);
    want(w, "Axis.IsSet", "1");
    want(w, "Axis.From", "13:50");
    want(w, "Axis.To", "14:10");
    want(w, "Axis.WinX", "400");
    want(w, "Axis.WinW", "200");
    set_life(w, SANDBOX_ENDED, "13:20", "13:30", "13:40", "14:00", END);
    search(w);
    assert_int_equal(rows(w, "Bars"), 3);
    bar(w, 0, "running", "100", "100");
    bar(w, 1, "paused", "200", "100");
    bar(w, 2, "running", "300", "200");
    set_life(w, SANDBOX_PAUSED, "13:00", "13:30", END); /* still paused */
    search(w);
    bar(w, 0, "running", "0", "200");
    bar(w, 1, "paused", "200", "800");
    set_life(w, SANDBOX_RUNNING, "13:20", "", END);
    w->tl.is_silent = true;
    w->execs[0].last_sign_us = at("13:44");
    search(w);
    bar(w, 0, "running", "100", "240");
    bar(w, 1, "silent", "340", "660");
    set_life(w, SANDBOX_ENDED, "12:00", "12:30", END);
    search(w);
    assert_int_equal(rows(w, "Bars"), 0);
    want(w, "Outside", "before");
    set_life(w, SANDBOX_ENDED, "14:55", "14:56", END);
    search(w);
    want(w, "Outside", "after");
    set_life(w, SANDBOX_ENDED, "14:00:00", "14:00:01", END); /* never too thin to see */
    search(w);
    bar(w, 0, "running", "500", "4");
    view_end(w);
}

/* Gone without a trace of its end: surely up to its last sign, perhaps up to its deadline. */
static void test_mini_bar_of_a_lost_end(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    window(w, "13:50", "14:10");
    set_life(w, SANDBOX_ENDED, "13:20", "", END);
    w->execs[0].end = EXEC_GONE;
    w->execs[0].last_sign_us = at("13:40");
    w->execs[0].deadline_us = at("14:20");
    search(w);
    assert_int_equal(rows(w, "Bars"), 2);
    bar(w, 0, "running", "100", "200");
    bar(w, 1, "silent", "300", "400");
    w->execs[0].deadline_us = TS_NONE;
    search(w);
    assert_int_equal(rows(w, "Bars"), 2);
    bar(w, 1, "silent", "300", "700"); /* nobody knows until when */
    view_end(w);
}

static void test_search_columns(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    set_life(w, SANDBOX_ENDED, "13:48:12", "13:56:40", "13:59:31", "14:15:06", END);
    w->tl.template_alias = "report-py";
    w->tl.template_id = "p3v8";
    search(w);
    want(w, "Id", "i7q2m0xk4v9d1c8b3zt5e");
    want(w, "Href", "/casebook/sandboxes/i7q2m0xk4v9d1c8b3zt5e");
    want(w, "Started.Text", "13:48:12");
    want(w, "StartedDay", "today");
    want(w, "RanFor", "24 min 3 s");
    want(w, "Second", "paused 2 min 51 s");
    want(w, "Matched", "userId, org");
    want(w, "Source", "from Casebook's record");
    want(w, "Template", "report-py");
    set_life(w, SANDBOX_PAUSED, "-1 13:48", "-1 13:56", END);
    search(w);
    want(w, "StartedDay", "yesterday");
    want(w, "Second", "paused since 13:56");
    set_life(w, SANDBOX_RUNNING, "-3 14:04:49", "", END);
    search(w);
    want(w, "StartedDay", "21 Nov");
    want(w, "RanFor", "3 days so far");
    w->tl.is_silent = true;
    w->tl.last_sign_us = at("13:44");
    search(w);
    want(w, "RanFor", "unknown");
    want(w, "Second", "last sign of life 13:44");
    set_life(w, SANDBOX_OTHER, END);
    search(w);
    want(w, "Started.Text", "");
    want(w, "RanFor", "");
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
        cmocka_unit_test(test_against_the_window),
        cmocka_unit_test(test_mini_bars),
        cmocka_unit_test(test_mini_bar_of_a_lost_end),
        cmocka_unit_test(test_search_columns),
        cmocka_unit_test(test_finding_rows),
        cmocka_unit_test(test_finding_rows_keep_their_window),
        cmocka_unit_test(test_rows_without_a_finding),
    };

    return cmocka_run_group_tests_name("words of the views", tests, NULL, NULL);
}
