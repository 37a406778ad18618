/* The sandbox search, from model to HDF. */
#ifndef CASEBOOK_WEB_VIEW_SEARCH_H
#define CASEBOOK_WEB_VIEW_SEARCH_H

#include "store/st_finding.h"
#include "web/search.h"
#include "web/view.h"

/*
 * AT.Id .Href .State.{Kind,Word} .Template .TemplateId .Started.* .StartedDay .RanFor .Second
 * .Matched .Fork .Source .Overlap ("1" when marked) .OverlapWord .Against (words) .Bars (mini bar, see
 * view_search.c) .Verdict.* (view_inv_row)
 */
void view_search_row(HDF *at, const struct view_link *l, const struct search_row *row,
                     const struct inv_rows *known);

/* Axis.{From,To,WinX,WinW} of the mini bars, and Axis.IsSet. */
void view_search_axis(HDF *root, const struct view_link *l);

/*
 * What was asked, and what each place answered: Tried.N.{Key,Value,IsVariant,Listed,Kept}. TriedGuesses: the
 * other spellings that were tried under all tags and found nothing, in one text.
 */
void view_search_tried(HDF *root, const struct search *s);

/* RowCount, AllCount, OverCount, ListedCount, KeptCount, FirstRow, LastRow, LastPage as people write numbers,
   and IsOne, OverIsOne, IsNarrowed, IsPartial, AllShown, OverIsRough. */
void view_search_counts(HDF *root, const struct search *s);

/*
 * What is not complete: Failed.* (view_failure; retry: where to try again), LedgerFailed, DetailsFailed, Warn.N
 * .{Tone,Title,Text}. True: with no row, nothing can be said about whether there are any.
 */
bool view_search_failures(HDF *root, const struct search *s, char *retry);

#endif
