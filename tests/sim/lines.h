/*
 * The log of one sandbox: platform lines and agent lines (e2b.md 5.4) worked
 * out from its runs, samples and description. A bulk of similar lines is kept
 * as a rule and written out only when asked for.
 */
#ifndef SIM_LINES_H
#define SIM_LINES_H

#include "story.h"

enum line_level { LEVEL_NONE, LEVEL_DEBUG, LEVEL_INFO, LEVEL_WARN, LEVEL_ERROR };

struct line {
    int64_t t_us;
    int extra_ns;
    enum line_level level;
    json_t *object;      /* the line's own members; NULL for the next two */
    const char *garbage; /* a line that is no JSON */
    const json_t *bulk;  /* rule, with number */
    size_t number;
};

struct line_list {
    const struct sandbox *sandbox;
    struct line *items;
    size_t count;
};

/*
 * All lines until at_us, oldest first. The list of a sandbox that has ended is
 * kept by the sandbox; others are the caller's to free. Use line_list_done.
 */
struct line_list *lines_get(struct sandbox *sb, int64_t at_us);
void line_list_done(struct line_list *list);
void line_list_free(struct line_list *list);

/* The raw line, as v1 gives it: usually a JSON object as text. */
json_t *line_raw(const struct line_list *list, const struct line *line);

/* The entry form. null_fields: what Loki gives for a line that is no JSON. */
json_t *line_entry(const struct line_list *list, const struct line *line,
                   bool null_fields);

/* The message alone; belongs to the caller. */
char *line_message(const struct line_list *list, const struct line *line);

const char *level_name(enum line_level level);
enum line_level level_from_name(const char *name);

#endif
