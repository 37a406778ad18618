/*
 * The finding: answer first, then proof, then detail; to the right what happened with it (ux.md section 9).
 */
#include "web/view_finding.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define SHOWN_CANDIDATES 5

static void put_link(HDF *row, const char *text, const char *href)
{
    hput_str(row, "Href", href);
    hput_str(row, "HrefText", text);
}

/* "Event C" */
static bool link_event(HDF *row, const struct finding_view *v, const char *id)
{
    struct arena *a = v->link->rq->arena;
    char letter[8];

    for (size_t i = 0; v->ev && i < v->ev->event_count; i++) {
        if (strcmp(v->ev->events[i].id, id) != 0)
            continue;
        chart_letter(i, letter);
        put_link(row, arena_fmt(a, "Event %s", letter),
                 arena_fmt(a, "#event-%s", letter));
        return true;
    }
    return false;
}

static const char *plot_of(const struct evidence_item *e)
{
    return strcmp(e->kind, "cpu") == 0    ? "cpu"
           : strcmp(e->kind, "disk") == 0 ? "disk"
                                          : "memory";
}

/* To its number in the charts; when only a part of the time is shown without it, to all of it. */
static void link_chart(HDF *row, const struct finding_view *v, size_t i)
{
    const struct evidence_item *e = &v->finding->evidence[i];
    struct arena *a = v->link->rq->arena;
    enum chart_place place = v->seen.places ? v->seen.places[i] : CHART_NOWHERE;
    bool is_gap = strcmp(e->kind, "gap") == 0;
    const char *plot = plot_of(e);
    const char *text = is_gap                      ? "Gap"
                       : strcmp(plot, "cpu") == 0  ? "CPU chart"
                       : strcmp(plot, "disk") == 0 ? "Disk chart"
                                                   : "Memory chart";

    if (place == CHART_POINT)
        put_link(row, text, arena_fmt(a, "#point-%zu", i + 1));
    else if (place == CHART_RAIL)
        put_link(row, text, arena_fmt(a, "#mark-%zu", i + 1));
    else if (v->seen.whole_href && e->at_us != TS_NONE)
        put_link(row, text,
                 arena_fmt(a, "%s#%s-%zu", v->seen.whole_href, is_gap ? "mark" : "point",
                           i + 1));
    else
        put_link(row, text, arena_fmt(a, "#chart-%s", plot));
}

static bool names_line(const struct evidence_item *e)
{
    return text_starts(e->ref, "log:") || text_starts(e->ref, "output:");
}

static bool is_of_log(const struct evidence_item *e)
{
    return names_line(e) || strcmp(e->kind, "log") == 0 || strcmp(e->kind, "health") == 0;
}

/* Where a piece of evidence can be seen. Only places that are on the page, or that a link opens there. */
static void put_ref(HDF *row, const struct finding_view *v, size_t i)
{
    const struct evidence_item *e = &v->finding->evidence[i];
    struct arena *a = v->link->rq->arena;
    char iso[TS_ISO_SIZE];

    if (text_starts(e->ref, "event:") && link_event(row, v, e->ref + 6))
        return;
    if (text_starts(e->ref, "pid:") && (v->ev || !v->is_page))
        put_link(row, arena_fmt(a, "Process %s", e->ref + 4),
                 arena_fmt(a, "#pid-%s", e->ref + 4));
    else if ((text_starts(e->ref, "metric:") || strcmp(e->kind, "gap") == 0) && v->ev &&
             v->ev->metric_count > 0)
        link_chart(row, v, i);
    else if (is_of_log(e) && v->seen.log_href && e->at_us != TS_NONE)
        put_link(row, "Log line",
                 arena_fmt(a, "%s%s#at", v->seen.log_href,
                           url_encode(a, ts_iso_us(e->at_us, iso))));
    else if (names_line(e) && !v->is_page)
        put_link(row, "Raw logs", "#raw");
    else if (v->seen.places && v->seen.places[i] == CHART_RAIL)
        put_link(row, "On the time axis", arena_fmt(a, "#mark-%zu", i + 1));
}

void view_evidence_numbers(HDF *row, const struct finding *f, const char *ref)
{
    int n = 0;

    for (size_t i = 0; f && i < f->evidence_count; i++)
        if (strcmp(f->evidence[i].ref, ref) == 0)
            hput_i64(hput_row(row, "Marks", n++), "Number", (int64_t)i + 1);
}

static void put_evidence(HDF *at, const struct finding_view *v)
{
    char text[HUMAN_SIZE];

    for (size_t i = 0; i < v->finding->evidence_count; i++) {
        const struct evidence_item *e = &v->finding->evidence[i];
        HDF *row = hput_row(at, "Evidence", (int)i);

        hput_i64(row, "Number", (int64_t)i + 1);
        if (e->at_us != TS_NONE)
            hput_time(row, "Time", e->at_us, human_clock(e->at_us, text));
        hput_str(row, "Text", e->text);
        put_ref(row, v, i);
    }
    for (size_t i = 0; i < v->finding->factor_count; i++) {
        const char *name = v->finding->factors[i];
        HDF *row = hput_row(at, "Factors", (int)i);

        hput_str(row, "Name", name);
        hput_fmt(row, "Help", "%.*s", (int)strcspn(name, ":"), name); /* exit_code:1 */
    }
}

static void put_other(HDF *at, int n, enum finding_class cls, const char *standing,
                      const char *text)
{
    HDF *row = hput_row(at, "Others", n);

    hput_str(row, "Word", finding_class_words(cls));
    hput_str(row, "Standing", standing);
    hput_str(row, "Text", text);
}

/* The other classes: what it could be before what it cannot. */
static void put_others(HDF *at, const struct finding *f)
{
    static const char *const words[LIKELIHOOD_COUNT] = {
        [POSSIBLE] = "Possible", [UNLIKELY] = "Unlikely"};
    int n = 0;

    hput_bool(at, "IsOpen", f->could_be_count > 0);
    for (int l = 0; l < LIKELIHOOD_COUNT; l++)
        for (size_t i = 0; i < f->could_be_count; i++)
            if ((int)f->could_be[i].likelihood == l)
                put_other(at, n++, f->could_be[i].cls, words[l], f->could_be[i].text);
    for (size_t i = 0; i < f->ruled_out_count; i++)
        put_other(at, n++, f->ruled_out[i].cls, f->could_be_count ? "Ruled out" : "",
                  f->ruled_out[i].text);
}

static void put_head(HDF *at, const struct finding_view *v)
{
    const struct finding *f = v->finding;
    const struct view_link *l = v->link;
    char text[HUMAN_SIZE], token[SIGNATURE_TOKEN_SIZE];

    hput_i64(at, "Id", v->inv->id);
    hput_str(at, "Class", finding_class_name(f->cls));
    hput_str(at, "ClassWord", finding_class_words(f->cls));
    if (f->cls == CLASS_UNDETERMINED)
        hput_str(at, "Reason", reason_words(f->reason));
    else
        hput_str(at, "Confidence", confidence_name(f->confidence));
    if (!text_is_empty(f->confidence_why)) /* a sentence of its own here */
        hput_fmt(at, "ConfidenceWhy", "%c%s.",
                 toupper((unsigned char)f->confidence_why[0]), f->confidence_why + 1);
    hput_str(at, "Headline", f->headline);
    hput_str(at, "Brief", f->brief);
    if (f->failed_at_us != TS_NONE) {
        hput_fmt(at, "FailedAt", "failed at %s UTC",
                 human_datetime_s(f->failed_at_us, l->rq->now_us, text));
        if (l->from_us != TS_NONE)
            hput_str(at, "InWindow",
                     f->failed_at_us >= l->from_us && f->failed_at_us <= l->to_us
                         ? "inside the complaint window"
                         : "outside the complaint window");
    }
    hput_str(at, "Missing", f->missing);
    hput_str(at, "Reply", f->customer_reply);
    hput_str(at, "Fix", f->fix);
    hput_str(at, "Signature", f->signature);
    hput_str(at, "Token", finding_token(f->signature_hash, f->template_id, token));
}

/* When all of it was known; notes may follow much later, for other tickets. */
static int64_t answered_us(const struct investigation *inv)
{
    bool is_reopened = inv->opened_us > inv->created_us;

    return is_reopened && inv->stage_us[INV_FILED] > 0 ? inv->stage_us[INV_FILED]
                                                       : inv->finished_us;
}

static void put_record(HDF *at, const struct finding_view *v)
{
    const struct investigation *inv = v->inv;
    int64_t over = answered_us(inv), when = over != TS_NONE ? over : inv->created_us;
    char text[HUMAN_SIZE];

    hput_str(at, "By", inv->requested_by);
    hput_time(at, "When", when, human_datetime_s(when, v->link->rq->now_us, text));
    if (over != TS_NONE)
        hput_str(at, "Took", human_duration_fine(over - inv->created_us, text));
    hput_str(at, "Href",
             view_href(v->link,
                       arena_fmt(v->link->rq->arena, "/investigations/%" PRId64, inv->id),
                       NULL));
    hput_str(at, "SandboxHref",
             view_href(v->link, view_sandbox_path(v->link, inv->sandbox_id), NULL));
    hput_str(at, "Sandbox", inv->sandbox_id);
    hput_i64(at, "Ticket", inv->ticket_id);
}

static const char *linear_title(enum linear_outcome o)
{
    static const char *const titles[LINEAR_OUTCOME_COUNT] = {
        [LINEAR_OUTCOME_NONE] = "Linear: not looked at yet",
        [LINEAR_OUTCOME_MATCHED] = "Linear: known issue, nothing filed",
        [LINEAR_OUTCOME_TO_FILE] = "Linear: a new issue is being filed",
        [LINEAR_OUTCOME_FILED] = "Linear: new issue filed",
        [LINEAR_OUTCOME_NOT_FILED] = "Linear: nothing filed",
        [LINEAR_OUTCOME_UNAVAILABLE] = "Linear could not be searched",
    };

    return titles[o];
}

/* What a person linked (or unlinked) last stands above what was decided. */
static const struct issue_correction *last_correction(const struct finding_view *v)
{
    return v->correction_count ? &v->corrections[v->correction_count - 1] : NULL;
}

static struct linear_issue shown_issue(const struct finding_view *v)
{
    const struct issue_correction *c = last_correction(v);

    if (!c)
        return v->live ? *v->live : v->decision->issue;
    if (v->live && !text_is_empty(c->identifier))
        return *v->live;
    return (struct linear_issue){.identifier = c->identifier,
                                 .url = c->url,
                                 .title = c->title,
                                 .created_us = TS_NONE};
}

static void put_issue(HDF *at, const struct finding_view *v)
{
    const struct linear_issue shown = shown_issue(v), *issue = &shown;
    char text[HUMAN_SIZE];

    if (text_is_empty(issue->identifier))
        return;
    hput_str(at, "Issue", issue->identifier);
    hput_str(at, "IssueHref", issue->url);
    hput_str(at, "IssueTitle", issue->title);
    hput_str(at, "State", issue->state_name);
    hput_str(at, "StateType", issue->state_type);
    if (issue->created_us != TS_NONE && issue->created_us > 0)
        hput_fmt(at, "Opened", "opened %s",
                 human_date(issue->created_us, v->link->rq->now_us, text));
    hput_bool(at, "IsClosed",
              issue->state == LINEAR_COMPLETED || issue->state == LINEAR_CANCELED);
    hput_bool(at, "IsArchived", issue->is_archived);
    hput_bool(at, "IsLive", v->live != NULL);
    if (!v->live && v->live_src && v->live_src->state == SOURCE_FAILED)
        hput_str(at, "LiveFailed",
                 view_failure_words(v->link->rq->arena, "Linear", v->live_src));
}

/* Which issue, why; nothing is overwritten: what had been decided before a person spoke is told, too. */
static void put_choice(HDF *at, const struct finding_view *v)
{
    const struct linear_decision *d = v->decision;
    const struct issue_correction *c = last_correction(v);

    if (!c) {
        hput_str(at, "Title", linear_title(d->outcome));
        hput_str(at, "Why", d->why);
        return;
    }
    hput_fmt(at, "Title", "Linear: %s by %s",
             text_is_empty(c->identifier) ? "unlinked" : "linked", c->by);
    hput_fmt(at, "Why", "Casebook had decided: %s%s%s. %s",
             linear_title(d->outcome) + strlen("Linear: "),
             text_is_empty(d->issue.identifier) ? "" : ", ", d->issue.identifier, d->why);
}

static void put_linear(HDF *root, const struct finding_view *v)
{
    HDF *at = hput_node(root, "Linear");
    const struct linear_decision *d = v->decision;
    char text[HUMAN_SIZE];

    if (!d)
        return;
    hput_str(at, "Outcome", linear_outcome_name(d->outcome));
    put_choice(at, v);
    hput_str(at, "Token", d->token);
    hput_str(at, "Link", d->link);
    hput_str(at, "Words", d->words);
    if (d->searched_us > 0)
        hput_time(at, "Searched", d->searched_us,
                  human_datetime_s(d->searched_us, v->link->rq->now_us, text));
    put_issue(at, v);
    hput_i64(at, "Compared", (int64_t)d->candidate_count);
    if (d->candidate_count > SHOWN_CANDIDATES) {
        hput_i64(at, "MoreCandidates", (int64_t)(d->candidate_count - SHOWN_CANDIDATES));
        hput_fmt(at, "MoreScore", "%.2f", d->candidates[SHOWN_CANDIDATES].score);
    }
    for (size_t i = 0; i < d->candidate_count && i < SHOWN_CANDIDATES; i++) {
        const struct linear_candidate *c = &d->candidates[i];
        HDF *row = hput_row(at, "Candidates", (int)i);

        hput_str(row, "Issue", c->issue.identifier);
        hput_str(row, "Href", c->issue.url);
        hput_str(row, "Title", c->issue.title);
        hput_fmt(row, "Score", "%.2f", c->score);
        hput_str(row, "Result", c->result);
        hput_bool(row, "IsMatch", c->is_match);
    }
}

char *view_note_text(struct arena *a, const char *html)
{
    return text_from_html(a, html, strlen(html), 20000);
}

static void put_no_note(HDF *at, const struct finding_view *v)
{
    if (v->preview)
        hput_str(at, "Body", view_note_text(v->link->rq->arena, v->preview));
    if (v->note || v->ticket_id == 0 || v->ticket_id == v->inv->ticket_id) {
        hput_str(at, "Title",
                 v->note || v->inv->ticket_id ? "Internal note: not posted yet"
                                              : "No ticket");
        return;
    }
    hput_str(at, "Title", "Internal note: none on this ticket");
    hput_i64(at, "Ticket", v->ticket_id);
    hput_bool(at, "CanPost", true);
}

static void put_other_notes(HDF *root, const struct finding_view *v,
                            const char *const *titles)
{
    int row = 0;

    for (size_t i = 0; i < v->note_count; i++) {
        HDF *at;

        if (v->note == &v->notes[i] ||
            (!v->note && v->notes[i].ticket_id == v->inv->ticket_id &&
             v->notes[i].state == NOTE_NONE))
            continue;
        at = hput_row(root, "OtherNotes", row++);
        hput_i64(at, "Ticket", v->notes[i].ticket_id);
        hput_str(at, "Title", titles[v->notes[i].state]);
    }
}

static void put_note(HDF *root, const struct finding_view *v)
{
    static const char *const titles[NOTE_STATE_COUNT] = {
        [NOTE_NONE] = "Internal note",
        [NOTE_PREPARED] = "Internal note: on its way",
        [NOTE_POSTED] = "Internal note posted",
        [NOTE_UNKNOWN] = "It is not known if the note arrived",
        [NOTE_FAILED] = "The internal note was not posted",
        [NOTE_CLOSED] = "No note: the ticket is closed",
        [NOTE_GONE] = "No note: the ticket is gone",
    };
    HDF *at = hput_node(root, "Note");
    const struct note *n = v->note;
    char text[HUMAN_SIZE];

    put_other_notes(root, v, titles);
    if (!n || n->state == NOTE_NONE) {
        put_no_note(at, v);
        return;
    }
    hput_str(at, "State", note_state_name(n->state));
    hput_str(at, "Title", titles[n->state]);
    hput_i64(at, "Ticket", n->ticket_id);
    hput_str(at, "Error", n->error);
    hput_str(at, "Body", view_note_text(v->link->rq->arena, n->html));
    if (n->state == NOTE_POSTED && n->posted_us > 0)
        hput_time(at, "Posted", n->posted_us,
                  human_datetime_s(n->posted_us, v->link->rq->now_us, text));
    hput_bool(at, "CanRetry", n->state == NOTE_FAILED || n->state == NOTE_UNKNOWN);
}

static char *act_words(struct arena *a, const struct act *act)
{
    if (strcmp(act->act, "ticket") == 0)
        return arena_fmt(a, "asked for it on #%s", act->detail);
    if (strcmp(act->act, "cancel") == 0)
        return arena_str(a, "cancelled it");
    return arena_fmt(a, "%s%s%s",
                     strcmp(act->act, "retry") == 0 ? "had it tried again"
                                                    : "had the note posted again",
                     text_is_empty(act->detail) ? "" : ", after: ", act->detail);
}

static void put_acts(HDF *root, const struct finding_view *v)
{
    struct arena *a = v->link->rq->arena;
    char text[HUMAN_SIZE];

    for (size_t i = 0; i < v->act_count; i++) {
        HDF *row = hput_row(root, "Acts", (int)i);

        hput_str(row, "By", v->acts[i].by);
        hput_str(row, "Text", act_words(a, &v->acts[i]));
        hput_str(row, "When",
                 human_datetime(v->acts[i].at_us, v->link->rq->now_us, text));
    }
}

static void put_people(HDF *root, const struct finding_view *v)
{
    char text[HUMAN_SIZE];

    for (size_t i = 0; i < v->feedback_count; i++) {
        const struct feedback *f = &v->feedback[i];
        HDF *row = hput_row(root, "Feedback", (int)i);

        hput_str(row, "By", f->by);
        hput_bool(row, "IsRight", f->is_right);
        hput_str(row, "ClassWord", finding_class_words(f->cls));
        hput_str(row, "Remark", f->remark);
        hput_str(row, "When", human_datetime(f->at_us, v->link->rq->now_us, text));
    }
    for (size_t i = 0; i < v->correction_count; i++) {
        const struct issue_correction *c = &v->corrections[i];
        HDF *row = hput_row(root, "Corrections", (int)i);

        hput_str(row, "By", c->by);
        hput_str(row, "Issue", c->identifier);
        hput_str(row, "When", human_datetime(c->at_us, v->link->rq->now_us, text));
    }
    for (int i = 0; i < CLASS_COUNT; i++) {
        HDF *row = hput_row(root, "Classes", i);

        hput_str(row, "Name", finding_class_name((enum finding_class)i));
        hput_str(row, "Word", finding_class_words((enum finding_class)i));
    }
}

void view_finding(HDF *root, const struct finding_view *v)
{
    HDF *at = hput_node(root, "Finding");

    put_head(at, v);
    put_evidence(at, v);
    put_others(at, v->finding);
    put_record(at, v);
    put_linear(root, v);
    put_note(root, v);
    put_people(root, v);
    put_acts(root, v);
    hput_bool(root, "IsFindingPage", v->is_page);
}
