/* Linear's GraphQL API (linear.md) over the world's issues. */
#ifndef SIM_LINEAR_H
#define SIM_LINEAR_H

#include "sim.h"

void linear_serve(struct sim *sim, const struct request *rq, struct reply *rp);

/* The operation's name in a GraphQL request body, malloc'ed, or NULL. */
char *linear_operation_name(const json_t *body);

/* For /_sim/state: issues, attachments, comments. */
json_t *linear_state(struct sim *sim);

#endif
