/* Query strings and form bodies (application/x-www-form-urlencoded). */
#ifndef CASEBOOK_WEB_FORM_H
#define CASEBOOK_WEB_FORM_H

#include "web/request.h"

/*
 * Decode name=value pairs into out (room for REQ_MAX_FIELDS). Bad UTF-8 is repaired. ERR_INPUT for more than
 * REQ_MAX_FIELDS pairs, and for control bytes other than tab and line ends. An empty pair is skipped.
 */
int form_decode(struct arena *a, const char *text, size_t n,
                struct field out[REQ_MAX_FIELDS], size_t *count, struct err *err);

/* "application/x-www-form-urlencoded", with or without parameters, in any case. */
bool form_type_ok(const char *content_type);

enum form_body { FORM_READ, FORM_TOO_LONG, FORM_BROKEN };

/*
 * Read CONTENT_LENGTH bytes into rq->body, and NUL after them. The length is looked at before a byte is read:
 * FORM_TOO_LONG over max. FORM_BROKEN (err says why): no number, or the body ended early.
 */
enum form_body form_read_body(struct req *rq, const struct req_source *src, size_t max,
                              struct err *err);

#endif
