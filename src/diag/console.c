/*
 * Lines of output put together into stories (story.h). What a story means for the sandbox
 * is not decided here; that is failure.c.
 */
#include "diag/console.h"
#include "base/arena.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "diag/lastwords.h"
#include "diag/limits.h"
#include "diag/prefix.h"
#include "diag/story.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define HITS_MAX 24
/* A story that gets longer than this is cut in two (bounds memory; ours). */
#define STORY_BYTES_MAX ((size_t)256 * 1024)
/* Frames may stand this many lines below the message that no pattern knows (ours). */
#define HEADLESS_LINES 4

/* One of the latest failures: its texts go when it does. */
struct kept {
    struct arena a;
    struct told told;
};

struct line_text { /* a line that is remembered */
    char text[LIMIT_LINE_BYTES + 1];
    size_t line; /* index + 1; 0: none */
    int64_t at_us;
};

struct console_reader {
    struct arena *a; /* of the results */
    struct scan *scan;
    struct arena scratch; /* of one line */
    struct scan_hit hits[HITS_MAX];
    struct console *out;
    struct story story;
    struct kept latest[TOLD_LATEST]; /* a ring */
    size_t latest_count;             /* ever */
    size_t told_cap, exit_cap;
    size_t line;             /* the next one */
    struct line_text margin; /* the last line at the margin */
    struct line_text words;  /* the last words that no pattern knows */
    struct last_words choice;
};

static void remember(struct line_text *t, const char *text, size_t line, int64_t at_us)
{
    size_t n = strnlen(text, LIMIT_LINE_BYTES);

    memcpy(t->text, text, n);
    t->text[n] = '\0';
    t->line = line + 1;
    t->at_us = at_us;
}

/* ---- stories ---- */

static struct arena *next_place(struct console_reader *r, struct told **told)
{
    struct kept *k;

    if (r->out->told_count < TOLD_FIRST) {
        r->out->told = arena_grow(r->a, r->out->told, r->out->told_count, &r->told_cap,
                                  sizeof(*r->out->told));
        *told = &r->out->told[r->out->told_count];
        return r->a;
    }
    k = &r->latest[r->latest_count % TOLD_LATEST];
    arena_reset(&k->a);
    *told = &k->told;
    return &k->a;
}

static void flush(struct console_reader *r)
{
    struct told *t;
    struct arena *a;

    if (r->story.piece_count) {
        a = next_place(r, &t);
        if (!story_tell(&r->story, a, t))
            ;
        else if (a == r->a)
            r->out->told_count++;
        else
            r->latest_count++;
    }
    story_clear(&r->story);
}

static const char *own(struct arena *a, const char *s)
{
    return *s ? arena_str(a, s) : "";
}

/* The latest failures join the first ones. */
static void join_latest(struct console_reader *r)
{
    size_t n = r->latest_count < TOLD_LATEST ? r->latest_count : TOLD_LATEST;

    for (size_t i = r->latest_count - n; i < r->latest_count; i++) {
        struct told t = r->latest[i % TOLD_LATEST].told;
        t.kind = own(r->a, t.kind);
        t.message = own(r->a, t.message);
        t.before = own(r->a, t.before);
        t.frame = own(r->a, t.frame);
        t.quote = own(r->a, t.quote);
        t.program = own(r->a, t.program);
        for (size_t k = 0; k < t.detail_count; k++)
            t.details[k] = own(r->a, t.details[k]);
        r->out->told = arena_grow(r->a, r->out->told, r->out->told_count, &r->told_cap,
                                  sizeof(*r->out->told));
        r->out->told[r->out->told_count++] = t;
    }
    for (size_t i = 0; i < TOLD_LATEST; i++)
        arena_release(&r->latest[i].a);
}

/* ---- what the host says ---- */

static void add_exit(struct console_reader *r, const struct scan_hit *h, size_t no,
                     int64_t at_us)
{
    struct host_exit e = {.at_us = at_us, .line = no};
    struct console *c = r->out;
    const char *code = *h->code ? h->code : h->sig;

    if (*code && parse_i64(code, -255, 255, &e.code) == 0)
        e.has_code = true;
    e.signal = *h->fn ? signal_number(h->fn) : 0;
    if (c->exit_count == EXITS_MAX) { /* the first half stays, the second slides */
        memmove(&c->exits[EXITS_MAX / 2], &c->exits[EXITS_MAX / 2 + 1],
                (EXITS_MAX / 2 - 1) * sizeof(*c->exits));
        c->exit_count--;
    }
    c->exits = arena_grow(r->a, c->exits, c->exit_count, &r->exit_cap, sizeof(*c->exits));
    c->exits[c->exit_count++] = e;
}

static void client_says(struct console_reader *r, int64_t *at_us, size_t *at_line,
                        const char *line, size_t no, int64_t now_us)
{
    if (!*r->out->client_text)
        r->out->client_text = arena_str(r->a, line);
    *at_us = now_us;
    *at_line = no;
}

/* Returns true when the line is the host's or client's own, not the program's. */
static bool host_line(struct console_reader *r, const char *line,
                      const struct scan_hit *hits, size_t n, size_t no, int64_t at_us)
{
    struct console *c = r->out;
    bool is_host = false;

    for (size_t i = 0; i < n; i++) {
        bool is_one = true;
        switch (hits[i].row->meaning) {
        case MEAN_EXIT:
            add_exit(r, &hits[i], no, at_us);
            break;
        case MEAN_IN_FLIGHT:
            client_says(r, &c->in_flight_us, &c->in_flight_line, line, no, at_us);
            break;
        case MEAN_CLIENT_GONE:
            if (c->gone_us == TS_NONE)
                client_says(r, &c->gone_us, &c->gone_line, line, no, at_us);
            break;
        case MEAN_COMMAND_LIMIT:
            c->limit_us = at_us;
            c->limit_line = no;
            break;
        case MEAN_RESTART_ASKED:
            c->restart_asked_us = at_us;
            break;
        default:
            is_one = false;
            break;
        }
        is_host = is_host || is_one;
    }
    return is_host;
}

/* ---- lines ---- */

struct line { /* the line that is being read */
    const char *text;
    size_t no;
    int64_t at_us;
    bool is_stderr;
    const struct scan_hit *hits;
    size_t hit_count;
};

/* Text that only talks: a record of an agent, a heading, a quoted phrase. */
static bool is_prose(const struct line *l)
{
    const char *s = l->text;

    if (text_starts(s, "{\"") || text_starts(s, "## ") || *s == '`')
        return true;
    return !l->is_stderr && (text_starts(s, "- ") || text_starts(s, "> "));
}

static bool has_meaning(const struct line *l, enum meaning m)
{
    for (size_t i = 0; i < l->hit_count; i++)
        if (l->hits[i].row->meaning == m)
            return true;
    return false;
}

static void begin_story(struct console_reader *r)
{
    if (r->story.piece_count || !r->words.line || !r->choice.sound)
        return;
    if (r->line - r->words.line > LIMIT_BURST_LINES)
        return;
    r->story.before = arena_str(&r->story.a, r->words.text);
    r->story.before_line = r->words.line - 1;
}

/* Frames below a message that no pattern knows: the message is the line at the margin
   above them. */
static struct piece *headless(struct console_reader *r, const struct line *l,
                              struct piece *fresh)
{
    memset(fresh, 0, sizeof(*fresh));
    fresh->lang = has_meaning(l, MEAN_JS_FRAME) ? LANG_NODE : LANG_NONE;
    fresh->is_trace = true;
    fresh->kind = fresh->frame = fresh->program = "";
    fresh->quote = fresh->message = arena_str(&r->scratch, r->margin.text);
    fresh->quote_line = r->margin.line - 1;
    trace_line(&r->scratch, l->text, l->hits, l->hit_count, fresh, fresh);
    return fresh;
}

/* Texts of the scratch arena must outlive the line. */
static void keep_texts(struct story *s, struct piece *p, const struct piece *before)
{
    if (p->kind != before->kind)
        p->kind = own(&s->a, p->kind);
    if (p->message != before->message)
        p->message = own(&s->a, p->message);
    if (p->frame != before->frame)
        p->frame = own(&s->a, p->frame);
    if (p->quote != before->quote)
        p->quote = own(&s->a, p->quote);
    if (p->pending && p->pending != before->pending)
        p->pending = own(&s->a, p->pending);
    if (p->place && p->place != before->place)
        p->place = own(&s->a, p->place);
}

static struct piece *trace_part(struct console_reader *r, const struct line *l)
{
    struct piece fresh, before = {0}, *p;
    struct story *s = &r->story;

    if (s->open)
        before = *s->open;
    p = trace_line(&r->scratch, l->text, l->hits, l->hit_count, s->open, &fresh);
    if (!p && !s->open &&
        (has_meaning(l, MEAN_JS_FRAME) || has_meaning(l, MEAN_NET_FRAME)) &&
        r->margin.line && l->no + 1 - r->margin.line <= HEADLESS_LINES)
        p = headless(r, l, &fresh);
    if (!p)
        return NULL;
    begin_story(r);
    story_touch(s, l->no, l->at_us);
    if (p == &fresh) {
        struct piece *kept = story_add(s);
        *kept = fresh;
        s->open = p = kept;
    }
    keep_texts(s, p, &before);
    if (!*p->quote) {
        p->quote = arena_str(&s->a, l->text);
        p->quote_line = l->no;
    }
    if (p->rank < RANK_TRACE && (*p->kind || *p->message))
        p->rank = RANK_TRACE;
    return p;
}

static void detail_part(struct console_reader *r, const struct line *l,
                        const struct scan_hit *h)
{
    if (r->story.piece_count == 0)
        return;
    story_touch(&r->story, l->no, l->at_us);
    if (*h->msg)
        story_detail(&r->story, h->msg);
    if (*h->sig)
        r->story.signal = signal_number(h->sig);
}

/* "code: 'ENOSPC'" of an error object: the error above it has told what the code means. */
static bool is_told_code(const struct story *s, const char *code)
{
    for (size_t i = 0; *code && i < s->piece_count; i++)
        if (strstr(s->pieces[i].quote, code))
            return true;
    return false;
}

static void meaning_part(struct console_reader *r, struct piece *p, const struct line *l)
{
    bool is_soft = has_meaning(l, MEAN_SOFT), is_inside = p != NULL;

    if (p && p->is_wrapper)
        return; /* the original cause counts */
    for (size_t i = 0; i < l->hit_count; i++) {
        const struct scan_hit *h = &l->hits[i];
        if (h->row->meaning == MEAN_DETAIL)
            detail_part(r, l, h);
        if (!meaning_rank(h->row) || (is_inside && h->row->meaning == MEAN_WRAPPER) ||
            is_told_code(&r->story, h->code))
            continue;
        if (!p) {
            begin_story(r);
            story_touch(&r->story, l->no, l->at_us);
            p = story_add(&r->story);
            p->is_soft = is_soft || is_prose(l);
            p->is_weak = scan_row_is_loose(h->row) && !l->is_stderr;
        }
        story_mean(&r->story, p, h, l->text, l->no);
    }
}

/* Exception groups draw a margin: "  | ", "  + ", and rules between the members. */
static const char *past_margin(const char *line)
{
    const char *p = line + strspn(line, " ");

    if (*p == '|')
        return p[1] == ' ' ? p + 2 : p + 1;
    if (*p == '+')
        return p[1] == ' ' ? p + 2 : "";
    return line;
}

/* "case 61/90 ok": a count that has not reached its end. */
static bool is_unfinished_count(const char *line)
{
    for (const char *slash = strchr(line, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *from = slash;
        while (from > line && from[-1] >= '0' && from[-1] <= '9')
            from--;
        if (from < slash && slash[1] >= '0' && slash[1] <= '9')
            return strtol(from, NULL, 10) < strtol(slash + 1, NULL, 10);
    }
    return false;
}

/* A line that no pattern takes for a failure. */
static enum line_kind plain_line(struct console_reader *r, const struct line *l)
{
    enum sound sound;

    r->story.quiet++;
    if (has_meaning(l, MEAN_SUCCESS) && !is_prose(l) && !is_unfinished_count(l->text))
        return LINE_SUCCESS;
    sound = !has_meaning(l, MEAN_SOUNDS_BAD)                              ? SOUND_PLAIN
            : has_meaning(l, MEAN_SOFT) || last_words_is_heading(l->text) ? SOUND_WEAK
                                                                          : SOUND_BAD;
    if (*l->text && last_words_hear(&r->choice, sound, l->no, l->at_us))
        remember(&r->words, l->text, l->no, l->at_us);
    return (enum line_kind)sound;
}

/* A rule between frames, or "Repeat 24071 times:" above them, says nothing of its own. */
static bool is_message(const char *text)
{
    size_t n = strlen(text);

    return n > strspn(text, "-=*_~#+ ") &&
           !(text_starts(text, "Repeat ") && text[n - 1] == ':');
}

/* "Command exited with code 134 and error:" goes on with words of the same command. */
static bool announces_error(const char *text)
{
    size_t n = strlen(text);

    while (n && text[n - 1] == ' ')
        n--;
    return n >= 6 && strncmp(text + n - 6, "error:", 6) == 0;
}

static enum line_kind read_line(struct console_reader *r, struct line *l)
{
    struct story *s = &r->story;
    struct piece *p;

    if (s->piece_count && (l->at_us - s->last_us > LIMIT_BURST_US ||
                           s->quiet > LIMIT_BURST_LINES || s->a.used > STORY_BYTES_MAX))
        flush(r);
    if (l->hit_count && host_line(r, l->text, l->hits, l->hit_count, l->no, l->at_us)) {
        if (has_meaning(l, MEAN_EXIT) && !announces_error(l->text))
            flush(r); /* what follows is another command's story */
        return LINE_HOST;
    }
    p = trace_part(r, l);
    if (!p && *l->text != ' ' && *l->text != '\t' && is_message(l->text))
        remember(&r->margin, l->text, l->no, l->at_us);
    meaning_part(r, p, l);
    return s->piece_count && s->last == l->no ? LINE_FAILURE : plain_line(r, l);
}

/* ---- the reader ---- */

static void clear(struct console *out)
{
    memset(out, 0, sizeof(*out));
    out->gone_us = out->in_flight_us = out->limit_us = out->restart_asked_us = TS_NONE;
    out->client_text = out->last_words = "";
}

struct console_reader *console_begin(struct arena *a, struct console *out)
{
    struct console_reader *r = xcalloc(1, sizeof(*r));

    clear(out);
    r->a = a;
    r->out = out;
    r->scan = scan_new();
    arena_init(&r->scratch);
    story_init(&r->story);
    for (size_t i = 0; i < TOLD_LATEST; i++)
        arena_init(&r->latest[i].a);
    return r;
}

enum line_kind console_feed(struct console_reader *r, const char *line, int64_t at_us,
                            bool is_stderr)
{
    struct line l = {
        .no = r->line++, .at_us = at_us, .is_stderr = is_stderr, .hits = r->hits};
    enum line_kind kind;

    r->out->line_count = r->line;
    l.text = prefix_strip(&r->scratch, line);
    if (r->story.open && r->story.open->lang == LANG_PYTHON)
        l.text = past_margin(l.text);
    l.hit_count = scan_line(r->scan, &r->scratch, l.text, r->hits, HITS_MAX);
    kind = read_line(r, &l);
    arena_reset(&r->scratch);
    return kind;
}

void console_end(struct console_reader *r)
{
    flush(r);
    join_latest(r);
    if (r->words.line)
        r->out->last_words = arena_str(r->a, r->words.text);
    story_release(&r->story);
    arena_release(&r->scratch);
    scan_free(r->scan);
    free(r);
}

/* Lines without a readable time stand at the time of the line before them, else of the
   first that has one. */
static struct output_line *with_times(struct arena *a, const struct output_line *lines,
                                      size_t n)
{
    struct output_line *out = arena_array(a, n, sizeof(*out));
    int64_t last = 0;
    size_t first = 0;

    while (first < n && lines[first].at_us == TS_NONE)
        first++;
    if (first < n)
        last = lines[first].at_us;
    for (size_t i = 0; i < n; i++) {
        out[i] = lines[i];
        if (out[i].at_us == TS_NONE)
            out[i].at_us = last;
        last = out[i].at_us;
    }
    return out;
}

void console_read(struct arena *a, const struct output_line *lines, size_t n,
                  int64_t since_us, struct console *out)
{
    struct console_reader *r;

    clear(out);
    out->kinds = arena_array(a, 1, 1);
    if (n == 0)
        return;
    r = console_begin(a, out);
    out->kinds = arena_array(a, n, 1);
    out->lines = lines = with_times(a, lines, n);
    for (size_t i = 0; i < n; i++) {
        if (since_us != TS_NONE && lines[i].at_us < since_us)
            r->line++;
        else
            out->kinds[i] = (unsigned char)console_feed(r, lines[i].text, lines[i].at_us,
                                                        lines[i].is_stderr);
    }
    out->line_count = n;
    console_end(r);
}
