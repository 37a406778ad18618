/*
 * Which ClearSilver constructs our templates may use. The list names what is allowed; what is missing
 * from it escapes nothing, escapes twice, or fails silently (tried on 0.10.5):
 *
 *   alt: name: evar: uvar:   write the value raw
 *   escape:"..."             the mode is lost in nested blocks and macros
 *   include:"x"              a missing file is silently empty; include!"x" is not
 *   linclude: lvar:          parse at render time
 *
 * ClearSilver itself refuses unknown functions and macros when it parses; but its message for a missing
 * included file does not say where it was included, so that is looked at here as well.
 */
#include "web/tpl.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#include "base/banned.h"

struct at { /* where in a template */
    const char *folder, *name;
    int line;
};

static const char *const allowed[] = {"var",  "if",    "elif",  "else",  "each",
                                      "with", "loop",  "def",   "call",  "set",
                                      "/if",  "/each", "/with", "/loop", "/def"};

static int check_include(const struct at *at, const char *tag, size_t n, struct err *err)
{
    const char *quote = memchr(tag, '"', n);
    const char *end =
        quote ? memchr(quote + 1, '"', (size_t)(tag + n - quote - 1)) : NULL;
    char path[512];

    if (!quote) {
        if (n >= 13 && memcmp(tag, "Page.Template", 13) == 0 &&
            strcmp(at->name, "layout.cs") == 0)
            return 0;
        return err_set(err, ERR_INPUT, "%s/%s:%d: include! takes a file name in quotes",
                       at->folder, at->name, at->line);
    }
    if (!end || memchr(quote + 1, '/', (size_t)(end - quote - 1)))
        return err_set(err, ERR_INPUT, "%s/%s:%d: include! of a file in another folder",
                       at->folder, at->name, at->line);
    snprintf(path, sizeof(path), "%s/%.*s", at->folder, (int)(end - quote - 1),
             quote + 1);
    if (access(path, R_OK) != 0)
        return err_set(err, ERR_INPUT, "%s/%s:%d: there is no file %.*s to include",
                       at->folder, at->name, at->line, (int)(end - quote - 1), quote + 1);
    return 0;
}

static int check_tag(const struct at *at, const char *tag, size_t n, struct err *err)
{
    size_t word = 0;

    while (n && isspace((unsigned char)*tag)) {
        tag++;
        n--;
    }
    if (n && *tag == '#')
        return 0;
    while (word < n &&
           (isalpha((unsigned char)tag[word]) || (word == 0 && tag[0] == '/')))
        word++;
    if (word == 7 && memcmp(tag, "include", 7) == 0 && n > 8 && tag[7] == '!')
        return check_include(at, tag + 8, n - 8, err);
    for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
        if (strlen(allowed[i]) != word || memcmp(allowed[i], tag, word) != 0)
            continue;
        /* "if!x" and "var!x" are ClearSilver's strict forms; the mode of escaping is the same. */
        if (word == n || tag[word] == ':' || tag[word] == '!' ||
            isspace((unsigned char)tag[word]))
            return 0;
    }
    return err_set(err, ERR_INPUT, "%s/%s:%d: <?cs %.*s is not used in our templates",
                   at->folder, at->name, at->line, (int)(n < 30 ? n : 30), tag);
}

int tpl_lint(const char *folder, const char *name, const char *text, struct err *err)
{
    struct at at = {.folder = folder, .name = name, .line = 1};
    const char *p = text;

    for (;;) {
        const char *open = strstr(p, "<?cs"), *close;

        for (const char *q = p; *q && q != open; q++)
            at.line += *q == '\n';
        if (!open)
            return 0;
        close = strstr(open, "?>");
        if (!close)
            return err_set(err, ERR_INPUT, "%s/%s:%d: <?cs without ?>", folder, name,
                           at.line);
        if (check_tag(&at, open + 4, (size_t)(close - open - 4), err))
            return -1;
        p = open;
        for (; p < close; p++)
            at.line += *p == '\n';
    }
}
