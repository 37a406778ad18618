/* From a handler's answer to headers and body; error pages. */
#include "web_world.h"

#include <string.h>

#include "web/hput.h"
#include "web/respond.h"

#include "base/banned.h"

static struct world world;
static struct reply reply;
static struct resp rs;

#define REQUEST(...) request((const char *const[]){__VA_ARGS__, NULL})

static void request(const char *const *params)
{
    struct err err = ERR_INIT;

    world_request(&world, params, "", 0);
    assert_int_equal(req_init(&world.rq, &world.src, &err), 0);
}

static int setup(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    world_init(&world);
    world_template(&world, "page.cs",
                   "<?cs var:Page.Base ?> <?cs var:Page.User ?> <?cs var:X ?>");
    assert_non_null(world_load(&world, &err));
    reply_init(&reply);
    resp_init(&rs);
    REQUEST("REQUEST_METHOD", "GET", "DOCUMENT_URI", "/casebook/", "REMOTE_USER", "ma<ya",
            "REQUEST_ID", "0123456789abcdef");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    resp_release(&rs);
    reply_release(&reply);
    world_release(&world);
    return 0;
}

static void has_line(const char *line)
{
    const char *hit = strstr(reply.head.s, line);

    if (!hit || (hit != reply.head.s && hit[-1] != '\n') ||
        strncmp(hit + strlen(line), "\r\n", 2) != 0)
        fail_msg("no line \"%s\" in:\n%s", line, reply.head.s);
}

static void test_page(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    hput_str(resp_page(&world.rq, &rs, "page.cs", "Title", "tickets"), "X", "<b>");
    assert_int_equal(respond(&world.rq, &rs, &reply, &err), 0);
    assert_string_equal(reply.body.s, "<html>/casebook ma&lt;ya &lt;b&gt;</html>\n");
    has_line("Status: 200 OK");
    has_line("Content-Type: text/html; charset=utf-8");
    has_line(
        "Content-Security-Policy: default-src 'none'; style-src 'self'; script-src "
        "'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri "
        "'none'; frame-ancestors 'none'");
    has_line("X-Content-Type-Options: nosniff");
    has_line("Referrer-Policy: same-origin");
    has_line("Cache-Control: no-store");
    has_line("Content-Length: 42");
    assert_int_equal(reply.body.len, 42);
    assert_string_equal(reply.head.s + reply.head.len - 4, "\r\n\r\n");
}

static void test_head(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    REQUEST("REQUEST_METHOD", "HEAD", "DOCUMENT_URI", "/casebook/", "REMOTE_USER",
            "maya");
    resp_text(&rs, 200, "text/plain", "12345");
    assert_int_equal(respond(&world.rq, &rs, &reply, &err), 0);
    has_line("Content-Length: 5");
    assert_int_equal(reply.body.len, 0);
}

static void test_redirect(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    resp_redirect(&rs, "/tickets/1/sandboxes/abc?x=1");
    assert_int_equal(respond(&world.rq, &rs, &reply, &err), 0);
    assert_int_equal(reply.status, 303);
    has_line("Status: 303 See Other");
    has_line("Location: /casebook/tickets/1/sandboxes/abc?x=1");
    has_line("Content-Length: 0");
    assert_null(strstr(reply.head.s, "\nContent-Type"));
}

static void test_redirects_stay_here(void **state)
{
    static const char *const bad[] = {"//evil.example/", "https://evil.example/",
                                      "tickets",         "/a\r\nSet-Cookie: a=b",
                                      "/\\evil.example", "/a b",
                                      "/\xc3\xa9",       ""};
    struct err err = ERR_INIT;

    (void)state;
    world.conf.base_path = "";
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        resp_redirect(&rs, bad[i]);
        if (respond(&world.rq, &rs, &reply, &err) == 0)
            fail_msg("accepted %s", bad[i]);
        assert_int_equal(err.kind, ERR_INTERNAL);
    }
}

static void test_header_values(void **state)
{
    static const char *const bad[] = {"a\r\nSet-Cookie: x", "a\nb", "a\rb", "a\x7f",
                                      "\x01"};
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        resp_text(&rs, 200, "text/plain", "x");
        rs.disposition = bad[i];
        assert_int_equal(respond(&world.rq, &rs, &reply, &err), -1);
        rs.disposition = NULL;
        rs.etag = bad[i];
        assert_int_equal(respond(&world.rq, &rs, &reply, &err), -1);
        rs.etag = NULL;
        resp_text(&rs, 200, bad[i], "x");
        assert_int_equal(respond(&world.rq, &rs, &reply, &err), -1);
    }
    resp_text(&rs, 200, "text/plain", "x");
    rs.disposition = "attachment; filename=\"a.txt\"";
    rs.refresh = "5";
    rs.retry_after = "7";
    assert_int_equal(respond(&world.rq, &rs, &reply, &err), 0);
    has_line("Content-Disposition: attachment; filename=\"a.txt\"");
    has_line("Refresh: 5");
    has_line("Retry-After: 7");
}

static int status_for(const char *if_none_match, const char *etag, int status)
{
    struct err err = ERR_INIT;

    REQUEST("REQUEST_METHOD", "GET", "DOCUMENT_URI", "/casebook/", "REMOTE_USER", "maya",
            "HTTP_IF_NONE_MATCH", if_none_match);
    resp_text(&rs, status, "text/plain", "body");
    rs.etag = etag;
    assert_int_equal(respond(&world.rq, &rs, &reply, &err), 0);
    return reply.status;
}

static void test_etag(void **state)
{
    (void)state;
    assert_int_equal(status_for("\"v1\"", "\"v1\"", 200), 304);
    has_line("ETag: \"v1\"");
    has_line("Cache-Control: private, no-cache");
    assert_int_equal(reply.body.len, 0);
    assert_null(strstr(reply.head.s, "Content-Length"));
    assert_int_equal(status_for("\"v0\", W/\"v1\"", "\"v1\"", 200), 304);
    assert_int_equal(status_for("*", "\"v1\"", 200), 304);
    assert_int_equal(status_for("\"v10\"", "\"v1\"", 200), 200);
    assert_int_equal(status_for("v1", "\"v1\"", 200), 200);
    assert_int_equal(status_for("\"v1\"x", "\"v1\"", 200), 200);
    assert_int_equal(status_for("", "\"v1\"", 200), 200);
    assert_int_equal(status_for("\"v1\"", NULL, 200), 200);
    assert_int_equal(status_for("\"v1\"", "\"v1\"", 404), 404);
    assert_string_equal(reply.body.s, "body");
}

static void test_every_kind_has_words(void **state)
{
    static const int want[ERR_KIND_COUNT] = {
        [ERR_NONE] = 500,     [ERR_INPUT] = 400,    [ERR_AUTH] = 502,
        [ERR_DENIED] = 403,   [ERR_NOTFOUND] = 404, [ERR_CONFLICT] = 409,
        [ERR_UPSTREAM] = 502, [ERR_TIMEOUT] = 504,  [ERR_DB] = 503,
        [ERR_INTERNAL] = 500,
    };

    (void)state;
    for (int k = 0; k < ERR_KIND_COUNT; k++) {
        struct err err = {.kind = (enum err_kind)k, .msg = "secret detail"};

        respond_error(&world.rq, &reply, REFUSE_BY_KIND, NULL, &err);
        assert_int_equal(reply.status, want[k]);
        assert_non_null(strstr(reply.body.s, "|0123456789abcdef"));
        assert_null(strstr(reply.body.s, "||"));
        assert_null(strstr(reply.body.s, "secret detail"));
    }
}

static void test_refusals(void **state)
{
    struct err err = {.kind = ERR_DENIED};

    (void)state;
    respond_error(&world.rq, &reply, REFUSE_EXPIRED, NULL, &err);
    assert_int_equal(reply.status, 403);
    assert_non_null(
        strstr(reply.body.s,
               "This page was open too long. Nothing was done. Please try again."));
    respond_error(&world.rq, &reply, REFUSE_METHOD, "POST", &err);
    assert_int_equal(reply.status, 405);
    has_line("Allow: POST");
    for (int why = REFUSE_NO_USER; why < REFUSE_COUNT; why++) {
        respond_error(&world.rq, &reply, (enum refusal)why, NULL, &err);
        assert_in_range(reply.status, 400, 499);
        assert_null(strstr(reply.body.s, "||"));
    }
}

static void test_the_error_page_cannot_fail(void **state)
{
    struct err err = {.kind = ERR_DB, .msg = "secret detail"};

    (void)state;
    /* A frame that grows without end does not fit. */
    world_template(
        &world, "error.cs",
        "<?cs loop:i = #1, #3000 ?><?cs loop:j = #1, #1000 ?>12345<?cs /loop ?><?cs "
        "/loop ?>");
    assert_non_null(world_load(&world, &err));
    err.kind = ERR_DB;
    respond_error(&world.rq, &reply, REFUSE_BY_KIND, NULL, &err);
    assert_int_equal(reply.status, 503);
    has_line("Status: 503 Error");
    assert_non_null(strstr(reply.body.s, "Casebook's database does not answer"));
    assert_non_null(strstr(reply.body.s, "0123456789abcdef"));
    assert_null(strstr(reply.body.s, "12345<"));
}

static void test_a_failing_template_is_an_error(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    resp_page(&world.rq, &rs, "nosuch.cs", "t", "");
    assert_int_equal(respond(&world.rq, &rs, &reply, &err), -1);
    assert_int_equal(err.kind, ERR_INTERNAL);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_page),
        T(test_head),
        T(test_redirect),
        T(test_redirects_stay_here),
        T(test_header_values),
        T(test_etag),
        T(test_every_kind_has_words),
        T(test_refusals),
        T(test_the_error_page_cannot_fail),
        T(test_a_failing_template_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
