/* UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF. */
#include "base/utf8.h"

#include "base/banned.h"

static const struct {
    unsigned char mask, lead; /* (byte & mask) == lead */
    unsigned char size;
    uint32_t min;
} forms[] = {
    {0x80, 0x00, 1, 0      },
    {0xE0, 0xC0, 2, 0x80   },
    {0xF0, 0xE0, 3, 0x800  },
    {0xF8, 0xF0, 4, 0x10000},
};

size_t utf8_decode(const char *s, size_t n, uint32_t *cp)
{
    const unsigned char *u = (const unsigned char *)s;
    size_t f = 0;
    uint32_t v;

    if (n == 0)
        return 0;
    while (f < 4 && (u[0] & forms[f].mask) != forms[f].lead)
        f++;
    if (f == 4 || forms[f].size > n)
        return 0;
    v = u[0] & (unsigned char)~forms[f].mask;
    for (size_t i = 1; i < forms[f].size; i++) {
        if ((u[i] & 0xC0) != 0x80)
            return 0;
        v = v << 6 | (u[i] & 0x3F);
    }
    if (v < forms[f].min || v > 0x10FFFF || (v >= 0xD800 && v <= 0xDFFF))
        return 0;
    *cp = v;
    return forms[f].size;
}

size_t utf8_size(uint32_t cp)
{
    return cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
}

size_t utf8_encode(uint32_t cp, char *out)
{
    size_t size = utf8_size(cp);

    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (cp & 0x3F));
        cp >>= 6;
    }
    out[0] = (char)(forms[size - 1].lead | cp);
    return size;
}
