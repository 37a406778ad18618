/*
 * The part of Linear's schema that the simulator answers, as tables. What is
 * not here is refused as an unknown field, as the real service refuses it.
 */
#include "lin.h"

#include <string.h>

#define SCALAR(n)                                                                        \
    {                                                                                    \
        n, LK_SCALAR, NULL, LS_MEMBER, NULL, NULL                                        \
    }
#define MEMBER(n, t)                                                                     \
    {                                                                                    \
        n, LK_OBJECT, t, LS_MEMBER, NULL, NULL                                           \
    }
#define REF(n, t, table, key)                                                            \
    {                                                                                    \
        n, LK_OBJECT, t, LS_REF, table, key                                              \
    }
#define IDS(n, t, table, key)                                                            \
    {                                                                                    \
        n, LK_CONN, t, LS_IDS, table, key                                                \
    }
#define BACK(n, t, table, key)                                                           \
    {                                                                                    \
        n, LK_CONN, t, LS_BACK, table, key                                               \
    }
#define END_OF_FIELDS                                                                    \
    {                                                                                    \
        NULL, LK_SCALAR, NULL, LS_MEMBER, NULL, NULL                                     \
    }

static const struct lin_type user_type, organization_type, state_type, template_type,
    relation_type, project_type;

static const struct lin_field user_fields[] = {
    SCALAR("id"),     SCALAR("name"), SCALAR("email"),
    SCALAR("active"), SCALAR("app"),  SCALAR("displayName"),
    SCALAR("admin"),  SCALAR("url"),  END_OF_FIELDS,
};

static const struct lin_field organization_fields[] = {
    SCALAR("id"),
    SCALAR("name"),
    SCALAR("urlKey"),
    END_OF_FIELDS,
};

static const struct lin_field limit_fields[] = {
    SCALAR("type"),   SCALAR("allowedAmount"),   SCALAR("remainingAmount"),
    SCALAR("period"), SCALAR("requestedAmount"), SCALAR("reset"),
    END_OF_FIELDS,
};
static const struct lin_type limit_type = {"RateLimitResultPayload", limit_fields};

static const struct lin_field rate_fields[] = {
    SCALAR("kind"),
    SCALAR("identifier"),
    {"limits", LK_LIST, &limit_type, LS_MEMBER, NULL, NULL},
    END_OF_FIELDS,
};
static const struct lin_type rate_type = {"RateLimitPayload", rate_fields};

static const struct lin_field state_fields[] = {
    SCALAR("id"),
    SCALAR("name"),
    SCALAR("type"),
    SCALAR("position"),
    SCALAR("color"),
    SCALAR("description"),
    REF("team", &lin_team_type, "teams", "teamId"),
    END_OF_FIELDS,
};

static const struct lin_field template_fields[] = {
    SCALAR("id"),           SCALAR("name"),
    SCALAR("type"),         SCALAR("description"),
    SCALAR("updatedAt"),    SCALAR("createdAt"),
    SCALAR("templateData"), REF("team", &lin_team_type, "teams", "teamId"),
    END_OF_FIELDS,
};

static const struct lin_field team_fields[] = {
    SCALAR("id"),
    SCALAR("key"),
    SCALAR("name"),
    SCALAR("description"),
    SCALAR("triageEnabled"),
    REF("defaultIssueState", &state_type, "states", "defaultStateId"),
    REF("triageIssueState", &state_type, "states", "triageStateId"),
    BACK("states", &state_type, "states", "teamId"),
    BACK("templates", &template_type, "templates", "teamId"),
    BACK("labels", &lin_label_type, "labels", "teamId"),
    BACK("issues", &lin_issue_type, "issues", "teamId"),
    END_OF_FIELDS,
};

static const struct lin_field label_fields[] = {
    SCALAR("id"),
    SCALAR("name"),
    SCALAR("color"),
    SCALAR("isGroup"),
    SCALAR("retiredAt"),
    SCALAR("description"),
    REF("team", &lin_team_type, "teams", "teamId"),
    REF("parent", &lin_label_type, "labels", "parentId"),
    END_OF_FIELDS,
};

static const struct lin_field project_fields[] = {
    SCALAR("id"),
    SCALAR("name"),
    END_OF_FIELDS,
};

static const struct lin_field issue_fields[] = {
    SCALAR("id"),
    SCALAR("identifier"),
    SCALAR("number"),
    SCALAR("title"),
    SCALAR("description"),
    SCALAR("url"),
    SCALAR("createdAt"),
    SCALAR("updatedAt"),
    SCALAR("startedAt"),
    SCALAR("completedAt"),
    SCALAR("canceledAt"),
    SCALAR("archivedAt"),
    SCALAR("trashed"),
    SCALAR("priority"),
    SCALAR("priorityLabel"),
    SCALAR("branchName"),
    SCALAR("customerTicketCount"),
    SCALAR("previousIdentifiers"),
    SCALAR("metadata"),
    REF("state", &state_type, "states", "stateId"),
    REF("team", &lin_team_type, "teams", "teamId"),
    REF("assignee", &user_type, "users", "assigneeId"),
    REF("creator", &user_type, "users", "creatorId"),
    REF("project", &project_type, "projects", "projectId"),
    REF("lastAppliedTemplate", &template_type, "templates", "lastAppliedTemplateId"),
    IDS("labels", &lin_label_type, "labels", "labelIds"),
    BACK("relations", &relation_type, "relations", "issueId"),
    BACK("inverseRelations", &relation_type, "relations", "relatedIssueId"),
    BACK("attachments", &lin_attachment_type, "attachments", "issueId"),
    BACK("comments", &lin_comment_type, "comments", "issueId"),
    END_OF_FIELDS,
};

static const struct lin_field relation_fields[] = {
    SCALAR("id"),
    SCALAR("type"),
    SCALAR("createdAt"),
    REF("issue", &lin_issue_type, "issues", "issueId"),
    REF("relatedIssue", &lin_issue_type, "issues", "relatedIssueId"),
    END_OF_FIELDS,
};

static const struct lin_field attachment_fields[] = {
    SCALAR("id"),
    SCALAR("url"),
    SCALAR("title"),
    SCALAR("subtitle"),
    SCALAR("sourceType"),
    SCALAR("metadata"),
    SCALAR("source"),
    SCALAR("createdAt"),
    SCALAR("updatedAt"),
    SCALAR("archivedAt"),
    REF("issue", &lin_issue_type, "issues", "issueId"),
    REF("creator", &user_type, "users", "creatorId"),
    END_OF_FIELDS,
};

static const struct lin_field comment_fields[] = {
    SCALAR("id"),
    SCALAR("url"),
    SCALAR("body"),
    SCALAR("createdAt"),
    SCALAR("updatedAt"),
    REF("issue", &lin_issue_type, "issues", "issueId"),
    REF("user", &user_type, "users", "userId"),
    END_OF_FIELDS,
};

static const struct lin_type user_type = {"User", user_fields};
static const struct lin_type organization_type = {"Organization", organization_fields};
static const struct lin_type state_type = {"WorkflowState", state_fields};
static const struct lin_type template_type = {"Template", template_fields};
static const struct lin_type relation_type = {"IssueRelation", relation_fields};
static const struct lin_type project_type = {"Project", project_fields};
const struct lin_type lin_team_type = {"Team", team_fields};
const struct lin_type lin_label_type = {"IssueLabel", label_fields};
const struct lin_type lin_issue_type = {"Issue", issue_fields};
const struct lin_type lin_attachment_type = {"Attachment", attachment_fields};
const struct lin_type lin_comment_type = {"Comment", comment_fields};

/* Same members as Issue, but another type: fragments on Issue do not fit. */
static const struct lin_type search_result_type = {"IssueSearchResult", issue_fields};

static const struct lin_field issue_payload_fields[] = {
    SCALAR("success"), SCALAR("lastSyncId"), MEMBER("issue", &lin_issue_type),
    END_OF_FIELDS};
static const struct lin_type issue_payload = {"IssuePayload", issue_payload_fields};

static const struct lin_field comment_payload_fields[] = {
    SCALAR("success"), SCALAR("lastSyncId"), MEMBER("comment", &lin_comment_type),
    END_OF_FIELDS};
static const struct lin_type comment_payload = {"CommentPayload", comment_payload_fields};

static const struct lin_field attachment_payload_fields[] = {
    SCALAR("success"), SCALAR("lastSyncId"), MEMBER("attachment", &lin_attachment_type),
    END_OF_FIELDS};
static const struct lin_type attachment_payload = {"AttachmentPayload",
                                                   attachment_payload_fields};

static const struct lin_field relation_payload_fields[] = {
    SCALAR("success"), SCALAR("lastSyncId"), MEMBER("issueRelation", &relation_type),
    END_OF_FIELDS};
static const struct lin_type relation_payload = {"IssueRelationPayload",
                                                 relation_payload_fields};

#define PAGE_ARGS " first last after before includeArchived orderBy filter "

static const struct lin_root roots[] = {
    {"viewer",                  LR_QUERY,    LK_OBJECT, &user_type,           "",                  NULL,       lin_q_viewer             },
    {"organization",            LR_QUERY,    LK_OBJECT, &organization_type,   "",                  NULL,
     lin_q_organization                                                                                                                 },
    {"rateLimitStatus",         LR_QUERY,    LK_OBJECT, &rate_type,           "",                  NULL,       lin_q_rate_limit         },
    {"teams",                   LR_QUERY,    LK_CONN,   &lin_team_type,       PAGE_ARGS,           NULL,       lin_q_teams              },
    {"team",                    LR_QUERY,    LK_OBJECT, &lin_team_type,       " id ",              "id",       lin_q_team               },
    {"issueLabels",             LR_QUERY,    LK_CONN,   &lin_label_type,      PAGE_ARGS,           NULL,       lin_q_labels             },
    {"workflowStates",          LR_QUERY,    LK_CONN,   &state_type,          PAGE_ARGS,           NULL,       lin_q_states             },
    {"templates",               LR_QUERY,    LK_LIST,   &template_type,       "",                  NULL,       lin_q_templates          },
    {"templatesForIntegration", LR_QUERY,    LK_LIST,   &template_type,       " integrationType ",
     "integrationType",                                                                                        lin_q_templates_for      },
    {"issues",                  LR_QUERY,    LK_CONN,   &lin_issue_type,      PAGE_ARGS " sort ",  NULL,
     lin_q_issues                                                                                                                       },
    {"issue",                   LR_QUERY,    LK_OBJECT, &lin_issue_type,      " id ",              "id",       lin_q_issue              },
    {"searchIssues",            LR_QUERY,    LK_CONN,   &search_result_type,
     PAGE_ARGS " term includeComments teamId ",                                                    "term",     lin_q_search             },
    {"attachmentsForURL",       LR_QUERY,    LK_CONN,   &lin_attachment_type, PAGE_ARGS " url ",
     "url",                                                                                                    lin_q_attachments_for_url},
    {"comment",                 LR_QUERY,    LK_OBJECT, &lin_comment_type,    " id hash ",         NULL,       lin_q_comment            },
    {"issueCreate",             LR_MUTATION, LK_OBJECT, &issue_payload,       " input ",           "input",
     lin_m_issue_create                                                                                                                 },
    {"commentCreate",           LR_MUTATION, LK_OBJECT, &comment_payload,     " input ",           "input",
     lin_m_comment_create                                                                                                               },
    {"attachmentCreate",        LR_MUTATION, LK_OBJECT, &attachment_payload,  " input ",           "input",
     lin_m_attachment_create                                                                                                            },
    {"attachmentLinkURL",       LR_MUTATION, LK_OBJECT, &attachment_payload,
     " issueId url title id createAsUser displayIconUrl ",                                         "url",      lin_m_link_url           },
    {"attachmentLinkZendesk",   LR_MUTATION, LK_OBJECT, &attachment_payload,
     " issueId ticketId url title id createAsUser displayIconUrl ",                                "ticketId",
     lin_m_link_zendesk                                                                                                                 },
    {"issueRelationCreate",     LR_MUTATION, LK_OBJECT, &relation_payload,
     " input overrideCreatedAt ",                                                                  "input",    lin_m_relation_create    },
};

const struct lin_field *lin_field_find(const struct lin_type *type, const char *name)
{
    for (const struct lin_field *f = type->fields; f->name; f++) {
        if (strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

const struct lin_root *lin_root_find(enum lin_root_kind kind, const char *name)
{
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        if (roots[i].root == kind && strcmp(roots[i].name, name) == 0)
            return &roots[i];
    }
    return NULL;
}
