/*
 * The wall clock, the monotonic clock and the kernel's random source. Nothing else reads them.
 */
#include "sys/clock.h"
#include "base/digest.h"
#include "base/err.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/banned.h"

static int64_t read_us(clockid_t which)
{
    struct timespec ts;

    if (clock_gettime(which, &ts) != 0)
        BUG("clock_gettime: %s", strerror(errno));
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int64_t clock_now_us(void)
{
    return read_us(CLOCK_REALTIME);
}

int64_t clock_mono_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}

void random_bytes(void *buf, size_t n)
{
    unsigned char *at = buf;

    while (n > 0) {
        ssize_t got = getrandom(at, n, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            BUG("getrandom: %s", strerror(errno));
        at += got;
        n -= (size_t)got;
    }
}

char *random_uuid(char buf[37])
{
    uint8_t bytes[DIGEST_SIZE];

    random_bytes(bytes, sizeof(bytes));
    return digest_uuid(bytes, buf);
}
