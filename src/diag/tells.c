/*
 * Whether a line is worth keeping when not all of a long log can be: a wide net of words, without any state. A
 * line that it lets through may still be harmless; one that the patterns of scan.h know is never held back,
 * apart from the frames of a stack trace, which stand below a line that tells.
 */
#include "diag/diag.h"

#include <stddef.h>

#include "base/banned.h"

/* Words in small letters by their first one, parted by '|'. */
static const char *const words[26] = {
    ['a' - 'a'] = "abort|aucun |accessdenied|address already|alloc|assert|at least |"
                  "attempt",
    ['b' - 'a'] = "bad |broken|bus error|busy",
    ['c' - 'a'] = "callstack|can not|can't|cannot|caught|cause|certificate|"
                  "conflict|contextrestarting|core dumped|corrupt|could not|"
                  "couldn't|crash",
    ['d' - 'a'] = "deadline|deadlock|denied|depends on|detected|device|died|"
                  "disconnect|disk|does not|doesn't|doesn't exist|double free|dump",
    ['e' - 'a'] = "e2big|e: |eacces|eaddrinuse|eagain|econn|efbig|egress|emfile|"
                  "empty|enfile|enoent|enomem|enospc|eperm|epipe|eresolve|erofs|"
                  "err|exceed|exception|exhaust|exit|expected|expired",
    ['f' - 'a'] = "fail|fallback|falling back|fatal|fault|floating point",
    ['g' - 'a'] = "gave up|get\xc3\xb6tet|getaddrinfo|giving up|gone away|goroutine",
    ['h' - 'a'] = "handled|hang|hauptspeicher|heap",
    ['i' - 'a'] = "ignor|impossib|illegal|in use|incompatible|insufficient|interrupt|"
                  "invalid|is not |is required",
    ['k' - 'a'] = "kein|kernel|kill",
    ['l' - 'a'] = "limit|locate|lock|lost|low on",
    ['m' - 'a'] = "m\xc3\xa9moire|makeslice|malloc|memor|mismatch|missing|module|must be",
    ['n' - 'a'] = "n\xc3\xa3o |nan |native thread|nil|no decode|no host|no matching|no "
                  "module|no queda|no se pudo|"
                  "no route|no solution|no space|no such|non-zero|not a |"
                  "not allowed|not enough|not found|npm e|null pointer",
    ['o' - 'a'] = "oom|operation not permitted|out of |out_of|overflow",
    ['p' - 'a'] = "panic|peer |permesso|permis|processus|process exited|process_exited",
    ['q' - 'a'] = "quota",
    ['r' - 'a'] = "raise|read-only|readonly|recover|recursion|refus|reject|"
                  "requested|require|reset by|resol|resource|restart|retr",
    ['s' - 'a'] =
        "score|segfault|spazio|speicher|segmentation|shared memory|sigabrt|sigbus|sigill|"
        "sigkill|signal|sigsegv|sigterm|skipp|stack|symbol|syntax",
    ['t' - 'a'] = "tcp/ip |termina|there is no|thread|throw|time limit|timed out|timeout|"
                  "too large|too long|too many|toegang|traceback|tu\xc3\xa9",
    ['u' - 'a'] = "unable|unavailable|unbound|uncaught|undefined|unexpected|"
                  "unhandled|unknown|unreachable|unresolved|unsatisf|unsupported",
    ['v' - 'a'] = "violac|violat|virtual memory|vm limit",
    ['w' - 'a'] = "warn|watch|worker",
    ['y' - 'a'] = "yn0",
};

static unsigned char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? (unsigned char)(c - 'A' + 'a') : c;
}

/* Does one of the words begin here? */
static bool begins(const char *list, const char *text)
{
    while (*list) {
        const char *t = text;

        while (*list && *list != '|' &&
               lower((unsigned char)*t) == (unsigned char)*list) {
            list++;
            t++;
        }
        if (!*list || *list == '|')
            return true;
        while (*list && *list++ != '|')
            ;
    }
    return false;
}

bool diag_line_tells(const char *text)
{
    for (const char *s = text; *s; s++) {
        unsigned char c = lower((unsigned char)*s);

        if (c >= 'a' && c <= 'z' && words[c - 'a'] && begins(words[c - 'a'], s))
            return true;
        if (c == '1' && s[1] == '3' && s[2] == '7') /* 128 + SIGKILL */
            return true;
        if (c >= 0xe3 && c <= 0xe9) /* Chinese and Japanese have no words that begin */
            return true;
        if (c == '*' && s[1] == '*' && s[2] == ' ') /* Elixir, make, Julia */
            return true;
    }
    return false;
}
