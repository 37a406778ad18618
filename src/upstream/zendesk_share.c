/*
 * One OAuth token for all processes of a program, in memory that they share: a page of a fresh responder does
 * not wait for a login that another has made already.
 *
 * A sequence number guards it: odd while somebody writes. A writer that finds another one at work leaves it at
 * that (its own token is good for itself); a reader that saw a change under way goes without.
 */
#include "upstream/zendesk.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "sys/clock.h"

#include "base/banned.h"

struct zendesk_share {
    _Atomic uint32_t sequence;
    int64_t until_us;
    char token[ZENDESK_TOKEN_MAX];
};

struct zendesk_share *zendesk_share_new(void)
{
    void *p = mmap(NULL, sizeof(struct zendesk_share), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

void zendesk_share_free(struct zendesk_share *s)
{
    if (!s)
        return;
    memset(s, 0, sizeof *s);
    munmap(s, sizeof *s);
}

void zendesk_share_put(struct zendesk *z)
{
    struct zendesk_share *s = z->share;
    uint32_t even;

    if (!s)
        return;
    even = atomic_load(&s->sequence) & ~1u;
    if (!atomic_compare_exchange_strong(&s->sequence, &even, even + 1))
        return;
    memcpy(s->token, z->token, sizeof s->token);
    s->until_us = z->token_until_us;
    atomic_store(&s->sequence, even + 2);
}

void zendesk_share_take(struct zendesk *z)
{
    struct zendesk_share *s = z->share;
    char token[ZENDESK_TOKEN_MAX];
    int64_t until_us;
    uint32_t before;

    if (!s)
        return;
    before = atomic_load(&s->sequence);
    memcpy(token, s->token, sizeof token);
    until_us = s->until_us;
    if (before % 2 || atomic_load(&s->sequence) != before || !token[0] ||
        until_us <= clock_mono_us() || strcmp(token, z->refused) == 0)
        return;
    memcpy(z->token, token, sizeof z->token);
    z->token_until_us = until_us;
}
