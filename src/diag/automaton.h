/*
 * Finds many words in one pass over a line (Aho and Corasick), in any case. Words may
 * begin or end with "\n", which stands for the edge of the line.
 */
#ifndef CASEBOOK_DIAG_AUTOMATON_H
#define CASEBOOK_DIAG_AUTOMATON_H

#include <stdbool.h>
#include <stddef.h>

struct automaton;

struct automaton *automaton_new(void);
void automaton_free(struct automaton *m);
/* n > 0 bytes; id is what automaton_find marks. Only before automaton_finish. */
void automaton_add(struct automaton *m, const char *word, size_t n, size_t id);
void automaton_finish(struct automaton *m);
/* Sets seen[id] for each word in the line; false when there is none. */
bool automaton_find(const struct automaton *m, const char *line, size_t n, bool *seen);

#endif
