/* What of the evidence cannot be used, and where it contradicts itself. */
#ifndef CASEBOOK_DIAG_USABLE_H
#define CASEBOOK_DIAG_USABLE_H

#include "diag/facts.h"

/*
 * The evidence without samples whose values cannot be (more used than there is, negative
 * numbers, a CPU over 100 %); *bad counts them. ev itself when there are none.
 */
const struct evidence *usable_samples(struct arena *a, const struct evidence *ev,
                                      size_t *bad);

/* One sentence when the records of the last execution contradict each other; "". */
const char *usable_contradiction(const struct facts *f);

/* Sentences about what could not be used; "" when all could. */
const char *usable_doubts(const struct facts *f);

#endif
