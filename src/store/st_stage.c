/*
 * The arrows of the pipeline (design.md 7): each stores what its stage produced and enters the next
 * state in one transaction. A worker whose lease was taken over changes nothing (ERR_CONFLICT).
 */
#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "store/st_evidence.h"
#include "store/st_investigation.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

/* What entering a state writes, beside the stage's product. */
#define ENTER(more)                                                                      \
    "UPDATE investigation SET state = ?, reached = ?, attempt = 0, failure = '', " more  \
    " WHERE id = ? AND fence = ? AND state = ? AND worker <> ''"

static const char *const enter_sql[INV_STATE_COUNT] = {
    [INV_COLLECTED] = ENTER("collected_us = ?"),
    [INV_DIAGNOSED] = ENTER("diagnosed_us = ?"),
    [INV_DEDUPED] = ENTER("deduped_us = ?"),
    [INV_FILED] = ENTER("filed_us = ?"),
    [INV_NOTED] = ENTER("noted_us = ?"),
    [INV_DONE] =
        ENTER("done_us = ?, finished_us = done_us, worker = '', lease_until_us = 0"),
};

/* One arrow: from the state before `to`, with `product` stored. */
struct arrow {
    const struct investigation *inv;
    enum inv_state to;
    int64_t now_us;
    int (*product)(struct db *db, const struct arrow *arrow,
                   struct err *err); /* or NULL */
    const void *data;
    size_t n;
    const char *signature_hash, *template_id; /* of save_filed */
};

static int lost(const struct investigation *inv, struct err *err)
{
    return err_set(err, ERR_CONFLICT,
                   "investigation %lld: the lease was taken over, or it was canceled",
                   (long long)inv->id);
}

/* The state is entered first: it takes the row's lock, and a late worker stores no product. */
static int arrow_body(struct db *db, void *ctx, struct err *err)
{
    const struct arrow *w = ctx;
    const char *to = inv_state_name(w->to);
    int64_t changed;

    if (db_exec(db, &changed, err, enter_sql[w->to], "ssiiis", to, to, w->now_us,
                w->inv->id, w->inv->fence, inv_state_name(w->inv->state)))
        return -1;
    if (changed == 0)
        return lost(w->inv, err);
    return w->product ? w->product(db, w, err) : 0;
}

static int run_arrow(struct db *db, struct investigation *inv, struct arrow *w,
                     struct err *err)
{
    enum inv_state next;

    if (investigation_next_state(inv->state, INV_EV_ADVANCE, inv->reached, &next) ||
        next != w->to)
        return err_set(
            err, ERR_CONFLICT, "investigation %lld: from %s it cannot become %s",
            (long long)inv->id, inv_state_name(inv->state), inv_state_name(w->to));
    w->inv = inv;
    if (db_transaction(db, arrow_body, w, err))
        return -1;
    inv->state = w->to;
    inv->reached = w->to;
    inv->attempt = 0;
    inv->failure = "";
    inv->stage_us[w->to] = w->now_us;
    if (w->to == INV_DONE)
        inv->finished_us = w->now_us;
    return 0;
}

/* ---- products ---- */

struct collected {
    struct packed packed;
    const struct inv_read *read;
};

static int keep_evidence(struct db *db, const struct arrow *w, struct err *err)
{
    const struct collected *c = w->data;

    if (evidence_keep(db, w->inv->id, &c->packed, w->now_us, err))
        return -1;
    return db_exec(db, NULL, err,
                   "UPDATE investigation SET read_events = NULLIF(?, -1), read_samples = "
                   "NULLIF(?, -1), read_lines = NULLIF(?, -1) WHERE id = ?",
                   "iiii", c->read->events, c->read->samples, c->read->lines, w->inv->id);
}

int inv_save_collected(struct db *db, struct investigation *inv,
                       const char *evidence_json, size_t n, const struct inv_read *read,
                       int64_t now_us, struct err *err)
{
    struct collected c = {.read = read};
    struct arrow w = {
        .to = INV_COLLECTED, .now_us = now_us, .product = keep_evidence, .data = &c};
    int rc;

    if (evidence_pack(evidence_json, n, &c.packed, err))
        return -1;
    rc = run_arrow(db, inv, &w, err);
    if (rc == 0)
        inv->read = *read;
    evidence_pack_release(&c.packed);
    return rc;
}

static int store_finding(struct db *db, int64_t inv_id, const struct finding *f,
                         const char *doc, int64_t now_us, struct err *err)
{
    struct arena a = ARENA_INIT;
    const char *template_id = db_fit(&a, f->template_id, 128);
    int rc = db_exec(
        db, NULL, err,
        "REPLACE INTO finding (investigation_id, class, reason, confidence, headline, "
        "signature, signature_hash, template_id, template_alias, failed_at_us, "
        "diag_version, "
        "found_us, doc) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "issssssssIiis", inv_id, finding_class_name(f->cls), reason_name(f->reason),
        confidence_name(f->confidence), db_fit(&a, f->headline, 4000),
        db_fit(&a, f->signature, 4000), f->signature_hash, template_id,
        db_fit(&a, f->template_alias, 255), f->failed_at_us, (int64_t)f->diag_version,
        now_us, doc);

    if (rc == 0)
        rc = db_exec(
            db, NULL, err,
            "UPDATE investigation SET class = ?, signature_hash = ?, template_id = ? "
            "WHERE id = ?",
            "sssi", finding_class_name(f->cls), f->signature_hash, template_id, inv_id);
    arena_release(&a);
    return rc;
}

static int dump(json_t *doc, char **out, struct err *err)
{
    *out = doc ? json_dumps(doc, JSON_COMPACT) : NULL;
    json_decref(doc);
    return *out ? 0 : err_set(err, ERR_INTERNAL, "a product cannot be written as JSON");
}

static int keep_finding(struct db *db, const struct arrow *w, struct err *err)
{
    const struct finding *f = w->data;
    char *doc;
    int rc;

    if (dump(finding_to_json(f), &doc, err))
        return -1;
    rc = store_finding(db, w->inv->id, f, doc, w->now_us, err);
    free(doc);
    return rc;
}

int inv_save_diagnosed(struct db *db, struct investigation *inv, const struct finding *f,
                       int64_t now_us, struct err *err)
{
    struct arrow w = {
        .to = INV_DIAGNOSED, .now_us = now_us, .product = keep_finding, .data = f};

    return run_arrow(db, inv, &w, err);
}

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static int keep_decision(struct db *db, const struct arrow *w, struct err *err)
{
    const struct linear_decision *d = w->data;
    char *doc;
    int rc;

    if (dump(linear_decision_to_json(d), &doc, err))
        return -1;
    rc = db_exec(
        db, NULL, err,
        "REPLACE INTO linear_decision (investigation_id, outcome, issue_id, "
        "issue_identifier, issue_url, decided_us, doc) VALUES (?, ?, ?, ?, ?, ?, ?)",
        "issssis", w->inv->id, linear_outcome_name(d->outcome), d->issue.id,
        d->issue.identifier, d->issue.url, w->now_us, doc);
    free(doc);
    return rc;
}

int inv_save_deduped(struct db *db, struct investigation *inv,
                     const struct linear_decision *d, int64_t now_us, struct err *err)
{
    struct arrow w = {
        .to = INV_DEDUPED, .now_us = now_us, .product = keep_decision, .data = d};

    return run_arrow(db, inv, &w, err);
}

/*
 * The record of a failure's issue. When there is one already it is the same issue as a rule (its id
 * comes from signature and template); another one, chosen since, replaces it. The columns are set from
 * left to right: issue_id has to be last.
 */
static int keep_filing(struct db *db, const struct arrow *w,
                       const struct linear_decision *d, struct err *err)
{
    return db_exec(
        db, NULL, err,
        "INSERT INTO filing (signature_hash, template_id, issue_id, identifier, url, "
        "title, was_filed_by_us, first_inv_id, created_us) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE "
        "was_filed_by_us = IF(issue_id = VALUES(issue_id), "
        "was_filed_by_us OR VALUES(was_filed_by_us), VALUES(was_filed_by_us)), "
        "first_inv_id = IF(issue_id = VALUES(issue_id), first_inv_id, "
        "VALUES(first_inv_id)), "
        "created_us = IF(issue_id = VALUES(issue_id), created_us, "
        "VALUES(created_us)), "
        "identifier = VALUES(identifier), url = VALUES(url), title = VALUES(title), "
        "issue_id = VALUES(issue_id)",
        "ssssssiii", w->signature_hash, w->template_id, d->issue.id,
        or_empty(d->issue.identifier), or_empty(d->issue.url), or_empty(d->issue.title),
        (int64_t)(d->outcome == LINEAR_OUTCOME_FILED ? 1 : 0), w->inv->id, w->now_us);
}

static int keep_filed(struct db *db, const struct arrow *w, struct err *err)
{
    const struct linear_decision *d = w->data;

    if (keep_decision(db, w, err))
        return -1;
    if (d->outcome != LINEAR_OUTCOME_MATCHED && d->outcome != LINEAR_OUTCOME_FILED)
        return 0;
    if (text_is_empty(w->signature_hash) || text_is_empty(d->issue.id))
        return 0;
    return keep_filing(db, w, d, err);
}

int inv_save_filed(struct db *db, struct investigation *inv,
                   const struct linear_decision *d, const char *signature_hash,
                   const char *template_id, int64_t now_us, struct err *err)
{
    struct arena a = ARENA_INIT;
    struct arrow w = {.to = INV_FILED,
                      .now_us = now_us,
                      .product = keep_filed,
                      .data = d,
                      .signature_hash = signature_hash,
                      .template_id = db_fit(&a, template_id, 128)};
    int rc = run_arrow(db, inv, &w, err);

    arena_release(&a);
    return rc;
}

/* A ticket that was asked for while the others had their notes: the stage is not over. */
static int all_noted(struct db *db, const struct arrow *w, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err,
                 "SELECT 1 FROM further_ticket AS t LEFT JOIN note AS n "
                 "ON n.investigation_id = t.investigation_id AND n.ticket_id = "
                 "t.ticket_id WHERE t.investigation_id = ? AND n.marker IS NULL LIMIT 1",
                 "i", w->inv->id);
    int rc = rows ? db_next(rows, err) : -1;

    db_close(rows);
    if (rc == 1) {
        err_set(err, ERR_UPSTREAM, "another ticket was asked for meanwhile");
        err->is_wait = true;
    }
    return rc == 0 ? 0 : -1;
}

int inv_save_noted(struct db *db, struct investigation *inv, int64_t now_us,
                   struct err *err)
{
    struct arrow w = {.to = INV_NOTED, .now_us = now_us, .product = all_noted};

    return run_arrow(db, inv, &w, err);
}

int inv_save_done(struct db *db, struct investigation *inv, int64_t now_us,
                  struct err *err)
{
    struct arrow w = {.to = INV_DONE, .now_us = now_us};

    return run_arrow(db, inv, &w, err);
}

/* ---- giving it back ---- */

static int give_back(struct db *db, struct investigation *inv, int64_t run_after_us,
                     int64_t tries, const char *why, struct err *err)
{
    int64_t changed;

    if (db_exec(db, &changed, err,
                "UPDATE investigation SET run_after_us = ?, attempt = attempt + ?, "
                "worker = '', lease_until_us = 0, failure = ? "
                "WHERE id = ? AND fence = ? AND due_us IS NOT NULL AND worker <> ''",
                "iisii", run_after_us, tries, why, inv->id, inv->fence))
        return -1;
    if (changed == 0)
        return lost(inv, err);
    inv->attempt += (int)tries;
    inv->run_after_us = run_after_us;
    return 0;
}

int inv_postpone(struct db *db, struct investigation *inv, int64_t run_after_us,
                 const char *why, struct err *err)
{
    return give_back(db, inv, run_after_us, 1, why, err);
}

int inv_wait(struct db *db, struct investigation *inv, int64_t run_after_us,
             const char *why, struct err *err)
{
    return give_back(db, inv, run_after_us, 0, why, err);
}

int inv_release(struct db *db, struct investigation *inv, struct err *err)
{
    return give_back(db, inv, inv->run_after_us, 0, inv->failure, err);
}

int inv_fail(struct db *db, struct investigation *inv, const char *why, int64_t now_us,
             struct err *err)
{
    int64_t changed;

    if (db_exec(
            db, &changed, err,
            "UPDATE investigation SET state = 'failed', failed_us = ?, finished_us = ?, "
            "worker = '', lease_until_us = 0, failure = ? "
            "WHERE id = ? AND fence = ? AND due_us IS NOT NULL AND worker <> ''",
            "iisii", now_us, now_us, why, inv->id, inv->fence))
        return -1;
    if (changed == 0)
        return lost(inv, err);
    inv->state = INV_FAILED;
    inv->finished_us = now_us;
    inv->stage_us[INV_FAILED] = now_us;
    return 0;
}
