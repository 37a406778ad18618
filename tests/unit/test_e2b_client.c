/* Get, list, events and metrics against a server that plays the awkward parts of e2b.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "base/ts.h"
#include "base/xalloc.h"
#include "sys/clock.h"
#include "test_e2b_server.h"
#include "upstream/e2b.h"

#include "base/banned.h"

#define KEY "e2b_0f3c9a"
#define SID "i7q2m0xk4v9d1c8b3zt5e"
#define BOTH(a, b) ((struct http_call *const[]){(a), (b)})

static struct http *http;
static struct arena arena;
static struct conf conf;
static struct e2b e2b;
static struct server *server;
static char base_url[80];

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

static void begin(server_fn *answer, void *ctx)
{
    server = server_start(answer, ctx);
    snprintf(base_url, sizeof(base_url), "%s/e2b/", server_url(server));
    conf.e2b.base_url = base_url;
    conf.e2b.api_key = KEY;
    e2b_init(&e2b, &conf, http);
}

static void end(void)
{
    server_stop(server);
    arena_release(&arena);
}

static void run(struct http_call *c)
{
    http_run(http, &c, 1, clock_mono_us() + 60 * TS_SEC);
}

/* -- one answer for all --------------------------------------------------------------------- */

struct fixed {
    int status;
    const char *type, *body;
    const char *header, *value;
    enum server_cut cut;
};

static void fixed(struct server *s, void *ctx, const struct server_request *rq,
                  struct server_reply *rp)
{
    const struct fixed *f = ctx;

    (void)s;
    (void)rq;
    server_say(rp, f->status, f->body);
    if (f->type)
        rp->type = f->type;
    if (f->header)
        server_header(rp, f->header, f->value);
    rp->cut = f->cut;
}

/* -- get ------------------------------------------------------------------------------------ */

static void get_reads_a_sandbox_and_no_secret(void **state)
{
    struct fixed f = {
        200,
        0,
        "{\"sandboxID\":\"" SID "\",\"templateID\":\"p3\",\"state\":\"running\","
        "\"startedAt\":\"2026-09-14T08:12:03.418207114Z\",\"memoryMB\":512,"
        "\"envdAccessToken\":\"SECRET\",\"network\":{\"rules\":\"SECRET\"}}",
        0,
        0,
        0};
    struct e2b_get op;

    (void)state;
    begin(fixed, &f);
    e2b_get_init(&op, &e2b, &arena, SID);
    run(&op.call);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_string_equal(op.sandbox.id, SID);
    assert_int_equal(op.sandbox.memory_mib, 512);
    assert_int_equal(op.src.tries, 1);
    assert_true(op.src.fetched_us > 0);
    assert_string_equal(server_target(server, 0), "/e2b/sandboxes/" SID);
    assert_string_equal(server_api_key(server, 0), KEY);
    e2b_get_release(&op);
    end();
}

static void each_refusal_is_told_apart(void **state)
{
    struct {
        struct fixed f;
        enum source_state state;
        enum err_kind kind;
        const char *msg;
        int tries;
    } rows[] = {
        {{404, 0, "{\"code\":404,\"message\":\"Sandbox \\\"x\\\" doesn't exist\"}", 0, 0,
          0},
         SOURCE_NOT_THERE,                                                                         ERR_NOTFOUND,
         "Sandbox \"x\" doesn't exist",                                                                                       1},
        {{404, "text/html", "<h1>Not here</h1>", 0, 0, 0},
         SOURCE_FAILED,                                                                            ERR_NOTFOUND,
         "Not here",                                                                                                          1},
        {{400, 0, "{\"code\":400,\"message\":\"Invalid sandbox ID\"}", 0, 0, 0},
         SOURCE_FAILED,                                                                            ERR_INPUT,
         "Invalid sandbox ID",                                                                                                1},
        {{401, 0, "{\"code\":401,\"message\":\"Invalid API key " KEY ",\\nno such\"}", 0,
          0, 0},
         SOURCE_FAILED,                                                                            ERR_AUTH,
         "Invalid API key (key), no such",                                                                                    1},
        {{403, 0, "{\"code\":403,\"message\":\"team is banned\"}", 0, 0, 0},
         SOURCE_FAILED,                                                                            ERR_DENIED,
         "team is banned",                                                                                                    1},
        {{500, 0, "{\"code\":500,\"message\":\"Error getting sandbox\"}", 0, 0, 0},
         SOURCE_FAILED,                                                                            ERR_UPSTREAM,
         "Error getting sandbox",                                                                                             1},
        {{502, "text/html", "<title>x</title><h1>502 Bad Gateway</h1>", 0, 0, 0},
         SOURCE_FAILED,                                                                            ERR_UPSTREAM,
         "502 Bad Gateway",                                                                                                   3},
        {{302, 0, "", "Location", "/login", 0},
         SOURCE_FAILED,                                                                            ERR_UPSTREAM,
         "HTTP 302 without a word",                                                                                           1},
        {{200, "text/html", "<p>Welcome</p>", 0, 0, 0},
         SOURCE_FAILED,                                                                            ERR_UPSTREAM,
         "an answer of type \"text/html\" instead of JSON: Welcome",                                                          1},
        {{200, 0, "{\"sandboxID\":", 0, 0, 0},
         SOURCE_FAILED,                                                                            ERR_UPSTREAM,
         "not JSON",                                                                                                          1},
        {{200, 0, "[]", 0, 0, 0},                                                   SOURCE_FAILED, ERR_UPSTREAM, "sandboxID", 1},
        {{200, 0, "{\"sandboxID\":\"a\"}", 0, 0, SERVER_CUTS_MID},
         SOURCE_FAILED,                                                                            ERR_UPSTREAM,
         "cut",                                                                                                               3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct e2b_get op;

        begin(fixed, &rows[i].f);
        e2b_get_init(&op, &e2b, &arena, SID);
        run(&op.call);
        assert_int_equal(op.src.state, rows[i].state);
        assert_int_equal(op.src.err.kind, rows[i].kind);
        if (!strstr(op.src.err.msg, rows[i].msg))
            fail_msg("row %zu: \"%s\" instead of \"%s\"", i, op.src.err.msg, rows[i].msg);
        assert_int_equal(op.src.err.http_status,
                         rows[i].f.cut == SERVER_ANSWERS ? rows[i].f.status : 0);
        assert_int_equal(op.src.tries, rows[i].tries);
        assert_int_equal(server_count(server), rows[i].tries);
        e2b_get_release(&op);
        end();
    }
}

static void what_429_asks_for_is_kept(void **state)
{
    struct fixed f = {
        429,           0,    "{\"code\":429,\"message\":\"Rate limit exceeded\"}",
        "Retry-After", "90", 0};
    struct http_call *call;
    struct e2b_get op;

    (void)state;
    begin(fixed, &f);
    e2b_get_init(&op, &e2b, &arena, SID);
    call = &op.call;
    http_run(http, &call, 1, clock_mono_us() + 5 * TS_SEC); /* less than the wait */
    assert_int_equal(op.src.err.http_status, 429);
    assert_true(op.src.err.is_retryable);
    assert_true(op.src.err.retry_after_us == 90 * TS_SEC);
    e2b_get_release(&op);
    end();
}

static void what_is_no_id_is_not_sent(void **state)
{
    static const char *const bad[] = {"", "..", "I7Q", "a/b", "a b", "a?x=1"};
    struct fixed f = {200, 0, "[]", 0, 0, 0};

    (void)state;
    begin(fixed, &f);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct e2b_get get;
        struct e2b_events events;
        struct e2b_metrics metrics;
        struct e2b_logs logs;

        e2b_get_init(&get, &e2b, &arena, bad[i]);
        e2b_events_init(&events, &e2b, &arena, bad[i]);
        e2b_metrics_init(&metrics, &e2b, &arena, bad[i], TS_NONE, TS_NONE);
        e2b_logs_init(&logs, &e2b, &arena, bad[i], NULL, 1000, clock_now_us());
        http_run(http,
                 (struct http_call *const[]){&get.call, &events.call, &metrics.call,
                                             &logs.call},
                 4, clock_mono_us() + 60 * TS_SEC);
        assert_int_equal(get.src.state, SOURCE_FAILED);
        assert_int_equal(get.src.err.kind, ERR_INPUT);
        assert_int_equal(events.src.err.kind, ERR_INPUT);
        assert_int_equal(metrics.src.err.kind, ERR_INPUT);
        assert_int_equal(logs.src.err.kind, ERR_INPUT);
        e2b_get_release(&get);
        e2b_events_release(&events);
        e2b_metrics_release(&metrics);
        e2b_logs_release(&logs);
    }
    assert_int_equal(server_count(server), 0);
    end();
}

/* -- list ------------------------------------------------------------------------------------ */

struct list_play {
    int pages; /* 0: without end */
    bool repeats_token, repeats_row, fails_on_second, is_v1_only;
};

static void list_answer(struct server *s, void *ctx, const struct server_request *rq,
                        struct server_reply *rp)
{
    const struct list_play *play = ctx;
    char token[32] = "0", body[256];
    int page;

    (void)s;
    if (play->is_v1_only && strstr(rq->target, "/v2/")) {
        server_say(rp, 404,
                   "{\"code\":404,\"message\":\"no matching operation was found\"}");
        return;
    }
    target_param(rq->target, "nextToken", token, sizeof(token));
    page = (int)strtol(token, NULL, 10);
    if (play->fails_on_second && page) {
        server_say(rp, 500, "{\"message\":\"Error getting paused sandboxes\"}");
        return;
    }
    snprintf(body, sizeof(body),
             "[{\"sandboxID\":\"ia%d\",\"state\":\"running\"},"
             "{\"sandboxID\":\"ib%d\",\"state\":\"%s\"}]",
             page, play->repeats_row ? 0 : page, page ? "paused" : "running");
    server_say(rp, 200, body);
    if (!play->pages || page + 1 < play->pages) {
        snprintf(token, sizeof(token), "%d",
                 play->repeats_token && page ? page : page + 1);
        server_header(rp, "x-next-token", token);
    }
}

static void list_one(struct e2b_list *op, struct list_play *play, const char *key,
                     const char *value)
{
    begin(list_answer, play);
    e2b_list_init(op, &e2b, &arena, key, value);
    run(&op->call);
}

static void list_reads_all_pages_with_the_same_filter(void **state)
{
    struct list_play play = {.pages = 3};
    struct e2b_list op;

    (void)state;
    list_one(&op, &play, "e", "zo\xC3\xAB+x@example.com");
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_false(op.src.is_cut);
    assert_int_equal(op.pages, 3);
    assert_int_equal(op.count, 6);
    assert_int_equal(op.src.tries, 3);
    assert_string_equal(server_target(server, 0),
                        "/e2b/v2/sandboxes?state=running%2Cpaused&limit=100"
                        "&metadata=e%3Dzo%2525C3%2525AB%25252Bx%252540example.com");
    assert_string_equal(server_target(server, 2),
                        "/e2b/v2/sandboxes?state=running%2Cpaused&limit=100"
                        "&metadata=e%3Dzo%2525C3%2525AB%25252Bx%252540example.com"
                        "&nextToken=2");
    e2b_list_release(&op);
    end();
}

static void a_sandbox_on_two_pages_is_one_and_the_newer(void **state)
{
    struct list_play play = {.pages = 2, .repeats_row = true};
    struct e2b_list op;

    (void)state;
    list_one(&op, &play, NULL, NULL);
    assert_int_equal(op.count, 3);
    assert_string_equal(op.sandboxes[1].id, "ib0");
    assert_int_equal(op.sandboxes[1].state, SANDBOX_PAUSED);
    assert_null(strstr(server_target(server, 0), "metadata"));
    e2b_list_release(&op);
    end();
}

static void the_same_token_twice_ends_the_list(void **state)
{
    struct list_play play = {.repeats_token = true};
    struct e2b_list op;

    (void)state;
    list_one(&op, &play, NULL, NULL);
    assert_int_equal(op.pages, 2);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_true(op.src.is_cut);
    e2b_list_release(&op);
    end();
}

static void a_list_without_end_is_cut_at_20_pages(void **state)
{
    struct list_play play = {.pages = 0};
    struct e2b_list op;

    (void)state;
    list_one(&op, &play, NULL, NULL);
    assert_int_equal(op.pages, 20);
    assert_int_equal(op.count, 40);
    assert_true(op.src.is_cut);
    e2b_list_release(&op);
    end();
}

static void a_later_page_that_fails_leaves_the_earlier(void **state)
{
    struct list_play play = {.pages = 3, .fails_on_second = true};
    struct e2b_list op;

    (void)state;
    list_one(&op, &play, NULL, NULL);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_true(op.src.is_cut);
    assert_int_equal(op.count, 2);
    assert_string_equal(op.src.err.msg, "Error getting paused sandboxes");
    assert_int_equal(op.src.err.http_status, 500);
    e2b_list_release(&op);
    end();
}

static void an_old_server_is_asked_the_old_way(void **state)
{
    struct list_play play = {.pages = 3, .is_v1_only = true};
    struct e2b_list op;

    (void)state;
    list_one(&op, &play, "k", "a+b");
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_true(op.is_v1);
    assert_int_equal(op.count, 2);
    assert_int_equal(server_count(server), 2); /* the old route has no pages */
    assert_string_equal(server_target(server, 1),
                        "/e2b/sandboxes?metadata=k%3Da%25252Bb");
    e2b_list_release(&op);
    end();
}

/* -- events ---------------------------------------------------------------------------------- */

struct events_play {
    int total;
    int fail_from; /* offset; 0: never */
    bool repeats;  /* each page begins with its predecessor's last row */
    const char *not_found;
};

/* Events are numbered by age, one a second; 0 is the oldest. */
static void events_answer(struct server *s, void *ctx, const struct server_request *rq,
                          struct server_reply *rp)
{
    const struct events_play *play = ctx;
    char text[32] = "", stamp[TS_ISO_SIZE];
    struct sbuf body;
    long offset, asc;

    (void)s;
    if (play->not_found) {
        server_say(rp, 404, play->not_found);
        return;
    }
    asc = strcmp(target_param(rq->target, "orderAsc", text, sizeof(text)), "true") == 0;
    offset = strtol(target_param(rq->target, "offset", text, sizeof(text)), NULL, 10);
    if (play->fail_from && offset >= play->fail_from) {
        server_say(rp, 500, "{\"message\":\"events store is down\"}");
        return;
    }
    sbuf_init(&body, 1 << 20);
    sbuf_adds(&body, "[");
    for (long i = offset; i < offset + 100 && i < play->total; i++) {
        long k = play->repeats && i == offset && i ? i - 1 : i;
        long n = asc ? k : play->total - 1 - k;

        sbuf_addf(&body,
                  "%s{\"id\":\"e%05ld\",\"type\":\"sandbox.lifecycle.updated\","
                  "\"timestamp\":\"%s\",\"sandboxId\":\"" SID "\",\"eventData\":null}",
                  i > offset ? "," : "", n,
                  ts_iso((INT64_C(1789373530) + n) * TS_SEC, stamp));
    }
    sbuf_adds(&body, "]");
    server_say(rp, 200, body.s);
    sbuf_release(&body);
}

static void events_one(struct e2b_events *op, struct events_play *play)
{
    begin(events_answer, play);
    e2b_events_init(op, &e2b, &arena, SID);
    run(&op->call);
}

static void events_are_read_oldest_first_to_a_short_page(void **state)
{
    struct events_play play = {.total = 230};
    struct e2b_events op;

    (void)state;
    events_one(&op, &play);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_false(op.src.is_cut);
    assert_int_equal(op.count, 230);
    for (size_t i = 1; i < op.count; i++)
        assert_true(op.events[i - 1].at_us < op.events[i].at_us);
    assert_int_equal(server_count(server), 3);
    assert_string_equal(server_target(server, 0),
                        "/e2b/events/sandboxes/" SID "?offset=0&limit=100&orderAsc=true");
    assert_string_equal(server_target(server, 2), "/e2b/events/sandboxes/" SID
                                                  "?offset=200&limit=100&orderAsc=true");
    assert_int_equal(e2b.has_events, 1);
    e2b_events_release(&op);
    end();
}

static void a_repeated_event_is_one(void **state)
{
    struct events_play play = {.total = 150, .repeats = true};
    struct e2b_events op;

    (void)state;
    events_one(&op, &play);
    assert_int_equal(op.count, 149); /* e00100 was answered as e00099 once more */
    e2b_events_release(&op);
    end();
}

static void events_without_end_are_cut_at_50_pages(void **state)
{
    struct events_play play = {.total = 100000};
    struct e2b_events op;

    (void)state;
    events_one(&op, &play);
    assert_int_equal(op.pages, 50);
    assert_int_equal(op.count, 5000);
    assert_true(op.src.is_cut);
    e2b_events_release(&op);
    end();
}

static void events_keep_what_they_had(void **state)
{
    struct events_play play = {.total = 300, .fail_from = 200};
    struct e2b_events op;

    (void)state;
    events_one(&op, &play);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_true(op.src.is_cut);
    assert_int_equal(op.count, 200);
    assert_string_equal(op.src.err.msg, "events store is down");
    e2b_events_release(&op);
    end();
}

static void a_missing_events_route_is_told_from_a_missing_sandbox(void **state)
{
    struct events_play none = {
        .not_found = "{\"code\":404,\"message\":\"no matching operation was found\"}"};
    struct events_play gone = {.not_found = "{\"code\":404,\"message\":\"Not found\"}"};
    struct e2b_events op;

    (void)state;
    events_one(&op, &none);
    assert_int_equal(op.src.state, SOURCE_UNSUPPORTED);
    assert_int_equal(e2b.has_events, -1);
    e2b_events_release(&op);
    end();
    events_one(&op, &gone); /* nothing learnt yet: e2b.md 1.1 */
    assert_int_equal(op.src.state, SOURCE_UNSUPPORTED);
    assert_int_equal(e2b.has_events, 0);
    e2b_events_release(&op);
    e2b.has_events = 1;
    e2b_events_init(&op, &e2b, &arena, SID);
    run(&op.call);
    assert_int_equal(op.src.state, SOURCE_NOT_THERE);
    assert_int_equal(op.count, 0);
    e2b_events_release(&op);
    end();
}

static bool is_known(const char *id, void *ctx)
{
    return !strcmp(id, ctx);
}

static void the_team_feed_is_read_back_to_what_is_known(void **state)
{
    struct events_play play = {.total = 500};
    struct e2b_events op;
    char known[] = "e00350";

    (void)state;
    begin(events_answer, &play);
    e2b_team_events_init(&op, &e2b, &arena, TS_NONE, is_known, known);
    run(&op.call);
    assert_int_equal(server_count(server), 2);
    assert_string_equal(server_target(server, 1),
                        "/e2b/events/sandboxes?offset=100&limit=100&orderAsc=false");
    assert_int_equal(op.count, 199); /* two pages without the known one */
    assert_string_equal(op.events[0].id, "e00300");
    assert_string_equal(op.events[198].id, "e00499");
    assert_false(op.src.is_cut);
    e2b_events_release(&op);
    end();
}

static void the_team_feed_stops_at_a_time(void **state)
{
    struct events_play play = {.total = 500};
    struct e2b_events op;

    (void)state;
    begin(events_answer, &play);
    e2b_team_events_init(&op, &e2b, &arena, (INT64_C(1789373530) + 480) * TS_SEC, NULL,
                         NULL);
    run(&op.call);
    assert_int_equal(server_count(server), 1);
    assert_int_equal(op.count, 20);
    assert_string_equal(op.events[0].id, "e00480");
    e2b_events_release(&op);
    end();
}

/* -- metrics --------------------------------------------------------------------------------- */

static void metrics_send_both_bounds_or_neither(void **state)
{
    struct {
        int64_t from, to;
        const char *query;
    } rows[] = {
        {TS_NONE,                   TS_NONE,                   ""},
        {INT64_C(1789373520900000), INT64_C(1789373560100000),
         "?start=1789373520&end=1789373561"                      },
        {INT64_C(1789373520000000), TS_NONE,                   ""},
        {TS_NONE,                   INT64_C(1789373520000000), ""},
        {INT64_C(1789373560000000), INT64_C(1789373520000000), ""},
    };
    struct fixed f = {200,
                      0,
                      "[{\"timestampUnix\":1789373530,\"cpuUsedPct\":1,\"memUsed\":1,"
                      "\"memTotal\":2},{\"timestampUnix\":null}]",
                      0,
                      0,
                      0};
    char want[128];

    (void)state;
    begin(fixed, &f);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct e2b_metrics op;

        e2b_metrics_init(&op, &e2b, &arena, SID, rows[i].from, rows[i].to);
        run(&op.call);
        assert_int_equal(op.src.state, SOURCE_OK);
        assert_int_equal(op.count, 1);
        assert_int_not_equal(op.src.err.kind, ERR_NONE); /* one row was unreadable */
        snprintf(want, sizeof(want), "/e2b/sandboxes/" SID "/metrics%s", rows[i].query);
        assert_string_equal(server_target(server, i), want);
        e2b_metrics_release(&op);
    }
    end();
}

static void no_samples_is_no_failure(void **state)
{
    struct fixed f = {200, 0, "[]", 0, 0, 0};
    struct e2b_metrics op;

    (void)state;
    begin(fixed, &f);
    e2b_metrics_init(&op, &e2b, &arena, SID, TS_NONE, TS_NONE);
    run(&op.call);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_int_equal(op.count, 0);
    assert_int_equal(op.src.err.kind, ERR_NONE);
    e2b_metrics_release(&op);
    end();
}

/* -- at once --------------------------------------------------------------------------------- */

/* Answers only once all five requests have come. */
static void all_together(struct server *s, void *ctx, const struct server_request *rq,
                         struct server_reply *rp)
{
    bool are_here = server_wait_open(s, 5);

    (void)ctx;
    if (!are_here)
        server_say(rp, 500, "{\"message\":\"one after the other\"}");
    else if (strstr(rq->target, "/v2/sandboxes/"))
        server_say(rp, 200, "{\"logs\":[]}");
    else if (strstr(rq->target, "/logs"))
        server_say(rp, 200, "{\"logs\":[],\"logEntries\":[]}");
    else if (strstr(rq->target, "/events/") || strstr(rq->target, "/metrics"))
        server_say(rp, 200, "[]");
    else
        server_say(rp, 200, "{\"sandboxID\":\"" SID "\",\"state\":\"running\"}");
}

static void the_reads_of_a_page_are_under_way_at_once(void **state)
{
    struct e2b_get get;
    struct e2b_events events;
    struct e2b_metrics metrics;
    struct e2b_logs logs;

    (void)state;
    begin(all_together, NULL);
    e2b_get_init(&get, &e2b, &arena, SID);
    e2b_events_init(&events, &e2b, &arena, SID);
    e2b_metrics_init(&metrics, &e2b, &arena, SID, TS_NONE, TS_NONE);
    e2b_logs_init(&logs, &e2b, &arena, SID, NULL, 1000, clock_now_us());
    logs.want_results = true;
    http_run(
        http,
        (struct http_call *const[]){&get.call, &events.call, &metrics.call, &logs.call},
        4, clock_mono_us() + 60 * TS_SEC);
    assert_int_equal(get.src.state, SOURCE_OK);
    assert_int_equal(events.src.state, SOURCE_OK);
    assert_int_equal(metrics.src.state, SOURCE_OK);
    assert_int_equal(logs.src.state, SOURCE_OK);
    assert_int_equal(logs.results_src.state, SOURCE_OK);
    assert_int_equal(server_count(server), 5);
    e2b_get_release(&get);
    e2b_events_release(&events);
    e2b_metrics_release(&metrics);
    e2b_logs_release(&logs);
    end();
}

static void held_events(struct server *s, void *ctx, const struct server_request *rq,
                        struct server_reply *rp)
{
    (void)ctx;
    if (strstr(rq->target, "/events/"))
        server_hold(s);
    server_say(rp, 200, "{\"sandboxID\":\"" SID "\",\"state\":\"running\"}");
}

static void one_silent_read_costs_only_itself(void **state)
{
    struct e2b_get get;
    struct e2b_events events;

    (void)state;
    begin(held_events, NULL);
    e2b_get_init(&get, &e2b, &arena, SID);
    e2b_events_init(&events, &e2b, &arena, SID);
    http_run(http, BOTH(&get.call, &events.call), 2, clock_mono_us() + TS_SEC);
    assert_int_equal(get.src.state, SOURCE_OK);
    assert_int_equal(events.src.state, SOURCE_FAILED);
    assert_int_equal(events.src.err.kind, ERR_TIMEOUT);
    assert_int_equal(events.src.err.http_status, 0);
    e2b_get_release(&get);
    e2b_events_release(&events);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(get_reads_a_sandbox_and_no_secret),
        cmocka_unit_test(each_refusal_is_told_apart),
        cmocka_unit_test(what_429_asks_for_is_kept),
        cmocka_unit_test(what_is_no_id_is_not_sent),
        cmocka_unit_test(list_reads_all_pages_with_the_same_filter),
        cmocka_unit_test(a_sandbox_on_two_pages_is_one_and_the_newer),
        cmocka_unit_test(the_same_token_twice_ends_the_list),
        cmocka_unit_test(a_list_without_end_is_cut_at_20_pages),
        cmocka_unit_test(a_later_page_that_fails_leaves_the_earlier),
        cmocka_unit_test(an_old_server_is_asked_the_old_way),
        cmocka_unit_test(events_are_read_oldest_first_to_a_short_page),
        cmocka_unit_test(a_repeated_event_is_one),
        cmocka_unit_test(events_without_end_are_cut_at_50_pages),
        cmocka_unit_test(events_keep_what_they_had),
        cmocka_unit_test(a_missing_events_route_is_told_from_a_missing_sandbox),
        cmocka_unit_test(the_team_feed_is_read_back_to_what_is_known),
        cmocka_unit_test(the_team_feed_stops_at_a_time),
        cmocka_unit_test(metrics_send_both_bounds_or_neither),
        cmocka_unit_test(no_samples_is_no_failure),
        cmocka_unit_test(the_reads_of_a_page_are_under_way_at_once),
        cmocka_unit_test(one_silent_read_costs_only_itself),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
