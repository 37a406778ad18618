/*
 * Linear's tables from the described world, and the few operations that
 * change them.
 */
#include "lin.h"
#include "text.h"
#include "when.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKSPACE_URL "https://linear.app/casebook-demo"

json_t *lin_table(const struct world *w, const char *name)
{
    return json_object_get(w->linear, name);
}

json_t *lin_by(const struct world *w, const char *table, const char *key,
               const char *value)
{
    json_t *o;
    size_t i;

    json_array_foreach(lin_table(w, table), i, o)
    {
        if (value && strcmp(jstr_or(o, key, ""), value) == 0)
            return o;
    }
    return NULL;
}

json_t *lin_issue(const struct world *w, const char *id_or_identifier)
{
    json_t *issue = lin_by(w, "issues", "id", id_or_identifier), *o, *old;
    size_t i, k;

    if (!issue)
        issue = lin_by(w, "issues", "identifier", id_or_identifier);
    if (issue)
        return issue;
    json_array_foreach(lin_table(w, "issues"), i, o)
    {
        json_array_foreach(json_object_get(o, "previousIdentifiers"), k, old)
        {
            if (strcmp(json_string_value(old), id_or_identifier) == 0)
                return o;
        }
    }
    return NULL;
}

void lin_set_time(json_t *o, const char *key, int64_t us)
{
    char *text = time_rfc3339(us, 3);

    json_object_set_new(o, key, json_string(text));
    free(text);
}

/* Priority is a Float in the schema: it goes out as 2.0 (linear.md 1.4). */
void lin_set_priority(json_t *issue, int64_t priority)
{
    static const char *const names[] = {"No priority", "Urgent", "High", "Medium", "Low"};

    if (priority < 0 || priority > 4)
        priority = 0;
    json_object_set_new(issue, "priority", json_real((double)priority));
    json_object_set_new(issue, "priorityLabel", json_string(names[priority]));
}

void lin_set_state(json_t *issue, const json_t *state, int64_t at_us)
{
    static const struct {
        const char *type;
        const char *key;
    } stamps[] = {
        {"started",   "startedAt"  },
        {"completed", "completedAt"},
        {"canceled",  "canceledAt" }
    };

    json_object_set(issue, "stateId", json_object_get(state, "id"));
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++) {
        if (strcmp(stamps[i].type, jstr_or(state, "type", "")) == 0)
            lin_set_time(issue, stamps[i].key, at_us);
    }
    lin_set_time(issue, "updatedAt", at_us);
}

/* ---- records ------------------------------------------------------------- */

/* Lower case, other characters to dashes, as in addresses and branch names. */
static char *slug(const char *title)
{
    char *out = dup_str(title), *o = out;

    for (const char *s = title; *s && o - out < 50; s++) {
        if (isalnum((unsigned char)*s))
            *o++ = (char)tolower((unsigned char)*s);
        else if (o > out && o[-1] != '-')
            *o++ = '-';
    }
    if (o > out && o[-1] == '-')
        o--;
    *o = '\0';
    return out;
}

static void set_empty_members(json_t *issue)
{
    static const char *const nulls[] = {
        "startedAt", "completedAt", "canceledAt", "archivedAt",
        "trashed",   "assigneeId",  "projectId",  "lastAppliedTemplateId"};

    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        json_object_set_new(issue, nulls[i], json_null());
    json_object_set_new(issue, "previousIdentifiers", json_array());
    json_object_set_new(issue, "labelIds", json_array());
    json_object_set_new(issue, "metadata", json_object());
    json_object_set_new(issue, "customerTicketCount", json_integer(0));
}

json_t *lin_add_issue(struct world *w, const json_t *team, const char *id, int64_t number,
                      const char *title, const char *description, int64_t at_us)
{
    char *identifier = format("%s-%lld", jstr(team, "key"), (long long)number);
    char *stored = lin_markdown(description), *name = slug(title);
    char *url = format("%s/issue/%s/%s", WORKSPACE_URL, identifier, name);
    char *branch = format("casebook/%s-%s", identifier, name);
    json_t *issue = pack("{s:s, s:s, s:I, s:o, s:o, s:s, s:s, s:O, s:O}", "id", id,
                         "identifier", identifier, "number", (json_int_t)number, "title",
                         json_text(title, strlen(title)), "description",
                         json_text(stored, strlen(stored)), "url", url, "branchName",
                         branch, "teamId", json_object_get(team, "id"), "creatorId",
                         json_object_get(json_object_get(w->linear, "viewer"), "id"));

    for (char *p = branch; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    json_object_set_new(issue, "branchName", json_string(branch));
    set_empty_members(issue);
    lin_set_priority(issue, 0);
    lin_set_time(issue, "createdAt", at_us);
    lin_set_time(issue, "updatedAt", at_us);
    json_array_append_new(lin_table(w, "issues"), issue);
    free(identifier);
    free(stored);
    free(name);
    free(url);
    free(branch);
    return issue;
}

static void count_tickets(const struct world *w, json_t *issue)
{
    json_t *a;
    size_t i;
    json_int_t count = 0;

    json_array_foreach(lin_table(w, "attachments"), i, a)
    {
        count +=
            json_equal(json_object_get(a, "issueId"), json_object_get(issue, "id")) &&
            strcmp(jstr_or(a, "sourceType", ""), "zendesk") == 0;
    }
    json_object_set_new(issue, "customerTicketCount", json_integer(count));
}

json_t *lin_put_attachment(struct world *w, json_t *issue, const char *url,
                           const char *title, const char *source_type, int64_t at_us)
{
    json_t *table = lin_table(w, "attachments"), *a = NULL, *o;
    size_t i;
    char id[37];

    json_array_foreach(table, i, o)
    {
        if (strcmp(jstr_or(o, "url", ""), url) == 0 &&
            json_equal(json_object_get(o, "issueId"), json_object_get(issue, "id")))
            a = o;
    }
    if (!a) {
        hash_uuid(url, json_array_size(table) + 500, id);
        a = pack("{s:s, s:O, s:s, s:s?, s:n, s:{}, s:n, s:n, s:O}", "id", id, "issueId",
                 json_object_get(issue, "id"), "url", url, "sourceType", source_type,
                 "subtitle", "metadata", "source", "archivedAt", "creatorId",
                 json_object_get(json_object_get(w->linear, "viewer"), "id"));
        lin_set_time(a, "createdAt", at_us);
        json_array_append_new(table, a);
    }
    json_object_set_new(a, "title", json_string(title));
    lin_set_time(a, "updatedAt", at_us);
    count_tickets(w, issue);
    return a;
}

json_t *lin_add_comment(struct world *w, const json_t *issue, const char *id,
                        const char *user_id, const char *body, int64_t at_us)
{
    char *stored = lin_markdown(body);
    char *url = format("%s#comment-%.8s", jstr(issue, "url"), id);
    json_t *c = pack("{s:s, s:O, s:s?, s:o, s:s}", "id", id, "issueId",
                     json_object_get(issue, "id"), "userId", user_id, "body",
                     json_text(stored, strlen(stored)), "url", url);

    lin_set_time(c, "createdAt", at_us);
    lin_set_time(c, "updatedAt", at_us);
    json_array_append_new(lin_table(w, "comments"), c);
    free(stored);
    free(url);
    return c;
}

json_t *lin_add_relation(struct world *w, const json_t *issue, const json_t *related,
                         const char *type, int64_t at_us)
{
    json_t *table = lin_table(w, "relations"), *r;
    char id[37];

    hash_uuid("relation", json_array_size(table), id);
    r = pack("{s:s, s:s, s:O, s:O}", "id", id, "type", type, "issueId",
             json_object_get(issue, "id"), "relatedIssueId",
             json_object_get(related, "id"));
    lin_set_time(r, "createdAt", at_us);
    json_array_append_new(table, r);
    return r;
}

/* ---- building ------------------------------------------------------------ */

/* Copies a described table; rows without an id get one from their name. */
static void copy_table(struct world *w, const json_t *linear, const char *name)
{
    json_t *table = json_array(), *row;
    size_t i;
    char id[37];

    json_array_foreach(json_object_get(linear, name), i, row)
    {
        json_t *o = json_deep_copy(row);
        char *seed = format("%s %s", name, jstr_or(o, "name", ""));

        hash_uuid(seed, i, id);
        if (!jstr(o, "id"))
            json_object_set_new(o, "id", json_string(id));
        json_array_append_new(table, o);
        free(seed);
    }
    json_object_set_new(w->linear, name, table);
}

/* Turns a member that names a row into the row's id. */
static void link_rows(struct world *w, const char *table, const char *member,
                      const char *id_member, const char *target, const char *key)
{
    json_t *o, *found;
    size_t i;

    json_array_foreach(lin_table(w, table), i, o)
    {
        const char *name = jstr(o, member);

        found = name ? lin_by(w, target, key, name) : NULL;
        if (name && !found)
            die("linear.%s: there is no %s \"%s\"", table, target, name);
        json_object_set(o, id_member, found ? json_object_get(found, "id") : json_null());
    }
}

static void build_tables(struct world *w, const json_t *linear)
{
    static const char *const copied[] = {"teams",  "users",     "states",
                                         "labels", "templates", "projects"};
    static const char *const empty[] = {"issues", "attachments", "comments", "relations"};
    json_t *users;

    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        copy_table(w, linear, copied[i]);
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        json_object_set_new(w->linear, empty[i], json_array());
    link_rows(w, "states", "team", "teamId", "teams", "key");
    link_rows(w, "labels", "team", "teamId", "teams", "key");
    link_rows(w, "labels", "parent", "parentId", "labels", "name");
    link_rows(w, "templates", "team", "teamId", "teams", "key");
    link_rows(w, "teams", "defaultState", "defaultStateId", "states", "key");
    link_rows(w, "teams", "triageState", "triageStateId", "states", "key");
    users = lin_table(w, "users");
    if (json_array_size(users) == 0)
        die("linear.users is empty: the first one is the key's owner");
    json_object_set(w->linear, "viewer", json_array_get(users, 0));
    json_object_set(w->linear, "organization", json_object_get(linear, "organization"));
}

static const json_t *state_of(const struct world *w, const json_t *team, const char *name)
{
    json_t *o;
    size_t i;

    json_array_foreach(lin_table(w, "states"), i, o)
    {
        if (strcmp(jstr_or(o, "name", ""), name) == 0 &&
            json_equal(json_object_get(o, "teamId"), json_object_get(team, "id")))
            return o;
    }
    die("team %s has no state \"%s\"", jstr(team, "key"), name);
}

static void set_reference(const struct world *w, json_t *issue, const char *member,
                          const char *table, const char *key, const char *name)
{
    const json_t *row = name ? lin_by(w, table, key, name) : NULL;

    if (name && !row)
        die("an issue names %s \"%s\", which is not there", table, name);
    if (row)
        json_object_set(issue, member, json_object_get(row, "id"));
}

static void set_labels(const struct world *w, json_t *issue, const json_t *names)
{
    json_t *name;
    size_t i;

    json_array_foreach(names, i, name)
    {
        const json_t *label = lin_by(w, "labels", "name", json_string_value(name));

        if (!label)
            die("there is no label \"%s\"", json_string_value(name));
        json_array_append(json_object_get(issue, "labelIds"),
                          json_object_get(label, "id"));
    }
}

static void add_extras(struct world *w, json_t *issue, const json_t *desc, int64_t at_us)
{
    const json_t *o;
    size_t i;
    char id[37];

    json_array_foreach(json_object_get(desc, "attachments"), i, o)
    {
        lin_put_attachment(w, issue, jstr_or(o, "url", ""), jstr_or(o, "title", "Link"),
                           jstr(o, "sourceType"), at_us);
    }
    json_array_foreach(json_object_get(desc, "comments"), i, o)
    {
        const json_t *user = lin_by(w, "users", "name", jstr_or(o, "by", ""));

        hash_uuid(jstr(issue, "identifier"), 100 + i, id);
        lin_add_comment(w, issue, id, jstr(user, "id"), jstr_or(o, "text", ""),
                        world_when(w, jstr_or(o, "at", "-1d")));
    }
}

static void build_issue(struct world *w, const json_t *desc)
{
    const char *identifier = jstr_or(desc, "identifier", "");
    size_t key_len = strcspn(identifier, "-");
    char *key = dup_bytes(identifier, key_len);
    const json_t *team = lin_by(w, "teams", "key", key);
    int64_t at_us = world_when(w, jstr_or(desc, "created", "-1d"));
    int64_t changed_us =
        world_when(w, jstr_or(desc, "updated", jstr_or(desc, "created", "-1d")));
    char id[37];
    json_t *issue;

    if (!team || identifier[key_len] != '-')
        die("issue \"%s\" has no team", identifier);
    hash_uuid(identifier, 1, id);
    issue = lin_add_issue(w, team, jstr_or(desc, "id", id),
                          strtoll(identifier + key_len + 1, NULL, 10),
                          jstr_or(desc, "title", ""), jstr_or(desc, "text", ""), at_us);
    lin_set_state(issue, state_of(w, team, jstr_or(desc, "state", "Triage")), changed_us);
    lin_set_priority(issue, jint(desc, "priority", 0));
    set_reference(w, issue, "assigneeId", "users", "name", jstr(desc, "assignee"));
    set_reference(w, issue, "creatorId", "users", "name", jstr(desc, "creator"));
    set_reference(w, issue, "lastAppliedTemplateId", "templates", "name",
                  jstr(desc, "template"));
    set_labels(w, issue, json_object_get(desc, "labels"));
    if (json_object_get(desc, "previous"))
        json_object_set(issue, "previousIdentifiers", json_object_get(desc, "previous"));
    if (jstr(desc, "archived"))
        lin_set_time(issue, "archivedAt", world_when(w, jstr(desc, "archived")));
    if (jbool(desc, "trashed", false))
        json_object_set_new(issue, "trashed", json_true());
    add_extras(w, issue, desc, at_us);
    free(key);
}

static void build_relations(struct world *w)
{
    const json_t *desc;
    size_t i;

    json_array_foreach(json_object_get(w->desc, "issues"), i, desc)
    {
        const char *original = jstr(desc, "duplicateOf");
        const json_t *issue = lin_issue(w, jstr_or(desc, "identifier", ""));

        if (original && !lin_issue(w, original))
            die("there is no issue \"%s\"", original);
        if (original)
            lin_add_relation(w, issue, lin_issue(w, original), "duplicate",
                             world_when(w, jstr_or(desc, "updated", "-1d")));
    }
}

void linear_build(struct world *w)
{
    const json_t *linear = json_object_get(w->desc, "linear"), *desc, *issue;
    size_t i;

    w->linear = json_object();
    w->linear_calls = pack("{s:[], s:[]}", "requests", "searches");
    build_tables(w, linear);
    json_array_foreach(json_object_get(w->desc, "issues"), i, desc)
    {
        build_issue(w, desc);
    }
    build_relations(w);
    w->next_issue_number = jint(linear, "nextNumber", 1);
    json_array_foreach(lin_table(w, "issues"), i, issue)
    {
        if (jint(issue, "number", 0) >= w->next_issue_number)
            w->next_issue_number = jint(issue, "number", 0) + 1;
    }
}
