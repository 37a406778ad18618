/*
 * Which log lines are shown as one: the same line again and again, and the lines of a stack trace. Pure.
 */
#ifndef CASEBOOK_WEB_LOG_FOLD_H
#define CASEBOOK_WEB_LOG_FOLD_H

#include <stddef.h>

enum log_fold { LOG_FOLD_NONE, LOG_FOLD_REPEAT, LOG_FOLD_TRACE };

struct log_text {
    const char *from; /* who wrote it: lines of different writers are never one */
    const char *text;
    const char *beside; /* what is told with it: lines that differ there repeat nothing */
    int level;
};

/*
 * How many of the n lines, from the first on, are shown as one; at least 1. Fewer than two equal lines, or four
 * of a trace, are not folded.
 */
size_t log_fold(const struct log_text *lines, size_t n, enum log_fold *kind);

/* So many lines of a stack trace are in this one text; 0 when it is none, or a short one. */
size_t log_trace_lines(const char *text);

#endif
