/*
 * GET /investigations/:n - one investigation with its finding and the evidence that was kept for it. Works long
 * after E2B has forgotten the sandbox; only the live state is read.
 */
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_investigation.h"
#include "sys/log.h"
#include "web/chart.h"
#include "web/pages/known.h"
#include "web/pages/pages.h"
#include "web/view_sandbox.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

struct page {
    struct req *rq;
    struct context ctx;
    struct known known;
    struct evidence ev;
    bool has_evidence;
    struct finding_seen seen;
};

static void load_evidence(struct page *p)
{
    struct err err = ERR_INIT;
    const char *text;
    size_t n;
    json_t *doc;

    if (inv_evidence(p->rq->app->db, p->rq->arena, p->known.inv.id, &text, &n, &err)) {
        if (err.kind != ERR_NOTFOUND)
            log_err(LOG_WARN, "the kept evidence", &err);
        return;
    }
    doc = jget_load(text, n, &err);
    if (doc && evidence_from_json(p->rq->arena, doc, &p->ev, &err) == 0)
        p->has_evidence = true;
    else
        log_err(LOG_ERROR, "the kept evidence cannot be read", &err);
    json_decref(doc);
}

static void show_evidence(struct page *p, HDF *hdf)
{
    struct process *processes;
    size_t n = 0;
    char *self = arena_fmt(p->rq->arena, "%s/investigations/%" PRId64,
                           p->rq->app->conf->base_path, p->known.inv.id);
    struct sandbox_view v = {.link = &p->ctx.link,
                             .sandbox_id = p->known.inv.sandbox_id,
                             .ev = &p->ev,
                             .finding = p->known.has_finding ? &p->known.finding : NULL,
                             .matched_value = "",
                             .now_us = p->ev.now_us,
                             .is_kept = true};
    struct chart_input in = {.arena = p->rq->arena,
                             .ev = &p->ev,
                             .tl = &v.tl,
                             .finding = v.finding,
                             .win_from_us = p->ctx.link.from_us,
                             .win_to_us = p->ctx.link.to_us,
                             .now_us = p->ev.now_us,
                             .whole_life = true,
                             .whole_life_href =
                                 arena_fmt(p->rq->arena, "%s#charts", self),
                             .zoom = req_query(p->rq, "zoom"),
                             .zoom_href = arena_fmt(p->rq->arena, "%s?", self)};

    if (v.finding)
        in.places =
            arena_array(p->rq->arena, v.finding->evidence_count + 1, sizeof *in.places);
    p->seen.places = in.places;
    p->seen.whole_href = self;
    timeline_build(p->rq->arena, &p->ev, &v.tl);
    processes = processes_build(p->rq->arena, p->ev.logs, p->ev.log_count, &n);
    view_sandbox_head(hdf, &v);
    view_sandbox_facts(hdf, &v);
    view_timeline(hdf, &v, processes, n, true, "");
    chart_fill(hdf, &in);
    view_sandbox_processes(hdf, &v, processes, n);
}

static void show(struct page *p, struct resp *rs)
{
    struct arena *a = p->rq->arena;
    const struct investigation *inv = &p->known.inv;
    char text[TS_ISO_SIZE];
    HDF *hdf = resp_page(p->rq, rs, "finding.cs",
                         p->known.has_finding
                             ? arena_fmt(a, "%s: %s", view_short_id(a, inv->sandbox_id),
                                         finding_class_words(p->known.finding.cls))
                             : arena_fmt(a, "Investigation %" PRId64, inv->id),
                         "investigations");

    context_strip(&p->ctx, hdf, "");
    view_sandbox_scripts(hdf);
    hput_str(hdf, "Inv.Sandbox", inv->sandbox_id);
    hput_i64(hdf, "Inv.Id", inv->id);
    hput_str(
        hdf, "Inv.SandboxHref",
        view_href(&p->ctx.link, view_sandbox_path(&p->ctx.link, inv->sandbox_id), NULL));
    hput_str(hdf, "Inv.KeptAt", p->has_evidence ? ts_iso(p->ev.now_us, text) : "");
    hput_bool(hdf, "NoEvidence", !p->has_evidence);
    if (p->has_evidence)
        show_evidence(p, hdf);
    p->seen.log_href = view_href(
        &p->ctx.link, view_sandbox_path(&p->ctx.link, inv->sandbox_id), "logs=1&at=");
    known_show(&p->known, hdf, &p->ctx.link, p->has_evidence ? &p->ev : NULL, &p->seen,
               true);
}

int page_finding(struct req *rq, struct resp *rs, struct err *err)
{
    struct page *p = arena_alloc(rq->arena, sizeof *p);
    struct http_call *calls[2];
    int64_t id;
    size_t n;

    p->rq = rq;
    if (req_param_id(rq, "n", &id, err) || context_init(&p->ctx, rq, false, err))
        return -1;
    if (known_load_one(&p->known, rq, id, err)) {
        if (err->kind != ERR_NOTFOUND)
            return -1;
        return resp_problem(rq, rs, 404, "There is no such investigation",
                            "No investigation has this number.", "/investigations",
                            "All investigations");
    }
    p->ctx.link.ticket_id = p->known.inv.ticket_id;
    load_evidence(p);
    n = context_calls(&p->ctx, calls, 0);
    n = known_calls(&p->known, rq, calls, n);
    if (n)
        http_run(rq->app->http, calls, n, rq->deadline_us);
    show(p, rs);
    known_release(&p->known);
    context_release(&p->ctx);
    return 0;
}
