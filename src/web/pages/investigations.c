/*
 * GET /investigations ?class=&template=&signature=&by=&before= - all investigations, newest first, by key. Of Linear
 * only the states of their issues are asked, at once for all, and the page is whole without them.
 */
#include "base/num.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "store/st_finding.h"
#include "store/st_pattern.h"
#include "sys/log.h"
#include "web/pages/live.h"
#include "web/pages/pages.h"
#include "web/view_patterns.h"
#include <inttypes.h>

#include "base/banned.h"

#define LIST_ROWS 50
/* So many findings of one signature, of so many customers, are worth a word. */
#define REPEAT_FINDINGS 3
#define REPEAT_CUSTOMERS 2
#define REPEAT_DAYS 30
_Static_assert(LIST_ROWS <= LINEAR_STATES_MAX, "each issue of the list has its state");

static void read_filter(struct req *rq, struct inv_filter *f)
{
    enum finding_class cls;

    *f = (struct inv_filter){.cls = -1, .limit = LIST_ROWS};
    if (finding_class_parse(req_query(rq, "class"), &cls) == 0)
        f->cls = (int)cls;
    f->template_id = text_trim(rq->arena, req_query(rq, "template"));
    f->signature_hash = text_trim(rq->arena, req_query(rq, "signature"));
    f->by = text_trim(rq->arena, req_query(rq, "by"));
    f->organization = "";
    f->sandbox_id = "";
    if (parse_i64(req_query(rq, "before"), 1, INT64_MAX, &f->before_id))
        f->before_id = 0;
}

/* The query of this list with one part changed. */
static char *list_href(struct req *rq, const struct inv_filter *f, int cls,
                       int64_t before)
{
    struct sbuf sb;
    char *href;

    sbuf_init(&sb, 4000);
    sbuf_addf(&sb, "%s/investigations?", rq->app->conf->base_path);
    if (cls >= 0)
        sbuf_addf(&sb, "class=%s&", finding_class_name((enum finding_class)cls));
    if (!text_is_empty(f->template_id))
        sbuf_addf(&sb, "template=%s&", url_encode(rq->arena, f->template_id));
    if (!text_is_empty(f->signature_hash))
        sbuf_addf(&sb, "signature=%s&", url_encode(rq->arena, f->signature_hash));
    if (!text_is_empty(f->by))
        sbuf_addf(&sb, "by=%s&", url_encode(rq->arena, f->by));
    if (before)
        sbuf_addf(&sb, "before=%" PRId64 "&", before);
    href = arena_strn(rq->arena, sb.s, sb.len - 1); /* without the last & or ? */
    sbuf_release(&sb);
    return href;
}

static void put_counts(struct req *rq, HDF *hdf, const struct inv_filter *f,
                       const int64_t by_class[CLASS_COUNT])
{
    HDF *at = hput_row(hdf, "Counts", 0);
    int64_t total = 0;

    for (int i = 0; i < CLASS_COUNT; i++) {
        HDF *row = hput_row(hdf, "Counts", i + 1);

        hput_str(row, "Word", finding_class_words((enum finding_class)i));
        hput_i64(row, "Count", by_class[i]);
        hput_str(row, "Href", list_href(rq, f, i, 0));
        hput_str(row, "Class", finding_class_name((enum finding_class)i));
        hput_bool(row, "IsChosen", f->cls == i);
        total += by_class[i];
    }
    hput_str(at, "Word", "All");
    hput_i64(at, "Count", total);
    hput_str(at, "Href", list_href(rq, f, -1, 0));
    hput_bool(at, "IsChosen", f->cls < 0);
}

static void put_filter(HDF *hdf, const struct inv_filter *f)
{
    HDF *at = hput_node(hdf, "Filter");

    if (f->cls >= 0)
        hput_str(at, "Class", finding_class_name((enum finding_class)f->cls));
    hput_str(at, "Template", f->template_id);
    hput_str(at, "Signature", f->signature_hash);
    hput_str(at, "By", f->by);
    hput_bool(hdf, "Filtered",
              f->cls >= 0 || !text_is_empty(f->template_id) ||
                  !text_is_empty(f->signature_hash) || !text_is_empty(f->by));
}

/* The failure that most of the last days' findings share, when it hit several customers. */
static void put_repeat(struct req *rq, HDF *hdf, const struct view_link *l)
{
    struct pattern_filter f = {.since_us = rq->now_us - REPEAT_DAYS * TS_DAY,
                               .min_findings = REPEAT_FINDINGS,
                               .min_customers = REPEAT_CUSTOMERS,
                               .limit = 1};
    struct patterns p;
    struct err err = ERR_INIT;

    if (pattern_list(rq->app->db, rq->arena, &f, &p, &err))
        log_err(LOG_WARN, "the patterns", &err);
    else if (p.count)
        view_repeat(hput_node(hdf, "Repeat"), l, &p.items[0]);
}

static void read_states(struct req *rq, const struct inv_rows *rows, struct live *live)
{
    struct http_call *calls[1];
    int64_t until_us = rq->now_us + LIVE_WAIT_US;
    size_t n;

    for (size_t i = 0; i < rows->count; i++)
        live_want(live, rows->items[i].issue_id);
    n = live_calls(live, rq, calls, 0);
    if (n)
        http_run(rq->app->http, calls, n,
                 until_us < rq->deadline_us ? until_us : rq->deadline_us);
    live_take(live);
}

static void put_rows(struct req *rq, HDF *hdf, const struct view_link *l,
                     const struct inv_rows *rows)
{
    struct live live = {.rq = rq};
    const struct source *src;

    read_states(rq, rows, &live);
    for (size_t i = 0; i < rows->count; i++) {
        HDF *row = hput_row(hdf, "Rows", (int)i);

        view_inv_row(row, l, &rows->items[i]);
        view_issue_state(row, live_find(&live, rows->items[i].issue_id));
    }
    src = live_source(&live);
    if (src && src->state != SOURCE_OK)
        hput_str(hdf, "StatesFailed", view_failure_words(rq->arena, "Linear", src));
    live_release(&live);
}

int page_investigations(struct req *rq, struct resp *rs, struct err *err)
{
    HDF *hdf = resp_page(rq, rs, "investigations.cs", "Investigations", "investigations");
    struct view_link l = {.rq = rq, .from_us = TS_NONE, .to_us = TS_NONE};
    struct inv_filter f;
    struct inv_rows rows = {0};
    int64_t by_class[CLASS_COUNT] = {0};

    read_filter(rq, &f);
    put_filter(hdf, &f);
    if (!rq->has_db || inv_list(rq->app->db, rq->arena, &f, &rows, err) ||
        inv_count_by_class(rq->app->db, &f, by_class, err)) {
        if (rq->has_db)
            log_err(LOG_ERROR, "the list of investigations", err);
        hput_bool(hdf, "NoStore", true);
        rs->status = 503;
        return 0;
    }
    put_counts(rq, hdf, &f, by_class);
    put_rows(rq, hdf, &l, &rows);
    hput_i64(hdf, "RowCount", (int64_t)rows.count);
    if (f.before_id == 0 && text_is_empty(f.signature_hash))
        put_repeat(rq, hdf, &l);
    if (rows.has_more && rows.count)
        hput_str(hdf, "Older",
                 list_href(rq, &f, f.cls, rows.items[rows.count - 1].inv.id));
    return 0;
}
