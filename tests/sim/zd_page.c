/*
 * Pages in Zendesk's two styles, and small helpers around records.
 */
#include "text.h"
#include "zd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFFSET_DEPTH_MAX 10000

void zd_error(struct reply *rp, int status, const char *error, const char *description)
{
    json_t *o = pack("{s:s}", "error", error);

    if (description)
        json_object_set_new(o, "description", json_string(description));
    reply_json(rp, status, o);
}

void zd_not_found(struct reply *rp)
{
    zd_error(rp, 404, "RecordNotFound", "Not found");
}

json_t *zd_public(const json_t *record)
{
    json_t *o = json_object(), *v;
    const char *key;

    json_object_foreach((json_t *)record, key, v)
    {
        if (*key != '_')
            json_object_set(o, key, v);
    }
    return o;
}

json_t *zd_by_id(const json_t *table, int64_t id)
{
    json_t *o;
    size_t i;

    json_array_foreach(table, i, o)
    {
        if (jint(o, "id", 0) == id)
            return o;
    }
    return NULL;
}

json_t *zd_user_by_email(const struct world *w, const char *email)
{
    json_t *o;
    size_t i;

    json_array_foreach(w->users, i, o)
    {
        if (equals_ci(jstr_or(o, "email", jstr_or(o, "name", "")), email))
            return o;
    }
    return NULL;
}

json_t *zd_visible_user(const struct world *w, int64_t id)
{
    json_t *user = zd_by_id(w->users, id);

    return user && !jbool(user, "_hidden", false) ? zd_public(user) : NULL;
}

void zd_add_user(const struct world *w, json_t *list, int64_t id)
{
    json_t *user = zd_by_id(list, id) ? NULL : zd_visible_user(w, id);

    if (user)
        json_array_append_new(list, user);
}

void zd_add_organization(const struct world *w, json_t *list, int64_t id)
{
    json_t *org = zd_by_id(list, id) ? NULL : zd_by_id(w->organizations, id);

    if (org)
        json_array_append_new(list, zd_public(org));
}

bool zd_has_word(const char *list, const char *word)
{
    size_t n = strlen(word);

    while (list && *list) {
        size_t len = strcspn(list, ",");

        if (len == n && strncmp(list, word, n) == 0)
            return true;
        list += len + (list[len] == ',');
    }
    return false;
}

/* ---- pages --------------------------------------------------------------- */

static json_t *slice(const json_t *rows, size_t from, size_t count, bool is_reversed)
{
    json_t *out = json_array();
    size_t n = json_array_size(rows);

    for (size_t i = from; i < n && i < from + count; i++)
        json_array_append_new(
            out, zd_public(json_array_get(rows, is_reversed ? n - 1 - i : i)));
    return out;
}

/* The cursor is the number of rows passed, with a letter so that it is no number. */
static void send_cursor_page(const struct request *rq, struct reply *rp, const char *key,
                             const json_t *rows, json_t *answer)
{
    const char *sort = request_param(rq, "sort"),
               *after = request_param(rq, "page[after]");
    size_t n = json_array_size(rows), from = 0;
    int64_t size = 100;
    char cursor[24];
    bool has_more;

    if (request_int(rq, "page[size]", 1, 100, &size) < 0) {
        zd_error(rp, 400, "InvalidPaginationParameter", "page[size] must be 1 to 100");
        json_decref(answer);
        return;
    }
    if (after && *after == 'c')
        from = (size_t)strtoull(after + 1, NULL, 10);
    has_more = from + (size_t)size < n;
    snprintf(cursor, sizeof cursor, "c%zu", from + (size_t)size);
    json_object_set_new(
        answer, key,
        slice(rows, from, (size_t)size, sort && strcmp(sort, "-created_at") == 0));
    json_object_set_new(answer, "meta",
                        pack("{s:b, s:s?, s:n}", "has_more", has_more, "after_cursor",
                             has_more ? cursor : NULL, "before_cursor"));
    json_object_set_new(answer, "links",
                        has_more ? pack("{s:s++, s:n}", "next",
                                        "https://demo.zendesk.com/api/v2/next?page",
                                        "%5Bafter%5D=", cursor, "prev")
                                 : pack("{s:n, s:n}", "next", "prev"));
    reply_json(rp, 200, answer);
}

static void send_offset_page(const struct request *rq, struct reply *rp, const char *key,
                             const json_t *rows, json_t *answer)
{
    const char *order = request_param(rq, "sort_order");
    size_t n = json_array_size(rows);
    int64_t per_page = 100, page = 1;
    bool has_more;

    if (request_int(rq, "per_page", 1, INT32_MAX, &per_page) < 0 ||
        request_int(rq, "page", 1, INT32_MAX, &page) < 0) {
        zd_error(rp, 400, "InvalidPaginationParameter", "page and per_page are numbers");
        json_decref(answer);
        return;
    }
    if (per_page > 100)
        per_page = 100;
    if (per_page * page > OFFSET_DEPTH_MAX) {
        zd_error(rp, 400, "InvalidPaginationDepth", "Limited to 10,000 rows");
        json_decref(answer);
        return;
    }
    has_more = (size_t)(page * per_page) < n;
    json_object_set_new(answer, key,
                        slice(rows, (size_t)((page - 1) * per_page), (size_t)per_page,
                              order && strcmp(order, "desc") == 0));
    json_object_set_new(answer, "count", json_integer((json_int_t)n));
    json_object_set_new(answer, "next_page",
                        has_more ? json_string("https://demo.zendesk.com/api/v2/next")
                                 : json_null());
    json_object_set_new(answer, "previous_page",
                        page > 1 ? json_string("https://demo.zendesk.com/api/v2/previous")
                                 : json_null());
    reply_json(rp, 200, answer);
}

void zd_send_page(const struct request *rq, struct reply *rp, const char *key,
                  json_t *rows, json_t *extra)
{
    if (!extra)
        extra = json_object();
    if (request_param(rq, "page[size]") || request_param(rq, "page[after]"))
        send_cursor_page(rq, rp, key, rows, extra);
    else
        send_offset_page(rq, rp, key, rows, extra);
    json_decref(rows);
}
