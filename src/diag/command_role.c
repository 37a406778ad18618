/*
 * What kind of work a command is: a table of words, tried in order.
 */
#include "base/text.h"
#include "diag/command.h"
#include <ctype.h>
#include <string.h>

#include "base/banned.h"

static const struct {
    enum proc_role role;
    bool is_head; /* must begin the command */
    const char *text;
} roles[] = {
    {ROLE_KILLER, true,  "kill "            },
    {ROLE_KILLER, true,  "pkill "           },
    {ROLE_KILLER, true,  "killall "         },
    {ROLE_KILLER, true,  "fuser -k"         },
    {ROLE_KILLER, false, "xargs kill"       },
    {ROLE_KILLER, false, "; kill "          },
    {ROLE_KILLER, false, "&& kill "         },
    {ROLE_KILLER, false, "&& pkill "        },
    {ROLE_KILLER, false, "; pkill "         },
    {ROLE_KILLER, false, "kill -9 "         },
    {ROLE_KILLER, false, "kill -KILL "      },
    {ROLE_KILLER, false, "pkill -9 "        },
    {ROLE_KILLER, false, "kill -s "         },
    {ROLE_KILLER, false, "os.kill("         },
    {ROLE_PROBE,  true,  "dmesg"            },
    {ROLE_PROBE,  true,  "cat "             },
    {ROLE_PROBE,  true,  "ls"               },
    {ROLE_PROBE,  true,  "tail "            },
    {ROLE_PROBE,  true,  "head "            },
    {ROLE_PROBE,  true,  "ps"               },
    {ROLE_PROBE,  true,  "free"             },
    {ROLE_PROBE,  true,  "df"               },
    {ROLE_PROBE,  true,  "du "              },
    {ROLE_PROBE,  true,  "echo "            },
    {ROLE_PROBE,  true,  "journalctl"       },
    {ROLE_PROBE,  true,  "pwd"              },
    {ROLE_PROBE,  true,  "which "           },
    {ROLE_PROBE,  true,  "uname"            },
    {ROLE_PROBE,  true,  "whoami"           },
    {ROLE_PROBE,  true,  "id"               },
    {ROLE_PROBE,  true,  "date"             },
    {ROLE_PROBE,  true,  "env"              },
    {ROLE_PROBE,  true,  "grep "            },
    {ROLE_PROBE,  true,  "nproc"            },
    {ROLE_PROBE,  true,  "uptime"           },
    {ROLE_PROBE,  true,  "top"              },
    {ROLE_PROBE,  true,  "rm "              },
    {ROLE_PROBE,  true,  "cp "              },
    {ROLE_PROBE,  true,  "mv "              },
    {ROLE_PROBE,  true,  "mkdir "           },
    {ROLE_PROBE,  true,  "git status"       },
    {ROLE_PROBE,  true,  "git diff"         },
    {ROLE_PROBE,  true,  "git log"          },
    {ROLE_PROBE,  true,  "nvidia-smi"       },
    {ROLE_PROBE,  true,  "stat "            },
    {ROLE_PROBE,  true,  "lsof"             },
    {ROLE_PROBE,  true,  "ss "              },
    {ROLE_PROBE,  true,  "netstat"          },
    {ROLE_PROBE,  true,  "true"             },
    {ROLE_PROBE,  true,  "sleep "           },
    {ROLE_PROBE,  true,  "diff "            },
    {ROLE_PROBE,  true,  "cmp "             },
    {ROLE_PROBE,  true,  "test "            },
    {ROLE_PROBE,  true,  "[ "               },
    {ROLE_PROBE,  true,  "find "            },
    {ROLE_PROBE,  true,  "rg "              },
    {ROLE_PROBE,  true,  "wc "              },
    {ROLE_PROBE,  true,  "file "            },
    {ROLE_PROBE,  true,  "sha256sum "       },
    {ROLE_PROBE,  true,  "md5sum "          },
    {ROLE_PROBE,  true,  "tree"             },
    {ROLE_PROBE,  true,  "type "            },
    {ROLE_PROBE,  true,  "command -v "      },
    {ROLE_PROBE,  true,  "printenv"         },
    {ROLE_PROBE,  true,  "history"          },
    {ROLE_PROBE,  true,  "cd "              },
    {ROLE_PROBE,  true,  "export "          },
    {ROLE_PROBE,  true,  "chmod "           },
    {ROLE_PROBE,  true,  "chown "           },
    {ROLE_PROBE,  true,  "touch "           },
    {ROLE_PROBE,  true,  "ln "              },
    {ROLE_PROBE,  true,  "curl -I "         },
    {ROLE_PROBE,  true,  "ping "            },
    {ROLE_PROBE,  true,  "git branch"       },
    {ROLE_PROBE,  true,  "git show"         },
    {ROLE_PROBE,  true,  "pip list"         },
    {ROLE_PROBE,  true,  "pip show "        },
    {ROLE_PROBE,  true,  "pip freeze"       },
    {ROLE_PROBE,  true,  "npm ls"           },
    {ROLE_PROBE,  true,  "npm list"         },
    {ROLE_PROBE,  true,  "node --version"   },
    {ROLE_PROBE,  true,  "node -v"          },
    {ROLE_PROBE,  true,  "python3 --version"},
    {ROLE_PROBE,  true,  "python --version" },
    {ROLE_CHECK,  true,  "npm test"         },
    {ROLE_CHECK,  true,  "npm t"            },
    {ROLE_CHECK,  false, "npm run test"     },
    {ROLE_CHECK,  false, "npm run lint"     },
    {ROLE_CHECK,  false, "yarn test"        },
    {ROLE_CHECK,  false, "pnpm test"        },
    {ROLE_CHECK,  false, "pytest"           },
    {ROLE_CHECK,  false, "unittest"         },
    {ROLE_CHECK,  false, "jest"             },
    {ROLE_CHECK,  false, "vitest"           },
    {ROLE_CHECK,  false, "go test"          },
    {ROLE_CHECK,  false, "go vet"           },
    {ROLE_CHECK,  false, "cargo test"       },
    {ROLE_CHECK,  false, "cargo clippy"     },
    {ROLE_CHECK,  false, "tsc --noEmit"     },
    {ROLE_CHECK,  false, "eslint"           },
    {ROLE_CHECK,  false, "mypy"             },
    {ROLE_CHECK,  false, "ruff "            },
    {ROLE_CHECK,  false, "flake8"           },
    {ROLE_CHECK,  false, "rspec"            },
    {ROLE_CHECK,  false, "phpunit"          },
    {ROLE_CHECK,  false, "mvn test"         },
    {ROLE_CHECK,  false, "gradle test"      },
    {ROLE_CHECK,  false, "dotnet test"      },
    {ROLE_CHECK,  false, "make check"       },
    {ROLE_CHECK,  false, "make test"        },
    {ROLE_CHECK,  false, "playwright test"  },
    {ROLE_CHECK,  false, "mix test"         },
    {ROLE_SERVER, false, "run dev"          },
    {ROLE_SERVER, false, "run start"        },
    {ROLE_SERVER, false, "npm start"        },
    {ROLE_SERVER, false, "run serve"        },
    {ROLE_SERVER, false, "run preview"      },
    {ROLE_SERVER, false, "yarn dev"         },
    {ROLE_SERVER, false, "yarn start"       },
    {ROLE_SERVER, false, "pnpm dev"         },
    {ROLE_SERVER, false, "bun dev"          },
    {ROLE_SERVER, false, "next dev"         },
    {ROLE_SERVER, false, "next start"       },
    {ROLE_SERVER, false, "vite"             },
    {ROLE_SERVER, false, "http.server"      },
    {ROLE_SERVER, false, "uvicorn"          },
    {ROLE_SERVER, false, "gunicorn"         },
    {ROLE_SERVER, false, "hypercorn"        },
    {ROLE_SERVER, false, "flask run"        },
    {ROLE_SERVER, false, "flask --app"      },
    {ROLE_SERVER, false, "fastapi "         },
    {ROLE_SERVER, false, "streamlit"        },
    {ROLE_SERVER, false, "gradio"           },
    {ROLE_SERVER, false, "jupyter"          },
    {ROLE_SERVER, false, "runserver"        },
    {ROLE_SERVER, false, "rails s"          },
    {ROLE_SERVER, false, "puma"             },
    {ROLE_SERVER, true,  "nginx"            },
    {ROLE_SERVER, false, "redis-server"     },
    {ROLE_SERVER, true,  "postgres"         },
    {ROLE_SERVER, true,  "mysqld"           },
    {ROLE_SERVER, true,  "mongod"           },
    {ROLE_SERVER, false, "webpack serve"    },
    {ROLE_SERVER, false, "http-server"      },
    {ROLE_SERVER, false, "live-server"      },
    {ROLE_SERVER, false, "php -S"           },
    {ROLE_SERVER, true,  "caddy"            },
    {ROLE_SERVER, true,  "Xvfb"             },
    {ROLE_SERVER, true,  "x11vnc"           },
    {ROLE_SERVER, true,  "code-server"      },
    {ROLE_SERVER, true,  "tail -f"          },
    {ROLE_SERVER, true,  "tail -F"          },
    {ROLE_SERVER, false, "remote-debugging" },
    {ROLE_SERVER, true,  "supervisord"      },
    {ROLE_SERVER, true,  "tensorboard"      },
    {ROLE_SERVER, false, "ollama serve"     },
    {ROLE_SERVER, false, "server.js"        },
    {ROLE_SERVER, false, "server.py"        },
    {ROLE_SERVER, false, "server.mjs"       },
    {ROLE_SERVER, false, "server.ts"        },
    {ROLE_SERVER, false, "sleep infinity"   },
    {ROLE_SERVER, false, "ng serve"         },
    {ROLE_SERVER, false, "hugo server"      },
    {ROLE_SERVER, false, "nodemon"          },
    {ROLE_SERVER, false, "websockify"       },
    {ROLE_SERVER, false, "dockerd"          },
};

/* "/bin/bash -i -l": a terminal that is open. It stays until somebody closes it, like a
   server. */
static bool is_open_shell(const char *s)
{
    static const char *const shells[] = {"bash", "sh", "zsh", "fish", "tmux", NULL};
    size_t n = strcspn(s, " ");

    while (n && memchr(s, '/', n)) {
        size_t k = strcspn(s, "/") + 1;
        s += k;
        n -= k;
    }
    for (const char *const *name = shells; *name; name++)
        if (strlen(*name) == n && strncmp(s, *name, n) == 0) {
            for (s += n; *s; s += strcspn(s, " ")) {
                s += strspn(s, " ");
                if (*s && (*s != '-' || memchr(s, 'c', strcspn(s, " "))))
                    return false;
            }
            return true;
        }
    return false;
}

static bool is_listed(const char *w, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == n && strncmp(w, *list, n) == 0)
            return true;
    return false;
}

/* Is the value of --host an address of this machine, as a server has it? */
static bool is_own_host(const char *value)
{
    static const char *const own[] = {"0.0.0.0", "127.0.0.1", "localhost",
                                      "::",      "[::]",      NULL};

    return is_listed(value, strcspn(value, " "), own);
}

/*
 * "-addr :9090", "--listen=0.0.0.0:80", "--port 8080": it waits for others to connect, and
 * stays up until somebody ends it. Clients have a --port, too: that of a host which is named.
 */
static bool has_listen_flag(const char *s)
{
    static const char *const listens[] = {
        "-addr",         "--addr",           "-listen", "--listen",    "--bind", "-bind",
        "--listen-addr", "--listen-address", "-http",   "--http-addr", NULL};
    static const char *const ports[] = {"--port", "-port", "--http-port", NULL};
    static const char *const hosts[] = {"--host", "-host", "--hostname", "-h", NULL};
    static const char *const clients[] = {
        "psql",          "pg_dump",   "pg_restore",
        "pg_isready",    "createdb",  "mysql",
        "mysqldump",     "mongosh",   "mongodump",
        "mongorestore",  "redis-cli", "ssh",
        "scp",           "rsync",     "mysqladmin",
        "dropdb",        "curl",      "nc",
        "mongoimport",   "nmap",      "clickhouse-client",
        "mosquitto_pub", NULL};
    bool has_port = false, has_host = false;

    if (is_listed(s, strcspn(s, " "), clients))
        return false;
    for (s += strcspn(s, " "); *s; s += strcspn(s, " ")) {
        size_t n;
        const char *value;
        s += strspn(s, " ");
        n = strcspn(s, " =");
        value = s + n + strspn(s + n, " =");
        if (!s[n] || *value == '-' || !*value)
            continue;
        if (is_listed(s, n, listens))
            return true;
        has_port = has_port || (is_listed(s, n, ports) && isdigit((unsigned char)*value));
        has_host = has_host || (is_listed(s, n, hosts) && !is_own_host(value));
    }
    return has_port && !has_host;
}

enum proc_role command_role(const char *bare)
{
    const char *s = command_past_lead(bare);

    if (is_open_shell(s))
        return ROLE_SERVER;

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
    return has_listen_flag(s) ? ROLE_SERVER : ROLE_WORK;
}
