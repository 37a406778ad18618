/*
 * Writing to HDF without error branches: what ClearSilver can refuse here is memory, or a name that the
 * code made wrong. Both end the process.
 */
#include "web/hput.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/ts.h"
#include "base/xalloc.h"
#include "web/tpl.h"

#include "base/banned.h"

static void must(NEOERR *ne, const char *name)
{
    struct err err = ERR_INIT;

    if (ne == STATUS_OK)
        return;
    tpl_err(&err, ne);
    BUG("hdf: %s: %s", name, err.msg);
}

void hput_str(HDF *at, const char *name, const char *value)
{
    must(hdf_set_value(at, name, value ? value : ""), name);
}

void hput_fmt(HDF *at, const char *name, const char *fmt, ...)
{
    va_list ap;
    int n;
    char *s;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        BUG("hdf: %s: format", name);
    s = xmalloc((size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    va_end(ap);
    hput_str(at, name, s);
    free(s);
}

void hput_i64(HDF *at, const char *name, int64_t value)
{
    char buf[24];

    snprintf(buf, sizeof(buf), "%lld", (long long)value);
    hput_str(at, name, buf);
}

void hput_bool(HDF *at, const char *name, bool value)
{
    if (value)
        hput_str(at, name, "1");
}

void hput_time(HDF *at, const char *name, int64_t us, const char *text)
{
    char iso[TS_ISO_SIZE];
    HDF *node;

    if (us == TS_NONE)
        return;
    node = hput_node(at, name);
    hput_str(node, "Iso", ts_iso_ms(us, iso));
    hput_str(node, "Text", text);
}

HDF *hput_row(HDF *at, const char *name, int index)
{
    char number[16];

    snprintf(number, sizeof(number), "%d", index);
    return hput_node(hput_node(at, name), number);
}

HDF *hput_node(HDF *at, const char *name)
{
    HDF *node = NULL;

    must(hdf_get_node(at, name, &node), name);
    return node;
}
