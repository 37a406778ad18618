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

static int fail(const char *path, const char *why)
{
    fprintf(stderr, "casebook: %s: %s\n", path, why);
    return 2;
}

static int read_file(const char *path, struct sbuf *out, struct err *err)
{
    char buf[65536];
    size_t n;
    int rc = 0;
    FILE *f = fopen(path, "rb");

    if (!f)
        return err_set(err, ERR_INPUT, "cannot be opened: %s", strerror(errno));
    while (rc == 0 && (n = fread(buf, 1, sizeof(buf), f)) > 0)
        rc = sbuf_add(out, buf, n);
    if (rc < 0)
        err_set(err, ERR_INPUT, "is too large");
    else if (ferror(f))
        rc = err_set(err, ERR_INPUT, "cannot be read: %s", strerror(errno));
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

static int load_side(const char *path, struct arena *a, struct finding *out)
{
    struct sbuf bytes;
    struct err err = ERR_INIT;
    int rc = 0;

    sbuf_init(&bytes, FILE_MAX);
    if (read_file(path, &bytes, &err) < 0)
        rc = fail(path, err.msg);
    else if (!diagnose_bytes(&bytes, a, out, &err))
        diag_run_text(bytes.s, bytes.len, a, out);
    sbuf_release(&bytes);
    return rc;
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
