/* The nouns of Linear, and the decision taken about one finding (linear.md sections 2, 3, 7). */
#ifndef CASEBOOK_MODEL_LINEAR_H
#define CASEBOOK_MODEL_LINEAR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

enum linear_state {
    LINEAR_OPEN, /* triage, backlog, unstarted, started, and unknown types */
    LINEAR_COMPLETED,
    LINEAR_CANCELED,
    LINEAR_DUPLICATE
};

struct linear_issue {
    const char *id;         /* UUID */
    const char *identifier; /* "SUP-412" */
    const char *url;
    const char *title;
    const char *description; /* as stored by Linear; cut */
    const char *state_name;  /* Linear's own word */
    const char *state_type;
    enum linear_state state;
    const char *team_id;
    const char *duplicate_of; /* UUID of the original; "" */
    int64_t created_us, updated_us, completed_us, canceled_us;
    bool is_archived, is_trashed;
};

struct linear_candidate {
    struct linear_issue issue;
    double score;       /* 0..1 */
    const char *via;    /* "person", "record", "link", "mark", "search" */
    const char *result; /* "matched: same mark", "other cause (timeout)", ... */
    bool is_match;
};

enum linear_outcome {
    LINEAR_OUTCOME_NONE,        /* not decided yet */
    LINEAR_OUTCOME_MATCHED,     /* an existing issue; nothing filed */
    LINEAR_OUTCOME_TO_FILE,     /* no match: the next stage creates */
    LINEAR_OUTCOME_FILED,       /* a new issue */
    LINEAR_OUTCOME_NOT_FILED,   /* class or confidence is not one to be filed */
    LINEAR_OUTCOME_UNAVAILABLE, /* could not be searched or filed; the finding stands */
    LINEAR_OUTCOME_COUNT
};

struct linear_decision {
    enum linear_outcome outcome;
    const char *token; /* the mark searched literally */
    const char *link;  /* the address looked for on issues; "" when there is none */
    const char *words; /* the words given to Search Issues */
    int64_t searched_us;
    const char *why;                           /* one sentence */
    const struct linear_candidate *candidates; /* best first */
    size_t candidate_count;
    struct linear_issue issue; /* MATCHED, FILED; id "" otherwise */
    bool has_link;             /* the address hangs on that issue already */
};

const char *linear_outcome_name(enum linear_outcome o); /* "matched" */
enum linear_state linear_state_from_type(const char *type);

/* An issue as it is kept; a new reference. */
json_t *linear_issue_to_json(const struct linear_issue *issue);
void linear_issue_from_json(struct arena *a, const json_t *doc, struct linear_issue *out);

json_t *linear_decision_to_json(const struct linear_decision *d);
int linear_decision_from_json(struct arena *a, const json_t *doc,
                              struct linear_decision *out, struct err *err);

#endif
