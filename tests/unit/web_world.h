/* What the unit tests of src/web share: an app, a request made of a list of parameters, temporary templates. */
#ifndef CASEBOOK_TESTS_WEB_WORLD_H
#define CASEBOOK_TESTS_WEB_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/request.h"
#include "web/tpl.h"

#define WORLD_NOW ((int64_t)1795528800000000) /* 2026-11-24T14:00:00Z */

struct world {
    struct conf conf;
    struct app app;
    struct arena arena;
    struct req rq;
    const char *const *params; /* name, value, ..., NULL */
    const char *body;
    size_t body_len, body_at;
    struct req_source src;
    char folder[64]; /* of temporary templates; "" : none */
};

/* BasePath /casebook, templates of a temporary folder, user and times set. */
void world_init(struct world *w);
void world_release(struct world *w);

/* A template file in the temporary folder. */
void world_template(struct world *w, const char *name, const char *text);
/* (Re)load the templates; NULL and err on a fault. */
struct tpl_set *world_load(struct world *w, struct err *err);

/* A new request out of these parameters ("NAME", "value", ..., NULL) and this body. */
void world_request(struct world *w, const char *const *params, const char *body,
                   size_t n);

#endif
