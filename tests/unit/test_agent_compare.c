/* Does an issue of Linear tell of the same failure? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/compare.h"
#include "base/arena.h"
#include <string.h>

#include "base/banned.h"

static struct arena arena = ARENA_INIT;

static int tear_down(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static const struct finding failure = {.signature = "KeyError 'region' in load_orders",
                                       .template_id = "tpl0orders",
                                       .template_alias = "orders"};

static double score(const char *title, const char *description, bool *is_same)
{
    struct linear_issue issue = {.title = title, .description = description};

    return compare_issue(&arena, &failure, &issue, is_same);
}

/* As Linear gives it back: other bullets, everything else in inline code as it was. */
static const char *ours(const char *signature, const char *template_line)
{
    return arena_fmt(&arena, "## Root cause\n\n* Template: %s\n\nSignature: `%s`\n",
                     template_line, signature);
}

static void the_carried_signature_decides(void **state)
{
    const char *here = "`orders` (`tpl0orders`)";
    bool same;

    (void)state;
    assert_true(score("x", ours(failure.signature, here), &same) > 0.99);
    assert_true(same);
    assert_true(score("x", ours("KeyError 'region' in load_order_lines", here), &same) <
                1.0);
    score("x", ours("disk full writing tmp", here), &same);
    assert_false(same);
}

static void another_template_is_another_failure(void **state)
{
    bool same;

    (void)state;
    assert_true(score("x", ours(failure.signature, "`orders` (`tpl0other`)"), &same) >
                0.99);
    assert_false(same);
    score("x", ours(failure.signature, "`orders`"), &same); /* only its name */
    assert_false(same);
}

static void what_people_wrote_is_no_proof(void **state)
{
    static const char console[] =
        "It fails since Monday:\n\n```\nTraceback (most recent call last):\n"
        "  File \"/app/orders.py\", line 9, in load_orders\n    x = row['region']\n"
        "KeyError: 'region'\n```\n";
    bool same;

    (void)state;
    assert_true(score("Orders fail", console, &same) > 0.5);
    assert_false(same);
    assert_true(score("KeyError 'region' in load_orders", "", &same) > 0.9);
    assert_false(same);
    assert_true(score("Buttons are green", "please make them blue", &same) < 0.5);
    assert_false(same);
}

static void broken_text_is_only_text(void **state)
{
    bool same;

    (void)state;
    score("", "", &same);
    assert_false(same);
    score("", "Signature: `", &same);
    assert_false(same);
    score("", "Signature: ``\nTemplate: `", &same);
    assert_false(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_carried_signature_decides),
        cmocka_unit_test(another_template_is_another_failure),
        cmocka_unit_test(what_people_wrote_is_no_proof),
        cmocka_unit_test(broken_text_is_only_text),
    };

    return cmocka_run_group_tests_name("agent: compare", tests, NULL, tear_down);
}
