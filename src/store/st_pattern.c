/* Findings that are alike, counted. */
#include "store/st_pattern.h"

#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "store/st_inv_row.h"

#include <string.h>

#include "base/banned.h"

/* The order is that of the select list below, behind the columns of a list. */
enum {
    COL_FINDINGS = INV_LIST_COLUMN_COUNT,
    COL_SANDBOXES,
    COL_CUSTOMERS,
    COL_TEMPLATES,
    COL_LAST,
    COL_FIRST,
    COL_UUID
};

/* Grouped in the index alone; only the lines that are shown are read from the tables. */
#define PATTERNS                                                                         \
    "SELECT " INV_LIST_COLUMNS                                                           \
    ", p.findings, p.sandboxes, p.customers, p.templates, p.last_us, "                   \
    "(SELECT o.created_us FROM investigation AS o"                                       \
    " WHERE o.signature_hash = p.signature_hash ORDER BY o.id LIMIT 1), "                \
    "IF(c.id IS NULL, d.issue_id, '') "                                                  \
    "FROM (SELECT g.signature_hash, COUNT(*) AS findings, "                              \
    "COUNT(DISTINCT g.sandbox_id) AS sandboxes, "                                        \
    "COUNT(DISTINCT NULLIF(g.organization, '')) AS customers, "                          \
    "COUNT(DISTINCT g.template_id) AS templates, MAX(g.created_us) AS last_us, "         \
    "MAX(g.id) AS newest FROM investigation AS g WHERE g.created_us >= ? "               \
    "AND g.class IN ('out_of_memory', 'timeout', 'killed_early', 'crashed') "            \
    "AND g.signature_hash <> '' GROUP BY g.signature_hash "                              \
    "HAVING COUNT(*) >= ? AND COUNT(DISTINCT NULLIF(g.organization, '')) >= ? "          \
    "ORDER BY findings DESC, newest DESC LIMIT ?) AS p "                                 \
    "JOIN investigation AS i ON i.id = p.newest" INV_LIST_JOINS(                         \
        "i.ticket_id") "ORDER BY p.findings DESC, p.newest DESC"

static void read_pattern(const struct db_rows *rows, struct arena *a, struct pattern *out)
{
    inv_read_list_row(rows, a, &out->newest);
    out->findings = db_i64(rows, COL_FINDINGS, 0);
    out->sandboxes = db_i64(rows, COL_SANDBOXES, 0);
    out->customers = db_i64(rows, COL_CUSTOMERS, 0);
    out->templates = db_i64(rows, COL_TEMPLATES, 0);
    out->last_us = db_i64(rows, COL_LAST, TS_NONE);
    out->first_us = db_i64(rows, COL_FIRST, TS_NONE);
    out->issue_uuid = db_str(rows, COL_UUID, a);
}

int pattern_list(struct db *db, struct arena *a, const struct pattern_filter *f,
                 struct patterns *out, struct err *err)
{
    int limit = f->limit < 1 ? 1 : f->limit > PATTERN_MAX ? PATTERN_MAX : f->limit;
    struct db_rows *rows =
        db_query(db, err, PATTERNS, "iiii", f->since_us, f->min_findings,
                 f->min_customers, (int64_t)limit + 1);
    int rc = rows ? 1 : -1;

    *out = (struct patterns){.items = arena_array(a, (size_t)limit, sizeof(*out->items))};
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        if (out->count == (size_t)limit) {
            out->has_more = true;
            rc = 0;
        } else {
            read_pattern(rows, a, &out->items[out->count++]);
        }
    }
    db_close(rows);
    return rc;
}

int pattern_days(struct db *db, int64_t first_day_us, size_t days, int64_t *out,
                 struct err *err)
{
    struct arena a = ARENA_INIT;
    struct db_rows *rows = db_query(
        db, err,
        "SELECT (i.created_us - ?) DIV ?, i.class, COUNT(*) FROM investigation AS i "
        "WHERE i.created_us >= ? AND i.created_us < ? AND i.class IS NOT NULL "
        "GROUP BY 1, 2",
        "iiii", first_day_us, TS_DAY, first_day_us,
        first_day_us + (int64_t)days * TS_DAY);
    int rc = rows ? 1 : -1;

    memset(out, 0, CLASS_COUNT * days * sizeof(out[0]));
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        int64_t day = db_i64(rows, 0, -1);
        enum finding_class cls;

        if (day >= 0 && day < (int64_t)days &&
            finding_class_parse(db_str(rows, 1, &a), &cls) == 0)
            out[(size_t)cls * days + (size_t)day] = db_i64(rows, 2, 0);
    }
    db_close(rows);
    arena_release(&a);
    return rc;
}
