/* E2B's REST API (e2b.md) over the world's sandboxes. */
#ifndef SIM_E2B_H
#define SIM_E2B_H

#include "sim.h"

void e2b_serve(struct sim *sim, const struct request *rq, struct reply *rp);

/* Pieces in files of their own; the id is checked already. */
void e2b_metrics(struct sim *sim, const struct request *rq, const char *id,
                 struct reply *rp);
void e2b_latest_metrics(struct sim *sim, const struct request *rq, struct reply *rp);
void e2b_logs_v1(struct sim *sim, const struct request *rq, const char *id,
                 struct reply *rp);
void e2b_logs_v2(struct sim *sim, const struct request *rq, const char *id,
                 struct reply *rp);
void e2b_list(struct sim *sim, const struct request *rq, bool is_v1, struct reply *rp);
void e2b_events(struct sim *sim, const struct request *rq, const char *id,
                struct reply *rp);

/* The error envelope of e2b.md 1.3. */
void e2b_error(struct reply *rp, int code, const char *message);

/* One sandbox as List gives it, for a running or paused life. */
struct sandbox;
struct life;
json_t *e2b_listed(const struct sandbox *sb, const struct life *life);

/* Both of e2b.md's stores keep metrics, logs and events this long. */
#define E2B_RETENTION_US ((int64_t)7 * 24 * 3600 * 1000000)

#endif
