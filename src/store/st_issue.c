/* The cache of Linear's issues: the newest reading wins, and nothing depends on what is in it. */
#include "store/st_issue.h"

#include "base/arena.h"
#include "base/jget.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define PLACES_10 "?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
#define PLACES_50 PLACES_10 ", " PLACES_10 ", " PLACES_10 ", " PLACES_10 ", " PLACES_10

static int read_kept(const struct db_rows *rows, struct arena *a, struct kept_issue *out,
                     struct err *err)
{
    size_t n;
    const char *text = db_blob(rows, 1, &n);
    json_t *doc = jget_load(text, n, err);

    if (doc == NULL)
        return -1;
    linear_issue_from_json(a, doc, &out->issue);
    out->read_us = db_i64(rows, 0, 0);
    json_decref(doc);
    return 0;
}

int issue_get_kept(struct db *db, struct arena *a, const char *const *ids, size_t n,
                   struct kept_issue **out, size_t *count, struct err *err)
{
    struct db_param params[ISSUES_MAX];
    struct db_rows *rows;
    int rc;

    *out = arena_array(a, ISSUES_MAX, sizeof **out);
    *count = 0;
    for (size_t i = 0; i < ISSUES_MAX; i++)
        params[i] = (struct db_param){.type = 'S', .s = i < n ? ids[i] : NULL};
    rows = db_query_n(
        db, err,
        "SELECT read_us, doc FROM linear_issue WHERE issue_id IN (" PLACES_50 ")", params,
        ISSUES_MAX);
    rc = rows ? 1 : -1;
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        if (*count < ISSUES_MAX && read_kept(rows, a, &(*out)[*count], err) == 0)
            ++*count;
    }
    db_close(rows);
    return rc;
}

int issue_keep(struct db *db, const struct linear_issue *issues, size_t n, int64_t now_us,
               struct err *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < n; i++) {
        json_t *doc = linear_issue_to_json(&issues[i]);
        char *text = doc ? json_dumps(doc, JSON_COMPACT) : NULL;

        json_decref(doc);
        if (text == NULL)
            return err_set(err, ERR_INTERNAL, "an issue cannot be written as JSON");
        rc = db_exec(db, NULL, err,
                     "INSERT INTO linear_issue (issue_id, read_us, doc) VALUES (?, ?, ?) "
                     "ON DUPLICATE KEY UPDATE read_us = VALUES(read_us), doc = "
                     "VALUES(doc)",
                     "sis", issues[i].id, now_us, text);
        free(text);
    }
    return rc;
}
