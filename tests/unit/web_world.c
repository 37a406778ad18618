/* The tests' stand-in for libfcgi and the master. */
#include "web_world.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "web/csrf.h"

#include "base/banned.h"

static const char *param(void *ctx, const char *name)
{
    const struct world *w = ctx;

    for (const char *const *p = w->params; p && *p; p += 2)
        if (strcmp(*p, name) == 0)
            return p[1];
    return NULL;
}

/* At most 7 bytes at once: the reader has to ask again. */
static int read_body(void *ctx, char *buf, int n)
{
    struct world *w = ctx;
    size_t left = w->body_len - w->body_at, take = left < 7 ? left : 7;

    if ((size_t)n < take)
        take = (size_t)n;
    memcpy(buf, w->body + w->body_at, take);
    w->body_at += take;
    return (int)take;
}

void world_init(struct world *w)
{
    const char *tmp = getenv("TMPDIR");

    memset(w, 0, sizeof(*w));
    w->conf.base_path = "/casebook";
    w->conf.db.password = "database-secret";
    w->conf.e2b.api_key = "e2b-secret";
    w->app.conf = &w->conf;
    csrf_key(&w->conf, w->app.csrf_key);
    arena_init(&w->arena);
    snprintf(w->folder, sizeof(w->folder), "%s/cb-web-XXXXXX",
             tmp && strlen(tmp) < 40 ? tmp : "/tmp");
    assert_non_null(mkdtemp(w->folder));
    world_template(w, "macros.cs", "");
    world_template(w, "layout.cs", "<html><?cs include!Page.Template ?></html>\n");
    world_template(w, "error.cs",
                   "E<?cs var:Error.Status ?>|<?cs var:Error.Title ?>|"
                   "<?cs var:Error.Text ?>|<?cs var:Page.RequestId ?>");
}

void world_release(struct world *w)
{
    DIR *dir = opendir(w->folder);
    const struct dirent *entry;
    char path[sizeof(w->folder) + 257];

    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        snprintf(path, sizeof(path), "%s/%s", w->folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    closedir(dir);
    rmdir(w->folder);
    tpl_free(w->app.templates);
    arena_release(&w->arena);
}

void world_template(struct world *w, const char *name, const char *text)
{
    char path[sizeof(w->folder) + 100];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", w->folder, name);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

struct tpl_set *world_load(struct world *w, struct err *err)
{
    tpl_free(w->app.templates);
    w->app.templates = tpl_load(w->folder, err);
    return w->app.templates;
}

void world_request(struct world *w, const char *const *params, const char *body, size_t n)
{
    arena_reset(&w->arena);
    w->rq = (struct req){.app = &w->app, .arena = &w->arena, .now_us = WORLD_NOW};
    w->params = params;
    w->body = body;
    w->body_len = n;
    w->body_at = 0;
    w->src = (struct req_source){.param = param, .read = read_body, .ctx = w};
}
