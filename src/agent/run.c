/*
 * The stages of design.md section 7, one function for each state they start from. A stage does its work,
 * then stores the product and the next state in one transaction; a worker killed anywhere is followed by
 * another from the last arrow.
 *
 * What a failure means is decided here and nowhere else: the fence is lost (another worker has it), it
 * may heal (later, with back-off), or it cannot: reading E2B fails the investigation, Linear and Zendesk
 * cost only their own part of it.
 */
#include "agent/run.h"

#include "agent/collect.h"
#include "agent/dedupe.h"
#include "agent/publish.h"
#include "base/human.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "diag/diag.h"
#include "store/st_finding.h"
#include "store/st_investigation.h"
#include "sys/clock.h"
#include "sys/log.h"
#include "sys/prefork.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define COLLECT_PATIENCE 3 /* tries until an incomplete reading is taken as it is */
#define BACKOFF_FIRST_US TS_SEC
#define BACKOFF_MAX_US (2 * TS_MIN)
#define RETRY_AFTER_MAX_US TS_HOUR

enum verdict {
    V_OK,
    V_LATER,  /* err tells why and when */
    V_FAILED, /* the investigation cannot go on */
    V_LOST,   /* another worker holds it now */
    V_DB      /* MariaDB failed: the lease will end by itself */
};

typedef enum verdict stage(struct agent *ag, struct arena *a, struct investigation *inv,
                           struct err *err);

/* The outcome of one of the inv_save_ functions. */
static enum verdict saved(int rc, const struct err *err)
{
    if (rc == 0)
        return V_OK;
    return err->kind == ERR_CONFLICT ? V_LOST : V_DB;
}

static bool is_last_try(const struct agent *ag, const struct investigation *inv)
{
    return inv->attempt + 1 >= ag->conf->agent.max_attempts;
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

static enum verdict stage_collect(struct agent *ag, struct arena *a,
                                  struct investigation *inv, struct err *err)
{
    struct evidence ev;
    bool worth_retry = false;
    char *text;
    enum verdict v;

    if (collect_evidence(ag, a, inv->sandbox_id, &ev, &worth_retry, err))
        return worth_retry && !is_last_try(ag, inv) ? V_LATER : V_FAILED;
    if (worth_retry && inv->attempt + 1 < COLLECT_PATIENCE) {
        err_set(err, ERR_UPSTREAM, "E2B answered only in part; asking again");
        err->retry_after_us = asked_wait_us(&ev);
        return V_LATER;
    }
    text = evidence_text(&ev);
    v = saved(inv_save_collected(ag->db, inv, text, strlen(text), clock_now_us(), err),
              err);
    free(text);
    return v;
}

/* The kept evidence, not a new reading: what was decided on is what is kept. */
static int load_evidence(struct agent *ag, struct arena *a, int64_t inv_id,
                         struct evidence *ev, struct err *err)
{
    const char *text;
    size_t n;
    json_t *doc;
    int rc;

    if (inv_evidence(ag->db, a, inv_id, &text, &n, err))
        return -1;
    doc = jget_load(text, n, err);
    if (!doc)
        return -1;
    rc = evidence_from_json(a, doc, ev, err);
    json_decref(doc);
    return rc;
}

static enum verdict stage_diagnose(struct agent *ag, struct arena *a,
                                   struct investigation *inv, struct err *err)
{
    struct evidence ev;
    struct finding f;

    if (load_evidence(ag, a, inv->id, &ev, err))
        return err->kind == ERR_DB ? V_DB : V_FAILED;
    memset(&f, 0, sizeof f);
    diag_run(&ev, a, &f);
    return saved(inv_save_diagnosed(ag->db, inv, &f, clock_now_us(), err), err);
}

/* A search that did not answer is not "no match": nothing is filed, and that is said. */
static void unavailable(struct arena *a, struct linear_decision *d, const struct err *e)
{
    d->outcome = LINEAR_OUTCOME_UNAVAILABLE;
    d->why = arena_str(a, e->msg);
    d->searched_us = clock_now_us();
}

static bool may_heal(const struct err *e)
{
    return e->is_retryable || e->is_unknown || e->kind == ERR_TIMEOUT;
}

static enum verdict stage_dedupe(struct agent *ag, struct arena *a,
                                 struct investigation *inv, struct err *err)
{
    struct finding f;
    struct linear_decision d;
    char token[SIGNATURE_TOKEN_SIZE];

    if (finding_get(ag->db, a, inv->id, &f, err))
        return V_DB;
    finding_token(f.signature_hash, f.template_id, token);
    if (dedupe_search(ag, a, &f, token, &d, err)) {
        if (err->kind == ERR_DB)
            return V_DB;
        if (may_heal(err) && !is_last_try(ag, inv))
            return V_LATER;
        log_err(LOG_WARN, "Linear could not be searched", err);
        unavailable(a, &d, err);
    }
    return saved(inv_save_deduped(ag->db, inv, &d, clock_now_us(), err), err);
}

static enum verdict stage_file(struct agent *ag, struct arena *a,
                               struct investigation *inv, struct err *err)
{
    struct finding f;
    struct linear_decision d;
    struct evidence ev;

    if (finding_get(ag->db, a, inv->id, &f, err) ||
        decision_get(ag->db, a, inv->id, &d, err))
        return V_DB;
    if (d.outcome == LINEAR_OUTCOME_TO_FILE) {
        if (load_evidence(ag, a, inv->id, &ev, err))
            return err->kind == ERR_DB ? V_DB : V_FAILED;
        if (publish_issue(ag, a, inv, &f, &ev, &d, err)) {
            if (may_heal(err) && !is_last_try(ag, inv))
                return V_LATER;
            log_err(LOG_WARN, "the Linear issue could not be filed", err);
            unavailable(a, &d, err);
        }
    }
    publish_link(ag, a, inv, &d);
    return saved(inv_save_filed(ag->db, inv, &d, f.signature_hash, f.template_id,
                                clock_now_us(), err),
                 err);
}

static enum verdict stage_note(struct agent *ag, struct arena *a,
                               struct investigation *inv, struct err *err)
{
    struct finding f;
    struct linear_decision d;

    if (inv->ticket_id != 0) {
        if (finding_get(ag->db, a, inv->id, &f, err) ||
            decision_get(ag->db, a, inv->id, &d, err))
            return V_DB;
        if (publish_note(ag, a, inv, &f, &d, is_last_try(ag, inv), err))
            return err->kind == ERR_DB ? V_DB : V_LATER;
    }
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

    random_bytes(&seed, sizeof seed);
    log_err(LOG_INFO, "put off", why);
    if (inv_postpone(ag->db, inv,
                     clock_now_us() +
                         run_backoff_us(inv->attempt, why->retry_after_us, seed),
                     why->msg, &err))
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

    if (inv_renew(ag->db, inv, clock_now_us(), ag->conf->agent.lease_s * TS_SEC, &err))
        v = err.kind == ERR_CONFLICT ? V_LOST : V_DB;
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

/* The time is up between two stages: the next agent need not wait for the lease. */
static void give_back(struct agent *ag, struct investigation *inv)
{
    struct err err = ERR_INIT;

    if (inv_postpone(ag->db, inv, clock_now_us(), "", &err))
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
    if (v == V_OK && inv_state_is_open(inv->state))
        give_back(ag, inv);
    arena_release(&a);
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
