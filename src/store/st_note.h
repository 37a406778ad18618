/*
 * The internal notes: one per (investigation, ticket), held by the schema. What a worker writes names its
 * investigation: ERR_CONFLICT, and nothing changed, when it does not hold that any more.
 */
#ifndef CASEBOOK_STORE_ST_NOTE_H
#define CASEBOOK_STORE_ST_NOTE_H

#include "model/investigation.h"
#include "model/note.h"
#include "store/db.h"

struct arena;

/* ERR_NOTFOUND when there is none (yet). */
int note_get(struct db *db, struct arena *a, int64_t inv_id, int64_t ticket_id,
             struct note *out, struct err *err);
/* One for each ticket of the investigation, its own first, then the further ones in the order in which they
   were asked for: NOTE_NONE (marker "") where no text has been stored yet. */
int note_list(struct db *db, struct arena *a, int64_t inv_id, struct note **out,
              size_t *n, struct err *err);

/* The note of this pair, made in state prepared with this marker and html when there is none yet; an
   existing one is given back as it is. */
int note_prepare(struct db *db, struct arena *a, const struct investigation *inv,
                 int64_t ticket_id, const char *marker, const char *html, int64_t now_us,
                 struct note *out, struct err *err);

/* To be called before it is sent: unknown from now on, and with which stamp of the ticket. */
int note_sending(struct db *db, const struct investigation *inv, const char *marker,
                 const char *stamp, int64_t now_us, struct err *err);

struct note_result {
    enum note_state state;
    int64_t audit_id, comment_id; /* of a posted one */
    const char *error;            /* in words; NULL or "": none */
};
/* Legal: prepared|unknown|failed -> posted|unknown|failed|closed|gone|prepared. */
int note_set(struct db *db, const struct investigation *inv, const char *marker,
             const struct note_result *result, int64_t now_us, struct err *err);

/* A person asks to post it again (ticket_id 0: whichever failed): failed -> prepared (unknown stays, to be looked for first), and the
   investigation back to `filed` so that the agent does it. ERR_CONFLICT when there is nothing to repeat. */
int note_retry(struct db *db, int64_t inv_id, int64_t ticket_id, const char *by,
               int64_t now_us, struct err *err);

#endif
