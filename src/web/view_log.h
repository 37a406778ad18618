/* Log lines, from the model to HDF or to a text file. */
#ifndef CASEBOOK_WEB_VIEW_LOG_H
#define CASEBOOK_WEB_VIEW_LOG_H

#include "base/sbuf.h"
#include "web/view_sandbox.h"

struct log_show {
    const struct sandbox_view *view; /* its link: the complaint window */
    const struct log_line *lines;    /* in the order in which they are shown */
    size_t n;
    int64_t
        first_number; /* 1, 2 … from the beginning; -1, -2 … from the newest; 0: not known */
    const char *search; /* "" or what is marked in them */
    int64_t at_us;      /* the moment that a link was for; TS_NONE: none */
    bool no_fold;
    const char *link; /* begins the link to a line; its time as RFC 3339 comes behind */
};

/*
 * Lines.N.{Number,Anchor,Href,Time.*,Level,From,Message,Hit,Rest,Extra,IsPlatform,IsInWindow,IsMatch,IsExtraMatch,
 * IsAt,IsFirstAt}; Lines.N.Fold.{Text,IsTrace,Body,More,Rows.K.{Number,Anchor,Href,Time.*,Message}};
 * PlatformCount, ProcessCount. Number is a sign where the number is not known. A line with controls in its text has
 * Parts.K.{Text,IsBold,IsMark,IsHit} (text_parts.h) instead of Message, IsMatch, Hit and Rest, or of Body; and Plain,
 * the cleaned text, where that is another one.
 */
void view_log_lines(HDF *at, const struct log_show *show);

/* One line each, parted by tabs: time, level, who wrote it, text, what it says beside it. */
void view_log_text(struct sbuf *out, const struct log_show *show);

#endif
