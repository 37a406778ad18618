/*
 * The sandbox search without any service: uniting list and record, one row for each sandbox, spellings, who is
 * gone, filters, pages, and what overlaps the complaint window by the short form alone.
 */
#include "test_view_world.h"

#include <stdlib.h>
#include <string.h>

#include "base/ts.h"
#include "web/search.h"

#include "base/banned.h"

#define MAX_ROWS 400

static struct search_ask asks[4];
static struct sandbox listed[4][MAX_ROWS];
static struct tag tags[4][MAX_ROWS];
static struct ledger_seek kept[2][MAX_ROWS];
static const char *const spellings[] = {"ann", "Ann"};
static const char *const own_spellings[2][2] = {
    {"ann", "Ann"},
    {"ann", "Ann"}
};

/* Tags userId and org; asks 0 and 1 are userId=ann and userId=Ann, 2 and 3 the same of org. All lists whole. */
static struct search begin(struct view_world *w)
{
    struct search s = {
        .rq = &w->rq,
        .value = "ann",
        .keys = {"userId", "org"},
        .key_count = 2,
        .state = "",
        .template_name = "",
        .started_from_us = TS_NONE,
        .started_to_us = TS_NONE,
        .from_us = TS_NONE,
        .to_us = TS_NONE,
        .page = 1,
        .asks = asks,
        .ask_count = 4,
        .is_asking = true
    };

    memset(asks, 0, sizeof asks);
    for (size_t i = 0; i < 4; i++) {
        asks[i].key = i / 2;
        asks[i].value = spellings[i % 2];
        asks[i].is_variant = i % 2 == 1;
        asks[i].list.src.state = SOURCE_OK;
        asks[i].list.sandboxes = listed[i];
    }
    for (size_t i = 0; i < 2; i++) {
        s.kept[i].items = kept[i];
        s.kept[i].spellings = (const char **)own_spellings[i];
        s.kept[i].spelling_count = 2;
    }
    return s;
}

static void list(size_t ask, const char *id, enum sandbox_state state, const char *start,
                 const char *end)
{
    struct e2b_list *l = &asks[ask].list;
    struct tag *tag = &tags[ask][l->count];

    *tag = (struct tag){ask / 2 ? "org" : "userId", asks[ask].value};
    listed[ask][l->count++] = (struct sandbox){.id = id,
                                               .template_id = "tpl1",
                                               .template_alias = "report-py",
                                               .state = state,
                                               .state_text = "",
                                               .started_us = at(start),
                                               .end_us = at(end),
                                               .envd_version = "",
                                               .on_timeout = "",
                                               .tags = tag,
                                               .tag_count = 1};
}

static void keep(struct search *s, size_t key, size_t spelling, const char *id,
                 enum sandbox_state state, const char *first, const char *last,
                 const char *end)
{
    kept[key][s->kept[key].count++] =
        (struct ledger_seek){.sandbox_id = id,
                             .template_id = "tpl2",
                             .first_start_us = at(first),
                             .last_start_us = at(last),
                             .end_us = *end ? at(end) : TS_NONE,
                             .state = state,
                             .spelling = spelling};
}

static const struct search_hit *hit(const struct search *s, const char *id)
{
    for (size_t i = 0; i < s->hit_count; i++)
        if (strcmp(s->hits[i].id, id) == 0)
            return &s->hits[i];
    fail_msg("no sandbox %s", id);
    return NULL;
}

/* The ids in their order, with blanks between. */
static const char *order(const struct view_world *w, const struct search *s)
{
    char *out = arena_str((struct arena *)&w->arena, "");

    for (size_t i = 0; i < s->hit_count; i++)
        out = arena_fmt((struct arena *)&w->arena, "%s%s%s", out, i ? " " : "",
                        s->hits[i].id);
    return out;
}

static void test_one_row_each(void **state)
{
    struct view_world *w = view_begin();
    struct search s = begin(w);

    (void)state;
    list(0, "i1", SANDBOX_RUNNING, "14:00", "16:00");
    list(2, "i1", SANDBOX_RUNNING, "14:00", "16:00"); /* under both tags */
    list(0, "i3", SANDBOX_RUNNING, "12:00", "16:00");
    keep(&s, 0, 0, "i1", SANDBOX_RUNNING, "11:00", "14:00", "");
    keep(&s, 1, 0, "i1", SANDBOX_RUNNING, "11:00", "14:00", "");
    keep(&s, 0, 0, "i2", SANDBOX_ENDED, "13:00", "13:00", "13:30");
    search_unite(&s);
    assert_string_equal(order(w, &s), "i2 i3 i1"); /* by their very first start */
    assert_int_equal(s.all_count, 3);
    assert_int_equal(s.listed_count, 2);
    assert_int_equal(s.only_kept_count, 1);
    assert_int_equal(hit(&s, "i1")->keys, 3);
    assert_true(hit(&s, "i1")->in_ledger);
    assert_int_equal(s.row_count, 3);
    assert_int_equal(s.rows[2].matched_count, 2);
    assert_string_equal(s.rows[2].matched[0].key, "userId");
    assert_string_equal(s.rows[2].matched[1].key, "org");
    assert_true(s.rows[1].in_list);
    assert_false(s.rows[1].in_ledger);
    view_end(w);
}

static void test_spellings(void **state)
{
    struct view_world *w = view_begin();
    struct search s = begin(w);

    (void)state;
    list(1, "i1", SANDBOX_RUNNING, "14:00", "16:00");
    keep(&s, 0, 1, "i2", SANDBOX_RUNNING, "13:00", "13:00", "");
    keep(&s, 0, LEDGER_SPELLING_OTHER, "i3", SANDBOX_ENDED, "12:00", "12:00", "12:10");
    search_unite(&s);
    assert_string_equal(order(w, &s), "i1 i2 i3");
    assert_string_equal(s.rows[0].matched[0].spelling, "Ann");
    assert_int_equal(asks[1].listed, 1);
    assert_int_equal(asks[1].kept, 1);
    assert_int_equal(asks[0].listed + asks[0].kept, 0);
    assert_int_equal(hit(&s, "i3")->keys,
                     1); /* a spelling too many still matches its tag */
    view_end(w);
}

/* On record as running, and not in the list: gone, but only where the list was read to its end. */
static void test_gone(void **state)
{
    struct view_world *w = view_begin();
    struct search s;

    (void)state;
    for (int i = 0; i < 5; i++) {
        s = begin(w);
        keep(&s, 0, 0, "i1", SANDBOX_RUNNING, "13:00", "13:00", "");
        asks[0].has_more = i == 1;
        asks[0].list.src.is_cut = i == 2;
        if (i == 3)
            asks[0].list.src.state = SOURCE_FAILED;
        if (i == 4)
            err_set(&asks[0].list.src.err, ERR_UPSTREAM, "a row is unreadable");
        search_unite(&s);
        assert_int_equal(hit(&s, "i1")->state, i ? SANDBOX_RUNNING : SANDBOX_ENDED);
        assert_int_equal(s.rows[0].timeline.state, i ? SANDBOX_RUNNING : SANDBOX_ENDED);
        assert_int_equal(s.rows[0].is_unlooked, i != 0);
    }
    s = begin(w); /* the other tag's list says nothing about it */
    keep(&s, 0, 0, "i1", SANDBOX_PAUSED, "13:00", "13:00", "13:10");
    asks[0].list.src.state = SOURCE_FAILED;
    search_unite(&s);
    assert_int_equal(hit(&s, "i1")->state, SANDBOX_PAUSED);
    s = begin(w); /* the old route lists running ones only */
    keep(&s, 0, 0, "i1", SANDBOX_PAUSED, "13:00", "13:00", "13:10");
    keep(&s, 0, 0, "i2", SANDBOX_RUNNING, "12:00", "12:00", "");
    asks[0].list.is_v1 = true;
    search_unite(&s);
    assert_int_equal(hit(&s, "i1")->state, SANDBOX_PAUSED);
    assert_int_equal(hit(&s, "i2")->state, SANDBOX_ENDED);
    view_end(w);
}

/* It was paused once, resumed, and ended; E2B lists the snapshot of then. */
static void test_old_snapshot(void **state)
{
    struct view_world *w = view_begin();
    struct search s = begin(w);

    (void)state;
    list(0, "i1", SANDBOX_PAUSED, "12:00", "12:30");
    keep(&s, 0, 0, "i1", SANDBOX_ENDED, "12:00", "13:00", "13:30");
    list(0, "i2", SANDBOX_PAUSED, "11:00", "11:30");
    keep(&s, 0, 0, "i2", SANDBOX_ENDED, "11:00", "11:00", "11:30");
    search_unite(&s);
    assert_int_equal(hit(&s, "i1")->state, SANDBOX_ENDED);
    assert_true(s.rows[0].timeline.has_old_snapshot);
    assert_int_equal(hit(&s, "i2")->state, SANDBOX_PAUSED); /* the list is newer */
    view_end(w);
}

/* ---- filters ---- */

static struct search with_five(struct view_world *w)
{
    struct search s = begin(w);

    list(0, "i1", SANDBOX_RUNNING, "14:30", "16:00");
    list(0, "i2", SANDBOX_PAUSED, "14:00", "14:20");
    keep(&s, 0, 0, "i3", SANDBOX_ENDED, "13:00", "13:00", "13:30");
    keep(&s, 0, 0, "i4", SANDBOX_ENDED, "12:00", "12:00", "12:30");
    keep(&s, 0, 0, "i5", SANDBOX_RUNNING, "11:00", "11:00", ""); /* gone */
    return s;
}

static void test_filters(void **state)
{
    struct view_world *w = view_begin();
    struct search s = with_five(w);

    (void)state;
    assert_false(search_is_narrowed(&s));
    s.state = "ended";
    assert_true(search_is_narrowed(&s));
    search_unite(&s);
    assert_string_equal(order(w, &s), "i3 i4 i5");
    assert_int_equal(s.all_count, 5);
    s = with_five(w);
    s.state = "paused";
    search_unite(&s);
    assert_string_equal(order(w, &s), "i2");
    s = with_five(w);
    s.template_name = "TPL2";
    search_unite(&s);
    assert_string_equal(order(w, &s), "i3 i4 i5");
    s = with_five(w);
    s.template_name = "report-py";
    search_unite(&s);
    assert_string_equal(order(w, &s), "i1 i2");
    s = with_five(w);
    s.started_from_us = at("12:00");
    s.started_to_us = at("14:00");
    search_unite(&s);
    assert_string_equal(order(w, &s), "i2 i3 i4"); /* bounds belong to it */
    view_end(w);
}

static void test_only_overlap(void **state)
{
    struct view_world *w = view_begin();
    struct search s = with_five(w);

    (void)state;
    s.from_us = at("13:10");
    s.to_us = at("14:10");
    s.only_overlap = true;
    search_unite(&s);
    assert_string_equal(order(w, &s), "i2 i3 i5"); /* i5 may: nobody knows its end */
    assert_int_equal(hit(&s, "i2")->overlap, OVERLAP_YES);
    assert_int_equal(hit(&s, "i5")->overlap, OVERLAP_MAYBE);
    assert_int_equal(s.over_count, 3);
    s = with_five(w);
    s.from_us = at("13:10");
    s.to_us = at("14:10");
    search_unite(&s);
    assert_int_equal(s.hit_count, 5);
    assert_int_equal(s.over_count, 3);
    view_end(w);
}

/* Running from 12:00 to some time, and again from 14:00: the gap is known to be one only from its runs. */
static void test_overlap_by_last_execution(void **state)
{
    struct view_world *w = view_begin();
    struct search s = begin(w);

    (void)state;
    keep(&s, 0, 0, "i1", SANDBOX_ENDED, "12:00", "14:00", "14:30");
    s.from_us = at("14:10");
    s.to_us = at("14:20");
    search_unite(&s);
    assert_int_equal(hit(&s, "i1")->overlap, OVERLAP_YES);
    s = begin(w);
    keep(&s, 0, 0, "i1", SANDBOX_ENDED, "12:00", "14:00", "14:30");
    s.from_us = at("14:31");
    s.to_us = at("14:40");
    search_unite(&s);
    assert_int_equal(hit(&s, "i1")->overlap, OVERLAP_BEFORE);
    view_end(w);
}

/* ---- pages ---- */

static void fill_up(struct search *s, size_t n)
{
    static char ids[MAX_ROWS][8];

    for (size_t i = 0; i < n; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "i%03zu", i);
        kept[0][i] = (struct ledger_seek){.sandbox_id = ids[i],
                                          .template_id = "",
                                          .first_start_us = at("13:00") - (int64_t)i,
                                          .last_start_us = at("13:00") - (int64_t)i,
                                          .end_us = at("13:10"),
                                          .state = SANDBOX_ENDED};
    }
    s->kept[0].count = n;
}

static void test_pages_to_the_end(void **state)
{
    struct view_world *w = view_begin();
    size_t seen = 0;
    struct search s;

    (void)state;
    for (int64_t page = 1; page <= 7; page++) {
        s = begin(w);
        fill_up(&s, 312);
        s.page = page;
        search_unite(&s);
        assert_int_equal(s.hit_count, 312);
        for (size_t i = 0; i < s.row_count; i++, seen++)
            assert_int_equal(strtol(s.rows[i].sandbox_id + 1, NULL, 10), seen);
    }
    assert_int_equal(seen, 312);
    s = begin(w);
    fill_up(&s, 312);
    s.page = 900; /* behind the end: the last one */
    search_unite(&s);
    assert_int_equal(s.page, 7);
    assert_int_equal(s.row_count, 12);
    s = begin(w);
    search_unite(&s);
    assert_int_equal(s.page, 1);
    assert_int_equal(s.row_count, 0);
    view_end(w);
}

/* ---- what is asked ---- */

static const char *asked(struct view_world *w, const struct search *s, size_t key)
{
    char *out = arena_str(&w->arena, "");

    for (size_t i = 0; i < s->ask_count; i++)
        if (s->asks[i].key == key)
            out = arena_fmt(&w->arena, "%s[%s]%s", out, s->asks[i].value,
                            s->asks[i].is_variant ? "" : "*");
    return out;
}

static void test_asks(void **state)
{
    struct view_world *w = view_begin();
    struct search s = {
        .rq = &w->rq,
        .state = "",
        .template_name = "",
        .started_from_us = TS_NONE,
        .started_to_us = TS_NONE,
        .value = "Ann B",
        .value_raw = " Ann B",
        .keys = {"userId", "org"},
        .key_count = 2,
        .page = 1
    };

    (void)state;
    search_begin(&s); /* without a database */
    assert_true(s.ledger_failed);
    assert_string_equal(asked(w, &s, 0), "[Ann B]*[ann b][ Ann B][Ann b][ANN B]");
    assert_string_equal(asked(w, &s, 1), asked(w, &s, 0));
    s = (struct search){.rq = &w->rq,
                        .state = "",
                        .template_name = "",
                        .started_from_us = TS_NONE,
                        .started_to_us = TS_NONE,
                        .value = "1204",
                        .value_raw = "1204",
                        .keys = {"userId"},
                        .key_count = 1,
                        .page = 1};
    search_begin(&s);
    assert_string_equal(asked(w, &s, 0), "[1204]*");
    assert_int_equal(s.asks[0].max_pages, 1);
    s.page = 2; /* rows 51 to 100: whether there is a third page is on E2B's second */
    s.ask_count = 0;
    search_begin(&s);
    assert_int_equal(s.asks[0].max_pages, 2);
    s.page = 5; /* rows 201 to 250, of a list with 100 a page */
    s.ask_count = 0;
    search_begin(&s);
    assert_int_equal(s.asks[0].max_pages, 3);
    s.page = 1000;
    s.ask_count = 0;
    search_begin(&s);
    assert_int_equal(s.asks[0].max_pages, 20);
    s.page = 1;
    s.state = "paused"; /* which page those are on cannot be known */
    s.ask_count = 0;
    search_begin(&s);
    assert_int_equal(s.asks[0].max_pages, 20);
    s = (struct search){.rq = &w->rq,
                        .value = "",
                        .value_raw = "",
                        .keys = {"userId"},
                        .key_count = 1,
                        .page = 1};
    search_begin(&s);
    assert_int_equal(s.ask_count, 0);
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_row_each),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_gone),
        cmocka_unit_test(test_old_snapshot),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_only_overlap),
        cmocka_unit_test(test_overlap_by_last_execution),
        cmocka_unit_test(test_pages_to_the_end),
        cmocka_unit_test(test_asks),
    };

    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
