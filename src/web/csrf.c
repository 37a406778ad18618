/*
 * Form tokens without a store: a MAC that says "Casebook gave a page to this user on this day". The key
 * is derived, not configured, so that all hosts agree without one more secret to distribute.
 */
#include "web/csrf.h"

#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/err.h"
#include "base/sbuf.h"
#include "base/ts.h"

#include "base/banned.h"

void csrf_key(const struct conf *conf, unsigned char key[CSRF_KEY_SIZE])
{
    static const char label[] = "casebook form token, version 1";
    struct sbuf secrets;

    /* The database's password may be empty (socket authentication); E2B's key never is. */
    sbuf_init(&secrets, 65536);
    sbuf_addf(&secrets, "%zu:%s%zu:%s", strlen(conf->db.password), conf->db.password,
              strlen(conf->e2b.api_key), conf->e2b.api_key);
    if (secrets.is_full)
        BUG("secrets of the configuration are too long");
    digest_hmac_sha256(secrets.s, secrets.len, label, sizeof(label) - 1, key);
    explicit_bzero(secrets.s, secrets.len);
    sbuf_release(&secrets);
}

static char *token_of_day(const unsigned char key[CSRF_KEY_SIZE], const char *user,
                          int64_t day, char buf[CSRF_TOKEN_SIZE])
{
    uint8_t mac[DIGEST_SIZE];
    struct sbuf text;

    /* The day first: it has no line end, so no user's name can look like another pair. */
    sbuf_init(&text, 4096);
    sbuf_addf(&text, "%lld\n%s", (long long)day, user);
    if (text.is_full)
        BUG("the name of a user is too long");
    digest_hmac_sha256(key, CSRF_KEY_SIZE, text.s, text.len, mac);
    sbuf_release(&text);
    return digest_hex(mac, buf);
}

char *csrf_token(const unsigned char key[CSRF_KEY_SIZE], const char *user, int64_t now_us,
                 char buf[CSRF_TOKEN_SIZE])
{
    return token_of_day(key, user, now_us / TS_DAY, buf);
}

bool csrf_check(const unsigned char key[CSRF_KEY_SIZE], const char *user, int64_t now_us,
                const char *token)
{
    char good[CSRF_TOKEN_SIZE];
    bool is_good = false;

    if (strlen(token) != CSRF_TOKEN_SIZE - 1)
        return false;
    for (int64_t back = 0; back <= 1; back++) {
        token_of_day(key, user, now_us / TS_DAY - back, good);
        is_good |= digest_equal(good, token, CSRF_TOKEN_SIZE - 1);
    }
    return is_good;
}
