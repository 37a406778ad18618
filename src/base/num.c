/* Numbers from text: strict grammar first, then the conversion. */
#include "base/num.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/banned.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int parse_i64(const char *s, int64_t min, int64_t max, int64_t *out)
{
    bool is_negative;
    int64_t v = 0; /* kept negative: INT64_MIN has no positive twin */

    if (!s)
        return -1;
    is_negative = *s == '-';
    if (is_negative)
        s++;
    if (!is_digit(*s))
        return -1;
    for (; is_digit(*s); s++) {
        int digit = *s - '0';

        if (v < (INT64_MIN + digit) / 10)
            return -1;
        v = v * 10 - digit;
    }
    if (*s || (!is_negative && v == INT64_MIN))
        return -1;
    if (!is_negative)
        v = -v;
    if (v < min || v > max)
        return -1;
    *out = v;
    return 0;
}

static const char *skip_digits(const char *s)
{
    while (is_digit(*s))
        s++;
    return s;
}

/* -?D+(.D+)?([eE][+-]?D+)? and nothing else. */
static bool is_decimal(const char *s)
{
    const char *p;

    if (*s == '-')
        s++;
    p = skip_digits(s);
    if (p == s)
        return false;
    if (*p == '.') {
        s = p + 1;
        p = skip_digits(s);
        if (p == s)
            return false;
    }
    if (*p == 'e' || *p == 'E') {
        s = p + 1;
        if (*s == '+' || *s == '-')
            s++;
        p = skip_digits(s);
        if (p == s)
            return false;
    }
    return *p == '\0';
}

int parse_f64(const char *s, double *out)
{
    locale_t c_locale;
    double v;

    if (!s || !is_decimal(s))
        return -1;
    /* glibc hands out its static "C" object here: no allocation */
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        return -1;
    v = strtod_l(s, NULL, c_locale);
    freelocale(c_locale);
    if (!isfinite(v))
        return -1;
    *out = v;
    return 0;
}
