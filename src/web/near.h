/*
 * Where a sandbox stands among those of its customer: which ones are newer and older, and how many overlap the
 * complaint window. By Casebook's own record only: it costs a page no request. Who the customer is, is told by
 * the sandbox's own tags.
 */
#ifndef CASEBOOK_WEB_NEAR_H
#define CASEBOOK_WEB_NEAR_H

#include "model/sandbox.h"
#include "web/request.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct near {
    size_t
        count; /* of those that overlap, or of all when no window is set; 0: not known, or none */
    size_t position; /* from 1, newest start first; 0: this one does not overlap */
    bool is_least;   /* the record holds more than were read */
    bool has_window;
    const char *value;         /* of the tag that tells the customer */
    const char *newer, *older; /* ids; NULL: none */
};

/*
 * preferred: tells the customer if a tag of the sandbox has this value; else ("": always) its first configured tag
 * does. The same value under any configured tag is the same customer, as in the search. from_us, to_us: the
 * complaint window, or TS_NONE. A failing record is logged, and leaves count 0. In the request's arena.
 */
void near_load(struct near *near, struct req *rq, const char *sandbox_id,
               const struct tag *tags, size_t tag_count, const char *preferred,
               int64_t from_us, int64_t to_us);

#endif
