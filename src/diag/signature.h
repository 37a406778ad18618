/* The failure signature: what makes this the same failure for another customer. */
#ifndef CASEBOOK_DIAG_SIGNATURE_H
#define CASEBOOK_DIAG_SIGNATURE_H

#include "diag/rules.h"

/* "" when nothing failed. Never holds the sandbox id or a value of its metadata. */
const char *signature_make(const struct scene *s, const struct verdict *v);

/* Of a failure told on the console alone. */
const char *signature_told(struct arena *a, const struct told *t);
/* "python3 expand.py" -> "python3"; for signatures. */
const char *signature_program(struct arena *a, const char *command);

#endif
