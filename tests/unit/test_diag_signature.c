/* Signatures: the variable parts go, what names the cause stays; text of each runtime is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "diag/diag.h"
#include "diag/facts.h"
#include "diag/limits.h"
#include "diag/normal.h"

#include "base/banned.h"

static struct arena arena;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static const char *signature(const char *text)
{
    struct finding *f = arena_alloc(&arena, sizeof(*f));

    diag_run_text(text, strlen(text), &arena, f);
    return f->signature;
}

static void test_normal(void **state)
{
    /* clang-format off */
    static const char *const pairs[][2] = {
        {"index 7 of 12 took 300ms", "index # of # took #"},
        {"[Errno 28] No space left on device: '/data/out.csv'", "[Errno 28] No space left on device: '<file>'"},
        {"HTTP 503 from https://api.example.com/v1/x?id=4", "HTTP 503 from <url>"},
        {"connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED #:5432"},
        {"listen EADDRINUSE: address already in use :::3000", "listen EADDRINUSE: address already in use :::3000"},
        {"user 4f0e8a52-1c3b-4d2e-9f00-aa11bb22cc33 not found", "user # not found"},
        {"mail to anna@example.com failed", "mail to # failed"},
        {"No module named 'cv2'", "No module named 'cv2'"},
        {"urlkit==2.9.1 and x<2.8", "urlkit==2.9.1 and x<2.8"},
        {"Unable to allocate 103. GiB for shape (2400, 2400)", "Unable to allocate # for shape (#)"},
        {"object at 0x7f7a11c2b3d0", "object at #"},
        {"npm ERR! code ERESOLVE", "npm code ERESOLVE"},
        {"401 Client Error: Unauthorized for url", "401 Client Error: Unauthorized for url"},
        {"libGL.so.1: cannot open shared object file", "libGL.so.1: cannot open shared object file"},
        {"", ""},
    };
    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        assert_string_equal(normal_message(&arena, pairs[i][0]), pairs[i][1]);
}

static void test_runtimes(void **state)
{
    /* clang-format off */
    static const char *const pairs[][2] = {
        {"Traceback (most recent call last):\n  File \"/a/b.py\", line 5, in <module>\n    main()\n"
         "  File \"/a/b.py\", line 3, in main\n    x()\n"
         "  File \"/usr/lib/python3.11/site-packages/p/q.py\", line 1, in x\n    y\nValueError: bad 7",
         "ValueError: bad # in main"},
        {"KeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n", "KeyError: 'a'"},
        {"Error: boom\n    at inner (/app/lib/a.js:1:2)\n    at node:internal/x:1:2", "Error: boom in inner"},
        {"Exception in thread \"main\" java.lang.IllegalStateException: no rate\n"
         "\tat java.base/java.util.X.y(X.java:1)\n\tat com.acme.Rates.find(Rates.java:9)",
         "IllegalStateException: no rate in Rates.find"},
        {"java.lang.RuntimeException: job\n\tat com.acme.Job.run(Job.java:1)\n"
         "Caused by: java.io.IOException: closed\n\tat com.acme.Disk.read(Disk.java:2)",
         "IOException: closed in Disk.read"},
        {"panic: boom\n\ngoroutine 1 [running]:\nmain.(*T).run(0x0)\n\t/app/a.go:7 +0x34", "panic: boom in T.run"},
        {"thread 'main' panicked at src/a.rs:2:3:\nindex out of bounds: the len is 3 but the index is 7",
         "panicked: index out of bounds: the len is # but the index is # in a.rs"},
        {"terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at",
         "std::out_of_range: map::at"},
        {"app/price.rb:12:in `total': undefined method `amount' for nil (NoMethodError)",
         "NoMethodError: undefined method 'amount' for nil in total"},
        {"PHP Fatal error:  Uncaught TypeError: bad operand in /app/src/Cart.php:12\nStack trace:\n"
         "#0 /app/src/Main.php(3): Cart->total()\n#1 {main}",
         "TypeError: bad operand in Cart->total"},
        {"Unhandled exception. System.NullReferenceException: Object reference not set\n"
         "   at Shop.Cart.Total(Int32 n) in /src/Cart.cs:line 12",
         "NullReferenceException: Object reference not set in Cart.Total"},
        {"Error in dist_matrix(x) : object 'y' not found", "Error: object 'y' not found in dist_matrix"},
        {"** (KeyError) key :amount not found in: %{}\n    (shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.total/1",
         "KeyError: key :amount not found in: %{} in Cart.total"},
        {"run.sh: line 6:   992 Killed                  python3 step.py", "killed by signal 9: python3 step.py"},
        {"bash: line 1: ffmpeg: command not found", "ffmpeg: command not found"},
    };
    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        assert_string_equal(signature(pairs[i][0]), pairs[i][1]);
}

static void test_same(void **state)
{
    struct finding a, b;
    bool same;
    const char *left = "KeyError: 'unit_price'", *other = "KeyError: 'quantity'";

    (void)state;
    diag_run_text(left, strlen(left), &arena, &a);
    diag_run_text(left, strlen(left), &arena, &b);
    assert_true(diag_same(&a, &b, &same) >= 1 && same);
    diag_run_text(other, strlen(other), &arena, &b);
    assert_true(diag_same(&a, &b, &same) < LIMIT_SAME_SCORE);
    assert_false(same);
    diag_run_text("", 0, &arena, &b);
    assert_true(diag_same(&b, &b, &same) == 0 && !same);
}

static void test_similarity(void **state)
{
    (void)state;
    assert_true(diag_similarity_text("KeyError: 'a_b' in f", "KeyError: 'a_b' in f") ==
                1);
    assert_true(diag_similarity_text("KeyError: 'a_b' in f", "KeyError: 'a_b' in g") <
                LIMIT_SAME_SCORE);
    assert_true(diag_similarity_text("", "") == 0);
    assert_true(diag_similarity_text(NULL, "x") == 0);
    assert_true(diag_similarity_text("signal 9: python3", "signal 15: python3") <
                LIMIT_SAME_SCORE);
}

static void test_commands(void **state)
{
    (void)state;
    assert_string_equal(command_bare(&arena, "/bin/bash -l -c python3 a.py"),
                        "python3 a.py");
    assert_string_equal(
        command_program(&arena, "cd app && X=1 timeout 30 /usr/bin/node a.js"), "node");
    assert_string_equal(command_program(&arena, "bash -x ./run.sh --rows 9"), "run.sh");
    assert_int_equal(command_role("npm run dev"), ROLE_SERVER);
    assert_int_equal(command_role("pytest -q"), ROLE_CHECK);
    assert_int_equal(command_role("dmesg | tail"), ROLE_PROBE);
    assert_int_equal(command_role("kill -9 500"), ROLE_KILLER);
    assert_int_equal(command_role("python3 killer_app.py"), ROLE_WORK);
    assert_int_equal(command_role("lsof_report.sh"), ROLE_WORK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal),   cmocka_unit_test(test_runtimes),
        cmocka_unit_test(test_same),     cmocka_unit_test(test_similarity),
        cmocka_unit_test(test_commands),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
