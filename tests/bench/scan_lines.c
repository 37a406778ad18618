/*
 * scan_lines FILE      reads FILE as console text, as `casebook same` does, and prints one
 *                      JSON object: lines, bytes, cpu_s, peak_rss_kb, signature
 * scan_lines --words   prints the literal words that the reader looks for in one pass,
 *                      one a line, "^" and "$" for the edges of a line
 */
#include "base/arena.h"
#include "base/xalloc.h"
#include "diag/diag.h"
#include "diag/scan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/banned.h"

#define CHUNK 65536

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* One alternative of a row, so that grep -E takes it. */
static void print_word(const char *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (w[i] == '\n')
            putchar(i == 0 ? '^' : '$');
        else if (strchr("[]\\.^$*+?{}()|", w[i]))
            printf("\\%c", w[i]);
        else
            putchar(w[i]);
    }
    putchar('\n');
}

static int print_words(void)
{
    for (size_t i = 0; i < scan_row_total(); i++)
        for (const char *w = scan_row_at(i)->need; *w;) {
            size_t n = strcspn(w, "|");
            print_word(w, n);
            w += n + (w[n] != '\0');
        }
    return 0;
}

int main(int argc, char **argv)
{
    static char chunk[CHUNK];
    struct arena a = ARENA_INIT;
    struct finding finding;
    struct diag_text *text;
    struct rusage use;
    size_t n, bytes = 0, lines = 0;
    FILE *f;

    if (argc == 2 && strcmp(argv[1], "--words") == 0)
        return print_words();
    f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!f) {
        fprintf(stderr, "usage: scan_lines FILE | --words\n");
        return 2;
    }
    text = diag_text_begin(&a);
    while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0) {
        diag_text_feed(text, chunk, n);
        bytes += n;
        for (const char *p = chunk; (p = memchr(p, '\n', n - (size_t)(p - chunk))); p++)
            lines++;
    }
    fclose(f);
    diag_text_end(text, &finding);
    getrusage(RUSAGE_SELF, &use);
    printf("{\"lines\": %zu, \"bytes\": %zu, \"cpu_s\": %.3f, \"peak_rss_kb\": %ld, "
           "\"signature_bytes\": %zu, \"hash\": \"%s\"}\n",
           lines, bytes, seconds(use.ru_utime) + seconds(use.ru_stime), use.ru_maxrss,
           strlen(finding.signature), finding.signature_hash);
    arena_release(&a);
    return 0;
}
