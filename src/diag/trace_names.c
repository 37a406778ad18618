/*
 * Names in stack traces: what is shown of a function's name, and what belongs to a
 * runtime or library and not to the customer.
 */
#include "diag/trace_names.h"
#include "base/arena.h"
#include <string.h>

#include "base/banned.h"

/* Names this short are made by minifiers; each build gives them anew. */
#define MINIFIED_MAX 2

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');

    if (back && (!slash || back > slash))
        slash = back;
    return slash ? slash + 1 : path;
}

bool name_starts_with_any(const char *s, const char *const *list)
{
    for (; *list; list++)
        if (strncmp(s, *list, strlen(*list)) == 0)
            return true;
    return false;
}

bool path_is_library(const char *path)
{
    static const char *const parts[] = {"site-packages",
                                        "dist-packages",
                                        "/lib/python",
                                        "node_modules",
                                        "node:",
                                        "<frozen",
                                        "<__array",
                                        "<builtin",
                                        "<internal:",
                                        "<anonymous>",
                                        "/usr/lib",
                                        "/usr/local/lib",
                                        "/usr/local/go/",
                                        "/go/pkg/mod/",
                                        "/rustc/",
                                        ".cargo/registry",
                                        "/gems/",
                                        "/lib/ruby/",
                                        "/vendor/",
                                        "/usr/share/",
                                        "webpack:",
                                        "dart:",
                                        "package:flutter",
                                        "deno:",
                                        "ext:",
                                        ".pyx",
                                        ".pxi",
                                        "/.venv/lib",
                                        "/conda/lib",
                                        "/sysdeps/",
                                        "/opt/hostedtoolcache",
                                        "/snap/",
                                        NULL};
    static const char *const heads[] = {"internal/", "native",     "bun:",   "pyarrow/",
                                        "pandas/",   "numpy/",     "torch/", "asyncio/",
                                        "importlib", "libraries/", NULL};

    for (const char *const *p = parts; *p; p++)
        if (strstr(path, *p))
            return true;
    return name_starts_with_any(path, heads);
}

/* ---- names ---- */

/* The last `parts` components of a dotted name. */
const char *last_parts(const char *name, int parts)
{
    const char *p = name + strlen(name);

    while (p > name && parts > 0) {
        p--;
        if (*p == '.' && --parts == 0)
            return p + 1;
    }
    return name;
}

const char *short_kind(const char *kind)
{
    const char *dot = strrchr(kind, '.'), *colons = strstr(kind, "::"), *back;

    if (dot && dot[1])
        kind = dot + 1;
    for (;
         colons && strcmp(kind, "std::bad_alloc") != 0 && strncmp(kind, "std::", 5) != 0;
         colons = strstr(kind, "::"))
        kind = colons + 2;
    back = strrchr(kind, '\\');
    return back && back[1] ? back + 1 : kind;
}

const char *java_name(struct arena *a, const char *fn)
{
    const char *name = last_parts(fn, 2), *lambda = strstr(name, "lambda$"), *end;

    if (!lambda)
        return name;
    end = strchr(lambda + 7, '$');
    return end ? arena_fmt(a, "%.*s%.*s", (int)(lambda - name), name,
                           (int)(end - lambda - 7), lambda + 7)
               : name;
}

const char *go_name(struct arena *a, const char *fn)
{
    const char *slash = strrchr(fn, '/'), *dot;
    char *out, *w;

    fn = slash ? slash + 1 : fn;
    dot = strchr(fn, '.');
    fn = dot && dot[1] ? dot + 1 : fn;
    out = arena_str(a, fn);
    w = out;
    for (const char *p = out; *p; p++)
        if (*p != '(' && *p != ')' && *p != '*')
            *w++ = *p;
    *w = '\0';
    w = strstr(out, ".func");
    if (w && w > out)
        *w = '\0';
    w = strchr(out, '[');
    if (w && w > out)
        *w = '\0';
    return out;
}

const char *js_name(const char *fn, const char *file)
{
    static const char *const drop[] = {"Object.", "Module.", "Function.",
                                       "async ",  "global.", NULL};

    for (const char *const *d = drop; *d; d++)
        if (strncmp(fn, *d, strlen(*d)) == 0)
            fn += strlen(*d);
    if (strlen(fn) <= MINIFIED_MAX || strstr(fn, "<anonymous>") ||
        strcmp(fn, "eval") == 0)
        return path_base(file);
    return fn;
}

const char *ruby_name(const char *fn)
{
    static const char *const drop[] = {"block in ", "rescue in ", "ensure in ",
                                       "block (2 levels) in ", NULL};
    const char *hash;

    for (const char *const *d = drop; *d; d++)
        if (strncmp(fn, *d, strlen(*d)) == 0)
            fn += strlen(*d);
    hash = strrchr(fn, '#');
    if (hash && hash[1])
        return hash + 1;
    hash = strrchr(fn, '.');
    return hash && hash[1] ? hash + 1 : fn;
}

const char *php_name(const char *fn)
{
    const char *back = strrchr(fn, '\\');

    return back && back[1] ? back + 1 : fn;
}

bool java_is_library(const char *fn)
{
    static const char *const heads[] = {"java.",
                                        "javax.",
                                        "jdk.",
                                        "sun.",
                                        "com.sun.",
                                        "kotlin.",
                                        "kotlinx.",
                                        "scala.",
                                        "groovy.",
                                        "clojure.",
                                        "jakarta.",
                                        "org.springframework.",
                                        "org.apache.",
                                        "org.hibernate.",
                                        "com.google.",
                                        "com.fasterxml.",
                                        "io.netty.",
                                        "reactor.",
                                        "org.junit.",
                                        "org.gradle.",
                                        "okhttp3.",
                                        "akka.",
                                        "org.jetbrains.",
                                        "com.zaxxer.",
                                        "org.postgresql.",
                                        "com.mysql.",
                                        "ch.qos.",
                                        "org.slf4j.",
                                        "io.micronaut.",
                                        "io.quarkus.",
                                        "org.eclipse.",
                                        "io.grpc.",
                                        "com.amazonaws.",
                                        "software.amazon.",
                                        NULL};

    return name_starts_with_any(fn, heads);
}

/* Names that libraries use more than customers: taken only when there is no other. */
bool is_mostly_library(const char *fn)
{
    static const char *const heads[] = {"org.", "io.", "net.", NULL};

    return name_starts_with_any(fn, heads);
}

bool net_is_library(const char *fn)
{
    static const char *const heads[] = {"System.",   "Microsoft.", "Newtonsoft.",
                                        "Npgsql.",   "Xunit.",     "NUnit.",
                                        "Internal.", "Interop.",   NULL};

    return name_starts_with_any(fn, heads);
}

bool elixir_is_library(const char *app, const char *file)
{
    static const char *const apps[] = {
        "elixir",  "stdlib",    "kernel",        "mix",      "ex_unit", "ecto",
        "phoenix", "plug",      "db_connection", "postgrex", "jason",   "finch",
        "req",     "telemetry", "bandit",        "cowboy",   NULL};

    return (*app && name_starts_with_any(app, apps)) || strstr(file, "deps/");
}

/* An entry that ends with '.' or is a sign stands for all that begin with it. */
bool r_is_known(const char *name, const char *const *known)
{
    for (; *known; known++) {
        size_t n = strlen(*known);
        bool is_head = (*known)[n - 1] == '.' || strchr("[$%:", **known);
        if (is_head ? strncmp(name, *known, n) == 0 : strcmp(name, *known) == 0)
            return true;
    }
    return false;
}
