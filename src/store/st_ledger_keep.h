/*
 * Inside of the ledger: rows of sandboxes brought up to date after facts came in. All are called inside
 * of a transaction, with at most LEDGER_KEEP_MAX ids in their order, each once.
 */
#ifndef CASEBOOK_STORE_ST_LEDGER_KEEP_H
#define CASEBOOK_STORE_ST_LEDGER_KEEP_H

#include "model/sandbox.h"
#include "store/db.h"

struct arena;

#define LEDGER_KEEP_MAX 100

/* An id that fits its column; facts about others are left out. */
bool ledger_id_fits(const char *id);

/*
 * How many of n rows go into one transaction, given the bytes that their tags have: at least one, at most
 * LEDGER_KEEP_MAX, and not more than fits a statement and memory even when the tags are as long as can be.
 */
size_t ledger_batch_size(const size_t *tag_bytes, size_t n);
size_t ledger_tag_bytes(const struct tag *tags, size_t n);

/* Texts as a JSON array, in the arena: for JSON_TABLE, with which one statement does for many rows. */
char *ledger_texts_json(struct arena *a, const char *const *texts, size_t n);

/* Make sure of the rows, and lock them. */
int ledger_lock(struct db *db, const char *const *ids, size_t n, struct err *err);

/* Derive the rows from all their facts, and store them with their tags. They are locked. */
int ledger_keep(struct db *db, const char *const *ids, size_t n, int64_t now_us,
                struct err *err);

#endif
