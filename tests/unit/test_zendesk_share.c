/* One login for all responders: what one process puts, another takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ts.h"
#include "sys/clock.h"
#include "upstream/zendesk.h"

#include "base/banned.h"

static void set_token(struct zendesk *z, const char *token, int64_t life_us)
{
    snprintf(z->token, sizeof z->token, "%s", token);
    z->token_until_us = clock_mono_us() + life_us;
}

static void a_token_goes_from_one_process_to_another(void **state)
{
    struct zendesk mine = {.share = zendesk_share_new()};
    int status = 0;
    pid_t child;

    (void)state;
    assert_non_null(mine.share);
    zendesk_share_take(&mine);
    assert_string_equal(mine.token, "");
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct zendesk other = {.share = mine.share};

        set_token(&other, "token-of-the-child", TS_HOUR);
        zendesk_share_put(&other);
        _exit(7);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 7);
    zendesk_share_take(&mine);
    assert_string_equal(mine.token, "token-of-the-child");
    assert_true(mine.token_until_us > clock_mono_us());
    zendesk_share_free(mine.share);
}

static void old_and_refused_tokens_are_left(void **state)
{
    struct zendesk a = {.share = zendesk_share_new()}, b = {.share = a.share};

    (void)state;
    set_token(&a, "old", -TS_SEC);
    zendesk_share_put(&a);
    zendesk_share_take(&b);
    assert_string_equal(b.token, "");
    set_token(&a, "refused", TS_HOUR);
    zendesk_share_put(&a);
    snprintf(b.refused, sizeof b.refused, "refused");
    zendesk_share_take(&b);
    assert_string_equal(b.token, "");
    set_token(&a, "fresh", TS_HOUR);
    zendesk_share_put(&a);
    zendesk_share_take(&b);
    assert_string_equal(b.token, "fresh");
    zendesk_share_free(a.share);
}

static void without_shared_memory_nothing_happens(void **state)
{
    struct zendesk z = {.share = NULL};

    (void)state;
    set_token(&z, "own", TS_HOUR);
    zendesk_share_put(&z);
    zendesk_share_take(&z);
    assert_string_equal(z.token, "own");
    zendesk_share_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_goes_from_one_process_to_another),
        cmocka_unit_test(old_and_refused_tokens_are_left),
        cmocka_unit_test(without_shared_memory_nothing_happens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
