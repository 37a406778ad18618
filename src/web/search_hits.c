/*
 * Uniting live list and record, for all sandboxes of the customer, in short. A sandbox that is in both has the
 * list's state, which is of now, and the record's beginning. All in memory: what it costs depends on the
 * customer's sandboxes only.
 */
#include "web/search.h"

#include "base/text.h"
#include "base/ts.h"
#include "sys/log.h"
#include "web/search_private.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

/* Two clocks tell an end: E2B's list and its events. */
#define SAME_END_US (60 * TS_SEC)

/* ---- all that was found ---- */

static struct search_hit *new_hit(struct search *s)
{
    s->hits =
        arena_grow(s->rq->arena, s->hits, s->hit_count, &s->hit_cap, sizeof *s->hits);
    return &s->hits[s->hit_count++];
}

static void add_listed(struct search *s, size_t at)
{
    struct search_ask *ask = &s->asks[at];

    for (size_t i = 0; i < ask->list.count; i++) {
        const struct sandbox *sb = &ask->list.sandboxes[i];

        *new_hit(s) = (struct search_hit){
            .id = sb->id,
            .template_id = sb->template_id,
            .template_alias = sb->template_alias,
            .asks = (uint64_t)1 << at,
            .keys = (uint32_t)1 << ask->key,
            .first_start_us = sb->started_us,
            .last_start_us = sb->started_us,
            .end_us = sb->state == SANDBOX_PAUSED ? sb->end_us : TS_NONE,
            .state = sb->state,
            .listed = sb};
    }
    ask->listed = ask->list.count;
}

/* Which of the asks has this tag and this spelling; SEARCH_MAX_ASKS: none, when there are too many. */
static size_t ask_of(const struct search *s, size_t key, const char *spelling)
{
    for (size_t i = 0; i < s->ask_count; i++)
        if (s->asks[i].key == key && strcmp(s->asks[i].value, spelling) == 0)
            return i;
    return SEARCH_MAX_ASKS;
}

static void add_kept(struct search *s, size_t key)
{
    const struct ledger_seeks *kept = &s->kept[key];
    size_t asks[LEDGER_SPELLINGS_MAX];

    for (size_t i = 0; i < kept->spelling_count; i++)
        asks[i] = ask_of(s, key, kept->spellings[i]);
    for (size_t i = 0; i < kept->count; i++) {
        const struct ledger_seek *k = &kept->items[i];
        size_t at =
            k->spelling < kept->spelling_count ? asks[k->spelling] : SEARCH_MAX_ASKS;

        *new_hit(s) =
            (struct search_hit){.id = k->sandbox_id,
                                .template_id = k->template_id,
                                .template_alias = "",
                                .asks = at < SEARCH_MAX_ASKS ? (uint64_t)1 << at : 0,
                                .keys = (uint32_t)1 << key,
                                .first_start_us = k->first_start_us,
                                .last_start_us = k->last_start_us,
                                .end_us = k->end_us,
                                .state = k->state,
                                .in_ledger = true};
        if (at < SEARCH_MAX_ASKS)
            s->asks[at].kept++;
    }
}

/* ---- one for each sandbox ---- */

static int by_id(const void *pa, const void *pb)
{
    const struct search_hit *x = pa, *y = pb;
    int order = strcmp(x->id, y->id);

    return order ? order : (y->listed != NULL) - (x->listed != NULL); /* listed first */
}

/* E2B still lists an older snapshot of one that ended after it (e2b.md 3.2). */
static bool is_old_snapshot(const struct search_hit *listed,
                            const struct search_hit *kept)
{
    return listed->state == SANDBOX_PAUSED && kept->state == SANDBOX_ENDED &&
           kept->end_us != TS_NONE && kept->end_us > listed->end_us + SAME_END_US;
}

/* The same sandbox, on record, into what is known from the list. */
static void take_kept(struct search_hit *into, const struct search_hit *kept)
{
    if (into->in_ledger)
        return;
    into->in_ledger = true;
    if (kept->first_start_us < into->first_start_us)
        into->first_start_us = kept->first_start_us;
    if (text_is_empty(into->template_id))
        into->template_id = kept->template_id;
    if (is_old_snapshot(into, kept)) {
        into->state = SANDBOX_ENDED;
        into->last_start_us = kept->last_start_us;
        into->end_us = kept->end_us;
    }
}

static void merge(struct search *s)
{
    size_t n = 0;

    if (s->hit_count)
        qsort(s->hits, s->hit_count, sizeof *s->hits, by_id);
    for (size_t i = 0; i < s->hit_count; i++) {
        const struct search_hit *h = &s->hits[i];
        struct search_hit *last = n ? &s->hits[n - 1] : NULL;

        if (!last || strcmp(last->id, h->id) != 0) {
            s->hits[n++] = *h;
            continue;
        }
        last->asks |= h->asks;
        last->keys |= h->keys;
        if (h->in_ledger)
            take_kept(last, h);
    }
    s->hit_count = n;
}

/* On record as living, and missing in a list that was read to its end. */
static void settle_gone(struct search *s)
{
    for (size_t i = 0; i < s->hit_count; i++) {
        struct search_hit *h = &s->hits[i];

        h->is_gone = h->state == SANDBOX_ENDED;
        for (size_t k = 0; !h->listed && !h->is_gone && k < s->ask_count; k++)
            h->is_gone = (h->asks >> k & 1) && search_ask_is_whole(&s->asks[k], h->state);
        if (h->is_gone)
            h->state = SANDBOX_ENDED;
    }
}

/* ---- filters ---- */

static const char *after_slash(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}

static bool is_named(const char *name, const char *wanted)
{
    return !text_is_empty(name) &&
           (text_ieq(name, wanted) || text_ieq(after_slash(name), wanted));
}

struct template_names {
    struct tag *items; /* key: id; value: name */
    size_t count, cap;
};

static void read_names(struct search *s, const char *const *ids, size_t n,
                       struct template_names *names)
{
    struct err err = ERR_INIT;
    struct tag *some;
    size_t count;

    if (ledger_template_names(s->rq->app->db, s->rq->arena, ids, n, &some, &count,
                              &err)) {
        s->details_failed = true;
        log_err(LOG_WARN, "names of templates", &err);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        names->items = arena_grow(s->rq->arena, names->items, names->count, &names->cap,
                                  sizeof *names->items);
        names->items[names->count++] = some[i];
    }
}

static int by_template(const void *pa, const void *pb)
{
    const struct search_hit *x = pa, *y = pb;

    return strcmp(x->template_id, y->template_id);
}

/* Hits in the order of their templates: those whose name is wanted get it as their alias. */
static void name_hits(struct search *s, const struct template_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        size_t low = 0, high = s->hit_count;

        while (low < high) {
            size_t mid = (low + high) / 2;

            if (strcmp(s->hits[mid].template_id, names->items[i].key) < 0)
                low = mid + 1;
            else
                high = mid;
        }
        for (; low < s->hit_count &&
               strcmp(s->hits[low].template_id, names->items[i].key) == 0;
             low++)
            if (text_is_empty(s->hits[low].template_alias))
                s->hits[low].template_alias = names->items[i].value;
    }
}

/* For a template given by its name: the record knows ids, and their names elsewhere. */
static void find_names(struct search *s)
{
    const char *ids[LEDGER_BATCH];
    struct template_names names = {.items = NULL};
    size_t n = 0;

    if (!s->rq->has_db || s->hit_count == 0)
        return;
    qsort(s->hits, s->hit_count, sizeof *s->hits, by_template);
    for (size_t i = 0; i < s->hit_count; i++) {
        if (i > 0 && by_template(&s->hits[i - 1], &s->hits[i]) == 0)
            continue;
        if (n == LEDGER_BATCH) {
            read_names(s, ids, n, &names);
            n = 0;
        }
        ids[n++] = s->hits[i].template_id;
    }
    read_names(s, ids, n, &names);
    name_hits(s, &names);
}

static bool is_state(enum sandbox_state state, const char *word)
{
    static const char *const words[] = {[SANDBOX_RUNNING] = "running",
                                        [SANDBOX_PAUSED] = "paused",
                                        [SANDBOX_ENDED] = "ended",
                                        [SANDBOX_OTHER] = "other"};

    return strcmp(words[state], word) == 0;
}

static bool is_wanted(const struct search *s, const struct search_hit *h)
{
    if (!text_is_empty(s->state) && !is_state(h->state, s->state))
        return false;
    if (!text_is_empty(s->template_name) && !is_named(h->template_id, s->template_name) &&
        !is_named(h->template_alias, s->template_name))
        return false;
    if (s->started_from_us != TS_NONE && h->first_start_us < s->started_from_us)
        return false;
    if (s->started_to_us != TS_NONE && h->first_start_us > s->started_to_us)
        return false;
    return !s->only_overlap || h->overlap == OVERLAP_YES || h->overlap == OVERLAP_MAYBE;
}

static void narrow(struct search *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->hit_count; i++)
        if (is_wanted(s, &s->hits[i]))
            s->hits[n++] = s->hits[i];
    s->hit_count = n;
}

static int newest_first(const void *pa, const void *pb)
{
    const struct search_hit *x = pa, *y = pb;

    if (x->first_start_us != y->first_start_us)
        return x->first_start_us < y->first_start_us ? 1 : -1;
    return strcmp(x->id, y->id);
}

static void sort(struct search *s)
{
    if (s->hit_count)
        qsort(s->hits, s->hit_count, sizeof *s->hits, newest_first);
}

static void count(struct search *s)
{
    for (size_t i = 0; i < s->hit_count; i++) {
        const struct search_hit *h = &s->hits[i];

        s->over_count += h->overlap == OVERLAP_YES || h->overlap == OVERLAP_MAYBE;
        s->listed_count += h->listed != NULL;
        s->only_kept_count += h->listed == NULL;
    }
}

/* A page behind the last one is the last one. */
static void turn_to_page(struct search *s)
{
    int64_t pages = ((int64_t)s->hit_count + SEARCH_PAGE_ROWS - 1) / SEARCH_PAGE_ROWS;

    if (s->page > pages)
        s->page = pages;
    if (s->page < 1)
        s->page = 1;
    s->first = (size_t)(s->page - 1) * SEARCH_PAGE_ROWS;
}

void search_unite_hits(struct search *s)
{
    for (size_t i = 0; i < s->ask_count; i++)
        add_listed(s, i);
    for (size_t i = 0; i < s->key_count; i++)
        add_kept(s, i);
    merge(s);
    s->all_count = s->hit_count;
    settle_gone(s);
    if (!text_is_empty(s->template_name))
        find_names(s);
    sort(s);
    search_mark_overlaps(s);
    narrow(s);
}

void search_unite(struct search *s)
{
    if (!s->is_asking)
        return;
    search_unite_hits(s);
    count(s);
    turn_to_page(s);
    search_make_rows(s);
}
