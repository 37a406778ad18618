/*
 * Any bytes as console text, in pieces of any length: there is a finding, and the length
 * of the pieces makes no difference.
 */
#include "base/arena.h"
#include "diag/diag.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static void read_pieces(struct arena *a, const char *text, size_t n, size_t piece,
                        struct finding *out)
{
    struct diag_text *t = diag_text_begin(a);

    for (size_t at = 0; at < n; at += piece)
        diag_text_feed(t, text + at, n - at < piece ? n - at : piece);
    diag_text_end(t, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = ARENA_INIT;
    struct finding whole, parts;
    bool same;

    read_pieces(&a, (const char *)data, size, size ? size : 1, &whole);
    read_pieces(&a, (const char *)data, size, size ? 1 + data[0] % 61 : 1, &parts);
    if (strcmp(whole.signature, parts.signature) != 0)
        abort(); /* the length of the pieces made a difference */
    if (*whole.signature && (diag_same(&whole, &parts, &same) < 1 || !same))
        abort(); /* a text is not the same as itself */
    arena_release(&a);
    return 0;
}
