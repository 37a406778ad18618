/*
 * Runtimes reword their messages from version to version: the same failure has the same signature in all of them.
 */
#ifndef CASEBOOK_DIAG_WORDING_H
#define CASEBOOK_DIAG_WORDING_H

struct arena;

/* The message as the newest version says it, or in one of several forms that say the same; else itself. In the arena. */
const char *wording_of_now(struct arena *a, const char *message);

#endif
