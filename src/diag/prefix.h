/* Prefixes of log collectors before each line of output. */
#ifndef CASEBOOK_DIAG_PREFIX_H
#define CASEBOOK_DIAG_PREFIX_H

/* The line without them: a pointer into it. */
const char *prefix_strip(const char *line);

#endif
