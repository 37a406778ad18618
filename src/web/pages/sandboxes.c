/*
 * GET /tickets/:id/sandboxes, GET /sandboxes
 * ?key=&value=&from=&to=&state=&template=&started_from=&started_to=&overlap=1&page=
 *
 * The customer's sandboxes: E2B's list (running, paused) asked under every configured tag at once, united with
 * Casebook's own record, one row per sandbox id, newest start first. from and to are the complaint window;
 * the others narrow the rows. A failing half is said and is never "nothing found". A sandbox id as the
 * identifier opens that sandbox.
 */
#include "base/human.h"
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "store/st_ticket.h"
#include "sys/log.h"
#include "web/pages/context.h"
#include "web/pages/pages.h"
#include "web/view_search.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define AROUND_WINDOW_US TS_HOUR
#define DOMAINS_SHOWN 3

struct page {
    struct req *rq;
    struct context ctx;
    struct search search;
    const char *key;          /* the tag that was chosen; "" : every configured one */
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
    p->search.value_raw = req_query(p->rq, "value");
    p->search.value = text_trim(p->rq->arena, p->search.value_raw);
    if (text_is_empty(p->search.value))
        p->search.value = p->search.value_raw = p->known.requester_email;
}

/* A filter that cannot be read is not obeyed, and that is said: it never makes an empty result. */
static void read_started(struct page *p)
{
    struct arena *a = p->rq->arena;
    struct search *s = &p->search;
    const char *from = text_trim(a, req_query(p->rq, "started_from"));
    const char *to = text_trim(a, req_query(p->rq, "started_to"));

    s->started_from_us = s->started_to_us = TS_NONE;
    if ((!text_is_empty(from) && context_time(a, from, &s->started_from_us)) ||
        (!text_is_empty(to) && context_time(a, to, &s->started_to_us)))
        p->filter_error = "Write a time like 2026-11-24 13:55.";
    else if (s->started_from_us != TS_NONE && s->started_to_us != TS_NONE &&
             s->started_to_us < s->started_from_us)
        p->filter_error = "The end is before the start.";
    if (p->filter_error)
        s->started_from_us = s->started_to_us = TS_NONE;
}

static void read_filters(struct page *p)
{
    struct search *s = &p->search;
    const char *state = req_query(p->rq, "state");

    read_started(p);
    s->state = "";
    if (!strcmp(state, "running") || !strcmp(state, "paused") || !strcmp(state, "ended"))
        s->state = state;
    else if (!text_is_empty(state))
        p->filter_error = "A state is running, paused or ended.";
    s->template_name = text_trim(p->rq->arena, req_query(p->rq, "template"));
    s->only_overlap = strcmp(req_query(p->rq, "overlap"), "1") == 0;
    if (s->only_overlap && s->from_us == TS_NONE) {
        s->only_overlap = false;
        p->filter_error = "There is no complaint window that sandboxes could overlap.";
    }
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
    p->search.page = 1;
    parse_i64(req_query(p->rq, "page"), 1, SEARCH_MAX_PAGE, &p->search.page);
}

/* All requests at once: one for each tag and spelling, and the ticket for the strip. */
static void ask(struct page *p, bool with_ticket)
{
    struct http_call *calls[SEARCH_MAX_ASKS + 1];
    size_t n = with_ticket ? context_calls(&p->ctx, calls, 0) : 0;

    search_begin(&p->search);
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

enum filter {
    FILTER_STATE,
    FILTER_TEMPLATE,
    FILTER_STARTED,
    FILTER_OVERLAP,
    FILTER_COUNT
};
#define ALL_FILTERS ((1u << FILTER_COUNT) - 1)

/* A link to this search with another value, tag, or page; of the filters those in `keep` stay. */
static char *link_to(const struct page *p, const char *key, const char *value,
                     unsigned keep, const char *more)
{
    struct arena *a = p->rq->arena;
    const struct search *s = &p->search;
    struct sbuf sb;
    char *href;

    sbuf_init(&sb, 16000);
    sbuf_addf(&sb, "value=%s", url_encode(a, value));
    add_part(&sb, a, "key", key);
    if (keep & 1u << FILTER_STATE)
        add_part(&sb, a, "state", s->state);
    if (keep & 1u << FILTER_TEMPLATE)
        add_part(&sb, a, "template", s->template_name);
    if (keep & 1u << FILTER_STARTED) {
        if (s->started_from_us != TS_NONE)
            add_part(&sb, a, "started_from", req_query(p->rq, "started_from"));
        if (s->started_to_us != TS_NONE)
            add_part(&sb, a, "started_to", req_query(p->rq, "started_to"));
    }
    if (keep & 1u << FILTER_OVERLAP && s->only_overlap)
        sbuf_adds(&sb, "&overlap=1");
    sbuf_adds(&sb, more);
    href = view_href(&p->ctx.link, base_path(p), sb.s);
    sbuf_release(&sb);
    return href;
}

static char *search_href(const struct page *p, const char *key, const char *value,
                         int64_t number)
{
    const char *more =
        number > 1 ? arena_fmt(p->rq->arena, "&page=%" PRId64, number) : "";

    return link_to(p, key, value, ALL_FILTERS, more);
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

/* The two ways to look at the complaint window only; a chosen one leads back to all. */
static void put_window_chips(const struct page *p, HDF *hdf)
{
    struct arena *a = p->rq->arena;
    const struct search *s = &p->search;
    char from[TS_ISO_SIZE], to[TS_ISO_SIZE];
    const unsigned others = ALL_FILTERS & ~(1u << FILTER_OVERLAP | 1u << FILTER_STARTED);
    bool is_around;
    HDF *at;

    if (s->from_us == TS_NONE || text_is_empty(s->value))
        return;
    is_around = s->started_from_us == s->from_us - AROUND_WINDOW_US &&
                s->started_to_us == s->to_us + AROUND_WINDOW_US;
    at = hput_row(hdf, "WindowChips", 0);
    hput_str(at, "Text", "Only those that overlap");
    hput_bool(at, "IsChosen", s->only_overlap);
    hput_str(at, "Href",
             link_to(p, p->key, s->value, others, s->only_overlap ? "" : "&overlap=1"));
    at = hput_row(hdf, "WindowChips", 1);
    hput_str(at, "Text", "Only those started within 1 h of the window");
    hput_bool(at, "IsChosen", is_around);
    ts_iso(s->from_us - AROUND_WINDOW_US, from);
    ts_iso(s->to_us + AROUND_WINDOW_US, to);
    hput_str(at, "Href",
             link_to(p, p->key, s->value, others,
                     is_around ? ""
                               : arena_fmt(a, "&started_from=%s&started_to=%s",
                                           url_encode(a, from), url_encode(a, to))));
}

/* What else of the ticket may be the identifier: address, organisation, its domains. */
static void put_chips(const struct page *p, HDF *hdf)
{
    const struct ticket *t = context_ticket(&p->ctx);
    int n = 0;

    if (t) {
        put_chip(p, hdf, &n, t->requester.email);
        put_chip(p, hdf, &n, t->organization);
        for (size_t i = 0; i < t->domain_count && i < DOMAINS_SHOWN; i++)
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

    sbuf_init(&all, 16000);
    hput_str(f, "Action", arena_fmt(p->rq->arena, "%s%s", conf->base_path, base_path(p)));
    hput_str(f, "Value", p->search.value);
    hput_str(f, "Key", p->key);
    hput_str(f, "State", p->search.state);
    hput_str(f, "Template", p->search.template_name);
    hput_bool(f, "OnlyOverlap", p->search.only_overlap);
    hput_str(f, "StartedFrom", req_query(p->rq, "started_from"));
    hput_str(f, "StartedTo", req_query(p->rq, "started_to"));
    for (size_t i = 0; i < conf->e2b.metadata_key_count; i++) {
        hput_str(hput_row(f, "Keys", (int)i), "Name", conf->e2b.metadata_keys[i]);
        sbuf_addf(&all, "%s%s", i ? ", " : "", conf->e2b.metadata_keys[i]);
    }
    hput_str(f, "AllKeys", all.s);
    sbuf_reset(&all);
    for (size_t i = 0; i < p->search.key_count; i++)
        sbuf_addf(&all, "%s%s", i ? ", " : "", p->search.keys[i]);
    hput_str(f, "Tags", all.s);
    hput_bool(f, "OneTag", p->search.key_count == 1);
    sbuf_release(&all);
    if (p->ctx.link.from_us != TS_NONE) {
        hput_str(f, "From", ts_iso(p->ctx.link.from_us, text));
        hput_str(f, "To", ts_iso(p->ctx.link.to_us, text));
    }
    hput_str(f, "WindowError", p->ctx.window_error);
    hput_str(f, "FilterError", p->filter_error);
    put_chips(p, hdf);
    put_window_chips(p, hdf);
}

/* Since when ended sandboxes are on record, for the empty page. */
static void put_retained(const struct page *p, HDF *hdf)
{
    const struct search *s = &p->search;
    char text[HUMAN_SIZE];

    hput_i64(hdf, "RetainDays", p->rq->app->conf->ledger_retain_days);
    if (!s->ledger_failed && s->since_us != TS_NONE) {
        hput_str(hdf, "WatchedSince", human_datetime(s->since_us, p->rq->now_us, text));
        hput_str(hdf, "WatchedLast", human_ago(s->last_us, p->rq->now_us, text));
    }
}

static void put_next(const struct page *p, HDF *hdf, int *n, const char *words,
                     const char *value)
{
    HDF *at;

    if (text_is_empty(value) || text_ieq(value, p->search.value))
        return;
    at = hput_row(hdf, "Next", (*n)++);
    hput_fmt(at, "Text", "Search for %s: %s", words, value);
    hput_str(at, "Href", search_href(p, "", value, 1));
}

/* What to try next: the same under another tag, and what else of the ticket may be the identifier. */
static void put_tries(const struct page *p, HDF *hdf)
{
    const struct conf *conf = p->rq->app->conf;
    const struct ticket *t = context_ticket(&p->ctx);
    int n = 0;

    for (size_t i = 0; !text_is_empty(p->key) && i < conf->e2b.metadata_key_count; i++) {
        const char *key = conf->e2b.metadata_keys[i];
        HDF *at;

        if (strcmp(key, p->key) == 0)
            continue;
        at = hput_row(hdf, "Next", n++);
        hput_fmt(at, "Text", "Search for %s under the tag %s", p->search.value, key);
        hput_str(at, "Href", search_href(p, key, p->search.value, 1));
    }
    if (!t)
        return;
    put_next(p, hdf, &n, "the organisation", t->organization);
    for (size_t i = 0; i < t->domain_count && i < DOMAINS_SHOWN; i++)
        put_next(p, hdf, &n, "the email domain", t->domains[i]);
    put_next(p, hdf, &n, "the requester", t->requester.email);
}

static struct inv_rows findings_for(const struct page *p)
{
    const char *ids[SEARCH_PAGE_ROWS];
    struct inv_rows known = {0};
    struct err err = ERR_INIT;

    for (size_t i = 0; i < p->search.row_count; i++)
        ids[i] = p->search.rows[i].sandbox_id;
    if (p->search.row_count && p->rq->has_db &&
        inv_list_for_sandboxes(p->rq->app->db, p->rq->arena, ids, p->search.row_count,
                               &known, &err))
        log_err(LOG_WARN, "findings for the search", &err);
    return known;
}

/* From here to both ends, however many there are. */
static void put_pages(const struct page *p, HDF *hdf)
{
    const struct search *s = &p->search;
    int64_t last = ((int64_t)s->hit_count + SEARCH_PAGE_ROWS - 1) / SEARCH_PAGE_ROWS;
    char text[HUMAN_SIZE];

    hput_str(hdf, "PageNumber", human_count(s->page, text));
    hput_str(hdf, "PageCount", human_count(last, text));
    if (s->page > 1) {
        hput_str(hdf, "Newest", search_href(p, p->key, s->value, 1));
        hput_str(hdf, "Newer", search_href(p, p->key, s->value, s->page - 1));
    }
    if (s->page < last) {
        hput_str(hdf, "Older", search_href(p, p->key, s->value, s->page + 1));
        hput_str(hdf, "Oldest", search_href(p, p->key, s->value, last));
    }
}

static void put_rows(const struct page *p, HDF *hdf)
{
    const struct search *s = &p->search;
    struct inv_rows known = findings_for(p);

    for (size_t i = 0; i < s->row_count; i++)
        view_search_row(hput_row(hdf, "Rows", (int)i), &p->ctx.link, &s->rows[i], &known);
    view_search_counts(hdf, s);
    put_pages(p, hdf);
    view_search_axis(hdf, &p->ctx.link);
}

static void put_results(const struct page *p, HDF *hdf, struct resp *rs)
{
    const struct search *s = &p->search;
    char text[HUMAN_SIZE];
    bool is_unknown =
        view_search_failures(hdf, s, search_href(p, p->key, s->value, s->page));

    if (s->hit_count)
        hput_bool(hdf, "HasRows", true);
    put_rows(p, hdf);
    view_search_tried(hdf, s);
    hput_bool(hdf, "IsEmpty", s->hit_count == 0 && !is_unknown);
    hput_str(hdf, "ClearHref", link_to(p, p->key, s->value, 0, ""));
    if (s->hit_count == 0) {
        put_tries(p, hdf);
        put_retained(p, hdf);
    }
    if (is_unknown)
        rs->status = 502;
    else if (p->ctx.link.ticket_id)
        hput_str(hdf, "Strip.SandboxCount", human_count((int64_t)s->all_count, text));
}

static void show(struct page *p, struct resp *rs)
{
    HDF *hdf = resp_page(p->rq, rs, "sandboxes.cs", "Sandboxes",
                         p->ctx.link.ticket_id ? "tickets" : "sandboxes");

    context_strip(&p->ctx, hdf, "sandboxes");
    put_form(p, hdf);
    if (text_is_empty(p->search.value))
        hput_bool(hdf, "NoValue", true);
    else
        put_results(p, hdf, rs);
}

/* The window is the context's; the rest of the query says what is looked for. */
static void begin(struct page *p)
{
    p->search.rq = p->rq;
    p->search.from_us = p->ctx.link.from_us;
    p->search.to_us = p->ctx.link.to_us;
    read_query(p);
}

/* A ticket that was never seen before: who its requester is was not known in the first round. */
static void ask_for_requester(struct page *p)
{
    const struct ticket *t = context_ticket(&p->ctx);

    if (!t || !text_is_empty(p->search.value))
        return;
    p->search.value = p->search.value_raw = t->requester.email;
    ask(p, false);
}

/* Under the same ticket and with its window. */
static int open_sandbox(const struct page *p, struct resp *rs)
{
    const struct view_link *l = &p->ctx.link;
    const char *href = view_href(l, view_sandbox_path(l, p->search.value), NULL);

    return resp_redirect(rs, href + strlen(p->rq->app->conf->base_path));
}

static int search_page(struct req *rq, struct resp *rs, bool has_ticket, struct err *err)
{
    struct page *p = arena_alloc(rq->arena, sizeof *p);

    p->rq = rq;
    if (context_init(&p->ctx, rq, has_ticket, err))
        return -1;
    begin(p);
    if (text_looks_like_sandbox(p->search.value))
        return open_sandbox(p, rs);
    ask(p, true);
    context_remember(&p->ctx);
    ask_for_requester(p);
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
