/*
 * Runs the parts in order: facts, failures, rules, signature, words.
 */
#include "diag/diag.h"
#include "base/arena.h"
#include "base/text.h"
#include "diag/explain.h"
#include "diag/signature.h"
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

static size_t split_lines(struct arena *a, const char *text, size_t n,
                          struct output_line *lines)
{
    size_t count = 0;

    while (n > 0 && count < DIAG_TEXT_MAX_LINES) {
        const char *end = memchr(text, '\n', n);
        size_t len = end ? (size_t)(end - text) : n;
        if (lines)
            lines[count].text = text_clean(a, text, len, TEXT_LINE_MAX);
        count++;
        text += len + (end != NULL);
        n -= len + (end != NULL);
    }
    return count;
}

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

static const char *text_signature(struct arena *a, const struct console *c,
                                  const struct told *t)
{
    struct told gone = {
        .kind = "", .message = "", .frame = "", .quote = "", .program = "", .words = ""};

    if (t)
        return signature_told(a, t);
    if (c->limit_us != TS_NONE)
        return "context deadline exceeded: command ended by its own time limit";
    if (c->exit_count) {
        const struct host_exit *e = &c->exits[c->exit_count - 1];
        return e->signal
                   ? arena_fmt(a, "%s by signal %d", signal_words(e->signal), e->signal)
                   : arena_fmt(a, "exit code %lld", (long long)e->code);
    }
    if (c->gone_us != TS_NONE || c->in_flight_us != TS_NONE) {
        gone.quote =
            c->lines[c->gone_us != TS_NONE ? c->gone_line : c->in_flight_line].text;
        return signature_told(a, &gone);
    }
    for (size_t i = c->line_count; i > 0; i--)
        if (*text_trim(a, c->lines[i - 1].text)) {
            gone.quote = c->lines[i - 1].text;
            return signature_told(a, &gone);
        }
    return "";
}

void diag_run_text(const char *text, size_t n, struct arena *a, struct finding *out)
{
    size_t count = split_lines(a, text, n, NULL);
    struct output_line *lines = arena_array(a, count ? count : 1, sizeof(*lines));
    struct evidence ev = {.sandbox_id = ""};
    struct console c;
    const struct told *t;

    split_lines(a, text, n, lines);
    console_read(a, lines, count, TS_NONE, &c);
    t = main_told(&c);
    diag_run(&ev, a, out);
    set_signature(out, text_signature(a, &c, t));
    out->program = t ? t->program : "";
}
