/*
 * What stands below the shown log lines: how many there are, the ways to more of them, and what has to be said
 * about the rest (skipped, gone, not searched). For logs.c only.
 */
#ifndef CASEBOOK_WEB_PAGES_LOG_FOOT_H
#define CASEBOOK_WEB_PAGES_LOG_FOOT_H

#include "web/pages/logs.h"

struct log_layout {
    const struct e2b_logs *read; /* its lines in the order that is shown */
    bool newest_first;           /* shown so */
    bool is_turned;              /* read in the other direction */
    bool is_at_top;              /* nothing stands above */
    bool is_order_refused;       /* newest first was asked for */
    bool is_unnumbered;          /* the numbers below are not known */
    int64_t first_number,
        last_number;       /* from 1; counted from the newest when that is on top */
    const char *down, *up; /* positions; "" where there is nothing */
};

/* at: Logs. Fills .First .Last .LastNumber .OrderHref .OrderText .Foot.* .Down.* .Up.* .Notes.N.* */
void log_foot_show(HDF *at, const struct log_request *r, const struct req *rq,
                   const struct sandbox_view *v, const char *self,
                   const struct log_layout *lay);

#endif
