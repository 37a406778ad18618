/*
 * Stack traces of the runtimes, line by line. Used by console.c only.
 */
#ifndef CASEBOOK_DIAG_TRACE_H
#define CASEBOOK_DIAG_TRACE_H

#include "diag/scan.h"
#include <stdint.h>

enum trace_lang {
    LANG_NONE,
    LANG_PYTHON,
    LANG_PY_FATAL,
    LANG_PYTEST,
    LANG_NODE,
    LANG_JAVA,
    LANG_GO,
    LANG_RUST,
    LANG_CPP,
    LANG_RUBY,
    LANG_PHP,
    LANG_NET,
    LANG_R,
    LANG_R_FATAL,
    LANG_ELIXIR,
    LANG_JULIA,
    LANG_OTHER
};

/* A part of a failure: one stack trace, or one telling line. */
struct piece {
    enum trace_lang lang;
    const struct scan_row *row; /* the most telling pattern on its lines */
    int rank;
    const char *kind, *message, *frame, *quote, *program;
    size_t quote_line;
    const char *pending; /* a frame whose file is not known yet */
    const char *place;   /* file:line of the frame taken last (Ruby, PHP); NULL */
    bool is_soft;
    bool is_weak;
    bool is_trace;
    bool wants_error;   /* Python: frames were read, the error line is still to come */
    bool wants_cause;   /* causes follow, one a line, the innermost last */
    bool wants_message; /* Rust: the next line is the message */
    bool
        wants_subject; /* the message ends before what it is about: the next line says it */
    bool has_frame;    /* the frame is final */
    bool is_wrapper;   /* a chained trace follows: only its frame may be used */
    bool is_chain;     /* the next trace is chained to this one */
    bool is_group;     /* Python exception group: its first member counts */
    bool in_user_file; /* PHP: the line before was in the customer's own file */
    bool is_impossible;
    int signal;
    int64_t pid;
};

struct arena;

/*
 * Feed one line with its hits. open is the piece whose trace is under way, or NULL.
 * Returns the piece that the line belongs to: open, *fresh (filled: a new trace begins),
 * or NULL when the line is no part of a trace.
 */
struct piece *trace_line(struct arena *a, const char *line, const struct scan_hit *hits,
                         size_t n, struct piece *open, struct piece *fresh);

/* Call when no further line of this piece can come. */
void trace_end(struct arena *a, struct piece *p);

/* The name without its folders. */
const char *path_base(const char *path);
/* Does the path lie in a runtime's or library's own files? */
bool path_is_library(const char *path);

#endif
