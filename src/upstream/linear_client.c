/*
 * The reads of Linear. Each is one request; what is looked for goes in as variables.
 */
#include "upstream/linear.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "sys/clock.h"
#include "upstream/linear_parse.h"
#include "upstream/linear_request.h"

#include "base/banned.h"

#define WORDS_MAX 200
#define STATES_MAX LINEAR_STATES_MAX

void linear_init(struct linear *l, const struct conf *conf, struct http *http)
{
    memset(l, 0, sizeof *l);
    l->conf = conf;
    l->http = http;
}

int linear_whoami(struct linear *l, struct arena *a, const char **name, const char **org,
                  int64_t deadline_us, struct err *err)
{
    const struct linear_document *d = linear_document(LDOC_WHO_AM_I);
    const json_t *data, *viewer;
    json_auto_t *doc = NULL;

    if (linear_exchange(l, a, d, NULL, false, deadline_us, &doc, &data, err))
        return -1;
    viewer = jget_obj(data, "viewer");
    if (!jget_str(a, viewer, "id", "")[0]) {
        err_set(err, ERR_AUTH, "the key belongs to nobody");
        return linear_context(err, d);
    }
    *name = linear_line(a, jget_str(a, viewer, "name", ""), WORDS_MAX);
    *org = linear_line(a, jget_str(a, jget_obj(data, "organization"), "name", ""),
                       WORDS_MAX);
    return 0;
}

/* An id of Linear's into its place in struct linear; -1 when there is none or it does not fit. */
static int keep_id(struct arena *a, const json_t *o, char *out, size_t size)
{
    const char *id = jget_str(a, o, "id", "");

    if (!id[0] || strlen(id) >= size)
        return -1;
    snprintf(out, size, "%s", id);
    return 0;
}

int linear_team(struct linear *l, struct arena *a, int64_t deadline_us, struct err *err)
{
    const struct linear_document *d = linear_document(LDOC_TEAM);
    const char *key = l->conf->linear.team;
    const json_t *data, *nodes;
    json_auto_t *doc = NULL;

    if (l->team_id[0])
        return 0;
    if (linear_exchange(l, a, d, json_pack("{s:s}", "teamKey", key), false, deadline_us,
                        &doc, &data, err))
        return -1;
    nodes = jget_arr(jget_obj(data, "teams"), "nodes");
    if (!nodes ||
        keep_id(a, jget_obj(data, "organization"), l->org_id, sizeof l->org_id)) {
        err_set(err, ERR_UPSTREAM, "the answer has no teams or no organization");
        return linear_context(err, d);
    }
    if (keep_id(a, json_array_get(nodes, 0), l->team_id, sizeof l->team_id)) {
        err_set(err, ERR_NOTFOUND, "there is no team %s, or the key may not see it", key);
        return linear_context(err, d);
    }
    return 0;
}

static void keep_with_token(struct linear_issues *list, const char *token)
{
    size_t n = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (linear_has_token(&list->items[i], token))
            list->items[n++] = list->items[i];
    }
    list->count = n;
}

int linear_search(struct linear *l, struct arena *a, const char *words,
                  int64_t deadline_us, struct linear_issues *out, struct err *err)
{
    const struct linear_document *d = linear_document(LDOC_SEARCH);
    const char *term = linear_line(a, words, WORDS_MAX);
    json_auto_t *doc = NULL;
    const json_t *data;
    json_t *variables;

    memset(out, 0, sizeof *out);
    if (text_is_empty(term))
        return err_set(err, ERR_INPUT, "linear: there are no words to search for");
    variables = json_pack("{s:s, s:s}", "words", term, "teamKey", l->conf->linear.team);
    if (l->team_id[0])
        json_object_set_new(variables, "boostTeam", json_string(l->team_id));
    if (linear_exchange(l, a, d, variables, false, deadline_us, &doc, &data, err))
        return -1;
    if (linear_parse_issues(a, data, "searchIssues", false, out, err))
        return linear_context(err, d);
    return 0;
}

int linear_read(struct linear *l, struct arena *a, const char *id, int64_t deadline_us,
                struct linear_issue *out, struct err *err)
{
    const struct linear_document *d = linear_document(LDOC_READ_ISSUE);
    json_auto_t *doc = NULL;
    const json_t *data;

    if (linear_exchange(l, a, d, json_pack("{s:s}", "idOrIdentifier", id), false,
                        deadline_us, &doc, &data, err))
        return -1;
    if (!jget_obj(data, "issue")) {
        err_set(err, ERR_NOTFOUND, "there is no issue %s", id);
        return linear_context(err, d);
    }
    if (linear_parse_issue(a, jget_obj(data, "issue"), out, err))
        return linear_context(err, d);
    return 0;
}

int linear_probe(struct linear *l, struct arena *a, const char *uuid, int64_t deadline_us,
                 struct linear_issue *out, struct err *err)
{
    const struct linear_document *d = linear_document(LDOC_PROBE_ISSUE);
    struct linear_issues found = {.count = 0};
    json_auto_t *doc = NULL;
    const json_t *data;

    if (linear_exchange(l, a, d, json_pack("{s:s}", "id", uuid), false, deadline_us, &doc,
                        &data, err))
        return -1;
    if (linear_parse_issues(a, data, "issues", true, &found, err))
        return linear_context(err, d);
    linear_issue_blank(out);
    for (size_t i = 0; i < found.count; i++) {
        if (text_ieq(found.items[i].id, uuid))
            *out = found.items[i];
    }
    return 0;
}

/* ---- what is known beforehand, in one batch ---- */

enum { KNOWN_PERSON, KNOWN_RECORD, KNOWN_LINK, KNOWN_TOKEN, KNOWN_COUNT };

struct lookup {
    struct http_call call;
    const struct linear_document *document;
};

static bool one_request(struct http_call *call)
{
    (void)call;
    return false;
}

static void look_up(struct lookup *u, const struct linear *l, struct arena *a,
                    enum linear_document_id id, json_t *variables)
{
    u->document = linear_document(id);
    http_call_init(&u->call, one_request);
    linear_request_fill(l, a, &u->call.req, u->document, variables, false);
}

static int take_issue(struct arena *a, const json_t *data, struct linear_issue *out,
                      struct err *err)
{
    const json_t *o = jget_obj(data, "issue");

    return o ? linear_parse_issue(a, o, out, err) : 0;
}

/* The answer to one of them. An issue that is not there is an answer, too. */
static int take_known(struct linear *l, struct arena *a, int which, struct lookup *u,
                      const char *token, struct linear_known *out, struct err *err)
{
    json_auto_t *doc = NULL;
    const json_t *data;
    int rc;

    if (linear_request_take(a, &u->call.resp, u->document, false, &doc, &data, err)) {
        if (which > KNOWN_RECORD || err->kind != ERR_NOTFOUND)
            return -1;
        *err = (struct err)ERR_INIT;
        return 0;
    }
    switch (which) {
    case KNOWN_PERSON:
        rc = take_issue(a, data, &out->by_person, err);
        break;
    case KNOWN_RECORD:
        rc = take_issue(a, data, &out->on_record, err);
        break;
    case KNOWN_LINK:
        rc = linear_parse_linked(a, data, l->team_id, &out->with_link, err);
        break;
    default:
        rc = linear_parse_issues(a, data, "issues", false, &out->with_token, err);
        keep_with_token(&out->with_token, token);
    }
    return rc ? linear_context(err, u->document) : 0;
}

int linear_find_known(struct linear *l, struct arena *a, const struct linear_wanted *w,
                      int64_t deadline_us, struct linear_known *out, struct err *err)
{
    struct lookup *u = arena_array(a, KNOWN_COUNT, sizeof *u);
    struct http_call *calls[KNOWN_COUNT];
    int which[KNOWN_COUNT], rc = 0;
    size_t n = 0;

    memset(out, 0, sizeof *out);
    linear_issue_blank(&out->by_person);
    linear_issue_blank(&out->on_record);
    if (linear_team(l, a, deadline_us, err))
        return -1;
    if (!text_is_empty(w->by_person))
        look_up(&u[which[n++] = KNOWN_PERSON], l, a, LDOC_READ_ISSUE,
                json_pack("{s:s}", "idOrIdentifier", w->by_person));
    if (!text_is_empty(w->on_record))
        look_up(&u[which[n++] = KNOWN_RECORD], l, a, LDOC_READ_ISSUE,
                json_pack("{s:s}", "idOrIdentifier", w->on_record));
    if (!text_is_empty(w->link))
        look_up(&u[which[n++] = KNOWN_LINK], l, a, LDOC_FIND_LINK,
                json_pack("{s:s}", "url", w->link));
    if (!text_is_empty(w->token))
        look_up(&u[which[n++] = KNOWN_TOKEN], l, a, LDOC_FIND_TOKEN,
                json_pack("{s:s, s:s}", "token", w->token, "teamId", l->team_id));
    for (size_t i = 0; i < n; i++)
        calls[i] = &u[which[i]].call;
    http_run(l->http, calls, n, deadline_us);
    for (size_t i = 0; i < n; i++) {
        if (rc == 0)
            rc = take_known(l, a, which[i], &u[which[i]], w->token, out, err);
        http_call_release(calls[i]);
    }
    return rc;
}

static bool states_next(struct http_call *call)
{
    struct linear_states *op = (struct linear_states *)call;
    const struct linear_document *d = linear_document(LDOC_ISSUE_STATES);
    json_auto_t *doc = NULL;
    const json_t *data;
    struct err *err = &op->src.err;

    if (!call->req.url)
        return false;
    op->src.tries += call->resp.tries;
    op->src.took_us += call->resp.took_us;
    op->src.fetched_us = clock_now_us();
    op->src.state = SOURCE_FAILED;
    if (linear_request_take(op->arena, &call->resp, d, false, &doc, &data, err))
        return false;
    if (linear_parse_issues(op->arena, data, "issues", true, &op->found, err))
        linear_context(err, d);
    else
        op->src.state = SOURCE_OK;
    return false;
}

void linear_states_init(struct linear_states *op, struct linear *l, struct arena *a,
                        const char *const *uuids, size_t n)
{
    json_t *ids = json_array();

    memset(op, 0, sizeof *op);
    op->l = l;
    op->arena = a;
    http_call_init(&op->call, states_next);
    for (size_t i = 0; i < n && i < STATES_MAX; i++)
        json_array_append_new(ids, json_string(uuids[i]));
    if (json_array_size(ids) == 0) { /* nothing to ask: no request, and no issues */
        op->src.state = SOURCE_OK;
        json_decref(ids);
        return;
    }
    linear_request_fill(l, a, &op->call.req, linear_document(LDOC_ISSUE_STATES),
                        json_pack("{s:o}", "ids", ids), false);
}

void linear_states_release(struct linear_states *op)
{
    http_call_release(&op->call);
}
