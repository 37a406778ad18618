/*
 * What Casebook's ledger knows of one sandbox, read before E2B is asked: for facts that E2B has forgotten, and
 * so that the metrics can be asked for with both bounds.
 */
#ifndef CASEBOOK_WEB_PAGES_RECORD_H
#define CASEBOOK_WEB_PAGES_RECORD_H

#include "model/timeline.h"
#include "store/st_ledger.h"
#include "web/request.h"

struct record {
    bool is_failed; /* the database did not answer */
    bool is_known;  /* there is a row */
    struct ledger_row row;
    struct event *events; /* kept ones, oldest first */
    size_t event_count;
    struct sandbox_record facts; /* of the row */
    struct timeline before;      /* all of this put together, without E2B */
};

/* Everything lives in the request's arena. */
void record_load(struct record *r, struct req *rq, const char *sandbox_id);
/* For timeline_build_with; NULL when nothing is known. */
const struct sandbox_record *record_facts(const struct record *r);
/* E2B's events and the kept ones, each once, oldest first. In the arena. */
size_t record_unite(const struct record *r, struct arena *a, const struct event *events,
                    size_t n, const struct event **out);

#endif
