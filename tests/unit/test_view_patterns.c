/* The patterns page from counted findings, and the customer's time zone for the bar. */
#include "test_view_world.h"

#include "ticket/zone_iana.h"
#include "web/view_patterns.h"

#include <string.h>

#include "base/banned.h"

#define DAYS 7

static struct pattern a_pattern(void)
{
    return (struct pattern){
        .findings = 6,
        .sandboxes = 5,
        .customers = 4,
        .templates = 1,
        .first_us = at("-5 10:00:00"),
        .last_us = at("14:00:00"),
        .issue_uuid = "uuid-412",
        .newest = {.inv = {.id = 9,
                           .sandbox_id = "i7q2m0xk4v9d1c8b3zt5e",
                           .requested_by = "maya",
                           .failure = "",
                           .created_us = at("14:00:00"),
                           .finished_us = TS_NONE},
                   .has_finding = true,
                   .cls = CLASS_OUT_OF_MEMORY,
                   .confidence = CONFIDENCE_HIGH,
                   .headline = "The report script ran out of memory",
                   .signature = "killed:9",
                   .signature_hash = "7f3a",
                   .template_id = "t",
                   .template_alias = "report-py",
                   .issue_identifier = "SUP-412",
                   .issue_url = "https://linear.app/x/issue/SUP-412",
                   .outcome = LINEAR_OUTCOME_MATCHED,
                   .ticket_subject = "",
                   .organization = ""}
    };
}

/* Three of one class on the last day, one on the first; one of another class. */
static void test_bars_have_one_scale(void **state)
{
    struct view_world *w = view_begin();
    int64_t by_day[CLASS_COUNT * DAYS] = {0};
    struct patterns none = {0};
    struct patterns_view v = {.link = &w->link,
                              .days = DAYS,
                              .first_day_us = at("-6 00:00:00"),
                              .by_day = by_day,
                              .patterns = &none};

    (void)state;
    by_day[CLASS_OUT_OF_MEMORY * DAYS] = 1;
    by_day[CLASS_OUT_OF_MEMORY * DAYS + 6] = 40;
    by_day[CLASS_CRASHED * DAYS + 6] = 20;
    view_patterns(w->hdf, &v);
    want(w, "Total", "61");
    want(w, "From", "18 Nov");
    want(w, "To", "24 Nov");
    want(w, "Width", "70");
    want(w, "Charts.0.Total", "41");
    want(w, "Charts.0.Sentence", "most on 24 Nov: 40");
    want(w, "Charts.0.Bars.0.X", "0");
    want(w, "Charts.0.Bars.0.H", "2"); /* one can be seen beside forty */
    want(w, "Charts.0.Bars.0.Y", "38");
    want(w, "Charts.0.Bars.0.Text", "18 Nov: 1");
    want(w, "Charts.0.Bars.1.X", "60");
    want(w, "Charts.0.Bars.1.H", "40");
    want(w, "Charts.3.Bars.0.H", "20"); /* half of the largest of all charts */
    want(w, "Charts.1.Sentence", "none in 7 days");
    want(w, "Charts.1.Bars.0.X", "");
    want(w, "Numbers.0.Day", "24 Nov");
    want(w, "Numbers.0.Total", "60");
    want(w, "Numbers.0.Cells.3.Count", "20");
    want(w, "Numbers.1.Day", "18 Nov");
    want(w, "Numbers.2.Day", "");
    view_end(w);
}

static void test_a_pattern_with_its_issue(void **state)
{
    struct view_world *w = view_begin();
    int64_t by_day[CLASS_COUNT * DAYS] = {0};
    struct pattern p = a_pattern();
    struct patterns all = {.items = &p, .count = 1, .has_more = true};
    struct linear_issue issue = {
        .id = "uuid-412", .state_name = "In Progress", .state_type = "started"};
    struct linear_issues live = {.items = &issue, .count = 1};
    struct source src = {.state = SOURCE_OK};
    struct patterns_view v = {.link = &w->link,
                              .days = DAYS,
                              .first_day_us = at("-6 00:00:00"),
                              .by_day = by_day,
                              .patterns = &all,
                              .live = &live,
                              .live_src = &src};

    (void)state;
    view_patterns(w->hdf, &v);
    want(w, "Patterns.0.Headline", "The report script ran out of memory");
    want(w, "Patterns.0.Findings", "6 findings");
    want(w, "Patterns.0.Sandboxes", "5 sandboxes");
    want(w, "Patterns.0.Customers", "4 customers");
    want(w, "Patterns.0.Templates", "1 template");
    want(w, "Patterns.0.First.Text", "19 Nov 10:00");
    want(w, "Patterns.0.FirstAgo", "5 days ago");
    want(w, "Patterns.0.StateWord", "In Progress");
    want(w, "Patterns.0.StateType", "started");
    want(w, "PatternsCut", "1");
    want(w, "LiveFailed", "");
    assert_non_null(
        strstr(got(w, "Patterns.0.ListHref"), "/investigations?signature=7f3a"));

    /* a person linked another issue: the state of the old one is not told as its */
    p.issue_uuid = "";
    view_fresh(w);
    view_patterns(w->hdf, &v);
    want(w, "Patterns.0.StateWord", "");
    view_end(w);
}

static void test_states_that_could_not_be_read(void **state)
{
    struct view_world *w = view_begin();
    int64_t by_day[CLASS_COUNT * DAYS] = {0};
    struct pattern p = a_pattern();
    struct patterns all = {.items = &p, .count = 1};
    struct source src = {.state = SOURCE_FAILED, .tries = 1, .took_us = 3 * TS_SEC};
    struct patterns_view v = {.link = &w->link,
                              .days = DAYS,
                              .first_day_us = at("-6 00:00:00"),
                              .by_day = by_day,
                              .patterns = &all,
                              .live_src = &src};

    (void)state;
    src.err.kind = ERR_TIMEOUT;
    view_patterns(w->hdf, &v);
    want(w, "Patterns.0.StateWord", "");
    want(w, "LiveFailed", "Linear did not answer: timed out after 3 s.");
    view_end(w);
}

static void test_the_message_above_the_list(void **state)
{
    struct view_world *w = view_begin();
    struct pattern p = a_pattern();

    (void)state;
    view_repeat(w->hdf, &w->link, &p);
    want(w, "Title",
         "Same failure at several customers: The report script ran out of memory");
    want(w, "Text", "6 findings for 4 customers since 19 Nov.");
    want(w, "Issue", "SUP-412");
    want(w, "HrefText", "Show the 6");
    view_end(w);
}

static void test_zendesk_zones_as_browsers_name_them(void **state)
{
    (void)state;
    assert_string_equal(zone_iana("London"), "Europe/London");
    assert_string_equal(zone_iana("eastern time (us & canada)"), "America/New_York");
    assert_string_equal(zone_iana("Nuku'alofa"), "Pacific/Tongatapu");
    assert_string_equal(zone_iana("Asia/Tokyo"), "Asia/Tokyo");
    assert_string_equal(zone_iana("Atlantis"), "");
    assert_string_equal(zone_iana("a/\"><script>"), "");
    assert_string_equal(zone_iana(""), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bars_have_one_scale),
        cmocka_unit_test(test_a_pattern_with_its_issue),
        cmocka_unit_test(test_states_that_could_not_be_read),
        cmocka_unit_test(test_the_message_above_the_list),
        cmocka_unit_test(test_zendesk_zones_as_browsers_name_them),
    };

    return cmocka_run_group_tests_name("patterns", tests, NULL, NULL);
}
