/*
 * The patterns page: findings by day and class as small bar charts, and the same failure across customers and
 * templates. Pure, but for what it writes.
 */
#ifndef CASEBOOK_WEB_VIEW_PATTERNS_H
#define CASEBOOK_WEB_VIEW_PATTERNS_H

#include "store/st_pattern.h"
#include "web/view.h"

struct patterns_view {
    const struct view_link *link;
    size_t days; /* of the span, the last one is today (UTC) */
    int64_t first_day_us;
    const int64_t *by_day; /* as pattern_days() gives it */
    const struct patterns *patterns;
    const struct linear_issues *live; /* the issues' states as Linear tells now; NULL */
    const struct source *live_src;    /* NULL: nothing was asked */
};

/*
 * Days, Total, Charts.N.{Class, Word, Href, Total, Sentence, Bars.N.{X, Y, W, H, Text}}, Width, From.*, To.*,
 * Numbers.N.{Day, Total, Cells.N.Count}, Patterns.N.* (as view_inv_row, and Findings, Sandboxes, Customers,
 * Templates, ListHref, First.*, FirstAgo, Last.*, LastAgo, StateType, StateWord), PatternCount, PatternsCut,
 * LiveFailed.
 */
void view_patterns(HDF *root, const struct patterns_view *v);

/* AT.Title, .Text, .Issue, .IssueHref, .Href, .HrefText: one failure of several customers, for the list. */
void view_repeat(HDF *at, const struct view_link *l, const struct pattern *p);

#endif
