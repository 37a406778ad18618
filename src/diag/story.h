/*
 * Stories: lines that tell of one failure within a few seconds of each other. The most
 * telling piece of a story gives it its name, the others add frames, factors and details.
 * Used by console.c only.
 */
#ifndef CASEBOOK_DIAG_STORY_H
#define CASEBOOK_DIAG_STORY_H

#include "base/arena.h"
#include "diag/console.h"
#include "diag/trace.h"

#define RANK_TRACE 55 /* an uncaught error without a known cause */
#define PIECES_MAX 48 /* of one story: the first and the latest */

struct story {
    struct arena a; /* texts of this story */
    struct piece pieces[PIECES_MAX];
    size_t piece_count;
    struct piece *open; /* whose stack trace is under way */
    size_t first, last; /* lines */
    int64_t at_us, last_us;
    size_t quiet; /* lines since that say nothing */
    unsigned factors, soft_factors;
    int signal;
    const char *details[TOLD_DETAILS];
    size_t detail_count;
    const char *before; /* what was said just before it; "" */
    size_t before_line;
};

void story_init(struct story *s);
void story_clear(struct story *s); /* for the next one */
void story_release(struct story *s);

/* How telling a meaning is within one story; 0: tells nothing. */
int meaning_rank(const struct scan_row *row);

/* The line belongs to the story. */
void story_touch(struct story *s, size_t line, int64_t at_us);
struct piece *story_add(struct story *s);
/* A hit tells something about the piece it stands in. */
void story_mean(struct story *s, struct piece *p, const struct scan_hit *h,
                const char *line, size_t no);
void story_detail(struct story *s, const char *text);
/* What the story tells; texts are copied into the arena. False: nothing. */
bool story_tell(struct story *s, struct arena *a, struct told *out);

#endif
