/*
 * From pieces to one told failure.
 */
#include "diag/story.h"
#include "base/num.h"
#include "base/text.h"
#include "diag/limits.h"
#include "diag/told_size.h"
#include <string.h>

#include "base/banned.h"

#define RANK_LOOSE_MEMORY 65 /* families of wording say less than known words */

int meaning_rank(const struct scan_row *row)
{
    switch (row->meaning) {
    case MEAN_KERNEL_OOM:
        return 90;
    case MEAN_NOT_MEMORY:
        return 82; /* it says more than the memory words it often stands beside */
    case MEAN_MEM_REFUSED:
        return scan_row_is_loose(row) ? RANK_LOOSE_MEMORY : 80;
    case MEAN_MEM_CEILING:
        return 80;
    case MEAN_INNER_KILL:
        return 74;
    case MEAN_LOST:
        return scan_row_is_loose(row) ? 58 : 72;
    case MEAN_KILLED:
        return 70;
    case MEAN_ERROR:
        return 60;
    case MEAN_SIGNAL:
        return 50;
    case MEAN_WRAPPER:
        return 20;
    default:
        return 0;
    }
}

void story_init(struct story *s)
{
    memset(s, 0, sizeof(*s));
    arena_init(&s->a);
    s->before = "";
}

void story_clear(struct story *s)
{
    s->piece_count = 0;
    s->open = NULL;
    s->factors = s->soft_factors = 0;
    s->signal = 0;
    s->detail_count = 0;
    s->quiet = 0;
    s->before = "";
    arena_reset(&s->a);
}

void story_release(struct story *s)
{
    arena_release(&s->a);
}

void story_touch(struct story *s, size_t line, int64_t at_us)
{
    if (s->piece_count == 0) {
        s->first = line;
        s->at_us = at_us;
    }
    s->last = line;
    s->last_us = at_us;
    s->quiet = 0;
}

struct piece *story_add(struct story *s)
{
    struct piece *p;

    if (s->piece_count == PIECES_MAX) { /* keep the first and the latest */
        memmove(&s->pieces[1], &s->pieces[2], (PIECES_MAX - 2) * sizeof(*s->pieces));
        s->piece_count--;
    }
    p = &s->pieces[s->piece_count++];
    memset(p, 0, sizeof(*p));
    p->kind = p->message = p->frame = p->quote = p->program = "";
    return p;
}

static const char *copy(struct story *s, const char *text)
{
    return *text ? arena_str(&s->a, text) : "";
}

static void mean_signal(struct piece *p, const struct scan_hit *h)
{
    if (h->row->meaning == MEAN_KILLED && !p->signal)
        p->signal = 9;
    if (*h->sig && signal_number(h->sig))
        p->signal = signal_number(h->sig);
}

void story_mean(struct story *s, struct piece *p, const struct scan_hit *h,
                const char *line, size_t no)
{
    int rank = meaning_rank(h->row);

    if (told_size_is_impossible(h, line))
        p->is_impossible = true;
    mean_signal(p, h);
    *(p->is_soft ? &s->soft_factors : &s->factors) |= h->row->factors;
    if (rank <= 0 || (p->row && rank <= p->rank))
        return;
    p->row = h->row;
    p->rank = rank;
    if (*h->what || (*h->kind && h->row->meaning == MEAN_ERROR && !p->is_trace))
        p->program = copy(s, *h->what ? h->what : h->kind);
    if (*h->pid && parse_i64(h->pid, 0, INT64_MAX, &p->pid) < 0)
        p->pid = 0;
    if (!p->is_trace) {
        p->kind = copy(s, h->kind);
        p->message = copy(s, *h->msg && (*h->kind || *h->file) ? h->msg : line);
        if (*h->file)
            p->frame = path_base(copy(s, h->file));
        else if (*h->fn && h->row->meaning == MEAN_ERROR)
            p->frame = copy(s, h->fn);
    }
    p->quote = copy(s, line);
    p->quote_line = no;
}

void story_detail(struct story *s, const char *text)
{
    for (size_t i = 0; i < s->detail_count; i++)
        if (strcmp(s->details[i], text) == 0)
            return;
    if (s->detail_count < TOLD_DETAILS)
        s->details[s->detail_count++] = arena_str(&s->a, text);
}

/* ---- the end of a story ---- */

static const struct piece *choose(const struct story *s)
{
    const struct piece *best = NULL;

    for (size_t i = 0; i < s->piece_count; i++) {
        const struct piece *p = &s->pieces[i];
        if (!p->rank)
            continue;
        if (!best || (best->is_soft && !p->is_soft) ||
            (best->is_soft == p->is_soft &&
             (p->rank > best->rank ||
              (p->rank == best->rank && p->is_trace && p->lang != LANG_PY_FATAL))))
            best = p;
    }
    return best;
}

/* Installers warn of the network while they retry, and then say that the package does not
   exist: the network is the cause, whatever was to be installed. */
static void prefer_network(struct story *s, const struct piece **best)
{
    const struct piece *p = *best;

    if (p->is_soft || !p->row || !(p->row->factors & FACTOR_INSTALL_FAILED))
        return;
    for (size_t i = 0; i < s->piece_count; i++) {
        struct piece *soft = &s->pieces[i];
        if (!soft->is_soft || !soft->row ||
            !(soft->row->factors & FACTOR_NETWORK_BLOCKED))
            continue;
        soft->is_soft = false;
        soft->message = arena_fmt(&s->a, "installation failed: %s", soft->row->words);
        soft->kind = soft->program = "";
        s->factors |= soft->row->factors | p->row->factors;
        *best = soft;
        return;
    }
}

static void tell_meaning(const struct piece *p, struct told *t)
{
    t->row = p->row;
    t->meaning = p->row ? p->row->meaning : MEAN_ERROR;
    if (t->meaning == MEAN_MEM_REFUSED && p->is_impossible)
        t->meaning = MEAN_NOT_MEMORY;
    t->words = p->row && p->row->words ? p->row->words : "";
    if (t->meaning == MEAN_NOT_MEMORY && p->is_impossible)
        t->words = "the size it asked for is impossible";
    t->is_soft = p->is_soft;
    t->is_weak = p->is_weak;
    t->is_trace = p->is_trace;
    t->is_impossible = p->is_impossible;
    t->pid = p->pid;
}

/* "Aborted" and "make: Error 1" say that something ended; why was said before. */
static bool needs_reason(const struct told *t)
{
    if (t->is_trace || t->is_soft)
        return false;
    return t->meaning == MEAN_SIGNAL ||
           (t->meaning == MEAN_WRAPPER && t->row && !t->row->words &&
            strcmp(t->message, t->quote) == 0);
}

static void tell_texts(const struct story *s, const struct piece *p, struct arena *a,
                       struct told *t)
{
    const char *frame = p->frame;

    for (size_t i = 0; i < s->piece_count && !*frame; i++)
        if (!s->pieces[i].is_soft && s->pieces[i].is_trace)
            frame = s->pieces[i].frame;
    t->kind = arena_str(a, p->kind);
    t->message = arena_str(a, p->message);
    t->quote = arena_str(a, p->quote);
    t->quote_line = p->quote_line;
    t->program = arena_str(a, p->program);
    t->frame = arena_str(a, frame);
    t->before = needs_reason(t) ? arena_str(a, s->before) : "";
    t->before_line = s->before_line;
    for (size_t i = 0; i < s->detail_count; i++)
        t->details[i] = arena_str(a, s->details[i]);
    t->detail_count = s->detail_count;
}

bool story_tell(struct story *s, struct arena *a, struct told *out)
{
    const struct piece *p;

    for (size_t i = 0; i < s->piece_count; i++) {
        trace_end(&s->a, &s->pieces[i]);
        if (!s->pieces[i].is_soft && s->pieces[i].signal && !s->signal)
            s->signal = s->pieces[i].signal;
    }
    p = choose(s);
    if (!p)
        return false;
    prefer_network(s, &p);
    memset(out, 0, sizeof(*out));
    out->at_us = s->at_us;
    out->last_us = s->last_us;
    out->first = s->first;
    out->last = s->last;
    tell_meaning(p, out);
    out->signal = p->signal ? p->signal : p->is_soft ? 0 : s->signal;
    out->factors = p->is_soft ? 0 : s->factors;
    /* installers tell the cause as a warning while they retry, then fail with it */
    if (out->factors & FACTOR_INSTALL_FAILED)
        out->factors |= s->soft_factors;
    tell_texts(s, p, a, out);
    return true;
}
