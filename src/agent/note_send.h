/* Posting the internal note of one ticket, exactly once as seen from outside. */
#ifndef CASEBOOK_AGENT_NOTE_SEND_H
#define CASEBOOK_AGENT_NOTE_SEND_H

#include "agent/agent.h"
#include "model/investigation.h"
#include "model/note.h"

struct tries {
    bool is_last;    /* what cannot be done now is given up */
    bool is_too_old; /* not even a wait that the service asked for is taken any more */
};

/*
 * Post the note, which is prepared or unknown, or find that it was posted. Ends with it in a final state (posted,
 * closed, gone, failed; unknown at the last try) and 0; -1 to be repeated later (err.retry_after_us), or with
 * ERR_CONFLICT when the investigation is another worker's now.
 */
int note_send(struct agent *ag, struct arena *a, struct investigation *inv,
              struct note *note, const struct tries *tries, struct err *err);

/* ---- the decision after an unknown outcome; pure ---- */

enum note_step {
    NOTE_STEP_WAIT, /* it may have arrived, unseen: look again later */
    NOTE_STEP_SAME, /* send it with the stamp that it had: were it there, that would be refused */
    NOTE_STEP_FRESH, /* it is certain that it is not there, and never will be: a new stamp */
};

struct note_sight {   /* its marker was not among the ticket's audits */
    const char *sent; /* the stamp with which it was sent; "": not known */
    const char *now;  /* the ticket's stamp now */
    int64_t changed_us, newest_audit_us; /* of the ticket; TS_NONE: no audit */
    int64_t now_us;
    bool was_refused; /* 409: it is not under way any more */
    int looks;        /* how often it was looked for before */
};

enum note_step note_next_step(const struct note_sight *s);

#endif
