/*
 * Templates: what is refused at the start and where, that values are escaped, and the poison test over every
 * template of cs-templates with its data in tests/tpl/NAME.hdf.
 */
#include "web_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "web/hput.h"

#include "base/banned.h"

/* ClearSilver loses a few bytes for a template that it refuses: the start ends there anyway. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:cs_parse_string\n";
}

static struct world world;

static int setup(void **state)
{
    (void)state;
    world_init(&world);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    world_release(&world);
    return 0;
}

/* Renders a template of this text with X = value. */
static void render(const char *text, const char *value, struct sbuf *out)
{
    struct err err = ERR_INIT;
    HDF *hdf = tpl_hdf();

    world_template(&world, "x.cs", text);
    if (!world_load(&world, &err))
        fail_msg("%s", err.msg);
    hput_str(hdf, "X", value);
    hput_str(hdf, "Rows.0.Name", value);
    sbuf_init(out, TPL_MAX_PAGE);
    if (tpl_render(world.app.templates, "x.cs", hdf, out, &err))
        fail_msg("%s", err.msg);
    hdf_destroy(&hdf);
}

static void renders(const char *text, const char *value, const char *want)
{
    struct sbuf out;

    render(text, value, &out);
    assert_string_equal(out.s, want);
    sbuf_release(&out);
}

static void test_values_are_escaped(void **state)
{
    (void)state;
    renders("<?cs var:X ?>", "<a href=\"'&",
            "<html>&lt;a href=&quot;&#39;&amp;</html>\n");
    renders("<?cs each:r = Rows ?><?cs if:r.Name ?><?cs var:r.Name ?><?cs /if ?><?cs "
            "/each ?>",
            "<b>", "<html>&lt;b&gt;</html>\n");
    renders("<?cs set:y = X ?><?cs var:y ?>", "<b>", "<html>&lt;b&gt;</html>\n");
    renders("<?cs var:\"<i>\" + X ?>", "<b>", "<html>&lt;i&gt;&lt;b&gt;</html>\n");
}

static void test_macros_are_everywhere_and_escape(void **state)
{
    (void)state;
    world_template(&world, "macros.cs", "\n<?cs include!\"macros_more.cs\" ?>\n");
    world_template(&world, "macros_more.cs",
                   "<?cs def:tag(t) ?><b><?cs var:t ?></b><?cs /def ?>\n");
    renders("<?cs call:tag(X) ?>", "<", "<html><b>&lt;</b></html>\n");
}

static void test_fragments_have_no_frame(void **state)
{
    struct err err = ERR_INIT;
    struct sbuf out;
    HDF *hdf = tpl_hdf();

    (void)state;
    world_template(&world, "_part.cs", "\n  part <?cs var:X ?>");
    world_template(&world, "page.cs", "<?cs include!\"_part.cs\" ?>");
    assert_non_null(world_load(&world, &err));
    hput_str(hdf, "X", "1");
    sbuf_init(&out, 1000);
    assert_int_equal(tpl_render(world.app.templates, "_part.cs", hdf, &out, &err), 0);
    assert_string_equal(out.s, "part 1");
    sbuf_reset(&out);
    assert_int_equal(tpl_render(world.app.templates, "page.cs", hdf, &out, &err), 0);
    assert_string_equal(out.s, "<html>\n  part 1</html>\n");
    sbuf_release(&out);
    hdf_destroy(&hdf);
}

static void test_functions(void **state)
{
    (void)state;
    renders("<?cs var:url_escape(X) ?>", "a b/\xc3\xa9&<",
            "<html>a%20b%2F%C3%A9%26%3C</html>\n");
    /* Joined with raw text: ClearSilver's own escape functions would let it through. */
    renders("<?cs var:url_escape(X) + X ?>", "<", "<html>%3C&lt;</html>\n");
    renders("<?cs var:url_validate(X) ?>", "javascript:alert(1)", "<html>#</html>\n");
    renders("<?cs var:url_validate(X) ?>", "\tjavascript:alert(1)", "<html>#</html>\n");
    renders("<?cs var:url_validate(X) ?>", "//evil.example/", "<html>#</html>\n");
    renders("<?cs var:url_validate(X) ?>", "data:text/html,x", "<html>#</html>\n");
    renders("<?cs var:url_validate(X) ?>", "HTTPS://a.example/?a=1&b=2",
            "<html>HTTPS://a.example/?a=1&amp;b=2</html>\n");
    renders("<?cs var:url_validate(X) ?>", "/tickets/1?q=2",
            "<html>/tickets/1?q=2</html>\n");
    renders("<?cs var:url_validate(X) ?>", "https://a/\"><script>",
            "<html>https://a/&quot;&gt;&lt;script&gt;</html>\n");
}

static void test_bad_templates_are_named(void **state)
{
    static const struct {
        const char *text, *want; /* a part of the message */
    } bad[] = {
        {"\n\n<?cs alt:X ?>",                      "/x.cs:3: <?cs"              },
        {"<?cs uvar:X ?>",                         "/x.cs:1: <?cs"              },
        {"\n<?cs evar:X ?>",                       "/x.cs:2: <?cs"              },
        {"<?cs name:X ?>",                         "/x.cs:1: <?cs"              },
        {"<?cs escape:\"none\" ?><?cs /escape ?>", "/x.cs:1: <?cs"              },
        {"<?cs linclude:X ?>",                     "/x.cs:1: <?cs"              },
        {"<?cs include:\"error.cs\" ?>",           "/x.cs:1: <?cs"              },
        {"\n<?cs include!\"no.cs\" ?>",            "/x.cs:2: there is no file"  },
        {"<?cs include!\"../x.cs\" ?>",            "/x.cs:1: include! of a file"},
        {"<?cs include!Page.Template ?>",          "/x.cs:1: include! takes"    },
        {"\n<?cs var:X",                           "/x.cs:2: <?cs without"      },
        {"<?cs if:X ?>\n",                         "x.cs"                       },
        {"\n\n\n<?cs var:nosuch(X) ?>\n",          "/x.cs:4"                    },
        {"<?cs call:nosuch(X) ?>",                 "x.cs"                       },
        {"<?cs var:text_html(X) ?>",               "x.cs"                       },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct err err = ERR_INIT;

        world_template(&world, "x.cs", bad[i].text);
        if (world_load(&world, &err))
            fail_msg("accepted: %s", bad[i].text);
        assert_int_equal(err.kind, ERR_INPUT);
        if (!strstr(err.msg, bad[i].want))
            fail_msg("%s: said \"%s\"", bad[i].text, err.msg);
    }
}

static void test_missing_parts(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_null(tpl_load("/nonexistent-folder", &err));
    assert_non_null(strstr(err.msg, "/nonexistent-folder"));
    world_template(&world, "x.cs", "x");
    assert_non_null(world_load(&world, &err));
    assert_int_equal(strlen(tpl_static_version(world.app.templates)), 12);
}

static void test_too_long_a_page_fails(void **state)
{
    struct err err = ERR_INIT;
    struct sbuf out;
    HDF *hdf = tpl_hdf();

    (void)state;
    world_template(&world, "x.cs", "<?cs loop:i = #1, #100 ?>0123456789<?cs /loop ?>");
    assert_non_null(world_load(&world, &err));
    sbuf_init(&out, 500);
    assert_int_equal(tpl_render(world.app.templates, "x.cs", hdf, &out, &err), -1);
    assert_int_equal(err.kind, ERR_INTERNAL);
    assert_int_equal(tpl_render(world.app.templates, "nosuch.cs", hdf, &out, &err), -1);
    sbuf_release(&out);
    hdf_destroy(&hdf);
}

static void test_hput(void **state)
{
    HDF *hdf = tpl_hdf();

    (void)state;
    hput_i64(hdf, "Big", 42949672970);
    assert_string_equal(hdf_get_value(hdf, "Big", ""), "42949672970");
    hput_bool(hdf, "Yes", true);
    hput_bool(hdf, "No", false);
    assert_string_equal(hdf_get_value(hdf, "Yes", ""), "1");
    assert_null(hdf_get_obj(hdf, "No"));
    hput_time(hdf, "T", WORLD_NOW, "14:00");
    assert_string_equal(hdf_get_value(hdf, "T.Iso", ""), "2026-11-24T14:00:00.000Z");
    assert_string_equal(hdf_get_value(hdf, "T.Text", ""), "14:00");
    hput_time(hdf, "None", INT64_MIN, "x");
    assert_null(hdf_get_obj(hdf, "None"));
    hput_fmt(hput_row(hdf, "Rows", 12), "Name", "%d of %s", 3, "x");
    assert_string_equal(hdf_get_value(hdf, "Rows.12.Name", ""), "3 of x");
    hput_str(hdf, "Null", NULL);
    assert_string_equal(hdf_get_value(hdf, "Null", "?"), "");
    hdf_destroy(&hdf);
}

/* ---- the templates of the product ---- */

static struct tpl_set *product;

static int load_product(void **state)
{
    const char *src = getenv("srcdir");
    char folder[512];
    struct err err = ERR_INIT;

    (void)state;
    snprintf(folder, sizeof(folder), "%s/cs-templates", src ? src : ".");
    product = tpl_load(folder, &err);
    if (!product)
        print_error("%s\n", err.msg);
    return product ? 0 : -1;
}

static int free_product(void **state)
{
    (void)state;
    tpl_free(product);
    return 0;
}

/* The fixture of a template; its absence is a failure. */
static HDF *fixture(const char *name)
{
    const char *src = getenv("srcdir");
    char path[512];
    HDF *hdf = tpl_hdf();
    struct err err = ERR_INIT;
    NEOERR *ne;

    snprintf(path, sizeof(path), "%s/tests/tpl/%.*s.hdf", src ? src : ".",
             (int)strcspn(name, "."), name);
    ne = hdf_read_file(hdf, path);
    if (ne != STATUS_OK) {
        tpl_err(&err, ne);
        fail_msg("%s needs data: %s: %s", name, path, err.msg);
    }
    return hdf;
}

static void product_render(const char *name, HDF *hdf, struct sbuf *out)
{
    struct err err = ERR_INIT;

    sbuf_reset(out);
    if (tpl_render(product, name, hdf, out, &err))
        fail_msg("%s: %s", name, err.msg);
}

/* Leaves of the tree but for Config, in an array with room for max. */
static size_t leaves(HDF *at, HDF **out, size_t n, size_t max)
{
    for (HDF *c = hdf_obj_child(at); c; c = hdf_obj_next(c)) {
        if (strcmp(hdf_obj_name(c), "Config") == 0)
            continue;
        if (hdf_obj_child(c)) {
            n = leaves(c, out, n, max);
        } else {
            assert_true(n < max);
            out[n++] = c;
        }
    }
    return n;
}

#define MAX_LEAVES 4000
static const char poison[] = "\"><script>x'";

static void check_poison(const char *name, const char *leaf, const struct sbuf *out)
{
    if (strstr(out->s, "<script>x") || strstr(out->s, poison))
        fail_msg("%s: %s is not escaped", name, leaf);
}

/* All values poisoned at once, then each alone, since others decide what is shown. */
static void test_poison(void **state)
{
    static HDF *all[MAX_LEAVES];
    const char *name;
    struct sbuf out;

    (void)state;
    sbuf_init(&out, TPL_MAX_PAGE);
    for (size_t t = 0; (name = tpl_name(product, t)); t++) {
        HDF *hdf = fixture(name);
        size_t n = leaves(hdf, all, 0, MAX_LEAVES);

        for (size_t i = 0; i < n; i++) {
            char *before = strdup(hdf_obj_value(all[i]) ? hdf_obj_value(all[i]) : "");

            hput_str(all[i], NULL, poison);
            product_render(name, hdf, &out);
            check_poison(name, hdf_obj_name(all[i]), &out);
            hput_str(all[i], NULL, before);
            free(before);
        }
        for (size_t i = 0; i < n; i++)
            hput_str(all[i], NULL, poison);
        product_render(name, hdf, &out);
        check_poison(name, "a value", &out);
        hdf_destroy(&hdf);
    }
    sbuf_release(&out);
}

static void test_no_script_address(void **state)
{
    static const char *const bad[] = {"=\"javascript:", "='javascript:", "=javascript:"};
    static HDF *all[MAX_LEAVES];
    const char *name;
    struct sbuf out;

    (void)state;
    sbuf_init(&out, TPL_MAX_PAGE);
    for (size_t t = 0; (name = tpl_name(product, t)); t++) {
        HDF *hdf = fixture(name);
        size_t n = leaves(hdf, all, 0, MAX_LEAVES);

        for (size_t i = 0; i < n; i++)
            if (strcmp(hdf_obj_name(all[i]), "Base") != 0)
                hput_str(all[i], NULL, "javascript:alert(1)");
        product_render(name, hdf, &out);
        for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
            const char *hit = strstr(out.s, bad[i]);

            /* Fields show what was typed; only what is followed matters. */
            while (hit) {
                bool is_link = (hit - out.s >= 4 && memcmp(hit - 4, "href", 4) == 0) ||
                               (hit - out.s >= 3 && memcmp(hit - 3, "src", 3) == 0) ||
                               (hit - out.s >= 6 && memcmp(hit - 6, "action", 6) == 0);

                if (is_link)
                    fail_msg("%s: an address is not validated: %.60s", name, hit - 6);
                hit = strstr(hit + 1, bad[i]);
            }
        }
        hdf_destroy(&hdf);
    }
    sbuf_release(&out);
}

/* What our Content-Security-Policy forbids would silently not work. */
static void test_nothing_inline(void **state)
{
    static const char *const bad[] = {" style=",  "<style",     "<script>",  " onclick=",
                                      " onload=", " onchange=", " onsubmit="};
    const char *name;
    struct sbuf out;

    (void)state;
    sbuf_init(&out, TPL_MAX_PAGE);
    for (size_t t = 0; (name = tpl_name(product, t)); t++) {
        HDF *hdf = fixture(name);

        product_render(name, hdf, &out);
        for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
            if (strstr(out.s, bad[i]))
                fail_msg("%s: holds \"%s\"", name, bad[i]);
        hdf_destroy(&hdf);
    }
    sbuf_release(&out);
}

int main(void)
{
    const struct CMUnitTest own[] = {
        cmocka_unit_test_setup_teardown(test_values_are_escaped, setup, teardown),
        cmocka_unit_test_setup_teardown(test_macros_are_everywhere_and_escape, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_fragments_have_no_frame, setup, teardown),
        cmocka_unit_test_setup_teardown(test_functions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_templates_are_named, setup, teardown),
        cmocka_unit_test_setup_teardown(test_missing_parts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_long_a_page_fails, setup, teardown),
        cmocka_unit_test(test_hput),
    };
    const struct CMUnitTest products[] = {
        cmocka_unit_test(test_poison),
        cmocka_unit_test(test_no_script_address),
        cmocka_unit_test(test_nothing_inline),
    };
    int failed = cmocka_run_group_tests_name("templates", own, NULL, NULL);

    failed += cmocka_run_group_tests_name("templates of the product", products,
                                          load_product, free_product);
    return failed;
}
