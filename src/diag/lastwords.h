/*
 * The last words of a program that no pattern knows: of its last lines, the one that most
 * likely says why it ended. Used where nothing better was told.
 */
#ifndef CASEBOOK_DIAG_LASTWORDS_H
#define CASEBOOK_DIAG_LASTWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct last_words { /* zeroed: nothing heard yet */
    bool is_set;
    bool is_bad; /* the line sounds like a failure */
    size_t line;
    int64_t at_us;
};

/*
 * Hears one line; is_bad: it sounds like a failure. True when it is the choice now: tools name the cause first and what
 * follows from it after, so within one burst the first line that sounds bad stays; a line
 * that does not, stays until another comes.
 */
bool last_words_hear(struct last_words *w, bool is_bad, size_t line, int64_t at_us);

#endif
