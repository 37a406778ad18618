/*
 * Replays saved evidence: reads a case file, or console text, and prints what the
 * diagnosis says.
 */
#include "tool/diagnose.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/sbuf.h"
#include "diag/diag.h"
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define FILE_MAX ((size_t)512 * 1024 * 1024)
#define READ_SIZE 65536

static int fail(const char *path, const char *why)
{
    fprintf(stderr, "casebook: %s: %s\n", path, why);
    return 2;
}

static int read_all(FILE *f, struct sbuf *out, struct err *err)
{
    char buf[READ_SIZE];
    size_t n;

    while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
        if (sbuf_add(out, buf, n) < 0)
            return err_set(err, ERR_INPUT, "is too large");
    return ferror(f) ? err_set(err, ERR_INPUT, "cannot be read: %s", strerror(errno)) : 0;
}

static int read_file(const char *path, struct sbuf *out, struct err *err)
{
    FILE *f = fopen(path, "rb");
    int rc;

    if (!f)
        return err_set(err, ERR_INPUT, "cannot be opened: %s", strerror(errno));
    rc = read_all(f, out, err);
    fclose(f);
    return rc;
}

/* 1: a case was diagnosed; 0: it is no case (err says why). */
static int diagnose_bytes(const struct sbuf *bytes, struct arena *a, struct finding *out,
                          struct err *err)
{
    struct evidence *ev = arena_alloc(a, sizeof(*ev));
    json_t *doc = jget_load(bytes->s, bytes->len, err);
    int is_case = doc && evidence_from_json(a, doc, ev, err) == 0;

    if (is_case)
        diag_run(ev, a, out);
    json_decref(doc);
    return is_case;
}

static void print_json(json_t *doc)
{
    char *text = json_dumps(doc, JSON_INDENT(2) | JSON_PRESERVE_ORDER);

    if (text)
        puts(text);
    free(text);
    json_decref(doc);
}

int cmd_diagnose(int argc, char **argv)
{
    struct arena a = ARENA_INIT;
    struct sbuf bytes;
    struct finding finding;
    struct err err = ERR_INIT;
    int rc = 0;

    if (argc != 1)
        return fail("diagnose", "one file is expected: casebook diagnose FILE");
    sbuf_init(&bytes, FILE_MAX);
    if (read_file(argv[0], &bytes, &err) < 0 ||
        !diagnose_bytes(&bytes, &a, &finding, &err))
        rc = fail(argv[0], err.msg);
    else
        print_json(finding_to_json(&finding));
    sbuf_release(&bytes);
    arena_release(&a);
    return rc;
}

/* A case is a JSON object; anything else is console text, which is read as a stream. */
static bool may_be_case(FILE *f)
{
    int c;

    do
        c = getc(f);
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0xef || c == 0xbb ||
           c == 0xbf);
    rewind(f);
    return c == '{';
}

static int read_text(FILE *f, struct arena *a, struct finding *out, struct err *err)
{
    char buf[READ_SIZE];
    struct diag_text *text = diag_text_begin(a);
    size_t n;

    while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
        diag_text_feed(text, buf, n);
    diag_text_end(text, out);
    return ferror(f) ? err_set(err, ERR_INPUT, "cannot be read: %s", strerror(errno)) : 0;
}

/* Text that only looks like a case at its start is text, too. */
static int read_case_or_text(FILE *f, struct arena *a, struct finding *out,
                             struct err *err)
{
    struct sbuf bytes;
    struct err why = ERR_INIT;
    int rc;

    sbuf_init(&bytes, FILE_MAX);
    rc = read_all(f, &bytes, err);
    if (rc == 0 && !diagnose_bytes(&bytes, a, out, &why))
        diag_run_text(bytes.s, bytes.len, a, out);
    sbuf_release(&bytes);
    return rc;
}

static int load_side(const char *path, struct arena *a, struct finding *out)
{
    struct err err = ERR_INIT;
    FILE *f = fopen(path, "rb");
    int rc;

    if (!f)
        return fail(path, strerror(errno));
    rc = may_be_case(f) ? read_case_or_text(f, a, out, &err) : read_text(f, a, out, &err);
    fclose(f);
    return rc < 0 ? fail(path, err.msg) : 0;
}

int cmd_same(int argc, char **argv)
{
    struct arena a = ARENA_INIT;
    struct finding left, right;
    bool same;
    double score;
    int rc;

    if (argc != 2)
        return fail("same", "two files are expected: casebook same A B");
    rc = load_side(argv[0], &a, &left);
    if (rc == 0)
        rc = load_side(argv[1], &a, &right);
    if (rc == 0) {
        score = diag_same(&left, &right, &same);
        print_json(json_pack("{s:b, s:f}", "same", (int)same, "score", score));
    }
    arena_release(&a);
    return rc;
}
