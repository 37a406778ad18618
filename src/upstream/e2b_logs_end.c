/*
 * How a read of logs ends: the positions that lead on from it in both directions, and the exit codes that
 * belong to its lines.
 */
#include "base/arena.h"
#include "base/ts.h"
#include "upstream/e2b_logs_private.h"

#include "base/banned.h"

/* Called when either of the two reads has ended; the second time counts. */
static void results_done(void *ctx)
{
    struct e2b_logs *op = ctx;
    struct logs_state *st = op->state;

    if (!st->is_done || !st->results.is_done || !e2b_logs_is_v2(st))
        return;
    e2b_results_match(&st->results, op->lines, op->count);
    op->results_src = st->results.src;
}

/* Which of the lines lack a result; false when none does. */
static bool lacking(const struct e2b_logs *op, int64_t *from_us, int64_t *to_us)
{
    *from_us = *to_us = TS_NONE;
    for (size_t i = 0; i < op->count; i++) {
        int64_t at_us = op->lines[i].at_us;

        if (!e2b_lacks_result(&op->lines[i]))
            continue;
        if (*from_us == TS_NONE || at_us < *from_us)
            *from_us = at_us;
        if (at_us > *to_us)
            *to_us = at_us;
    }
    return *from_us != TS_NONE;
}

static void results_of_lines(struct e2b_logs *op)
{
    struct logs_state *st = op->state;
    int64_t from_us, to_us;

    if (st->results.is_started) {
        e2b_results_limit(&st->results, op->count ? op->lines[op->count - 1].at_us : 0);
        results_done(op);
    } else if (op->want_results && e2b_logs_is_v2(st) && lacking(op, &from_us, &to_us) &&
               !http_deadline_over(op->e2b->http)) {
        e2b_results_start(&st->results, op, from_us / TS_MS, results_done);
        e2b_results_limit(&st->results, to_us);
    }
}

/* From the first line the other way: what was taken of its millisecond is not wanted again. */
static const char *turn(struct e2b_logs *op)
{
    const struct logs_state *st = op->state;
    struct e2b_place p;
    size_t n = 0;

    if (!e2b_logs_is_v2(st) || !op->count)
        return "";
    e2b_place_start(&p, st->place.mode == PLACE_BACK ? PLACE_CURSOR : PLACE_BACK,
                    e2b_line_ms(&op->lines[0]));
    while (n < op->count && e2b_line_ms(&op->lines[n]) == p.ms)
        n++;
    while (n-- > 0)
        e2b_place_note(op->arena, &p, &op->lines[n]);
    return e2b_place_encode(op->arena, &p);
}

static bool logs_done(struct e2b_logs *op)
{
    struct logs_state *st = op->state;

    st->is_done = true;
    if (!e2b_logs_is_v2(st))
        op->results_src = op->src; /* v1: the raw lines came along */
    op->is_newest_first = st->place.mode == PLACE_BACK;
    op->turn_position = turn(op);
    op->reached_us = st->taken ? st->place.ms * TS_MS : TS_NONE;
    results_of_lines(op);
    return false;
}

bool e2b_logs_finish(struct e2b_logs *op, bool is_end)
{
    struct logs_state *st = op->state;

    op->next_position = is_end ? "" : e2b_place_encode(op->arena, &st->place);
    if (!is_end)
        op->src.is_cut = true;
    return logs_done(op);
}

bool e2b_logs_fail(struct e2b_logs *op, enum source_state state, const struct err *err)
{
    struct logs_state *st = op->state;
    bool has_data = st->taken > 0;

    e2b_source_fail(&op->src, &op->call, has_data, state, err);
    if (has_data)
        op->next_position = e2b_place_encode(op->arena, &st->place);
    else
        op->next_position = op->position ? op->position : "";
    return logs_done(op);
}

bool e2b_logs_stuck(struct e2b_logs *op)
{
    struct err err = ERR_INIT;

    err_set(&err, ERR_UPSTREAM, "the log pages do not move on");
    return e2b_logs_fail(op, SOURCE_FAILED, &err);
}

void e2b_logs_results_beside(struct e2b_logs *op, int64_t from_ms)
{
    struct logs_state *st = op->state;

    e2b_results_start(&st->results, op, from_ms, results_done);
}
