/*
 * The table of secret forms and one pass of PCRE2 substitution for each.
 *
 * The order matters: the longer and more telling forms come first, so that an address inside a URL
 * with a password goes as part of the password. What a form must keep (the name in `password=...`) is
 * kept by a capture.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "outgoing/mask.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define MASK_MAX_INPUT ((size_t)256 << 10)
#define MASK_CUT_BACK ((size_t)4 << 10) /* look for white space this far before the cut */
#define MASK_MATCH_LIMIT 20000000u

struct form {
    const char *name;
    const char *pattern;
    const char *with;
};

/* What follows a name: closing quote or bracket of the name, then the sign. No line is crossed. */
#define SEP "\\\\*[\"']?\\]?[ \\t]*(?>=>|:=|[:=])[ \\t]*+"
/* The name goes on: plural, number, `_suffix`, or a capital after a small letter. */
#define SUFFIX "(?:[_-][a-z0-9_-]{0,20}|\\d{0,3}|(?-i:(?<=[a-z])(?=[A-Z]))[a-z0-9]{1,20})"
/* Quoted to the same quote, also when that is `\"` inside JSON inside JSON; a list; our marks stay. */
#define QUOTED "(\\\\*[\"'])(?:(?!\\g{-1})(?:\\\\.|[^\\n]))*+(?:\\g{-1})?+"
#define LIST "\\[(?![a-z0-9 ]{2,12}\\])[^\\]\\n]*\\]?"

/* Whatever stands beside these is a secret, also in the middle of a longer name. */
#define STRONG                                                                           \
    "(?:pass(?:word|wd|phrase)|secret|credential|connection[_-]?string|"                 \
    "(?:api|access|account|private|encryption|signing|signature|ssh|master|license|"     \
    "service|deploy|auth|hmac|session|shared)[_-]?key)s?"
/* Plain words too: they count only as a whole word of a name, and not beside numbers and prose. */
#define WEAK "(?:pass|pwd(?!" SEP "[\"']?[/~.])|token|auth|session|signature|cookie|dsn)"
#define WEAK_START "(?:(?<![a-z0-9])|(?-i:(?<=[a-z])(?=[A-Z])))"
#define NOT_TELLING                                                                      \
    "(?!\\d{1,9}(?:\\.\\d+)?(?![\\w-]))(?!(?:true|false|null|none|yes|no)(?!\\w))"       \
    "(?!(?-i:(?<=[ \\t])[a-z]{1,15}(?![\\w-])))(?=[^\\s\"']*[a-z0-9]{3})"

/* clang-format off */
static const struct form forms[] = {
    {"private key",
     "-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\\s\\S]*?"
     "(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\\z)",
     "[private key]"},
    {"private key whose start was cut off",
     "\\A[\\s\\S]*-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----",
     "[private key]"},
    {"private key of PuTTY",
     "PuTTY-User-Key-File-\\d[\\s\\S]*?(?:\\bPrivate-MAC: [0-9a-f]+|\\z)",
     "[private key]"},
    {"private key of age",
     "\\bAGE-SECRET-KEY-1[A-Z0-9]{20,}",
     "[private key]"},
    {"header",
     "(?i)\\b((?:proxy-)?authorization|(?:set-)?cookie)(" SEP ")(?:" QUOTED "|[^\\s\"'[][^\\n]*)",
     "$1$2[secret]"},
    {"bearer",
     "(?i)\\b(bearer|basic)[ \\t]+(?=[\\w.~+/=-]*(?:[\\d+=_~]|(?-i:[a-z][A-Z])|[\\w.~+/=-]{24}))"
     "[A-Za-z0-9._~+/=-]{8,}",
     "$1 [token]"},
    {"jwt",
     "\\beyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*){0,4}",
     "[token]"},
    {"password in url",
     "(?i)\\b([a-z][a-z0-9+.-]{1,20}://)(?:[^\\s/@:\"'<>]*:(?!\\d{1,5}(?:[/?#]|$))[^\\s\"'<>]{0,1000}@"
     "|[^\\s/@:\"'<>]{16,}@)",
     "$1[password]@"},
    {"signed url part",
     "(?i)([?&#;](?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token)|"
     "token|(?:access|id|refresh|auth|session)[_-]?token|api[_-]?key|key|auth|secret|password)=)"
     "(?!\\[)[^&\\s\"'<>]+",
     "$1[key]"},
    {"webhook",
     "(?i)\\b((?:hooks\\.slack\\.com/(?:services|workflows|triggers)|"
     "discord(?:app)?\\.com/api/webhooks)/)[A-Za-z0-9_/-]+",
     "$1[key]"},
    {"aws",
     "\\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ABIA|ACCA)[A-Z0-9]{12,}\\b",
     "[key]"},
    {"google",
     "\\b(?:AIza[A-Za-z0-9_-]{30,}|GOCSPX-[A-Za-z0-9_-]{16,}|ya29\\.[A-Za-z0-9_-]{16,})",
     "[key]"},
    {"openai or anthropic",
     "\\bsk-[A-Za-z0-9_-]{16,}",
     "[key]"},
    {"stripe",
     "\\b(?:(?:sk|rk|pk)_(?:live|test)|whsec)_[A-Za-z0-9]{8,}",
     "[key]"},
    {"github",
     "\\b(?:gh[pousr]_[A-Za-z0-9]{8,}|github_pat_[A-Za-z0-9_]{8,})",
     "[key]"},
    {"gitlab",
     "\\bgl(?:pat|dt|rt|cbt|ptt|oas)-[A-Za-z0-9_-]{8,}",
     "[key]"},
    {"slack",
     "\\bx(?:ox[abceoprs]|app)-[A-Za-z0-9-]{8,}",
     "[key]"},
    {"hugging face",
     "\\bhf_[A-Za-z0-9]{20,}",
     "[key]"},
    {"npm",
     "\\bnpm_[A-Za-z0-9]{20,}",
     "[key]"},
    {"pypi",
     "\\bpypi-[A-Za-z0-9_-]{20,}",
     "[key]"},
    {"linear",
     "\\blin_(?:api|oauth|wh)_[A-Za-z0-9]{4,}",
     "[key]"},
    {"e2b",
     "\\b(?:sk_)?e2b_(?=[A-Za-z0-9]*\\d)[A-Za-z0-9]{8,}",
     "[key]"},
    {"sendgrid",
     "\\bSG\\.[A-Za-z0-9_-]{16,}(?:\\.[A-Za-z0-9_-]*)?",
     "[key]"},
    {"other services",
     "\\b(?:gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}|"
     "pplx-[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{16,}|dckr_pat_[A-Za-z0-9_-]{16,}|"
     "(?:AC|SK)[0-9a-f]{32}\\b|\\d{8,10}:AA[A-Za-z0-9_-]{33})",
     "[key]"},
    {"shops and payments",
     "\\b(?:shp(?:at|ca|pa|ss)_[a-fA-F0-9]{16,}|sq0(?:atp|csp)-[A-Za-z0-9_-]{16,}|"
     "EAAA[A-Za-z0-9_-]{40,})",
     "[key]"},
    {"mail and messages",
     "\\b(?:key-[0-9a-f]{32}\\b|[0-9a-f]{32}-us\\d{1,2}\\b|"
     "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,})",
     "[key]"},
    {"clouds and hosts",
     "\\b(?:do[or]_v1_[a-f0-9]{16,}|HRKU-[A-Za-z0-9_-]{16,}|FlyV1 fm\\d_[A-Za-z0-9+/=_-]{16,}|"
     "nfp_[A-Za-z0-9]{20,}|sbp_[a-f0-9]{20,}|sb_secret_[A-Za-z0-9_-]{16,}|"
     "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{16,}|"
     "[A-Za-z0-9_.~-]{3}[78]Q~[A-Za-z0-9_.~-]{31,34}|LTAI[A-Za-z0-9]{12,})",
     "[key]"},
    {"vaults and pipelines",
     "\\b(?:hv[sbr]\\.[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}|"
     "dp\\.(?:pt|st|sa|ct|scim|audit)\\.[A-Za-z0-9_.-]{20,}|pul-[a-f0-9]{32,}|"
     "rubygems_[a-f0-9]{32,}|PMAK-[A-Za-z0-9-]{24,}|AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{16,})",
     "[key]"},
    {"watchers",
     "\\b(?:gl(?:sa|c)_[A-Za-z0-9_=-]{20,}|sntry[su]_[A-Za-z0-9_=+/-]{20,}|"
     "NR(?:AK|JS|II|RA)-[A-Za-z0-9]{16,}|dapi[0-9a-f]{32}\\b)",
     "[key]"},
    {"models and notes",
     "\\b(?:lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}|pcsk_[A-Za-z0-9_]{20,}|tvly-[A-Za-z0-9-]{16,}|"
     "ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{40,}|figd_[A-Za-z0-9_-]{20,})",
     "[key]"},
    {"telling name",
     "(?i)(" STRONG SUFFIX SEP ")(?:" QUOTED "|" LIST "|(?!\\[|\\{)[^\\s\"']+)",
     "$1[secret]"},
    {"plain telling name",
     "(?i)(" WEAK_START WEAK SUFFIX SEP ")(?:(?=\\\\*[\"'][^\"'\\n]{3})" QUOTED
     "|(?![\\[{])" NOT_TELLING "[^\\s\"']{4,})",
     "$1[secret]"},
    {"variable",
     "(\\b[A-Z][A-Z0-9_]*_(?:KEY|PASS|PW|PAT|SALT)=)(?:" QUOTED "|(?!\\[)[^\\s\"']{6,})",
     "$1[secret]"},
    {"long value of a telling name",
     "(?i)((?<![a-z0-9])(?:key|sig|salt|nonce|seed|creds?|jwt|pat|sid|csrf|xsrf)" SEP
     "\\\\*[\"']?)(?![/.\\[])(?=[\\w+/=.~-]*\\d)(?=[\\w+/=.~-]*[a-z])[\\w+/=.~-]{20,}",
     "$1[secret]"},
    {"element",
     "(?i)(<[a-z0-9_:.-]{0,30}(?:" STRONG "|token)(?:\\s[^<>]{0,200})?>)(?!\\[)[^<]+",
     "$1[secret]"},
    {"command option",
     "(?i)((?<![\\w-])--(?:[a-z0-9]+-)*(?:password|passwd|passphrase|token|secret|"
     "(?:api|access|secret)-?key)[ =])(?:" QUOTED "|(?![\\[-])[^\\s\"']{2,})",
     "$1[secret]"},
    {"user option",
     "((?<![\\w-])(?:-u|--user)[ =]?)(?!\\[|\\d+:\\d+(?!\\w))[^\\s:\"']+:[^\\s\"']+",
     "$1[secret]"},
    {"database option",
     "(?i)(\\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\\b[^\\n|;&]{0,200}? -p|"
     "\\bsshpass[ ]+-p[ ]*)(?:" QUOTED "|[^\\s\"']+)",
     "$1[secret]"},
    {"email",
     "(?<![\\p{L}\\p{N}._%+-])[\\p{L}\\p{N}._%+-]++@[\\p{L}\\p{N}-]+"
     "(?:\\.[\\p{L}\\p{N}-]+){0,8}\\.\\p{L}{2,24}(?![\\p{L}\\p{N}])",
     "[email]"},
    {"ipv4",
     "(?<![\\w.])(?<!==)(?i:(?<!version )(?<!version: ))"
     "(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?![\\w.]*\\d)",
     "[ip]"},
    {"ipv6",
     "(?i)(?<![\\w:.])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\\w:])"
     "|(?=[0-9:]*[a-f])(?=[a-f:]*\\d)(?:[0-9a-f]{1,4}:){1,7}(?:(?::[0-9a-f]{1,4}){1,7}|:)(?![\\w:])"
     "|(?:[0-9a-f]{1,4}:){2,7}(?:(?::[0-9a-f]{1,4}){1,7}|:)(?![\\w:]))",
     "[ip]"},
};
/* clang-format on */
#define FORM_COUNT (sizeof forms / sizeof forms[0])

struct mask {
    pcre2_code *code[FORM_COUNT];
    pcre2_match_context *limits;
};

struct mask *mask_new(void)
{
    struct mask *m = xcalloc(1, sizeof *m);

    m->limits = pcre2_match_context_create(NULL);
    if (m->limits)
        pcre2_set_match_limit(m->limits, MASK_MATCH_LIMIT);
    for (size_t i = 0; i < FORM_COUNT; i++) {
        int code = 0;
        PCRE2_SIZE at = 0;

        m->code[i] = pcre2_compile((PCRE2_SPTR)forms[i].pattern, PCRE2_ZERO_TERMINATED,
                                   PCRE2_UTF | PCRE2_NO_UTF_CHECK, &code, &at, NULL);
        if (!m->code[i])
            BUG("mask form \"%s\" does not compile at %zu (%d)", forms[i].name, at, code);
        pcre2_jit_compile(m->code[i], PCRE2_JIT_COMPLETE);
    }
    return m;
}

void mask_free(struct mask *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < FORM_COUNT; i++)
        pcre2_code_free(m->code[i]);
    pcre2_match_context_free(m->limits);
    free(m);
}

/*
 * Substitute one form. A text on which the matcher gives up is not passed on unmasked: the whole of it
 * is withheld.
 */
static char *apply(const struct mask *m, size_t i, struct arena *a, char *text,
                   size_t *count)
{
    PCRE2_SIZE cap = strlen(text) * 2 + 64;
    char *out = arena_alloc(a, cap);
    uint32_t options =
        PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH | PCRE2_NO_UTF_CHECK;
    int n;

    for (int tries = 0;; tries++) {
        PCRE2_SIZE len = cap;

        n = pcre2_substitute(m->code[i], (PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0,
                             options, NULL, m->limits, (PCRE2_SPTR)forms[i].with,
                             PCRE2_ZERO_TERMINATED, (PCRE2_UCHAR *)out, &len);
        if (n != PCRE2_ERROR_NOMEMORY || tries > 0)
            break;
        cap = len + 1;
        out = arena_alloc(a, cap);
    }
    if (n < 0) {
        *count += 1;
        return arena_str(a, "[text withheld: it could not be checked for secrets]");
    }
    *count += (size_t)n;
    return n ? out : text;
}

/* Cut long ones at white space where there is some near, so that no secret is cut into two halves of
   which the first is no longer recognised. */
static size_t bounded(const char *text, size_t n)
{
    size_t at = MASK_MAX_INPUT;

    if (n <= MASK_MAX_INPUT)
        return n;
    while (at > MASK_MAX_INPUT - MASK_CUT_BACK && text[at] != ' ' && text[at] != '\n')
        at--;
    return at > MASK_MAX_INPUT - MASK_CUT_BACK ? at : MASK_MAX_INPUT - MASK_CUT_BACK;
}

char *mask_text(const struct mask *m, struct arena *a, const char *text, size_t *count)
{
    size_t total = 0;
    char *s = text_repair_utf8(a, text, bounded(text, strlen(text)), NULL);

    for (size_t i = 0; i < FORM_COUNT; i++)
        s = apply(m, i, a, s, &total);
    if (count)
        *count += total;
    return s;
}
