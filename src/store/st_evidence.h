/*
 * The kept evidence of an investigation: packing with zlib and the rows it is kept in. Inside of
 * store; callers use inv_save_collected() and inv_evidence() of st_investigation.h.
 */
#ifndef CASEBOOK_STORE_ST_EVIDENCE_H
#define CASEBOOK_STORE_ST_EVIDENCE_H

#include "store/db.h"

#define EVIDENCE_TEXT_MAX ((size_t)256 << 20)

struct packed {
    unsigned char *bytes;
    size_t n;
    size_t text_n; /* before packing */
};

/* Done before the transaction: it takes time. ERR_INPUT when the text is larger than the bound. */
int evidence_pack(const char *text, size_t n, struct packed *out, struct err *err);
void evidence_pack_release(struct packed *p);

/* Replaces what is kept for the investigation. Inside of the caller's transaction. */
int evidence_keep(struct db *db, int64_t inv_id, const struct packed *p, int64_t now_us,
                  struct err *err);

#endif
