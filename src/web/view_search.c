/*
 * A row of the sandbox search. The mini bar is one SVG with the same axis in all rows: the window with
 * 40 minutes on both sides, or with its own length where that is longer (ux.md section 6). Positions are
 * thousandths of the width, computed here; the template only draws.
 */
#include "web/view_search.h"

#include "base/human.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define AXIS_MARGIN_US (40 * TS_MIN)
#define AXIS_UNITS 1000
#define MAX_BARS 40

struct axis {
    int64_t from_us, to_us;
};

static struct axis axis_of(const struct view_link *l)
{
    int64_t length = l->to_us - l->from_us;
    int64_t margin = length > AXIS_MARGIN_US ? length : AXIS_MARGIN_US;

    return (struct axis){l->from_us - margin, l->to_us + margin};
}

static int axis_x(const struct axis *ax, int64_t us)
{
    int64_t span = ax->to_us - ax->from_us;

    if (us <= ax->from_us)
        return 0;
    if (us >= ax->to_us)
        return AXIS_UNITS;
    return (int)((us - ax->from_us) * AXIS_UNITS / span);
}

void view_search_axis(HDF *root, const struct view_link *l)
{
    HDF *at = hput_node(root, "Axis");
    char text[HUMAN_SIZE];
    struct axis ax;

    if (l->from_us == TS_NONE)
        return;
    ax = axis_of(l);
    hput_bool(at, "IsSet", true);
    hput_time(at, "From", l->from_us, human_clock_min(l->from_us, text));
    hput_time(at, "To", l->to_us, human_clock_min(l->to_us, text));
    hput_i64(at, "WinX", axis_x(&ax, l->from_us));
    hput_i64(at, "WinW", axis_x(&ax, l->to_us) - axis_x(&ax, l->from_us));
}

static void put_bar(HDF *at, int *n, const struct axis *ax, const char *kind,
                    int64_t from_us, int64_t to_us)
{
    int x = axis_x(ax, from_us), w = axis_x(ax, to_us) - x;
    HDF *bar;

    if (*n >= MAX_BARS || to_us < ax->from_us || from_us > ax->to_us)
        return;
    bar = hput_row(at, "Bars", (*n)++);
    hput_str(bar, "Kind", kind);
    hput_i64(bar, "X", x);
    hput_i64(bar, "W", w < 4 ? 4 : w);
}

/* Up to when it surely ran: its end, its last sign of life where the end is not on record, or now. */
static int64_t sure_until(const struct timeline *t, size_t i, int64_t now_us)
{
    const struct execution *e = &t->execs[i];

    if (i + 1 == t->exec_count && e->last_sign_us != TS_NONE &&
        (e->end == EXEC_GONE || (t->is_silent && e->end == EXEC_OPEN)))
        return e->last_sign_us > e->start_us ? e->last_sign_us : e->start_us;
    return execution_known_until(e, now_us);
}

/* From there on nobody knows; when it was found gone, its deadline, or now, is the latest that it can have run. */
static void put_silence(HDF *at, int *n, const struct axis *ax, const struct execution *e,
                        int64_t from_us, int64_t now_us)
{
    int64_t until = now_us;

    if (e->end == EXEC_GONE && e->end_us != TS_NONE)
        until = e->end_us;
    else if (e->end == EXEC_GONE && e->deadline_us != TS_NONE && e->deadline_us < now_us)
        until = e->deadline_us;
    if (until > from_us)
        put_bar(at, n, ax, "silent", from_us, until);
}

static void put_bars(HDF *at, const struct view_link *l, const struct timeline *t)
{
    struct axis ax = axis_of(l);
    int64_t now_us = l->rq->now_us;
    int n = 0;

    for (size_t i = 0; i < t->exec_count; i++) {
        const struct execution *e = &t->execs[i];
        bool is_last = i + 1 == t->exec_count;
        int64_t until = sure_until(t, i, now_us);

        if (i > 0 && t->execs[i - 1].end_us != TS_NONE)
            put_bar(at, &n, &ax, "paused", t->execs[i - 1].end_us, e->start_us);
        put_bar(at, &n, &ax, "running", e->start_us, until);
        if (is_last && (e->end == EXEC_GONE || (e->end == EXEC_OPEN && t->is_silent)))
            put_silence(at, &n, &ax, e, until, now_us);
    }
    if (t->state == SANDBOX_PAUSED && t->end_us != TS_NONE)
        put_bar(at, &n, &ax, "paused", t->end_us, now_us);
    if (n == 0)
        hput_str(at, "Outside", t->start_us > ax.to_us ? "after" : "before");
}

/* BEFORE and AFTER tell the distance; a paused one has not ended. */
static void put_apart(HDF *at, const struct overlap_info *o, const struct timeline *t)
{
    char span[HUMAN_SIZE];

    human_duration(o->us, span);
    if (o->kind == OVERLAP_AFTER)
        hput_fmt(at, "Against", "started %s after it", span);
    else if (t->state == SANDBOX_PAUSED)
        hput_fmt(at, "Against", "paused %s before it", span);
    else
        hput_fmt(at, "Against", "ended %s before it", span);
}

/* The words against the window (ux.md section 6). */
static void put_overlap(HDF *at, const struct overlap_info *o, const struct timeline *t)
{
    char span[HUMAN_SIZE], clock[HUMAN_SIZE];

    human_duration(o->us, span);
    switch (o->kind) {
    case OVERLAP_NO_WINDOW:
        return;
    case OVERLAP_BEFORE:
    case OVERLAP_AFTER:
        put_apart(at, o, t);
        return;
    case OVERLAP_NONE_GAP:
        hput_str(at, "Against", "paused during all of it");
        return;
    case OVERLAP_MAYBE:
        hput_bool(at, "Overlap", true);
        hput_str(at, "OverlapWord", "may have run during the complaint window");
        hput_fmt(at, "Against", "may overlap: %s %s",
                 t->state == SANDBOX_RUNNING ? "silent since" : "last heard of at",
                 human_clock_min(o->since_us, clock));
        return;
    case OVERLAP_YES:
        break;
    }
    hput_bool(at, "Overlap", true);
    hput_str(at, "OverlapWord", "ran during the complaint window");
    if (o->is_all)
        hput_str(at, "Against", "overlaps all of it");
    else if (o->is_first && o->is_last)
        hput_fmt(at, "Against", "overlaps %s of it, with a pause between", span);
    else if (o->is_first)
        hput_fmt(at, "Against", "overlaps its first %s", span);
    else if (o->is_last)
        hput_fmt(at, "Against", "overlaps its last %s", span);
    else
        hput_fmt(at, "Against", "overlaps %s in the middle of it", span);
}

static const char *day_word(int64_t us, int64_t now_us, char *buf)
{
    if (us / TS_DAY == now_us / TS_DAY)
        return "today";
    if (us / TS_DAY == now_us / TS_DAY - 1)
        return "yesterday";
    return human_date(us, now_us, buf);
}

static void put_times(HDF *at, const struct view_link *l, const struct timeline *t)
{
    int64_t now_us = l->rq->now_us;
    char text[HUMAN_SIZE];

    if (t->start_us == TS_NONE)
        return;
    hput_time(at, "Started", t->start_us, human_clock(t->start_us, text));
    hput_str(at, "StartedDay", day_word(t->start_us, now_us, text));
    human_duration(t->ran_us, text);
    if (t->state == SANDBOX_RUNNING && t->is_silent) {
        hput_str(at, "RanFor", "unknown");
        if (t->last_sign_us != TS_NONE)
            hput_fmt(at, "Second", "last sign of life %s",
                     human_clock_min(t->last_sign_us, text));
        return;
    }
    hput_fmt(at, "RanFor", "%s%s", text, t->state == SANDBOX_RUNNING ? " so far" : "");
    if (t->state == SANDBOX_PAUSED && t->end_us != TS_NONE)
        hput_fmt(at, "Second", "paused since %s", human_clock_min(t->end_us, text));
    else if (t->paused_us > 0)
        hput_fmt(at, "Second", "paused %s", human_duration(t->paused_us, text));
}

static void put_matched(HDF *at, const struct search_row *row)
{
    struct sbuf sb;

    sbuf_init(&sb, 64000);
    for (size_t i = 0; i < row->matched_count; i++) {
        const struct search_match *m = &row->matched[i];

        sbuf_addf(&sb, "%s%s", i ? ", " : "", m->key);
        if (m->spelling)
            sbuf_addf(&sb, ", spelled \xE2\x80\x9C%s\xE2\x80\x9D", m->spelling);
    }
    hput_str(at, "Matched", sb.s);
    sbuf_release(&sb);
}

/* Where the row is from. What the list would say now is not known when it was not read so far. */
static void put_source(HDF *at, const struct view_link *l, const struct search_row *row)
{
    char ago[HUMAN_SIZE];

    if (row->timeline.has_old_snapshot)
        hput_str(at, "Source", "E2B lists an older snapshot of it");
    else if (row->in_list)
        hput_str(at, "Source", "in E2B's list now");
    else if (row->is_unlooked && row->seen_us != TS_NONE)
        hput_fmt(at, "Source", "from Casebook's record, %s",
                 human_ago(row->seen_us, l->rq->now_us, ago));
    else
        hput_str(at, "Source", "from Casebook's record");
}

void view_search_row(HDF *at, const struct view_link *l, const struct search_row *row,
                     const struct inv_rows *known)
{
    const struct timeline *t = &row->timeline;

    hput_str(at, "Id", row->sandbox_id);
    hput_str(at, "Href", view_href(l, view_sandbox_path(l, row->sandbox_id), NULL));
    view_state(hput_node(at, "State"), t);
    hput_str(at, "Template", text_is_empty(t->template_alias) ? "" : t->template_alias);
    hput_str(at, "TemplateId", t->template_id);
    put_times(at, l, t);
    put_matched(at, row);
    hput_bool(at, "Fork", row->is_fork);
    put_source(at, l, row);
    put_overlap(at, &row->overlap, t);
    if (l->from_us != TS_NONE)
        put_bars(at, l, t);
    for (size_t i = 0; known && i < known->count; i++)
        if (strcmp(known->items[i].inv.sandbox_id, row->sandbox_id) == 0)
            view_inv_row(hput_node(at, "Verdict"), l, &known->items[i]);
}

/* ---- the whole of it ---- */

static void put_count(HDF *at, const char *name, size_t n)
{
    char text[HUMAN_SIZE];

    hput_str(at, name, human_count((int64_t)n, text));
}

static void put_listed(HDF *at, const struct search_ask *ask)
{
    char text[HUMAN_SIZE];

    if (ask->list.src.state != SOURCE_OK)
        hput_str(at, "Listed", "no answer");
    else if (ask->listed == 0)
        hput_str(at, "Listed", "none");
    else
        hput_fmt(at, "Listed", "%s%s", human_count((int64_t)ask->listed, text),
                 ask->has_more || ask->list.src.is_cut ? " read, there are more" : "");
}

static void put_tried(HDF *at, const struct search *s, const struct search_ask *ask)
{
    hput_str(at, "Key", s->keys[ask->key]);
    hput_str(at, "Value", ask->value);
    hput_bool(at, "IsVariant", ask->is_variant);
    put_listed(at, ask);
    if (s->ledger_failed)
        hput_str(at, "Kept", "not read");
    else if (ask->kept == 0)
        hput_str(at, "Kept", "none");
    else
        put_count(at, "Kept", ask->kept);
}

/* A spelling that was only guessed, and that nobody uses. */
static bool is_idle_guess(const struct search_ask *ask)
{
    return ask->is_variant && ask->list.src.state == SOURCE_OK && ask->listed == 0 &&
           ask->kept == 0;
}

/* The idle guesses are told once, not for each tag. */
static void put_guesses(HDF *root, const struct search *s)
{
    struct sbuf sb;

    sbuf_init(&sb, 64000);
    for (size_t i = 0; i < s->ask_count; i++) {
        bool is_told = !is_idle_guess(&s->asks[i]);

        for (size_t k = 0; k < i && !is_told; k++)
            is_told = is_idle_guess(&s->asks[k]) &&
                      strcmp(s->asks[k].value, s->asks[i].value) == 0;
        if (!is_told)
            sbuf_addf(&sb, "%s%s", sb.len ? ", " : "", s->asks[i].value);
    }
    hput_str(root, "TriedGuesses", sb.s);
    sbuf_release(&sb);
}

void view_search_tried(HDF *root, const struct search *s)
{
    int n = 0;

    for (size_t i = 0; i < s->ask_count; i++)
        if (!is_idle_guess(&s->asks[i]))
            put_tried(hput_row(root, "Tried", n++), s, &s->asks[i]);
    put_guesses(root, s);
}

void view_search_counts(HDF *root, const struct search *s)
{
    put_count(root, "RowCount", s->hit_count);
    put_count(root, "AllCount", s->all_count);
    put_count(root, "OverCount", s->over_count);
    put_count(root, "ListedCount", s->listed_count);
    put_count(root, "KeptCount", s->only_kept_count);
    put_count(root, "FirstRow", s->first + 1);
    put_count(root, "LastRow", s->first + s->row_count);
    hput_bool(root, "IsOne", s->hit_count == 1);
    hput_bool(root, "OverIsOne", s->over_count == 1);
    hput_bool(root, "OverIsRough", s->is_rough);
    hput_bool(root, "IsPartial", search_is_partial(s));
    hput_bool(root, "IsNarrowed", s->hit_count < s->all_count);
    hput_bool(root, "AllShown", s->row_count == s->hit_count);
}

/* ---- what is missing ---- */

static HDF *warn(HDF *root, int *n, const char *title, const char *text)
{
    HDF *at = hput_row(root, "Warn", (*n)++);

    hput_str(at, "Tone", "warn");
    hput_str(at, "Title", title);
    hput_str(at, "Text", text);
    return at;
}

/* A list that answered, but not with all of it. */
static void warn_of_list(HDF *root, int *n, const struct search *s,
                         const struct search_ask *ask)
{
    struct arena *a = s->rq->arena;
    const struct source *src = &ask->list.src;
    const char *key = s->keys[ask->key];

    if (src->state != SOURCE_OK || src->err.kind == ERR_NONE)
        return;
    if (src->is_cut)
        warn(root, n, arena_fmt(a, "E2B's list for the tag %s broke off.", key),
             arena_fmt(a, "%s The %zu sandboxes before that are shown.",
                       view_failure_words(a, "E2B", src), ask->listed));
    else
        warn(root, n,
             arena_fmt(a, "Some of E2B's list for the tag %s cannot be read.", key),
             arena_fmt(a, "%s. The others are shown.", src->err.msg));
}

static void warn_of_cap(HDF *root, int *n, const struct search *s)
{
    struct arena *a = s->rq->arena;

    for (size_t i = 0; i < s->ask_count; i++) {
        const struct search_ask *ask = &s->asks[i];

        if (ask->list.src.state != SOURCE_OK || !ask->list.src.is_cut ||
            ask->list.src.err.kind != ERR_NONE)
            continue;
        warn(root, n,
             arena_fmt(a, "E2B's list for the tag %s is longer than Casebook reads.",
                       s->keys[ask->key]),
             arena_fmt(a,
                       "It was read to its page %d, %zu sandboxes. What is beyond is "
                       "shown only where Casebook's own record has it.",
                       ask->list.pages, ask->listed));
        return;
    }
}

/* Pages of a list that were left for later pages of results. */
static void warn_of_more(HDF *root, int *n, const struct search *s)
{
    struct arena *a = s->rq->arena;
    char many[HUMAN_SIZE], ago[HUMAN_SIZE];
    const struct search_ask *ask = NULL;
    HDF *at;

    for (size_t i = 0; i < s->ask_count && !ask; i++)
        if (s->asks[i].has_more)
            ask = &s->asks[i];
    if (!ask)
        return;
    if (ask->running >= 0)
        human_count(ask->running, many);
    at = warn(
        root, n,
        ask->running >= 0
            ? arena_fmt(a, "More at E2B: its list says %s running for the tag %s.", many,
                        s->keys[ask->key])
            : arena_fmt(a, "More at E2B: its list for the tag %s goes on.",
                        s->keys[ask->key]),
        s->is_fresh
            ? arena_fmt(a,
                        "The newest %zu were read now; the others are shown as "
                        "Casebook's record had them %s.",
                        ask->listed, human_ago(s->last_us, s->rq->now_us, ago))
            : arena_fmt(a,
                        "The newest %zu were read now; the next pages of this search "
                        "read on. Until then the number of sandboxes is not complete.",
                        ask->listed));
    if (s->is_fresh) /* nothing is missing */
        hput_str(at, "Tone", "quiet");
}

static void warn_of_record(HDF *root, int *n, const struct search *s)
{
    struct arena *a = s->rq->arena;
    char ago[HUMAN_SIZE];

    if (s->ledger_is_cut)
        warn(root, n, "Casebook's record holds more than it reads for one search.",
             "The oldest sandboxes are missing here.");
    if (s->details_failed)
        warn(root, n, "Some of Casebook's own record could not be read.",
             "Pauses, names of templates and what overlaps may be missing below.");
    if (!s->ledger_failed && s->last_us != TS_NONE &&
        s->rq->now_us - s->last_us >= SEARCH_RECORD_OLD_US)
        warn(root, n, "Casebook's record is behind.",
             arena_fmt(a,
                       "It was last brought up to date %s: sandboxes that started and "
                       "ended since are missing. Tell your administrator: the agent may "
                       "be stopped.",
                       human_ago(s->last_us, s->rq->now_us, ago)));
}

static bool put_failed_all(HDF *root, const struct search *s, const struct source *failed,
                           char *retry)
{
    const char *record =
        s->ledger_failed
            ? "Casebook's own record could not be read either. This does not mean that "
              "there are none."
            : "Casebook's own record of ended sandboxes holds none. This does not mean "
              "that there are none.";

    view_failure(hput_node(root, "Failed"), "E2B", "The search could not be made.",
                 failed, record, retry);
    return true;
}

bool view_search_failures(HDF *root, const struct search *s, char *retry)
{
    bool all = false;
    int n = 0;
    const struct source *failed = search_failure(s, &all);

    if (failed && failed->state == SOURCE_OK && s->all_count > 0)
        failed = NULL; /* a part is missing: told below */
    if (failed && s->all_count == 0)
        return put_failed_all(root, s, failed, retry);
    if (failed)
        view_failure(hput_node(root, "Failed"), "E2B", "Part of the search failed.",
                     failed,
                     all ? "The rows below are from Casebook's record only."
                         : "The rows below are from Casebook's record, or from the part "
                           "that answered.",
                     retry);
    hput_bool(root, "LedgerFailed", s->ledger_failed);
    for (size_t i = 0; i < s->ask_count; i++)
        warn_of_list(root, &n, s, &s->asks[i]);
    warn_of_cap(root, &n, s);
    warn_of_more(root, &n, s);
    warn_of_record(root, &n, s);
    return s->ledger_failed && s->all_count == 0;
}
