/*
 * Logs of a sandbox, page by page, without losing or repeating a line (e2b.md 5).
 *
 * Four ways to page (e2b_place.h): v2 by cursor, forward or backward; v1 by time; v1 by offset, for servers
 * that count lines. Whether a v1 server counts lines or means milliseconds shows only in what it answers:
 *
 *   offset page empty ------------> ask once by time --- lines: it means time, go on so
 *   offset page begins with a line                    \_ nothing: it counts; the page was right
 *   that was taken before --------> the same
 *
 * A millisecond with more lines than a page is read in other ways (e2b_crowd.h); what even these cannot
 * reach is said. A page lives in an arena of its own: only the lines that are kept stay.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "upstream/e2b_logs_private.h"

#include "base/banned.h"

#define PAGES_MAX 400
#define SEARCH_SENT_MAX                                                                  \
    256 /* a longer one is a 400 (e2b.md 5.2); filtered here instead */

int64_t e2b_logs_kept_from_us(int64_t now_us)
{
    return now_us > 7 * TS_DAY ? now_us - 7 * TS_DAY : 0;
}

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

/* cursor below 0: none, which is the newest line going backward. */
static bool send_v2(struct e2b_logs *op, int64_t cursor, bool is_backward,
                    enum log_level level, int limit)
{
    struct logs_state *st = op->state;
    struct arena *a = &st->page;
    char *path = arena_fmt(a, "/v2/sandboxes/%s/logs?", op->sandbox_id);

    if (cursor >= 0)
        path = arena_fmt(a, "%scursor=%lld&", path, (long long)cursor);
    path = arena_fmt(a, "%sdirection=%s&limit=%d", path,
                     is_backward ? "backward" : "forward", limit);
    if (level != LOG_LEVEL_NONE)
        path = arena_fmt(a, "%s&level=%s", path, log_level_name(level));
    op->is_search_sent = !text_is_empty(op->search) && !op->search_printed &&
                         strlen(op->search) <= SEARCH_SENT_MAX;
    if (op->is_search_sent)
        path = arena_fmt(a, "%s&search=%s", path, url_encode(a, op->search));
    st->asked = limit;
    return e2b_send(&op->call, op->e2b, op->arena, path);
}

static bool send_v1(struct e2b_logs *op, int64_t start, int limit)
{
    struct logs_state *st = op->state;

    if (!st->in_crowd)
        op->is_search_sent = false;
    st->asked = limit;
    return e2b_send(&op->call, op->e2b, op->arena,
                    arena_fmt(&st->page, "/sandboxes/%s/logs?start=%lld&limit=%d",
                              op->sandbox_id, (long long)start, limit));
}

/* Those of the first millisecond that were taken come again. */
static int limit_now(const struct logs_state *st)
{
    size_t want = (size_t)st->limit + st->place.total;

    if (st->is_shrunk || st->limit >= E2B_LOGS_LIMIT)
        return st->limit;
    return want < E2B_LOGS_LIMIT ? (int)want : E2B_LOGS_LIMIT;
}

static bool crowd_send(struct e2b_logs *op);

static bool crowd_begin(struct e2b_logs *op)
{
    struct logs_state *st = op->state;

    e2b_crowd_begin(&st->crowd, st->place.ms, e2b_logs_is_v2(st), op->min_level);
    st->in_crowd = true;
    return crowd_send(op);
}

static bool logs_send(struct e2b_logs *op)
{
    struct logs_state *st = op->state;
    struct e2b_place *p = &st->place;
    int64_t begin_ms = e2b_logs_begin_ms(op->now_us);
    int64_t now_ms = op->now_us / TS_MS;
    int limit = limit_now(st);

    if (p->mode == PLACE_OFFSET && st->probe == PROBE_NONE)
        return send_v1(op, p->offset, st->limit);
    if (p->mode != PLACE_OFFSET && p->total >= (size_t)limit)
        return crowd_begin(op); /* a page would hold nothing new */
    if (p->mode == PLACE_BACK)
        return send_v2(op, p->ms ? p->ms + 1 : -1, true, op->min_level, limit);
    if (p->mode != PLACE_OFFSET && p->ms < begin_ms)
        e2b_place_start(p, p->mode, begin_ms);
    if (p->mode == PLACE_CURSOR)
        return send_v2(op, p->ms, false, op->min_level, limit);
    if (p->ms > begin_ms)
        begin_ms = p->ms;
    return send_v1(op, begin_ms < now_ms ? begin_ms : now_ms, limit);
}

/* -- pages ------------------------------------------------------------------------------- */

bool e2b_line_holds(const struct log_line *l, const char *search, bool printed)
{
    return text_is_empty(search) || strstr(l->message, search) ||
           (printed &&
            (strstr(tag_get(l->fields, l->field_count, "data", ""), search) ||
             strstr(tag_get(l->fields, l->field_count, "command", ""), search)));
}

/* `info` includes lines without a level, `warn` does not (e2b.md 5.3). */
static bool passes(const struct e2b_logs *op, const struct log_line *l)
{
    enum log_level level = l->level == LOG_LEVEL_NONE ? LOG_LEVEL_INFO : l->level;

    return level >= op->min_level && e2b_line_holds(l, op->search, !op->is_search_sent);
}

static void keep(struct e2b_logs *op, const struct log_line *l)
{
    struct log_line line = *l;

    if (l->at_us == TS_NONE || !passes(op, l))
        return;
    op->lines = arena_grow(op->arena, op->lines, op->count, &op->cap, sizeof(*op->lines));
    if (!op->want_raw)
        line.raw = NULL;
    op->lines[op->count++] = log_line_copy(op->arena, &line);
}

static bool is_enough(const struct e2b_logs *op)
{
    const struct logs_state *st = op->state;
    size_t least = op->is_piece ? op->max_lines - op->max_lines / 16 : op->max_lines;

    return op->count >= least || st->pages >= (op->max_pages ? op->max_pages : PAGES_MAX);
}

/* After a page of which `used` of n rows were looked at: stop, or ask for the next. */
static bool logs_go_on(struct e2b_logs *op, size_t used, size_t n)
{
    struct logs_state *st = op->state;

    if (used == n && n < (size_t)st->asked)
        return e2b_logs_finish(op, true);
    if (is_enough(op))
        return e2b_logs_finish(op, false);
    return logs_send(op);
}

/* Takes the lines, sorted by time, in the direction of the read. Returns how many were looked at. */
static size_t take_lines(struct e2b_logs *op, const struct log_line *lines, size_t n,
                         size_t *fresh)
{
    struct logs_state *st = op->state;
    bool is_back = st->place.mode == PLACE_BACK;
    size_t i;

    *fresh = 0;
    e2b_place_begin_page(&st->place);
    for (i = 0; i < n && op->count < op->max_lines; i++) {
        const struct log_line *l = &lines[is_back ? n - 1 - i : i];

        if (!e2b_place_take(op->arena, &st->place, l))
            continue;
        (*fresh)++;
        if (st->claimed_end_ms != TS_NONE && e2b_line_ms(l) > st->claimed_end_ms)
            op->skipped_some = true;
        keep(op, l);
    }
    st->taken += *fresh;
    op->looked_at += *fresh;
    return i;
}

/* Newest first as they came: then equal times keep their order when they are turned round. */
static void reverse(struct log_line *lines, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct log_line l = lines[i];

        lines[i] = lines[n - 1 - i];
        lines[n - 1 - i] = l;
    }
}

static bool time_page(struct e2b_logs *op, struct e2b_lines *got)
{
    struct logs_state *st = op->state;
    struct e2b_place *p = &st->place;
    size_t n = got->count, fresh, used;

    if (p->mode == PLACE_BACK)
        reverse(got->lines, n);
    e2b_lines_sort(&st->page, got->lines, n);
    used = take_lines(op, got->lines, n, &fresh);
    if (fresh || n < (size_t)st->asked)
        return logs_go_on(op, used, n);
    if (got->lines[n - 1].at_us == TS_NONE || !p->total ||
        (p->mode != PLACE_BACK && e2b_line_ms(&got->lines[n - 1]) < p->ms))
        return e2b_logs_stuck(op);
    return crowd_begin(op);
}

static void offset_is_sure(struct e2b_logs *op)
{
    struct logs_state *st = op->state;

    st->is_offset_sure = true;
    op->e2b->has_v1_times = -1;
}

static bool offset_page(struct e2b_logs *op, struct e2b_lines *got)
{
    struct logs_state *st = op->state;
    struct e2b_place *p = &st->place;
    size_t n = got->count;
    size_t i;

    if (!st->is_offset_sure &&
        (!n || (p->offset && e2b_place_is_repeat(p, &got->lines[0])))) {
        st->probe = n ? PROBE_REPEAT : PROBE_EMPTY;
        return logs_send(op);
    }
    if (p->offset)
        offset_is_sure(op);
    for (i = 0; i < n && op->count < op->max_lines; i++) {
        e2b_place_note(op->arena, p, &got->lines[i]);
        keep(op, &got->lines[i]);
    }
    st->taken += i;
    op->looked_at += i;
    p->offset += (int64_t)i;
    return logs_go_on(op, i, n);
}

/* The answer to a question by time, put because an offset page looked wrong. */
static bool probe_page(struct e2b_logs *op, struct e2b_lines *got)
{
    struct logs_state *st = op->state;
    enum probe why = st->probe;

    st->probe = PROBE_NONE;
    if (got->count) {
        st->place.mode = PLACE_TIME;
        op->e2b->has_v1_times = 1;
        return time_page(op, got);
    }
    if (st->place.offset) /* the line it stands at would have come */
        offset_is_sure(op);
    return why == PROBE_EMPTY ? e2b_logs_finish(op, true) : logs_send(op);
}

/* -- a crowded millisecond ----------------------------------------------------------------- */

/* All that could be had of it is there: take what is wanted, and go on behind it. */
static bool crowd_end(struct e2b_logs *op)
{
    struct logs_state *st = op->state;
    struct e2b_crowd *c = &st->crowd;
    size_t n = c->count, fresh, used;

    st->in_crowd = false;
    e2b_lines_sort(&c->arena, c->lines, n);
    used = take_lines(op, c->lines, n, &fresh);
    if (used == n) {
        op->skipped_some = op->skipped_some || !c->is_complete;
        st->claimed_end_ms = c->is_end_claimed ? c->ms : TS_NONE;
        e2b_place_step(&st->place);
    }
    e2b_crowd_release(c);
    return is_enough(op) ? e2b_logs_finish(op, false) : logs_send(op);
}

static bool crowd_send(struct e2b_logs *op)
{
    struct logs_state *st = op->state;
    struct e2b_crowd *c = &st->crowd;
    struct e2b_question q;

    if (!e2b_crowd_ask(c, &q))
        return crowd_end(op);
    if (q.is_v1)
        return send_v1(op, c->ms, c->limit);
    return send_v2(op, q.is_backward ? c->ms + 1 : c->ms, q.is_backward, q.level,
                   c->limit);
}

static int crowd_read(struct e2b_logs *op, struct e2b_lines *got, struct err *err)
{
    struct logs_state *st = op->state;
    struct arena *a = e2b_crowd_arena(&st->crowd, &st->page);
    struct e2b_question q;
    struct sbuf *body = &op->call.resp.body;
    int rc;

    if (e2b_judge(&op->call, op->e2b, &st->page, err) || !e2b_crowd_ask(&st->crowd, &q))
        return -1;
    rc = q.is_v1 ? e2b_lines_v1(a, body->s, body->len, st->crowd.ms, got, err)
                 : e2b_lines_v2(a, body->s, body->len, E2B_LINES_ALL, got, err);
    if (rc)
        return -1;
    if (q.is_backward)
        reverse(got->lines, got->count);
    e2b_lines_sort(a, got->lines, got->count);
    sbuf_release(body); /* it is large */
    sbuf_init(body, E2B_LOGS_BODY);
    return 0;
}

/* One question of the crowd is answered or not; the last failure counts when none was. */
static bool crowd_next(struct e2b_logs *op)
{
    struct logs_state *st = op->state;
    struct err err = ERR_INIT;
    struct e2b_question q;
    struct e2b_lines got;

    if (!crowd_read(op, &got, &err)) {
        e2b_source_page(&op->src, &op->call, &got.page);
        e2b_crowd_take(&st->crowd, &got);
        return crowd_send(op);
    }
    e2b_crowd_fail(&st->crowd, op->call.resp.body.is_full);
    if (http_deadline_over(op->e2b->http) ||
        (!e2b_crowd_ask(&st->crowd, &q) && !st->crowd.answered)) {
        e2b_crowd_release(&st->crowd);
        st->in_crowd = false;
        return e2b_logs_fail(op, SOURCE_FAILED, &err);
    }
    return crowd_send(op);
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
    struct err err = ERR_INIT;

    op->e2b->has_v2_logs = -1;
    if (text_is_empty(op->position)) {
        e2b_place_start(&st->place, first_v1_mode(op), 0);
    } else if (st->place.mode == PLACE_CURSOR) {
        st->place.mode = PLACE_TIME;
    } else {
        err_set(&err, ERR_UPSTREAM, "this E2B gives its log oldest first only");
        return e2b_logs_fail(op, SOURCE_UNSUPPORTED, &err);
    }
    return logs_send(op);
}

static bool may_fall_back(const struct e2b_logs *op)
{
    const struct logs_state *st = op->state;

    return op->call.resp.status == 404 && e2b_logs_is_v2(st) && !st->pages &&
           op->e2b->has_v2_logs != 1 && op->e2b->conf->e2b.logs_paging != LOGS_CURSOR;
}

static bool no_page(struct e2b_logs *op, const struct err *err)
{
    struct logs_state *st = op->state;
    struct e2b_lines none = {.count = 0};

    if (st->probe != PROBE_NONE && op->call.resp.status == 400)
        return probe_page(op, &none); /* a time is no offset that it knows */
    return e2b_logs_fail(op, e2b_state_of(&op->call), err);
}

static bool logs_page(struct e2b_logs *op)
{
    struct logs_state *st = op->state;
    const struct sbuf *body = &op->call.resp.body;
    struct e2b_lines got;
    struct err err = ERR_INIT;

    if (e2b_logs_is_v2(st)
            ? e2b_lines_v2(&st->page, body->s, body->len, E2B_LINES_ALL, &got, &err)
            : e2b_lines_v1(&st->page, body->s, body->len, E2B_LINES_ALL, &got, &err))
        return e2b_logs_fail(op, SOURCE_FAILED, &err);
    if (e2b_logs_is_v2(st))
        op->e2b->has_v2_logs = 1;
    st->pages++;
    e2b_source_page(&op->src, &op->call, &got.page);
    if (st->probe != PROBE_NONE)
        return probe_page(op, &got);
    if (st->place.mode == PLACE_OFFSET)
        return offset_page(op, &got);
    return time_page(op, &got);
}

static enum e2b_place_mode first_mode(const struct e2b_logs *op)
{
    enum conf_logs_paging paging = op->e2b->conf->e2b.logs_paging;

    if (paging == LOGS_OFFSET || (paging == LOGS_AUTO && op->e2b->has_v2_logs == -1))
        return first_v1_mode(op);
    return op->newest_first ? PLACE_BACK : PLACE_CURSOR;
}

static bool logs_begin(struct e2b_logs *op)
{
    struct logs_state *st = op->state;
    struct err err = ERR_INIT;

    if (!op->max_lines)
        op->max_lines = E2B_LOGS_LIMIT;
    st->is_offset_sure = op->e2b->has_v1_times == -1;
    e2b_place_start(&st->place, first_mode(op), 0);
    if (!text_is_empty(op->position) &&
        e2b_place_decode(op->arena, op->position, &st->place)) {
        err_set(&err, ERR_INPUT, "this is no position in the logs");
        return e2b_logs_fail(op, SOURCE_FAILED, &err);
    }
    op->call.req.max_body = E2B_LOGS_BODY;
    logs_send(op);
    if (op->want_results && !op->results_late && st->place.mode == PLACE_CURSOR)
        e2b_logs_results_beside(op, st->place.ms);
    return true;
}

/* The answer to a page that was asked for, or its failure. */
static bool logs_answer(struct e2b_logs *op)
{
    struct logs_state *st = op->state;
    struct err err = ERR_INIT;

    if (st->in_crowd)
        return crowd_next(op);
    if (e2b_logs_shrink(&op->call, &st->asked)) {
        st->limit = st->asked;
        st->is_shrunk = true;
        return logs_send(op);
    }
    if (may_fall_back(op))
        return no_v2(op);
    if (e2b_judge(&op->call, op->e2b, &st->page, &err))
        return no_page(op, &err);
    return logs_page(op);
}

static bool logs_next(struct http_call *call)
{
    struct e2b_logs *op = (struct e2b_logs *)call;
    struct logs_state *st = op->state;
    bool more = call->req.url ? logs_answer(op) : logs_begin(op);

    arena_reset(&st->page);
    return more;
}

char *e2b_logs_position_at(struct arena *a, int64_t at_us)
{
    struct e2b_place place;

    e2b_place_start(&place, PLACE_CURSOR, at_us / TS_MS);
    return e2b_place_encode(a, &place);
}

char *e2b_logs_position_before(struct arena *a, int64_t at_us)
{
    struct e2b_place place;

    e2b_place_start(&place, PLACE_BACK, at_us / TS_MS - 1);
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
                            .turn_position = "",
                            .reached_us = TS_NONE,
                            .state = st};
    arena_init(&st->page);
    st->claimed_end_ms = TS_NONE;
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
    e2b_crowd_release(&st->crowd);
    arena_release(&st->page);
}
