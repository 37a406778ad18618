/*
 * Stack traces: kind of error, message, and the innermost frame of the customer's own
 * code. With chained errors the original cause counts, not the wrapper (corpus,
 * "Signatures").
 */
#include "diag/trace.h"
#include "base/arena.h"
#include "base/text.h"
#include "diag/trace_names.h"
#include <string.h>

#include "base/banned.h"

#define SUBJECT_MAX 120 /* longer lines are no name (ours), bytes */

/* ---- frames ---- */

static void set_frame(struct piece *p, const char *frame, bool is_final)
{
    if (p->has_frame || (p->is_wrapper && *p->frame))
        return;
    p->frame = frame;
    p->has_frame = is_final && !p->is_wrapper;
}

static void python_frame(struct piece *p, const char *file, const char *fn,
                         bool innermost_first)
{
    bool is_top =
        strcmp(fn, "<module>") == 0 || !*fn || strcmp(fn, "<cell line: 1>") == 0;
    const char *base = path_base(file);

    if (path_is_library(file) || strcmp(file, "<string>") == 0 ||
        strcmp(file, "<stdin>") == 0)
        return;
    if (*fn == '<' && !is_top && *p->frame)
        return; /* <lambda>, <listcomp>: the function around it was named before */
    if (*fn == '<' && !is_top)
        is_top = true;
    if (strncmp(file, "<ipython", 8) == 0 || strncmp(base, "ipykernel", 9) == 0 ||
        strncmp(file, "Cell", 4) == 0)
        base = "notebook cell";
    set_frame(p, is_top ? base : fn, innermost_first);
}

static void rust_frame(struct arena *a, struct piece *p, const char *fn)
{
    static const char *const heads[] = {
        "std::", "core::", "alloc::", "rust_", "_start",      "__",   "<alloc",
        "<core", "<std",   "tokio::", "rayon", "backtrace::", "main", NULL};
    const char *name = fn;

    if (name_starts_with_any(fn, heads) || !strstr(fn, "::"))
        return;
    for (const char *c = strstr(fn, "::"); c; c = strstr(c + 2, "::"))
        if (c[2] && c[2] != '{')
            name = c + 2;
    name = arena_strn(a, name, strcspn(name, ":<{"));
    if (p->has_frame || !*name)
        return;
    p->frame = *p->frame ? arena_fmt(a, "%s (%s)", name, p->frame) : name;
    p->has_frame = true;
}

/* A function of R itself, or of its own packages, by its beginning. */
static bool is_of_r(const char *name)
{
    static const char *const known[] = {"as.",
                                        "is.",
                                        "read.",
                                        "write.",
                                        "matrix",
                                        "array",
                                        "vector",
                                        "lapply",
                                        "sapply",
                                        "vapply",
                                        "mapply",
                                        "apply",
                                        "do.call",
                                        "eval",
                                        "source",
                                        "withVisible",
                                        "tryCatch",
                                        "try",
                                        "stop",
                                        "print",
                                        "cat",
                                        "paste",
                                        "rbind",
                                        "cbind",
                                        "merge",
                                        "data.frame",
                                        "FUN",
                                        "Reduce",
                                        "Map",
                                        "Filter",
                                        "with",
                                        "suppressWarnings",
                                        "suppressMessages",
                                        "suppressPackageStartupMessages",
                                        "withCallingHandlers",
                                        "requireNamespace",
                                        "invisible",
                                        "library",
                                        "require",
                                        "loadNamespace",
                                        "numeric",
                                        "integer",
                                        "outer",
                                        "rep",
                                        "seq",
                                        "file",
                                        "readLines",
                                        "unlist",
                                        "sort",
                                        "order",
                                        "solve",
                                        "lm",
                                        "glm",
                                        "dist",
                                        "hclust",
                                        "%",
                                        "<Anonymous>",
                                        "[",
                                        "$",
                                        "::",
                                        "parse",
                                        "mean",
                                        "sum",
                                        "fread",
                                        "structure",
                                        "model.",
                                        NULL};

    return r_is_known(name, known);
}

/* R tells the call chain outermost first, without packages: the innermost that is no
   known part of R. */
static void r_calls(struct arena *a, struct piece *p, const char *chain)
{
    const char *best = "";

    for (const char *c = chain; *c;) {
        const char *end = strstr(c, " -> ");
        size_t n = end ? (size_t)(end - c) : strcspn(c, " ");
        const char *name = arena_strn(a, c, n);
        if (*name && !is_of_r(name))
            best = name;
        c = end ? end + 4 : c + strlen(c);
    }
    if (*best)
        p->frame = best;
}

/* "file:line" of a frame; "" without a line. */
static const char *place(struct arena *a, const struct scan_hit *h)
{
    return *h->code ? arena_fmt(a, "%s:%s", h->file, h->code) : "";
}

/* A frame at the place of the one before it calls a function of the runtime itself, which
   has no file: that one is not the customer's. */
static bool is_same_place(struct arena *a, const struct piece *p,
                          const struct scan_hit *h)
{
    return p->place && *p->place && strcmp(p->place, place(a, h)) == 0;
}

static void ruby_frame(struct arena *a, struct piece *p, const struct scan_hit *h)
{
    if (is_same_place(a, p, h) && *h->fn != '<') {
        p->has_frame = false;
        p->frame = "";
    }
    p->place = NULL;
    if (!path_is_library(h->file))
        set_frame(p, *h->fn == '<' ? path_base(h->file) : ruby_name(h->fn), true);
}

static void php_frame(struct arena *a, struct piece *p, const struct scan_hit *h)
{
    if (p->in_user_file && !is_same_place(a, p, h))
        set_frame(p, php_name(h->fn), true);
    p->place = NULL;
    p->in_user_file = !path_is_library(h->file);
}

/* Julia tells where a frame stands in the line below it; what is its own is not the
   customer's. Without a place the name is all there is. */
static void julia_place(struct piece *p, const char *module, const char *file)
{
    static const char *const own[] = {"./", "/usr", "boot.jl", "essentials.jl", NULL};
    bool is_own = name_starts_with_any(file, own) || strcmp(module, "Base") == 0 ||
                  strcmp(module, "Core") == 0 || strstr(file, ".julia/packages") ||
                  strstr(file, "share/julia") || path_is_library(file);

    if (p->pending && *p->pending && !is_own)
        set_frame(p, p->pending, true);
    p->pending = NULL;
}

static void julia_frame(struct piece *p, const struct scan_hit *h)
{
    bool is_raise = strcmp(h->fn, "error") == 0 || strcmp(h->fn, "throw") == 0;

    if (p->pending && *p->pending)
        set_frame(p, p->pending, true);
    p->pending = *h->fn && !is_raise ? h->fn : NULL;
    if (*h->file)
        julia_place(p, "", h->file);
}

/*
 * gfortran and gdb tell where a frame stands beside it or in the line below it. Without
 * symbols the name is "???"; what begins with "__" and main are the start of the
 * program. gfortran ends names with '_'.
 */
static const char *native_name(struct arena *a, const char *fn)
{
    static const char *const own[] = {"__", "_start", "_gfortran", "?", NULL};
    size_t n = strlen(fn);

    if (name_starts_with_any(fn, own) || strcmp(fn, "main") == 0 ||
        strcmp(fn, "MAIN__") == 0)
        return NULL;
    return n > 1 && fn[n - 1] == '_' ? arena_strn(a, fn, n - 1) : fn;
}

static void native_place(struct piece *p, const char *file)
{
    if (p->pending && *p->pending && !path_is_library(file))
        set_frame(p, p->pending, true);
    p->pending = NULL;
}

static void native_frame(struct arena *a, struct piece *p, const struct scan_hit *h)
{
    native_place(p, "");
    p->pending = native_name(a, h->fn);
    if (*h->file || *h->what)
        native_place(p, *h->file ? h->file : h->what);
}

/* ---- heads ---- */

static struct piece *begin(struct piece *fresh, enum trace_lang lang, const char *kind,
                           const char *message)
{
    memset(fresh, 0, sizeof(*fresh));
    fresh->lang = lang;
    fresh->is_trace = true;
    fresh->kind = kind;
    fresh->message = message;
    fresh->frame = fresh->quote = fresh->program = "";
    return fresh;
}

static struct piece *python_start(struct piece *open, struct piece *fresh)
{
    if (open && open->lang == LANG_PYTHON && open->is_chain) {
        open->is_chain = false;
        open->is_wrapper = true;
        open->wants_error = true;
        return open;
    }
    if (open && open->lang == LANG_PYTHON && open->is_group) {
        open->is_group = false;
        open->is_wrapper = false;
        open->wants_error = true;
        open->frame = "";
        return open;
    }
    begin(fresh, LANG_PYTHON, "", "");
    fresh->wants_error = true;
    return fresh;
}

/* "1 validation error for Order" is followed by the field, "The following packages are not
   available:" by the first of them. */
static bool has_subject_below(const char *message)
{
    size_t n = strlen(message);

    return strstr(message, "validation error") || (n && message[n - 1] == ':');
}

/* Takes what the message is about from the line below it. */
static bool take_subject(struct arena *a, struct piece *p, const char *line)
{
    const char *s = line + strspn(line, " \t-*");

    if (!*s)
        return true; /* an empty line comes between */
    p->wants_subject = false;
    if (strlen(s) > SUBJECT_MAX || strncmp(s, "Traceback", 9) == 0)
        return false;
    p->message = arena_fmt(a, "%s %s", p->message, s);
    return true;
}

/* Bytes up to the end of the word; all when it is not there. */
static size_t until(const char *s, const char *word)
{
    const char *at = strstr(s, word);

    return at ? (size_t)(at - s) + strlen(word) : strlen(s);
}

/* An unindented "name.of.Error: message" or "name.of.Error" ends a Python traceback. */
static bool python_error(struct arena *a, struct piece *p, const char *line)
{
    size_t n =
        strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    const char *kind;

    if (n == 0 || (line[n] != '\0' && line[n] != ':') ||
        (line[n] == ':' && line[n + 1] && line[n + 1] != ' '))
        return false;
    p->wants_error = false;
    if (p->is_wrapper)
        return true;
    kind = arena_strn(a, line, n);
    p->kind = short_kind(kind);
    p->message = line[n] ? arena_str(a, line + n + (line[n + 1] ? 2 : 1)) : "";
    if (strcmp(p->kind, "RecursionError") == 0) /* where the depth was reached varies */
        p->message = arena_strn(a, p->message, until(p->message, "exceeded"));
    p->is_group = strstr(p->kind, "ExceptionGroup") != NULL;
    p->wants_subject = has_subject_below(p->message);
    p->quote = "";
    return true;
}

static struct piece *head(struct arena *a, const struct scan_hit *h, struct piece *open,
                          struct piece *fresh)
{
    switch (h->row->meaning) {
    case MEAN_PY_START:
        return python_start(open, fresh);
    case MEAN_PYTEST_HEAD:
        return begin(fresh, LANG_PYTEST, "", "");
    case MEAN_INDENTED_ERROR:
        return open ? NULL : begin(fresh, LANG_NONE, short_kind(h->kind), h->msg);
    case MEAN_PY_FATAL:
        return begin(fresh, LANG_PY_FATAL, "Fatal Python error", h->msg);
    case MEAN_GO_HEAD:
        if (open && open->lang == LANG_GO && !*open->frame)
            return open; /* panic: ... [recovered], then the same again: the first counts */
        return begin(fresh, LANG_GO, *h->kind ? h->kind : h->what,
                     *h->kind ? h->msg : h->fn);
    case MEAN_RUST_HEAD:
        begin(fresh, LANG_RUST, "panicked", h->msg);
        fresh->wants_message = !*h->msg;
        if (!path_is_library(*h->file ? h->file : h->fn))
            fresh->frame = path_base(*h->file ? h->file : h->fn);
        return fresh;
    case MEAN_CPP_HEAD:
        return begin(fresh, LANG_CPP, *h->kind ? h->kind : h->what, h->msg);
    case MEAN_ASAN_HEAD:
        return begin(fresh, LANG_CPP, h->what, h->kind);
    case MEAN_NATIVE_HEAD:
        return begin(fresh, LANG_CPP, h->kind, h->msg);
    case MEAN_RUBY_HEAD:
        if (open && open->lang == LANG_RUBY) { /* Ruby tells the cause last */
            open->kind = h->kind;
            open->message = h->msg;
            open->quote = "";
            open->has_frame = false;
            fresh = open;
        } else {
            begin(fresh, LANG_RUBY, h->kind, h->msg);
        }
        if (!path_is_library(h->file)) {
            set_frame(fresh,
                      *h->fn && h->fn[0] != '<' ? ruby_name(h->fn) : path_base(h->file),
                      true);
            fresh->place = place(a, h);
        }
        return fresh;
    case MEAN_PHP_HEAD:
        begin(fresh, LANG_PHP, short_kind(h->kind), h->msg);
        fresh->in_user_file = !path_is_library(h->file);
        if (fresh->in_user_file)
            fresh->frame = path_base(h->file);
        fresh->place = place(a, h);
        return fresh;
    case MEAN_R_HEAD:
        begin(fresh, *h->fn ? LANG_R : LANG_NONE, "Error", h->msg);
        r_calls(a, fresh, arena_strn(a, h->fn, strcspn(h->fn, "(")));
        return fresh;
    case MEAN_R_FATAL:
        return begin(fresh, LANG_R_FATAL, h->kind, "");
    case MEAN_ELIXIR_HEAD:
        return begin(fresh, LANG_ELIXIR, short_kind(h->kind), h->msg);
    case MEAN_JULIA_HEAD:
        return begin(fresh, LANG_JULIA, h->kind, h->msg);
    case MEAN_PERL_HEAD:
        begin(fresh, LANG_OTHER, "", h->msg);
        if (!path_is_library(h->file))
            fresh->frame = path_base(h->file);
        return fresh;
    case MEAN_JAVA_CAUSE: /* cut output may begin with the cause */
        return begin(fresh, LANG_JAVA, short_kind(h->kind), h->msg);
    case MEAN_BARE_ERROR:
        if (open && open->lang == LANG_PYTHON && open->wants_error)
            return NULL; /* read by python_error */
        begin(fresh, LANG_NONE, short_kind(h->kind), h->msg);
        fresh->wants_subject = has_subject_below(h->msg);
        if (*h->what && strcmp(h->row->name, "js-head") == 0)
            fresh->kind = arena_fmt(a, "%s %s", fresh->kind, h->what);
        if (*h->fn)
            fresh->frame = path_base(h->fn);
        return fresh;
    default:
        return NULL;
    }
}

/* ---- the parts below a head ---- */

static bool take_cause(struct piece *p, enum trace_lang lang, const struct scan_hit *h)
{
    if ((p->lang != LANG_NONE && p->lang != lang) || strstr(h->msg, "Traceback ("))
        return false; /* another runtime's trace is the cause */
    p->lang = lang;
    p->kind = short_kind(h->kind);
    p->message = h->msg;
    p->quote = "";
    p->has_frame = false; /* a frame of the cause wins; without one the wrapper's stays */
    return true;
}

static bool frame_by_language(struct arena *a, const struct scan_hit *h, struct piece *p)
{
    switch (h->row->meaning) {
    case MEAN_JS_FRAME: {
        const char *file = *h->file ? h->file : h->what;
        if (p->lang != LANG_NONE && p->lang != LANG_NODE)
            return false;
        p->lang = LANG_NODE;
        if (!path_is_library(file) && *file && (strchr(file, '.') || strchr(file, '/')))
            set_frame(p, js_name(h->fn, file), true);
        return true;
    }
    case MEAN_JAVA_FRAME:
        if (p->lang != LANG_NONE && p->lang != LANG_JAVA)
            return false;
        p->lang = LANG_JAVA;
        if (!java_is_library(h->fn) && (!is_mostly_library(h->fn) || !*p->frame))
            set_frame(p, java_name(a, h->fn), !is_mostly_library(h->fn));
        return true;
    case MEAN_NET_FRAME:
        if (p->lang != LANG_NONE && p->lang != LANG_NET)
            return false;
        p->lang = LANG_NET;
        if (!net_is_library(h->fn))
            set_frame(p, last_parts(h->fn, 2), true);
        return true;
    case MEAN_RUBY_FRAME:
        if (p->lang != LANG_RUBY)
            return false;
        ruby_frame(a, p, h);
        return true;
    case MEAN_R_FRAME: /* innermost first; ".Call" and the like lead to native code */
        if (p->lang != LANG_R_FATAL)
            return false;
        if (*h->fn != '.' && !is_of_r(h->fn))
            set_frame(p, h->fn, true);
        return true;
    case MEAN_ELIXIR_FRAME:
        if (p->lang != LANG_ELIXIR)
            return false;
        if (!elixir_is_library(h->what, h->file))
            set_frame(p, last_parts(h->fn, 2), true);
        return true;
    case MEAN_JULIA_FRAME:
        if (p->lang != LANG_JULIA)
            return false;
        julia_frame(p, h);
        return true;
    case MEAN_JULIA_PLACE:
        if (p->lang != LANG_JULIA)
            return false;
        julia_place(p, h->what, h->file);
        return true;
    case MEAN_ASAN_FRAME:
        if (p->lang != LANG_CPP)
            return false;
        if (!path_is_library(h->file) && strncmp(h->fn, "__", 2) != 0)
            set_frame(p, h->fn, true);
        return true;
    case MEAN_NATIVE_FRAME:
        if (p->lang != LANG_CPP)
            return false;
        native_frame(a, p, h);
        return true;
    case MEAN_NATIVE_PLACE:
        if (p->lang != LANG_CPP)
            return false;
        native_place(p, h->file);
        return true;
    case MEAN_RUST_FRAME:
        if (p->lang != LANG_RUST)
            return false;
        rust_frame(a, p, h->fn);
        return true;
    default:
        return false;
    }
}

/* pytest shows each function from its "def" on, then where in it, the innermost last; "E" marks what went wrong. */
static bool pytest_part(struct arena *a, struct piece *p, const struct scan_hit *h)
{
    if (p->lang != LANG_PYTEST)
        return false;
    if (h->row->meaning == MEAN_PYTEST_DEF) {
        p->pending = h->fn;
    } else if (h->row->meaning == MEAN_PYTEST_ERROR && !*p->kind) {
        p->kind = *h->kind ? short_kind(h->kind) : "AssertionError";
        p->message = *h->kind ? h->msg : arena_str(a, h->what);
        p->quote = "";
    } else if (h->row->meaning == MEAN_PYTEST_PLACE) {
        if (p->pending && !path_is_library(h->file))
            set_frame(p, p->pending, *h->kind);
        p->pending = NULL;
    }
    return true;
}

static bool frame(struct arena *a, const struct scan_hit *h, struct piece *p)
{
    switch (h->row->meaning) {
    case MEAN_PY_FRAME:
        if (p->lang != LANG_PYTHON && p->lang != LANG_PY_FATAL)
            return false;
        python_frame(p, h->file, h->fn, p->lang == LANG_PY_FATAL);
        return true;
    case MEAN_PY_CELL:
        if (p->lang != LANG_PYTHON)
            return false;
        python_frame(p, *h->kind ? "Cell" : h->file, h->fn, false);
        return true;
    case MEAN_PYTEST_DEF:
    case MEAN_PYTEST_ERROR:
    case MEAN_PYTEST_PLACE:
        return pytest_part(a, p, h);
    case MEAN_INDENTED_ERROR: /* "Error: LinkageError occurred while loading main class X" and, below, which */
        return strstr(p->message, "occurred while loading main class") &&
               take_cause(p, LANG_JAVA, h);
    case MEAN_PY_CHAIN:
        if (p->lang == LANG_PYTHON)
            p->is_chain = true;
        return p->lang == LANG_PYTHON;
    case MEAN_CAUSES:
        p->wants_cause = true;
        return true;
    case MEAN_JS_CAUSE:
        return take_cause(p, LANG_NODE, h);
    case MEAN_JAVA_CAUSE:
        return take_cause(p, LANG_JAVA, h);
    case MEAN_NET_INNER:
        return take_cause(p, LANG_NET, h);
    case MEAN_GO_FRAME:
        if (p->lang != LANG_GO)
            return false;
        p->pending = go_name(a, h->fn);
        return true;
    case MEAN_GO_FILE:
        if (p->lang != LANG_GO)
            return false;
        if (p->pending && !path_is_library(h->file))
            set_frame(p, p->pending, true);
        p->pending = NULL;
        return true;
    case MEAN_CPP_WHAT:
        if (p->lang != LANG_CPP)
            return false;
        p->message = h->msg;
        return true;
    case MEAN_PHP_FRAME:
        if (p->lang != LANG_PHP)
            return false;
        php_frame(a, p, h);
        return true;
    case MEAN_R_CALLS:
        if (p->lang != LANG_R && p->lang != LANG_NONE)
            return false;
        p->lang = LANG_R;
        r_calls(a, p, h->msg);
        return true;
    default:
        return frame_by_language(a, h, p);
    }
}

/* "    1: No such file or directory (os error 2)": the innermost cause comes last. */
static bool take_indented(struct arena *a, struct piece *p, const char *line)
{
    size_t blanks = strspn(line, " "), digits = strspn(line + blanks, "0123456789");
    const char *text = line + blanks;

    if (blanks == 0 || !*text) {
        p->wants_cause = !*line;
        return false;
    }
    if (digits && strncmp(text + digits, ": ", 2) == 0)
        text += digits + 2;
    p->message = arena_str(a, text);
    p->quote = "";
    return true;
}

struct piece *trace_line(struct arena *a, const char *line, const struct scan_hit *hits,
                         size_t n, struct piece *open, struct piece *fresh)
{
    if (open && open->wants_message && *line) {
        open->wants_message = false;
        open->message = arena_str(a, line);
        open->quote = "";
        return open;
    }
    if (open && open->wants_subject && take_subject(a, open, line))
        return open;
    if (open && open->wants_cause && take_indented(a, open, line))
        return open;
    for (size_t i = 0; i < n; i++) {
        if (hits[i].row->meaning < MEAN_PY_START)
            continue;
        if (open && frame(a, &hits[i], open))
            return open;
    }
    if (open && open->lang == LANG_PYTHON && open->wants_error &&
        python_error(a, open, line))
        return open;
    for (size_t i = 0; i < n; i++) {
        struct piece *p;
        if (hits[i].row->meaning < MEAN_PY_START)
            continue;
        p = head(a, &hits[i], open, fresh);
        if (p)
            return p;
        /* a frame without its head: cut output still names a place */
        if (hits[i].row->meaning == MEAN_PY_FRAME && !open) {
            begin(fresh, LANG_PYTHON, "", "");
            fresh->wants_error = true;
            python_frame(fresh, hits[i].file, hits[i].fn, false);
            return fresh;
        }
    }
    return NULL;
}

void trace_end(struct arena *a, struct piece *p)
{
    if (p->lang == LANG_PHP && p->in_user_file && !*p->frame)
        p->frame = "";
    if (p->pending && (p->lang == LANG_JULIA || p->lang == LANG_CPP))
        set_frame(p, p->pending, true);
    p->pending = NULL;
    p->message = text_trim(a, p->message);
}
