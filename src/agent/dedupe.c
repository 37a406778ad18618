/*
 * The search before any create. An issue is a match only for a reason that can be shown: it stands in our
 * own record for this signature and template, or its text holds the mark literally. What Search Issues
 * brings is fuzzy (linear.md 3.1): it is scored by the comparison of `casebook same` and shown, never
 * taken as proof.
 */
#include "agent/dedupe.h"

#include "agent/issue_text.h"
#include "base/arena.h"
#include "base/human.h"
#include "base/text.h"
#include "base/ts.h"
#include "diag/diag.h"
#include "store/st_finding.h"
#include "sys/clock.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define DEDUPE_DEADLINE_US (40 * TS_SEC)
#define MAX_CANDIDATES 30
#define MAX_HOPS 5

struct list {
    struct linear_candidate items[MAX_CANDIDATES];
    size_t count;
};

static struct linear_candidate *list_find(struct list *l, const char *id)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->items[i].issue.id, id) == 0)
            return &l->items[i];
    return NULL;
}

static void list_add(struct list *l, const struct linear_issue *issue, const char *via,
                     double score, bool is_match, const char *result)
{
    struct linear_candidate *c = list_find(l, issue->id);

    if (c || l->count == MAX_CANDIDATES)
        return;
    c = &l->items[l->count++];
    c->issue = *issue;
    c->via = via;
    c->score = score;
    c->is_match = is_match;
    c->result = result;
}

/* The issue our own record names, if Linear still has it. */
static int ask_record(struct agent *ag, struct arena *a, const struct finding *f,
                      int64_t deadline, struct list *l, struct err *err)
{
    struct filing filing;
    struct linear_issue issue;

    if (filing_get(ag->db, a, f->signature_hash, f->template_id, &filing, err)) {
        if (err->kind != ERR_NOTFOUND)
            return -1;
        *err = (struct err)ERR_INIT;
        return 0;
    }
    if (linear_read(&ag->linear, a, filing.issue_id, deadline, &issue, err)) {
        if (err->kind != ERR_NOTFOUND)
            return -1;
        *err = (struct err)ERR_INIT;
        return 0;
    }
    if (!issue.is_trashed)
        list_add(l, &issue, "record", 1.0, true,
                 "matched: Casebook filed or matched it before");
    return 0;
}

static int ask_mark(struct agent *ag, struct arena *a, const char *token,
                    int64_t deadline, struct list *l, struct err *err)
{
    struct linear_issues found;

    memset(&found, 0, sizeof found);
    if (linear_find_token(&ag->linear, a, token, deadline, &found, err))
        return -1;
    for (size_t i = 0; i < found.count; i++)
        if (!found.items[i].is_trashed)
            list_add(l, &found.items[i], "mark", 1.0, true, "matched: same mark");
    return 0;
}

static double score_issue(struct arena *a, const struct finding *f,
                          const struct linear_issue *issue)
{
    double title = diag_similarity_text(f->signature, issue->title);
    char *head = text_clean_line(a, issue->description, strlen(issue->description), 2000);
    double body = diag_similarity_text(f->signature, head);

    return title > body ? title : body;
}

static int ask_search(struct agent *ag, struct arena *a, const struct finding *f,
                      const char *token, const char *words, int64_t deadline,
                      struct list *l, struct err *err)
{
    struct linear_issues found;

    memset(&found, 0, sizeof found);
    if (linear_search(&ag->linear, a, words, deadline, &found, err))
        return -1;
    for (size_t i = 0; i < found.count; i++) {
        const struct linear_issue *issue = &found.items[i];
        double score;

        if (issue->is_trashed)
            continue;
        if (text_icontains(issue->description, token) ||
            text_icontains(issue->title, token)) {
            list_add(l, issue, "search", 1.0, true, "matched: same mark");
            continue;
        }
        score = score_issue(a, f, issue);
        /* only the mark proves sameness: a likeness is shown as less than certain */
        if (score > 0.99)
            score = 0.99;
        list_add(l, issue, "search", score, false,
                 score >= 0.5 ? "similar, without the mark: please check"
                              : "other failure");
    }
    return 0;
}

/* A duplicate is followed to its original, at most five steps, never round in circles. */
static int follow_duplicates(struct agent *ag, struct arena *a, int64_t deadline,
                             struct linear_issue *issue, struct err *err)
{
    for (int hop = 0; hop < MAX_HOPS; hop++) {
        struct linear_issue next;
        const char *to;

        if (issue->state != LINEAR_DUPLICATE)
            return 0;
        to = issue->duplicate_of;
        if (text_is_empty(to)) {
            if (linear_read(&ag->linear, a, issue->id, deadline, &next, err))
                return -1;
            to = next.duplicate_of;
            if (text_is_empty(to))
                return 0;
        }
        if (linear_read(&ag->linear, a, to, deadline, &next, err)) {
            if (err->kind != ERR_NOTFOUND)
                return -1;
            *err = (struct err)ERR_INIT;
            return 0;
        }
        *issue = next;
    }
    return 0;
}

static int by_score(const void *pa, const void *pb)
{
    const struct linear_candidate *x = pa, *y = pb;

    if (x->is_match != y->is_match)
        return x->is_match ? -1 : 1;
    if (x->score < y->score)
        return 1;
    return x->score > y->score ? -1 : 0;
}

/* Why the matched issue is the one, and what its state means (linear.md 2). */
static const char *match_sentence(struct arena *a, const struct linear_candidate *c,
                                  const struct linear_issue *issue, int64_t now_us)
{
    const char *base =
        strcmp(c->via, "record") == 0
            ? "Casebook's own record ties this failure in this template to it."
            : "Its text holds this failure's mark, and the template is the same.";
    char t[HUMAN_SIZE];

    if (strcmp(c->issue.id, issue->id) != 0)
        base = arena_fmt(a, "%s %s is marked as a duplicate of it.", base,
                         c->issue.identifier);
    if (issue->state == LINEAR_COMPLETED)
        return arena_fmt(
            a, "%s It was fixed %s, yet the same failure was seen again.", base,
            issue->completed_us == TS_NONE ? "before"
                                           : human_ago(issue->completed_us, now_us, t));
    if (issue->state == LINEAR_CANCELED)
        return arena_fmt(
            a, "%s It was canceled%s%s.", base, issue->canceled_us == TS_NONE ? "" : " ",
            issue->canceled_us == TS_NONE ? ""
                                          : human_ago(issue->canceled_us, now_us, t));
    if (issue->is_archived)
        return arena_fmt(a, "%s It is archived.", base);
    return base;
}

/* Which classes and confidences are filed is the administrator's choice (Linear.FileClasses). */
static const char *not_filed_reason(const struct conf *conf, const struct finding *f)
{
    if (f->cls == CLASS_UNDETERMINED)
        return "An undetermined finding is never filed.";
    if (!conf->linear.file_class[f->cls])
        return "Your administrator set that findings of this class are not filed.";
    if (f->confidence < conf->linear.min_confidence)
        return "Confidence is below what your administrator set for filing.";
    if (text_is_empty(f->signature_hash))
        return "This failure has no signature that another one could be compared with.";
    return NULL;
}

static void decide(struct arena *a, const struct conf *conf, const struct finding *f,
                   const struct list *l, const struct linear_issue *issue,
                   struct linear_decision *out)
{
    const char *why_not = not_filed_reason(conf, f);
    size_t compared = l->count;

    if (l->count && l->items[0].is_match) {
        out->outcome = LINEAR_OUTCOME_MATCHED;
        out->issue = *issue;
        out->why = match_sentence(a, &l->items[0], issue, out->searched_us);
    } else if (why_not) {
        out->outcome = LINEAR_OUTCOME_NOT_FILED;
        out->why = why_not;
    } else {
        out->outcome = LINEAR_OUTCOME_TO_FILE;
        out->why =
            compared == 0
                ? "Linear holds nothing that resembles it."
                : arena_fmt(a, "Nothing among the %zu compared was the same failure.",
                            compared);
    }
}

int dedupe_search(struct agent *ag, struct arena *a, const struct finding *f,
                  const char *token, struct linear_decision *out, struct err *err)
{
    int64_t deadline = clock_mono_us() + DEDUPE_DEADLINE_US;
    struct list *l = arena_alloc(a, sizeof *l);
    struct linear_issue issue;

    memset(out, 0, sizeof *out);
    memset(&issue, 0, sizeof issue);
    out->token = arena_str(a, token);
    out->words = "";
    out->searched_us = clock_now_us();
    out->issue.id = "";
    if (text_is_empty(token)) {
        decide(a, ag->conf, f, l, &issue, out);
        return 0;
    }
    out->words = issue_search_words(a, ag->mask, f);
    if (linear_team(&ag->linear, a, deadline, err) ||
        ask_record(ag, a, f, deadline, l, err) ||
        ask_mark(ag, a, token, deadline, l, err) ||
        ask_search(ag, a, f, token, out->words, deadline, l, err))
        return -1;
    qsort(l->items, l->count, sizeof l->items[0], by_score);
    if (l->count && l->items[0].is_match) {
        issue = l->items[0].issue;
        if (follow_duplicates(ag, a, deadline, &issue, err))
            return -1;
    }
    out->candidates = l->items;
    out->candidate_count = l->count;
    decide(a, ag->conf, f, l, &issue, out);
    return 0;
}
