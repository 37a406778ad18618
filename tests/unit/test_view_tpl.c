/*
 * The templates of the product with all of their data in tests/tpl: NAME.hdf and NAME-*.hdf. Together these show
 * every branch (the templates are read with a mark behind each tag, and each mark has to come out once); with
 * each of them no value comes out raw, and no address is followed unchecked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "web/hput.h"
#include "web/tpl.h"

#include "base/banned.h"

#define MAX_FILES 200
#define MAX_LEAVES 4000
#define MAX_MARKS 4000

static char folder[300];   /* cs-templates */
static char fixtures[300]; /* tests/tpl */
static struct tpl_set *product;

static int load(void **state)
{
    const char *src = getenv("srcdir");
    struct err err = ERR_INIT;

    (void)state;
    snprintf(folder, sizeof(folder), "%s/cs-templates", src ? src : ".");
    snprintf(fixtures, sizeof(fixtures), "%s/tests/tpl", src ? src : ".");
    product = tpl_load(folder, &err);
    if (!product)
        print_error("%s\n", err.msg);
    return product ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    tpl_free(product);
    return 0;
}

/* "sandbox-quiet.hdf" belongs to "sandbox.cs". */
static bool is_of(const char *file, const char *name)
{
    size_t n = strcspn(name, ".");

    return strncmp(file, name, n) == 0 && (file[n] == '-' || file[n] == '.') &&
           strlen(file) > 4 && strcmp(file + strlen(file) - 4, ".hdf") == 0;
}

static HDF *fixture(const char *file)
{
    char path[600];
    HDF *hdf = tpl_hdf();
    struct err err = ERR_INIT;
    NEOERR *ne;

    snprintf(path, sizeof(path), "%s/%s", fixtures, file);
    ne = hdf_read_file(hdf, path);
    if (ne != STATUS_OK) {
        tpl_err(&err, ne);
        fail_msg("%s: %s", path, err.msg);
    }
    return hdf;
}

typedef void each_fn(const char *name, const char *file, void *ctx);

/* All fixtures of all templates; one without any is a failure. */
static void each_fixture(each_fn *fn, void *ctx)
{
    const char *name;

    for (size_t t = 0; (name = tpl_name(product, t)); t++) {
        DIR *dir = opendir(fixtures);
        const struct dirent *entry;
        int n = 0;

        assert_non_null(dir);
        while ((entry = readdir(dir)))
            if (is_of(entry->d_name, name)) {
                fn(name, entry->d_name, ctx);
                n++;
            }
        closedir(dir);
        if (n == 0)
            fail_msg("%s has no data in %s", name, fixtures);
    }
}

static void render(const struct tpl_set *set, const char *name, HDF *hdf,
                   struct sbuf *out)
{
    struct err err = ERR_INIT;

    sbuf_reset(out);
    if (tpl_render(set, name, hdf, out, &err))
        fail_msg("%s: %s", name, err.msg);
}

static size_t leaves(HDF *at, HDF **out, size_t n)
{
    for (HDF *c = hdf_obj_child(at); c; c = hdf_obj_next(c)) {
        if (strcmp(hdf_obj_name(c), "Config") == 0)
            continue;
        if (hdf_obj_child(c)) {
            n = leaves(c, out, n);
        } else {
            assert_true(n < MAX_LEAVES);
            out[n++] = c;
        }
    }
    return n;
}

/* ---- nothing raw, nothing followed unchecked ---- */

static const char poison[] = "\"><script>x'";

/* Is the value that begins at hit one that a browser would follow? */
static bool is_followed(const char *page, const char *hit)
{
    static const char *const names[] = {" href=\"",       " src=\"",    " action=\"",
                                        " formaction=\"", " poster=\"", " srcset=\""};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t n = strlen(names[i]);

        if ((size_t)(hit - page) >= n && memcmp(hit - n, names[i], n) == 0)
            return true;
    }
    return false;
}

static void check_addresses(const char *file, const char *leaf, const struct sbuf *out)
{
    for (const char *hit = strstr(out->s, "javascript:"); hit;
         hit = strstr(hit + 1, "javascript:"))
        if (is_followed(out->s, hit))
            fail_msg("%s: %s is followed unchecked: %.60s", file, leaf, hit - 8);
}

static void check_one(const char *name, const char *file, void *ctx)
{
    static HDF *all[MAX_LEAVES];
    struct sbuf *out = ctx;
    HDF *hdf = fixture(file);
    size_t n = leaves(hdf, all, 0);

    for (size_t i = 0; i < n; i++) {
        char *before = strdup(hdf_obj_value(all[i]) ? hdf_obj_value(all[i]) : "");

        hput_str(all[i], NULL, poison);
        render(product, name, hdf, out);
        if (strstr(out->s, "<script>x"))
            fail_msg("%s: %s is not escaped", file, hdf_obj_name(all[i]));
        if (strcmp(hdf_obj_name(all[i]), "Base") != 0) {
            hput_str(all[i], NULL, "javascript:alert(1)");
            render(product, name, hdf, out);
            check_addresses(file, hdf_obj_name(all[i]), out);
        }
        hput_str(all[i], NULL, before);
        free(before);
    }
    hdf_destroy(&hdf);
}

static void test_poison_in_every_fixture(void **state)
{
    struct sbuf out;

    (void)state;
    sbuf_init(&out, TPL_MAX_PAGE);
    each_fixture(check_one, &out);
    sbuf_release(&out);
}

/* ---- every id stands once, every place that is pointed at is there ---- */

static void check_ids(const char *name, const char *file, void *ctx)
{
    struct sbuf *out = ctx;
    HDF *hdf = fixture(file);

    render(product, name, hdf, out);
    for (const char *p = strstr(out->s, " id=\""); p; p = strstr(p + 1, " id=\"")) {
        size_t n = strcspn(p + 5, "\"") + 6;
        char again[200];

        if (n == 6 || n >= sizeof(again))
            fail_msg("%s: an empty or long id: %.60s", file, p);
        memcpy(again, p, n);
        again[n] = '\0';
        if (strstr(p + 1, again))
            fail_msg("%s: twice%s", file, again);
    }
    hdf_destroy(&hdf);
}

static void test_ids_are_unique(void **state)
{
    struct sbuf out;

    (void)state;
    sbuf_init(&out, TPL_MAX_PAGE);
    each_fixture(check_ids, &out);
    sbuf_release(&out);
}

static void check_labels(const char *name, const char *file, void *ctx)
{
    static const char *const refs[] = {" for=\"", " aria-labelledby=\"",
                                       " aria-describedby=\""};
    struct sbuf *out = ctx;
    HDF *hdf = fixture(file);

    render(product, name, hdf, out);
    for (size_t i = 0; i < sizeof(refs) / sizeof(refs[0]); i++)
        for (const char *p = strstr(out->s, refs[i]); p; p = strstr(p + 1, refs[i])) {
            const char *id = p + strlen(refs[i]);
            size_t end = strcspn(id, "\"");

            for (size_t at = 0; at < end; at += strspn(id + at, " ")) {
                size_t n = strcspn(id + at, " \"");
                char want[200];

                snprintf(want, sizeof(want), " id=\"%.*s\"", (int)n, id + at);
                if (!strstr(out->s, want))
                    fail_msg("%s:%s\"%.*s\" points nowhere", file, refs[i], (int)n,
                             id + at);
                at += n;
            }
        }
    hdf_destroy(&hdf);
}

static void test_labels_point_somewhere(void **state)
{
    struct sbuf out;

    (void)state;
    sbuf_init(&out, TPL_MAX_PAGE);
    each_fixture(check_labels, &out);
    sbuf_release(&out);
}

/* ---- every branch is shown ---- */

struct marked {
    char folder[64];
    struct tpl_set *set;
    struct sbuf out;
    int count;
    bool seen[MAX_MARKS], is_value[MAX_MARKS];
    char where[MAX_MARKS][80]; /* "sandbox.cs, byte 1204: if:Run.IsOpen" */
};

static bool opens_branch(const char *tag)
{
    static const char *const heads[] = {"if:", "elif:", "else ", "each:", "var:"};

    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        if (strncmp(tag, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/*
 * The template with "@7@" behind its 7th tag that opens a branch; around a value, "@7@" stands on both sides, so
 * that it can be seen whether there was one.
 */
static void mark(struct marked *m, const char *name, const char *text, FILE *to)
{
    const char *tag, *begin = text;

    while ((tag = strstr(text, "<?cs "))) {
        const char *end = strstr(tag, "?>");
        bool is_value = strncmp(tag + 5, "var:", 4) == 0;

        assert_non_null(end);
        end += 2;
        fwrite(text, 1, (size_t)(tag - text), to);
        if (is_value)
            fprintf(to, "@%d@", m->count);
        fwrite(tag, 1, (size_t)(end - tag), to);
        if (opens_branch(tag + 5)) {
            assert_true(m->count < MAX_MARKS);
            snprintf(m->where[m->count], sizeof(m->where[0]), "%.30s, byte %d: %.*s",
                     name, (int)(tag - begin), (int)(end - tag - 5 - 2), tag + 5);
            m->is_value[m->count] = is_value;
            fprintf(to, "@%d@", m->count++);
        }
        text = end;
    }
    fputs(text, to);
}

static char *read_file(const char *path)
{
    static char buf[200000];
    FILE *f = fopen(path, "r");
    size_t n;

    assert_non_null(f);
    n = fread(buf, 1, sizeof(buf) - 1, f);
    assert_true(n < sizeof(buf) - 1);
    fclose(f);
    buf[n] = '\0';
    return buf;
}

static void mark_all(struct marked *m)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    char from[600], to[400];
    struct err err = ERR_INIT;

    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');
        FILE *f;

        if (!dot || strcmp(dot, ".cs") != 0)
            continue;
        snprintf(from, sizeof(from), "%s/%s", folder, entry->d_name);
        snprintf(to, sizeof(to), "%s/%s", m->folder, entry->d_name);
        f = fopen(to, "w");
        assert_non_null(f);
        mark(m, entry->d_name, read_file(from), f);
        assert_int_equal(fclose(f), 0);
    }
    closedir(dir);
    m->set = tpl_load(m->folder, &err);
    if (!m->set)
        fail_msg("%s", err.msg);
}

static void clear(struct marked *m)
{
    DIR *dir = opendir(m->folder);
    const struct dirent *entry;
    char path[400];

    assert_non_null(dir);
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof(path), "%s/%s", m->folder, entry->d_name);
            unlink(path);
        }
    closedir(dir);
    rmdir(m->folder);
    tpl_free(m->set);
    sbuf_release(&m->out);
}

/* A branch is seen by its mark, a value by what stands between its two. */
static void note_mark(struct marked *m, const char *at, int i)
{
    char twice[32];

    snprintf(twice, sizeof(twice), "@%d@@%d@", i, i);
    if (!m->is_value[i] || strncmp(at, twice, strlen(twice)) != 0)
        m->seen[i] = true;
}

static void note_marks(const char *name, const char *file, void *ctx)
{
    struct marked *m = ctx;
    HDF *hdf = fixture(file);
    const char *p;

    render(m->set, name, hdf, &m->out);
    p = strchr(m->out.s, '@');
    while (p) {
        char *end;
        long i = strtol(p + 1, &end, 10);

        if (end == p + 1 || *end != '@' || i < 0 || i >= m->count) {
            p = strchr(p + 1, '@');
            continue;
        }
        note_mark(m, p, (int)i);
        if (m->is_value[i]) { /* over its value, to its second mark */
            char second[32];

            snprintf(second, sizeof(second), "@%ld@", i);
            end = strstr(end + 1, second);
            assert_non_null(end);
            end += strlen(second) - 1;
        }
        p = strchr(end + 1, '@');
    }
    hdf_destroy(&hdf);
}

static void test_every_branch_is_shown(void **state)
{
    static struct marked m;
    const char *tmp = getenv("TMPDIR");
    int missing = 0;

    (void)state;
    snprintf(m.folder, sizeof(m.folder), "%s/cb-tpl-XXXXXX",
             tmp && strlen(tmp) < 40 ? tmp : "/tmp");
    assert_non_null(mkdtemp(m.folder));
    sbuf_init(&m.out, TPL_MAX_PAGE);
    mark_all(&m);
    each_fixture(note_marks, &m);
    for (int i = 0; i < m.count; i++)
        if (!m.seen[i]) {
            print_error("no fixture shows %s\n", m.where[i]);
            missing++;
        }
    clear(&m);
    assert_true(m.count > 300);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poison_in_every_fixture),
        cmocka_unit_test(test_ids_are_unique),
        cmocka_unit_test(test_labels_point_somewhere),
        cmocka_unit_test(test_every_branch_is_shown),
    };

    return cmocka_run_group_tests_name("templates with all their data", tests, load,
                                       unload);
}
