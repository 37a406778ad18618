/*
 * A finding and an investigation on its way: what is said, where evidence points to, the steps in each state, what
 * became of issue and note.
 */
#include "test_view_world.h"

#include <string.h>

#include "base/ts.h"
#include "web/view_finding.h"

#include "base/banned.h"

/* ---- a finding ---- */

static const struct evidence_item proof[] = {
    {.kind = "memory",  .text = "At 858 of 1,024 MiB.",  .ref = "metric:1795528975"},
    {.kind = "process", .text = "Killed by signal 9.",   .ref = "pid:685"          },
    {.kind = "gap",     .text = "No samples for 25 s.",  .ref = ""                 },
    {.kind = "cpu",     .text = "CPU was at 52 %.",      .ref = "metric:1795528975"},
    {.kind = "disk",    .text = "Disk was at 41 %.",     .ref = "metric:1795528975"},
    {.kind = "event",   .text = "The timeout ended it.", .ref = "event:e2"         },
    {.kind = "log",     .text = "A warning of memory.",  .ref = "log:978"          },
    {.kind = "output",  .text = "MemoryError.",          .ref = "output:3"         },
    {.kind = "event",   .text = "Another event.",        .ref = "event:unknown"    },
    {.kind = "health",  .text = "It did not answer.",    .ref = ""                 },
};

static const char *const factors[] = {"exit_code:137", "signal:9"};

static const struct ruled_out ruled[] = {
    {CLASS_TIMEOUT, "It fired 12 min later."    },
    {CLASS_CRASHED, "No error came before that."},
};

static const struct could_be could_be[] = {
    {CLASS_KILLED_EARLY,  UNLIKELY, "No kill is on record."},
    {CLASS_OUT_OF_MEMORY, POSSIBLE, "There is no sample."  },
};

struct scene {
    struct view_world *w;
    struct investigation inv;
    struct finding finding;
    struct linear_decision decision;
    struct note note;
    struct finding_view v;
};

static struct scene begin(void)
{
    struct scene s = {
        .w = view_begin(),
        .inv = {.id = 17,
                .sandbox_id = "i7q2m0xk4v9d1c8b3zt5e",
                .ticket_id = 48213,
                .state = INV_DONE,
                .requested_by = "maya",
                .created_us = at("15:04:51"),
                .started_us = at("15:04:52"),
                .finished_us = at("15:05:12"),
                .worker = "",
                .failure = "",
                .canceled_by = ""    },
        .finding = { .cls = CLASS_OUT_OF_MEMORY,
                .confidence = CONFIDENCE_HIGH,
                .confidence_why = "the last sample before it",
                .factors = factors,
                .factor_count = 2,
                .signature = "killed:9",
                .signature_hash = "7f3a",
                .headline = "The report script ran out of memory",
                .brief = "At 14:02:58 it was stopped.",
                .failed_at_us = at("14:02:58"),
                .evidence = proof,
                .evidence_count = sizeof(proof) / sizeof(proof[0]),
                .ruled_out = ruled,
                .ruled_out_count = 2,
                .customer_reply = "Hello",
                .missing = "",
                .fix = "More memory",
                .template_id = "p3v8"},
    };

    for (int i = 0; i < INV_STATE_COUNT; i++)
        s.inv.stage_us[i] = TS_NONE;
    return s;
}

static void show(struct scene *s)
{
    s->v.link = &s->w->link;
    s->v.inv = &s->inv;
    s->v.finding = &s->finding;
    view_fresh(s->w);
    view_finding(s->w->hdf, &s->v);
}

static void test_head(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    show(&s);
    want(w, "Finding.Id", "17");
    want(w, "Finding.Class", "out_of_memory");
    want(w, "Finding.ClassWord", "Out of memory");
    want(w, "Finding.Confidence", "high");
    want(w, "Finding.Reason", "");
    want(w, "Finding.FailedAt", "failed at 24 Nov 14:02:58 UTC");
    want(w, "Finding.InWindow", "");
    want(w, "Finding.By", "maya");
    want(w, "Finding.When.Text", "24 Nov 15:05:12");
    want(w, "Finding.Took", "21 s");
    want(w, "Finding.Href", "/casebook/investigations/17");
    want(w, "Finding.Others.0.Word", "Hit its timeout");
    want(w, "Finding.Others.0.Standing", "");
    want(w, "Finding.IsOpen", "");
    want(w, "Finding.Others.1.Text", "No error came before that.");
    want(w, "Finding.Factors.1.Name", "signal:9");
    want(w, "Finding.Factors.1.Help", "signal");
    want(w, "Classes.0.Name", "out_of_memory");
    assert_int_equal(rows(w, "Classes"), CLASS_COUNT);
    window(w, "13:55", "14:10");
    show(&s);
    want(w, "Finding.InWindow", "inside the complaint window");
    window(w, "13:55", "14:02");
    show(&s);
    want(w, "Finding.InWindow", "outside the complaint window");
    s.finding.cls = CLASS_UNDETERMINED;
    s.finding.reason = REASON_RUNNING_SILENT;
    s.finding.failed_at_us = TS_NONE;
    show(&s);
    want(w, "Finding.Reason", "running but silent");
    s.finding.could_be = could_be;
    s.finding.could_be_count = 2;
    show(&s);
    want(w, "Finding.IsOpen", "1");
    want(w, "Finding.Others.0.Standing", "Possible");
    want(w, "Finding.Others.0.Word", "Out of memory");
    want(w, "Finding.Others.1.Standing", "Unlikely");
    want(w, "Finding.Others.1.Text", "No kill is on record.");
    want(w, "Finding.Others.2.Standing", "Ruled out");
    want(w, "Finding.Others.2.Word", "Hit its timeout");
    want(w, "Finding.Confidence", "");
    want(w, "Finding.FailedAt", "");
    view_end(w);
}

static void ref(const struct view_world *w, int i, const char *href, const char *text)
{
    assert_string_equal(gotf(w, "Finding.Evidence.%d.Href", i), href);
    assert_string_equal(gotf(w, "Finding.Evidence.%d.HrefText", i), text);
}

/* On the sandbox page: all that is there. */
static void test_refs(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    add_event(w, EVENT_CREATED, "13:48", "x");
    add_event(w, EVENT_KILLED, "14:15", "x");
    samples(w, "13:48", "14:15", 5);
    s.v.ev = &w->ev;
    show(&s);
    want(w, "Finding.Evidence.0.Number", "1");
    want(w, "Finding.Evidence.9.Number", "10");
    want(w, "Finding.Evidence.1.Text", "Killed by signal 9.");
    ref(w, 0, "#chart-memory", "Memory chart");
    ref(w, 1, "#pid-685", "Process 685");
    ref(w, 2, "#chart-memory", "Gap");
    ref(w, 3, "#chart-cpu", "CPU chart");
    ref(w, 4, "#chart-disk", "Disk chart");
    ref(w, 5, "#event-B", "Event B");
    ref(w, 6, "#raw", "Raw logs");
    ref(w, 7, "#raw", "Raw logs");
    ref(w, 8, "", "");
    ref(w, 9, "", "");
    w->ev.metric_count = 0; /* one sentence instead of the charts */
    show(&s);
    ref(w, 0, "", "");
    ref(w, 2, "", "");
    view_end(w);
}

/* To the very point, line or row; a part of the time in the charts may not show it. */
static void test_refs_to_the_point(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;
    enum chart_place places[10] = {CHART_POINT, CHART_RAIL, CHART_RAIL, CHART_NOWHERE};
    struct evidence_item items[10];

    (void)state;
    memcpy(items, s.finding.evidence, sizeof items);
    for (int i = 0; i < 10; i++)
        items[i].at_us = at("14:02:51.003");
    s.finding.evidence = items;
    samples(w, "13:48", "14:15", 5);
    s.v.ev = &w->ev;
    places[8] = CHART_RAIL;
    s.v.seen = (struct finding_seen){places, "/whole", "/self?logs=1&at="};
    show(&s);
    ref(w, 0, "#point-1", "Memory chart");
    ref(w, 1, "#pid-685", "Process 685");
    ref(w, 2, "#mark-3", "Gap");
    ref(w, 3, "/whole#point-4", "CPU chart");
    ref(w, 6, "/self?logs=1&at=2026-11-24T14%3A02%3A51.003000Z#at", "Log line");
    ref(w, 8, "#mark-9", "On the time axis");
    view_end(w);
}

/* The same numbers stand where the evidence is. */
static void test_numbers_at_the_place(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    view_evidence_numbers(w->hdf, &s.finding, "pid:685");
    want(w, "Marks.0.Number", "2");
    assert_int_equal(rows(w, "Marks"), 1);
    view_fresh(w);
    view_evidence_numbers(w->hdf, NULL, "pid:685");
    assert_int_equal(rows(w, "Marks"), 0);
    view_end(w);
}

/* A finding's own page has no raw logs, and perhaps nothing but the finding. */
static void test_refs_of_a_kept_finding(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    add_event(w, EVENT_CREATED, "13:48", "x");
    add_event(w, EVENT_KILLED, "14:15", "x");
    samples(w, "13:48", "14:15", 5);
    s.v.is_page = true;
    s.v.ev = &w->ev;
    show(&s);
    want(w, "IsFindingPage", "1");
    ref(w, 1, "#pid-685", "Process 685");
    ref(w, 5, "#event-B", "Event B");
    ref(w, 6, "", "");
    s.v.ev = NULL;
    show(&s);
    for (int i = 0; i < 10; i++)
        ref(w, i, "", "");
    view_end(w);
}

/* ---- Linear ---- */

static const struct linear_candidate candidates[] = {
    {{.identifier = "SUP-412", .title = "killed"}, 1,   "mark",   "matched: same mark", true },
    {{.identifier = "SUP-377", .title = "x"},
     .41,                                               "search",
     "other cause (timeout)",                                                           false},
    {{.identifier = "SUP-3", .title = "x"},        .3,  "search", "other failure",      false},
    {{.identifier = "SUP-4", .title = "x"},        .2,  "search", "other failure",      false},
    {{.identifier = "SUP-5", .title = "x"},        .1,  "search", "other failure",      false},
    {{.identifier = "SUP-6", .title = "x"},        .08, "search", "other failure",      false},
    {{.identifier = "SUP-7", .title = "x"},        .07, "search", "other failure",      false},
};

static void decide(struct scene *s, enum linear_outcome outcome)
{
    s->decision = (struct linear_decision){
        .outcome = outcome,
        .token = "cbk7f3a",
        .words = "killed signal 9",
        .searched_us = at("15:05:03"),
        .why = "its text holds this failure's mark",
        .candidates = candidates,
        .candidate_count = 7,
        .issue = {.id = "u",
                  .identifier = "SUP-412",
                  .url = "https://l/412",
                  .title = "killed",
                  .state_name = "In Progress",
                  .state_type = "started",
                  .created_us = at("-5 10:00"),
                  .completed_us = TS_NONE,
                  .canceled_us = TS_NONE}
    };
    s->v.decision = &s->decision;
}

static void test_linear_titles(void **state)
{
    static const struct {
        enum linear_outcome outcome;
        const char *name, *title;
    } table[] = {
        {LINEAR_OUTCOME_MATCHED,     "matched",     "Linear: known issue, nothing filed"},
        {LINEAR_OUTCOME_FILED,       "filed",       "Linear: new issue filed"           },
        {LINEAR_OUTCOME_NOT_FILED,   "not_filed",   "Linear: nothing filed"             },
        {LINEAR_OUTCOME_UNAVAILABLE, "unavailable", "Linear could not be searched"      },
    };
    struct scene s = begin();

    (void)state;
    show(&s);
    want(s.w, "Linear.Title", "");
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        decide(&s, table[i].outcome);
        show(&s);
        want(s.w, "Linear.Outcome", table[i].name);
        want(s.w, "Linear.Title", table[i].title);
    }
    view_end(s.w);
}

static void test_linear_issue(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;
    struct linear_issue live;
    struct source src = {.state = SOURCE_FAILED, .took_us = 10 * TS_SEC, .tries = 1};

    (void)state;
    decide(&s, LINEAR_OUTCOME_MATCHED);
    show(&s);
    want(w, "Linear.Issue", "SUP-412");
    want(w, "Linear.State", "In Progress");
    want(w, "Linear.Opened", "opened 19 Nov");
    want(w, "Linear.IsClosed", "");
    want(w, "Linear.Searched.Text", "24 Nov 15:05:03");
    want(w, "Linear.Compared", "7");
    assert_int_equal(rows(w, "Linear.Candidates"), 5);
    want(w, "Linear.MoreCandidates", "2");
    want(w, "Linear.MoreScore", "0.08");
    want(w, "Linear.Candidates.0.Score", "1.00");
    want(w, "Linear.Candidates.0.IsMatch", "1");
    want(w, "Linear.Candidates.1.Result", "other cause (timeout)");
    live = s.decision.issue; /* closed since */
    live.state = LINEAR_COMPLETED;
    live.state_name = "Done";
    live.state_type = "completed";
    s.v.live = &live;
    show(&s);
    want(w, "Linear.State", "Done");
    want(w, "Linear.IsClosed", "1");
    want(w, "Linear.IsLive", "1");
    s.v.live = NULL;
    s.v.live_src = &src;
    err_set(&src.err, ERR_TIMEOUT, "slow");
    show(&s);
    want(w, "Linear.State", "In Progress");
    want(w, "Linear.LiveFailed", "Linear did not answer: timed out after 10 s.");
    view_end(w);
}

/* ---- the note ---- */

static void test_notes(void **state)
{
    static const struct {
        enum note_state state;
        const char *title, *can_retry;
    } table[] = {
        {NOTE_PREPARED, "Internal note: on its way",           "" },
        {NOTE_POSTED,   "Internal note posted",                "" },
        {NOTE_UNKNOWN,  "It is not known if the note arrived", "1"},
        {NOTE_FAILED,   "The internal note was not posted",    "1"},
        {NOTE_CLOSED,   "No note: the ticket is closed",       "" },
        {NOTE_GONE,     "No note: the ticket is gone",         "" },
    };
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    show(&s);
    want(w, "Note.Title", "Internal note: not posted yet");
    want(w, "Note.Body", "");
    s.v.preview = "<p>As it <b>will</b> be</p>";
    show(&s);
    want(w, "Note.Title", "Internal note: not posted yet");
    want(w, "Note.Body", "As it will be");
    s.v.ticket_id = 48299; /* another ticket */
    show(&s);
    want(w, "Note.Title", "Internal note: none on this ticket");
    want(w, "Note.CanPost", "1");
    want(w, "Note.Body", "As it will be");
    s.v.ticket_id = 48213;
    s.inv.ticket_id = 0;
    s.v.ticket_id = 0;
    s.v.preview = NULL;
    show(&s);
    want(w, "Note.Title", "No ticket");
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        s.note = (struct note){.marker = "m",
                               .ticket_id = 48213,
                               .state = table[i].state,
                               .html = "<p>Out of <b>memory</b></p>",
                               .posted_us = at("15:05:12"),
                               .error = "503"};
        s.v.note = &s.note;
        show(&s);
        want(w, "Note.Title", table[i].title);
        want(w, "Note.CanRetry", table[i].can_retry);
        want(w, "Note.Posted.Text",
             table[i].state == NOTE_POSTED ? "24 Nov 15:05:12" : "");
        assert_null(strchr(got(w, "Note.Body"), '<'));
        assert_non_null(strstr(got(w, "Note.Body"), "Out of memory"));
    }
    view_end(w);
}

static void test_people(void **state)
{
    static const struct feedback said[] = {
        {.at_us = 0, .by = "tom", .is_right = true,     .remark = ""   },
        {.at_us = 0, .by = "ana", .cls = CLASS_CRASHED, .remark = "see"},
    };
    static const struct issue_correction linked[] = {
        {.by = "tom", .identifier = "SUP-500", .url = "https://l/500"},
        {.by = "ana", .identifier = "",        .url = ""             },
    };
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    s.v.feedback = said;
    s.v.feedback_count = 2;
    s.v.corrections = linked;
    s.v.correction_count = 2;
    show(&s);
    want(w, "Feedback.0.IsRight", "1");
    want(w, "Feedback.1.IsRight", "");
    want(w, "Feedback.1.ClassWord", "Crashed");
    want(w, "Feedback.1.Remark", "see");
    want(w, "Corrections.0.Issue", "SUP-500");
    want(w, "Corrections.1.Issue", "");
    view_end(w);
}

/* ---- the steps ---- */

static void run(struct scene *s)
{
    view_fresh(s->w);
    view_run(s->w->hdf, &s->w->link, &s->inv, s->v.decision, NULL);
}

/* One letter a step: d done, n now, w waiting, f failed, - not done. */
static void steps_are(struct scene *s, const char *letters)
{
    char is[6] = "";

    run(s);
    assert_int_equal(rows(s->w, "Run.Steps"), 5);
    for (int i = 0; i < 5; i++) {
        const char *word = gotf(s->w, "Run.Steps.%d.State", i);

        is[i] = strcmp(word, "dash") == 0 ? '-' : word[0];
    }
    assert_string_equal(is, letters);
}

static void at_state(struct scene *s, enum inv_state state)
{
    s->inv.state = state;
    s->inv.finished_us = TS_NONE;
}

static void test_steps_follow_the_states(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    w->rq.now_us = at("15:04:55");
    at_state(&s, INV_QUEUED);
    s.inv.started_us = TS_NONE;
    steps_are(&s, "wwwww");
    want(w, "Run.Heading", "Waiting for the agent.");
    want(w, "Run.IsWaiting", "1");
    want(w, "Run.IsLongWaiting", "");
    s.inv.started_us = at("15:04:52");
    steps_are(&s, "nwwww");
    want(w, "Run.Heading", "Investigating: reading E2B");
    want(w, "Run.Step", "step 1 of 5");
    want(w, "Run.Elapsed", "4 s");
    want(w, "Run.ElapsedSeconds", "4");
    at_state(&s, INV_COLLECTED);
    steps_are(&s, "dnwww");
    want(w, "Run.Heading", "Investigating: deciding what happened");
    at_state(&s, INV_DIAGNOSED);
    steps_are(&s, "ddnww");
    want(w, "Run.Heading", "Investigating: looking in Linear for the same failure");
    want(w, "Run.Step", "step 3 of 5");
    at_state(&s, INV_DEDUPED);
    steps_are(&s, "dddnw");
    at_state(&s, INV_FILED);
    steps_are(&s, "ddddn");
    want(w, "Run.Steps.4.Word", "Post the internal note to #48213");
    want(w, "Run.Steps.4.Detail", "the customer will not see it");
    at_state(&s, INV_NOTED);
    steps_are(&s, "ddddd");
    want(w, "Run.IsOpen", "1");
    want(w, "Run.By", "you");
    want(w, "Run.Ago", "4 s ago");
    view_end(w);
}

static void test_long_wait(void **state)
{
    struct scene s = begin();

    (void)state;
    at_state(&s, INV_QUEUED);
    s.inv.started_us = TS_NONE;
    s.w->rq.now_us = s.inv.created_us + 2 * TS_MIN;
    run(&s);
    want(s.w, "Run.IsLongWaiting", "");
    s.w->rq.now_us++;
    run(&s);
    want(s.w, "Run.IsLongWaiting", "1");
    view_end(s.w);
}

static void test_steps_that_are_not_needed(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    at_state(&s, INV_DEDUPED);
    decide(&s, LINEAR_OUTCOME_MATCHED);
    steps_are(&s, "ddd-w");
    want(w, "Run.Steps.3.Detail", "not needed: a match was found");
    decide(&s, LINEAR_OUTCOME_NOT_FILED);
    at_state(&s, INV_FILED);
    steps_are(&s, "ddd-n");
    want(w, "Run.Steps.3.Detail", "not needed: nothing is filed");
    decide(&s, LINEAR_OUTCOME_FILED);
    steps_are(&s, "ddddn");
    decide(&s, LINEAR_OUTCOME_TO_FILE);
    at_state(&s, INV_DEDUPED);
    steps_are(&s, "dddnw");
    want(w, "Run.Steps.3.Detail", "only if nothing matches");
    s.inv.ticket_id = 0;
    steps_are(&s, "dddn-");
    want(w, "Run.Steps.4.Word", "Post the internal note");
    want(w, "Run.Steps.4.Detail", "not needed: there is no ticket");
    view_end(w);
}

static void test_linear_that_did_not_answer(void **state)
{
    struct scene s = begin();

    (void)state;
    decide(&s, LINEAR_OUTCOME_UNAVAILABLE);
    at_state(&s, INV_FILED);
    steps_are(&s, "ddf-n");
    want(s.w, "Run.Steps.2.Detail", "Linear could not be searched");
    want(s.w, "Run.Steps.3.Detail", "nothing is filed without a search");
    view_end(s.w);
}

static void test_failed(void **state)
{
    static const struct {
        enum inv_state reached;
        const char *steps, *step, *nothing;
    } table[] = {
        {INV_QUEUED,    "f----", "Read E2B",               "1"},
        {INV_COLLECTED, "df---", "Decide what happened",   "1"},
        {INV_FILED,     "ddddf", "Post the internal note", "" },
    };
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        at_state(&s, INV_FAILED);
        s.inv.reached = table[i].reached;
        s.inv.failure = "E2B refused the key (401).";
        steps_are(&s, table[i].steps);
        want(w, "Run.IsFailed", "1");
        want(w, "Run.IsOpen", "");
        want(w, "Run.Heading",
             arena_fmt(&w->arena,
                       "The investigation failed at \xE2\x80\x9C%s\xE2\x80\x9D.",
                       table[i].step));
        want(w, "Run.Failure", "E2B refused the key (401).");
        want(w, "Run.NothingFiled", table[i].nothing);
    }
    view_end(w);
}

static void test_cancelled(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    at_state(&s, INV_CANCELED);
    s.inv.reached = INV_COLLECTED;
    s.inv.canceled_by = "maya";
    s.inv.finished_us = at("15:04:12");
    steps_are(&s, "d----");
    want(w, "Run.Heading", "Cancelled by you at 15:04:12 UTC.");
    want(w, "Run.IsCanceled", "1");
    want(w, "Run.NothingFiled", "1");
    s.inv.canceled_by = "tom";
    s.inv.reached = INV_FILED;
    steps_are(&s, "dddd-");
    want(w, "Run.Heading", "Cancelled by tom at 15:04:12 UTC.");
    want(w, "Run.NothingFiled", "");
    s.inv.finished_us = TS_NONE;
    run(&s);
    want(w, "Run.Heading", "Cancelled by tom.");
    view_end(w);
}

static void test_how_much_was_read(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    s.inv.read =
        (struct inv_read){.is_known = true, .events = 5, .samples = 284, .lines = 1204};
    at_state(&s, INV_QUEUED); /* as when it was taken up again from the start */
    run(&s);
    want(w, "Run.Steps.0.Detail", "events, metrics and logs together");
    at_state(&s, INV_COLLECTED);
    run(&s);
    want(w, "Run.Steps.0.Detail", "5 events, 284 samples, 1,204 lines");
    s.inv.read = (struct inv_read){.is_known = true, .events = 1, .samples = -1};
    run(&s);
    want(w, "Run.Steps.0.Detail", "1 event, samples could not be read, 0 lines");
    s.inv.read.is_known = false;
    run(&s);
    want(w, "Run.Steps.0.Detail", "events, metrics and logs together");
    view_end(w);
}

static void test_how_long_steps_took(void **state)
{
    struct scene s = begin();
    struct view_world *w = s.w;

    (void)state;
    at_state(&s, INV_DIAGNOSED);
    s.inv.requested_by = "tom";
    s.inv.stage_us[INV_COLLECTED] = at("15:04:54.400");
    s.inv.stage_us[INV_DIAGNOSED] = at("15:05:54.400");
    run(&s);
    want(w, "Run.Steps.0.Took", "2.4 s");
    want(w, "Run.Steps.1.Took", "1 min");
    want(w, "Run.Steps.2.Took", "");
    want(w, "Run.By", "tom");
    view_end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_refs),
        cmocka_unit_test(test_refs_to_the_point),
        cmocka_unit_test(test_numbers_at_the_place),
        cmocka_unit_test(test_refs_of_a_kept_finding),
        cmocka_unit_test(test_linear_titles),
        cmocka_unit_test(test_linear_issue),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_steps_follow_the_states),
        cmocka_unit_test(test_long_wait),
        cmocka_unit_test(test_steps_that_are_not_needed),
        cmocka_unit_test(test_linear_that_did_not_answer),
        cmocka_unit_test(test_failed),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_how_much_was_read),
        cmocka_unit_test(test_how_long_steps_took),
    };

    return cmocka_run_group_tests_name("findings and steps", tests, NULL, NULL);
}
