/* The names of the states and the legal moves between them (design.md section 7). */
#include "model/investigation.h"

#include <string.h>

#include "base/banned.h"

static const char *const state_names[INV_STATE_COUNT] = {
    [INV_QUEUED] = "queued",       [INV_COLLECTED] = "collected",
    [INV_DIAGNOSED] = "diagnosed", [INV_DEDUPED] = "deduped",
    [INV_FILED] = "filed",         [INV_NOTED] = "noted",
    [INV_DONE] = "done",           [INV_FAILED] = "failed",
    [INV_CANCELED] = "canceled",
};

const char *inv_state_name(enum inv_state s)
{
    return (unsigned)s < INV_STATE_COUNT ? state_names[s] : "";
}

int inv_state_parse(const char *name, enum inv_state *out)
{
    for (int s = 0; name && s < INV_STATE_COUNT; s++) {
        if (strcmp(state_names[s], name) == 0) {
            *out = (enum inv_state)s;
            return 0;
        }
    }
    return -1;
}

bool inv_state_is_open(enum inv_state s)
{
    return (unsigned)s < INV_DONE;
}

int investigation_next_state(enum inv_state from, enum inv_event ev,
                             enum inv_state resume_at, enum inv_state *next)
{
    bool is_retry = ev == INV_EV_RETRY;

    if (is_retry ? from != INV_FAILED || !inv_state_is_open(resume_at)
                 : !inv_state_is_open(from))
        return -1;
    switch (ev) {
    case INV_EV_ADVANCE:
        *next = (enum inv_state)(from + 1);
        return 0;
    case INV_EV_FAIL:
        *next = INV_FAILED;
        return 0;
    case INV_EV_CANCEL:
        *next = INV_CANCELED;
        return 0;
    case INV_EV_RETRY:
        *next = resume_at;
        return 0;
    }
    return -1;
}
