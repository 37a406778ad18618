/*
 * Reading logs page by page, each page as another process would ("Load more"): no line lost, none twice,
 * whatever the server means by `start`.
 */
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

#define SID "i7q2m0xk4v9d1c8b3zt5e"

enum v1_kind {
    V1_ALL_MS,  /* `start` in ms; 1970 is before every line */
    V1_LOKI_MS, /* `start` in ms; longer ago than 30 days gives nothing */
    V1_ZERO_MS, /* the same, but 0 is as if it were not sent */
    V1_OFFSET,  /* `start` counts lines */
    V1_STRICT   /* the same, and a number of ms is a 400 */
};

struct play { /* the logs of one sandbox, and how the server pages them */
    bool has_v2;
    enum v1_kind v1;
    int lines;
    int us_apart;      /* from line to line */
    int at_once;       /* so many share one time */
    bool all_the_same; /* one message for all */
    bool ignores_filters;
    bool no_order;    /* a page's lines come in reverse */
    int ns_share;     /* so many of one time share the nanosecond, too; 0: all */
    int v1_cap;       /* v1 gives no more than this, whatever is asked; 0: 1000 */
    int v1_max;       /* a larger limit is a 400; 0: none */
    bool v1_swallows; /* a larger limit than 5000, or any if v1_cap is below 0: nothing */
    bool no_backward; /* only forward, as no real server does */
    bool shuffles;    /* equal times come in another order with each request */
    size_t fail_at;   /* this request gets a 500; 0: none */
    size_t line_bytes;
    bool is_bold; /* each line, and the sequence is in its message */
};

static struct http *http;
static struct arena arena;
static struct conf conf;
static struct e2b e2b;
static struct server *server;
static int64_t now_us, first_us;

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

/* -- the server ------------------------------------------------------------------------------ */

static int64_t line_us(const struct play *p, int i)
{
    return first_us + (int64_t)(i / (p->at_once ? p->at_once : 1)) * p->us_apart;
}

static void put_stamp(struct sbuf *out, const struct play *p, int i)
{
    char stamp[TS_ISO_SIZE];

    ts_iso_us(line_us(p, i), stamp);
    sbuf_addf(out, "%.*s%03dZ", (int)strlen(stamp) - 1, stamp,
              p->ns_share ? i % p->at_once / p->ns_share % 1000 : 7); /* nanoseconds */
}

/* Every tenth line is an error; every 500th a process end. */
static bool is_error(int i)
{
    return i % 10 == 3;
}

static bool is_end(int i)
{
    return i % 500 == 77;
}

static void put_message(struct sbuf *out, const struct play *p, int i)
{
    if (is_end(i))
        sbuf_addf(out, "Process with pid %d ended", i);
    else
        sbuf_addf(out, "line %d", p->all_the_same ? 0 : i);
    if (p->is_bold)
        sbuf_adds(out, "\\u001b[1m");
    for (size_t n = 0; n < p->line_bytes; n += 10)
        sbuf_adds(out, " paddingxx");
}

static void put_entry(struct sbuf *out, const struct play *p, int i)
{
    sbuf_adds(out, "{\"timestamp\":\"");
    put_stamp(out, p, i);
    sbuf_addf(out, "\",\"level\":\"%s\",\"message\":\"", is_error(i) ? "error" : "info");
    put_message(out, p, i);
    sbuf_addf(out, "\",\"fields\":%s}",
              is_end(i) ? "{\"event_type\":\"process_end\"}" : "null");
}

static void put_raw(struct sbuf *out, const struct play *p, int i)
{
    sbuf_adds(out, "{\"timestamp\":\"");
    put_stamp(out, p, i);
    sbuf_adds(out, "\",\"line\":\"{\\\"message\\\":\\\"");
    put_message(out, p, i);
    sbuf_adds(out, "\\\"");
    if (is_end(i))
        sbuf_addf(out,
                  ",\\\"event_type\\\":\\\"process_end\\\",\\\"process_result\\\":{"
                  "\\\"exit_code\\\":%d,\\\"exited\\\":true,"
                  "\\\"status\\\":\\\"exit status %d\\\"}",
                  i % 256, i % 256);
    sbuf_adds(out, "}\"}");
}

/* Lines from..to-1 that match, at most limit, in one of the two forms. */
struct choice {
    int from, to; /* to: where it begins going backward */
    bool is_backward;
    long limit;
    bool errors_only;
    const char *search;
};

static bool is_chosen(const struct play *p, const struct choice *c, int i)
{
    struct sbuf message;
    bool yes;

    if (c->errors_only && !is_error(i))
        return false;
    if (!c->search)
        return true;
    sbuf_init(&message, 1 << 20);
    put_message(&message, p, i);
    yes = strstr(message.s, c->search) != NULL;
    sbuf_release(&message);
    return yes;
}

/* Turns about a stretch of lines that share one time. */
static void shuffle(const struct play *p, int *chosen, int n, size_t seed)
{
    for (int k = 0; k + 1 < n; k++) {
        if (line_us(p, chosen[k]) == line_us(p, chosen[k + 1]) &&
            (seed + (size_t)k) % 3) {
            int swap = chosen[k];

            chosen[k] = chosen[k + 1];
            chosen[k + 1] = swap;
        }
    }
}

static void put_list(struct sbuf *out, const struct play *p, const struct choice *c,
                     void (*put)(struct sbuf *, const struct play *, int))
{
    int chosen[10000]; /* of this thread: several requests are answered at once */
    int n = 0;

    for (int k = 0; k < c->to - c->from && n < c->limit; k++) {
        int i = c->is_backward ? c->to - 1 - k : c->from + k;

        if (is_chosen(p, c, i))
            chosen[n++] = i;
    }
    if (p->shuffles)
        shuffle(p, chosen, n, (size_t)n + server_count(server));
    sbuf_adds(out, "[");
    for (int k = 0; k < n; k++) {
        if (k)
            sbuf_adds(out, ",");
        put(out, p, chosen[p->no_order ? n - 1 - k : k]);
    }
    sbuf_adds(out, "]");
}

static int first_from_ms(const struct play *p, int64_t ms)
{
    int i = 0;

    while (i < p->lines && line_us(p, i) < ms * TS_MS)
        i++;
    return i;
}

static int64_t number(const char *target, const char *name)
{
    char text[64] = "0";

    return strtoll(target_param(target, name, text, sizeof(text)), NULL, 10);
}

static void say_buf(struct server_reply *rp, struct sbuf *body)
{
    server_say(rp, 200, body->s);
    sbuf_release(body);
}

static void answer_v2(const struct play *p, const char *target, struct server_reply *rp)
{
    char search[300];
    struct choice c = {.to = p->lines, .limit = number(target, "limit")};
    struct sbuf body;

    c.is_backward = !strstr(target, "direction=forward");
    if (!c.is_backward)
        c.from = first_from_ms(p, number(target, "cursor"));
    else if (strstr(target, "cursor="))
        c.to = first_from_ms(p, number(target, "cursor")); /* exclusive, as on Loki */
    if (!p->ignores_filters) {
        c.errors_only = strstr(target, "&level=error") != NULL;
        c.search = target_param(target, "search", search, sizeof(search));
    }
    if (c.limit > 1000 || (c.is_backward && p->no_backward)) {
        server_say(rp, 400, "{\"message\":\"validation error: limit\"}");
        return;
    }
    sbuf_init(&body, (size_t)64 << 20);
    sbuf_adds(&body, "{\"logs\":");
    put_list(&body, p, &c, put_entry);
    sbuf_adds(&body, "}");
    say_buf(rp, &body);
}

/* -1: nothing at all. */
static int v1_first(const struct play *p, int64_t start)
{
    bool is_old = start * TS_MS < now_us - 30 * TS_DAY;

    switch (p->v1) {
    case V1_ALL_MS:
        return first_from_ms(p, start);
    case V1_LOKI_MS:
        return is_old ? -1 : first_from_ms(p, start);
    case V1_ZERO_MS:
        return is_old && start ? -1 : first_from_ms(p, start);
    case V1_OFFSET:
    case V1_STRICT:
        break;
    }
    return start < p->lines ? (int)start : -1;
}

static void answer_v1(const struct play *p, const char *target, struct server_reply *rp)
{
    int64_t start = number(target, "start");
    struct choice c = {.to = p->lines, .limit = number(target, "limit")};
    struct sbuf body;

    if (p->v1_max && c.limit > p->v1_max) {
        server_say(rp, 400, "{\"message\":\"validation error: limit\"}");
        return;
    }
    if (p->v1_swallows && c.limit > 1000)
        c.limit = 0;
    if (c.limit > (p->v1_cap ? p->v1_cap : 1000))
        c.limit = p->v1_cap ? p->v1_cap : 1000;
    if (p->v1 == V1_STRICT && start > INT32_MAX) {
        server_say(rp, 400, "{\"message\":\"validation error: start\"}");
        return;
    }
    c.from = v1_first(p, start);
    if (c.from < 0)
        c.from = p->lines;
    sbuf_init(&body, (size_t)64 << 20);
    sbuf_adds(&body, "{\"logs\":");
    put_list(&body, p, &c, put_raw);
    sbuf_adds(&body, ",\"logEntries\":");
    put_list(&body, p, &c, put_entry);
    sbuf_adds(&body, "}");
    say_buf(rp, &body);
}

static void answer(struct server *s, void *ctx, const struct server_request *rq,
                   struct server_reply *rp)
{
    const struct play *p = ctx;
    bool is_v2 = strstr(rq->target, "/v2/") != NULL;

    (void)s;
    if (p->fail_at && rq->number + 1 == p->fail_at)
        server_say(rp, 500, "{\"message\":\"Failed to fetch sandbox logs\"}");
    else if (is_v2 && !p->has_v2)
        server_say(rp, 404,
                   "{\"code\":404,\"message\":\"no matching operation was found\"}");
    else if (is_v2)
        answer_v2(p, rq->target, rp);
    else
        answer_v1(p, rq->target, rp);
}

/* -- the reader ------------------------------------------------------------------------------ */

static void begin(struct play *p, enum conf_logs_paging paging)
{
    server = server_start(answer, p);
    conf.e2b.base_url = server_url(server);
    conf.e2b.api_key = "e2b_0";
    conf.e2b.logs_paging = paging;
    e2b_init(&e2b, &conf, http);
    now_us = clock_now_us();
    first_us = now_us - 3 * TS_HOUR;
    first_us -= first_us % TS_SEC;
}

static void end(void)
{
    server_stop(server);
    arena_release(&arena);
}

static void read_once(struct e2b_logs *op)
{
    struct http_call *call = &op->call;

    http_run(http, &call, 1, clock_mono_us() + 120 * TS_SEC);
}

static void check_line(const struct play *p, const struct log_line *l, int i)
{
    struct sbuf want;

    sbuf_init(&want, 1 << 20);
    put_message(&want, p, i);
    assert_string_equal(l->message, want.s);
    assert_true(l->at_us == line_us(p, i));
    sbuf_release(&want);
}

/*
 * Read everything in pieces of max_lines, each with a client that knows nothing but the position.
 * Every line must come once, in its order.
 */
static void read_all(struct play *p, enum conf_logs_paging paging, size_t max_lines)
{
    const char *position = "";
    int at = 0;
    int pieces = 0;

    begin(p, paging);
    do {
        struct e2b_logs op;

        e2b_init(&e2b, &conf, http);
        e2b_logs_init(&op, &e2b, &arena, SID, position, max_lines, now_us);
        read_once(&op);
        assert_int_equal(op.src.state, SOURCE_OK);
        assert_int_equal(op.src.err.kind, ERR_NONE);
        assert_true(op.count <= max_lines);
        assert_false(op.skipped_some);
        for (size_t i = 0; i < op.count; i++, at++) {
            assert_true(at < p->lines);
            check_line(p, &op.lines[i], at);
        }
        position = op.next_position;
        assert_true(e2b_logs_position_ok(position));
        assert_int_equal(op.src.is_cut, *position != '\0');
        e2b_logs_release(&op);
        assert_true(++pieces < 200);
    } while (*position);
    assert_int_equal(at, p->lines);
    end();
}

static const struct play servers[] = {
    {.has_v2 = true},   {.v1 = V1_ALL_MS}, {.v1 = V1_LOKI_MS},
    {.v1 = V1_ZERO_MS}, {.v1 = V1_OFFSET}, {.v1 = V1_STRICT},
};

static void every_server(int lines, int us_apart, int at_once, size_t max_lines)
{
    for (size_t i = 0; i < sizeof(servers) / sizeof(servers[0]); i++) {
        struct play p = servers[i];

        p.lines = lines;
        p.us_apart = us_apart;
        p.at_once = at_once;
        read_all(&p, LOGS_AUTO, max_lines);
    }
}

static void every_line_once_page_by_page(void **state)
{
    (void)state;
    every_server(2345, 7000, 1, 1000);
}

static void every_line_once_in_one_read(void **state)
{
    (void)state;
    every_server(2345, 7000, 1, 100000);
}

static void every_line_once_in_small_pieces(void **state)
{
    (void)state;
    every_server(1234, 300, 1, 170); /* three or four lines a millisecond */
}

static void every_line_once_when_a_millisecond_spans_pages(void **state)
{
    (void)state;
    every_server(2345, 25, 1, 1000);   /* 40 a millisecond */
    every_server(2345, 5000, 30, 500); /* 30 at one time */
}

static void identical_lines_at_one_time_are_all_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(servers) / sizeof(servers[0]); i++) {
        struct play p = servers[i];

        p.lines = 1500;
        p.us_apart = 2000;
        p.at_once = 7;
        p.all_the_same = true;
        read_all(&p, LOGS_AUTO, 1000);
    }
}

static void the_end_on_a_full_page_is_found(void **state)
{
    (void)state;
    every_server(1000, 7000, 1, 1000);
    every_server(2000, 7000, 1, 100000);
    every_server(2000, 7000, 1, 1000);
}

static void no_lines_are_no_failure(void **state)
{
    (void)state;
    every_server(0, 1, 1, 1000);
    every_server(1, 1, 1, 1000);
}

static void a_page_out_of_order_is_sorted(void **state)
{
    struct play p = {.has_v2 = true, .lines = 2500, .us_apart = 1500, .no_order = true};

    (void)state;
    read_all(&p, LOGS_AUTO, 1000);
}

/* A piece of a longer read does without the request for its last few lines. */
static void a_piece_costs_one_request(void **state)
{
    struct play p = {.has_v2 = true, .lines = 3000, .us_apart = 7000};
    struct e2b_logs op;
    const char *position;

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    read_once(&op);
    position = op.next_position;
    e2b_logs_release(&op);
    for (int is_piece = 0; is_piece < 2; is_piece++) {
        size_t asked = server_count(server);

        e2b_logs_init(&op, &e2b, &arena, SID, position, 1000, now_us);
        op.is_piece = is_piece;
        read_once(&op);
        assert_int_equal(server_count(server) - asked, is_piece ? 1 : 2);
        assert_int_equal(op.count, is_piece ? 999 : 1000);
        e2b_logs_release(&op);
    }
    end();
}

/* -- what is asked --------------------------------------------------------------------------- */

static void read_first(struct e2b_logs *op, struct play *p, enum conf_logs_paging paging,
                       size_t max_lines)
{
    begin(p, paging);
    e2b_logs_init(op, &e2b, &arena, SID, NULL, max_lines, now_us);
    read_once(op);
}

static void v2_is_asked_forward_by_cursor(void **state)
{
    struct play p = {.has_v2 = true, .lines = 1500, .us_apart = 7000};
    struct e2b_logs op;
    char want[160];

    (void)state;
    read_first(&op, &p, LOGS_AUTO, 5000);
    assert_int_equal(server_count(server), 2);
    snprintf(want, sizeof(want),
             "/v2/sandboxes/" SID "/logs?cursor=%lld&direction=forward&limit=1000",
             (long long)((now_us - 7 * TS_DAY + TS_MIN) / TS_MS));
    assert_string_equal(server_target(server, 0), want);
    snprintf(want, sizeof(want),
             "/v2/sandboxes/" SID "/logs?cursor=%lld&direction=forward&limit=1000",
             (long long)(line_us(&p, 999) / TS_MS));
    assert_string_equal(server_target(server, 1), want);
    assert_int_equal(e2b.has_v2_logs, 1);
    assert_string_equal(op.next_position, "");
    assert_false(op.src.is_cut);
    assert_int_equal(op.results_src.state, SOURCE_NOT_ASKED);
    e2b_logs_release(&op);
    end();
}

static void offsets_are_asked_from_0_in_steps_of_1000(void **state)
{
    struct play p = {.v1 = V1_OFFSET, .lines = 2500, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    read_first(&op, &p, LOGS_OFFSET, 5000);
    assert_int_equal(server_count(server), 3);
    assert_string_equal(server_target(server, 0),
                        "/sandboxes/" SID "/logs?start=0&limit=1000");
    assert_string_equal(server_target(server, 1),
                        "/sandboxes/" SID "/logs?start=1000&limit=1000");
    assert_string_equal(server_target(server, 2),
                        "/sandboxes/" SID "/logs?start=2000&limit=1000");
    assert_int_equal(op.count, 2500);
    e2b_logs_release(&op);
    end();
}

static void a_missing_v2_route_is_learnt_once(void **state)
{
    struct play p = {.v1 = V1_OFFSET, .lines = 5, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    read_first(&op, &p, LOGS_AUTO, 1000);
    assert_int_equal(e2b.has_v2_logs, -1);
    assert_int_equal(server_count(server), 2);
    e2b_logs_release(&op);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    read_once(&op);
    assert_int_equal(server_count(server), 3);
    assert_int_equal(op.count, 5);
    e2b_logs_release(&op);
    end();
}

static void what_start_means_is_learnt_once(void **state)
{
    struct play ms = {.v1 = V1_LOKI_MS, .lines = 5, .us_apart = 7000};
    struct play offset = {.v1 = V1_OFFSET, .lines = 1005, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    read_first(&op, &ms, LOGS_OFFSET, 1000);
    assert_int_equal(server_count(server), 2);
    e2b_logs_release(&op);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    read_once(&op);
    assert_int_equal(op.count, 5);
    assert_int_equal(server_count(server), 3);
    e2b_logs_release(&op);
    end();
    read_first(&op, &offset, LOGS_OFFSET, 5000);
    assert_int_equal(e2b.has_v1_times, -1);
    e2b_logs_release(&op);
    end();
}

/* No lines at all say nothing about what `start` means. */
static void nothing_teaches_nothing(void **state)
{
    struct play p = {.v1 = V1_LOKI_MS, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    read_first(&op, &p, LOGS_OFFSET, 1000);
    assert_int_equal(e2b.has_v1_times, 0);
    e2b_logs_release(&op);
    p.lines = 5;
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    read_once(&op);
    assert_int_equal(op.count, 5);
    e2b_logs_release(&op);
    end();
}

static void by_cursor_only_does_not_fall_back(void **state)
{
    struct play p = {.v1 = V1_OFFSET, .lines = 5, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    read_first(&op, &p, LOGS_CURSOR, 1000);
    assert_int_equal(op.src.state, SOURCE_UNSUPPORTED);
    assert_int_equal(server_count(server), 1);
    e2b_logs_release(&op);
    end();
}

/* A server that means ms is never asked for a second page of 1970. */
static void the_turn_to_times_is_made_once(void **state)
{
    struct play p = {.v1 = V1_ALL_MS, .lines = 3500, .us_apart = 7000};
    struct e2b_logs op;
    char want[160];

    (void)state;
    read_first(&op, &p, LOGS_OFFSET, 100000);
    assert_int_equal(op.count, 3500);
    assert_string_equal(server_target(server, 1),
                        "/sandboxes/" SID "/logs?start=1000&limit=1000");
    snprintf(want, sizeof(want), "/sandboxes/" SID "/logs?start=%lld&limit=1000",
             (long long)(line_us(&p, 999) / TS_MS));
    assert_string_equal(server_target(server, 2), want);
    assert_int_equal(server_count(server), 5);
    e2b_logs_release(&op);
    end();
}

static void no_time_before_what_is_kept_is_sent(void **state)
{
    struct play p = {.v1 = V1_LOKI_MS, .lines = 5, .us_apart = 7000};
    struct e2b_logs op;
    char want[160];

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, "t.1000.0", 1000, now_us);
    read_once(&op);
    snprintf(want, sizeof(want), "/sandboxes/" SID "/logs?start=%lld&limit=1000",
             (long long)((now_us - 7 * TS_DAY + TS_MIN) / TS_MS));
    assert_string_equal(server_target(server, 0), want);
    assert_int_equal(op.count, 5);
    e2b_logs_release(&op);
    end();
}

static void a_bad_position_is_input_and_not_sent(void **state)
{
    struct play p = {.has_v2 = true};
    struct e2b_logs op;

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, "c.1&limit=9", 1000, now_us);
    read_once(&op);
    assert_int_equal(op.src.state, SOURCE_FAILED);
    assert_int_equal(op.src.err.kind, ERR_INPUT);
    assert_int_equal(server_count(server), 0);
    e2b_logs_release(&op);
    end();
}

/* -- more than fits, and failures ------------------------------------------------------------ */

static void too_many_lines_in_a_millisecond_are_said(void **state)
{
    struct play p = {.has_v2 = true,
                     .lines = 2500,
                     .us_apart = 7000,
                     .at_once = 1300,
                     .no_backward = true};
    struct e2b_logs op;

    (void)state;
    read_first(&op, &p, LOGS_AUTO, 100000);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_true(op.skipped_some);
    /* 1000 of the 1300, and of the 1200 after them; and the errors of the others */
    assert_int_equal(op.count, 2050);
    check_line(&p, &op.lines[1030], 1300);
    e2b_logs_release(&op);
    end();
}

static const struct play crowds[] = {
  /* v1 gives what is asked */
    {.has_v2 = true,  .v1 = V1_LOKI_MS, .v1_cap = 5000},
    {.v1 = V1_ALL_MS, .v1_cap = 5000},
    {.v1 = V1_LOKI_MS, .v1_cap = 5000},
    {.v1 = V1_OFFSET              },
};

/* 3,000 in one millisecond, each stamp apart, and then the same with one stamp for all. */
static void a_crowded_millisecond_is_read_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * sizeof(crowds) / sizeof(crowds[0]); i++) {
        struct play p = crowds[i / 2];

        p.lines = 6600;
        p.us_apart = 7000;
        p.at_once = 3000;
        p.ns_share = i % 2 ? 3 : 0;
        read_all(&p, LOGS_AUTO, 1000);
        read_all(&p, LOGS_AUTO, 100000);
        p.all_the_same = true;
        read_all(&p, LOGS_AUTO, 700);
    }
}

static void a_crowded_millisecond_at_the_end_is_read_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(crowds) / sizeof(crowds[0]); i++) {
        struct play p = crowds[i];

        p.us_apart = 7000;
        /* exactly a page in v1 alone may be all or not: that is not claimed */
        for (p.lines = p.has_v2 ? 1000 : 2000; p.lines <= 3000; p.lines += 1000) {
            p.at_once = p.lines;
            read_all(&p, LOGS_AUTO, 1000);
            read_all(&p, LOGS_AUTO, 100000);
        }
    }
}

/* Where v1 keeps to 1000, refuses, or swallows the question, both ends of v2 reach 2000. */
static void both_ends_reach_what_v1_does_not_give(void **state)
{
    static const struct play servers_2000[] = {
        {.has_v2 = true,    .v1 = V1_LOKI_MS   },
        { .has_v2 = true, .v1 = V1_LOKI_MS,      .v1_max = 1000},
        { .has_v2 = true, .v1 = V1_LOKI_MS, .v1_swallows = true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(servers_2000) / sizeof(servers_2000[0]); i++) {
        struct play p = servers_2000[i];

        p.lines = 5000;
        p.us_apart = 7000;
        p.at_once = 1900;
        p.ns_share = 3;
        read_all(&p, LOGS_AUTO, 1000);
        read_all(&p, LOGS_AUTO, 100000);
    }
}

/* A server that gives less than was asked at the end of the log is found out by what follows. */
static void a_limit_of_its_own_is_noticed(void **state)
{
    struct play p = {.v1 = V1_LOKI_MS,
                     .v1_cap = 2000,
                     .lines = 5000,
                     .us_apart = 7000,
                     .at_once = 3000};
    struct e2b_logs op;

    (void)state;
    read_first(&op, &p, LOGS_OFFSET, 100000);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_true(op.skipped_some);
    assert_int_equal(op.count, 4000);
    e2b_logs_release(&op);
    end();
}

/* Lines of one time come in another order with each request: none is lost or repeated all the same. */
static void the_order_of_equal_times_may_change(void **state)
{
    struct play p = {
        .has_v2 = true, .lines = 2345, .us_apart = 5000, .at_once = 8, .shuffles = true};
    char seen[2345] = "";
    const char *position = "";

    (void)state;
    begin(&p, LOGS_AUTO);
    do {
        struct e2b_logs op;

        e2b_init(&e2b, &conf, http);
        e2b_logs_init(&op, &e2b, &arena, SID, position, 250, now_us);
        read_once(&op);
        for (size_t i = 0; i < op.count; i++) {
            int n = -1;

            if (sscanf(op.lines[i].message, "line %d", &n) != 1)
                assert_int_equal(sscanf(op.lines[i].message, "Process with pid %d", &n),
                                 1);
            assert_in_range(n, 0, 2344);
            assert_int_equal(seen[n]++, 0);
        }
        position = op.next_position;
        e2b_logs_release(&op);
    } while (*position);
    for (int i = 0; i < p.lines; i++)
        assert_int_equal(seen[i], 1);
    end();
}

/* Of a crowd in the agent, where all comes in one read, not even the stamps need to differ. */
static void a_crowd_in_any_order_is_read_whole_in_one_read(void **state)
{
    struct play p = {.has_v2 = true,
                     .v1 = V1_LOKI_MS,
                     .v1_cap = 5000,
                     .lines = 6500,
                     .us_apart = 7000,
                     .at_once = 3000,
                     .all_the_same = true,
                     .shuffles = true};
    struct e2b_logs op;

    (void)state;
    read_first(&op, &p, LOGS_AUTO, 100000);
    assert_false(op.skipped_some);
    assert_int_equal(op.count, 6500);
    e2b_logs_release(&op);
    end();
}

/* -- newest first ---------------------------------------------------------------------------- */

static void read_all_backward(struct play *p, size_t max_lines)
{
    const char *position = "";
    int at = p->lines;

    begin(p, LOGS_AUTO);
    do {
        struct e2b_logs op;

        e2b_init(&e2b, &conf, http);
        e2b_logs_init(&op, &e2b, &arena, SID, position, max_lines, now_us);
        op.newest_first = true;
        read_once(&op);
        assert_int_equal(op.src.state, SOURCE_OK);
        assert_true(op.is_newest_first);
        assert_false(op.skipped_some);
        for (size_t i = 0; i < op.count; i++)
            check_line(p, &op.lines[i], --at);
        position = op.next_position;
        assert_true(e2b_logs_position_ok(position));
        e2b_logs_release(&op);
    } while (*position);
    assert_int_equal(at, 0);
    end();
}

static void newest_first_every_line_comes_once(void **state)
{
    struct play p = {.has_v2 = true, .v1 = V1_LOKI_MS, .v1_cap = 5000};

    (void)state;
    p.lines = 2345;
    p.us_apart = 7000;
    read_all_backward(&p, 1000);
    p.us_apart = 300;
    read_all_backward(&p, 170);
    p.at_once = 30;
    p.us_apart = 5000;
    read_all_backward(&p, 500);
    p.all_the_same = true;
    read_all_backward(&p, 500);
    p.at_once = 3000;
    p.lines = 7100;
    p.ns_share = 3;
    read_all_backward(&p, 1000);
    p.ns_share = 0;
    read_all_backward(&p, 900);
    p.lines = 0;
    read_all_backward(&p, 1000);
}

static void backward_is_asked_as_e2b_wants_it(void **state)
{
    struct play p = {.has_v2 = true, .lines = 1500, .us_apart = 7000};
    struct e2b_logs op;
    char want[160];

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 5000, now_us);
    op.newest_first = true;
    read_once(&op);
    assert_string_equal(server_target(server, 0),
                        "/v2/sandboxes/" SID "/logs?direction=backward&limit=1000");
    snprintf(want, sizeof(want),
             "/v2/sandboxes/" SID "/logs?cursor=%lld&direction=backward&limit=1000",
             (long long)(line_us(&p, 500) / TS_MS + 1));
    assert_string_equal(server_target(server, 1), want);
    assert_int_equal(op.count, 1500);
    e2b_logs_release(&op);
    end();
}

/* From the middle of the log, older lines and newer ones meet without a gap or a repeat. */
static void from_a_page_both_ways_lead_on(void **state)
{
    struct play p = {.has_v2 = true, .lines = 2000, .us_apart = 260, .at_once = 3};
    struct e2b_logs first, page, older;

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&first, &e2b, &arena, SID, NULL, 700, now_us);
    read_once(&first);
    e2b_logs_init(&page, &e2b, &arena, SID, first.next_position, 500, now_us);
    read_once(&page);
    check_line(&p, &page.lines[0], 700);
    e2b_logs_init(&older, &e2b, &arena, SID, page.turn_position, 300, now_us);
    read_once(&older);
    assert_true(older.is_newest_first);
    assert_int_equal(older.count, 300);
    for (int i = 0; i < 300; i++)
        check_line(&p, &older.lines[i], 699 - i);
    e2b_logs_release(&page);
    e2b_logs_init(&page, &e2b, &arena, SID, older.turn_position, 300, now_us);
    read_once(&page);
    assert_false(page.is_newest_first);
    for (int i = 0; i < 300; i++)
        check_line(&p, &page.lines[i], 700 + i);
    e2b_logs_release(&first);
    e2b_logs_release(&page);
    e2b_logs_release(&older);
    end();
}

static void without_v2_the_order_is_oldest_first(void **state)
{
    struct play p = {.v1 = V1_OFFSET, .lines = 50, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    op.newest_first = true;
    read_once(&op);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_false(op.is_newest_first);
    assert_int_equal(op.count, 50);
    check_line(&p, &op.lines[0], 0);
    assert_string_equal(op.turn_position, "");
    e2b_logs_release(&op);
    e2b_init(&e2b, &conf, http);
    e2b_logs_init(&op, &e2b, &arena, SID, "b.1700000000000.0", 1000, now_us);
    read_once(&op);
    assert_int_equal(op.src.state, SOURCE_UNSUPPORTED);
    e2b_logs_release(&op);
    end();
}

static void results_of_lines_that_came_backward(void **state)
{
    struct play p = {.has_v2 = true, .v1 = V1_LOKI_MS, .lines = 2400, .us_apart = 7000};
    struct e2b_logs op;
    size_t n = 0;

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    op.newest_first = op.want_results = true;
    read_once(&op);
    assert_int_equal(op.count, 1000);
    assert_int_equal(op.results_src.state, SOURCE_OK);
    for (size_t i = 0; i < op.count; i++) {
        int line = 2399 - (int)i;

        assert_int_equal(op.lines[i].has_result, is_end(line));
        n += is_end(line);
        if (is_end(line))
            assert_int_equal(op.lines[i].exit_code, line % 256);
    }
    assert_int_equal(n, 2);
    e2b_logs_release(&op);
    end();
}

static void by_offset_a_full_millisecond_is_no_matter(void **state)
{
    struct play p = {.v1 = V1_OFFSET, .lines = 2500, .us_apart = 7000, .at_once = 2500};

    (void)state;
    read_all(&p, LOGS_AUTO, 1000);
    p.all_the_same = true;
    read_all(&p, LOGS_AUTO, 1000);
}

static void a_later_page_that_fails_leaves_lines_and_a_way_on(void **state)
{
    struct play p = {.has_v2 = true, .lines = 2500, .us_apart = 7000, .fail_at = 3};
    struct e2b_logs op;
    const char *position;

    (void)state;
    read_first(&op, &p, LOGS_AUTO, 100000);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_true(op.src.is_cut);
    assert_int_equal(op.count, 1999); /* the second page began with a line of the first */
    assert_string_equal(op.src.err.msg, "Failed to fetch sandbox logs");
    position = op.next_position;
    e2b_logs_release(&op);
    e2b_logs_init(&op, &e2b, &arena, SID, position, 1000, now_us);
    read_once(&op);
    assert_int_equal(op.count, 501);
    check_line(&p, &op.lines[0], 1999);
    e2b_logs_release(&op);
    end();
}

static void a_first_page_that_fails_is_a_failure(void **state)
{
    struct play p = {.v1 = V1_LOKI_MS, .lines = 25, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    p.fail_at = 1;
    read_first(&op, &p, LOGS_OFFSET, 1000);
    assert_int_equal(op.src.state, SOURCE_FAILED);
    assert_int_equal(op.src.err.http_status, 500);
    e2b_logs_release(&op);
    end();
    p.fail_at =
        2; /* nothing by offset, and the question by time fails: nothing is known */
    read_first(&op, &p, LOGS_OFFSET, 1000);
    assert_int_equal(op.src.state, SOURCE_FAILED);
    e2b_logs_release(&op);
    end();
}

static void few_lines_from_a_moment_on(void **state)
{
    struct play p = {.has_v2 = true, .lines = 1500, .us_apart = 7000};
    struct e2b_logs op;
    int64_t at_us;

    (void)state;
    begin(&p, LOGS_AUTO);
    at_us = line_us(&p, 700);
    e2b_logs_init(&op, &e2b, &arena, SID, e2b_logs_position_at(&arena, at_us), 20,
                  now_us);
    read_once(&op);
    assert_int_equal(op.count, 20);
    check_line(&p, &op.lines[0], 700);
    assert_non_null(strstr(server_target(server, 0), "limit=20"));
    e2b_logs_release(&op);
    end();
}

static void pages_that_are_too_large_are_asked_for_smaller(void **state)
{
    struct play p = {
        .has_v2 = true, .lines = 1100, .us_apart = 7000, .line_bytes = 50000};
    struct e2b_logs op;

    (void)state;
    read_first(&op, &p, LOGS_AUTO, 1000);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_int_equal(op.count, 1000);
    for (size_t i = 0; i < op.count; i++)
        check_line(&p, &op.lines[i], (int)i);
    assert_non_null(strstr(server_target(server, 1), "limit=250"));
    e2b_logs_release(&op);
    end();
}

/* -- filters --------------------------------------------------------------------------------- */

static void filters_are_sent_and_made_again_here(void **state)
{
    struct play p = {.has_v2 = true, .lines = 1500, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    for (int ignores = 0; ignores < 2; ignores++) {
        p.ignores_filters = ignores;
        begin(&p, LOGS_AUTO);
        e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
        op.min_level = LOG_LEVEL_ERROR;
        op.search = "line 12";
        read_once(&op);
        assert_non_null(
            strstr(server_target(server, 0), "&level=error&search=line%2012"));
        assert_int_equal(op.count, 11); /* 123, 1203, 1213 ... 1293 */
        check_line(&p, &op.lines[0], 123);
        check_line(&p, &op.lines[1], 1203);
        e2b_logs_release(&op);
        end();
    }
}

static void v1_is_filtered_here(void **state)
{
    struct play p = {.v1 = V1_OFFSET, .lines = 2500, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    begin(&p, LOGS_OFFSET);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    op.search = "line 24";
    read_once(&op);
    assert_int_equal(op.count, 111);
    assert_string_equal(op.next_position, "");
    assert_null(strstr(server_target(server, 0), "search"));
    e2b_logs_release(&op);
    end();
}

static void a_search_too_long_for_the_service_is_made_here(void **state)
{
    struct play p = {.has_v2 = true, .lines = 15, .us_apart = 7000};
    struct e2b_logs op;
    char text[300];

    (void)state;
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    op.search = text;
    read_once(&op);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_int_equal(op.count, 0);
    assert_null(strstr(server_target(server, 0), "search"));
    e2b_logs_release(&op);
    end();
}

/* What programs printed is searched here when that is asked for; E2B looks in messages only. */
static void printed_text_is_searched_here(void **state)
{
    struct play p = {.has_v2 = true, .lines = 1600, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    op.search = "line 15";
    op.search_printed = true;
    read_once(&op);
    assert_null(strstr(server_target(server, 0), "search"));
    assert_false(op.is_search_sent);
    assert_int_equal(op.looked_at, 1600);
    assert_int_equal(op.count, 110); /* 15, 150-159, 1500-1599 without a process end */
    e2b_logs_release(&op);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    op.search = "line 15";
    op.search_printed = true;
    op.max_pages = 1;
    read_once(&op);
    assert_int_equal(op.looked_at, 1000);
    assert_int_equal(op.count, 11);
    assert_true(*op.next_position);
    e2b_logs_release(&op);
    end();
}

static void a_search_looks_in_output_only_when_told(void **state)
{
    struct tag printed[] = {
        {"event_type", "stdout"      },
        {"data",       "row 5 done\n"}
    };
    struct log_line l = {
        .message = "Streaming process event", .fields = printed, .field_count = 2};

    (void)state;
    assert_true(e2b_line_holds(&l, "", false));
    assert_true(e2b_line_holds(&l, "process event", false));
    assert_false(e2b_line_holds(&l, "row 5", false));
    assert_true(e2b_line_holds(&l, "row 5", true));
    assert_false(e2b_line_holds(&l, "row 6", true));
}

/* Twice the memory: only for those who show it. */
static void the_text_as_it_came_is_kept_when_wanted(void **state)
{
    struct play p = {.has_v2 = true, .lines = 3, .us_apart = 7000, .is_bold = true};
    struct e2b_logs op;

    (void)state;
    begin(&p, LOGS_AUTO);
    for (int wanted = 0; wanted < 2; wanted++) {
        e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
        op.want_raw = wanted;
        read_once(&op);
        assert_int_equal(op.count, 3);
        assert_string_equal(op.lines[1].message, "line 1");
        if (wanted)
            assert_string_equal(op.lines[1].raw, "line 1\033[1m");
        else
            assert_null(op.lines[1].raw);
        e2b_logs_release(&op);
    }
    end();
}

/* -- results --------------------------------------------------------------------------------- */

static void check_results(const struct e2b_logs *op, bool are_wanted)
{
    for (size_t i = 0; i < op->count; i++) {
        assert_int_equal(op->lines[i].has_result, are_wanted && is_end((int)i));
        if (op->lines[i].has_result)
            assert_int_equal(op->lines[i].exit_code, i % 256);
    }
}

static void results_come_beside_the_v2_lines(void **state)
{
    struct play p = {.has_v2 = true, .v1 = V1_LOKI_MS, .lines = 2400, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 100000, now_us);
    op.want_results = true;
    read_once(&op);
    assert_int_equal(op.count, 2400);
    assert_int_equal(op.results_src.state, SOURCE_OK);
    assert_false(op.results_src.is_cut);
    check_results(&op, true);
    assert_non_null(
        tag_get(op.lines[77].fields, op.lines[77].field_count, "process_result", NULL));
    e2b_logs_release(&op);
    end();
}

static void one_page_with_results_is_two_requests(void **state)
{
    struct play p = {.has_v2 = true, .v1 = V1_LOKI_MS, .lines = 2400, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    op.want_results = true;
    read_once(&op);
    assert_int_equal(server_count(server), 2);
    assert_int_equal(op.count, 1000);
    check_results(&op, true);
    e2b_logs_release(&op);
    end();
}

static void results_come_with_v1_lines(void **state)
{
    struct play p = {.v1 = V1_OFFSET, .lines = 1400, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    begin(&p, LOGS_OFFSET);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 5000, now_us);
    op.want_results = true;
    read_once(&op);
    assert_int_equal(op.results_src.state, SOURCE_OK);
    assert_int_equal(server_count(server), 2);
    check_results(&op, true);
    e2b_logs_release(&op);
    end();
}

/* Only lines that lack one are asked for, in a second round. */
static void late_results_spare_questions(void **state)
{
    struct play p = {.has_v2 = true, .v1 = V1_LOKI_MS, .lines = 70, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    for (int lines = 70; lines <= 970; lines += 900) {
        p.lines = lines;
        begin(&p, LOGS_AUTO);
        e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
        op.want_results = op.results_late = true;
        read_once(&op);
        assert_int_equal(server_count(server), lines == 70 ? 1 : 2);
        assert_int_equal(op.results_src.state,
                         lines == 70 ? SOURCE_NOT_ASKED : SOURCE_OK);
        check_results(&op, true);
        e2b_logs_release(&op);
        end();
    }
}

static void answer_without_v1(struct server *s, void *ctx,
                              const struct server_request *rq, struct server_reply *rp)
{
    if (strstr(rq->target, "/v2/"))
        answer(s, ctx, rq, rp);
    else
        server_say(rp, 500, "{\"message\":\"no raw lines today\"}");
}

static void results_that_fail_do_not_fail_the_lines(void **state)
{
    struct play p = {.has_v2 = true, .lines = 600, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    begin(&p, LOGS_AUTO);
    server_stop(server);
    server = server_start(answer_without_v1, &p);
    conf.e2b.base_url = server_url(server);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    op.want_results = true;
    read_once(&op);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_int_equal(op.count, 600);
    assert_int_equal(op.results_src.state, SOURCE_FAILED);
    assert_string_equal(op.results_src.err.msg, "no raw lines today");
    check_results(&op, false);
    e2b_logs_release(&op);
    end();
}

/* v2 turns out to be missing while the results are asked for already. */
static void results_survive_a_missing_v2_route(void **state)
{
    struct play p = {.v1 = V1_OFFSET, .lines = 600, .us_apart = 7000};
    struct e2b_logs op;

    (void)state;
    begin(&p, LOGS_AUTO);
    e2b_logs_init(&op, &e2b, &arena, SID, NULL, 1000, now_us);
    op.want_results = true;
    read_once(&op);
    assert_int_equal(op.src.state, SOURCE_OK);
    assert_int_equal(op.count, 600);
    assert_int_equal(op.results_src.state, SOURCE_OK);
    check_results(&op, true);
    e2b_logs_release(&op);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_once_page_by_page),
        cmocka_unit_test(every_line_once_in_one_read),
        cmocka_unit_test(every_line_once_in_small_pieces),
        cmocka_unit_test(every_line_once_when_a_millisecond_spans_pages),
        cmocka_unit_test(identical_lines_at_one_time_are_all_kept),
        cmocka_unit_test(the_end_on_a_full_page_is_found),
        cmocka_unit_test(no_lines_are_no_failure),
        cmocka_unit_test(a_page_out_of_order_is_sorted),
        cmocka_unit_test(a_piece_costs_one_request),
        cmocka_unit_test(v2_is_asked_forward_by_cursor),
        cmocka_unit_test(offsets_are_asked_from_0_in_steps_of_1000),
        cmocka_unit_test(a_missing_v2_route_is_learnt_once),
        cmocka_unit_test(what_start_means_is_learnt_once),
        cmocka_unit_test(nothing_teaches_nothing),
        cmocka_unit_test(by_cursor_only_does_not_fall_back),
        cmocka_unit_test(the_turn_to_times_is_made_once),
        cmocka_unit_test(no_time_before_what_is_kept_is_sent),
        cmocka_unit_test(a_bad_position_is_input_and_not_sent),
        cmocka_unit_test(too_many_lines_in_a_millisecond_are_said),
        cmocka_unit_test(a_crowded_millisecond_is_read_whole),
        cmocka_unit_test(a_crowded_millisecond_at_the_end_is_read_whole),
        cmocka_unit_test(both_ends_reach_what_v1_does_not_give),
        cmocka_unit_test(a_limit_of_its_own_is_noticed),
        cmocka_unit_test(the_order_of_equal_times_may_change),
        cmocka_unit_test(a_crowd_in_any_order_is_read_whole_in_one_read),
        cmocka_unit_test(newest_first_every_line_comes_once),
        cmocka_unit_test(backward_is_asked_as_e2b_wants_it),
        cmocka_unit_test(from_a_page_both_ways_lead_on),
        cmocka_unit_test(without_v2_the_order_is_oldest_first),
        cmocka_unit_test(results_of_lines_that_came_backward),
        cmocka_unit_test(by_offset_a_full_millisecond_is_no_matter),
        cmocka_unit_test(a_later_page_that_fails_leaves_lines_and_a_way_on),
        cmocka_unit_test(a_first_page_that_fails_is_a_failure),
        cmocka_unit_test(few_lines_from_a_moment_on),
        cmocka_unit_test(pages_that_are_too_large_are_asked_for_smaller),
        cmocka_unit_test(filters_are_sent_and_made_again_here),
        cmocka_unit_test(v1_is_filtered_here),
        cmocka_unit_test(a_search_too_long_for_the_service_is_made_here),
        cmocka_unit_test(printed_text_is_searched_here),
        cmocka_unit_test(a_search_looks_in_output_only_when_told),
        cmocka_unit_test(the_text_as_it_came_is_kept_when_wanted),
        cmocka_unit_test(late_results_spare_questions),
        cmocka_unit_test(results_come_beside_the_v2_lines),
        cmocka_unit_test(one_page_with_results_is_two_requests),
        cmocka_unit_test(results_come_with_v1_lines),
        cmocka_unit_test(results_that_fail_do_not_fail_the_lines),
        cmocka_unit_test(results_survive_a_missing_v2_route),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
