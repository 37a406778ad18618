/* The internal notes: one per (investigation, ticket), held by the schema. */
#ifndef CASEBOOK_STORE_ST_NOTE_H
#define CASEBOOK_STORE_ST_NOTE_H

#include "model/note.h"
#include "store/db.h"

struct arena;

/* The note of this pair, made in state prepared with this marker and html when there is none yet; an
   existing one is given back as it is. */
int note_prepare(struct db *db, struct arena *a, int64_t inv_id, int64_t ticket_id,
                 const char *marker, const char *html, int64_t now_us, struct note *out,
                 struct err *err);
int note_get(struct db *db, struct arena *a, int64_t inv_id, struct note *out,
             struct err *err); /* the investigation's own ticket; ERR_NOTFOUND */
/* Legal: prepared|unknown|failed -> posted|unknown|failed|closed|gone|prepared. */
int note_set(struct db *db, const char *marker, enum note_state state, int64_t audit_id,
             int64_t comment_id, const char *error, int64_t now_us, struct err *err);
/* A person asks to post it again: failed -> prepared (unknown stays, to be looked for first), and the investigation back to `filed` so that the
   agent does it. ERR_CONFLICT when there is nothing to repeat. */
int note_retry(struct db *db, int64_t inv_id, int64_t now_us, struct err *err);

#endif
