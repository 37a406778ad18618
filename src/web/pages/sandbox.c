/*
 * GET /tickets/:id/sandboxes/:sid, /sandboxes/:sid ?from=&to=&logs=&n=&q=&level=&events=all&life=whole&run=&zoom=&at=&already=1
 *
 * One sandbox. All reads go out at once: Get Sandbox, events, metrics, one page of logs (with the raw lines that
 * hold exit codes), the ticket for the strip, the state of the Linear issue. Each that fails costs its panel. What
 * the ledger knows is read before: it fills in for what E2B has forgotten, and bounds the metrics.
 * logs: "1" opens the raw logs at their beginning, a position (e2b.h) at that place; n counts the lines before.
 */
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "sys/clock.h"
#include "web/chart.h"
#include "web/near.h"
#include "web/pages/exits.h"
#include "web/pages/known.h"
#include "web/pages/logs.h"
#include "web/pages/pages.h"
#include "web/pages/record.h"
#include "web/pages/samples.h"
#include "web/view_sandbox.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define MAX_CALLS (11 + SAMPLES_MAX_CALLS)
#define MAX_RUN_LINKS 24

struct page {
    struct req *rq;
    struct context ctx;
    const char *sid;
    struct known known;
    struct record record;
    struct e2b_get get;
    struct e2b_events events;
    struct samples samples;
    struct e2b_logs process_lines; /* only the lines of processes, from all of the log */
    bool has_process_lines;
    struct e2b_logs logs;      /* the first page: processes, marks */
    struct log_request wanted; /* the raw logs that were asked for */
    struct evidence ev;
    struct sandbox_view view;
    struct near near;
    struct finding_seen seen;
    struct process *processes;
    size_t process_count;
    const struct source *exits_failed; /* of exit codes far down the log; NULL: none */
};

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
                  EXITS_PROCESS_LINES, p->rq->now_us);
    p->process_lines.search = "Process with pid ";
    p->has_process_lines = true;
    calls[n] = &p->process_lines.call;
    return n + 1;
}

/* One call that hangs may not use up the time of what is read after the round: exit codes of a long log. */
static int64_t first_deadline_us(const struct page *p)
{
    int64_t now_us = clock_mono_us();

    return now_us + (p->rq->deadline_us - now_us) / 4 * 3;
}

static void ask(struct page *p)
{
    struct http_call *calls[MAX_CALLS];
    struct e2b *e = &p->rq->app->e2b;
    struct arena *a = p->rq->arena;
    size_t n = 0;

    e2b_get_init(&p->get, e, a, p->sid);
    e2b_events_init(&p->events, e, a, p->sid);
    e2b_logs_init(&p->logs, e, a, p->sid, "", LOG_PAGE_LINES, p->rq->now_us);
    p->logs.want_results = true;
    p->logs.want_raw = true;
    calls[n++] = &p->get.call;
    calls[n++] = &p->events.call;
    n = samples_calls(&p->samples, p->rq, p->sid, &p->record.before, p->ctx.link.from_us,
                      p->ctx.link.to_us, calls, n);
    calls[n++] = &p->logs.call;
    n = ask_processes(p, calls, n);
    n = log_request_calls(&p->wanted, p->rq, p->sid, calls, n);
    n = context_calls(&p->ctx, calls, n);
    n = known_calls(&p->known, p->rq, calls, n);
    http_run(p->rq->app->http, calls, n, first_deadline_us(p));
}

/* The read that the process table is made from. */
static const struct e2b_logs *process_source(const struct page *p)
{
    bool is_read = p->has_process_lines && p->process_lines.src.state == SOURCE_OK;

    return is_read ? &p->process_lines : &p->logs;
}

static void build_processes(struct page *p)
{
    const struct e2b_logs *from = process_source(p);

    p->processes =
        processes_build(p->rq->arena, from->lines, from->count, &p->process_count);
    exits_take(p->rq->arena, p->processes, p->process_count, p->logs.lines,
               p->logs.count);
    if (!text_is_empty(p->logs.next_position)) /* else the raw lines came along already */
        p->exits_failed = exits_read(p->rq, p->sid, p->processes, p->process_count);
}

static void gather(struct page *p)
{
    struct evidence *ev = &p->ev;
    struct arena *a = p->rq->arena;

    samples_take(&p->samples, p->rq, p->sid,
                 p->get.src.state == SOURCE_OK ? p->get.sandbox.started_us : TS_NONE);
    ev->now_us = p->rq->now_us;
    ev->sandbox_id = p->sid;
    ev->sandbox_src = p->get.src;
    ev->events_src = p->events.src;
    ev->metrics_src = p->samples.src;
    ev->logs_src = p->logs.src;
    ev->has_sandbox = p->get.src.state == SOURCE_OK;
    if (ev->has_sandbox)
        ev->sandbox = p->get.sandbox;
    ev->event_count =
        record_unite(&p->record, a, p->events.events, p->events.count, &ev->events);
    ev->metrics = p->samples.metrics;
    ev->metric_count = p->samples.count;
    ev->logs = p->logs.lines;
    ev->log_count = p->logs.count;
    build_processes(p);
    p->view =
        (struct sandbox_view){.link = &p->ctx.link,
                              .sandbox_id = p->sid,
                              .ev = ev,
                              .finding = p->known.has_finding ? &p->known.finding : NULL,
                              .now_us = p->rq->now_us,
                              .record = record_facts(&p->record)};
    if (p->events.src.state == SOURCE_OK)
        p->view.forgotten_events = ev->event_count - p->events.count;
    timeline_build_with(a, ev, record_facts(&p->record), &p->view.tl);
    if (context_ticket(&p->ctx))
        p->view.matched_value = context_ticket(&p->ctx)->requester.email;
}

/* Among the customer's sandboxes; the tags are E2B's, else those on record. */
static void find_near(struct page *p)
{
    const struct sandbox_record *rec = record_facts(&p->record);
    const struct sandbox *sb = p->ev.has_sandbox ? &p->ev.sandbox : NULL;

    near_load(&p->near, p->rq, p->sid,
              sb    ? sb->tags
              : rec ? rec->tags
                    : NULL,
              sb    ? sb->tag_count
              : rec ? rec->tag_count
                    : 0,
              p->view.matched_value ? p->view.matched_value : "", p->ctx.link.from_us,
              p->ctx.link.to_us);
}

/* Did it answer about this sandbox? A 404 of a route for events does, where the route is there. */
static bool has_answered(const struct source *src)
{
    return src->state == SOURCE_OK || src->state == SOURCE_NOT_THERE;
}

/* Nothing anywhere, and everybody answered. */
static bool is_unknown(const struct page *p)
{
    const struct evidence *ev = &p->ev;
    bool events_answered =
        has_answered(&p->events.src) || p->events.src.state == SOURCE_UNSUPPORTED;

    return p->get.src.state == SOURCE_NOT_THERE && events_answered &&
           p->logs.src.state == SOURCE_OK && p->samples.src.state == SOURCE_OK &&
           !p->samples.part_failed && ev->event_count == 0 && ev->metric_count == 0 &&
           ev->log_count == 0 && !p->record.is_known && !p->record.is_failed &&
           !p->known.has_latest && !p->known.is_failed;
}

static char *self_href(const struct page *p, const char *more)
{
    return view_href(&p->ctx.link, view_sandbox_path(&p->ctx.link, p->sid), more);
}

/* Lines and samples have no 404 of their own: an unknown sandbox has none (e2b.md 4, 5.3). */
static bool is_unread(const struct source *src)
{
    return src->state != SOURCE_OK;
}

static void put_log_failures(struct page *p, HDF *hdf, const char *self)
{
    struct arena *a = p->rq->arena;
    bool is_from_first = process_source(p) == &p->logs;

    if (is_unread(&p->logs.src)) {
        view_failure(hput_node(hdf, "LogsFailed"), "E2B", "The logs could not be loaded.",
                     &p->logs.src, NULL, self);
        if (!is_from_first && p->process_count)
            hput_str(hdf, "ResultsFailed", view_failure_words(a, "E2B", &p->logs.src));
        return;
    }
    if (is_unread(&p->logs.results_src))
        hput_str(hdf, "ResultsFailed",
                 view_failure_words(a, "E2B", &p->logs.results_src));
    else if (p->exits_failed)
        hput_str(hdf, "ResultsFailed", view_failure_words(a, "E2B", p->exits_failed));
    if (is_from_first && p->has_process_lines && !text_is_empty(p->logs.next_position))
        hput_str(hdf, "ProcessesFailed",
                 view_failure_words(a, "E2B", &p->process_lines.src));
}

static void put_chart_failures(struct page *p, HDF *hdf, const char *self)
{
    const struct samples *s = &p->samples;

    if (is_unread(&s->src))
        view_failure(hput_node(hdf, "ChartsFailed"), "E2B",
                     "The charts could not be loaded.", &s->src, NULL, self);
    else if (s->part_failed)
        view_failure(hput_node(hdf, "ChartsPart"), "E2B",
                     s->whole_failed ? "Only a part of the charts could be loaded."
                                     : "A closer look at the charts failed.",
                     s->part_failed,
                     s->whole_failed ? "The rest of its life is missing here."
                                     : "What is shown is complete, but coarse there.",
                     self);
}

static void put_failures(struct page *p, HDF *hdf)
{
    char *self = self_href(p, NULL);

    if (p->get.src.state == SOURCE_FAILED)
        view_failure(hput_node(hdf, "FactsFailed"), "E2B",
                     "The sandbox could not be read from E2B.", &p->get.src,
                     p->view.tl.exec_count
                         ? "What is shown was rebuilt from the other answers."
                         : NULL,
                     self);
    if (p->events.src.state == SOURCE_FAILED)
        view_failure(hput_node(hdf, "EventsFailed"), "E2B",
                     "The events could not be loaded.", &p->events.src,
                     p->record.event_count ? "Those in Casebook's own record are shown."
                                           : NULL,
                     self);
    put_chart_failures(p, hdf, self);
    put_log_failures(p, hdf, self);
    hput_bool(hdf, "RecordFailed", p->record.is_failed && !p->known.is_failed);
}

/* ?run=N: the charts of one execution. */
static const char *const *run_hrefs(const struct page *p, size_t *n)
{
    const struct timeline *tl = &p->view.tl;
    const char **hrefs;

    *n = tl->exec_count > MAX_RUN_LINKS ? MAX_RUN_LINKS : tl->exec_count;
    hrefs = arena_array(p->rq->arena, *n, sizeof *hrefs);
    for (size_t i = 0; i < *n; i++)
        hrefs[i] = self_href(p, arena_fmt(p->rq->arena, "run=%zu#charts", i + 1));
    return hrefs;
}

static size_t wanted_run(const struct page *p)
{
    int64_t run;

    return parse_i64(req_query(p->rq, "run"), 1, MAX_RUN_LINKS, &run) ? 0 : (size_t)run;
}

/* This page with a query that goes on behind it. */
static char *href_before(const struct page *p, const char *more)
{
    const char *self = self_href(p, NULL);

    return arena_fmt(p->rq->arena, "%s%s%s", self, strchr(self, '?') ? "&" : "?", more);
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
                             .whole_life_href = self_href(p, "life=whole#charts"),
                             .run = wanted_run(p),
                             .zoom = req_query(p->rq, "zoom"),
                             .zoom_href = href_before(p, "")};

    if (in.finding)
        in.places =
            arena_array(p->rq->arena, in.finding->evidence_count + 1, sizeof *in.places);
    p->seen = (struct finding_seen){.places = in.places,
                                    .whole_href = self_href(p, "life=whole"),
                                    .log_href = href_before(p, "logs=1&at=")};
    in.run_hrefs = run_hrefs(p, &in.run_href_count);
    if (!is_unread(&p->samples.src))
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
    view_sandbox_scripts(hdf);
    put_failures(p, hdf);
    put_actions(p, hdf);
    view_sandbox_head(hdf, &p->view);
    view_sandbox_near(hdf, &p->ctx.link, &p->near);
    view_sandbox_facts(hdf, &p->view);
    view_timeline(hdf, &p->view, p->processes, p->process_count,
                  strcmp(req_query(p->rq, "events"), "all") == 0,
                  self_href(p, "events=all#timeline"));
    hput_bool(hdf, "EventsCut", p->events.src.is_cut);
    put_charts(p, hdf);
    view_sandbox_processes(hdf, &p->view, p->processes, p->process_count);
    hput_bool(hdf, "ProcessesCut", !text_is_empty(process_source(p)->next_position));
    known_show(&p->known, hdf, &p->ctx.link, &p->ev, &p->seen, false);
    log_request_show(&p->wanted, p->rq, hdf, &p->view, self_href(p, NULL), &p->logs);
    if (p->known.has_latest && inv_state_is_open(p->known.latest.state))
        hput_str(hdf, "Page.Refresh", "5");
}

static void release(struct page *p)
{
    e2b_get_release(&p->get);
    e2b_events_release(&p->events);
    samples_release(&p->samples);
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
    known_load(&p->known, rq, p->sid, p->ctx.link.ticket_id);
    record_load(&p->record, rq, p->sid);
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
        find_near(p);
        show(p, rs);
    }
    release(p);
    return rc;
}
