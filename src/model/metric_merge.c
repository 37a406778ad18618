/*
 * Coarse and fine samples in one series.
 */
#include "model/metric_merge.h"

#include <string.h>

#include "base/arena.h"
#include "base/ts.h"

#include "base/banned.h"

#define AROUND 3 /* so many steps to each side tell how wide buckets are there */

static const struct {
    int64_t below_us; /* of the range asked for */
    int64_t width_us;
} widths[] = {
    {TS_HOUR,      METRIC_STEP_US},
    {6 * TS_HOUR,  30 * TS_SEC   },
    {12 * TS_HOUR, 60 * TS_SEC   },
    {24 * TS_HOUR, 120 * TS_SEC  },
    {7 * TS_DAY,   300 * TS_SEC  },
    {INT64_MAX,    900 * TS_SEC  },
};
#define WIDTHS (sizeof(widths) / sizeof(widths[0]))

int64_t metric_width_us(int64_t range_us)
{
    size_t i = 0;

    while (i + 1 < WIDTHS && range_us >= widths[i].below_us)
        i++;
    return widths[i].width_us;
}

int64_t metrics_least_step_us(const struct metric *m, size_t n)
{
    int64_t least = INT64_MAX;

    for (size_t i = 1; i < n; i++)
        if (m[i].at_us > m[i - 1].at_us && m[i].at_us - m[i - 1].at_us < least)
            least = m[i].at_us - m[i - 1].at_us;
    return least == INT64_MAX ? 0 : least;
}

/* The width whose buckets lie so far apart; a bucket may be left out here and there. */
static int64_t fitting_width(int64_t step_us)
{
    size_t i = 0;

    while (i + 1 < WIDTHS && step_us > widths[i].width_us * 3 / 2)
        i++;
    return widths[i].width_us;
}

/* The least step in m[from] … m[to]; 0: there is none. */
static int64_t least_between(const struct metric *m, size_t from, size_t to)
{
    return to > from ? metrics_least_step_us(m + from, to - from + 1) : 0;
}

int64_t metrics_step_at_us(const struct metric *m, size_t n, size_t i)
{
    size_t before = i - 1 > AROUND ? i - 1 - AROUND : 0;
    size_t after = i + AROUND < n ? i + AROUND : n - 1;
    int64_t left = least_between(m, before, i - 1), right = least_between(m, i, after);
    int64_t apart = fitting_width(m[i].at_us - m[i - 1].at_us);
    int64_t step = fitting_width(left > right ? left : right);

    return (left || right) && step < apart ? step : apart;
}

const struct metric *metrics_lay_over(struct arena *a, const struct metric *coarse,
                                      size_t *n, const struct metric *fine, size_t fine_n,
                                      int64_t from_us)
{
    struct metric *all;
    size_t count = 0, i = 0;

    if (fine_n == 0)
        return coarse;
    if (from_us == TS_NONE || from_us > fine[0].at_us)
        from_us = fine[0].at_us;
    all = arena_array(a, *n + fine_n, sizeof *all);
    for (; i < *n && coarse[i].at_us < from_us; i++)
        all[count++] = coarse[i];
    memcpy(all + count, fine, fine_n * sizeof *all);
    count += fine_n;
    for (; i < *n; i++)
        if (coarse[i].at_us > fine[fine_n - 1].at_us)
            all[count++] = coarse[i];
    *n = count;
    return all;
}
