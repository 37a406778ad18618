/*
 * What single console lines mean: one table of patterns, each with the runtime it
 * belongs to, what it proves, and an example that its test uses. All patterns are looked
 * for in one pass: a line is run once through an automaton of the patterns' literal
 * words, and only patterns whose word is in the line are tried (PCRE2, JIT, compiled on
 * first use).
 */
#ifndef CASEBOOK_DIAG_SCAN_H
#define CASEBOOK_DIAG_SCAN_H

#include "diag/factor.h"
#include <stdbool.h>
#include <stddef.h>

enum meaning {
    MEAN_KERNEL_OOM,    /* the kernel's memory killer names a process: what = name, pid */
    MEAN_MEM_REFUSED,   /* a runtime or tool could not get main memory */
    MEAN_MEM_CEILING,   /* a runtime stopped at its own memory limit */
    MEAN_KILLED,        /* something died of signal 9: what = program */
    MEAN_INNER_KILL,    /* something inside the sandbox says that it ended a program */
    MEAN_LOST,          /* a worker, kernel or daemon vanished; sig when it is told */
    MEAN_SIGNAL,        /* another signal ended a program */
    MEAN_NOT_MEMORY,    /* sounds like memory, is not sandbox memory (corpus 5) */
    MEAN_ERROR,         /* a failure of the program with a known cause */
    MEAN_WRAPPER,       /* says only that something inside failed */
    MEAN_DETAIL,        /* adds to the failure it stands beside */
    MEAN_COMMAND_LIMIT, /* a single command hit its own limit */
    MEAN_EXIT,          /* the host tells how a command ended: code or sig */
    MEAN_CLIENT_GONE,   /* the client noticed that the sandbox is gone: proves nothing */
    MEAN_IN_FLIGHT,     /* the same, while a request was under way */
    MEAN_RESTART_ASKED, /* somebody asked for the restart of a notebook kernel */
    MEAN_SUCCESS,       /* the work says it is done */
    MEAN_SOUNDS_BAD,    /* sounds like a failure that no pattern knows */
    MEAN_SOFT,          /* the line tells of something handled */
    /* parts of stack traces */
    MEAN_PY_START,
    MEAN_PY_FRAME,
    MEAN_PY_FATAL,
    MEAN_PY_CHAIN,
    MEAN_PY_CELL,
    MEAN_PYTEST_HEAD,
    MEAN_PYTEST_DEF,
    MEAN_PYTEST_ERROR,
    MEAN_PYTEST_PLACE,
    MEAN_JS_FRAME,
    MEAN_JS_CAUSE,
    MEAN_CAUSES, /* indented causes follow, the innermost last */
    MEAN_JAVA_FRAME,
    MEAN_JAVA_CAUSE,
    MEAN_GO_HEAD,
    MEAN_GO_FRAME,
    MEAN_GO_FILE,
    MEAN_RUST_HEAD,
    MEAN_RUST_FRAME,
    MEAN_CPP_HEAD,
    MEAN_CPP_WHAT,
    MEAN_RUBY_HEAD,
    MEAN_RUBY_FRAME,
    MEAN_PHP_HEAD,
    MEAN_PHP_FRAME,
    MEAN_NET_FRAME,
    MEAN_NET_INNER,
    MEAN_R_HEAD,
    MEAN_R_CALLS,
    MEAN_R_FATAL,
    MEAN_R_FRAME,
    MEAN_BARE_ERROR,
    MEAN_INDENTED_ERROR, /* below a heading: a test's, or the cause of a bare one */
    MEAN_ELIXIR_HEAD,
    MEAN_ELIXIR_FRAME,
    MEAN_JULIA_HEAD,
    MEAN_JULIA_FRAME,
    MEAN_JULIA_PLACE,
    MEAN_PERL_HEAD,
    MEAN_ASAN_HEAD,
    MEAN_ASAN_FRAME,
    MEAN_NATIVE_HEAD,
    MEAN_NATIVE_FRAME,
    MEAN_NATIVE_PLACE,
    MEAN_COUNT
};

struct scan_row {
    const char *name;    /* unique, for tests and docs */
    const char *runtime; /* "python", "kernel", ... */
    enum meaning meaning;
    unsigned factors; /* FACTOR_... bits */
    const char *need; /* literals, parted by '|': each match contains one, in any
                         case; "\n" is an edge of the line */
    const char *
        pattern; /* named groups: what, pid, kind, msg, size, unit, sig, code, fn, file */
    const char *
        words; /* what it means, for a headline: "the disk was full"; NULL: nothing more */
    const char *example;
};

/* The whole table, all parts in one order. NULL past the end. */
const struct scan_row *scan_row_at(size_t i);
size_t scan_row_total(void);

/* A family of wording; table_loose.c says what that means. */
bool scan_row_is_loose(const struct scan_row *row);

struct scan_hit {
    const struct scan_row *row;
    const char *what, *pid, *kind, *msg, *size, *unit, *sig, *code, *fn,
        *file; /* "" when not there */
};

struct arena;
struct scan;

/* Everything lives outside the arena until scan_free. */
struct scan *scan_new(void);
void scan_free(struct scan *s);
/*
 * All rows that match the line, in table order, at most max. Texts of the hits are
 * copied into the arena. Only the first LIMIT_LINE_BYTES are read. Returns the number of
 * hits.
 */
size_t scan_line(struct scan *s, struct arena *a, const char *line, struct scan_hit *hits,
                 size_t max);

#endif
