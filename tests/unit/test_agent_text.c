/* The texts that leave for Linear and Zendesk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/issue_text.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "model/linear.h"
#include "outgoing/mask.h"
#include "outgoing/note_text.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define NOW INT64_C(1795960800000000) /* 2026-11-29 14:00:00 UTC */
#define TOKEN "cbk3b9c51e07d2a4f6018ce77aa"
#define MARKER "9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b"

static struct mask *mask;
static struct arena arena = ARENA_INIT;

static int set_up(void **state)
{
    (void)state;
    mask = mask_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mask_free(mask);
    arena_release(&arena);
    return 0;
}

static struct finding a_finding(void)
{
    return (struct finding){
        .cls = CLASS_OUT_OF_MEMORY,
        .confidence = CONFIDENCE_HIGH,
        .signature = "oom python pandas read_csv",
        .headline = "The report script ran out of memory and was killed",
        .brief = "At 14:02:58 it held 498 MiB of 512 MiB.",
        .failed_at_us = NOW,
        .customer_reply = "Hello, the script needed more memory than the sandbox has.",
        .missing = "",
        .fix = "A template with 1 GiB.",
        .program = "report.py",
        .template_id = "tpl0report000000000000",
        .template_alias = "report-runner",
    };
}

static struct investigation an_investigation(void)
{
    return (struct investigation){.id = 7,
                                  .sandbox_id = "i7q2m0xk4v9d1c8b3zt5e",
                                  .ticket_id = 1001,
                                  .requested_by = "ann.engineer"};
}

static const char *body_of(const struct finding *f, const struct evidence *ev)
{
    struct investigation inv = an_investigation();

    return issue_body(&arena, mask, f, ev, &inv, NULL, TOKEN,
                      "https://cb.example/investigations/7");
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n >= m && strcmp(s + n - m, end) == 0;
}

static size_t occurrences(const char *s, const char *of)
{
    size_t n = 0;

    while ((s = strstr(s, of)) != NULL) {
        n++;
        s += strlen(of);
    }
    return n;
}

static char *filled(char c, size_t n)
{
    char *s = arena_alloc(&arena, n + 1);

    memset(s, c, n);
    return s;
}

static void title_is_one_bounded_line(void **state)
{
    struct finding f = a_finding();
    char *title;

    (void)state;
    assert_string_equal(issue_title(&arena, mask, &f, NULL),
                        "Out of memory: The report script ran out of memory and was "
                        "killed (report-runner)");
    f.template_alias = "";
    assert_string_equal(
        issue_title(&arena, mask, &f, NULL),
        "Out of memory: The report script ran out of memory and was killed "
        "(tpl0report000000000000)");
    f.headline = arena_fmt(&arena, "a\nb %s", filled('x', 500));
    title = issue_title(&arena, mask, &f, NULL);
    assert_true(strlen(title) <= 200);
    assert_null(strchr(title, '\n'));
    f.headline = "mail to ann@customer.example";
    assert_non_null(strstr(issue_title(&arena, mask, &f, NULL), "mail to [email]"));
}

static void body_has_all_parts(void **state)
{
    struct finding f = a_finding();
    const char *factors[] = {"disk_full", "exit_code:137"};
    struct evidence_item items[] = {
        {.at_us = NOW,     .kind = "memory", .text = "498 MiB of 512 MiB | the `kill` line"},
        {.at_us = TS_NONE, .kind = "log",    .text = "concerns no moment"                  },
    };
    struct event events[] = {
        {.type = EVENT_CREATED,                  .at_us = NOW - TS_HOUR  },
        { .type = EVENT_OTHER,
         .type_text = "sandbox.lifecycle.moved",
         .at_us = NOW - TS_MIN},
        {                                            .type = EVENT_KILLED,                 .at_us = NOW + TS_MIN, .kill_reason = "timeout"},
    };
    struct evidence ev = {.now_us = NOW, .events = events, .event_count = 3};
    const char *body;

    (void)state;
    f.factors = factors;
    f.factor_count = 2;
    f.evidence = items;
    f.evidence_count = 2;
    body = body_of(&f, &ev);
    assert_non_null(strstr(body,
                           "## Root cause\n\n**Out of memory** (high confidence)\n\n"
                           "The report script ran out of memory and was killed\n\n"
                           "At 14:02:58 it held 498 MiB of 512 MiB.\n\n"
                           "What would fix it: A template with 1 GiB.\n"));
    assert_non_null(strstr(body,
                           "- Sandbox: `i7q2m0xk4v9d1c8b3zt5e`\n"
                           "- Template: `report-runner` (`tpl0report000000000000`)\n"
                           "- Beside it: `disk_full` `exit_code:137`\n"));
    assert_non_null(strstr(body, "| 29 Nov 13:00:00 | session started |\n"));
    assert_non_null(strstr(body, "| `sandbox.lifecycle.moved` |\n"));
    assert_non_null(strstr(body, "| terminated, reason timeout |\n"));
    assert_non_null(strstr(body, "| 498 MiB of 512 MiB / the 'kill' line |\n"));
    assert_null(strstr(body, "concerns no moment"));
    /* in the order of time: the evidence stands between the events */
    assert_true(strstr(body, "498 MiB of 512 MiB / ") > strstr(body, "lifecycle.moved"));
    assert_true(strstr(body, "498 MiB of 512 MiB / ") < strstr(body, "| terminated"));
    assert_non_null(
        strstr(body, "Finding in Casebook: https://cb.example/investigations/7\n"));
    assert_non_null(strstr(body, "\nSignature: `oom python pandas read_csv`\n"));
    assert_true(ends_with(body, "\nMark of this failure: `" TOKEN "`\n"));
    assert_null(strstr(body, "masked"));
    assert_null(strstr(body, "ann.engineer"));
}

/* Linear would make links and mentions of them: in inline code they stay what they are. */
static void prose_cannot_become_links_or_mentions(void **state)
{
    struct finding f = a_finding();
    struct evidence ev = {.now_us = NOW};
    const char *body;

    (void)state;
    f.brief =
        "See CORE-12 and https://linear.app/x/profiles/ann, then run `report.py` (2 of "
        "3): **bold** _x_.";
    body = body_of(&f, &ev);
    assert_non_null(strstr(body,
                           "\nSee `CORE-12` and `https://linear.app/x/profiles/ann`, "
                           "then run `'report.py'` (2 of 3): `**bold**` `_x_`.\n"));
}

static struct customer a_customer(void)
{
    struct customer c = {.count = 0};

    customer_add_name(&c, &arena, "Priya Raman");
    customer_add_name(&c, &arena, "Brightwater");
    return c;
}

static void no_text_names_the_customer(void **state)
{
    struct finding f = a_finding();
    struct customer who = a_customer();
    struct investigation inv = an_investigation();
    struct output_line out[] = {
        {.at_us = NOW, .text = "loading brightwater/orders for Priya"}
    };
    struct evidence ev = {.now_us = NOW, .output = out, .output_count = 1};
    const char *body;

    (void)state;
    f.headline = "The job of Priya Raman failed";
    f.brief = "It is Brightwater's.";
    f.signature = "KeyError in brightwater_orders";
    body = issue_body(&arena, mask, &f, &ev, &inv, &who, TOKEN, "");
    assert_null(strcasestr(body, "priya"));
    assert_null(strcasestr(body, "brightwater"));
    assert_non_null(
        strstr(body, "\n4 values that look secret or personal were masked.\n"));
    assert_null(strstr(issue_title(&arena, mask, &f, &who), "Priya"));
    assert_string_equal(issue_search_words(&arena, mask, &f, &who),
                        "KeyError in [customer]_orders report-runner");
}

static void a_comment_tells_of_nobody(void **state)
{
    struct finding f = a_finding();

    (void)state;
    assert_string_equal(issue_comment(&arena, mask, &f, NOW, "https://cb.example/i/7"),
                        "Seen again, by another customer: Out of memory in template "
                        "`report-runner`, 29 Nov 14:00:00 UTC.\n\n"
                        "Finding in Casebook: https://cb.example/i/7");
}

static void excerpt_stops_after_the_failure(void **state)
{
    struct finding f = a_finding();
    struct output_line out[50];
    struct evidence ev = {.now_us = NOW, .output = out, .output_count = 50};
    const char *body;

    (void)state;
    for (int i = 0; i < 50; i++)
        out[i] = (struct output_line){.at_us = NOW + (i - 40) * TS_SEC,
                                      .text = arena_fmt(&arena, "line <%d>", i)};
    body = body_of(&f, &ev);
    /* 3 s after it at most, 30 lines at most */
    assert_non_null(strstr(body, "14:00:03.000 line <43>\n"));
    assert_null(strstr(body, "line <44>"));
    assert_non_null(strstr(body, "line <14>"));
    assert_null(strstr(body, "line <13>"));
    f.failed_at_us = TS_NONE;
    assert_non_null(strstr(body_of(&f, &ev), "line <49>"));
}

static void fence_cannot_be_closed(void **state)
{
    struct finding f = a_finding();
    struct output_line out[] = {
        {.at_us = NOW, .text = "```"                         },
        {.at_us = NOW, .text = "a\n```\n# heading `code` ~~~"},
    };
    struct log_line logs[] = {
        {.at_us = NOW, .message = "````\n- item"}
    };
    struct evidence ev = {
        .now_us = NOW, .output = out, .output_count = 2, .logs = logs, .log_count = 1};
    const char *body;

    (void)state;
    f.signature = "sh `foo': not found";
    f.template_alias = "a`b";
    body = body_of(&f, &ev);
    assert_int_equal(occurrences(body, "```"), 4); /* two fences, opened and closed */
    assert_int_equal(occurrences(body, "```text\n"), 2);
    assert_null(strstr(body, "\n# heading"));
    assert_non_null(strstr(body, "Signature: `sh 'foo': not found`\n"));
    assert_non_null(strstr(body, "Template: `a'b`"));
}

static void secrets_do_not_leave(void **state)
{
    struct finding f = a_finding();
    struct log_line logs[] = {
        {.at_us = NOW,
         .message = "-----BEGIN PRIVATE "
                    "KEY-----"                                              },
        {.at_us = NOW, .message = "MIIEowIBAAKCAQEA"                        },
        {.at_us = NOW,
         .message = "-----END PRIVATE "
                    "KEY-----"                                              },
        {.at_us = NOW, .message = "from ann@customer.example at 203.0.113.7"},
        {.at_us = NOW, .message = "DB_PASSWORD=hunter2"                     },
    };
    struct evidence ev = {.now_us = NOW, .logs = logs, .log_count = 5};
    const char *body;

    (void)state;
    f.brief = "It called https://u:hunter2@db.example/ last.";
    body = body_of(&f, &ev);
    assert_null(strstr(body, "MIIEow"));
    assert_null(strstr(body, "hunter2"));
    assert_null(strstr(body, "customer.example"));
    assert_null(strstr(body, "203.0.113.7"));
    assert_non_null(strstr(body, "DB_PASSWORD=[secret]"));
    assert_non_null(
        strstr(body, "\n5 values that look secret or personal were masked.\n"));
}

/* The key began before the lines that are shown. */
static void key_that_began_earlier_does_not_leave(void **state)
{
    struct finding f = a_finding();
    struct log_line logs[50];
    struct evidence ev = {.now_us = NOW, .logs = logs, .log_count = 50};
    const char *body;

    (void)state;
    for (int i = 0; i < 50; i++)
        logs[i] = (struct log_line){.at_us = NOW, .message = "MIIEowIBAAKCAQEA"};
    logs[5].message = "-----BEGIN RSA PRIVATE "
                      "KEY-----";
    logs[48].message = "-----END RSA PRIVATE "
                       "KEY-----";
    logs[49].message = "after it";
    body = body_of(&f, &ev);
    assert_non_null(strstr(body, "after it"));
    assert_non_null(strstr(body, "[private key]"));
    assert_int_equal(occurrences(body, "MIIEow"), 5); /* the ones before it */
}

static void body_is_bounded_and_keeps_its_mark(void **state)
{
    struct finding f = a_finding();
    const char *factors[100];
    struct evidence_item items[200];
    struct event events[200];
    struct output_line out[200];
    struct log_line logs[200];
    struct evidence ev = {.now_us = NOW,
                          .events = events,
                          .event_count = 200,
                          .output = out,
                          .output_count = 200,
                          .logs = logs,
                          .log_count = 200};
    const char *body, *long_text = filled('x', 100000);

    (void)state;
    for (int i = 0; i < 200; i++) {
        factors[i / 2] = long_text;
        items[i] = (struct evidence_item){.at_us = NOW, .text = long_text};
        events[i] = (struct event){.type = EVENT_OTHER,
                                   .type_text = long_text,
                                   .kill_reason = long_text,
                                   .at_us = NOW};
        out[i] = (struct output_line){.at_us = NOW, .text = long_text};
        logs[i] = (struct log_line){.at_us = NOW, .message = long_text};
    }
    f.headline = f.brief = f.fix = f.signature = long_text;
    f.template_id = f.template_alias = long_text;
    f.factors = factors;
    f.factor_count = 100;
    f.evidence = items;
    f.evidence_count = 200;
    body = body_of(&f, &ev);
    assert_true(strlen(body) <= 60u << 10);
    assert_true(ends_with(body, "\nMark of this failure: `" TOKEN "`\n"));
    assert_int_equal(occurrences(body, "```"), 4);
    assert_non_null(strstr(body, "| | 180 earlier events left out |\n"));
    arena_reset(&arena);
}

static void search_words_are_signature_and_template(void **state)
{
    struct finding f = a_finding();

    (void)state;
    assert_string_equal(issue_search_words(&arena, mask, &f, NULL),
                        "oom python pandas read_csv report-runner");
    f.signature = "error for ann@customer.example";
    f.template_alias = "";
    assert_string_equal(issue_search_words(&arena, mask, &f, NULL),
                        "error for [email] tpl0report000000000000");
    f.signature = filled('x', 1000);
    assert_true(strlen(issue_search_words(&arena, mask, &f, NULL)) <= 200);
}

/* ---- the note ---- */

static struct linear_decision a_decision(enum linear_outcome outcome)
{
    struct linear_decision d = {
        .outcome = outcome, .why = "", .token = TOKEN, .words = ""};

    d.issue = (struct linear_issue){.id = "", .identifier = "", .url = "", .title = ""};
    if (outcome == LINEAR_OUTCOME_MATCHED || outcome == LINEAR_OUTCOME_FILED) {
        d.issue.id = MARKER;
        d.issue.identifier = "SUP-412";
        d.issue.url = "https://linear.app/acme/issue/SUP-412";
        d.issue.title = "Reports run out of memory";
    }
    return d;
}

static const char *note_of(const struct finding *f, const struct linear_decision *d)
{
    struct investigation inv = an_investigation();

    return note_html(&arena, mask, f, &inv, d, "https://cb.example", MARKER, NOW);
}

static void note_tells_what_a_person_linked(void **state)
{
    struct finding f = a_finding();
    struct linear_decision d = a_decision(LINEAR_OUTCOME_FILED);
    struct linear_issue other = {.id = "u",
                                 .identifier = "SUP-9",
                                 .url = "https://linear.app/x/SUP-9",
                                 .title = "Other"};
    struct linear_issue none = {.id = "", .identifier = "", .url = "", .title = ""};

    (void)state;
    note_correct(&arena, "ann", &other, &d);
    assert_int_equal(d.outcome, LINEAR_OUTCOME_MATCHED);
    assert_non_null(strstr(note_of(&f, &d),
                           "<p>Linear: known issue, nothing filed: <a "
                           "href=\"https://linear.app/x/SUP-9\">SUP-9</a> Other<br>ann "
                           "linked this issue.</p>"));
    note_correct(&arena, "ben", &none, &d);
    assert_int_equal(d.outcome, LINEAR_OUTCOME_NOT_FILED);
    assert_non_null(strstr(note_of(&f, &d),
                           "<p>Linear: nothing filed<br>ben unlinked the issue.</p>"));
    assert_string_equal(note_link(&arena, "", 7), "");
}

static void note_has_all_parts(void **state)
{
    struct finding f = a_finding();
    struct linear_decision d = a_decision(LINEAR_OUTCOME_MATCHED);

    (void)state;
    d.why = "Same mark.";
    f.missing = "Metrics after 14:03.";
    assert_string_equal(
        note_of(&f, &d),
        "<p><strong>Casebook: Out of memory</strong> (high confidence)<br>"
        "The report script ran out of memory and was killed, 29 Nov 14:00:00 UTC</p>"
        "<p>At 14:02:58 it held 498 MiB of 512 MiB.</p>"
        "<p>Linear: known issue, nothing filed: "
        "<a href=\"https://linear.app/acme/issue/SUP-412\">SUP-412</a> "
        "Reports run out of memory<br>Same mark.</p>"
        "<p><strong>What is missing</strong><br>Metrics after 14:03.</p>"
        "<p><strong>Draft of a reply (not sent)</strong><br>"
        "Hello, the script needed more memory than the sandbox has.</p>"
        "<p>Sandbox <code>i7q2m0xk4v9d1c8b3zt5e</code>, template "
        "<code>report-runner</code><br>"
        "<a href=\"https://cb.example/investigations/7\">Finding in Casebook</a></p>"
        "<p>Note 9f8e7d6c</p>");
}

static void note_tells_what_linear_did(void **state)
{
    static const struct {
        enum linear_outcome outcome;
        const char *words;
    } rows[] = {
        {LINEAR_OUTCOME_MATCHED,     "<p>Linear: known issue, nothing filed: <a"},
        {LINEAR_OUTCOME_FILED,       "<p>Linear: new issue filed: <a"           },
        {LINEAR_OUTCOME_UNAVAILABLE,
         "<p>Linear could not be searched, so nothing was filed</p>"            },
        {LINEAR_OUTCOME_NOT_FILED,   "<p>Linear: nothing filed</p>"             },
    };
    struct finding f = a_finding();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct linear_decision d = a_decision(rows[i].outcome);

        assert_non_null(strstr(note_of(&f, &d), rows[i].words));
    }
}

static void undetermined_note_says_so(void **state)
{
    struct finding f = a_finding();
    struct linear_decision d = a_decision(LINEAR_OUTCOME_NOT_FILED);

    (void)state;
    f.cls = CLASS_UNDETERMINED;
    f.reason = REASON_STILL_RUNNING;
    f.failed_at_us = TS_NONE;
    f.headline = "Nothing has failed so far: the sandbox is running";
    assert_non_null(strstr(
        note_of(&f, &d), "<p><strong>Casebook: Undetermined</strong> (still running)<br>"
                         "Nothing has failed so far: the sandbox is running</p>"));
}

static void note_is_escaped_and_masked(void **state)
{
    struct finding f = a_finding();
    struct linear_decision d = a_decision(LINEAR_OUTCOME_FILED);
    const char *html;

    (void)state;
    f.headline = "<script>alert('a&b')</script> {{ticket.requester.email}}";
    f.brief = "one\ntwo \"three\" password=hunter2 ann@customer.example";
    f.template_alias = "<b>";
    d.issue.title = "{% if x %}<img src=x onerror=y>";
    d.issue.url = "javascript:alert(1)";
    html = note_of(&f, &d);
    assert_non_null(strstr(html, "&lt;script&gt;alert(&#39;a&amp;b&#39;)&lt;/script&gt; "
                                 "&#123; &#123;ticket.requester.email&#125;&#125;"));
    assert_non_null(
        strstr(html, "<p>one<br>two &quot;three&quot; password=[secret] [email]</p>"));
    assert_non_null(strstr(html, "<code>&lt;b&gt;</code>"));
    assert_non_null(
        strstr(html, ": SUP-412 &#123; % if x %&#125;&lt;img src=x onerror=y&gt;"));
    assert_null(strstr(html, "javascript:"));
    assert_null(strchr(html, '{'));
    assert_null(strchr(html, '}'));
}

static void note_is_bounded_and_whole(void **state)
{
    struct finding f = a_finding();
    struct linear_decision d = a_decision(LINEAR_OUTCOME_FILED);
    const char *html, *long_text = filled('{', 100000);

    (void)state;
    f.headline = f.brief = f.missing = f.customer_reply = long_text;
    f.template_id = f.template_alias = long_text;
    d.why = d.issue.title = d.issue.identifier = long_text;
    d.issue.url = arena_fmt(&arena, "https://%s", filled('\'', 492));
    html = note_of(&f, &d);
    assert_true(strlen(html) < 60000);
    assert_true(ends_with(html, "<p>Note 9f8e7d6c</p>"));
    assert_int_equal(occurrences(html, "<p>"), occurrences(html, "</p>"));
    assert_int_equal(occurrences(html, "<strong>"), occurrences(html, "</strong>"));
    assert_int_equal(occurrences(html, "<a "), occurrences(html, "</a>"));
    assert_int_equal(occurrences(html, " [cut]"), 8);
    arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(title_is_one_bounded_line),
        cmocka_unit_test(body_has_all_parts),
        cmocka_unit_test(prose_cannot_become_links_or_mentions),
        cmocka_unit_test(no_text_names_the_customer),
        cmocka_unit_test(a_comment_tells_of_nobody),
        cmocka_unit_test(excerpt_stops_after_the_failure),
        cmocka_unit_test(fence_cannot_be_closed),
        cmocka_unit_test(secrets_do_not_leave),
        cmocka_unit_test(key_that_began_earlier_does_not_leave),
        cmocka_unit_test(body_is_bounded_and_keeps_its_mark),
        cmocka_unit_test(search_words_are_signature_and_template),
        cmocka_unit_test(note_tells_what_a_person_linked),
        cmocka_unit_test(note_has_all_parts),
        cmocka_unit_test(note_tells_what_linear_did),
        cmocka_unit_test(undetermined_note_says_so),
        cmocka_unit_test(note_is_escaped_and_masked),
        cmocka_unit_test(note_is_bounded_and_whole),
    };

    return cmocka_run_group_tests_name("agent: issue and note", tests, set_up, tear_down);
}
