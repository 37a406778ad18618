/*
 * The sandbox search: E2B's list under several tags at once, united with Casebook's own record. One row for
 * each sandbox id, newest start first; each row knows its executions, what it matched on, and where it is
 * from. Used by the search pages; no HDF here.
 */
#ifndef CASEBOOK_WEB_SEARCH_H
#define CASEBOOK_WEB_SEARCH_H

#include "model/timeline.h"
#include "store/st_ledger.h"
#include "sys/conf.h"
#include "upstream/e2b.h"
#include "web/request.h"

struct search_row { /* one sandbox */
    struct timeline timeline;
    const char *sandbox_id;
    const char *matched[CONF_MAX_KEYS]; /* the tags that held the identifier */
    size_t matched_count;
    bool in_list; /* E2B lists it now */
    bool in_ledger;
    struct overlap_info overlap;
};

struct search {
    struct req *rq;
    /* what is looked for; set before search_calls */
    const char *value; /* the identifier; "" : nothing is asked */
    const char *keys[CONF_MAX_KEYS];
    size_t key_count;
    const char *state;                      /* "", running, paused, ended */
    int64_t started_from_us, started_to_us; /* TS_NONE: any */
    int64_t from_us, to_us;                 /* the complaint window; TS_NONE: none */
    /* what was found */
    struct e2b_list lists[CONF_MAX_KEYS];
    bool is_asking; /* the lists are initialised */
    struct ledger_row *kept;
    size_t kept_count;
    bool ledger_failed;
    struct search_row *rows;
    size_t row_count, row_cap;
};

/* One request for each tag added to calls[n]; returns the new n. */
size_t search_calls(struct search *s, struct http_call **calls, size_t n);
/* After the calls are over: asks the record, unites, narrows, sorts. Bounded at 3,000 rows. */
void search_unite(struct search *s);
/* The first list that failed, or NULL. */
const struct source *search_failure(const struct search *s);
void search_release(struct search *s);

#endif
