/*
 * What was found and decided about one investigation, and what people said of it. Lists are in
 * st_inv_list.c; findings and decisions are written by the stages (st_stage.c).
 */
#include "store/st_finding.h"
#include "base/arena.h"
#include "base/jget.h"

#include <string.h>

#include "base/banned.h"

/* The only column of the first row, as JSON; a new reference, or NULL with err set. Closes rows. */
static json_t *read_doc(struct db_rows *rows, int64_t inv_id, const char *what,
                        struct err *err)
{
    int rc = rows ? db_next(rows, err) : -1;
    json_t *doc = NULL;

    if (rc == 1) {
        size_t n;
        const char *text = db_blob(rows, 0, &n);

        doc = jget_load(text, n, err);
        if (doc == NULL) {
            err_ctx(err, "%s of investigation %lld", what, (long long)inv_id);
            err->kind = ERR_DB;
        }
    }
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "investigation %lld has no %s", (long long)inv_id,
                what);
    return doc;
}

int finding_get(struct db *db, struct arena *a, int64_t inv_id, struct finding *out,
                struct err *err)
{
    json_t *doc =
        read_doc(db_query(db, err, "SELECT doc FROM finding WHERE investigation_id = ?",
                          "i", inv_id),
                 inv_id, "finding", err);
    int rc = doc ? finding_from_json(a, doc, out, err) : -1;

    json_decref(doc);
    return rc;
}

int decision_get(struct db *db, struct arena *a, int64_t inv_id,
                 struct linear_decision *out, struct err *err)
{
    json_t *doc = read_doc(
        db_query(db, err, "SELECT doc FROM linear_decision WHERE investigation_id = ?",
                 "i", inv_id),
        inv_id, "decision about Linear", err);
    int rc = doc ? linear_decision_from_json(a, doc, out, err) : -1;

    json_decref(doc);
    return rc;
}

int filing_get(struct db *db, struct arena *a, const char *signature_hash,
               const char *template_id, struct filing *out, struct err *err)
{
    struct db_rows *rows = db_query(
        db, err,
        "SELECT issue_id, identifier, url, title, was_filed_by_us, first_inv_id, "
        "created_us FROM filing WHERE signature_hash = ? AND template_id = ?",
        "ss", signature_hash, template_id);
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        *out = (struct filing){
            .issue_id = db_str(rows, 0, a),
            .identifier = db_str(rows, 1, a),
            .url = db_str(rows, 2, a),
            .title = db_str(rows, 3, a),
            .was_filed_by_us = db_i64(rows, 4, 0) != 0,
            .first_inv_id = db_i64(rows, 5, 0),
            .created_us = db_i64(rows, 6, 0),
        };
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "this failure has no issue on record");
    return rc == 1 ? 0 : -1;
}

#define CUSTOMER_OF(i, t)                                                                \
    "COALESCE(NULLIF(" i ".organization, ''), NULLIF(" t ".organization, ''), " t        \
    ".requester_email, '')"

int failure_is_new_to_customer(struct db *db, int64_t inv_id, const char *signature_hash,
                               const char *template_id, bool *is_new, struct err *err)
{
    struct db_rows *rows = db_query(
        db, err,
        "SELECT " CUSTOMER_OF(
            "i",
            "t") " <> '' AND NOT EXISTS (SELECT 1 "
                 "FROM investigation AS o LEFT JOIN ticket AS u ON u.id = o.ticket_id "
                 "WHERE o.signature_hash = ? AND o.template_id = ? AND o.id <> i.id "
                 "AND " CUSTOMER_OF("o", "u") " = " CUSTOMER_OF(
                     "i", "t") ") "
                               "FROM investigation AS i LEFT JOIN ticket AS t ON t.id = "
                               "i.ticket_id "
                               "WHERE i.id = ?",
        "ssi", signature_hash, template_id, inv_id);
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        *is_new = db_i64(rows, 0, 0) != 0;
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "investigation %lld not found", (long long)inv_id);
    return rc == 1 ? 0 : -1;
}

/* ---- feedback ---- */

int feedback_add(struct db *db, int64_t inv_id, const char *by, bool is_right,
                 enum finding_class cls, const char *remark, int64_t now_us,
                 struct err *err)
{
    return db_exec(
        db, NULL, err,
        "INSERT INTO feedback (investigation_id, said_by, at_us, is_right, class, "
        "remark) VALUES (?, ?, ?, ?, ?, ?)",
        "isiiSs", inv_id, by, now_us, (int64_t)is_right,
        is_right ? NULL : finding_class_name(cls), remark);
}

/* A remark without a right class is read as "undetermined" for a wrong one. */
static void read_feedback(const struct db_rows *rows, struct arena *a,
                          struct feedback *out)
{
    *out = (struct feedback){
        .id = db_i64(rows, 0, 0),
        .at_us = db_i64(rows, 1, 0),
        .by = db_str(rows, 2, a),
        .is_right = db_i64(rows, 3, 0) != 0,
        .cls = CLASS_UNDETERMINED,
        .remark = db_str(rows, 5, a),
    };
    if (!db_is_null(rows, 4) && finding_class_parse(db_str(rows, 4, a), &out->cls))
        BUG("class of feedback %lld", (long long)out->id);
}

int feedback_list(struct db *db, struct arena *a, int64_t inv_id, struct feedback **out,
                  size_t *n, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err,
                 "SELECT id, at_us, said_by, is_right, class, remark FROM feedback "
                 "WHERE investigation_id = ? ORDER BY id",
                 "i", inv_id);
    int rc = rows ? 1 : -1;
    size_t cap = 0;

    *out = NULL;
    *n = 0;
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        *out = arena_grow(a, *out, *n, &cap, sizeof(**out));
        read_feedback(rows, a, &(*out)[(*n)++]);
    }
    db_close(rows);
    return rc;
}

/* ---- corrections of the Linear match ---- */

int correction_add(struct db *db, int64_t inv_id, const struct issue_correction *c,
                   struct err *err)
{
    return db_exec(
        db, NULL, err,
        "INSERT INTO issue_correction (investigation_id, made_by, at_us, identifier, "
        "url, issue_id, title) VALUES (?, ?, ?, ?, ?, ?, ?)",
        "isissss", inv_id, c->by, c->at_us, c->identifier, c->url, c->issue_id, c->title);
}

#define CORRECTION_COLUMNS "c.at_us, c.made_by, c.identifier, c.url, c.issue_id, c.title "

static void read_correction(const struct db_rows *rows, struct arena *a,
                            struct issue_correction *out)
{
    *out = (struct issue_correction){
        .at_us = db_i64(rows, 0, 0),
        .by = db_str(rows, 1, a),
        .identifier = db_str(rows, 2, a),
        .url = db_str(rows, 3, a),
        .issue_id = db_str(rows, 4, a),
        .title = db_str(rows, 5, a),
    };
}

int correction_of_failure(struct db *db, struct arena *a, const char *signature_hash,
                          const char *template_id, struct issue_correction *out,
                          struct err *err)
{
    struct db_rows *rows = db_query(db, err,
                                    "SELECT " CORRECTION_COLUMNS
                                    "FROM investigation AS i JOIN issue_correction AS c "
                                    "ON c.investigation_id = i.id "
                                    "WHERE i.signature_hash = ? AND i.template_id = ? "
                                    "ORDER BY c.id DESC LIMIT 1",
                                    "ss", signature_hash, template_id);
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        read_correction(rows, a, out);
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "nobody corrected the issue of this failure");
    return rc == 1 ? 0 : -1;
}

int correction_list(struct db *db, struct arena *a, int64_t inv_id,
                    struct issue_correction **out, size_t *n, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err,
                 "SELECT " CORRECTION_COLUMNS "FROM issue_correction AS c "
                 "WHERE c.investigation_id = ? ORDER BY c.id",
                 "i", inv_id);
    int rc = rows ? 1 : -1;
    size_t cap = 0;

    *out = NULL;
    *n = 0;
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        *out = arena_grow(a, *out, *n, &cap, sizeof(**out));
        read_correction(rows, a, &(*out)[(*n)++]);
    }
    db_close(rows);
    return rc;
}
