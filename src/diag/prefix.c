/*
 * What log collectors put around each line: times, container names, stream marks, JSON.
 * They are stripped so that the patterns see the line as the program wrote it; its own
 * indentation stays.
 */
#include "diag/prefix.h"
#include "base/arena.h"
#include "base/text.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/banned.h"

#define ROUNDS_MAX 5 /* collectors behind each other: more than real (ours) */

static size_t digits(const char *s)
{
    size_t n = 0;

    while (s[n] >= '0' && s[n] <= '9')
        n++;
    return n;
}

/* "10:00:44", with any fraction; the end of it, or NULL. */
static const char *clock_end(const char *s)
{
    if (digits(s) != 2 || s[2] != ':' || digits(s + 3) != 2 || s[5] != ':' ||
        digits(s + 6) != 2)
        return NULL;
    s += 8;
    return *s == '.' || *s == ',' ? s + 1 + digits(s + 1) : s;
}

/* "2026-03-04T09:12:07.004Z", "2026/03/04 09:12:07", any fraction and offset. */
static const char *time_end(const char *s)
{
    const char *p;

    if (digits(s) != 4 || (s[4] != '-' && s[4] != '/') || digits(s + 5) != 2 ||
        s[7] != s[4] || digits(s + 8) != 2 || (s[10] != 'T' && s[10] != ' '))
        return NULL;
    p = clock_end(s + 11);
    if (!p)
        return NULL;
    if (*p == 'Z')
        return p + 1;
    if (*p == ' ' && (p[1] == '+' || p[1] == '-') && digits(p + 2) == 4)
        p++;
    if ((*p == '+' || *p == '-') && digits(p + 1) >= 2)
        p += 1 + strspn(p + 1, "0123456789:");
    return p;
}

/* A time at the start, in brackets or not, and one blank. */
static const char *past_time(const char *s)
{
    const char *from = s + (*s == '['), *p = time_end(from);

    if (!p)
        p = clock_end(from);
    if (!p || (*s == '[' && *p != ']'))
        return s;
    p += *s == '[';
    return *p == ' ' || *p == '\t' ? p + 1 : s;
}

/* "[02-Apr-2026 08:12:40 UTC] ": PHP's log of errors. */
static const char *past_php(const char *s)
{
    const char *p = s + 12;

    if (*s != '[' || digits(s + 1) != 2 || s[3] != '-' || !isalpha((unsigned char)s[4]) ||
        !isalpha((unsigned char)s[5]) || !isalpha((unsigned char)s[6]) || s[7] != '-' ||
        digits(s + 8) != 4 || *p != ' ' || !clock_end(p + 1))
        return s;
    p = strchr(p, ']');
    return p && p[1] == ' ' && p - s < 60 ? p + 2 : s;
}

/* "Mar  4 09:12:07 host name[123]: " */
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
    if (*p != ' ' || !clock_end(p + 1))
        return s;
    colon = strstr(p + 9, ": ");
    return colon && colon - p < 80 ? colon + 2 : s;
}

/* "stdout F ", "stderr: ", "[stderr] " */
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

/* Is c among the first bytes? Cheaper than the looks that follow, and mostly no. */
static bool is_near(const char *s, char c, size_t within)
{
    return memchr(s, c, strnlen(s, within)) != NULL;
}

/* "web-1  | ", "0|app  | ": a short name, a bar, one blank. */
static const char *past_bar(const char *s)
{
    static const char name[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/";
    size_t n = is_near(s, '|', 80) ? strspn(s, name) : 0;
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

/* "[h264 @ 0x55d0c1e2] ", "[vost#0:0/libx264 @ 0x5581c2a0] ": which part of ffmpeg speaks. */
static const char *past_ffmpeg(const char *s)
{
    const char *at = *s == '[' ? strstr(s, " @ 0x") : NULL, *p;

    if (!at || at - s > 60)
        return s;
    p = at + 5 + strspn(at + 5, "0123456789abcdef");
    return p[0] == ']' && p[1] == ' ' ? p + 2 : s;
}

/* "[worker-1] ", "[0] ", "[rank0]: ", "app[web.1]: ": a collector's tag, lower case or a
   number. */
static const char *past_tag(const char *s)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyz";
    const char *open = s + (is_near(s, '[', 24) ? strspn(s, name) : 0), *p;
    size_t n;

    if (*open != '[' || open - s > 20)
        return s;
    n = strspn(open + 1, "abcdefghijklmnopqrstuvwxyz0123456789_.:/#-");
    p = open + 1 + n;
    if (n == 0 || n > 40 || *p != ']' || (open > s && p[1] != ':') ||
        open[1 + digits(open + 1)] == '.') /* "[   75.12]" is the kernel's own */
        return s;
    p += p[1] == ':' ? 2 : 1;
    return *p == ' ' ? p + 1 : s;
}

/* "shop:build: ", "@acme/web:build: ": a task runner's package and task. */
static const char *past_task(const char *s)
{
    const char *name = "abcdefghijklmnopqrstuvwxyz0123456789_-/@.";
    size_t n = is_near(s, ':', 42) ? strspn(s, name) : 0, m;

    if (n < 2 || n > 40 || s[n] != ':' || !islower((unsigned char)s[n + 1]) ||
        memchr(s, '.', n))
        return s;
    m = strspn(s + n + 1, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return s[n + 1 + m] == ':' && s[n + 2 + m] == ' ' ? s + n + m + 3 : s;
}

/* "[1,0]<stderr>:" of a parallel launcher. */
static const char *past_rank(const char *s)
{
    size_t n = *s == '[' ? strspn(s + 1, "0123456789,") : 0;
    const char *p = s + 1 + n;

    if (n == 0 || *p != ']' ||
        (strncmp(p, "]<stderr>:", 10) && strncmp(p, "]<stdout>:", 10)))
        return s;
    return p + 10;
}

/* "[pid=1010][err] " of a browser's own output */
static const char *past_browser(const char *s)
{
    size_t n = text_starts(s, "[pid=") ? digits(s + 5) : 0;
    const char *p = s + 5 + n;

    if (n == 0 || (!text_starts(p, "][err] ") && !text_starts(p, "][out] ")))
        return s;
    return p + strlen("][err] ");
}

/* "F0502 10:00:44.812345     512 main.go:41] " */
static const char *past_klog(const char *s)
{
    const char *p = s + 5, *end;

    if (!*s || !strchr("IWEF", *s) || digits(s + 1) != 4 || *p != ' ')
        return s;
    p = clock_end(p + 1);
    end = p ? strstr(p, "] ") : NULL;
    return end && end - p < 80 ? end + 2 : s;
}

static const char *past_one(const char *s)
{
    static const char *(*const steps[])(const char *) = {
        past_syslog, past_time, past_bar, past_stream, past_rank,    past_klog,
        past_ffmpeg, past_php,  past_tag, past_task,   past_browser, NULL};

    for (size_t i = 0; steps[i]; i++) {
        const char *p = steps[i](s);
        if (p != s)
            return p;
    }
    return s;
}

/* ---- records ---- */

/* The text of a quoted value that begins at s, escapes undone; NULL when it has no end. */
static const char *quoted(struct arena *a, const char *s)
{
    char *out = arena_str(a, s), *w = out;

    for (; *s && *s != '"'; s++) {
        if (*s != '\\') {
            *w++ = *s;
            continue;
        }
        s++;
        if (!*s)
            return NULL;
        *w++ = *s == 't' ? '\t' : *s == 'n' || *s == 'r' ? ' ' : *s;
    }
    *w = '\0';
    while (w > out && w[-1] == ' ')
        *--w = '\0';
    return *s ? out : NULL;
}

static const char *value_of(struct arena *a, const char *line, const char *key)
{
    const char *p = strstr(line, key);

    return p ? quoted(a, p + strlen(key)) : NULL;
}

/* The line of an error that names it: the first of a JavaScript stack, the last of a Python
   traceback. NULL: the record has none. */
static const char *error_of_stack(struct arena *a, const char *line)
{
    static const char *const keys[] = {"\"stack\":\"",
                                       "\"exc_info\":\"",
                                       "\"exception\":\"",
                                       "\"traceback\":\"",
                                       "\"stack\": \"",
                                       "\"exc_info\": \"",
                                       NULL};

    for (const char *const *k = keys; *k; k++) {
        const char *at = strstr(line, *k), *from = at ? at + strlen(*k) : NULL;
        const char *end = from ? strstr(from, "\\n") : NULL;
        if (!end)
            continue;
        if (!text_starts(from, "Traceback"))
            return arena_strn(a, from, (size_t)(end - from));
        for (const char *p = end; p; p = strstr(from, "\\n"))
            from = p + 2;
        return quoted(a, from);
    }
    return NULL;
}

/* A logger's record of an error: {"level":60,...,"msg":"..."}. Records without a level are
   a program's data, not its words. */
static bool is_error_record(const char *line)
{
    static const char *const marks[] = {"\"level\":50",
                                        "\"level\":60",
                                        "\"level\":\"error\"",
                                        "\"level\":\"fatal\"",
                                        "\"level\":\"ERROR\"",
                                        "\"level\":\"FATAL\"",
                                        "\"level\":\"panic\"",
                                        "\"level\":\"CRITICAL\"",
                                        "\"severity\":\"ERROR\"",
                                        "\"severity\":\"CRITICAL\"",
                                        "\"levelname\":\"ERROR\"",
                                        "\"level\":\"critical\"",
                                        "\"levelname\":\"CRITICAL\"",
                                        NULL};

    for (const char *const *m = marks; *m; m++)
        if (strstr(line, *m))
            return true;
    return false;
}

static const char *json_line(struct arena *a, const char *line)
{
    static const char *const keys[] = {"\"msg\":\"",  "\"message\":\"",  "\"error\":\"",
                                       "\"msg\": \"", "\"message\": \"", NULL};
    const char *text;

    if (text_starts(line, "{\"log\":\"")) {
        text = quoted(a, line + 8);
        return text ? text : line;
    }
    if (!is_error_record(line))
        return line;
    text = error_of_stack(a, line);
    if (text && *text)
        return text;
    for (const char *const *k = keys; *k; k++) {
        text = value_of(a, line, *k);
        if (text && *text)
            return text;
    }
    return line;
}

/* time="..." level=fatal msg="cannot open" */
static const char *logfmt_line(struct arena *a, const char *line)
{
    static const char *const marks[] = {"level=error", "level=fatal", "level=panic",
                                        "lvl=eror",    "lvl=crit",    NULL};
    const char *text;

    if (!strstr(line, "msg=\""))
        return line;
    for (const char *const *m = marks; *m; m++)
        if (strstr(line, *m)) {
            text = value_of(a, line, "msg=\"");
            return text && *text ? text : line;
        }
    return line;
}

/* A carriage return at the end, also in the form that cleaned text has of it. */
static const char *without_return(struct arena *a, const char *line)
{
    static const char cleaned[] = "\xef\xbf\xbd";
    size_t n = strlen(line), m = sizeof(cleaned) - 1;

    if (n && line[n - 1] == '\r')
        return arena_strn(a, line, n - 1);
    return n >= m && memcmp(line + n - m, cleaned, m) == 0 ? arena_strn(a, line, n - m)
                                                           : line;
}

const char *prefix_strip(struct arena *a, const char *line)
{
    line = without_return(a, line);
    for (int i = 0; i < ROUNDS_MAX; i++) {
        const char *p = past_one(line);
        if (p == line)
            break;
        line = p;
    }
    if (*line == '{')
        return json_line(a, line);
    return text_starts(line, "time=") || text_starts(line, "level=") ||
                   text_starts(line, "ts=")
               ? logfmt_line(a, line)
               : line;
}
