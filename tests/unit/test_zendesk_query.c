/* The text of a ticket search: what a person types can never change what is searched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/url.h"
#include "upstream/zendesk_query.h"

#include "base/banned.h"

static struct arena arena;

static const char *query(const char *typed)
{
    struct zendesk_query q;

    zendesk_query_build(&arena, typed, &q);
    return q.text;
}

static const char *email(const char *typed)
{
    struct zendesk_query q;

    zendesk_query_build(&arena, typed, &q);
    return q.email;
}

static void bare_words_stay_bare(void **state)
{
    (void)state;
    assert_string_equal(query("E4711"), "type:ticket E4711");
    assert_string_equal(query("  export   job_2 failed "),
                        "type:ticket export job_2 failed");
    assert_string_equal(query("Überlauf größe"), "type:ticket Überlauf größe");
}

static void other_pieces_are_quoted(void **state)
{
    (void)state;
    assert_string_equal(query("type:user"), "type:ticket \"type:user\"");
    assert_string_equal(query("-type:ticket x"), "type:ticket \"-type:ticket\" x");
    assert_string_equal(query("exit code: 137 <b>"),
                        "type:ticket exit \"code:\" 137 \"<b>\"");
    assert_string_equal(query("wild* R&D a+b"), "type:ticket \"wild*\" \"R&D\" \"a+b\"");
    assert_string_equal(query("don’t"), "type:ticket \"don’t\"");
}

static void quotes_and_backslashes_become_blanks(void **state)
{
    (void)state;
    assert_string_equal(query("say\"type:user"), "type:ticket \"say type:user\"");
    assert_string_equal(query("a\\\" b"), "type:ticket \"a\" b");
    assert_string_equal(query("\"export job failed\""),
                        "type:ticket \"export job failed\"");
    assert_string_equal(query("\"x\" type:user \"y\""),
                        "type:ticket \"x  type:user  y\"");
}

static void control_characters_go(void **state)
{
    (void)state;
    assert_string_equal(query("a\x01"
                              "b\tc\nd\x7f"),
                        "type:ticket ab c d");
    assert_string_equal(query("bad \xff byte"), "type:ticket bad \"\xEF\xBF\xBD\" byte");
}

static void nothing_to_search_for(void **state)
{
    (void)state;
    assert_null(query(""));
    assert_null(query(NULL));
    assert_null(query(" \t "));
    assert_null(query("\"\" \\ \"\""));
}

static void at_most_200_bytes_at_a_character(void **state)
{
    char typed[400] = "";

    (void)state;
    for (size_t i = 0; i + 1 < 300; i += 2)
        memcpy(typed + i, "ö", 2);
    typed[300] = '\0';
    assert_int_equal(strlen(query(typed)), strlen("type:ticket ") + 200);
    memmove(typed + 1, typed, 300);
    typed[0] = 'x';
    assert_int_equal(strlen(query(typed)), strlen("type:ticket ") + 199);
    assert_true(text_is_utf8(query(typed), strlen(query(typed))));
}

static void an_address_is_a_requester(void **state)
{
    (void)state;
    assert_string_equal(query(" lena.orlov+qa@example.net "),
                        "type:ticket requester:lena.orlov+qa@example.net");
    assert_string_equal(email("lena.orlov+qa@example.net"), "lena.orlov+qa@example.net");
    assert_string_equal(url_encode(&arena, query("lena.orlov+qa@example.net")),
                        "type%3Aticket%20requester%3Alena.orlov%2Bqa%40example.net");
    assert_string_equal(query("o'neil@example.net"),
                        "type:ticket requester:o'neil@example.net");
}

static void what_only_looks_like_an_address_is_quoted(void **state)
{
    (void)state;
    assert_null(email("mail lena@example.net"));
    assert_string_equal(query("lena@example.net type:user"),
                        "type:ticket \"lena@example.net\" \"type:user\"");
    assert_null(email("a\"b@example.net"));
    assert_null(email("@example.net"));
    assert_null(email("lena@"));
    assert_null(email("a@b@c"));
    assert_null(email("*@example.net"));
    assert_null(email("x:y@example.net"));
    assert_string_equal(query("*@example.net"), "type:ticket \"*@example.net\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bare_words_stay_bare),
        cmocka_unit_test(other_pieces_are_quoted),
        cmocka_unit_test(quotes_and_backslashes_become_blanks),
        cmocka_unit_test(control_characters_go),
        cmocka_unit_test(nothing_to_search_for),
        cmocka_unit_test(at_most_200_bytes_at_a_character),
        cmocka_unit_test(an_address_is_a_requester),
        cmocka_unit_test(what_only_looks_like_an_address_is_quoted),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);

    arena_release(&arena);
    return rc;
}
