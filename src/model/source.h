/*
 * What became of one read: "no data" and "could not get data" are different facts.
 */
#ifndef CASEBOOK_MODEL_SOURCE_H
#define CASEBOOK_MODEL_SOURCE_H

#include "base/err.h"

enum source_state {
    SOURCE_NOT_ASKED,
    SOURCE_OK,          /* answered; the data may still be empty */
    SOURCE_NOT_THERE,   /* a definite "not found" (404 on a thing) */
    SOURCE_UNSUPPORTED, /* this installation has no such route (e2b.md 1.1) */
    SOURCE_FAILED,      /* no usable answer: err says why */
};

struct source {
    enum source_state state;
    struct err err;     /* for SOURCE_FAILED (and NOT_THERE: the service's words) */
    int64_t fetched_us; /* when the answer was complete */
    int64_t took_us;    /* all tries together */
    int tries;
    bool is_cut; /* our own bound was reached: there is more */
};

static inline bool source_has_data(const struct source *s)
{
    return s->state == SOURCE_OK;
}

#endif
