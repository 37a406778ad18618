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
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define PAGE_ROWS 50
#define LEDGER_ROWS 1000
#define MAX_ROWS 3000

struct search {
    struct req *rq;
    struct context ctx;
    const char *value; /* the identifier */
    const char *key;   /* "" : every configured tag */
    const char *keys[CONF_MAX_KEYS];
    size_t key_count;
    const char *state; /* "", running, paused, ended */
    int64_t started_from_us, started_to_us;
    int64_t page;
    struct recent_ticket
        known; /* the ticket as last seen: what the fields are prefilled with */
    struct e2b_list lists[CONF_MAX_KEYS];
    struct ledger_row *kept;
    size_t kept_count;
    bool ledger_failed;
    struct search_row *rows;
    size_t row_count, row_cap;
};

/* The ticket's requester and organisation, from our own memory: no call has to wait for Zendesk. */
static void prefill(struct search *s)
{
    struct err err = ERR_INIT;

    s->known = (struct recent_ticket){
        .requester_email = "", .organization = "", .requester = ""};
    if (s->ctx.link.ticket_id && s->rq->has_db)
        ticket_known(s->rq->app->db, s->rq->arena, s->ctx.link.ticket_id, &s->known,
                     &err);
    s->value = text_trim(s->rq->arena, req_query(s->rq, "value"));
    if (text_is_empty(s->value))
        s->value = s->known.requester_email;
}

static void read_query(struct search *s)
{
    const struct conf *conf = s->rq->app->conf;
    struct arena *a = s->rq->arena;

    prefill(s);
    s->key = text_trim(a, req_query(s->rq, "key"));
    if (text_is_empty(s->key)) {
        s->key_count = conf->e2b.metadata_key_count;
        memcpy(s->keys, conf->e2b.metadata_keys, s->key_count * sizeof s->keys[0]);
    } else {
        s->keys[0] = s->key;
        s->key_count = 1;
    }
    s->state = req_query(s->rq, "state");
    s->started_from_us = s->started_to_us = TS_NONE;
    context_time(a, req_query(s->rq, "started_from"), &s->started_from_us);
    context_time(a, req_query(s->rq, "started_to"), &s->started_to_us);
    s->page = 1;
    parse_i64(req_query(s->rq, "page"), 1, 1000, &s->page);
}

/* One request for each tag, and the ticket for the strip, all at once. */
static void ask(struct search *s)
{
    struct http_call *calls[CONF_MAX_KEYS + 1];
    struct err err = ERR_INIT;
    size_t n = context_calls(&s->ctx, calls, 0);

    for (size_t i = 0; i < s->key_count && !text_is_empty(s->value); i++) {
        e2b_list_init(&s->lists[i], &s->rq->app->e2b, s->rq->arena, s->keys[i], s->value);
        calls[n++] = &s->lists[i].call;
    }
    if (n)
        http_run(s->rq->app->http, calls, n, s->rq->deadline_us);
    if (text_is_empty(s->value))
        return;
    s->ledger_failed = !s->rq->has_db ||
                       ledger_find(s->rq->app->db, s->rq->arena, s->keys, s->key_count,
                                   s->value, LEDGER_ROWS, &s->kept, &s->kept_count, &err);
    if (s->ledger_failed && s->rq->has_db)
        log_err(LOG_WARN, "search in the ledger", &err);
}

static struct search_row *row_of(struct search *s, const char *id)
{
    struct search_row *row;

    for (size_t i = 0; i < s->row_count; i++)
        if (strcmp(s->rows[i].sandbox_id, id) == 0)
            return &s->rows[i];
    if (s->row_count == MAX_ROWS)
        return NULL;
    s->rows =
        arena_grow(s->rq->arena, s->rows, s->row_count, &s->row_cap, sizeof *s->rows);
    row = &s->rows[s->row_count++];
    memset(row, 0, sizeof *row);
    row->sandbox_id = id;
    return row;
}

static void add_match(struct search_row *row, const char *key)
{
    for (size_t i = 0; i < row->matched_count; i++)
        if (strcmp(row->matched[i], key) == 0)
            return;
    if (row->matched_count < CONF_MAX_KEYS)
        row->matched[row->matched_count++] = key;
}

/* The row's executions, from what the list says and what the ledger kept. */
static void build_row(struct search *s, struct search_row *row,
                      const struct sandbox *listed)
{
    struct evidence ev = {.now_us = s->rq->now_us, .sandbox_id = row->sandbox_id};
    struct event *events = NULL;
    size_t n = 0;
    struct err err = ERR_INIT;

    if (listed) {
        ev.has_sandbox = true;
        ev.sandbox = *listed;
        ev.sandbox_src.state = SOURCE_OK;
    } else {
        ev.sandbox_src.state = SOURCE_NOT_THERE;
    }
    if (s->rq->has_db &&
        ledger_events(s->rq->app->db, s->rq->arena, row->sandbox_id, &events, &n, &err) ==
            0 &&
        n > 0) {
        ev.events = events;
        ev.event_count = n;
        ev.events_src.state = SOURCE_OK;
    }
    timeline_build(s->rq->arena, &ev, &row->timeline);
    row->overlap = timeline_overlap(&row->timeline, s->ctx.link.from_us,
                                    s->ctx.link.to_us, s->rq->now_us);
}

/* A sandbox of which only sightings in the list are on record: no event tells of it. */
static void from_ledger(struct search *s, struct search_row *row,
                        const struct ledger_row *k)
{
    struct timeline *t = &row->timeline;

    if (t->exec_count == 0) {
        struct execution *e = arena_alloc(s->rq->arena, sizeof *e);

        *e = (struct execution){.id = "",
                                .start_us = k->first_start_us,
                                .start_is_known = true,
                                .end_us = k->end_us,
                                .end = k->end_us == TS_NONE ? EXEC_GONE : EXEC_KILLED,
                                .kill_reason = k->kill_reason,
                                .deadline_us = k->deadline_us,
                                .first_deadline_us = TS_NONE,
                                .last_sign_us = k->seen_us};
        t->execs = e;
        t->exec_count = 1;
        t->start_us = k->first_start_us;
        t->end_us = k->end_us;
        t->state = k->state;
        t->ran_us = k->ran_us;
        row->overlap =
            timeline_overlap(t, s->ctx.link.from_us, s->ctx.link.to_us, s->rq->now_us);
    }
    if (text_is_empty(t->template_id))
        t->template_id = k->template_id;
    if (text_is_empty(t->template_alias))
        t->template_alias = k->template_alias;
}

static void unite(struct search *s)
{
    for (size_t i = 0; i < s->key_count && !text_is_empty(s->value); i++) {
        for (size_t k = 0; k < s->lists[i].count; k++) {
            struct search_row *row = row_of(s, s->lists[i].sandboxes[k].id);

            if (!row)
                return;
            if (!row->in_list)
                build_row(s, row, &s->lists[i].sandboxes[k]);
            row->in_list = true;
            add_match(row, s->keys[i]);
        }
    }
    for (size_t i = 0; i < s->kept_count; i++) {
        struct search_row *row = row_of(s, s->kept[i].sandbox_id);

        if (!row)
            return;
        if (!row->in_list && !row->in_ledger)
            build_row(s, row, NULL);
        row->in_ledger = true;
        from_ledger(s, row, &s->kept[i]);
        for (size_t k = 0; k < s->key_count; k++)
            if (strcmp(tag_get(s->kept[i].tags, s->kept[i].tag_count, s->keys[k], ""),
                       s->value) == 0)
                add_match(row, s->keys[k]);
    }
}

static bool is_wanted(const struct search *s, const struct search_row *row)
{
    static const char *const words[] = {[SANDBOX_RUNNING] = "running",
                                        [SANDBOX_PAUSED] = "paused",
                                        [SANDBOX_ENDED] = "ended",
                                        [SANDBOX_OTHER] = "other"};
    const struct timeline *t = &row->timeline;

    if (!text_is_empty(s->state) && strcmp(s->state, words[t->state]) != 0)
        return false;
    if (s->started_from_us != TS_NONE && t->start_us < s->started_from_us)
        return false;
    return s->started_to_us == TS_NONE || t->start_us <= s->started_to_us;
}

static int by_start(const void *pa, const void *pb)
{
    const struct search_row *x = pa, *y = pb;

    if (x->timeline.start_us != y->timeline.start_us)
        return x->timeline.start_us < y->timeline.start_us ? 1 : -1;
    return strcmp(x->sandbox_id, y->sandbox_id);
}

static void narrow(struct search *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->row_count; i++)
        if (is_wanted(s, &s->rows[i]))
            s->rows[n++] = s->rows[i];
    s->row_count = n;
    if (n)
        qsort(s->rows, n, sizeof *s->rows, by_start);
}

static char *base_path(const struct search *s)
{
    if (s->ctx.link.ticket_id)
        return arena_fmt(s->rq->arena, "/tickets/%" PRId64 "/sandboxes",
                         s->ctx.link.ticket_id);
    return arena_str(s->rq->arena, "/sandboxes");
}

/* A link to this search with another value, tag, or page. */
static char *search_href(const struct search *s, const char *key, const char *value,
                         const char *extra)
{
    struct arena *a = s->rq->arena;
    char *more = arena_fmt(
        a, "value=%s%s%s%s%s", url_encode(a, value),
        text_is_empty(key) ? "" : "&key=", text_is_empty(key) ? "" : url_encode(a, key),
        text_is_empty(extra) ? "" : "&", extra ? extra : "");

    return view_href(&s->ctx.link, base_path(s), more);
}

static void put_chip(const struct search *s, HDF *hdf, int *n, const char *value)
{
    HDF *at;

    if (text_is_empty(value))
        return;
    at = hput_row(hdf, "Chips", (*n)++);
    hput_str(at, "Text", value);
    hput_str(at, "Href", search_href(s, s->key, value, NULL));
    hput_bool(at, "IsChosen", strcmp(value, s->value) == 0);
}

/* What else of the ticket may be the identifier: address, organisation, its domains. */
static void put_chips(const struct search *s, HDF *hdf)
{
    const struct ticket *t = context_ticket(&s->ctx);
    int n = 0;

    if (t) {
        put_chip(s, hdf, &n, t->requester.email);
        put_chip(s, hdf, &n, t->organization);
        for (size_t i = 0; i < t->domain_count && i < 3; i++)
            put_chip(s, hdf, &n, t->domains[i]);
    } else if (s->ctx.link.ticket_id) {
        put_chip(s, hdf, &n, s->known.requester_email);
        put_chip(s, hdf, &n, s->known.organization);
    }
}

static void put_form(const struct search *s, HDF *hdf)
{
    const struct conf *conf = s->rq->app->conf;
    char text[TS_ISO_SIZE];
    HDF *f = hput_node(hdf, "Form");
    struct sbuf all;

    sbuf_init(&all, 2000);
    hput_str(f, "Action", arena_fmt(s->rq->arena, "%s%s", conf->base_path, base_path(s)));
    hput_str(f, "Value", s->value);
    hput_str(f, "Key", s->key);
    hput_str(f, "State", s->state);
    hput_str(f, "StartedFrom", req_query(s->rq, "started_from"));
    hput_str(f, "StartedTo", req_query(s->rq, "started_to"));
    for (size_t i = 0; i < conf->e2b.metadata_key_count; i++) {
        hput_str(hput_row(f, "Keys", (int)i), "Name", conf->e2b.metadata_keys[i]);
        sbuf_addf(&all, "%s%s", i ? ", " : "", conf->e2b.metadata_keys[i]);
    }
    hput_str(f, "AllKeys", all.s);
    sbuf_release(&all);
    if (s->ctx.link.from_us != TS_NONE) {
        hput_str(f, "From", ts_iso(s->ctx.link.from_us, text));
        hput_str(f, "To", ts_iso(s->ctx.link.to_us, text));
    }
    hput_str(f, "WindowError", s->ctx.window_error);
    put_chips(s, hdf);
}

/* The first failing read of the lists, or NULL: one sentence is enough when all fail alike. */
static const struct source *list_failure(const struct search *s)
{
    for (size_t i = 0; i < s->key_count && !text_is_empty(s->value); i++)
        if (s->lists[i].src.state != SOURCE_OK)
            return &s->lists[i].src;
    return NULL;
}

static bool put_failures(const struct search *s, HDF *hdf)
{
    const struct source *failed = list_failure(s);
    char *retry = search_href(s, s->key, s->value, NULL);

    if (failed && s->ledger_failed) {
        view_failure(
            hput_node(hdf, "Failed"), "E2B", "The search could not be made.", failed,
            "Casebook's own record could not be read either. This does not mean that "
            "there are none.",
            retry);
        return true;
    }
    if (failed && s->row_count == 0) {
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
    if (s->ledger_failed) {
        hput_bool(hdf, "LedgerFailed", true);
        return s->row_count == 0;
    }
    return false;
}

/* Since when ended sandboxes are on record, for the empty page. */
static void put_retained(const struct search *s, HDF *hdf)
{
    struct err err = ERR_INIT;
    int64_t since = TS_NONE, last = TS_NONE;
    char text[HUMAN_SIZE];

    hput_i64(hdf, "RetainDays", s->rq->app->conf->ledger_retain_days);
    if (s->rq->has_db && ledger_span(s->rq->app->db, &since, &last, &err) == 0 &&
        since != TS_NONE) {
        hput_str(hdf, "WatchedSince", human_datetime(since, s->rq->now_us, text));
        hput_str(hdf, "WatchedLast", human_ago(last, s->rq->now_us, text));
    }
}

static void put_tries(const struct search *s, HDF *hdf)
{
    const struct conf *conf = s->rq->app->conf;
    const struct ticket *t = context_ticket(&s->ctx);
    int n = 0;

    for (size_t i = 0; i < s->key_count; i++)
        hput_str(hput_row(hdf, "Tried", (int)i), "Key", s->keys[i]);
    if (!text_is_empty(s->key))
        for (size_t i = 0; i < conf->e2b.metadata_key_count; i++)
            if (strcmp(conf->e2b.metadata_keys[i], s->key) != 0) {
                HDF *at = hput_row(hdf, "Next", n++);

                hput_fmt(at, "Text", "%s under the tag %s", s->value,
                         conf->e2b.metadata_keys[i]);
                hput_str(at, "Href",
                         search_href(s, conf->e2b.metadata_keys[i], s->value, NULL));
            }
    if (t && !text_is_empty(t->organization) && strcmp(t->organization, s->value) != 0) {
        HDF *at = hput_row(hdf, "Next", n++);

        hput_fmt(at, "Text", "the organisation, %s", t->organization);
        hput_str(at, "Href", search_href(s, "", t->organization, NULL));
    }
    for (size_t i = 0; t && i < t->domain_count && i < 3; i++) {
        HDF *at = hput_row(hdf, "Next", n++);

        hput_fmt(at, "Text", "the domain, %s", t->domains[i]);
        hput_str(at, "Href", search_href(s, "", t->domains[i], NULL));
    }
    if (t && !text_is_empty(t->requester.email) &&
        strcmp(t->requester.email, s->value) != 0) {
        HDF *at = hput_row(hdf, "Next", n);

        hput_fmt(at, "Text", "the requester, %s", t->requester.email);
        hput_str(at, "Href", search_href(s, "", t->requester.email, NULL));
    }
}

static struct inv_rows findings_for(const struct search *s, size_t from, size_t to)
{
    const char **ids = arena_array(s->rq->arena, PAGE_ROWS, sizeof *ids);
    struct inv_rows known = {0};
    struct err err = ERR_INIT;
    size_t n = 0;

    for (size_t i = from; i < to; i++)
        ids[n++] = s->rows[i].sandbox_id;
    if (n && s->rq->has_db &&
        inv_list_for_sandboxes(s->rq->app->db, s->rq->arena, ids, n, &known, &err))
        log_err(LOG_WARN, "findings for the search", &err);
    return known;
}

static void put_counts(const struct search *s, HDF *hdf, size_t from, size_t to)
{
    size_t over = 0, listed = 0;

    for (size_t i = 0; i < s->row_count; i++) {
        over += s->rows[i].overlap.kind == OVERLAP_YES ||
                s->rows[i].overlap.kind == OVERLAP_MAYBE;
        listed += s->rows[i].in_list;
    }
    hput_i64(hdf, "RowCount", (int64_t)s->row_count);
    hput_i64(hdf, "OverCount", (int64_t)over);
    hput_i64(hdf, "ListedCount", (int64_t)listed);
    hput_i64(hdf, "KeptCount", (int64_t)(s->row_count - listed));
    hput_i64(hdf, "FirstRow", (int64_t)from + 1);
    hput_i64(hdf, "LastRow", (int64_t)to);
    hput_bool(hdf, "AllShown", from == 0 && to == s->row_count);
    if (from > 0)
        hput_str(hdf, "Newer",
                 search_href(s, s->key, s->value,
                             arena_fmt(s->rq->arena, "page=%" PRId64, s->page - 1)));
    if (to < s->row_count)
        hput_str(hdf, "Older",
                 search_href(s, s->key, s->value,
                             arena_fmt(s->rq->arena, "page=%" PRId64, s->page + 1)));
}

static void put_rows(const struct search *s, HDF *hdf)
{
    size_t from = (size_t)(s->page - 1) * PAGE_ROWS;
    size_t to, listed = 0;
    struct inv_rows known;

    if (from >= s->row_count)
        from = 0;
    to = from + PAGE_ROWS < s->row_count ? from + PAGE_ROWS : s->row_count;
    known = findings_for(s, from, to);
    for (size_t i = 0; i < s->row_count; i++)
        listed += s->rows[i].in_list;
    for (size_t i = from; i < to; i++)
        view_search_row(hput_row(hdf, "Rows", (int)(i - from)), &s->ctx.link, &s->rows[i],
                        &known, listed > 0);
    put_counts(s, hdf, from, to);
    view_search_axis(hdf, &s->ctx.link);
}

static void show(struct search *s, struct resp *rs)
{
    bool is_unknown;
    HDF *hdf = resp_page(s->rq, rs, "sandboxes.cs", "Sandboxes",
                         s->ctx.link.ticket_id ? "tickets" : "sandboxes");

    context_strip(&s->ctx, hdf, "sandboxes");
    put_form(s, hdf);
    if (text_is_empty(s->value)) {
        hput_bool(hdf, "NoValue", true);
        return;
    }
    is_unknown = put_failures(s, hdf);
    put_rows(s, hdf);
    hput_bool(hdf, "IsEmpty", s->row_count == 0 && !is_unknown);
    if (s->row_count == 0) {
        put_tries(s, hdf);
        put_retained(s, hdf);
    }
    if (is_unknown)
        rs->status = 502;
}

static int search_page(struct req *rq, struct resp *rs, bool has_ticket, struct err *err)
{
    struct search *s = arena_alloc(rq->arena, sizeof *s);

    s->rq = rq;
    if (context_init(&s->ctx, rq, has_ticket, err))
        return -1;
    read_query(s);
    if (!has_ticket && s->value[0] == 'i' && strlen(s->value) == 21 &&
        text_is_sandbox_id(s->value))
        return resp_redirect(rs, arena_fmt(rq->arena, "/sandboxes/%s", s->value));
    ask(s);
    if (context_ticket(&s->ctx) && text_is_empty(s->value)) {
        /* never seen before: its requester is only known now, so a second round is needed */
        s->value = context_ticket(&s->ctx)->requester.email;
        context_remember(&s->ctx);
        if (!text_is_empty(s->value)) {
            context_release(&s->ctx);
            ask(s);
        }
    }
    context_remember(&s->ctx);
    unite(s);
    narrow(s);
    show(s, rs);
    for (size_t i = 0; i < s->key_count && !text_is_empty(s->value); i++)
        e2b_list_release(&s->lists[i]);
    context_release(&s->ctx);
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
