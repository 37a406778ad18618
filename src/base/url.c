/* Percent encoding, and the test for links that may be put on a page. */
#include "base/url.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"

#include "base/banned.h"

static bool is_alnum(unsigned char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_unreserved(unsigned char c)
{
    return is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

char *url_encode(struct arena *a, const char *s)
{
    static const char hex[] = "0123456789ABCDEF";
    char *out = arena_array(a, strlen(s) + 1, 3);
    char *p = out;

    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;

        if (is_unreserved(c)) {
            *p++ = (char)c;
            continue;
        }
        *p++ = '%';
        *p++ = hex[c >> 4];
        *p++ = hex[c & 15];
    }
    *p = '\0';
    return out;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

char *url_decode(struct arena *a, const char *s, size_t n, bool is_form, size_t *out_n)
{
    char *out = arena_alloc(a, n + 1);
    size_t len = 0;

    for (size_t i = 0; i < n; i++) {
        int hi = s[i] == '%' && n - i > 2 ? hex_value(s[i + 1]) : -1;
        int lo = hi >= 0 ? hex_value(s[i + 2]) : -1;

        if (lo >= 0) {
            out[len++] = (char)(hi * 16 + lo);
            i += 2;
        } else {
            out[len++] = is_form && s[i] == '+' ? ' ' : s[i];
        }
    }
    out[len] = '\0';
    if (out_n)
        *out_n = len;
    return out;
}

/* The part after the scheme; NULL when it is neither http nor https. */
static const char *after_scheme(const char *s)
{
    static const char *const schemes[] = {"http://", "https://"};

    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if (strncasecmp(s, schemes[i], strlen(schemes[i])) == 0)
            return s + strlen(schemes[i]);
    }
    return NULL;
}

/* Name, IPv4 or bracketed IPv6, and perhaps a port. */
static bool is_authority(const char *s, size_t n)
{
    size_t i = 0;

    if (n > 0 && s[0] == '[') {
        for (i = 1; i < n && (hex_value(s[i]) >= 0 || s[i] == ':' || s[i] == '.'); i++)
            ;
        if (i < 3 || i >= n || s[i] != ']')
            return false;
        i++;
    } else {
        while (i < n && (is_unreserved((unsigned char)s[i])))
            i++;
        if (i == 0)
            return false;
    }
    if (i == n)
        return true;
    if (s[i++] != ':' || i == n || n - i > 5)
        return false;
    for (; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
    }
    return true;
}

bool url_is_http(const char *s)
{
    const char *host;

    if (!s)
        return false;
    host = after_scheme(s);
    if (!host || !is_authority(host, strcspn(host, "/?#")))
        return false;
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;

        if (c <= 0x20 || c >= 0x7F || strchr("\"'`<>\\", c))
            return false;
    }
    return true;
}
