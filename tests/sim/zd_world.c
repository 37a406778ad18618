/*
 * Zendesk records from the described world: organisations, users, tickets
 * with their conversations and audits.
 */
#include "text.h"
#include "when.h"
#include "zd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_time(json_t *o, const char *key, int64_t us)
{
    char *text = time_rfc3339(us, 0);

    json_object_set_new(o, key, json_string(text));
    free(text);
}

static void set_copy(json_t *o, const char *key, const json_t *from, json_t *dflt)
{
    json_t *v = json_object_get(from, key);

    json_object_set(o, key, v ? v : dflt);
    json_decref(dflt);
}

/* ---- organisations and users --------------------------------------------- */

static int64_t organization_id(const struct world *w, const char *name)
{
    json_t *o;
    size_t i;

    json_array_foreach(w->organizations, i, o)
    {
        if (name && strcmp(jstr_or(o, "name", ""), name) == 0)
            return jint(o, "id", 0);
    }
    if (name)
        die("there is no organisation \"%s\"", name);
    return 0;
}

static void build_organizations(struct world *w)
{
    const json_t *desc;
    size_t i;

    json_array_foreach(json_object_get(w->desc, "organizations"), i, desc)
    {
        json_t *o = pack("{s:I, s:s}", "id",
                         (json_int_t)jint(desc, "id", 36900000000100 + (int64_t)i),
                         "name", jstr_or(desc, "name", ""));

        set_copy(o, "external_id", desc, json_null());
        set_copy(o, "domain_names", desc, json_array());
        set_copy(o, "tags", desc, json_array());
        set_copy(o, "details", desc, json_null());
        set_copy(o, "notes", desc, json_null());
        set_time(o, "created_at", w->start_us - (int64_t)400 * 86400 * US_PER_S);
        json_array_append_new(w->organizations, o);
    }
}

static void build_users(struct world *w)
{
    const json_t *desc;
    size_t i;

    json_array_foreach(json_object_get(w->desc, "users"), i, desc)
    {
        int64_t org = organization_id(w, jstr(desc, "org"));
        json_t *o = pack(
            "{s:I, s:s, s:s, s:b, s:b, s:b}", "id",
            (json_int_t)jint(desc, "id", 36900000010100 + (int64_t)i), "name",
            jstr_or(desc, "name", ""), "role", jstr_or(desc, "role", "end-user"),
            "active", jbool(desc, "active", true), "suspended",
            jbool(desc, "suspended", false), "_hidden", jbool(desc, "hidden", false));

        set_copy(o, "email", desc, json_null());
        json_object_set_new(o, "organization_id",
                            org ? json_integer((json_int_t)org) : json_null());
        set_copy(o, "phone", desc, json_null());
        set_copy(o, "time_zone", desc, json_string("London"));
        set_copy(o, "locale", desc, json_string("en-GB"));
        set_copy(o, "external_id", desc, json_null());
        set_copy(o, "tags", desc, json_array());
        set_time(o, "created_at", w->start_us - (int64_t)380 * 86400 * US_PER_S);
        json_array_append_new(w->users, o);
    }
}

static int64_t user_id(const struct world *w, const char *email)
{
    json_t *user = email ? zd_user_by_email(w, email) : NULL;

    if (email && strcmp(email, "zendesk") == 0)
        return -1;
    if (!user)
        die("there is no user \"%s\"", email ? email : "(none)");
    return jint(user, "id", 0);
}

/* ---- conversations ------------------------------------------------------- */

json_t *zd_comment_record(struct world *w, const char *html, const char *plain,
                          int64_t author_id, bool is_public, int64_t at_us,
                          const json_t *custom)
{
    json_t *metadata =
        pack("{s:{s:s, s:s, s:s}, s:o}", "system", "client", "Mozilla/5.0", "ip_address",
             "203.0.113.9", "location", "London, ENG, United Kingdom", "custom",
             custom ? json_deep_copy(custom) : json_object());
    json_t *o =
        pack("{s:I, s:s, s:I, s:s, s:s, s:s, s:b, s:[], s:{s:s, s:{}}, s:o}", "id",
             (json_int_t)w->next_zendesk_id++, "type", "Comment", "author_id",
             (json_int_t)author_id, "body", plain, "html_body", html, "plain_body", plain,
             "public", is_public, "attachments", "via", "channel",
             is_public ? "email" : "web", "source", "metadata", metadata);

    set_time(o, "created_at", at_us);
    json_object_set_new(o, "_us", json_integer((json_int_t)at_us));
    return o;
}

json_t *zd_append_comment(struct world *w, json_t *ticket, json_t *comment,
                          const json_t *custom, int64_t at_us)
{
    json_t *event = json_deep_copy(comment), *audit;

    json_object_set_new(event, "type", json_string("Comment"));
    json_object_del(event, "metadata");
    json_object_del(event, "_us");
    audit =
        pack("{s:I, s:O, s:O, s:[o], s:{s:{s:s}, s:o}, s:{s:s}}", "id",
             (json_int_t)w->next_zendesk_id++, "ticket_id", json_object_get(ticket, "id"),
             "author_id", json_object_get(comment, "author_id"), "events", event,
             "metadata", "system", "ip_address", "203.0.113.9", "custom",
             custom ? json_deep_copy(custom) : json_object(), "via", "channel", "api");
    json_object_set(audit, "created_at", json_object_get(comment, "created_at"));
    json_object_set(comment, "audit_id", json_object_get(audit, "id"));
    json_array_append_new(json_object_get(ticket, "_comments"), comment);
    json_array_append_new(json_object_get(ticket, "_audits"), audit);
    set_time(ticket, "updated_at", at_us);
    return audit;
}

static void add_described_comment(struct world *w, json_t *ticket, const json_t *desc,
                                  int64_t at_us)
{
    const char *text = jstr_or(desc, "text", ""), *html = jstr(desc, "html");
    const json_t *flags = json_object_get(desc, "flags");
    const json_t *bytes = json_object_get(desc, "text");
    char *plain = zd_text_to_plain(text);
    char *made = html ? dup_str(html) : zd_text_to_html(text);
    json_t *comment = zd_comment_record(w, made, plain, user_id(w, jstr(desc, "by")),
                                        jbool(desc, "public", true), at_us, NULL);

    /* A text with a NUL is kept whole: C strings would end there. */
    if (json_string_length(bytes) != strlen(text)) {
        json_object_set(comment, "body", (json_t *)bytes);
        json_object_set(comment, "plain_body", (json_t *)bytes);
    }
    if (flags) {
        json_t *metadata = json_object_get(comment, "metadata");

        json_object_set(metadata, "flags", (json_t *)flags);
        json_object_set_new(metadata, "trusted", json_false());
    }
    if (json_object_get(desc, "attachments"))
        json_object_set(comment, "attachments", json_object_get(desc, "attachments"));
    zd_append_comment(w, ticket, comment, NULL, at_us);
    free(plain);
    free(made);
}

/* A long thread: texts and authors in turn, at equal distances. */
static void add_thread(struct world *w, json_t *ticket, const json_t *thread)
{
    const json_t *by = json_object_get(thread, "by");
    const json_t *texts = json_object_get(thread, "texts");
    int64_t at_us = world_when(w, jstr_or(thread, "from", "-1h"));
    int64_t every = duration_us(jstr_or(thread, "every", "10m"));
    size_t count = (size_t)jint(thread, "count", 0);

    for (size_t i = 0; i < count; i++, at_us += every) {
        json_t *author = json_array_get(by, i % json_array_size(by));
        json_t *text = json_array_get(texts, i % json_array_size(texts));
        char *numbered =
            format("%s\n\n(update %zu of %zu)", json_string_value(text), i + 1, count);
        json_t *desc =
            pack("{s:O, s:s, s:b}", "by", author, "text", numbered, "public", i % 5 != 3);

        add_described_comment(w, ticket, desc, at_us);
        json_decref(desc);
        free(numbered);
    }
}

static void add_conversation(struct world *w, json_t *ticket, const json_t *desc)
{
    int64_t created_us = world_when(w, jstr_or(desc, "created", "-1h"));
    const json_t *comment;
    size_t i;

    json_array_foreach(json_object_get(desc, "comments"), i, comment)
    {
        const char *at = jstr(comment, "at");

        add_described_comment(w, ticket, comment, at ? world_when(w, at) : created_us);
    }
    if (json_object_get(desc, "thread"))
        add_thread(w, ticket, json_object_get(desc, "thread"));
}

/* ---- tickets ------------------------------------------------------------- */

static json_t *null_or_id(int64_t id)
{
    return id ? json_integer((json_int_t)id) : json_null();
}

static void set_empty_members(json_t *t)
{
    static const char *const nulls[] = {
        "custom_status_id", "problem_id",          "ticket_form_id", "external_id",
        "due_at",           "satisfaction_rating", "recipient"};
    static const char *const arrays[] = {
        "custom_fields", "fields",       "collaborator_ids",     "follower_ids",
        "email_cc_ids",  "followup_ids", "sharing_agreement_ids"};
    static const char *const falses[] = {"has_incidents", "allow_channelback",
                                         "from_messaging_channel"};

    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        json_object_set_new(t, nulls[i], json_null());
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        json_object_set_new(t, arrays[i], json_array());
    for (size_t i = 0; i < sizeof falses / sizeof *falses; i++)
        json_object_set_new(t, falses[i], json_false());
    json_object_set_new(t, "allow_attachments", json_true());
    json_object_set_new(t, "brand_id", json_integer(36900000000001));
    json_object_set_new(t, "group_id", json_integer(36900000000002));
}

static json_t *new_ticket(struct world *w, const json_t *desc)
{
    int64_t id = jint(desc, "id", 0);
    int64_t requester = user_id(w, jstr(desc, "requester"));
    json_t *user = zd_by_id(w->users, requester);
    const char *assignee = jstr(desc, "assignee");
    char *url =
        format("https://demo.zendesk.com/api/v2/tickets/%lld.json", (long long)id);
    json_t *t = pack(
        "{s:I, s:s, s:s, s:I, s:I, s:o, s:O, s:{s:s, s:{}}, s:[], s:[], s:[]}", "id",
        (json_int_t)id, "url", url, "status", jstr_or(desc, "status", "open"),
        "requester_id", (json_int_t)requester, "submitter_id", (json_int_t)requester,
        "assignee_id", null_or_id(assignee ? user_id(w, assignee) : 0), "organization_id",
        json_object_get(user, "organization_id"), "via", "channel",
        jstr_or(desc, "channel", "email"), "source", "_comments", "_audits", "_updates");

    free(url);
    set_empty_members(t);
    set_copy(t, "subject", desc, json_null());
    json_object_set(t, "raw_subject", json_object_get(t, "subject"));
    set_copy(t, "priority", desc, json_null());
    set_copy(t, "type", desc, json_null());
    set_copy(t, "tags", desc, json_array());
    return t;
}

static void build_ticket(struct world *w, const json_t *desc)
{
    json_t *t = new_ticket(w, desc), *first;
    const char *indexed = jstr(desc, "indexed");

    add_conversation(w, t, desc);
    first = json_array_get(json_object_get(t, "_comments"), 0);
    if (!first)
        die("ticket %lld has no comment", (long long)jint(desc, "id", 0));
    json_object_set(t, "description", json_object_get(first, "plain_body"));
    json_object_set(t, "created_at", json_object_get(first, "created_at"));
    json_object_set(t, "is_public", json_object_get(first, "public"));
    if (jstr(desc, "updated"))
        set_time(t, "updated_at", world_when(w, jstr(desc, "updated")));
    json_object_set_new(t, "generated_timestamp",
                        json_integer((json_int_t)(w->start_us / US_PER_S)));
    if (jstr(desc, "searchStatus"))
        json_object_set(t, "_search_status", json_object_get(desc, "searchStatus"));
    json_object_set_new(t, "_indexed_us",
                        json_integer((json_int_t)(indexed ? world_when(w, indexed) : 0)));
    json_array_append_new(w->tickets, t);
}

void zendesk_build(struct world *w)
{
    const json_t *desc;
    size_t i;

    w->organizations = json_array();
    w->users = json_array();
    w->tickets = json_array();
    w->zendesk_tokens = json_object();
    w->next_zendesk_id = 36950000000001;
    build_organizations(w);
    build_users(w);
    json_array_foreach(json_object_get(w->desc, "tickets"), i, desc)
    {
        build_ticket(w, desc);
    }
}
