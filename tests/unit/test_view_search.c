/*
 * The search on the page: its rows and how they lie against the complaint window, what matched and where it is
 * from, the counts, what was tried, what failed.
 */
#include "test_view_world.h"

#include <string.h>

#include "base/ts.h"
#include "web/view_search.h"

#include "base/banned.h"

/* ---- the search's rows ---- */

static void search(struct view_world *w)
{
    struct search_row r = {
        .timeline = w->tl,
        .sandbox_id = w->ev.sandbox_id,
        .matched = {{"userId", NULL}, {"org", NULL}},
        .matched_count = 2,
        .in_ledger = true,
        .seen_us = TS_NONE,
    };

    r.overlap = timeline_overlap(&w->tl, w->link.from_us, w->link.to_us, w->rq.now_us);
    view_fresh(w);
    view_search_row(w->hdf, &w->link, &r, NULL);
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

/* In words, not by colour alone; and one that only may have run is not told to have run. */
static void test_overlap_in_words(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    window(w, "13:55", "14:10");
    set_life(w, SANDBOX_ENDED, "13:48", "14:15", END);
    search(w);
    want(w, "OverlapWord", "ran during the complaint window");
    set_life(w, SANDBOX_ENDED, "13:00", "", END);
    w->execs[0].end = EXEC_GONE;
    w->execs[0].last_sign_us = at("13:44");
    against(w, true, "may overlap: last heard of at 13:44");
    want(w, "OverlapWord", "may have run during the complaint window");
    set_life(w, SANDBOX_PAUSED, "13:00", "13:43", END);
    against(w, false, "paused 12 min before it");
    want(w, "OverlapWord", "");
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
    want(w, "Axis.From.Text", "13:50");
    want(w, "Axis.To.Text", "14:10");
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
    w->execs[0].end_us = at("13:45");  /* found gone then */
    search(w);
    bar(w, 1, "silent", "300", "50");
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

/* ---- where a row is from ---- */

static void put(struct view_world *w, const struct search_row *r)
{
    view_fresh(w);
    view_search_row(w->hdf, &w->link, r, NULL);
}

static void test_source(void **state)
{
    struct view_world *w = view_begin();
    struct search_row r = {.sandbox_id = "ix", .in_list = true, .seen_us = TS_NONE};

    (void)state;
    set_life(w, SANDBOX_RUNNING, "13:00", "", END);
    r.timeline = w->tl;
    put(w, &r);
    want(w, "Source", "in E2B's list now");
    r.timeline.has_old_snapshot = true;
    put(w, &r);
    want(w, "Source", "E2B lists an older snapshot of it");
    r.timeline.has_old_snapshot = r.in_list = false;
    put(w, &r);
    want(w, "Source", "from Casebook's record");
    r.is_unlooked = true; /* its state is that of the record, so its age counts */
    r.seen_us = w->rq.now_us - 40 * TS_SEC;
    put(w, &r);
    want(w, "Source", "from Casebook's record, 40 s ago");
    view_end(w);
}

static void test_matched_and_fork(void **state)
{
    struct view_world *w = view_begin();
    struct search_row r = {
        .sandbox_id = "ix",
        .seen_us = TS_NONE,
        .matched = {{"userId", NULL}, {"org", "ACME"}},
        .matched_count = 2,
        .is_fork = true
    };

    (void)state;
    set_life(w, SANDBOX_ENDED, "13:00", "13:10", END);
    r.timeline = w->tl;
    put(w, &r);
    want(w, "Matched",
         "userId, org, spelled \xE2\x80\x9C"
         "ACME\xE2\x80\x9D");
    want(w, "Fork", "1");
    r.is_fork = false;
    put(w, &r);
    want(w, "Fork", "");
    view_end(w);
}

/* ---- the whole of it ---- */

static struct search_ask asks[3];

/* "userId" as given and in capitals, "org" as given: all answered, none found. */
static struct search some_search(struct view_world *w)
{
    struct search s = {
        .rq = &w->rq,
        .keys = {"userId", "org"},
        .key_count = 2,
        .asks = asks,
        .ask_count = 3,
        .is_asking = true,
        .since_us = at("09:00"),
        .last_us = at("15:04"),
        .is_fresh = true,
        .page = 1
    };

    memset(asks, 0, sizeof asks);
    asks[0] = (struct search_ask){.value = "x"};
    asks[1] = (struct search_ask){.value = "X", .is_variant = true};
    asks[2] = (struct search_ask){.value = "x", .key = 1};
    for (size_t i = 0; i < 3; i++) {
        asks[i].list.src.state = SOURCE_OK;
        asks[i].running = -1;
    }
    view_fresh(w);
    return s;
}

static void test_tried(void **state)
{
    struct view_world *w = view_begin();
    struct search s = some_search(w);

    (void)state;
    asks[0].listed = 1204;
    asks[0].kept = 20000;
    view_search_tried(w->hdf, &s);
    assert_int_equal(rows(w, "Tried"), 2);
    want(w, "Tried.0.Key", "userId");
    want(w, "Tried.0.Value", "x");
    want(w, "Tried.0.Listed", "1,204");
    want(w, "Tried.0.Kept", "20,000");
    want(w, "Tried.1.Key", "org");
    want(w, "Tried.1.Listed", "none");
    want(w, "Tried.1.Kept", "none");
    want(w, "TriedGuesses", "X"); /* a guess that found nothing is no line of its own */
    s = some_search(w);
    asks[1].kept = 2; /* but one that found something is */
    asks[2].list.src.state = SOURCE_FAILED;
    s.ledger_failed = true;
    view_search_tried(w->hdf, &s);
    assert_int_equal(rows(w, "Tried"), 3);
    want(w, "Tried.1.Value", "X");
    want(w, "Tried.1.IsVariant", "1");
    want(w, "Tried.2.Listed", "no answer");
    want(w, "Tried.2.Kept", "not read");
    want(w, "TriedGuesses", "");
    s = some_search(w);
    asks[0].listed = 100;
    asks[0].has_more = true;
    view_search_tried(w->hdf, &s);
    want(w, "Tried.0.Listed", "100 read, there are more");
    view_end(w);
}

static void test_counts(void **state)
{
    struct view_world *w = view_begin();
    struct search s = some_search(w);

    (void)state;
    s.hit_count = 22500;
    s.all_count = 22500;
    s.over_count = 1;
    s.listed_count = 2500;
    s.only_kept_count = 20000;
    s.first = 50;
    s.row_count = 50;
    view_search_counts(w->hdf, &s);
    want(w, "RowCount", "22,500");
    want(w, "OverCount", "1");
    want(w, "OverIsOne", "1");
    want(w, "ListedCount", "2,500");
    want(w, "KeptCount", "20,000");
    want(w, "FirstRow", "51");
    want(w, "LastRow", "100");
    want(w, "AllShown", "");
    want(w, "IsNarrowed", "");
    want(w, "IsPartial", "");
    asks[0].has_more = true;
    s.is_fresh = false;
    view_search_counts(w->hdf, &s);
    want(w, "IsPartial", "1");
    s.hit_count = s.row_count = 1;
    view_search_counts(w->hdf, &s);
    want(w, "IsOne", "1");
    want(w, "IsNarrowed", "1");
    want(w, "AllCount", "22,500");
    want(w, "AllShown", "1");
    view_end(w);
}

/* ---- what failed ---- */

static void fail_list(struct search_ask *ask, enum err_kind kind, int status)
{
    ask->list.src.state = SOURCE_FAILED;
    ask->list.src.tries = 1;
    err_set(&ask->list.src.err, kind, "no");
    ask->list.src.err.http_status = status;
}

static bool failures(struct view_world *w, const struct search *s)
{
    view_fresh(w);
    return view_search_failures(w->hdf, s, "/again");
}

static void test_no_failure(void **state)
{
    struct view_world *w = view_begin();
    struct search s = some_search(w);

    (void)state;
    assert_false(failures(w, &s));
    want(w, "Failed.Title", "");
    want(w, "LedgerFailed", "");
    assert_int_equal(rows(w, "Warn"), 0);
    view_end(w);
}

/* Either half that fails is said, and with no row it is not known whether there are any. */
static void test_halves_that_fail(void **state)
{
    struct view_world *w = view_begin();
    struct search s = some_search(w);

    (void)state;
    fail_list(&asks[2], ERR_UPSTREAM, 503);
    assert_true(failures(w, &s));
    want(w, "Failed.Title", "The search could not be made.");
    assert_non_null(
        strstr(got(w, "Failed.Text"), "This does not mean that there are none"));
    want(w, "Failed.Retry", "/again");
    s.all_count = 2;
    assert_false(failures(w, &s));
    want(w, "Failed.Title", "Part of the search failed.");
    assert_non_null(strstr(got(w, "Failed.Text"), "the part that answered"));
    fail_list(&asks[0], ERR_UPSTREAM, 503);
    fail_list(&asks[1], ERR_UPSTREAM, 503);
    assert_false(failures(w, &s));
    assert_non_null(strstr(got(w, "Failed.Text"), "from Casebook's record only"));
    s = some_search(w);
    s.ledger_failed = true;
    assert_true(failures(w, &s));
    want(w, "LedgerFailed", "1");
    want(w, "Failed.Title", "");
    s.all_count = 2;
    assert_false(failures(w, &s));
    want(w, "LedgerFailed", "1");
    fail_list(&asks[0], ERR_AUTH, 401);
    s.all_count = 0;
    assert_true(failures(w, &s));
    assert_non_null(strstr(got(w, "Failed.Text"), "could not be read either"));
    view_end(w);
}

/* A list that answered, but not with all of it. */
static void test_parts_that_are_missing(void **state)
{
    struct view_world *w = view_begin();
    struct search s = some_search(w);

    (void)state;
    s.all_count = 2;
    asks[0].listed = 2000;
    asks[0].list.pages = 20;
    asks[0].list.src.is_cut = true;
    assert_false(failures(w, &s));
    assert_int_equal(rows(w, "Warn"), 1);
    want(w, "Warn.0.Title",
         "E2B's list for the tag userId is longer than Casebook reads.");
    assert_non_null(strstr(got(w, "Warn.0.Text"), "page 20, 2000 sandboxes"));
    err_set(&asks[0].list.src.err, ERR_TIMEOUT, "late");
    assert_false(failures(w, &s));
    assert_int_equal(rows(w, "Warn"), 1);
    want(w, "Warn.0.Title", "E2B's list for the tag userId broke off.");
    want(w, "Failed.Title", "");
    asks[0].list.src.is_cut = false;
    assert_false(failures(w, &s));
    want(w, "Warn.0.Title", "Some of E2B's list for the tag userId cannot be read.");
    s.all_count = 0; /* what cannot be read may have been the only one */
    assert_true(failures(w, &s));
    view_end(w);
}

static void test_more_at_e2b(void **state)
{
    struct view_world *w = view_begin();
    struct search s = some_search(w);

    (void)state;
    s.all_count = 2500;
    asks[0].has_more = true;
    asks[0].listed = 100;
    asks[0].running = 2500;
    assert_false(failures(w, &s));
    want(w, "Warn.0.Title",
         "More at E2B: its list says 2,500 running for the tag userId.");
    want(w, "Warn.0.Text",
         "The newest 100 were read now; the others are shown as "
         "Casebook's record had them 49 s ago.");
    want(w, "Warn.0.Tone", "quiet"); /* nothing is missing */
    s.is_fresh = false;
    asks[0].running = -1;
    assert_false(failures(w, &s));
    want(w, "Warn.0.Tone", "warn");
    want(w, "Warn.0.Title", "More at E2B: its list for the tag userId goes on.");
    assert_non_null(
        strstr(got(w, "Warn.0.Text"), "the next pages of this search read on"));
    view_end(w);
}

static void test_record_behind(void **state)
{
    struct view_world *w = view_begin();
    struct search s = some_search(w);

    (void)state;
    s.last_us = at("14:04");
    assert_false(failures(w, &s));
    want(w, "Warn.0.Title", "Casebook's record is behind.");
    assert_non_null(strstr(got(w, "Warn.0.Text"), "brought up to date 1 h ago"));
    s.last_us = at("15:04");
    s.ledger_is_cut = true;
    assert_false(failures(w, &s));
    want(w, "Warn.0.Title", "Casebook's record holds more than it reads for one search.");
    s.ledger_is_cut = false;
    s.details_failed = true;
    assert_false(failures(w, &s));
    want(w, "Warn.0.Title", "Some of Casebook's own record could not be read.");
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_the_window),
        cmocka_unit_test(test_overlap_in_words),
        cmocka_unit_test(test_mini_bars),
        cmocka_unit_test(test_mini_bar_of_a_lost_end),
        cmocka_unit_test(test_search_columns),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_matched_and_fork),
        cmocka_unit_test(test_tried),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_no_failure),
        cmocka_unit_test(test_halves_that_fail),
        cmocka_unit_test(test_parts_that_are_missing),
        cmocka_unit_test(test_more_at_e2b),
        cmocka_unit_test(test_record_behind),
    };

    return cmocka_run_group_tests_name("the search on the page", tests, NULL, NULL);
}
