/*
 * The automaton: a trie of the words, completed to a table with one transition for each
 * state and class of bytes. Bytes that are in no word share class 0, so rows are short and
 * the table stays in the processor's cache.
 */
#include "diag/automaton.h"
#include "base/err.h"
#include "base/xalloc.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define STATES_FIRST 4096
#define STATES_MAX 16384
#define WORDS_MAX 4096
#define CLASSES 128
#define END 0x8000 /* in a transition: words end at its target */

struct word {
    size_t id;
    int32_t same; /* the previous word that ends at the same state, -1: none */
};

struct state {
    uint16_t next[CLASSES]; /* while words are added: the trie; 0: no child */
};

struct ending {        /* of each state */
    int32_t last_word; /* the last word that ends there, -1: none */
    uint16_t fail;
    uint16_t suffix; /* next state on the suffix chain that has a word; 0: none */
};

struct automaton {
    unsigned char class_of[256];
    size_t class_count;
    struct state *states;
    struct ending *ends;
    uint16_t *go; /* finished: state << shift | class -> state, END */
    unsigned shift;
    size_t state_count, state_cap;
    struct word *words;
    size_t word_count;
};

static size_t add_state(struct automaton *m)
{
    size_t i = m->state_count;

    if (i == STATES_MAX)
        BUG("automaton: too many words");
    if (i == m->state_cap) {
        m->state_cap *= 2;
        m->states = xrealloc(m->states, m->state_cap * sizeof(*m->states));
        m->ends = xrealloc(m->ends, m->state_cap * sizeof(*m->ends));
    }
    memset(&m->states[i], 0, sizeof(m->states[i]));
    m->ends[i] = (struct ending){-1, 0, 0};
    return m->state_count++;
}

struct automaton *automaton_new(void)
{
    struct automaton *m = xcalloc(1, sizeof(*m));

    m->state_cap = STATES_FIRST;
    m->states = xcalloc(m->state_cap, sizeof(*m->states));
    m->ends = xcalloc(m->state_cap, sizeof(*m->ends));
    m->words = xcalloc(WORDS_MAX, sizeof(*m->words));
    m->class_count = 1;
    add_state(m);
    return m;
}

void automaton_free(struct automaton *m)
{
    if (!m)
        return;
    free(m->states);
    free(m->ends);
    free(m->go);
    free(m->words);
    free(m);
}

static unsigned char fold(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? (unsigned char)(c - 'A' + 'a') : c;
}

static unsigned char class_for(struct automaton *m, unsigned char c)
{
    c = fold(c);
    if (!m->class_of[c]) {
        if (m->class_count == CLASSES)
            BUG("automaton: too many different bytes in the words");
        m->class_of[c] = (unsigned char)m->class_count++;
    }
    return m->class_of[c];
}

void automaton_add(struct automaton *m, const char *word, size_t n, size_t id)
{
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = class_for(m, (unsigned char)word[i]);
        if (!m->states[at].next[c]) {
            size_t made = add_state(m);
            m->states[at].next[c] = (uint16_t)made;
        }
        at = m->states[at].next[c];
    }
    if (!at || m->word_count == WORDS_MAX)
        BUG("automaton: an empty word, or too many");
    m->words[m->word_count] = (struct word){id, m->ends[at].last_word};
    m->ends[at].last_word = (int32_t)m->word_count++;
}

/* Breadth first: failure links, then complete transitions. */
static void link_states(struct automaton *m)
{
    uint16_t *queue = xcalloc(m->state_count, sizeof(*queue));
    size_t head = 0, tail = 1;

    while (head < tail) {
        uint16_t at = queue[head++];
        for (size_t c = 0; c < m->class_count; c++) {
            uint16_t child = m->states[at].next[c];
            uint16_t via = at ? m->states[m->ends[at].fail].next[c] : 0;
            if (!child) {
                m->states[at].next[c] = via;
                continue;
            }
            m->ends[child].fail = via;
            m->ends[child].suffix =
                m->ends[via].last_word >= 0 ? via : m->ends[via].suffix;
            queue[tail++] = child;
        }
    }
    free(queue);
}

void automaton_finish(struct automaton *m)
{
    for (unsigned c = 'A'; c <= 'Z'; c++)
        m->class_of[c] = m->class_of[fold((unsigned char)c)];
    link_states(m);
    while (((size_t)1 << m->shift) < m->class_count)
        m->shift++;
    m->go = xcalloc(m->state_count << m->shift, sizeof(*m->go));
    for (size_t s = 0; s < m->state_count; s++)
        for (size_t c = 0; c < m->class_count; c++) {
            uint16_t to = m->states[s].next[c];
            bool is_end = m->ends[to].last_word >= 0 || m->ends[to].suffix;
            m->go[s << m->shift | c] = (uint16_t)(to | (is_end ? END : 0));
        }
    free(m->states);
    m->states = NULL;
}

static void mark(const struct automaton *m, size_t state, bool *seen)
{
    if (m->ends[state].last_word < 0)
        state = m->ends[state].suffix;
    for (; state; state = m->ends[state].suffix)
        for (int32_t w = m->ends[state].last_word; w >= 0; w = m->words[w].same)
            seen[m->words[w].id] = true;
}

bool automaton_find(const struct automaton *m, const char *line, size_t n, bool *seen)
{
    const uint16_t *go = m->go;
    size_t edge = m->class_of['\n'];
    size_t at = edge ? go[edge] & ~(size_t)END : 0;
    bool any = false;

    for (size_t i = 0; i <= n; i++) {
        size_t c = i < n ? m->class_of[(unsigned char)line[i]] : edge;
        at = go[at << m->shift | c];
        if (at & END) {
            at &= ~(size_t)END;
            mark(m, at, seen);
            any = true;
        }
    }
    return any;
}
