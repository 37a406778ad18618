/*
 * Console patterns, part four: families of wording. Tools say the same in many words;
 * these rows know the words that all of them share. They are looser than the rows of the
 * other parts, so they weigh less, hedged text ("perhaps out of memory?") is left out, and
 * on standard output they count only when the program then ended with an error.
 */
#include "diag/table.h"

#include "base/banned.h"

/* Text that supposes, warns, advises or tests does not tell that something happened. */
#define NO_HEDGE                                                                         \
    "(?i)^(?!.*\\b(?:if|may|might|perhaps|probably|possibly|maybe|could (?!not)|avoid|"  \
    "prevent|would|should|assert\\w*|expect\\w*|example|e\\.g\\.|likely|warn(?:ing)?|"   \
    "threshold|in case|to reduce|hint|consider|increase|unless|usage|retry\\w*|"         \
    "retri\\w*|recover\\w*)\\b)"
#define NO_MEMORY_QUOTE "(?!.*['\"`][^'\"`]*(?:out of memory|killed)[^'\"`]*['\"`])"
#define BIG                                                                              \
    "(?:memory|bytes?|buffers?|heap|[kmgt]i?b|array|matrix|vectors?|tensors?|pages?|"    \
    "arena)"
#define FAILS                                                                            \
    "(?:fail\\w*|unable|cannot|can't|could ?n[o']t|error|denied|refused|unsuccessful)"

/* clang-format off */
const struct scan_row table_loose[] = {
    {"memory-words", "any", MEAN_MEM_REFUSED, 0, "memory",
     NO_HEDGE NO_MEMORY_QUOTE ".*(?:\\bmemory (?:(?:is|was|has been|space) )?exhausted|\\b(?:out of|insufficient|not enough|no more|ran "
     "out of|runs out of|lack of|no free) (?:\\w+ )?memory\\b)",
     "the memory it asked for was refused", "sort: memory exhausted"},
    {"allocation-words", "any", MEAN_MEM_REFUSED, 0, "alloc",
     NO_HEDGE ".*(?:\\b" FAILS "\\b.{0,40}\\b(?:re|m|c|de)?alloc\\w*\\b.{0,60}\\b" BIG "\\b|\\b\\w*alloc\\w*\\b.{0,60}\\b" BIG
     "\\b.{0,40}\\bfail|\\b(?:bad|m|c|re|x)_?alloc(?:ation)?\\b.{0,20}\\bfail|\\bbad_m?alloc\\b)",
     "the memory it asked for was refused", "llama_model_load: error loading model: unable to allocate CPU buffer"},
    {"errno-12-words", "libc", MEAN_MEM_REFUSED, 0, "errno|error 12|not enough space",
     NO_HEDGE ".*(?:\\berrno[ =:]*12\\b|\\berror 12\\b.{0,40}memory)", "the memory it asked for was refused",
     "mmap of the index failed: errno=12"},
    {"memory-limit-words", "any", MEAN_MEM_CEILING, 0, "memory",
     "(?i)^(?!.*\\b(?:if|may|might|perhaps|probably|possibly|should|would|warn(?:ing)?|gpu|cuda|shared|locked|rate|raise|increase)\\b).*\\b(?:memory (?:\\w+ )?"
     "limits? (?:\\w+ ){0,3}(?:reached|exceeded|hit)|(?:exceed\\w*|over|reached|hit) (?:its |the |their |my )?(?:own |physical |virtual )?memory limits?)\\b",
     "the program's own memory limit", "xz: a.tar.xz: Memory usage limit reached"},
    {"again", "libc", MEAN_NOT_MEMORY, 0, "resource temporarily unavailable",
     "(?i)^(?=.*(?:fork|clone|thread|process|spawn|exec|pool|what\\(\\)|\\bstart)).*resource temporarily unavailable",
     "no more processes or threads could be started",
     "OpenBLAS blas_thread_init: pthread_create failed for thread 3 of 64: Resource temporarily unavailable"},
    {"signal-9-loose", "any", MEAN_KILLED, 0, "sigkill|signal: killed|signal: kill|killed by signal|] killed|signal 9",
     NO_HEDGE "(?!.*\\b(?:sending|send|sends|trap|handler|ignor\\w+|waiting|before|after)\\b).*?(?:\\bSIGKILL\\b|(?<![\\w.+-])(?<what>[\\w.+-]{1,40}): signal: killed|\\] Killed$|"
     "signal: '?kill(?:ed)?\\b|\\bkilled by signal:? 9\\b|\\bsignal 9\\b)",
     "signal 9 ended it", "App [api:0] exited with code [0] via signal [SIGKILL]"},
    {"sender-inside", "any", MEAN_INNER_KILL, 0, "sigkill|sigterm|killing |force kill",
     "(?i)^(?!.*\\b(?:if|may|might|would|was sent|received|got|oom_score|badness|low memory|memory pressure)\\b).*(?:\\b(?:sending|sent|sends) SIG(?:KILL|TERM)(?: signal)? to\\b|\\bkilling\\b.{0,60}\\bwith "
     "SIG(?:KILL|TERM)|\\bsending signal (?:KILL|TERM) to command\\b|force kill(?:ing|ed) (?:process|child|worker|pid))",
     "something inside the sandbox ended it", "watchdog: no heartbeat for 20 s, sending SIGKILL to 512"},
    {"test-failed", "any", MEAN_ERROR, 0, "failed|fail:|\xe2\x97\x8f |\xc3\x97 |fail |rspec ",
     "(?|^FAILED (?<what>\\S+::\\S+)|^\\s*--- FAIL: (?<what>\\w+)|^test (?<what>[\\w:]+) \\.\\.\\. FAILED$|"
     "^\\s*(?:\xe2\x97\x8f|\xc3\x97|FAIL) (?:\\S+\\.[cm]?[jt]sx? > )?(?<what>\\S.* (?:\xe2\x80\xba|>) .*?)(?: \\d+ ?ms)?$|^rspec \\S+ # (?<what>.+)$)",
     "a test failed", "FAILED tests/test_price.py::test_rounding - assert 2.67 == 2.68"},
    {"lost-words", "any", MEAN_LOST, 0, "unexpectedly|abruptly|prematurely|crashed|page crash",
     NO_HEDGE "(?:.*\\b(?:worker|child|daemon|executor|process|renderer|browser|tab|compiler|interpreter|subprocess|job server|server)\\b"
     ".{0,80}\\b(?:terminated|died|lost|disappeared|exited|quit|stopped|vanished|closed|ended|killed)\\b.{0,20}(?:unexpectedly|abruptly|prematurely)|"
     ".*\\b(?:renderer process|browser|tab|page|renderer|gpu process|worker)\\b.{0,20}\\b(?:crashed|crash)\\b)",
     "a helper process vanished", "Could not connect to kotlin daemon. Daemon has terminated unexpectedly"},
};
/* clang-format on */
const size_t table_loose_count = sizeof(table_loose) / sizeof(table_loose[0]);
