/*
 * What log collectors put before each line: times, container names, stream marks. They
 * are stripped so that the patterns see the line as the program wrote it; its own
 * indentation stays.
 */
#include "diag/prefix.h"
#include <ctype.h>
#include <string.h>

#include "base/banned.h"

static size_t digits(const char *s)
{
    return strspn(s, "0123456789");
}

/* "2026-03-04T09:12:07.004Z ", "2026/03/04 09:12:07 ", with any fraction and offset. */
static const char *past_time(const char *s)
{
    const char *p = s;

    if (digits(p) != 4 || (p[4] != '-' && p[4] != '/') || digits(p + 5) != 2 ||
        p[7] != p[4] || digits(p + 8) != 2 || (p[10] != 'T' && p[10] != ' ') ||
        digits(p + 11) != 2 || p[13] != ':')
        return s;
    p += 11;
    p += strspn(p, "0123456789:.,");
    if (*p == 'Z')
        p++;
    else if ((*p == '+' || *p == '-') && digits(p + 1) >= 2)
        p += 1 + strspn(p + 1, "0123456789:");
    if (*p != ' ' && *p != '\t')
        return s;
    return p + 1;
}

/* "Mar  4 09:12:07 host name[123]: ", "stdout F ", "stderr: " */
static const char *past_syslog(const char *s)
{
    const char *p, *colon;

    if (!isupper((unsigned char)s[0]) || !isalpha((unsigned char)s[1]) ||
        !isalpha((unsigned char)s[2]) || s[3] != ' ')
        return s;
    p = s + 3 + strspn(s + 3, " ");
    if (digits(p) < 1 || digits(p) > 2)
        return s;
    p += digits(p);
    if (*p != ' ' || digits(p + 1) != 2 || p[3] != ':')
        return s;
    colon = strstr(p + 9 <= p + strlen(p) ? p + 9 : p, ": ");
    return colon && colon - p < 80 ? colon + 2 : s;
}

static const char *past_stream(const char *s)
{
    static const char *const names[] = {"stdout", "stderr", NULL};

    for (const char *const *n = names; *n; n++) {
        size_t len = strlen(*n);
        const char *p = s + (*s == '[');
        if (strncmp(p, *n, len) != 0)
            continue;
        p += len;
        if (*p == ']')
            p++;
        if (p[0] == ' ' && (p[1] == 'F' || p[1] == 'P') && p[2] == ' ')
            return p + 3;
        if (*p == ':' || *p == '|')
            p++;
        if (*p == ' ')
            return p + 1;
    }
    return s;
}

/* "web-1  | ", "0|app  | ": a short name, a bar, one blank. */
static const char *past_bar(const char *s)
{
    size_t n =
        strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/");
    const char *p = s + n;

    if (n == 0 || n > 60)
        return s;
    if (*p == '|' && digits(s) == n) { /* pm2: number|name | */
        size_t m = strcspn(p + 1, " |");
        p += 1 + m;
    }
    p += strspn(p, " ");
    if (*p != '|')
        return s;
    return p[1] == ' ' ? p + 2 : p + 1;
}

/* "[worker-1] ", "[0] ", "app[web.1]: ": a collector's tag, lower case or a number. */
static const char *past_tag(const char *s)
{
    size_t n;

    if (*s != '[')
        return s;
    n = strspn(s + 1, "abcdefghijklmnopqrstuvwxyz0123456789_.:/#-");
    if (n == 0 || n > 40 || s[1 + n] != ']' || s[2 + n] != ' ' ||
        strchr(s + 1, '.') == s + 1 + digits(s + 1))
        return s;
    return s + n + 3;
}

const char *prefix_strip(const char *line)
{
    for (int i = 0; i < 4; i++) {
        const char *p = past_stream(past_bar(past_time(past_syslog(line))));
        if (p == line)
            p = past_tag(line);
        if (p == line)
            break;
        line = p;
    }
    return line;
}
