/* From the columns of an investigation to the struct. */
#include "store/st_inv_row.h"
#include "base/arena.h"
#include "base/ts.h"

#include "base/banned.h"

/* The order is that of INV_COLUMNS. */
enum {
    COL_ID,
    COL_SANDBOX,
    COL_TICKET,
    COL_STATE,
    COL_REACHED,
    COL_REQUESTED_BY,
    COL_CANCELED_BY,
    COL_CREATED,
    COL_STARTED,
    COL_FINISHED,
    COL_COLLECTED, /* the stages follow, in the order of enum inv_state */
    COL_RUN_AFTER = COL_COLLECTED + INV_STATE_COUNT - 1,
    COL_ATTEMPT,
    COL_FENCE,
    COL_WORKER,
    COL_LEASE_UNTIL,
    COL_FAILURE,
    COL_OPENED,
    COL_READ_EVENTS,
    COL_READ_SAMPLES,
    COL_READ_LINES,
    COL_COUNT
};

_Static_assert(COL_COUNT == INV_COLUMN_COUNT, "the columns of an investigation");

static enum inv_state state_at(const struct db_rows *rows, unsigned col, struct arena *a)
{
    const char *name = db_str(rows, col, a);
    enum inv_state state;

    if (inv_state_parse(name, &state))
        BUG("state \"%s\" in the database", name); /* its CHECK allows no other */
    return state;
}

void inv_read_row(const struct db_rows *rows, struct arena *a, struct investigation *out)
{
    *out = (struct investigation){
        .id = db_i64(rows, COL_ID, 0),
        .sandbox_id = db_str(rows, COL_SANDBOX, a),
        .ticket_id = db_i64(rows, COL_TICKET, 0),
        .state = state_at(rows, COL_STATE, a),
        .reached = state_at(rows, COL_REACHED, a),
        .requested_by = db_str(rows, COL_REQUESTED_BY, a),
        .canceled_by = db_str(rows, COL_CANCELED_BY, a),
        .created_us = db_i64(rows, COL_CREATED, 0),
        .started_us = db_i64(rows, COL_STARTED, TS_NONE),
        .finished_us = db_i64(rows, COL_FINISHED, TS_NONE),
        .run_after_us = db_i64(rows, COL_RUN_AFTER, 0),
        .attempt = (int)db_i64(rows, COL_ATTEMPT, 0),
        .fence = db_i64(rows, COL_FENCE, 0),
        .worker = db_str(rows, COL_WORKER, a),
        .lease_until_us = db_i64(rows, COL_LEASE_UNTIL, 0),
        .failure = db_str(rows, COL_FAILURE, a),
    };
    out->read = (struct inv_read){.events = db_i64(rows, COL_READ_EVENTS, -1),
                                  .samples = db_i64(rows, COL_READ_SAMPLES, -1),
                                  .lines = db_i64(rows, COL_READ_LINES, -1)};
    out->read.is_known =
        out->read.events >= 0 || out->read.samples >= 0 || out->read.lines >= 0;
    out->opened_us = db_i64(rows, COL_OPENED, 0);
    if (out->opened_us < out->created_us)
        out->opened_us = out->created_us;
    out->stage_us[INV_QUEUED] = out->created_us;
    for (unsigned s = INV_COLLECTED; s < INV_STATE_COUNT; s++)
        out->stage_us[s] = db_i64(rows, COL_COLLECTED + s - INV_COLLECTED, TS_NONE);
}

int inv_read_one(struct db_rows *rows, struct arena *a, const char *what,
                 struct investigation *out, struct err *err)
{
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        inv_read_row(rows, a, out);
    db_close(rows);
    if (rc == 0)
        err_set(err, ERR_NOTFOUND, "%s not found", what);
    return rc == 1 ? 0 : -1;
}
