/*
 * Patterns as the page shows them. A chart is one row of bars, a bar a day; all charts have one scale, so that
 * they can be compared by eye, and each says its numbers in a sentence.
 */
#include "web/view_patterns.h"

#include "base/human.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define BAR_STEP 10 /* units of x a day */
#define BAR_WIDTH 8
#define BAR_HEIGHT 40 /* units of y for the largest day of all charts */
#define BAR_LEAST 2   /* one finding can be seen beside a hundred */

static const char *noun(int64_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

/* "4 customers", "no customer known". */
static void put_count(HDF *at, const char *name, int64_t n, const char *one,
                      const char *many)
{
    char text[HUMAN_SIZE];

    hput_fmt(at, name, "%s %s", human_count(n, text), noun(n, one, many));
}

static int64_t largest(const int64_t *values, size_t n)
{
    int64_t most = 0;

    for (size_t i = 0; i < n; i++)
        if (values[i] > most)
            most = values[i];
    return most;
}

static int64_t sum(const int64_t *values, size_t n)
{
    int64_t all = 0;

    for (size_t i = 0; i < n; i++)
        all += values[i];
    return all;
}

static char *day_text(const struct patterns_view *v, size_t day, char buf[HUMAN_SIZE])
{
    return human_date(v->first_day_us + (int64_t)day * TS_DAY, v->link->rq->now_us, buf);
}

static void put_bars(HDF *chart, const struct patterns_view *v, const int64_t *counts,
                     int64_t scale)
{
    char date[HUMAN_SIZE];
    int n = 0;

    for (size_t d = 0; d < v->days; d++) {
        int64_t height = counts[d] * BAR_HEIGHT / scale;
        HDF *bar;

        if (counts[d] == 0)
            continue;
        if (height < BAR_LEAST)
            height = BAR_LEAST;
        bar = hput_row(chart, "Bars", n++);
        hput_i64(bar, "X", (int64_t)d * BAR_STEP);
        hput_i64(bar, "Y", BAR_HEIGHT - height);
        hput_i64(bar, "W", BAR_WIDTH);
        hput_i64(bar, "H", height);
        hput_fmt(bar, "Text", "%s: %" PRId64, day_text(v, d, date), counts[d]);
    }
}

static void put_sentence(HDF *chart, const struct patterns_view *v, const int64_t *counts)
{
    int64_t most = largest(counts, v->days);
    char date[HUMAN_SIZE];
    size_t at = 0;

    if (most == 0) {
        hput_fmt(chart, "Sentence", "none in %zu days", v->days);
        return;
    }
    while (counts[at] != most)
        at++;
    hput_fmt(chart, "Sentence", "most on %s: %" PRId64, day_text(v, at, date), most);
}

static void put_charts(HDF *root, const struct patterns_view *v)
{
    int64_t scale = largest(v->by_day, v->days * CLASS_COUNT);

    for (int c = 0; c < CLASS_COUNT; c++) {
        const int64_t *counts = v->by_day + (size_t)c * v->days;
        const char *name = finding_class_name((enum finding_class)c);
        HDF *chart = hput_row(root, "Charts", c);

        hput_str(chart, "Class", name);
        hput_str(chart, "Word", finding_class_words((enum finding_class)c));
        hput_fmt(chart, "Href", "%s/investigations?class=%s",
                 v->link->rq->app->conf->base_path, name);
        hput_i64(chart, "Total", sum(counts, v->days));
        put_bars(chart, v, counts, scale ? scale : 1);
        put_sentence(chart, v, counts);
    }
}

/* The days that have a finding, newest first, for the table behind the charts. */
static void put_numbers(HDF *root, const struct patterns_view *v)
{
    char date[HUMAN_SIZE];
    int rows = 0;

    for (size_t d = v->days; d-- > 0;) {
        int64_t total = 0;
        HDF *row;

        for (size_t c = 0; c < CLASS_COUNT; c++)
            total += v->by_day[c * v->days + d];
        if (total == 0)
            continue;
        row = hput_row(root, "Numbers", rows++);
        hput_str(row, "Day", day_text(v, d, date));
        hput_i64(row, "Total", total);
        for (size_t c = 0; c < CLASS_COUNT; c++)
            hput_i64(hput_row(row, "Cells", (int)c), "Count", v->by_day[c * v->days + d]);
    }
}

/* ---- the same failure ---- */

static char *list_href(const struct view_link *l, const struct pattern *p)
{
    struct arena *a = l->rq->arena;

    return arena_fmt(a, "%s/investigations?signature=%s", l->rq->app->conf->base_path,
                     url_encode(a, p->newest.signature_hash));
}

static void put_state(HDF *at, const struct patterns_view *v, const struct pattern *p)
{
    for (size_t i = 0; v->live && i < v->live->count; i++) {
        const struct linear_issue *issue = &v->live->items[i];

        if (text_is_empty(p->issue_uuid) || strcmp(issue->id, p->issue_uuid) != 0)
            continue;
        hput_str(at, "StateType", issue->state_type);
        hput_str(at, "StateWord", issue->state_name);
        return;
    }
}

static void put_seen(HDF *at, const struct view_link *l, const char *name, int64_t us)
{
    char text[HUMAN_SIZE], ago[sizeof "FirstAgo"];

    hput_time(at, name, us, human_datetime(us, l->rq->now_us, text));
    snprintf(ago, sizeof ago, "%sAgo", name);
    hput_str(at, ago, human_ago(us, l->rq->now_us, text));
}

static void put_pattern(HDF *at, const struct patterns_view *v, const struct pattern *p)
{
    view_inv_row(at, v->link, &p->newest);
    put_count(at, "Findings", p->findings, "finding", "findings");
    put_count(at, "Sandboxes", p->sandboxes, "sandbox", "sandboxes");
    if (p->customers)
        put_count(at, "Customers", p->customers, "customer", "customers");
    put_count(at, "Templates", p->templates, "template", "templates");
    hput_str(at, "ListHref", list_href(v->link, p));
    put_seen(at, v->link, "First", p->first_us);
    put_seen(at, v->link, "Last", p->last_us);
    put_state(at, v, p);
}

void view_patterns(HDF *root, const struct patterns_view *v)
{
    char text[HUMAN_SIZE];

    hput_i64(root, "Days", (int64_t)v->days);
    hput_i64(root, "Width", (int64_t)v->days * BAR_STEP);
    hput_i64(root, "Total", sum(v->by_day, v->days * CLASS_COUNT));
    hput_str(root, "From", day_text(v, 0, text));
    hput_str(root, "To", day_text(v, v->days - 1, text));
    put_charts(root, v);
    put_numbers(root, v);
    for (size_t i = 0; i < v->patterns->count; i++)
        put_pattern(hput_row(root, "Patterns", (int)i), v, &v->patterns->items[i]);
    hput_i64(root, "PatternCount", (int64_t)v->patterns->count);
    hput_bool(root, "PatternsCut", v->patterns->has_more);
    if (v->live_src && v->live_src->state != SOURCE_OK)
        hput_str(root, "LiveFailed",
                 view_failure_words(v->link->rq->arena, "Linear", v->live_src));
}

void view_repeat(HDF *at, const struct view_link *l, const struct pattern *p)
{
    char text[HUMAN_SIZE];

    hput_fmt(at, "Title", "Same failure at several customers: %s", p->newest.headline);
    hput_fmt(at, "Text", "%" PRId64 " findings for %" PRId64 " customers since %s.",
             p->findings, p->customers, human_date(p->first_us, l->rq->now_us, text));
    hput_str(at, "Issue", p->newest.issue_identifier);
    hput_str(at, "IssueHref", p->newest.issue_url);
    hput_str(at, "Href", list_href(l, p));
    hput_fmt(at, "HrefText", "Show the %" PRId64, p->findings);
}
