/* A failing store costs nothing but the request that it would have saved. */
#include "web/pages/live.h"

#include "base/text.h"
#include "base/ts.h"
#include "sys/log.h"
#include <string.h>

#include "base/banned.h"

#define FRESH_US (30 * TS_SEC)

void live_want(struct live *l, const char *issue_id)
{
    if (text_is_empty(issue_id) || l->id_count == LINEAR_STATES_MAX)
        return;
    for (size_t i = 0; i < l->id_count; i++)
        if (strcmp(l->ids[i], issue_id) == 0)
            return;
    l->ids[l->id_count++] = issue_id;
}

static const struct kept_issue *find_kept(const struct live *l, const char *issue_id)
{
    for (size_t i = 0; i < l->kept_count; i++)
        if (strcmp(l->kept[i].issue.id, issue_id) == 0)
            return &l->kept[i];
    return NULL;
}

size_t live_calls(struct live *l, struct req *rq, struct http_call **calls, size_t n)
{
    const char *old[LINEAR_STATES_MAX];
    struct err err = ERR_INIT;
    size_t old_count = 0;

    l->rq = rq;
    if (l->id_count == 0)
        return n;
    if (rq->has_db && issue_get_kept(rq->app->db, rq->arena, l->ids, l->id_count,
                                     &l->kept, &l->kept_count, &err))
        log_err(LOG_WARN, "the kept states of issues", &err);
    for (size_t i = 0; i < l->id_count; i++) {
        const struct kept_issue *k = find_kept(l, l->ids[i]);

        if (!k || rq->now_us - k->read_us > FRESH_US)
            old[old_count++] = l->ids[i];
    }
    if (old_count == 0)
        return n;
    linear_states_init(&l->states, &rq->app->linear, rq->arena, old, old_count);
    l->is_asking = true;
    calls[n] = &l->states.call;
    return n + 1;
}

void live_take(struct live *l)
{
    struct err err = ERR_INIT;

    if (!l->is_asking || l->states.src.state != SOURCE_OK || !l->rq->has_db)
        return;
    if (issue_keep(l->rq->app->db, l->states.found.items, l->states.found.count,
                   l->rq->now_us, &err))
        log_err(LOG_WARN, "the states of issues were not kept", &err);
}

const struct linear_issue *live_find(const struct live *l, const char *issue_id)
{
    const struct kept_issue *k = find_kept(l, issue_id);

    for (size_t i = 0; l->is_asking && i < l->states.found.count; i++)
        if (strcmp(l->states.found.items[i].id, issue_id) == 0)
            return &l->states.found.items[i];
    return k ? &k->issue : NULL;
}

const struct source *live_source(const struct live *l)
{
    return l->is_asking ? &l->states.src : NULL;
}

void live_release(struct live *l)
{
    if (l->is_asking)
        linear_states_release(&l->states);
    l->is_asking = false;
}
