/*
 * Checks a document against the types and runs it: projection of records along
 * selections, connections with pages, and the cost of linear.md 1.3.
 */
#include "lin.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_DEFAULT 50
#define PAGE_MAX 250
#define COST_MAX 10000
#define DEPTH_MAX 30
#define CONN_ARGS " first last after before includeArchived orderBy filter "

json_t *lin_fail(struct lin *l, int http_status, const char *code, const char *type,
                 const char *fmt, ...)
{
    va_list ap;
    char *message = NULL;

    if (l->error)
        return NULL;
    va_start(ap, fmt);
    if (vasprintf(&message, fmt, ap) < 0)
        die("out of memory");
    va_end(ap);
    l->http_status = http_status;
    l->error = pack("{s:o, s:{s:s, s:s, s:i, s:b, s:b}}", "message",
                    json_text(message, strlen(message)), "extensions", "code", code,
                    "type", type, "statusCode", http_status == 200 ? 400 : http_status,
                    "userError", http_status < 500, "isGraphQLError", 1);
    free(message);
    return NULL;
}

json_t *lin_refuse(struct lin *l, int http_status, const char *code, const char *message,
                   const char *presentable)
{
    lin_fail(l, http_status, code, "invalid input", "%s", message);
    json_object_set_new(json_object_get(l->error, "extensions"), "userPresentableMessage",
                        json_string(presentable));
    return NULL;
}

static void fail_validation(struct lin *l, const char *fmt, const char *a, const char *b)
{
    char *message = replace_all(fmt, "{a}", a), *whole = replace_all(message, "{b}", b);

    lin_fail(l, 400, "GRAPHQL_VALIDATION_FAILED", "graphql error", "%s", whole);
    free(message);
    free(whole);
}

/* ---- checking ------------------------------------------------------------ */

static const struct gql_definition *fragment(const struct lin *l, const char *name)
{
    for (const struct gql_definition *d = l->doc; d; d = d->next) {
        if (strcmp(d->keyword, "fragment") == 0 && d->name && strcmp(d->name, name) == 0)
            return d;
    }
    return NULL;
}

static void check_args(struct lin *l, const struct gql_selection *s, const char *allowed)
{
    for (const struct gql_arg *a = s->args; a; a = a->next) {
        char *word = format(" %s ", a->name);

        if (!strstr(allowed, word))
            fail_validation(l, "Unknown argument \"{a}\" on field \"{b}\".", a->name,
                            s->name);
        free(word);
    }
}

static double page_size(struct lin *l, const struct gql_selection *s)
{
    json_t *args = gql_args_json(s->args, l->variables);
    int64_t first = jint(args, "first", jint(args, "last", PAGE_DEFAULT));

    json_decref(args);
    if (first > PAGE_MAX || first < 1)
        lin_fail(l, 400, "INVALID_INPUT", "invalid input",
                 "Argument Validation Error: first must be 1 to %d", PAGE_MAX);
    return (double)first;
}

static double cost_of(struct lin *l, const struct lin_type *type,
                      const struct gql_selection *s, int depth);

/* The members of a connection; what lies below nodes is multiplied outside. */
static double connection_cost(struct lin *l, const struct lin_type *type,
                              const struct gql_selection *s, int depth)
{
    double cost = 0;

    for (; s; s = s->next) {
        if (s->kind != GS_FIELD)
            fail_validation(l, "Fragments on {a}Connection are not simulated{b}.",
                            type->name, "");
        else if (strcmp(s->name, "nodes") == 0)
            cost += 1 + cost_of(l, type, s->children, depth + 1);
        else if (strcmp(s->name, "edges") == 0)
            cost += connection_cost(l, type, s->children, depth + 1);
        else if (strcmp(s->name, "node") == 0)
            cost += 1 + cost_of(l, type, s->children, depth + 1);
        else if (!strstr(" pageInfo totalCount archivePayload cursor __typename ",
                         s->name))
            fail_validation(l, "Cannot query field \"{a}\" on type \"{b}Connection\".",
                            s->name, type->name);
    }
    return cost;
}

static double field_cost(struct lin *l, enum lin_kind kind, const struct lin_type *type,
                         const struct gql_selection *s, int depth)
{
    if (kind == LK_SCALAR) {
        if (s->children)
            fail_validation(l, "Field \"{a}\" must not have a selection{b}.", s->name,
                            "");
        return 0.1;
    }
    if (!s->children)
        fail_validation(l,
                        "Field \"{a}\" of type \"{b}\" must have a selection of "
                        "subfields.",
                        s->name, type->name);
    if (kind == LK_OBJECT)
        return 1 + cost_of(l, type, s->children, depth + 1);
    if (kind == LK_LIST)
        return 1 + cost_of(l, type, s->children, depth + 1);
    return page_size(l, s) * connection_cost(l, type, s->children, depth + 1);
}

static double cost_of(struct lin *l, const struct lin_type *type,
                      const struct gql_selection *s, int depth)
{
    double cost = 0;

    if (depth > DEPTH_MAX) {
        fail_validation(l, "The document is too deep{a}{b}.", "", "");
        return 0;
    }
    for (; s && !l->error; s = s->next) {
        const struct lin_field *field;
        const struct gql_definition *f;

        if (s->kind == GS_SPREAD) {
            f = fragment(l, s->name);
            if (!f)
                fail_validation(l, "Unknown fragment \"{a}\"{b}.", s->name, "");
            else
                cost += cost_of(l, type, f->selections, depth + 1);
        } else if (s->kind == GS_INLINE) {
            cost += cost_of(l, type, s->children, depth + 1);
        } else if (strcmp(s->name, "__typename") != 0) {
            field = lin_field_find(type, s->name);
            if (!field) {
                fail_validation(l, "Cannot query field \"{a}\" on type \"{b}\".", s->name,
                                type->name);
                break;
            }
            check_args(l, s, field->kind == LK_CONN ? CONN_ARGS : "");
            cost += field_cost(l, field->kind, field->type, s, depth);
        }
    }
    return cost;
}

static enum lin_root_kind root_kind(const struct lin *l)
{
    return strcmp(l->operation->keyword, "mutation") == 0 ? LR_MUTATION : LR_QUERY;
}

static void check_root(struct lin *l, const struct gql_selection *s)
{
    const struct lin_root *root = lin_root_find(root_kind(l), s->name);
    json_t *args;

    if (!root) {
        fail_validation(l, "Cannot query field \"{a}\" on type \"{b}\".", s->name,
                        root_kind(l) == LR_MUTATION ? "Mutation" : "Query");
        return;
    }
    check_args(l, s, root->args);
    args = gql_args_json(s->args, l->variables);
    if (root->required && !json_object_get(args, root->required))
        fail_validation(l,
                        "Field \"{a}\" argument \"{b}\" is required, but it was not "
                        "provided.",
                        s->name, root->required);
    json_decref(args);
    l->cost += field_cost(l, root->kind, root->type, s, 0);
}

bool lin_validate(struct lin *l)
{
    const struct gql_selection *s;

    for (s = l->operation->selections; s && !l->error; s = s->next) {
        if (s->kind != GS_FIELD)
            fail_validation(l, "Fragments at the root are not simulated{a}{b}.", "", "");
        else
            check_root(l, s);
    }
    l->cost = ceil(l->cost);
    if (!l->error && l->cost > COST_MAX)
        lin_fail(l, 400, "INPUT_ERROR", "graphql error",
                 "Query too complex: complexity %.0f, the maximum is %d", l->cost,
                 COST_MAX);
    return !l->error;
}

/* ---- following references ------------------------------------------------ */

static json_t *records_by_ids(const json_t *table, const json_t *ids)
{
    json_t *out = json_array(), *id, *record;
    size_t i, k;

    json_array_foreach(ids, i, id)
    {
        json_array_foreach(table, k, record)
        {
            if (json_equal(json_object_get(record, "id"), id))
                json_array_append(out, record);
        }
    }
    return out;
}

static json_t *records_back(const json_t *table, const char *key, const json_t *id)
{
    json_t *out = json_array(), *record;
    size_t i;

    json_array_foreach(table, i, record)
    {
        if (json_equal(json_object_get(record, key), id))
            json_array_append(out, record);
    }
    return out;
}

json_t *lin_follow(struct lin *l, const struct lin_field *field, const json_t *record)
{
    const json_t *table = field->table ? lin_table(l->world, field->table) : NULL;
    const char *id;

    switch (field->source) {
    case LS_REF:
        id = jstr(record, field->key);
        return id ? json_incref(lin_by(l->world, field->table, "id", id)) : NULL;
    case LS_IDS:
        return records_by_ids(table, json_object_get(record, field->key));
    case LS_BACK:
        return records_back(table, field->key, json_object_get(record, "id"));
    case LS_MEMBER:
        break;
    }
    return json_incref(json_object_get(record, field->name));
}

/* ---- projecting ---------------------------------------------------------- */

static json_t *project(struct lin *l, const struct lin_type *type, const json_t *record,
                       const struct gql_selection *s);

static json_t *project_list(struct lin *l, const struct lin_type *type,
                            const json_t *records, const struct gql_selection *s)
{
    json_t *out = json_array(), *record;
    size_t i;

    json_array_foreach(records, i, record)
    {
        json_array_append_new(out, project(l, type, record, s));
    }
    return out;
}

struct page {
    json_t *records;
    size_t total;
    bool has_next;
    bool has_previous;
};

static json_t *page_info(const struct page *page)
{
    size_t n = json_array_size(page->records);
    const json_t *first = json_array_get(page->records, 0);
    const json_t *last = n ? json_array_get(page->records, n - 1) : NULL;

    return pack("{s:b, s:b, s:s?, s:s?}", "hasNextPage", page->has_next,
                "hasPreviousPage", page->has_previous, "startCursor", jstr(first, "id"),
                "endCursor", jstr(last, "id"));
}

static json_t *project_edges(struct lin *l, const struct lin_type *type,
                             const struct page *page, const struct gql_selection *s)
{
    json_t *out = json_array(), *record;
    size_t i;

    json_array_foreach(page->records, i, record)
    {
        json_t *edge = json_object();

        for (const struct gql_selection *c = s; c; c = c->next) {
            if (strcmp(c->name, "node") == 0)
                json_object_set_new(edge, c->alias,
                                    project(l, type, record, c->children));
            else if (strcmp(c->name, "cursor") == 0)
                json_object_set(edge, c->alias, json_object_get(record, "id"));
        }
        json_array_append_new(out, edge);
    }
    return out;
}

static json_t *pick(const json_t *object, const struct gql_selection *s)
{
    json_t *out = json_object();

    for (; s; s = s->next) {
        json_t *v = json_object_get(object, s->name);

        json_object_set(out, s->alias, v ? v : json_null());
    }
    return out;
}

static json_t *connection_member(struct lin *l, const struct lin_type *type,
                                 const struct page *page, const struct gql_selection *s)
{
    json_t *info, *out;

    if (strcmp(s->name, "nodes") == 0)
        return project_list(l, type, page->records, s->children);
    if (strcmp(s->name, "edges") == 0)
        return project_edges(l, type, page, s->children);
    if (strcmp(s->name, "totalCount") == 0)
        return json_integer((json_int_t)page->total);
    if (strcmp(s->name, "pageInfo") != 0)
        return json_null();
    info = page_info(page);
    out = pick(info, s->children);
    json_decref(info);
    return out;
}

/* Drops archived records unless asked for, and applies a filter if given. */
static json_t *visible(struct lin *l, const struct lin_type *type, const json_t *records,
                       const json_t *args)
{
    bool with_archived = jbool(args, "includeArchived", false);
    const json_t *filter = json_object_get(args, "filter");
    json_t *out = json_array(), *record;
    size_t i;

    json_array_foreach(records, i, record)
    {
        if (!with_archived && jstr(record, "archivedAt"))
            continue;
        if (!filter || lin_filter_fits(l, type, record, filter))
            json_array_append(out, record);
    }
    return out;
}

static void cut_page(struct page *page, json_t *records, const json_t *args)
{
    const char *after = jstr(args, "after");
    size_t n = json_array_size(records), from = 0;
    size_t first = (size_t)jint(args, "first", jint(args, "last", PAGE_DEFAULT));

    for (size_t i = 0; after && i < n; i++) {
        if (strcmp(jstr_or(json_array_get(records, i), "id", ""), after) == 0)
            from = i + 1;
    }
    *page = (struct page){.records = json_array(), .total = n, .has_previous = from > 0};
    for (size_t i = from; i < n && i < from + first; i++)
        json_array_append(page->records, json_array_get(records, i));
    page->has_next = from + first < n;
}

/* Takes over records. */
static json_t *project_connection(struct lin *l, const struct lin_type *type,
                                  json_t *records, const struct gql_selection *s)
{
    json_t *args = gql_args_json(s->args, l->variables);
    json_t *shown = visible(l, type, records, args), *out = json_object();
    struct page page;

    cut_page(&page, shown, args);
    for (const struct gql_selection *c = s->children; c; c = c->next)
        json_object_set_new(out, c->alias, connection_member(l, type, &page, c));
    json_decref(page.records);
    json_decref(shown);
    json_decref(records);
    json_decref(args);
    return out;
}

/* Takes over value, which may be NULL. */
static json_t *project_value(struct lin *l, enum lin_kind kind,
                             const struct lin_type *type, json_t *value,
                             const struct gql_selection *s)
{
    json_t *out;

    if (!value)
        return json_null();
    if (kind == LK_CONN)
        return project_connection(l, type, value, s);
    if (kind == LK_SCALAR || json_is_null(value))
        return value;
    out = kind == LK_LIST ? project_list(l, type, value, s->children)
                          : project(l, type, value, s->children);
    json_decref(value);
    return out;
}

static void project_into(struct lin *l, const struct lin_type *type, const json_t *record,
                         const struct gql_selection *s, json_t *out)
{
    for (; s; s = s->next) {
        const struct lin_field *field;

        if (s->kind == GS_SPREAD) {
            project_into(l, type, record, fragment(l, s->name)->selections, out);
        } else if (s->kind == GS_INLINE) {
            if (!s->name || strcmp(s->name, type->name) == 0)
                project_into(l, type, record, s->children, out);
        } else if (strcmp(s->name, "__typename") == 0) {
            json_object_set_new(out, s->alias, json_string(type->name));
        } else {
            field = lin_field_find(type, s->name);
            json_object_set_new(out, s->alias,
                                project_value(l, field->kind, field->type,
                                              lin_follow(l, field, record), s));
        }
    }
}

static json_t *project(struct lin *l, const struct lin_type *type, const json_t *record,
                       const struct gql_selection *s)
{
    json_t *out = json_object();

    project_into(l, type, record, s, out);
    return out;
}

json_t *lin_execute(struct lin *l)
{
    json_t *data = json_object();
    const struct gql_selection *s;

    for (s = l->operation->selections; s && !l->error; s = s->next) {
        const struct lin_root *root = lin_root_find(root_kind(l), s->name);
        json_t *args = gql_args_json(s->args, l->variables);
        json_t *value = root->run(l, args);

        json_decref(args);
        if (l->error)
            json_object_set_new(l->error, "path", pack("[s]", s->alias));
        else
            json_object_set_new(data, s->alias,
                                project_value(l, root->kind, root->type, value, s));
    }
    if (l->error) {
        json_decref(data);
        return NULL;
    }
    return data;
}
