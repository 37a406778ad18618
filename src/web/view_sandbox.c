/*
 * Head, messages and processes of the sandbox page. Its facts are in view_facts.c.
 */
#include "web/view_sandbox.h"
#include "web/view_finding.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define KEEP_US (7 * TS_DAY)
#define JUST_ENDED_US TS_MIN
#define COMMAND_SHORT 240

/* Of one that runs, the run of now; of several, also what they make together. */
static void put_ran(HDF *at, const struct sandbox_view *v)
{
    const struct timeline *t = &v->tl;
    const struct execution *last = t->exec_count ? &t->execs[t->exec_count - 1] : NULL;
    char ran[HUMAN_SIZE], now[HUMAN_SIZE];

    human_duration(t->ran_us, ran);
    if (!last)
        return;
    human_duration(execution_known_until(last, v->now_us) - last->start_us, now);
    if (t->state != SANDBOX_RUNNING)
        hput_fmt(at, "Ran", "ran %s", ran);
    else if (t->exec_count == 1)
        hput_fmt(at, "Ran", "running for %s", ran);
    else
        hput_fmt(at, "Ran", "running for %s, %s in all", now, ran);
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

static void put_snapshot(HDF *root, int *n, const struct sandbox_view *v)
{
    const struct evidence *ev = v->ev;
    char when[HUMAN_SIZE];

    if (!v->tl.has_old_snapshot)
        return;
    if (ev->has_sandbox && ev->sandbox.end_us != TS_NONE)
        message(
            root, n, "quiet", "It has ended.",
            arena_fmt(v->link->rq->arena,
                      "E2B still lists an older snapshot of it, of %s UTC, as paused.",
                      human_datetime(ev->sandbox.end_us, v->now_us, when)));
    else
        message(root, n, "quiet", "It has ended.",
                "E2B still lists an older snapshot of it as paused.");
}

static void put_deleted(HDF *root, int *n, const struct sandbox_view *v)
{
    char when[HUMAN_SIZE];
    const char *seen = "";

    if (!v->tl.is_deleted_while_paused)
        return;
    if (v->record && v->record->seen_us > v->tl.end_us)
        seen = arena_fmt(v->link->rq->arena, " Casebook last saw it paused at %s UTC.",
                         human_datetime_s(v->record->seen_us, v->now_us, when));
    message(root, n, "quiet", "It was deleted while it was paused.",
            arena_fmt(v->link->rq->arena,
                      "E2B records no event for that: who deleted it, and when, is not "
                      "known.%s",
                      seen));
}

static void put_events(HDF *root, int *n, const struct sandbox_view *v)
{
    if (v->ev->events_src.state == SOURCE_UNSUPPORTED)
        message(root, n, "quiet", "E2B here has no event history.",
                "The timeline is built from Casebook's own sightings and from the logs.");
    else if (v->forgotten_events && v->ev->events_src.state != SOURCE_FAILED)
        message(root, n, "quiet",
                v->forgotten_events == v->ev->event_count
                    ? "E2B no longer has the events."
                    : "E2B no longer has all of the events.",
                "They are older than its retention. What is missing there is from "
                "Casebook's own record.");
}

/* When the last run was over, ended or paused; TS_NONE while it goes on. */
static int64_t quiet_since(const struct timeline *t)
{
    const struct execution *last = t->exec_count ? &t->execs[t->exec_count - 1] : NULL;

    if (t->state == SANDBOX_PAUSED && last)
        return last->end_us;
    return ended_us(t);
}

static void put_retention(HDF *root, int *n, const struct sandbox_view *v)
{
    const struct timeline *t = &v->tl;
    int64_t over_us = quiet_since(t);
    char span[HUMAN_SIZE], when[HUMAN_SIZE];
    struct arena *a = v->link->rq->arena;

    if (over_us != TS_NONE && v->now_us - over_us > KEEP_US) {
        if (v->ev->metric_count == 0)
            message(root, n, "quiet", "E2B no longer has the samples and lines.",
                    arena_fmt(a,
                              "It keeps them 7 days and this sandbox %s %s ago: "
                              "retention ended on %s UTC.%s",
                              t->state == SANDBOX_PAUSED ? "was paused" : "ended",
                              human_duration(v->now_us - over_us, span),
                              human_datetime(over_us + KEEP_US, v->now_us, when),
                              v->finding ? " The finding below was made from what was "
                                           "there then."
                                         : " No evidence was kept, since nobody "
                                           "investigated it in time."));
        return;
    }
    if (over_us != TS_NONE)
        hput_str(root, "KeptUntil", human_datetime(over_us + KEEP_US, v->now_us, when));
    if (t->start_us != TS_NONE && v->now_us - t->start_us > KEEP_US)
        message(root, n, "quiet", "E2B no longer has the first samples and lines.",
                arena_fmt(a, "It keeps them 7 days: those from before %s UTC are gone.",
                          human_datetime(v->now_us - KEEP_US, v->now_us, when)));
}

static void put_just_ended(HDF *root, int *n, const struct sandbox_view *v)
{
    int64_t ended = ended_us(&v->tl);
    char span[HUMAN_SIZE];

    if (ended == TS_NONE || v->now_us - ended >= JUST_ENDED_US)
        return;
    message(root, n, "quiet",
            arena_fmt(v->link->rq->arena, "Ended %s ago.",
                      human_duration(v->now_us > ended ? v->now_us - ended : 0, span)),
            "The last samples and lines are still arriving.");
}

/* Nothing is known, and not everybody answered: that is no "there is none". */
static void put_untold(HDF *root, int *n, const struct sandbox_view *v)
{
    const struct evidence *ev = v->ev;

    if (v->tl.exec_count || ev->has_sandbox)
        return;
    /* samples and lines have no 404 of their own */
    if (ev->sandbox_src.state == SOURCE_FAILED || ev->events_src.state == SOURCE_FAILED ||
        ev->metrics_src.state != SOURCE_OK || ev->logs_src.state != SOURCE_OK)
        message(
            root, n, "bad", "It is not known whether this sandbox exists.",
            "Not everything could be read, and what could be does not tell of it. This "
            "does not mean that there is none.");
}

static void put_messages(HDF *root, const struct sandbox_view *v)
{
    int n = 0;

    put_silent(root, &n, v);
    put_snapshot(root, &n, v);
    put_deleted(root, &n, v);
    put_events(root, &n, v);
    if (v->is_kept)
        return;
    put_untold(root, &n, v);
    put_just_ended(root, &n, v);
    put_retention(root, &n, v);
}

void view_sandbox_scripts(HDF *root)
{
    static const char *const names[] = {"copy.js", "charts.js", "panel.js", "logs.js"};

    HDF *page = hput_node(root, "Page");
    HDF *list = hput_node(page, "Script");
    char name[12];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(name, sizeof name, "%zu", i);
        hput_str(list, name, names[i]);
    }
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
    put_ran(at, v);
    put_messages(root, v);
}

void view_sandbox_near(HDF *root, const struct view_link *link, const struct near *near)
{
    const char *least = near->is_least ? "at least " : "";
    HDF *at;

    if (near->count == 0 || (!near->has_window && near->count == 1))
        return;
    at = hput_node(root, "Head.Near");
    if (!near->has_window)
        hput_fmt(at, "Text", "of this customer: %zu of %s%zu", near->position, least,
                 near->count);
    else if (near->position)
        hput_fmt(at, "Text", "overlaps the window: %zu of %s%zu", near->position, least,
                 near->count);
    else
        hput_fmt(at, "Text", "of this customer %s%zu overlap%s the window", least,
                 near->count, near->count == 1 ? "s" : "");
    hput_fmt(at, "Title", "Those of %s, by Casebook's own record", near->value);
    if (near->newer)
        hput_str(at, "Newer",
                 view_href(link, view_sandbox_path(link, near->newer), NULL));
    if (near->older)
        hput_str(at, "Older",
                 view_href(link, view_sandbox_path(link, near->older), NULL));
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
        if (is_linked(p, n, i)) {
            hput_fmt(row, "Anchor", "pid-%" PRId64, p[i].pid);
            view_evidence_numbers(row, v->finding,
                                  arena_fmt(a, "pid:%" PRId64, p[i].pid));
        }
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
