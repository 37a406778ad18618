/*
 * The search before any create. An issue is a match only for a reason that can be shown: a person linked it to
 * this failure; it stands in our own record for this signature and template; the failure's address hangs on it; its
 * text holds the mark literally; or it carries a signature that `casebook same` takes for this one, in the same
 * template. What Search Issues brings beside that is fuzzy (linear.md 3.1): it is scored and shown, never taken as
 * proof.
 */
#include "agent/dedupe.h"

#include "agent/compare.h"
#include "agent/issue_text.h"
#include "agent/lease.h"
#include "base/arena.h"
#include "base/human.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_finding.h"
#include "sys/clock.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define MAX_CANDIDATES 30
#define MAX_HOPS 5
#define LOOKS_SIMILAR 0.5

/* One search, and what has come of it. */
struct search {
    struct agent *ag;
    struct arena *a;
    const struct finding *f;
    const char *token;
    struct issue_correction said; /* by people, about this failure */
    bool has_said;
    struct linear_issues with_link; /* the failure's address hangs on them */
    struct linear_candidate items[MAX_CANDIDATES];
    size_t count;
};

static bool is_unlinked(const struct search *s)
{
    return s->has_said && text_is_empty(s->said.identifier);
}

static void add(struct search *s, const struct linear_issue *issue, const char *via,
                double score, bool is_match, const char *result)
{
    struct linear_candidate *c;

    if (text_is_empty(issue->id) || issue->is_trashed)
        return;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->items[i].issue.id, issue->id) == 0)
            return;
    if (s->count == MAX_CANDIDATES)
        return;
    c = &s->items[s->count++];
    c->issue = *issue;
    c->via = via;
    c->score = score;
    c->is_match = is_match && !is_unlinked(s);
    c->result = is_match && is_unlinked(s) ? "a person unlinked it" : result;
}

/* ---- what is known beforehand ---- */

static int not_found_is_fine(struct err *err)
{
    if (err->kind != ERR_NOTFOUND)
        return -1;
    *err = (struct err)ERR_INIT;
    return 0;
}

/* What people said and what our own record says. */
static int ask_store(struct search *s, struct linear_wanted *w, struct err *err)
{
    const struct finding *f = s->f;
    struct filing filing;

    if (correction_of_failure(s->ag->db, s->a, f->signature_hash, f->template_id,
                              &s->said, err) == 0) {
        s->has_said = true;
        w->by_person =
            text_is_empty(s->said.issue_id) ? s->said.identifier : s->said.issue_id;
    } else if (not_found_is_fine(err)) {
        return -1;
    }
    if (filing_get(s->ag->db, s->a, f->signature_hash, f->template_id, &filing, err) == 0)
        w->on_record = filing.issue_id;
    else if (not_found_is_fine(err))
        return -1;
    return 0;
}

static int ask_known(struct search *s, const char *link, struct err *err)
{
    struct linear_wanted w = {.link = link, .token = s->token};
    struct linear_known known;

    if (ask_store(s, &w, err) ||
        linear_find_known(&s->ag->linear, s->a, &w, lease_deadline(s->ag), &known, err))
        return -1;
    s->with_link = known.with_link;
    add(s, &known.by_person, "person", 1.0, true, "matched: linked by a person");
    add(s, &known.on_record, "record", 1.0, true,
        "matched: Casebook filed or matched it before");
    for (size_t i = 0; i < known.with_link.count; i++)
        add(s, &known.with_link.items[i], "link", 1.0, true,
            "matched: this failure's address hangs on it");
    for (size_t i = 0; i < known.with_token.count; i++)
        add(s, &known.with_token.items[i], "mark", 1.0, true, "matched: same mark");
    return 0;
}

/* ---- Search Issues ---- */

static void take_found(struct search *s, const struct linear_issue *issue)
{
    bool is_same;
    double score;

    if (text_icontains(issue->description, s->token) ||
        text_icontains(issue->title, s->token)) {
        add(s, issue, "search", 1.0, true, "matched: same mark");
        return;
    }
    score = compare_issue(s->a, s->f, issue, &is_same);
    if (score > 0.99)
        score = 0.99; /* only the mark is certain */
    add(s, issue, "search", score, is_same,
        is_same                  ? "matched: the same failure by its signature"
        : score >= LOOKS_SIMILAR ? "similar, without the mark: please check"
                                 : "other failure");
}

static int ask_search(struct search *s, const char *words, struct err *err)
{
    struct linear_issues found;

    memset(&found, 0, sizeof found);
    if (linear_search(&s->ag->linear, s->a, words, lease_deadline(s->ag), &found, err))
        return -1;
    for (size_t i = 0; i < found.count; i++)
        take_found(s, &found.items[i]);
    return 0;
}

/* ---- the choice ---- */

/* Of several matches: what a person said, then an open issue, a fixed one, a canceled one. */
static int rank(const struct linear_candidate *c)
{
    static const int by_state[] = {
        [LINEAR_OPEN] = 1,
        [LINEAR_DUPLICATE] = 2,
        [LINEAR_COMPLETED] = 3,
        [LINEAR_CANCELED] = 4,
    };

    if (!c->is_match)
        return 9;
    return strcmp(c->via, "person") == 0 ? 0 : by_state[c->issue.state];
}

static int via_rank(const struct linear_candidate *c)
{
    static const char *const order[] = {"person", "record", "link", "mark"};
    int i = 0;

    while (i < 4 && strcmp(order[i], c->via) != 0)
        i++;
    return i;
}

static int by_rank(const void *pa, const void *pb)
{
    const struct linear_candidate *x = pa, *y = pb;
    int order = rank(x) - rank(y);

    if (order == 0 && x->score != y->score)
        return x->score < y->score ? 1 : -1;
    if (order == 0)
        order = via_rank(x) - via_rank(y);
    return order != 0 ? order : strcmp(x->issue.identifier, y->issue.identifier);
}

/* A duplicate is followed to its original, at most five steps; not into the trash, and not round in circles. */
static int follow_duplicates(struct search *s, struct linear_issue *issue,
                             struct err *err)
{
    const char *first = issue->id;

    for (int hop = 0; hop < MAX_HOPS && issue->state == LINEAR_DUPLICATE; hop++) {
        struct linear_issue next;
        const char *to = issue->duplicate_of;

        if (text_is_empty(to)) {
            if (linear_read(&s->ag->linear, s->a, issue->id, lease_deadline(s->ag), &next,
                            err))
                return -1;
            to = next.duplicate_of;
        }
        if (text_is_empty(to) || strcmp(to, first) == 0)
            return 0;
        if (linear_read(&s->ag->linear, s->a, to, lease_deadline(s->ag), &next, err))
            return not_found_is_fine(err);
        if (next.is_trashed)
            return 0;
        *issue = next;
    }
    return 0;
}

static const char *why_matched(const struct search *s, const struct linear_candidate *c)
{
    char t[HUMAN_SIZE];

    if (strcmp(c->via, "person") == 0)
        return arena_fmt(s->a, "%s linked it to this failure on %s.", s->said.by,
                         human_date(s->said.at_us, clock_now_us(), t));
    if (strcmp(c->via, "record") == 0)
        return "Casebook's own record ties this failure in this template to it.";
    if (strcmp(c->via, "link") == 0)
        return "The address of this failure in this template hangs on it.";
    if (c->score < 1.0)
        return "It carries the signature of the same failure, and the template is the "
               "same.";
    return "Its text holds this failure's mark, and the template is the same.";
}

/* What its state means for this occurrence (linear.md 2). */
static const char *state_sentence(struct arena *a, const struct linear_issue *issue,
                                  int64_t now_us)
{
    char t[HUMAN_SIZE];
    const char *archived = issue->is_archived ? " It is archived." : "";

    if (issue->state == LINEAR_COMPLETED)
        return arena_fmt(a, " It was fixed %s%s, seen again now.%s",
                         issue->completed_us == TS_NONE ? "before" : "on ",
                         issue->completed_us == TS_NONE
                             ? ""
                             : human_date(issue->completed_us, now_us, t),
                         archived);
    if (issue->state == LINEAR_CANCELED)
        return arena_fmt(a, " It was canceled%s%s, as \xE2\x80\x9C%s\xE2\x80\x9D.%s",
                         issue->canceled_us == TS_NONE ? "" : " on ",
                         issue->canceled_us == TS_NONE
                             ? ""
                             : human_date(issue->canceled_us, now_us, t),
                         issue->state_name, archived);
    return archived;
}

static const char *match_sentence(const struct search *s,
                                  const struct linear_candidate *c,
                                  const struct linear_issue *issue, int64_t now_us)
{
    const char *copy = "";

    if (strcmp(c->issue.id, issue->id) != 0)
        copy =
            arena_fmt(s->a, " %s is marked as a duplicate of it.", c->issue.identifier);
    return arena_fmt(s->a, "%s%s%s", why_matched(s, c), copy,
                     state_sentence(s->a, issue, now_us));
}

/* Which classes and confidences are filed is the administrator's choice (Linear.FileClasses). */
static const char *not_filed_reason(const struct search *s)
{
    const struct conf *conf = s->ag->conf;
    char t[HUMAN_SIZE];

    if (s->f->cls == CLASS_UNDETERMINED)
        return "An undetermined finding is never filed.";
    if (!conf->linear.file_class[s->f->cls])
        return "Your administrator set that findings of this class are not filed.";
    if (s->f->confidence < conf->linear.min_confidence)
        return "Confidence is below what your administrator set for filing.";
    if (text_is_empty(s->f->signature_hash))
        return "This failure has no signature that another one could be compared with.";
    if (is_unlinked(s))
        return arena_fmt(s->a,
                         "%s said on %s that the issue of this failure is not the right "
                         "one. None is filed until a person links one.",
                         s->said.by, human_date(s->said.at_us, clock_now_us(), t));
    return NULL;
}

static bool has_link(const struct search *s, const char *issue_id)
{
    for (size_t i = 0; i < s->with_link.count; i++)
        if (strcmp(s->with_link.items[i].id, issue_id) == 0)
            return true;
    return false;
}

static void decide(const struct search *s, const struct linear_issue *issue,
                   struct linear_decision *out)
{
    const char *why_not = not_filed_reason(s);

    if (s->count && s->items[0].is_match) {
        out->outcome = LINEAR_OUTCOME_MATCHED;
        out->issue = *issue;
        out->has_link = has_link(s, issue->id);
        out->why = match_sentence(s, &s->items[0], issue, out->searched_us);
    } else if (why_not) {
        out->outcome = LINEAR_OUTCOME_NOT_FILED;
        out->why = why_not;
    } else {
        out->outcome = LINEAR_OUTCOME_TO_FILE;
        out->why =
            s->count == 0
                ? "Linear holds nothing that resembles it."
                : arena_fmt(s->a, "Nothing among the %zu compared was the same failure.",
                            s->count);
    }
}

/* What they say has been compared: it need not be kept. */
static void drop_descriptions(struct search *s, struct linear_decision *out)
{
    for (size_t i = 0; i < s->count; i++)
        s->items[i].issue.description = "";
    out->issue.description = "";
    out->candidates = s->items;
    out->candidate_count = s->count;
}

int dedupe_search(struct agent *ag, struct arena *a, const struct finding *f,
                  const struct customer *who, const char *token, const char *link,
                  struct linear_decision *out, struct err *err)
{
    struct search *s = arena_alloc(a, sizeof *s);
    struct linear_issue issue;

    *s = (struct search){.ag = ag, .a = a, .f = f, .token = token};
    memset(out, 0, sizeof *out);
    memset(&issue, 0, sizeof issue);
    out->token = arena_str(a, token);
    out->words = "";
    out->searched_us = clock_now_us();
    out->issue.id = "";
    if (text_is_empty(token)) {
        decide(s, &issue, out);
        return 0;
    }
    out->link = link;
    out->words = issue_search_words(a, ag->mask, f, who);
    if (ask_known(s, link, err) || ask_search(s, out->words, err))
        return -1;
    qsort(s->items, s->count, sizeof s->items[0], by_rank);
    if (s->count && s->items[0].is_match) {
        issue = s->items[0].issue;
        if (follow_duplicates(s, &issue, err))
            return -1;
    }
    decide(s, &issue, out);
    drop_descriptions(s, out);
    return 0;
}
