/*
 * What happened to one sandbox until a moment: its runs and lifecycle events,
 * worked out from the description. Deadlines really end runs.
 */
#ifndef SIM_STORY_H
#define SIM_STORY_H

#include "world.h"

enum run_end {
    END_NONE,     /* still going */
    END_PAUSED,   /* by request or at the deadline */
    END_KILLED,   /* with an event and log lines */
    END_VANISHED, /* the machine is gone; the service still thinks it runs */
};

struct run {
    int64_t start_us;
    int64_t end_us;  /* 0 while it goes on */
    int64_t dead_us; /* the machine stopped by itself at; 0: it did not */
    int64_t first_deadline_us;
    int64_t deadline_us; /* in force now */
    enum run_end end;
    bool is_resume;
    bool node_died; /* END_VANISHED without a log line */
    const char *kill_reason;
    char execution_id[37];
};

enum life_state { LIFE_NOT_YET, LIFE_RUNNING, LIFE_PAUSED, LIFE_GONE };

#define LIFE_RUNS_MAX 64

struct life {
    enum life_state state;
    int64_t paused_us; /* when the newest pause began */
    struct run runs[LIFE_RUNS_MAX];
    size_t run_count;
    json_t *events; /* E2B's event objects, oldest first */
};

/* Fill *out for the moment; release it afterwards. */
void life_build(const struct sandbox *sb, int64_t at_us, struct life *out);
void life_release(struct life *life);

/* Has the sandbox come to its final end at that moment? */
bool life_is_over(const struct life *life);

/* The whole team's identifier, as events and logs carry it. */
#define TEAM_ID "f2c7e6a4-91d3-4a0e-8b57-3d1c0e9f6a25"

int64_t sandbox_memory_mb(const struct sandbox *sb);
int64_t sandbox_cpus(const struct sandbox *sb);
int64_t sandbox_disk_mb(const struct sandbox *sb);

/* What the guest's kernel sees; a little below memoryMB. */
int64_t sandbox_mem_total(const struct sandbox *sb);

#endif
