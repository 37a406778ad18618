/*
 * Running the upstream clients from a command line, and showing as JSON what they made of the answers.
 */
#ifndef CASEBOOK_TESTS_CONTRACT_PROBE_H
#define CASEBOOK_TESTS_CONTRACT_PROBE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/source.h"
#include "upstream/e2b.h"
#include "upstream/linear.h"
#include "upstream/zendesk.h"

struct arena;

struct probe {
    struct conf *conf;
    struct http *http;
    struct arena *arena;
    struct zendesk zendesk;
    struct linear linear;
    struct e2b e2b;
    int64_t deadline_ms; /* of each command */
};

/* One command: its arguments without its name; a missing one is "". The result is a new reference. */
struct probe_command {
    const char *name;
    json_t *(*run)(struct probe *p, const char *const *argv);
};

extern const struct probe_command probe_zendesk[], probe_linear[], probe_e2b[];

int64_t probe_deadline(const struct probe *p);
int64_t probe_i64(const char *s);
json_t *probe_err(const struct err *err);
json_t *probe_source(const struct source *src);
/* {"ok": rc == 0, "err": …} */
json_t *probe_result(int rc, const struct err *err);
/* A string, or null. */
json_t *probe_text(const char *s);

#endif
