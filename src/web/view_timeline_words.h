/* The phrases of the timeline; private to view_timeline.c. */
#ifndef CASEBOOK_WEB_VIEW_TIMELINE_WORDS_H
#define CASEBOOK_WEB_VIEW_TIMELINE_WORDS_H

#include "web/view_sandbox.h"

/* The run that an event belongs to; NULL when there is none. */
const struct execution *timeline_exec_of(const struct timeline *tl,
                                         const struct event *e);
/* Row.Bold and .Text */
void timeline_tell_event(const struct sandbox_view *v, HDF *row, const struct event *e);
/* "first", "second", … "11th", of the index. In the arena when it must be made. */
const char *timeline_ordinal(struct arena *a, size_t index);

#endif
