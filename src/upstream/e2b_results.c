/*
 * Exit codes beside the v2 logs: the raw v1 lines of the same stretch of time, read in the same
 * batch, so that a page costs one round of upstream time. Its failure is its own: the lines stay.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "upstream/e2b_private.h"

#include "base/banned.h"

static bool results_send(struct e2b_results *r)
{
    int64_t now_ms = r->now_us / TS_MS;

    return e2b_send(
        &r->call, r->e2b, r->arena,
        arena_fmt(r->arena, "/sandboxes/%s/logs?start=%lld&limit=%d", r->sandbox_id,
                  (long long)(r->place.ms < now_ms ? r->place.ms : now_ms), r->limit));
}

static bool results_end(struct e2b_results *r)
{
    r->is_done = true;
    r->on_done(r->ctx);
    return false;
}

static void keep_result(struct e2b_results *r, const struct log_line *l)
{
    const char *text = tag_get(l->fields, l->field_count, E2B_RESULT_FIELD, NULL);

    if (!l->has_result || !text)
        return;
    r->found = arena_grow(r->arena, r->found, r->count, &r->cap, sizeof(*r->found));
    r->found[r->count++] = (struct e2b_result){
        .at_us = l->at_us,
        .message = arena_str(r->arena, l->message),
        .raw = arena_fmt(r->arena, "{\"" E2B_RESULT_FIELD "\":%s}", text),
    };
}

/* Until the wanted stretch is read, or there is no more, or the bound is reached. */
static bool results_go_on(struct e2b_results *r, size_t n, size_t fresh)
{
    bool is_covered = r->until_us != TS_NONE && r->place.ms > r->until_us / TS_MS;

    r->is_at_end = n < (size_t)r->limit;
    if (r->is_at_end || is_covered)
        return results_end(r);
    if (!fresh)
        e2b_place_step(&r->place);
    if (r->pages >= r->pages_max)
        return results_end(r);
    return results_send(r);
}

static bool results_page(struct e2b_results *r)
{
    struct err err = ERR_INIT;
    struct e2b_lines got;
    size_t fresh = 0;

    if (e2b_lines_v1(&r->scratch, r->call.resp.body.s, r->call.resp.body.len,
                     E2B_LINES_ALL, &got, &err)) {
        e2b_source_fail(&r->src, &r->call, r->pages > 0, SOURCE_FAILED, &err);
        return results_end(r);
    }
    r->pages++;
    e2b_source_page(&r->src, &r->call, &got.page);
    e2b_lines_sort(&r->scratch, got.lines, got.count);
    e2b_place_begin_page(&r->place);
    for (size_t i = 0; i < got.count; i++) {
        if (!e2b_place_take(r->arena, &r->place, &got.lines[i]))
            continue;
        fresh++;
        keep_result(r, &got.lines[i]);
    }
    return results_go_on(r, got.page.rows, fresh);
}

static bool results_next(struct http_call *call)
{
    struct e2b_results *r = (struct e2b_results *)call;
    struct err err = ERR_INIT;
    bool more;

    if (e2b_logs_shrink(call, &r->limit))
        return results_send(r);
    if (e2b_judge(call, r->e2b, &r->scratch, &err)) {
        e2b_source_fail(&r->src, call, r->pages > 0, e2b_state_of(call), &err);
        return results_end(r);
    }
    more = results_page(r);
    arena_reset(&r->scratch);
    return more;
}

void e2b_results_start(struct e2b_results *r, struct e2b_logs *op, int64_t from_ms,
                       void (*on_done)(void *ctx))
{
    *r = (struct e2b_results){
        .e2b = op->e2b,
        .arena = op->arena,
        .sandbox_id = op->sandbox_id,
        .now_us = op->now_us,
        .until_us = TS_NONE,
        .limit = op->max_lines < E2B_LOGS_LIMIT ? (int)op->max_lines : E2B_LOGS_LIMIT,
        .pages_max = (int)((op->max_lines + E2B_LOGS_LIMIT - 1) / E2B_LOGS_LIMIT),
        .is_started = true,
        .on_done = on_done,
        .ctx = op};
    arena_init(&r->scratch);
    /* of the held lines' own millisecond a result may be read twice; that does no harm */
    e2b_place_start(&r->place, PLACE_TIME, from_ms);
    http_call_init(&r->call, results_next);
    r->call.req.max_body = E2B_LOGS_BODY;
    results_send(r);
    http_also(op->e2b->http, &r->call);
}

void e2b_results_release(struct e2b_results *r)
{
    if (!r->is_started)
        return;
    http_call_release(&r->call);
    arena_release(&r->scratch);
}

bool e2b_lacks_result(const struct log_line *l)
{
    return !l->has_result &&
           text_starts(tag_get(l->fields, l->field_count, "event_type", ""),
                       "process_end");
}

void e2b_results_limit(struct e2b_results *r, int64_t until_us)
{
    r->until_us = until_us;
}

/* The first of the lines that is not before this time, in the order that they have. */
static size_t first_at(const struct log_line *lines, size_t n, int64_t at_us)
{
    bool is_newest_first = n > 1 && lines[0].at_us > lines[n - 1].at_us;
    size_t low = 0;

    while (low < n) {
        size_t mid = low + (n - low) / 2;

        if (is_newest_first ? lines[mid].at_us > at_us : lines[mid].at_us < at_us)
            low = mid + 1;
        else
            n = mid;
    }
    return low;
}

void e2b_results_match(struct e2b_results *r, struct log_line *lines, size_t n)
{
    if (!r->is_at_end && r->place.ms < r->until_us / TS_MS)
        r->src.is_cut = true;
    for (size_t f = 0; f < r->count; f++) {
        const struct e2b_result *found = &r->found[f];
        size_t i = first_at(lines, n, found->at_us);

        for (; i < n && lines[i].at_us == found->at_us; i++) {
            if (lines[i].has_result || strcmp(lines[i].message, found->message))
                continue;
            log_line_add_raw(r->arena, found->raw, strlen(found->raw), &lines[i]);
            break;
        }
    }
}
