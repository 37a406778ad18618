/*
 * The failure corpus with its logs blown up: every case is told again among lines that say nothing, so many that
 * what it rests on lies in the middle of the log. What is kept of that has to give the same finding.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/keep.h"
#include "base/arena.h"
#include "base/jget.h"
#include "base/ts.h"
#include "diag/diag.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define AROUND 2500 /* lines before and behind */
#define EVERY 4     /* one more after so many */
#define CASE_MAX ((size_t)32 << 20)

static struct arena arena = ARENA_INIT;

static void noise(struct keep *k, int64_t at_us, int n)
{
    struct log_line l = {.at_us = at_us,
                         .level = LOG_LEVEL_INFO,
                         .at_text = "",
                         .message = "heartbeat of the agent"};

    for (int i = 0; i < n; i++)
        keep_log(k, &l);
}

/* Log and output are one stream in the sandbox: by time. */
static void blow_up(const struct evidence *ev, struct evidence *out)
{
    struct keep *k = keep_new();
    size_t i = 0, o = 0, n = 0;
    int64_t at_us = ev->log_count      ? ev->logs[0].at_us
                    : ev->output_count ? ev->output[0].at_us
                                       : ev->now_us;

    *out = *ev;
    out->logs = NULL;
    out->output = NULL;
    out->log_count = out->output_count = 0;
    noise(k, at_us, AROUND);
    while (i < ev->log_count || o < ev->output_count) {
        if (o == ev->output_count ||
            (i < ev->log_count && ev->logs[i].at_us <= ev->output[o].at_us)) {
            at_us = ev->logs[i].at_us;
            keep_log(k, &ev->logs[i++]);
        } else {
            at_us = ev->output[o].at_us;
            keep_output(k, &ev->output[o++]);
        }
        if (++n % EVERY == 0)
            noise(k, at_us, 1);
    }
    noise(k, at_us, AROUND);
    assert_true(keep_finish(k, &arena, out) > 0);
    keep_free(k);
}

static char *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = arena_alloc(&arena, CASE_MAX);

    if (!f)
        fail_msg("%s cannot be read", path);
    *n = fread(text, 1, CASE_MAX, f);
    fclose(f);
    return text;
}

/* false: the findings differ, and that is told. */
static bool check_case(const char *path, const char *name)
{
    struct err err = ERR_INIT;
    struct evidence ev, big;
    struct finding want, got;
    size_t n;
    char *text = read_file(path, &n);
    json_t *doc = jget_load(text, n, &err);
    bool is_same;

    if (!doc || evidence_from_json(&arena, doc, &ev, &err))
        fail_msg("%s: %s", name, err.msg);
    json_decref(doc);
    diag_run(&ev, &arena, &want);
    blow_up(&ev, &big);
    diag_run(&big, &arena, &got);
    is_same = want.cls == got.cls && strcmp(want.signature, got.signature) == 0;
    if (!is_same)
        print_error("%s: %s \"%s\" became %s \"%s\"\n", name,
                    finding_class_name(want.cls), want.signature,
                    finding_class_name(got.cls), got.signature);
    return is_same;
}

static void what_is_kept_gives_the_same_finding(void **state)
{
    const char *src = getenv("srcdir");
    char folder[512], path[1024];
    const struct dirent *entry;
    size_t cases = 0, other = 0;
    DIR *dir;

    (void)state;
    snprintf(folder, sizeof folder, "%s/tests/corpus/cases", src ? src : ".");
    dir = opendir(folder);
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        if (!strstr(entry->d_name, ".json"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        other += !check_case(path, entry->d_name);
        cases++;
        arena_release(&arena);
    }
    closedir(dir);
    assert_true(cases > 50);
    assert_int_equal(other, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_gives_the_same_finding),
    };

    return cmocka_run_group_tests_name("agent: keep, corpus", tests, NULL, NULL);
}
