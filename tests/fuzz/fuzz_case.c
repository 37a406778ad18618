/*
 * Any bytes as a case file: they are refused with a reason, or there is a finding that can
 * be printed; the same finding twice.
 */
#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "diag/diag.h"
#include "fuzz.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static char *finding_text(struct arena *a, const struct evidence *ev)
{
    struct finding *f = arena_alloc(a, sizeof(*f));
    json_t *doc;
    char *text;

    diag_run(ev, a, f);
    doc = finding_to_json(f);
    text = json_dumps(doc, JSON_PRESERVE_ORDER);
    json_decref(doc);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct evidence ev;
    json_t *doc = jget_load((const char *)data, size, &err);

    if (!doc || evidence_from_json(&a, doc, &ev, &err)) {
        if (!*err.msg)
            abort(); /* refused without a reason */
    } else {
        char *first = finding_text(&a, &ev), *second = finding_text(&a, &ev);
        if (!first || !second || strcmp(first, second) != 0)
            abort(); /* no text, or another one the second time */
        free(first);
        free(second);
    }
    json_decref(doc);
    arena_release(&a);
    return 0;
}
