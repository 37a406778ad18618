/*
 * The writes to Linear: creating an issue under an id of our own, hanging a ticket or an address on an issue, and
 * a comment under an id of our own.
 */
#include "upstream/linear_write.h"

#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "upstream/linear_parse.h"
#include "upstream/linear_request.h"

#include "base/banned.h"

#define TITLE_MAX 200 /* Linear's own limit is not published (linear.md 5.1) */
#define DESCRIPTION_MAX 65536

/* clang-format off */
static const struct linear_document mutations[LMUT_COUNT] = {
    [LMUT_CREATE_ISSUE] = {"CasebookCreateIssue",
        "mutation CasebookCreateIssue($id: String!, $teamId: String!, $title: String!, "
        "$description: String!) {\n"
        "  issueCreate(\n"
        "    input: { id: $id, teamId: $teamId, title: $title, description: $description }\n"
        "  ) {\n"
        "    success\n"
        "    issue {\n"
        "      id identifier url title description createdAt updatedAt\n"
        "      state { name type } team { id }\n"
        "    }\n"
        "  }\n"
        "}\n"},
    /* `ticketId` is text, also when it looks like a number. */
    [LMUT_LINK_ZENDESK] = {"CasebookLinkZendesk",
        "mutation CasebookLinkZendesk($issueId: String!, $ticketId: String!, $url: String!) {\n"
        "  attachmentLinkZendesk(issueId: $issueId, ticketId: $ticketId, url: $url) {\n"
        "    success\n"
        "  }\n"
        "}\n"},
    [LMUT_LINK_URL] = {"CasebookLinkUrl",
        "mutation CasebookLinkUrl($issueId: String!, $url: String!, $title: String!) {\n"
        "  attachmentLinkURL(issueId: $issueId, url: $url, title: $title) {\n"
        "    success\n"
        "  }\n"
        "}\n"},
    [LMUT_PUT_LINK] = {"CasebookPutLink",
        "mutation CasebookPutLink($issueId: String!, $url: String!, $title: String!) {\n"
        "  attachmentCreate(input: { issueId: $issueId, url: $url, title: $title }) {\n"
        "    success\n"
        "  }\n"
        "}\n"},
    [LMUT_COMMENT] = {"CasebookComment",
        "mutation CasebookComment($id: String!, $issueId: String!, $body: String!) {\n"
        "  commentCreate(\n"
        "    input: { id: $id, issueId: $issueId, body: $body, doNotSubscribeToIssue: true }\n"
        "  ) {\n"
        "    success\n"
        "  }\n"
        "}\n"},
};
/* clang-format on */

const struct linear_document *linear_mutation(enum linear_mutation_id id)
{
    return &mutations[id];
}

/*
 * A refused repeat and another refusal are not told apart by their words, which vary (linear.md 4.3),
 * but by asking whether an issue with our id is there.
 */
static int explain_refusal(struct linear *l, struct arena *a, const char *uuid,
                           int64_t deadline_us, struct err *err)
{
    struct err probe_err = ERR_INIT;
    struct linear_issue there;

    if (err->is_unknown || err->is_retryable || err->kind == ERR_AUTH ||
        err->kind == ERR_DENIED)
        return -1;
    if (linear_probe(l, a, uuid, deadline_us, &there, &probe_err)) {
        err->is_unknown = true; /* it could not be seen whether it is there */
        err->is_retryable = probe_err.is_retryable;
        err->retry_after_us = probe_err.retry_after_us;
    } else if (there.id[0]) {
        err->kind = ERR_CONFLICT;
    }
    return -1;
}

int linear_create(struct linear *l, struct arena *a, const char *uuid, const char *title,
                  const char *description, int64_t deadline_us, struct linear_issue *out,
                  struct err *err)
{
    const struct linear_document *d = linear_mutation(LMUT_CREATE_ISSUE);
    const char *line = linear_line(a, title, TITLE_MAX);
    json_auto_t *doc = NULL;
    const json_t *data;
    json_t *variables;

    if (text_is_empty(uuid) || !line[0])
        return err_set(err, ERR_INPUT, "linear: an issue needs an id and a title");
    if (strlen(description) > DESCRIPTION_MAX)
        return err_set(err, ERR_INPUT, "linear: the description has more than %d bytes",
                       DESCRIPTION_MAX);
    if (linear_team(l, a, deadline_us, err))
        return -1;
    variables = json_pack("{s:s, s:s, s:s, s:s}", "id", uuid, "teamId", l->team_id,
                          "title", line, "description", description);
    if (!variables)
        return err_set(err, ERR_INPUT, "linear: the description is not UTF-8");
    if (linear_exchange(l, a, d, variables, true, deadline_us, &doc, &data, err))
        return explain_refusal(l, a, uuid, deadline_us, err);
    if (linear_parse_created(a, data, "issueCreate", out, err) == 0)
        return 0;
    linear_context(err, d);
    return explain_refusal(l, a, uuid, deadline_us, err);
}

/* The attachments of the issue, and that it is one of our team's (linear.md 1.1). */
static int read_links(struct linear *l, struct arena *a, const char *issue_id,
                      const char *url, int64_t deadline_us, bool *has_url,
                      struct err *err)
{
    const struct linear_document *d = linear_document(LDOC_ISSUE_LINKS);
    struct linear_links links;
    json_auto_t *doc = NULL;
    const json_t *data;

    if (linear_exchange(l, a, d, json_pack("{s:s}", "idOrIdentifier", issue_id), false,
                        deadline_us, &doc, &data, err))
        return -1;
    if (linear_parse_links(a, data, url, &links, err))
        return linear_context(err, d);
    if (strcmp(links.team_id, l->team_id) != 0) {
        err_set(err, ERR_DENIED, "issue %s belongs to another team: nothing was written",
                issue_id);
        return linear_context(err, d);
    }
    *has_url = links.has_url;
    return 0;
}

static int link_with(struct linear *l, struct arena *a, enum linear_mutation_id id,
                     const char *payload, json_t *variables, int64_t deadline_us,
                     struct err *err)
{
    const struct linear_document *d = linear_mutation(id);
    json_auto_t *doc = NULL;
    const json_t *data;

    if (linear_exchange(l, a, d, variables, true, deadline_us, &doc, &data, err))
        return -1;
    return linear_parse_success(data, payload, err) ? linear_context(err, d) : 0;
}

int linear_link_ticket(struct linear *l, struct arena *a, const char *issue_id,
                       const char *team_id, int64_t ticket_id, const char *ticket_url,
                       int64_t deadline_us, struct err *err)
{
    const char *number = arena_fmt(a, "%lld", (long long)ticket_id);
    struct err ignored = ERR_INIT;
    bool is_there = false;

    if (linear_team(l, a, deadline_us, err))
        return -1;
    if ((text_is_empty(team_id) || strcmp(team_id, l->team_id) != 0) &&
        read_links(l, a, issue_id, ticket_url, deadline_us, &is_there, err))
        return -1;
    if (is_there)
        return 0;
    if (link_with(l, a, LMUT_LINK_ZENDESK, "attachmentLinkZendesk",
                  json_pack("{s:s, s:s, s:s}", "issueId", issue_id, "ticketId", number,
                            "url", ticket_url),
                  deadline_us, err) == 0)
        return 0;
    /* A wait that is asked for, or a key that is refused, is the same for the other form. An unknown
       outcome is settled by the repeat: an issue holds a URL once (linear.md, rule 10). */
    if (err->retry_after_us > 0 || err->kind == ERR_AUTH)
        return -1;
    if (link_with(l, a, LMUT_LINK_URL, "attachmentLinkURL",
                  json_pack("{s:s, s:s, s:s}", "issueId", issue_id, "url", ticket_url,
                            "title", arena_fmt(a, "Ticket %s", number)),
                  deadline_us, err) == 0)
        return 0;
    if (read_links(l, a, issue_id, ticket_url, deadline_us, &is_there, &ignored) == 0 &&
        is_there)
        return 0;
    return -1;
}

/* A repeat changes the one that is there (linear.md, rule 10). */
int linear_put_link(struct linear *l, struct arena *a, const char *issue_id,
                    const char *url, const char *title, int64_t deadline_us,
                    struct err *err)
{
    return link_with(
        l, a, LMUT_PUT_LINK, "attachmentCreate",
        json_pack("{s:s, s:s, s:s}", "issueId", issue_id, "url", url, "title", title),
        deadline_us, err);
}

int linear_comment(struct linear *l, struct arena *a, const char *uuid,
                   const char *issue_id, const char *body, int64_t deadline_us,
                   struct err *err)
{
    const struct linear_document *d = linear_document(LDOC_READ_COMMENT);
    struct err read_err = ERR_INIT;
    json_auto_t *doc = NULL;
    const json_t *data;

    if (link_with(
            l, a, LMUT_COMMENT, "commentCreate",
            json_pack("{s:s, s:s, s:s}", "id", uuid, "issueId", issue_id, "body", body),
            deadline_us, err) == 0)
        return 0;
    if (linear_exchange(l, a, d, json_pack("{s:s}", "id", uuid), false, deadline_us, &doc,
                        &data, &read_err) == 0 &&
        jget_obj(data, "comment"))
        return 0;
    return -1;
}
