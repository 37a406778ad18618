/*
 * The one write to Zendesk: an internal note, always `"public": false` (zendesk.md section 6).
 * In libupstream_write.a, which only casebook-agent and the tool link.
 */
#ifndef CASEBOOK_UPSTREAM_ZENDESK_WRITE_H
#define CASEBOOK_UPSTREAM_ZENDESK_WRITE_H

#include "upstream/zendesk.h"

enum zendesk_note_result {
    ZNOTE_POSTED,
    ZNOTE_CLOSED, /* the ticket is closed: 422, read again and sure */
    ZNOTE_GONE,   /* 404 */
    ZNOTE_CONFLICT, /* 409: changed meanwhile; look for the marker, then take the new stamp */
    ZNOTE_REFUSED, /* another definite no; err has the service's words */
    ZNOTE_LATER,   /* nothing was done: 429, or no connection; err.retry_after_us */
    ZNOTE_UNKNOWN /* may have arrived (cut, time-out, any 5xx, unreadable answer): look for the
                       marker before sending again, then with the same stamp (6.5) */
};

struct zendesk_note_reply {
    enum zendesk_note_result result;
    int64_t audit_id, comment_id;
    bool was_public; /* the audit says public: an alarm */
    struct err err;
};

/* PUT /tickets/{id}: comment html (public false), metadata {"casebook_note": marker}, safe_update with
   the stamp. Blocks until the answer or the deadline. ZNOTE_REFUSED without sending anything when
   html has 60,000 bytes or more, or the stamp or the marker is missing. */
void zendesk_note_put(struct zendesk *z, struct arena *a, int64_t ticket_id,
                      const char *html, const char *marker, const char *updated_stamp,
                      int64_t deadline_us, struct zendesk_note_reply *out);

/*
 * Look for our marker in the ticket's newest audits, back to since_us (and five minutes more, for
 * clocks that differ).
 * 0 and *out; -1 with err when the audits could not be read (then nothing is known).
 */
struct zendesk_note_seen {
    bool found;
    int64_t audit_id;
    int64_t newest_us; /* of the audits: so far do they tell; TS_NONE: there are none */
};
int zendesk_note_find(struct zendesk *z, struct arena *a, int64_t ticket_id,
                      const char *marker, int64_t since_us, int64_t deadline_us,
                      struct zendesk_note_seen *out, struct err *err);

#endif
