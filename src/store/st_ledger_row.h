/*
 * Inside of the ledger: from the facts about one sandbox to its row, and the texts of the row's columns.
 * Pure, and independent of the order in which the facts came in.
 */
#ifndef CASEBOOK_STORE_ST_LEDGER_ROW_H
#define CASEBOOK_STORE_ST_LEDGER_ROW_H

#include "store/st_ledger.h"

struct ledger_sighting { /* what the list said, and from when to when it said so */
    int64_t started_us, ends_us;
    enum sandbox_state state;
    int64_t first_us, last_us;
};

struct ledger_facts {
    const char *sandbox_id;
    bool has_sighting;
    struct sandbox sighting; /* the newest */
    int64_t sighted_us;      /* TS_NONE: never listed */
    int64_t gone_us;         /* a complete list of this moment was without it; TS_NONE */
    const struct event *events; /* oldest first, unique */
    size_t event_count;
    /* By start, then by first_us; only while there are no events. */
    const struct ledger_sighting *sightings;
    size_t sighting_count;
};

void ledger_derive(struct arena *a, const struct ledger_facts *f, int64_t now_us,
                   struct ledger_row *out);

const char *
ledger_state_name(enum sandbox_state s); /* "running", "paused", "ended", "other" */
enum sandbox_state ledger_state_parse(const char *name);

/* Tags as the text of a JSON object, in the arena, and back. */
char *ledger_tags_text(struct arena *a, const struct tag *tags, size_t n);
const struct tag *ledger_tags_parse(struct arena *a, const char *text, size_t *n);

/* runs and source as JSON text, in the arena, and back; "" gives no runs. */
char *ledger_record_text(struct arena *a, const struct ledger_row *row);
void ledger_record_parse(struct arena *a, const char *text, struct ledger_row *row);

#endif
