/* Lists: what is in them, and that a large store costs them no more than a small one. */
#include "store/st_finding.h"
#include "store/st_note.h"
#include "store/st_ticket.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define MANY 30000
#define FEW_ROWS 2000 /* of which reading the counters itself takes several hundred */

static struct inv_filter all(void)
{
    return (struct inv_filter){.cls = -1, .limit = 50};
}

static struct inv_rows list(const struct inv_filter *f)
{
    struct err err = ERR_INIT;
    struct inv_rows rows;

    assert_ok(inv_list(db, &arena, f, &rows, &err));
    return rows;
}

static void a_row_has_everything_a_list_shows(void **state)
{
    struct err err = ERR_INIT;
    struct ticket t = {
        .id = 501,
        .subject = "It stops",
        .status = "open",
        .created_us = T0,
        .organization = "Ana & Co",
        .requester = {.name = "Ana", .email = "a@b.c"}
    };
    struct inv_filter f = all();
    struct investigation inv;
    struct note_result closed = {.state = NOTE_CLOSED, .error = "closed"};
    struct issue_correction linked = {.at_us = T0,
                                      .by = "ada",
                                      .identifier = "SUP-9",
                                      .url = "https://l/9",
                                      .issue_id = "u9",
                                      .title = ""};
    struct issue_correction unlinked = {.at_us = T0,
                                        .by = "ada",
                                        .identifier = "",
                                        .url = "",
                                        .issue_id = "",
                                        .title = ""};
    struct inv_rows rows;
    struct note n;

    (void)state;
    assert_ok(ticket_seen(db, &t, "ada", T0, &err));
    inv = finished(new_sandbox(), 501, CLASS_OUT_OF_MEMORY, "row", "tpl-row");
    hold(&inv);
    assert_ok(note_prepare(db, &arena, &inv, 501, "marker-row", "", T0, &n, &err));
    assert_ok(note_set(db, &inv, "marker-row", &closed, T0, &err));
    let_go(&inv);
    f.ticket_id = 501;
    rows = list(&f);
    assert_int_equal(rows.count, 1);
    assert_false(rows.has_more);
    assert_int_equal(rows.items[0].inv.id, inv.id);
    assert_true(rows.items[0].has_finding);
    assert_int_equal(rows.items[0].cls, CLASS_OUT_OF_MEMORY);
    assert_int_equal(rows.items[0].confidence, CONFIDENCE_HIGH);
    assert_string_equal(rows.items[0].headline, "The program ran out of memory");
    assert_string_equal(rows.items[0].template_id, "tpl-row");
    assert_string_equal(rows.items[0].template_alias, "team/py");
    assert_string_equal(rows.items[0].ticket_subject, "It stops");
    assert_string_equal(rows.items[0].organization, "Ana & Co");
    assert_int_equal(rows.items[0].outcome, LINEAR_OUTCOME_NOT_FILED);
    assert_int_equal(rows.items[0].note, NOTE_CLOSED);
    assert_true(rows.items[0].failed_at_us == T0 + TS_SEC);
    assert_string_equal(rows.items[0].issue_identifier, "");
    /* a person's correction stands above what was decided; the newest counts */
    assert_ok(correction_add(db, inv.id, &linked, &err));
    assert_string_equal(list(&f).items[0].issue_id, "u9");
    assert_string_equal(list(&f).items[0].issue_identifier, "SUP-9");
    assert_ok(correction_add(db, inv.id, &unlinked, &err));
    assert_string_equal(list(&f).items[0].issue_identifier, "");
}

static void a_further_ticket_has_it_in_its_lists(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv =
        finished(new_sandbox(), 511, CLASS_OUT_OF_MEMORY, "both", "tpl-both");
    struct note_result closed = {.state = NOTE_CLOSED, .error = "closed"};
    struct inv_filter f = all();
    int64_t ids[] = {511, 512, 513}, counts[CLASS_COUNT];
    struct inv_rows rows;
    struct note n;

    (void)state;
    assert_ok(inv_add_ticket(db, inv.id, 512, "bob", T0, &err));
    hold(&inv);
    assert_ok(note_prepare(db, &arena, &inv, 512, "marker-512", "", T0, &n, &err));
    assert_ok(note_set(db, &inv, "marker-512", &closed, T0, &err));
    let_go(&inv);
    f.ticket_id = 512;
    rows = list(&f);
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.items[0].inv.id, inv.id);
    assert_int_equal(rows.items[0].inv.ticket_id, 512); /* told for this one */
    assert_int_equal(rows.items[0].note, NOTE_CLOSED);
    assert_ok(inv_count_by_class(db, &f, counts, &err));
    assert_int_equal(counts[CLASS_OUT_OF_MEMORY], 1);
    f.ticket_id = 511;
    assert_int_equal(list(&f).items[0].note, NOTE_NONE); /* of its own there is none */
    assert_ok(inv_list_for_tickets(db, &arena, ids, 3, &rows, &err));
    assert_int_equal(rows.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(rows.items[i].inv.id, inv.id);
        assert_int_equal(rows.items[i].note,
                         rows.items[i].inv.ticket_id == 512 ? NOTE_CLOSED : NOTE_NONE);
    }
}

static void an_unfinished_one_has_no_finding(void **state)
{
    struct err err = ERR_INIT;
    const char *sandbox = new_sandbox();
    struct investigation inv;
    struct inv_filter f = all();
    struct inv_rows rows;
    bool is_new;

    (void)state;
    assert_ok(inv_queue(db, &arena, sandbox, 0, "ada", T0, &inv, &is_new, &err));
    f.sandbox_id = sandbox;
    rows = list(&f);
    assert_int_equal(rows.count, 1);
    assert_false(rows.items[0].has_finding);
    assert_int_equal(rows.items[0].note, NOTE_NONE);
    assert_int_equal(rows.items[0].outcome, LINEAR_OUTCOME_NONE);
    assert_string_equal(rows.items[0].organization, "");
    f.cls = CLASS_TIMEOUT;
    assert_int_equal(list(&f).count, 0);
    assert_ok(inv_cancel(db, inv.id, "ada", T0, &err));
}

static void an_organization_seen_later_is_put_in(void **state)
{
    struct err err = ERR_INIT;
    struct investigation inv;
    struct ticket t = {
        .id = 502,
        .subject = "s",
        .status = "open",
        .created_us = T0,
        .organization = "Later Ltd",
        .requester = {.name = "", .email = ""}
    };
    struct inv_filter f = all();
    bool is_new;

    (void)state;
    assert_ok(inv_queue(db, &arena, new_sandbox(), 502, "ada", T0, &inv, &is_new, &err));
    f.organization = "Later Ltd";
    assert_int_equal(list(&f).count, 0);
    assert_ok(ticket_seen(db, &t, "ada", T0, &err));
    assert_int_equal(list(&f).count, 1);
    assert_ok(inv_cancel(db, inv.id, "ada", T0, &err));
}

static void pages_follow_each_other(void **state)
{
    struct inv_filter f = all();
    int64_t seen[5];

    (void)state;
    for (int i = 0; i < 5; i++)
        finished(new_sandbox(), 0, CLASS_CRASHED, "pages", "tpl-pages");
    f.template_id = "tpl-pages";
    f.limit = 2;
    for (int i = 0; i < 5; i++) {
        struct inv_rows rows = list(&f);

        assert_int_equal(rows.count, i < 4 ? 2 : 1);
        assert_int_equal(rows.has_more, i < 3);
        seen[i] = rows.items[0].inv.id;
        assert_true(i == 0 || seen[i] < seen[i - 1]);
        f.before_id = seen[i];
    }
    assert_int_equal(list(&f).count, 0);
}

static void the_newest_of_each_is_found(void **state)
{
    struct err err = ERR_INIT;
    const char *ids[3] = {new_sandbox(), new_sandbox(), new_sandbox()};
    int64_t tickets[] = {601, 602, 603};
    struct investigation a, b;
    struct inv_rows rows;

    (void)state;
    finished(ids[0], 601, CLASS_TIMEOUT, "n", "tpl");
    a = finished(ids[0], 601, CLASS_CRASHED, "n", "tpl");
    b = finished(ids[1], 602, CLASS_TIMEOUT, "n", "tpl");
    assert_ok(
        inv_cancel(db, claimed(ids[1], 602).id, "x", T0, &err)); /* newer, no finding */
    assert_ok(inv_list_for_sandboxes(db, &arena, ids, 3, &rows, &err));
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.items[0].inv.id, b.id);
    assert_int_equal(rows.items[1].inv.id, a.id);
    assert_ok(inv_list_for_tickets(db, &arena, tickets, 3, &rows, &err));
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.items[1].inv.id, a.id);
    assert_ok(inv_list_for_sandboxes(db, &arena, ids, 0, &rows, &err));
    assert_int_equal(rows.count, 0);
}

static void classes_are_counted_under_the_filter(void **state)
{
    struct err err = ERR_INIT;
    struct inv_filter f = all();
    int64_t n[CLASS_COUNT];

    (void)state;
    for (int i = 0; i < 3; i++)
        finished(new_sandbox(), 0, CLASS_TIMEOUT, "count", "tpl-count");
    finished(new_sandbox(), 0, CLASS_UNDETERMINED, "", "tpl-count");
    f.template_id = "tpl-count";
    f.cls = CLASS_CRASHED; /* ignored here */
    f.limit = 1;
    assert_ok(inv_count_by_class(db, &f, n, &err));
    assert_int_equal(n[CLASS_TIMEOUT], 3);
    assert_int_equal(n[CLASS_UNDETERMINED], 1);
    assert_int_equal(n[CLASS_CRASHED], 0);
}

/* ---- many ---- */

static void fill(void)
{
    must_exec(
        "INSERT INTO investigation (sandbox_id, ticket_id, state, requested_by, "
        "created_us, "
        "run_after_us, class, signature_hash, template_id, organization) "
        "SELECT CONCAT('many', seq), 1000000 + seq DIV 2, 'done', "
        "CONCAT('user', seq % 20), ? + seq, 0, "
        "ELT(1 + seq % 3, 'timeout', 'crashed', 'undetermined'), "
        "CONCAT('sig', seq % 3000), CONCAT('tpl', seq % 50), CONCAT('org', seq % 500) "
        "FROM seq_1_to_30000",
        "i", T0);
    must_exec(
        "INSERT INTO finding SELECT id, class, '', 'low', 'h', 's', signature_hash, "
        "template_id, '', NULL, 1, created_us, '{}' FROM investigation "
        "WHERE sandbox_id LIKE 'many%' AND id > ?",
        "i", 0);
    must_exec("ANALYZE TABLE investigation", "", 0);
    must_exec("ANALYZE TABLE finding", "", 0);
}

/* The rows that were read between two looks at the counters. */
static int64_t cost_from;

static void cost_begin(void)
{
    rows_read();
    cost_from = rows_read();
}

static void cost_is_small(const char *what)
{
    int64_t rows = rows_read() - cost_from;

    if (rows > FEW_ROWS)
        fail_msg("%s: %lld rows were read", what, (long long)rows);
}

static void the_measure_itself_notices_a_scan(void **state)
{
    (void)state;
    cost_begin();
    number("SELECT COUNT(*) FROM investigation WHERE created_us % 7 = 1");
    assert_true(rows_read() - cost_from > MANY);
    cost_begin();
    cost_is_small("nothing");
}

static void each_filter_has_an_index(void **state)
{
    /* clang-format off */
    static const struct inv_filter filters[] = {
        {.cls = -1},
        {.cls = CLASS_OUT_OF_MEMORY}, /* rare */
        {.cls = CLASS_TIMEOUT},       /* common */
        {.cls = -1, .template_id = "tpl7"},
        {.cls = -1, .template_id = "none"},
        {.cls = -1, .signature_hash = "sig11"},
        {.cls = -1, .by = "user3"},
        {.cls = -1, .organization = "org77"},
        {.cls = -1, .ticket_id = 1000700},
        {.cls = -1, .sandbox_id = "many123"},
        {.cls = CLASS_CRASHED, .signature_hash = "sig1"},
        {.cls = CLASS_OUT_OF_MEMORY, .template_id = "tpl7"},
        {.cls = -1, .organization = "org77", .template_id = "tpl27"},
        {.cls = -1, .by = "nobody", .template_id = "tpl7"},
    };
    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        struct inv_filter f = filters[i];

        f.limit = 50;
        cost_begin();
        list(&f);
        cost_is_small(arena_fmt(&arena, "filter %zu", i));
        f.before_id = 5000;
        cost_begin();
        list(&f);
        cost_is_small(arena_fmt(&arena, "filter %zu, a later page", i));
    }
}

static void the_other_questions_have_an_index(void **state)
{
    struct err err = ERR_INIT;
    const char *ids[100];
    int64_t tickets[100], n, oldest;
    struct investigation inv;
    struct inv_rows rows;

    (void)state;
    for (int i = 0; i < 100; i++) {
        ids[i] = arena_fmt(&arena, "many%d", i * 31 + 1);
        tickets[i] = 1000000 + i * 17 + 1;
    }
    cost_begin();
    assert_ok(inv_list_for_sandboxes(db, &arena, ids, 100, &rows, &err));
    assert_int_equal(rows.count, 100);
    cost_is_small("for sandboxes");
    cost_begin();
    assert_ok(inv_list_for_tickets(db, &arena, tickets, 100, &rows, &err));
    assert_int_equal(rows.count, 100);
    cost_is_small("for tickets");
    cost_begin();
    assert_ok(inv_latest(db, &arena, "many5", &inv, &err));
    assert_ok(inv_latest_with_finding(db, &arena, "many5", &inv, &err));
    assert_ok(inv_queue_depth(db, &n, &oldest, &err));
    assert_err(inv_claim(db, &arena, "w", T0 - 1, 1, &inv, &err), ERR_NOTFOUND);
    cost_is_small("one, the depth and the claim");
}

static int group_setup(void **state)
{
    (void)state;
    return 0;
}

static int fill_setup(void **state)
{
    (void)state;
    fill();
    return 0;
}

static int fill_teardown(void **state)
{
    (void)state;
    must_exec("DELETE FROM investigation WHERE sandbox_id LIKE 'many%' AND id > ?", "i",
              0);
    return 0;
}

int test_lists(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_has_everything_a_list_shows),
        cmocka_unit_test(a_further_ticket_has_it_in_its_lists),
        cmocka_unit_test(an_unfinished_one_has_no_finding),
        cmocka_unit_test(an_organization_seen_later_is_put_in),
        cmocka_unit_test(pages_follow_each_other),
        cmocka_unit_test(the_newest_of_each_is_found),
        cmocka_unit_test(classes_are_counted_under_the_filter),
    };
    const struct CMUnitTest many[] = {
        cmocka_unit_test(the_measure_itself_notices_a_scan),
        cmocka_unit_test(each_filter_has_an_index),
        cmocka_unit_test(the_other_questions_have_an_index),
    };

    return cmocka_run_group_tests_name("store: lists", tests, group_setup, NULL) +
           cmocka_run_group_tests_name("store: many", many, fill_setup, fill_teardown);
}
