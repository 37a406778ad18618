/* Sizes that programs asked for. */
#ifndef CASEBOOK_DIAG_TOLD_SIZE_H
#define CASEBOOK_DIAG_TOLD_SIZE_H

#include "diag/scan.h"
#include <stdbool.h>

/* Does the hit, or the line of a memory failure, tell a size that cannot exist (corpus
   5)? */
bool told_size_is_impossible(const struct scan_hit *h, const char *line);

#endif
