/*
 * What is known before anything is decided: processes, memory, CPU, disk, the console,
 * who ended what. Rules read facts; they never read the evidence's lists again.
 */
#ifndef CASEBOOK_DIAG_FACTS_H
#define CASEBOOK_DIAG_FACTS_H

#include "diag/command.h"
#include "diag/console.h"
#include "diag/lastwords.h"
#include "model/timeline.h"

struct proc { /* one command started through the API */
    int64_t pid;
    const char *command; /* as the customer wrote it, without the shell around it */
    const char *program; /* "python3", "ffmpeg", "report.sh" */
    const char *label;   /* as signatures name it: "python3 train.py" */
    const char
        *subject; /* "The script train.py", "The installation": begins a sentence */
    enum proc_role role;
    size_t exec; /* index of its execution */
    int64_t start_us;
    int64_t end_us;   /* TS_NONE: no end on record */
    int64_t limit_us; /* its own time limit; 0: none */
    bool has_code;
    int64_t code;      /* -1: a signal ended it directly */
    int signal;        /* 0: none told; 128 + n counts */
    bool is_code_told; /* code or signal come from the host's output, not from the log */
    const char *code_ref;     /* evidence that tells the code */
    const char *stream_error; /* error of the command's stream; "" */
    int64_t stderr_bytes;     /* -1: not known */
    const struct told
        *told; /* the last failure told while it ran, within its last moments */
    const struct output_line
        *last_stderr; /* the last line of it that no pattern knows; NULL */
    struct last_words choice;
    const struct output_line *last_stdout; /* the same for output lines that sound bad */
    struct last_words stdout_choice;
    bool is_install;  /* nothing but installing packages */
    bool has_success; /* the output said "done" in the end */
    bool has_output;
};

struct mem_sample {            /* the samples just before a moment */
    const struct metric *last; /* NULL: none */
    double
        share; /* used of total, the higher of the last two when the last is at the edge */
    const struct metric *high; /* the sample that share is of */
    bool
        is_fresh; /* no older than LIMIT_SAMPLE_AGE_US or one interval; an older one means
                                  that the samples stopped before the moment */
};

struct facts {
    struct arena *a;
    const struct evidence *ev;
    struct timeline tl;
    const struct execution *x; /* the last one; NULL: there is none */
    size_t xi;
    struct console con;
    struct proc *procs;
    size_t proc_count;
    int64_t *signal_calls; /* signal calls through the API */
    size_t signal_call_count;
    int64_t health_failing_us; /* last execution: failing and not recovered; TS_NONE */
    const struct log_line *health_line;
    bool has_killing_line, has_pausing_line;       /* last execution */
    int64_t last_file_read_us, last_file_write_us; /* last execution; TS_NONE */
    int64_t memory_mib;
    const struct metric *peak; /* highest memory of the last execution; NULL */
    double peak_share;
    double cache_share;               /* highest page cache, of memTotal */
    const struct metric *last_sample; /* of the last execution; NULL */
    size_t sample_count;              /* of the last execution */
    int64_t interval_us;              /* usual distance of samples; 0: not known */
    bool is_cpu_pegged;
    double cpu_last_minute; /* lowest CPU of the last minute */
    bool is_disk_full;      /* the last execution reached it */
    double disk_peak;
    int64_t life_us;   /* end (or now) - start of the last execution; TS_NONE */
    int64_t span_us;   /* deadline - start; TS_NONE */
    double life_share; /* life / span; -1: not known */
    bool was_shortened, was_extended;
    size_t bad_samples;        /* passed over: impossible values */
    size_t orphan_ends;        /* ends of processes that have no start before them */
    const char *contradiction; /* usable.h; "" */
};

void facts_build(struct arena *a, const struct evidence *ev, struct facts *f);

struct mem_sample facts_memory_at(const struct facts *f, int64_t at_us);
double metric_mem_share(const struct metric *m);
/* Start of execution i, TS_NONE-safe. */
bool facts_in_exec(const struct facts *f, size_t i, int64_t at_us);

/* proc.c: the process table from the logs, and exits from the console. */
void procs_build(struct facts *f);

#endif
