/*
 * The sandbox search: E2B's list under several tags at once, united with Casebook's own record. One row for
 * each sandbox id, newest start first; each row knows its executions, what it matched on, and where it is
 * from. Used by the search pages; no HDF here.
 *
 * The record is read first, in short for every sandbox of the customer: it also tells in which spellings
 * their identifier occurs, so that one round of requests asks E2B for all of them. Of each list only as many
 * pages are read as the page of results needs; what lies beyond is known from the record.
 */
#ifndef CASEBOOK_WEB_SEARCH_H
#define CASEBOOK_WEB_SEARCH_H

#include "model/timeline.h"
#include "store/st_ledger_search.h"
#include "sys/conf.h"
#include "upstream/e2b.h"
#include "web/request.h"

#define SEARCH_PAGE_ROWS 50
#define SEARCH_MAX_ASKS 64
#define SEARCH_MAX_PAGE 1000000
/* A record that was last brought up to date before that is told to be old; the agent runs each minute. */
#define SEARCH_RECORD_OLD_US (10 * TS_MIN)

struct search_ask {       /* one tag with one spelling of the identifier */
    struct e2b_list list; /* the first member: see search.c */
    bool (*list_next)(struct http_call *call);
    int max_pages;   /* of E2B's list, for this page of results */
    bool has_more;   /* E2B has pages that were not asked for */
    int64_t running; /* how many run, by E2B's count; -1: not told */
    size_t key;      /* of search.keys */
    const char *value;
    bool is_variant;     /* not spelled as it was given */
    size_t listed, kept; /* sandboxes that this found in the list, on record */
};

struct search_hit { /* one sandbox, in short: for order, filters and counts */
    const char *id, *template_id, *template_alias;
    uint64_t asks; /* bit i: asks[i] found it */
    uint32_t keys; /* bit i: keys[i] holds the identifier */
    int64_t first_start_us, last_start_us;
    int64_t end_us; /* TS_NONE: open, or not known */
    enum sandbox_state state;
    const struct sandbox
        *listed; /* NULL: E2B does not list it, or not on the pages read */
    bool in_ledger;
    bool is_gone; /* it is not there any more */
    enum overlap overlap;
};

struct search_match {
    const char *key;
    const char *spelling; /* NULL: as it was given */
};

struct search_row { /* one sandbox of the page */
    struct timeline timeline;
    const char *sandbox_id;
    struct search_match matched[CONF_MAX_KEYS];
    size_t matched_count;
    bool in_list; /* E2B lists it now */
    bool in_ledger;
    bool
        is_unlooked; /* E2B's list was not read to where it would be: the state is the record's */
    int64_t seen_us; /* by the record; TS_NONE: not on record */
    bool is_fork;    /* its first event is a resume */
    struct overlap_info overlap;
};

struct search {
    struct req *rq;
    /* what is looked for; set before search_begin */
    const char *value;     /* the identifier, trimmed; "" : nothing is asked */
    const char *value_raw; /* as it was given, with its blanks */
    const char *keys[CONF_MAX_KEYS];
    size_t key_count;
    const char *state;                      /* "", running, paused, ended */
    const char *template_name;              /* id or name; "": any */
    int64_t started_from_us, started_to_us; /* TS_NONE: any */
    int64_t from_us, to_us;                 /* the complaint window; TS_NONE: none */
    bool only_overlap;                      /* only those that overlap the window */
    int64_t page; /* of the results, from 1; unite() puts it in range */
    /* what was asked */
    struct search_ask *asks;
    size_t ask_count;
    bool is_asking; /* the lists are initialised */
    /* what was found */
    bool ledger_failed;        /* the record could not be read */
    bool details_failed;       /* only some of it could not */
    bool ledger_is_cut;        /* more on record than were read */
    bool is_rough;             /* for some, whether they overlap is not looked up */
    bool is_fresh;             /* the record was brought up to date a moment ago */
    int64_t since_us, last_us; /* it watches since; last did. TS_NONE: never */
    struct ledger_seeks kept[CONF_MAX_KEYS]; /* by key */
    struct search_hit *hits; /* those that fit the filters, newest first */
    size_t hit_count, hit_cap;
    size_t all_count; /* before the filters */
    size_t over_count, listed_count, only_kept_count;
    size_t first; /* of hits: the first one of the page */
    struct search_row *rows;
    size_t row_count;
};

/* Reads the record, and decides what E2B is asked. No effect without a value. */
void search_begin(struct search *s);
/* Instead of the others: the hits that the record knows, at most limit of them, the newest; no request, no rows. */
void search_record(struct search *s, size_t limit);
/* One request for each ask added to calls[n] (room for SEARCH_MAX_ASKS); returns the new n. */
size_t search_calls(struct search *s, struct http_call **calls, size_t n);
/* After the calls are over: unites, narrows, sorts; makes the rows of the page. */
void search_unite(struct search *s);
/* Not all that E2B lists, or that is on record, was read: there may be more sandboxes than were found. */
bool search_is_partial(const struct search *s);
/* Any of the filters is set. */
bool search_is_narrowed(const struct search *s);
/* The first list that failed, else the first that failed in part (its state is OK), or NULL; *all: none of them
   answered. */
const struct source *search_failure(const struct search *s, bool *all);
void search_release(struct search *s);

#endif
