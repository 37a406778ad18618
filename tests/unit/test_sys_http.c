/* The transport: limits, retries, cut connections, deadline, and calls that run at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/ts.h"
#include "base/xalloc.h"
#include "sys/clock.h"
#include "sys/http.h"
#include "test_e2b_server.h"

#include "base/banned.h"

static struct http *http;

static int setup(void **state)
{
    (void)state;
    http = http_new("casebook-test");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    http_free(http);
    return 0;
}

static void run_one(struct http_call *c, int64_t within_us)
{
    http_run(http, (struct http_call *const[]){c}, 1, clock_mono_us() + within_us);
}

static void get(struct http_call *c, const char *url)
{
    http_call_init(c, NULL);
    c->req.url = url;
}

/* -- answers -------------------------------------------------------------------------------- */

struct script { /* one row a request; the last one repeats */
    int status;
    const char *body;
    const char *header, *value;
    enum server_cut cut;
};

static void scripted(struct server *s, void *ctx, const struct server_request *rq,
                     struct server_reply *rp)
{
    const struct script *row = ctx;

    (void)s;
    for (size_t i = 0; i < rq->number && row[1].status; i++)
        row++;
    server_say(rp, row->status, row->body ? row->body : "");
    if (row->header)
        server_header(rp, row->header, row->value);
    rp->cut = row->cut;
}

static void held(struct server *s, void *ctx, const struct server_request *rq,
                 struct server_reply *rp)
{
    (void)ctx;
    (void)rq;
    server_hold(s);
    server_say(rp, 200, "late");
}

/* -- tests ---------------------------------------------------------------------------------- */

static void an_answer_is_kept_whole(void **state)
{
    struct script script[] = {
        {200,             "[1]", "X-Next-Token", "t 1", 0},
        {0}
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;
    char buf[32], small[3];

    (void)state;
    get(&c, server_url(s));
    c.req.headers[0] = "X-API-Key: e2b_1";
    c.req.header_count = 1;
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(c.resp.err.kind, ERR_NONE);
    assert_int_equal(c.resp.status, 200);
    assert_int_equal(c.resp.tries, 1);
    assert_string_equal(c.resp.body.s, "[1]");
    assert_true(http_is_json(&c.resp));
    assert_string_equal(http_header(&c.resp, "x-next-token", buf, sizeof(buf)), "t 1");
    assert_null(http_header(&c.resp, "x-next", buf, sizeof(buf)));
    assert_null(http_header(&c.resp, "x-next-token", small, sizeof(small)));
    assert_string_equal(server_api_key(s, 0), "e2b_1");
    http_call_release(&c);
    server_stop(s);
}

static void a_redirect_is_not_followed(void **state)
{
    struct script script[] = {
        {302,         "", "Location", "/elsewhere", 0},
        {200, "no", 0, 0, 0},
        {0         }
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(c.resp.status, 302);
    assert_int_equal(server_count(s), 1);
    http_call_release(&c);
    server_stop(s);
}

static void other_protocols_are_refused(void **state)
{
    struct http_call c;

    (void)state;
    get(&c, "file:///etc/hostname");
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(c.resp.err.kind, ERR_INPUT);
    assert_int_equal(c.resp.body.len, 0);
    http_call_release(&c);
}

static void a_header_cannot_bring_another(void **state)
{
    struct script script[] = {
        {200, "", 0, 0, 0},
        {0 }
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    c.req.headers[0] = "X-API-Key: a\r\nX-Other: b";
    c.req.header_count = 1;
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(c.resp.err.kind, ERR_INPUT);
    assert_int_equal(server_count(s), 0);
    http_call_release(&c);
    server_stop(s);
}

static void a_body_over_the_bound_is_an_error(void **state)
{
    struct script script[] = {
        {200, "0123456789", 0, 0, 0},
        {0 }
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    c.req.max_body = 9;
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(c.resp.err.kind, ERR_UPSTREAM);
    assert_int_equal(c.resp.status, 0);
    assert_true(c.resp.body.is_full);
    assert_int_equal(server_count(s), 1);
    c.req.max_body = 10;
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(c.resp.status, 200);
    http_call_release(&c);
    server_stop(s);
}

static void a_busy_service_is_asked_again(void **state)
{
    struct script script[] = {
        {503, "busy", 0, 0, 0},
        {200,  "[]", 0, 0, 0},
        {0 }
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(c.resp.status, 200);
    assert_string_equal(c.resp.body.s, "[]");
    assert_int_equal(c.resp.tries, 2);
    assert_true(c.resp.took_us >= TS_SEC / 2);
    http_call_release(&c);
    server_stop(s);
}

static void three_tries_and_no_more(void **state)
{
    struct script script[] = {
        {502, "<html>", 0, 0, 0},
        {0 }
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    run_one(&c, 60 * TS_SEC);
    assert_int_equal(c.resp.status, 502);
    assert_int_equal(c.resp.err.kind, ERR_NONE);
    assert_int_equal(c.resp.tries, 3);
    assert_int_equal(server_count(s), 3);
    http_call_release(&c);
    server_stop(s);
}

static void what_cannot_heal_is_asked_once(void **state)
{
    static const int statuses[] = {400, 401, 403, 404, 500};

    (void)state;
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        struct script script[] = {
            {statuses[i], "", 0, 0, 0},
            {0         }
        };
        struct server *s = server_start(scripted, script);
        struct http_call c;

        get(&c, server_url(s));
        run_one(&c, 20 * TS_SEC);
        assert_int_equal(c.resp.status, statuses[i]);
        assert_int_equal(server_count(s), 1);
        http_call_release(&c);
        server_stop(s);
    }
}

static void no_wait_goes_beyond_the_deadline(void **state)
{
    struct script script[] = {
        {429,            "slow down", "Retry-After", "9", 0},
        {0}
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    run_one(&c, 8 * TS_SEC);
    assert_int_equal(c.resp.status, 429);
    assert_int_equal(c.resp.tries, 1);
    assert_int_equal(server_count(s), 1);
    http_call_release(&c);
    server_stop(s);
}

/* Asked again earlier than it was told to, a service is asked in vain, and counts it. */
static void a_long_wait_is_left_to_the_caller(void **state)
{
    struct script script[] = {
        {429,            "slow down", "Retry-After", "11", 0},
        {200, "[]", 0, 0, 0},
        {0            }
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    run_one(&c, 30 * TS_SEC);
    assert_int_equal(c.resp.status, 429);
    assert_int_equal(c.resp.tries, 1);
    assert_int_equal(server_count(s), 1);
    http_call_release(&c);
    server_stop(s);
}

static void retry_after_is_obeyed(void **state)
{
    struct script script[] = {
        {429,            "", "Retry-After", "2", 0},
        {200, "[]", 0, 0, 0},
        {0            }
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    run_one(&c, 30 * TS_SEC);
    assert_int_equal(c.resp.status, 200);
    assert_true(c.resp.took_us >= 2 * TS_SEC);
    http_call_release(&c);
    server_stop(s);
}

static void a_cut_get_is_asked_again(void **state)
{
    struct script script[] = {
        {200,              "0123456789", 0, 0, SERVER_CUTS_MID},
        {200,               "whole", 0, 0, 0},
        {0}
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(c.resp.status, 200);
    assert_string_equal(c.resp.body.s, "whole");
    assert_int_equal(c.resp.tries, 2);
    http_call_release(&c);
    server_stop(s);
}

static void an_answer_that_stays_cut_is_no_answer(void **state)
{
    struct script script[] = {
        {200, "0123456789", 0, 0, SERVER_CUTS_MID},
        {0 }
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    run_one(&c, 60 * TS_SEC);
    assert_int_equal(c.resp.status, 0);
    assert_int_equal(c.resp.err.kind, ERR_UPSTREAM);
    assert_true(c.resp.err.is_retryable);
    assert_false(c.resp.err.is_unknown);
    assert_false(c.resp.err.is_unreached);
    assert_int_equal(c.resp.tries, 3);
    http_call_release(&c);
    server_stop(s);
}

/* The kept connection of the GET is where libcurl would send the lost POST a second time. */
static void a_lost_write_is_sent_once_and_unknown(void **state)
{
    struct script script[] = {
        {200, "[]", 0, 0, 0},
        {200,  "", 0, 0, SERVER_CUTS_BEFORE},
        {0 }
    };
    static const enum http_method methods[] = {HTTP_POST, HTTP_PUT};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct server *s = server_start(scripted, script);
        struct http_call c;

        get(&c, server_url(s));
        run_one(&c, 20 * TS_SEC);
        c.req.method = methods[i];
        c.req.body = "{}";
        c.req.body_len = 2;
        run_one(&c, 20 * TS_SEC);
        assert_int_equal(c.resp.status, 0);
        assert_int_equal(c.resp.tries, 1);
        assert_true(c.resp.err.is_unknown);
        assert_int_equal(server_count(s), 2);
        http_call_release(&c);
        server_stop(s);
    }
}

static void a_write_is_not_repeated_on_503_unless_idempotent(void **state)
{
    struct script script[] = {
        {503, "", 0, 0, 0},
        {200,  "[]", 0, 0, 0},
        {0 }
    };

    (void)state;
    for (int idempotent = 0; idempotent < 2; idempotent++) {
        struct server *s = server_start(scripted, script);
        struct http_call c;

        get(&c, server_url(s));
        c.req.method = HTTP_POST;
        c.req.is_idempotent = idempotent;
        run_one(&c, 20 * TS_SEC);
        assert_int_equal(c.resp.status, idempotent ? 200 : 503);
        assert_int_equal(server_count(s), 1 + (size_t)idempotent);
        http_call_release(&c);
        server_stop(s);
    }
}

static void nobody_listens(void **state)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t len = sizeof(at);
    struct http_call c;
    char url[64];

    (void)state;
    /* bound but not listening: connections are refused, and nobody else gets the port */
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d/", ntohs(at.sin_port));
    get(&c, url);
    c.req.method = HTTP_POST;
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(c.resp.err.kind, ERR_UPSTREAM);
    assert_false(c.resp.err.is_unknown);
    assert_true(c.resp.err.is_unreached);
    assert_int_equal(c.resp.tries, 1);
    c.req.method = HTTP_GET;
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(c.resp.tries, 3);
    http_call_release(&c);
    close(fd);
}

static int next_calls;
static bool was_over;

static bool count_next(struct http_call *c)
{
    next_calls++;
    was_over = http_deadline_over(http);
    return c->resp.err.kind ==
           ERR_TIMEOUT; /* wrong on purpose: the batch must still end */
}

static void the_deadline_ends_what_is_open(void **state)
{
    struct server *s = server_start(held, NULL);
    struct http_call get_call, post_call;

    (void)state;
    next_calls = 0;
    http_call_init(&get_call, count_next);
    get_call.req.url = server_url(s);
    http_call_init(&post_call, count_next);
    post_call.req.url = server_url(s);
    post_call.req.method = HTTP_POST;
    http_run(http, (struct http_call *const[]){&get_call, &post_call}, 2,
             clock_mono_us() + TS_SEC / 2);
    assert_int_equal(get_call.resp.err.kind, ERR_TIMEOUT);
    assert_int_equal(get_call.resp.status, 0);
    assert_false(get_call.resp.err.is_unknown);
    assert_true(post_call.resp.err.is_unknown);
    assert_int_equal(next_calls, 2);
    assert_true(was_over);
    http_call_release(&get_call);
    http_call_release(&post_call);
    server_stop(s);
}

static void what_is_due_after_the_deadline_is_not_sent(void **state)
{
    struct script script[] = {
        {200, "[]", 0, 0, 0},
        {0 }
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    next_calls = 0;
    http_call_init(&c, count_next);
    c.req.url = server_url(s);
    c.req.method = HTTP_POST;
    c.not_before_us = clock_mono_us() + 100 * TS_SEC;
    run_one(&c, 50 * TS_SEC);
    assert_int_equal(c.resp.err.kind, ERR_TIMEOUT);
    assert_false(c.resp.err.is_unknown);
    assert_int_equal(next_calls, 1);
    assert_true(was_over);
    assert_int_equal(server_count(s), 0);
    http_call_release(&c);
    server_stop(s);
}

static void a_slow_answer_is_not_asked_for_again(void **state)
{
    struct server *s = server_start(held, NULL);
    struct http_call c;

    (void)state;
    get(&c, server_url(s));
    c.req.timeout_ms = 200;
    run_one(&c, 30 * TS_SEC);
    assert_int_equal(c.resp.err.kind, ERR_TIMEOUT);
    assert_int_equal(c.resp.tries, 1);
    assert_int_equal(server_count(s), 1);
    http_call_release(&c);
    server_stop(s);
}

static void paged(struct server *s, void *ctx, const struct server_request *rq,
                  struct server_reply *rp)
{
    (void)s;
    (void)ctx;
    server_say(rp, 200, rq->target);
}

static const char *page_urls[4];

static bool next_page(struct http_call *c)
{
    if (!c->req.url) {
        c->req.url = page_urls[0];
        return true;
    }
    for (int i = 0; i < 3; i++) {
        if (c->req.url == page_urls[i] && page_urls[i + 1]) {
            c->req.url = page_urls[i + 1];
            return true;
        }
    }
    return false;
}

static void next_fills_the_first_and_later_requests_on_one_connection(void **state)
{
    struct server *s = server_start(paged, NULL);
    char urls[3][64];
    struct http_call c;

    (void)state;
    for (int i = 0; i < 3; i++) {
        snprintf(urls[i], sizeof(urls[i]), "%s/page%d", server_url(s), i);
        page_urls[i] = urls[i];
    }
    http_call_init(&c, next_page);
    run_one(&c, 20 * TS_SEC);
    assert_int_equal(server_count(s), 3);
    assert_string_equal(server_target(s, 0), "/page0");
    assert_string_equal(c.resp.body.s, "/page2");
    assert_int_equal(server_connections(s), 1);
    http_call_release(&c);
    server_stop(s);
}

/* Answers only once the other request has come too. */
static void together(struct server *s, void *ctx, const struct server_request *rq,
                     struct server_reply *rp)
{
    size_t *n = ctx;

    (void)rq;
    server_say(rp, server_wait_open(s, *n) ? 200 : 500, "");
}

static void calls_run_at_once(void **state)
{
    size_t n = 2;
    struct server *s = server_start(together, &n);
    struct http_call a, b;

    (void)state;
    get(&a, server_url(s));
    get(&b, server_url(s));
    http_run(http, (struct http_call *const[]){&a, &b}, 2, clock_mono_us() + 60 * TS_SEC);
    assert_int_equal(a.resp.status, 200);
    assert_int_equal(b.resp.status, 200);
    http_call_release(&a);
    http_call_release(&b);
    server_stop(s);
}

static struct http_call sibling;

static bool begin_with_sibling(struct http_call *c)
{
    if (c->req.url)
        return false;
    c->req.url = page_urls[0];
    http_also(http, &sibling);
    return true;
}

static void a_call_may_bring_another_into_the_batch(void **state)
{
    size_t n = 2;
    struct server *s = server_start(together, &n);
    struct http_call c;

    (void)state;
    page_urls[0] = server_url(s);
    get(&sibling, server_url(s));
    http_call_init(&c, begin_with_sibling);
    run_one(&c, 60 * TS_SEC);
    assert_int_equal(c.resp.status, 200);
    assert_int_equal(sibling.resp.status, 200);
    http_call_release(&c);
    http_call_release(&sibling);
    server_stop(s);
}

static void proxies_do_not_see_loopback(void **state)
{
    struct script script[] = {
        {200, "direct", 0, 0, 0},
        {0 }
    };
    struct server *s = server_start(scripted, script);
    struct http_call c;

    (void)state;
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    get(&c, server_url(s));
    run_one(&c, 20 * TS_SEC);
    unsetenv("http_proxy");
    assert_string_equal(c.resp.body.s, "direct");
    http_call_release(&c);
    server_stop(s);
}

static void retry_after_is_read_in_both_forms(void **state)
{
    int64_t now = INT64_C(1789373530) * TS_SEC; /* 2026-09-14T08:12:10Z */
    struct {
        const char *header;
        int64_t us;
    } rows[] = {
        {"Retry-After: 7\r\n",                             7 * TS_SEC },
        {"retry-after:  12 \r\n",                          12 * TS_SEC},
        {"Retry-After: Mon, 14 Sep 2026 08:12:40 GMT\r\n", 30 * TS_SEC},
        {"Retry-After: Mon, 14 Sep 2026 08:12:00 GMT\r\n", 0          },
        {"Retry-After: soon\r\n",                          0          },
        {"Retry-After: -5\r\n",                            0          },
        {"X-Other: 7\r\n",                                 0          },
    };
    struct http_response r = {.status = 429};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(r.headers, sizeof(r.headers), "HTTP/1.1 429 x\r\n%s\r\n",
                 rows[i].header);
        assert_int_equal(http_retry_after_us(&r, now), rows[i].us);
    }
}

static void json_is_told_by_its_type(void **state)
{
    struct {
        const char *type;
        bool is_json;
    } rows[] = {
        {"application/json",                true },
        {"Application/JSON; charset=utf-8", true },
        {"application/problem+json",        true },
        {"application/jsonx",               false},
        {"text/html",                       false},
        {"",                                false},
    };
    struct http_response r = {.status = 200};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(r.content_type, sizeof(r.content_type), "%s", rows[i].type);
        assert_int_equal(http_is_json(&r), rows[i].is_json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_kept_whole),
        cmocka_unit_test(a_redirect_is_not_followed),
        cmocka_unit_test(other_protocols_are_refused),
        cmocka_unit_test(a_header_cannot_bring_another),
        cmocka_unit_test(a_body_over_the_bound_is_an_error),
        cmocka_unit_test(a_busy_service_is_asked_again),
        cmocka_unit_test(three_tries_and_no_more),
        cmocka_unit_test(what_cannot_heal_is_asked_once),
        cmocka_unit_test(no_wait_goes_beyond_the_deadline),
        cmocka_unit_test(retry_after_is_obeyed),
        cmocka_unit_test(a_long_wait_is_left_to_the_caller),
        cmocka_unit_test(a_cut_get_is_asked_again),
        cmocka_unit_test(an_answer_that_stays_cut_is_no_answer),
        cmocka_unit_test(a_lost_write_is_sent_once_and_unknown),
        cmocka_unit_test(a_write_is_not_repeated_on_503_unless_idempotent),
        cmocka_unit_test(nobody_listens),
        cmocka_unit_test(the_deadline_ends_what_is_open),
        cmocka_unit_test(what_is_due_after_the_deadline_is_not_sent),
        cmocka_unit_test(a_slow_answer_is_not_asked_for_again),
        cmocka_unit_test(next_fills_the_first_and_later_requests_on_one_connection),
        cmocka_unit_test(calls_run_at_once),
        cmocka_unit_test(a_call_may_bring_another_into_the_batch),
        cmocka_unit_test(proxies_do_not_see_loopback),
        cmocka_unit_test(retry_after_is_read_in_both_forms),
        cmocka_unit_test(json_is_told_by_its_type),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
