/*
 * Inside of the ledger: from the facts about one sandbox to its row. Pure, and independent of the order
 * in which the facts came in.
 */
#ifndef CASEBOOK_STORE_ST_LEDGER_ROW_H
#define CASEBOOK_STORE_ST_LEDGER_ROW_H

#include "store/st_ledger.h"

struct ledger_facts {
    const char *sandbox_id;
    bool has_sighting;
    struct sandbox sighting;
    int64_t sighted_us; /* TS_NONE: never listed */
    int64_t gone_us;    /* a complete list of this moment was without it; TS_NONE */
    const struct event *events; /* oldest first, unique */
    size_t event_count;
};

void ledger_derive(struct arena *a, const struct ledger_facts *f, int64_t now_us,
                   struct ledger_row *out);

const char *
ledger_state_name(enum sandbox_state s); /* "running", "paused", "ended", "other" */
enum sandbox_state ledger_state_parse(const char *name);

/* Tags as the text of a JSON object, in the arena, and back. */
char *ledger_tags_text(struct arena *a, const struct tag *tags, size_t n);
const struct tag *ledger_tags_parse(struct arena *a, const char *text, size_t *n);

#endif
