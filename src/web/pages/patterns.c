/*
 * GET /investigations/patterns ?days=7|30|90 - the same failure across customers and templates, and the findings
 * of each day by class. Read from Casebook's own record; only the states of the issues are asked of Linear, at
 * once for all, and the page is whole without them.
 */
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_pattern.h"
#include "sys/log.h"
#include "upstream/linear.h"
#include "web/pages/live.h"
#include "web/pages/pages.h"
#include "web/view_patterns.h"

#include "base/banned.h"

#define MIN_FINDINGS 2 /* one finding is no pattern */
#define LIVE_ISSUES 20 /* what Linear tells of in one request */
#define DAYS_MAX 90

static const int64_t spans[] = {7, 30, DAYS_MAX};
#define SPAN_COUNT (sizeof spans / sizeof spans[0])
#define SPAN_DEFAULT 30

static size_t read_days(const struct req *rq)
{
    int64_t days;

    if (parse_i64(req_query(rq, "days"), 1, DAYS_MAX, &days))
        return SPAN_DEFAULT;
    for (size_t i = 0; i < SPAN_COUNT; i++)
        if (spans[i] == days)
            return (size_t)days;
    return SPAN_DEFAULT;
}

static void put_spans(const struct req *rq, HDF *hdf, size_t days)
{
    for (size_t i = 0; i < SPAN_COUNT; i++) {
        HDF *at = hput_row(hdf, "Spans", (int)i);

        hput_i64(at, "Days", spans[i]);
        hput_fmt(at, "Href", "%s/investigations/patterns?days=%d",
                 rq->app->conf->base_path, (int)spans[i]);
        hput_bool(at, "IsChosen", (size_t)spans[i] == days);
    }
}

/* The states of the issues of the patterns, each issue asked for once. False: there is none to ask for. */
static bool ask_states(struct req *rq, const struct patterns *p, struct linear_states *op)
{
    const char *uuids[LIVE_ISSUES];
    struct http_call *calls[1];
    int64_t until = rq->now_us + LIVE_WAIT_US;
    size_t n = 0;

    for (size_t i = 0; i < p->count && n < LIVE_ISSUES; i++) {
        size_t k = 0;

        if (text_is_empty(p->items[i].issue_uuid))
            continue;
        while (k < n && !text_ieq(uuids[k], p->items[i].issue_uuid))
            k++;
        if (k == n)
            uuids[n++] = p->items[i].issue_uuid;
    }
    if (n == 0)
        return false;
    linear_states_init(op, &rq->app->linear, rq->arena, uuids, n);
    calls[0] = &op->call;
    http_run(rq->app->http, calls, 1, until < rq->deadline_us ? until : rq->deadline_us);
    return true;
}

int page_patterns(struct req *rq, struct resp *rs, struct err *err)
{
    HDF *hdf = resp_page(rq, rs, "patterns.cs", "Patterns", "investigations");
    struct view_link l = {.rq = rq, .from_us = TS_NONE, .to_us = TS_NONE};
    size_t days = read_days(rq);
    int64_t first_day = rq->now_us - rq->now_us % TS_DAY - (int64_t)(days - 1) * TS_DAY;
    struct pattern_filter f = {
        .since_us = first_day, .min_findings = MIN_FINDINGS, .limit = PATTERN_MAX};
    struct patterns patterns = {0};
    struct linear_states states;
    int64_t *by_day = arena_array(rq->arena, CLASS_COUNT * days, sizeof *by_day);
    struct patterns_view v = {.link = &l,
                              .days = days,
                              .first_day_us = first_day,
                              .by_day = by_day,
                              .patterns = &patterns};
    bool is_asked;

    put_spans(rq, hdf, days);
    if (!rq->has_db || pattern_list(rq->app->db, rq->arena, &f, &patterns, err) ||
        pattern_days(rq->app->db, first_day, days, by_day, err)) {
        if (rq->has_db)
            log_err(LOG_ERROR, "the patterns", err);
        hput_bool(hdf, "NoStore", true);
        rs->status = 503;
        return 0;
    }
    is_asked = ask_states(rq, &patterns, &states);
    if (is_asked) {
        v.live = states.src.state == SOURCE_OK ? &states.found : NULL;
        v.live_src = &states.src;
    }
    view_patterns(hdf, &v);
    if (is_asked)
        linear_states_release(&states);
    return 0;
}
