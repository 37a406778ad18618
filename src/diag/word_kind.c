/*
 * What a single word of a message is: a path, an address, a duration, a generated name.
 */
#include "diag/word_kind.h"
#include "base/arena.h"
#include "base/text.h"
#include <ctype.h>
#include <string.h>

#include "base/banned.h"

bool word_in_list(const char *w, const char *const *list)
{
    for (; *list; list++)
        if (text_ieq(w, *list))
            return true;
    return false;
}

bool word_is_all(const char *w, const char *set)
{
    return *w && w[strspn(w, set)] == '\0';
}

void word_count(const char *w, size_t *digits, size_t *letters)
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

    return dot && dot > w && word_in_list(dot + 1, exts) && !word_in_list(w, products);
}

bool word_is_path(const char *w)
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
const char *word_without_position(struct arena *a, const char *name)
{
    char *w = arena_str(a, name), *c = strrchr(w, ':');

    while (c && c > w && word_is_all(c + 1, "0123456789")) {
        *c = '\0';
        c = strrchr(w, ':');
    }
    return w;
}

bool word_is_ipv4(const char *w)
{
    size_t dots = 0;
    const char *p = w;

    for (; isdigit((unsigned char)*p) || *p == '.'; p++)
        dots += *p == '.';
    return dots == 3 && (*p == '\0' || *p == ':');
}

bool word_is_email(const char *w)
{
    const char *at = strchr(w, '@'), *dot = at ? strrchr(at, '.') : NULL;

    return at && at > w && dot && dot > at + 1 && isalpha((unsigned char)dot[1]) &&
           !strchr(at, '/');
}

bool word_is_identifier(const char *w)
{
    size_t digits, letters, n = strlen(w);

    word_count(w, &digits, &letters);
    if (n >= 8 && word_is_all(w, "0123456789abcdefABCDEF") && digits && letters >= 2)
        return true;
    if (n >= 32 && word_is_all(w, "0123456789abcdefABCDEF-") && digits)
        return true;
    return n >= 12 && digits >= 3 && letters >= 3 &&
           word_is_all(w, "0123456789abcdefghijklmnopqrstuvwxyz"
                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

bool word_is_unit(const char *w)
{
    static const char *const units[] = {
        "KB",     "MB",  "GB",    "TB",      "KiB",    "MiB", "GiB",  "TiB",
        "PiB",    "EiB", "Gb",    "Mb",      "Kb",     "s",   "ms",   "us",
        "ns",     "sec", "secs",  "seconds", "second", "min", "mins", "minutes",
        "minute", "h",   "hours", "%",       NULL};

    return word_in_list(w, units);
}

bool word_names_value(const char *before)
{
    static const char *const words[] = {
        "id",      "user",   "customer", "job",     "task",   "thread",  "pid",
        "process", "worker", "request",  "session", "email",  "account", "tenant",
        "order",   "run",    "batch",    "row",     "record", "chunk",   "partition",
        "shard",   "step",   "epoch",    NULL};

    return word_in_list(before, words);
}

bool word_names_file(const char *before)
{
    static const char *const words[] = {
        "directory", "open",     "unlink", "stat",  "lstat", "scandir", "mkdir", "rmdir",
        "rename",    "copyfile", "access", "watch", "file",  "folder",  "path",  NULL};

    return word_in_list(before, words);
}

bool word_names_host(const char *before)
{
    static const char *const words[] = {
        "host",        "resolve",   "resolving",
        "ENOTFOUND",   "EAI_AGAIN", "lookup",
        "hostname",    "server",    "UnknownHostException",
        "getaddrinfo", "to",        NULL};

    return word_in_list(before, words);
}

/* How often letters and digits take turns: "DfG3k2" 3, "resnet50" 1. */
static size_t turns(const char *s, size_t n)
{
    size_t count = 0;

    for (size_t i = 1; i < n; i++)
        count += (isdigit((unsigned char)s[i]) != 0) !=
                 (isdigit((unsigned char)s[i - 1]) != 0);
    return count;
}

/* Is this part of a name made by a program: digits, or letters and digits mixed? */
bool word_is_generated(const char *s, size_t n)
{
    size_t digits = 0, hex = 0;

    for (size_t i = 0; i < n; i++) {
        digits += isdigit((unsigned char)s[i]) != 0;
        hex += isxdigit((unsigned char)s[i]) != 0;
    }
    if (digits == n)
        return n >= 3;
    if (n == 11 && strncmp(s, "tmp", 3) == 0)
        return true; /* Python's tempfile: tmp and eight more */
    return (n >= 6 && turns(s, n) >= 3) || (n >= 8 && hex == n && digits >= 2);
}

/* A part of a name that clusters make: consonants and digits without an order. */
static bool is_cluster_suffix(const char *s, size_t n)
{
    return n == 5 && strspn(s, "bcdfghjklmnpqrstvwxz2456789") >= 5;
}

/* "web-7d4b9c6f5-x2x9z" -> "web-#-#": parts that mix letters and digits. */
char *word_without_generated(struct arena *a, const char *word)
{
    char *out = arena_str(a, word), *w = out;
    bool was_generated = false;

    for (const char *p = word; *p;) {
        size_t n = strcspn(p, "-");
        bool mixed = strspn(p, "0123456789") < n && word_is_generated(p, n);
        was_generated = mixed || (was_generated && is_cluster_suffix(p, n));
        if (was_generated) {
            *w++ = '#';
        } else {
            memmove(w, p, n);
            w += n;
        }
        p += n;
        if (*p)
            *w++ = *p++;
    }
    *w = '\0';
    return out;
}

/* "1m23s", "2h05m" */
bool word_is_duration(const char *w)
{
    const char *p = w;

    while (isdigit((unsigned char)*p)) {
        p += strspn(p, "0123456789.");
        if (!*p || !strchr("dhms", *p))
            return false;
        p += 1 + (p[0] == 'm' && p[1] == 's');
    }
    return p > w && !*p;
}

bool word_is_ipv6(const char *w)
{
    size_t colons = 0, digits = 0;

    for (const char *p = w; *p; p++) {
        if (!isxdigit((unsigned char)*p) && *p != ':')
            return false;
        colons += *p == ':';
        digits += isdigit((unsigned char)*p) != 0;
    }
    return colons >= 2 && digits;
}

/* "May" of "May 4, 2026": a word in other places. */
bool word_is_month(const char *w, const char *after)
{
    static const char *const names[] = {
        "Jan",  "Feb",  "Mar",    "Apr",       "May",     "Jun",      "Jul",      "Aug",
        "Sep",  "Oct",  "Nov",    "Dec",       "January", "February", "March",    "April",
        "June", "July", "August", "September", "October", "November", "December", NULL};

    return after[0] == ' ' && isdigit((unsigned char)after[1]) && word_in_list(w, names);
}
