/*
 * Logs (e2b.md 5): v1 by milliseconds or, as some servers do, by line offset;
 * v2 by a millisecond cursor in both directions.
 */
#include "e2b.h"

#include "lines.h"
#include "text.h"
#include "when.h"

#include <stdlib.h>
#include <string.h>

#define V1_WINDOW_US ((int64_t)30 * 24 * 3600 * US_PER_S)
#define STORE_LIMIT_MAX 5000
#define PAGE_MAX 1000

struct page {
    json_t *raw; /* v1's logs, or NULL */
    json_t *entries;
    int64_t limit;
    bool null_fields;
};

static bool is_full(const struct page *page)
{
    return json_array_size(page->entries) >= (size_t)page->limit;
}

static void put(struct page *page, const struct line_list *list, const struct line *line)
{
    json_t *entry = line_entry(list, line, page->null_fields);

    if (page->raw) {
        json_t *raw = pack("{s:O, s:o}", "timestamp", json_object_get(entry, "timestamp"),
                           "line", line_raw(list, line));

        json_array_append_new(page->raw, raw);
    }
    json_array_append_new(page->entries, entry);
}

static struct line_list *visible_lines(struct sim *sim, const char *id, int64_t now)
{
    struct sandbox *sb = world_sandbox(sim->world, id);

    return sb ? lines_get(sb, now - sim->settings.ingest_delay_us) : NULL;
}

/* ---- v1 ------------------------------------------------------------------ */

static void fill_from(struct page *page, const struct line_list *list, int64_t from_us)
{
    for (size_t i = 0; i < list->count && !is_full(page); i++) {
        if (list->items[i].t_us >= from_us)
            put(page, list, &list->items[i]);
    }
}

static void fill_by_offset(struct page *page, const struct line_list *list,
                           int64_t offset, int64_t oldest_us)
{
    size_t first = 0;

    while (first < list->count && list->items[first].t_us < oldest_us)
        first++;
    for (size_t i = first + (size_t)offset; i < list->count && !is_full(page); i++)
        put(page, list, &list->items[i]);
}

void e2b_logs_v1(struct sim *sim, const struct request *rq, const char *id,
                 struct reply *rp)
{
    bool by_offset = sim->settings.logs_paging == LOGS_OFFSET;
    struct page page = {json_array(), json_array(), PAGE_MAX,
                        !sim->settings.logs_clickhouse};
    int64_t oldest_us = rq->now_us - E2B_RETENTION_US;
    int64_t start = by_offset ? 0 : oldest_us / US_PER_MS;
    struct line_list *list;

    if (request_int(rq, "start", 0, INT64_MAX / 2, &start) < 0 ||
        request_int(rq, "limit", 0, by_offset ? PAGE_MAX : INT32_MAX, &page.limit) < 0) {
        e2b_error(rp, 400, "validation error: a parameter in query has an error");
        json_decref(page.raw);
        json_decref(page.entries);
        return;
    }
    list = visible_lines(sim, id, rq->now_us);
    if (list && by_offset)
        fill_by_offset(&page, list, start, oldest_us);
    else if (list && start <= INT64_MAX / US_PER_MS && page.limit <= STORE_LIMIT_MAX &&
             start * US_PER_MS >= rq->now_us - V1_WINDOW_US)
        fill_from(&page, list, start * US_PER_MS);
    line_list_done(list);
    reply_json(rp, 200, pack("{s:o, s:o}", "logs", page.raw, "logEntries", page.entries));
}

/* ---- v2 ------------------------------------------------------------------ */

struct search {
    enum line_level level;
    const char *text;
    int64_t from_us;
    int64_t to_us;
    bool to_is_exclusive;
};

/* A minimum of warn leaves out lines without a level, info keeps them. */
static bool is_hit(const struct search *s, const struct line_list *list,
                   const struct line *line)
{
    enum line_level level = line->level == LEVEL_NONE ? LEVEL_INFO : line->level;
    char *message;
    bool has_text;

    if (line->t_us < s->from_us || line->t_us > s->to_us ||
        (s->to_is_exclusive && line->t_us == s->to_us))
        return false;
    if (s->level != LEVEL_NONE && level < s->level)
        return false;
    if (!s->text)
        return true;
    message = line_message(list, line);
    has_text = strstr(message, s->text) != NULL;
    free(message);
    return has_text;
}

/* NULL, or what to answer with 400. */
static const char *read_search(const struct request *rq, bool *is_forward,
                               int64_t *cursor, struct page *page, struct search *s)
{
    const char *direction = request_param(rq, "direction");
    const char *level = request_param(rq, "level");

    *is_forward = direction && strcmp(direction, "forward") == 0;
    if (direction && !*is_forward && strcmp(direction, "backward") != 0)
        return "validation error: parameter \"direction\" in query has an error";
    if (request_int(rq, "cursor", 0, INT64_MAX / 2000, cursor) < 0)
        return "validation error: parameter \"cursor\" in query has an error";
    if (request_int(rq, "limit", 0, PAGE_MAX, &page->limit) < 0)
        return "validation error: parameter \"limit\" in query has an error: number must "
               "be at most 1000";
    s->text = request_param(rq, "search");
    if (s->text && strlen(s->text) > 256)
        return "validation error: parameter \"search\" in query has an error: maximum "
               "string length is 256";
    s->level = level ? level_from_name(level) : LEVEL_NONE;
    if (level && s->level == LEVEL_NONE)
        return "validation error: parameter \"level\" in query has an error";
    return NULL;
}

/* At most 7 days from the cursor, never older than 7 days (e2b.md 5.3). */
static void set_window(struct search *s, bool is_forward, int64_t cursor_ms, int64_t now,
                       bool is_clickhouse)
{
    int64_t oldest = now - E2B_RETENTION_US;
    int64_t cursor = cursor_ms < 0 ? (is_forward ? oldest : now) : cursor_ms * US_PER_MS;

    if (cursor < oldest)
        cursor = oldest;
    s->from_us = is_forward ? cursor : oldest;
    s->to_us = is_forward ? cursor + E2B_RETENTION_US : cursor;
    s->to_is_exclusive = !is_clickhouse;
    if (is_clickhouse && !is_forward && cursor_ms >= 0)
        s->to_us += US_PER_MS - 1;
}

static void fill(struct page *page, const struct line_list *list, const struct search *s,
                 bool is_forward)
{
    for (size_t k = 0; k < list->count && !is_full(page); k++) {
        const struct line *line = &list->items[is_forward ? k : list->count - 1 - k];

        if (is_hit(s, list, line))
            put(page, list, line);
    }
}

void e2b_logs_v2(struct sim *sim, const struct request *rq, const char *id,
                 struct reply *rp)
{
    struct page page = {NULL, json_array(), PAGE_MAX, !sim->settings.logs_clickhouse};
    struct search s = {0};
    int64_t cursor = -1;
    bool is_forward;
    const char *wrong = read_search(rq, &is_forward, &cursor, &page, &s);
    struct line_list *list;

    if (wrong) {
        e2b_error(rp, 400, wrong);
        json_decref(page.entries);
        return;
    }
    set_window(&s, is_forward, cursor, rq->now_us, sim->settings.logs_clickhouse);
    list = visible_lines(sim, id, rq->now_us);
    if (list)
        fill(&page, list, &s, is_forward);
    line_list_done(list);
    reply_json(rp, 200, pack("{s:o}", "logs", page.entries));
}
