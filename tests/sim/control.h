/* The simulator's own routes below /_sim/ (README.md, "Control"). */
#ifndef SIM_CONTROL_H
#define SIM_CONTROL_H

#include "sim.h"

void control_serve(struct sim *sim, const struct request *rq, struct reply *rp);

/* cursor, ms or offset; false for anything else. */
bool logs_paging_from_name(const char *name, enum logs_paging *out);

#endif
