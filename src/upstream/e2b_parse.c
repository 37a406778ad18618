/*
 * Reading E2B's answers. What a single sandbox, event, sample or line looks like is model's business;
 * here are the documents around them: arrays, envelopes, the two forms of logs, error bodies.
 */
#include "upstream/e2b_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"

#include "base/banned.h"

#define WORDS_MAX 200
#define WORDS_READ_MAX 8192 /* of a body that is no JSON */

static void row_is_bad(struct e2b_page *page, const struct err *why)
{
    if (!page->bad++)
        page->why = *why;
}

/* After all rows: were any of use? */
static int page_verdict(const struct e2b_page *page, const char *what, struct err *err)
{
    if (!page->rows || page->bad < page->rows)
        return 0;
    *err = page->why;
    return err_ctx(err, "no %s of %zu is readable", what, page->rows);
}

static int page_begin(const json_t *rows, const char *what, struct e2b_page *page,
                      struct err *err)
{
    *page = (struct e2b_page){.rows = json_array_size(rows)};
    if (!json_is_array(rows))
        return err_set(err, ERR_UPSTREAM, "the answer is no list of %ss", what);
    return 0;
}

int e2b_parse_sandboxes(struct arena *a, const json_t *doc, struct e2b_page *page,
                        struct sandbox **out, size_t *n, struct err *err)
{
    struct err why = ERR_INIT;

    *n = 0;
    if (page_begin(doc, "sandbox", page, err))
        return -1;
    *out = arena_array(a, page->rows + 1, sizeof(**out));
    for (size_t i = 0; i < page->rows; i++) {
        if (sandbox_from_json(a, json_array_get(doc, i), &(*out)[*n], &why))
            row_is_bad(page, &why);
        else
            (*n)++;
    }
    return page_verdict(page, "sandbox", err);
}

int e2b_parse_events(struct arena *a, const json_t *doc, struct e2b_page *page,
                     struct event **out, size_t *n, struct err *err)
{
    struct err why = ERR_INIT;

    *n = 0;
    if (page_begin(doc, "event", page, err))
        return -1;
    *out = arena_array(a, page->rows + 1, sizeof(**out));
    for (size_t i = 0; i < page->rows; i++) {
        if (event_from_json(a, json_array_get(doc, i), &(*out)[*n], &why))
            row_is_bad(page, &why);
        else
            (*n)++;
    }
    return page_verdict(page, "event", err);
}

static int metric_cmp(const void *a, const void *b)
{
    const struct metric *x = a, *y = b;

    return (x->at_us > y->at_us) - (x->at_us < y->at_us);
}

int e2b_parse_metrics(struct arena *a, const json_t *doc, struct e2b_page *page,
                      struct metric **out, size_t *n, struct err *err)
{
    struct err why = ERR_INIT;

    *n = 0;
    if (page_begin(doc, "sample", page, err))
        return -1;
    *out = arena_array(a, page->rows + 1, sizeof(**out));
    for (size_t i = 0; i < page->rows; i++) {
        if (metric_from_json(json_array_get(doc, i), &(*out)[*n], &why))
            row_is_bad(page, &why);
        else
            (*n)++;
    }
    qsort(*out, *n, sizeof(**out), metric_cmp);
    return page_verdict(page, "sample", err);
}

/* -- logs -------------------------------------------------------------------------------- */

static void read_entry(struct arena *a, const json_t *entry, struct log_line *out,
                       struct e2b_page *page)
{
    struct err why = ERR_INIT;

    if (log_line_from_json(a, entry, out, &why) || out->at_us == TS_NONE) {
        if (why.kind == ERR_NONE)
            err_set(&why, ERR_UPSTREAM, "a log line has no time");
        *out = (struct log_line){.at_us = TS_NONE};
        row_is_bad(page, &why);
    }
}

/* An array member; null counts as an empty one (Go writes an empty list so). */
static int log_array(const json_t *doc, const char *key, const json_t **out,
                     struct err *err)
{
    const json_t *v = json_object_get(doc, key);

    *out = NULL;
    if (!v || (!json_is_array(v) && !json_is_null(v)))
        return err_set(err, ERR_UPSTREAM, "the answer has no list \"%s\"", key);
    if (json_is_array(v))
        *out = v;
    return 0;
}

int e2b_parse_logs_v2(struct arena *a, const json_t *doc, struct e2b_page *page,
                      struct log_line **out, struct err *err)
{
    const json_t *rows;

    *page = (struct e2b_page){.rows = 0};
    if (log_array(doc, "logs", &rows, err))
        return -1;
    page->rows = json_array_size(rows);
    *out = arena_array(a, page->rows + 1, sizeof(**out));
    for (size_t i = 0; i < page->rows; i++)
        read_entry(a, json_array_get(rows, i), &(*out)[i], page);
    return page_verdict(page, "line", err);
}

static void add_result(struct arena *a, const json_t *raw, struct log_line *out)
{
    const json_t *text = json_object_get(raw, "line");

    if (out->at_us != TS_NONE && json_is_string(text))
        log_line_add_raw(a, json_string_value(text), json_string_length(text), out);
}

int e2b_parse_logs_v1(struct arena *a, const json_t *doc, struct e2b_page *page,
                      struct log_line **out, struct err *err)
{
    const json_t *raws = NULL;
    const json_t *entries = NULL;
    struct err no_entries = ERR_INIT;
    bool is_paired;

    *page = (struct e2b_page){.rows = 0};
    if (log_array(doc, "logs", &raws, err) &&
        log_array(doc, "logEntries", &entries, &no_entries))
        return -1;
    *err = (struct err){.kind = ERR_NONE};
    if (!entries)
        log_array(doc, "logEntries", &entries, &no_entries);
    page->rows = json_array_size(entries ? entries : raws);
    if (!page->rows && json_array_size(raws)) {
        entries = NULL;
        page->rows = json_array_size(raws);
    }
    is_paired = json_array_size(raws) == page->rows;
    *out = arena_array(a, page->rows + 1, sizeof(**out));
    for (size_t i = 0; i < page->rows; i++) {
        const json_t *raw = is_paired ? json_array_get(raws, i) : NULL;

        read_entry(a, entries ? json_array_get(entries, i) : raw, &(*out)[i], page);
        add_result(a, raw, &(*out)[i]);
    }
    return page_verdict(page, "line", err);
}

struct line_order {
    int64_t at_us;
    size_t index;
};

static int order_cmp(const void *a, const void *b)
{
    const struct line_order *x = a, *y = b;

    if (x->at_us != y->at_us)
        return x->at_us < y->at_us ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

void e2b_sort_lines(struct arena *a, struct log_line *lines, size_t n)
{
    struct line_order *order;
    struct log_line *copy;
    bool is_sorted = true;

    for (size_t i = 1; i < n && is_sorted; i++)
        is_sorted = lines[i - 1].at_us <= lines[i].at_us;
    if (is_sorted)
        return;
    order = arena_array(a, n, sizeof(*order));
    copy = arena_array(a, n, sizeof(*copy));
    memcpy(copy, lines, n * sizeof(*copy));
    for (size_t i = 0; i < n; i++)
        order[i] = (struct line_order){lines[i].at_us, i};
    qsort(order, n, sizeof(*order), order_cmp);
    for (size_t i = 0; i < n; i++)
        lines[i] = copy[order[i].index];
}

/* -- error bodies ------------------------------------------------------------------------ */

static char *without_secret(struct arena *a, char *text, const char *secret)
{
    char *at = text_is_empty(secret) ? NULL : strstr(text, secret);

    while (at) {
        *at = '\0';
        text = arena_fmt(a, "%s(key)%s", text, at + strlen(secret));
        at = strstr(text, secret);
    }
    return text;
}

/* The envelope's message; NULL when the body is no envelope. */
static char *envelope_message(struct arena *a, const char *body, size_t n)
{
    struct err ignored = ERR_INIT;
    json_t *doc;
    const char *s;

    if (!n || body[strspn(body, " \t\r\n")] != '{')
        return NULL;
    doc = jget_load(body, n, &ignored);
    s = jget_str(a, doc, "message", NULL);
    json_decref(doc);
    return arena_str(a, s);
}

char *e2b_error_words(struct arena *a, const char *body, size_t n,
                      const char *content_type, const char *secret)
{
    char *words = envelope_message(a, body, n);
    size_t read_n = n < WORDS_READ_MAX ? n : WORDS_READ_MAX;

    if (!words && text_icontains(content_type, "html"))
        words = text_from_html(a, body, read_n, WORDS_READ_MAX);
    if (!words)
        words = text_repair_utf8(a, body, read_n, NULL);
    words = text_clean_line(a, words, strlen(words), WORDS_READ_MAX);
    words = without_secret(a, words, secret);
    return text_clean_line(a, words, strlen(words), WORDS_MAX);
}

bool e2b_is_no_route(const char *body, size_t n)
{
    struct arena a = ARENA_INIT;
    const char *message = envelope_message(&a, body, n);
    bool yes = !message || text_icontains(message, "no matching operation") ||
               text_icontains(message, "page not found");

    arena_release(&a);
    return yes;
}
