/*
 * What can be read: the root fields of queries.
 */
#include "lin.h"
#include "text.h"
#include "when.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNRELATED_RESULTS 5

json_t *lin_q_viewer(struct lin *l, const json_t *args)
{
    (void)args;
    return json_incref(json_object_get(l->world->linear, "viewer"));
}

json_t *lin_q_organization(struct lin *l, const json_t *args)
{
    (void)args;
    return json_incref(json_object_get(l->world->linear, "organization"));
}

json_t *lin_q_rate_limit(struct lin *l, const json_t *args)
{
    json_int_t limit = (json_int_t)l->sim->settings.request_limit;
    json_int_t used =
        (json_int_t)json_array_size(json_object_get(l->world->linear_calls, "requests"));
    json_int_t reset = (json_int_t)(l->rq->now_us / US_PER_MS + 3600000);

    (void)args;
    return pack("{s:s, s:s, s:[{s:s, s:I, s:I, s:i, s:i, s:I}]}", "kind", "requests",
                "identifier", "lin_api_demo", "limits", "type", "requests",
                "allowedAmount", limit, "remainingAmount",
                limit > used ? limit - used : 0, "requestedAmount", 1, "period", 3600000,
                "reset", reset);
}

static json_t *table_copy(const struct lin *l, const char *name)
{
    return json_copy(lin_table(l->world, name));
}

json_t *lin_q_teams(struct lin *l, const json_t *args)
{
    (void)args;
    return table_copy(l, "teams");
}

json_t *lin_q_team(struct lin *l, const json_t *args)
{
    const char *id = jstr_or(args, "id", "");
    json_t *team = lin_by(l->world, "teams", "id", id);

    if (!team)
        team = lin_by(l->world, "teams", "key", id);
    if (!team)
        return lin_fail(l, 200, "INPUT_ERROR", "invalid input", "Entity not found: Team");
    return json_incref(team);
}

json_t *lin_q_labels(struct lin *l, const json_t *args)
{
    (void)args;
    return table_copy(l, "labels");
}

json_t *lin_q_states(struct lin *l, const json_t *args)
{
    (void)args;
    return table_copy(l, "states");
}

json_t *lin_q_templates(struct lin *l, const json_t *args)
{
    (void)args;
    return table_copy(l, "templates");
}

json_t *lin_q_templates_for(struct lin *l, const json_t *args)
{
    json_t *out = json_array(), *t;
    size_t i;

    json_array_foreach(lin_table(l->world, "templates"), i, t)
    {
        if (strcmp(jstr_or(args, "integrationType", ""), "zendesk") == 0 &&
            jbool(t, "zendesk", false))
            json_array_append(out, t);
    }
    return out;
}

/* Newest first by the chosen time; ISO times sort as text. */
static void sort_newest(json_t *rows, const char *key)
{
    for (size_t i = 1; i < json_array_size(rows); i++) {
        for (size_t k = i; k > 0; k--) {
            json_t *a = json_array_get(rows, k - 1), *b = json_array_get(rows, k);

            if (strcmp(jstr_or(a, key, ""), jstr_or(b, key, "")) >= 0)
                break;
            json_incref(a);
            json_array_set(rows, k - 1, b);
            json_array_set_new(rows, k, a);
        }
    }
}

static const char *order_key(const json_t *args)
{
    const char *by = jstr(args, "orderBy");

    return by && strcmp(by, "updatedAt") == 0 ? "updatedAt" : "createdAt";
}

/* Takes out what the index of texts does not know yet (setting linear_index_lag_ms). */
static void drop_unindexed(struct lin *l, json_t *rows)
{
    int64_t lag_us = l->sim->settings.index_lag_us;
    char *newest = time_rfc3339(l->rq->now_us - lag_us, 3);

    for (size_t i = lag_us > 0 ? json_array_size(rows) : 0; i-- > 0;) {
        if (strcmp(jstr_or(json_array_get(rows, i), "createdAt", ""), newest) > 0)
            json_array_remove(rows, i);
    }
    free(newest);
}

/* Does the filter look at words, at any depth? Ids and states need no index. */
static bool looks_at_words(const json_t *filter)
{
    const char *key;
    json_t *value;
    size_t i;

    json_array_foreach((json_t *)filter, i, value)
    {
        if (looks_at_words(value))
            return true;
    }
    json_object_foreach((json_t *)filter, key, value)
    {
        if (has_prefix(key, "contains") || looks_at_words(value))
            return true;
    }
    return false;
}

json_t *lin_q_issues(struct lin *l, const json_t *args)
{
    json_t *rows = table_copy(l, "issues");

    if (looks_at_words(json_object_get(args, "filter")))
        drop_unindexed(l, rows);
    sort_newest(rows, order_key(args));
    return rows;
}

json_t *lin_q_issue(struct lin *l, const json_t *args)
{
    json_t *issue = lin_issue(l->world, jstr_or(args, "id", ""));

    if (!issue)
        return lin_refuse(l, 200, "INPUT_ERROR", "Entity not found: Issue",
                          "Could not find referenced Issue.");
    return json_incref(issue);
}

json_t *lin_q_comment(struct lin *l, const json_t *args)
{
    json_t *comment = lin_by(l->world, "comments", "id", jstr_or(args, "id", ""));

    if (!comment)
        return lin_refuse(l, 200, "INPUT_ERROR", "Entity not found: Comment",
                          "Could not find referenced Comment.");
    return json_incref(comment);
}

json_t *lin_q_attachments_for_url(struct lin *l, const json_t *args)
{
    bool with_archived = jbool(args, "includeArchived", false);
    json_t *out = json_array(), *a;
    size_t i;

    json_array_foreach(lin_table(l->world, "attachments"), i, a)
    {
        const json_t *issue = lin_by(l->world, "issues", "id", jstr(a, "issueId"));

        if (strcmp(jstr_or(a, "url", ""), jstr_or(args, "url", "")) == 0 &&
            (with_archived || !jstr(issue, "archivedAt")))
            json_array_append(out, a);
    }
    return out;
}

/* ---- searchIssues -------------------------------------------------------- */

struct hit {
    json_t *issue;
    double score;
};

static bool is_number(const char *word)
{
    return *word && word[strspn(word, "0123456789")] == '\0';
}

static double word_score(const json_t *issue, const char *word)
{
    double score = 0;
    char number[24];

    snprintf(number, sizeof number, "%lld", (long long)jint(issue, "number", 0));
    if (contains_ci(jstr_or(issue, "title", ""), word))
        score += 2;
    if (contains_ci(jstr_or(issue, "description", ""), word))
        score += 1;
    if (equals_ci(jstr_or(issue, "identifier", ""), word) ||
        (is_number(word) && strcmp(number, word) == 0))
        score += 5;
    return score;
}

static double term_score(const json_t *issue, const char *term)
{
    char *copy = dup_str(term), *rest = copy, *word;
    double score = 0;

    while ((word = strsep(&rest, " \t\n.,;:()[]\"'`/"))) {
        if (strlen(word) > 1)
            score += word_score(issue, word);
    }
    free(copy);
    return score;
}

static int best_first(const void *pa, const void *pb)
{
    const struct hit *a = pa, *b = pb;

    return a->score < b->score ? 1 : a->score > b->score ? -1 : 0;
}

/*
 * Text overlap stands in for the text half of the real search, a hash of term
 * and issue for the vector half: even a meaningless term brings some results.
 */
static json_t *ranked(struct lin *l, const char *term)
{
    const json_t *issues = lin_table(l->world, "issues");
    struct hit *hits = zalloc((json_array_size(issues) + 1) * sizeof *hits);
    json_t *out = json_array(), *issue;
    size_t i, n = 0, unrelated = 0;

    json_array_foreach(issues, i, issue)
    {
        double nearness = hash_noise(term, hash_text(jstr(issue, "id"), 5));

        hits[n++] = (struct hit){issue, term_score(issue, term) + nearness * 0.4};
    }
    qsort(hits, n, sizeof *hits, best_first);
    for (i = 0; i < n; i++) {
        if (hits[i].score < 0.5 && unrelated++ >= UNRELATED_RESULTS)
            break;
        json_array_append(out, hits[i].issue);
    }
    free(hits);
    return out;
}

json_t *lin_q_search(struct lin *l, const json_t *args)
{
    json_t *rows = ranked(l, jstr_or(args, "term", ""));

    drop_unindexed(l, rows);
    if (jstr(args, "orderBy"))
        sort_newest(rows, order_key(args));
    return rows;
}
