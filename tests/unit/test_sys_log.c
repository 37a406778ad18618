/* The log: quoting, bounds, levels, context. Each test reads what came out of stderr. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ts.h"
#include "sys/clock.h"
#include "sys/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/banned.h"

static int real_stderr;
static FILE *caught;
static char text[65536];

static void catch_begin(void)
{
    fflush(stderr);
    caught = tmpfile();
    assert_non_null(caught);
    real_stderr = dup(STDERR_FILENO);
    assert_true(dup2(fileno(caught), STDERR_FILENO) >= 0);
}

/* What was logged since, after the fields that change. */
static const char *catch_end(void)
{
    size_t n;

    dup2(real_stderr, STDERR_FILENO);
    close(real_stderr);
    rewind(caught);
    n = fread(text, 1, sizeof(text) - 1, caught);
    text[n] = '\0';
    fclose(caught);
    return text;
}

static int count_lines(const char *s)
{
    int n = 0;

    for (; *s != '\0'; s++)
        n += *s == '\n';
    return n;
}

static const char *logged_value(const char *value)
{
    const char *line, *at;

    catch_begin();
    log_event(LOG_INFO, "m", "k", value, NULL);
    line = catch_end();
    assert_int_equal(count_lines(line), 1);
    at = strstr(line, " k=");
    assert_non_null(at);
    text[strlen(text) - 1] = '\0';
    return at + 3;
}

static void a_line_has_its_fields_in_order(void **state)
{
    const char *line;
    int64_t at_us;
    char stamp[TS_ISO_SIZE];

    (void)state;
    log_init("casebook-web", LOG_INFO);
    log_context("req", "r-1");
    catch_begin();
    log_event(LOG_WARN, "something odd", "path", "/x", "ms", "12", NULL);
    line = catch_end();
    assert_int_equal(strncmp(line, "ts=", 3), 0);
    snprintf(stamp, sizeof(stamp), "%.24s", line + 3);
    assert_int_equal(ts_parse(stamp, &at_us), 0);
    assert_non_null(strstr(line, " level=warn prog=casebook-web pid="));
    assert_non_null(strstr(line, " req=r-1 msg=\"something odd\" path=/x ms=12\n"));
    log_context(NULL, NULL);
    catch_begin();
    log_event(LOG_WARN, "again", NULL);
    assert_null(strstr(catch_end(), "req="));
}

static void values_cannot_forge_lines_or_fields(void **state)
{
    (void)state;
    log_init("t", LOG_INFO);
    assert_string_equal(logged_value("plain-1.2/3"), "plain-1.2/3");
    assert_string_equal(logged_value(""), "\"\"");
    assert_string_equal(logged_value("a b"), "\"a b\"");
    assert_string_equal(logged_value("a=b"), "\"a=b\"");
    assert_string_equal(logged_value("x\nlevel=error"), "\"x\\nlevel=error\"");
    assert_string_equal(logged_value("x\r\t\x1b[31m\x7f"), "\"x\\x0d\\t\\x1b[31m\\x7f\"");
    assert_string_equal(logged_value("say \"hi\" \\ok"), "\"say \\\"hi\\\" \\\\ok\"");
    assert_string_equal(logged_value("zo\xc3\xab"), "\"zo\xc3\xab\"");
    assert_string_equal(logged_value("\xff\xc3\xab"), "\"\\xff\\xc3\\xab\"");
    assert_string_equal(logged_value("\xc2\x9b"
                                     "31m"),
                        "\"\\xc2\\x9b31m\""); /* a C1 control */
}

static void long_values_are_cut_at_a_character(void **state)
{
    char value[3001];
    const char *out;

    (void)state;
    value[0] = 'a';
    for (size_t i = 1; i < 2999; i += 2) {
        value[i] = '\xc3';
        value[i + 1] = '\xab';
    }
    value[2999] = '\0';
    out = logged_value(value);
    assert_int_equal(strlen(out), 1 + 1023 + strlen("[cut]\""));
    assert_string_equal(out + strlen(out) - 8, "\xc3\xab[cut]\"");
    memset(value, 'x', 3000);
    value[3000] = '\0';
    out = logged_value(value);
    assert_int_equal(strlen(out), 1 + 1024 + strlen("[cut]\""));
}

static void a_line_has_an_end_whatever_is_in_it(void **state)
{
    char value[1025];

    (void)state;
    memset(value, '\x01', 1024);
    value[1024] = '\0';
    catch_begin();
    log_event(LOG_INFO, "m", "a", value, "b", value, "c", value, "d", value, NULL);
    log_event(LOG_INFO, "next", NULL);
    catch_end();
    assert_int_equal(count_lines(text), 2);
    assert_non_null(strstr(text, "msg=next\n"));
}

static void only_what_is_wanted_is_logged(void **state)
{
    (void)state;
    log_init("t", LOG_WARN);
    catch_begin();
    log_event(LOG_INFO, "info", NULL);
    log_event(LOG_DEBUG, "debug", NULL);
    log_event(LOG_WARN, "warn", NULL);
    log_event(LOG_ERROR, "error", NULL);
    catch_end();
    assert_int_equal(count_lines(text), 2);
    log_init("t", LOG_DEBUG);
    catch_begin();
    log_event(LOG_DEBUG, "debug", NULL);
    assert_int_equal(count_lines(catch_end()), 1);
}

static void an_error_is_logged_with_kind_and_status(void **state)
{
    struct err e = ERR_INIT;

    (void)state;
    log_init("t", LOG_INFO);
    err_set(&e, ERR_UPSTREAM, "e2b: a\nb");
    e.http_status = 503;
    catch_begin();
    log_err(LOG_ERROR, "page failed", &e);
    catch_end();
    assert_non_null(strstr(
        text, " msg=\"page failed\" kind=upstream status=503 error=\"e2b: a\\nb\"\n"));
}

static void severities_have_names(void **state)
{
    enum log_severity s;

    (void)state;
    assert_int_equal(log_severity_parse("debug", &s), 0);
    assert_int_equal(s, LOG_DEBUG);
    assert_int_equal(log_severity_parse("error", &s), 0);
    assert_int_equal(s, LOG_ERROR);
    assert_int_equal(log_severity_parse("loud", &s), -1);
    assert_int_equal(log_severity_parse("", &s), -1);
}

static void random_ids_differ_and_have_their_form(void **state)
{
    char a[37], b[37];

    (void)state;
    random_uuid(a);
    random_uuid(b);
    assert_string_not_equal(a, b);
    assert_int_equal(strlen(a), 36);
    assert_int_equal(a[14], '4');
    assert_non_null(strchr("89ab", a[19]));
    assert_true(clock_now_us() > 1700000000 * TS_SEC);
    assert_true(clock_mono_us() <= clock_mono_us());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_its_fields_in_order),
        cmocka_unit_test(values_cannot_forge_lines_or_fields),
        cmocka_unit_test(long_values_are_cut_at_a_character),
        cmocka_unit_test(a_line_has_an_end_whatever_is_in_it),
        cmocka_unit_test(only_what_is_wanted_is_logged),
        cmocka_unit_test(an_error_is_logged_with_kind_and_status),
        cmocka_unit_test(severities_have_names),
        cmocka_unit_test(random_ids_differ_and_have_their_form),
    };

    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
