/*
 * E2B's answers to model structs (e2b.md 2 to 6). Pure: JSON in, structs out; strings in the arena.
 *
 * One unreadable row does not cost the others: it is left out and counted. -1 with err when the document
 * has another shape, or when it has rows and none is readable.
 */
#ifndef CASEBOOK_UPSTREAM_E2B_PARSE_H
#define CASEBOOK_UPSTREAM_E2B_PARSE_H

#include <jansson.h>

#include "base/err.h"
#include "model/sandbox.h"

struct arena;

struct e2b_page {
    size_t rows;    /* as received */
    size_t bad;     /* of them unreadable */
    struct err why; /* of the first bad one */
};

/* Bare arrays. *n counts the readable rows. */
int e2b_parse_sandboxes(struct arena *a, const json_t *doc, struct e2b_page *page,
                        struct sandbox **out, size_t *n, struct err *err);
int e2b_parse_events(struct arena *a, const json_t *doc, struct e2b_page *page,
                     struct event **out, size_t *n, struct err *err);
/* Oldest first. */
int e2b_parse_metrics(struct arena *a, const json_t *doc, struct e2b_page *page,
                      struct metric **out, size_t *n, struct err *err);

/*
 * The service's own words out of the body of an error answer: the envelope's message, the text of an HTML
 * page, or the beginning of anything else; one clean line of at most 200 bytes, every copy of
 * `secret` taken out. "" when there is nothing to read.
 */
char *e2b_error_words(struct arena *a, const char *body, size_t n,
                      const char *content_type, const char *secret);

/* Does the body of a 404 say that there is no such route, not that a thing is missing (1.1)? */
bool e2b_is_no_route(const char *body, size_t n);

#endif
