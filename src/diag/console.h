/*
 * The console: lines of output put together into failures as the programs told them,
 * exits as the host told them, and signs of progress. One pass; what is kept is bounded
 * (CONSOLE_MAX).
 */
#ifndef CASEBOOK_DIAG_CONSOLE_H
#define CASEBOOK_DIAG_CONSOLE_H

#include "diag/scan.h"
#include "model/sandbox.h"

#define CONSOLE_MAX 4096 /* failures and exits kept, each; the earliest and the latest */
#define TOLD_DETAILS 6   /* additional facts of one failure that its signature keeps */

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

enum line_kind { LINE_PLAIN, LINE_FAILURE, LINE_SUCCESS, LINE_HOST };

struct console {
    const struct output_line *lines;
    size_t line_count;
    unsigned char *kinds; /* enum line_kind of each line */
    struct told *told;    /* by time */
    size_t told_count;
    struct host_exit *exits;
    size_t exit_count;
    int64_t gone_us;      /* the client noticed that the sandbox is gone; TS_NONE */
    int64_t in_flight_us; /* ... while a request was under way; TS_NONE */
    size_t in_flight_line, gone_line;
    int64_t limit_us; /* the client told that a command hit its own limit, last time */
    size_t limit_line;
    int64_t restart_asked_us; /* somebody asked for a kernel restart, last time */
};

/* Lines before since_us (output that is older than the sandbox) are passed over. */
void console_read(struct arena *a, const struct output_line *lines, size_t n,
                  int64_t since_us, struct console *out);

/* 9 for "SIGKILL", "killed", "Killed", "9"; 0 when it is none. */
int signal_number(const char *name);
/* "signal 9 (killed)": for people. */
const char *signal_words(int number);

#endif
