/*
 * Metrics (e2b.md 4): buckets whose width follows the range, maxima in each,
 * empty ones left out, and the traps around a missing bound.
 */
#include "e2b.h"

#include "samples.h"
#include "text.h"
#include "when.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int64_t below_s;
    int64_t width_s;
} widths[] = {
    {3600,      5  },
    {6 * 3600,  30 },
    {12 * 3600, 60 },
    {24 * 3600, 120},
    {7 * 86400, 300},
    {INT64_MAX, 900},
};

static int64_t bucket_width(int64_t range_s)
{
    size_t i = 0;

    while (range_s >= widths[i].below_s)
        i++;
    return widths[i].width_s;
}

/* JSON as the server writes it: a whole number has no fraction. */
static json_t *number(double v)
{
    return v == floor(v) ? json_integer((json_int_t)v) : json_real(v);
}

static json_t *point(const struct sandbox *sb, int64_t t_s, const struct sample *s)
{
    char *stamp = time_rfc3339(t_s * US_PER_S, 0);
    json_t *o =
        pack("{s:s, s:I, s:I, s:o, s:I, s:I, s:I, s:I}", "timestamp", stamp,
             "timestampUnix", (json_int_t)t_s, "cpuCount", (json_int_t)sandbox_cpus(sb),
             "cpuUsedPct", number(s->cpu_pct), "memUsed", (json_int_t)s->mem_used,
             "memTotal", (json_int_t)sandbox_mem_total(sb), "diskUsed",
             (json_int_t)s->disk_used, "diskTotal", (json_int_t)sandbox_disk_total(sb));

    if (!jbool(sb->template, "noCache", false))
        json_object_set_new(o, "memCache", json_integer((json_int_t)s->mem_cache));
    free(stamp);
    return o;
}

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void merge(struct sample *into, const struct sample *s)
{
    into->cpu_pct = s->cpu_pct > into->cpu_pct ? s->cpu_pct : into->cpu_pct;
    into->mem_used = max64(into->mem_used, s->mem_used);
    into->mem_cache = max64(into->mem_cache, s->mem_cache);
    into->disk_used = max64(into->disk_used, s->disk_used);
}

static json_t *buckets(const struct sandbox *sb, const struct sample_list *list,
                       int64_t start_s, int64_t end_s)
{
    int64_t width = bucket_width(end_s - start_s), current = -1;
    struct sample top = {0};
    json_t *out = json_array();

    for (size_t i = 0; i < list->count; i++) {
        const struct sample *s = &list->items[i];
        int64_t t_s = s->t_us / US_PER_S;

        if (t_s < start_s || t_s > end_s)
            continue;
        if (t_s / width != current) {
            if (current >= 0)
                json_array_append_new(out, point(sb, current * width, &top));
            current = t_s / width;
            top = *s;
        } else {
            merge(&top, s);
        }
    }
    if (current >= 0)
        json_array_append_new(out, point(sb, current * width, &top));
    return out;
}

/* Samples that are stored and not yet expired at that moment. */
static void stored_samples(struct sim *sim, const struct sandbox *sb, int64_t at_us,
                           struct sample_list *out)
{
    struct life life = {0};
    int64_t oldest_us = at_us - E2B_RETENTION_US;
    size_t gone = 0;

    life_build(sb, at_us, &life);
    samples_build(sb, &life, at_us - sim->settings.ingest_delay_us, out);
    life_release(&life);
    while (gone < out->count && out->items[gone].t_us < oldest_us)
        gone++;
    out->count -= gone;
    if (gone > 0)
        memmove(out->items, out->items + gone, out->count * sizeof *out->items);
}

void e2b_metrics(struct sim *sim, const struct request *rq, const char *id,
                 struct reply *rp)
{
    const struct sandbox *sb = world_sandbox(sim->world, id);
    struct sample_list list = {0};
    int64_t start_s = 0, end_s = 0, now_s = rq->now_us / US_PER_S;
    int has_start = request_int(rq, "start", 0, INT64_MAX / 2, &start_s);
    int has_end = request_int(rq, "end", 0, INT64_MAX / 2, &end_s);

    if (has_start < 0 || has_end < 0) {
        e2b_error(rp, 400, "validation error: a parameter in query has an error");
        return;
    }
    if (sb)
        stored_samples(sim, sb, rq->now_us, &list);
    if (!has_start)
        start_s = list.count ? list.items[0].t_us / US_PER_S : 0;
    if (!has_end)
        end_s = list.count ? list.items[list.count - 1].t_us / US_PER_S : 0;
    if (start_s > end_s || start_s > now_s + 86400 || end_s > now_s + 86400)
        e2b_error(rp, 400, "Invalid time range for metrics");
    else
        reply_json(rp, 200, sb ? buckets(sb, &list, start_s, end_s) : json_array());
    samples_release(&list);
}

/* GET /sandboxes/metrics?sandbox_ids=a,b - the latest sample of each. */
void e2b_latest_metrics(struct sim *sim, const struct request *rq, struct reply *rp)
{
    const char *ids = request_param(rq, "sandbox_ids");
    char *copy = dup_str(ids ? ids : ""), *rest = copy, *id;
    json_t *all = json_object();
    size_t count = 0;

    while ((id = strsep(&rest, ","))) {
        struct sandbox *sb = world_sandbox(sim->world, id);
        struct sample_list list = {0};

        count++;
        if (sb)
            stored_samples(sim, sb, rq->now_us, &list);
        if (list.count > 0) {
            const struct sample *s = &list.items[list.count - 1];

            json_object_set_new(all, id, point(sb, s->t_us / US_PER_S, s));
        }
        samples_release(&list);
    }
    if (!ids || !*ids || count > 100) {
        e2b_error(rp, 400, "validation error: sandbox_ids must have 1 to 100 items");
        json_decref(all);
    } else {
        reply_json(rp, 200, pack("{s:o}", "sandboxes", all));
    }
    free(copy);
}
