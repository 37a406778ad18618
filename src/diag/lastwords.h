/*
 * The last words of a program that no pattern knows: of its last lines, the one that most
 * likely says why it ended. Used where nothing better was told.
 */
#ifndef CASEBOOK_DIAG_LASTWORDS_H
#define CASEBOOK_DIAG_LASTWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a line sounds. Weak: like a failure, but as a heading or a warning does; why it failed is said elsewhere. */
enum sound { SOUND_PLAIN, SOUND_WEAK, SOUND_BAD };

struct last_words { /* zeroed: nothing heard yet */
    bool is_set;
    enum sound sound;
    size_t line;
    int64_t at_us;
};

/*
 * Hears one line. True when it is the choice now: tools name the cause first and what follows from it after, so
 * within one burst the first line that sounds bad stays; a weak one only until a better comes, a plain one until
 * any other does.
 */
bool last_words_hear(struct last_words *w, enum sound sound, size_t line, int64_t at_us);

/* Is there no word in it that names a cause: "FAIL src/a.test.js", "2 errors occurred:", "BUILD FAILURE"? */
bool last_words_is_heading(const char *line);

#endif
