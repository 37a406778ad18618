/*
 * List Sandboxes, v2 and v1 (e2b.md 2): the filters, the metadata parameter
 * that is decoded three times, and keyset paging.
 */
#include "e2b.h"

#include "story.h"
#include "text.h"
#include "when.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const struct sandbox *sb;
    int64_t start_us;
    bool is_running;
    json_t *json;
};

struct filter {
    json_t *metadata; /* NULL: none */
    bool running;
    bool paused;
    bool is_asc;
    int64_t limit;
    int64_t started_after_us;
    const char *template;
    bool has_key; /* page begins after (key_us, key_id) */
    int64_t key_us;
    const char *key_id;
};

/* ---- the metadata parameter ---------------------------------------------- */

/* Go refuses a percent sign that is not followed by two hex digits. */
static char *query_unescape(const char *s)
{
    for (const char *p = s; (p = strchr(p, '%')); p++) {
        if (!isxdigit((unsigned char)p[1]) || !isxdigit((unsigned char)p[2]))
            return NULL;
    }
    return pct_decode(s, strlen(s), true);
}

static bool read_pair(char *piece, json_t *out)
{
    char *value = strchr(piece, '='), *k, *v;
    bool ok;

    if (!value || strchr(value + 1, '='))
        return false;
    *value++ = '\0';
    k = query_unescape(piece);
    v = query_unescape(value);
    ok = k && v;
    if (ok)
        json_object_set_new(out, k, json_text(v, strlen(v)));
    free(k);
    free(v);
    return ok;
}

/* Second and third decoding of e2b.md 2.2; NULL where the server says 400. */
static json_t *read_metadata(const char *once_decoded)
{
    char *text = query_unescape(once_decoded), *rest = text, *piece;
    json_t *out = json_object();

    while (text && (piece = strsep(&rest, "&"))) {
        if (!read_pair(piece, out)) {
            json_decref(out);
            out = NULL;
            break;
        }
    }
    if (!text) {
        json_decref(out);
        out = NULL;
    }
    free(text);
    return out;
}

static bool has_metadata(const struct sandbox *sb, const json_t *wanted)
{
    const json_t *have = json_object_get(sb->desc, "metadata");
    const char *key;
    json_t *value;

    if (json_object_size(have) == 0)
        return false;
    json_object_foreach((json_t *)wanted, key, value)
    {
        if (!json_equal(value, json_object_get(have, key)))
            return false;
    }
    return true;
}

/* ---- the other parameters ------------------------------------------------ */

static bool read_states(const char *text, struct filter *f)
{
    char *copy = dup_str(text), *rest = copy, *word;
    bool ok = true;

    f->running = f->paused = false;
    while ((word = strsep(&rest, ","))) {
        if (strcmp(word, "running") == 0)
            f->running = true;
        else if (strcmp(word, "paused") == 0)
            f->paused = true;
        else
            ok = false;
    }
    free(copy);
    return ok;
}

static int64_t read_rfc3339(const char *text)
{
    struct tm tm = {0};
    int year, month, n = 0;

    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &year, &month, &tm.tm_mday, &tm.tm_hour,
               &tm.tm_min, &tm.tm_sec, &n) < 6 ||
        !strpbrk(text + n, "Z+-"))
        return -1;
    tm.tm_year = year - 1900;
    tm.tm_mon = month - 1;
    return (int64_t)timegm(&tm) * US_PER_S +
           (text[n] == '.' ? (int64_t)(strtod(text + n, NULL) * 1e6) : 0);
}

/* Tokens read "d1789373520123456-ID"; the order is part of it. */
static bool read_token(const char *token, struct filter *f)
{
    char *dash;

    if (*token != (f->is_asc ? 'a' : 'd'))
        return false;
    f->key_us = strtoll(token + 1, &dash, 10);
    if (*dash != '-' || dash == token + 1)
        return false;
    f->key_id = dash + 1;
    f->has_key = true;
    return true;
}

/* NULL, or what to answer with 400. */
static const char *read_filter(const struct request *rq, struct filter *f)
{
    const char *text;

    *f = (struct filter){.running = true, .paused = true, .limit = 100};
    if ((text = request_param(rq, "metadata"))) {
        f->metadata = read_metadata(text);
        if (!f->metadata)
            return "Error parsing metadata";
    }
    if (request_int(rq, "limit", 1, 100, &f->limit) < 0)
        return "validation error: parameter \"limit\" in query has an error: number must "
               "be between 1 and 100";
    if ((text = request_param(rq, "state")) && !read_states(text, f))
        return "validation error: parameter \"state\" in query has an error: value is "
               "not one of the allowed values";
    if ((text = request_param(rq, "order"))) {
        f->is_asc = strcmp(text, "asc") == 0;
        if (!f->is_asc && strcmp(text, "desc") != 0)
            return "validation error: parameter \"order\" in query has an error";
    }
    if ((text = request_param(rq, "startedAfter"))) {
        f->started_after_us = read_rfc3339(text);
        if (f->started_after_us < 0)
            return "validation error: parameter \"startedAfter\" in query has an error";
    }
    f->template = request_param(rq, "template");
    if (f->template && strchr(f->template, ':'))
        return "template tags are not supported here";
    if ((text = request_param(rq, "nextToken")) && *text && !read_token(text, f))
        return "Invalid next token";
    return NULL;
}

/* ---- rows ---------------------------------------------------------------- */

static bool is_template(const struct sandbox *sb, const char *wanted)
{
    const char *slash = strchr(wanted, '/');

    return strcmp(jstr_or(sb->template, "id", ""), wanted) == 0 ||
           strcmp(jstr_or(sb->template, "name", ""), slash ? slash + 1 : wanted) == 0;
}

static bool fits(const struct filter *f, const struct sandbox *sb,
                 const struct life *life)
{
    int64_t start_us = life->run_count ? life->runs[life->run_count - 1].start_us : 0;

    return ((life->state == LIFE_RUNNING && f->running) ||
            (life->state == LIFE_PAUSED && f->paused)) &&
           (!f->metadata || has_metadata(sb, f->metadata)) &&
           start_us >= f->started_after_us &&
           (!f->template || is_template(sb, f->template));
}

static int compare(int64_t us_a, const char *id_a, int64_t us_b, const char *id_b)
{
    return us_a != us_b ? (us_a < us_b ? -1 : 1) : strcmp(id_a, id_b);
}

static int oldest_first(const void *pa, const void *pb)
{
    const struct row *a = pa, *b = pb;

    return compare(a->start_us, a->sb->id, b->start_us, b->sb->id);
}

static int newest_first(const void *pa, const void *pb)
{
    return -oldest_first(pa, pb);
}

static struct row *find_rows(struct sim *sim, int64_t at_us, const struct filter *f,
                             size_t *count)
{
    struct world *w = sim->world;
    struct row *rows = zalloc((w->sandbox_count + 1) * sizeof *rows);
    size_t n = 0;

    for (size_t i = 0; i < w->sandbox_count; i++) {
        const struct sandbox *sb = &w->sandboxes[i];
        struct life life = {0};

        life_build(sb, at_us, &life);
        if (fits(f, sb, &life)) {
            rows[n++] = (struct row){sb, life.runs[life.run_count - 1].start_us,
                                     life.state == LIFE_RUNNING, e2b_listed(sb, &life)};
        }
        life_release(&life);
    }
    qsort(rows, n, sizeof *rows, f->is_asc ? oldest_first : newest_first);
    *count = n;
    return rows;
}

static bool is_after_key(const struct filter *f, const struct row *row)
{
    int order = compare(row->start_us, row->sb->id, f->key_us, f->key_id);

    return !f->has_key || (f->is_asc ? order > 0 : order < 0);
}

static void send_page(struct sim *sim, const struct filter *f, const struct row *rows,
                      size_t count, struct reply *rp)
{
    json_t *page = json_array();
    size_t i = 0, running = 0;

    for (size_t k = 0; k < count; k++)
        running += rows[k].is_running;
    while (i < count && !is_after_key(f, &rows[i]))
        i++;
    if (sim->settings.list_repeats && i > 0)
        json_array_append(page, rows[i - 1].json);
    for (; i < count && json_array_size(page) < (size_t)f->limit; i++)
        json_array_append(page, rows[i].json);
    if (i > 0 && (i < count || sim->settings.list_is_endless))
        reply_header(rp, "x-next-token", "%c%lld-%s", f->is_asc ? 'a' : 'd',
                     (long long)rows[i - 1].start_us, rows[i - 1].sb->id);
    if (f->running)
        reply_header(rp, "x-total-running", "%zu", running);
    reply_json(rp, 200, page);
}

void e2b_list(struct sim *sim, const struct request *rq, bool is_v1, struct reply *rp)
{
    struct filter f;
    const char *wrong = read_filter(rq, &f);
    struct row *rows;
    size_t count;

    if (wrong) {
        e2b_error(rp, 400, wrong);
        json_decref(f.metadata);
        return;
    }
    if (is_v1) {
        json_t *metadata = f.metadata;

        f = (struct filter){.metadata = metadata, .running = true, .limit = INT32_MAX};
    }
    rows = find_rows(sim, rq->now_us, &f, &count);
    send_page(sim, &f, rows, count, rp);
    for (size_t i = 0; i < count; i++)
        json_decref(rows[i].json);
    free(rows);
    json_decref(f.metadata);
}
