/*
 * Head, messages, facts and processes of the sandbox page. A value that E2B no longer tells and that was
 * rebuilt from events carries a dagger; the sentence that explains it stands once.
 */
#include "web/view_sandbox.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define KEEP_US (7 * TS_DAY)
#define JUST_ENDED_US TS_MIN
#define COMMAND_SHORT 240
#define MAX_TAGS 64
#define MAX_MIB ((int64_t)1 << 40)

static void put_ran(HDF *at, const struct timeline *t)
{
    char ran[HUMAN_SIZE];

    human_duration(t->ran_us, ran);
    if (t->exec_count == 0)
        return;
    if (t->state == SANDBOX_RUNNING)
        hput_fmt(at, "Ran", "running for %s", ran);
    else
        hput_fmt(at, "Ran", "ran %s", ran);
}

static void message(HDF *root, int *n, const char *tone, const char *title,
                    const char *text)
{
    HDF *at = hput_row(root, "Messages", (*n)++);

    hput_str(at, "Tone", tone);
    hput_str(at, "Title", title);
    hput_str(at, "Text", text);
}

/* When it ended or was last heard of; TS_NONE while it lives. */
static int64_t ended_us(const struct timeline *t)
{
    if (t->state != SANDBOX_ENDED)
        return TS_NONE;
    return t->end_us != TS_NONE ? t->end_us : t->last_sign_us;
}

static void put_silent(HDF *root, int *n, const struct sandbox_view *v)
{
    char span[HUMAN_SIZE], clock[HUMAN_SIZE];
    struct arena *a = v->link->rq->arena;

    if (!v->tl.is_silent || v->tl.last_sign_us == TS_NONE)
        return;
    message(root, n, "bad",
            arena_fmt(a,
                      "E2B says this sandbox is running, but it has been silent for %s.",
                      human_duration(v->now_us - v->tl.last_sign_us, span)),
            arena_fmt(a,
                      "Its last sign of life is from %s. E2B keeps saying "
                      "\xE2\x80\x9Crunning\xE2\x80\x9D "
                      "until the timeout when a machine has died.",
                      human_clock(v->tl.last_sign_us, clock)));
}

static void put_messages(HDF *root, const struct sandbox_view *v)
{
    const struct timeline *t = &v->tl;
    int64_t ended = ended_us(t);
    char span[HUMAN_SIZE];
    int n = 0;
    struct arena *a = v->link->rq->arena;

    put_silent(root, &n, v);
    if (t->has_old_snapshot)
        message(root, &n, "quiet", "It has ended.",
                "E2B still lists an older snapshot of it as paused.");
    if (t->is_deleted_while_paused)
        message(root, &n, "quiet", "It was deleted while it was paused.",
                "E2B records no event for that: who deleted it, and when, is not known.");
    if (v->ev->events_src.state == SOURCE_UNSUPPORTED)
        message(root, &n, "quiet", "E2B here has no event history.",
                "The timeline is built from Casebook's own sightings and from the logs.");
    if (v->is_kept || ended == TS_NONE)
        return;
    if (v->now_us - ended < JUST_ENDED_US)
        message(root, &n, "quiet",
                arena_fmt(a, "Ended %s ago.", human_duration(v->now_us - ended, span)),
                "The last samples and lines are still arriving.");
    if (v->now_us - ended > KEEP_US && v->ev->metric_count == 0)
        message(
            root, &n, "quiet", "E2B no longer has the samples and lines.",
            arena_fmt(
                a, "It keeps them 7 days and this sandbox ended %s ago.%s",
                human_duration(v->now_us - ended, span),
                v->finding
                    ? " The finding below was made from what was there then."
                    : " No evidence was kept, since nobody investigated it in time."));
}

void view_sandbox_head(HDF *root, const struct sandbox_view *v)
{
    HDF *at = hput_node(root, "Head");

    hput_str(at, "Id", v->sandbox_id);
    hput_bool(at, "IsKnown", v->tl.exec_count > 0 || v->ev->has_sandbox);
    if (v->tl.exec_count > 0 || v->ev->has_sandbox)
        view_state(hput_node(at, "State"), &v->tl);
    hput_str(at, "Template",
             text_is_empty(v->tl.template_alias) ? v->tl.template_id
                                                 : v->tl.template_alias);
    put_ran(at, &v->tl);
    put_messages(root, v);
}

static HDF *fact(HDF *root, int *n, const char *label, const char *value, bool rebuilt)
{
    HDF *at = hput_row(root, "Facts", (*n)++);

    hput_str(at, "Label", label);
    hput_str(at, "Value", text_is_empty(value) ? "not known" : value);
    hput_bool(at, "IsRebuilt", rebuilt && !text_is_empty(value));
    return at;
}

static const char *ending_words(const struct timeline *t)
{
    if (strcmp(t->on_timeout, "pause") == 0)
        return " (then it pauses)";
    return strcmp(t->on_timeout, "kill") == 0 ? " (then it ends)" : "";
}

/* "10 min, last set to 15 min (then it ends)", "1 h, 24 h since it was last resumed" */
static char *timeout_setting(struct arena *a, const struct timeline *t)
{
    const struct execution *x = t->exec_count ? &t->execs[0] : NULL;
    const struct execution *last = t->exec_count ? &t->execs[t->exec_count - 1] : NULL;
    char first[HUMAN_SIZE], then[HUMAN_SIZE];
    const struct deadline_move *m;

    if (!x || x->first_deadline_us == TS_NONE)
        return arena_fmt(a, "not known%s", ending_words(t));
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

static void put_run_facts(HDF *root, int *n, const struct sandbox_view *v)
{
    const struct timeline *t = &v->tl;
    struct arena *a = v->link->rq->arena;
    char text[HUMAN_SIZE], paused[HUMAN_SIZE];
    HDF *at;

    at = fact(root, n, "State", "-", false);
    view_state(hput_node(at, "State"), t);
    if (t->end_us != TS_NONE)
        hput_str(at, "Second", human_datetime_s(t->end_us, v->now_us, text));
    at =
        fact(root, n, "Started",
             t->start_us == TS_NONE
                 ? ""
                 : arena_fmt(a, "%s UTC", human_datetime_s(t->start_us, v->now_us, text)),
             t->is_rebuilt);
    if (t->exec_count && !t->execs[0].start_is_known)
        hput_str(at, "Second", "first sign of life; its start is not on record");
    at = fact(root, n, "Ran for", t->exec_count ? human_duration(t->ran_us, text) : "",
              false);
    if (t->exec_count > 1)
        hput_fmt(at, "Second", "in %zu runs, paused %s", t->exec_count,
                 human_duration(t->paused_us, paused));
    fact(root, n, "Timeout setting", timeout_setting(a, t), t->is_rebuilt);
}

static void put_tags(HDF *root, const struct sandbox_view *v)
{
    for (size_t i = 0; i < v->tl.tag_count && i < MAX_TAGS; i++) {
        HDF *at = hput_row(root, "Tags", (int)i);

        hput_str(at, "Key", v->tl.tags[i].key);
        hput_str(at, "Value", v->tl.tags[i].value);
        hput_bool(at, "IsMatch",
                  !text_is_empty(v->matched_value) &&
                      strcmp(v->tl.tags[i].value, v->matched_value) == 0);
    }
}

static char *mib(struct arena *a, int64_t n)
{
    char text[HUMAN_SIZE];

    return n > 0 ? arena_fmt(a, "%s MiB", human_count(n, text)) : arena_str(a, "");
}

/* E2B's number is not trusted to fit. */
static char *disk_size(int64_t n, char buf[HUMAN_SIZE])
{
    return human_bytes((n < MAX_MIB ? n : MAX_MIB) * (int64_t)1048576, buf);
}

void view_sandbox_facts(HDF *root, const struct sandbox_view *v)
{
    const struct timeline *t = &v->tl;
    struct arena *a = v->link->rq->arena;
    bool rebuilt = t->is_rebuilt;
    char text[HUMAN_SIZE];
    int n = 0;
    HDF *at;

    fact(root, &n, "vCPU", t->cpu_count ? arena_fmt(a, "%" PRId64, t->cpu_count) : "",
         rebuilt);
    fact(root, &n, "Memory", mib(a, t->memory_mib), rebuilt);
    fact(root, &n, "Disk", t->disk_mib > 0 ? disk_size(t->disk_mib, text) : "", rebuilt);
    at = fact(root, &n, "Template",
              text_is_empty(t->template_alias) ? t->template_id : t->template_alias,
              rebuilt);
    if (!text_is_empty(t->template_alias))
        hput_str(at, "Mono", t->template_id);
    put_run_facts(root, &n, v);
    put_tags(root, v);
    hput_bool(root, "AnyRebuilt", rebuilt);
    if (v->ev->sandbox_src.fetched_us > 0)
        hput_str(root, "FactsFrom", human_clock(v->ev->sandbox_src.fetched_us, text));
}

static void put_output(HDF *at, const struct process *p)
{
    char out[HUMAN_SIZE], err[HUMAN_SIZE];

    if (p->stdout_bytes < 0 && p->stderr_bytes < 0)
        return;
    hput_fmt(at, "Out", "%s B / %s B",
             human_count(p->stdout_bytes < 0 ? 0 : p->stdout_bytes, out),
             human_count(p->stderr_bytes < 0 ? 0 : p->stderr_bytes, err));
}

static void put_process(HDF *at, const struct sandbox_view *v, const struct process *p)
{
    struct arena *a = v->link->rq->arena;
    char text[HUMAN_SIZE];

    hput_i64(at, "Pid", p->pid);
    hput_str(at, "Command", text_is_empty(p->command) ? "not recorded" : p->command);
    hput_bool(at, "IsLong", strlen(p->command) > COMMAND_SHORT);
    if (strlen(p->command) > COMMAND_SHORT)
        hput_str(at, "Short",
                 text_clean_line(a, p->command, strlen(p->command), COMMAND_SHORT));
    if (p->start_us != TS_NONE)
        hput_time(at, "Started", p->start_us, human_clock(p->start_us, text));
    if (p->start_us != TS_NONE && p->end_us != TS_NONE)
        hput_str(at, "Ran",
                 human_duration_fine(
                     p->end_us > p->start_us ? p->end_us - p->start_us : 0, text));
    else if (p->start_us != TS_NONE && v->tl.state == SANDBOX_RUNNING && !v->tl.is_silent)
        hput_str(at, "Ran", "still running");
    hput_str(at, "End", process_end_words(a, p));
    hput_str(at, "Tone",
             process_failed(p)                       ? "bad"
             : p->has_result && p->end_us != TS_NONE ? "good"
                                                     : "");
    if (p->limit_ms > 0)
        hput_fmt(at, "Limit", "its own limit: %s",
                 human_duration(p->limit_ms * TS_MS, text));
    put_output(at, p);
}

/* Does the text of what was printed stand anywhere? Agents before 0.5.27 logged it (e2b.md 5.4 b). */
static bool has_printed_text(const struct evidence *ev)
{
    if (ev->output_count)
        return true;
    for (size_t i = 0; i < ev->log_count; i++) {
        const char *type =
            tag_get(ev->logs[i].fields, ev->logs[i].field_count, "event_type", "");

        if (strcmp(type, "stdout") == 0 || strcmp(type, "stderr") == 0)
            return true;
    }
    return false;
}

/* A pid may have been used again: links lead to the first of them that failed, else to the first. */
static bool is_linked(const struct process *p, size_t n, size_t i)
{
    for (size_t k = 0; k < n; k++) {
        if (k == i || p[k].pid != p[i].pid)
            continue;
        if (process_failed(&p[k]) == process_failed(&p[i]) ? k < i
                                                           : process_failed(&p[k]))
            return false;
    }
    return true;
}

void view_sandbox_processes(HDF *root, const struct sandbox_view *v,
                            const struct process *p, size_t n)
{
    struct arena *a = v->link->rq->arena;
    char text[HUMAN_SIZE];
    int64_t err_bytes = 0;

    for (size_t i = 0; i < n; i++) {
        HDF *row = hput_row(root, "Processes", (int)i);

        put_process(row, v, &p[i]);
        if (is_linked(p, n, i))
            hput_fmt(row, "Anchor", "pid-%" PRId64, p[i].pid);
        if (p[i].stderr_bytes > 0)
            err_bytes += p[i].stderr_bytes;
    }
    hput_i64(root, "ProcessCount", (int64_t)n);
    if (n == 0)
        return;
    hput_str(
        root, "ProcessNote",
        arena_fmt(
            a, "E2B counts what a program prints but does not keep the text%s%s%s.%s",
            err_bytes ? ": " : "", err_bytes ? human_bytes(err_bytes, text) : "",
            err_bytes ? " went to the error stream" : "",
            has_printed_text(v->ev) ? " Here it is known all the same: see the raw logs."
                                    : " Nobody forwarded it: ask the customer."));
}
