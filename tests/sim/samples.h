/*
 * Resource samples of one sandbox as the node takes them: one every 5 s while
 * a run goes on, none in a gap (e2b.md 4, "Sampling").
 */
#ifndef SIM_SAMPLES_H
#define SIM_SAMPLES_H

#include "story.h"

struct sample {
    int64_t t_us;
    double cpu_pct;
    int64_t mem_used; /* bytes, as all that follow */
    int64_t mem_cache;
    int64_t disk_used;
};

struct sample_list {
    struct sample *items;
    size_t count;
};

/* Oldest first, until at_us. */
void samples_build(const struct sandbox *sb, const struct life *life, int64_t at_us,
                   struct sample_list *out);
void samples_release(struct sample_list *list);

int64_t sandbox_disk_total(const struct sandbox *sb);

#endif
