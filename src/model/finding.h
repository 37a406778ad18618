/*
 * A finding: what the diagnosis says about one sandbox. Made by diag, kept by store, shown by web,
 * published by agent. Strings live in the maker's arena. JSON form: design.md section 8.
 */
#ifndef CASEBOOK_MODEL_FINDING_H
#define CASEBOOK_MODEL_FINDING_H

#include "base/digest.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

enum finding_class {
    CLASS_OUT_OF_MEMORY,
    CLASS_TIMEOUT,
    CLASS_KILLED_EARLY,
    CLASS_CRASHED,
    CLASS_UNDETERMINED,
    CLASS_COUNT
};

enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH, CONFIDENCE_COUNT };

/* Why nothing can be or need be named; REASON_NONE beside the four classes. */
enum undetermined_reason {
    REASON_NONE,
    REASON_STILL_RUNNING,
    REASON_RUNNING_SILENT,
    REASON_PAUSED,
    REASON_ENDED_NORMALLY,
    REASON_NEVER_STARTED,
    REASON_NOT_ENOUGH,
    REASON_COUNT
};

struct evidence_item {
    int64_t at_us; /* TS_NONE: concerns no moment */
    const char
        *kind; /* "memory", "cpu", "disk", "gap", "event", "process", "log", "output",
                         "health", "deadline" */
    const char *text; /* one sentence with its numbers */
    const char *ref;  /* what it points at: "event:ID", "pid:685", "" ; never a URL */
};

struct ruled_out {
    enum finding_class cls;
    const char *text;
};

/* How likely an undetermined failure was of that class. */
enum likelihood { POSSIBLE, UNLIKELY, LIKELIHOOD_COUNT };

struct could_be {
    enum finding_class cls;
    enum likelihood likelihood;
    const char *text;
};

struct finding {
    enum finding_class cls;
    enum undetermined_reason reason;
    enum confidence confidence;
    const char *confidence_why;
    const char *rule; /* name of the rule that decided */
    const char *const *factors;
    size_t factor_count;
    const char *signature;                /* readable; "" when nothing failed */
    char signature_hash[DIGEST_HEX_SIZE]; /* of the signature; "" when that is "" */
    const char *headline; /* one sentence, plain words, at most 100 characters */
    const char *brief;    /* 2 to 5 sentences */
    int64_t failed_at_us; /* TS_NONE: nothing failed, or not known when */
    const struct evidence_item *evidence; /* strongest first */
    size_t evidence_count;
    const struct ruled_out *ruled_out;
    size_t ruled_out_count;
    const struct could_be *could_be; /* only where too little is known */
    size_t could_be_count;
    const char *customer_reply;
    const char *missing; /* "" when nothing is */
    const char *fix;     /* what would fix it; "" when nothing is known */
    const char *
        program; /* what failed, for titles: "report.py", "the notebook kernel"; may be "" */
    const char *template_id, *template_alias;
    int diag_version;
};

const char *finding_class_name(enum finding_class c);               /* "out_of_memory" */
const char *finding_class_words(enum finding_class c);              /* "Out of memory" */
int finding_class_parse(const char *name, enum finding_class *out); /* -1: none of them */
const char *confidence_name(enum confidence c);                     /* "low" */
int confidence_parse(const char *name, enum confidence *out);
const char *likelihood_name(enum likelihood l); /* "possible" */
int likelihood_parse(const char *name, enum likelihood *out);
const char *reason_name(enum undetermined_reason r);  /* "still_running", "" for none */
const char *reason_words(enum undetermined_reason r); /* "still running" */
int reason_parse(const char *name, enum undetermined_reason *out);

/* A new reference; names as in design.md section 8, plus ours. */
json_t *finding_to_json(const struct finding *f);
int finding_from_json(struct arena *a, const json_t *doc, struct finding *out,
                      struct err *err);

/* The token that marks this failure in Linear: "cbk" and the first 24 hex digits of SHA-256 over
   signature hash and template id; letters and digits only (linear.md 3.2). "" without signature. */
#define SIGNATURE_TOKEN_SIZE 28
char *finding_token(const char *signature_hash, const char *template_id,
                    char out[SIGNATURE_TOKEN_SIZE]);

#endif
