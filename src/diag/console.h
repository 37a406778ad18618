/*
 * The console: lines of output put together into failures as the programs told them,
 * exits as the host told them, and signs of progress. One pass; what is kept is bounded,
 * so a stream of any length can be read (console_begin, console_feed, console_end).
 */
#ifndef CASEBOOK_DIAG_CONSOLE_H
#define CASEBOOK_DIAG_CONSOLE_H

#include "diag/scan.h"
#include "diag/signal.h"
#include "model/sandbox.h"

#define TOLD_FIRST 1024 /* failures kept: the first ones ... */
#define TOLD_LATEST 512 /* ... and the latest ones */
#define EXITS_MAX 4096  /* exits kept: the first half and the latest half */
#define TOLD_DETAILS 6  /* additional facts of one failure that its signature keeps */

/* One failure told on the console: a stack trace, a message of a tool, or both
   together. */
struct told {
    int64_t at_us, last_us;
    size_t first, last;   /* lines of the output */
    enum meaning meaning; /* MEAN_ERROR for an uncaught error without a known cause */
    const struct scan_row *row; /* the pattern that gave it its meaning; NULL: none */
    const char *words;          /* what it means, "" when nothing is known */
    const char *kind;           /* "KeyError"; "" */
    const char *message;        /* as told, not yet without its variable parts */
    const char *before;         /* the line before it that says why, for lines that tell
                                   only that something ended: "Stack overflow."; "" */
    size_t before_line;         /* its index */
    const char *frame;          /* innermost function of the customer's own code; "" */
    const char *quote;          /* the line that says it */
    size_t quote_line;          /* its index */
    const char *program;        /* a program or package that the text names; "" */
    const char *details[TOLD_DETAILS];
    size_t detail_count;
    unsigned factors;
    int signal;         /* told by the text; 0 */
    int64_t pid;        /* named by a kernel line; 0 */
    bool is_soft;       /* told as handled */
    bool is_weak;       /* loose wording on standard output: counts only with a bad end */
    bool is_trace;      /* an uncaught error, not only a message */
    bool is_impossible; /* the size it asked for cannot exist */
};

struct host_exit { /* the host tells how a command ended */
    int64_t at_us;
    size_t line;
    bool has_code;
    int64_t code;
    int signal; /* 0: none told */
};

/* LINE_BAD: no pattern knows it, but it sounds like a failure. LINE_WEAK: as a heading or a warning does. */
enum line_kind { LINE_PLAIN, LINE_WEAK, LINE_BAD, LINE_FAILURE, LINE_SUCCESS, LINE_HOST };

struct console {
    const struct output_line *lines; /* NULL when a stream was read */
    size_t line_count;
    unsigned char *kinds; /* enum line_kind of each line; NULL when a stream was read */
    struct told *told;    /* by time */
    size_t told_count;
    struct host_exit *exits;
    size_t exit_count;
    int64_t gone_us;      /* the client noticed that the sandbox is gone; TS_NONE */
    int64_t in_flight_us; /* ... while a request was under way; TS_NONE */
    size_t in_flight_line, gone_line;
    const char *client_text; /* what the client said of it first; "" */
    int64_t limit_us; /* the client told that a command hit its own limit, last time */
    size_t limit_line;
    int64_t restart_asked_us; /* somebody asked for a kernel restart, last time */
    const char *last_words;   /* the last words that no pattern knows; "" */
};

/* Lines before since_us (output that is older than the sandbox) are passed over. */
void console_read(struct arena *a, const struct output_line *lines, size_t n,
                  int64_t since_us, struct console *out);

/*
 * The same for a stream: begin, one feed a line, end. Results live in the arena. Memory
 * does not grow with the number of lines. The text is read during the call only; of a
 * long line the first LIMIT_LINE_BYTES count.
 */
struct console_reader;
struct console_reader *console_begin(struct arena *a, struct console *out);
enum line_kind console_feed(struct console_reader *r, const char *line, int64_t at_us,
                            bool is_stderr);
void console_end(struct console_reader *r);

#endif
