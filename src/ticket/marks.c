/*
 * Marks are gathered first, sorted, and laid over the text where they do not collide. A sandbox id is
 * `i` and twenty characters of [a-z0-9] (e2b.md 1.3) with at least one digit, so that no word is taken for
 * one.
 */
#include "ticket/marks.h"

#include "base/arena.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define MAX_MARKS 200
#define MAX_PHRASES 60
#define ID_LENGTH 21

struct mark {
    size_t start, len;
    struct run run;
};

static bool is_id_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_word_char(char c)
{
    return is_id_char(c) || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The length of a sandbox id at s, or 0. */
static size_t id_length(const char *s)
{
    bool has_digit = false;
    size_t n = 0;

    if (s[0] != 'i')
        return 0;
    while (is_id_char(s[n])) {
        has_digit = has_digit || (s[n] >= '0' && s[n] <= '9');
        n++;
    }
    return n == ID_LENGTH && has_digit && !is_word_char(s[n]) ? n : 0;
}

static bool is_taken(const struct mark *marks, size_t n, size_t start, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (start < marks[i].start + marks[i].len && marks[i].start < start + len)
            return true;
    return false;
}

static size_t add(struct mark *marks, size_t n, size_t start, size_t len, struct run run)
{
    if (n == MAX_MARKS || is_taken(marks, n, start, len))
        return n;
    marks[n] = (struct mark){start, len, run};
    return n + 1;
}

static size_t add_ids(struct arena *a, const char *text, struct mark *marks, size_t n)
{
    for (size_t i = 0; text[i]; i++) {
        size_t len;

        if (i > 0 && is_word_char(text[i - 1]))
            continue;
        len = id_length(text + i);
        if (len == 0)
            continue;
        n = add(marks, n, i, len,
                (struct run){.kind = RUN_SANDBOX,
                             .sandbox_id = arena_strn(a, text + i, len)});
        i += len - 1;
    }
    return n;
}

static int by_place(const void *pa, const void *pb)
{
    const struct mark *x = pa, *y = pb;

    return x->start < y->start ? -1 : x->start > y->start;
}

static struct run *lay_out(struct arena *a, const char *text, const struct mark *marks,
                           size_t count, size_t *n)
{
    struct run *runs = arena_array(a, 2 * count + 1, sizeof *runs);
    size_t at = 0, len = strlen(text);

    *n = 0;
    for (size_t i = 0; i <= count; i++) {
        size_t next = i < count ? marks[i].start : len;

        if (next > at)
            runs[(*n)++] = (struct run){.kind = RUN_TEXT,
                                        .text = arena_strn(a, text + at, next - at)};
        if (i == count)
            break;
        runs[*n] = marks[i].run;
        runs[(*n)++].text = arena_strn(a, text + marks[i].start, marks[i].len);
        at = marks[i].start + marks[i].len;
    }
    return runs;
}

struct run *marks_runs(const struct phrase_set *phrases, const struct time_reader *times,
                       struct arena *a, const char *text, int64_t written_us, size_t *n)
{
    struct mark *marks = arena_array(a, MAX_MARKS, sizeof *marks);
    size_t count = 0, found;
    struct phrase_hit *p = phrase_find(phrases, a, text, MAX_PHRASES, &found);
    struct time_hit *t;

    for (size_t i = 0; i < found; i++)
        count = add(marks, count, p[i].start, p[i].len,
                    (struct run){.kind = RUN_PHRASE, .phrase = p[i].phrase});
    t = time_find(times, a, text, written_us, &found);
    for (size_t i = 0; i < found; i++)
        count = add(marks, count, t[i].start, t[i].len,
                    (struct run){.kind = RUN_TIME, .time = t[i]});
    count = add_ids(a, text, marks, count);
    qsort(marks, count, sizeof *marks, by_place);
    return lay_out(a, text, marks, count, n);
}
