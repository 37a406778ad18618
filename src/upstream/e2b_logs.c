/*
 * Logs of a sandbox, oldest first, page by page, without losing or repeating a line (e2b.md 5).
 *
 * Three ways to page (e2b_place.h): v2 by cursor; v1 by time; v1 by offset, for servers that count lines.
 * Whether a v1 server counts lines or means milliseconds shows only in what it answers:
 *
 *   offset page empty ------------> ask once by time --- lines: it means time, go on so
 *   offset page begins with a line                    \_ nothing: it counts; the page was right
 *   that was taken before --------> the same
 *
 * A page by time that is full and brings nothing new holds more lines of one millisecond than can
 * be read: the place is moved on by one, and that is said.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "upstream/e2b_private.h"

#include "base/banned.h"

#define PAGES_MAX 400
#define SEARCH_SENT_MAX                                                                  \
    256 /* a longer one is a 400 (e2b.md 5.2); filtered here instead */

enum probe { PROBE_NONE, PROBE_EMPTY, PROBE_REPEAT };

struct logs_state {
    struct e2b_place place;
    enum probe probe;    /* the running request asks by time after such an offset page */
    bool is_offset_sure; /* the server counts lines */
    bool is_done;
    int limit;
    int pages;
    size_t taken; /* lines, also those that the filters dropped */
    struct e2b_results results;
};

int64_t e2b_logs_begin_ms(int64_t now_us)
{
    int64_t begin_us = now_us - 7 * TS_DAY + TS_MIN;

    return begin_us > 0 ? begin_us / TS_MS : 0;
}

bool e2b_logs_shrink(const struct http_call *call, int *limit)
{
    if (!call->resp.body.is_full || *limit <= E2B_LOGS_LIMIT_MIN)
        return false;
    *limit = *limit / 4 > E2B_LOGS_LIMIT_MIN ? *limit / 4 : E2B_LOGS_LIMIT_MIN;
    return true;
}

/* -- asking ------------------------------------------------------------------------------ */

static bool send_v2(struct e2b_logs *op, const struct logs_state *st)
{
    struct arena *a = op->arena;
    char *path =
        arena_fmt(a, "/v2/sandboxes/%s/logs?cursor=%lld&direction=forward&limit=%d",
                  op->sandbox_id, (long long)st->place.ms, st->limit);

    if (op->min_level != LOG_LEVEL_NONE)
        path = arena_fmt(a, "%s&level=%s", path, log_level_name(op->min_level));
    if (!text_is_empty(op->search) && strlen(op->search) <= SEARCH_SENT_MAX)
        path = arena_fmt(a, "%s&search=%s", path, url_encode(a, op->search));
    return e2b_send(&op->call, op->e2b, a, path);
}

static bool send_v1(struct e2b_logs *op, const struct logs_state *st, int64_t start)
{
    return e2b_send(&op->call, op->e2b, op->arena,
                    arena_fmt(op->arena, "/sandboxes/%s/logs?start=%lld&limit=%d",
                              op->sandbox_id, (long long)start, st->limit));
}

static bool logs_send(struct e2b_logs *op)
{
    struct logs_state *st = op->state;
    struct e2b_place *p = &st->place;
    int64_t begin_ms = e2b_logs_begin_ms(op->now_us);
    int64_t now_ms = op->now_us / TS_MS;
    int64_t ms = p->ms > begin_ms ? p->ms : begin_ms;

    if (p->mode == PLACE_OFFSET && st->probe == PROBE_NONE)
        return send_v1(op, st, p->offset);
    if (p->mode != PLACE_OFFSET && p->ms < begin_ms)
        e2b_place_start(p, p->mode, begin_ms);
    if (p->mode == PLACE_CURSOR)
        return send_v2(op, st);
    return send_v1(op, st, ms < now_ms ? ms : now_ms);
}

/* -- the end of a read ------------------------------------------------------------------- */

/* Called when either of the two reads has ended; the second time counts. */
static void results_done(void *ctx)
{
    struct e2b_logs *op = ctx;
    struct logs_state *st = op->state;

    if (!st->is_done || !st->results.is_done || st->place.mode != PLACE_CURSOR)
        return;
    e2b_results_match(&st->results, op->lines, op->count);
    op->results_src = st->results.src;
}

static bool logs_done(struct e2b_logs *op)
{
    struct logs_state *st = op->state;

    st->is_done = true;
    if (st->place.mode != PLACE_CURSOR)
        op->results_src = op->src; /* v1: the raw lines came along */
    if (st->results.is_started) {
        e2b_results_limit(&st->results, op->lines, op->count);
        results_done(op);
    }
    return false;
}

static bool logs_finish(struct e2b_logs *op, bool is_end)
{
    struct logs_state *st = op->state;

    op->next_position = is_end ? "" : e2b_place_encode(op->arena, &st->place);
    if (!is_end)
        op->src.is_cut = true;
    return logs_done(op);
}

/* What was read stays, and the position continues behind it. */
static bool logs_fail(struct e2b_logs *op, enum source_state state, const struct err *err)
{
    struct logs_state *st = op->state;
    bool has_data = st->taken > 0;

    e2b_source_fail(&op->src, &op->call, has_data, state, err);
    if (has_data)
        op->next_position = e2b_place_encode(op->arena, &st->place);
    else
        op->next_position = op->position ? op->position : "";
    return logs_done(op);
}

static bool logs_stuck(struct e2b_logs *op)
{
    struct err err = ERR_INIT;

    err_set(&err, ERR_UPSTREAM, "the log pages do not move on");
    logs_fail(op, SOURCE_FAILED, &err);
    return false;
}

/* -- pages ------------------------------------------------------------------------------- */

/* `info` includes lines without a level, `warn` does not (e2b.md 5.3). */
static bool passes(const struct e2b_logs *op, const struct log_line *l)
{
    enum log_level level = l->level == LOG_LEVEL_NONE ? LOG_LEVEL_INFO : l->level;

    if (level < op->min_level)
        return false;
    return text_is_empty(op->search) || strstr(l->message, op->search);
}

static void keep(struct e2b_logs *op, const struct log_line *l)
{
    if (l->at_us == TS_NONE || !passes(op, l))
        return;
    op->lines = arena_grow(op->arena, op->lines, op->count, &op->cap, sizeof(*op->lines));
    op->lines[op->count++] = *l;
}

/* After a page of which `used` of n lines were looked at: stop, or ask for the next. */
static bool logs_go_on(struct e2b_logs *op, size_t used, size_t n)
{
    struct logs_state *st = op->state;

    if (used == n && n < (size_t)st->limit)
        return logs_finish(op, true);
    if (op->count >= op->max_lines || st->pages >= PAGES_MAX)
        return logs_finish(op, false);
    return logs_send(op);
}

static bool time_page(struct e2b_logs *op, struct log_line *lines, size_t n)
{
    struct logs_state *st = op->state;
    struct e2b_place *p = &st->place;
    size_t fresh = 0;
    size_t i;

    e2b_sort_lines(op->arena, lines, n);
    e2b_place_begin_page(p);
    for (i = 0; i < n && op->count < op->max_lines; i++) {
        if (!e2b_place_take(op->arena, p, &lines[i]))
            continue;
        fresh++;
        keep(op, &lines[i]);
    }
    st->taken += fresh;
    if (!fresh && n >= (size_t)st->limit) {
        if (lines[n - 1].at_us == TS_NONE || e2b_line_ms(&lines[n - 1]) < p->ms)
            return logs_stuck(op);
        e2b_place_step(p);
        op->skipped_some = true;
    }
    return logs_go_on(op, i, n);
}

static void offset_is_sure(struct e2b_logs *op)
{
    struct logs_state *st = op->state;

    st->is_offset_sure = true;
    op->e2b->has_v1_times = -1;
}

static bool offset_page(struct e2b_logs *op, struct log_line *lines, size_t n)
{
    struct logs_state *st = op->state;
    struct e2b_place *p = &st->place;
    size_t i;

    if (!st->is_offset_sure && (!n || (p->offset && e2b_place_is_repeat(p, &lines[0])))) {
        st->probe = n ? PROBE_REPEAT : PROBE_EMPTY;
        return logs_send(op);
    }
    if (p->offset)
        offset_is_sure(op);
    for (i = 0; i < n && op->count < op->max_lines; i++) {
        e2b_place_note(op->arena, p, &lines[i]);
        keep(op, &lines[i]);
    }
    st->taken += i;
    p->offset += (int64_t)i;
    return logs_go_on(op, i, n);
}

/* The answer to a question by time, put because an offset page looked wrong. */
static bool probe_page(struct e2b_logs *op, struct log_line *lines, size_t n)
{
    struct logs_state *st = op->state;
    enum probe why = st->probe;

    st->probe = PROBE_NONE;
    if (n) {
        st->place.mode = PLACE_TIME;
        op->e2b->has_v1_times = 1;
        return time_page(op, lines, n);
    }
    if (st->place.offset) /* the line it stands at would have come */
        offset_is_sure(op);
    return why == PROBE_EMPTY ? logs_finish(op, true) : logs_send(op);
}

/* -- answers ----------------------------------------------------------------------------- */

/* By offset, until the server has shown that it means a time. */
static enum e2b_place_mode first_v1_mode(const struct e2b_logs *op)
{
    return op->e2b->has_v1_times == 1 ? PLACE_TIME : PLACE_OFFSET;
}

/* The v2 route answered 404: an older server, unless it is known to have the route. */
static bool no_v2(struct e2b_logs *op)
{
    struct logs_state *st = op->state;

    op->e2b->has_v2_logs = -1;
    if (text_is_empty(op->position))
        e2b_place_start(&st->place, first_v1_mode(op), 0);
    else
        st->place.mode = PLACE_TIME;
    return logs_send(op);
}

static bool may_fall_back(const struct e2b_logs *op)
{
    const struct logs_state *st = op->state;

    return op->call.resp.status == 404 && st->place.mode == PLACE_CURSOR && !st->pages &&
           op->e2b->has_v2_logs != 1 && op->e2b->conf->e2b.logs_paging != LOGS_CURSOR;
}

static bool no_page(struct e2b_logs *op, const struct err *err)
{
    struct logs_state *st = op->state;

    if (st->probe != PROBE_NONE && op->call.resp.status == 400)
        return probe_page(op, NULL, 0); /* a time is no offset that it knows */
    return logs_fail(op, e2b_state_of(&op->call), err);
}

static bool logs_page(struct e2b_logs *op, const json_t *doc)
{
    struct logs_state *st = op->state;
    struct log_line *lines = NULL;
    struct err err = ERR_INIT;
    struct e2b_page page;
    bool is_v2 = st->place.mode == PLACE_CURSOR;

    if (is_v2 ? e2b_parse_logs_v2(op->arena, doc, &page, &lines, &err)
              : e2b_parse_logs_v1(op->arena, doc, &page, &lines, &err))
        return logs_fail(op, SOURCE_FAILED, &err);
    if (is_v2)
        op->e2b->has_v2_logs = 1;
    st->pages++;
    e2b_source_page(&op->src, &op->call, &page);
    if (st->probe != PROBE_NONE)
        return probe_page(op, lines, page.rows);
    if (st->place.mode == PLACE_OFFSET)
        return offset_page(op, lines, page.rows);
    return time_page(op, lines, page.rows);
}

static bool logs_begin(struct e2b_logs *op)
{
    struct logs_state *st = op->state;
    enum conf_logs_paging paging = op->e2b->conf->e2b.logs_paging;
    enum e2b_place_mode mode = PLACE_CURSOR;
    struct err err = ERR_INIT;

    if (!op->max_lines)
        op->max_lines = E2B_LOGS_LIMIT;
    if (paging == LOGS_OFFSET || (paging == LOGS_AUTO && op->e2b->has_v2_logs == -1))
        mode = first_v1_mode(op);
    st->is_offset_sure = op->e2b->has_v1_times == -1;
    e2b_place_start(&st->place, mode, 0);
    if (!text_is_empty(op->position) &&
        e2b_place_decode(op->arena, op->position, &st->place)) {
        err_set(&err, ERR_INPUT, "this is no position in the logs");
        return logs_fail(op, SOURCE_FAILED, &err);
    }
    logs_send(op);
    if (op->want_results && st->place.mode == PLACE_CURSOR)
        e2b_results_start(&st->results, op, &st->place, results_done);
    return true;
}

static bool logs_next(struct http_call *call)
{
    struct e2b_logs *op = (struct e2b_logs *)call;
    struct logs_state *st = op->state;
    struct err err = ERR_INIT;
    json_t *doc;
    bool more;

    if (!call->req.url)
        return logs_begin(op);
    if (e2b_logs_shrink(call, &st->limit))
        return logs_send(op);
    if (may_fall_back(op))
        return no_v2(op);
    doc = e2b_answer(call, op->e2b, op->arena, &err);
    if (!doc)
        return no_page(op, &err);
    more = logs_page(op, doc);
    json_decref(doc);
    return more;
}

char *e2b_logs_position_at(struct arena *a, int64_t at_us)
{
    struct e2b_place place = {.mode = PLACE_CURSOR};

    e2b_place_start(&place, PLACE_CURSOR, at_us / TS_MS);
    return e2b_place_encode(a, &place);
}

void e2b_logs_init(struct e2b_logs *op, struct e2b *e, struct arena *a,
                   const char *sandbox_id, const char *position, size_t max_lines,
                   int64_t now_us)
{
    struct logs_state *st = arena_alloc(a, sizeof(*st));

    *op = (struct e2b_logs){.e2b = e,
                            .arena = a,
                            .sandbox_id = sandbox_id,
                            .position = position,
                            .max_lines = max_lines,
                            .now_us = now_us,
                            .next_position = "",
                            .state = st};
    st->limit = max_lines && max_lines < E2B_LOGS_LIMIT ? (int)max_lines : E2B_LOGS_LIMIT;
    http_call_init(&op->call, NULL);
    if (e2b_id_ok(&op->src, sandbox_id))
        op->call.next = logs_next;
}

void e2b_logs_release(struct e2b_logs *op)
{
    struct logs_state *st = op->state;

    http_call_release(&op->call);
    e2b_results_release(&st->results);
}
