/* What customers paste, decoded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "ticket/phrase.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static struct phrase_set *set;
static struct arena arena = ARENA_INIT;

static int set_up(void **state)
{
    (void)state;
    set = phrase_set_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    phrase_set_free(set);
    arena_release(&arena);
    return 0;
}

/* "name:matched words", in the order of the text. */
static const char *told(const char *text)
{
    size_t n;
    struct phrase_hit *h = phrase_find(set, &arena, text, 10, &n);
    char *out = arena_str(&arena, "");

    for (size_t i = 0; i < n; i++)
        out = arena_fmt(&arena, "%s%s%s:%.*s", out, i ? " | " : "", h[i].phrase->name,
                        (int)h[i].len, text + h[i].start);
    return out;
}

static void each_example_matches_its_row(void **state)
{
    size_t rows, n;
    const struct phrase *table = phrase_table(&rows);

    (void)state;
    assert_true(rows >= 13);
    for (size_t i = 0; i < rows; i++) {
        struct phrase_hit *h = phrase_find(set, &arena, table[i].example, 10, &n);
        bool own = false;

        for (size_t k = 0; k < n; k++)
            own = own || h[k].phrase == &table[i];
        if (!own)
            fail_msg("the example of %s does not match it", table[i].name);
        for (size_t k = i + 1; k < rows; k++)
            assert_string_not_equal(table[i].name, table[k].name);
        /* two sentences, as the page puts them after "proves" and "does not prove" */
        assert_int_equal(table[i].proves[strlen(table[i].proves) - 1], '.');
        assert_int_equal(table[i].not_proves[strlen(table[i].not_proves) - 1], '.');
    }
}

struct row {
    const char *text, *hits;
};

static void wordings_are_known(void **state)
{
    static const struct row rows[] = {
        {"[unknown] terminated",                                          "connection_dropped:terminated"             },
        {"TypeError: terminated\n  at x",                                 "connection_dropped:terminated"             },
        {"peer closed connection without sending",
         "connection_dropped:peer closed connection without "
         "sending"                                                                                                    },
        {"The socket connection was closed unexpectedly. For",
         "connection_dropped:socket connection was "
         "closed unexpectedly"                                                                                        },
        {"Network connection lost.",                                      "connection_dropped:Network connection lost"},
        {"read ECONNRESET",                                               "connection_dropped:ECONNRESET"             },
        {"This error is likely due to sandbox timeout.",
         "likely_timeout:likely due to sandbox timeout"                                                               },
        {"context deadline exceeded",                                     "command_limit:context deadline exceeded"   },
        {"likely due to exceeding 'timeoutMs'",                           "command_limit:exceeding 'timeoutMs"        },
        {"by passing 'requestTimeoutMs' to",                              "request_limit:requestTimeoutMs"            },
        {"Sandbox was killed or reached its end of life",
         "end_of_life:killed or reached its end of "
         "life"                                                                                                       },
        {"port 3000 is not open",                                         "port_closed:port 3000 is not open"         },
        {"Sandbox \"i7q2\" doesn't exist or you don't have access to it",
         "not_found:doesn't exist or you don't have access"                                                           },
        {"the maximum number of concurrent E2B sandboxes",
         "too_many:maximum number of concurrent"                                                                      },
        {"Timeout cannot be greater than 24 hours",
         "timeout_too_long:Timeout cannot be greater"                                                                 },
        {"CommandExitException: Command exited with code 137",            "signal_9:code 137"                         },
        {"exit status 137",                                               "signal_9:exit status 137"                  },
        {"exit code -9",                                                  "signal_9:exit code -9"                     },
        {"signal: killed",                                                "signal_9:signal: killed"                   },
        {"Killed",                                                        "signal_9:Killed"                           },
        {"a\nKilled\nb",                                                  "signal_9:Killed"                           },
        {"run.sh: line 3:    12 Killed",                                  "signal_9:Killed"                           },
        {"exit code: 143",                                                "signal_15:exit code: 143"                  },
        {"Segmentation fault (core dumped)",                              "segfault:Segmentation fault"               },
        {"exit code 139",                                                 "segfault:exit code 139"                    },
        {"429 Too Many Requests",                                         "rate_limit:Too Many Requests"              },
        {"Invalid API key",                                               "bad_key:Invalid API key"                   },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(told(rows[i].text), rows[i].hits);
}

static void near_misses_are_left(void **state)
{
    static const char *const texts[] = {
        "",
        "the report was killed by a colleague",
        "Killed the job myself",
        "exit code 1370 and exit code 1 and error 137",
        "signal 99",
        "a newline-terminated file, unterminated string, terminated_at",
        "exit code 1430 or 1439",
        "the port is open",
        "our api key is valid",
        "the sandbox was found",
        "the number of concurrent users",
        "timeoutMs: 60000",
        "the deadline",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_string_equal(told(texts[i]), "");
}

static void hits_are_ordered_and_apart(void **state)
{
    (void)state;
    assert_string_equal(
        told("Killed\nthen exit code 143, then terminated"),
        "signal_9:Killed | signal_15:exit code 143 | connection_dropped:terminated");
    /* two rows at one place: the earlier row */
    assert_string_equal(told("exit code 137"), "signal_9:exit code 137");
}

static void no_more_than_asked_for(void **state)
{
    size_t n;

    (void)state;
    phrase_find(set, &arena, "SIGKILL SIGKILL SIGKILL SIGKILL", 2, &n);
    assert_int_equal(n, 2);
    phrase_find(set, &arena, "SIGKILL", 0, &n);
    assert_int_equal(n, 0);
}

static void long_texts_come_back(void **state)
{
    static const char *const units[] = {"sandbox ",
                                        "port ",
                                        "exit code ",
                                        "Killed ",
                                        "a",
                                        "\n",
                                        "peer closed connection"};
    size_t n, bytes = 256u << 10;

    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t len = strlen(units[i]);
        char *s = arena_alloc(&arena, bytes + len + 32);

        for (size_t k = 0; k < bytes; k += len)
            memcpy(s + k, units[i], len);
        memcpy(s + bytes, "\nread ECONNRESET", 17);
        phrase_find(set, &arena, s, 10, &n);
        if (units[i][0] == 'a')
            assert_int_equal(n, 1); /* read to its end */
        arena_reset(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_example_matches_its_row),
        cmocka_unit_test(wordings_are_known),
        cmocka_unit_test(near_misses_are_left),
        cmocka_unit_test(hits_are_ordered_and_apart),
        cmocka_unit_test(no_more_than_asked_for),
        cmocka_unit_test(long_texts_come_back),
    };

    return cmocka_run_group_tests_name("ticket: phrase", tests, set_up, tear_down);
}
