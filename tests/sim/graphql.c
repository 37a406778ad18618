/*
 * Recursive descent over a GraphQL document. Nesting is bounded, the first
 * error stops it.
 */
#include "graphql.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 40

enum token_kind { T_END, T_NAME, T_NUMBER, T_STRING, T_PUNCT, T_BAD };

struct parser {
    const char *at;
    enum token_kind kind;
    char *text; /* of the current token; strings are unescaped */
    char *error;
    int depth;
};

static bool failed(const struct parser *p)
{
    return *p->error != '\0';
}

static void fail(struct parser *p, const char *what)
{
    if (!failed(p))
        snprintf(p->error, 256, "Syntax Error: %s, found \"%.40s\".", what,
                 p->kind == T_END ? "<EOF>" : p->text);
}

/* ---- tokens -------------------------------------------------------------- */

static void skip_ignored(struct parser *p)
{
    for (;;) {
        p->at += strspn(p->at, " \t\r\n,");
        if (has_prefix(p->at, "\xef\xbb\xbf"))
            p->at += 3;
        else if (*p->at == '#')
            p->at += strcspn(p->at, "\r\n");
        else
            return;
    }
}

static char simple_escape(char c)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *hit = c ? strchr(from, c) : NULL;

    return hit ? to[hit - from] : '\0';
}

static void read_block_string(struct parser *p)
{
    const char *end = strstr(p->at + 3, "\"\"\"");

    if (!end) {
        p->kind = T_BAD;
        p->text = dup_str("\"\"\"");
        p->at += 3;
        return;
    }
    p->text = dup_bytes(p->at + 3, (size_t)(end - p->at - 3));
    p->at = end + 3;
}

/* \u escapes are decoded by the JSON reader, all others here. */
static void read_string(struct parser *p)
{
    const char *s = p->at + 1;
    char *out = zalloc(strlen(s) + 1), *o = out;

    p->kind = T_STRING;
    if (has_prefix(p->at, "\"\"\"")) {
        free(out);
        read_block_string(p);
        return;
    }
    for (; *s && *s != '"' && *s != '\n'; s++) {
        if (*s != '\\') {
            *o++ = *s;
        } else if (s[1] == 'u') {
            char *quoted = format("\"%.6s\"", s);
            json_t *v = json_loads(quoted, JSON_DECODE_ANY, NULL);
            const char *utf8 = json_string_value(v);

            o = stpcpy(o, utf8 ? utf8 : "?");
            json_decref(v);
            free(quoted);
            s += strnlen(s, 6) - 1;
        } else if (simple_escape(s[1])) {
            *o++ = simple_escape(*++s);
        } else {
            p->kind = T_BAD;
        }
    }
    if (*s != '"')
        p->kind = T_BAD;
    p->at = *s == '"' ? s + 1 : s;
    p->text = out;
}

static void next(struct parser *p)
{
    static const char letters[] =
        "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t n;

    free(p->text);
    p->text = NULL;
    skip_ignored(p);
    if (*p->at == '"') {
        read_string(p);
        return;
    }
    if (*p->at == '\0') {
        p->kind = T_END;
        n = 0;
    } else if ((n = strspn(p->at, "-+.0123456789eE")) > 0 &&
               strchr("-0123456789", *p->at)) {
        p->kind = T_NUMBER;
    } else if (has_prefix(p->at, "...")) {
        p->kind = T_PUNCT;
        n = 3;
    } else if ((n = strspn(p->at, letters)) > 0) {
        p->kind = T_NAME;
    } else {
        p->kind = strchr("!$()&:=@[]{|}", *p->at) ? T_PUNCT : T_BAD;
        n = 1;
    }
    p->text = dup_bytes(p->at, n);
    p->at += n;
}

static bool peek(const struct parser *p, const char *punct)
{
    return p->kind == T_PUNCT && strcmp(p->text, punct) == 0;
}

static bool accept(struct parser *p, const char *punct)
{
    if (!peek(p, punct))
        return false;
    next(p);
    return true;
}

static void expect(struct parser *p, const char *punct)
{
    char what[32];

    snprintf(what, sizeof what, "Expected \"%s\"", punct);
    if (!accept(p, punct))
        fail(p, what);
}

static char *take_name(struct parser *p)
{
    char *name;

    if (p->kind != T_NAME) {
        fail(p, "Expected Name");
        return dup_str("");
    }
    name = dup_str(p->text);
    next(p);
    return name;
}

/* ---- values -------------------------------------------------------------- */

static struct gql_value *parse_value(struct parser *p);

static struct gql_arg *parse_items(struct parser *p, const char *close, bool has_names)
{
    struct gql_arg *first = NULL, **tail = &first;

    while (!failed(p) && !accept(p, close)) {
        struct gql_arg *arg = zalloc(sizeof *arg);

        *tail = arg;
        tail = &arg->next;
        if (has_names) {
            arg->name = take_name(p);
            expect(p, ":");
        }
        arg->value = parse_value(p);
    }
    return first;
}

static json_t *name_value(const char *name)
{
    if (strcmp(name, "null") == 0)
        return json_null();
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return json_boolean(*name == 't');
    return json_string(name);
}

static json_t *scalar_value(struct parser *p)
{
    json_t *v = NULL;

    if (p->kind == T_NUMBER)
        v = json_loads(p->text, JSON_DECODE_ANY, NULL);
    else if (p->kind == T_STRING)
        v = json_text(p->text, strlen(p->text));
    else if (p->kind == T_NAME)
        v = name_value(p->text);
    if (!v)
        fail(p, "Expected a value");
    next(p);
    return v ? v : json_null();
}

static struct gql_value *parse_value(struct parser *p)
{
    struct gql_value *v = zalloc(sizeof *v);

    if (++p->depth > DEPTH_MAX)
        fail(p, "Too deep");
    if (failed(p)) {
        v->kind = GV_JSON;
        v->json = json_null();
    } else if (accept(p, "$")) {
        v->kind = GV_VARIABLE;
        v->name = take_name(p);
    } else if (accept(p, "[")) {
        v->kind = GV_LIST;
        v->items = parse_items(p, "]", false);
    } else if (accept(p, "{")) {
        v->kind = GV_OBJECT;
        v->items = parse_items(p, "}", true);
    } else {
        v->kind = GV_JSON;
        v->json = scalar_value(p);
    }
    p->depth--;
    return v;
}

/* ---- selections ---------------------------------------------------------- */

static void free_args(struct gql_arg *arg);

static void skip_directives(struct parser *p)
{
    while (!failed(p) && accept(p, "@")) {
        free(take_name(p));
        if (accept(p, "("))
            free_args(parse_items(p, ")", true));
    }
}

static struct gql_selection *parse_selections(struct parser *p);

static void parse_fragment(struct parser *p, struct gql_selection *s)
{
    bool has_type = p->kind == T_NAME && strcmp(p->text, "on") == 0;

    if (p->kind == T_NAME && !has_type) {
        s->kind = GS_SPREAD;
        s->name = take_name(p);
        skip_directives(p);
        return;
    }
    s->kind = GS_INLINE;
    if (has_type) {
        next(p);
        s->name = take_name(p);
    }
    skip_directives(p);
    expect(p, "{");
    s->children = parse_selections(p);
}

static void parse_field(struct parser *p, struct gql_selection *s)
{
    s->kind = GS_FIELD;
    s->name = take_name(p);
    if (accept(p, ":")) {
        s->alias = s->name;
        s->name = take_name(p);
    } else {
        s->alias = dup_str(s->name);
    }
    if (accept(p, "("))
        s->args = parse_items(p, ")", true);
    skip_directives(p);
    if (accept(p, "{"))
        s->children = parse_selections(p);
}

/* After "{"; takes the "}". */
static struct gql_selection *parse_selections(struct parser *p)
{
    struct gql_selection *first = NULL, **tail = &first;

    if (++p->depth > DEPTH_MAX)
        fail(p, "Too deep");
    if (peek(p, "}"))
        fail(p, "Expected Name");
    while (!failed(p) && !accept(p, "}")) {
        struct gql_selection *s = zalloc(sizeof *s);

        *tail = s;
        tail = &s->next;
        if (accept(p, "..."))
            parse_fragment(p, s);
        else
            parse_field(p, s);
    }
    p->depth--;
    return first;
}

/* ---- definitions --------------------------------------------------------- */

/* A type is kept as its text. */
static char *parse_type(struct parser *p)
{
    char *out = dup_str("");

    while (!failed(p) &&
           (p->kind == T_NAME || peek(p, "[") || peek(p, "]") || peek(p, "!"))) {
        char *longer = format("%s%s", out, p->text);

        free(out);
        out = longer;
        next(p);
    }
    return out;
}

static struct gql_variable *parse_variables(struct parser *p)
{
    struct gql_variable *first = NULL, **tail = &first;

    while (!failed(p) && !accept(p, ")")) {
        struct gql_variable *v = zalloc(sizeof *v);

        *tail = v;
        tail = &v->next;
        expect(p, "$");
        v->name = take_name(p);
        expect(p, ":");
        v->type = parse_type(p);
        if (accept(p, "="))
            v->dflt = parse_value(p);
        skip_directives(p);
    }
    return first;
}

static struct gql_definition *parse_definition(struct parser *p)
{
    struct gql_definition *d = zalloc(sizeof *d);

    if (peek(p, "{")) {
        d->keyword = dup_str("query");
    } else {
        d->keyword = take_name(p);
        if (p->kind == T_NAME)
            d->name = take_name(p);
        if (accept(p, "("))
            d->variables = parse_variables(p);
        if (strcmp(d->keyword, "fragment") == 0) {
            free(take_name(p)); /* "on" */
            free(take_name(p));
        }
        skip_directives(p);
    }
    expect(p, "{");
    d->selections = parse_selections(p);
    return d;
}

struct gql_definition *gql_parse(const char *text, char *error)
{
    struct parser p = {.at = text, .error = error};
    struct gql_definition *first = NULL, **tail = &first;

    *error = '\0';
    next(&p);
    do {
        *tail = parse_definition(&p);
        tail = &(*tail)->next;
    } while (!failed(&p) && p.kind != T_END);
    free(p.text);
    if (*error) {
        gql_free(first);
        return NULL;
    }
    return first;
}

/* ---- freeing ------------------------------------------------------------- */

static void free_value(struct gql_value *v)
{
    if (!v)
        return;
    free(v->name);
    json_decref(v->json);
    free_args(v->items);
    free(v);
}

static void free_args(struct gql_arg *arg)
{
    while (arg) {
        struct gql_arg *following = arg->next;

        free(arg->name);
        free_value(arg->value);
        free(arg);
        arg = following;
    }
}

static void free_selections(struct gql_selection *s)
{
    while (s) {
        struct gql_selection *following = s->next;

        free(s->alias);
        free(s->name);
        free_args(s->args);
        free_selections(s->children);
        free(s);
        s = following;
    }
}

static void free_variables(struct gql_variable *v)
{
    while (v) {
        struct gql_variable *following = v->next;

        free(v->name);
        free(v->type);
        free_value(v->dflt);
        free(v);
        v = following;
    }
}

void gql_free(struct gql_definition *d)
{
    while (d) {
        struct gql_definition *following = d->next;

        free(d->keyword);
        free(d->name);
        free_variables(d->variables);
        free_selections(d->selections);
        free(d);
        d = following;
    }
}

/* ---- evaluating ---------------------------------------------------------- */

static json_t *list_json(const struct gql_arg *items, const json_t *variables)
{
    json_t *list = json_array();

    for (; items; items = items->next) {
        json_t *v = gql_value_json(items->value, variables);

        json_array_append_new(list, v ? v : json_null());
    }
    return list;
}

json_t *gql_args_json(const struct gql_arg *args, const json_t *variables)
{
    json_t *o = json_object();

    for (; args; args = args->next) {
        json_t *v = gql_value_json(args->value, variables);

        if (v)
            json_object_set_new(o, args->name, v);
    }
    return o;
}

json_t *gql_value_json(const struct gql_value *value, const json_t *variables)
{
    if (value->kind == GV_VARIABLE)
        return json_incref(json_object_get(variables, value->name));
    if (value->kind == GV_LIST)
        return list_json(value->items, variables);
    if (value->kind == GV_OBJECT)
        return gql_args_json(value->items, variables);
    return json_incref(value->json);
}
