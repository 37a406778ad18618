/*
 * The ledger as the sandbox search reads it: all sandboxes of a customer in short, from one index; then
 * the few that are shown, a batch at a time. Nothing here costs more for other customers' rows.
 */
#ifndef CASEBOOK_STORE_ST_LEDGER_SEARCH_H
#define CASEBOOK_STORE_ST_LEDGER_SEARCH_H

#include "model/sandbox.h"
#include "store/db.h"
#include "store/st_ledger.h"

struct arena;

/* A sandbox with a tag, in short: what order, filters and counts need. */
struct ledger_seek {
    const char *sandbox_id, *template_id;
    int64_t first_start_us, last_start_us;
    int64_t end_us; /* of the last execution; TS_NONE: open, or not known */
    enum sandbox_state state;
    size_t spelling; /* which of the spellings it holds, or LEDGER_SPELLING_OTHER */
};

#define LEDGER_SPELLINGS_MAX 64 /* that are kept apart */
#define LEDGER_SPELLING_OTHER SIZE_MAX

struct ledger_seeks {
    struct ledger_seek *items; /* newest start first */
    size_t count, cap;
    const char **spellings; /* of the value, as recorded */
    size_t spelling_count, spelling_cap;
    bool is_cut; /* there are more than the limit */
};

/*
 * All sandboxes whose tag `key` is `value` but for case and for blanks, tabs and newlines around it. At
 * most limit of them, the newest.
 */
int ledger_seek(struct db *db, struct arena *a, const char *key, const char *value,
                size_t limit, struct ledger_seeks *out, struct err *err);

#define LEDGER_BATCH 100

/*
 * Those of n ids (at most LEDGER_BATCH, else ERR_INPUT) that are on record, in no order: with their tags and
 * runs, without their size. template_alias may be learnt from another sandbox of that template.
 */
int ledger_rows(struct db *db, struct arena *a, const char *const *ids, size_t n,
                struct ledger_row **out, size_t *count, struct err *err);

/* Names of templates (key: the id, value: the name), as far as known; at most LEDGER_BATCH ids. */
int ledger_template_names(struct db *db, struct arena *a, const char *const *ids,
                          size_t n, struct tag **out, size_t *count, struct err *err);

#endif
