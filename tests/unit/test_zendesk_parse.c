/* Zendesk's JSON to the model: null fields, deleted people, paging, the four error shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/ts.h"
#include "upstream/zendesk_parse.h"

#include "base/banned.h"

static struct arena arena;

static json_t *load(const char *text)
{
    struct err err = ERR_INIT;
    json_t *doc = jget_load(text, strlen(text), &err);

    if (!doc)
        fail_msg("%s in %s", err.msg, text);
    return doc;
}

static int64_t at(const char *s)
{
    int64_t us = 0;

    assert_int_equal(ts_parse(s, &us), 0);
    return us;
}

static void a_ticket_with_its_people(void **state)
{
    json_t *doc = load(
        "{\"ticket\":{\"id\":9007199254740993,\"subject\":\" Export\\nfails "
        "\",\"status\":\"open\","
        "\"description\":\"It\\n\\nstops\",\"created_at\":\"2026-11-24T14:00:00Z\","
        "\"updated_at\":\"2026-11-24T15:30:00Z\",\"requester_id\":21,\"organization_id\":"
        "31,"
        "\"comment_count\":4},"
        "\"users\":[{\"id\":20,\"name\":\"Other\"},{\"id\":21,\"name\":\"Lena Orlov\","
        "\"email\":\"lena@example.net\",\"role\":\"end-user\",\"active\":true,"
        "\"suspended\":true,\"time_zone\":\"Berlin\"}],"
        "\"organizations\":[{\"id\":31,\"name\":\"Orlov & Co\","
        "\"domain_names\":[\"example.net\",\"orlov.example\"]}]}");
    struct err err = ERR_INIT;
    struct ticket t;

    (void)state;
    assert_int_equal(zendesk_parse_ticket(&arena, doc, &t, &err), 0);
    assert_true(t.id == INT64_C(9007199254740993));
    assert_string_equal(t.subject, "Export fails");
    assert_string_equal(t.status, "open");
    assert_string_equal(t.excerpt, "It stops");
    assert_true(t.created_us == at("2026-11-24T14:00:00Z"));
    assert_true(t.updated_us == at("2026-11-24T15:30:00Z"));
    assert_string_equal(t.updated_stamp, "2026-11-24T15:30:00Z");
    assert_int_equal(t.comment_count, 4);
    assert_int_equal(t.requester.id, 21);
    assert_string_equal(t.requester.name, "Lena Orlov");
    assert_string_equal(t.requester.email, "lena@example.net");
    assert_string_equal(t.requester.role, "end-user");
    assert_string_equal(t.requester.time_zone, "Berlin");
    assert_true(t.requester.is_suspended);
    assert_false(t.requester.is_deleted);
    assert_int_equal(t.organization_id, 31);
    assert_string_equal(t.organization, "Orlov & Co");
    assert_string_equal(t.organization_domain, "example.net");
    assert_int_equal(t.domain_count, 2);
    assert_string_equal(t.domains[1], "orlov.example");
    json_decref(doc);
}

static void a_ticket_full_of_nulls(void **state)
{
    json_t *doc =
        load("{\"ticket\":{\"id\":7,\"subject\":null,\"raw_subject\":null,"
             "\"description\":null,\"status\":\"hold\",\"organization_id\":null,"
             "\"assignee_id\":null,\"priority\":null,\"requester_id\":99,"
             "\"created_at\":null,\"updated_at\":null},\"users\":[{\"id\":1}],"
             "\"organizations\":[]}");
    struct err err = ERR_INIT;
    struct ticket t;

    (void)state;
    assert_int_equal(zendesk_parse_ticket(&arena, doc, &t, &err), 0);
    assert_string_equal(t.subject, "(no subject)");
    assert_string_equal(t.excerpt, "");
    assert_true(t.created_us == TS_NONE);
    assert_string_equal(t.updated_stamp, "");
    assert_int_equal(t.comment_count, -1);
    assert_int_equal(t.organization_id, 0);
    assert_string_equal(t.organization, "");
    assert_string_equal(t.organization_domain, "");
    assert_int_equal(t.domain_count, 0);
    assert_int_equal(t.requester.id, 99);
    assert_string_equal(t.requester.name, "deleted user");
    assert_string_equal(t.requester.email, "");
    assert_true(t.requester.is_deleted);
    json_decref(doc);
}

static void no_ticket_is_an_error(void **state)
{
    json_t *none = load("{\"tickets\":[]}"), *no_id = load("{\"ticket\":{\"id\":null}}");
    struct err err = ERR_INIT;
    struct ticket t;

    (void)state;
    assert_int_equal(zendesk_parse_ticket(&arena, none, &t, &err), -1);
    assert_int_equal(err.kind, ERR_UPSTREAM);
    assert_int_equal(zendesk_parse_ticket(&arena, no_id, &t, &err), -1);
    assert_non_null(strstr(err.msg, "id"));
    json_decref(none);
    json_decref(no_id);
}

static void long_texts_are_capped(void **state)
{
    json_t *doc = json_pack("{s:{s:i, s:o}}", "ticket", "id", 1, "subject",
                            json_sprintf("%0900d", 7));
    struct err err = ERR_INIT;
    struct ticket t;

    (void)state;
    assert_int_equal(zendesk_parse_ticket(&arena, doc, &t, &err), 0);
    assert_in_range(strlen(t.subject), 500, 520);
    json_decref(doc);
}

static void search_keeps_tickets_once(void **state)
{
    json_t *doc =
        load("{\"count\":41,\"users\":[{\"id\":5,\"name\":\"Ana\",\"email\":null}],"
             "\"organizations\":[],\"results\":["
             "{\"result_type\":\"ticket\",\"id\":1,\"requester_id\":5},"
             "{\"result_type\":\"user\",\"id\":5},"
             "{\"result_type\":\"ticket\",\"id\":1,\"requester_id\":5},"
             "{\"id\":3},{\"result_type\":\"organization\",\"id\":4},"
             "{\"result_type\":\"ticket\",\"id\":2,\"requester_id\":-1}]}");
    struct zendesk_tickets found;
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(zendesk_parse_search(&arena, doc, &found, &err), 0);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.items[0].id, 1);
    assert_string_equal(found.items[0].requester.name, "Ana");
    assert_string_equal(found.items[0].requester.email, "");
    assert_int_equal(found.items[1].id, 2);
    assert_string_equal(found.items[1].requester.name, "Zendesk");
    assert_int_equal(found.total, 41);
    assert_true(found.has_people);
    json_decref(doc);
}

static void search_tells_missing_people(void **state)
{
    json_t *doc = load("{\"results\":[{\"result_type\":\"ticket\",\"id\":1,"
                       "\"requester_id\":5}]}");
    json_t *users = load("{\"users\":[{\"id\":5,\"name\":\"Ana\",\"active\":false}]}");
    json_t *bad = load("{\"count\":3}");
    struct zendesk_tickets found;
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(zendesk_parse_search(&arena, doc, &found, &err), 0);
    assert_false(found.has_people);
    assert_int_equal(found.total, -1);
    zendesk_parse_requesters(&arena, users, &found);
    assert_string_equal(found.items[0].requester.name, "Ana");
    assert_true(found.items[0].requester.is_deleted);
    assert_int_equal(zendesk_parse_search(&arena, bad, &found, &err), -1);
    json_decref(doc);
    json_decref(users);
    json_decref(bad);
}

static void parse_one(const char *comment, struct comment *out)
{
    json_t *doc = json_pack("{s:[o], s:[{s:i, s:s, s:s}], s:{s:b}}", "comments",
                            load(comment), "users", "id", 5, "name", "Ana", "role",
                            "agent", "meta", "has_more", 0);
    struct zendesk_comment_page page = {.count = 0};
    struct err err = ERR_INIT;

    assert_int_equal(zendesk_parse_comments(&arena, doc, &page, &err), 0);
    assert_int_equal(page.count, 1);
    assert_string_equal(page.next_cursor, "");
    *out = page.items[0];
    json_decref(doc);
}

static void a_comment(void **state)
{
    struct comment c;

    (void)state;
    parse_one("{\"id\":11,\"type\":\"Comment\",\"author_id\":5,\"public\":false,"
              "\"body\":\"**b**\",\"html_body\":\"<p>h</p>\",\"plain_body\":\"a\\n\\nb\","
              "\"created_at\":\"2026-11-24T14:00:00Z\",\"attachments\":["
              "{\"file_name\":\"trace.log\"},{\"file_name\":\"x.png\",\"deleted\":true}],"
              "\"metadata\":{\"flags\":[],\"custom\":{\"casebook_note\":\"m-1\"}}}",
              &c);
    assert_int_equal(c.id, 11);
    assert_false(c.is_public);
    assert_false(c.is_voice);
    assert_false(c.is_flagged);
    assert_string_equal(c.body, "a\n\nb");
    assert_string_equal(c.author.name, "Ana");
    assert_string_equal(c.author.role, "agent");
    assert_string_equal(c.note_marker, "m-1");
    assert_int_equal(c.attachment_count, 2);
    assert_string_equal(c.attachment_names[0], "trace.log");
    assert_string_equal(c.attachment_names[1], "x.png (removed)");
    assert_true(c.at_us == at("2026-11-24T14:00:00Z"));
}

static void odd_comments(void **state)
{
    struct comment c;

    (void)state;
    parse_one("{\"id\":1,\"author_id\":-1,\"plain_body\":null,"
              "\"html_body\":\"<p>one</p><script>evil()</script><p>two &amp; 3</p>\","
              "\"metadata\":{\"flags\":[2,5]}}",
              &c);
    assert_string_equal(c.author.name, "Zendesk");
    assert_int_equal(c.author.id, -1);
    assert_false(c.author.is_deleted);
    assert_true(c.is_flagged);
    assert_true(c.is_public);
    assert_non_null(strstr(c.body, "one"));
    assert_non_null(strstr(c.body, "two & 3"));
    assert_null(strstr(c.body, "evil"));
    assert_null(strstr(c.body, "<"));
    assert_string_equal(c.note_marker, "");

    parse_one("{\"id\":2,\"author_id\":77,\"body\":\"text \\u001b[31mred\\u0000\"}", &c);
    assert_true(c.author.is_deleted);
    assert_string_equal(c.author.name, "deleted user");
    assert_null(strchr(c.body, 0x1b));
    assert_non_null(strstr(c.body, "text red"));

    parse_one("{\"id\":3,\"type\":\"VoiceComment\",\"author_id\":5,"
              "\"data\":{\"transcription_text\":\"hello there\"}}",
              &c);
    assert_true(c.is_voice);
    assert_string_equal(c.body, "hello there");
}

static void a_big_comment_is_cut(void **state)
{
    json_t *doc = json_pack("{s:[{s:i, s:o}]}", "comments", "id", 1, "plain_body",
                            json_sprintf("%0200000d", 7));
    struct zendesk_comment_page page = {.count = 0};
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(zendesk_parse_comments(&arena, doc, &page, &err), 0);
    assert_in_range(strlen(page.items[0].body), 65536, 65560);
    assert_non_null(strstr(page.items[0].body, "[cut]"));
    json_decref(doc);
}

static void comment_paging(void **state)
{
    static const struct {
        const char *text;
        const char *next;
        bool is_cut;
    } cases[] = {
        {"{\"comments\":[],\"meta\":{\"has_more\":true,\"after_cursor\":\"xy=\"}}",
         "xy=",                                                                          false},
        {"{\"comments\":[],\"meta\":{\"has_more\":false,\"after_cursor\":\"xy=\"}}", "",
         false                                                                                },
        {"{\"comments\":[],\"meta\":{\"has_more\":true,\"after_cursor\":null}}",     "",
         true                                                                                 },
        {"{\"comments\":[],\"next_page\":\"https://other.example/x\"}",              "", true },
        {"{\"comments\":[],\"next_page\":null}",                                     "", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *doc = load(cases[i].text);
        struct zendesk_comment_page page = {.count = 0};
        struct err err = ERR_INIT;

        assert_int_equal(zendesk_parse_comments(&arena, doc, &page, &err), 0);
        assert_string_equal(page.next_cursor, cases[i].next);
        assert_int_equal(page.is_cut, cases[i].is_cut);
        json_decref(doc);
    }
}

static void a_token(void **state)
{
    json_t *good = load("{\"access_token\":\"abc.DEF-1\",\"expires_in\":1800}");
    json_t *none = load("{\"token\":\"abc\"}");
    json_t *evil = load("{\"access_token\":\"abc\\r\\nX-Evil: 1\"}");
    char token[12] = "";
    struct err err = ERR_INIT;
    int64_t life = 0;

    (void)state;
    assert_int_equal(zendesk_parse_token(good, token, sizeof token, &life, &err), 0);
    assert_string_equal(token, "abc.DEF-1");
    assert_int_equal(life, 1800);
    assert_int_equal(zendesk_parse_token(good, token, 9, &life, &err), -1);
    assert_int_equal(zendesk_parse_token(none, token, sizeof token, &life, &err), -1);
    assert_int_equal(zendesk_parse_token(evil, token, sizeof token, &life, &err), -1);
    assert_null(strstr(err.msg, "abc"));
    json_decref(good);
    json_decref(none);
    json_decref(evil);
}

static void update_of(const char *text, struct zendesk_audit *out)
{
    json_t *doc = load(text);

    zendesk_parse_update(doc, out);
    json_decref(doc);
}

static void the_audit_of_a_note(void **state)
{
    struct zendesk_audit audit;

    (void)state;
    update_of("{\"audit\":{\"id\":8,\"events\":[{\"id\":1,\"type\":\"Notification\","
              "\"public\":true},{\"id\":2,\"type\":\"Comment\",\"public\":false}]}}",
              &audit);
    assert_true(audit.has_comment);
    assert_false(audit.is_public);
    assert_int_equal(audit.audit_id, 8);
    assert_int_equal(audit.comment_id, 2);
    update_of("{\"audit\":{\"id\":8,\"events\":[{\"id\":2,\"type\":\"Comment\","
              "\"public\":true}]}}",
              &audit);
    assert_true(audit.is_public);
    update_of("{\"audit\":{\"id\":8,\"events\":[{\"id\":2,\"type\":\"Comment\"}]}}",
              &audit);
    assert_true(audit.is_public);
    update_of("{\"ticket\":{\"id\":1}}", &audit);
    assert_false(audit.has_comment);
}

static void audits_are_searched_for_the_marker(void **state)
{
    json_t *doc = load(
        "{\"audits\":[{\"id\":3,\"created_at\":\"2026-11-24T14:02:00Z\",\"metadata\":"
        "{\"custom\":{}}},{\"id\":2,\"created_at\":\"2026-11-24T14:01:00Z\",\"metadata\":"
        "{\"custom\":{\"casebook_note\":\"m-1\"}}},{\"id\":1,\"created_at\":"
        "\"2026-11-24T14:01:00Z\"}],\"meta\":{\"has_more\":true,\"after_cursor\":\"c\"}"
        "}");
    json_t *rising =
        load("{\"audits\":[{\"id\":1,\"created_at\":\"2026-11-24T14:01:00Z\"},"
             "{\"id\":2,\"created_at\":\"2026-11-24T14:02:00Z\"}]}");
    struct zendesk_audit_page page;
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(zendesk_parse_audits(&arena, doc, "m-1", &page, &err), 0);
    assert_true(page.found);
    assert_int_equal(page.audit_id, 2);
    assert_true(page.is_falling);
    assert_true(page.newest_us == at("2026-11-24T14:02:00Z"));
    assert_true(page.oldest_us == at("2026-11-24T14:01:00Z"));
    assert_string_equal(page.next_cursor, "c");
    assert_int_equal(zendesk_parse_audits(&arena, doc, "m-2", &page, &err), 0);
    assert_false(page.found);
    assert_int_equal(zendesk_parse_audits(&arena, rising, "m-1", &page, &err), 0);
    assert_false(page.is_falling);
    json_decref(doc);
    json_decref(rising);
}

static void four_error_shapes(void **state)
{
    static const struct {
        const char *text, *word, *says;
    } cases[] = {
        {"{\"error\":\"RecordNotFound\",\"description\":\"Not found\"}",                 "RecordNotFound",
         "RecordNotFound: Not found"                                                                                                          },
        {"{\"error\":{\"title\":\"Forbidden\",\"message\":\"You do not have access\"}}",
         "Forbidden",                                                                                      "Forbidden: You do not have access"},
        {"{\"errors\":[{\"code\":\"E1\",\"title\":\"Bad\",\"detail\":\"cursor\"},"
         "{\"title\":\"Worse\"}]}",                                             "E1",             "Bad: cursor; Worse"               },
        {"{\"error\":\"RecordInvalid\",\"description\":\"Record validation errors\","
         "\"details\":{\"status\":[{\"description\":\"Status: closed prevents ticket "
         "update\"}],\"base\":[{\"description\":\"Other\"},{\"description\":\"Third\"}]}"
         "}",                                                                   "RecordInvalid",
         "RecordInvalid: Record validation errors; Status: closed prevents ticket "
         "update; "
         "Other; Third"                                                                                                                       },
        {"{\"error\":\"invalid_client\",\"error_description\":\"Unknown client\"}",
         "invalid_client",                                                                                 "invalid_client: Unknown client"   },
        {"{\"error\":\"x\"}",                                                            "x",              "x"                                },
        {"{}",                                                                           "",               ""                                 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *doc = load(cases[i].text);

        assert_string_equal(zendesk_error_word(&arena, doc), cases[i].word);
        assert_string_equal(zendesk_error_text(&arena, doc), cases[i].says);
        json_decref(doc);
    }
    assert_string_equal(
        zendesk_plain_error(&arena, "<html><b>Too many</b> requests\n</html>",
                            strlen("<html><b>Too many</b> requests\n</html>")),
        "Too many requests");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ticket_with_its_people),
        cmocka_unit_test(a_ticket_full_of_nulls),
        cmocka_unit_test(no_ticket_is_an_error),
        cmocka_unit_test(long_texts_are_capped),
        cmocka_unit_test(search_keeps_tickets_once),
        cmocka_unit_test(search_tells_missing_people),
        cmocka_unit_test(a_comment),
        cmocka_unit_test(odd_comments),
        cmocka_unit_test(a_big_comment_is_cut),
        cmocka_unit_test(comment_paging),
        cmocka_unit_test(a_token),
        cmocka_unit_test(the_audit_of_a_note),
        cmocka_unit_test(audits_are_searched_for_the_marker),
        cmocka_unit_test(four_error_shapes),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);

    arena_release(&arena);
    return rc;
}
