/* One exchange with Linear (linear.md 1). Private to upstream. */
#ifndef CASEBOOK_UPSTREAM_LINEAR_REQUEST_H
#define CASEBOOK_UPSTREAM_LINEAR_REQUEST_H

#include "upstream/linear.h"
#include "upstream/linear_documents.h"
#include <jansson.h>

/* Fills req (its texts live in the arena). Takes over `variables`; NULL: none. */
void linear_request_fill(const struct linear *l, struct arena *a,
                         struct http_request *req, const struct linear_document *document,
                         json_t *variables, bool is_write);

/*
 * What came back: 0 and *doc (a new reference) with *data borrowed from it; or -1 with err, *doc NULL.
 * For a write, err.is_unknown tells that it may have had its effect.
 */
int linear_request_take(struct arena *a, const struct http_response *resp,
                        const struct linear_document *document, bool is_write,
                        json_t **doc, const json_t **data, struct err *err);

/* Both, blocking. Takes over `variables`. */
int linear_exchange(struct linear *l, struct arena *a,
                    const struct linear_document *document, json_t *variables,
                    bool is_write, int64_t deadline_us, json_t **doc, const json_t **data,
                    struct err *err);

/* Puts "linear: OPERATION: " in front, for failures found after linear_exchange(); always -1. */
int linear_context(struct err *err, const struct linear_document *document);

/* One clean line of at most max bytes, cut at a character, without a mark. In the arena. */
char *linear_line(struct arena *a, const char *s, size_t max);

/* An issue with every text "" and every time TS_NONE. */
void linear_issue_blank(struct linear_issue *issue);

#endif
