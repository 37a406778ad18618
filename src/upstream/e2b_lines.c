/*
 * From the body of a page to lines. The two lists of v1 are walked side by side: entry i and raw line i
 * are one line in two forms.
 */
#include "upstream/e2b_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/jrows.h"
#include "base/ts.h"

#include "base/banned.h"

#define US_DIGITS 6
#define NS_DIGITS 9

int64_t e2b_line_ms(const struct log_line *l)
{
    int64_t ms = l->at_us / TS_MS;

    return l->at_us % TS_MS < 0 ? ms - 1 : ms;
}

/* The digits of the stamp's fraction beyond the microsecond. */
static int below_us(const char *stamp)
{
    const char *dot = stamp ? strchr(stamp, '.') : NULL;
    size_t n = dot ? strspn(dot + 1, "0123456789") : 0;
    int ns = 0;

    for (size_t i = US_DIGITS; i < NS_DIGITS; i++)
        ns = ns * 10 + (i < n ? dot[1 + i] - '0' : 0);
    return ns;
}

int e2b_line_ns(const struct log_line *l)
{
    int us = (int)(l->at_us - e2b_line_ms(l) * TS_MS);

    return us * 1000 + below_us(l->at_text);
}

/* -- rows ---------------------------------------------------------------------------------- */

/* The raw form of an entry, when there is one beside it; a raw line alone is both. */
static void read_row(struct arena *a, const json_t *row, const json_t *raw,
                     struct log_line *out, struct e2b_page *page)
{
    const json_t *text = json_object_get(raw ? raw : row, "line");
    struct err why = ERR_INIT;

    if (log_line_from_json(a, row, out, &why) || out->at_us == TS_NONE) {
        if (why.kind == ERR_NONE)
            err_set(&why, ERR_UPSTREAM, "a log line has no time");
        *out = (struct log_line){.at_us = TS_NONE};
        if (!page->bad++)
            page->why = why;
    } else if (json_is_string(text)) {
        log_line_add_raw(a, json_string_value(text), json_string_length(text), out);
    }
}

/* One row, and the one beside it in the other list when that is walked too. 1, 0 at the end, -1. */
static int next_pair(struct jrows *rows, struct jrows *raws, json_t **row, json_t **raw,
                     struct err *err)
{
    int rc = jrows_next(rows, row, err);

    *raw = NULL;
    if (rc != 1 || !raws)
        return rc;
    rc = jrows_next(raws, raw, err);
    if (rc != 1)
        json_decref(*row);
    return rc;
}

static int read_rows(struct arena *a, struct jrows *rows, struct jrows *raws,
                     int64_t until_ms, struct e2b_lines *out, struct err *err)
{
    json_t *row, *raw;
    bool is_after = false;
    int rc = 0;

    out->page.rows = jrows_count(rows);
    out->lines = arena_array(a, out->page.rows + 1, sizeof(*out->lines));
    while (!is_after && (rc = next_pair(rows, raws, &row, &raw, err)) == 1) {
        struct log_line *l = &out->lines[out->count++];

        read_row(a, row, raw, l, &out->page);
        is_after = l->at_us != TS_NONE && e2b_line_ms(l) > until_ms;
        json_decref(row);
        json_decref(raw);
    }
    if (rc < 0)
        return -1;
    if (out->page.rows && out->page.bad == out->page.rows) {
        *err = out->page.why;
        return err_ctx(err, "no line of %zu is readable", out->page.rows);
    }
    return 0;
}

static int no_list(const char *key, struct err *err)
{
    return err_set(err, ERR_UPSTREAM, "the answer has no list \"%s\"", key);
}

int e2b_lines_v2(struct arena *a, const char *body, size_t n, int64_t until_ms,
                 struct e2b_lines *out, struct err *err)
{
    struct jrows rows;

    *out = (struct e2b_lines){.count = 0};
    if (jrows_open(body, n, "logs", &rows, err))
        return -1;
    return rows.is_there ? read_rows(a, &rows, NULL, until_ms, out, err)
                         : no_list("logs", err);
}

int e2b_lines_v1(struct arena *a, const char *body, size_t n, int64_t until_ms,
                 struct e2b_lines *out, struct err *err)
{
    struct jrows entries, raws;
    size_t entry_count, raw_count;

    *out = (struct e2b_lines){.count = 0};
    if (jrows_open(body, n, "logEntries", &entries, err) ||
        jrows_open(body, n, "logs", &raws, err))
        return -1;
    if (!entries.is_there && !raws.is_there)
        return no_list("logEntries", err);
    entry_count = jrows_count(&entries);
    raw_count = jrows_count(&raws);
    if (!entry_count)
        return read_rows(a, &raws, NULL, until_ms, out, err);
    return read_rows(a, &entries, entry_count == raw_count ? &raws : NULL, until_ms, out,
                     err);
}

/* -- order --------------------------------------------------------------------------------- */

struct line_order {
    int64_t at_us;
    int ns; /* below the microsecond */
    size_t index;
};

static int order_cmp(const void *a, const void *b)
{
    const struct line_order *x = a, *y = b;

    if (x->at_us != y->at_us)
        return x->at_us < y->at_us ? -1 : 1;
    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

void e2b_lines_sort(struct arena *a, struct log_line *lines, size_t n)
{
    struct line_order *order = arena_array(a, n + 1, sizeof(*order));
    struct log_line *copy;
    bool is_sorted = true;

    for (size_t i = 0; i < n; i++) {
        order[i] = (struct line_order){lines[i].at_us, below_us(lines[i].at_text), i};
        is_sorted = is_sorted && (!i || order_cmp(&order[i - 1], &order[i]) < 0);
    }
    if (is_sorted)
        return;
    copy = arena_array(a, n, sizeof(*copy));
    memcpy(copy, lines, n * sizeof(*copy));
    qsort(order, n, sizeof(*order), order_cmp);
    for (size_t i = 0; i < n; i++)
        lines[i] = copy[order[i].index];
}
