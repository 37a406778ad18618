/*
 * Lines of output put together. Lines that tell of a failure within a few seconds of
 * each other are one story (a "burst"): its most telling piece gives it its name, the
 * others add frames, factors and details. What a story means for the sandbox is not
 * decided here; that is failure.c.
 */
#include "diag/console.h"
#include "base/arena.h"
#include "base/num.h"
#include "base/text.h"
#include "diag/limits.h"
#include "diag/prefix.h"
#include "diag/trace.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/banned.h"

#define HITS_MAX 24
#define PIECES_MAX 48
/* Lines between two parts of one story that may say nothing themselves (ours). */
#define QUIET_LINES_MAX 12

/* ---- signals ---- */

static const struct {
    int number;
    const char *name, *words, *long_words;
} signals[] = {
    {1,  "SIGHUP",  "hangup",                   "hangup"                                    },
    {2,  "SIGINT",  "interrupt",                "interrupted"                               },
    {3,  "SIGQUIT", "quit",                     "quit"                                      },
    {4,  "SIGILL",  "illegal instruction",      "an instruction the processor does not know"},
    {5,  "SIGTRAP", "trace/breakpoint trap",    "trap"                                      },
    {6,  "SIGABRT", "aborted",                  "it gave up by itself: abort"               },
    {7,  "SIGBUS",  "bus error",                "bus error"                                 },
    {8,  "SIGFPE",  "floating point exception", "a division by zero or the like"            },
    {9,  "SIGKILL", "killed",                   "killed"                                    },
    {11, "SIGSEGV", "segmentation fault",       "segmentation fault"                        },
    {13, "SIGPIPE", "broken pipe",              "broken pipe"                               },
    {14, "SIGALRM", "alarm clock",              "alarm"                                     },
    {15, "SIGTERM", "terminated",               "asked to stop"                             },
    {31, "SIGSYS",  "bad system call",          "a forbidden system call"                   },
};

int signal_number(const char *name)
{
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (strcasecmp(name, signals[i].name) == 0 ||
            strcasecmp(name, signals[i].words) == 0)
            return signals[i].number;
    return 0;
}

const char *signal_words(int number)
{
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (signals[i].number == number)
            return signals[i].long_words;
    return "";
}

/* ---- pieces ---- */

struct reader {
    struct arena *a;
    struct scan *scan;
    struct arena scratch; /* hits of one line */
    struct console *out;
    struct piece pieces[PIECES_MAX];
    size_t piece_count;
    struct piece *open;
    size_t first, last;
    int64_t at_us, last_us;
    size_t quiet;
    unsigned factors, soft_factors;
    int signal;
    size_t margin_line; /* the last line at the margin, + 1; 0: none */
    const char *details[TOLD_DETAILS];
    size_t detail_count;
    size_t told_cap, exit_cap;
};

/* How telling a meaning is within one story; 0: tells nothing. */
static int meaning_rank(enum meaning m)
{
    switch (m) {
    case MEAN_KERNEL_OOM:
        return 90;
    case MEAN_MEM_REFUSED:
    case MEAN_MEM_CEILING:
        return 80;
    case MEAN_NOT_MEMORY:
        return 82; /* it says more than the memory words it often stands beside */
    case MEAN_LOST:
        return 72;
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
#define RANK_TRACE 55 /* an uncaught error without a known cause */

/* Bytes of a told size ("103." of "GiB"); 0 when none was told. */
static double size_bytes(struct arena *a, const char *size, const char *unit)
{
    static const char letters[] = "KMGTPEZY";
    size_t n = strlen(size);
    const char *l = *unit ? strchr(letters, unit[0] & ~0x20) : NULL;
    double v;

    while (n > 0 && size[n - 1] == '.')
        n--;
    if (n == 0 || parse_f64(arena_strn(a, size, n), &v) < 0)
        return 0;
    for (long k = l && *l ? l - letters + 1 : 0; k > 0; k--)
        v *= 1024;
    return v;
}

static const char *copy(struct reader *r, const char *s)
{
    return *s ? arena_str(r->a, s) : "";
}

/* A hit tells something about the piece it stands in. */
static void piece_mean(struct reader *r, struct piece *p, const struct scan_hit *h,
                       const char *line, size_t no)
{
    int rank = meaning_rank(h->row->meaning);

    if (size_bytes(&r->scratch, h->size, h->unit) >= LIMIT_IMPOSSIBLE_BYTES)
        p->is_impossible = true;
    if (h->row->meaning == MEAN_KILLED && !p->signal)
        p->signal = 9;
    if (*h->sig && signal_number(h->sig))
        p->signal = signal_number(h->sig);
    *(p->is_soft ? &r->soft_factors : &r->factors) |= h->row->factors;
    if (rank <= 0 || (p->row && rank <= p->rank))
        return;
    p->row = h->row;
    p->rank = rank;
    if (*h->what || (*h->kind && h->row->meaning == MEAN_ERROR && !p->is_trace))
        p->program = copy(r, *h->what ? h->what : h->kind);
    if (*h->pid && parse_i64(h->pid, 0, INT64_MAX, &p->pid) < 0)
        p->pid = 0;
    if (!p->is_trace) {
        p->kind = copy(r, h->kind);
        p->message = *h->msg && *h->kind ? copy(r, h->msg) : arena_str(r->a, line);
        if (*h->file)
            p->frame = path_base(copy(r, h->file));
        else if (*h->fn && h->row->meaning == MEAN_ERROR)
            p->frame = copy(r, h->fn);
    }
    p->quote = arena_str(r->a, line);
    p->quote_line = no;
}

static struct piece *new_piece(struct reader *r)
{
    struct piece *p;

    if (r->piece_count == PIECES_MAX) { /* keep the first and the latest */
        memmove(&r->pieces[1], &r->pieces[2], (PIECES_MAX - 2) * sizeof(*r->pieces));
        r->piece_count--;
    }
    p = &r->pieces[r->piece_count++];
    memset(p, 0, sizeof(*p));
    p->kind = p->message = p->frame = p->quote = p->program = "";
    return p;
}

/* ---- stories ---- */

static const struct piece *choose(const struct reader *r)
{
    const struct piece *best = NULL;

    for (size_t i = 0; i < r->piece_count; i++) {
        const struct piece *p = &r->pieces[i];
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

static void fill_told(struct reader *r, const struct piece *p, struct told *t)
{
    memset(t, 0, sizeof(*t));
    t->at_us = r->at_us;
    t->last_us = r->last_us;
    t->first = r->first;
    t->last = r->last;
    t->row = p->row;
    t->meaning = p->row ? p->row->meaning : MEAN_ERROR;
    if (p->row && p->row->meaning == MEAN_MEM_REFUSED && p->is_impossible)
        t->meaning = MEAN_NOT_MEMORY;
    t->words = p->row && p->row->words ? p->row->words : "";
    if (t->meaning == MEAN_NOT_MEMORY && p->is_impossible)
        t->words = "the size it asked for is impossible";
    t->kind = p->kind;
    t->message = p->message;
    t->frame = p->frame;
    t->quote = p->quote;
    t->quote_line = p->quote_line;
    t->program = p->program;
    t->pid = p->pid;
    t->signal = p->signal ? p->signal : p->is_soft ? 0 : r->signal;
    t->is_soft = p->is_soft;
    t->is_trace = p->is_trace;
    t->is_impossible = p->is_impossible;
    t->factors = p->is_soft ? 0 : r->factors;
    /* installers tell the cause as a warning while they retry, then fail with it */
    if (t->factors & FACTOR_INSTALL_FAILED)
        t->factors |= r->soft_factors;
    t->detail_count = r->detail_count;
    memcpy(t->details, r->details, sizeof(t->details));
}

static void flush(struct reader *r)
{
    const struct piece *best;
    struct told *t;

    for (size_t i = 0; i < r->piece_count; i++) {
        trace_end(r->a, &r->pieces[i]);
        if (!r->pieces[i].is_soft && r->pieces[i].signal && !r->signal)
            r->signal = r->pieces[i].signal;
    }
    best = choose(r);
    if (best) {
        if (r->out->told_count ==
            CONSOLE_MAX) { /* the first half stays, the second slides */
            memmove(&r->out->told[CONSOLE_MAX / 2], &r->out->told[CONSOLE_MAX / 2 + 1],
                    (CONSOLE_MAX / 2 - 1) * sizeof(*r->out->told));
            r->out->told_count--;
        }
        r->out->told = arena_grow(r->a, r->out->told, r->out->told_count, &r->told_cap,
                                  sizeof(*r->out->told));
        t = &r->out->told[r->out->told_count++];
        fill_told(r, best, t);
        for (size_t i = 0; i < r->piece_count && !*t->frame; i++)
            if (!r->pieces[i].is_soft && r->pieces[i].is_trace)
                t->frame = r->pieces[i].frame;
    }
    r->piece_count = 0;
    r->open = NULL;
    r->factors = r->soft_factors = 0;
    r->signal = 0;
    r->detail_count = 0;
    r->quiet = 0;
}

static void touch(struct reader *r, size_t no, int64_t at_us)
{
    if (r->piece_count == 0) {
        r->first = no;
        r->at_us = at_us;
    }
    r->last = no;
    r->last_us = at_us;
    r->quiet = 0;
    r->out->kinds[no] = LINE_FAILURE;
}

static void add_detail(struct reader *r, const char *text)
{
    for (size_t i = 0; i < r->detail_count; i++)
        if (strcmp(r->details[i], text) == 0)
            return;
    if (r->detail_count < TOLD_DETAILS)
        r->details[r->detail_count++] = arena_str(r->a, text);
}

/* ---- what the host says ---- */

static void add_exit(struct reader *r, const struct scan_hit *h, size_t no, int64_t at_us)
{
    struct host_exit e = {.at_us = at_us, .line = no};
    const char *code = *h->code ? h->code : h->sig;

    if (*code && parse_i64(code, -255, 255, &e.code) == 0)
        e.has_code = true;
    e.signal = *h->fn ? signal_number(h->fn) : 0;
    if (r->out->exit_count == CONSOLE_MAX)
        return;
    r->out->exits = arena_grow(r->a, r->out->exits, r->out->exit_count, &r->exit_cap,
                               sizeof(*r->out->exits));
    r->out->exits[r->out->exit_count++] = e;
}

/* Returns true when the line is the host's or client's own, not the program's. */
static bool host_line(struct reader *r, const struct scan_hit *hits, size_t n, size_t no,
                      int64_t at_us)
{
    struct console *c = r->out;
    bool is_host = false;

    for (size_t i = 0; i < n; i++) {
        switch (hits[i].row->meaning) {
        case MEAN_EXIT:
            add_exit(r, &hits[i], no, at_us);
            is_host = true;
            break;
        case MEAN_IN_FLIGHT:
            c->in_flight_us = at_us;
            c->in_flight_line = no;
            is_host = true;
            break;
        case MEAN_CLIENT_GONE:
            if (c->gone_us == TS_NONE) {
                c->gone_us = at_us;
                c->gone_line = no;
            }
            is_host = true;
            break;
        case MEAN_COMMAND_LIMIT:
            c->limit_us = at_us;
            c->limit_line = no;
            is_host = true;
            break;
        case MEAN_RESTART_ASKED:
            c->restart_asked_us = at_us;
            is_host = true;
            break;
        default:
            break;
        }
    }
    if (is_host)
        c->kinds[no] = LINE_HOST;
    return is_host;
}

/* ---- lines ---- */

/* Text that only talks: a record of an agent, a heading, a quoted phrase. */
static bool is_prose(const char *line)
{
    return strncmp(line, "{\"", 2) == 0 || strncmp(line, "## ", 3) == 0 ||
           strncmp(line, "- ", 2) == 0 || strncmp(line, "> ", 2) == 0 ||
           strchr(line, '`') == line;
}

static bool has_meaning(const struct scan_hit *hits, size_t n, enum meaning m)
{
    for (size_t i = 0; i < n; i++)
        if (hits[i].row->meaning == m)
            return true;
    return false;
}

/* Frames below a message that no pattern knows: the message is the line at the margin
   above them. */
static struct piece *headless(struct reader *r, struct piece *fresh)
{
    memset(fresh, 0, sizeof(*fresh));
    fresh->lang = LANG_NODE;
    fresh->is_trace = true;
    fresh->kind = fresh->frame = fresh->program = "";
    fresh->quote = fresh->message = r->out->lines[r->margin_line - 1].text;
    fresh->quote_line = r->margin_line - 1;
    return fresh;
}

static struct piece *trace_part(struct reader *r, const char *line,
                                const struct scan_hit *hits, size_t n, size_t no,
                                int64_t at_us)
{
    struct piece fresh, before = {0}, *p;

    if (r->open)
        before = *r->open;
    p = trace_line(&r->scratch, line, hits, n, r->open, &fresh);
    if (!p && !r->open && has_meaning(hits, n, MEAN_JS_FRAME) && r->margin_line &&
        no - r->margin_line < 4)
        p = headless(r, &fresh);
    if (!p)
        return NULL;
    touch(r, no, at_us);
    if (p == &fresh) {
        struct piece *kept = new_piece(r);
        *kept = fresh;
        r->open = p = kept;
    }
    /* texts of the scratch arena must outlive the line */
    if (p->kind != before.kind)
        p->kind = copy(r, p->kind);
    if (p->message != before.message)
        p->message = copy(r, p->message);
    if (p->frame != before.frame)
        p->frame = copy(r, p->frame);
    if (p->pending && p->pending != before.pending)
        p->pending = copy(r, p->pending);
    if (!*p->quote) {
        p->quote = arena_str(r->a, line);
        p->quote_line = no;
    }
    if (p->rank < RANK_TRACE && (*p->kind || *p->message))
        p->rank = RANK_TRACE;
    return p;
}

static void meaning_part(struct reader *r, struct piece *p, const char *line,
                         const struct scan_hit *hits, size_t n, size_t no, int64_t at_us)
{
    bool is_soft = has_meaning(hits, n, MEAN_SOFT), is_inside = p != NULL;

    if (p && p->is_wrapper)
        return; /* the original cause counts */
    for (size_t i = 0; i < n; i++) {
        enum meaning m = hits[i].row->meaning;
        if (m == MEAN_DETAIL) {
            if (r->piece_count == 0)
                continue;
            touch(r, no, at_us);
            if (*hits[i].msg)
                add_detail(r, hits[i].msg);
            if (*hits[i].sig)
                r->signal = signal_number(hits[i].sig);
        }
        if (!meaning_rank(m) || (is_inside && m == MEAN_WRAPPER))
            continue;
        if (!p) {
            touch(r, no, at_us);
            p = new_piece(r);
            p->is_soft = is_soft || is_prose(line);
        }
        piece_mean(r, p, &hits[i], line, no);
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

static void read_line(struct reader *r, const char *raw, size_t no, int64_t at_us)
{
    const char *line = prefix_strip(raw);
    struct scan_hit hits[HITS_MAX];
    size_t n;
    struct piece *p;

    if (r->open && r->open->lang == LANG_PYTHON)
        line = past_margin(line);
    n = scan_line(r->scan, &r->scratch, line, hits, HITS_MAX);
    if (r->piece_count &&
        (at_us - r->last_us > LIMIT_BURST_US || r->quiet > QUIET_LINES_MAX))
        flush(r);
    if (n && host_line(r, hits, n, no, at_us)) {
        if (has_meaning(hits, n, MEAN_EXIT))
            flush(r); /* what follows is another command's story */
        return;
    }
    p = trace_part(r, line, hits, n, no, at_us);
    if (!p && *line && *line != ' ' && *line != '\t')
        r->margin_line = no + 1;
    meaning_part(r, p, line, hits, n, no, at_us);
    if (r->out->kinds[no] == LINE_FAILURE)
        return;
    r->quiet++;
    if (has_meaning(hits, n, MEAN_SUCCESS) && !is_prose(line) &&
        !is_unfinished_count(line))
        r->out->kinds[no] = LINE_SUCCESS;
}

/* Lines without a readable time stand at the time of the line before them, else of the
   first that has one. */
static const struct output_line *with_times(struct arena *a,
                                            const struct output_line *lines, size_t n)
{
    struct output_line *out;
    int64_t last = 0;
    size_t first = 0;

    while (first < n && lines[first].at_us == TS_NONE)
        first++;
    if (first < n)
        last = lines[first].at_us;
    out = arena_array(a, n, sizeof(*out));
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
    struct reader *r = arena_alloc(a, sizeof(*r));

    memset(out, 0, sizeof(*out));
    out->lines = lines;
    out->line_count = n;
    out->kinds = arena_array(a, n ? n : 1, 1);
    out->gone_us = out->in_flight_us = out->limit_us = out->restart_asked_us = TS_NONE;
    if (n == 0)
        return;
    lines = out->lines = with_times(a, lines, n);
    r->a = a;
    r->out = out;
    r->scan = scan_new();
    arena_init(&r->scratch);
    for (size_t i = 0; i < n; i++) {
        if (since_us != TS_NONE && lines[i].at_us != TS_NONE && lines[i].at_us < since_us)
            continue;
        read_line(r, lines[i].text, i, lines[i].at_us);
        arena_reset(&r->scratch);
    }
    flush(r);
    arena_release(&r->scratch);
    scan_free(r->scan);
}
