/* Numbered migrations: sql/NNNN_name.sql, forward only, each once, under GET_LOCK. */
#ifndef CASEBOOK_STORE_MIGRATE_H
#define CASEBOOK_STORE_MIGRATE_H

#include "store/db.h"

/* The number of the newest migration this program knows; programs refuse to start on an older one. */
#define SCHEMA_VERSION 34

/* Apply what is missing from the folder; tell(line) for each one applied. */
int migrate_run(struct db *db, const char *folder, int64_t now_us,
                void (*tell)(const char *line), struct err *err);
/* 0 when the schema is SCHEMA_VERSION or newer; else ERR_DB with "run: casebook migrate". */
int migrate_check(struct db *db, struct err *err);

#endif
