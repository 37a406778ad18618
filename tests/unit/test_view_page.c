/*
 * Whole pages of the product, from structs through the views and the templates: how large they are, in which
 * order their parts stand, and that every link within a page has its place.
 */
#include "test_view_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ts.h"
#include "web/tpl.h"
#include "web/view_finding.h"
#include "web/view_sandbox.h"

#include "base/banned.h"

#define PAGE_BYTES (150 * 1024)

static struct tpl_set *product;

static int load(void **state)
{
    const char *src = getenv("srcdir");
    char folder[512];
    struct err err = ERR_INIT;

    (void)state;
    snprintf(folder, sizeof(folder), "%s/cs-templates", src ? src : ".");
    product = tpl_load(folder, &err);
    if (!product)
        print_error("%s\n", err.msg);
    return product ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    tpl_free(product);
    return 0;
}

/* ---- a sandbox of one hour, with a finding ---- */

static const struct evidence_item proof[] = {
    {.kind = "memory",  .text = "At 858 of 1,024 MiB.",  .ref = "metric:1795530600"},
    {.kind = "process", .text = "Killed by signal 9.",   .ref = "pid:685"          },
    {.kind = "cpu",     .text = "CPU was at 52 %.",      .ref = "metric:1795530600"},
    {.kind = "disk",    .text = "Disk was at 41 %.",     .ref = "metric:1795530600"},
    {.kind = "event",   .text = "The timeout ended it.", .ref = "event:e2"         },
    {.kind = "log",     .text = "A warning of memory.",  .ref = "log:978"          },
};

static const struct finding finding = {
    .cls = CLASS_OUT_OF_MEMORY,
    .confidence = CONFIDENCE_HIGH,
    .confidence_why = "the last sample before it",
    .signature = "killed:9",
    .signature_hash = "7f3a",
    .headline = "The report script ran out of memory and was killed",
    .brief = "At 14:30:02 the script reached the point where a process is killed.",
    .failed_at_us = TS_NONE,
    .evidence = proof,
    .evidence_count = sizeof(proof) / sizeof(proof[0]),
    .customer_reply = "Hello, your job needed more memory than it has.",
    .missing = "",
    .fix = "",
    .template_id = "p3v8",
};

/* 720 samples, no two alike, as a real run has them. */
static void add_hour(struct view_world *w)
{
    struct log_line *l;

    for (int i = 0; i < 720; i++)
        add_sample(w, at("14:00") + i * 5 * TS_SEC, (i * 3719 % 10000) / 100.,
                   (200 + i * 7331 % 650) * MIB_BYTES + i * 4096,
                   (1400 + i * 3) * MIB_BYTES);
    add_event(w, EVENT_CREATED, "14:00", "x1");
    add_created(w, "14:00", "15:00:00");
    add_event(w, EVENT_KILLED, "15:00:00.300", "x1")->kill_reason = "timeout";
    add_line(w, "14:00:06", "process", "Process with pid 685 started", "event_type",
             "process_start", "command", "./start.sh", END);
    l = add_line(w, "14:30:02", "process", "Process with pid 685 ended", "event_type",
                 "process_end", END);
    l->has_result = true;
    l->exit_code = 137;
}

static void put_frame(struct view_world *w)
{
    hput_str(w->hdf, "Page.Title", w->ev.sandbox_id);
    hput_str(w->hdf, "Page.Base", "/casebook");
    hput_str(w->hdf, "Page.Csrf", "0123456789abcdef0123456789abcdef");
    hput_str(w->hdf, "Page.User", "maya");
}

static void put_parts(struct view_world *w, const struct finding *f, bool is_page)
{
    struct sandbox_view v = {.link = &w->link,
                             .sandbox_id = w->ev.sandbox_id,
                             .ev = &w->ev,
                             .finding = f,
                             .matched_value = "",
                             .now_us = w->ev.now_us};
    struct investigation inv = {.id = 17,
                                .sandbox_id = w->ev.sandbox_id,
                                .state = INV_DONE,
                                .requested_by = "maya",
                                .created_us = at("15:03:00"),
                                .finished_us = at("15:03:20")};
    struct finding_view fv = {
        .link = &w->link, .inv = &inv, .finding = f, .ev = &w->ev, .is_page = is_page};
    size_t n;
    struct process *p = processes_build(&w->arena, w->ev.logs, w->ev.log_count, &n);

    timeline_build(&w->arena, &w->ev, &v.tl);
    w->tl = v.tl;
    window(w, "14:20", "14:40");
    chart_with(w, f, true);
    put_frame(w);
    view_sandbox_head(w->hdf, &v);
    view_sandbox_facts(w->hdf, &v);
    view_timeline(w->hdf, &v, p, n, false, "/casebook/all");
    view_sandbox_processes(w->hdf, &v, p, n);
    if (f)
        view_finding(w->hdf, &fv);
    hput_str(w->hdf, "Logs.OpenHref", "/casebook/x?logs=1#raw");
}

static void render(struct view_world *w, const char *name, struct sbuf *out)
{
    struct err err = ERR_INIT;

    sbuf_init(out, TPL_MAX_PAGE);
    if (tpl_render(product, name, w->hdf, out, &err))
        fail_msg("%s", err.msg);
}

static void test_page_of_an_hour(void **state)
{
    struct view_world *w = view_begin();
    struct sbuf out;

    (void)state;
    add_hour(w);
    put_parts(w, &finding, false);
    want(w, "Charts.Kind", "ok");
    want(w, "Charts.Samples", "720");
    render(w, "sandbox.cs", &out);
    print_message("# a page with 720 samples: %zu bytes\n", out.len);
    assert_in_range(out.len, 60000, PAGE_BYTES);
    sbuf_release(&out);
    view_end(w);
}

static const char *place(const struct sbuf *out, const char *what)
{
    const char *p = strstr(out->s, what);

    if (!p)
        fail_msg("the page has no %s", what);
    return p;
}

/* design.md section 5: the answer first, raw logs last. */
static void test_order(void **state)
{
    static const char *const order[] = {
        "<h1",           "id=\"finding\"",   "id=\"facts\"", "id=\"timeline\"",
        "id=\"charts\"", "id=\"processes\"", "id=\"raw\""};
    struct view_world *w = view_begin();
    const char *before;
    struct sbuf out;

    (void)state;
    add_hour(w);
    put_parts(w, &finding, false);
    render(w, "sandbox.cs", &out);
    before = out.s;
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        const char *at = place(&out, order[i]);

        assert_true(at > before);
        before = at;
    }
    assert_null(strstr(strstr(out.s, "<h1") + 1, "<h1")); /* one h1 */
    sbuf_release(&out);
    view_end(w);
}

/* Each href="#x" has its id="x". */
static int check_places(const struct sbuf *out)
{
    int n = 0;

    for (const char *p = strstr(out->s, "href=\"#"); p; p = strstr(p + 1, "href=\"#")) {
        size_t len = strcspn(p + 7, "\"");
        char id[200];

        snprintf(id, sizeof(id), " id=\"%.*s\"", (int)len, p + 7);
        if (!strstr(out->s, id))
            fail_msg("#%.*s leads nowhere", (int)len, p + 7);
        n++;
    }
    return n;
}

static void test_links_within_the_page(void **state)
{
    struct view_world *w = view_begin();
    struct sbuf out;

    (void)state;
    add_hour(w);
    put_parts(w, &finding, false);
    render(w, "sandbox.cs", &out);
    assert_in_range(check_places(&out), 10, 40);
    place(&out, "href=\"#chart-memory\"");
    place(&out, "href=\"#pid-685\"");
    place(&out, "href=\"#event-B\"");
    place(&out, "href=\"#raw\"");
    sbuf_release(&out);
    view_end(w);
}

static void test_links_within_a_kept_finding(void **state)
{
    struct view_world *w = view_begin();
    struct sbuf out;

    (void)state;
    add_hour(w);
    put_parts(w, &finding, true);
    render(w, "finding.cs", &out);
    assert_in_range(check_places(&out), 8, 40);
    assert_null(strstr(out.s, "href=\"#raw\""));
    sbuf_release(&out);
    w->ev.metric_count = 0; /* the charts are one sentence */
    put_parts(w, &finding, true);
    render(w, "finding.cs", &out);
    check_places(&out);
    assert_null(strstr(out.s, "href=\"#chart-"));
    sbuf_release(&out);
    view_end(w);
}

/* A pid that was used again: the one that failed is linked to, and no id stands twice. */
static void test_ids_are_unique(void **state)
{
    struct view_world *w = view_begin();
    struct sbuf out;

    (void)state;
    add_line(w, "14:00:01", "process", "Process with pid 685 started", "event_type",
             "process_start", "command", "true", END);
    add_line(w, "14:00:02", "process", "Process with pid 685 ended", "event_type",
             "process_end", END)
        ->has_result = true;
    add_hour(w);
    put_parts(w, &finding, false);
    want(w, "Processes.0.Anchor", "");
    want(w, "Processes.1.Anchor", "pid-685");
    render(w, "sandbox.cs", &out);
    for (const char *p = strstr(out.s, " id=\""); p; p = strstr(p + 1, " id=\"")) {
        char id[100];

        snprintf(id, sizeof(id), "%.*s\"", (int)strcspn(p + 5, "\"") + 5, p);
        if (strstr(p + 1, id))
            fail_msg("twice%s", id);
    }
    sbuf_release(&out);
    view_end(w);
}

/* A sandbox of which nothing is known but its id still makes a page of words. */
static void test_page_of_nothing(void **state)
{
    struct view_world *w = view_begin();
    struct sbuf out;

    (void)state;
    put_parts(w, NULL, false);
    render(w, "sandbox.cs", &out);
    check_places(&out);
    place(&out, "E2B holds no samples for this sandbox.");
    place(&out, "No event is on record for this sandbox.");
    place(&out, "No process was started through E2B, as far as the log tells.");
    place(&out, "Investigate this sandbox");
    assert_null(strstr(out.s, "<table"));
    sbuf_release(&out);
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_of_an_hour),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_links_within_the_page),
        cmocka_unit_test(test_links_within_a_kept_finding),
        cmocka_unit_test(test_ids_are_unique),
        cmocka_unit_test(test_page_of_nothing),
    };

    return cmocka_run_group_tests_name("whole pages", tests, load, unload);
}
