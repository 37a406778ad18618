/*
 * Choice of a program's last words.
 */
#include "diag/lastwords.h"
#include "diag/limits.h"

#include "base/banned.h"

bool last_words_hear(struct last_words *w, bool is_bad, size_t line, int64_t at_us)
{
    bool is_burst = w->is_set && at_us - w->at_us <= LIMIT_BURST_US &&
                    line - w->line <= LIMIT_BURST_LINES;

    if (w->is_bad && (is_burst || !is_bad))
        return false;
    *w = (struct last_words){true, is_bad, line, at_us};
    return true;
}
