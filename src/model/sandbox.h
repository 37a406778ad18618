/*
 * The nouns of E2B: sandbox, lifecycle event, metric sample, log line (e2b.md sections 2 to 6).
 *
 * Strings live in the arena of whoever built the struct and may hold customer text: they are
 * cleaned (base/text.h) while reading. Times are microseconds UTC, TS_NONE where not known.
 */
#ifndef CASEBOOK_MODEL_SANDBOX_H
#define CASEBOOK_MODEL_SANDBOX_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

struct tag { /* one member of a sandbox's metadata */
    const char *key;
    const char *value;
};

enum sandbox_state { SANDBOX_RUNNING, SANDBOX_PAUSED, SANDBOX_ENDED, SANDBOX_OTHER };

struct sandbox {
    const char *id;
    const char *template_id;    /* "" when not known */
    const char *template_alias; /* "" when there is none */
    enum sandbox_state state;
    const char *state_text; /* E2B's own word, also for SANDBOX_OTHER */
    int64_t started_us;     /* of the current or last execution */
    int64_t end_us;     /* running: the deadline in force; paused: when it was paused */
    int64_t cpu_count;  /* 0: not known */
    int64_t memory_mib; /* 0: not known */
    int64_t disk_mib;   /* 0: not known */
    const char *envd_version;
    const char *on_timeout; /* "kill", "pause" or "" when not known */
    bool auto_resume;
    const struct tag *tags;
    size_t tag_count;
};

enum event_type {
    EVENT_CREATED,
    EVENT_RESUMED,
    EVENT_UPDATED,
    EVENT_CHECKPOINTED,
    EVENT_PAUSED,
    EVENT_KILLED,
    EVENT_OTHER,
    EVENT_TYPE_COUNT
};

struct event { /* e2b.md 6.3 */
    const char *id;
    enum event_type type;
    const char *type_text; /* as E2B spells it, for EVENT_OTHER */
    int64_t at_us;
    const char *sandbox_id;
    const char *execution_id; /* "" when missing */
    const char *template_id;
    const char *team_id;
    bool has_data;           /* eventData was an object */
    int64_t set_timeout_us;  /* updated: the new deadline */
    bool changed_network;    /* updated: network_egress was there */
    const char *kill_reason; /* killed: "" when absent */
    int64_t exec_started_us; /* paused, killed: execution.started_at */
    int64_t exec_ms;         /* execution.execution_time; -1 when absent */
    int64_t exec_cpu_count;
    int64_t exec_memory_mib;
    const struct tag *tags; /* sandbox_metadata */
    size_t tag_count;
};

struct metric { /* e2b.md 4; bytes and percent of all CPUs */
    int64_t at_us;
    double cpu_pct;
    int64_t cpu_count;
    int64_t mem_used, mem_total, mem_cache;
    int64_t disk_used, disk_total;
};

enum log_level {
    LOG_LEVEL_NONE,
    LOG_LEVEL_DEBUG,
    LOG_LEVEL_INFO,
    LOG_LEVEL_WARN,
    LOG_LEVEL_ERROR
};

struct log_line { /* e2b.md 5; one entry of v2, or of v1's logEntries with its raw line */
    int64_t at_us;
    const char *at_text; /* the original timestamp: identity for de-duplication */
    enum log_level level;
    const char *message;
    /* the main text as it came, with NUL bytes, where there are controls in it (text_parts.h); else NULL. Not
       part of the JSON. */
    const char *raw;
    size_t raw_n;
    const struct tag *fields;
    size_t field_count;
    /* process_result of a process_end line, from the raw v1 line or from a field that holds it as
       JSON text (e2b.md 5.4) */
    bool has_result;
    int64_t exit_code; /* -1 when a signal ended it */
    bool exited;
    const char *status; /* "exit status 137", "signal: killed" */
};

struct output_line { /* what the host forwarded (design.md 9) */
    int64_t at_us;
    bool is_stderr;
    const char *text;
};

/* JSON of E2B to model. The object is borrowed. Unknown members are ignored; envdAccessToken and
   network are never read. ERR_UPSTREAM names a missing required member. */
int sandbox_from_json(struct arena *a, const json_t *o, struct sandbox *out,
                      struct err *err);
int event_from_json(struct arena *a, const json_t *o, struct event *out, struct err *err);
int metric_from_json(const json_t *o, struct metric *out, struct err *err);
int log_line_from_json(struct arena *a, const json_t *o, struct log_line *out,
                       struct err *err);
/* Reads process_result from a raw v1 line (JSON text) into *out; no effect when there is none. */
void log_line_add_raw(struct arena *a, const char *raw, size_t n, struct log_line *out);
/* A copy whose strings and fields live in `a`. */
struct log_line log_line_copy(struct arena *a, const struct log_line *l);
int output_line_from_json(struct arena *a, const json_t *o, struct output_line *out,
                          struct err *err);

/* And back, in the same form, without secrets. New references. */
json_t *sandbox_to_json(const struct sandbox *s);
json_t *event_to_json(const struct event *e);
json_t *metric_to_json(const struct metric *m);
json_t *log_line_to_json(const struct log_line *l);
json_t *output_line_to_json(const struct output_line *l);

/* The value of a tag or field, or dflt. */
const char *tag_get(const struct tag *tags, size_t n, const char *key, const char *dflt);

enum event_type event_type_from_text(const char *text); /* "sandbox.lifecycle.killed" */
enum log_level log_level_from_text(const char *text);
const char *log_level_name(enum log_level level); /* "" for none */

/* What a program printed, on the lines that hold that (e2b.md 5.4 b): their main text. Else NULL, and it is the message. */
const char *log_line_printed(const struct log_line *l);

/* Is the line written by E2B's hosts (e2b.md 5.4 a), not by the agent in the VM? */
bool log_line_is_platform(const struct log_line *l);

/* Sort events by (time, id) and drop repeated ids. Returns the new count. */
size_t events_sort_unique(struct event *events, size_t n);

#endif
