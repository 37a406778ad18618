/* No word that names the customer is left in a text for Linear. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/customer.h"
#include "base/arena.h"
#include <string.h>

#include "base/banned.h"

static struct arena arena = ARENA_INIT;
static const struct conf conf = {
    .e2b = {.metadata_keys = {"userId", "org"}, .metadata_key_count = 2}
};

static int tear_down(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static struct customer priya(void)
{
    static const struct tag tags[] = {
        {"userId", "priya@brightwater.example"},
        {"org",    "brightwater"              },
        {"job",    "month-end-report"         },
        {"kind",   "render"                   },
        {"region", "eu"                       },
        {"build",  "20261130"                 },
    };
    struct customer c = {.count = 0};

    customer_add_name(&c, &arena, "Priya Raman");
    customer_add_name(&c, &arena, "priya@brightwater.example");
    customer_add_name(&c, &arena, "Brightwater Analytics");
    customer_add_metadata(&c, &arena, &conf, tags, 6);
    return c;
}

static void hides(const char *text, const char *expected, size_t hidden)
{
    struct customer c = priya();
    size_t n = 0;

    assert_string_equal(customer_hide(&c, &arena, text, &n), expected);
    assert_int_equal(n, hidden);
}

static void names_addresses_and_identifiers_are_hidden(void **state)
{
    (void)state;
    hides("for Priya Raman (priya@brightwater.example)", "for [customer] ([customer])",
          2);
    hides("PRIYA said", "[customer] said", 1);
    hides("job month-end-report at Brightwater", "job [customer] at [customer]", 2);
    hides("/data/brightwater_2026/x.csv", "/data/[customer]_2026/x.csv", 1);
    hides("Brightwater Analytics: failed", "[customer]: failed", 1);
}

static void other_words_stay(void **state)
{
    (void)state;
    hides("render in eu of 20261130", "render in eu of 20261130", 0);
    hides("brightwaters unpriyaed", "brightwaters unpriyaed", 0);
    hides("", "", 0);
}

static void without_a_customer_the_text_stays(void **state)
{
    struct customer none = {.count = 0};
    size_t n = 0;

    (void)state;
    customer_add_name(&none, &arena, "");
    customer_add_name(&none, &arena, NULL);
    customer_add_name(&none, &arena, "Bo"); /* too short to be looked for */
    assert_int_equal(none.count, 0);
    assert_string_equal(customer_hide(&none, &arena, "Bo x", &n), "Bo x");
    assert_string_equal(customer_hide(NULL, &arena, "Bo x", &n), "Bo x");
    assert_int_equal(n, 0);
}

static void words_are_bounded(void **state)
{
    struct customer c = {.count = 0};

    (void)state;
    for (int i = 0; i < 1000; i++)
        customer_add_name(&c, &arena, arena_fmt(&arena, "name%d@x.example", i));
    assert_int_equal(c.count, CUSTOMER_MAX_WORDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_addresses_and_identifiers_are_hidden),
        cmocka_unit_test(other_words_stay),
        cmocka_unit_test(without_a_customer_the_text_stays),
        cmocka_unit_test(words_are_bounded),
    };

    return cmocka_run_group_tests_name("agent: customer", tests, NULL, tear_down);
}
