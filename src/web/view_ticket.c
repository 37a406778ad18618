/*
 * The ticket as a page shows it. A message is cut into runs; each decoded phrase and time gets a letter that
 * stands in the text and in the margin note beside it (ux.md section 1, idea 4).
 */
#include "web/view_ticket.h"

#include "base/human.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define USE_MARGIN_US (15 * TS_MIN)
#define MAX_LETTERS 26

static const struct inv_row *newest_for(const struct inv_rows *rows, int64_t ticket_id)
{
    for (size_t i = 0; rows && i < rows->count; i++)
        if (rows->items[i].inv.ticket_id == ticket_id)
            return &rows->items[i];
    return NULL;
}

static void row_common(HDF *at, const struct view_link *l, int64_t id, const char *status,
                       int64_t created_us, const struct inv_rows *known)
{
    struct arena *a = l->rq->arena;
    const struct inv_row *verdict = newest_for(known, id);
    char t[HUMAN_SIZE];

    hput_i64(at, "Id", id);
    hput_str(at, "Href", view_href(l, arena_fmt(a, "/tickets/%" PRId64, id), NULL));
    hput_str(at, "Status", view_status_word(a, status));
    hput_str(at, "Tile", view_status_tile(a, status));
    if (created_us != TS_NONE) {
        hput_time(at, "Created", created_us,
                  human_datetime(created_us, l->rq->now_us, t));
        hput_str(at, "Age", human_ago(created_us, l->rq->now_us, t));
    }
    if (verdict)
        view_inv_row(hput_node(at, "Verdict"), l, verdict);
}

void view_ticket_row(HDF *at, const struct view_link *l, const struct ticket *t,
                     const struct inv_rows *known)
{
    row_common(at, l, t->id, t->status, t->created_us, known);
    hput_str(at, "Subject", t->subject);
    hput_str(at, "Excerpt", t->excerpt);
    hput_str(at, "Requester", t->requester.name);
    hput_str(at, "Email", t->requester.email);
    hput_str(at, "Organisation", t->organization);
}

void view_recent_row(HDF *at, const struct view_link *l, const struct recent_ticket *t,
                     const struct inv_rows *known)
{
    row_common(at, l, t->id, t->status, t->created_us, known);
    hput_str(at, "Subject", t->subject);
    hput_str(at, "Requester", t->requester);
    hput_str(at, "Email", t->requester_email);
    hput_str(at, "Organisation", t->organization);
}

void view_ticket_head(HDF *root, const struct ticket *t, int64_t now_us)
{
    HDF *at = hput_node(root, "Ticket");
    char text[HUMAN_SIZE];

    hput_i64(at, "Id", t->id);
    hput_str(at, "Subject", t->subject);
    hput_str(at, "Organisation", t->organization);
    if (t->created_us != TS_NONE)
        hput_time(at, "Created", t->created_us,
                  human_datetime(t->created_us, now_us, text));
    hput_bool(at, "IsClosed", strcmp(t->status, "closed") == 0);
    hput_bool(at, "IsSuspended", t->requester.is_suspended);
    hput_bool(at, "IsDeleted", t->requester.is_deleted);
}

static void put_proposal(HDF *at, const struct view_link *l, const char *path,
                         const struct window_proposal *p, bool is_preset)
{
    struct view_link other = *l;

    other.from_us = p->from_us;
    other.to_us = p->to_us;
    view_window_span(at, &other);
    hput_str(at, "Reason", p->reason);
    hput_str(at, "Href", view_href(&other, path, NULL));
    hput_bool(at, "IsChosen",
              is_preset || (p->from_us == l->from_us && p->to_us == l->to_us));
}

void view_window_form(HDF *root, const struct view_link *l, const char *from_text,
                      const char *to_text, const char *error,
                      const struct window_proposal *p, size_t n)
{
    struct arena *a = l->rq->arena;
    HDF *at = hput_node(root, "Window");
    char *path = arena_fmt(a, "/tickets/%" PRId64, l->ticket_id);

    /* the best proposal stands in the fields until another is chosen */
    bool is_preset = n > 0 && !error && l->from_us == TS_NONE;

    hput_str(at, "From",
             error ? from_text
                   : view_field_time(a, is_preset ? p[0].from_us : l->from_us));
    hput_str(at, "To",
             error ? to_text : view_field_time(a, is_preset ? p[0].to_us : l->to_us));
    hput_str(at, "Error", error);
    hput_bool(at, "IsSet", l->from_us != TS_NONE);
    hput_str(at, "Action",
             arena_fmt(a, "%s%s/sandboxes", l->rq->app->conf->base_path, path));
    hput_str(at, "Self", arena_fmt(a, "%s%s", l->rq->app->conf->base_path, path));
    for (size_t i = 0; i < n; i++)
        put_proposal(hput_row(at, "Proposals", (int)i), l, path, &p[i],
                     is_preset && i == 0);
}

static char letter_of(int index)
{
    return (char)('a' + index % MAX_LETTERS);
}

static void put_phrase(HDF *run, HDF *notes, int index, const struct run *r)
{
    HDF *note = hput_row(notes, "Notes", index);

    hput_str(run, "Kind", "phrase");
    hput_fmt(run, "Mark", "%c", letter_of(index));
    hput_fmt(note, "Mark", "%c", letter_of(index));
    hput_str(note, "Proves", r->phrase->proves);
    hput_str(note, "NotProves", r->phrase->not_proves);
}

static void put_time(HDF *run, HDF *notes, int index, const struct view_link *l,
                     const char *path, const struct run *r)
{
    HDF *note = hput_row(notes, "Notes", index);
    struct view_link use = *l;
    char from[HUMAN_SIZE], to[HUMAN_SIZE];
    bool is_span = r->time.to_us > r->time.from_us;

    use.from_us = r->time.from_us - (is_span ? 0 : USE_MARGIN_US);
    use.to_us = r->time.to_us + (is_span ? 0 : USE_MARGIN_US);
    hput_str(run, "Kind", "time");
    hput_fmt(run, "Mark", "%c", letter_of(index));
    hput_fmt(note, "Mark", "%c", letter_of(index));
    hput_bool(note, "IsTime", true);
    human_datetime(r->time.from_us, l->rq->now_us, from);
    if (is_span)
        hput_fmt(note, "Text", "%s \xE2\x80\x93 %s UTC%s", from,
                 human_clock_min(r->time.to_us, to),
                 r->time.zone_said ? "" : ", read as UTC");
    else
        hput_fmt(note, "Text", "%s UTC%s", from,
                 r->time.zone_said ? "" : ", read as UTC");
    hput_str(note, "Href", view_href(&use, path, NULL));
    view_window_span(note, &use);
}

static void put_id(HDF *run, HDF *notes, int index, const struct view_link *l,
                   const struct run *r)
{
    HDF *note = hput_row(notes, "Notes", index);
    char *href = view_href(l, view_sandbox_path(l, r->sandbox_id), NULL);

    hput_str(run, "Kind", "sandbox");
    hput_str(run, "Href", href);
    hput_fmt(run, "Mark", "%c", letter_of(index));
    hput_fmt(note, "Mark", "%c", letter_of(index));
    hput_str(note, "Text", "A sandbox id.");
    hput_str(note, "Href", href);
    hput_str(note, "HrefText", "Open this sandbox");
}

static void put_runs(HDF *at, const struct view_link *l, const char *path,
                     const struct run *runs, size_t n)
{
    int marks = 0;

    for (size_t i = 0; i < n; i++) {
        HDF *run = hput_row(at, "Runs", (int)i);

        hput_str(run, "Text", runs[i].text);
        if (marks == MAX_LETTERS) /* the rest is told by the text alone */
            continue;
        switch (runs[i].kind) {
        case RUN_TEXT:
            break;
        case RUN_PHRASE:
            put_phrase(run, at, marks++, &runs[i]);
            break;
        case RUN_TIME:
            put_time(run, at, marks++, l, path, &runs[i]);
            break;
        case RUN_SANDBOX:
            put_id(run, at, marks++, l, &runs[i]);
            break;
        }
    }
}

/* Our own note needs no decoding: its first two lines (the class, the headline) say it, the rest is folded. */
static void put_own_note(HDF *at, struct arena *a, const char *body)
{
    size_t n = strcspn(body, "\n");

    if (body[n])
        n += 1 + strcspn(body + n + 1, "\n");
    hput_str(hput_row(at, "Runs", 0), "Text", body);
    if (body[n])
        hput_str(at, "Lead", arena_strn(a, body, n));
}

static void put_author(HDF *at, const struct ticket *t, const struct comment *c)
{
    bool is_customer =
        c->author.id == t->requester.id || strcmp(c->author.role, "end-user") == 0;

    hput_str(at, "Author", c->author.name);
    hput_str(at, "Kind", c->is_public ? "public" : "internal");
    hput_str(at, "Role",
             is_customer          ? "Customer"
             : c->author.id == -1 ? "Zendesk"
                                  : "Support");
    hput_bool(at, "IsDeleted", c->author.is_deleted);
    hput_bool(at, "IsSuspended", c->author.is_suspended);
    hput_bool(at, "IsFlagged", c->is_flagged);
    hput_bool(at, "IsVoice", c->is_voice);
    hput_bool(at, "IsOurs", !text_is_empty(c->note_marker));
}

static void put_when(HDF *at, const struct view_link *l, const char *path,
                     const struct comment *c, int64_t before_us)
{
    struct view_link use = *l;
    char text[HUMAN_SIZE];

    hput_time(at, "At", c->at_us, human_datetime_s(c->at_us, l->rq->now_us, text));
    use.from_us = c->at_us - USE_MARGIN_US;
    use.to_us = c->at_us + USE_MARGIN_US;
    hput_str(at, "UseHref", view_href(&use, path, NULL));
    if (before_us != TS_NONE && c->at_us > before_us)
        hput_fmt(at, "Later", "%s later", human_duration(c->at_us - before_us, text));
}

void view_comments(HDF *root, const struct view_link *l, const struct ticket *t,
                   const struct comment *comments, size_t n,
                   const struct phrase_set *phrases, const struct time_reader *times)
{
    struct arena *a = l->rq->arena;
    char *path = arena_fmt(a, "/tickets/%" PRId64, l->ticket_id);
    int64_t before = TS_NONE;
    size_t internal = 0;

    for (size_t i = 0; i < n; i++) {
        HDF *at = hput_row(root, "Comments", (int)i);
        const struct comment *c = &comments[i];
        size_t run_n;
        struct run *runs = marks_runs(phrases, times, a, c->body, c->at_us, &run_n);

        internal += !c->is_public;
        put_author(at, t, c);
        put_when(at, l, path, c, before);
        before = c->at_us;
        if (text_is_empty(c->note_marker))
            put_runs(at, l, path, runs, run_n);
        else
            put_own_note(at, a, c->body);
        for (size_t k = 0; k < c->attachment_count; k++)
            hput_str(hput_row(at, "Attachments", (int)k), "Name", c->attachment_names[k]);
    }
    hput_i64(root, "CommentCount", (int64_t)n);
    hput_i64(root, "InternalCount", (int64_t)internal);
}
