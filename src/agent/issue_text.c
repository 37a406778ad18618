/*
 * Title, body and search words. Linear rewrites Markdown on saving (linear.md 5.2): whatever must be
 * recognised later stands in inline code, customer text stands in fences, tables at the left margin.
 */
#include "agent/issue_text.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define TITLE_MAX 200
#define BODY_MAX ((size_t)60 << 10)
#define PARAGRAPH_MAX 4000
#define TAIL_MAX ((size_t)4 << 10) /* of it, for what follows the excerpts */
#define CODE_MAX 500
#define FACTOR_MAX 80
#define EVENT_MAX 120
#define CELL_MAX 300
#define EXCERPT_LINES 30
#define EXCERPT_LINE_MAX 400
#define CONTEXT_LINES                                                                    \
    60 /* read before the excerpt: a secret of many lines may start there */
#define CONTEXT_LINE_MAX 2000
#define TIMELINE_ROWS 40
#define TIMELINE_EVENTS 20 /* of them, at most */
#define FACTORS_MAX 20
#define WORDS_MAX 200
#define COMMENT_MAX ((size_t)4 << 10)

/* What one text is made with. */
struct writer {
    struct arena *arena;
    const struct mask *mask;
    const struct customer *who;
    size_t masked; /* how many values so far */
    struct sbuf sb;
};

/* Without secrets and without the customer. */
static char *clean(struct writer *w, const char *text)
{
    char *s = mask_text(w->mask, w->arena, text ? text : "", &w->masked);

    return customer_hide(w->who, w->arena, s, &w->masked);
}

static char *line(struct writer *w, const char *text, size_t cap)
{
    char *s = clean(w, text);

    return text_clean_line(w->arena, s, strlen(s), cap);
}

static void replace(char *s, char from, char to)
{
    for (; *s; s++)
        if (*s == from)
            *s = to;
}

/* In inline code, which a backtick would end. */
static void add_code(struct writer *w, const char *text, size_t cap)
{
    char *s = line(w, text, cap);

    replace(s, '`', '\'');
    sbuf_addf(&w->sb, "`%s`", s);
}

/*
 * What Linear would make something else of (linear.md 5.2): links and domains, mentions of people and issues,
 * emphasis, HTML. Such a word goes into inline code, which stays as it is.
 */
static bool is_risky(const char *word, size_t n)
{
    size_t letters = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

    for (size_t i = 0; i < n; i++)
        if (strchr("[]<>*_~|\\#@", word[i]) ||
            (i > 0 && i + 1 < n && (word[i] == '.' || word[i] == '/') &&
             word[i + 1] != '.'))
            return true;
    return letters >= 2 && letters + 1 < n && word[letters] == '-' &&
           word[letters + 1] >= '0' && word[letters + 1] <= '9';
}

static void add_prose(struct writer *w, char *text)
{
    replace(text, '`', '\'');
    for (char *p = text; *p;) {
        size_t n = strcspn(p, " \n"), core = n;

        while (core > 0 && strchr(".,:;!?)", p[core - 1]))
            core--;
        if (is_risky(p, core))
            sbuf_addf(&w->sb, "`%.*s`%.*s", (int)core, p, (int)(n - core), p + core);
        else
            sbuf_add(&w->sb, p, n);
        p += n;
        if (*p)
            sbuf_addch(&w->sb, *p++);
    }
}

static void add_paragraph(struct writer *w, const char *lead, const char *text)
{
    char *s;

    if (text_is_empty(text))
        return;
    s = clean(w, text);
    sbuf_addf(&w->sb, "\n%s", lead);
    add_prose(w, text_clean(w->arena, s, strlen(s), PARAGRAPH_MAX));
    sbuf_adds(&w->sb, "\n");
}

static const char *template_name(const struct finding *f)
{
    return text_is_empty(f->template_alias) ? f->template_id : f->template_alias;
}

char *issue_title(struct arena *a, const struct mask *m, const struct finding *f,
                  const struct customer *who)
{
    struct writer w = {.arena = a, .mask = m, .who = who};
    char *title = arena_fmt(a, "%s: %s", finding_class_words(f->cls), f->headline);

    if (!text_is_empty(template_name(f)))
        title = arena_fmt(a, "%s (%s)", title, template_name(f));
    return line(&w, title, TITLE_MAX - 16);
}

/* A table cell: one line, no bar that would end it. */
static void add_cell(struct writer *w, const char *text, size_t cap)
{
    char *s = line(w, text, cap);

    replace(s, '|', '/');
    add_prose(w, s);
}

static const char *event_word(const struct event *e)
{
    static const char *const words[EVENT_TYPE_COUNT] = {
        [EVENT_CREATED] = "session started",
        [EVENT_RESUMED] = "resumed",
        [EVENT_UPDATED] = "settings changed",
        [EVENT_CHECKPOINTED] = "snapshot taken",
        [EVENT_PAUSED] = "paused",
        [EVENT_KILLED] = "terminated",
    };

    return e->type == EVENT_OTHER ? e->type_text : words[e->type];
}

/* One row of the timeline: an event of the sandbox, or a piece of evidence. */
struct moment {
    int64_t at_us;
    size_t order; /* among those of one time */
    const struct event *event;
    const struct evidence_item *item;
};

static int by_time(const void *pa, const void *pb)
{
    const struct moment *x = pa, *y = pb;

    if (x->at_us != y->at_us)
        return x->at_us < y->at_us ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The newest events and the strongest evidence, oldest first. */
static struct moment *moments(struct arena *a, const struct finding *f,
                              const struct evidence *ev, size_t *n)
{
    struct moment *m = arena_array(a, TIMELINE_ROWS, sizeof *m);
    size_t skipped =
        ev->event_count > TIMELINE_EVENTS ? ev->event_count - TIMELINE_EVENTS : 0;

    *n = 0;
    for (size_t i = skipped; i < ev->event_count; i++, (*n)++)
        m[*n] = (struct moment){ev->events[i].at_us, *n, &ev->events[i], NULL};
    for (size_t i = 0; i < f->evidence_count && *n < TIMELINE_ROWS; i++) {
        if (f->evidence[i].at_us == TS_NONE)
            continue;
        m[*n] = (struct moment){f->evidence[i].at_us, *n, NULL, &f->evidence[i]};
        (*n)++;
    }
    qsort(m, *n, sizeof *m, by_time);
    return m;
}

static void add_timeline(struct writer *w, const struct finding *f,
                         const struct evidence *ev)
{
    char t[HUMAN_SIZE];
    size_t n;
    const struct moment *m = moments(w->arena, f, ev, &n);

    sbuf_adds(&w->sb, "\n## Timeline (UTC)\n\n| Time | What |\n| --- | --- |\n");
    if (ev->event_count > TIMELINE_EVENTS)
        sbuf_addf(&w->sb, "| | %zu earlier events left out |\n",
                  ev->event_count - TIMELINE_EVENTS);
    for (size_t i = 0; i < n; i++) {
        sbuf_addf(&w->sb, "| %s | ", human_datetime_s(m[i].at_us, ev->now_us, t));
        if (m[i].item)
            add_cell(w, m[i].item->text, CELL_MAX);
        else
            add_cell(w, event_word(m[i].event), EVENT_MAX);
        if (m[i].event && !text_is_empty(m[i].event->kill_reason)) {
            sbuf_adds(&w->sb, ", reason ");
            add_cell(w, m[i].event->kill_reason, EVENT_MAX);
        }
        sbuf_adds(&w->sb, " |\n");
    }
    if (n == 0)
        sbuf_adds(&w->sb, "| | no event is on record |\n");
}

/* One line of what was printed or logged. */
struct printed {
    int64_t at_us;
    const char *text;
};

typedef struct printed printed_at(const struct evidence *ev, size_t i);

static struct printed output_at(const struct evidence *ev, size_t i)
{
    return (struct printed){ev->output[i].at_us, ev->output[i].text};
}

static struct printed log_at(const struct evidence *ev, size_t i)
{
    return (struct printed){ev->logs[i].at_us, ev->logs[i].message};
}

/*
 * The lines [from, end) as one masked text, one line each: a secret of many lines is known as such only
 * when they stand together. What was on many lines may have become one.
 */
static char *masked_lines(struct writer *w, const struct evidence *ev, printed_at *at,
                          size_t from, size_t end)
{
    struct sbuf all;
    char *text, t[HUMAN_SIZE];

    sbuf_init(&all, (end - from) * (CONTEXT_LINE_MAX + 64) + 1);
    for (size_t i = from; i < end; i++) {
        struct printed p = at(ev, i);
        const char *s = p.text ? p.text : "";

        sbuf_addf(&all, "%s %s\n", human_clock_ms(p.at_us, t),
                  text_clean_line(w->arena, s, strlen(s), CONTEXT_LINE_MAX));
    }
    text = clean(w, all.s);
    sbuf_release(&all);
    return text;
}

/* The last lines of a text in a fence; backticks become apostrophes, so that nothing closes it. */
static void add_fenced(struct writer *w, char *text)
{
    size_t n = strlen(text), lines = 0, from = n;

    for (; from > 0; from--)
        if (from < n && text[from - 1] == '\n' && ++lines == EXCERPT_LINES)
            break;
    replace(text, '`', '\'');
    sbuf_adds(&w->sb, "```text\n");
    for (char *p = text + from, *end; *p; p = end + (*end == '\n')) {
        end = p + strcspn(p, "\n");
        sbuf_addf(&w->sb, "%s\n",
                  text_clean_line(w->arena, p, (size_t)(end - p), EXCERPT_LINE_MAX));
    }
    sbuf_adds(&w->sb, "```\n");
}

/* What was said up to shortly after the failure. */
static void add_excerpt(struct writer *w, const char *heading, const struct finding *f,
                        const struct evidence *ev, printed_at *at, size_t count)
{
    int64_t until = f->failed_at_us == TS_NONE ? INT64_MAX : f->failed_at_us + 3 * TS_SEC;
    size_t end = 0, from;

    while (end < count && at(ev, end).at_us <= until)
        end++;
    if (end == 0)
        return;
    from = end > EXCERPT_LINES + CONTEXT_LINES ? end - EXCERPT_LINES - CONTEXT_LINES : 0;
    sbuf_addf(&w->sb, "\n## %s\n\n", heading);
    add_fenced(w, masked_lines(w, ev, at, from, end));
}

static void add_facts(struct writer *w, const struct finding *f,
                      const struct investigation *inv)
{
    sbuf_adds(&w->sb, "\n- Sandbox: ");
    add_code(w, inv->sandbox_id, CODE_MAX);
    if (!text_is_empty(template_name(f))) {
        sbuf_adds(&w->sb, "\n- Template: ");
        add_code(w, template_name(f), CODE_MAX);
    }
    if (!text_is_empty(f->template_id) && strcmp(f->template_id, template_name(f)) != 0) {
        sbuf_adds(&w->sb, " (");
        add_code(w, f->template_id, CODE_MAX);
        sbuf_adds(&w->sb, ")");
    }
    sbuf_adds(&w->sb, "\n");
    for (size_t i = 0; i < f->factor_count && i < FACTORS_MAX; i++) {
        sbuf_adds(&w->sb, i == 0 ? "- Beside it: " : " ");
        add_code(w, f->factors[i], FACTOR_MAX);
    }
    if (f->factor_count)
        sbuf_adds(&w->sb, "\n");
}

char *issue_body(struct arena *a, const struct mask *m, const struct finding *f,
                 const struct evidence *ev, const struct investigation *inv,
                 const struct customer *who, const char *token, const char *link)
{
    struct writer w = {.arena = a, .mask = m, .who = who};
    char *out;

    sbuf_init(&w.sb, BODY_MAX - TAIL_MAX);
    sbuf_addf(&w.sb, "## Root cause\n\n**%s** (%s confidence)\n",
              finding_class_words(f->cls), confidence_name(f->confidence));
    add_paragraph(&w, "", f->headline);
    add_paragraph(&w, "", f->brief);
    add_paragraph(&w, "What would fix it: ", f->fix);
    add_facts(&w, f, inv);
    add_timeline(&w, f, ev);
    add_excerpt(&w, "Output before the failure", f, ev, output_at, ev->output_count);
    add_excerpt(&w, "E2B's log before the failure", f, ev, log_at, ev->log_count);
    w.sb.max = BODY_MAX; /* whatever came before, the mark has its place */
    if (w.masked)
        sbuf_addf(&w.sb, "\n%zu values that look secret or personal were masked.\n",
                  w.masked);
    if (!text_is_empty(link))
        sbuf_addf(&w.sb, "\nFinding in Casebook: %s\n", link);
    sbuf_adds(&w.sb, "\nSignature: ");
    add_code(&w, f->signature, CODE_MAX);
    sbuf_addf(&w.sb, "\n\nMark of this failure: `%s`\n", token);
    out = arena_strn(a, w.sb.s, w.sb.len);
    sbuf_release(&w.sb);
    return out;
}

char *issue_comment(struct arena *a, const struct mask *m, const struct finding *f,
                    int64_t now_us, const char *link)
{
    struct writer w = {.arena = a, .mask = m};
    char t[HUMAN_SIZE], *out;

    sbuf_init(&w.sb, COMMENT_MAX);
    sbuf_addf(&w.sb, "Seen again, by another customer: %s", finding_class_words(f->cls));
    if (!text_is_empty(template_name(f))) {
        sbuf_adds(&w.sb, " in template ");
        add_code(&w, template_name(f), CODE_MAX);
    }
    if (f->failed_at_us != TS_NONE)
        sbuf_addf(&w.sb, ", %s UTC", human_datetime_s(f->failed_at_us, now_us, t));
    sbuf_adds(&w.sb, ".");
    if (!text_is_empty(link))
        sbuf_addf(&w.sb, "\n\nFinding in Casebook: %s", link);
    out = arena_strn(a, w.sb.s, w.sb.len);
    sbuf_release(&w.sb);
    return out;
}

char *issue_search_words(struct arena *a, const struct mask *m, const struct finding *f,
                         const struct customer *who)
{
    struct writer w = {.arena = a, .mask = m, .who = who};

    return line(&w, arena_fmt(a, "%s %s", f->signature, template_name(f)), WORDS_MAX - 8);
}
