/*
 * MariaDB through prepared statements (Connector/C). One connection a process, made anew at the start
 * of a unit of work when it was lost, never inside a transaction.
 *
 * Parameters and columns are bound by a format string, one letter each:
 *   i  int64_t            I  int64_t, TS_NONE is NULL
 *   s  const char *       S  const char *, NULL or "" is NULL      b  const void *, size_t
 * db.c hides MYSQL_STMT; SQL text is a literal next to the function that runs it.
 */
#ifndef CASEBOOK_STORE_DB_H
#define CASEBOOK_STORE_DB_H

#include "base/err.h"
#include "sys/conf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct db;
struct db_rows;

/* Does not connect yet. */
struct db *db_new(const struct conf *conf);
void db_free(struct db *db);
/* For migrations: statements may take as long as they need (otherwise 30 s). To be called before the
   first db_ready. */
void db_set_patient(struct db *db);

/* Connect when not connected, or when the connection died; cheap otherwise. To be called at the start
   of each request or stage. ERR_DB when MariaDB cannot be reached. */
int db_ready(struct db *db, struct err *err);

int db_begin(struct db *db, struct err *err);
int db_commit(struct db *db, struct err *err);
void db_rollback(struct db *db); /* harmless without a transaction */

/*
 * Run body(db, ctx, err) inside a transaction; deadlocks (1213, 1205 with rollback, and a Galera
 * conflict at commit) are retried up to 5 times with a small growing pause. body must be repeatable.
 * Its failure rolls back.
 */
int db_transaction(struct db *db, int (*body)(struct db *db, void *ctx, struct err *err),
                   void *ctx, struct err *err);

/* INSERT, UPDATE, DELETE. *affected may be NULL. A duplicate key is ERR_CONFLICT. */
int db_exec(struct db *db, int64_t *affected, struct err *err, const char *sql,
            const char *params, ...);
int64_t db_last_id(const struct db *db);

/* SELECT. Rows are fetched as they are asked for; close in every case (NULL is fine). At most one open
   result a connection. */
struct db_rows *db_query(struct db *db, struct err *err, const char *sql,
                         const char *params, ...);
/* The same with parameters in an array, for lists of values. */
struct db_param {
    char type; /* a letter as above; b: s and n */
    int64_t i;
    const void *s;
    size_t n;
};
#define DB_MAX_PARAMS 224
struct db_rows *db_query_n(struct db *db, struct err *err, const char *sql,
                           const struct db_param *params, size_t n);
/* 1: a row is there; 0: the end; -1: failed. */
int db_next(struct db_rows *rows, struct err *err);
void db_close(struct db_rows *rows);
/* Columns of the current row, from 0. */
int64_t db_i64(const struct db_rows *rows, unsigned col, int64_t if_null);
char *db_str(const struct db_rows *rows, unsigned col, struct arena *a); /* NULL as "" */
const void *db_blob(const struct db_rows *rows, unsigned col,
                    size_t *n); /* until the next row */
bool db_is_null(const struct db_rows *rows, unsigned col);

/* A copy of s (NULL is "") cut at a character so that it fits a column of `max` characters. For texts
   that are shown; what identifies something is refused by MariaDB when it is too long (ERR_INPUT). */
char *db_fit(struct arena *a, const char *s, size_t max);

#endif
