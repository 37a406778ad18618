/*
 * The described world: JSON files read once, with times and texts expanded,
 * and from them the state that the services keep (Zendesk, Linear) or work out
 * from the clock (E2B). README.md tells how to write the files.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "sim.h"

struct line_list;

struct sandbox {
    const char *id;
    const json_t *desc; /* the description, texts expanded */
    const json_t *template;
    int64_t start_us;
    struct line_list *kept_lines; /* the log, once the sandbox has ended */
};

struct world {
    json_t *desc; /* all files merged: arrays by key */
    json_t *anchors;
    int64_t start_us;
    struct sandbox *sandboxes;
    size_t sandbox_count;

    json_t *organizations; /* Zendesk records, arrays */
    json_t *users;
    json_t *tickets; /* with private members, names starting with "_" */
    json_t *zendesk_tokens;
    int64_t next_zendesk_id;

    json_t *linear; /* tables by name: issues, states, labels, ... */
    json_t *linear_calls;
    int64_t next_issue_number;
};

/*
 * Read every *.json of the folder in the order of names. With is_empty only
 * accounts, teams and templates remain: services that lost their data.
 */
struct world *world_load(const char *dir, int64_t start_us, const json_t *tokens,
                         bool is_empty);
void world_free(struct world *w);

/* NULL when the world has no such sandbox. */
struct sandbox *world_sandbox(struct world *w, const char *id);

/* The description's time, relative to the world's start or an anchor. */
int64_t world_when(const struct world *w, const char *text);

/* Turn descriptions into records; called by world_load. */
void zendesk_build(struct world *w);
void linear_build(struct world *w);

#endif
