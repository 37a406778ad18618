/*
 * Pieces wait in a queue, each in an arena of its own. When the lines behind the oldest piece are enough for
 * the tail, its telling lines are copied and the piece is freed: memory does not grow with the log.
 */
#include "agent/long_log.h"

#include "base/arena.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "sys/clock.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

struct piece {
    struct arena arena;
    struct log_line *lines;
    size_t count;
    struct piece *next;
};

struct reading {
    struct arena *a; /* of the evidence */
    struct piece *oldest, *newest;
    size_t waiting; /* lines in the queue */
    struct log_line *middle;
    size_t middle_count, middle_cap;
    size_t left_out;
    size_t total;
};

bool long_log_is_telling(const struct log_line *l)
{
    return l->level == LOG_LEVEL_WARN || l->level == LOG_LEVEL_ERROR ||
           log_line_is_platform(l) || text_starts(l->message, "Process with pid ");
}

static void keep(struct reading *r, const struct log_line *l)
{
    if (r->middle_count == LONG_LOG_MIDDLE) {
        r->left_out++;
        return;
    }
    r->middle =
        arena_grow(r->a, r->middle, r->middle_count, &r->middle_cap, sizeof *r->middle);
    r->middle[r->middle_count++] = log_line_copy(r->a, l);
}

static void free_piece(struct piece *p)
{
    arena_release(&p->arena);
    free(p);
}

/* The oldest piece leaves the queue; only what it tells stays. */
static void thin_oldest(struct reading *r)
{
    struct piece *p = r->oldest;

    for (size_t i = 0; i < p->count; i++) {
        if (long_log_is_telling(&p->lines[i]))
            keep(r, &p->lines[i]);
        else
            r->left_out++;
    }
    r->waiting -= p->count;
    r->oldest = p->next;
    if (!r->oldest)
        r->newest = NULL;
    free_piece(p);
}

static void add_piece(struct reading *r, struct piece *p)
{
    if (r->newest)
        r->newest->next = p;
    else
        r->oldest = p;
    r->newest = p;
    r->waiting += p->count;
    r->total += p->count;
    while (r->waiting - r->oldest->count >= LONG_LOG_TAIL)
        thin_oldest(r);
}

/* One read from `position`; the next position ("" at the end) in the arena of r, NULL when it failed. */
static const char *read_piece(struct agent *ag, struct reading *r,
                              const struct e2b_logs *first, const char *position,
                              int64_t deadline_us, struct evidence *ev)
{
    struct piece *p = xcalloc(1, sizeof *p);
    struct e2b_logs op;
    struct http_call *calls[1];
    const char *next = NULL;

    arena_init(&p->arena);
    e2b_logs_init(&op, &ag->e2b, &p->arena, first->sandbox_id, position, LONG_LOG_PIECE,
                  first->now_us);
    op.want_results = true;
    calls[0] = &op.call;
    http_run(ag->http, calls, 1, deadline_us);
    if (op.src.state == SOURCE_OK) {
        p->lines = op.lines;
        p->count = op.count;
        next = arena_str(r->a, op.next_position);
        if (op.src.err.kind != ERR_NONE) /* the piece broke off: what came is kept */
            ev->logs_src.err = op.src.err;
        add_piece(r, p);
    } else {
        ev->logs_src.err = op.src.err;
        free_piece(p);
    }
    e2b_logs_release(&op);
    return next;
}

/* Beginning, thinned middle and tail become one list again. */
static void put_together(struct reading *r, struct evidence *ev)
{
    size_t n = ev->log_count;
    struct log_line *all =
        arena_array(r->a, n + r->middle_count + r->waiting + 1, sizeof *all);

    if (n)
        memcpy(all, ev->logs, n * sizeof *all);
    if (r->middle_count)
        memcpy(all + n, r->middle, r->middle_count * sizeof *all);
    n += r->middle_count;
    while (r->oldest) {
        struct piece *p = r->oldest;

        for (size_t i = 0; i < p->count; i++)
            all[n++] = log_line_copy(r->a, &p->lines[i]);
        r->oldest = p->next;
        free_piece(p);
    }
    ev->logs = all;
    ev->log_count = n;
}

void long_log_read(struct agent *ag, struct arena *a, const struct e2b_logs *first,
                   int64_t deadline_us, struct evidence *ev)
{
    struct reading r = {.a = a};
    const char *position = first->next_position;

    if (first->src.state != SOURCE_OK || text_is_empty(position))
        return;
    ev->logs_src.is_cut = false;
    while (position && !text_is_empty(position) && r.total < LONG_LOG_MAX &&
           clock_mono_us() < deadline_us) {
        const char *before = position;

        position = read_piece(ag, &r, first, position, deadline_us, ev);
        if (position && strcmp(position, before) == 0)
            break; /* no way forward: told as cut */
    }
    put_together(&r, ev);
    ev->logs_src.is_cut = r.left_out > 0 || !position || !text_is_empty(position);
}
