/*
 * GET /tickets/:id/sandboxes/:sid, /sandboxes/:sid ?from=&to=&logs=&n=&q=&level=&events=all&life=whole&already=1
 *
 * One sandbox. All reads go out at once: Get Sandbox, events, metrics, one page of logs (with the raw lines that
 * hold exit codes), the ticket for the strip, the state of the Linear issue. Each that fails costs its panel.
 * logs: "1" opens the raw logs at their beginning, a position (e2b.h) at that place; n counts the lines before.
 */
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "store/st_ledger.h"
#include "store/st_ticket.h"
#include "sys/log.h"
#include "web/chart.h"
#include "web/pages/exits.h"
#include "web/pages/known.h"
#include "web/pages/logs.h"
#include "web/pages/pages.h"
#include "web/view_sandbox.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define MAX_CALLS 10

struct page {
    struct req *rq;
    struct context ctx;
    const char *sid;
    struct known known;
    bool in_ledger;
    struct ledger_row ledger;
    struct event *kept_events;
    size_t kept_event_count;
    struct e2b_get get;
    struct e2b_events events;
    struct e2b_metrics metrics;
    struct e2b_logs process_lines; /* only the lines of processes, from all of the log */
    bool has_process_lines;
    struct e2b_logs logs;      /* the first page: processes, marks */
    struct log_request wanted; /* the raw logs that were asked for */
    struct evidence ev;
    struct sandbox_view view;
    struct process *processes;
    size_t process_count;
};

static void load_store(struct page *p)
{
    struct db *db = p->rq->app->db;
    struct err err = ERR_INIT;

    known_load(&p->known, p->rq, p->sid);
    if (!p->rq->has_db)
        return;
    p->in_ledger = ledger_get(db, p->rq->arena, p->sid, &p->ledger, &err) == 0;
    if (ledger_events(db, p->rq->arena, p->sid, &p->kept_events, &p->kept_event_count,
                      &err))
        p->kept_event_count = 0;
}

/*
 * The process table needs lines from all of a long log. Where E2B searches for us (the v2 route), that is one
 * request more in the same round; elsewhere the first page has to do, and the page says so.
 */
static size_t ask_processes(struct page *p, struct http_call **calls, size_t n)
{
    if (p->rq->app->e2b.has_v2_logs < 0 ||
        p->rq->app->conf->e2b.logs_paging == LOGS_OFFSET)
        return n;
    e2b_logs_init(&p->process_lines, &p->rq->app->e2b, p->rq->arena, p->sid, "",
                  LOG_PAGE_LINES, p->rq->now_us);
    p->process_lines.search = "Process with pid ";
    p->has_process_lines = true;
    calls[n] = &p->process_lines.call;
    return n + 1;
}

static void ask(struct page *p)
{
    struct http_call *calls[MAX_CALLS];
    struct e2b *e = &p->rq->app->e2b;
    struct arena *a = p->rq->arena;
    size_t n = 0;

    e2b_get_init(&p->get, e, a, p->sid);
    e2b_events_init(&p->events, e, a, p->sid);
    e2b_metrics_init(&p->metrics, e, a, p->sid, TS_NONE, TS_NONE);
    e2b_logs_init(&p->logs, e, a, p->sid, "", LOG_PAGE_LINES, p->rq->now_us);
    p->logs.want_results = true;
    calls[n++] = &p->get.call;
    calls[n++] = &p->events.call;
    calls[n++] = &p->metrics.call;
    calls[n++] = &p->logs.call;
    n = ask_processes(p, calls, n);
    n = log_request_calls(&p->wanted, p->rq, p->sid, calls, n);
    n = context_calls(&p->ctx, calls, n);
    n = known_calls(&p->known, p->rq, calls, n);
    http_run(p->rq->app->http, calls, n, p->rq->deadline_us);
}

/* Events E2B has forgotten, or refused to tell, may be in our own record. */
static void unite_events(struct page *p)
{
    struct event *all;
    size_t n = p->events.count + p->kept_event_count;

    if (n == 0)
        return;
    all = arena_array(p->rq->arena, n, sizeof *all);
    if (p->events.count)
        memcpy(all, p->events.events, p->events.count * sizeof *all);
    if (p->kept_event_count)
        memcpy(all + p->events.count, p->kept_events, p->kept_event_count * sizeof *all);
    p->ev.event_count = events_sort_unique(all, n);
    p->ev.events = all;
}

static void build_processes(struct page *p)
{
    const struct e2b_logs *from = &p->logs;

    if (p->has_process_lines && p->process_lines.src.state == SOURCE_OK)
        from = &p->process_lines;
    p->processes =
        processes_build(p->rq->arena, from->lines, from->count, &p->process_count);
    exits_take(p->rq->arena, p->processes, p->process_count, p->logs.lines,
               p->logs.count);
    if (!text_is_empty(p->logs.next_position)) /* else the raw lines came along already */
        exits_read(p->rq, p->sid, p->processes, p->process_count);
}

static void gather(struct page *p)
{
    struct evidence *ev = &p->ev;

    ev->now_us = p->rq->now_us;
    ev->sandbox_id = p->sid;
    ev->sandbox_src = p->get.src;
    ev->events_src = p->events.src;
    ev->metrics_src = p->metrics.src;
    ev->logs_src = p->logs.src;
    ev->has_sandbox = p->get.src.state == SOURCE_OK;
    if (ev->has_sandbox)
        ev->sandbox = p->get.sandbox;
    unite_events(p);
    ev->metrics = p->metrics.metrics;
    ev->metric_count = p->metrics.count;
    ev->logs = p->logs.lines;
    ev->log_count = p->logs.count;
    build_processes(p);
    p->view =
        (struct sandbox_view){.link = &p->ctx.link,
                              .sandbox_id = p->sid,
                              .ev = ev,
                              .finding = p->known.has_finding ? &p->known.finding : NULL,
                              .now_us = p->rq->now_us};
    timeline_build(p->rq->arena, ev, &p->view.tl);
    if (p->in_ledger && text_is_empty(p->view.tl.template_alias))
        p->view.tl.template_alias = p->ledger.template_alias;
    if (context_ticket(&p->ctx))
        p->view.matched_value = context_ticket(&p->ctx)->requester.email;
}

/* Nothing anywhere, and everybody answered. */
static bool is_unknown(const struct page *p)
{
    const struct evidence *ev = &p->ev;

    return p->get.src.state == SOURCE_NOT_THERE && ev->event_count == 0 &&
           ev->metric_count == 0 && ev->log_count == 0 && !p->in_ledger &&
           !p->known.has_latest && p->events.src.state != SOURCE_FAILED &&
           p->logs.src.state != SOURCE_FAILED && p->metrics.src.state != SOURCE_FAILED &&
           p->rq->has_db;
}

static char *self_href(const struct page *p, const char *more)
{
    return view_href(&p->ctx.link, view_sandbox_path(&p->ctx.link, p->sid), more);
}

static void put_failures(struct page *p, HDF *hdf)
{
    char *self = self_href(p, NULL);

    if (p->get.src.state == SOURCE_FAILED)
        view_failure(hput_node(hdf, "FactsFailed"), "E2B",
                     "The sandbox could not be read from E2B.", &p->get.src,
                     "What is shown was rebuilt from the other answers.", self);
    if (p->events.src.state == SOURCE_FAILED)
        view_failure(hput_node(hdf, "EventsFailed"), "E2B",
                     "The events could not be loaded.", &p->events.src,
                     p->kept_event_count ? "Those in Casebook's own record are shown."
                                         : NULL,
                     self);
    if (p->metrics.src.state == SOURCE_FAILED)
        view_failure(hput_node(hdf, "ChartsFailed"), "E2B",
                     "The charts could not be loaded.", &p->metrics.src, NULL, self);
    if (p->logs.src.state == SOURCE_FAILED)
        view_failure(hput_node(hdf, "LogsFailed"), "E2B", "The logs could not be loaded.",
                     &p->logs.src, NULL, self);
    if (p->logs.src.state == SOURCE_OK && p->logs.results_src.state == SOURCE_FAILED)
        hput_str(hdf, "ResultsFailed",
                 view_failure_words(p->rq->arena, "E2B", &p->logs.results_src));
}

static void put_charts(struct page *p, HDF *hdf)
{
    struct chart_input in = {.arena = p->rq->arena,
                             .ev = &p->ev,
                             .tl = &p->view.tl,
                             .finding = p->view.finding,
                             .win_from_us = p->ctx.link.from_us,
                             .win_to_us = p->ctx.link.to_us,
                             .now_us = p->rq->now_us,
                             .whole_life = strcmp(req_query(p->rq, "life"), "whole") == 0,
                             .whole_life_href = self_href(p, "life=whole#charts")};

    if (p->metrics.src.state != SOURCE_FAILED)
        chart_fill(hdf, &in);
}

/* Where the forms of this page go. */
static void put_actions(struct page *p, HDF *hdf)
{
    struct arena *a = p->rq->arena;
    char *path = view_sandbox_path(&p->ctx.link, p->sid);
    const char *base = p->rq->app->conf->base_path;
    char text[TS_ISO_SIZE];
    HDF *at = hput_node(hdf, "Act");

    hput_str(at, "Investigate", arena_fmt(a, "%s%s/investigations", base, path));
    hput_str(at, "Panel", self_href(p, NULL));
    hput_str(at, "Poll",
             view_href(&p->ctx.link, arena_fmt(a, "%s/investigation", path), NULL));
    hput_str(at, "Self", self_href(p, NULL));
    if (p->ctx.link.from_us != TS_NONE) {
        hput_str(at, "From", ts_iso(p->ctx.link.from_us, text));
        hput_str(at, "To", ts_iso(p->ctx.link.to_us, text));
    }
    hput_i64(at, "Ticket", p->ctx.link.ticket_id);
    hput_bool(at, "TicketClosed",
              context_ticket(&p->ctx) &&
                  strcmp(context_ticket(&p->ctx)->status, "closed") == 0);
    hput_bool(at, "Already", !text_is_empty(req_query(p->rq, "already")));
}

static void show(struct page *p, struct resp *rs)
{
    struct arena *a = p->rq->arena;
    HDF *hdf =
        resp_page(p->rq, rs, "sandbox.cs",
                  p->view.finding ? arena_fmt(a, "%s: %s", view_short_id(a, p->sid),
                                              finding_class_words(p->view.finding->cls))
                                  : p->sid,
                  p->ctx.link.ticket_id ? "tickets" : "sandboxes");

    context_strip(&p->ctx, hdf, "sandbox");
    if (p->ctx.link.ticket_id) {
        hput_str(hdf, "Strip.Sandbox", view_short_id(a, p->sid));
        hput_str(hdf, "Strip.SandboxHref", self_href(p, NULL));
    }
    hput_str(hdf, "Page.Script.0", "sandbox.js");
    put_failures(p, hdf);
    put_actions(p, hdf);
    view_sandbox_head(hdf, &p->view);
    view_sandbox_facts(hdf, &p->view);
    view_timeline(hdf, &p->view, p->processes, p->process_count,
                  strcmp(req_query(p->rq, "events"), "all") == 0,
                  self_href(p, "events=all#timeline"));
    hput_bool(hdf, "EventsCut", p->events.src.is_cut);
    put_charts(p, hdf);
    view_sandbox_processes(hdf, &p->view, p->processes, p->process_count);
    hput_bool(hdf, "ProcessesCut",
              p->has_process_lines ? !text_is_empty(p->process_lines.next_position)
                                   : !text_is_empty(p->logs.next_position));
    known_show(&p->known, hdf, &p->ctx.link, &p->ev, false);
    log_request_show(&p->wanted, p->rq, hdf, &p->view, self_href(p, NULL), &p->logs);
    if (p->known.has_latest && inv_state_is_open(p->known.latest.state))
        hput_str(hdf, "Page.Refresh", "5");
}

static void release(struct page *p)
{
    e2b_get_release(&p->get);
    e2b_events_release(&p->events);
    e2b_metrics_release(&p->metrics);
    e2b_logs_release(&p->logs);
    if (p->has_process_lines)
        e2b_logs_release(&p->process_lines);
    log_request_release(&p->wanted);
    known_release(&p->known);
    context_release(&p->ctx);
}

int page_sandbox(struct req *rq, struct resp *rs, struct err *err)
{
    struct page *p = arena_alloc(rq->arena, sizeof *p);
    bool has_ticket = !text_is_empty(req_param(rq, "id"));
    int rc = 0;

    p->rq = rq;
    p->sid = req_param(rq, "sid");
    if (context_init(&p->ctx, rq, has_ticket, err))
        return -1;
    if (!text_is_sandbox_id(p->sid))
        return resp_problem(rq, rs, 404, "This is no sandbox id",
                            "A sandbox id has only small letters and digits, like "
                            "i7q2m0xk4v9d1c8b3zt5e. Check it letter by letter.",
                            "/sandboxes", "Search by customer");
    load_store(p);
    log_request_init(&p->wanted, rq);
    ask(p);
    context_remember(&p->ctx);
    gather(p);
    if (is_unknown(p)) {
        rc = resp_problem(
            rq, rs, 404, "No sandbox with this id is known",
            "No sandbox with this id is known to E2B or to Casebook. Check it "
            "letter by letter; it may also belong to another team.",
            "/sandboxes", "Search by customer");
        context_strip(&p->ctx, rs->hdf, "");
    } else {
        show(p, rs);
    }
    release(p);
    return rc;
}
