/* The lookup's rows, the window form, and messages with their marks and margin notes. */
#include "test_view_world.h"

#include <string.h>

#include "base/ts.h"
#include "web/view_ticket.h"

#include "base/banned.h"

#define WINDOW_1347 "from=2026-11-24T13%3A47%3A00Z&to=2026-11-24T14%3A17%3A00Z"

static const struct ticket ticket = {
    .id = 48213,
    .subject = "Report job dies",
    .status = "hold",
    .excerpt = "It says terminated",
    .requester = {.id = 7, .name = "Priya", .email = "priya@b.example"},
    .organization = "Brightwater",
};

static struct comment message(const char *body, const char *clock)
{
    return (struct comment){
        .id = 1,
        .at_us = at(clock),
        .is_public = true,
        .author = {.id = 7, .name = "Priya", .role = "end-user"},
        .body = body,
        .note_marker = ""
    };
}

static void talk(struct view_world *w, const struct comment *c, size_t n)
{
    struct phrase_set *phrases = phrase_set_new();
    struct time_reader *times = time_reader_new();

    w->link.ticket_id = 48213;
    view_fresh(w);
    view_comments(w->hdf, &w->link, &ticket, c, n, phrases, times);
    phrase_set_free(phrases);
    time_reader_free(times);
}

static void test_rows(void **state)
{
    struct view_world *w = view_begin();
    struct inv_row found = {
        .inv = {.id = 17,
                .sandbox_id = "i7",
                .ticket_id = 48213,
                .state = INV_DONE,
                .requested_by = "maya",
                .created_us = at("15:00"),
                .started_us = at("15:00"),
                .finished_us = at("15:01"),
                .failure = ""},
        .has_finding = true,
        .cls = CLASS_CRASHED,
        .template_alias = "",
    };
    struct inv_rows known = {.items = &found, .count = 1};
    struct ticket t = ticket;

    (void)state;
    t.created_us = at("13:04:49");
    view_ticket_row(w->hdf, &w->link, &t, &known);
    want(w, "Id", "48213");
    want(w, "Href", "/casebook/tickets/48213");
    want(w, "Status", "On-hold");
    want(w, "Tile", "H");
    want(w, "Created.Text", "24 Nov 13:04");
    want(w, "Age", "2 h ago");
    want(w, "Requester", "Priya");
    want(w, "Email", "priya@b.example");
    want(w, "Verdict.ClassWord", "Crashed");
    want(w, "Verdict.By", "maya");
    view_fresh(w);
    found.inv.ticket_id = 5; /* of another */
    view_ticket_row(w->hdf, &w->link, &t, &known);
    want(w, "Verdict.ClassWord", "");
    view_end(w);
}

static void test_head(void **state)
{
    struct view_world *w = view_begin();
    struct ticket t = ticket;

    (void)state;
    t.created_us = TS_NONE;
    t.status = "closed";
    t.requester.is_suspended = true;
    view_ticket_head(w->hdf, &t, w->rq.now_us);
    want(w, "Ticket.Subject", "Report job dies");
    want(w, "Ticket.Created.Text", "");
    want(w, "Ticket.IsClosed", "1");
    want(w, "Ticket.IsSuspended", "1");
    view_end(w);
}

static void test_window_form(void **state)
{
    struct view_world *w = view_begin();
    struct window_proposal p[] = {
        {at("13:55"), at("14:10"), "between", "Priya wrote it",     1},
        {at("12:04"), at("13:04"), "",        "the hour before it", 0},
    };

    (void)state;
    w->link.ticket_id = 48213;
    window(w, "13:55", "14:10");
    view_window_form(w->hdf, &w->link, "x", "y", NULL, p, 2);
    want(w, "Window.From", "2026-11-24 13:55");
    want(w, "Window.To", "2026-11-24 14:10");
    want(w, "Window.IsSet", "1");
    want(w, "Window.Action", "/casebook/tickets/48213/sandboxes");
    want(w, "Window.Self", "/casebook/tickets/48213");
    want(w, "Window.Proposals.0.From.Text", "24 Nov 13:55");
    want(w, "Window.Proposals.0.To.Text", "14:10");
    want(w, "Window.Proposals.0.IsChosen", "1");
    want(w, "Window.Proposals.1.IsChosen", "");
    want(w, "Window.Proposals.1.Href",
         "/casebook/tickets/48213?from=2026-11-24T12%3A04%3A00Z&to=2026-11-24T13%3A04%"
         "3A00Z");
    view_fresh(w); /* what was typed stands there again */
    w->link.from_us = w->link.to_us = TS_NONE;
    view_window_form(w->hdf, &w->link, "noon", "13 o'clock", "Write a time.", p, 2);
    want(w, "Window.From", "noon");
    want(w, "Window.To", "13 o'clock");
    want(w, "Window.Error", "Write a time.");
    want(w, "Window.IsSet", "");
    view_end(w);
}

static void test_messages(void **state)
{
    static const char *const names[] = {"trace.txt", "screen.png"};
    struct view_world *w = view_begin();
    struct comment c[] = {message("Hello", "14:02:00"), message("A note", "14:14:00"),
                          message("By Zendesk", "14:14:30")};

    (void)state;
    c[0].attachment_names = names;
    c[0].attachment_count = 2;
    c[1].is_public = false;
    c[1].author.id = 9;
    c[1].author.role = "agent";
    c[2].author.id = -1;
    c[2].author.role = "";
    talk(w, c, 3);
    want(w, "CommentCount", "3");
    want(w, "InternalCount", "1");
    want(w, "Comments.0.Kind", "public");
    want(w, "Comments.0.Role", "Customer");
    want(w, "Comments.0.At.Text", "24 Nov 14:02:00");
    want(w, "Comments.0.UseHref", "/casebook/tickets/48213?" WINDOW_1347);
    want(w, "Comments.0.Later", "");
    want(w, "Comments.0.Attachments.1.Name", "screen.png");
    want(w, "Comments.0.Runs.0.Text", "Hello");
    want(w, "Comments.0.Runs.0.Kind", "");
    want(w, "Comments.0.Notes.0.Mark", "");
    want(w, "Comments.1.Kind", "internal");
    want(w, "Comments.1.Role", "Support");
    want(w, "Comments.1.Later", "12 min later");
    want(w, "Comments.2.Role", "Zendesk");
    want(w, "Comments.2.Later", "30 s later");
    view_end(w);
}

static void test_marks(void **state)
{
    struct view_world *w = view_begin();
    struct comment c =
        message("socket hang up at 14:02 UTC in i7q2m0xk4v9d1c8b3zt5e!", "14:30:00");

    (void)state;
    talk(w, &c, 1);
    want(w, "Comments.0.Runs.0.Kind", "phrase");
    want(w, "Comments.0.Runs.0.Mark", "a");
    want(w, "Comments.0.Notes.0.Mark", "a");
    assert_true(strlen(got(w, "Comments.0.Notes.0.Proves")) > 10);
    assert_true(strlen(got(w, "Comments.0.Notes.0.NotProves")) > 2);
    want(w, "Comments.0.Runs.1.Text", " at ");
    want(w, "Comments.0.Runs.2.Kind", "time");
    want(w, "Comments.0.Runs.2.Mark", "b");
    want(w, "Comments.0.Notes.1.IsTime", "1");
    want(w, "Comments.0.Notes.1.Text", "24 Nov 14:02 UTC");
    want(w, "Comments.0.Notes.1.Href", "/casebook/tickets/48213?" WINDOW_1347);
    want(w, "Comments.0.Notes.1.From.Text", "24 Nov 13:47");
    want(w, "Comments.0.Notes.1.To.Text", "14:17");
    want(w, "Comments.0.Runs.4.Kind", "sandbox");
    want(w, "Comments.0.Runs.4.Mark", "c");
    want(w, "Comments.0.Runs.4.Href",
         "/casebook/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e");
    want(w, "Comments.0.Notes.2.HrefText", "Open this sandbox");
    want(w, "Comments.0.Runs.5.Text", "!");
    c = message("It died at 14:02.", "14:30:00");
    talk(w, &c, 1);
    want(w, "Comments.0.Notes.0.Text", "24 Nov 14:02 UTC, read as UTC");
    view_end(w);
}

/* After z the text speaks for itself. */
static void test_letters_end(void **state)
{
    struct view_world *w = view_begin();
    char *body = arena_alloc(&w->arena, 4000);
    struct comment c;

    (void)state;
    for (int i = 0; i < 30; i++)
        memcpy(body + i * 32, "socket hang up, and then a pause", 32);
    c = message(body, "14:30:00");
    talk(w, &c, 1);
    assert_int_equal(rows(w, "Comments.0.Notes"), 26);
    want(w, "Comments.0.Notes.25.Mark", "z");
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),        cmocka_unit_test(test_head),
        cmocka_unit_test(test_window_form), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_marks),       cmocka_unit_test(test_letters_end),
    };

    return cmocka_run_group_tests_name("tickets", tests, NULL, NULL);
}
