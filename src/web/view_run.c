/*
 * An investigation on its way, or how it ended without a finding: the steps with their times, and the words above
 * them.
 */
#include "web/view_finding.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

struct step {
    enum inv_state from, to; /* works while the state is `from`, done once it is past */
    const char *word, *heading;
};

static const struct step steps[] = {
    {INV_QUEUED,    INV_COLLECTED, "Read E2B",                            "reading E2B"              },
    {INV_COLLECTED, INV_DIAGNOSED, "Decide what happened",                "deciding what happened"   },
    {INV_DIAGNOSED, INV_DEDUPED,   "Look in Linear for the same failure",
     "looking in Linear for the same failure"                                                        },
    {INV_DEDUPED,   INV_FILED,     "Link the issue, or file one",         "linking the issue"        },
    {INV_FILED,     INV_NOTED,     "Post the internal note",              "posting the internal note"},
};
#define STEP_COUNT (int)(sizeof steps / sizeof steps[0])

/* The stage that was last reached: of an ended one, where it ended. */
static enum inv_state reached(const struct investigation *inv)
{
    return inv->state == INV_FAILED || inv->state == INV_CANCELED ? inv->reached
                                                                  : inv->state;
}

static bool has_outcome(const struct linear_decision *d, enum linear_outcome o)
{
    return d && d->outcome == o;
}

/* Why a step has nothing to do; NULL when it has. */
static const char *not_needed(const struct investigation *inv, const struct step *s,
                              const struct linear_decision *d)
{
    if (s->from == INV_FILED && !inv->ticket_id)
        return "not needed: there is no ticket";
    if (s->from != INV_DEDUPED)
        return NULL;
    if (has_outcome(d, LINEAR_OUTCOME_MATCHED))
        return "not needed: a match was found";
    if (has_outcome(d, LINEAR_OUTCOME_NOT_FILED))
        return "not needed: nothing is filed";
    if (has_outcome(d, LINEAR_OUTCOME_UNAVAILABLE))
        return "nothing is filed without a search";
    return NULL;
}

static const char *step_state(const struct investigation *inv, const struct step *s,
                              const struct linear_decision *d)
{
    enum inv_state at = reached(inv);
    bool is_over = !inv_state_is_open(inv->state) && inv->state != INV_DONE;

    if (at == s->from && inv->state == INV_FAILED)
        return "failed";
    if (not_needed(inv, s, d))
        return "dash";
    if (at >= s->to)
        return s->from == INV_DIAGNOSED && has_outcome(d, LINEAR_OUTCOME_UNAVAILABLE)
                   ? "failed"
                   : "done";
    if (is_over)
        return "dash";
    if (at != s->from)
        return "waiting";
    return inv->state == INV_QUEUED && inv->started_us == TS_NONE ? "waiting" : "now";
}

/* What has come out of the diagnosis: "out of memory, high confidence". */
static const char *decided_words(struct arena *a, const struct finding *f)
{
    char *cls = text_lower(a, finding_class_words(f->cls));

    return f->cls == CLASS_UNDETERMINED
               ? arena_fmt(a, "%s: %s", cls, reason_words(f->reason))
               : arena_fmt(a, "%s, %s confidence", cls, confidence_name(f->confidence));
}

static char *count_words(struct arena *a, int64_t n, const char *what)
{
    char count[HUMAN_SIZE];

    if (n < 0)
        return arena_fmt(a, "%ss could not be read", what);
    return arena_fmt(a, "%s %s%s", human_count(n, count), what, n == 1 ? "" : "s");
}

/* What was read of E2B: "5 events, 284 samples, 1,204 lines". */
static char *read_words(struct arena *a, const struct inv_read *r)
{
    return arena_fmt(a, "%s, %s, %s", count_words(a, r->events, "event"),
                     count_words(a, r->samples, "sample"),
                     count_words(a, r->lines, "line"));
}

static const char *step_detail(struct arena *a, const struct investigation *inv,
                               const struct step *s, const struct linear_decision *d,
                               const struct finding *f)
{
    const char *words = not_needed(inv, s, d);

    if (words)
        return words;
    if (s->from == INV_QUEUED && reached(inv) >= s->to && inv->read.is_known)
        return read_words(a, &inv->read);
    if (s->from == INV_QUEUED)
        return "events, metrics and logs together";
    if (s->from == INV_COLLECTED)
        return f ? decided_words(a, f) : "";
    if (s->from == INV_DIAGNOSED)
        return has_outcome(d, LINEAR_OUTCOME_UNAVAILABLE)
                   ? "Linear could not be searched"
                   : "searching by failure and template, not by customer";
    if (s->from == INV_DEDUPED)
        return "only if nothing matches";
    return s->from == INV_FILED ? "the customer will not see it" : "";
}

static void put_steps(HDF *at, const struct view_link *l, const struct investigation *inv,
                      const struct linear_decision *d, const struct finding *f)
{
    struct arena *a = l->rq->arena;
    char took[HUMAN_SIZE];

    for (int i = 0; i < STEP_COUNT; i++) {
        const struct step *s = &steps[i];
        HDF *row = hput_row(at, "Steps", i);
        int64_t begin = i == 0 ? inv->started_us : inv->stage_us[s->from];
        int64_t end = inv->stage_us[s->to];

        hput_str(row, "State", step_state(inv, s, d));
        hput_str(row, "Word",
                 s->from == INV_FILED && inv->ticket_id
                     ? arena_fmt(a, "Post the internal note to #%" PRId64, inv->ticket_id)
                     : s->word);
        hput_str(row, "Detail", step_detail(a, inv, s, d, f));
        if (begin != TS_NONE && end != TS_NONE)
            hput_str(row, "Took",
                     human_duration_fine(end > begin ? end - begin : 0, took));
    }
}

static int current_step(const struct investigation *inv)
{
    for (int i = 0; i < STEP_COUNT; i++)
        if (reached(inv) == steps[i].from)
            return i;
    return STEP_COUNT - 1;
}

static void put_cancelled(HDF *at, const struct view_link *l,
                          const struct investigation *inv)
{
    const char *by =
        strcmp(inv->canceled_by, l->rq->user) == 0 ? "you" : inv->canceled_by;
    char clock[HUMAN_SIZE];

    if (inv->finished_us == TS_NONE)
        hput_fmt(at, "Heading", "Cancelled by %s.", by);
    else
        hput_fmt(at, "Heading", "Cancelled by %s at %s UTC.", by,
                 human_clock(inv->finished_us, clock));
}

static void put_heading(HDF *at, const struct view_link *l,
                        const struct investigation *inv)
{
    int step = current_step(inv);
    char ago[HUMAN_SIZE];

    human_duration(l->rq->now_us > inv->created_us ? l->rq->now_us - inv->created_us : 0,
                   ago);
    if (inv->state == INV_FAILED) {
        hput_fmt(at, "Heading", "The investigation failed at \xE2\x80\x9C%s\xE2\x80\x9D.",
                 steps[step].word);
    } else if (inv->state == INV_CANCELED) {
        put_cancelled(at, l, inv);
    } else if (inv->started_us == TS_NONE) {
        hput_str(at, "Heading", "Waiting for the agent.");
        hput_bool(at, "IsWaiting", true);
        hput_bool(at, "IsLongWaiting", l->rq->now_us - inv->created_us > 2 * TS_MIN);
    } else {
        hput_fmt(at, "Heading", "Investigating: %s", steps[step].heading);
        hput_fmt(at, "Step", "step %d of %d", step + 1, STEP_COUNT);
        hput_str(at, "Elapsed", ago);
        hput_i64(at, "ElapsedSeconds",
                 l->rq->now_us > inv->created_us
                     ? (l->rq->now_us - inv->created_us) / TS_SEC
                     : 0);
    }
}

void view_run_note(HDF *root, const struct view_link *l, const char *html)
{
    if (!text_is_empty(html))
        hput_str(hput_node(root, "Run"), "Note", view_note_text(l->rq->arena, html));
}

void view_run(HDF *root, const struct view_link *l, const struct investigation *inv,
              const struct linear_decision *d, const struct finding *f)
{
    HDF *at = hput_node(root, "Run");
    char ago[HUMAN_SIZE];
    bool is_mine = strcmp(inv->requested_by, l->rq->user) == 0;

    hput_i64(at, "Id", inv->id);
    hput_bool(at, "IsOpen", inv_state_is_open(inv->state));
    hput_bool(at, "IsFailed", inv->state == INV_FAILED);
    hput_bool(at, "IsCanceled", inv->state == INV_CANCELED);
    hput_str(at, "State", inv_state_name(inv->state));
    hput_str(at, "By", is_mine ? "you" : inv->requested_by);
    hput_bool(at, "IsMine", is_mine);
    hput_str(at, "Ago", human_ago(inv->created_us, l->rq->now_us, ago));
    hput_fmt(at, "Started", "%s started this %s.", inv->requested_by, ago);
    hput_str(at, "Failure", inv->failure);
    hput_bool(at, "NothingFiled", reached(inv) < INV_FILED);
    put_heading(at, l, inv);
    put_steps(at, l, inv, d, f);
}
