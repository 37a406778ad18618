/* Does a Linear issue tell of the same failure? The comparison of `casebook same`, applied to an issue's text. Pure. */
#ifndef CASEBOOK_AGENT_COMPARE_H
#define CASEBOOK_AGENT_COMPARE_H

#include "model/finding.h"
#include "model/linear.h"
#include <stdbool.h>

struct arena;

/*
 * The score, 0..1. What is compared is the signature that an issue of Casebook carries; in one that people
 * wrote, what the console text in it says, and its title.
 * *is_same: it carries a signature that `casebook same` takes for the same failure, and names the same template.
 * Likeness to what people wrote is never proof.
 */
double compare_issue(struct arena *a, const struct finding *f,
                     const struct linear_issue *issue, bool *is_same);

#endif
