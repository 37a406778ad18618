#include "web/near.h"

#include "base/text.h"
#include "base/ts.h"
#include "sys/conf.h"
#include "web/search.h"
#include <string.h>

#include "base/banned.h"

#define MAX_READ 2000 /* of one customer, the newest */

static const char *customer_value(const struct conf *conf, const struct tag *tags,
                                  size_t n, const char *preferred)
{
    const char *first = NULL;

    for (size_t i = 0; i < conf->e2b.metadata_key_count; i++) {
        const char *value = tag_get(tags, n, conf->e2b.metadata_keys[i], "");

        if (text_is_empty(value))
            continue;
        if (!text_is_empty(preferred) && text_ieq(value, preferred))
            return value;
        if (!first)
            first = value;
    }
    return first;
}

static bool counts(const struct near *near, const struct search_hit *h)
{
    return !near->has_window || h->overlap == OVERLAP_YES || h->overlap == OVERLAP_MAYBE;
}

/* Newest start first: before it are the newer ones. */
static void find_place(struct near *near, const struct search *s, const char *sandbox_id)
{
    bool is_past = false;

    for (size_t i = 0; i < s->hit_count; i++) {
        const struct search_hit *h = &s->hits[i];
        bool is_it = strcmp(h->id, sandbox_id) == 0;

        near->count += counts(near, h);
        if (is_it && counts(near, h))
            near->position = near->count;
        else if (!is_it && counts(near, h) && !is_past)
            near->newer = h->id;
        else if (!is_it && counts(near, h) && !near->older)
            near->older = h->id;
        is_past = is_past || is_it;
    }
    if (!is_past) /* not among those that were read */
        near->count = 0;
}

void near_load(struct near *near, struct req *rq, const char *sandbox_id,
               const struct tag *tags, size_t tag_count, const char *preferred,
               int64_t from_us, int64_t to_us)
{
    const struct conf *conf = rq->app->conf;
    struct search *s = arena_alloc(rq->arena, sizeof *s);

    *near = (struct near){.has_window = from_us != TS_NONE && to_us != TS_NONE};
    near->value = customer_value(conf, tags, tag_count, preferred);
    if (!near->value)
        return;
    *s = (struct search){.rq = rq,
                         .key_count = conf->e2b.metadata_key_count,
                         .value = text_trim(rq->arena, near->value),
                         .state = "",
                         .template_name = "",
                         .started_from_us = TS_NONE,
                         .started_to_us = TS_NONE,
                         .from_us = from_us,
                         .to_us = to_us};
    memcpy(s->keys, conf->e2b.metadata_keys, s->key_count * sizeof s->keys[0]);
    search_record(s, MAX_READ);
    near->is_least = s->ledger_is_cut;
    find_place(near, s, sandbox_id);
}
