/* Shared by search*.c only. */
#ifndef CASEBOOK_WEB_SEARCH_PRIVATE_H
#define CASEBOOK_WEB_SEARCH_PRIVATE_H

#include "web/search.h"

/* Was this list read to its end, so that what it lacks is not there? State: of what is looked for. */
bool search_ask_is_whole(const struct search_ask *ask, enum sandbox_state state);

/* All that was found, once each and newest first, without what the filters take away. */
void search_unite_hits(struct search *s);
/* Mark in each hit whether it overlaps the complaint window. */
void search_mark_overlaps(struct search *s);
/* From hits to the rows of the page. */
void search_make_rows(struct search *s);

#endif
