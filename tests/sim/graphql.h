/*
 * A small GraphQL parser: executable documents only (operations, fragments,
 * variables, arguments, directives read and dropped). It knows no schema; the types are
 * in gql_type.h and checked while a request runs.
 */
#ifndef SIM_GRAPHQL_H
#define SIM_GRAPHQL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct gql_arg {
    char *name;
    struct gql_value *value;
    struct gql_arg *next;
};

enum gql_value_kind { GV_VARIABLE, GV_JSON, GV_LIST, GV_OBJECT };

struct gql_value {
    enum gql_value_kind kind;
    char *name;            /* of a variable */
    json_t *json;          /* a scalar; an enum is a string */
    struct gql_arg *items; /* of a list (unnamed) or object */
};

enum gql_selection_kind { GS_FIELD, GS_SPREAD, GS_INLINE };

struct gql_selection {
    enum gql_selection_kind kind;
    char *alias; /* the answer's key; the name when none was given */
    char *name;  /* field, fragment, or type of an inline fragment (may be NULL) */
    struct gql_arg *args;
    struct gql_selection *children;
    struct gql_selection *next;
};

struct gql_variable {
    char *name;
    char *type; /* as written, for example "[String!]" or "ID!" */
    struct gql_value *dflt;
    struct gql_variable *next;
};

struct gql_definition {
    char *keyword; /* query, mutation, subscription or fragment */
    char *name;    /* or NULL */
    struct gql_variable *variables;
    struct gql_selection *selections;
    struct gql_definition *next;
};

/* NULL when the text is no document; error then says why (256 bytes). */
struct gql_definition *gql_parse(const char *text, char *error);
void gql_free(struct gql_definition *doc);

/* The value with variables filled in; NULL when a variable was left out. */
json_t *gql_value_json(const struct gql_value *value, const json_t *variables);

/* All arguments as one object; those given by missing variables are left out. */
json_t *gql_args_json(const struct gql_arg *args, const json_t *variables);

#endif
