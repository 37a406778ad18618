/* One small read for each process end whose result is not known yet. */
#include "web/pages/exits.h"

#include "base/arena.h"
#include "base/ts.h"
#include "upstream/e2b.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define MAX_READS 6
#define LINES                                                                            \
    50 /* around one end: more than this in a millisecond is not looked through */

static void take(struct arena *a, struct process *p, const struct log_line *lines,
                 size_t n)
{
    char *message = arena_fmt(a, "Process with pid %" PRId64 " ended", p->pid);

    for (size_t i = 0; i < n; i++) {
        if (lines[i].at_us != p->end_us || !lines[i].has_result ||
            strcmp(lines[i].message, message) != 0)
            continue;
        p->has_result = true;
        p->exit_code = lines[i].exit_code;
        p->status = lines[i].status;
        return;
    }
}

void exits_take(struct arena *a, struct process *p, size_t n,
                const struct log_line *lines, size_t line_n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i].end_us != TS_NONE && !p[i].has_result)
            take(a, &p[i], lines, line_n);
}

/* Why the result of a process is still not known; NULL: it is, or E2B has none. */
static const struct source *failure_of(const struct process *p, const struct e2b_logs *op)
{
    if (p->has_result)
        return NULL;
    if (op->src.state != SOURCE_OK)
        return &op->src;
    return op->results_src.state != SOURCE_OK ? &op->results_src : NULL;
}

const struct source *exits_read(struct req *rq, const char *sandbox_id, struct process *p,
                                size_t n)
{
    const struct source *failed = NULL;
    struct e2b_logs *ops = arena_array(rq->arena, MAX_READS, sizeof *ops);
    struct http_call *calls[MAX_READS];
    struct process *of[MAX_READS];
    size_t count = 0;

    for (size_t i = n; i-- > 0 && count < MAX_READS;) {
        if (p[i].end_us == TS_NONE || p[i].has_result)
            continue;
        e2b_logs_init(&ops[count], &rq->app->e2b, rq->arena, sandbox_id,
                      e2b_logs_position_at(rq->arena, p[i].end_us), LINES, rq->now_us);
        ops[count].want_results = true;
        calls[count] = &ops[count].call;
        of[count++] = &p[i];
    }
    if (count == 0)
        return NULL;
    http_run(rq->app->http, calls, count, rq->deadline_us);
    for (size_t i = 0; i < count; i++) {
        take(rq->arena, of[i], ops[i].lines, ops[i].count);
        if (!failed)
            failed = failure_of(of[i], &ops[i]);
        e2b_logs_release(&ops[i]);
    }
    return failed;
}
