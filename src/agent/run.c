/*
 * The stages of design.md section 7, one function for each state they start from. A stage does its work,
 * then stores the product and the next state in one transaction; a worker killed anywhere is followed by
 * another from the last arrow.
 *
 * What a failure means is decided here and nowhere else: the fence is lost (another worker has it), it
 * may heal (later, with back-off), or it cannot: reading E2B fails the investigation, Linear and Zendesk
 * cost only their own part of it. What may heal is tried Agent.MaxAttempts times a stage, and not after
 * Agent.MaxAgeHours; a wait that a service asks for is not counted as a try.
 */
#include "agent/run.h"

#include "agent/collect.h"
#include "agent/crew.h"
#include "agent/customer.h"
#include "agent/dedupe.h"
#include "agent/lease.h"
#include "agent/publish.h"
#include "base/human.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "diag/diag.h"
#include "store/st_finding.h"
#include "store/st_investigation.h"
#include "store/st_ticket.h"
#include "sys/clock.h"
#include "sys/log.h"
#include "sys/prefork.h"
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define COLLECT_PATIENCE 3 /* tries until an incomplete reading is taken as it is */
#define BACKOFF_FIRST_US TS_SEC
#define BACKOFF_MAX_US (2 * TS_MIN)
#define RETRY_AFTER_MAX_US TS_HOUR
#define GIVE_BACK_TRIES 20
#define GIVE_BACK_PAUSE_MS 500

enum verdict {
    V_OK,
    V_LATER,  /* err tells why and when */
    V_FAILED, /* the investigation cannot go on */
    V_LOST,   /* another worker holds it now */
    V_DB      /* MariaDB failed: the lease will end by itself */
};

typedef enum verdict stage(struct agent *ag, struct arena *a, struct investigation *inv,
                           struct err *err);

static enum verdict lost_or_db(const struct err *err)
{
    return err->kind == ERR_CONFLICT ? V_LOST : V_DB;
}

/* The outcome of one of the inv_save_ functions. */
static enum verdict saved(int rc, const struct err *err)
{
    if (rc == 0)
        return V_OK;
    return err->is_wait ? V_LATER : lost_or_db(err);
}

static bool is_too_old(const struct agent *ag, const struct investigation *inv)
{
    return clock_now_us() - inv->opened_us > ag->conf->agent.max_age_h * TS_HOUR;
}

static bool is_last_try(const struct agent *ag, const struct investigation *inv)
{
    return inv->attempt + 1 >= ag->conf->agent.max_attempts || is_too_old(ag, inv);
}

static bool may_heal(const struct err *e)
{
    return e->is_retryable || e->is_unknown || e->kind == ERR_TIMEOUT;
}

/* A wait that the service asked for is no try: only the investigation's age puts an end to it. */
static bool may_come_again(const struct agent *ag, const struct investigation *inv,
                           const struct err *e)
{
    return may_heal(e) && (e->is_wait ? !is_too_old(ag, inv) : !is_last_try(ag, inv));
}

/* The bundle as JSON text; the caller frees it. */
static char *evidence_text(const struct evidence *ev)
{
    json_t *doc = evidence_to_json(ev);
    char *text = json_dumps(doc, JSON_COMPACT);

    json_decref(doc);
    if (!text)
        BUG("the evidence of %s cannot be written as JSON", ev->sandbox_id);
    return text;
}

/* The longest wait that one of the sources asked for. */
static int64_t asked_wait_us(const struct evidence *ev)
{
    const struct source *all[] = {&ev->sandbox_src, &ev->events_src, &ev->metrics_src,
                                  &ev->logs_src};
    int64_t us = 0;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->state == SOURCE_FAILED && all[i]->err.retry_after_us > us)
            us = all[i]->err.retry_after_us;
    return us;
}

static int64_t count_of(const struct source *src, size_t n)
{
    return source_has_data(src) ? (int64_t)n : -1;
}

static enum verdict stage_collect(struct agent *ag, struct arena *a,
                                  struct investigation *inv, struct err *err)
{
    struct evidence ev;
    struct inv_read read;
    bool worth_retry = false;
    char *text;
    enum verdict v;

    if (collect_evidence(ag, a, inv->sandbox_id, &ev, &worth_retry, err)) {
        err->is_retryable = worth_retry;
        return may_come_again(ag, inv, err) ? V_LATER : V_FAILED;
    }
    if (worth_retry && inv->attempt + 1 < COLLECT_PATIENCE) {
        err_set(err, ERR_UPSTREAM, "E2B answered only in part; asking again");
        err->retry_after_us = asked_wait_us(&ev);
        return V_LATER;
    }
    read = (struct inv_read){.is_known = true,
                             .events = count_of(&ev.events_src, ev.event_count),
                             .samples = count_of(&ev.metrics_src, ev.metric_count),
                             .lines = count_of(&ev.logs_src, ev.log_count)};
    text = evidence_text(&ev);
    v = saved(
        inv_save_collected(ag->db, inv, text, strlen(text), &read, clock_now_us(), err),
        err);
    free(text);
    return v;
}

static int read_evidence(struct agent *ag, int64_t inv_id, struct err *err)
{
    const char *text;
    size_t n;
    json_t *doc;
    int rc;

    arena_reset(&ag->kept_arena);
    ag->kept_of = 0;
    if (inv_evidence(ag->db, &ag->kept_arena, inv_id, &text, &n, err))
        return -1;
    doc = jget_load(text, n, err);
    if (!doc)
        return -1;
    rc = evidence_from_json(&ag->kept_arena, doc, &ag->kept, err);
    json_decref(doc);
    if (rc == 0)
        ag->kept_of = inv_id;
    return rc;
}

/* The kept evidence, not a new reading: what was decided on is what is kept. */
static const struct evidence *load_evidence(struct agent *ag, int64_t inv_id,
                                            struct err *err)
{
    if (ag->kept_of != inv_id && read_evidence(ag, inv_id, err))
        return NULL;
    return &ag->kept;
}

static enum verdict unreadable(const struct err *err)
{
    return err->kind == ERR_DB ? V_DB : V_FAILED;
}

static enum verdict stage_diagnose(struct agent *ag, struct arena *a,
                                   struct investigation *inv, struct err *err)
{
    const struct evidence *ev = load_evidence(ag, inv->id, err);
    struct finding f;

    if (!ev)
        return unreadable(err);
    memset(&f, 0, sizeof f);
    diag_run(ev, a, &f);
    return saved(inv_save_diagnosed(ag->db, inv, &f, clock_now_us(), err), err);
}

/* Who the customer is: so that nothing that leaves for Linear says it. */
static int find_customer(struct agent *ag, struct arena *a,
                         const struct investigation *inv, const struct evidence *ev,
                         struct customer *out, struct err *err)
{
    struct recent_ticket t;

    memset(out, 0, sizeof *out);
    if (ev->has_sandbox)
        customer_add_metadata(out, a, ag->conf, ev->sandbox.tags, ev->sandbox.tag_count);
    for (size_t i = 0; i < ev->event_count; i++)
        customer_add_metadata(out, a, ag->conf, ev->events[i].tags,
                              ev->events[i].tag_count);
    if (inv->ticket_id == 0)
        return 0;
    if (ticket_known(ag->db, a, inv->ticket_id, &t, err)) {
        if (err->kind != ERR_NOTFOUND)
            return -1;
        *err = (struct err)ERR_INIT;
        return 0;
    }
    customer_add_name(out, a, t.requester);
    customer_add_name(out, a, t.requester_email);
    customer_add_name(out, a, t.organization);
    return 0;
}

/* A search that did not answer is not "no match": nothing is filed, and that is said. */
static void unavailable(struct arena *a, struct linear_decision *d, const struct err *e)
{
    d->outcome = LINEAR_OUTCOME_UNAVAILABLE;
    d->why = arena_str(a, e->msg);
    d->searched_us = clock_now_us();
}

/* Another worker has learned that Linear wants to be left alone. */
static bool is_quiet(struct agent *ag, const struct investigation *inv, struct err *err)
{
    int64_t left_us = crew_quiet_until(ag->crew, inv->state) - clock_mono_us();

    if (left_us <= 0 || is_too_old(ag, inv))
        return false;
    err_set(err, ERR_UPSTREAM, "linear: its rate limit is used up");
    err->is_retryable = err->is_wait = true;
    err->retry_after_us = left_us;
    return true;
}

/* A failure of the search or of the filing. V_OK: it is told, and the rest goes on. */
static enum verdict linear_failed(struct agent *ag, struct arena *a,
                                  const struct investigation *inv, const char *what,
                                  struct linear_decision *d, struct err *err)
{
    if (err->kind == ERR_DB)
        return V_DB;
    if (err->kind == ERR_CONFLICT)
        return V_LOST;
    if (err->is_wait)
        crew_set_quiet(ag->crew, inv->state, clock_mono_us() + err->retry_after_us);
    if (may_come_again(ag, inv, err))
        return V_LATER;
    log_err(LOG_WARN, what, err);
    unavailable(a, d, err);
    return V_OK;
}

static enum verdict stage_dedupe(struct agent *ag, struct arena *a,
                                 struct investigation *inv, struct err *err)
{
    const struct evidence *ev = load_evidence(ag, inv->id, err);
    struct customer who;
    struct finding f;
    struct linear_decision d;
    char token[SIGNATURE_TOKEN_SIZE];

    if (!ev)
        return unreadable(err);
    if (finding_get(ag->db, a, inv->id, &f, err) ||
        find_customer(ag, a, inv, ev, &who, err))
        return V_DB;
    finding_token(f.signature_hash, f.template_id, token);
    if (*token && is_quiet(ag, inv, err))
        return V_LATER;
    if (dedupe_search(ag, a, &f, &who, token, publish_failure_link(ag->conf, a, &f), &d,
                      err)) {
        enum verdict v =
            linear_failed(ag, a, inv, "Linear could not be searched", &d, err);

        if (v != V_OK)
            return v;
    }
    return saved(inv_save_deduped(ag->db, inv, &d, clock_now_us(), err), err);
}

static enum verdict file_issue(struct agent *ag, struct arena *a,
                               struct investigation *inv, const struct finding *f,
                               struct linear_decision *d, struct err *err)
{
    const struct evidence *ev = load_evidence(ag, inv->id, err);
    struct customer who;

    if (!ev)
        return unreadable(err);
    if (find_customer(ag, a, inv, ev, &who, err))
        return V_DB;
    if (is_quiet(ag, inv, err))
        return V_LATER;
    if (publish_issue(ag, a, inv, f, ev, &who, d, err))
        return linear_failed(ag, a, inv, "the Linear issue could not be filed", d, err);
    return V_OK;
}

static enum verdict stage_file(struct agent *ag, struct arena *a,
                               struct investigation *inv, struct err *err)
{
    struct finding f;
    struct linear_decision d;
    enum verdict v = V_OK;

    if (finding_get(ag->db, a, inv->id, &f, err) ||
        decision_get(ag->db, a, inv->id, &d, err))
        return V_DB;
    if (d.outcome == LINEAR_OUTCOME_TO_FILE)
        v = file_issue(ag, a, inv, &f, &d, err);
    if (v != V_OK)
        return v;
    if (!text_is_empty(d.issue.id) && lease_hold(ag, inv, err))
        return lost_or_db(err);
    if (publish_around(ag, a, inv, &f, &d, err) && may_come_again(ag, inv, err))
        return V_LATER;
    return saved(inv_save_filed(ag->db, inv, &d, f.signature_hash, f.template_id,
                                clock_now_us(), err),
                 err);
}

static enum verdict stage_note(struct agent *ag, struct arena *a,
                               struct investigation *inv, struct err *err)
{
    struct finding f;
    struct linear_decision d;
    struct tries tries = {is_last_try(ag, inv), is_too_old(ag, inv)};

    if (finding_get(ag->db, a, inv->id, &f, err) ||
        decision_get(ag->db, a, inv->id, &d, err))
        return V_DB;
    if (publish_notes(ag, a, inv, &f, &d, &tries, err))
        return err->kind == ERR_DB ? V_DB : err->kind == ERR_CONFLICT ? V_LOST : V_LATER;
    return saved(inv_save_noted(ag->db, inv, clock_now_us(), err), err);
}

static enum verdict stage_finish(struct agent *ag, struct arena *a,
                                 struct investigation *inv, struct err *err)
{
    (void)a;
    return saved(inv_save_done(ag->db, inv, clock_now_us(), err), err);
}

static stage *const stages[INV_STATE_COUNT] = {
    [INV_QUEUED] = stage_collect,   [INV_COLLECTED] = stage_diagnose,
    [INV_DIAGNOSED] = stage_dedupe, [INV_DEDUPED] = stage_file,
    [INV_FILED] = stage_note,       [INV_NOTED] = stage_finish,
};

int64_t run_backoff_us(int attempt, int64_t retry_after_us, uint32_t seed)
{
    int64_t us = BACKOFF_FIRST_US;

    if (retry_after_us > 0)
        return retry_after_us < RETRY_AFTER_MAX_US ? retry_after_us : RETRY_AFTER_MAX_US;
    for (int i = 0; i < attempt && us < BACKOFF_MAX_US; i++)
        us *= 2;
    if (us > BACKOFF_MAX_US)
        us = BACKOFF_MAX_US;
    return us + us / 4 * (int64_t)(seed % 1000) / 1000;
}

static void postpone(struct agent *ag, struct investigation *inv, const struct err *why)
{
    struct err err = ERR_INIT;
    uint32_t seed;
    int64_t at_us;
    int rc;

    random_bytes(&seed, sizeof seed);
    log_err(LOG_INFO, "put off", why);
    at_us = clock_now_us() + run_backoff_us(inv->attempt, why->retry_after_us, seed);
    rc = why->is_wait ? inv_wait(ag->db, inv, at_us, why->msg, &err)
                      : inv_postpone(ag->db, inv, at_us, why->msg, &err);
    if (rc)
        log_err(LOG_WARN, "could not be put off; its lease will end", &err);
}

static void fail(struct agent *ag, struct investigation *inv, const struct err *why)
{
    struct err err = ERR_INIT;

    log_err(LOG_ERROR, "investigation failed", why);
    if (inv_fail(ag->db, inv, why->msg, clock_now_us(), &err))
        log_err(LOG_WARN, "the failure could not be stored", &err);
}

/* So many tries are used up only by workers that died at it: one that fails alive says so earlier. */
static enum verdict given_up(const struct investigation *inv, struct err *err)
{
    err_set(err, ERR_INTERNAL, "the work broke off %d times after the stage \"%s\"",
            inv->attempt, inv_state_name(inv->state));
    return V_FAILED;
}

/* One stage, and what its verdict asks for. */
static enum verdict step(struct agent *ag, struct arena *a, struct investigation *inv)
{
    struct err err = ERR_INIT;
    enum inv_state from = inv->state;
    int64_t t0 = clock_mono_us();
    char took[HUMAN_SIZE];
    enum verdict v;

    if (lease_renew(ag, inv, &err))
        v = lost_or_db(&err);
    else if (inv->attempt >= ag->conf->agent.max_attempts)
        v = given_up(inv, &err);
    else
        v = stages[from](ag, a, inv, &err);
    human_duration_fine(clock_mono_us() - t0, took);
    if (v == V_OK)
        log_event(LOG_INFO, "stage done", "from", inv_state_name(from), "to",
                  inv_state_name(inv->state), "took", took, NULL);
    else if (v == V_LATER)
        postpone(ag, inv, &err);
    else if (v == V_FAILED)
        fail(ag, inv, &err);
    else
        log_err(LOG_WARN, v == V_LOST ? "taken over or canceled" : "store failed", &err);
    return v;
}

/* The time is up between two stages, or MariaDB was away: the next worker need not wait for the lease. It is no
   try, for nothing was wrong with the investigation. */
static void give_back(struct agent *ag, struct investigation *inv)
{
    struct err err = ERR_INIT;

    for (int i = 0; i < GIVE_BACK_TRIES; i++) {
        if (i > 0)
            poll(NULL, 0, GIVE_BACK_PAUSE_MS);
        if (db_ready(ag->db, &err) == 0 && inv_release(ag->db, inv, &err) == 0)
            return;
        if (err.kind == ERR_CONFLICT)
            return;
    }
    log_err(LOG_WARN, "could not be given back; its lease will end", &err);
}

/* Take one as far as it goes. */
static void work(struct agent *ag, struct investigation *inv)
{
    struct arena a = ARENA_INIT;
    enum verdict v = V_OK;

    while (v == V_OK && inv_state_is_open(inv->state) && !prefork_stop) {
        v = step(ag, &a, inv);
        arena_reset(&a);
    }
    if ((v == V_OK && inv_state_is_open(inv->state)) || v == V_DB)
        give_back(ag, inv);
    arena_release(&a);
    arena_reset(&ag->kept_arena);
    ag->kept_of = 0;
}

int run_next(struct agent *ag, struct arena *a, struct err *err)
{
    struct investigation inv;
    char id[24];

    if (db_ready(ag->db, err))
        return -1;
    if (inv_claim(ag->db, a, ag->worker, clock_now_us(), ag->conf->agent.lease_s * TS_SEC,
                  &inv, err)) {
        if (err->kind != ERR_NOTFOUND)
            return -1;
        *err = (struct err)ERR_INIT;
        return 0;
    }
    snprintf(id, sizeof id, "%" PRId64, inv.id);
    log_context("inv", id);
    work(ag, &inv);
    log_context(NULL, NULL);
    return 1;
}
