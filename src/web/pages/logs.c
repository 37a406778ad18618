/*
 * GET …/:sid/logs ?from=&n=&q=&level= - more log lines, an HTML fragment: rows of the table and the foot that
 * says where they end. The same lines without JavaScript are the sandbox page with ?logs=.
 */
#include "web/pages/logs.h"

#include "base/human.h"
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "web/pages/context.h"
#include "web/pages/pages.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define MAX_NUMBER 100000000

void log_request_init(struct log_request *r, const struct req *rq)
{
    const char *at = req_query(rq, "logs");
    const char *q = req_query(rq, "q");
    int64_t n = 0;

    memset(r, 0, sizeof *r);
    r->is_open = !text_is_empty(at);
    r->position = "";
    if (r->is_open && strcmp(at, "1") != 0 && e2b_logs_position_ok(at))
        r->position = arena_str(rq->arena, at);
    if (parse_i64(req_query(rq, "n"), 0, MAX_NUMBER, &n))
        n = 0;
    r->first_number = text_is_empty(r->position) ? 1 : n + 1;
    r->level_text = req_query(rq, "level");
    r->level = log_level_from_text(r->level_text);
    r->search = text_clean_line(rq->arena, q, strlen(q), 200);
}

static bool is_filtered(const struct log_request *r)
{
    return r->level != LOG_LEVEL_NONE || !text_is_empty(r->search);
}

size_t log_request_calls(struct log_request *r, struct req *rq, const char *sandbox_id,
                         struct http_call **calls, size_t n)
{
    if (!r->is_open || (text_is_empty(r->position) && !is_filtered(r)))
        return n;
    e2b_logs_init(&r->op, &rq->app->e2b, rq->arena, sandbox_id, r->position,
                  LOG_PAGE_LINES, rq->now_us);
    r->op.min_level = r->level;
    r->op.search = r->search;
    r->op.want_results = true;
    r->is_reading = true;
    calls[n] = &r->op.call;
    return n + 1;
}

/* "?logs=POSITION&n=1000&q=…", the link that goes on after these lines. */
static char *more_href(const struct log_request *r, const struct req *rq,
                       const char *self, const char *position, int64_t shown)
{
    struct arena *a = rq->arena;
    char *href =
        arena_fmt(a, "%s%slogs=%s&n=%" PRId64, self, strchr(self, '?') ? "&" : "?",
                  url_encode(a, position), r->first_number - 1 + shown);

    if (!text_is_empty(r->search))
        href = arena_fmt(a, "%s&q=%s", href, url_encode(a, r->search));
    if (r->level != LOG_LEVEL_NONE)
        href = arena_fmt(a, "%s&level=%s", href, log_level_name(r->level));
    return href;
}

static void put_foot(const struct log_request *r, const struct req *rq, HDF *at,
                     const struct e2b_logs *read, const char *self)
{
    int64_t last = r->first_number - 1 + (int64_t)read->count;
    char text[HUMAN_SIZE];

    hput_str(at, "First", human_count(r->first_number, text));
    hput_str(at, "Last", human_count(last, text));
    hput_i64(at, "LastNumber", last);
    hput_i64(at, "Shown", (int64_t)read->count);
    hput_bool(at, "Skipped", read->skipped_some);
    hput_bool(at, "IsCut", read->src.is_cut && read->src.err.kind != ERR_NONE);
    if (text_is_empty(read->next_position)) {
        hput_bool(at, "IsEnd", true);
        return;
    }
    hput_str(at, "Position", read->next_position);
    hput_fmt(at, "MoreHref", "%s#raw",
             more_href(r, rq, self, read->next_position, (int64_t)read->count));
    if (read->count)
        hput_str(at, "After", human_clock(read->lines[read->count - 1].at_us, text));
}

static void put_form(const struct log_request *r, const struct req *rq, HDF *at,
                     const char *self)
{
    hput_bool(at, "IsOpen", r->is_open);
    hput_str(at, "Search", r->search);
    hput_str(at, "Level", log_level_name(r->level));
    hput_bool(at, "IsFiltered", is_filtered(r));
    hput_bool(at, "IsLater", r->first_number > 1);
    hput_str(at, "OpenHref",
             arena_fmt(rq->arena, "%s%slogs=1#raw", self, strchr(self, '?') ? "&" : "?"));
    hput_str(at, "CloseHref", self);
    hput_str(at, "Self", self);
}

void log_request_show(struct log_request *r, const struct req *rq, HDF *hdf,
                      const struct sandbox_view *v, const char *self,
                      const struct e2b_logs *first)
{
    const struct e2b_logs *read = r->is_reading ? &r->op : first;
    HDF *at = hput_node(hdf, "Logs");
    char text[HUMAN_SIZE];

    put_form(r, rq, at, self);
    if (first && first->src.state == SOURCE_OK) {
        hput_str(at, "FirstCount", human_count((int64_t)first->count, text));
        hput_bool(at, "FirstIsAll", text_is_empty(first->next_position));
    }
    if (!r->is_open)
        return;
    if (read->src.state != SOURCE_OK) {
        view_failure(hput_node(at, "Failed"), "E2B", "The lines could not be loaded.",
                     &read->src, NULL, self);
        return;
    }
    view_log_lines(at, v, read->lines, read->count, r->first_number, r->search);
    put_foot(r, rq, at, read, self);
}

void log_request_release(struct log_request *r)
{
    if (r->is_reading)
        e2b_logs_release(&r->op);
    r->is_reading = false;
}

int page_logs(struct req *rq, struct resp *rs, struct err *err)
{
    struct context ctx;
    struct log_request *r = arena_alloc(rq->arena, sizeof *r);
    struct evidence ev = {.now_us = rq->now_us, .sandbox_id = req_param(rq, "sid")};
    struct sandbox_view v = {.ev = &ev, .now_us = rq->now_us};
    struct http_call *calls[1];
    const char *from = req_query(rq, "from");
    char *self;
    HDF *hdf;

    if (context_init(&ctx, rq, !text_is_empty(req_param(rq, "id")), err))
        return -1;
    if (!text_is_sandbox_id(ev.sandbox_id))
        return err_set(err, ERR_NOTFOUND, "no sandbox id");
    log_request_init(r, rq);
    r->is_open = true;
    if (e2b_logs_position_ok(from) &&
        !text_is_empty(from)) { /* here `from` is a place in the log */
        int64_t n = 0;

        ctx.link.from_us = ctx.link.to_us = TS_NONE;
        r->position = arena_str(rq->arena, from);
        if (parse_i64(req_query(rq, "n"), 0, MAX_NUMBER, &n))
            n = 0;
        r->first_number = n + 1;
    }
    v.link = &ctx.link;
    v.sandbox_id = ev.sandbox_id;
    hdf = resp_fragment(rq, rs, "_logs.cs");
    e2b_logs_init(&r->op, &rq->app->e2b, rq->arena, ev.sandbox_id, r->position,
                  LOG_PAGE_LINES, rq->now_us);
    r->op.min_level = r->level;
    r->op.search = r->search;
    r->op.want_results = true;
    r->is_reading = true;
    calls[0] = &r->op.call;
    http_run(rq->app->http, calls, 1, rq->deadline_us);
    self = view_href(&ctx.link, view_sandbox_path(&ctx.link, ev.sandbox_id), NULL);
    log_request_show(r, rq, hdf, &v, self, NULL);
    if (r->op.src.state != SOURCE_OK)
        rs->status = 502;
    log_request_release(r);
    return 0;
}
