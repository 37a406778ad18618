/*
 * The forms of a comment's text: HTML from described text, placeholders, the
 * silent cut (zendesk.md 6.1).
 */
#include "text.h"
#include "zd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMENT_MAX 65535

static FILE *open_text(char **out, size_t *len)
{
    FILE *f = open_memstream(out, len);

    if (!f)
        die("out of memory");
    return f;
}

static void put_escaped(FILE *f, const char *text)
{
    char *html = html_escape(text), *breaks = replace_all(html, "\n", "<br>");

    fputs(breaks, f);
    free(html);
    free(breaks);
}

static void put_paragraphs(FILE *f, char *text)
{
    char *next;

    for (; text && *text; text = next) {
        while (*text == '\n')
            text++;
        next = strstr(text, "\n\n");
        if (next) {
            *next = '\0';
            next += 2;
        }
        if (*text) {
            fputs("<p dir=\"auto\">", f);
            put_escaped(f, text);
            fputs("</p>", f);
        }
    }
}

static void put_pre(FILE *f, char *text)
{
    char *html;
    size_t len;

    while (*text == '\n')
        text++;
    len = strlen(text);
    while (len > 0 && text[len - 1] == '\n')
        text[--len] = '\0';
    html = html_escape(text);
    fprintf(f, "<pre style=\"white-space: pre-wrap\">%s</pre>", html);
    free(html);
}

char *zd_text_to_html(const char *text)
{
    char *out = NULL, *copy = dup_str(text), *at = copy, *fence;
    size_t len = 0;
    FILE *f = open_text(&out, &len);
    bool is_code = false;

    fputs("<div class=\"zd-comment\" dir=\"auto\">", f);
    while (at) {
        fence = strstr(at, "```");
        if (fence)
            *fence = '\0';
        if (is_code)
            put_pre(f, at);
        else
            put_paragraphs(f, at);
        is_code = !is_code;
        at = fence ? fence + 3 : NULL;
    }
    fputs("</div>", f);
    fclose(f);
    free(copy);
    return out;
}

char *zd_text_to_plain(const char *text)
{
    char *opened = replace_all(text, "```\n", ""),
         *plain = replace_all(opened, "```", "");

    free(opened);
    return plain;
}

static void put_placeholder(FILE *f, const char *name, size_t len, const json_t *ticket)
{
    if (len == 9 && strncmp(name, "ticket.id", 9) == 0)
        fprintf(f, "%lld", (long long)jint(ticket, "id", 0));
    else if (len == 12 && strncmp(name, "ticket.title", 12) == 0)
        fputs(jstr_or(ticket, "subject", ""), f);
    else if (len == 13 && strncmp(name, "ticket.status", 13) == 0)
        fputs(jstr_or(ticket, "status", ""), f);
}

/* Unknown placeholders vanish; "\\{{" in plain text and <code> protect. */
char *zd_run_placeholders(const char *text, const json_t *ticket)
{
    char *out = NULL;
    size_t len = 0;
    FILE *f = open_text(&out, &len);

    while (*text) {
        const char *close;

        if (has_prefix(text, "<code") && (close = strstr(text, "</code>"))) {
            fwrite(text, 1, (size_t)(close - text), f);
            text = close;
        } else if (has_prefix(text, "\\\\{{")) {
            fputs("{{", f);
            text += 4;
        } else if (has_prefix(text, "{{") && (close = strstr(text, "}}"))) {
            put_placeholder(f, text + 2, (size_t)(close - text) - 2, ticket);
            text = close + 2;
        } else {
            fputc(*text++, f);
        }
    }
    fclose(f);
    return out;
}

void zd_cut(char *text)
{
    text[utf8_cut(text, strlen(text), COMMENT_MAX)] = '\0';
}
