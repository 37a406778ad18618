/* Log lines for the viewer: what stands beside a message, links to a line, folds, and the text file. */
#include "test_view_world.h"

#include <stdio.h>
#include <string.h>

#include "base/ts.h"
#include "web/view_log.h"

#include "base/banned.h"

static struct sandbox_view view_of(struct view_world *w)
{
    struct sandbox_view v = {.link = &w->link,
                             .sandbox_id = w->ev.sandbox_id,
                             .ev = &w->ev,
                             .tl = w->tl,
                             .matched_value = "priya@b.example",
                             .now_us = w->ev.now_us};

    view_fresh(w);
    return v;
}

/* ---- log lines ---- */

static struct log_line *add_end(struct view_world *w, const char *clock,
                                const char *message, int64_t code, const char *status)
{
    struct log_line *l =
        add_line(w, clock, "process", message, "event_type", "process_end",
                 "stdout_bytes", "18204", "stderr_bytes", "1.912E+03", END);

    l->has_result = true;
    l->exit_code = code;
    l->status = status;
    return l;
}

static void show(struct view_world *w, int64_t first, const char *search, int64_t at_us)
{
    struct sandbox_view v = view_of(w);

    const struct log_show what = {.view = &v,
                                  .lines = w->ev.logs,
                                  .n = w->ev.log_count,
                                  .first_number = first,
                                  .search = search,
                                  .at_us = at_us,
                                  .link = "?logs=1&at="};

    view_fresh(w);
    view_log_lines(w->hdf, &what);
}

static void lines(struct view_world *w, int64_t first, const char *search)
{
    show(w, first, search, TS_NONE);
}

static void around(struct view_world *w, int64_t at_us)
{
    show(w, 0, "", at_us);
}

static void test_log_lines(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    add_created(w, "13:48:12.402", "13:58:12");
    add_line(w, "14:02:51", "process", "Traceback", "pid", "685", END)->level =
        LOG_LEVEL_ERROR;
    add_line(w, "14:20:00", "my-app", "", END)->level = LOG_LEVEL_INFO;
    window(w, "14:00", "14:10");
    lines(w, 1000, "TRACE");
    want(w, "Lines.0.Number", "1,000");
    want(w, "Lines.0.Time.Text", "13:48:12.402");
    want(w, "Lines.0.From", "platform");
    want(w, "Lines.0.IsPlatform", "1");
    want(w, "Lines.0.IsInWindow", "");
    want(w, "Lines.0.Extra", "expected end 2026-11-24 13:58:12 +00:00");
    want(w, "Lines.1.Number", "1,001");
    want(w, "Lines.1.From", "685");
    want(w, "Lines.1.Level", "error");
    want(w, "Lines.1.IsInWindow", "1");
    want(w, "Lines.1.IsMatch", "1");
    want(w, "Lines.1.Message", "");
    want(w, "Lines.1.Hit", "Trace");
    want(w, "Lines.1.Rest", "back");
    want(w, "Lines.1.IsPlatform", "");
    want(w, "Lines.2.From", "my-app");
    want(w, "Lines.2.Message", "(no text)");
    want(w, "Lines.2.IsMatch", "");
    view_end(w);
}

static void test_what_lines_say_beside_their_message(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    add_line(w, "14:00", "orchestrator", "Memory usage threshold exceeded",
             "mem_used_percent", "87.52", END);
    add_line(w, "14:01", "orchestrator", "CPU", "cpu_used_percent", "9.9E+01", END);
    add_line(w, "14:02", "orchestrator", "Killing sandbox", "kill_reason", "request",
             END);
    add_line(w, "14:03", "process", "Process with pid 1 started", "event_type",
             "process_start", "command", "ls", END);
    add_end(w, "14:04", "Process with pid 1 ended", 137, "");
    add_end(w, "14:05", "Process with pid 1 ended", -1, "signal: killed");
    add_line(w, "14:06", "process", "Process with pid 1 ended", "event_type",
             "process_end", "stdout_bytes", "1E+300", "stderr_bytes", "-5", END);
    add_line(w, "14:07", "process", "Streaming", "data", "hello", END);
    lines(w, 1, "");
    want(w, "Lines.0.Extra", "87.5 % of what the sandbox sees");
    want(w, "Lines.1.Extra", "99.0 %");
    want(w, "Lines.2.Extra", "reason: request");
    want(w, "Lines.3.Extra", "ls");
    want(w, "Lines.4.Extra", "exit code 137, 18,204 B out, 1,912 B err");
    want(w, "Lines.5.Extra", "signal: killed, 18,204 B out, 1,912 B err");
    want(w, "Lines.6.Extra", "nothing printed");
    want(w, "Lines.7.Extra", "hello");
    view_end(w);
}

/* "Not kept" is claimed only where the whole process is shown and nothing of its output is. */
static void test_output_that_was_not_kept(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    add_line(w, "14:01", "process", "Process with pid 7 started", "event_type",
             "process_start", "pid", "7", "command", "a", END);
    add_end(w, "14:02", "Process with pid 7 ended", 1, "");
    add_line(w, "14:03", "process", "Process with pid 8 started", "event_type",
             "process_start", "pid", "8", "command", "b", END);
    add_line(w, "14:04", "process", "Streaming process event", "event_type", "stderr",
             "pid", "8", "data", "out of luck", END);
    add_end(w, "14:05", "Process with pid 8 ended", 1, "");
    add_end(w, "14:06", "Process with pid 9 ended", 1, "");
    add_line(w, "14:07", "process", "Process with pid 7 ended", "event_type",
             "process_end", "stdout_bytes", "0", "stderr_bytes", "2.5E+01", END);
    lines(w, 1, "luck");
    want(
        w, "Lines.1.Extra",
        "exit code 1, output was not kept by E2B: 18,204 bytes on stdout, 1,912 bytes on "
        "stderr");
    want(w, "Lines.4.Extra", "exit code 1, 18,204 B out, 1,912 B err");
    want(w, "Lines.5.Extra", "exit code 1, 18,204 B out, 1,912 B err");
    want(w, "Lines.6.Extra", "output was not kept by E2B: 25 bytes on stderr");
    want(w, "Lines.3.From", "8 err"); /* what it printed is the line */
    want(w, "Lines.3.Message", "out of ");
    want(w, "Lines.3.Hit", "luck");
    want(w, "Lines.3.Extra", "");
    want(w, "Lines.4.IsExtraMatch", "");
    view_end(w);
}

static void test_numbers_from_the_end(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    add_line(w, "14:02", "envd", "newest", END);
    add_line(w, "14:01", "envd", "older", END);
    lines(w, -1001, "");
    want(w, "Lines.0.Number", "\u22121,001");
    want(w, "Lines.1.Number", "\u22121,002");
    view_end(w);
}

/* -- text of a terminal ------------------------------------------------------------------------ */

static void raw(struct log_line *l, const char *text, size_t n)
{
    l->raw = text;
    l->raw_n = n;
}

/* All parts of a row: bold in *stars*, names in {braces}, the hit in <angles>. */
static const char *parts(struct view_world *w, const char *at)
{
    static char out[500];
    size_t n = 0;

    out[0] = '\0';
    for (int i = 0; i < 20; i++) {
        const char *text = gotf(w, "%s.Parts.%d.Text", at, i);
        bool bold = *gotf(w, "%s.Parts.%d.IsBold", at, i),
             mark = *gotf(w, "%s.Parts.%d.IsMark", at, i),
             hit = *gotf(w, "%s.Parts.%d.IsHit", at, i);

        n += (size_t)snprintf(out + n, sizeof out - n, "%s%s%s%s%s%s%s", hit ? "<" : "",
                              bold ? "*" : "", mark ? "{" : "", text, mark ? "}" : "",
                              bold ? "*" : "", hit ? ">" : "");
    }
    return out;
}

#define RAW(line, literal) raw(line, literal, sizeof(literal) - 1)

static void test_bold_and_named_characters(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    RAW(add_line(w, "14:01", "envd", "a warn b\uFFFDz", END),
        "a \033[33mwarn\033[0m b\0z\n");
    RAW(add_line(w, "14:02", "envd", "plain", END), "\033[2Jplain");
    RAW(add_line(w, "14:03", "envd", "", END), "\033[2J");
    RAW(add_line(w, "14:04", "envd", "x \uFFFDz", END), "x \u202Ez");
    lines(w, 1, "");
    assert_string_equal(parts(w, "Lines.0"), "a *warn* b{\u2400}z");
    want(w, "Lines.0.Message", "");
    assert_string_equal(parts(w, "Lines.1"), "");
    want(w, "Lines.1.Message", "plain");
    want(w, "Lines.2.Message", "(no text)");
    assert_string_equal(parts(w, "Lines.3"), "x {\u27E8RLO\u27E9}z");
    /* what a file of the lines has instead */
    want(w, "Lines.0.Plain", "a warn b\uFFFDz");
    want(w, "Lines.1.Plain", "");
    want(w, "Lines.3.Plain", "x \uFFFDz");
    /* the search looks over their edges, and in what is shown */
    lines(w, 1, "a Warn");
    assert_string_equal(parts(w, "Lines.0"), "<a ><*warn*> b{\u2400}z");
    lines(w, 1, "AR");
    assert_string_equal(parts(w, "Lines.0"), "a *w*<*ar*>*n* b{\u2400}z");
    lines(w, 1, "lai");
    assert_string_equal(parts(w, "Lines.0"), "a *warn* b{\u2400}z");
    want(w, "Lines.1.Hit", "lai");
    view_end(w);
}

static void test_bold_in_a_fold(void **state)
{
    struct view_world *w = view_begin();
    static const char trace[] =
        "Traceback (most recent call last):\n  File \"a\"\n    b\nE: c";
    static const char red[] =
        "Traceback (most recent call last):\n  File \"a\"\n    b\n\033[31mE\033[0m: c\n";

    (void)state;
    RAW(add_line(w, "14:04", "process", "Streaming process event", "event_type", "stderr",
                 "pid", "8", "data", trace, END),
        red);
    add_line(w, "14:05", "app", "Traceback (most recent call last):", END);
    add_line(w, "14:05", "app", "  File \"a.py\", line 1, in <module>", END);
    add_line(w, "14:05", "app", "    main()", END);
    RAW(add_line(w, "14:05", "app", "KeyError: 'x'", END), "\033[1mKeyError\033[0m: 'x'");
    lines(w, 1, "");
    want(w, "Lines.0.Fold.Body", "");
    assert_string_equal(
        parts(w, "Lines.0.Fold"),
        "Traceback (most recent call last):\n  File \"a\"\n    b\n*E*: c");
    assert_string_equal(parts(w, "Lines.0"), "");
    assert_string_equal(parts(w, "Lines.1.Fold.Rows.3"), "*KeyError*: 'x'");
    want(w, "Lines.1.Fold.Rows.1.Message", "  File \"a.py\", line 1, in <module>");
    view_end(w);
}

/* However many pieces the lines of a page are in, the page stays bounded, and the text whole. */
static void test_many_parts(void **state)
{
    enum { PIECES = 300, LINES = 90 };
    struct view_world *w = view_begin();
    static char text[PIECES * 9 + 1];
    int n = 0, most = 0;

    (void)state;
    for (size_t i = 0; i < PIECES; i++)
        memcpy(text + i * 9, "\033[1mx\033[my", 9);
    for (int i = 0; i < LINES; i++)
        raw(add_line(w, "14:01", i % 2 ? "a" : "b", "xy", END), text, sizeof text - 1);
    lines(w, 1, "");
    for (int i = 0; i < LINES; i++) {
        char at[40];

        snprintf(at, sizeof at, "Lines.%d.Parts", i);
        n += rows(w, at);
        most = rows(w, at) > most ? rows(w, at) : most;
    }
    assert_int_equal(most, 250);
    assert_int_equal(n, 20000);
    assert_int_equal(strlen(gotf(w, "Lines.%d.Message", LINES - 1)), 2 * PIECES);
    assert_int_equal(strlen(got(w, "Lines.0.Parts.249.Text")), 2 * PIECES - 249);
    view_end(w);
}

/* -- links to a line ------------------------------------------------------------------------ */

/* A line keeps its name, whichever page and order it is shown in; equal ones are told apart. */
static void test_anchors(void **state)
{
    struct view_world *w = view_begin();
    char first[40], twin[100];

    (void)state;
    add_line(w, "14:01", "envd", "a", END);
    add_line(w, "14:02", "envd", "b", END);
    add_line(w, "14:02", "envd", "c", END);
    add_line(w, "14:02", "envd", "b", END);
    lines(w, 1, "");
    snprintf(first, sizeof first, "%s", got(w, "Lines.1.Anchor"));
    snprintf(twin, sizeof twin, "%s-2", first);
    assert_int_equal(strlen(first), 9);
    assert_int_equal(first[0], 'l');
    want(w, "Lines.3.Anchor", twin);
    assert_string_not_equal(got(w, "Lines.2.Anchor"), first);
    snprintf(twin, sizeof twin, "?logs=1&at=2026-11-24T14:02:00.000000Z#%s", first);
    want(w, "Lines.1.Href", twin);
    w->ev.logs++;
    w->ev.log_count--;
    lines(w, -77, "");
    want(w, "Lines.0.Anchor", first);
    lines(w, 0, ""); /* numbers not known */
    want(w, "Lines.0.Number", "\u00B6");
    want(w, "Lines.0.Anchor", first);
    w->ev.logs--;
    view_end(w);
}

/* The line of a link is marked; when no line has exactly that time, the next one is where it leads. */
static void test_the_line_of_a_link(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    add_line(w, "14:01", "envd", "a", END);
    add_line(w, "14:02", "envd", "b", END);
    add_line(w, "14:02", "envd", "b", END);
    around(w, at("14:02"));
    want(w, "Lines.0.IsAt", "");
    want(w, "Lines.1.IsAt", "1");
    want(w, "Lines.1.IsFirstAt", "1");
    want(w, "Lines.2.IsAt", "1"); /* and nothing is folded over it */
    want(w, "Lines.2.IsFirstAt", "");
    around(w, at("14:01:30"));
    want(w, "Lines.1.IsAt", "");
    want(w, "Lines.1.IsFirstAt", "1");
    want(w, "Lines.1.Fold.Text", "2 times");
    view_end(w);
}

/* -- folds ----------------------------------------------------------------------------------- */

static void test_repeats(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    add_line(w, "14:01:00", "envd", "slow", END);
    for (int i = 0; i < 3; i++)
        add_line(w, "14:02:00", "envd", "again", END);
    add_line(w, "14:02:01", "envd", "again", END)->level = LOG_LEVEL_ERROR; /* another */
    add_line(w, "14:02:02", "other", "again", END)->level = LOG_LEVEL_ERROR;
    lines(w, 10, "");
    assert_int_equal(rows(w, "Lines"), 4);
    want(w, "Lines.0.Fold.Text", "");
    want(w, "Lines.1.Number", "11");
    want(w, "Lines.1.Message", "again");
    want(w, "Lines.1.Fold.Text", "3 times");
    assert_int_equal(rows(w, "Lines.1.Fold.Rows"), 2);
    want(w, "Lines.1.Fold.Rows.0.Number", "12");
    want(w, "Lines.2.Number", "14");
    want(w, "ProcessCount", "6");
    lines(w, 10, "again"); /* what was searched is not hidden */
    assert_int_equal(rows(w, "Lines"), 6);
    for (int i = 0; i < 80; i++)
        add_line(w, "14:03:00", "envd", "more", END);
    lines(w, 10, "");
    want(w, "Lines.4.Fold.Text", "80 times");
    assert_int_equal(rows(w, "Lines.4.Fold.Rows"), 50);
    want(w, "Lines.4.Fold.More", "29");
    view_end(w);
}

static void trace(struct view_world *w, const char *const *texts, int before, int folded)
{
    char text[60];

    w->ev.log_count = 0;
    for (; *texts; texts++)
        add_line(w, "14:02:00", "my-app", *texts, END);
    lines(w, 1, "");
    snprintf(text, sizeof text, "Show a stack trace of %d lines", folded);
    assert_string_equal(gotf(w, "Lines.%d.Fold.Text", before), folded ? text : "");
    assert_int_equal(rows(w, "Lines"), (int)w->ev.log_count - (folded ? folded - 1 : 0));
}

static void test_stack_traces(void **state)
{
    struct view_world *w = view_begin();
    const char *const python[] = {"begin",
                                  "Traceback (most recent call last):",
                                  "  File \"a.py\", line 1, in <module>",
                                  "    main()",
                                  "KeyError: 'x'",
                                  "end",
                                  NULL};
    const char *const node[] = {"TypeError: x is not a function",
                                "    at run (/a.js:1:2)",
                                "    at main (/a.js:3:4)",
                                "    at node:internal:1",
                                "end",
                                NULL};
    const char *const go[] = {"panic: oh",      "goroutine 1 [running]:", "main.main()",
                              "\t/a.go:3 +0x1", "exit status 2",          NULL};
    const char *const short_one[] = {"x", "    at run (/a.js:1:2)", "end", NULL};
    const char *const indented[] = {"list:", "  - a", "  - b", "  - c", "end", NULL};

    (void)state;
    trace(w, python, 1, 4);
    want(w, "Lines.1.Message", "");
    want(w, "Lines.1.Fold.Rows.0.Anchor", ""); /* the row has it */
    want(w, "Lines.1.Fold.Rows.3.Message", "KeyError: 'x'");
    want(w, "Lines.2.Message", "end");
    want(w, "Lines.2.Number", "6");
    trace(w, node, 0, 4);
    trace(w, go, 0, 4);
    trace(w, short_one, 0, 0);
    trace(w, indented, 0, 0);
    view_end(w);
}

static void test_a_trace_in_one_line(void **state)
{
    struct view_world *w = view_begin();

    (void)state;
    add_line(w, "14:04", "process", "Streaming process event", "event_type", "stderr",
             "pid", "8", "data",
             "Traceback (most recent call last):\n  File \"a\"\n    b\nE: c\n", END);
    lines(w, 1, "");
    want(w, "Lines.0.Message", "");
    want(w, "Lines.0.Fold.Text", "Show a stack trace of 4 lines");
    assert_non_null(strstr(got(w, "Lines.0.Fold.Body"), "E: c"));
    lines(w, 1, "E: c");
    want(w, "Lines.0.Fold.Text", "");
    view_end(w);
}

static void test_as_text(void **state)
{
    struct view_world *w = view_begin();
    struct sandbox_view v = view_of(w);
    struct sbuf out;

    (void)state;
    add_line(w, "14:00:01", "orchestrator", "Killing sandbox", "kill_reason", "request",
             END)
        ->level = LOG_LEVEL_INFO;
    RAW(add_line(w, "14:00:02", "my-app", "x", END), "\033[1mx");
    sbuf_init(&out, 10000);
    view_log_text(&out, &(struct log_show){.view = &v,
                                           .lines = w->ev.logs,
                                           .n = w->ev.log_count,
                                           .at_us = TS_NONE});
    assert_string_equal(
        out.s, "2026-11-24T14:00:01.000000Z\tinfo\tplatform\tKilling sandbox\treason: "
               "request\n2026-11-24T14:00:02.000000Z\t\tmy-app\tx\n");
    sbuf_release(&out);
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_lines),
        cmocka_unit_test(test_what_lines_say_beside_their_message),
        cmocka_unit_test(test_output_that_was_not_kept),
        cmocka_unit_test(test_numbers_from_the_end),
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_the_line_of_a_link),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_stack_traces),
        cmocka_unit_test(test_a_trace_in_one_line),
        cmocka_unit_test(test_bold_and_named_characters),
        cmocka_unit_test(test_bold_in_a_fold),
        cmocka_unit_test(test_many_parts),
        cmocka_unit_test(test_as_text),
    };

    return cmocka_run_group_tests_name("log lines", tests, NULL, NULL);
}
