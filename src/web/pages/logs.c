/*
 * GET …/:sid/logs ?from=&n=&q=&level=&order=newest&in=printed - more log lines, an HTML fragment: rows of the
 * table and the foot that says where they end. The same lines without JavaScript are the sandbox page with ?logs=.
 */
#include "web/pages/logs.h"

#include "base/human.h"
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "web/pages/context.h"
#include "web/pages/log_foot.h"
#include "web/pages/pages.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define MAX_NUMBER 100000000
#define SEARCH_PAGES 20 /* looked through at a time, where E2B does not search */

static void take_position(struct log_request *r, const struct req *rq, const char *at)
{
    int64_t n = 0;

    r->position = "";
    r->before = 0;
    if (text_is_empty(at) || strcmp(at, "1") == 0 || !e2b_logs_position_ok(at))
        return;
    r->position = arena_str(rq->arena, at);
    if (!parse_i64(req_query(rq, "n"), 0, MAX_NUMBER, &n))
        r->before = n;
}

void log_request_init(struct log_request *r, const struct req *rq)
{
    const char *at = req_query(rq, "logs");
    const char *q = req_query(rq, "q");
    const char *order = req_query(rq, "order");

    memset(r, 0, sizeof *r);
    r->is_open = !text_is_empty(at);
    take_position(r, rq, at);
    r->has_order = !text_is_empty(order);
    r->newest_first = strcmp(order, "newest") == 0;
    r->in_printed = strcmp(req_query(rq, "in"), "printed") == 0;
    r->level_text = req_query(rq, "level");
    r->level = log_level_from_text(r->level_text);
    r->search = text_clean_line(rq->arena, q, strlen(q), 200);
}

static bool is_filtered(const struct log_request *r)
{
    return r->level != LOG_LEVEL_NONE || !text_is_empty(r->search);
}

static void begin_read(struct log_request *r, struct req *rq, const char *sandbox_id)
{
    e2b_logs_init(&r->op, &rq->app->e2b, rq->arena, sandbox_id, r->position,
                  LOG_PAGE_LINES, rq->now_us);
    r->op.newest_first = r->newest_first;
    r->op.min_level = r->level;
    r->op.search = r->search;
    r->op.search_printed = r->in_printed;
    r->op.max_pages = SEARCH_PAGES;
    r->op.want_results = true;
    r->is_reading = true;
}

size_t log_request_calls(struct log_request *r, struct req *rq, const char *sandbox_id,
                         struct http_call **calls, size_t n)
{
    if (!r->is_open ||
        (text_is_empty(r->position) && !r->newest_first && !is_filtered(r)))
        return n;
    begin_read(r, rq, sandbox_id);
    calls[n] = &r->op.call;
    return n + 1;
}

/* -- showing ------------------------------------------------------------------------------- */

static void turn_round(struct log_line *lines, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct log_line l = lines[i];

        lines[i] = lines[n - 1 - i];
        lines[n - 1 - i] = l;
    }
}

/* From the read to what is shown: which end is on top, and the numbers. */
static void lay_out(const struct log_request *r, struct e2b_logs *read,
                    struct log_layout *out)
{
    int64_t n = (int64_t)read->count;

    *out = (struct log_layout){.read = read};
    out->newest_first = r->has_order ? r->newest_first : read->is_newest_first;
    if (r->newest_first && !read->is_newest_first && text_is_empty(r->position)) {
        out->newest_first = false; /* this E2B cannot be read from the end */
        out->is_order_refused = true;
    }
    out->is_turned = out->newest_first != read->is_newest_first;
    out->is_at_top = !out->is_turned && text_is_empty(r->position);
    out->first_number = out->is_turned ? r->before - n + 1 : r->before + 1;
    if (out->first_number < 1)
        out->first_number = 1;
    out->last_number = out->first_number - 1 + n;
    out->down = out->is_turned ? read->turn_position : read->next_position;
    out->up = out->is_turned ? read->next_position : read->turn_position;
    if (out->is_at_top)
        out->up = "";
    if (out->is_turned)
        turn_round(read->lines, read->count);
}

static void put_form(const struct log_request *r, const struct req *rq, HDF *at,
                     const char *self)
{
    const char *sep = strchr(self, '?') ? "&" : "?";

    hput_bool(at, "IsOpen", r->is_open);
    hput_str(at, "Search", r->search);
    hput_str(at, "Level", log_level_name(r->level));
    hput_bool(at, "InPrinted", r->in_printed);
    hput_bool(at, "NewestFirst", r->newest_first);
    hput_bool(at, "IsFiltered", is_filtered(r));
    hput_str(at, "OpenHref", arena_fmt(rq->arena, "%s%slogs=1#raw", self, sep));
    hput_str(at, "CloseHref", self);
    hput_str(at, "Self", self);
}

static void show_lines(const struct log_request *r, const struct req *rq, HDF *at,
                       const struct sandbox_view *v, const char *self,
                       struct e2b_logs *read)
{
    struct log_layout lay;

    lay_out(r, read, &lay);
    hput_bool(at, "IsLater", !lay.newest_first && lay.first_number > 1);
    view_log_lines(at, v, read->lines, read->count,
                   lay.newest_first ? -lay.first_number : lay.first_number, r->search);
    log_foot_show(at, r, rq, v, self, &lay);
}

void log_request_show(struct log_request *r, const struct req *rq, HDF *hdf,
                      const struct sandbox_view *v, const char *self,
                      const struct e2b_logs *first)
{
    struct e2b_logs copy;
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
    copy = *read;
    show_lines(r, rq, at, v, self, &copy);
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
    if (!text_is_empty(from) && (strcmp(from, "1") == 0 || e2b_logs_position_ok(from))) {
        ctx.link.from_us = ctx.link.to_us =
            TS_NONE; /* here `from` is a place in the log */
        take_position(r, rq, from);
    }
    v.link = &ctx.link;
    v.sandbox_id = ev.sandbox_id;
    hdf = resp_fragment(rq, rs, "_logs.cs");
    begin_read(r, rq, ev.sandbox_id);
    calls[0] = &r->op.call;
    http_run(rq->app->http, calls, 1, rq->deadline_us);
    self = view_href(&ctx.link, view_sandbox_path(&ctx.link, ev.sandbox_id), NULL);
    log_request_show(r, rq, hdf, &v, self, NULL);
    if (r->op.src.state != SOURCE_OK)
        rs->status = 502;
    log_request_release(r);
    return 0;
}
