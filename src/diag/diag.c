/*
 * Runs the parts in order: facts, failures, rules, signature, words.
 */
#include "diag/diag.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "diag/explain.h"
#include "diag/signature.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define TEXT_LINE_MAX 8192

static void set_signature(struct finding *out, const char *signature)
{
    uint8_t hash[DIGEST_SIZE];

    out->signature = signature;
    out->signature_hash[0] = '\0';
    if (!*signature)
        return;
    digest_sha256(signature, strlen(signature), hash);
    digest_hex(hash, out->signature_hash);
}

int diag_run(const struct evidence *ev, struct arena *a, struct finding *out)
{
    struct facts *f = arena_alloc(a, sizeof(*f));
    struct scene s = {.f = f};
    struct verdict v;

    memset(out, 0, sizeof(*out));
    facts_build(a, ev, f);
    failures_find(f, &s.failures);
    s.d = s.failures.decisive;
    s.progress = progress_at_end(f);
    rules_decide(&s, &v);
    out->cls = v.cls;
    out->reason = v.reason;
    out->confidence = v.confidence;
    out->rule = v.rule->name;
    out->diag_version = DIAG_VERSION;
    out->template_id = f->tl.template_id ? f->tl.template_id : "";
    out->template_alias = f->tl.template_alias ? f->tl.template_alias : "";
    set_signature(out, signature_make(&s, &v));
    explain(&s, &v, out);
    return 0;
}

/* ---- text alone ---- */

/* The failure that the text is about: the last that is not told as handled. */
static const struct told *main_told(const struct console *c)
{
    const struct told *best = NULL;

    for (size_t i = 0; i < c->told_count; i++) {
        const struct told *t = &c->told[i];
        if (!best || best->is_soft || (!t->is_soft && t->meaning != MEAN_WRAPPER))
            best = t;
    }
    return best;
}

static const char *quote_signature(struct arena *a, const char *quote)
{
    struct told t = {.meaning = MEAN_ERROR, /* zero is the kernel's */
                     .kind = "",
                     .message = "",
                     .frame = "",
                     .quote = quote,
                     .program = "",
                     .words = "",
                     .before = ""};

    return *quote ? signature_told(a, &t) : "";
}

static const char *text_signature(struct arena *a, const struct console *c,
                                  const struct told *t)
{
    const struct host_exit *e = c->exit_count ? &c->exits[c->exit_count - 1] : NULL;

    if (t)
        return signature_told(a, t);
    if (c->limit_us != TS_NONE)
        return "context deadline exceeded: command ended by its own time limit";
    if (e && *c->last_words)
        return e->signal ? arena_fmt(a, "%s by signal %d: %s", signal_name(e->signal),
                                     e->signal, quote_signature(a, c->last_words))
                         : arena_fmt(a, "exit code %lld: %s", (long long)e->code,
                                     quote_signature(a, c->last_words));
    if (e)
        return e->signal
                   ? arena_fmt(a, "%s by signal %d", signal_name(e->signal), e->signal)
                   : arena_fmt(a, "exit code %lld", (long long)e->code);
    return quote_signature(a, *c->client_text ? c->client_text : c->last_words);
}

struct diag_text {
    struct arena *a;      /* of the results */
    struct arena scratch; /* of one line */
    struct console console;
    struct console_reader *reader;
    size_t n; /* bytes of the line so far; those over the bound are passed over */
    char line[TEXT_LINE_MAX + 1];
};

struct diag_text *diag_text_begin(struct arena *a)
{
    struct diag_text *t = xcalloc(1, sizeof(*t));

    t->a = a;
    arena_init(&t->scratch);
    t->reader = console_begin(a, &t->console);
    return t;
}

#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (c))

/* Printable ASCII only, eight bytes at a time: the line can be read where it is. */
static bool is_plain(const char *s, size_t n)
{
    uint64_t odd = 0, v;

    for (; n >= sizeof(v); s += sizeof(v), n -= sizeof(v)) {
        memcpy(&v, s, sizeof(v));
        odd |= v | (v + EACH_BYTE(1)) | ((v - EACH_BYTE(0x20)) & ~v);
    }
    for (; n > 0; s++, n--)
        odd |= (unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e ? EACH_BYTE(0x80) : 0;
    return (odd & EACH_BYTE(0x80)) == 0;
}

static void end_line(struct diag_text *t)
{
    const char *line = t->line;

    t->line[t->n] = '\0';
    if (!is_plain(t->line, t->n))
        line = text_clean(&t->scratch, t->line, t->n, TEXT_LINE_MAX);
    console_feed(t->reader, line, 0, true);
    arena_reset(&t->scratch);
    t->n = 0;
}

void diag_text_feed(struct diag_text *t, const char *text, size_t n)
{
    while (n > 0) {
        const char *end = memchr(text, '\n', n);
        size_t len = end ? (size_t)(end - text) : n;
        size_t room = TEXT_LINE_MAX - t->n, take = len < room ? len : room;
        memcpy(t->line + t->n, text, take);
        t->n += take;
        if (end)
            end_line(t);
        text += len + (end != NULL);
        n -= len + (end != NULL);
    }
}

void diag_text_end(struct diag_text *t, struct finding *out)
{
    struct evidence ev = {.sandbox_id = ""};
    const struct told *told;

    if (t->n)
        end_line(t);
    console_end(t->reader);
    told = main_told(&t->console);
    diag_run(&ev, t->a, out);
    set_signature(out, text_signature(t->a, &t->console, told));
    out->program = told ? told->program : "";
    arena_release(&t->scratch);
    free(t);
}

void diag_run_text(const char *text, size_t n, struct arena *a, struct finding *out)
{
    struct diag_text *t = diag_text_begin(a);

    diag_text_feed(t, text, n);
    diag_text_end(t, out);
}
