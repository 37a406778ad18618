/*
 * The rows of a list inside a JSON document, one at a time: a page of thousands of log lines is read
 * without a tree of all of them in memory. Rows are found by their brackets and quotes alone; each is then
 * loaded by itself (jget.h), which judges it.
 */
#ifndef CASEBOOK_BASE_JROWS_H
#define CASEBOOK_BASE_JROWS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct err;

struct jrows {
    const char *at, *end; /* what is left of the list; borrowed */
    bool is_there;        /* the member exists and is a list or null */
};

/*
 * The list that is the member `key` of the object that the document is. A missing member, or one that is
 * no list, gives no rows and is_there = false; null gives no rows. ERR_UPSTREAM when the document is no
 * object, or is cut off.
 */
int jrows_open(const char *doc, size_t n, const char *key, struct jrows *out,
               struct err *err);

/* How many are left. */
size_t jrows_count(const struct jrows *r);

/*
 * The next one: a new reference. 1, 0 at the end, -1 with err when the row is no JSON. A row that is neither
 * an object nor a list comes as null.
 */
int jrows_next(struct jrows *r, json_t **out, struct err *err);

#endif
