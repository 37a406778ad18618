/*
 * Two reads at once: from the moment forward, and a few lines backward from before it. An E2B that cannot go
 * backward shows the lines from the moment on.
 */
#include "web/pages/log_around.h"

#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include <string.h>

#include "base/banned.h"

#define EARLIER_LINES 100

bool log_around_can(const struct app *app)
{
    return app->conf->e2b.logs_paging != LOGS_OFFSET && app->e2b.has_v1_times != -1;
}

static bool can_go_back(const struct app *app)
{
    return app->e2b.has_v2_logs >= 0;
}

void log_around_init(struct log_request *r, const struct req *rq)
{
    int64_t us;

    r->at_us = TS_NONE;
    if (!r->is_open || !log_around_can(rq->app) || ts_parse(req_query(rq, "at"), &us) ||
        us <= 0)
        return;
    r->at_us = us;
    r->newest_first = false;
    r->is_unnumbered = true;
}

size_t log_around_calls(struct log_request *r, struct req *rq, const char *sandbox_id,
                        struct http_call **calls, size_t n)
{
    e2b_logs_init(&r->op, &rq->app->e2b, rq->arena, sandbox_id,
                  e2b_logs_position_at(rq->arena, r->at_us), LOG_PAGE_LINES, rq->now_us);
    r->op.want_results = true;
    r->op.want_raw = true;
    r->is_reading = true;
    calls[n++] = &r->op.call;
    if (!can_go_back(rq->app))
        return n;
    e2b_logs_init(&r->earlier, &rq->app->e2b, rq->arena, sandbox_id,
                  e2b_logs_position_before(rq->arena, r->at_us), EARLIER_LINES,
                  rq->now_us);
    r->earlier.want_raw = true;
    r->is_reading_earlier = true;
    calls[n++] = &r->earlier.call;
    return n;
}

void log_around_lay_out(const struct log_request *r, struct e2b_logs *read,
                        struct log_layout *out)
{
    bool has_earlier = r->is_reading_earlier && r->earlier.src.state == SOURCE_OK;
    size_t n = has_earlier ? r->earlier.count : 0;
    struct log_line *all = arena_array(read->arena, n + read->count + 1, sizeof *all);

    for (size_t i = 0; i < n; i++)
        all[i] = r->earlier.lines[n - 1 - i];
    if (read->count)
        memcpy(all + n, read->lines, read->count * sizeof *all);
    read->lines = all;
    read->count += n;
    out->read = read;
    out->is_unnumbered = true;
    out->first_number = 1;
    out->last_number = (int64_t)read->count;
    out->down = read->next_position;
    out->up = has_earlier ? r->earlier.next_position : read->turn_position;
    out->is_at_top = text_is_empty(out->up);
}
