/*
 * The foot of the log. Its sentences are made here: what they claim depends on how the lines were read and on
 * what E2B keeps.
 */
#include "web/pages/log_foot.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

/* An unknown start within this of what E2B keeps: the log probably began earlier. */
#define EDGE_US (2 * TS_HOUR)
#define LATE_US TS_MIN

struct foot {
    HDF *at;
    const struct log_request *r;
    const struct log_layout *lay;
    const struct sandbox_view *v;
    struct arena *a;
    const char *self;
    int64_t kept_from_us;
    int notes;
};

/* Around a moment nothing is searched nor filtered. */
static bool is_searched(const struct foot *f)
{
    return f->r->at_us == TS_NONE && !text_is_empty(f->r->search);
}

static bool is_filtered(const struct foot *f)
{
    return is_searched(f) || (f->r->at_us == TS_NONE && f->r->level != LOG_LEVEL_NONE);
}

/* "?logs=POSITION&n=1000&q=…"; position "1": from the top. n below 0: not known. */
static char *href(const struct foot *f, const char *position, int64_t n,
                  bool newest_first, bool in_printed)
{
    struct arena *a = f->a;
    char *s = arena_fmt(a, "%s%slogs=%s", f->self, strchr(f->self, '?') ? "&" : "?",
                        url_encode(a, position));

    if (n > 0)
        s = arena_fmt(a, "%s&n=%" PRId64, s, n);
    else if (n < 0)
        s = arena_fmt(a, "%s&n=u", s);
    if (f->r->no_wrap)
        s = arena_fmt(a, "%s&wrap=no", s);
    if (f->r->no_fold)
        s = arena_fmt(a, "%s&fold=no", s);
    if (!text_is_empty(f->r->only))
        s = arena_fmt(a, "%s&show=%s", s, f->r->only);
    if (is_searched(f))
        s = arena_fmt(a, "%s&q=%s", s, url_encode(a, f->r->search));
    if (is_filtered(f) && f->r->level != LOG_LEVEL_NONE)
        s = arena_fmt(a, "%s&level=%s", s, log_level_name(f->r->level));
    if (newest_first)
        s = arena_fmt(a, "%s&order=newest", s);
    else if (position[0] == 'b')
        s = arena_fmt(a, "%s&order=oldest", s);
    if (in_printed)
        s = arena_fmt(a, "%s&in=printed", s);
    return arena_fmt(a, "%s#raw", s);
}

static HDF *note(struct foot *f, bool is_bad, const char *text)
{
    HDF *row = hput_row(f->at, "Notes", f->notes++);

    hput_str(row, "Text", text);
    hput_bool(row, "IsBad", is_bad);
    return row;
}

/* -- what is shown ------------------------------------------------------------------------- */

/* Lines whose numbers are not known, by their times. */
static void put_unnumbered_title(struct foot *f)
{
    const struct e2b_logs *read = f->lay->read;
    HDF *at = hput_node(f->at, "Foot");
    char count[HUMAN_SIZE], from[HUMAN_SIZE], to[HUMAN_SIZE];

    human_count((int64_t)read->count, count);
    if (!read->count)
        hput_str(at, "Title", "No lines there.");
    else
        hput_fmt(at, "Title", "Showing %s lines, %s to %s%s", count,
                 human_clock(read->lines[0].at_us, from),
                 human_clock(read->lines[read->count - 1].at_us, to),
                 text_is_empty(f->lay->down) ? ", the end of the log" : "");
}

static void put_title(struct foot *f)
{
    const struct log_layout *lay = f->lay;
    const struct e2b_logs *read = lay->read;
    HDF *at = hput_node(f->at, "Foot");
    bool is_end = text_is_empty(lay->down) && !lay->is_turned;
    const char *of = is_filtered(f) ? "matching lines" : "lines";
    char first[HUMAN_SIZE], last[HUMAN_SIZE], seen[HUMAN_SIZE];

    human_count(lay->first_number, first);
    human_count(lay->last_number, last);
    human_count((int64_t)read->looked_at, seen);
    if (lay->is_unnumbered && !is_filtered(f)) {
        put_unnumbered_title(f);
        return;
    }
    if (read->count == 0 && is_filtered(f) && !is_end)
        hput_fmt(at, "Title", "Nothing found in the %s lines looked through.", seen);
    else if (read->count == 0 && is_filtered(f) && lay->last_number == 0)
        hput_str(at, "Title", "No line fits this filter.");
    else if (read->count == 0 && lay->last_number == 0)
        hput_str(at, "Title", "No lines.");
    else if (is_end && lay->newest_first)
        hput_fmt(at, "Title", "That was the oldest line: %s %s.", last, of);
    else if (is_end)
        hput_fmt(at, "Title", "End of the log: %s %s.", last, of);
    else if (lay->newest_first && lay->is_at_top)
        hput_fmt(at, "Title", "Showing the newest %s %s of unknown so far", last, of);
    else
        hput_fmt(at, "Title", "Showing %s \u2013 %s %s%s", first, last,
                 is_filtered(f) ? "of the matching lines" : "of unknown so far",
                 lay->newest_first ? ", counted from the newest" : "");
    if (read->count == 0 && !is_filtered(f) && is_end && lay->last_number == 0)
        hput_str(at, "Text",
                 "E2B sometimes answers an error with an empty list, so this is no proof "
                 "of silence.");
}

static void put_ways(struct foot *f)
{
    const struct log_layout *lay = f->lay;
    const struct e2b_logs *read = lay->read;
    bool newest = lay->newest_first;
    char text[HUMAN_SIZE];
    HDF *at;

    if (!text_is_empty(lay->down)) {
        at = hput_node(f->at, "Down");
        hput_str(at, "Position", lay->down);
        hput_str(at, "Href",
                 href(f, lay->down, lay->is_unnumbered ? -1 : lay->last_number, newest,
                      f->r->in_printed));
        hput_str(at, "Text",
                 read->count == 0 ? "Look further"
                 : newest         ? "Load older"
                                  : "Load more");
        if (read->count)
            hput_fmt(at, "After",
                     "There are lines %s %s. Up to 1,000 are loaded at a time.",
                     newest ? "before" : "after",
                     human_clock(read->lines[read->count - 1].at_us, text));
        else if (read->reached_us != TS_NONE)
            hput_fmt(at, "After", "The search has come to %s.",
                     human_datetime_s(read->reached_us, f->v->now_us, text));
    }
    if (!text_is_empty(lay->up)) {
        at = hput_node(f->at, "Up");
        hput_str(at, "Href",
                 href(f, lay->up, lay->is_unnumbered ? -1 : lay->first_number - 1, newest,
                      f->r->in_printed));
        hput_str(at, "Position", lay->up);
        hput_str(at, "Text", newest ? "Newer lines" : "Older lines");
    }
    hput_str(f->at, "OrderHref", href(f, "1", 0, !newest, f->r->in_printed));
    hput_str(f->at, "OrderText", newest ? "Oldest first" : "Newest first");
}

/* -- what has to be said --------------------------------------------------------------------- */

/* Where the search looked, and where it did not. */
static void say_search(struct foot *f)
{
    const struct e2b_logs *read = f->lay->read;
    char text[HUMAN_SIZE];
    HDF *row;

    if (!is_searched(f))
        return;
    if (!read->is_search_sent) {
        note(
            f, false,
            arena_fmt(f->a,
                      "Searched in %s lines: their messages, commands, and what programs "
                      "printed where E2B kept it. Capitals count.",
                      human_count((int64_t)read->looked_at, text)));
        return;
    }
    row = note(f, false,
               "E2B searched the message of each line only, not commands and not what a "
               "program printed. Capitals count.");
    hput_str(row, "HrefText", "Search those, too");
    hput_str(row, "Href", href(f, "1", 0, f->lay->newest_first, true));
}

/* When the sandbox began; TS_NONE when that is not known here. */
static int64_t start_us(const struct sandbox_view *v)
{
    return v->tl.exec_count && v->tl.execs[0].start_is_known ? v->tl.execs[0].start_us
                                                             : TS_NONE;
}

static const struct log_line *oldest_shown(const struct log_layout *lay)
{
    const struct e2b_logs *read = lay->read;

    if (!read->count)
        return NULL;
    return lay->newest_first ? &read->lines[read->count - 1] : &read->lines[0];
}

/* E2B's retention took the beginning of this log: where that end of it is shown. */
static void say_gone(struct foot *f)
{
    const struct log_layout *lay = f->lay;
    const struct log_line *l = oldest_shown(lay);
    int64_t began_us = start_us(f->v);
    bool is_oldest_end =
        lay->newest_first ? text_is_empty(lay->down) && !lay->is_turned : lay->is_at_top;
    char text[HUMAN_SIZE];
    bool is_gone;

    if (!is_oldest_end)
        return;
    if (began_us != TS_NONE)
        is_gone = began_us < f->kept_from_us;
    else
        is_gone = l && l->at_us < f->kept_from_us + EDGE_US && !is_filtered(f) &&
                  !text_starts(l->message, "Started creating sandbox");
    if (is_gone)
        note(f, false,
             arena_fmt(
                 f->a,
                 "E2B keeps log lines for 7 days: what was written before %s is gone.",
                 human_datetime(f->kept_from_us, f->v->now_us, text)));
}

/* The newest end is shown, and it is as young as that: E2B is some seconds behind (e2b.md 5.3). */
static void say_late(struct foot *f)
{
    const struct log_layout *lay = f->lay;
    const struct e2b_logs *read = lay->read;
    bool is_newest_end =
        lay->newest_first ? lay->is_at_top : text_is_empty(lay->down) && !lay->is_turned;
    const struct log_line *l =
        read->count ? &read->lines[lay->newest_first ? 0 : read->count - 1] : NULL;

    if (is_newest_end && l && f->v->now_us - l->at_us < LATE_US)
        note(f, false,
             "Lines can come some 10 s late: load the page again for newer ones.");
}

static void put_notes(struct foot *f)
{
    const struct e2b_logs *read = f->lay->read;

    if (f->lay->is_order_refused)
        note(f, false, "This E2B gives its log oldest first only.");
    if (read->skipped_some)
        note(f, true,
             "Some lines of one millisecond are missing: E2B holds more of them than it "
             "can "
             "give out.");
    if (read->src.is_cut && read->src.err.kind != ERR_NONE)
        note(f, true,
             arena_fmt(f->a, "E2B did not give all: %s",
                       view_failure_words(f->a, "E2B", &read->src)));
    if (read->results_src.state == SOURCE_FAILED)
        note(f, true,
             arena_fmt(f->a, "Exit codes could not be read: %s",
                       view_failure_words(f->a, "E2B", &read->results_src)));
    say_late(f);
    say_search(f);
    say_gone(f);
}

/* The same lines as a text file, and with nothing folded. */
static void put_files(struct foot *f)
{
    const struct log_request *r = f->r;
    struct arena *a = f->a;
    const char *q = strchr(f->self, '?');
    size_t path = q ? (size_t)(q - f->self) : strlen(f->self);
    char *s = arena_fmt(a, "%s/logs?from=%s", arena_strn(a, f->self, path),
                        text_is_empty(r->position) ? "1" : url_encode(a, r->position));
    char iso[TS_ISO_SIZE];

    if (r->at_us != TS_NONE)
        s = arena_fmt(a, "%s&at=%s", s, ts_iso_us(r->at_us, iso));
    if (is_searched(f))
        s = arena_fmt(a, "%s&q=%s", s, url_encode(a, r->search));
    if (is_filtered(f) && r->level != LOG_LEVEL_NONE)
        s = arena_fmt(a, "%s&level=%s", s, log_level_name(r->level));
    if (r->has_order)
        s = arena_fmt(a, "%s&order=%s", s, r->newest_first ? "newest" : "oldest");
    if (r->in_printed)
        s = arena_fmt(a, "%s&in=printed", s);
    hput_str(f->at, "TextHref", arena_fmt(a, "%s&as=text", s));
}

void log_foot_show(HDF *at, const struct log_request *r, const struct req *rq,
                   const struct sandbox_view *v, const char *self,
                   const struct log_layout *lay)
{
    struct foot f = {.at = at,
                     .r = r,
                     .lay = lay,
                     .v = v,
                     .a = rq->arena,
                     .self = self,
                     .kept_from_us = e2b_logs_kept_from_us(rq->now_us)};
    char text[HUMAN_SIZE];

    hput_str(at, "First", human_count(lay->first_number, text));
    hput_str(at, "Last", human_count(lay->last_number, text));
    if (lay->is_unnumbered) {
        hput_str(at, "LastNumber", "u");
        hput_str(at, "BeforeNumber", "u");
    } else {
        hput_i64(at, "LastNumber", lay->last_number);
        hput_i64(at, "BeforeNumber", lay->first_number - 1);
    }
    put_files(&f);
    put_title(&f);
    put_ways(&f);
    put_notes(&f);
}
