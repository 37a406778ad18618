/*
 * Ordered misbehaviour: which call it is for, and what happens to it.
 */
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include "sim.h"

enum fault_cut { CUT_NONE, CUT_BEFORE, CUT_AFTER, CUT_MID };

struct fault {
    int64_t id; /* of the order; 0: nothing is due */
    int64_t latency_us;
    int status; /* 0: the service answers */
    enum fault_cut cut;
    const char *body_type;
    char *body; /* NULL: leave the body as it is */
    size_t body_len;
    json_t *headers;
};

struct faults *faults_new(void);
void faults_free(struct faults *f);

/* Add an order (README.md, "Faults"). Its id, or -1 when it is malformed. */
int64_t faults_add(struct faults *f, const json_t *order);
void faults_clear(struct faults *f);

/* What is due for this call; all zero when nothing is. Counts the call. */
void fault_take(struct faults *f, const struct request *rq, struct fault *out);
void fault_apply(const struct fault *fault, struct reply *rp);
void fault_release(struct fault *fault);

#endif
