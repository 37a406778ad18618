/*
 * What Linear does to Markdown on saving (linear.md 5.2). A text that was sent
 * never comes back the same: that is the point.
 */
#include "lin.h"
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t copy_code(const char *s, FILE *f)
{
    size_t ticks = strspn(s, "`");
    const char *p = s + ticks;

    while (*p) {
        size_t run = strspn(p, "`");

        if (run == ticks) {
            p += run;
            break;
        }
        p += run ? run : 1;
    }
    fwrite(s, 1, (size_t)(p - s), f);
    return (size_t)(p - s);
}

/* [text](target) gets angle brackets; anything else an escaped bracket. */
static size_t put_bracket(const char *s, FILE *f)
{
    const char *mid = strstr(s, "]("), *end = mid ? strchr(mid, ')') : NULL;
    size_t text = strcspn(s, "]");

    if (!end || s + text != mid || memchr(s, '\n', (size_t)(end - s))) {
        fputs("\\[", f);
        return 1;
    }
    fwrite(s, 1, (size_t)(mid + 2 - s), f);
    if (mid[2] == '<')
        fwrite(mid + 2, 1, (size_t)(end - mid - 2), f);
    else
        fprintf(f, "<%.*s>", (int)(end - mid - 2), mid + 2);
    fputc(')', f);
    return (size_t)(end + 1 - s);
}

/* Length of a pair of marks with text between, on one line; 0 when there is none. */
static size_t pair_length(const char *s, const char *mark)
{
    size_t m = strlen(mark);
    const char *end;

    if (isspace((unsigned char)s[m]) || s[m] == '\0')
        return 0;
    end = strstr(s + m, mark);
    if (!end || end == s + m || memchr(s, '\n', (size_t)(end - s)) ||
        isspace((unsigned char)end[-1]))
        return 0;
    return (size_t)(end - s) + m;
}

static size_t put_star(const char *s, FILE *f)
{
    const char *mark = s[1] == '*' ? "**" : "*";
    size_t n = pair_length(s, mark);

    if (n == 0) {
        fputs("\\*", f);
        return 1;
    }
    fwrite(s, 1, n, f);
    return n;
}

/* _x_ becomes *x*, but not inside a word such as build_report_py. */
static size_t put_underscore(const char *s, const char *start, FILE *f)
{
    size_t n = pair_length(s, "_");

    if (n == 0 || (s > start && isalnum((unsigned char)s[-1])) ||
        isalnum((unsigned char)s[n])) {
        fputc('_', f);
        return 1;
    }
    fprintf(f, "*%.*s*", (int)n - 2, s + 1);
    return n;
}

static size_t url_length(const char *s)
{
    size_t n;

    if (!has_prefix(s, "https://") && !has_prefix(s, "http://"))
        return 0;
    n = strcspn(s, " \t\n<>\"')]|");
    while (n > 0 && strchr(".,;:!?", s[n - 1]))
        n--;
    return n;
}

/* Words that look like domains: libfoo.so, install.rs. */
static size_t domain_length(const char *s)
{
    static const char *const ends[] = {".so",  ".rs", ".com", ".net", ".org", ".io",
                                       ".dev", ".sh", ".py",  ".md",  ".app"};
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-.");

    while (n > 0 && s[n - 1] == '.')
        n--;
    if (isalnum((unsigned char)s[n]) || strchr("_/@(", s[n] ? s[n] : ' '))
        return 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t m = strlen(ends[i]);

        if (n > m && strncmp(s + n - m, ends[i], m) == 0)
            return n;
    }
    return 0;
}

static bool is_at_word(const char *s, const char *start)
{
    return s == start || strchr(" \t\n(", s[-1]);
}

static size_t put_other(const char *s, const char *start, FILE *f)
{
    size_t n;

    if (is_at_word(s, start) && (n = url_length(s)) > 0) {
        fprintf(f, "[%.*s](<%.*s>)", (int)n, s, (int)n, s);
        return n;
    }
    if (is_at_word(s, start) && (n = domain_length(s)) > 0) {
        fprintf(f, "[%.*s](<http://%.*s>)", (int)n, s, (int)n, s);
        return n;
    }
    fputc(*s, f);
    return 1;
}

static size_t put_inline(const char *s, const char *start, FILE *f)
{
    const char *end;

    if (*s == '`')
        return copy_code(s, f);
    if (*s == '\\' && s[1]) {
        fwrite(s, 1, 2, f);
        return 2;
    }
    if (has_prefix(s, "<!--") && (end = strstr(s, "-->")))
        return (size_t)(end + 3 - s);
    if (*s == '[')
        return put_bracket(s, f);
    if (*s == ']') {
        fputs("\\]", f);
        return 1;
    }
    if (*s == '*')
        return put_star(s, f);
    if (*s == '_')
        return put_underscore(s, start, f);
    return put_other(s, start, f);
}

static void put_text(const char *s, FILE *f)
{
    const char *start = s;

    while (*s)
        s += put_inline(s, start, f);
}

/* Cells lose padding, the rule line its colons. */
static void put_table_row(char *line, FILE *f)
{
    bool is_rule = strspn(line, "|:- \t") == strlen(line);
    char *rest = line + strspn(line, " \t|"), *cell;

    while ((cell = strsep(&rest, "|"))) {
        size_t n;

        cell += strspn(cell, " \t");
        for (n = strlen(cell); n > 0 && isspace((unsigned char)cell[n - 1]); n--)
            cell[n - 1] = '\0';
        if (!*cell && !rest)
            break;
        fputs("| ", f);
        if (is_rule)
            fputs("---", f);
        else
            put_text(cell, f);
        fputc(' ', f);
    }
    fputc('|', f);
}

static void put_line(char *line, FILE *f)
{
    size_t indent = strspn(line, " \t"), n;
    char *s = line + indent;

    for (n = strlen(line); n > indent && (line[n - 1] == ' ' || line[n - 1] == '\t'); n--)
        line[n - 1] = '\0';
    if (*s == '|') {
        put_table_row(s, f);
        return;
    }
    fwrite(line, 1, indent, f);
    if ((s[0] == '-' || s[0] == '*') && s[1] == ' ') {
        fputs("* ", f);
        s += 2;
        if (has_prefix(s, "[x] ") || has_prefix(s, "[X] ") || has_prefix(s, "[ ] ")) {
            fprintf(f, "[%c] ", s[1] == ' ' ? ' ' : 'X');
            s += 4;
        }
    }
    put_text(s, f);
}

static bool is_fence(const char *line)
{
    return has_prefix(line + strspn(line, " "), "```");
}

char *lin_markdown(const char *text)
{
    char *out = NULL, *copy = dup_str(text), *rest = copy, *line;
    size_t len = 0;
    FILE *f = open_memstream(&out, &len);
    bool in_fence = false, is_first = true;

    if (!f)
        die("out of memory");
    while ((line = strsep(&rest, "\n"))) {
        bool fence = is_fence(line);

        if (!is_first)
            fputc('\n', f);
        is_first = false;
        if (fence || in_fence)
            fputs(line, f);
        else
            put_line(line, f);
        in_fence = in_fence != fence;
    }
    fclose(f);
    free(copy);
    while (len > 0 && out[len - 1] == '\n')
        out[--len] = '\0';
    return out;
}
