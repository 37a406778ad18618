/*
 * GET …/:sid/logs ?from=&n=&at=&q=&level=&order=newest&in=printed&fold=no&as=text - more log lines, an HTML
 * fragment: a table and the foot that says where they end; or a text file. The same lines without JavaScript are
 * the sandbox page with ?logs=.
 */
#include "web/pages/logs.h"

#include "base/human.h"
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "web/pages/context.h"
#include "web/pages/log_around.h"
#include "web/pages/log_foot.h"
#include "web/pages/pages.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define MAX_NUMBER 100000000
#define TEXT_MAX_BYTES ((size_t)64 << 20)
#define SEARCH_PAGES 20 /* looked through at a time, where E2B does not search */

static void take_position(struct log_request *r, const struct req *rq, const char *at)
{
    int64_t n = 0;

    r->position = "";
    r->before = 0;
    if (text_is_empty(at) || strcmp(at, "1") == 0 || !e2b_logs_position_ok(at))
        return;
    r->position = arena_str(rq->arena, at);
    r->is_unnumbered = strcmp(req_query(rq, "n"), "u") == 0;
    if (!r->is_unnumbered && !parse_i64(req_query(rq, "n"), 0, MAX_NUMBER, &n))
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
    r->only = req_query(rq, "show");
    if (strcmp(r->only, "platform") != 0 && strcmp(r->only, "process") != 0)
        r->only = "";
    r->no_wrap = strcmp(req_query(rq, "wrap"), "no") == 0;
    r->no_fold = strcmp(req_query(rq, "fold"), "no") == 0;
    log_around_init(r, rq);
}

static bool is_filtered(const struct log_request *r)
{
    return r->level != LOG_LEVEL_NONE || !text_is_empty(r->search);
}

static size_t begin_read(struct log_request *r, struct req *rq, const char *sandbox_id,
                         struct http_call **calls, size_t n)
{
    if (r->at_us != TS_NONE)
        return log_around_calls(r, rq, sandbox_id, calls, n);
    e2b_logs_init(&r->op, &rq->app->e2b, rq->arena, sandbox_id, r->position,
                  LOG_PAGE_LINES, rq->now_us);
    r->op.newest_first = r->newest_first;
    r->op.min_level = r->level;
    r->op.search = r->search;
    r->op.search_printed = r->in_printed;
    r->op.max_pages = SEARCH_PAGES;
    r->op.want_results = true;
    r->op.want_raw = true;
    r->is_reading = true;
    calls[n] = &r->op.call;
    return n + 1;
}

size_t log_request_calls(struct log_request *r, struct req *rq, const char *sandbox_id,
                         struct http_call **calls, size_t n)
{
    if (!r->is_open || (text_is_empty(r->position) && r->at_us == TS_NONE &&
                        !r->newest_first && !is_filtered(r)))
        return n;
    return begin_read(r, rq, sandbox_id, calls, n);
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

    *out = (struct log_layout){.read = read, .is_unnumbered = r->is_unnumbered};
    if (r->at_us != TS_NONE) {
        log_around_lay_out(r, read, out);
        return;
    }
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
    hput_str(at, "Only", r->only);
    hput_bool(at, "NoWrap", r->no_wrap);
    hput_bool(at, "NoFold", r->no_fold);
    hput_str(at, "OpenHref", arena_fmt(rq->arena, "%s%slogs=1#raw", self, sep));
    hput_str(at, "CloseHref", self);
    hput_str(at, "Self", self);
}

/* Begins the link to a line: below the page that is shown, whichever that is, with the window. */
static char *line_link(const struct log_request *r, const struct req *rq,
                       const char *self, const struct e2b_logs *read)
{
    const char *query = strchr(self, '?');
    const char *sep = query ? "&" : "?";

    query = query ? query : "";
    if (log_around_can(rq->app))
        return arena_fmt(rq->arena, "%s%slogs=1&at=", query, sep);
    /* this E2B finds no line by its time, but its pages stay what they are */
    return arena_fmt(rq->arena, "%s%slogs=%s&n=%" PRId64 "&line=", query, sep,
                     text_is_empty(r->position) || !read->count ? "1" : r->position,
                     r->before);
}

static struct log_show shown_lines(const struct log_request *r, const struct req *rq,
                                   const struct sandbox_view *v, const char *self,
                                   const struct log_layout *lay)
{
    int64_t first = lay->is_unnumbered ? 0 : lay->first_number;

    return (struct log_show){.view = v,
                             .lines = lay->read->lines,
                             .n = lay->read->count,
                             .first_number = lay->newest_first ? -first : first,
                             .search = r->at_us == TS_NONE ? r->search : "",
                             .at_us = r->at_us,
                             .no_fold = r->no_fold,
                             .link = line_link(r, rq, self, lay->read)};
}

static void put_jump(HDF *at, int *n, struct arena *a, const char *open, int64_t us,
                     const char *text)
{
    char iso[TS_ISO_SIZE], clock[HUMAN_SIZE];
    HDF *row;

    if (us == TS_NONE)
        return;
    row = hput_row(at, "Jumps", (*n)++);
    hput_fmt(row, "Text", "%s, %s", text, human_clock(us, clock));
    hput_str(row, "Href", arena_fmt(a, "%slogs=1&at=%s#at", open, ts_iso_us(us, iso)));
}

/* To the moments that matter, by asking for the lines there. */
static void put_jumps(const struct req *rq, HDF *at, const struct sandbox_view *v,
                      const char *self)
{
    char *open = arena_fmt(rq->arena, "%s%s", self, strchr(self, '?') ? "&" : "?");
    int n = 0;

    if (!log_around_can(rq->app))
        return;
    put_jump(at, &n, rq->arena, open, v->finding ? v->finding->failed_at_us : TS_NONE,
             "Jump to the failure");
    put_jump(at, &n, rq->arena, open, v->link->from_us, "Jump to the window");
}

static void show_lines(const struct log_request *r, const struct req *rq, HDF *at,
                       const struct sandbox_view *v, const char *self,
                       struct e2b_logs *read)
{
    struct log_layout lay;
    struct log_show show;
    char text[HUMAN_SIZE];

    lay_out(r, read, &lay);
    show = shown_lines(r, rq, v, self, &lay);
    hput_bool(at, "IsLater",
              !lay.newest_first && (lay.is_unnumbered || lay.first_number > 1));
    if (r->at_us != TS_NONE)
        hput_str(at, "Around", human_clock_ms(r->at_us, text));
    view_log_lines(at, &show);
    put_jumps(rq, at, v, self);
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
    if (r->is_reading_earlier)
        e2b_logs_release(&r->earlier);
    r->is_reading = r->is_reading_earlier = false;
}

/* ---- the fragment ------------------------------------------------------------------------- */

/* The lines as a file, and whether these are all of the log. */
static void answer_text(struct log_request *r, const struct req *rq, struct resp *rs,
                        const struct sandbox_view *v, const char *self)
{
    struct e2b_logs copy = r->op;
    struct log_layout lay;
    struct log_show show;
    struct sbuf text;

    sbuf_init(&text, TEXT_MAX_BYTES);
    if (r->op.src.state != SOURCE_OK) {
        sbuf_addf(&text, "The lines could not be loaded: %s\n",
                  view_failure_words(rq->arena, "E2B", &r->op.src));
    } else {
        lay_out(r, &copy, &lay);
        show = shown_lines(r, rq, v, self, &lay);
        if (!text_is_empty(lay.down) || !text_is_empty(lay.up) || is_filtered(r))
            sbuf_addf(&text, "# This is not all of the log: there are more lines %s.\n",
                      is_filtered(r)            ? "that do not fit the filter"
                      : text_is_empty(lay.up)   ? "below"
                      : text_is_empty(lay.down) ? "above"
                                                : "above and below");
        view_log_text(&text, &show);
    }
    resp_text(rs, r->op.src.state == SOURCE_OK ? 200 : 502, "text/plain; charset=utf-8",
              text.s);
    rs->disposition =
        arena_fmt(rq->arena, "attachment; filename=\"%s.log.txt\"", v->sandbox_id);
    sbuf_release(&text);
}

int page_logs(struct req *rq, struct resp *rs, struct err *err)
{
    struct context ctx;
    struct log_request *r = arena_alloc(rq->arena, sizeof *r);
    struct evidence ev = {.now_us = rq->now_us, .sandbox_id = req_param(rq, "sid")};
    struct sandbox_view v = {.ev = &ev, .now_us = rq->now_us};
    struct http_call *calls[2];
    size_t n;
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
    n = begin_read(r, rq, ev.sandbox_id, calls, 0);
    http_run(rq->app->http, calls, n, rq->deadline_us);
    self = view_href(&ctx.link, view_sandbox_path(&ctx.link, ev.sandbox_id), NULL);
    if (strcmp(req_query(rq, "as"), "text") == 0) {
        answer_text(r, rq, rs, &v, self);
    } else {
        hdf = resp_fragment(rq, rs, "_logs.cs");
        log_request_show(r, rq, hdf, &v, self, NULL);
        if (r->op.src.state != SOURCE_OK)
            rs->status = 502;
    }
    log_request_release(r);
    return 0;
}
