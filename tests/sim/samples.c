/*
 * Samples from segments. A description lists for each measure segments of the
 * forms
 *   ["flat", from, to, value]        ["ramp", from, to, first, last]
 *   ["saw", from, to, low, high, period]
 * with times counted from the sandbox's start, CPU in percent and the others
 * in MiB. Outside all segments the value is the measure's "idle" value, except
 * that disk stays where its last segment left it. Noise is a hash of the id and the
 * sample's number, so every start tells the same story.
 */
#include "samples.h"

#include "text.h"
#include "when.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_EVERY_US (5 * US_PER_S)
#define FIRST_SAMPLE_US (2 * US_PER_S)
#define MIB 1048576.0

struct measure {
    const char *name;
    double idle;
    double noise; /* as a fraction of the value */
    bool keeps_last;
};

static const struct measure cpu_measure = {"cpu", 2, 0.09, false};
static const struct measure mem_measure = {"mem", 121, 0.004, false};
static const struct measure cache_measure = {"cache", 88, 0.002, true};
static const struct measure disk_measure = {"disk", 1434, 0, true};

static int64_t segment_time(const json_t *segment, size_t i)
{
    return duration_us(json_string_value(json_array_get(segment, i)));
}

static double segment_value(const json_t *segment, int64_t at_us)
{
    const char *shape = json_string_value(json_array_get(segment, 0));
    int64_t from = segment_time(segment, 1), to = segment_time(segment, 2);
    double a = json_number_value(json_array_get(segment, 3));
    double b = json_number_value(json_array_get(segment, 4));
    double part = (double)(at_us - from) / (double)(to > from ? to - from : 1);

    if (strcmp(shape, "flat") == 0)
        return a;
    if (strcmp(shape, "ramp") == 0)
        return a + (b - a) * part;
    if (strcmp(shape, "saw") == 0) {
        double period = (double)segment_time(segment, 5);

        return a + (b - a) * fmod((double)(at_us - from), period) / period;
    }
    die("\"%s\" is no shape of a segment", shape);
}

/* The value where a segment ends, for measures that stay there. */
static double segment_last(const json_t *segment)
{
    const json_t *b = json_array_get(segment, 4);

    return json_number_value(b ? b : json_array_get(segment, 3));
}

static double measure_at(const struct sandbox *sb, const struct measure *m,
                         int64_t offset_us, uint64_t salt)
{
    const json_t *metrics = json_object_get(sb->desc, "metrics");
    const json_t *segments = json_object_get(metrics, m->name), *segment;
    double value = jnum(json_object_get(metrics, "idle"), m->name, m->idle);
    size_t i;

    json_array_foreach(segments, i, segment)
    {
        if (offset_us < segment_time(segment, 1))
            break;
        if (offset_us < segment_time(segment, 2)) {
            value = segment_value(segment, offset_us);
            break;
        }
        if (m->keeps_last)
            value = segment_last(segment);
    }
    return value * (1 + m->noise * hash_noise(m->name, salt));
}

static bool is_gap(const struct sandbox *sb, int64_t offset_us)
{
    const json_t *gap;
    size_t i;

    json_array_foreach(json_object_get(json_object_get(sb->desc, "metrics"), "gaps"), i,
                       gap)
    {
        if (offset_us >= segment_time(gap, 0) && offset_us < segment_time(gap, 1))
            return true;
    }
    return false;
}

static double clamp(double v, double max)
{
    return v < 0 ? 0 : v > max ? max : v;
}

static void add_sample(struct sample_list *list, const struct sandbox *sb, int64_t t_us)
{
    int64_t offset = t_us - sb->start_us;
    uint64_t salt = hash_text(sb->id, (uint64_t)(offset / US_PER_S));
    double total = (double)sandbox_mem_total(sb);
    struct sample *s;

    list->items = grow(list->items, list->count, sizeof *list->items);
    s = &list->items[list->count++];
    s->t_us = t_us;
    s->cpu_pct =
        round(clamp(measure_at(sb, &cpu_measure, offset, salt), 100) * 100) / 100;
    s->mem_used = (int64_t)clamp(measure_at(sb, &mem_measure, offset, salt) * MIB, total);
    s->mem_cache =
        (int64_t)clamp(measure_at(sb, &cache_measure, offset, salt) * MIB, total);
    s->disk_used = (int64_t)clamp(measure_at(sb, &disk_measure, offset, salt) * MIB,
                                  (double)sandbox_disk_total(sb));
    s->mem_used -= s->mem_used % 4096;
    s->mem_cache -= s->mem_cache % 4096;
    s->disk_used -= s->disk_used % 4096;
}

static int64_t run_alive_until(const struct run *run, int64_t at_us)
{
    int64_t end = run->end_us && run->end_us < at_us ? run->end_us : at_us;

    return run->dead_us && run->dead_us < end ? run->dead_us : end;
}

void samples_build(const struct sandbox *sb, const struct life *life, int64_t at_us,
                   struct sample_list *out)
{
    *out = (struct sample_list){0};
    if (jbool(json_object_get(sb->desc, "metrics"), "none", false))
        return;
    for (size_t i = 0; i < life->run_count; i++) {
        const struct run *run = &life->runs[i];
        int64_t end = run_alive_until(run, at_us);

        for (int64_t t = run->start_us + FIRST_SAMPLE_US; t < end; t += SAMPLE_EVERY_US) {
            if (!is_gap(sb, t - sb->start_us))
                add_sample(out, sb, t);
        }
    }
}

void samples_release(struct sample_list *list)
{
    free(list->items);
    *list = (struct sample_list){0};
}

int64_t sandbox_disk_total(const struct sandbox *sb)
{
    double bytes = (double)sandbox_disk_mb(sb) * MIB * 0.958;

    return (int64_t)bytes / 4096 * 4096;
}
