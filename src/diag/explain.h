/* The finding in words (ux.md 11): headline, brief, evidence, ruled out, reply,
   missing, fix. */
#ifndef CASEBOOK_DIAG_EXPLAIN_H
#define CASEBOOK_DIAG_EXPLAIN_H

#include "diag/rules.h"

/* Fills every text of *out; class, rule and signature are set by the caller before. */
void explain(const struct scene *s, const struct verdict *v, struct finding *out);

/* evidence.c: the list of proofs, strongest first, and the factor names. */
void explain_evidence(const struct scene *s, const struct verdict *v,
                      struct finding *out);
void explain_factors(const struct scene *s, const struct verdict *v, struct finding *out);
unsigned factor_bits(const struct scene *s, const struct verdict *v);

/* other.c: what was ruled out, what is missing, what to tell the customer, what would
   fix it. */
void explain_ruled_out(const struct scene *s, const struct verdict *v,
                       struct finding *out);
/* possible.c: what it could be, for an undetermined one with too little evidence; after explain_ruled_out. */
void explain_could_be(const struct scene *s, const struct verdict *v,
                      struct finding *out);
const char *explain_missing(const struct scene *s, const struct verdict *v);
const char *explain_reply(const struct scene *s, const struct verdict *v,
                          const struct finding *out);
const char *explain_fix(const struct scene *s, const struct verdict *v);

/* words.c: small phrases. All in the arena. */
const char *say_duration(struct arena *a, int64_t us);   /* "34 min 4 s" */
const char *say_duration_s(struct arena *a, int64_t us); /* "34 min 4 s (2,044 s)" */
const char *say_clock(struct arena *a, int64_t us);      /* "14:02:58" */
const char *say_memory(const struct facts *f);           /* "1,024 MiB" or "" */
/* " of 128 MiB" when the line tells a runtime's own limit, else "". */
const char *say_told_limit(struct arena *a, const char *quote);
const char *say_percent(struct arena *a, double share);   /* "97 %" */
const char *say_quote(struct arena *a, const char *line); /* cut, on one line */
const char *say_exit(struct arena *a,
                     const struct failure *d); /* "exit code 137, signal 9 (killed)" */
const char *say_subject(const struct scene *s,
                        const struct verdict *v); /* "The script train.py" */
const char *say_limit(const struct facts *f);     /* "5 min" of the life time, or "" */
/* The plain words for what was told: "the disk was full"; "" when nothing is known. */
const char *say_told(const struct told *t);

#endif
