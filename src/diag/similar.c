/*
 * Similarity of two signatures: weighted tokens in common. Names, codes and quoted words
 * weigh more than plain words, because they name the cause and the place.
 */
#include "diag/diag.h"
#include "diag/limits.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/banned.h"

#define TOKENS_MAX 96
#define WEIGHT_NAME 3 /* of a name, code or number; a plain word has 1 */
/* Two signatures that each name something else are two causes, however long the words
   in common. */
#define BOTH_DIFFER 0.8
/* A size that could have been had and one that cannot exist are two causes (corpus,
   "Signatures"). */
#define SIZES_DIFFER 0.5

struct token {
    const char *s;
    size_t n;
    double weight;
};

static bool token_char(unsigned char c)
{
    return isalnum(c) || c == '_' || c >= 0x80;
}

/* Weights (ours); words without a meaning of their own have 0. */
static double weigh(const char *s, size_t n)
{
    static const char *const empty[] = {"the", "a",   "at",     "in",    "of",  "by",
                                        "for", "and", "memory", "limit", "was", "is",
                                        "to",  "on",  "error",  "with",  NULL};
    bool has_upper = false, has_lower = false, has_digit = false, has_low = false;

    for (size_t i = 0; i < n; i++) {
        has_upper = has_upper || (i > 0 && isupper((unsigned char)s[i]));
        has_lower = has_lower || islower((unsigned char)s[i]);
        has_digit = has_digit || isdigit((unsigned char)s[i]);
        has_low = has_low || s[i] == '_';
    }
    for (const char *const *e = empty; *e; e++)
        if (strlen(*e) == n && strncasecmp(s, *e, n) == 0)
            return 0;
    if (has_digit || has_low || (has_upper && has_lower) || (has_upper && n > 2))
        return WEIGHT_NAME;
    return 1;
}

static size_t split(const char *text, struct token *out)
{
    const char *s = text;
    size_t n = 0;

    while (*s && n < TOKENS_MAX) {
        size_t k = 0;
        while (*s && !token_char((unsigned char)*s))
            s++;
        while (token_char((unsigned char)s[k]))
            k++;
        if (k)
            out[n++] = (struct token){
                s, k, s > text && strchr("'\"", s[-1]) ? WEIGHT_NAME : weigh(s, k)};
        s += k;
    }
    /* the place, after the last " in ", is a name whatever it looks like */
    for (size_t i = n; i > 1; i--)
        if (out[i - 2].n == 2 && strncmp(out[i - 2].s, "in", 2) == 0) {
            for (size_t k = i - 1; k < n; k++)
                out[k].weight = WEIGHT_NAME;
            break;
        }
    return n;
}

static bool same_token(const struct token *x, const struct token *y)
{
    return x->n == y->n && strncasecmp(x->s, y->s, x->n) == 0;
}

/* *differ: each side says something that the other lacks. */
static double similarity(const char *sig_a, const char *sig_b, bool *differ)
{
    struct token a[TOKENS_MAX], b[TOKENS_MAX];
    bool used[TOKENS_MAX] = {false};
    size_t na = split(sig_a ? sig_a : "", a), nb = split(sig_b ? sig_b : "", b);
    double common = 0, all = 0;
    bool a_more = false, b_more = false;

    for (size_t i = 0; i < na; i++)
        all += a[i].weight;
    for (size_t k = 0; k < nb; k++) {
        size_t i = 0;
        while (i < na && (used[i] || !same_token(&a[i], &b[k])))
            i++;
        if (i == na) {
            all += b[k].weight;
            b_more = b_more || b[k].weight > 0;
            continue;
        }
        used[i] = true;
        common += a[i].weight > b[k].weight ? a[i].weight : b[k].weight;
        all += b[k].weight > a[i].weight ? b[k].weight - a[i].weight : 0;
    }
    for (size_t i = 0; i < na; i++)
        a_more = a_more || (!used[i] && a[i].weight > 0);
    *differ = a_more && b_more;
    return all > 0 ? common / all : 0;
}

/* What signature.c adds for a size that cannot exist. */
static bool is_impossible(const char *signature)
{
    return signature && strstr(signature, "(impossible size)");
}

double diag_similarity_text(const char *sig_a, const char *sig_b)
{
    bool differ;
    double score = similarity(sig_a, sig_b, &differ);

    return is_impossible(sig_a) == is_impossible(sig_b) ? score : score * SIZES_DIFFER;
}

double diag_same(const struct finding *a, const struct finding *b, bool *same)
{
    double score;
    bool differ;

    *same = false;
    if (!*a->signature || !*b->signature)
        return 0;
    if (strcmp(a->signature_hash, b->signature_hash) == 0) {
        *same = true;
        return 1;
    }
    score = similarity(a->signature, b->signature, &differ);
    if (differ)
        score *= BOTH_DIFFER;
    if (is_impossible(a->signature) != is_impossible(b->signature))
        score *= SIZES_DIFFER;
    *same = score >= LIMIT_SAME_SCORE;
    return score;
}
