/*
 * A trace is told by its frames: lines that are indented, below a line that opens one or above a frame that only
 * a trace has. What is folded by mistake is one click away, so the rules may be short.
 */
#include "web/log_fold.h"

#include "base/text.h"
#include <stdbool.h>
#include <string.h>

#include "base/banned.h"

#define LEAST_TRACE 4

static bool starts_with_one_of(const char *s, const char *const *words)
{
    for (; *words; words++)
        if (text_starts(s, *words))
            return true;
    return false;
}

static bool opens_trace(const char *s)
{
    static const char *const words[] = {"Traceback (most recent call last)",
                                        "panic: ",
                                        "goroutine ",
                                        "Exception in thread ",
                                        "fatal error: ",
                                        NULL};

    return starts_with_one_of(s, words);
}

static bool is_indented(const char *s)
{
    return (*s == ' ' || *s == '\t') && s[strspn(s, " \t")];
}

/* Indented, and such as only a trace has. */
static bool is_frame(const char *s)
{
    static const char *const words[] = {"at ", "File \"", "from /", "... ", NULL};

    return is_indented(s) && starts_with_one_of(s + strspn(s, " \t"), words);
}

/* Between two parts of one trace. */
static bool joins_trace(const char *s)
{
    static const char *const words[] = {"Caused by: ", "During handling of the above",
                                        "The above exception was", "created by ", NULL};

    return !*s || starts_with_one_of(s, words) || opens_trace(s);
}

static bool is_same_writer(const struct log_text *a, const struct log_text *b)
{
    return strcmp(a->from, b->from) == 0;
}

static size_t trace_length(const struct log_text *l, size_t n)
{
    bool is_python = text_starts(l->text, "Traceback"),
         is_go = text_starts(l->text, "goroutine ") || text_starts(l->text, "panic: ");
    size_t i = 1;

    if (n < LEAST_TRACE ||
        (!opens_trace(l->text) && (!is_frame(l[1].text) || is_frame(l->text))))
        return 1;
    for (; i < n && is_same_writer(l, &l[i]); i++) {
        if (is_indented(l[i].text) || joins_trace(l[i].text))
            continue;
        /* Go: a function's name stands above its indented place */
        if (is_go && i + 1 < n && l[i + 1].text[0] == '\t')
            continue;
        /* Python: the last line names the error */
        if (is_python && is_indented(l[i - 1].text))
            continue;
        break;
    }
    while (i > 1 && !*l[i - 1].text)
        i--;
    return i;
}

static size_t repeat_length(const struct log_text *l, size_t n)
{
    size_t i = 1;

    while (i < n && is_same_writer(l, &l[i]) && l->level == l[i].level &&
           strcmp(l->text, l[i].text) == 0 && strcmp(l->beside, l[i].beside) == 0)
        i++;
    return i;
}

size_t log_fold(const struct log_text *lines, size_t n, enum log_fold *kind)
{
    size_t len = repeat_length(lines, n);

    *kind = LOG_FOLD_REPEAT;
    if (len > 1)
        return len;
    len = trace_length(lines, n);
    *kind = len >= LEAST_TRACE ? LOG_FOLD_TRACE : LOG_FOLD_NONE;
    return len >= LEAST_TRACE ? len : 1;
}

size_t log_trace_lines(const char *text)
{
    size_t n = 1;
    bool is_trace = opens_trace(text);

    for (const char *s = strchr(text, '\n'); s; s = strchr(s + 1, '\n')) {
        n += s[1] != '\0';
        is_trace = is_trace || is_frame(s + 1);
    }
    return is_trace && n >= LEAST_TRACE ? n : 0;
}
