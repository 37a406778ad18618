/*
 * What the files of the Linear side share: the running request, the types of
 * the schema that the simulator knows, and the operations on the tables.
 *
 * A record is a JSON object in one of the world's Linear tables; a type says
 * which of its members a document may ask for and where references lead.
 */
#ifndef SIM_LIN_H
#define SIM_LIN_H

#include "graphql.h"
#include "world.h"

enum lin_kind {
    LK_SCALAR,
    LK_OBJECT, /* one record or null */
    LK_LIST,   /* plain list of records */
    LK_CONN,   /* connection: nodes, edges, pageInfo */
};

enum lin_source {
    LS_MEMBER, /* the record's own member of that name */
    LS_REF,    /* the record of `table` whose id is the member `key` */
    LS_IDS,    /* records of `table` whose ids are in the list `key` */
    LS_BACK,   /* records of `table` whose member `key` is this record's id */
};

struct lin_field {
    const char *name;
    enum lin_kind kind;
    const struct lin_type *type;
    enum lin_source source;
    const char *table;
    const char *key;
};

struct lin_type {
    const char *name;
    const struct lin_field *fields; /* ends with a NULL name */
};

/* One request. The first failure wins; later ones are not kept. */
struct lin {
    struct sim *sim;
    struct world *world;
    const struct request *rq;
    struct gql_definition *doc;
    const struct gql_definition *operation;
    json_t *variables;
    double cost;
    json_t *error;   /* element of "errors", or NULL */
    int http_status; /* to answer with when error is set */
};

/* Note a failure; message with INPUT_ERROR and the like. Returns NULL. */
json_t *lin_fail(struct lin *l, int http_status, const char *code, const char *type,
                 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* A refusal that the user is meant to read. Returns NULL. */
json_t *lin_refuse(struct lin *l, int http_status, const char *code, const char *message,
                   const char *presentable);

/* ---- types (lin_types.c) ------------------------------------------------- */

extern const struct lin_type lin_issue_type;
extern const struct lin_type lin_team_type;
extern const struct lin_type lin_label_type;
extern const struct lin_type lin_comment_type;
extern const struct lin_type lin_attachment_type;

const struct lin_field *lin_field_find(const struct lin_type *type, const char *name);

enum lin_root_kind { LR_QUERY, LR_MUTATION };

typedef json_t *(*lin_root_fn)(struct lin *l, const json_t *args);

struct lin_root {
    const char *name;
    enum lin_root_kind root;
    enum lin_kind kind;
    const struct lin_type *type;
    const char *args;     /* allowed ones between blanks: " id first " */
    const char *required; /* one argument, or NULL */
    lin_root_fn run;      /* a new reference: record, or array of records; NULL: null */
};

const struct lin_root *lin_root_find(enum lin_root_kind kind, const char *name);

/* ---- running (lin_exec.c) ------------------------------------------------ */

/* Checks the document against the types and adds up l->cost. */
bool lin_validate(struct lin *l);

/* The answer's "data", or NULL with l->error. */
json_t *lin_execute(struct lin *l);

/* Records a field leads to: a new reference to a record, an array, or NULL. */
json_t *lin_follow(struct lin *l, const struct lin_field *field, const json_t *record);

/* ---- filters (lin_filter.c) ---------------------------------------------- */

/* Does the record satisfy an IssueFilter-like object? A bad filter fails l. */
bool lin_filter_fits(struct lin *l, const struct lin_type *type, const json_t *record,
                     const json_t *filter);

/* ---- tables (lin_world.c) ------------------------------------------------ */

json_t *lin_table(const struct world *w, const char *name);               /* borrowed */
json_t *lin_by(const struct world *w, const char *table, const char *key, /* borrowed */
               const char *value);

/* UUID or identifier such as SUP-412, old ones included; borrowed or NULL. */
json_t *lin_issue(const struct world *w, const char *id_or_identifier);

/* A new issue record with number and address; takes nothing over. Borrowed. */
json_t *lin_add_issue(struct world *w, const json_t *team, const char *id, int64_t number,
                      const char *title, const char *description, int64_t at_us);

/* Create, or update when the issue has the URL already. Borrowed. */
json_t *lin_put_attachment(struct world *w, json_t *issue, const char *url,
                           const char *title, const char *source_type, int64_t at_us);

json_t *lin_add_comment(struct world *w, const json_t *issue, const char *id,
                        const char *user_id, const char *body, int64_t at_us);

json_t *lin_add_relation(struct world *w, const json_t *issue, const json_t *related,
                         const char *type, int64_t at_us);

void lin_set_time(json_t *o, const char *key, int64_t us);
void lin_set_priority(json_t *issue, int64_t priority);
void lin_set_state(json_t *issue, const json_t *state, int64_t at_us);

/* ---- text (lin_markdown.c) ----------------------------------------------- */

/* What Linear stores when it is given that Markdown (linear.md 5.2). */
char *lin_markdown(const char *text);

/* ---- roots --------------------------------------------------------------- */

json_t *lin_q_viewer(struct lin *l, const json_t *args);
json_t *lin_q_organization(struct lin *l, const json_t *args);
json_t *lin_q_rate_limit(struct lin *l, const json_t *args);
json_t *lin_q_teams(struct lin *l, const json_t *args);
json_t *lin_q_team(struct lin *l, const json_t *args);
json_t *lin_q_labels(struct lin *l, const json_t *args);
json_t *lin_q_states(struct lin *l, const json_t *args);
json_t *lin_q_templates(struct lin *l, const json_t *args);
json_t *lin_q_templates_for(struct lin *l, const json_t *args);
json_t *lin_q_issues(struct lin *l, const json_t *args);
json_t *lin_q_issue(struct lin *l, const json_t *args);
json_t *lin_q_search(struct lin *l, const json_t *args);
json_t *lin_q_attachments_for_url(struct lin *l, const json_t *args);
json_t *lin_q_comment(struct lin *l, const json_t *args);
json_t *lin_m_issue_create(struct lin *l, const json_t *args);
json_t *lin_m_comment_create(struct lin *l, const json_t *args);
json_t *lin_m_attachment_create(struct lin *l, const json_t *args);
json_t *lin_m_link_url(struct lin *l, const json_t *args);
json_t *lin_m_link_zendesk(struct lin *l, const json_t *args);
json_t *lin_m_relation_create(struct lin *l, const json_t *args);

#endif
