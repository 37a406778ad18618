/* The words and names of findings, and the mark that ties one to its Linear issue. */
#include "model/finding.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#include "base/banned.h"

struct word {
    const char *name;
    const char *words;
};

static const struct word classes[CLASS_COUNT] = {
    [CLASS_OUT_OF_MEMORY] = {"out_of_memory", "Out of memory"  },
    [CLASS_TIMEOUT] = {"timeout",       "Hit its timeout"},
    [CLASS_KILLED_EARLY] = {"killed_early",  "Killed early"   },
    [CLASS_CRASHED] = {"crashed",       "Crashed"        },
    [CLASS_UNDETERMINED] = {"undetermined",  "Undetermined"   },
};

static const struct word confidences[CONFIDENCE_COUNT] = {
    [CONFIDENCE_LOW] = {"low",    "Low confidence"   },
    [CONFIDENCE_MEDIUM] = {"medium", "Medium confidence"},
    [CONFIDENCE_HIGH] = {"high",   "High confidence"  },
};

static const struct word likelihoods[LIKELIHOOD_COUNT] = {
    [POSSIBLE] = {"possible", "possible"},
    [UNLIKELY] = {"unlikely", "unlikely"},
};

static const struct word reasons[REASON_COUNT] = {
    [REASON_NONE] = {"",                    ""                    },
    [REASON_STILL_RUNNING] = {"still_running",       "still running"       },
    [REASON_RUNNING_SILENT] = {"running_silent",      "running but silent"  },
    [REASON_PAUSED] = {"paused",              "paused and resumable"},
    [REASON_ENDED_NORMALLY] = {"ended_normally",      "ended normally"      },
    [REASON_NEVER_STARTED] = {"never_started",       "never started"       },
    [REASON_NOT_ENOUGH] = {"not_enough_evidence", "not enough evidence" },
};

/* The index of a name, or n. */
static size_t find_word(const struct word *words, size_t n, const char *name)
{
    size_t i = 0;

    while (i < n && (!name || strcmp(words[i].name, name) != 0))
        i++;
    return i;
}

static const struct word *word_at(const struct word *words, size_t n, size_t i)
{
    static const struct word none = {"", ""};

    return i < n ? &words[i] : &none;
}

const char *finding_class_name(enum finding_class c)
{
    return word_at(classes, CLASS_COUNT, (size_t)c)->name;
}

const char *finding_class_words(enum finding_class c)
{
    return word_at(classes, CLASS_COUNT, (size_t)c)->words;
}

int finding_class_parse(const char *name, enum finding_class *out)
{
    size_t i = find_word(classes, CLASS_COUNT, name);

    if (i == CLASS_COUNT)
        return -1;
    *out = (enum finding_class)i;
    return 0;
}

const char *confidence_name(enum confidence c)
{
    return word_at(confidences, CONFIDENCE_COUNT, (size_t)c)->name;
}

int confidence_parse(const char *name, enum confidence *out)
{
    size_t i = find_word(confidences, CONFIDENCE_COUNT, name);

    if (i == CONFIDENCE_COUNT)
        return -1;
    *out = (enum confidence)i;
    return 0;
}

const char *likelihood_name(enum likelihood l)
{
    return word_at(likelihoods, LIKELIHOOD_COUNT, (size_t)l)->name;
}

int likelihood_parse(const char *name, enum likelihood *out)
{
    size_t i = find_word(likelihoods, LIKELIHOOD_COUNT, name);

    if (i == LIKELIHOOD_COUNT)
        return -1;
    *out = (enum likelihood)i;
    return 0;
}

const char *reason_name(enum undetermined_reason r)
{
    return word_at(reasons, REASON_COUNT, (size_t)r)->name;
}

const char *reason_words(enum undetermined_reason r)
{
    return word_at(reasons, REASON_COUNT, (size_t)r)->words;
}

int reason_parse(const char *name, enum undetermined_reason *out)
{
    size_t i = find_word(reasons, REASON_COUNT, name);

    if (i == REASON_COUNT)
        return -1;
    *out = (enum undetermined_reason)i;
    return 0;
}

char *finding_token(const char *signature_hash, const char *template_id,
                    char out[SIGNATURE_TOKEN_SIZE])
{
    static const char mark[] = "cbk";
    char text[512];
    char hex[DIGEST_HEX_SIZE];
    uint8_t digest[DIGEST_SIZE];
    int n;

    out[0] = '\0';
    if (text_is_empty(signature_hash))
        return out;
    n = snprintf(text, sizeof(text), "%s\n%s", signature_hash,
                 template_id ? template_id : "");
    if (n < 0 || (size_t)n >= sizeof(text))
        n = (int)sizeof(text) - 1;
    digest_sha256(text, (size_t)n, digest);
    snprintf(out, SIGNATURE_TOKEN_SIZE, "%s%.24s", mark, digest_hex(digest, hex));
    return out;
}
