/*
 * The pattern engine of the console reader: an Aho-Corasick automaton over the literal
 * words of all rows decides which patterns are worth trying on a line; PCRE2 decides
 * whether they match. It does not know what a meaning is for; that is console.c.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "diag/scan.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/xalloc.h"
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
#define ALPHABET 96 /* printable ASCII, folded; all else is class 0 */
#define NODE_MAX 16384
#define WORD_MAX 1024

struct node {
    uint16_t next[ALPHABET];
    uint16_t fail;
    int16_t word;      /* the last word that ends here, -1: none */
    uint16_t out_link; /* next node on the suffix chain that has a word; 0: none */
};

struct word {
    int16_t row;
    int16_t same; /* the previous word with the same letters, -1: none */
};

struct scan {
    struct node *nodes;
    size_t node_count;
    struct word *words;
    size_t word_count;
    pcre2_code **codes;
    bool *seen; /* candidates of the current line */
    pcre2_match_data *match;
    pcre2_match_context *ctx;
};

size_t scan_row_total(void)
{
    return table_memory_count + table_error_count + table_trace_count;
}

const struct scan_row *scan_row_at(size_t i)
{
    if (i < table_memory_count)
        return &table_memory[i];
    i -= table_memory_count;
    if (i < table_error_count)
        return &table_error[i];
    i -= table_error_count;
    return i < table_trace_count ? &table_trace[i] : NULL;
}

static unsigned char fold_class(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        c = (unsigned char)(c - 'A' + 'a');
    return c >= 0x20 && c < 0x7f ? (unsigned char)(c - 0x20 + 1) : 0;
}

/* Adds one word, up to the next '|'. */
static void add_word(struct scan *s, int16_t row, const char *word, size_t n)
{
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = fold_class((unsigned char)word[i]);
        if (!s->nodes[at].next[c]) {
            if (s->node_count == NODE_MAX)
                BUG("scan: too many words");
            s->nodes[s->node_count].word = -1;
            s->nodes[at].next[c] = (uint16_t)s->node_count++;
        }
        at = s->nodes[at].next[c];
    }
    if (!at || s->word_count == WORD_MAX)
        BUG("scan: row %s has no word, or there are too many",
            scan_row_at((size_t)row)->name);
    s->words[s->word_count].row = row;
    s->words[s->word_count].same = s->nodes[at].word;
    s->nodes[at].word = (int16_t)s->word_count++;
}

static void add_row(struct scan *s, int16_t row)
{
    const char *w = scan_row_at((size_t)row)->need;

    for (size_t n = strcspn(w, "|");; n = strcspn(w, "|")) {
        add_word(s, row, w, n);
        if (!w[n])
            return;
        w += n + 1;
    }
}

/* Breadth first: failure links, then complete transitions. */
static void link_nodes(struct scan *s)
{
    uint16_t *queue = xcalloc(s->node_count, sizeof(*queue));
    size_t head = 0, tail = 0;

    queue[tail++] = 0;
    while (head < tail) {
        uint16_t at = queue[head++];
        for (size_t c = 0; c < ALPHABET; c++) {
            uint16_t child = s->nodes[at].next[c];
            uint16_t via = at ? s->nodes[s->nodes[at].fail].next[c] : 0;
            if (!child) {
                s->nodes[at].next[c] = via;
                continue;
            }
            s->nodes[child].fail = via;
            s->nodes[child].out_link =
                s->nodes[via].word >= 0 ? via : s->nodes[via].out_link;
            queue[tail++] = child;
        }
    }
    free(queue);
}

struct scan *scan_new(void)
{
    struct scan *s = xcalloc(1, sizeof(*s));

    s->nodes = xcalloc(NODE_MAX, sizeof(*s->nodes));
    s->words = xcalloc(WORD_MAX, sizeof(*s->words));
    s->codes = xcalloc(scan_row_total(), sizeof(pcre2_code *));
    s->seen = xcalloc(scan_row_total(), sizeof(*s->seen));
    s->nodes[0].word = -1;
    s->node_count = 1;
    for (size_t i = 0; i < scan_row_total(); i++)
        add_row(s, (int16_t)i);
    link_nodes(s);
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
        pcre2_code_free(s->codes[i]);
    pcre2_match_data_free(s->match);
    pcre2_match_context_free(s->ctx);
    free(s->codes);
    free(s->seen);
    free(s->words);
    free(s->nodes);
    free(s);
}

static pcre2_code *row_code(struct scan *s, size_t row)
{
    int code;
    PCRE2_SIZE at;

    if (s->codes[row])
        return s->codes[row];
    s->codes[row] = pcre2_compile((PCRE2_SPTR)scan_row_at(row)->pattern,
                                  PCRE2_ZERO_TERMINATED, 0, &code, &at, NULL);
    if (!s->codes[row])
        BUG("scan: pattern of %s is wrong at %zu (error %d)", scan_row_at(row)->name,
            (size_t)at, code);
    pcre2_jit_compile(s->codes[row], PCRE2_JIT_COMPLETE);
    return s->codes[row];
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

/* Marks the rows whose word is in the line; returns false when there is none. */
static bool find_candidates(struct scan *s, const char *line, size_t n)
{
    bool any = false;
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        at = s->nodes[at].next[fold_class((unsigned char)line[i])];
        for (size_t o = s->nodes[at].word >= 0 ? at : s->nodes[at].out_link; o;
             o = s->nodes[o].out_link)
            for (int16_t w = s->nodes[o].word; w >= 0; w = s->words[w].same) {
                s->seen[s->words[w].row] = true;
                any = true;
            }
    }
    return any;
}

size_t scan_line(struct scan *s, struct arena *a, const char *line, struct scan_hit *hits,
                 size_t max)
{
    size_t n = strnlen(line, LIMIT_LINE_BYTES), count = 0;

    if (!find_candidates(s, line, n))
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
