/*
 * Filters in the form of Linear's IssueFilter (linear.md 3.1): comparators on
 * scalars, filters on references, some/every on collections, and/or.
 */
#include "lin.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- comparators --------------------------------------------------------- */

static bool same(const json_t *have, const json_t *wanted)
{
    if (json_is_number(have) && json_is_number(wanted))
        return json_number_value(have) == json_number_value(wanted);
    if (json_is_null(wanted))
        return !have || json_is_null(have);
    return have && json_equal((json_t *)have, (json_t *)wanted);
}

static bool is_in(const json_t *have, const json_t *list)
{
    json_t *v;
    size_t i;

    json_array_foreach(list, i, v)
    {
        if (same(have, v))
            return true;
    }
    return false;
}

static const char *text_of(const json_t *v)
{
    const char *s = json_string_value(v);

    return s ? s : "";
}

/* "-P30D", "-P2W", "-P1Y" against now; others stay as they are. */
static char *date_text(const char *wanted, int64_t now_us)
{
    static const struct {
        char unit;
        long days;
    } units[] = {
        {'D', 1  },
        {'W', 7  },
        {'M', 30 },
        {'Y', 365}
    };
    bool is_past = *wanted == '-';
    const char *p = wanted + is_past;
    char *end;
    long n;
    time_t t;
    struct tm tm;
    char buf[40];

    if (*p != 'P')
        return dup_str(wanted);
    n = strtol(p + 1, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (units[i].unit == *end) {
            t = (time_t)(now_us / US_PER_S) +
                (is_past ? -1 : 1) * n * units[i].days * 86400;
            gmtime_r(&t, &tm);
            strftime(buf, sizeof buf, "%Y-%m-%dT%H:%M:%S", &tm);
            return dup_str(buf);
        }
    }
    return dup_str(wanted);
}

static int compare(const struct lin *l, const json_t *have, const json_t *wanted)
{
    char *date;
    int order;

    if (json_is_number(have) && json_is_number(wanted)) {
        double a = json_number_value(have), b = json_number_value(wanted);

        return a < b ? -1 : a > b;
    }
    date = date_text(text_of(wanted), l->rq->now_us);
    order = strncmp(text_of(have), date, 19);
    free(date);
    return order;
}

static bool comparator_holds(struct lin *l, const json_t *have, const char *name,
                             const json_t *wanted)
{
    const char *a = text_of(have), *b = text_of(wanted);
    bool is_set = have && !json_is_null(have);

    if (strcmp(name, "eq") == 0)
        return same(have, wanted);
    if (strcmp(name, "neq") == 0)
        return !same(have, wanted);
    if (strcmp(name, "in") == 0)
        return is_in(have, wanted);
    if (strcmp(name, "nin") == 0)
        return !is_in(have, wanted);
    if (strcmp(name, "null") == 0)
        return json_is_true(wanted) == !is_set;
    if (strcmp(name, "eqIgnoreCase") == 0)
        return is_set && equals_ci(a, b);
    if (strcmp(name, "neqIgnoreCase") == 0)
        return !is_set || !equals_ci(a, b);
    if (strcmp(name, "contains") == 0)
        return is_set && strstr(a, b);
    if (strcmp(name, "notContains") == 0)
        return !is_set || !strstr(a, b);
    if (strcmp(name, "containsIgnoreCase") == 0)
        return is_set && contains_ci(a, b);
    if (strcmp(name, "notContainsIgnoreCase") == 0)
        return !is_set || !contains_ci(a, b);
    if (strcmp(name, "startsWith") == 0)
        return is_set && has_prefix(a, b);
    if (strcmp(name, "startsWithIgnoreCase") == 0)
        return is_set && strncasecmp(a, b, strlen(b)) == 0;
    if (strcmp(name, "endsWith") == 0)
        return is_set && has_suffix(a, b);
    if (strcmp(name, "gt") == 0)
        return is_set && compare(l, have, wanted) > 0;
    if (strcmp(name, "gte") == 0)
        return is_set && compare(l, have, wanted) >= 0;
    if (strcmp(name, "lt") == 0)
        return is_set && compare(l, have, wanted) < 0;
    if (strcmp(name, "lte") == 0)
        return is_set && compare(l, have, wanted) <= 0;
    lin_fail(l, 400, "GRAPHQL_VALIDATION_FAILED", "graphql error",
             "Field \"%s\" is not defined by the comparator.", name);
    return false;
}

static bool scalar_fits(struct lin *l, const json_t *have, const json_t *comparators)
{
    const char *name;
    json_t *wanted;

    json_object_foreach((json_t *)comparators, name, wanted)
    {
        if (!comparator_holds(l, have, name, wanted))
            return false;
    }
    return true;
}

/* ---- references and collections ------------------------------------------ */

static bool reference_fits(struct lin *l, const struct lin_type *type,
                           const json_t *record, const json_t *filter)
{
    json_t *rest = json_copy((json_t *)filter), *null = json_object_get(rest, "null");
    bool ok = true;

    if (null)
        ok = json_is_true(null) == (record == NULL);
    json_object_del(rest, "null");
    if (ok && json_object_size(rest) > 0)
        ok = record && lin_filter_fits(l, type, record, rest);
    json_decref(rest);
    return ok;
}

static bool some_fit(struct lin *l, const struct lin_type *type, const json_t *records,
                     const json_t *filter)
{
    json_t *record;
    size_t i;

    json_array_foreach(records, i, record)
    {
        if (lin_filter_fits(l, type, record, filter))
            return true;
    }
    return false;
}

static bool every_fit(struct lin *l, const struct lin_type *type, const json_t *records,
                      const json_t *filter)
{
    json_t *record;
    size_t i;

    json_array_foreach(records, i, record)
    {
        if (!lin_filter_fits(l, type, record, filter))
            return false;
    }
    return true;
}

/* Members side by side with some and every ask the same as some. */
static bool collection_fits(struct lin *l, const struct lin_type *type,
                            const json_t *records, const json_t *filter)
{
    json_t *rest = json_copy((json_t *)filter);
    json_t *some = json_object_get(rest, "some"), *every = json_object_get(rest, "every");
    bool ok = (!some || some_fit(l, type, records, some)) &&
              (!every || every_fit(l, type, records, every));

    json_object_del(rest, "some");
    json_object_del(rest, "every");
    if (ok && json_object_size(rest) > 0)
        ok = some_fit(l, type, records, rest);
    json_decref(rest);
    return ok;
}

static bool field_fits(struct lin *l, const struct lin_type *type, const json_t *record,
                       const char *name, const json_t *filter)
{
    const struct lin_field *field = lin_field_find(type, name);
    json_t *value;
    bool ok;

    if (!field) {
        lin_fail(l, 400, "GRAPHQL_VALIDATION_FAILED", "graphql error",
                 "Field \"%s\" is not defined by type \"%sFilter\".", name, type->name);
        return false;
    }
    value = lin_follow(l, field, record);
    if (field->kind == LK_SCALAR)
        ok = scalar_fits(l, value, filter);
    else if (field->kind == LK_OBJECT)
        ok = reference_fits(l, field->type, value, filter);
    else
        ok = collection_fits(l, field->type, value, filter);
    json_decref(value);
    return ok;
}

static bool all_of(struct lin *l, const struct lin_type *type, const json_t *record,
                   const json_t *list)
{
    json_t *filter;
    size_t i;

    json_array_foreach(list, i, filter)
    {
        if (!lin_filter_fits(l, type, record, filter))
            return false;
    }
    return true;
}

static bool any_of(struct lin *l, const struct lin_type *type, const json_t *record,
                   const json_t *list)
{
    json_t *filter;
    size_t i;

    json_array_foreach(list, i, filter)
    {
        if (lin_filter_fits(l, type, record, filter))
            return true;
    }
    return json_array_size(list) == 0;
}

bool lin_filter_fits(struct lin *l, const struct lin_type *type, const json_t *record,
                     const json_t *filter)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)filter, name, value)
    {
        bool ok;

        if (strcmp(name, "and") == 0)
            ok = all_of(l, type, record, value);
        else if (strcmp(name, "or") == 0)
            ok = any_of(l, type, record, value);
        else
            ok = field_fits(l, type, record, name, value);
        if (!ok)
            return false;
    }
    return true;
}
