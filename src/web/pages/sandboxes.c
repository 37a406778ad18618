/*
 * GET /tickets/:id/sandboxes, GET /sandboxes
 * ?key=&value=&from=&to=&state=&started_from=&started_to=&page=
 *
 * The customer's sandboxes: E2B's list (running, paused) asked under every configured tag at once, united with
 * Casebook's own record, one row per sandbox id, newest start first. from and to are the complaint window;
 * started_from and started_to narrow the rows. A failing half is said and is never "nothing found".
 */
#include "base/human.h"
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "store/st_ledger.h"
#include "store/st_ticket.h"
#include "sys/log.h"
#include "web/pages/context.h"
#include "web/pages/pages.h"
#include "web/view_search.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define PAGE_ROWS 50

struct page {
    struct req *rq;
    struct context ctx;
    struct search search;
    const char *key;          /* the tag that was chosen; "" : every configured one */
    int64_t number;           /* of the page, from 1 */
    const char *filter_error; /* a filter that cannot be read, in words; NULL */
    struct recent_ticket
        known; /* the ticket as last seen: what the fields are prefilled with */
};

/* The ticket's requester and organisation, from our own memory: no call has to wait for Zendesk. */
static void prefill(struct page *p)
{
    struct err err = ERR_INIT;

    p->known = (struct recent_ticket){
        .requester_email = "", .organization = "", .requester = ""};
    if (p->ctx.link.ticket_id && p->rq->has_db)
        ticket_known(p->rq->app->db, p->rq->arena, p->ctx.link.ticket_id, &p->known,
                     &err);
    p->search.value = text_trim(p->rq->arena, req_query(p->rq, "value"));
    if (text_is_empty(p->search.value))
        p->search.value = p->known.requester_email;
}

/* A filter that cannot be read is not obeyed, and that is said: it never makes an empty result. */
static void read_filters(struct page *p)
{
    struct arena *a = p->rq->arena;
    const char *from = text_trim(a, req_query(p->rq, "started_from"));
    const char *to = text_trim(a, req_query(p->rq, "started_to"));
    const char *state = req_query(p->rq, "state");

    p->search.started_from_us = p->search.started_to_us = TS_NONE;
    if ((!text_is_empty(from) && context_time(a, from, &p->search.started_from_us)) ||
        (!text_is_empty(to) && context_time(a, to, &p->search.started_to_us)))
        p->filter_error = "Write a time like 2026-11-24 13:55.";
    else if (p->search.started_from_us != TS_NONE && p->search.started_to_us != TS_NONE &&
             p->search.started_to_us < p->search.started_from_us)
        p->filter_error = "The end is before the start.";
    if (p->filter_error)
        p->search.started_from_us = p->search.started_to_us = TS_NONE;
    p->search.state = "";
    if (!strcmp(state, "running") || !strcmp(state, "paused") || !strcmp(state, "ended"))
        p->search.state = state;
    else if (!text_is_empty(state))
        p->filter_error = "A state is running, paused or ended.";
}

static void read_query(struct page *p)
{
    const struct conf *conf = p->rq->app->conf;
    struct arena *a = p->rq->arena;

    prefill(p);
    p->key = text_trim(a, req_query(p->rq, "key"));
    if (text_is_empty(p->key)) {
        p->search.key_count = conf->e2b.metadata_key_count;
        memcpy(p->search.keys, conf->e2b.metadata_keys,
               p->search.key_count * sizeof p->search.keys[0]);
    } else {
        p->search.keys[0] = p->key;
        p->search.key_count = 1;
    }
    read_filters(p);
    p->number = 1;
    parse_i64(req_query(p->rq, "page"), 1, 1000, &p->number);
}

/* One request for each tag, and the ticket for the strip, all at once. */
static void ask(struct page *p)
{
    struct http_call *calls[CONF_MAX_KEYS + 1];
    size_t n = context_calls(&p->ctx, calls, 0);

    n = search_calls(&p->search, calls, n);
    if (n)
        http_run(p->rq->app->http, calls, n, p->rq->deadline_us);
}

static char *base_path(const struct page *p)
{
    if (p->ctx.link.ticket_id)
        return arena_fmt(p->rq->arena, "/tickets/%" PRId64 "/sandboxes",
                         p->ctx.link.ticket_id);
    return arena_str(p->rq->arena, "/sandboxes");
}

/* "&name=value" at the end, when there is a value. */
static void add_part(struct sbuf *sb, struct arena *a, const char *name,
                     const char *value)
{
    if (!text_is_empty(value))
        sbuf_addf(sb, "&%s=%s", name, url_encode(a, value));
}

/* A link to this search with another value, tag, or page; the filters stay. */
static char *search_href(const struct page *p, const char *key, const char *value,
                         int64_t number)
{
    struct arena *a = p->rq->arena;
    struct sbuf sb;
    char *href;

    sbuf_init(&sb, 8000);
    sbuf_addf(&sb, "value=%s", url_encode(a, value));
    add_part(&sb, a, "key", key);
    add_part(&sb, a, "state", p->search.state);
    if (!p->filter_error) {
        add_part(&sb, a, "started_from", req_query(p->rq, "started_from"));
        add_part(&sb, a, "started_to", req_query(p->rq, "started_to"));
    }
    if (number > 1)
        sbuf_addf(&sb, "&page=%" PRId64, number);
    href = view_href(&p->ctx.link, base_path(p), sb.s);
    sbuf_release(&sb);
    return href;
}

static void put_chip(const struct page *p, HDF *hdf, int *n, const char *value)
{
    HDF *at;

    if (text_is_empty(value))
        return;
    at = hput_row(hdf, "Chips", (*n)++);
    hput_str(at, "Text", value);
    hput_str(at, "Href", search_href(p, p->key, value, 1));
    hput_bool(at, "IsChosen", strcmp(value, p->search.value) == 0);
}

/* What else of the ticket may be the identifier: address, organisation, its domains. */
static void put_chips(const struct page *p, HDF *hdf)
{
    const struct ticket *t = context_ticket(&p->ctx);
    int n = 0;

    if (t) {
        put_chip(p, hdf, &n, t->requester.email);
        put_chip(p, hdf, &n, t->organization);
        for (size_t i = 0; i < t->domain_count && i < 3; i++)
            put_chip(p, hdf, &n, t->domains[i]);
    } else if (p->ctx.link.ticket_id) {
        put_chip(p, hdf, &n, p->known.requester_email);
        put_chip(p, hdf, &n, p->known.organization);
    }
}

static void put_form(const struct page *p, HDF *hdf)
{
    const struct conf *conf = p->rq->app->conf;
    char text[TS_ISO_SIZE];
    HDF *f = hput_node(hdf, "Form");
    struct sbuf all;

    sbuf_init(&all, 2000);
    hput_str(f, "Action", arena_fmt(p->rq->arena, "%s%s", conf->base_path, base_path(p)));
    hput_str(f, "Value", p->search.value);
    hput_str(f, "Key", p->key);
    hput_str(f, "State", p->search.state);
    hput_str(f, "StartedFrom", req_query(p->rq, "started_from"));
    hput_str(f, "StartedTo", req_query(p->rq, "started_to"));
    for (size_t i = 0; i < conf->e2b.metadata_key_count; i++) {
        hput_str(hput_row(f, "Keys", (int)i), "Name", conf->e2b.metadata_keys[i]);
        sbuf_addf(&all, "%s%s", i ? ", " : "", conf->e2b.metadata_keys[i]);
    }
    hput_str(f, "AllKeys", all.s);
    sbuf_release(&all);
    if (p->ctx.link.from_us != TS_NONE) {
        hput_str(f, "From", ts_iso(p->ctx.link.from_us, text));
        hput_str(f, "To", ts_iso(p->ctx.link.to_us, text));
    }
    hput_str(f, "WindowError", p->ctx.window_error);
    hput_str(f, "FilterError", p->filter_error);
    put_chips(p, hdf);
}

static bool put_failures(const struct page *p, HDF *hdf)
{
    const struct source *failed = search_failure(&p->search);
    char *retry = search_href(p, p->key, p->search.value, 1);

    if (failed && p->search.ledger_failed) {
        view_failure(
            hput_node(hdf, "Failed"), "E2B", "The search could not be made.", failed,
            "Casebook's own record could not be read either. This does not mean that "
            "there are none.",
            retry);
        return true;
    }
    if (failed && p->search.row_count == 0) {
        view_failure(
            hput_node(hdf, "Failed"), "E2B", "The search could not be made.", failed,
            "Casebook's own record of ended sandboxes holds none. This does not mean "
            "that there are none.",
            retry);
        return true;
    }
    if (failed)
        view_failure(hput_node(hdf, "Failed"), "E2B", "Part of the search failed.",
                     failed,
                     "The rows below are from Casebook's record, or from the part that "
                     "answered.",
                     retry);
    if (p->search.ledger_failed) {
        hput_bool(hdf, "LedgerFailed", true);
        return p->search.row_count == 0;
    }
    return false;
}

/* Since when ended sandboxes are on record, for the empty page. */
static void put_retained(const struct page *p, HDF *hdf)
{
    struct err err = ERR_INIT;
    int64_t since = TS_NONE, last = TS_NONE;
    char text[HUMAN_SIZE];

    hput_i64(hdf, "RetainDays", p->rq->app->conf->ledger_retain_days);
    if (p->rq->has_db && ledger_span(p->rq->app->db, &since, &last, &err) == 0 &&
        since != TS_NONE) {
        hput_str(hdf, "WatchedSince", human_datetime(since, p->rq->now_us, text));
        hput_str(hdf, "WatchedLast", human_ago(last, p->rq->now_us, text));
    }
}

static void put_tries(const struct page *p, HDF *hdf)
{
    const struct conf *conf = p->rq->app->conf;
    const struct ticket *t = context_ticket(&p->ctx);
    int n = 0;

    for (size_t i = 0; i < p->search.key_count; i++)
        hput_str(hput_row(hdf, "Tried", (int)i), "Key", p->search.keys[i]);
    if (!text_is_empty(p->key))
        for (size_t i = 0; i < conf->e2b.metadata_key_count; i++)
            if (strcmp(conf->e2b.metadata_keys[i], p->key) != 0) {
                HDF *at = hput_row(hdf, "Next", n++);

                hput_fmt(at, "Text", "%s under the tag %s", p->search.value,
                         conf->e2b.metadata_keys[i]);
                hput_str(at, "Href",
                         search_href(p, conf->e2b.metadata_keys[i], p->search.value, 1));
            }
    if (t && !text_is_empty(t->organization) &&
        strcmp(t->organization, p->search.value) != 0) {
        HDF *at = hput_row(hdf, "Next", n++);

        hput_fmt(at, "Text", "the organisation, %s", t->organization);
        hput_str(at, "Href", search_href(p, "", t->organization, 1));
    }
    for (size_t i = 0; t && i < t->domain_count && i < 3; i++) {
        HDF *at = hput_row(hdf, "Next", n++);

        hput_fmt(at, "Text", "the domain, %s", t->domains[i]);
        hput_str(at, "Href", search_href(p, "", t->domains[i], 1));
    }
    if (t && !text_is_empty(t->requester.email) &&
        strcmp(t->requester.email, p->search.value) != 0) {
        HDF *at = hput_row(hdf, "Next", n);

        hput_fmt(at, "Text", "the requester, %s", t->requester.email);
        hput_str(at, "Href", search_href(p, "", t->requester.email, 1));
    }
}

static struct inv_rows findings_for(const struct page *p, size_t from, size_t to)
{
    const char **ids = arena_array(p->rq->arena, PAGE_ROWS, sizeof *ids);
    struct inv_rows known = {0};
    struct err err = ERR_INIT;
    size_t n = 0;

    for (size_t i = from; i < to; i++)
        ids[n++] = p->search.rows[i].sandbox_id;
    if (n && p->rq->has_db &&
        inv_list_for_sandboxes(p->rq->app->db, p->rq->arena, ids, n, &known, &err))
        log_err(LOG_WARN, "findings for the search", &err);
    return known;
}

static void put_counts(const struct page *p, HDF *hdf, size_t from, size_t to)
{
    size_t over = 0, listed = 0;

    for (size_t i = 0; i < p->search.row_count; i++) {
        over += p->search.rows[i].overlap.kind == OVERLAP_YES ||
                p->search.rows[i].overlap.kind == OVERLAP_MAYBE;
        listed += p->search.rows[i].in_list;
    }
    hput_i64(hdf, "RowCount", (int64_t)p->search.row_count);
    hput_i64(hdf, "OverCount", (int64_t)over);
    hput_i64(hdf, "ListedCount", (int64_t)listed);
    hput_i64(hdf, "KeptCount", (int64_t)(p->search.row_count - listed));
    hput_i64(hdf, "FirstRow", (int64_t)from + 1);
    hput_i64(hdf, "LastRow", (int64_t)to);
    hput_bool(hdf, "AllShown", from == 0 && to == p->search.row_count);
    if (from > 0)
        hput_str(hdf, "Newer", search_href(p, p->key, p->search.value, p->number - 1));
    if (to < p->search.row_count)
        hput_str(hdf, "Older", search_href(p, p->key, p->search.value, p->number + 1));
}

static void put_rows(const struct page *p, HDF *hdf)
{
    size_t from = (size_t)(p->number - 1) * PAGE_ROWS;
    size_t to, listed = 0;
    struct inv_rows known;

    if (from >= p->search.row_count)
        from = 0;
    to = from + PAGE_ROWS < p->search.row_count ? from + PAGE_ROWS : p->search.row_count;
    known = findings_for(p, from, to);
    for (size_t i = 0; i < p->search.row_count; i++)
        listed += p->search.rows[i].in_list;
    for (size_t i = from; i < to; i++)
        view_search_row(hput_row(hdf, "Rows", (int)(i - from)), &p->ctx.link,
                        &p->search.rows[i], &known, listed > 0);
    put_counts(p, hdf, from, to);
    view_search_axis(hdf, &p->ctx.link);
}

static void show(struct page *p, struct resp *rs)
{
    bool is_unknown;
    HDF *hdf = resp_page(p->rq, rs, "sandboxes.cs", "Sandboxes",
                         p->ctx.link.ticket_id ? "tickets" : "sandboxes");

    context_strip(&p->ctx, hdf, "sandboxes");
    put_form(p, hdf);
    if (text_is_empty(p->search.value)) {
        hput_bool(hdf, "NoValue", true);
        return;
    }
    is_unknown = put_failures(p, hdf);
    put_rows(p, hdf);
    hput_bool(hdf, "IsEmpty", p->search.row_count == 0 && !is_unknown);
    if (p->search.row_count == 0) {
        put_tries(p, hdf);
        put_retained(p, hdf);
    }
    if (is_unknown)
        rs->status = 502;
}

/* The window is the context's; the rest of the query says what is looked for. */
static void begin(struct page *p)
{
    p->search.rq = p->rq;
    p->search.from_us = p->ctx.link.from_us;
    p->search.to_us = p->ctx.link.to_us;
    read_query(p);
}

static int search_page(struct req *rq, struct resp *rs, bool has_ticket, struct err *err)
{
    struct page *p = arena_alloc(rq->arena, sizeof *p);

    p->rq = rq;
    if (context_init(&p->ctx, rq, has_ticket, err))
        return -1;
    begin(p);
    if (!has_ticket && text_looks_like_sandbox(p->search.value))
        return resp_redirect(rs, arena_fmt(rq->arena, "/sandboxes/%s", p->search.value));
    ask(p);
    if (context_ticket(&p->ctx) && text_is_empty(p->search.value) &&
        !text_is_empty(context_ticket(&p->ctx)->requester.email)) {
        /* never seen before: its requester is only known now, so a second round is needed */
        p->search.value = context_ticket(&p->ctx)->requester.email;
        context_remember(&p->ctx);
        context_release(&p->ctx);
        ask(p);
    }
    context_remember(&p->ctx);
    search_unite(&p->search);
    show(p, rs);
    search_release(&p->search);
    context_release(&p->ctx);
    return 0;
}

int page_ticket_sandboxes(struct req *rq, struct resp *rs, struct err *err)
{
    return search_page(rq, rs, true, err);
}

int page_sandboxes(struct req *rq, struct resp *rs, struct err *err)
{
    return search_page(rq, rs, false, err);
}
