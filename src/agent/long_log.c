/*
 * Piece after piece, each in an arena that is emptied before the next: printed text is cut into lines, and
 * all goes through keep.h. Exit codes are asked for only where a process ended.
 */
#include "agent/long_log.h"

#include "agent/crew.h"
#include "agent/keep.h"
#include "agent/printed.h"
#include "base/arena.h"
#include "base/text.h"
#include "sys/clock.h"
#include <string.h>

#include "base/banned.h"

#define LONG_LOG_BUSY ((size_t)10000) /* so many lines read: it takes its time */

struct reading {
    struct keep *keep;
    struct printed *printed;
    struct arena piece;
    char position[E2B_POSITION_SIZE]; /* of the next piece; "" at the end */
    size_t total;
};

static void keep_printed(void *ctx, const struct output_line *l)
{
    keep_output(ctx, l);
}

static void take_lines(struct reading *r, const struct e2b_logs *op)
{
    for (size_t i = 0; i < op->count; i++)
        if (!printed_take(r->printed, &op->lines[i]))
            keep_log(r->keep, &op->lines[i]);
    r->total += op->count;
}

/* A position is bounded (e2b.h). */
static void go_to(struct reading *r, const char *position)
{
    memcpy(r->position, position, strlen(position) + 1);
}

/* One read from the position. false: it failed, or leads nowhere. */
static bool read_piece(struct agent *ag, struct reading *r, const struct e2b_logs *first,
                       int64_t deadline_us, struct source *src)
{
    struct e2b_logs op;
    struct http_call *calls[1];
    bool moves = false;

    e2b_logs_init(&op, &ag->e2b, &r->piece, first->sandbox_id, r->position,
                  LONG_LOG_PIECE, first->now_us);
    op.is_piece = op.want_results = op.results_late = true;
    calls[0] = &op.call;
    http_run(ag->http, calls, 1, deadline_us);
    if (op.src.err.kind !=
        ERR_NONE) /* also of a piece that broke off: what came is kept */
        src->err = op.src.err;
    if (op.src.state == SOURCE_OK) {
        take_lines(r, &op);
        src->fetched_us = op.src.fetched_us;
        src->took_us += op.src.took_us;
        moves = strcmp(op.next_position, r->position) != 0;
        go_to(r, op.next_position);
    }
    e2b_logs_release(&op);
    arena_reset(&r->piece);
    return moves;
}

void long_log_read(struct agent *ag, struct arena *a, const struct e2b_logs *first,
                   int64_t deadline_us, struct evidence *ev)
{
    struct reading r = {.keep = keep_new()};
    bool moves = true;
    size_t before = ev->output_count;

    if (first->src.state == SOURCE_OK) {
        arena_init(&r.piece);
        r.printed = printed_new(keep_printed, r.keep);
        take_lines(&r, first);
        go_to(&r, first->next_position);
        while (moves && *r.position && r.total < LONG_LOG_MAX &&
               clock_mono_us() < deadline_us) {
            if (r.total >= LONG_LOG_BUSY)
                crew_set_long(ag->crew, ag->index, true);
            moves = read_piece(ag, &r, first, deadline_us, &ev->logs_src);
        }
        crew_set_long(ag->crew, ag->index, false);
        printed_end(r.printed);
        arena_release(&r.piece);
        ev->logs_src.is_cut = keep_finish(r.keep, a, ev) > 0 || *r.position;
        if (ev->output_count > before)
            ev->output_src = ev->logs_src;
    }
    keep_free(r.keep);
}
