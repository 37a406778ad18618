/*
 * What a command line runs, and how it is named.
 */
#include "diag/command.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/ts.h"
#include "diag/normal.h"
#include "diag/trace.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define SUBJECT_NAME_MAX 24 /* longer names make headlines unreadable (ours) */

static const char *const shells[] = {"sh", "bash", "zsh", "dash", NULL};
static const char *const interpreters[] = {
    "python",   "python2", "node",    "ruby",   "php",    "perl",         "Rscript",
    "julia",    "lua",     "luajit",  "deno",   "bun",    "tsx",          "ts-node",
    "elixir",   "escript", "dart",    "pwsh",   "octave", "java",         "scala",
    "go",       "sbcl",    "racket",  "groovy", "kotlin", "spark-submit", "torchrun",
    "mix",      "swift",   "dotnet",  "ghc",    "runghc", "guile",        "tclsh",
    "ocaml",    "crystal", "clojure", "jruby",  "pypy",   "accelerate",   "Xvfb-run",
    "tsc-node", NULL};
/* What stands between a runner's name and what it runs. */
static const char *const runner_heads[] = {
    "npx -y ",     "npx --yes ", "npx ",         "bunx ",        "pnpm exec ",
    "pnpm dlx ",   "yarn dlx ",  "npm exec -- ", "npm exec ",    "uv run ",
    "uvx ",        "pipx run ",  "poetry run ",  "pipenv run ",  "hatch run ",
    "pdm run ",    "rye run ",   "bundle exec ", "xvfb-run -a ", "xvfb-run ",
    "dotenv -- ",  "mise exec ", "nix run ",     "conda run ",   "micromamba run ",
    "catchsegv ",  "strace -f ", "strace ",      "gdb --args ",  "valgrind ",
    "setsid ",     "unbuffer ",  "script -qc ",  "chroot ",      "taskset -c 0 ",
    "ionice -c3 ", NULL};

const char *command_bare(struct arena *a, const char *command)
{
    static const char *const heads[] = {
        "/bin/bash -l -c ", "/bin/bash -c ", "bash -c ", "bash -lc ",
        "/bin/sh -c ",      "sh -c ",        NULL};

    for (const char *const *s = heads; *s; s++)
        if (text_starts(command, *s)) {
            command += strlen(*s);
            break;
        }
    if ((*command == '\'' || *command == '"') && command[1] &&
        command[strlen(command) - 1] == *command)
        return arena_strn(a, command + 1, strlen(command) - 2);
    return command;
}

/* "cd x && ", "export A=b; ": what prepares and goes on; s itself when there is none. */
static const char *past_preparation(const char *s)
{
    static const char *const heads[] = {"cd ",    "export ", "source ",
                                        "mkdir ", ". ",      NULL};

    for (const char *const *h = heads; *h; h++) {
        const char *both, *semi, *next;
        if (!text_starts(s, *h))
            continue;
        both = strstr(s, "&&");
        semi = strchr(s, ';');
        next = both && (!semi || both < semi) ? both + 2 : semi ? semi + 1 : NULL;
        return next && *next ? next : s;
    }
    return s;
}

/* "A=b " */
static const char *past_assignment(const char *s)
{
    size_t n =
        strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789abcdefghijklmnopqrstuvwxyz");

    if (n == 0 || s[n] != '=' || islower((unsigned char)s[0]))
        return s;
    n += strcspn(s + n, " ");
    return s[n] ? s + n : s;
}

/* "timeout -s KILL 30 " */
static const char *past_timeout(const char *s)
{
    const char *p;

    if (!text_starts(s, "timeout "))
        return s;
    p = s + 8;
    while (*p == '-') {
        bool has_value = text_starts(p, "-s ") || text_starts(p, "-k ");
        p += strcspn(p, " ");
        p += strspn(p, " ");
        if (has_value) {
            p += strcspn(p, " ");
            p += strspn(p, " ");
        }
    }
    p += strcspn(p, " ");
    return *p ? p : s + 8;
}

static const char *past_any(const char *s, const char *const *heads)
{
    for (const char *const *h = heads; *h; h++)
        if (text_starts(s, *h))
            return s + strlen(*h);
    return s;
}

const char *command_past_lead(const char *s)
{
    static const char *const leads[] = {
        "sudo -E ", "sudo ",       "exec ",    "nohup ",     "time ",     "nice ",
        "env ",     "stdbuf -oL ", "set -e; ", "set -e && ", "set -ex; ", NULL};

    for (const char *before = NULL; before != s;) {
        before = s;
        s += strspn(s, " \t");
        s = past_any(s, leads);
        s = past_preparation(s);
        s = past_assignment(s);
        s = past_timeout(s);
        s += strspn(s, " \t");
        s = past_any(s, runner_heads);
    }
    return s;
}

static const char *word(struct arena *a, const char *s, const char **rest)
{
    size_t n;

    s += strspn(s, " \t'\"");
    n = strcspn(s, " \t'\";|&<>()");
    *rest = s + n;
    return arena_strn(a, s, n);
}

static bool is_one_of(const char *w, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(w, *list) == 0)
            return true;
    return false;
}

static bool is_interpreter(const char *w)
{
    return is_one_of(w, interpreters) || text_starts(w, "python3") ||
           text_starts(w, "lua5") || text_starts(w, "php8") || text_starts(w, "php7");
}

/* The script that an interpreter runs: the first argument that is no option. */
static const char *script_of(struct arena *a, const char *rest)
{
    static const char *const tasks[] = {"run", "exec", "launch", "script", NULL};
    static const char *const with_value[] = {
        "-X", "-cp",        "-W",       "-p",       "-r",       "--require",
        "-I", "-classpath", "--import", "--master", "--loader", "--nproc_per_node",
        NULL};

    for (;;) {
        const char *w = word(a, rest, &rest);
        if (!*w || strcmp(w, "-c") == 0 || strcmp(w, "-e") == 0)
            return "";
        if (strcmp(w, "-m") == 0 || strcmp(w, "-jar") == 0)
            return path_base(word(a, rest, &rest));
        if (is_one_of(w, with_value)) {
            word(a, rest, &rest);
            continue;
        }
        if (*w != '-' && !is_one_of(w, tasks))
            return path_base(w);
    }
}

const char *command_program(struct arena *a, const char *bare)
{
    const char *rest, *w = path_base(word(a, command_past_lead(bare), &rest));

    if (is_one_of(w, shells)) {
        const char *script = script_of(a, rest);
        return *script ? script : w;
    }
    return w;
}

/* ---- names ---- */

/* The task of a task runner: "build" of "npm run build"; "" when it is none. */
static const char *task_of(struct arena *a, const char *program, const char *rest)
{
    static const char *const runners[] = {
        "npm",    "yarn",    "pnpm",     "make",   "mvn",    "cargo",
        "gradle", "gradlew", "rake",     "just",   "task",   "pip",
        "pip3",   "apt-get", "apt",      "docker", "git",    "terraform",
        "mix",    "dotnet",  "go",       "swift",  "poetry", "uv",
        "conda",  "bundle",  "composer", "gem",    NULL};
    const char *w;

    if (!is_one_of(program, runners))
        return "";
    do
        w = word(a, rest, &rest);
    while (*w == '-');
    if (strcmp(w, "run") != 0)
        return w;
    w = word(a, rest, &rest);
    return *w && *w != '-' ? arena_fmt(a, "run %s", w) : "run";
}

/* "python3.12" and "python3" are one program. */
static const char *without_version(struct arena *a, const char *w)
{
    if (text_starts(w, "python3.") || text_starts(w, "python3-"))
        return "python3";
    if (text_starts(w, "lua5"))
        return "lua";
    return arena_str(a, w);
}

const char *command_label(struct arena *a, const char *bare)
{
    const char *rest, *w = path_base(word(a, command_past_lead(bare), &rest)), *more;

    if (is_one_of(w, shells))
        return normal_file(a, command_program(a, bare));
    more = task_of(a, w, rest);
    if (!*more && is_interpreter(w))
        more = script_of(a, rest);
    else if (is_interpreter(w) && (text_starts(more, "run") || strchr(more, '.')))
        more = script_of(a, rest);
    w = without_version(a, w);
    return *more ? arena_fmt(a, "%s %s", w, normal_file(a, more)) : normal_file(a, w);
}

/* ---- installs ---- */

static const char *const install_heads[] = {"pip install",
                                            "pip3 install",
                                            "pip download",
                                            "npm install",
                                            "npm i ",
                                            "npm ci",
                                            "npm add",
                                            "yarn add",
                                            "yarn install",
                                            "pnpm install",
                                            "pnpm i",
                                            "pnpm add",
                                            "bun install",
                                            "bun add",
                                            "deno install",
                                            "uv sync",
                                            "uv add",
                                            "uv pip install",
                                            "poetry install",
                                            "poetry add",
                                            "poetry update",
                                            "pipenv install",
                                            "conda install",
                                            "conda create",
                                            "conda env create",
                                            "mamba install",
                                            "mamba create",
                                            "micromamba install",
                                            "apt-get install",
                                            "apt-get update",
                                            "apt-get -y install",
                                            "apt-get -qq install",
                                            "apt install",
                                            "apt update",
                                            "apk add",
                                            "dnf install",
                                            "yum install",
                                            "gem install",
                                            "bundle install",
                                            "composer install",
                                            "composer require",
                                            "composer update",
                                            "cargo install",
                                            "cargo add",
                                            "cargo fetch",
                                            "go get",
                                            "go mod download",
                                            "go mod tidy",
                                            "dotnet restore",
                                            "dotnet add",
                                            "nuget install",
                                            "nuget restore",
                                            "mix deps.get",
                                            "mix local.hex",
                                            "cpanm ",
                                            "cpan ",
                                            "luarocks install",
                                            "opam install",
                                            "cabal install",
                                            "stack install",
                                            "swift package resolve",
                                            "dart pub get",
                                            "flutter pub get",
                                            "playwright install",
                                            "npx playwright install",
                                            "brew install",
                                            "snap install",
                                            "dpkg -i",
                                            "python -m pip install",
                                            "python3 -m pip install",
                                            "Rscript -e 'install.packages",
                                            "Rscript -e \"install.packages",
                                            "R -e 'install.packages",
                                            NULL};

bool command_is_install(const char *bare)
{
    const char *s = command_past_lead(bare);
    bool is_first = true;

    for (const char *part = s; part; is_first = false) {
        const char *next = strstr(part, "&&"), *head = command_past_lead(part);
        if (past_any(head, install_heads) == head)
            return false;
        part = next ? next + 2 : NULL;
    }
    return !is_first;
}

int64_t command_own_limit_us(const char *bare)
{
    const char *s = strstr(bare, "timeout "), *p;
    double n;
    char *end;

    if (!s || (s != bare && s[-1] != ' ' && s[-1] != ';' && s[-1] != '&'))
        return 0;
    p = past_timeout(s); /* just past the number */
    while (p > s && p[-1] != ' ')
        p--;
    n = strtod(p, &end);
    if (end == p || !(n > 0) || n > 1e7)
        return 0;
    switch (*end) {
    case 'm':
        n *= 60;
        break;
    case 'h':
        n *= 3600;
        break;
    case 'd':
        n *= 86400;
        break;
    default:
        break;
    }
    return (int64_t)(n * 1e6);
}

/* ---- subjects ---- */

static bool is_short(const char *name)
{
    return *name && strlen(name) <= SUBJECT_NAME_MAX;
}

static const char *interpreter_subject(struct arena *a, const char *w, const char *rest)
{
    const char *script = script_of(a, rest);

    if (strcmp(w, "java") == 0 || strcmp(w, "scala") == 0)
        return "The Java program";
    if (is_short(script) && strchr(script, '.') && strlen(script) > 1)
        return arena_fmt(a, "The script %s", script);
    if (text_starts(w, "python"))
        return is_short(script) ? arena_fmt(a, "The script %s", script)
                                : "A Python process";
    return arena_fmt(a, "The %s program", w);
}

const char *command_subject(struct arena *a, const char *bare)
{
    const char *s = command_past_lead(bare), *rest, *w = path_base(word(a, s, &rest)),
               *name;

    if (text_icontains(s, " install") || command_is_install(bare))
        return "The installation";
    if (command_role(bare) == ROLE_CHECK)
        return "The test run";
    if (text_icontains(s, "run build") || text_starts(s, "make") ||
        text_starts(s, "cargo build") || text_starts(s, "go build") ||
        text_icontains(s, "next build"))
        return "The build";
    if (is_interpreter(w))
        return interpreter_subject(a, w, rest);
    name = command_program(a, bare);
    if (is_short(name))
        return arena_fmt(a, strchr(name, '.') ? "The script %s" : "The program %s", name);
    return "A command";
}
