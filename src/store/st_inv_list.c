/*
 * Lists of investigations with their findings: the findings page, the history of a ticket, the columns
 * of the searches. Filters are on columns of `investigation` alone, so that each has an index; a filter
 * that is not given is folded away by the optimizer (`? IS NULL OR ...`).
 */
#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_finding.h"
#include "store/st_inv_row.h"

#include <string.h>

#include "base/banned.h"

#define LIST_MAX 200
#define SET_MAX ((size_t)100)

/* Takes FILTER_LETTERS. */
#define FILTER                                                                           \
    " (? IS NULL OR i.template_id = ?) AND (? IS NULL OR i.signature_hash = ?)"          \
    " AND (? IS NULL OR i.requested_by = ?) AND (? IS NULL OR i.organization = ?)"       \
    " AND (? IS NULL OR i.sandbox_id = ?) "
#define FILTER_LETTERS "SSSSSSSSSS"
#define FILTER_VALUES(f)                                                                 \
    (f)->template_id, (f)->template_id, (f)->signature_hash, (f)->signature_hash,        \
        (f)->by, (f)->by, (f)->organization, (f)->organization, (f)->sandbox_id,         \
        (f)->sandbox_id

/* Those for one ticket: queued for it, or asked for afterwards. Takes the ticket twice. */
#define FOR_TICKET                                                                       \
    "(SELECT id, ticket_id FROM investigation WHERE ticket_id = ? UNION "                \
    "SELECT investigation_id, ticket_id FROM further_ticket WHERE ticket_id = ?) AS "    \
    "own "                                                                               \
    "JOIN investigation AS i ON i.id = own.id"

enum {
    COL_CLASS = INV_COLUMN_COUNT,
    COL_REASON,
    COL_CONFIDENCE,
    COL_HEADLINE,
    COL_SIGNATURE,
    COL_SIGNATURE_HASH,
    COL_TEMPLATE,
    COL_ALIAS,
    COL_ISSUE,
    COL_ISSUE_URL,
    COL_ISSUE_ID,
    COL_OUTCOME,
    COL_NOTE,
    COL_FAILED_AT,
    COL_SUBJECT,
    COL_ORGANIZATION,
    COL_COUNT,
    COL_FOR_TICKET = COL_COUNT /* of lists for tickets */
};

_Static_assert(COL_COUNT == INV_LIST_COLUMN_COUNT, "the columns of a list");

static enum linear_outcome outcome_at(const struct db_rows *rows, struct arena *a)
{
    const char *name = db_str(rows, COL_OUTCOME, a);

    for (int o = 0; o < LINEAR_OUTCOME_COUNT; o++)
        if (strcmp(linear_outcome_name((enum linear_outcome)o), name) == 0)
            return (enum linear_outcome)o;
    return LINEAR_OUTCOME_NONE;
}

/* The columns of the finding; their CHECKs allow no other words than the model's. */
static void read_finding(const struct db_rows *rows, struct arena *a, struct inv_row *out)
{
    out->has_finding = !db_is_null(rows, COL_CLASS);
    out->cls = CLASS_UNDETERMINED;
    if (out->has_finding &&
        (finding_class_parse(db_str(rows, COL_CLASS, a), &out->cls) ||
         confidence_parse(db_str(rows, COL_CONFIDENCE, a), &out->confidence)))
        BUG("class or confidence of investigation %lld", (long long)out->inv.id);
    if (reason_parse(db_str(rows, COL_REASON, a), &out->reason))
        out->reason = REASON_NONE;
    out->headline = db_str(rows, COL_HEADLINE, a);
    out->signature = db_str(rows, COL_SIGNATURE, a);
    out->signature_hash = db_str(rows, COL_SIGNATURE_HASH, a);
    out->template_id = db_str(rows, COL_TEMPLATE, a);
    out->template_alias = db_str(rows, COL_ALIAS, a);
    out->failed_at_us = db_i64(rows, COL_FAILED_AT, TS_NONE);
}

void inv_read_list_row(const struct db_rows *rows, struct arena *a, struct inv_row *out)
{
    memset(out, 0, sizeof(*out));
    inv_read_row(rows, a, &out->inv);
    read_finding(rows, a, out);
    out->issue_identifier = db_str(rows, COL_ISSUE, a);
    out->issue_url = db_str(rows, COL_ISSUE_URL, a);
    out->issue_id = db_str(rows, COL_ISSUE_ID, a);
    out->outcome = outcome_at(rows, a);
    if (note_state_parse(db_str(rows, COL_NOTE, a), &out->note))
        out->note = NOTE_NONE;
    out->ticket_subject = db_str(rows, COL_SUBJECT, a);
    out->organization = db_str(rows, COL_ORGANIZATION, a);
}

/* At most max rows; whether there was one more is has_more. is_for_ticket: each says for which ticket it is told.
   Closes rows; NULL: err is set. */
static int read_rows(struct db_rows *rows, struct arena *a, size_t max,
                     bool is_for_ticket, struct inv_rows *out, struct err *err)
{
    int rc = rows ? 1 : -1;

    *out = (struct inv_rows){.items = arena_array(a, max, sizeof(*out->items))};
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        if (out->count == max) {
            out->has_more = true;
            rc = 0;
        } else {
            inv_read_list_row(rows, a, &out->items[out->count]);
            if (is_for_ticket)
                out->items[out->count].inv.ticket_id = db_i64(rows, COL_FOR_TICKET, 0);
            out->count++;
        }
    }
    db_close(rows);
    return rc;
}

static const char *class_of(const struct inv_filter *f)
{
    return f->cls >= 0 && f->cls < CLASS_COUNT
               ? finding_class_name((enum finding_class)f->cls)
               : NULL;
}

int inv_list(struct db *db, struct arena *a, const struct inv_filter *f,
             struct inv_rows *out, struct err *err)
{
    int limit = f->limit < 1 ? 1 : f->limit > LIST_MAX ? LIST_MAX : f->limit;
    const char *cls = class_of(f);
    int64_t before = f->before_id > 0 ? f->before_id : INT64_MAX;

    if (f->ticket_id > 0)
        return read_rows(
            db_query(db, err,
                     "SELECT " INV_LIST_COLUMNS
                     ", own.ticket_id FROM " FOR_TICKET INV_LIST_JOINS(
                         "own.ticket_id") "WHERE i.id < ? AND (? IS NULL OR i.class = ?) "
                                          "AND" FILTER "ORDER BY i.id DESC LIMIT ?",
                     "iiiSS" FILTER_LETTERS "i", f->ticket_id, f->ticket_id, before, cls,
                     cls, FILTER_VALUES(f), (int64_t)limit + 1),
            a, (size_t)limit, true, out, err);
    return read_rows(
        db_query(
            db, err,
            "SELECT " INV_LIST_COLUMNS " FROM investigation AS i" INV_LIST_JOINS(
                "i.ticket_id") "WHERE i.id < ? AND (? IS NULL OR i.class = ?) AND" FILTER
                               "ORDER BY i.id DESC LIMIT ?",
            "iSS" FILTER_LETTERS "i", before, cls, cls, FILTER_VALUES(f),
            (int64_t)limit + 1),
        a, (size_t)limit, false, out, err);
}

static struct db_rows *query_counts(struct db *db, const struct inv_filter *f,
                                    struct err *err)
{
    if (f->ticket_id > 0)
        return db_query(db, err,
                        "SELECT i.class, COUNT(*) FROM " FOR_TICKET
                        " WHERE i.class IS NOT NULL AND" FILTER "GROUP BY i.class",
                        "ii" FILTER_LETTERS, f->ticket_id, f->ticket_id,
                        FILTER_VALUES(f));
    return db_query(db, err,
                    "SELECT i.class, COUNT(*) FROM investigation AS i "
                    "WHERE i.class IS NOT NULL AND" FILTER "GROUP BY i.class",
                    FILTER_LETTERS, FILTER_VALUES(f));
}

int inv_count_by_class(struct db *db, const struct inv_filter *f,
                       int64_t out[CLASS_COUNT], struct err *err)
{
    struct arena a = ARENA_INIT;
    struct db_rows *rows = query_counts(db, f, err);
    int rc = rows ? 1 : -1;

    memset(out, 0, CLASS_COUNT * sizeof(out[0]));
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        enum finding_class cls;

        if (finding_class_parse(db_str(rows, 0, &a), &cls) == 0)
            out[cls] = db_i64(rows, 1, 0);
    }
    db_close(rows);
    arena_release(&a);
    return rc;
}

/* ---- the newest for each of a set ---- */

/* Twenty and a hundred places; what is left over is NULL and matches nothing. */
#define PLACES_20 "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
#define PLACES_100 PLACES_20 ", " PLACES_20 ", " PLACES_20 ", " PLACES_20 ", " PLACES_20

#define NEWEST_FOR_SANDBOXES                                                             \
    "SELECT " INV_LIST_COLUMNS                                                           \
    " FROM (SELECT MAX(m.id) AS id FROM investigation AS m WHERE m.sandbox_id"           \
    " IN (" PLACES_100 ") AND m.class IS NOT NULL GROUP BY m.sandbox_id"                 \
    ") AS newest JOIN investigation AS i ON i.id = newest.id" INV_LIST_JOINS(            \
        "i.ticket_id") "ORDER BY i.id DESC"

/* Queued for the ticket, or asked for afterwards. */
#define NEWEST_FOR_TICKETS                                                               \
    "SELECT " INV_LIST_COLUMNS                                                           \
    ", newest.ticket_id FROM (SELECT MAX(own.id) AS id, own.ticket_id FROM ("            \
    "SELECT MAX(m.id) AS id, m.ticket_id FROM investigation AS m"                        \
    " WHERE m.ticket_id IN (" PLACES_100 ") AND m.class IS NOT NULL"                     \
    " GROUP BY m.ticket_id UNION ALL "                                                   \
    "SELECT m.id, w.ticket_id FROM further_ticket AS w"                                  \
    " JOIN investigation AS m ON m.id = w.investigation_id"                              \
    " WHERE w.ticket_id IN (" PLACES_100 ") AND m.class IS NOT NULL"                     \
    ") AS own GROUP BY own.ticket_id) AS newest"                                         \
    " JOIN investigation AS i ON i.id = newest.id" INV_LIST_JOINS(                       \
        "newest.ticket_id") "ORDER BY i.id DESC"

int inv_list_for_sandboxes(struct db *db, struct arena *a, const char *const *ids,
                           size_t n, struct inv_rows *out, struct err *err)
{
    struct db_param params[SET_MAX];

    if (n > SET_MAX)
        return err_set(err, ERR_INPUT, "%zu sandboxes are more than %zu", n, SET_MAX);
    for (size_t i = 0; i < SET_MAX; i++)
        params[i] = (struct db_param){.type = 'S', .s = i < n ? ids[i] : NULL};
    return read_rows(db_query_n(db, err, NEWEST_FOR_SANDBOXES, params, SET_MAX), a,
                     SET_MAX, false, out, err);
}

int inv_list_for_tickets(struct db *db, struct arena *a, const int64_t *ids, size_t n,
                         struct inv_rows *out, struct err *err)
{
    struct db_param params[2 * SET_MAX];

    if (n > SET_MAX)
        return err_set(err, ERR_INPUT, "%zu tickets are more than %zu", n, SET_MAX);
    for (size_t i = 0; i < 2 * SET_MAX; i++)
        params[i] = (struct db_param){.type = 'I',
                                      .i = i % SET_MAX < n ? ids[i % SET_MAX] : TS_NONE};
    return read_rows(db_query_n(db, err, NEWEST_FOR_TICKETS, params, 2 * SET_MAX), a,
                     SET_MAX, true, out, err);
}
