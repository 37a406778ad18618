/*
 * Lifecycle events of one sandbox or the whole team (e2b.md 6).
 */
#include "e2b.h"

#include "story.h"
#include "text.h"
#include "when.h"

#include <stdlib.h>
#include <string.h>

/* Whole seconds as text, then the fraction, which may be missing. */
static int compare_stamps(const char *a, const char *b)
{
    int order = strncmp(a, b, 19);
    double fa, fb;

    if (order != 0)
        return order;
    fa = a[19] == '.' ? strtod(a + 19, NULL) : 0;
    fb = b[19] == '.' ? strtod(b + 19, NULL) : 0;
    return fa < fb ? -1 : fa > fb;
}

static int oldest_first(const void *pa, const void *pb)
{
    const json_t *a = *(json_t *const *)pa, *b = *(json_t *const *)pb;

    return compare_stamps(jstr(a, "timestamp"), jstr(b, "timestamp"));
}

static bool is_wanted(const struct request *rq, const json_t *event, const char *oldest)
{
    const char *type = jstr(event, "type");
    bool has_types = false;

    if (compare_stamps(jstr(event, "timestamp"), oldest) < 0)
        return false;
    for (size_t i = 0; i < rq->param_count; i++) {
        if (strcmp(rq->params[i].name, "types") != 0)
            continue;
        has_types = true;
        if (strcmp(rq->params[i].value, type) == 0)
            return true;
    }
    return !has_types;
}

/* References to the wanted events of all sandboxes, or of the one with the id. */
static json_t **collect(struct sim *sim, const struct request *rq, const char *id,
                        size_t *count)
{
    struct world *w = sim->world;
    json_t **list = NULL, *event;
    char *oldest = time_rfc3339(rq->now_us - E2B_RETENTION_US, 0);
    size_t k;

    *count = 0;
    for (size_t i = 0; i < w->sandbox_count; i++) {
        struct life life = {0};

        if (id && strcmp(w->sandboxes[i].id, id) != 0)
            continue;
        life_build(&w->sandboxes[i], rq->now_us, &life);
        json_array_foreach(life.events, k, event)
        {
            if (!is_wanted(rq, event, oldest))
                continue;
            list = grow(list, *count, sizeof *list);
            list[(*count)++] = json_incref(event);
        }
        life_release(&life);
    }
    free(oldest);
    if (*count > 0)
        qsort(list, *count, sizeof *list, oldest_first);
    return list;
}

void e2b_events(struct sim *sim, const struct request *rq, const char *id,
                struct reply *rp)
{
    int64_t limit = 10, offset = 0;
    const char *order = request_param(rq, "orderAsc");
    bool is_asc = order && strcmp(order, "true") == 0;
    json_t **list, *page;
    size_t count;

    if (request_int(rq, "limit", 1, 100, &limit) < 0 ||
        request_int(rq, "offset", 0, INT32_MAX, &offset) < 0 ||
        (order && !is_asc && strcmp(order, "false") != 0)) {
        e2b_error(rp, 400, "validation error: a parameter in query has an error");
        return;
    }
    list = collect(sim, rq, id, &count);
    page = json_array();
    for (size_t i = (size_t)offset; i < count && i < (size_t)(offset + limit); i++)
        json_array_append(page, list[is_asc ? i : count - 1 - i]);
    for (size_t i = 0; i < count; i++)
        json_decref(list[i]);
    free(list);
    reply_json(rp, 200, page);
}
