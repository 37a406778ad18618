/*
 * The internal note. Zendesk executes placeholders in `{{ }}` and cuts long texts without a word
 * (zendesk.md 6.1): each value is bounded, and braces leave as entities and not two together.
 */
#include "outgoing/note_text.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

#define NOTE_MAX ((size_t)59999)
/* Bytes before escaping, which makes at most seven of one: all together stay below NOTE_MAX. */
#define LINE_MAX_BYTES ((size_t)300)
#define WHY_MAX ((size_t)500)
#define URL_MAX_BYTES ((size_t)500)
#define MISSING_MAX ((size_t)800)
#define PART_MAX ((size_t)2400)

static void add_escaped(struct sbuf *sb, const char *s)
{
    for (; *s; s++) {
        switch (*s) {
        case '&':
            sbuf_adds(sb, "&amp;");
            break;
        case '<':
            sbuf_adds(sb, "&lt;");
            break;
        case '>':
            sbuf_adds(sb, "&gt;");
            break;
        case '"':
            sbuf_adds(sb, "&quot;");
            break;
        case '\'':
            sbuf_adds(sb, "&#39;");
            break;
        case '{': /* in no reading of it do two of them, or one and a percent sign, stand together */
            sbuf_adds(sb, s[1] == '{' || s[1] == '%' ? "&#123; " : "&#123;");
            break;
        case '}':
            sbuf_adds(sb, "&#125;");
            break;
        case '\n':
            sbuf_adds(sb, "<br>");
            break;
        default:
            sbuf_addch(sb, *s);
        }
    }
}

static void add_value(struct sbuf *sb, struct arena *a, const struct mask *m,
                      const char *s, size_t cap)
{
    char *masked = mask_text(m, a, s ? s : "", NULL);

    add_escaped(sb, text_clean(a, masked, strlen(masked), cap));
}

/* A link, or the words alone when the address is none that a browser should follow. */
static void add_link(struct sbuf *sb, const char *url, const char *words)
{
    bool is_web = (text_starts(url, "https://") || text_starts(url, "http://")) &&
                  strlen(url) <= URL_MAX_BYTES;

    if (is_web) {
        sbuf_adds(sb, "<a href=\"");
        add_escaped(sb, url);
        sbuf_adds(sb, "\">");
    }
    add_escaped(sb, words);
    if (is_web)
        sbuf_adds(sb, "</a>");
}

static void add_paragraph(struct sbuf *sb, struct arena *a, const struct mask *m,
                          const char *label, const char *text, size_t cap)
{
    if (text_is_empty(text))
        return;
    sbuf_adds(sb, "<p>");
    if (label)
        sbuf_addf(sb, "<strong>%s</strong><br>", label);
    add_value(sb, a, m, text, cap);
    sbuf_adds(sb, "</p>");
}

static void add_head(struct sbuf *sb, struct arena *a, const struct mask *m,
                     const struct finding *f, int64_t now_us)
{
    char t[HUMAN_SIZE];

    sbuf_addf(sb, "<p><strong>Casebook: %s</strong> (", finding_class_words(f->cls));
    if (f->cls == CLASS_UNDETERMINED)
        add_value(sb, a, m, reason_words(f->reason), LINE_MAX_BYTES);
    else
        sbuf_addf(sb, "%s confidence", confidence_name(f->confidence));
    sbuf_adds(sb, ")<br>");
    add_value(sb, a, m, f->headline, LINE_MAX_BYTES);
    if (f->failed_at_us != TS_NONE)
        sbuf_addf(sb, ", %s UTC", human_datetime_s(f->failed_at_us, now_us, t));
    sbuf_adds(sb, "</p>");
}

static const char *linear_words(enum linear_outcome o)
{
    switch (o) {
    case LINEAR_OUTCOME_MATCHED:
        return "Linear: known issue, nothing filed";
    case LINEAR_OUTCOME_FILED:
        return "Linear: new issue filed";
    case LINEAR_OUTCOME_UNAVAILABLE:
        return "Linear could not be searched, so nothing was filed";
    case LINEAR_OUTCOME_NONE:
    case LINEAR_OUTCOME_TO_FILE:
    case LINEAR_OUTCOME_NOT_FILED:
    case LINEAR_OUTCOME_COUNT:
        break;
    }
    return "Linear: nothing filed";
}

static void add_linear(struct sbuf *sb, struct arena *a, const struct mask *m,
                       const struct linear_decision *d)
{
    sbuf_addf(sb, "<p>%s", linear_words(d->outcome));
    if (!text_is_empty(d->issue.identifier)) {
        sbuf_adds(sb, ": ");
        add_link(
            sb, d->issue.url,
            text_clean_line(a, d->issue.identifier, strlen(d->issue.identifier), 64));
        sbuf_adds(sb, " ");
        add_value(sb, a, m, d->issue.title, LINE_MAX_BYTES);
    }
    if (!text_is_empty(d->why)) {
        sbuf_adds(sb, "<br>");
        add_value(sb, a, m, d->why, WHY_MAX);
    }
    sbuf_adds(sb, "</p>");
}

static void add_foot(struct sbuf *sb, struct arena *a, const struct mask *m,
                     const struct finding *f, const struct investigation *inv,
                     const char *link, const char *marker)
{
    sbuf_adds(sb, "<p>Sandbox <code>");
    add_escaped(sb, inv->sandbox_id);
    sbuf_adds(sb, "</code>");
    if (!text_is_empty(f->template_id)) {
        sbuf_adds(sb, ", template <code>");
        add_value(sb, a, m,
                  text_is_empty(f->template_alias) ? f->template_id : f->template_alias,
                  LINE_MAX_BYTES);
        sbuf_adds(sb, "</code>");
    }
    if (!text_is_empty(link)) {
        sbuf_adds(sb, "<br>");
        add_link(sb, link, "Finding in Casebook");
    }
    sbuf_addf(sb, "</p><p>Note %.8s</p>", marker);
}

void note_correct(struct arena *a, const char *by, const struct linear_issue *linked,
                  struct linear_decision *d)
{
    bool is_none = text_is_empty(linked->identifier);

    d->outcome = is_none ? LINEAR_OUTCOME_NOT_FILED : LINEAR_OUTCOME_MATCHED;
    d->issue = *linked;
    d->why =
        arena_fmt(a, "%s %s.", by, is_none ? "unlinked the issue" : "linked this issue");
}

char *note_link(struct arena *a, const char *public_url, int64_t inv_id)
{
    if (text_is_empty(public_url))
        return arena_str(a, "");
    return arena_fmt(a, "%s/investigations/%" PRId64, public_url, inv_id);
}

char *note_html(struct arena *a, const struct mask *m, const struct finding *f,
                const struct investigation *inv, const struct linear_decision *d,
                const char *public_url, const char *marker, int64_t now_us)
{
    struct sbuf sb;
    char *out;

    sbuf_init(&sb, NOTE_MAX);
    add_head(&sb, a, m, f, now_us);
    add_paragraph(&sb, a, m, NULL, f->brief, PART_MAX);
    add_linear(&sb, a, m, d);
    add_paragraph(&sb, a, m, "What is missing", f->missing, MISSING_MAX);
    add_paragraph(&sb, a, m, "Draft of a reply (not sent)", f->customer_reply, PART_MAX);
    add_foot(&sb, a, m, f, inv, note_link(a, public_url, inv->id), marker);
    out = arena_strn(a, sb.s, sb.len);
    sbuf_release(&sb);
    return out;
}
