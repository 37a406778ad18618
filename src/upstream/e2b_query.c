/* What goes into a query of E2B and has to be got exactly right. Pure. */
#include "base/arena.h"
#include "base/url.h"
#include "upstream/e2b.h"

#include "base/banned.h"

char *e2b_metadata_filter(struct arena *a, const struct tag *tags, size_t n)
{
    char *inner = arena_str(a, "");

    for (size_t i = 0; i < n; i++) {
        const char *key = url_encode(a, url_encode(a, tags[i].key));
        const char *value = url_encode(a, url_encode(a, tags[i].value));

        inner = arena_fmt(a, "%s%s%s=%s", inner, i ? "&" : "", key, value);
    }
    return url_encode(a, inner);
}
