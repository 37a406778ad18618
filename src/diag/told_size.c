/*
 * Reads sizes out of messages: "103. GiB", "18446744073709551615 bytes", "0x7fff... bytes".
 */
#include "diag/told_size.h"
#include "diag/limits.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/banned.h"

#define NUMBER_MAX 64

/* The value of a number and its unit; 0 when it is none. */
static double bytes_of(const char *size, size_t n, const char *unit)
{
    static const char letters[] = "KMGTPEZY";
    char buf[NUMBER_MAX];
    const char *l = *unit ? strchr(letters, toupper((unsigned char)*unit)) : NULL;
    double v;

    if (n == 0 || n >= sizeof(buf))
        return 0;
    memcpy(buf, size, n);
    buf[n] = '\0';
    v = strtod(buf, NULL);
    for (long k = l && *l ? l - letters + 1 : 0; k > 0; k--)
        v *= 1024;
    return v;
}

static bool is_unit(const char *s)
{
    return strncasecmp(s, "bytes", 5) == 0 || strncasecmp(s, "byte", 4) == 0 ||
           (*s && strchr("KMGTPEZYkmgtpezy", *s) &&
            (strncmp(s + 1, "iB", 2) == 0 || (s[1] == 'B' || s[1] == 'b')));
}

/* The largest "number unit" of the line. */
static double largest(const char *line)
{
    double best = 0;

    for (const char *p = line; *p;) {
        size_t n = strncmp(p, "0x", 2) == 0 ? 2 + strspn(p + 2, "0123456789abcdefABCDEF")
                                            : strspn(p, "0123456789.");
        const char *unit = p + n;
        double v;
        if (n == 0 || !isdigit((unsigned char)*p)) {
            p++;
            continue;
        }
        unit += *unit == ' ' || *unit == '-';
        v = is_unit(unit) ? bytes_of(p, n, unit[0] == 'b' || unit[0] == 'B' ? "" : unit)
                          : 0;
        if (v > best)
            best = v;
        p += n;
    }
    return best;
}

bool told_size_is_impossible(const struct scan_hit *h, const char *line)
{
    if (*h->size)
        return bytes_of(h->size, strspn(h->size, "0123456789."), h->unit) >=
               LIMIT_IMPOSSIBLE_BYTES;
    return h->row->meaning == MEAN_MEM_REFUSED && largest(line) >= LIMIT_IMPOSSIBLE_BYTES;
}
