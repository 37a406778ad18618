/*
 * Reading what Linear answers. `priority`, `number` and the like are Float there, and null is common;
 * errors come with HTTP 200 and 400 alike, so the status alone says little.
 */
#include "upstream/linear_parse.h"

#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "upstream/linear.h"

#include "base/banned.h"

#define TITLE_CAP 500
#define DESCRIPTION_CAP                                                                  \
    ((size_t)256 << 10) /* ours have at most 64 KiB; Linear's rewriting adds to it */
#define URL_CAP 500
#define WORD_CAP 100
#define MESSAGE_CAP 300
#define WAIT_MIN (2 * TS_SEC)
#define WAIT_MAX (6 * TS_HOUR)

static const char *line_of(struct arena *a, const json_t *o, const char *key, size_t cap)
{
    const char *s = jget_str(a, o, key, "");

    return text_clean_line(a, s, strlen(s), cap);
}

/* --- errors --- */

/* The first error, or NULL when there is none: an empty list counts as none. */
static const json_t *first_error(const json_t *doc)
{
    return json_array_get(jget_arr(doc, "errors"), 0);
}

static const char *word(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));

    return s ? s : "";
}

bool linear_is_ratelimited(int status, const json_t *doc)
{
    const json_t *ext = jget_obj(first_error(doc), "extensions");

    return status == 429 || text_ieq(word(ext, "code"), "RATELIMITED") ||
           text_ieq(word(ext, "type"), "ratelimited") ||
           jget_i64(ext, "statusCode", 0) == 429;
}

/* By `code` or `type`: either may be missing (linear.md 1.2). */
static const struct {
    const char *code;
    enum err_kind kind;
    bool is_retryable;
} error_words[] = {
    {"AUTHENTICATION_ERROR",   ERR_AUTH,     false},
    {"authentication error",   ERR_AUTH,     false},
    {"FORBIDDEN",              ERR_DENIED,   false},
    {"feature not accessible", ERR_DENIED,   false},
    {"USAGE_LIMIT_EXCEEDED",   ERR_DENIED,   false},
    {"usage limit exceeded",   ERR_DENIED,   false},
    {"ENTITY_NOT_FOUND",       ERR_NOTFOUND, false},
    {"INPUT_ERROR",            ERR_INPUT,    false},
    {"INVALID_INPUT",          ERR_INPUT,    false},
    {"invalid input",          ERR_INPUT,    false},
    {"user error",             ERR_INPUT,    false},
    {"graphql error",          ERR_INPUT,    false},
    {"network error",          ERR_UPSTREAM, true },
    {"lock timeout",           ERR_UPSTREAM, true },
    {"INTERNAL_SERVER_ERROR",  ERR_UPSTREAM, true },
    {"internal error",         ERR_UPSTREAM, true },
    {"bootstrap error",        ERR_UPSTREAM, true },
};

static bool kind_of_word(const char *name, enum err_kind *kind, bool *is_retryable)
{
    for (size_t i = 0; i < sizeof(error_words) / sizeof(error_words[0]); i++) {
        if (text_ieq(error_words[i].code, name)) {
            *kind = error_words[i].kind;
            *is_retryable = error_words[i].is_retryable;
            return true;
        }
    }
    return false;
}

/* Without words in the body (linear.md 1.2): 403 forbidden, other 4xx a login problem, 5xx theirs. */
static void kind_of_status(int status, enum err_kind *kind, bool *is_retryable)
{
    *is_retryable = status >= 500;
    *kind = ERR_UPSTREAM;
    if (status == 403)
        *kind = ERR_DENIED;
    else if (status == 404)
        *kind = ERR_NOTFOUND;
    else if (status >= 400 && status < 500)
        *kind = ERR_AUTH;
}

static void kind_of_error(const json_t *e, int status, enum err_kind *kind,
                          bool *is_retryable)
{
    const json_t *ext = jget_obj(e, "extensions");
    int64_t meant = jget_i64(ext, "statusCode", status);

    /* A missing issue comes as INPUT_ERROR too; then only the message tells (linear.md 1.2). */
    if (text_starts(word(e, "message"), "Entity not found")) {
        *kind = ERR_NOTFOUND;
        *is_retryable = false;
    } else if (!kind_of_word(word(ext, "code"), kind, is_retryable) &&
               !kind_of_word(word(ext, "type"), kind, is_retryable)) {
        *kind = ERR_UPSTREAM;
        *is_retryable = false;
        if (meant == 401 || meant == 403 || meant == 404 || meant >= 500)
            kind_of_status((int)(meant > 599 ? 500 : meant), kind, is_retryable);
    }
}

/* For a person first, then the technical text, then the type. */
static const char *error_message(struct arena *a, const json_t *e)
{
    const json_t *ext = jget_obj(e, "extensions");
    const char *s = line_of(a, ext, "userPresentableMessage", MESSAGE_CAP);

    if (!s[0])
        s = line_of(a, e, "message", MESSAGE_CAP);
    if (!s[0])
        s = line_of(a, ext, "type", MESSAGE_CAP);
    if (!s[0])
        s = line_of(a, ext, "code", MESSAGE_CAP);
    return s[0] ? s : "an error without words";
}

int linear_parse_answer(struct arena *a, int status, const json_t *doc,
                        const json_t **data, struct err *err)
{
    const json_t *e = first_error(doc);
    enum err_kind kind = ERR_UPSTREAM;
    bool is_retryable = false;

    if (status >= 200 && status <= 299 && !e && jget_obj(doc, "data")) {
        *data = jget_obj(doc, "data");
        return 0;
    }
    if (linear_is_ratelimited(status, doc)) {
        err_set(err, ERR_UPSTREAM, "HTTP %d: rate limited: %s", status,
                e ? error_message(a, e) : "no words");
        err->is_retryable = true;
    } else if (e) {
        kind_of_error(e, status, &kind, &is_retryable);
        err_set(err, kind, "HTTP %d: %s", status, error_message(a, e));
        err->is_retryable = is_retryable || status >= 500;
    } else if (status >= 200 && status <= 299) {
        err_set(err, ERR_UPSTREAM, "HTTP %d, but no data", status);
        err->is_retryable = true;
    } else {
        kind_of_status(status, &kind, &is_retryable);
        err_set(err, kind, "HTTP %d without a readable error", status);
        err->is_retryable = is_retryable;
    }
    err->http_status = status;
    return -1;
}

static bool has_some_left(const struct linear_window *w)
{
    int64_t left = 0;

    return w->remaining && parse_i64(w->remaining, INT64_MIN, INT64_MAX, &left) == 0 &&
           left > 0;
}

/* The latest reset, from now; 0 when there is none ahead. */
static int64_t latest_reset(const struct linear_window *windows, size_t n, bool with_all,
                            int64_t now_us)
{
    int64_t wait_us = 0;

    for (size_t i = 0; i < n; i++) {
        int64_t ms = 0;

        if (windows[i].reset && (with_all || !has_some_left(&windows[i])) &&
            parse_i64(windows[i].reset, 0, INT64_MAX / TS_MS, &ms) == 0 &&
            ms * TS_MS - now_us > wait_us)
            wait_us = ms * TS_MS - now_us;
    }
    return wait_us;
}

int64_t linear_wait_us(const struct linear_window *windows, size_t n,
                       int64_t retry_after_us, int64_t now_us)
{
    int64_t wait_us = latest_reset(windows, n, false, now_us);

    if (wait_us == 0)
        wait_us = latest_reset(windows, n, true, now_us);
    if (wait_us < retry_after_us)
        wait_us = retry_after_us;
    if (wait_us < WAIT_MIN)
        return WAIT_MIN;
    return wait_us > WAIT_MAX ? WAIT_MAX : wait_us;
}

/* --- issues --- */

static const char *duplicate_of(struct arena *a, const json_t *o)
{
    const json_t *nodes = jget_arr(jget_obj(o, "relations"), "nodes");
    size_t i;
    json_t *v;

    json_array_foreach(nodes, i, v)
    {
        if (strcmp(word(v, "type"), "duplicate") == 0)
            return line_of(a, jget_obj(v, "relatedIssue"), "id", WORD_CAP);
    }
    return "";
}

int linear_parse_issue(struct arena *a, const json_t *o, struct linear_issue *out,
                       struct err *err)
{
    const json_t *state = jget_obj(o, "state");
    const char *description = jget_str(a, o, "description", "");

    memset(out, 0, sizeof *out);
    if (jreq_str(a, o, "id", &out->id, err))
        return -1;
    out->identifier = line_of(a, o, "identifier", WORD_CAP);
    out->url = line_of(a, o, "url", URL_CAP);
    out->title = line_of(a, o, "title", TITLE_CAP);
    out->description = text_clean(a, description, strlen(description), DESCRIPTION_CAP);
    out->state_name = line_of(a, state, "name", WORD_CAP);
    out->state_type = line_of(a, state, "type", WORD_CAP);
    out->state = linear_state_from_type(out->state_type);
    out->team_id = line_of(a, jget_obj(o, "team"), "id", WORD_CAP);
    out->duplicate_of = duplicate_of(a, o);
    out->created_us = jget_time(o, "createdAt");
    out->updated_us = jget_time(o, "updatedAt");
    out->completed_us = jget_time(o, "completedAt");
    out->canceled_us = jget_time(o, "canceledAt");
    out->is_archived = jget_time(o, "archivedAt") != TS_NONE;
    out->is_trashed = jget_bool(o, "trashed", false);
    return 0;
}

int linear_parse_issues(struct arena *a, const json_t *data, const char *key,
                        bool with_trashed, struct linear_issues *out, struct err *err)
{
    const json_t *nodes = jget_arr(jget_obj(data, key), "nodes");
    size_t i;
    json_t *v;

    if (!nodes)
        return err_set(err, ERR_UPSTREAM, "the answer has no %s", key);
    json_array_foreach(nodes, i, v)
    {
        struct linear_issue issue;

        if (linear_parse_issue(a, v, &issue, err))
            return -1;
        if (issue.is_trashed && !with_trashed)
            continue;
        out->items = arena_grow(a, out->items, out->count, &out->cap, sizeof *out->items);
        out->items[out->count++] = issue;
    }
    return 0;
}

static bool has_issue(const struct linear_issues *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].id, id) == 0)
            return true;
    return false;
}

int linear_parse_linked(struct arena *a, const json_t *data, const char *team_id,
                        struct linear_issues *out, struct err *err)
{
    const json_t *nodes = jget_arr(jget_obj(data, "attachmentsForURL"), "nodes");
    size_t i;
    json_t *v;

    if (!nodes)
        return err_set(err, ERR_UPSTREAM, "the answer has no attachmentsForURL");
    json_array_foreach(nodes, i, v)
    {
        struct linear_issue issue;

        if (linear_parse_issue(a, jget_obj(v, "issue"), &issue, err))
            return -1;
        if (issue.is_trashed || strcmp(issue.team_id, team_id) != 0 ||
            has_issue(out, issue.id))
            continue;
        out->items = arena_grow(a, out->items, out->count, &out->cap, sizeof *out->items);
        out->items[out->count++] = issue;
    }
    return 0;
}

bool linear_has_token(const struct linear_issue *issue, const char *token)
{
    return text_icontains(issue->title, token) ||
           text_icontains(issue->description, token);
}

/* --- mutations and links --- */

int linear_parse_success(const json_t *data, const char *key, struct err *err)
{
    if (jget_bool(jget_obj(data, key), "success", false))
        return 0;
    return err_set(err, ERR_UPSTREAM, "%s says that it had no success", key);
}

int linear_parse_created(struct arena *a, const json_t *data, const char *key,
                         struct linear_issue *out, struct err *err)
{
    const json_t *issue = jget_obj(jget_obj(data, key), "issue");

    if (linear_parse_success(data, key, err))
        return -1;
    if (!issue)
        return err_set(err, ERR_UPSTREAM, "%s gives no issue", key);
    return linear_parse_issue(a, issue, out, err);
}

int linear_parse_links(struct arena *a, const json_t *data, const char *url,
                       struct linear_links *out, struct err *err)
{
    const json_t *issue = jget_obj(data, "issue");
    const json_t *nodes = jget_arr(jget_obj(issue, "attachments"), "nodes");
    size_t i;
    json_t *v;

    if (!issue)
        return err_set(err, ERR_UPSTREAM, "the answer has no issue");
    out->team_id = line_of(a, jget_obj(issue, "team"), "id", WORD_CAP);
    out->has_url = false;
    json_array_foreach(nodes, i, v)
    {
        if (strcmp(word(v, "url"), url) == 0)
            out->has_url = true;
    }
    return 0;
}
