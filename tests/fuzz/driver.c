/*
 * Where the compiler brings no libFuzzer: changes the seeds at random, with a fixed start,
 * and hands them over until the time is up.
 *
 *   driver SECONDS SEED...     each SEED is a file; the input of the moment lies in
 *                              ./input, so that it is there after a crash
 */
#include "base/arena.h"
#include "base/xalloc.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/banned.h"

#define INPUT_MAX 65536

struct seed {
    uint8_t *bytes;
    size_t n;
};

static uint64_t state = 20260502;

static size_t random_below(size_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n ? (size_t)(state >> 33) % n : 0;
}

static struct seed read_seed(const char *path)
{
    struct seed s = {xmalloc(INPUT_MAX), 0};
    FILE *f = fopen(path, "rb");

    if (f) {
        s.n = fread(s.bytes, 1, INPUT_MAX, f);
        fclose(f);
    }
    return s;
}

/* One change: a byte, a cut, a piece twice, a piece of another seed. */
static size_t change(uint8_t *in, size_t n, const struct seed *other)
{
    size_t at = random_below(n), len = random_below(64) + 1, from;

    switch (random_below(4)) {
    case 0:
        if (n)
            in[at] = (uint8_t)random_below(256);
        return n;
    case 1:
        len = len < n - at ? len : n - at;
        memmove(in + at, in + at + len, n - at - len);
        return n - len;
    case 2:
        len = len < n - at ? len : n - at;
        if (n + len > INPUT_MAX)
            return n;
        memmove(in + at + len, in + at, n - at);
        return n + len;
    default:
        from = random_below(other->n);
        len = len < other->n - from ? len : other->n - from;
        len = len < n - at ? len : n - at;
        if (len)
            memcpy(in + at, other->bytes + from, len);
        return n;
    }
}

static void keep_input(const uint8_t *in, size_t n)
{
    FILE *f = fopen("input", "wb");

    if (!f)
        return;
    fwrite(in, 1, n, f);
    fclose(f);
}

int main(int argc, char **argv)
{
    size_t count = argc > 2 ? (size_t)argc - 2 : 0, runs = 0;
    struct seed *seeds = xcalloc(count ? count : 1, sizeof(*seeds));
    uint8_t *in = xmalloc(INPUT_MAX);
    time_t end;

    if (!count) {
        fprintf(stderr, "usage: driver SECONDS SEED...\n");
        return 2;
    }
    for (size_t i = 0; i < count; i++)
        seeds[i] = read_seed(argv[i + 2]);
    end = time(NULL) + strtol(argv[1], NULL, 10);
    do {
        const struct seed *s = &seeds[runs % count];
        size_t n = s->n;
        memcpy(in, s->bytes, n);
        for (size_t k = runs < count ? 0 : random_below(8) + 1; k > 0; k--)
            n = change(in, n, &seeds[random_below(count)]);
        keep_input(in, n);
        LLVMFuzzerTestOneInput(in, n);
        runs++;
    } while (time(NULL) < end);
    printf("Done %zu runs\n", runs);
    for (size_t i = 0; i < count; i++)
        free(seeds[i].bytes);
    free(seeds);
    free(in);
    return 0;
}
