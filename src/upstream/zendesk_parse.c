/*
 * Zendesk's tickets, people, comments and audits, from JSON to the model. Knows no URL and sends
 * nothing. Errors are read in zendesk_error.c.
 */
#include "upstream/zendesk_parse.h"

#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"

#include "base/banned.h"

#define NAME_CAP 200
#define EXCERPT_CAP 300
#define WORD_CAP 60
#define MAX_DOMAINS 50
#define MAX_ATTACHMENTS 100
#define CURSOR_MAX 2000

static const char *line_of(struct arena *a, const json_t *o, const char *key, size_t cap)
{
    const char *s = jget_str(a, o, key, "");

    return text_clean_line(a, s, strlen(s), cap);
}

/* The member of an array of objects with this id, or NULL. */
static const json_t *by_id(const json_t *list, int64_t id)
{
    size_t i;
    json_t *v;

    json_array_foreach(list, i, v)
    {
        if (jget_i64(v, "id", 0) == id)
            return v;
    }
    return NULL;
}

/* The author -1 is Zendesk itself; a person who is not in the answer has been deleted (zendesk.md 4.2). */
static void parse_person(struct arena *a, const json_t *users, int64_t id,
                         struct person *p)
{
    const json_t *u = id > 0 ? by_id(users, id) : NULL;

    *p = (struct person){
        .id = id, .name = "deleted user", .email = "", .role = "", .time_zone = ""};
    if (id == -1) {
        p->name = "Zendesk";
        return;
    }
    p->is_deleted = true;
    if (!u)
        return;
    p->is_deleted = !jget_bool(u, "active", true);
    p->is_suspended = jget_bool(u, "suspended", false);
    p->email = line_of(a, u, "email", 254);
    p->role = line_of(a, u, "role", WORD_CAP);
    p->time_zone = line_of(a, u, "time_zone", WORD_CAP);
    p->name = line_of(a, u, "name", NAME_CAP);
    if (!p->name[0])
        p->name = p->email[0] ? p->email : p->is_deleted ? "deleted user" : "(no name)";
}

static void parse_organization(struct arena *a, const json_t *organizations,
                               struct ticket *t)
{
    const json_t *o = by_id(organizations, t->organization_id);
    const json_t *names = jget_arr(o, "domain_names");
    size_t n = json_array_size(names);
    const char **domains;

    t->organization = o ? line_of(a, o, "name", NAME_CAP) : "";
    t->organization_domain = "";
    if (n > MAX_DOMAINS)
        n = MAX_DOMAINS;
    if (n == 0)
        return;
    domains = arena_array(a, n, sizeof *domains);
    for (size_t i = 0; i < n; i++) {
        const char *s = jget_str_value(a, json_array_get(names, i), "");

        if (s[0])
            domains[t->domain_count++] = text_clean_line(a, s, strlen(s), NAME_CAP);
    }
    t->domains = domains;
    if (t->domain_count > 0)
        t->organization_domain = domains[0];
}

/* The ticket alone, with its organisation; the requester gets only an id and the words for "unknown". */
/* Zendesk itself tags a ticket that was merged into another. */
static bool has_tag(const json_t *o, const char *tag)
{
    size_t i;
    json_t *v;

    json_array_foreach(jget_arr(o, "tags"), i, v)
    {
        if (json_is_string(v) && strcmp(json_string_value(v), tag) == 0)
            return true;
    }
    return false;
}

static int parse_ticket_object(struct arena *a, const json_t *o,
                               const json_t *organizations, struct ticket *t,
                               struct err *err)
{
    memset(t, 0, sizeof *t);
    if (jreq_i64(o, "id", &t->id, err))
        return -1;
    t->subject = line_of(a, o, "subject", ZENDESK_SUBJECT_CAP);
    if (!t->subject[0])
        t->subject = line_of(a, o, "raw_subject", ZENDESK_SUBJECT_CAP);
    if (!t->subject[0])
        t->subject = "(no subject)";
    t->status = line_of(a, o, "status", WORD_CAP);
    t->excerpt = line_of(a, o, "description", EXCERPT_CAP);
    t->created_us = jget_time(o, "created_at");
    t->updated_us = jget_time(o, "updated_at");
    t->updated_stamp = line_of(a, o, "updated_at", WORD_CAP);
    t->comment_count = jget_i64(o, "comment_count", -1);
    t->organization_id = jget_i64(o, "organization_id", 0);
    t->is_merged = has_tag(o, "closed_by_merge");
    parse_organization(a, organizations, t);
    parse_person(a, NULL, jget_i64(o, "requester_id", 0), &t->requester);
    return 0;
}

int zendesk_parse_ticket(struct arena *a, const json_t *doc, struct ticket *out,
                         struct err *err)
{
    const json_t *o = jget_obj(doc, "ticket");
    struct ticket t;

    if (!o)
        return err_set(err, ERR_UPSTREAM, "the answer has no ticket");
    if (parse_ticket_object(a, o, jget_arr(doc, "organizations"), &t, err))
        return -1;
    parse_person(a, jget_arr(doc, "users"), t.requester.id, &t.requester);
    *out = t;
    return 0;
}

static bool has_ticket(const struct zendesk_tickets *list, int64_t id)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].id == id)
            return true;
    }
    return false;
}

int zendesk_parse_search(struct arena *a, const json_t *doc, struct zendesk_tickets *out,
                         struct err *err)
{
    const json_t *results = jget_arr(doc, "results");
    const json_t *organizations = jget_arr(doc, "organizations");
    size_t i;
    json_t *v;

    memset(out, 0, sizeof *out);
    if (!results)
        return err_set(err, ERR_UPSTREAM, "the answer has no results");
    out->total = jget_i64(doc, "count", -1);
    out->has_people = jget_arr(doc, "users") != NULL;
    json_array_foreach(results, i, v)
    {
        struct ticket t;

        if (strcmp(jget_str(a, v, "result_type", ""), "ticket") != 0 ||
            has_ticket(out, jget_i64(v, "id", 0)))
            continue;
        if (parse_ticket_object(a, v, organizations, &t, err))
            return -1;
        out->items = arena_grow(a, out->items, out->count, &out->cap, sizeof *out->items);
        out->items[out->count++] = t;
    }
    if (out->has_people)
        zendesk_parse_requesters(a, doc, out);
    return 0;
}

void zendesk_parse_requesters(struct arena *a, const json_t *doc,
                              struct zendesk_tickets *tickets)
{
    const json_t *users = jget_arr(doc, "users");

    for (size_t i = 0; i < tickets->count; i++) {
        struct person *p = &tickets->items[i].requester;

        parse_person(a, users, p->id, p);
    }
}

/*
 * plain_body is what Zendesk made of a mail; html_body is the sender's own HTML, so only its text is
 * taken, and only when there is nothing else to show (zendesk.md 4.2). A call's words are in `data`.
 */
static const char *comment_body(struct arena *a, const json_t *o)
{
    const char *plain = jget_str(a, o, "plain_body", "");
    const char *html = jget_str(a, o, "html_body", "");
    const json_t *data = jget_obj(o, "data");
    const char *text;

    text = text_clean(a, plain, strlen(plain), ZENDESK_BODY_CAP);
    if (text_is_empty(text_trim(a, text)))
        text = text_from_html(a, html, strlen(html), ZENDESK_BODY_CAP);
    if (text_is_empty(text_trim(a, text))) {
        plain = jget_str(a, o, "body", "");
        text = text_clean(a, plain, strlen(plain), ZENDESK_BODY_CAP);
    }
    if (text_is_empty(text_trim(a, text)) && data) {
        plain =
            jget_str(a, data, "transcription_text", jget_str(a, data, "transcript", ""));
        text = text_clean(a, plain, strlen(plain), ZENDESK_BODY_CAP);
    }
    return text;
}

static void parse_attachments(struct arena *a, const json_t *list, struct comment *c)
{
    size_t n = json_array_size(list);
    const char **names;

    c->attachment_count = n;
    if (n == 0)
        return;
    if (n > MAX_ATTACHMENTS)
        c->attachment_count = n = MAX_ATTACHMENTS;
    names = arena_array(a, n, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        const json_t *o = json_array_get(list, i);
        const char *name = line_of(a, o, "file_name", NAME_CAP);

        if (!name[0])
            name = "(no name)";
        names[i] =
            jget_bool(o, "deleted", false) ? arena_fmt(a, "%s (removed)", name) : name;
    }
    c->attachment_names = names;
}

static void parse_comment(struct arena *a, const json_t *o, const json_t *users,
                          struct comment *c)
{
    const json_t *metadata = jget_obj(o, "metadata");

    memset(c, 0, sizeof *c);
    c->id = jget_i64(o, "id", 0);
    c->at_us = jget_time(o, "created_at");
    /* A comment that does not say is not called internal: the customer may have read it. */
    c->is_public = jget_bool(o, "public", true);
    c->is_voice = strcmp(jget_str(a, o, "type", ""), "VoiceComment") == 0;
    c->is_flagged = json_array_size(jget_arr(metadata, "flags")) > 0;
    c->note_marker = line_of(a, jget_obj(metadata, "custom"), "casebook_note", WORD_CAP);
    c->body = comment_body(a, o);
    parse_person(a, users, jget_i64(o, "author_id", 0), &c->author);
    parse_attachments(a, jget_arr(o, "attachments"), c);
}

/* Cursor style: the end is `has_more` false. The next address is never taken from the answer. */
static void parse_cursor(struct arena *a, const json_t *doc, const char **next,
                         bool *is_cut)
{
    const json_t *meta = jget_obj(doc, "meta");
    const char *cursor = jget_str(a, meta, "after_cursor", "");
    bool has_more = jget_bool(meta, "has_more", false);

    *next = "";
    *is_cut = false;
    if (!meta)
        *is_cut = jget_str(a, doc, "next_page", "")[0] != '\0';
    else if (has_more && (!cursor[0] || strlen(cursor) > CURSOR_MAX))
        *is_cut = true;
    else if (has_more)
        *next = cursor;
}

int zendesk_parse_comments(struct arena *a, const json_t *doc,
                           struct zendesk_comment_page *page, struct err *err)
{
    const json_t *comments = jget_arr(doc, "comments");
    const json_t *users = jget_arr(doc, "users");
    size_t i;
    json_t *v;

    if (!comments)
        return err_set(err, ERR_UPSTREAM, "the answer has no comments");
    json_array_foreach(comments, i, v)
    {
        page->items =
            arena_grow(a, page->items, page->count, &page->cap, sizeof *page->items);
        parse_comment(a, v, users, &page->items[page->count++]);
    }
    parse_cursor(a, doc, &page->next_cursor, &page->is_cut);
    return 0;
}

int zendesk_parse_token(const json_t *doc, char *token, size_t size,
                        int64_t *expires_in_s, struct err *err)
{
    const json_t *v = json_object_get(doc, "access_token");
    const char *s = json_string_value(v);
    size_t n = json_string_length(v);

    if (n == 0)
        return err_set(err, ERR_UPSTREAM, "the answer has no access_token");
    if (n >= size)
        return err_set(err, ERR_UPSTREAM, "the access_token is longer than %zu bytes",
                       size - 1);
    for (size_t i = 0; i < n; i++) {
        if (s[i] <= ' ' || s[i] > '~')
            return err_set(err, ERR_UPSTREAM, "the access_token has a strange character");
    }
    memcpy(token, s, n + 1);
    *expires_in_s = jget_i64(doc, "expires_in", 0);
    return 0;
}

void zendesk_parse_update(const json_t *doc, struct zendesk_audit *out)
{
    const json_t *audit = jget_obj(doc, "audit");
    const json_t *events = jget_arr(audit, "events");
    size_t i;
    json_t *v;

    memset(out, 0, sizeof *out);
    out->audit_id = jget_i64(audit, "id", 0);
    json_array_foreach(events, i, v)
    {
        const char *type = json_string_value(json_object_get(v, "type"));

        if (!type || strcmp(type, "Comment") != 0)
            continue;
        if (!out->has_comment)
            out->comment_id = jget_i64(v, "id", 0);
        out->has_comment = true;
        out->is_public = out->is_public || jget_bool(v, "public", true);
    }
}

int zendesk_parse_audits(struct arena *a, const json_t *doc, const char *marker,
                         struct zendesk_audit_page *page, struct err *err)
{
    const json_t *audits = jget_arr(doc, "audits");
    int64_t before_us = TS_NONE;
    bool has_risen = false, has_fallen = false;
    size_t i;
    json_t *v;

    memset(page, 0, sizeof *page);
    page->newest_us = page->oldest_us = TS_NONE;
    if (!audits)
        return err_set(err, ERR_UPSTREAM, "the answer has no audits");
    json_array_foreach(audits, i, v)
    {
        const json_t *custom = jget_obj(jget_obj(v, "metadata"), "custom");
        int64_t at_us = jget_time(v, "created_at");

        if (!page->found &&
            strcmp(jget_str(a, custom, "casebook_note", ""), marker) == 0) {
            page->found = true;
            page->audit_id = jget_i64(v, "id", 0);
        }
        if (at_us == TS_NONE)
            continue;
        has_risen = has_risen || (before_us != TS_NONE && at_us > before_us);
        has_fallen = has_fallen || (before_us != TS_NONE && at_us < before_us);
        before_us = at_us;
        if (page->newest_us == TS_NONE || at_us > page->newest_us)
            page->newest_us = at_us;
        if (page->oldest_us == TS_NONE || at_us < page->oldest_us)
            page->oldest_us = at_us;
    }
    page->is_falling = has_fallen && !has_risen;
    parse_cursor(a, doc, &page->next_cursor, &page->is_cut);
    return 0;
}
