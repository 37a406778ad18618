/* The sandbox search, from model to HDF. */
#ifndef CASEBOOK_WEB_VIEW_SEARCH_H
#define CASEBOOK_WEB_VIEW_SEARCH_H

#include "store/st_finding.h"
#include "web/view.h"

struct search_row { /* one sandbox, united from E2B's list and Casebook's record */
    struct timeline timeline;
    const char *sandbox_id;
    const char *matched[CONF_MAX_KEYS]; /* the tags that held the identifier */
    size_t matched_count;
    bool in_list; /* E2B lists it now */
    bool in_ledger;
    struct overlap_info overlap;
};

/*
 * AT.Id .Href .State.{Kind,Word} .Template .TemplateId .Started.* .StartedDay .RanFor .Second
 * .Matched .Source .Overlap ("1" when marked) .Against (words) .Bars (mini bar, see view_search.c)
 * .Verdict.* (view_inv_row)
 */
void view_search_row(HDF *at, const struct view_link *l, const struct search_row *row,
                     const struct inv_rows *known, bool is_mixed);

/* Axis.{From,To,WinX,WinW} of the mini bars, and Axis.IsSet. */
void view_search_axis(HDF *root, const struct view_link *l);

#endif
