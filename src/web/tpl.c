/*
 * The template set: one ClearSilver tree for each page and fragment, parsed before the responders are
 * forked. A tree holds macros.cs, then (pages) layout.cs with the page in it, or (fragments) the file
 * itself. What is fixed at parse time is the escaping mode, so every HDF here has it (style.md 6.2).
 *
 * Rendering sets the request's HDF into the tree and takes it out again; not for threads.
 */
#include "web/tpl.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "web/hput.h"
#include "web/tpl_func.h"

#include "base/banned.h"

#define MAX_FILES 256
#define MAX_TEMPLATE ((size_t)1 << 20)
#define MAX_STATIC ((size_t)4 << 20)

struct tpl { /* one page or fragment */
    char *name;
    CSPARSE *cs;
};

struct tpl_set {
    struct tpl *items;
    size_t count;
    char static_version[13];
};

struct names { /* of the files in a folder, sorted */
    char **items;
    size_t count;
};

int tpl_err(struct err *err, NEOERR *ne)
{
    STRING text;

    string_init(&text);
    nerr_error_string(ne, &text);
    err_set(err, ERR_INTERNAL, "%s", text.buf ? text.buf : "ClearSilver failed");
    string_clear(&text);
    nerr_ignore(&ne);
    return -1;
}

HDF *tpl_hdf(void)
{
    HDF *hdf = NULL;
    NEOERR *ne = hdf_init(&hdf);

    if (ne != STATUS_OK)
        BUG("hdf_init failed");
    hput_str(hdf, "Config.VarEscapeMode", "html");
    return hdf;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_release(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    *names = (struct names){.items = NULL};
}

static int names_read(struct names *names, const char *folder, const char *suffix,
                      struct err *err)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    size_t suffix_len = strlen(suffix);

    *names = (struct names){.items = xcalloc(MAX_FILES, sizeof(char *))};
    if (!dir)
        return err_set(err, ERR_INPUT, "%s: %s", folder, strerror(errno));
    while ((entry = readdir(dir)) && names->count < MAX_FILES) {
        size_t len = strlen(entry->d_name);

        if (entry->d_name[0] == '.' || len <= suffix_len ||
            strcmp(entry->d_name + len - suffix_len, suffix) != 0)
            continue;
        names->items[names->count++] = xstrdup(entry->d_name);
    }
    closedir(dir);
    qsort(names->items, names->count, sizeof(char *), by_name);
    return 0;
}

static int file_read(const char *folder, const char *name, size_t max, struct sbuf *out,
                     struct err *err)
{
    char path[512], chunk[4096];
    size_t n;
    FILE *f;
    bool is_bad;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    sbuf_init(out, max);
    f = fopen(path, "rb");
    if (!f)
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
        sbuf_add(out, chunk, n);
    is_bad = ferror(f);
    fclose(f);
    if (is_bad || out->is_full)
        return err_set(err, ERR_INPUT, "%s: cannot be read, or is too long", path);
    return 0;
}

static int lint_file(const char *folder, const char *name, struct err *err)
{
    struct sbuf text;
    int rc = file_read(folder, name, MAX_TEMPLATE, &text, err);

    if (rc == 0 && strlen(text.s) != text.len)
        rc = err_set(err, ERR_INPUT, "%s/%s: holds a NUL byte", folder, name);
    if (rc == 0)
        rc = tpl_lint(folder, name, text.s, err);
    sbuf_release(&text);
    return rc;
}

static bool is_included_only(const char *name)
{
    return strcmp(name, "layout.cs") == 0 || text_starts(name, "macros.") ||
           text_starts(name, "macros_");
}

static NEOERR *parse(CSPARSE *cs, const char *name)
{
    NEOERR *ne = tpl_func_register(cs);

    if (ne == STATUS_OK)
        ne = cs_parse_file(cs, "macros.cs");
    if (ne == STATUS_OK)
        ne = cs_parse_file(cs, name[0] == '_' ? name : "layout.cs");
    return ne == STATUS_OK ? ne : nerr_pass(ne);
}

static int tpl_parse(struct tpl *t, const char *folder, const char *name, struct err *err)
{
    HDF *hdf = tpl_hdf();
    NEOERR *ne;
    int rc = 0;

    hput_str(hdf, "hdf.loadpaths.0", folder);
    hput_str(hdf, "Page.Template", name);
    t->name = xstrdup(name);
    ne = cs_init(&t->cs, hdf);
    if (ne == STATUS_OK)
        ne = parse(t->cs, name);
    if (t->cs)
        t->cs->hdf = NULL;
    if (ne != STATUS_OK) {
        tpl_err(err, ne);
        err->kind = ERR_INPUT;
        rc = err_ctx(err, "template %s", name);
    }
    hdf_destroy(&hdf);
    return rc;
}

static int read_static(struct tpl_set *set, const char *folder, struct err *err)
{
    uint8_t digest[DIGEST_SIZE];
    char hex[DIGEST_HEX_SIZE], path[512];
    struct names names;
    struct sbuf all;
    int rc = 0;

    snprintf(path, sizeof(path), "%s/static", folder);
    sbuf_init(&all, MAX_FILES * (DIGEST_SIZE + 256));
    /* A folder without static files is fine: tests have none. */
    if (names_read(&names, path, "", err) == 0)
        for (size_t i = 0; i < names.count && rc == 0; i++) {
            struct sbuf one;

            rc = file_read(path, names.items[i], MAX_STATIC, &one, err);
            digest_sha256(one.s, one.len, digest);
            sbuf_adds(&all, names.items[i]);
            sbuf_add(&all, digest, sizeof(digest));
            sbuf_release(&one);
        }
    digest_sha256(all.s, all.len, digest);
    snprintf(set->static_version, sizeof(set->static_version), "%.12s",
             digest_hex(digest, hex));
    sbuf_release(&all);
    names_release(&names);
    return rc;
}

static const struct tpl *find(const struct tpl_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->items[i].name, name) == 0)
            return &set->items[i];
    return NULL;
}

static int load(struct tpl_set *set, const char *folder, struct err *err)
{
    struct names names;
    int rc = names_read(&names, folder, ".cs", err);

    set->items = xcalloc(names.count + 1, sizeof(*set->items));
    for (size_t i = 0; i < names.count && rc == 0; i++)
        rc = lint_file(folder, names.items[i], err);
    for (size_t i = 0; i < names.count && rc == 0; i++)
        if (!is_included_only(names.items[i]))
            rc = tpl_parse(&set->items[set->count++], folder, names.items[i], err);
    if (rc == 0 && !find(set, "error.cs"))
        rc = err_set(err, ERR_INPUT, "%s/error.cs: there is no such file", folder);
    names_release(&names);
    return rc ? rc : read_static(set, folder, err);
}

struct tpl_set *tpl_load(const char *folder, struct err *err)
{
    struct tpl_set *set = xcalloc(1, sizeof(*set));
    NEOERR *ne = nerr_init();

    nerr_ignore(&ne);
    if (load(set, folder, err)) {
        tpl_free(set);
        return NULL;
    }
    return set;
}

void tpl_free(struct tpl_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->count; i++) {
        cs_destroy(&set->items[i].cs);
        free(set->items[i].name);
    }
    free(set->items);
    free(set);
}

const char *tpl_static_version(const struct tpl_set *set)
{
    return set->static_version;
}

const char *tpl_name(const struct tpl_set *set, size_t i)
{
    return i < set->count ? set->items[i].name : NULL;
}

struct output {
    struct sbuf *out;
    bool has_begun;
};

static NEOERR *append(void *ctx, char *s)
{
    struct output *o = ctx;

    if (!o->has_begun)
        s += strspn(s, " \t\r\n");
    o->has_begun = o->has_begun || *s;
    if (sbuf_adds(o->out, s))
        return nerr_raise(NERR_OUTOFRANGE, "the page is longer than %zu bytes",
                          o->out->max);
    return STATUS_OK;
}

int tpl_render(const struct tpl_set *set, const char *name, HDF *hdf, struct sbuf *out,
               struct err *err)
{
    const struct tpl *t = find(set, name);
    struct output o = {.out = out};
    NEOERR *ne;

    if (!t)
        return err_set(err, ERR_INTERNAL, "there is no template %s", name);
    t->cs->hdf = hdf;
    ne = cs_render(t->cs, &o, append);
    t->cs->hdf = NULL;
    if (ne == STATUS_OK)
        return 0;
    tpl_err(err, ne);
    return err_ctx(err, "template %s", name);
}
