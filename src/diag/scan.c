/*
 * The pattern engine of the console reader: an automaton over the literal words of all
 * rows decides which patterns are worth trying on a line; PCRE2 decides
 * whether they match. It does not know what a meaning is for; that is console.c.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "diag/scan.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/xalloc.h"
#include "diag/automaton.h"
#include "diag/limits.h"
#include "diag/table.h"
#include <pcre2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

/* Bounds backtracking on hostile lines; the table's own patterns need a fraction of
   it. */
#define MATCH_LIMIT 200000
/* Machine code pays for a pattern only when it is tried often (ours, measured). */
#define JIT_AFTER 32

struct compiled {
    pcre2_code *code; /* NULL: not yet needed */
    unsigned tries;
};

struct scan {
    struct automaton *words;
    struct compiled *codes;
    bool *seen; /* candidates of the current line */
    pcre2_match_data *match;
    pcre2_match_context *ctx;
};

static const struct {
    const struct scan_row *rows;
    const size_t *count;
} parts[] = {
    {table_memory,  &table_memory_count },
    {table_loose,   &table_loose_count  },
    {table_locale,  &table_locale_count },
    {table_install, &table_install_count},
    {table_error,   &table_error_count  },
    {table_trace,   &table_trace_count  },
};
#define PART_COUNT (sizeof(parts) / sizeof(parts[0]))

size_t scan_row_total(void)
{
    size_t n = 0;

    for (size_t p = 0; p < PART_COUNT; p++)
        n += *parts[p].count;
    return n;
}

const struct scan_row *scan_row_at(size_t i)
{
    for (size_t p = 0; p < PART_COUNT; p++) {
        if (i < *parts[p].count)
            return &parts[p].rows[i];
        i -= *parts[p].count;
    }
    return NULL;
}

bool scan_row_is_loose(const struct scan_row *row)
{
    for (size_t i = 0; i < table_loose_count; i++)
        if (row == &table_loose[i])
            return true;
    return false;
}

static void add_words(struct scan *s, size_t row)
{
    for (const char *w = scan_row_at(row)->need; *w;) {
        size_t n = strcspn(w, "|");
        automaton_add(s->words, w, n, row);
        w += n + (w[n] != '\0');
    }
}

struct scan *scan_new(void)
{
    struct scan *s = xcalloc(1, sizeof(*s));

    s->words = automaton_new();
    s->codes = xcalloc(scan_row_total(), sizeof(*s->codes));
    s->seen = xcalloc(scan_row_total(), sizeof(*s->seen));
    for (size_t i = 0; i < scan_row_total(); i++)
        add_words(s, i);
    automaton_finish(s->words);
    s->match = pcre2_match_data_create(32, NULL);
    s->ctx = pcre2_match_context_create(NULL);
    if (!s->match || !s->ctx)
        BUG("scan: pcre2 has no memory");
    pcre2_set_match_limit(s->ctx, MATCH_LIMIT);
    return s;
}

void scan_free(struct scan *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < scan_row_total(); i++)
        pcre2_code_free(s->codes[i].code);
    pcre2_match_data_free(s->match);
    pcre2_match_context_free(s->ctx);
    free(s->codes);
    free(s->seen);
    automaton_free(s->words);
    free(s);
}

static pcre2_code *row_code(struct scan *s, size_t row)
{
    struct compiled *c = &s->codes[row];
    int code;
    PCRE2_SIZE at;

    if (!c->code)
        c->code = pcre2_compile((PCRE2_SPTR)scan_row_at(row)->pattern,
                                PCRE2_ZERO_TERMINATED, 0, &code, &at, NULL);
    if (!c->code)
        BUG("scan: pattern of %s is wrong at %zu (error %d)", scan_row_at(row)->name,
            (size_t)at, code);
    if (++c->tries == JIT_AFTER)
        pcre2_jit_compile(c->code, PCRE2_JIT_COMPLETE);
    return c->code;
}

static const char *group(struct scan *s, pcre2_code *code, struct arena *a,
                         const char *line, const char *name)
{
    int no = pcre2_substring_number_from_name(code, (PCRE2_SPTR)name);
    PCRE2_SIZE *v = pcre2_get_ovector_pointer(s->match);

    if (no <= 0 || (uint32_t)no >= pcre2_get_ovector_count(s->match) ||
        v[2 * no] == PCRE2_UNSET || v[2 * no + 1] < v[2 * no])
        return "";
    return arena_strn(a, line + v[2 * no], v[2 * no + 1] - v[2 * no]);
}

static bool try_row(struct scan *s, struct arena *a, size_t row, const char *line,
                    size_t n, struct scan_hit *hit)
{
    pcre2_code *code = row_code(s, row);

    if (pcre2_match(code, (PCRE2_SPTR)line, n, 0, 0, s->match, s->ctx) < 0)
        return false;
    hit->row = scan_row_at(row);
    hit->what = group(s, code, a, line, "what");
    hit->pid = group(s, code, a, line, "pid");
    hit->kind = group(s, code, a, line, "kind");
    hit->msg = group(s, code, a, line, "msg");
    hit->size = group(s, code, a, line, "size");
    hit->unit = group(s, code, a, line, "unit");
    hit->sig = group(s, code, a, line, "sig");
    hit->code = group(s, code, a, line, "code");
    hit->fn = group(s, code, a, line, "fn");
    hit->file = group(s, code, a, line, "file");
    return true;
}

size_t scan_line(struct scan *s, struct arena *a, const char *line, struct scan_hit *hits,
                 size_t max)
{
    size_t n = strnlen(line, LIMIT_LINE_BYTES), count = 0;

    if (!automaton_find(s->words, line, n, s->seen))
        return 0;
    for (size_t i = 0; i < scan_row_total(); i++) {
        if (!s->seen[i])
            continue;
        s->seen[i] = false;
        if (count < max && try_row(s, a, i, line, n, &hits[count]))
            count++;
    }
    return count;
}
