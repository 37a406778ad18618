/*
 * What is known about one sandbox at one moment: the input of the diagnosis.
 *
 * Its JSON form is that of a corpus case: sandbox, sandbox_status, events, metrics, logs, output, now;
 * plus "format" and "sources" (state and reason of each read) when Casebook collected it itself.
 * `casebook diagnose FILE` replays it.
 */
#ifndef CASEBOOK_MODEL_EVIDENCE_H
#define CASEBOOK_MODEL_EVIDENCE_H

#include "model/sandbox.h"
#include "model/source.h"

#define EVIDENCE_FORMAT 1
#define EVIDENCE_MAX_EVENTS 5000
#define EVIDENCE_MAX_METRICS 20000
#define EVIDENCE_MAX_LOGS 100000
#define EVIDENCE_MAX_OUTPUT 100000

struct evidence {
    int64_t now_us;
    const char *sandbox_id; /* "" when no part names it */
    bool has_sandbox;       /* Get Sandbox answered 200 */
    struct sandbox sandbox;
    const struct event *events; /* oldest first, unique */
    size_t event_count;
    const struct metric *metrics; /* oldest first */
    size_t metric_count;
    const struct log_line *logs; /* oldest first */
    size_t log_count;
    const struct output_line *output; /* oldest first */
    size_t output_count;
    struct source sandbox_src, events_src, metrics_src, logs_src, output_src;
};

/* ERR_INPUT with one line that says why when the document is no case. */
int evidence_from_json(struct arena *a, const json_t *doc, struct evidence *out,
                       struct err *err);
/* A new reference. */
json_t *evidence_to_json(const struct evidence *ev);

#endif
