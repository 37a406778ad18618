/*
 * Bytes in, bytes out. No file, socket or clock; see text.h.
 */
#include "text.h"

#include "sim.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *zalloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);

    if (!p)
        die("out of memory");
    return p;
}

/* Doubles at powers of two, so that appending one by one stays linear. */
void *grow(void *p, size_t count, size_t size)
{
    if (count & (count - 1))
        return p;
    p = realloc(p, (count ? count * 2 : 1) * size);
    if (!p)
        die("out of memory");
    return p;
}

char *dup_bytes(const char *s, size_t len)
{
    char *p = zalloc(len + 1);

    memcpy(p, s, len);
    return p;
}

char *dup_str(const char *s)
{
    return dup_bytes(s, strlen(s));
}

char *format(const char *fmt, ...)
{
    char *out = NULL;
    va_list ap;

    va_start(ap, fmt);
    if (vasprintf(&out, fmt, ap) < 0)
        die("out of memory");
    va_end(ap);
    return out;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *pct_decode(const char *s, size_t len, bool plus_is_space)
{
    char *out = zalloc(len + 1), *o = out;

    for (size_t i = 0; i < len; i++) {
        int hi, lo;

        if (s[i] == '%' && i + 2 < len && (hi = hex_value(s[i + 1])) >= 0 &&
            (lo = hex_value(s[i + 2])) >= 0) {
            *o++ = (char)(hi * 16 + lo);
            i += 2;
        } else {
            *o++ = s[i] == '+' && plus_is_space ? ' ' : s[i];
        }
    }
    return out;
}

static int base64_value(char c)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *p = c ? strchr(digits, c) : NULL;

    return p ? (int)(p - digits) : -1;
}

char *base64_decode(const char *s)
{
    char *out = zalloc(strlen(s) + 1), *o = out;
    unsigned acc = 0;
    int bits = 0;

    for (; *s && *s != '='; s++) {
        int v = base64_value(*s);

        if (v < 0) {
            free(out);
            return NULL;
        }
        acc = (acc << 6) | (unsigned)v;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            *o++ = (char)((acc >> bits) & 0xff);
        }
    }
    return out;
}

/* Length of the valid sequence at s, or 0. */
static size_t utf8_sequence(const unsigned char *s, size_t left)
{
    size_t n = s[0] < 0x80   ? 1
               : s[0] < 0xc2 ? 0
               : s[0] < 0xe0 ? 2
               : s[0] < 0xf0 ? 3
               : s[0] < 0xf5 ? 4
                             : 0;

    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

void utf8_clean(char *s, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t n = utf8_sequence((const unsigned char *)s + i, len - i);

        if (n == 0)
            s[i] = '?';
        i += n ? n : 1;
    }
}

size_t utf8_cut(const char *s, size_t len, size_t max)
{
    if (len <= max)
        return len;
    while (max > 0 && ((unsigned char)s[max] & 0xc0) == 0x80)
        max--;
    return max;
}

bool has_prefix(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool has_suffix(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);

    return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

bool contains_ci(const char *hay, const char *needle)
{
    return strcasestr(hay, needle) != NULL;
}

bool equals_ci(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}

char *replace_all(const char *s, const char *from, const char *to)
{
    char *out = NULL;
    size_t len = 0, n = strlen(from);
    FILE *f = open_memstream(&out, &len);

    if (!f)
        die("out of memory");
    for (const char *hit; (hit = strstr(s, from)); s = hit + n) {
        fwrite(s, 1, (size_t)(hit - s), f);
        fputs(to, f);
    }
    fputs(s, f);
    fclose(f);
    return out;
}

static const struct {
    char c;
    const char *entity;
} entities[] = {
    {'&',  "&amp;" },
    {'<',  "&lt;"  },
    {'>',  "&gt;"  },
    {'"',  "&quot;"},
    {'\'', "&#39;" },
};

char *html_escape(const char *s)
{
    char *out = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&out, &len);

    if (!f)
        die("out of memory");
    for (; *s; s++) {
        const char *entity = NULL;

        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
            if (entities[i].c == *s)
                entity = entities[i].entity;
        }
        if (entity)
            fputs(entity, f);
        else
            fputc(*s, f);
    }
    fclose(f);
    return out;
}

static size_t put_entity(const char *s, FILE *f)
{
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        if (has_prefix(s, entities[i].entity)) {
            fputc(entities[i].c, f);
            return strlen(entities[i].entity);
        }
    }
    if (has_prefix(s, "&#123;")) {
        fputc('{', f);
        return 6;
    }
    fputc('&', f);
    return 1;
}

static bool ends_line(const char *tag)
{
    static const char *const blocks[] = {"</p", "<br",   "</div", "</li",
                                         "</h", "</pre", "</tr",  "</blockquote"};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (strncasecmp(tag, blocks[i], strlen(blocks[i])) == 0)
            return true;
    }
    return false;
}

char *html_to_text(const char *s)
{
    char *out = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&out, &len);

    if (!f)
        die("out of memory");
    while (*s) {
        const char *close = *s == '<' ? strchr(s, '>') : NULL;

        if (close) {
            if (ends_line(s))
                fputc('\n', f);
            s = close + 1;
        } else if (*s == '&') {
            s += put_entity(s, f);
        } else {
            fputc(*s++, f);
        }
    }
    fclose(f);
    while (len > 0 && isspace((unsigned char)out[len - 1]))
        out[--len] = '\0';
    return out;
}

/* FNV-1a, then the splitmix64 finaliser so that neighbours differ widely. */
uint64_t hash_text(const char *s, uint64_t salt)
{
    uint64_t h = 0xcbf29ce484222325u ^ salt;

    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3u;
    h += salt * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

double hash_noise(const char *s, uint64_t salt)
{
    return (double)(hash_text(s, salt) >> 11) / 4503599627370496.0 - 1.0;
}

void hash_uuid(const char *s, uint64_t salt, char out[37])
{
    uint64_t a = hash_text(s, salt), b = hash_text(s, ~salt);

    snprintf(out, 37, "%08x-%04x-4%03x-%04x-%012llx", (unsigned)(a >> 32),
             (unsigned)((a >> 16) & 0xffff), (unsigned)(a & 0xfff),
             (unsigned)(0x8000 | ((b >> 48) & 0x3fff)),
             (unsigned long long)(b & 0xffffffffffffu));
}

bool is_uuid_v4(const char *s)
{
    if (strlen(s) != 36)
        return false;
    for (int i = 0; i < 36; i++) {
        bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (is_dash ? s[i] != '-' : !isxdigit((unsigned char)s[i]))
            return false;
    }
    return s[14] == '4' && strchr("89abAB", s[19]) != NULL;
}

bool is_sandbox_id(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789");

    return n > 0 && s[n] == '\0';
}

char *go_float(double v)
{
    char buf[40];
    int exp, prec = 0;

    do {
        snprintf(buf, sizeof buf, "%.*E", prec, v);
    } while (strtod(buf, NULL) != v && ++prec < 17);
    exp = (int)strtol(strchr(buf, 'E') + 1, NULL, 10);
    if (exp < -4 || exp >= 6)
        return dup_str(buf);
    return format("%.*f", prec > exp ? prec - exp : 0, v);
}

const char *jstr(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

const char *jstr_or(const json_t *o, const char *key, const char *dflt)
{
    const char *s = jstr(o, key);

    return s ? s : dflt;
}

int64_t jint(const json_t *o, const char *key, int64_t dflt)
{
    const json_t *v = json_object_get(o, key);

    return json_is_integer(v) ? (int64_t)json_integer_value(v) : dflt;
}

double jnum(const json_t *o, const char *key, double dflt)
{
    const json_t *v = json_object_get(o, key);

    return json_is_number(v) ? json_number_value(v) : dflt;
}

bool jbool(const json_t *o, const char *key, bool dflt)
{
    const json_t *v = json_object_get(o, key);

    return json_is_boolean(v) ? json_is_true(v) : dflt;
}

json_t *json_text(const char *s, size_t len)
{
    json_t *v = json_stringn(s, len);

    if (!v) {
        char *clean = dup_bytes(s, len);

        utf8_clean(clean, len);
        v = json_stringn(clean, len);
        free(clean);
    }
    return v;
}

json_t *pack(const char *fmt, ...)
{
    json_error_t error;
    json_t *v;
    va_list ap;

    va_start(ap, fmt);
    v = json_vpack_ex(&error, 0, fmt, ap);
    va_end(ap);
    if (!v)
        die("cannot build JSON \"%s\": %s", fmt, error.text);
    return v;
}
