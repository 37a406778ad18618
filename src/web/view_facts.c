/*
 * The facts of the sandbox page. A value that E2B does not tell now and that was rebuilt carries a dagger and
 * where it comes from; below the facts the same stands once more, for whoever cannot point at a dagger.
 */
#include "web/view_sandbox.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define MAX_TAGS 64
#define MAX_MIB ((int64_t)1 << 40)
#define MAX_FACTS 12
#define MAX_FOLD 40
#define NOTE_MAX 2000

struct builder {
    HDF *root;
    const struct sandbox_view *v;
    struct arena *a;
    int n;                                              /* facts */
    const char *labels[MAX_FACTS], *origins[MAX_FACTS]; /* of the rebuilt ones */
    int rebuilt;
};

/* The time of day; with its date where that is not today's. */
static char *moment(int64_t us, int64_t now_us, char buf[HUMAN_SIZE])
{
    if (us / TS_DAY == now_us / TS_DAY)
        return human_clock(us, buf);
    return human_datetime_s(us, now_us, buf);
}

static const char *event_word(enum event_type type)
{
    static const char *const words[EVENT_TYPE_COUNT] = {
        [EVENT_CREATED] = "created ", [EVENT_RESUMED] = "resumed ",
        [EVENT_UPDATED] = "updated ", [EVENT_CHECKPOINTED] = "checkpointed ",
        [EVENT_PAUSED] = "paused ",   [EVENT_KILLED] = "killed ",
        [EVENT_OTHER] = "",
    };

    return words[type];
}

char *view_origin(struct arena *a, const struct fact_source *s, int64_t now_us)
{
    char when[HUMAN_SIZE] = "";

    if (s->at_us != TS_NONE)
        moment(s->at_us, now_us, when);
    switch (s->origin) {
    case ORIGIN_NONE:
    case ORIGIN_GET:
        break;
    case ORIGIN_EVENT:
        return arena_fmt(a, "from its %sevent of %s", event_word(s->event_type), when);
    case ORIGIN_RECORD:
        return arena_fmt(a, "from Casebook's record%s%s", *when ? " of " : "", when);
    case ORIGIN_LINE:
        return arena_fmt(a, "from the log line of %s", when);
    case ORIGIN_SAMPLE:
        return arena_str(a, "from the samples");
    }
    return arena_str(a, "");
}

/* One fact. source: where the value was read; NULL: it was reckoned. */
static HDF *fact(struct builder *b, const char *label, const char *value,
                 const struct fact_source *source)
{
    HDF *at = hput_row(b->root, "Facts", b->n++);
    const char *origin;
    bool is_rebuilt;

    hput_str(at, "Label", label);
    hput_str(at, "Value", text_is_empty(value) ? "not known" : value);
    if (!source || text_is_empty(value))
        return at;
    is_rebuilt = source->origin == ORIGIN_NONE ? b->v->tl.is_rebuilt
                                               : source->origin != ORIGIN_GET;
    if (!is_rebuilt)
        return at;
    origin = view_origin(b->a, source, b->v->now_us);
    if (text_is_empty(origin))
        origin = "from what is left of it";
    hput_bool(at, "IsRebuilt", true);
    hput_str(at, "Origin", origin);
    b->labels[b->rebuilt] = label;
    b->origins[b->rebuilt++] = origin;
    return at;
}

/* "vCPU and Memory from its killed event of 14:15:06; Disk from the samples." */
static void put_note(struct builder *b)
{
    struct sbuf note;
    bool done[MAX_FACTS] = {false};

    hput_bool(b->root, "AnyRebuilt", b->rebuilt > 0);
    if (b->rebuilt == 0)
        return;
    sbuf_init(&note, NOTE_MAX);
    if (b->v->tl.is_rebuilt)
        sbuf_adds(&note, "E2B forgets a sandbox when it ends. ");
    sbuf_adds(&note, "Rebuilt: ");
    for (int i = 0; i < b->rebuilt; i++) {
        if (done[i])
            continue;
        sbuf_addf(&note, "%s%s", i ? "; " : "", b->labels[i]);
        for (int k = i + 1; k < b->rebuilt; k++) {
            if (strcmp(b->origins[k], b->origins[i]) != 0)
                continue;
            sbuf_addf(&note, ", %s", b->labels[k]);
            done[k] = true;
        }
        sbuf_addf(&note, " %s", b->origins[i]);
    }
    sbuf_adds(&note, ".");
    hput_str(b->root, "RebuiltNote", note.s);
    sbuf_release(&note);
}

/* ---- how a run ended ---- */

const char *view_run_end(struct arena *a, const struct timeline *t,
                         const struct execution *x)
{
    bool at_deadline = execution_ended_at_deadline(x, t->memory_mib);
    const char *words;
    bool ignored;

    switch (x->end) {
    case EXEC_OPEN:
        return "";
    case EXEC_PAUSED:
        return at_deadline ? "paused by its timeout" : "paused";
    case EXEC_KILLED:
        words = view_kill_words(x->kill_reason, &ignored);
        if (words)
            return words;
        if (!text_is_empty(x->kill_reason))
            return arena_fmt(a, "E2B's reason is \xE2\x80\x9C%s\xE2\x80\x9D",
                             x->kill_reason);
        return at_deadline ? "no reason recorded; the time fits its timeout"
                           : "no reason recorded";
    case EXEC_STOPPED:
        return "its machine stopped by itself";
    case EXEC_GONE:
        return "how it ended is not on record";
    }
    return "";
}

static const struct execution *last_of(const struct timeline *t)
{
    return t->exec_count ? &t->execs[t->exec_count - 1] : NULL;
}

/* The state; for one that has ended: by whom, and when. */
static void put_state(struct builder *b)
{
    const struct timeline *t = &b->v->tl;
    const struct execution *last = last_of(t);
    bool is_ended = t->state == SANDBOX_ENDED && last;
    HDF *at = fact(b, "State", "-", is_ended ? &last->end_source : NULL);
    const char *how = "";
    char when[HUMAN_SIZE] = "";

    view_state(hput_node(at, "State"), t);
    if (is_ended && t->is_deleted_while_paused)
        how = "deleted while paused; paused at";
    else if (is_ended && last->end != EXEC_PAUSED)
        how = view_run_end(b->a, t, last);
    if (t->end_us != TS_NONE)
        human_datetime_s(t->end_us, b->v->now_us, when);
    if (is_ended && last->end == EXEC_GONE && *when)
        hput_fmt(at, "Second", "%s; no longer listed at %s", how, when);
    else
        hput_fmt(at, "Second", "%s%s%s", how,
                 t->is_deleted_while_paused ? " "
                 : *how && *when            ? ", "
                                            : "",
                 when);
}

static HDF *fold_row(HDF *at, int n, const struct builder *b, int64_t us)
{
    HDF *row = hput_row(hput_node(at, "Fold"), "Rows", n);
    char text[HUMAN_SIZE];

    if (us != TS_NONE)
        hput_time(row, "Time", us, moment(us, b->v->now_us, text));
    return row;
}

static void put_origin(HDF *row, const struct builder *b, const struct fact_source *s)
{
    if (s->origin != ORIGIN_GET && s->origin != ORIGIN_NONE)
        hput_str(row, "Origin", view_origin(b->a, s, b->v->now_us));
}

/* How long it ran; of several runs each by itself, for the total is their sum. */
static void put_ran(struct builder *b)
{
    const struct timeline *t = &b->v->tl;
    char text[HUMAN_SIZE], paused[HUMAN_SIZE];
    HDF *at =
        fact(b, "Ran for", t->exec_count ? human_duration(t->ran_us, text) : "", NULL);

    if (t->exec_count < 2)
        return;
    hput_fmt(at, "Second", "in %zu runs, paused %s", t->exec_count,
             human_duration(t->paused_us, paused));
    hput_fmt(at, "Fold.Title", "Each of the %zu runs", t->exec_count);
    for (size_t i = 0; i < t->exec_count && i < MAX_FOLD; i++) {
        const struct execution *x = &t->execs[i];
        HDF *row = fold_row(at, (int)i, b, x->start_us);
        int64_t until = execution_known_until(x, b->v->now_us);
        const char *end = view_run_end(b->a, t, x);

        hput_fmt(row, "Text", "%s%s%s", human_duration(until - x->start_us, text),
                 *end ? ", " : "", *end ? end : ", still running");
        put_origin(row, b, &x->start_source);
    }
}

/* ---- the timeout ---- */

static const char *ending_words(const struct timeline *t)
{
    if (strcmp(t->on_timeout, "pause") == 0)
        return " (then it pauses)";
    return strcmp(t->on_timeout, "kill") == 0 ? " (then it ends)" : "";
}

/* Nobody tells the first one: what the last known end, or the end itself, lets us say. */
static char *reckoned_setting(struct arena *a, const struct timeline *t,
                              const struct fact_source **source)
{
    const struct execution *last = last_of(t);
    const struct deadline_move *m =
        last && last->move_count ? &last->moves[last->move_count - 1] : NULL;
    char span[HUMAN_SIZE], clock[HUMAN_SIZE];

    if (m && m->event) {
        *source = &m->source;
        return arena_fmt(a, "last set to %s%s", human_setting(m->to_us - m->at_us, span),
                         ending_words(t));
    }
    if (m && m->to_us >= last->start_us) {
        *source = &m->source;
        return arena_fmt(a, "its end was set to %s, %s after its start%s",
                         human_clock(m->to_us, clock),
                         human_duration(m->to_us - last->start_us, span),
                         ending_words(t));
    }
    if (last && last->end == EXEC_KILLED && last->start_is_known &&
        last->end_us > last->start_us && strcmp(last->kill_reason, "timeout") == 0) {
        *source = &last->end_source;
        return arena_fmt(a, "about %s: then its timeout ended it",
                         human_setting(last->end_us - last->start_us, span));
    }
    return arena_fmt(a, "not known%s", ending_words(t));
}

/* "10 min, last set to 15 min (then it ends)", "1 h, 24 h since it was last resumed" */
static char *timeout_setting(struct arena *a, const struct timeline *t,
                             const struct fact_source **source)
{
    const struct execution *x = t->exec_count ? &t->execs[0] : NULL;
    const struct execution *last = last_of(t);
    char first[HUMAN_SIZE], then[HUMAN_SIZE];
    const struct deadline_move *m;

    *source = NULL;
    if (!x || x->first_deadline_us == TS_NONE)
        return reckoned_setting(a, t, source);
    *source = x->move_count ? &x->moves[0].source : &x->start_source;
    human_setting(x->first_deadline_us - x->start_us, first);
    m = last->move_count ? &last->moves[last->move_count - 1] : NULL;
    if (m && m->event)
        return arena_fmt(a, "%s, last set to %s%s", first,
                         human_setting(m->to_us - m->at_us, then), ending_words(t));
    if (last == x || last->first_deadline_us == TS_NONE)
        return arena_fmt(a, "%s%s", first, ending_words(t));
    human_setting(last->first_deadline_us - last->start_us, then);
    if (strcmp(first, then) == 0)
        return arena_fmt(a, "%s%s", first, ending_words(t));
    return arena_fmt(a, "%s, %s since it was last resumed%s", first, then,
                     ending_words(t));
}

static void put_move(HDF *row, const struct builder *b, const struct deadline_move *m,
                     bool is_first)
{
    char to[HUMAN_SIZE], from[HUMAN_SIZE], span[HUMAN_SIZE];

    moment(m->to_us, b->v->now_us, to);
    if (m->from_us == TS_NONE)
        hput_fmt(row, "Text", "%s%s: the end was to be %s", is_first ? "began with " : "",
                 m->to_us > m->at_us ? human_setting(m->to_us - m->at_us, span) : "0 s",
                 to);
    else if (llabs(m->to_us - m->from_us) < TS_SEC)
        hput_fmt(row, "Text", "set again; the end did not move from %s", to);
    else
        hput_fmt(row, "Text", "%s: the end moved from %s to %s",
                 m->to_us > m->from_us ? "prolonged" : "shortened",
                 moment(m->from_us, b->v->now_us, from), to);
    put_origin(row, b, &m->source);
}

/* Each time the expiry was set, run by run. */
static void put_history(HDF *at, const struct builder *b)
{
    const struct timeline *t = &b->v->tl;
    size_t all = 0;
    int n = 0;

    for (size_t i = 0; i < t->exec_count; i++)
        all += t->execs[i].move_count;
    if (all < 2)
        return;
    hput_fmt(at, "Fold.Title", "Set %zu times%s", all,
             all > MAX_FOLD ? ", the newest are shown" : "");
    for (size_t i = 0; i < t->exec_count; i++) {
        const struct execution *x = &t->execs[i];

        for (size_t k = 0; k < x->move_count; k++, all--)
            if (all <= MAX_FOLD)
                put_move(fold_row(at, n++, b, x->moves[k].at_us), b, &x->moves[k],
                         k == 0 && x->first_deadline_us != TS_NONE);
    }
}

static void put_timeout(struct builder *b)
{
    const struct fact_source *source;
    const struct fact_source none = {.origin = ORIGIN_NONE};
    const char *value = timeout_setting(b->a, &b->v->tl, &source);
    bool is_known = !text_starts(value, "not known");
    HDF *at = fact(b, "Timeout setting", value,
                   !is_known ? NULL
                   : source  ? source
                             : &none);

    put_history(at, b);
}

static void put_started(struct builder *b)
{
    const struct timeline *t = &b->v->tl;
    const struct execution *x = t->exec_count ? &t->execs[0] : NULL;
    const struct fact_source none = {.origin = ORIGIN_NONE};
    /* of one that lives, E2B tells a start, and the event of it is no less */
    bool is_told = b->v->ev->has_sandbox && x && x->start_source.origin == ORIGIN_EVENT;
    char text[HUMAN_SIZE];
    HDF *at = fact(b, "Started",
                   t->start_us == TS_NONE
                       ? ""
                       : arena_fmt(b->a, "%s UTC",
                                   human_datetime_s(t->start_us, b->v->now_us, text)),
                   is_told ? NULL
                   : x     ? &x->start_source
                           : &none);

    if (x && !x->start_is_known)
        hput_str(at, "Second", "first sign of life; its start is not on record");
}

/* ---- allocation and tags ---- */

static void put_tags(const struct builder *b)
{
    const struct sandbox_view *v = b->v;
    const struct fact_source *source = &v->tl.source[FACT_TAGS];

    hput_bool(b->root, "TagsKnown",
              v->ev->has_sandbox || source->origin != ORIGIN_NONE || v->tl.tag_count);
    if (source->origin != ORIGIN_GET && source->origin != ORIGIN_NONE)
        hput_str(b->root, "TagsOrigin", view_origin(b->a, source, v->now_us));
    for (size_t i = 0; i < v->tl.tag_count && i < MAX_TAGS; i++) {
        HDF *at = hput_row(b->root, "Tags", (int)i);

        hput_str(at, "Key", v->tl.tags[i].key);
        hput_str(at, "Value", v->tl.tags[i].value);
        hput_bool(at, "IsMatch",
                  !text_is_empty(v->matched_value) &&
                      strcmp(v->tl.tags[i].value, v->matched_value) == 0);
    }
}

/* E2B's number is not trusted to fit. */
static char *disk_size(int64_t n, char buf[HUMAN_SIZE])
{
    return human_bytes((n < MAX_MIB ? n : MAX_MIB) * (int64_t)1048576, buf);
}

static void put_size(struct builder *b)
{
    const struct timeline *t = &b->v->tl;
    char text[HUMAN_SIZE];
    HDF *at;

    fact(b, "vCPU", t->cpu_count > 0 ? arena_fmt(b->a, "%" PRId64, t->cpu_count) : "",
         &t->source[FACT_CPU]);
    at = fact(b, "Memory",
              t->memory_mib > 0
                  ? arena_fmt(b->a, "%s MiB", human_count(t->memory_mib, text))
                  : "",
              &t->source[FACT_MEMORY]);
    if (t->source[FACT_MEMORY].origin == ORIGIN_SAMPLE && t->memory_mib > 0)
        hput_str(at, "Second", "as the guest sees it; its setting is a little higher");
    fact(b, "Disk", t->disk_mib > 0 ? disk_size(t->disk_mib, text) : "",
         &t->source[FACT_DISK]);
    if (text_is_empty(t->template_alias)) {
        fact(b, "Template", t->template_id, &t->source[FACT_TEMPLATE]);
        return;
    }
    at = fact(b, "Template", t->template_alias, &t->source[FACT_ALIAS]);
    hput_str(at, "Mono", t->template_id);
}

void view_sandbox_facts(HDF *root, const struct sandbox_view *v)
{
    struct builder b = {.root = root, .v = v, .a = v->link->rq->arena};
    char text[HUMAN_SIZE];

    put_size(&b);
    put_state(&b);
    put_started(&b);
    put_ran(&b);
    put_timeout(&b);
    put_tags(&b);
    put_note(&b);
    if (v->ev->sandbox_src.state == SOURCE_OK && v->ev->sandbox_src.fetched_us > 0)
        hput_str(root, "FactsFrom", human_clock(v->ev->sandbox_src.fetched_us, text));
}
