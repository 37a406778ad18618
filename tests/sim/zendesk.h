/* Zendesk's Support API (zendesk.md) over the world's tickets. */
#ifndef SIM_ZENDESK_H
#define SIM_ZENDESK_H

#include "sim.h"

void zendesk_serve(struct sim *sim, const struct request *rq, struct reply *rp);

/* For /_sim/state: every ticket's status and comments with their metadata. */
json_t *zendesk_state(struct sim *sim);

#endif
