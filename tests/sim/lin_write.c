/*
 * What can be changed: issues with the caller's id, comments, attachments,
 * relations (linear.md 4, 6).
 */
#include "lin.h"
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_MAX 255

static json_t *payload(struct lin *l, const char *key, json_t *record)
{
    return pack("{s:b, s:I, s:O}", "success", 1, "lastSyncId",
                (json_int_t)(l->rq->now_us / US_PER_MS), key, record);
}

/* linear.md 4.3; the HTTP status differs between issues and comments. */
static void conflict(struct lin *l, int http_status, const char *what, const char *id)
{
    char *message = format("conflict on insert of %s", what);
    char *presentable = format("%s with id %s already exists.", what, id);

    lin_refuse(l, http_status, "INPUT_ERROR", message, presentable);
    free(message);
    free(presentable);
}

/* The id to use: the caller's, or one of our own in buf. NULL after a refusal. */
static const char *choose_id(struct lin *l, const json_t *input, const char *table,
                             char buf[37])
{
    const char *id = jstr(input, "id");

    if (id && !is_uuid_v4(id)) {
        lin_fail(l, 400, "INVALID_INPUT", "invalid input",
                 "Argument Validation Error: id must be a UUID");
        return NULL;
    }
    if (id)
        return id;
    hash_uuid(table,
              (uint64_t)l->rq->now_us + json_array_size(lin_table(l->world, table)), buf);
    return buf;
}

static json_t *find_issue(struct lin *l, const char *id)
{
    json_t *issue = lin_issue(l->world, id ? id : "");

    if (!issue)
        lin_refuse(l, 200, "INPUT_ERROR", "Entity not found: Issue",
                   "Could not find referenced Issue.");
    return issue;
}

/* ---- issues -------------------------------------------------------------- */

/* Ids of the template's labels and the given ones, once each. */
static json_t *merged_labels(struct lin *l, const json_t *input, const json_t *template)
{
    json_t *ids = json_array(), *v;
    size_t i;

    json_array_foreach(json_object_get(template, "labels"), i, v)
    {
        const json_t *label = lin_by(l->world, "labels", "name", json_string_value(v));

        json_array_append(ids, json_object_get(label, "id"));
    }
    json_array_foreach(json_object_get(input, "labelIds"), i, v)
    {
        bool is_there = false;

        for (size_t k = 0; k < json_array_size(ids); k++)
            is_there = is_there || json_equal(json_array_get(ids, k), v);
        if (!is_there)
            json_array_append(ids, v);
    }
    return ids;
}

static bool labels_are_good(struct lin *l, const json_t *ids)
{
    json_t *parents = json_object(), *v;
    bool ok = true;
    size_t i;

    json_array_foreach(ids, i, v)
    {
        const json_t *label = lin_by(l->world, "labels", "id", json_string_value(v));
        const char *parent = jstr(label, "parentId");

        if (!label || jbool(label, "isGroup", false)) {
            lin_fail(l, 400, "INPUT_ERROR", "invalid input",
                     "labelIds contained an entry that could not be found");
            ok = false;
            break;
        }
        if (parent && json_object_get(parents, parent)) {
            lin_fail(l, 400, "INPUT_ERROR", "invalid input",
                     "labelIds not exclusive child labels");
            ok = false;
            break;
        }
        if (parent)
            json_object_set_new(parents, parent, json_true());
    }
    json_decref(parents);
    return ok;
}

/* One report of a title losing its "ABC-101: " (linear.md 5.2). */
static const char *stored_title(const char *title)
{
    size_t letters = strspn(title, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    size_t digits;

    if (letters < 2 || title[letters] != '-')
        return title;
    digits = strspn(title + letters + 1, "0123456789");
    if (digits == 0 || !has_prefix(title + letters + 1 + digits, ": "))
        return title;
    return title + letters + 1 + digits + 2;
}

struct creation {
    const json_t *input;
    const json_t *team;
    const json_t *template;
    const json_t *state;
    const char *title;
    json_t *labels;
};

static bool find_references(struct lin *l, struct creation *c)
{
    const char *template_id = jstr(c->input, "templateId");
    const char *state_id = jstr(c->input, "stateId");

    c->team = lin_by(l->world, "teams", "id", jstr(c->input, "teamId"));
    if (!c->team) {
        lin_fail(l, 400, "INPUT_ERROR", "invalid input",
                 "teamId contained an entry that could not be found");
        return false;
    }
    c->template = template_id ? lin_by(l->world, "templates", "id", template_id) : NULL;
    if (template_id && !c->template) {
        lin_fail(l, 400, "INPUT_ERROR", "invalid input",
                 "Could not find referenced Template.");
        return false;
    }
    if (template_id && jbool(c->input, "useDefaultTemplate", false)) {
        lin_fail(l, 400, "INPUT_ERROR", "invalid input",
                 "templateId and useDefaultTemplate exclude each other");
        return false;
    }
    c->state = lin_by(l->world, "states", "id",
                      state_id ? state_id
                               : jstr(c->team, jbool(c->team, "triageEnabled", false)
                                                   ? "triageStateId"
                                                   : "defaultStateId"));
    if (!c->state)
        lin_fail(l, 400, "INPUT_ERROR", "invalid input",
                 "stateId contained an entry that could not be found");
    return c->state != NULL;
}

static bool creation_is_good(struct lin *l, struct creation *c)
{
    if (!find_references(l, c))
        return false;
    c->title = jstr_or(c->input, "title", jstr_or(c->template, "title", ""));
    if (!*c->title || strlen(c->title) > TITLE_MAX) {
        lin_fail(l, 400, "INVALID_INPUT", "invalid input",
                 "Argument Validation Error: title must be 1 to %d characters",
                 TITLE_MAX);
        return false;
    }
    if (jstr(c->input, "createAsUser")) {
        lin_fail(l, 400, "INPUT_ERROR", "invalid input",
                 "createAsUser is only available in actor=app mode");
        return false;
    }
    c->labels = merged_labels(l, c->input, c->template);
    return labels_are_good(l, c->labels);
}

/* The check for a repeated id comes before this one (linear.md 4.3). */
static bool is_workspace_full(struct lin *l)
{
    int64_t limit = l->sim->settings.issue_limit;

    if (limit == 0 || (int64_t)json_array_size(lin_table(l->world, "issues")) < limit)
        return false;
    lin_refuse(l, 400, "USAGE_LIMIT_EXCEEDED", "usage limit exceeded",
               "You have exceeded the free issue limit. Upgrade to create more issues.");
    return true;
}

static json_t *make_issue(struct lin *l, const struct creation *c, const char *id)
{
    json_t *issue = lin_add_issue(
        l->world, c->team, id, l->world->next_issue_number++, stored_title(c->title),
        jstr_or(c->input, "description", jstr_or(c->template, "body", "")),
        l->rq->now_us);

    lin_set_state(issue, c->state, l->rq->now_us);
    lin_set_priority(issue, jint(c->input, "priority", jint(c->template, "priority", 0)));
    json_object_set(issue, "labelIds", c->labels);
    if (c->template)
        json_object_set(issue, "lastAppliedTemplateId",
                        json_object_get(c->template, "id"));
    return issue;
}

json_t *lin_m_issue_create(struct lin *l, const json_t *args)
{
    struct creation c = {.input = json_object_get(args, "input")};
    char own_id[37];
    const char *id = choose_id(l, c.input, "issues", own_id);
    json_t *out = NULL;

    if (id && lin_by(l->world, "issues", "id", id))
        conflict(l, 400, "Issue", id);
    else if (id && !is_workspace_full(l) && creation_is_good(l, &c))
        out = payload(l, "issue", make_issue(l, &c, id));
    json_decref(c.labels);
    return out;
}

/* ---- comments and links -------------------------------------------------- */

json_t *lin_m_comment_create(struct lin *l, const json_t *args)
{
    const json_t *input = json_object_get(args, "input");
    const char *body = jstr(input, "body");
    char own_id[37];
    const char *id = choose_id(l, input, "comments", own_id);
    json_t *issue = id ? find_issue(l, jstr(input, "issueId")) : NULL;

    if (!issue)
        return NULL;
    if (lin_by(l->world, "comments", "id", id)) {
        conflict(l, 200, "Comment", id);
        return NULL;
    }
    if (!body || !*body)
        return lin_fail(l, 400, "INVALID_INPUT", "invalid input",
                        "Argument Validation Error: body is empty");
    return payload(
        l, "comment",
        lin_add_comment(l->world, issue, id,
                        jstr(json_object_get(l->world->linear, "viewer"), "id"), body,
                        l->rq->now_us));
}

json_t *lin_m_attachment_create(struct lin *l, const json_t *args)
{
    const json_t *input = json_object_get(args, "input");
    json_t *issue = find_issue(l, jstr(input, "issueId")), *a;
    const char *url = jstr(input, "url"), *title = jstr(input, "title");

    if (!issue)
        return NULL;
    if (!url || !title)
        return lin_fail(l, 400, "INVALID_INPUT", "invalid input",
                        "Argument Validation Error: url and title are required");
    a = lin_put_attachment(l->world, issue, url, title, "unknown", l->rq->now_us);
    if (json_object_get(input, "subtitle"))
        json_object_set(a, "subtitle", json_object_get(input, "subtitle"));
    if (json_object_get(input, "metadata"))
        json_object_set(a, "metadata", json_object_get(input, "metadata"));
    return payload(l, "attachment", a);
}

static bool is_zendesk_url(const char *url)
{
    return strstr(url, ".zendesk.com/") != NULL;
}

json_t *lin_m_link_url(struct lin *l, const json_t *args)
{
    json_t *issue = find_issue(l, jstr(args, "issueId"));
    const char *url = jstr_or(args, "url", "");
    bool is_rich = l->sim->settings.zendesk_integrated && is_zendesk_url(url);

    if (!issue)
        return NULL;
    return payload(l, "attachment",
                   lin_put_attachment(l->world, issue, url, jstr_or(args, "title", url),
                                      is_rich ? "zendesk" : "unknown", l->rq->now_us));
}

json_t *lin_m_link_zendesk(struct lin *l, const json_t *args)
{
    json_t *issue = find_issue(l, jstr(args, "issueId")), *a;
    const char *ticket = jstr_or(args, "ticketId", "");
    char *url, *title;

    if (!issue)
        return NULL;
    if (!l->sim->settings.zendesk_integrated)
        return lin_refuse(l, 400, "INPUT_ERROR", "Zendesk integration not found",
                          "The Zendesk integration is not enabled for this workspace.");
    url = jstr(args, "url") ? dup_str(jstr(args, "url"))
                            : format("https://demo.zendesk.com/agent/tickets/%s", ticket);
    title = jstr(args, "title") ? dup_str(jstr(args, "title"))
                                : format("Zendesk ticket %s", ticket);
    a = lin_put_attachment(l->world, issue, url, title, "zendesk", l->rq->now_us);
    json_object_set_new(a, "metadata", pack("{s:s}", "ticketId", ticket));
    free(url);
    free(title);
    return payload(l, "attachment", a);
}

/* The duplicate state is managed by the system (linear.md 2). */
static void become_duplicate(struct lin *l, json_t *issue)
{
    const json_t *state;
    size_t i;

    json_array_foreach(lin_table(l->world, "states"), i, state)
    {
        if (strcmp(jstr_or(state, "type", ""), "duplicate") == 0 &&
            json_equal(json_object_get(state, "teamId"),
                       json_object_get(issue, "teamId")))
            lin_set_state(issue, state, l->rq->now_us);
    }
}

json_t *lin_m_relation_create(struct lin *l, const json_t *args)
{
    const json_t *input = json_object_get(args, "input");
    json_t *issue = find_issue(l, jstr(input, "issueId"));
    json_t *related = issue ? find_issue(l, jstr(input, "relatedIssueId")) : NULL;
    const char *type = jstr_or(input, "type", "related");

    if (!related)
        return NULL;
    if (strcmp(type, "duplicate") == 0)
        become_duplicate(l, issue);
    return payload(l, "issueRelation",
                   lin_add_relation(l->world, issue, related, type, l->rq->now_us));
}
