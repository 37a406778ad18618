/*
 * Reading E2B's answers. What a single sandbox, event, sample or line looks like is model's business;
 * here are the documents around them: arrays, envelopes, error bodies. Pages of log lines: e2b_lines.c.
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
