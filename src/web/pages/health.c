/*
 * For the machine's administrator and its monitoring: is the process there, can it work, what has it counted.
 * Plain text, without a user; nginx keeps these addresses off the public location.
 */
#include "web/pages/pages.h"

#include "web/stats.h"

#include "base/banned.h"

#define TEXT "text/plain; charset=utf-8"
#define PROMETHEUS "text/plain; version=0.0.4; charset=utf-8"

/* GET /healthz - the process answers. */
int page_healthz(struct req *rq, struct resp *rs, struct err *err)
{
    (void)rq;
    (void)err;
    resp_text(rs, 200, TEXT, "ok\n");
    return 0;
}

/* GET /readyz - MariaDB answers, and its schema is the one this program needs. */
int page_readyz(struct req *rq, struct resp *rs, struct err *err)
{
    (void)err;
    if (rq->has_db)
        resp_text(rs, 200, TEXT, "ready\n");
    else
        resp_text(rs, 503, TEXT,
                  "not ready: the database does not answer, or its schema is old "
                  "(the log says which)\n");
    return 0;
}

static void put_counters(struct sbuf *out, const struct stats_view *v)
{
    sbuf_adds(out,
              "# HELP casebook_requests_total Requests answered, by class of status.\n"
              "# TYPE casebook_requests_total counter\n");
    for (int i = 2; i <= 5; i++)
        sbuf_addf(out, "casebook_requests_total{status=\"%dxx\"} %llu\n", i,
                  (unsigned long long)v->requests[i]);
    sbuf_adds(out, "# HELP casebook_request_seconds Time taken to answer requests.\n"
                   "# TYPE casebook_request_seconds summary\n");
    sbuf_addf(out, "casebook_request_seconds_sum %llu.%06llu\n",
              (unsigned long long)(v->took_us / 1000000),
              (unsigned long long)(v->took_us % 1000000));
    sbuf_addf(out, "casebook_request_seconds_count %llu\n",
              (unsigned long long)v->took_count);
    sbuf_adds(out,
              "# HELP casebook_failures_total Reads for a page that failed, by service.\n"
              "# TYPE casebook_failures_total counter\n");
    for (int i = 0; i < STATS_SERVICE_COUNT; i++)
        sbuf_addf(out, "casebook_failures_total{service=\"%s\"} %llu\n",
                  stats_service_name((enum stats_service)i),
                  (unsigned long long)v->failures[i]);
    sbuf_addf(
        out,
        "# HELP casebook_responders_started_total Responders forked since the start.\n"
        "# TYPE casebook_responders_started_total counter\n"
        "casebook_responders_started_total %llu\n",
        (unsigned long long)v->responders_started);
}

/* GET /metrics - counters over all responders, in Prometheus' text form. */
int page_metrics(struct req *rq, struct resp *rs, struct err *err)
{
    struct stats_view view;

    (void)err;
    stats_read(rq->app->stats, &view);
    resp_text(rs, 200, PROMETHEUS, "");
    put_counters(&rs->body, &view);
    sbuf_addf(&rs->body,
              "# HELP casebook_database_up 1 while MariaDB answers with a good schema.\n"
              "# TYPE casebook_database_up gauge\n"
              "casebook_database_up %d\n",
              rq->has_db);
    return 0;
}
