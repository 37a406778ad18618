/* The pattern table: every row finds its own example; harmless text finds nothing that counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "diag/prefix.h"
#include "diag/scan.h"

#include "base/banned.h"

#define HITS 40

static struct arena arena;
static struct scan *scan;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena);
    scan = scan_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scan_free(scan);
    arena_release(&arena);
    return 0;
}

static bool finds(const char *line, const char *row)
{
    struct scan_hit hits[HITS];
    size_t n = scan_line(scan, &arena, line, hits, HITS);

    for (size_t i = 0; i < n; i++)
        if (strcmp(hits[i].row->name, row) == 0)
            return true;
    return false;
}

static bool means(const char *line, enum meaning m)
{
    struct scan_hit hits[HITS];
    size_t n = scan_line(scan, &arena, line, hits, HITS);

    for (size_t i = 0; i < n; i++)
        if (hits[i].row->meaning == m)
            return true;
    return false;
}

static void test_every_row_finds_its_example(void **state)
{
    (void)state;
    assert_true(scan_row_total() > 200);
    for (size_t i = 0; i < scan_row_total(); i++) {
        const struct scan_row *r = scan_row_at(i);
        if (!finds(r->example, r->name))
            fail_msg("row %s does not find its example: %s", r->name, r->example);
    }
    assert_null(scan_row_at(scan_row_total()));
}

static void test_names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < scan_row_total(); i++)
        for (size_t k = i + 1; k < scan_row_total(); k++)
            assert_string_not_equal(scan_row_at(i)->name, scan_row_at(k)->name);
}

static void test_harmless_text(void **state)
{
    static const char *const lines[] = {
        "Look for `Out of memory: Killed process` in dmesg.",
        "If your container prints `Killed` or exits with code 137, look at its memory.",
        "Section 3 drafted: 'Why JavaScript heap out of memory happens'",
        "test_out_of_memory PASSED",
        "killed the old branch and made a new one",
        "handles OutOfMemory (12 ms)",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        assert_false(means(lines[i], MEAN_KERNEL_OOM));
        assert_false(means(lines[i], MEAN_MEM_REFUSED));
        assert_false(means(lines[i], MEAN_MEM_CEILING));
    }
}

static void test_captures(void **state)
{
    struct scan_hit hits[HITS];
    size_t n =
        scan_line(scan, &arena,
                  "Out of memory: Killed process 848 (python3) total-vm:1kB", hits, HITS);

    (void)state;
    assert_true(n >= 1);
    assert_string_equal(hits[0].what, "python3");
    assert_string_equal(hits[0].pid, "848");
    assert_string_equal(hits[0].sig, "");
}

static void test_hostile_lines(void **state)
{
    struct scan_hit hits[HITS];
    char *line = arena_alloc(&arena, 200001);

    (void)state;
    memset(line, 'a', 200000);
    scan_line(scan, &arena, line, hits, HITS);
    for (size_t i = 0; i + 5 < 200000; i += 5)
        memcpy(line + i, "Error", 5);
    assert_true(scan_line(scan, &arena, line, hits, HITS) <= HITS);
    memset(line, '(', 200000);
    scan_line(scan, &arena, line, hits, HITS);
    assert_int_equal(scan_line(scan, &arena, "", hits, HITS), 0);
    assert_int_equal(scan_line(scan, &arena, "Killed", hits, 0), 0);
}

static void test_prefixes(void **state)
{
    static const char *const pairs[][2] = {
        {"2026-03-04T09:12:07.004Z KeyError: 'a'",      "KeyError: 'a'"           },
        {"2026-03-04 09:12:07,004 KeyError: 'a'",       "KeyError: 'a'"           },
        {"2026-03-04T09:12:07Z stderr F   File \"a\"",  "  File \"a\""            },
        {"web-1  | KeyError: 'a'",                      "KeyError: 'a'"           },
        {"0|app  | KeyError: 'a'",                      "KeyError: 'a'"           },
        {"[worker-1] KeyError: 'a'",                    "KeyError: 'a'"           },
        {"Mar  4 09:12:07 host app[12]: KeyError: 'a'", "KeyError: 'a'"           },
        {"stderr: KeyError: 'a'",                       "KeyError: 'a'"           },
        {"[   75.12] python3 invoked oom-killer",
         "[   75.12] python3 invoked oom-killer"                                  },
        {"    at f (a.js:1:2)",                         "    at f (a.js:1:2)"     },
        {"[Error: EMFILE: too many",                    "[Error: EMFILE: too many"},
        {"",                                            ""                        },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        assert_string_equal(prefix_strip(&arena, pairs[i][0]), pairs[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_finds_its_example),
        cmocka_unit_test(test_names_are_unique),
        cmocka_unit_test(test_harmless_text),
        cmocka_unit_test(test_captures),
        cmocka_unit_test(test_hostile_lines),
        cmocka_unit_test(test_prefixes),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
