/*
 * Our template functions. They are registered as plain string functions, not as "escape functions": what
 * they return is HTML-escaped like any value, so an expression that joins one with raw text stays
 * safe (an escape function would switch escaping off for the whole of it).
 *
 * ClearSilver frees what they return: malloc only.
 */
#include "web/tpl_func.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"

#include "base/banned.h"

static bool is_unreserved(unsigned char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '.' || c == '_' || c == '~';
}

static NEOERR *url_escape(const char *s, char **out)
{
    static const char hex[] = "0123456789ABCDEF";
    size_t n = strlen(s);
    char *w = xmalloc(3 * n + 1);

    *out = w;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];

        if (is_unreserved(c)) {
            *w++ = (char)c;
        } else {
            *w++ = '%';
            *w++ = hex[c >> 4];
            *w++ = hex[c & 15];
        }
    }
    *w = '\0';
    return STATUS_OK;
}

static bool is_plain_link(const char *s)
{
    static const char *const schemes[] = {"http://", "https://", "mailto:"};
    char head[9] = "";

    for (const char *p = s; *p; p++)
        if ((unsigned char)*p <= 0x20 || *p == 0x7f || *p == '\\')
            return false;
    if (s[0] == '#' || s[0] == '?' || (s[0] == '/' && s[1] != '/'))
        return true;
    for (size_t i = 0; i < sizeof(head) - 1 && s[i]; i++)
        head[i] = (char)tolower((unsigned char)s[i]);
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
        if (text_starts(head, schemes[i]))
            return true;
    return false;
}

static NEOERR *url_validate(const char *s, char **out)
{
    *out = xstrdup(is_plain_link(s) ? s : "#");
    return STATUS_OK;
}

NEOERR *tpl_func_register(CSPARSE *cs)
{
    static const struct {
        char name[16];
        CSSTRFUNC func;
    } table[] = {
        {"url_escape",   url_escape  },
        {"url_validate", url_validate},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        char name[sizeof(table[i].name)];
        NEOERR *ne;

        memcpy(name, table[i].name, sizeof(name));
        ne = cs_register_strfunc(cs, name, table[i].func);
        if (ne != STATUS_OK)
            return nerr_pass(ne);
    }
    return STATUS_OK;
}
