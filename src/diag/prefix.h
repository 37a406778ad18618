/* What log collectors put around a line. */
#ifndef CASEBOOK_DIAG_PREFIX_H
#define CASEBOOK_DIAG_PREFIX_H

struct arena;

/*
 * The line as its program wrote it: without times, hosts, container names, stream marks,
 * carriage returns and JSON wrapping; its own indentation stays. The result is the
 * argument, a part of it, or in the arena.
 */
const char *prefix_strip(struct arena *a, const char *line);

#endif
