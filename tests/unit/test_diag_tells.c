/* The wide net: whatever a pattern knows, it lets through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "diag/diag.h"
#include "diag/scan.h"

#include "base/banned.h"

/* Frames stand below a line that tells; these say that all went well, or was handled. */
static bool is_exempt(const struct scan_row *row)
{
    switch (row->meaning) {
    case MEAN_PY_FRAME:
    case MEAN_PY_CELL:
    case MEAN_PYTEST_HEAD:
    case MEAN_PYTEST_DEF:
    case MEAN_PYTEST_PLACE:
    case MEAN_JS_FRAME:
    case MEAN_JAVA_FRAME:
    case MEAN_GO_FRAME:
    case MEAN_GO_FILE:
    case MEAN_RUST_FRAME:
    case MEAN_RUBY_FRAME:
    case MEAN_PHP_FRAME:
    case MEAN_NET_FRAME:
    case MEAN_NET_INNER:
    case MEAN_R_CALLS:
    case MEAN_R_FRAME:
    case MEAN_ELIXIR_FRAME:
    case MEAN_JULIA_FRAME:
    case MEAN_JULIA_PLACE:
    case MEAN_ASAN_FRAME:
    case MEAN_NATIVE_FRAME:
    case MEAN_NATIVE_PLACE:
    case MEAN_SUCCESS:
    case MEAN_SOFT:
        return true;
    default:
        return false;
    }
}

static void every_pattern_s_example_tells(void **state)
{
    size_t missed = 0;

    (void)state;
    for (size_t i = 0; i < scan_row_total(); i++) {
        const struct scan_row *row = scan_row_at(i);

        if (is_exempt(row) || diag_line_tells(row->example))
            continue;
        print_error("%s: %s\n", row->name, row->example);
        missed++;
    }
    assert_int_equal(missed, 0);
}

static void letters_may_be_large_or_small(void **state)
{
    (void)state;
    assert_true(diag_line_tells("FATAL"));
    assert_true(diag_line_tells("xx Killed"));
    assert_true(diag_line_tells("exit status 137"));
    assert_true(diag_line_tells("caf\xC3\xA9 error"));
}

static void harmless_lines_do_not_tell(void **state)
{
    static const char *const lines[] = {
        "",
        "row 12 of 500: stored",
        "epoch 3/10, loss 0.12",
        "GET /index.html 200 15ms",
        "heartbeat 17",
        "1 3 7",
        "installing numpy",
        "fai",
        "e",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (diag_line_tells(lines[i]))
            fail_msg("%s", lines[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_s_example_tells),
        cmocka_unit_test(letters_may_be_large_or_small),
        cmocka_unit_test(harmless_lines_do_not_tell),
    };

    return cmocka_run_group_tests_name("diag: tells", tests, NULL, NULL);
}
