/* Command lines: what they run, what kind of work it is, how they are named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/ts.h"
#include "diag/command.h"
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

static void test_labels(void **state)
{
    static const char *const pairs[][2] = {
        {"python3 train.py --epochs 9",                       "python3 train.py"},
        {"cd app && FOO=1 timeout 30 python3.12 -u train.py", "python3 train.py"},
        {"python -m etl.load",                                "python etl.load" },
        {"python3 -c 'print(1)'",                             "python3"         },
        {"bash -x ./run.sh --rows 9",                         "run.sh"          },
        {"npm run build",                                     "npm run build"   },
        {"npx playwright test",                               "playwright"      },
        {"deno run -A main.ts",                               "deno main.ts"    },
        {"java -Xmx4g -jar /srv/app.jar",                     "java app.jar"    },
        {"python3 /tmp/tmpab3k9x1q.py",                       "python3 #.py"    },
        {"python3 gen_0193.py",                               "python3 gen_#.py"},
        {"uv run python report.py",                           "python report.py"},
        {"ffmpeg -i a.mov b.mp4",                             "ffmpeg"          },
        {"",                                                  ""                },
        {"timeout",                                           "timeout"         },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        assert_string_equal(command_label(&arena, pairs[i][0]), pairs[i][1]);
}

static void test_subjects(void **state)
{
    (void)state;
    assert_string_equal(command_subject(&arena, "python3 a.py"), "The script a.py");
    assert_string_equal(command_subject(&arena, "deno run -A main.ts"),
                        "The script main.ts");
    assert_string_equal(command_subject(&arena, "npm ci"), "The installation");
    assert_string_equal(command_subject(&arena, "pytest -q"), "The test run");
    assert_string_equal(command_subject(&arena, "make -j4"), "The build");
    assert_string_equal(command_subject(&arena, "java -jar a.jar"), "The Java program");
    assert_string_equal(command_subject(&arena, "ffmpeg -i a"), "The program ffmpeg");
}

static void test_installs(void **state)
{
    static const char *const yes[] = {"pip install foo", "sudo apt-get install -y jq",
                                      "apt-get update && apt-get install -y jq",
                                      "cd app && npm ci", "python3 -m pip install x"};
    static const char *const no[] = {"npm install && npm run build", "npm run install-x",
                                     "python3 install.py", "", "echo pip install"};

    (void)state;
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
        assert_true(command_is_install(yes[i]));
    for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
        assert_false(command_is_install(no[i]));
}

static void test_own_limits(void **state)
{
    (void)state;
    assert_int_equal(command_own_limit_us("timeout 30 python3 a.py"), 30 * TS_SEC);
    assert_int_equal(command_own_limit_us("cd x && timeout -s KILL 2m make"),
                     120 * TS_SEC);
    assert_int_equal(command_own_limit_us("timeout -k 5 1.5h make"), 5400 * TS_SEC);
    assert_int_equal(command_own_limit_us("curl --connect-timeout 30 https://a.example"),
                     0);
    assert_int_equal(command_own_limit_us("pytest --timeout 30"), 0);
    assert_int_equal(command_own_limit_us("timeout"), 0);
    assert_int_equal(command_own_limit_us("timeout abc make"), 0);
    assert_int_equal(command_own_limit_us(""), 0);
}

static void test_roles(void **state)
{
    (void)state;
    assert_int_equal(command_role("diff a b"), ROLE_PROBE);
    assert_int_equal(command_role("test -f x"), ROLE_PROBE);
    assert_int_equal(command_role("testing_tool x"), ROLE_WORK);
    assert_int_equal(command_role("cd app && npm run dev"), ROLE_SERVER);
    assert_int_equal(command_role("pkill -f a.js"), ROLE_KILLER);
    assert_int_equal(command_role("go run ./cmd/mock -addr :9090"), ROLE_SERVER);
    assert_int_equal(command_role("./stub --port 9090"), ROLE_SERVER);
    assert_int_equal(command_role("./gate --listen=0.0.0.0:80"), ROLE_SERVER);
    assert_int_equal(command_role("./api --host 0.0.0.0 --port=80"), ROLE_SERVER);
    assert_int_equal(command_role("./load --host db.test --port 5432"), ROLE_WORK);
    assert_int_equal(command_role("psql --port 5432 shop"), ROLE_WORK);
    assert_int_equal(command_role("./scan --port"), ROLE_WORK);
    assert_int_equal(command_role("npx jest"), ROLE_CHECK);
}

static void test_file_names(void **state)
{
    static const char *const pairs[][2] = {
        {"index-DfG3k2a9.js",   "index-#.js"         },
        {"tmpab3k9x1q",         "#"                  },
        {"resnet50.py",         "resnet50.py"        },
        {"sha256sum",           "sha256sum"          },
        {"report_v2.py",        "report_v2.py"       },
        {"job-20260502.log",    "job-#.log"          },
        {"build.js",            "build.js"           },
        {"",                    ""                   },
        {"a_very_long.name.py", "a_very_long.name.py"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        assert_string_equal(normal_file(&arena, pairs[i][0]), pairs[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),   cmocka_unit_test(test_subjects),
        cmocka_unit_test(test_installs), cmocka_unit_test(test_own_limits),
        cmocka_unit_test(test_roles),    cmocka_unit_test(test_file_names),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
