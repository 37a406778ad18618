/*
 * A message cut into runs for the page: plain text, decoded phrases, times, sandbox ids. Pure.
 */
#ifndef CASEBOOK_TICKET_MARKS_H
#define CASEBOOK_TICKET_MARKS_H

#include "ticket/phrase.h"
#include "ticket/window.h"

enum run_kind { RUN_TEXT, RUN_PHRASE, RUN_TIME, RUN_SANDBOX };

struct run {
    enum run_kind kind;
    const char *text;            /* in the arena */
    const struct phrase *phrase; /* RUN_PHRASE */
    struct time_hit time;        /* RUN_TIME */
    const char
        *sandbox_id; /* RUN_SANDBOX: without a client id behind a dash (e2b.md 1.3) */
};

/* At most 200 marks a message. Phrases win over times, these over ids. */
struct run *marks_runs(const struct phrase_set *phrases, const struct time_reader *times,
                       struct arena *a, const char *text, int64_t written_us, size_t *n);

#endif
