/* Hashes by nettle, and their text forms. */
#include "base/digest.h"

#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <string.h>

#include "base/banned.h"

_Static_assert(DIGEST_SIZE == SHA256_DIGEST_SIZE, "the digest is SHA-256");

void digest_sha256(const void *bytes, size_t n, uint8_t out[DIGEST_SIZE])
{
    struct sha256_ctx ctx;

    sha256_init(&ctx);
    sha256_update(&ctx, n, bytes);
    sha256_digest(&ctx, DIGEST_SIZE, out);
}

void digest_hmac_sha256(const void *key, size_t key_n, const void *bytes, size_t n,
                        uint8_t out[DIGEST_SIZE])
{
    struct hmac_sha256_ctx ctx;

    hmac_sha256_set_key(&ctx, key_n, key);
    hmac_sha256_update(&ctx, n, bytes);
    hmac_sha256_digest(&ctx, DIGEST_SIZE, out);
}

static char *put_hex(char *p, const uint8_t *in, size_t n)
{
    static const char hex[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        *p++ = hex[in[i] >> 4];
        *p++ = hex[in[i] & 15];
    }
    return p;
}

char *digest_hex(const uint8_t in[DIGEST_SIZE], char out[DIGEST_HEX_SIZE])
{
    *put_hex(out, in, DIGEST_SIZE) = '\0';
    return out;
}

bool digest_equal(const void *a, const void *b, size_t n)
{
    return memeql_sec(a, b, n) == 1;
}

char *digest_uuid(const uint8_t in[DIGEST_SIZE], char out[UUID_TEXT_SIZE])
{
    static const size_t group_bytes[] = {4, 2, 2, 2, 6};
    uint8_t id[16];
    const uint8_t *from = id;
    char *p = out;

    memcpy(id, in, sizeof(id));
    id[6] = (uint8_t)((id[6] & 0x0F) | 0x40);
    id[8] = (uint8_t)((id[8] & 0x3F) | 0x80);
    for (size_t i = 0; i < sizeof(group_bytes) / sizeof(group_bytes[0]); i++) {
        if (i > 0)
            *p++ = '-';
        p = put_hex(p, from, group_bytes[i]);
        from += group_bytes[i];
    }
    *p = '\0';
    return out;
}
