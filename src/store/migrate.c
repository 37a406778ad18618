/*
 * Numbered migrations: sql/NNNN_name.sql, forward only.
 *
 * MariaDB commits DDL by itself, so a file is one small step that may be repeated: when the process
 * dies between the step and its record, the next run does the step again. What was applied is recorded
 * with the digest of its file; a file that was changed afterwards is refused. GET_LOCK keeps two runs
 * on one server apart; on a cluster, where it does not, repeating is harmless and the record is made by
 * whoever comes first.
 */
#include "store/migrate.h"
#include "base/arena.h"
#include "base/digest.h"
#include "base/num.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define FILE_MAX ((size_t)64 << 10)
#define NUMBER_DIGITS 4
#define LOCK_WAIT_S 120 /* as in the GET_LOCK below */

struct step {
    int64_t number;
    const char *name; /* of the file, without folder */
    char *sql;
    char digest[DIGEST_HEX_SIZE];
    bool is_applied;
};

struct steps {
    struct arena arena;
    const char *folder;
    struct step *items; /* by number */
    size_t count, cap;
};

/* ---- the folder ---- */

static bool has_end(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n >= m && strcmp(s + n - m, end) == 0;
}

/* "0007_add_x.sql" gives 7; 0 for another form. */
static int64_t number_of(struct arena *a, const char *name)
{
    int64_t n;

    if (strlen(name) <= NUMBER_DIGITS || name[NUMBER_DIGITS] != '_' ||
        parse_i64(arena_strn(a, name, NUMBER_DIGITS), 1, 9999, &n))
        return 0;
    return n;
}

static int read_file(struct steps *s, struct step *step, struct err *err)
{
    const char *path = arena_fmt(&s->arena, "%s/%s", s->folder, step->name);
    char *buf = arena_alloc(&s->arena, FILE_MAX + 1);
    uint8_t digest[DIGEST_SIZE];
    FILE *f = fopen(path, "rbe");
    size_t n;
    bool is_bad;

    if (f == NULL)
        return err_set(err, ERR_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    n = fread(buf, 1, FILE_MAX, f);
    is_bad = ferror(f) || n == FILE_MAX || memchr(buf, '\0', n) != NULL;
    fclose(f);
    if (is_bad)
        return err_set(err, ERR_INPUT, "%s: cannot be read, or is no text below 64 KiB",
                       path);
    digest_sha256(buf, n, digest);
    digest_hex(digest, step->digest);
    step->sql = buf;
    return 0;
}

static int add_file(struct steps *s, const char *name, struct err *err)
{
    struct step *step;

    if (name[0] == '.' || !has_end(name, ".sql"))
        return 0;
    s->items = arena_grow(&s->arena, s->items, s->count, &s->cap, sizeof(*s->items));
    step = &s->items[s->count++];
    *step = (struct step){.number = number_of(&s->arena, name),
                          .name = arena_str(&s->arena, name)};
    if (step->number == 0)
        return err_set(err, ERR_INPUT, "%s/%s: a migration is named NNNN_name.sql",
                       s->folder, name);
    return read_file(s, step, err);
}

static int by_number(const void *a, const void *b)
{
    const struct step *x = a, *y = b;

    return x->number < y->number ? -1 : x->number > y->number;
}

/* Numbers run from 1 without a gap, up to what this program was built for at least. */
static int check_numbers(const struct steps *s, struct err *err)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].number != (int64_t)i + 1)
            return err_set(err, ERR_INPUT,
                           "%s: migration %04zu is missing or there twice", s->folder,
                           i + 1);
    if (s->count < SCHEMA_VERSION)
        return err_set(
            err, ERR_INPUT,
            "%s: has migrations up to %zu, this program needs %d: are they of one "
            "release?",
            s->folder, s->count, SCHEMA_VERSION);
    return 0;
}

static int read_folder(struct steps *s, struct err *err)
{
    DIR *dir = opendir(s->folder);
    struct dirent *entry;
    int rc = 0;

    if (dir == NULL)
        return err_set(err, ERR_INPUT, "%s: cannot be opened: %s", s->folder,
                       strerror(errno));
    while (rc == 0 && (entry = readdir(dir)) != NULL)
        rc = add_file(s, entry->d_name, err);
    closedir(dir);
    if (rc != 0)
        return -1;
    if (s->count > 0)
        qsort(s->items, s->count, sizeof(*s->items), by_number);
    return check_numbers(s, err);
}

/* ---- the record ---- */

static int make_record(struct db *db, struct err *err)
{
    return db_exec(
        db, NULL, err,
        "CREATE TABLE IF NOT EXISTS schema_migration ("
        "number INT NOT NULL, name VARCHAR(255) NOT NULL, digest CHAR(64) NOT NULL, "
        "applied_us BIGINT NOT NULL, PRIMARY KEY (number)"
        ") ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
        "");
}

static int compare_record(struct steps *s, const struct db_rows *rows, struct err *err)
{
    int64_t number = db_i64(rows, 0, 0);
    const char *name = db_str(rows, 1, &s->arena);
    struct step *step;

    /* A newer release has been here: its steps are none of ours. */
    if (number < 1 || number > (int64_t)s->count)
        return 0;
    step = &s->items[number - 1];
    if (strcmp(step->name, name) != 0)
        return err_set(err, ERR_INPUT, "%s/%s: number %lld was applied as %s", s->folder,
                       step->name, (long long)number, name);
    if (strcmp(step->digest, db_str(rows, 2, &s->arena)) != 0)
        return err_set(
            err, ERR_INPUT,
            "%s/%s: was changed after it was applied; add a new migration instead",
            s->folder, step->name);
    step->is_applied = true;
    return 0;
}

static int read_record(struct db *db, struct steps *s, struct err *err)
{
    struct db_rows *rows = db_query(
        db, err, "SELECT number, name, digest FROM schema_migration ORDER BY number", "");
    int rc = rows ? 1 : -1;

    while (rc == 1) {
        rc = db_next(rows, err);
        if (rc == 1 && compare_record(s, rows, err))
            rc = -1;
    }
    db_close(rows);
    return rc;
}

/* ---- applying ---- */

/* Cuts the first statement off: it ends with ';' at the end of a line. Comment lines (--) are
   dropped. NULL when there is none left. */
static char *next_statement(struct arena *a, char **rest)
{
    char *out = arena_str(a, "");

    while (**rest != '\0') {
        char *line = *rest, *end = strchr(line, '\n');

        *rest = end ? end + 1 : line + strlen(line);
        line = text_trim(a, arena_strn(a, line, (size_t)(*rest - line)));
        if (*line == '\0' || text_starts(line, "--"))
            continue;
        out = arena_fmt(a, "%s%s\n", out, line);
        if (has_end(line, ";"))
            break;
    }
    return *out != '\0' ? out : NULL;
}

static int apply_step(struct db *db, struct steps *s, const struct step *step,
                      int64_t now_us, struct err *err)
{
    char *rest = arena_str(&s->arena, step->sql);
    char *sql;

    while ((sql = next_statement(&s->arena, &rest)) != NULL)
        if (db_exec(db, NULL, err, sql, ""))
            return err_ctx(err, "%s", step->name);
    if (db_exec(db, NULL, err,
                "INSERT INTO schema_migration (number, name, digest, applied_us) "
                "VALUES (?, ?, ?, ?)",
                "issi", step->number, step->name, step->digest, now_us) &&
        err->kind != ERR_CONFLICT)
        return err_ctx(err, "%s", step->name);
    return 0;
}

static int apply_missing(struct db *db, struct steps *s, int64_t now_us,
                         void (*tell)(const char *line), struct err *err)
{
    if (make_record(db, err) || read_record(db, s, err))
        return -1;
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].is_applied)
            continue;
        if (apply_step(db, s, &s->items[i], now_us, err))
            return -1;
        if (tell != NULL)
            tell(arena_fmt(&s->arena, "applied %s", s->items[i].name));
    }
    return 0;
}

/* The only value of a result, which is closed; rows may be NULL, err is set then. */
static int take_number(struct db_rows *rows, int64_t *out, struct err *err)
{
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        *out = db_i64(rows, 0, 0);
    db_close(rows);
    return rc == 1 ? 0 : -1;
}

static int one_number(struct db *db, const char *sql, int64_t *out, struct err *err)
{
    return take_number(db_query(db, err, sql, ""), out, err);
}

static int apply_locked(struct db *db, struct steps *s, int64_t now_us,
                        void (*tell)(const char *line), struct err *err)
{
    struct err ignored = ERR_INIT;
    int64_t got = 0;
    int rc;

    if (one_number(db, "SELECT GET_LOCK(CONCAT('casebook.migrate.', DATABASE()), 120)",
                   &got, err))
        return -1;
    if (got != 1)
        return err_set(err, ERR_DB,
                       "database: another migration has been running for %d s",
                       LOCK_WAIT_S);
    rc = apply_missing(db, s, now_us, tell, err);
    one_number(db, "SELECT RELEASE_LOCK(CONCAT('casebook.migrate.', DATABASE()))", &got,
               &ignored);
    return rc;
}

int migrate_run(struct db *db, const char *folder, int64_t now_us,
                void (*tell)(const char *line), struct err *err)
{
    struct steps s = {.folder = folder};
    int rc;

    arena_init(&s.arena);
    db_set_patient(db);
    rc = read_folder(&s, err);
    if (rc == 0)
        rc = db_ready(db, err);
    if (rc == 0)
        rc = apply_locked(db, &s, now_us, tell, err);
    arena_release(&s.arena);
    return rc;
}

static int count_applied(struct db *db, int64_t *count, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err, "SELECT COUNT(*) FROM schema_migration WHERE number <= ?", "i",
                 (int64_t)SCHEMA_VERSION);

    return take_number(rows, count, err);
}

static int has_record(struct db *db, int64_t *count, struct err *err)
{
    return one_number(
        db,
        "SELECT COUNT(*) FROM information_schema.tables "
        "WHERE table_schema = DATABASE() AND table_name = 'schema_migration'",
        count, err);
}

int migrate_check(struct db *db, struct err *err)
{
    int64_t count = 0;

    if (db_ready(db, err) || has_record(db, &count, err))
        return -1;
    if (count > 0 && count_applied(db, &count, err))
        return -1;
    if (count >= SCHEMA_VERSION)
        return 0;
    return err_set(err, ERR_DB,
                   "the database has %lld of %d migrations; run: casebook migrate",
                   (long long)count, SCHEMA_VERSION);
}
