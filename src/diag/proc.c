/*
 * The process table: commands started through the API, how each ended, and what was told
 * meanwhile. Exit codes are rarely in the log (e2b.md 5.4); the host often prints them.
 */
#include "base/arena.h"
#include "base/num.h"
#include "base/text.h"
#include "diag/facts.h"
#include "diag/limits.h"
#include "diag/trace.h"
#include <string.h>

#include "base/banned.h"

/* ---- commands ---- */

const char *command_bare(struct arena *a, const char *command)
{
    static const char *const shells[] = {
        "/bin/bash -l -c ", "/bin/bash -c ", "bash -c ", "bash -lc ",
        "/bin/sh -c ",      "sh -c ",        NULL};

    for (const char *const *s = shells; *s; s++)
        if (text_starts(command, *s)) {
            command += strlen(*s);
            break;
        }
    if ((*command == '\'' || *command == '"') && command[1] &&
        command[strlen(command) - 1] == *command)
        return arena_strn(a, command + 1, strlen(command) - 2);
    return command;
}

/* Past "cd x &&", "X=1", "sudo", "exec", "nohup", "time", "timeout 30". */
static const char *past_lead(const char *s)
{
    static const char *const leads[] = {
        "sudo ",       "exec ",    "nohup ",     "time ",     "nice ", "env ",
        "stdbuf -oL ", "set -e; ", "set -e && ", "set -ex; ", NULL};

    for (bool moved = true; moved;) {
        size_t n;
        moved = false;
        s += strspn(s, " \t");
        for (const char *const *l = leads; *l; l++)
            if (text_starts(s, *l)) {
                s += strlen(*l);
                moved = true;
            }
        if (text_starts(s, "cd ") || text_starts(s, "export ") ||
            text_starts(s, "source ") || text_starts(s, ". ") ||
            text_starts(s, "mkdir ")) {
            const char *and = strstr(s, "&&"), *semi = strchr(s, ';');
            const char *next = and&&(!semi || and < semi) ? and+2
                               : semi                     ? semi + 1
                                                          : NULL;
            if (next && *next) {
                s = next;
                moved = true;
            }
        }
        n = strcspn(s, " =");
        if (n && s[n] == '=' && strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == n) {
            s += strcspn(s, " ");
            moved = *s == ' ';
        }
        if (text_starts(s, "timeout ")) {
            const char *p = s + 8;
            while (*p == '-')
                p += strcspn(p, " ") + 1;
            p += strcspn(p, " ");
            s = *p ? p : s + 8;
            moved = true;
        }
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

/* The script that an interpreter runs: the first argument that is no option. */
static const char *script_of(struct arena *a, const char *rest)
{
    for (;;) {
        const char *w = word(a, rest, &rest);
        if (!*w || strcmp(w, "-c") == 0 || strcmp(w, "-e") == 0)
            return "";
        if (strcmp(w, "-m") == 0)
            return word(a, rest, &rest);
        if (strcmp(w, "-X") == 0 || strcmp(w, "-cp") == 0 || strcmp(w, "-W") == 0) {
            word(a, rest, &rest);
            continue;
        }
        if (*w != '-')
            return path_base(w);
    }
}

static bool is_one_of(const char *w, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(w, *list) == 0)
            return true;
    return false;
}

const char *command_program(struct arena *a, const char *bare)
{
    static const char *const shells[] = {"sh", "bash", "zsh", "dash", NULL};
    const char *rest, *w = path_base(word(a, past_lead(bare), &rest));

    if (is_one_of(w, shells)) {
        const char *script = script_of(a, rest);
        return *script ? script : w;
    }
    return w;
}

/* "The script train.py", "The installation", ...: begins a sentence. */
static const char *command_subject(struct arena *a, const char *bare, enum proc_role role)
{
    static const char *const interpreters[] = {
        "python", "python3", "node", "ruby", "php", "perl",    "Rscript",
        "julia",  "lua",     "deno", "bun",  "tsx", "ts-node", NULL};
    const char *s = past_lead(bare), *rest, *w = path_base(word(a, s, &rest)), *script;

    if (text_icontains(s, " install") || text_starts(s, "npm ci") ||
        text_icontains(s, "pip install") || text_starts(s, "yarn add"))
        return "The installation";
    if (role == ROLE_CHECK)
        return "The test run";
    if (text_icontains(s, "run build") || text_starts(s, "make") ||
        text_starts(s, "cargo build") || text_starts(s, "go build") ||
        text_icontains(s, "next build"))
        return "The build";
    if (is_one_of(w, interpreters) || text_starts(w, "python3.")) {
        script = script_of(a, rest);
        if (*script && strlen(script) <= 24)
            return arena_fmt(a, "The script %s", script);
        return text_starts(w, "python") ? "A Python process"
                                        : arena_fmt(a, "A %s process", w);
    }
    if (strcmp(w, "java") == 0)
        return "The Java program";
    script = command_program(a, bare);
    if (strchr(script, '.') && strlen(script) <= 24)
        return arena_fmt(a, "The script %s", script);
    if (*script && strlen(script) <= 24)
        return arena_fmt(a, "The program %s", script);
    return "A command";
}

/* ---- roles ---- */

static const struct {
    enum proc_role role;
    bool is_head; /* must begin the command */
    const char *text;
} roles[] = {
    {ROLE_KILLER, true,  "kill "           },
    {ROLE_KILLER, true,  "pkill "          },
    {ROLE_KILLER, true,  "killall "        },
    {ROLE_KILLER, true,  "fuser -k"        },
    {ROLE_KILLER, false, "xargs kill"      },
    {ROLE_KILLER, false, "; kill "         },
    {ROLE_KILLER, false, "&& kill "        },
    {ROLE_KILLER, false, "&& pkill "       },
    {ROLE_KILLER, false, "; pkill "        },
    {ROLE_KILLER, false, "kill -9 "        },
    {ROLE_KILLER, false, "kill -KILL "     },
    {ROLE_KILLER, false, "pkill -9 "       },
    {ROLE_KILLER, false, "kill -s "        },
    {ROLE_KILLER, false, "os.kill("        },
    {ROLE_PROBE,  true,  "dmesg"           },
    {ROLE_PROBE,  true,  "cat "            },
    {ROLE_PROBE,  true,  "ls"              },
    {ROLE_PROBE,  true,  "tail "           },
    {ROLE_PROBE,  true,  "head "           },
    {ROLE_PROBE,  true,  "ps"              },
    {ROLE_PROBE,  true,  "free"            },
    {ROLE_PROBE,  true,  "df"              },
    {ROLE_PROBE,  true,  "du "             },
    {ROLE_PROBE,  true,  "echo "           },
    {ROLE_PROBE,  true,  "journalctl"      },
    {ROLE_PROBE,  true,  "pwd"             },
    {ROLE_PROBE,  true,  "which "          },
    {ROLE_PROBE,  true,  "uname"           },
    {ROLE_PROBE,  true,  "whoami"          },
    {ROLE_PROBE,  true,  "id"              },
    {ROLE_PROBE,  true,  "date"            },
    {ROLE_PROBE,  true,  "env"             },
    {ROLE_PROBE,  true,  "grep "           },
    {ROLE_PROBE,  true,  "nproc"           },
    {ROLE_PROBE,  true,  "uptime"          },
    {ROLE_PROBE,  true,  "top"             },
    {ROLE_PROBE,  true,  "rm "             },
    {ROLE_PROBE,  true,  "cp "             },
    {ROLE_PROBE,  true,  "mv "             },
    {ROLE_PROBE,  true,  "mkdir "          },
    {ROLE_PROBE,  true,  "git status"      },
    {ROLE_PROBE,  true,  "git diff"        },
    {ROLE_PROBE,  true,  "git log"         },
    {ROLE_PROBE,  true,  "nvidia-smi"      },
    {ROLE_PROBE,  true,  "stat "           },
    {ROLE_PROBE,  true,  "lsof"            },
    {ROLE_PROBE,  true,  "ss "             },
    {ROLE_PROBE,  true,  "netstat"         },
    {ROLE_PROBE,  true,  "true"            },
    {ROLE_PROBE,  true,  "sleep "          },
    {ROLE_CHECK,  true,  "npm test"        },
    {ROLE_CHECK,  true,  "npm t"           },
    {ROLE_CHECK,  false, "npm run test"    },
    {ROLE_CHECK,  false, "npm run lint"    },
    {ROLE_CHECK,  false, "yarn test"       },
    {ROLE_CHECK,  false, "pnpm test"       },
    {ROLE_CHECK,  false, "pytest"          },
    {ROLE_CHECK,  false, "unittest"        },
    {ROLE_CHECK,  false, "jest"            },
    {ROLE_CHECK,  false, "vitest"          },
    {ROLE_CHECK,  false, "go test"         },
    {ROLE_CHECK,  false, "go vet"          },
    {ROLE_CHECK,  false, "cargo test"      },
    {ROLE_CHECK,  false, "cargo clippy"    },
    {ROLE_CHECK,  false, "tsc --noEmit"    },
    {ROLE_CHECK,  false, "eslint"          },
    {ROLE_CHECK,  false, "mypy"            },
    {ROLE_CHECK,  false, "ruff "           },
    {ROLE_CHECK,  false, "flake8"          },
    {ROLE_CHECK,  false, "rspec"           },
    {ROLE_CHECK,  false, "phpunit"         },
    {ROLE_CHECK,  false, "mvn test"        },
    {ROLE_CHECK,  false, "gradle test"     },
    {ROLE_CHECK,  false, "dotnet test"     },
    {ROLE_CHECK,  false, "make check"      },
    {ROLE_CHECK,  false, "make test"       },
    {ROLE_CHECK,  false, "playwright test" },
    {ROLE_CHECK,  false, "mix test"        },
    {ROLE_SERVER, false, "run dev"         },
    {ROLE_SERVER, false, "run start"       },
    {ROLE_SERVER, false, "npm start"       },
    {ROLE_SERVER, false, "run serve"       },
    {ROLE_SERVER, false, "run preview"     },
    {ROLE_SERVER, false, "yarn dev"        },
    {ROLE_SERVER, false, "yarn start"      },
    {ROLE_SERVER, false, "pnpm dev"        },
    {ROLE_SERVER, false, "bun dev"         },
    {ROLE_SERVER, false, "next dev"        },
    {ROLE_SERVER, false, "next start"      },
    {ROLE_SERVER, false, "vite"            },
    {ROLE_SERVER, false, "http.server"     },
    {ROLE_SERVER, false, "uvicorn"         },
    {ROLE_SERVER, false, "gunicorn"        },
    {ROLE_SERVER, false, "hypercorn"       },
    {ROLE_SERVER, false, "flask run"       },
    {ROLE_SERVER, false, "flask --app"     },
    {ROLE_SERVER, false, "fastapi "        },
    {ROLE_SERVER, false, "streamlit"       },
    {ROLE_SERVER, false, "gradio"          },
    {ROLE_SERVER, false, "jupyter"         },
    {ROLE_SERVER, false, "runserver"       },
    {ROLE_SERVER, false, "rails s"         },
    {ROLE_SERVER, false, "puma"            },
    {ROLE_SERVER, true,  "nginx"           },
    {ROLE_SERVER, false, "redis-server"    },
    {ROLE_SERVER, true,  "postgres"        },
    {ROLE_SERVER, true,  "mysqld"          },
    {ROLE_SERVER, true,  "mongod"          },
    {ROLE_SERVER, false, "webpack serve"   },
    {ROLE_SERVER, false, "http-server"     },
    {ROLE_SERVER, false, "live-server"     },
    {ROLE_SERVER, false, "php -S"          },
    {ROLE_SERVER, true,  "caddy"           },
    {ROLE_SERVER, true,  "Xvfb"            },
    {ROLE_SERVER, true,  "x11vnc"          },
    {ROLE_SERVER, true,  "code-server"     },
    {ROLE_SERVER, true,  "tail -f"         },
    {ROLE_SERVER, true,  "tail -F"         },
    {ROLE_SERVER, false, "remote-debugging"},
    {ROLE_SERVER, true,  "supervisord"     },
    {ROLE_SERVER, true,  "tensorboard"     },
    {ROLE_SERVER, false, "ollama serve"    },
    {ROLE_SERVER, false, "server.js"       },
    {ROLE_SERVER, false, "server.py"       },
    {ROLE_SERVER, false, "server.mjs"      },
    {ROLE_SERVER, false, "server.ts"       },
    {ROLE_SERVER, false, "sleep infinity"  },
    {ROLE_SERVER, false, "ng serve"        },
    {ROLE_SERVER, false, "hugo server"     },
    {ROLE_SERVER, false, "nodemon"         },
    {ROLE_SERVER, false, "websockify"      },
    {ROLE_SERVER, false, "dockerd"         },
};

enum proc_role command_role(const char *bare)
{
    const char *s = past_lead(bare);

    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
        const char *t = roles[i].text;
        size_t n = strlen(t);
        if (!roles[i].is_head) {
            if (text_icontains(bare, t))
                return roles[i].role;
            continue;
        }
        if (strncmp(s, t, n) == 0 && (t[n - 1] == ' ' || s[n] == '\0' || s[n] == ' '))
            return roles[i].role;
    }
    return ROLE_WORK;
}

/* ---- the table ---- */

static int64_t message_pid(const char *message)
{
    int64_t pid;
    char digits[24];
    size_t n;

    if (!text_starts(message, "Process with pid "))
        return -1;
    message += strlen("Process with pid ");
    n = strspn(message, "0123456789");
    if (n == 0 || n >= sizeof(digits))
        return -1;
    memcpy(digits, message, n);
    digits[n] = '\0';
    return parse_i64(digits, 0, INT64_MAX, &pid) == 0 ? pid : -1;
}

static int64_t field_number(const struct log_line *l, const char *key, int64_t dflt)
{
    double v;

    if (parse_f64(tag_get(l->fields, l->field_count, key, ""), &v) < 0 || v < -1e15 ||
        v > 1e15)
        return dflt;
    return (int64_t)v;
}

static size_t exec_at(const struct facts *f, int64_t at_us)
{
    size_t i = 0;

    while (i + 1 < f->tl.exec_count &&
           at_us >= f->tl.execs[i + 1].start_us - LIMIT_SKEW_US)
        i++;
    return i;
}

static void start_proc(struct facts *f, struct proc *p, const struct log_line *l,
                       int64_t pid)
{
    int64_t ms = field_number(l, "request_timeout_ms", 0);

    memset(p, 0, sizeof(*p));
    p->pid = pid;
    p->command = command_bare(f->a, tag_get(l->fields, l->field_count, "command", ""));
    p->program = command_program(f->a, p->command);
    p->role = command_role(p->command);
    p->subject = *p->command ? command_subject(f->a, p->command, p->role) : "A command";
    p->exec = exec_at(f, l->at_us);
    p->start_us = l->at_us;
    p->end_us = TS_NONE;
    p->limit_us = ms > 0 && ms < INT64_MAX / 1000 ? ms * TS_MS : 0;
    p->stream_error = p->code_ref = "";
    p->stderr_bytes = -1;
}

static void end_proc(struct proc *p, const struct log_line *l)
{
    p->end_us = l->at_us;
    p->stderr_bytes = field_number(l, "stderr_bytes", -1);
    if (!l->has_result)
        return;
    p->has_code = true;
    p->code = l->exit_code;
    if (text_starts(l->status, "signal: "))
        p->signal = signal_number(l->status + 8);
    if (text_icontains(l->status, "segmentation"))
        p->signal = 11;
    if (text_icontains(l->status, "aborted"))
        p->signal = 6;
}

/* The latest start with this pid that has no end yet. */
static struct proc *find_open(struct facts *f, int64_t pid)
{
    for (size_t i = f->proc_count; i > 0; i--)
        if (f->procs[i - 1].pid == pid && f->procs[i - 1].end_us == TS_NONE)
            return &f->procs[i - 1];
    return NULL;
}

static void stream_end(struct facts *f, const struct log_line *l, const char *const *ops)
{
    const char *op = tag_get(l->fields, l->field_count, "operation_id", "");
    const char *error = tag_get(l->fields, l->field_count, "error", "");

    if (!*error)
        return;
    for (size_t i = f->proc_count; i > 0; i--)
        if (*op && strcmp(ops[i - 1], op) == 0) {
            f->procs[i - 1].stream_error = error;
            return;
        }
}

static bool is_signal_call(const struct log_line *l)
{
    const char *method = tag_get(l->fields, l->field_count, "method", "");

    return text_icontains(method, "SendSignal") ||
           text_icontains(l->message, "send signal") ||
           text_icontains(l->message, "sendSignal");
}

static void read_logs(struct facts *f)
{
    const struct evidence *ev = f->ev;
    const char **ops = NULL;
    size_t cap = 0, ops_cap = 0, call_cap = 0;

    for (size_t i = 0; i < ev->log_count; i++) {
        const struct log_line *l = &ev->logs[i];
        int64_t pid = message_pid(l->message);
        struct proc *p;
        if (is_signal_call(l)) {
            f->signal_calls = arena_grow(f->a, f->signal_calls, f->signal_call_count,
                                         &call_cap, sizeof(*f->signal_calls));
            f->signal_calls[f->signal_call_count++] = l->at_us;
        }
        if (pid < 0) {
            if (text_icontains(l->message, "stream end"))
                stream_end(f, l, ops);
            continue;
        }
        if (text_icontains(l->message, " started")) {
            f->procs = arena_grow(f->a, f->procs, f->proc_count, &cap, sizeof(*f->procs));
            ops = arena_grow(f->a, ops, f->proc_count, &ops_cap, sizeof(*ops));
            ops[f->proc_count] = tag_get(l->fields, l->field_count, "operation_id", "");
            start_proc(f, &f->procs[f->proc_count++], l, pid);
        } else if (text_icontains(l->message, " ended") && (p = find_open(f, pid))) {
            end_proc(p, l);
        }
    }
}

/* ---- what the console says about a process ---- */

/* The process that ended last before (or just around) a moment. */
static struct proc *ended_before(struct facts *f, int64_t at_us, int64_t within_us)
{
    struct proc *best = NULL;

    for (size_t i = 0; i < f->proc_count; i++) {
        struct proc *p = &f->procs[i];
        if (p->end_us == TS_NONE || p->end_us > at_us + LIMIT_SKEW_US ||
            at_us - p->end_us > within_us || p->role == ROLE_PROBE ||
            p->role == ROLE_KILLER)
            continue;
        if (!best || p->end_us >= best->end_us)
            best = p;
    }
    return best;
}

static void add_exits(struct facts *f)
{
    for (size_t i = 0; i < f->con.exit_count; i++) {
        const struct host_exit *e = &f->con.exits[i];
        struct proc *p = ended_before(f, e->at_us, LIMIT_EXIT_TOLD_US);
        if (!p)
            continue;
        if (e->has_code && (!p->has_code || p->is_code_told)) {
            p->code = e->code;
            p->has_code = true;
            p->is_code_told = true;
            p->code_ref = arena_fmt(f->a, "%zu", e->line);
        }
        if (e->signal && !p->signal) {
            p->signal = e->signal;
            p->is_code_told = true;
            p->code_ref = arena_fmt(f->a, "%zu", e->line);
        }
    }
    for (size_t i = 0; i < f->proc_count; i++) {
        struct proc *p = &f->procs[i];
        if (p->has_code && !p->signal && p->code > 128 && p->code < 160 &&
            *signal_words((int)p->code - 128))
            p->signal = (int)p->code - 128;
    }
}

/* Which process a moment of the console belongs to: one that ran then, rather one that
   ended soon after. */
static struct proc *running_at(struct facts *f, int64_t at_us)
{
    struct proc *best = NULL;

    for (size_t i = 0; i < f->proc_count; i++) {
        struct proc *p = &f->procs[i];
        bool ran = p->start_us <= at_us + LIMIT_SKEW_US &&
                   (p->end_us == TS_NONE || p->end_us >= at_us - LIMIT_SKEW_US);
        if (!ran || p->exec != exec_at(f, at_us) || p->role == ROLE_PROBE)
            continue;
        if (!best ||
            (p->end_us != TS_NONE &&
             (best->end_us == TS_NONE || p->end_us < best->end_us) &&
             !(best->end_us != TS_NONE && best->end_us >= at_us && p->end_us < at_us)) ||
            (p->end_us == TS_NONE && best->end_us == TS_NONE &&
             p->start_us >= best->start_us) ||
            (best->end_us != TS_NONE && best->end_us < at_us && p->end_us != TS_NONE &&
             p->end_us >= at_us))
            best = p;
    }
    return best;
}

/* Of the lines that no pattern knows, these are more likely to name the failure. */
static bool sounds_bad(const char *line)
{
    static const char *const words[] = {"error",   "fail",      "cannot",    "can't",
                                        "unable",  "invalid",   "missing",   "denied",
                                        "no such", "not found", "exception", "panic",
                                        "empty",   "no ",       NULL};

    for (const char *const *w = words; *w; w++)
        if (text_icontains(line, *w))
            return true;
    return false;
}

static void add_told(struct facts *f)
{
    for (size_t i = 0; i < f->con.told_count; i++) {
        const struct told *t = &f->con.told[i];
        struct proc *p = running_at(f, t->last_us);
        if (!p || t->meaning == MEAN_KERNEL_OOM)
            continue;
        if (!p->told || p->told->is_soft || !t->is_soft)
            p->told = t;
    }
    for (size_t i = 0; i < f->con.line_count; i++) {
        struct proc *p;
        if (f->con.kinds[i] == LINE_HOST || f->con.kinds[i] == LINE_FAILURE)
            continue;
        p = running_at(f, f->con.lines[i].at_us);
        if (!p)
            continue;
        p->has_output = true;
        if (f->con.lines[i].is_stderr && *f->con.lines[i].text &&
            (!p->last_stderr || sounds_bad(f->con.lines[i].text) ||
             !sounds_bad(p->last_stderr->text)))
            p->last_stderr = &f->con.lines[i];
        if (f->con.kinds[i] == LINE_SUCCESS && (!p->told || p->told->last < i))
            p->has_success = true;
    }
}

void procs_build(struct facts *f)
{
    read_logs(f);
    add_exits(f);
    add_told(f);
}
