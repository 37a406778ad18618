/*
 * Takes the variable parts out of a message, word by word. A word is looked at with the
 * word before it, because a number after "Errno" names the cause and a number after
 * "timeout=" does not.
 */
#include "diag/normal.h"
#include "base/arena.h"
#include "base/sbuf.h"
#include "base/text.h"
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

static bool in_list(const char *w, const char *const *list)
{
    for (; *list; list++)
        if (text_ieq(w, *list))
            return true;
    return false;
}

static bool is_all(const char *w, const char *set)
{
    return *w && w[strspn(w, set)] == '\0';
}

static void count_chars(const char *w, size_t *digits, size_t *letters)
{
    *digits = *letters = 0;
    for (; *w; w++) {
        *digits += isdigit((unsigned char)*w) != 0;
        *letters += isalpha((unsigned char)*w) != 0;
    }
}

static bool has_extension(const char *w)
{
    static const char *const exts[] = {
        "csv",   "json",    "jsonl",  "ndjson",  "tsv",         "txt",  "parquet", "png",
        "jpg",   "jpeg",    "gif",    "svg",     "webp",        "pdf",  "xlsx",    "xls",
        "docx",  "pptx",    "md",     "rst",     "html",        "htm",  "css",     "scss",
        "js",    "mjs",     "cjs",    "ts",      "tsx",         "jsx",  "yaml",    "yml",
        "xml",   "db",      "sqlite", "sqlite3", "log",         "bin",  "zip",     "gz",
        "tgz",   "tar",     "bz2",    "xz",      "7z",          "mp4",  "mp3",     "mov",
        "wav",   "webm",    "avi",    "npy",     "npz",         "pkl",  "pickle",  "h5",
        "hdf5",  "pt",      "pth",    "onnx",    "safetensors", "toml", "ini",     "cfg",
        "conf",  "sh",      "py",     "ipynb",   "rb",          "php",  "go",      "rs",
        "java",  "kt",      "c",      "cc",      "cpp",         "h",    "hpp",     "cs",
        "r",     "jl",      "ex",     "exs",     "pl",          "lua",  "sql",     "env",
        "lock",  "pem",     "key",    "crt",     "tmp",         "bak",  "out",     "dat",
        "arrow", "feather", "avro",   "wasm",    "lp",          "mps",  "tif",     "tiff",
        "map",   "geojson", "shp",    "dll",     "exe",         "pid",  "sock",    "part",
        "model", "ckpt",    "gguf",   "hs",      "ml",          "zig",  "dart",    "clj",
        "scala", "swift",   "vue",    "svelte",  "erl",         "f90",  NULL};
    static const char *const products[] = {"Next.js",  "Node.js", "Vue.js", "Nuxt.js",
                                           "Three.js", "D3.js",   NULL};
    const char *dot = strrchr(w, '.');

    return dot && dot > w && in_list(dot + 1, exts) && !in_list(w, products);
}

static bool is_path(const char *w)
{
    if (strstr(w, ".so"))
        return w[0] == '/'; /* a library's name stays; its folder goes with the whole */
    if (w[0] == '/' && (isalnum((unsigned char)w[1]) || w[1] == '.' || w[1] == '_'))
        return true;
    if (text_starts(w, "./") || text_starts(w, "../") || text_starts(w, "~/") ||
        (isalpha((unsigned char)w[0]) && w[1] == ':' && (w[2] == '\\' || w[2] == '/')))
        return true;
    return has_extension(w);
}

/* A file's name without ":12", ":12:5" at its end. */
static const char *without_position(struct arena *a, const char *name)
{
    char *w = arena_str(a, name), *c = strrchr(w, ':');

    while (c && c > w && is_all(c + 1, "0123456789")) {
        *c = '\0';
        c = strrchr(w, ':');
    }
    return w;
}

static bool is_ipv4(const char *w)
{
    size_t dots = 0;
    const char *p = w;

    for (; isdigit((unsigned char)*p) || *p == '.'; p++)
        dots += *p == '.';
    return dots == 3 && (*p == '\0' || *p == ':');
}

static bool is_email(const char *w)
{
    const char *at = strchr(w, '@'), *dot = at ? strrchr(at, '.') : NULL;

    return at && at > w && dot && dot > at + 1 && isalpha((unsigned char)dot[1]) &&
           !strchr(at, '/');
}

static bool is_identifier(const char *w)
{
    size_t digits, letters, n = strlen(w);

    count_chars(w, &digits, &letters);
    if (n >= 8 && is_all(w, "0123456789abcdefABCDEF") && digits && letters >= 2)
        return true;
    if (n >= 32 && is_all(w, "0123456789abcdefABCDEF-") && digits)
        return true;
    return n >= 12 && digits >= 3 && letters >= 3 &&
           is_all(w, "0123456789abcdefghijklmnopqrstuvwxyz"
                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

/* Numbers that name the cause: after these words, or in these places. */
static bool keeps_number(const char *before, char sep, const char *w, const char *after)
{
    static const char *const names[] = {
        "errno", "code",    "status", "signal",   "http",  "port", "exit", "sqlstate",
        "Error", "errcode", "E",      "http/1.1", "curl:", "curl", NULL};
    static const char *const sides[] = {"@", "<", ">", "^", "~", NULL};
    const char s[2] = {sep, '\0'};

    if (in_list(s, sides) && sep)
        return true;
    if (in_list(before, names))
        return strlen(w) <= 6;
    if (strlen(w) == 3 && (w[0] == '4' || w[0] == '5') &&
        (text_starts(after, " Client Error") || text_starts(after, " Server Error") ||
         text_starts(after, " Not Found") || text_starts(after, " Too Many") ||
         text_starts(after, " Unauthorized") || text_starts(after, " Forbidden") ||
         text_starts(after, " Service") || text_starts(after, " Bad ") ||
         text_starts(after, " Internal")))
        return true;
    return strchr(w, '.') && text_starts(after, " depends on");
}

static bool is_unit(const char *w)
{
    static const char *const units[] = {
        "KB",     "MB",  "GB",    "TB",      "KiB",    "MiB", "GiB",  "TiB",
        "PiB",    "EiB", "Gb",    "Mb",      "Kb",     "s",   "ms",   "us",
        "ns",     "sec", "secs",  "seconds", "second", "min", "mins", "minutes",
        "minute", "h",   "hours", "%",       NULL};

    return in_list(w, units);
}

static bool is_value_word(const char *before)
{
    static const char *const words[] = {
        "id",      "user",   "customer", "job",     "task",   "thread",  "pid",
        "process", "worker", "request",  "session", "email",  "account", "tenant",
        "order",   "run",    "batch",    "row",     "record", "chunk",   "partition",
        "shard",   "step",   "epoch",    NULL};

    return in_list(before, words);
}

static bool is_file_word(const char *before)
{
    static const char *const words[] = {
        "directory", "open",     "unlink", "stat",  "lstat", "scandir", "mkdir", "rmdir",
        "rename",    "copyfile", "access", "watch", "file",  "folder",  "path",  NULL};

    return in_list(before, words);
}

static bool is_host_word(const char *before)
{
    static const char *const words[] = {
        "host",        "resolve",   "resolving",
        "ENOTFOUND",   "EAI_AGAIN", "lookup",
        "hostname",    "server",    "UnknownHostException",
        "getaddrinfo", "to",        NULL};

    return in_list(before, words);
}

/* "gen_0193" -> "gen_#": a generated suffix of three digits and more. */
static void cut_suffix(char *w)
{
    size_t n = strlen(w), d = n;

    while (d > 0 && isdigit((unsigned char)w[d - 1]))
        d--;
    if (n - d >= 3 && d > 1 && (w[d - 1] == '_' || w[d - 1] == '-') && !strchr(w, '@')) {
        w[d] = '#';
        w[d + 1] = '\0';
    }
}

static const char *port_of(const char *w)
{
    const char *c = strrchr(w, ':');

    return c && c[1] && is_all(c + 1, "0123456789") ? c : "";
}

/* What stands for the word; may be the word itself, changed in place. */
static const char *replace(struct arena *a, char *w, const char *before, char sep,
                           char quote, const char *after)
{
    size_t n = strlen(w), digits, letters;

    count_chars(w, &digits, &letters);
    if (strstr(w, "://"))
        return "<url>";
    if (is_ipv4(w))
        return arena_fmt(a, "#%s", port_of(w));
    if (is_email(w))
        return "#";
    if (text_starts(w, "0x") && n > 2)
        return "#";
    if (text_starts(w, ":::") || (strlen(port_of(w)) > 1 && text_ieq(before, "address")))
        return w;
    if (text_starts(w, "/dev/shm"))
        return "dev_shm"; /* a full shared-memory file system is not a full disk */
    if (strcmp(w, "nil:NilClass") == 0)
        return "nil"; /* Ruby before 3.4 */
    if (quote && (text_ieq(before, "float") || text_ieq(before, "10")))
        return "#"; /* "could not convert string to float: '12,5'" */
    if (is_path(without_position(a, w)) || (quote && is_file_word(before)))
        return "<file>";
    if (is_host_word(before) && letters && (strchr(w, '.') || *port_of(w)))
        return arena_fmt(a, "<host>%s", port_of(w));
    if (digits && !letters && is_all(w, "0123456789.,:/+-_%T~$"))
        return keeps_number(before, sep, w, after) ? w : "#";
    if (isdigit((unsigned char)w[0]) && letters && letters <= 3 && digits &&
        is_unit(w + strspn(w, "0123456789.")))
        return "#";
    if (isdigit((unsigned char)w[0]) && strlen(w) > 9 && w[4] == '-')
        return "#"; /* a date with a time glued to it */
    if (is_identifier(w) || (digits && is_value_word(before) && strlen(w) > 1))
        return "#";
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

struct cursor { /* where in the text normal_message is */
    const char *text;
    size_t at;
    char before[WORD_MAX + 1]; /* the word before */
    char sep;                  /* the character before; 0: none but blanks or words */
    char sep2;                 /* the one before that */
};

/* Takes the next word; false when another character stands there. */
static bool next_word(struct cursor *c, char word[WORD_MAX + 1])
{
    size_t n = 0;

    while (n < WORD_MAX && is_word_char(c->text, c->at + n))
        n++;
    if (n == 0)
        return false;
    memcpy(word, c->text + c->at, n);
    word[n] = '\0';
    c->at += n;
    while (n > 1 &&
           strchr(".-", word[n - 1])) { /* the end of a sentence is no part of it */
        bool is_number = is_all(word, "0123456789.");
        word[--n] = '\0';
        c->at -= !is_number;
    }
    return true;
}

static void put_word(struct arena *a, struct cursor *c, char *word, struct sbuf *out)
{
    char keep[WORD_MAX + 1];
    char quote = (c->sep == '\'' || c->sep == '"') ? c->sep : '\0';
    char sep = c->sep;
    const char *shown;

    if (is_unit(word) && out->len >= 2 && strncmp(out->s + out->len - 2, "# ", 2) == 0) {
        out->s[--out->len] = '\0';
        return;
    }
    if (sep == '=' && c->sep2 && strchr("=<>~!", c->sep2))
        sep = '@'; /* "==2.9.1", "<=2": one side of a conflict */
    memcpy(keep, word, strlen(word) + 1);
    shown = replace(a, word, c->before, sep, quote, c->text + c->at);
    emit(out, shown);
    if (strcmp(shown, "<url>") == 0) /* its query goes, too */
        c->at += strcspn(c->text + c->at, " \t'\")>,");
    memcpy(c->before, keep, strlen(keep) + 1);
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

const char *normal_message(struct arena *a, const char *text)
{
    struct cursor c = {.text = past_marks(text)};
    char word[WORD_MAX + 1];
    struct sbuf out;
    char *result;

    sbuf_init(&out, (size_t)NORMAL_MAX * 4);
    if (text_starts(c.text, "npm ERR!") || text_starts(c.text, "npm error")) {
        sbuf_adds(&out, "npm"); /* the prefix changed between versions */
        c.at = strlen("npm error") - (c.text[4] == 'E');
    }
    while (c.text[c.at] && out.len < NORMAL_MAX) {
        if (next_word(&c, word)) {
            put_word(a, &c, word, &out);
            c.sep = c.sep2 = '\0';
        } else {
            put_other(&c, &out);
        }
    }
    while (out.len && strchr(" .,:;", out.s[out.len - 1]))
        out.s[--out.len] = '\0';
    result = text_trim(a, arena_str(a, out.s));
    sbuf_release(&out);
    return result;
}
