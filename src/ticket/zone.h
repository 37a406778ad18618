/*
 * Time zones as people name them: abbreviations and cities. Offsets and the rules of summer time stand in one
 * table, as of 2026; a customer's words name a zone, not a moment in history. Pure.
 */
#ifndef CASEBOOK_TICKET_ZONE_H
#define CASEBOOK_TICKET_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sbuf;

/*
 * Minutes east of UTC of the zone with this name (case ignored) at a local wall-clock time given as if it were
 * UTC. 0, or -1 when the name is not known.
 */
int zone_offset(const char *name, int64_t local_us, int64_t *minutes);

/* The names as alternatives of a regular expression, longest first. */
void zone_pattern(struct sbuf *sb, bool cities);

#endif
