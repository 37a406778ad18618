/*
 * Linear rewrites what it stores (bullets, links, escapes) but for inline code: that is where Casebook's issues
 * carry signature and template (issue_text.c).
 */
#include "agent/compare.h"

#include "base/arena.h"
#include "base/text.h"
#include "diag/diag.h"
#include <string.h>

#include "base/banned.h"

#define TEXT_READ ((size_t)16 << 10) /* of an issue that people wrote */

/* The inline code after `label`, up to the end of its line; NULL when there is none. */
static const char *code_after(struct arena *a, const char *text, const char *label)
{
    const char *at = strstr(text, label), *from;
    size_t n;

    if (!at)
        return NULL;
    from = at + strlen(label);
    n = strcspn(from, "`\n");
    return from[n] == '`' && n > 0 ? arena_strn(a, from, n) : NULL;
}

/* "Template: `alias` (`id`)", or the id alone. */
static bool names_template(struct arena *a, const struct finding *f, const char *text)
{
    const char *at = strstr(text, "Template: `");
    char *line;

    if (!at || text_is_empty(f->template_id))
        return false;
    line = arena_strn(a, at, strcspn(at, "\n"));
    return strstr(line, arena_fmt(a, "`%s`", f->template_id)) != NULL;
}

static double compare_signature(const struct finding *f, const char *signature,
                                bool *same)
{
    /* its text alone is compared: a hash that is no hash equals none */
    struct finding other = {.signature = signature, .signature_hash = "-"};

    return diag_same(f, &other, same);
}

/* Most issues hold no console text: finding that out costs far less than reading it as such. */
static bool has_console_text(struct arena *a, const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t k = strcspn(text + i, "\n");

        if (i + k > n)
            k = n - i;
        if (diag_line_tells(arena_strn(a, text + i, k)))
            return true;
        i += k + 1;
    }
    return false;
}

/* What console text in it says, as `casebook same` would read it. */
static double compare_text(struct arena *a, const struct finding *f,
                           const struct linear_issue *issue)
{
    size_t n = strlen(issue->description);
    struct finding other = {.signature = ""};
    bool ignored;

    if (n > TEXT_READ)
        n = TEXT_READ;
    if (!has_console_text(a, issue->description, n))
        return 0;
    diag_run_text(issue->description, n, a, &other);
    return text_is_empty(other.signature) ? 0 : diag_same(f, &other, &ignored);
}

double compare_issue(struct arena *a, const struct finding *f,
                     const struct linear_issue *issue, bool *is_same)
{
    const char *signature = code_after(a, issue->description, "Signature: `");
    double title = diag_similarity_text(f->signature, issue->title), score;
    bool same = false;

    *is_same = false;
    if (signature) {
        score = compare_signature(f, signature, &same);
        *is_same = same && names_template(a, f, issue->description);
        return score;
    }
    score = compare_text(a, f, issue);
    return score > title ? score : title;
}
