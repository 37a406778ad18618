/*
 * Takes the variable parts out of a message, word by word. A word is looked at with the
 * word before it, because a number after "Errno" names the cause and a number after
 * "timeout=" does not.
 */
#include "diag/normal.h"
#include "base/arena.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "diag/trace.h"
#include "diag/word_kind.h"
#include "diag/wording.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/banned.h"

#define WORD_MAX 512

static bool is_word_char(const char *s, size_t i)
{
    unsigned char c = (unsigned char)s[i];

    if (isalnum(c) || c >= 0x80 || strchr("_./\\@+~%-$", c))
        return c != '\0';
    if (c == ':')
        return i > 0 && s[i + 1] &&
               (isalnum((unsigned char)s[i + 1]) || s[i + 1] == ':' || s[i + 1] == '/') &&
               s[i + 1] != ' ';
    return false;
}

struct cursor { /* where in the text normal_message is */
    const char *text;
    size_t at;
    char before[WORD_MAX + 1]; /* the word before */
    char sep;                  /* the character before; 0: none but blanks or words */
    char sep2;                 /* the one before that */
    bool keeps_host;           /* the message is about one host: see is_about_host */
    bool keeps_versions;       /* its numbers are the sides of a conflict */
    bool drops_files;          /* which file it was says nothing: see is_about_any_file */
};

/* Numbers that name the cause: after these words, or in these places. */
static bool keeps_number(const char *before, char sep, const char *w, const char *after)
{
    static const char *const names[] = {
        "errno", "code",    "status", "signal",   "http",  "port", "exit", "sqlstate",
        "Error", "errcode", "E",      "http/1.1", "curl:", "curl", NULL};
    static const char *const sides[] = {"@", "<", ">", "^", "~", NULL};
    const char s[2] = {sep, '\0'};

    if (word_in_list(s, sides) && sep)
        return true;
    if (word_in_list(before, names))
        return strlen(w) <= 6;
    if (strlen(w) == 3 && (w[0] == '4' || w[0] == '5') &&
        (text_starts(after, " Client Error") || text_starts(after, " Server Error") ||
         text_starts(after, " Not Found") || text_starts(after, " Too Many") ||
         text_starts(after, " Unauthorized") || text_starts(after, " Forbidden") ||
         text_starts(after, " Service") || text_starts(after, " Bad ") ||
         text_starts(after, " Internal")))
        return true;
    if (strlen(w) == 3 && (w[0] == '4' || w[0] == '5') && !*before && after[0] == ' ' &&
        isupper((unsigned char)after[1]))
        return true; /* "429 Resource has been exhausted": a status begins the message */
    if (sep == '(' && (text_starts(after, ", \"") || text_starts(after, ", '")))
        return true; /* (1045, "Access denied"): a database's error number */
    return strchr(w, '.') && text_starts(after, " depends on");
}

/* "gen_0193" -> "gen_#": a generated suffix of three digits and more. */
static void cut_suffix(char *w)
{
    size_t n = strlen(w), d = n;

    while (d > 0 && isdigit((unsigned char)w[d - 1]))
        d--;
    if (!w[strspn(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")])
        return; /* "ERR_PNPM_FETCH_404": a code */
    if (n - d >= 3 && d > 1 && (w[d - 1] == '_' || w[d - 1] == '-') && !strchr(w, '@')) {
        w[d] = '#';
        w[d + 1] = '\0';
    }
}

static const char *port_of(const char *w)
{
    const char *c = strrchr(w, ':');

    return c && c[1] && word_is_all(c + 1, "0123456789") ? c : "";
}

/*
 * A name that does not exist and a service that does not answer name the cause. When names
 * cannot be looked up at all, or something refuses, the host says nothing (corpus: the port
 * of a refused connection stays).
 */
static bool is_about_host(const char *text)
{
    static const char *const signs[] = {
        "ENOTFOUND",    "not known",   "no such host", "No such host",
        "not resolve",  "n't resolve", "timed out",    "NXDOMAIN",
        "UnknownHost",  "ETIMEDOUT",   "Unknown host", "lookup address information",
        "NOT_RESOLVED", NULL};

    if (strstr(text, "emporary failure") || strstr(text, "efused") ||
        strstr(text, "EAI_AGAIN"))
        return false;
    for (const char *const *s = signs; *s; s++)
        if (strstr(text, *s))
            return true;
    return false;
}

/* Which file was one too many is chance. */
static bool is_about_any_file(const char *text)
{
    return strstr(text, "oo many open files") || strstr(text, "EMFILE") ||
           strstr(text, "ENFILE");
}

/* "System.Int32" is the name of a type, not of a host. */
static bool has_capital(const char *w)
{
    return strpbrk(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
}

/* Its parts between the marks, those that go as '#'. */
static char *without(struct arena *a, const char *text, const char *marks,
                     bool (*goes)(const char *part, size_t n))
{
    struct sbuf out;
    char *result;

    sbuf_init(&out, (size_t)NORMAL_MAX * 4);
    for (const char *p = text; *p && out.len < NORMAL_MAX;) {
        size_t n = strcspn(p, marks);
        if (n && goes(p, n))
            sbuf_adds(&out, "#");
        else
            sbuf_add(&out, p, n);
        p += n;
        if (*p)
            sbuf_addch(&out, *p++);
    }
    result = arena_str(a, out.s);
    sbuf_release(&out);
    return result;
}

static bool is_number(const char *part, size_t n)
{
    return n >= 2 && strspn(part, "0123456789") >= n;
}

/* A host without what was generated for one customer: "3000-i8f2k1c9d.e2b.app". */
static const char *normal_host(struct arena *a, const char *host)
{
    return without(a, host, ".-:", word_is_generated);
}

/* "org-AbC123", "req_011CT": identifiers that tell what they identify. */
static bool is_prefixed_identifier(const char *w)
{
    static const char *const heads[] = {"org-",  "org_",  "proj_", "req_", "req-", "cus_",
                                        "acct_", "resp_", "msg_",  "usr_", "key-", NULL};

    for (const char *const *h = heads; *h; h++)
        if (text_starts(w, *h) &&
            strpbrk(w + strlen(*h), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            return true;
    return false;
}

/* Java without debug information numbers its variables: "<local4>". */
static bool is_local_slot(const char *w, char sep)
{
    return sep == '<' && text_starts(w, "local") && word_is_all(w + 5, "0123456789");
}

/* "12-element Vector", "7-byte read": how much data there was. */
static const char *counted_noun(const char *w)
{
    static const char *const nouns[] = {"element",   "byte", "row",    "column", "char",
                                        "character", "item", "record", "line",   NULL};
    size_t n = strspn(w, "0123456789");

    for (const char *const *noun = nouns; n && w[n] == '-' && *noun; noun++)
        if (strcmp(w + n + 1, *noun) == 0)
            return *noun;
    return NULL;
}

/* "764.8 MiB/764.8 MiB": the word in the middle. */
static bool is_unit_and_number(struct arena *a, const char *w)
{
    size_t n = strcspn(w, "/");

    return w[n] && word_is_all(w + n + 1, "0123456789.,") &&
           word_is_unit(arena_strn(a, w, n));
}

/* What stands for the word; may be the word itself, changed in place. */
static const char *replace(struct arena *a, const struct cursor *c, char *w, char sep,
                           char quote)
{
    const char *before = c->before, *after = c->text + c->at;
    size_t n = strlen(w), digits, letters;

    word_count(w, &digits, &letters);
    if (strstr(w, "://"))
        return "<url>";
    if (word_is_ipv4(w))
        return arena_fmt(a, "#%s", port_of(w));
    if (text_starts(w, "::1:") && word_is_all(w + 4, "0123456789"))
        return arena_fmt(a, "#%s", port_of(w)); /* this machine, like 127.0.0.1 */
    if (word_is_email(w) || is_prefixed_identifier(w) || is_local_slot(w, sep) ||
        is_unit_and_number(a, w))
        return "#";
    if (text_starts(w, "0x") && n > 2)
        return "#";
    if (n > 9 && strchr(w, '+') && word_is_all(w, "0123456789abcdef+"))
        return "#"; /* "libx.so[7f31a2c00000+21000]": where a library lies */
    if (text_starts(w, ":::") || (strlen(port_of(w)) > 1 && text_ieq(before, "address")))
        return w;
    if (text_starts(w, "/dev/shm"))
        return "dev_shm"; /* a full shared-memory file system is not a full disk */
    if (strcmp(w, "nil:NilClass") == 0)
        return "nil"; /* Ruby before 3.4 */
    if (quote && (text_ieq(before, "float") || text_ieq(before, "10")))
        return "#"; /* "could not convert string to float: '12,5'" */
    if (quote && text_ieq(before, "module") && text_starts(w, "."))
        return path_base(w); /* which of the customer's own modules is missing */
    if (!*before && !sep && (*w == '/' || text_starts(w, "./")) &&
        text_starts(after, ": ") && !strchr(path_base(w), '.'))
        return path_base(w); /* "/opt/a/ffmpeg: ...": the program that speaks */
    if (c->drops_files && letters && (quote || strchr(w, '/')))
        return "<file>";
    if (word_is_path(word_without_position(a, w)) || (quote && word_names_file(before)))
        return "<file>";
    if (word_names_host(before) && letters && !has_capital(w) &&
        (strchr(w, '.') || *port_of(w)))
        return c->keeps_host ? normal_host(a, w) : arena_fmt(a, "<host>%s", port_of(w));
    if (digits && !letters && word_is_all(w, "0123456789.,:/+-_%T~$"))
        return keeps_number(before, sep, w, after) ||
                       (c->keeps_versions && strchr(w, '.'))
                   ? w
                   : "#";
    if (isdigit((unsigned char)w[0]) && letters && letters <= 3 && digits &&
        word_is_unit(w + strspn(w, "0123456789.")))
        return "#";
    if (isdigit((unsigned char)w[0]) && strlen(w) > 9 && w[4] == '-')
        return "#"; /* a date with a time glued to it */
    if (counted_noun(w))
        return arena_fmt(a, "#-%s", counted_noun(w));
    if (word_is_duration(w) || word_is_ipv6(w) || word_is_month(w, after))
        return "#";
    if (strchr(w, '-') && letters && digits && !word_is_identifier(w) && !strchr(w, '@'))
        w = word_without_generated(a, w);
    if (word_is_identifier(w) || (digits && word_names_value(before) && strlen(w) > 1))
        return "#";
    if (strchr(w, '/') && letters && digits)
        w = without(a, w, "/", is_number); /* "orders/8812", "jobs/17/log" */
    cut_suffix(w);
    return w;
}

static void emit(struct sbuf *out, const char *w)
{
    bool is_hash = strcmp(w, "#") == 0;
    size_t k = out->len;

    /* "#, #, #": one is enough */
    if (is_hash) {
        while (k > 0 && strchr(" ,x", out->s[k - 1]))
            k--;
        if (k > 0 && out->s[k - 1] == '#') {
            out->len = k;
            out->s[k] = '\0';
            return;
        }
    }
    sbuf_adds(out, w);
}

/* Takes the next word; false when another character stands there. */
static bool next_word(struct cursor *c, char word[WORD_MAX + 1])
{
    size_t n = 0;

    while (n < WORD_MAX && is_word_char(c->text, c->at + n) &&
           !text_starts(c->text + c->at + n, "\xe2\x80\x98") &&
           !text_starts(c->text + c->at + n, "\xe2\x80\x99") &&
           !text_starts(c->text + c->at + n, "\xe2\x80\x9c") &&
           !text_starts(c->text + c->at + n, "\xe2\x80\x9d"))
        n++;
    if (n == 0)
        return false;
    memcpy(word, c->text + c->at, n);
    word[n] = '\0';
    c->at += n;
    while (n > 1 &&
           strchr(".-", word[n - 1])) { /* the end of a sentence is no part of it */
        bool is_number = word_is_all(word, "0123456789.");
        word[--n] = '\0';
        c->at -= !is_number;
    }
    return true;
}

/* ">= 6.1", "~> 8.0": a version with a blank before it, in a dependency. */
static bool is_spaced_bound(const struct cursor *c, const char *word,
                            const struct sbuf *out)
{
    size_t n = out->len;

    return n >= 3 && out->s[n - 1] == ' ' && strchr("=<>~", out->s[n - 2]) &&
           strchr(word, '.') && strstr(c->text, " depends on ");
}

static void put_word(struct arena *a, struct cursor *c, char *word, struct sbuf *out)
{
    char keep[WORD_MAX + 1];
    char quote = (c->sep == '\'' || c->sep == '"') ? c->sep : '\0';
    char sep = c->sep;
    const char *shown;

    if (word_is_unit(word) && out->len >= 2 &&
        strncmp(out->s + out->len - 2, "# ", 2) == 0) {
        out->s[--out->len] = '\0';
        return;
    }
    if (sep == '=' && c->sep2 && strchr("=<>~!", c->sep2))
        sep = '@'; /* "==2.9.1", "<=2": one side of a conflict */
    if (is_spaced_bound(c, word, out))
        sep = '@';
    memcpy(keep, word, strlen(word) + 1);
    shown = replace(a, c, word, sep, quote);
    emit(out, shown);
    if (strcmp(shown, "<url>") == 0) /* its query goes, too */
        c->at += strcspn(c->text + c->at, " \t'\")>,");
    memcpy(c->before, keep, strlen(keep) + 1);
}

/* "[::1]:6379": an address in brackets goes like any other. */
static bool put_bracketed(struct cursor *c, struct sbuf *out)
{
    const char *s = c->text + c->at;
    size_t n = *s == '[' ? 1 + strspn(s + 1, "0123456789abcdefABCDEF:.%") : 0;

    if (n < 4 || s[n] != ']' || !memchr(s, ':', n))
        return false;
    sbuf_addch(out, '#');
    c->at += n + 1;
    if (s[n + 1] == ':' && isdigit((unsigned char)s[n + 2])) {
        n = 2 + strspn(s + n + 2, "0123456789");
        sbuf_add(out, c->text + c->at, n - 1);
        c->at += n - 1;
    }
    return true;
}

/* What a map of Elixir holds is data: "%{id: 4}". */
static bool put_map(struct cursor *c, struct sbuf *out)
{
    const char *s = c->text + c->at;

    if (!text_starts(s, "%{"))
        return false;
    sbuf_adds(out, "%{}");
    c->at += strcspn(s, "}");
    c->at += c->text[c->at] == '}';
    return true;
}

/* Quotes of another locale. */
static bool put_quote(struct cursor *c, struct sbuf *out)
{
    static const char *const single[] = {"\xe2\x80\x98", "\xe2\x80\x99", NULL};
    static const char *const twofold[] = {"\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x9e",
                                          NULL};
    const char *s = c->text + c->at;
    char ch = '\0';

    for (const char *const *q = single; *q; q++)
        ch = text_starts(s, *q) ? '\'' : ch;
    for (const char *const *q = twofold; *q; q++)
        ch = text_starts(s, *q) ? '"' : ch;
    if (!ch)
        return false;
    sbuf_addch(out, ch);
    c->at += 3;
    c->sep2 = c->sep;
    c->sep = ch;
    return true;
}

static void put_other(struct cursor *c, struct sbuf *out)
{
    char ch = c->text[c->at++];
    bool is_space = isspace((unsigned char)ch) != 0;

    if (ch == '`')
        ch = '\''; /* quotes changed between versions of Ruby */
    if (!is_space || (out->len && out->s[out->len - 1] != ' '))
        sbuf_addch(out, is_space ? ' ' : ch);
    c->sep2 = c->sep;
    c->sep = ch;
}

/* Marks that tools put before their messages. */
static const char *past_marks(const char *text)
{
    while ((unsigned char)*text >= 0x80 || *text == ' ' || *text == '\t' || *text == '*')
        text++;
    return text;
}

/* What is left of times, process numbers and bars at the start says nothing. */
static const char *past_leftovers(const char *s)
{
    static const char *const marks[] = {"# ", "[#] ", "| ", "- ", "(#) ", NULL};

    for (const char *before = NULL; before != s;) {
        before = s;
        for (const char *const *m = marks; *m; m++)
            if (text_starts(s, *m))
                s += strlen(*m);
    }
    return s;
}

const char *normal_message(struct arena *a, const char *raw)
{
    const char *text = wording_of_now(a, raw);
    struct cursor c = {.text = past_marks(text),
                       .keeps_host = is_about_host(text),
                       .keeps_versions = strstr(text, "class file version") != NULL,
                       .drops_files = is_about_any_file(text)};
    char word[WORD_MAX + 1];
    struct sbuf out;
    char *result;

    sbuf_init(&out, (size_t)NORMAL_MAX * 4);
    if (text_starts(c.text, "npm ERR!") || text_starts(c.text, "npm error")) {
        sbuf_adds(&out, "npm"); /* the prefix changed between versions */
        c.at = strlen("npm error") - (c.text[4] == 'E');
    }
    while (c.text[c.at] && out.len < NORMAL_MAX) {
        if (text_starts(c.text + c.at, ". Tried to allocate"))
            break; /* amounts of a graphics card follow, in the words of each version */
        if (put_map(&c, &out) || put_quote(&c, &out) || put_bracketed(&c, &out))
            continue;
        if (next_word(&c, word)) {
            put_word(a, &c, word, &out);
            c.sep = c.sep2 = '\0';
        } else {
            put_other(&c, &out);
        }
    }
    while (out.len && strchr(" .,:;", out.s[out.len - 1]))
        out.s[--out.len] = '\0';
    result = text_trim(a, past_leftovers(out.s));
    sbuf_release(&out);
    return result;
}

const char *normal_file(struct arena *a, const char *name)
{
    return without(a, name, "-_.~@ ", word_is_generated);
}
