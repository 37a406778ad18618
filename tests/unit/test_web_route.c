/*
 * The router: which row, which parameters, and that flags are obeyed before a handler runs. MariaDB is played
 * here.
 */
#include "web_world.h"

#include <stdio.h>
#include <string.h>

#include "store/migrate.h"
#include "web/csrf.h"
#include "web/route.h"
#include "web/stats.h"

#include "base/banned.h"

static struct world world;
static struct reply reply;

static struct {
    bool is_up, is_old;
    int ready_calls, schema_calls, rollbacks;
} mariadb;

int db_ready(struct db *db, struct err *err)
{
    (void)db;
    mariadb.ready_calls++;
    return mariadb.is_up ? 0 : err_set(err, ERR_DB, "no connection");
}

int migrate_check(struct db *db, struct err *err)
{
    (void)db;
    mariadb.schema_calls++;
    return mariadb.is_old ? err_set(err, ERR_DB, "run: casebook migrate") : 0;
}

void db_rollback(struct db *db)
{
    (void)db;
    mariadb.rollbacks++;
}

static struct { /* what the handlers saw */
    int calls;
    char id[32], sid[32], name[32];
    bool has_db;
    size_t body_len;
} seen;

static int see(struct req *rq, struct resp *rs, struct err *err)
{
    (void)err;
    seen.calls++;
    snprintf(seen.id, sizeof(seen.id), "%s", req_param(rq, "id"));
    snprintf(seen.sid, sizeof(seen.sid), "%s", req_param(rq, "sid"));
    snprintf(seen.name, sizeof(seen.name), "%s", req_form(rq, "name"));
    seen.has_db = rq->has_db;
    seen.body_len = rq->body_len;
    resp_text(rs, 200, "text/plain", "seen");
    return 0;
}

static int fail_late(struct req *rq, struct resp *rs, struct err *err)
{
    resp_page(rq, rs, "error.cs", "half", "");
    return err_set(err, ERR_NOTFOUND, "ticket 5");
}

static int bad_header(struct req *rq, struct resp *rs, struct err *err)
{
    see(rq, rs, err);
    rs->disposition = "a\r\nX-Evil: 1";
    return 0;
}

static const struct route table[] = {
    {METHOD_GET,  "/",                           see,        R_USER | R_NODB,                 0 },
    {METHOD_GET,  "/tickets/:id",                see,        R_USER,                          0 },
    {METHOD_GET,  "/tickets/:id/sandboxes/:sid", see,        R_USER | R_NODB,                 0 },
    {METHOD_GET,  "/stored",                     see,        R_USER | R_DB,                   0 },
    {METHOD_POST, "/tickets/:id",                see,        R_USER | R_FORM | R_CSRF | R_DB, 0 },
    {METHOD_POST, "/raw",                        see,        R_RAW | R_NODB,                  10},
    {METHOD_GET,  "/fail",                       fail_late,  R_NODB,                          0 },
    {METHOD_GET,  "/bad-header",                 bad_header, R_NODB,                          0 },
};

static int setup(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    world_init(&world);
    assert_non_null(world_load(&world, &err));
    world.app.stats = stats_new();
    reply_init(&reply);
    memset(&seen, 0, sizeof(seen));
    memset(&mariadb, 0, sizeof(mariadb));
    mariadb.is_up = true;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    reply_release(&reply);
    stats_free(world.app.stats);
    world_release(&world);
    return 0;
}

/* The status of the answer. */
static int serve(const char *method, const char *path, const char *user, const char *type,
                 const char *body)
{
    char length[24], uri[200];
    const char *const params[] = {"REQUEST_METHOD",
                                  method,
                                  "DOCUMENT_URI",
                                  uri,
                                  "REMOTE_USER",
                                  user,
                                  "CONTENT_LENGTH",
                                  length,
                                  "CONTENT_TYPE",
                                  type,
                                  "REQUEST_ID",
                                  "00000000feed",
                                  NULL};

    snprintf(uri, sizeof(uri), "/casebook%s", path);
    snprintf(length, sizeof(length), "%zu", strlen(body));
    world_request(&world, params, body, strlen(body));
    sbuf_reset(&reply.head);
    sbuf_reset(&reply.body);
    route_serve(table, sizeof(table) / sizeof(table[0]), &world.rq, &world.src, &reply);
    return reply.status;
}

static int get(const char *path)
{
    return serve("GET", path, "maya", "", "");
}

#define FORM "application/x-www-form-urlencoded; charset=UTF-8"

/* A form with a good token for `user`, sent by maya. */
static int post(const char *path, const char *user, const char *more)
{
    char body[300], token[CSRF_TOKEN_SIZE];

    snprintf(body, sizeof(body), "csrf=%s&%s",
             csrf_token(world.app.csrf_key, user, WORLD_NOW, token), more);
    return serve("POST", path, "maya", FORM, body);
}

static void test_paths(void **state)
{
    (void)state;
    assert_int_equal(get("/"), 200);
    assert_int_equal(get("/tickets/5/sandboxes/abc"), 200);
    assert_string_equal(seen.id, "5");
    assert_string_equal(seen.sid, "abc");
    assert_int_equal(get("/tickets/7"), 200);
    assert_string_equal(seen.id, "7");
    assert_string_equal(seen.sid, "");
    seen.calls = 0;
    assert_int_equal(get("/tickets"), 404);
    assert_int_equal(get("/tickets/"), 404);
    assert_int_equal(get("/tickets/5/"), 404);
    assert_int_equal(get("/tickets/5/sandboxes/"), 404);
    assert_int_equal(get("/tickets/5/sandboxes/abc/x"), 404);
    assert_int_equal(get("/nothing"), 404);
    assert_int_equal(get("//"), 404);
    assert_int_equal(seen.calls, 0);
    assert_non_null(strstr(reply.body.s, "There is no such page"));
}

static void test_methods(void **state)
{
    (void)state;
    assert_int_equal(serve("HEAD", "/", "maya", "", ""), 200);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(reply.body.len, 0);
    assert_non_null(strstr(reply.head.s, "Content-Length: 4\r\n"));
    assert_int_equal(serve("DELETE", "/tickets/5", "maya", "", ""), 405);
    assert_non_null(strstr(reply.head.s, "\r\nAllow: GET, HEAD, POST\r\n"));
    assert_int_equal(serve("POST", "/", "maya", "", ""), 405);
    assert_non_null(strstr(reply.head.s, "\r\nAllow: GET, HEAD\r\n"));
    assert_int_equal(get("/raw"), 405);
    assert_non_null(strstr(reply.head.s, "\r\nAllow: POST\r\n"));
    assert_int_equal(seen.calls, 1);
}

static void test_user(void **state)
{
    (void)state;
    assert_int_equal(serve("GET", "/", "", "", ""), 403);
    assert_non_null(strstr(reply.body.s, "Casebook does not know who you are"));
    assert_non_null(strstr(reply.body.s, "00000000feed"));
    assert_int_equal(serve("POST", "/raw", "", "", "abc"), 200);
    assert_int_equal(seen.calls, 1);
}

static void test_forms(void **state)
{
    (void)state;
    assert_int_equal(post("/tickets/5", "maya", "name=a+b"), 200);
    assert_string_equal(seen.name, "a b");
    seen.calls = 0;
    assert_int_equal(post("/tickets/5", "theo", "name=x"), 403);
    assert_non_null(strstr(reply.body.s, "This page was open too long."));
    assert_int_equal(serve("POST", "/tickets/5", "maya", FORM, "name=x"), 403);
    assert_int_equal(serve("POST", "/tickets/5", "maya", "text/plain", "name=x"), 415);
    assert_int_equal(serve("POST", "/tickets/5", "maya", FORM, "a=%00"), 400);
    assert_int_equal(seen.calls, 0);
}

static void test_body_bounds(void **state)
{
    static char big[ROUTE_MAX_FORM + 2];

    (void)state;
    memset(big, 'a', sizeof(big) - 1);
    assert_int_equal(serve("POST", "/tickets/5", "maya", FORM, big), 413);
    assert_int_equal(world.body_at, 0);
    big[ROUTE_MAX_FORM] = '\0';
    assert_int_equal(serve("POST", "/tickets/5", "maya", FORM, big), 403);
    assert_int_equal(serve("POST", "/raw", "", "", "12345678901"), 413);
    assert_int_equal(seen.calls, 0);
    assert_int_equal(serve("POST", "/raw", "", "", "1234567890"), 200);
    assert_int_equal(seen.body_len, 10);
}

static void test_database(void **state)
{
    struct stats_view view;

    (void)state;
    assert_int_equal(get("/tickets/5"), 200);
    assert_true(seen.has_db);
    assert_int_equal(mariadb.rollbacks, 1);
    assert_int_equal(get("/tickets/5"), 200);
    assert_int_equal(mariadb.schema_calls, 1);
    assert_int_equal(mariadb.ready_calls, 2);

    mariadb.is_up = false;
    assert_int_equal(get("/tickets/5"), 200);
    assert_false(seen.has_db);
    assert_int_equal(world.rq.db_err.kind, ERR_DB);
    seen.calls = 0;
    assert_int_equal(get("/stored"), 503);
    assert_non_null(strstr(reply.body.s, "s database does not answer"));
    assert_non_null(strstr(reply.head.s, "\r\nRetry-After: "));
    assert_int_equal(post("/tickets/5", "maya", "name=x"), 503);
    assert_int_equal(seen.calls, 0);
    assert_int_equal(get("/"), 200);
    assert_int_equal(mariadb.ready_calls, 5);
    stats_read(world.app.stats, &view);
    assert_int_equal(view.failures[STATS_DATABASE], 3);
}

static void test_old_schema(void **state)
{
    (void)state;
    mariadb.is_old = true;
    assert_int_equal(get("/tickets/5"), 200);
    assert_false(seen.has_db);
    assert_int_equal(get("/stored"), 503);
    mariadb.is_old = false;
    assert_int_equal(get("/stored"), 200);
    assert_true(seen.has_db);
    assert_int_equal(mariadb.schema_calls, 3);
}

static void test_failures_are_pages(void **state)
{
    (void)state;
    assert_int_equal(get("/fail"), 404);
    assert_null(strstr(reply.body.s, "ticket 5"));
    assert_int_equal(get("/bad-header"), 500);
    assert_null(strstr(reply.head.s, "X-Evil"));
    assert_non_null(strstr(reply.body.s, "00000000feed"));
    assert_int_equal(get("/\x01"), 400);
}

static void test_counters(void **state)
{
    struct stats_view view;

    (void)state;
    get("/");
    get("/");
    get("/nothing");
    get("/bad-header");
    stats_read(world.app.stats, &view);
    assert_int_equal(view.requests[2], 2);
    assert_int_equal(view.requests[4], 1);
    assert_int_equal(view.requests[5], 1);
    assert_int_equal(view.took_count, 4);
    assert_string_equal(stats_service_name(STATS_LINEAR), "linear");
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_paths),       T(test_methods),
        T(test_user),        T(test_forms),
        T(test_body_bounds), T(test_database),
        T(test_old_schema),  T(test_failures_are_pages),
        T(test_counters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
