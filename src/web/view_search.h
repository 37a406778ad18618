/* The sandbox search, from model to HDF. */
#ifndef CASEBOOK_WEB_VIEW_SEARCH_H
#define CASEBOOK_WEB_VIEW_SEARCH_H

#include "store/st_finding.h"
#include "web/search.h"
#include "web/view.h"

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
