/* The internal note of one (investigation, ticket): at most one is ever posted. */
#ifndef CASEBOOK_MODEL_NOTE_H
#define CASEBOOK_MODEL_NOTE_H

#include <stdint.h>

enum note_state {
    NOTE_NONE,     /* there is no ticket, or it is not due yet */
    NOTE_PREPARED, /* text stored, not sent */
    NOTE_POSTED,
    NOTE_UNKNOWN, /* sent, outcome not known: looked for before it is sent again */
    NOTE_FAILED,  /* the service refused; `error` says why */
    NOTE_CLOSED,  /* the ticket is closed: no note can be added */
    NOTE_GONE,    /* the ticket was deleted or is not visible */
    NOTE_STATE_COUNT
};

struct note {
    const char *marker; /* random UUID, in ticket.metadata (zendesk.md 6.5) */
    int64_t investigation_id;
    int64_t ticket_id;
    enum note_state state;
    const char *html; /* the exact body sent */
    int64_t audit_id; /* 0: none */
    int64_t comment_id;
    const char *stamp; /* the ticket's, with which it was last sent; "" */
    int64_t sent_us;   /* TS_NONE: never */
    int64_t prepared_us, posted_us;
    const char *error;
};

const char *note_state_name(enum note_state s);
int note_state_parse(const char *name, enum note_state *out);

#endif
