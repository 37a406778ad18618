/*
 * Times in a conversation, and the complaint windows they suggest. Pure; English.
 *
 * A time of day without a date means the day of the message, or the day before where that would lie in
 * the future of the message. A time without a zone is taken as UTC, and the proposal says so.
 */
#ifndef CASEBOOK_TICKET_WINDOW_H
#define CASEBOOK_TICKET_WINDOW_H

#include "model/ticket.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct time_reader; /* compiled patterns */

struct time_hit {
    size_t start, len;      /* bytes in the text */
    int64_t from_us, to_us; /* what was said: a moment (equal), or a span */
    bool is_exact;          /* with seconds: from a log rather than from memory */
    bool zone_said;
};

struct window_proposal {
    int64_t from_us, to_us;
    const char *quote;  /* the words it came from; "" for the creation time */
    const char *reason; /* "Priya wrote …", in words, with the zone said or assumed */
    int64_t comment_id; /* 0: from the creation time */
};

#define WINDOW_MAX_HITS 40
#define WINDOW_MAX_PROPOSALS 6

struct time_reader *time_reader_new(void);
void time_reader_free(struct time_reader *r);

/* Times in one message written at written_us, in the order of the text, which is valid UTF-8. None when
   written_us is TS_NONE. */
struct time_hit *time_find(const struct time_reader *r, struct arena *a, const char *text,
                           int64_t written_us, size_t *n);

/* Best first: spans said by the customer, then moments, then the hour before the ticket came. */
struct window_proposal *window_propose(const struct time_reader *r, struct arena *a,
                                       const struct ticket *t,
                                       const struct comment *comments,
                                       size_t comment_count, size_t *n);

#endif
