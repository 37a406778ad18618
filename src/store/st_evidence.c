/*
 * Kept evidence. It is written in parts, so that neither the server's max_allowed_packet nor a
 * cluster's write set has to be as large as the largest case.
 */
#include "store/st_evidence.h"
#include "base/arena.h"
#include "base/xalloc.h"
#include "store/st_investigation.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/banned.h"

#define PART_BYTES ((size_t)1 << 20)

int evidence_pack(const char *text, size_t n, struct packed *out, struct err *err)
{
    uLongf packed_n;

    if (n > EVIDENCE_TEXT_MAX)
        return err_set(err, ERR_INPUT, "evidence of %zu bytes is too large to be kept",
                       n);
    packed_n = compressBound((uLong)n);
    out->bytes = xmalloc(packed_n);
    out->text_n = n;
    if (compress2(out->bytes, &packed_n, (const Bytef *)text, (uLong)n,
                  Z_DEFAULT_COMPRESSION) != Z_OK)
        BUG("zlib cannot compress %zu bytes", n);
    out->n = packed_n;
    return 0;
}

void evidence_pack_release(struct packed *p)
{
    free(p->bytes);
    p->bytes = NULL;
}

static int keep_parts(struct db *db, int64_t inv_id, const struct packed *p,
                      struct err *err)
{
    int64_t part = 0;

    for (size_t at = 0; at < p->n; at += PART_BYTES) {
        size_t n = p->n - at < PART_BYTES ? p->n - at : PART_BYTES;

        if (db_exec(db, NULL, err,
                    "INSERT INTO evidence_part (investigation_id, part, body) VALUES (?, "
                    "?, ?)",
                    "iib", inv_id, part++, (const void *)(p->bytes + at), n))
            return -1;
    }
    return 0;
}

int evidence_keep(struct db *db, int64_t inv_id, const struct packed *p, int64_t now_us,
                  struct err *err)
{
    if (db_exec(db, NULL, err, "DELETE FROM evidence WHERE investigation_id = ?", "i",
                inv_id))
        return -1;
    if (db_exec(db, NULL, err,
                "INSERT INTO evidence (investigation_id, bytes, packed_bytes, kept_us) "
                "VALUES (?, ?, ?, ?)",
                "iiii", inv_id, (int64_t)p->text_n, (int64_t)p->n, now_us))
        return -1;
    return keep_parts(db, inv_id, p, err);
}

/* The sizes as written beside the parts; ERR_NOTFOUND when nothing is kept. */
static int read_sizes(struct db *db, int64_t id, struct packed *out, struct err *err)
{
    struct db_rows *rows = db_query(
        db, err, "SELECT bytes, packed_bytes FROM evidence WHERE investigation_id = ?",
        "i", id);
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1) {
        out->text_n = (size_t)db_i64(rows, 0, 0);
        out->n = (size_t)db_i64(rows, 1, 0);
    }
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "investigation %lld has no kept evidence",
                (long long)id);
    if (rc == 1 &&
        (out->text_n > EVIDENCE_TEXT_MAX || out->n > compressBound(EVIDENCE_TEXT_MAX)))
        return err_set(err, ERR_DB, "the evidence of investigation %lld is damaged",
                       (long long)id);
    return rc == 1 ? 0 : -1;
}

static int read_parts(struct db *db, int64_t id, struct packed *out, struct err *err)
{
    struct db_rows *rows = db_query(
        db, err,
        "SELECT body FROM evidence_part WHERE investigation_id = ? ORDER BY part", "i",
        id);
    int rc = rows ? 1 : -1;
    size_t at = 0;

    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        size_t n;
        const void *body = db_blob(rows, 0, &n);

        if (n > out->n - at)
            rc = err_set(err, ERR_DB, "the evidence of investigation %lld is damaged",
                         (long long)id);
        else
            memcpy(out->bytes + at, body, n);
        at += n;
    }
    db_close(rows);
    if (rc == 0 && at != out->n)
        rc = err_set(err, ERR_DB, "the evidence of investigation %lld is not complete",
                     (long long)id);
    return rc;
}

int inv_evidence(struct db *db, struct arena *a, int64_t id, const char **json, size_t *n,
                 struct err *err)
{
    struct packed p = {.bytes = NULL};
    uLongf text_n;
    char *text;

    if (read_sizes(db, id, &p, err))
        return -1;
    p.bytes = xmalloc(p.n);
    if (read_parts(db, id, &p, err)) {
        evidence_pack_release(&p);
        return -1;
    }
    text = arena_alloc(a, p.text_n + 1);
    text_n = (uLongf)p.text_n;
    if (uncompress((Bytef *)text, &text_n, p.bytes, (uLong)p.n) != Z_OK ||
        text_n != p.text_n) {
        evidence_pack_release(&p);
        return err_set(err, ERR_DB, "the evidence of investigation %lld is damaged",
                       (long long)id);
    }
    evidence_pack_release(&p);
    *json = text;
    *n = p.text_n;
    return 0;
}
