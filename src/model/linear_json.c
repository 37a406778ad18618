/* The names of Linear's states for us, and the JSON form of the decision kept beside a finding. */
#include "model/linear.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "model/jsonio.h"

#include "base/banned.h"

#define LINE_CAP 2000
#define DESCRIPTION_CAP ((size_t)64 * 1024)
#define CANDIDATE_MAX 200

static const char *const outcome_names[LINEAR_OUTCOME_COUNT] = {
    [LINEAR_OUTCOME_NONE] = "none",
    [LINEAR_OUTCOME_MATCHED] = "matched",
    [LINEAR_OUTCOME_TO_FILE] = "to_file",
    [LINEAR_OUTCOME_FILED] = "filed",
    [LINEAR_OUTCOME_NOT_FILED] = "not_filed",
    [LINEAR_OUTCOME_UNAVAILABLE] = "unavailable",
};

const char *linear_outcome_name(enum linear_outcome o)
{
    return (unsigned)o < LINEAR_OUTCOME_COUNT ? outcome_names[o] : "";
}

static int outcome_parse(const char *name, enum linear_outcome *out)
{
    for (int o = 0; o < LINEAR_OUTCOME_COUNT; o++) {
        if (strcmp(outcome_names[o], name) == 0) {
            *out = (enum linear_outcome)o;
            return 0;
        }
    }
    return -1;
}

enum linear_state linear_state_from_type(const char *type)
{
    static const struct {
        const char *type;
        enum linear_state state;
    } closed[] = {
        {"completed", LINEAR_COMPLETED},
        {"canceled",  LINEAR_CANCELED },
        {"duplicate", LINEAR_DUPLICATE},
    };

    for (size_t i = 0; type && i < sizeof(closed) / sizeof(closed[0]); i++) {
        if (strcmp(closed[i].type, type) == 0)
            return closed[i].state;
    }
    return LINEAR_OPEN;
}

json_t *linear_issue_to_json(const struct linear_issue *i)
{
    json_t *o = json_object();

    jio_put_string(o, "id", i->id);
    jio_put_string(o, "identifier", i->identifier);
    jio_put_string(o, "url", i->url);
    jio_put_string(o, "title", i->title);
    jio_put_text(o, "description", i->description);
    jio_put_string(o, "state_name", i->state_name);
    jio_put_string(o, "state_type", i->state_type);
    jio_put_text(o, "team_id", i->team_id);
    jio_put_text(o, "duplicate_of", i->duplicate_of);
    jio_put_time(o, "created", i->created_us);
    jio_put_time(o, "updated", i->updated_us);
    jio_put_time(o, "completed", i->completed_us);
    jio_put_time(o, "canceled", i->canceled_us);
    jio_put_bool(o, "is_archived", i->is_archived);
    jio_put_bool(o, "is_trashed", i->is_trashed);
    return o;
}

void linear_issue_from_json(struct arena *a, const json_t *o, struct linear_issue *i)
{
    i->id = jio_line(a, o, "id", LINE_CAP, "");
    i->identifier = jio_line(a, o, "identifier", LINE_CAP, "");
    i->url = jio_line(a, o, "url", LINE_CAP, "");
    i->title = jio_line(a, o, "title", LINE_CAP, "");
    i->description = jio_text(a, o, "description", DESCRIPTION_CAP, "");
    i->state_name = jio_line(a, o, "state_name", LINE_CAP, "");
    i->state_type = jio_line(a, o, "state_type", LINE_CAP, "");
    i->state = linear_state_from_type(i->state_type);
    i->team_id = jio_line(a, o, "team_id", LINE_CAP, "");
    i->duplicate_of = jio_line(a, o, "duplicate_of", LINE_CAP, "");
    i->created_us = jget_time(o, "created");
    i->updated_us = jget_time(o, "updated");
    i->completed_us = jget_time(o, "completed");
    i->canceled_us = jget_time(o, "canceled");
    i->is_archived = jget_bool(o, "is_archived", false);
    i->is_trashed = jget_bool(o, "is_trashed", false);
}

static json_t *candidates_to_json(const struct linear_decision *d)
{
    json_t *list = json_array();

    for (size_t i = 0; i < d->candidate_count; i++) {
        const struct linear_candidate *c = &d->candidates[i];
        json_t *o = json_object();

        json_object_set_new(o, "issue", linear_issue_to_json(&c->issue));
        json_object_set_new(o, "score", json_real(c->score));
        jio_put_string(o, "via", c->via);
        jio_put_string(o, "result", c->result);
        jio_put_bool(o, "is_match", c->is_match);
        json_array_append_new(list, o);
    }
    return list;
}

static void candidates_from_json(struct arena *a, const json_t *list,
                                 struct linear_decision *d)
{
    size_t n = json_array_size(list);
    struct linear_candidate *items;

    if (n > CANDIDATE_MAX)
        n = CANDIDATE_MAX;
    items = arena_array(a, n, sizeof(*items));
    for (size_t i = 0; i < n; i++) {
        const json_t *o = json_array_get(list, i);

        linear_issue_from_json(a, jget_obj(o, "issue"), &items[i].issue);
        items[i].score = jget_f64(o, "score", 0);
        items[i].via = jio_line(a, o, "via", LINE_CAP, "");
        items[i].result = jio_line(a, o, "result", LINE_CAP, "");
        items[i].is_match = jget_bool(o, "is_match", false);
    }
    d->candidates = items;
    d->candidate_count = n;
}

json_t *linear_decision_to_json(const struct linear_decision *d)
{
    json_t *o = json_object();

    jio_put_string(o, "outcome", linear_outcome_name(d->outcome));
    jio_put_string(o, "token", d->token);
    jio_put_text(o, "link", d->link);
    jio_put_bool(o, "has_link", d->has_link);
    jio_put_string(o, "words", d->words);
    jio_put_time(o, "searched", d->searched_us);
    jio_put_string(o, "why", d->why);
    json_object_set_new(o, "candidates", candidates_to_json(d));
    if (!text_is_empty(d->issue.id))
        json_object_set_new(o, "issue", linear_issue_to_json(&d->issue));
    return o;
}

int linear_decision_from_json(struct arena *a, const json_t *doc,
                              struct linear_decision *out, struct err *err)
{
    struct linear_decision d = {.searched_us = jget_time(doc, "searched")};

    if (outcome_parse(jio_line(a, doc, "outcome", LINE_CAP, ""), &d.outcome))
        return err_set(err, ERR_INPUT, "Linear decision: member \"outcome\" is unknown");
    d.token = jio_line(a, doc, "token", LINE_CAP, "");
    d.link = jio_line(a, doc, "link", LINE_CAP, "");
    d.has_link = jget_bool(doc, "has_link", false);
    d.words = jio_line(a, doc, "words", LINE_CAP, "");
    d.why = jio_text(a, doc, "why", LINE_CAP, "");
    candidates_from_json(a, jget_arr(doc, "candidates"), &d);
    linear_issue_from_json(a, jget_obj(doc, "issue"), &d.issue);
    *out = d;
    return 0;
}
