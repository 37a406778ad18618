/*
 * What a search asks: the record first, then E2B's list, for each configured tag and each spelling of the
 * identifier. Spellings differ in case or surrounding space only: the usual ones, and those that the record
 * knows to exist.
 */
#include "web/search.h"

#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_ledger.h"
#include "sys/log.h"
#include "web/search_private.h"
#include <ctype.h>
#include <string.h>

#include "base/banned.h"

#define LIST_PAGE_ROWS 100
#define LIST_MAX_PAGES 20
#define MAX_KEPT 100000 /* of one tag */

/* ---- the record ---- */

static void fail_record(struct search *s, const struct err *err)
{
    s->ledger_failed = true;
    for (size_t i = 0; i < s->key_count; i++)
        s->kept[i] = (struct ledger_seeks){.items = NULL};
    log_err(LOG_WARN, "search in the record", err);
}

static void ask_record(struct search *s, size_t limit)
{
    struct db *db = s->rq->app->db;
    struct arena *a = s->rq->arena;
    struct err err = ERR_INIT;

    s->since_us = s->last_us = TS_NONE;
    s->ledger_failed = !s->rq->has_db;
    if (s->ledger_failed)
        return;
    if (ledger_span(db, &s->since_us, &s->last_us, &err)) {
        fail_record(s, &err);
        return;
    }
    for (size_t i = 0; i < s->key_count; i++) {
        if (ledger_seek(db, a, s->keys[i], s->value, limit, &s->kept[i], &err)) {
            fail_record(s, &err);
            return;
        }
        s->ledger_is_cut = s->ledger_is_cut || s->kept[i].is_cut;
    }
}

/* ---- spellings ---- */

enum capitals { CAPITAL_FIRST, CAPITAL_WORDS, CAPITAL_ALL };

/* A copy in small letters but for these. */
static char *with_capitals(struct arena *a, const char *s, enum capitals which)
{
    char *out = text_lower(a, s);
    bool is_first = true;

    for (char *p = out; *p; p++) {
        if ((is_first || which == CAPITAL_ALL) && *p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
        is_first = which == CAPITAL_WORDS && !isalnum((unsigned char)*p);
    }
    return out;
}

static bool is_ascii(const char *s)
{
    while (*s && (unsigned char)*s < 0x80)
        s++;
    return !*s;
}

static void add_ask(struct search *s, size_t key, const char *value, size_t max_of_key)
{
    size_t of_key = 0;

    if (s->ask_count == SEARCH_MAX_ASKS)
        return;
    for (size_t i = 0; i < s->ask_count; i++) {
        if (s->asks[i].key != key)
            continue;
        if (strcmp(s->asks[i].value, value) == 0)
            return;
        of_key++;
    }
    if (of_key < max_of_key)
        s->asks[s->ask_count++] = (struct search_ask){
            .key = key, .value = value, .is_variant = of_key > 0, .running = -1};
}

/* As given first; then what exists, by the record; then what people often get wrong. */
static void add_asks_of_key(struct search *s, size_t key)
{
    struct arena *a = s->rq->arena;
    const struct ledger_seeks *kept = &s->kept[key];
    size_t max = SEARCH_MAX_ASKS / s->key_count;

    add_ask(s, key, s->value, max);
    for (size_t i = 0; i < kept->spelling_count; i++)
        add_ask(s, key, kept->spellings[i], max);
    add_ask(s, key, text_lower(a, s->value), max);
    if (!text_is_empty(s->value_raw))
        add_ask(s, key, s->value_raw, max);
    if (is_ascii(s->value)) {
        add_ask(s, key, with_capitals(a, s->value, CAPITAL_FIRST), max);
        add_ask(s, key, with_capitals(a, s->value, CAPITAL_ALL), max);
        add_ask(s, key, with_capitals(a, s->value, CAPITAL_WORDS), max);
    }
}

static bool is_fresh(const struct search *s)
{
    return !s->ledger_failed && s->last_us != TS_NONE &&
           s->rq->now_us - s->last_us < SEARCH_RECORD_OLD_US;
}

/*
 * How many pages of each list: where the record is up to date, the first one, for the newest and for what
 * the record cannot know yet. Without it, as many as it takes to fill this page of results and to know
 * that there is another one; all when filters decide what is on it.
 */
static int pages_wanted(const struct search *s)
{
    int64_t pages = s->page * SEARCH_PAGE_ROWS / LIST_PAGE_ROWS + 1;

    if (s->is_fresh)
        return 1;
    if (search_is_narrowed(s))
        return LIST_MAX_PAGES;
    return pages < LIST_MAX_PAGES ? (int)pages : LIST_MAX_PAGES;
}

void search_begin(struct search *s)
{
    if (text_is_empty(s->value))
        return;
    ask_record(s, MAX_KEPT);
    s->is_fresh = is_fresh(s);
    s->asks = arena_array(s->rq->arena, SEARCH_MAX_ASKS, sizeof *s->asks);
    for (size_t i = 0; i < s->key_count; i++)
        add_asks_of_key(s, i);
    for (size_t i = 0; i < s->ask_count; i++)
        s->asks[i].max_pages = pages_wanted(s);
}

void search_record(struct search *s, size_t limit)
{
    if (text_is_empty(s->value))
        return;
    ask_record(s, limit);
    search_unite_hits(s);
}

/* ---- E2B's list ---- */

static void note_running(struct search_ask *ask, const struct http_response *resp)
{
    char text[24];

    if (ask->running < 0 && http_header(resp, "X-Total-Running", text, sizeof text))
        parse_i64(text, 0, INT64_MAX, &ask->running);
}

/* The list's own next, but for the end: after so many pages of it. */
static bool next_page(struct http_call *call)
{
    struct search_ask *ask = (struct search_ask *)call;
    int before = ask->list.pages;

    if (call->req.url)
        note_running(ask, &call->resp);
    if (!ask->list_next(call))
        return false;
    if (ask->list.pages == before || ask->list.pages < ask->max_pages)
        return true;
    ask->has_more = true;
    return false;
}

size_t search_calls(struct search *s, struct http_call **calls, size_t n)
{
    for (size_t i = 0; i < s->ask_count; i++) {
        struct search_ask *ask = &s->asks[i];

        e2b_list_init(&ask->list, &s->rq->app->e2b, s->rq->arena, s->keys[ask->key],
                      ask->value);
        ask->list_next = ask->list.call.next;
        ask->list.call.next = next_page;
        calls[n++] = &ask->list.call;
    }
    s->is_asking = s->ask_count > 0;
    return n;
}

void search_release(struct search *s)
{
    for (size_t i = 0; i < s->ask_count && s->is_asking; i++)
        e2b_list_release(&s->asks[i].list);
    s->is_asking = false;
}

const struct source *search_failure(const struct search *s, bool *all)
{
    const struct source *failed = NULL, *partly = NULL;

    *all = s->is_asking;
    for (size_t i = 0; i < s->ask_count && s->is_asking; i++) {
        const struct source *src = &s->asks[i].list.src;

        if (src->state == SOURCE_OK)
            *all = false;
        if (!failed && src->state != SOURCE_OK)
            failed = src;
        if (!partly && src->err.kind != ERR_NONE)
            partly = src;
    }
    return failed ? failed : partly;
}

bool search_ask_is_whole(const struct search_ask *ask, enum sandbox_state state)
{
    const struct source *src = &ask->list.src;

    if (src->state != SOURCE_OK || src->is_cut || src->err.kind != ERR_NONE)
        return false;
    if (ask->list.is_v1 && state != SANDBOX_RUNNING) /* it lists running ones only */
        return false;
    return !ask->has_more;
}

bool search_is_narrowed(const struct search *s)
{
    return !text_is_empty(s->state) || !text_is_empty(s->template_name) ||
           s->started_from_us != TS_NONE || s->started_to_us != TS_NONE ||
           s->only_overlap;
}

bool search_is_partial(const struct search *s)
{
    for (size_t i = 0; i < s->ask_count; i++)
        if (s->asks[i].list.src.is_cut || (s->asks[i].has_more && !s->is_fresh))
            return true;
    return s->ledger_is_cut;
}
