/* Shared by the e2b_*.c files only: sending a request, judging an answer, keeping account of a source. */
#ifndef CASEBOOK_UPSTREAM_E2B_PRIVATE_H
#define CASEBOOK_UPSTREAM_E2B_PRIVATE_H

#include <jansson.h>

#include "base/arena.h"

#include "upstream/e2b.h"
#include "upstream/e2b_lines.h"
#include "upstream/e2b_parse.h"
#include "upstream/e2b_place.h"

/* Fill call->req with a GET of BaseUrl + path (which holds the query). Always true, for next(). */
bool e2b_send(struct http_call *call, const struct e2b *e, struct arena *a,
              const char *path);

/* A 200 that claims to be JSON, with a body yet to be read: 0. Otherwise -1 and err as below. */
int e2b_judge(const struct http_call *call, const struct e2b *e, struct arena *a,
              struct err *err);

/*
 * The document of a 200 with JSON; a new reference. Otherwise NULL and err: its kind from the
 * status, the service's own words, retry_after_us.
 */
json_t *e2b_answer(const struct http_call *call, const struct e2b *e, struct arena *a,
                   struct err *err);

/* A page came: SOURCE_OK, its tries and time added. Rows that were unreadable are kept as src->err. */
void e2b_source_page(struct source *src, const struct http_call *call,
                     const struct e2b_page *page);

/*
 * The read ends with a failure. has_data: earlier pages are kept, the source stays OK, is_cut, with the
 * error beside it. Else it gets this state. Tries and time are those of the failed request.
 * Always false, for next().
 */
bool e2b_source_fail(struct source *src, const struct http_call *call, bool has_data,
                     enum source_state state, const struct err *err);

/* For a 404: SOURCE_UNSUPPORTED or SOURCE_NOT_THERE by what the body says; else SOURCE_FAILED. */
enum source_state e2b_state_of(const struct http_call *call);

/* A call that may not be sent at all: false, with src failed as ERR_INPUT, when this is no sandbox id. */
bool e2b_id_ok(struct source *src, const char *sandbox_id);

#define E2B_LOGS_LIMIT 1000   /* lines a page */
#define E2B_LOGS_LIMIT_MIN 10 /* with very long lines */
#define E2B_LOGS_BODY ((size_t)8 << 20)
#define E2B_RESULT_FIELD "process_result" /* where model/log_json.c keeps it */

/*
 * The start of what is kept of logs (7 days, e2b.md 5.3), in ms, with a minute between the clocks:
 * an older `start` may be answered with nothing (5.1).
 */
int64_t e2b_logs_begin_ms(int64_t now_us);

/* The answer was over the body's bound and a smaller page can be asked for: *limit is cut. */
bool e2b_logs_shrink(const struct http_call *call, int *limit);

struct e2b_result {
    int64_t at_us;
    const char *message;
    const char *raw; /* {"process_result": ...}, for log_line_add_raw() */
};

/*
 * Exit codes are only in the raw lines of the v1 route (e2b.md 5.4). This reads them beside the v2 route,
 * by time from the same place, and keeps the lines that have one: in the same batch from the beginning, so that
 * a page costs one round; or, to spare E2B, once it is known which lines lack one.
 */
struct e2b_results {
    struct http_call call;
    struct e2b *e2b;
    struct arena *arena;
    struct arena scratch; /* of one page */
    const char *sandbox_id;
    struct e2b_place place;
    int64_t now_us;
    int64_t until_us; /* the newest line wanted; TS_NONE while not known */
    int limit, pages, pages_max;
    struct e2b_result *found; /* oldest first */
    size_t count, cap;
    struct source src;
    bool is_started, is_done, is_at_end;
    void (*on_done)(void *ctx);
    void *ctx;
};

/* From inside next(): begin at a millisecond. on_done is called when it has ended. */
void e2b_results_start(struct e2b_results *r, struct e2b_logs *op, int64_t from_ms,
                       void (*on_done)(void *ctx));
void e2b_results_release(struct e2b_results *r);

/* The lines are read: nothing after this time is wanted. */
void e2b_results_limit(struct e2b_results *r, int64_t until_us);
/* Put what was found on the lines (in either order of time) that it belongs to; src.is_cut when it ends before
   they do. After both reads have ended. */
void e2b_results_match(struct e2b_results *r, struct log_line *lines, size_t n);

/* Does this line end a process whose result is not known? */
bool e2b_lacks_result(const struct log_line *l);

#endif
