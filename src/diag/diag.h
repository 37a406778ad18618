/*
 * The diagnosis: facts in, finding out. Pure and deterministic: no file, clock,
 * environment, network or global; the same evidence gives the same finding, byte for
 * byte.
 *
 * How it works, in this order (one file each):
 *   facts.c, proc.c   what is known: executions, processes, memory, CPU, disk, who ended it
 *   scan.c, table.c   what single console lines mean (one pattern table, one pass)
 *   console.c, trace.c   lines put together into failures told by the programs
 *   failure.c         which failure, if any, ended the work
 *   rules.c, rule_*.c the rule table; the first rule whose test holds decides
 *   signature.c       what makes this the same failure elsewhere
 *   explain.c         headline, brief, evidence, ruled out, reply, missing, fix
 * The labels and tie-breaks are those of the failure corpus (tests/corpus/README.md).
 */
#ifndef CASEBOOK_DIAG_DIAG_H
#define CASEBOOK_DIAG_DIAG_H

#include "model/evidence.h"
#include "model/finding.h"

/* Raised when a rule, threshold or signature changes; kept with each finding. */
#define DIAG_VERSION 2

/*
 * Diagnose one sandbox. Always succeeds (returns 0): undetermined is a finding. Strings
 * live in the arena or belong to the evidence, which must live as long as *out.
 */
int diag_run(const struct evidence *ev, struct arena *a, struct finding *out);

/*
 * A finding from console text alone (an excerpt pasted by somebody): signature and
 * program; the class says only what the text proves. As a stream: begin, feed pieces of
 * any length, end (which frees the reader). Memory does not grow with the text. Strings
 * live in the arena.
 */
struct diag_text;
struct diag_text *diag_text_begin(struct arena *a);
void diag_text_feed(struct diag_text *t, const char *text, size_t n);
void diag_text_end(struct diag_text *t, struct finding *out);
/* All at once. */
void diag_run_text(const char *text, size_t n, struct arena *a, struct finding *out);

/*
 * Would a and b be one issue? *same: exact hash, else similarity at or over the threshold
 * (limits.h). Returns the score, 0..1. Findings without a signature are never the same.
 */
double diag_same(const struct finding *a, const struct finding *b, bool *same);

/*
 * Weighted token similarity of a signature with another signature, title or text, 0..1.
 * Names, quoted words and codes weigh more than plain words.
 */
double diag_similarity_text(const char *sig_a, const char *sig_b);

/*
 * May this console line tell of a failure? Cheap, and on the safe side: for a reader that cannot keep all of a
 * long log. Frames of stack traces need not: they follow a line that does.
 */
bool diag_line_tells(const char *text);

#endif
