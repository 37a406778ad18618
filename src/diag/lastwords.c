/*
 * Choice of a program's last words.
 */
#include "diag/lastwords.h"
#include "base/text.h"
#include "diag/limits.h"
#include "diag/word_kind.h"
#include <string.h>

#include "base/banned.h"

#define WORD_MAX 64 /* longer ones name something (ours) */

bool last_words_hear(struct last_words *w, enum sound sound, size_t line, int64_t at_us)
{
    bool is_burst = w->is_set && at_us - w->at_us <= LIMIT_BURST_US &&
                    line - w->line <= LIMIT_BURST_LINES;

    if (sound < w->sound || (is_burst && w->sound && sound == w->sound))
        return false;
    *w = (struct last_words){true, sound, line, at_us};
    return true;
}

/* Words that say that something failed, and nothing of what. */
static bool is_empty_word(const char *word)
{
    static const char *const words[] = {
        "a",           "an",         "and",          "application", "are",
        "at",          "be",         "build",        "check",       "command",
        "compilation", "compile",    "could",        "configuring", "details",
        "encountered", "err",        "error",        "errors",      "exception",
        "exceptions",  "fail",       "failed",       "failing",     "fails",
        "failure",     "failures",   "fatal",        "following",   "for",
        "found",       "from",       "has",          "have",        "in",
        "incomplete",  "info",       "is",           "it",          "job",
        "main",        "not",        "occurred",     "of",          "on",
        "one",         "process",    "program",      "run",         "running",
        "script",      "see",        "some",         "start",       "startup",
        "step",        "suite",      "suites",       "task",        "tasks",
        "test",        "tests",      "the",          "there",       "to",
        "total",       "unexpected", "unsuccessful", "warn",        "warning",
        "was",         "were",       "while",        "with",        NULL};

    return word_in_list(word, words);
}

bool last_words_is_heading(const char *line)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./\\-";
    size_t length = strlen(line);

    while (length && strchr(" \t", line[length - 1]))
        length--;
    if (length && line[length - 1] == ':')
        return true;
    for (const char *p = line; *p;) {
        char word[WORD_MAX + 1];
        size_t n = strspn(p, letters);

        if (n == 0) {
            if (strchr("'\"`\xe2", *p))
                return false; /* what is quoted names something */
            p++;
            continue;
        }
        if (n > WORD_MAX)
            return false;
        memcpy(word, p, n);
        word[n] = '\0';
        p += n;
        while (n && strchr(".-/", word[n - 1]))
            word[--n] = '\0';
        if (n && !word_is_all(word, "0123456789.-/") && !word_is_path(word) &&
            !text_starts(word, "GHC-") && !is_empty_word(word))
            return false;
    }
    return true;
}
