/*
 * The queries (linear.md section 8, with the fields that we use). Archived issues are asked for
 * everywhere: without `includeArchived` Linear hides them, and a closed case would be filed again.
 */
#include "upstream/linear_documents.h"

#include "base/banned.h"

/* Issue and IssueSearchResult have the same fields but are different types: a fragment would not fit
   both. */
#define ISSUE_FIELDS                                                                     \
    "      id identifier url title description\n"                                        \
    "      createdAt updatedAt completedAt canceledAt archivedAt trashed\n"              \
    "      state { name type }\n"                                                        \
    "      team { id }\n"

/* clang-format off */
static const struct linear_document documents[LDOC_COUNT] = {
    [LDOC_WHO_AM_I] = {"CasebookWhoAmI",
        "query CasebookWhoAmI {\n"
        "  viewer { id name }\n"
        "  organization { id name }\n"
        "}\n"},
    [LDOC_TEAM] = {"CasebookTeam",
        "query CasebookTeam($teamKey: String!) {\n"
        "  organization { id }\n"
        "  teams(filter: { key: { eq: $teamKey } }, first: 1) {\n"
        "    nodes { id }\n"
        "  }\n"
        "}\n"},
    [LDOC_FIND_TOKEN] = {"CasebookFindToken",
        "query CasebookFindToken($token: String!, $teamId: ID!) {\n"
        "  issues(\n"
        "    first: 25\n"
        "    includeArchived: true\n"
        "    orderBy: updatedAt\n"
        "    filter: {\n"
        "      team: { id: { eq: $teamId } }\n"
        "      or: [\n"
        "        { description: { containsIgnoreCase: $token } }\n"
        "        { title: { containsIgnoreCase: $token } }\n"
        "      ]\n"
        "    }\n"
        "  ) {\n"
        "    nodes {\n"
        ISSUE_FIELDS
        "    }\n"
        "  }\n"
        "}\n"},
    [LDOC_FIND_LINK] = {"CasebookFindLink",
        "query CasebookFindLink($url: String!) {\n"
        "  attachmentsForURL(url: $url, first: 20, includeArchived: true) {\n"
        "    nodes {\n"
        "      issue {\n"
        ISSUE_FIELDS
        "      }\n"
        "    }\n"
        "  }\n"
        "}\n"},
    /* `teamId` only lifts a team's results; the filter is what limits them (linear.md 3.1). */
    [LDOC_SEARCH] = {"CasebookSearch",
        "query CasebookSearch($words: String!, $teamKey: String!, $boostTeam: String) {\n"
        "  searchIssues(\n"
        "    term: $words\n"
        "    first: 20\n"
        "    teamId: $boostTeam\n"
        "    includeComments: false\n"
        "    includeArchived: true\n"
        "    filter: { team: { key: { eq: $teamKey } } }\n"
        "  ) {\n"
        "    nodes {\n"
        ISSUE_FIELDS
        "    }\n"
        "  }\n"
        "}\n"},
    [LDOC_READ_ISSUE] = {"CasebookReadIssue",
        "query CasebookReadIssue($idOrIdentifier: String!) {\n"
        "  issue(id: $idOrIdentifier) {\n"
        ISSUE_FIELDS
        "      relations(first: 20) {\n"
        "        nodes { type relatedIssue { id } }\n"
        "      }\n"
        "  }\n"
        "}\n"},
    [LDOC_PROBE_ISSUE] = {"CasebookProbeIssue",
        "query CasebookProbeIssue($id: ID!) {\n"
        "  issues(first: 1, includeArchived: true, filter: { id: { eq: $id } }) {\n"
        "    nodes {\n"
        ISSUE_FIELDS
        "    }\n"
        "  }\n"
        "}\n"},
    [LDOC_ISSUE_LINKS] = {"CasebookIssueLinks",
        "query CasebookIssueLinks($idOrIdentifier: String!) {\n"
        "  issue(id: $idOrIdentifier) {\n"
        "    team { id }\n"
        "    attachments(first: 250) {\n"
        "      nodes { url }\n"
        "    }\n"
        "  }\n"
        "}\n"},
    [LDOC_READ_COMMENT] = {"CasebookReadComment",
        "query CasebookReadComment($id: String!) {\n"
        "  comment(id: $id) { id }\n"
        "}\n"},
    [LDOC_ISSUE_STATES] = {"CasebookIssueStates",
        "query CasebookIssueStates($ids: [ID!]!) {\n"
        "  issues(first: 50, includeArchived: true, filter: { id: { in: $ids } }) {\n"
        "    nodes {\n"
        "      id identifier url title\n"
        "      createdAt updatedAt completedAt canceledAt archivedAt trashed\n"
        "      state { name type }\n"
        "      team { id }\n"
        "    }\n"
        "  }\n"
        "}\n"},
};
/* clang-format on */

const struct linear_document *linear_document(enum linear_document_id id)
{
    return &documents[id];
}
