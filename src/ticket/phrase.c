/*
 * The decoder's table and one search for each row. Wording of a service changes between releases
 * (e2b.md 1.3), so patterns keep to the words that stay.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "ticket/phrase.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/xalloc.h"
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define PHRASE_MATCH_LIMIT 100000u

/* clang-format off */
static const struct phrase table[] = {
    {"likely_timeout",
     "likely due to sandbox timeout",
     "the sandbox could not be reached any more.",
     "that it hit a timeout: E2B's library adds these words to every dropped connection.",
     "the sandbox was not found: This error is likely due to sandbox timeout."},
    {"end_of_life",
     "killed or reached its end of life",
     "the sandbox was gone by then.",
     "how it ended.",
     "sandbox was killed or reached its end of life"},
    {"port_closed",
     "port \\d{0,5} ?is not open|port is not open|connection refused on port",
     "the sandbox was alive, but nothing listened on that port.",
     "that anything crashed.",
     "the sandbox is running but port is not open"},
    {"not_found",
     "does(?:n't| not) exist or you don(?:'t| not) have access|sandbox [^\\n]{0,60}not found",
     "the sandbox is gone, or the id or the key is wrong.",
     "which of these it is.",
     "Sandbox \"i7q2\" doesn't exist or you don't have access to it"},
    {"too_many",
     "maximum number of concurrent",
     "no sandbox was ever started: the plan's limit of parallel ones was reached.",
     "that a running one broke.",
     "you have reached the maximum number of concurrent E2B sandboxes"},
    {"timeout_too_long",
     "timeout (?:cannot|must) be greater",
     "no sandbox was ever started: E2B refused the timeout that was asked for.",
     "that a running one broke.",
     "Timeout cannot be greater than 1 hours"},
    {"cannot_extend",
     "max(?:imum)? instance length exceeded",
     "the end was not moved: it would have been later than the longest run that the plan allows.",
     "that the sandbox broke.",
     "Max instance length exceeded"},
    {"command_limit",
     "context deadline exceeded|deadline_exceeded|exceeding ['\"`]?timeoutMs",
     "one command ran into its own limit, 60 s unless the code sets another.",
     "that the sandbox ended.",
     "[deadline_exceeded] the operation timed out: exceeding 'timeoutMs'"},
    {"request_limit",
     "requestTimeoutMs|request_timeout",
     "the caller gave up waiting for an answer.",
     "that anything broke in the sandbox.",
     "TimeoutError: increase 'requestTimeoutMs'"},
    {"connection_dropped",
     "(?<![\\w-])\\[?terminated\\]?(?![\\w-])|peer closed connection(?: without sending(?: complete message body)?)?|"
     "socket connection was closed unexpectedly|network connection lost|socket hang "
     "up|ECONNRESET",
     "the connection dropped.",
     "why it dropped.",
     "httpx.RemoteProtocolError: peer closed connection without sending complete message body"},
    {"signal_9",
     "exit (?:code|status):? ?(?:137|-9)\\b|code[ =:]+137\\b|signal:? "
     "?(?:9\\b|killed)|SIGKILL|"
     "^Killed$|\\bKilled\\b(?= *$)",
     "signal 9 ended a process.",
     "who sent it: memory, a time limit or a request can.",
     "Process exited with exit code 137"},
    {"signal_15",
     "exit (?:code|status):? ?143\\b|SIGTERM",
     "a process was asked to stop.",
     "that it broke.",
     "exit code 143"},
    {"segfault",
     "exit (?:code|status):? ?139\\b|segmentation fault|SIGSEGV",
     "a program, or a native module in it, touched memory it may not.",
     "that the sandbox ran out of memory.",
     "Segmentation fault (core dumped)"},
    {"own_ceiling",
     "heap out of memory|java heap space|GC overhead limit exceeded|allowed memory size of "
     "\\d+ bytes exhausted",
     "a program stopped at a memory limit of its own.",
     "that the sandbox had no memory left.",
     "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"},
    {"graphics_memory",
     "(?:CUDA|HIP|MPS backend) out of memory",
     "the memory of a graphics card ran out, or there is none.",
     "that the sandbox had no memory left.",
     "torch.OutOfMemoryError: CUDA out of memory"},
    {"rate_limit",
     "rate limit exceeded|too many requests",
     "E2B or another service refused a call because there were too many.",
     "that a sandbox broke.",
     "429 Rate limit exceeded"},
    {"bad_key",
     "invalid api key|authorization header is (?:missing|malformed)",
     "the key that was used is wrong or was deleted.",
     "that a sandbox broke.",
     "Invalid API key, please visit"},
};
/* clang-format on */
#define TABLE_COUNT (sizeof table / sizeof table[0])

struct phrase_set {
    pcre2_code *code[TABLE_COUNT];
    pcre2_match_data *data;
    pcre2_match_context *limits;
};

const struct phrase *phrase_table(size_t *n)
{
    *n = TABLE_COUNT;
    return table;
}

struct phrase_set *phrase_set_new(void)
{
    struct phrase_set *set = xcalloc(1, sizeof *set);

    set->data = pcre2_match_data_create(16, NULL);
    set->limits = pcre2_match_context_create(NULL);
    if (set->limits)
        pcre2_set_match_limit(set->limits, PHRASE_MATCH_LIMIT);
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        int code = 0;
        PCRE2_SIZE at = 0;

        set->code[i] = pcre2_compile((PCRE2_SPTR)table[i].pattern, PCRE2_ZERO_TERMINATED,
                                     PCRE2_CASELESS | PCRE2_MULTILINE | PCRE2_UTF |
                                         PCRE2_NO_UTF_CHECK,
                                     &code, &at, NULL);
        if (!set->code[i])
            BUG("phrase \"%s\" does not compile at %zu (%d)", table[i].name, at, code);
        pcre2_jit_compile(set->code[i], PCRE2_JIT_COMPLETE);
    }
    return set;
}

void phrase_set_free(struct phrase_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < TABLE_COUNT; i++)
        pcre2_code_free(set->code[i]);
    pcre2_match_data_free(set->data);
    pcre2_match_context_free(set->limits);
    free(set);
}

static bool overlaps(const struct phrase_hit *hits, size_t n, size_t start, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (start < hits[i].start + hits[i].len && hits[i].start < start + len)
            return true;
    return false;
}

static int by_place(const void *pa, const void *pb)
{
    const struct phrase_hit *x = pa, *y = pb;

    return x->start < y->start ? -1 : x->start > y->start;
}

struct phrase_hit *phrase_find(const struct phrase_set *set, struct arena *a,
                               const char *text, size_t max, size_t *n)
{
    struct phrase_hit *hits = arena_array(a, max ? max : 1, sizeof *hits);
    size_t len = strlen(text);

    *n = 0;
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        size_t from = 0;

        while (*n < max && from < len) {
            const PCRE2_SIZE *at;

            if (pcre2_match(set->code[i], (PCRE2_SPTR)text, len, from, PCRE2_NO_UTF_CHECK,
                            set->data, set->limits) < 0)
                break;
            at = pcre2_get_ovector_pointer(set->data);
            if (at[1] == at[0])
                break;
            if (!overlaps(hits, *n, at[0], at[1] - at[0]))
                hits[(*n)++] = (struct phrase_hit){at[0], at[1] - at[0], &table[i]};
            from = at[1];
        }
    }
    qsort(hits, *n, sizeof *hits, by_place);
    return hits;
}
