/* Small phrases that several parts of the finding use. */
#include "base/arena.h"
#include "base/human.h"
#include "base/num.h"
#include "base/text.h"
#include "diag/explain.h"
#include <string.h>

#include "base/banned.h"

#define QUOTE_MAX 400

const char *say_duration(struct arena *a, int64_t us)
{
    char buf[HUMAN_SIZE];

    return arena_str(a, human_duration(us > 0 ? us : 0, buf));
}

const char *say_duration_s(struct arena *a, int64_t us)
{
    char buf[HUMAN_SIZE], count[HUMAN_SIZE];

    human_duration(us, buf);
    if (us < TS_MIN)
        return arena_str(a, buf);
    return arena_fmt(a, "%s (%s s)", buf, human_count((us + TS_SEC / 2) / TS_SEC, count));
}

const char *say_clock(struct arena *a, int64_t us)
{
    char buf[HUMAN_SIZE];

    return us == TS_NONE ? "" : arena_str(a, human_clock(us, buf));
}

const char *say_memory(const struct facts *f)
{
    char count[HUMAN_SIZE];

    if (f->memory_mib <= 0)
        return "";
    return arena_fmt(f->a, "%s MiB", human_count(f->memory_mib, count));
}

/* PHP tells its limit in bytes: "Allowed memory size of 134217728 bytes". */
const char *say_told_limit(struct arena *a, const char *quote)
{
    static const char head[] = "Allowed memory size of ";
    const char *at = strstr(quote, head);
    char buf[HUMAN_SIZE];
    int64_t bytes;

    if (!at)
        return "";
    at += sizeof(head) - 1;
    if (parse_i64(arena_strn(a, at, strspn(at, "0123456789")), 1, INT64_MAX, &bytes))
        return "";
    return arena_fmt(a, " of %s", human_bytes(bytes, buf));
}

const char *say_percent(struct arena *a, double share)
{
    return arena_fmt(a, "%.0f %%", share * 100);
}

const char *say_quote(struct arena *a, const char *line)
{
    return text_clean_line(a, line, strlen(line), QUOTE_MAX);
}

const char *say_exit(struct arena *a, const struct failure *d)
{
    if (d->has_code && d->code >= 0 && d->signal && d->code == 128 + d->signal)
        return arena_fmt(a, "exit code %lld, which means signal %d (%s)",
                         (long long)d->code, d->signal, signal_words(d->signal));
    if (d->has_code && d->code >= 0)
        return arena_fmt(a, "exit code %lld", (long long)d->code);
    if (d->signal)
        return arena_fmt(a, "signal %d (%s)", d->signal, signal_words(d->signal));
    return "";
}

const char *say_told(const struct told *t)
{
    static const struct {
        const char *kind, *words;
    } kinds[] = {
        {"KeyError",               "a name or column does not exist"           },
        {"IndexError",             "a list is shorter than expected"           },
        {"AttributeError",         "a mistake in the code"                     },
        {"NameError",              "a mistake in the code"                     },
        {"TypeError",              "a mistake in the code"                     },
        {"ValueError",             "it met a value it could not use"           },
        {"AssertionError",         "a check inside the program failed"         },
        {"FileNotFoundError",      "a file was missing"                        },
        {"ZeroDivisionError",      "a division by zero"                        },
        {"RecursionError",         "it called itself without end"              },
        {"StackOverflowError",     "it called itself without end"              },
        {"NullPointerException",   "a mistake in the code (an empty reference)"},
        {"NullReferenceException", "a mistake in the code (an empty reference)"},
        {"JSONDecodeError",        "it read data that is not valid JSON"       },
        {"UnicodeDecodeError",     "it read text in another encoding"          },
        {"HTTPError",              "another service answered with an error"    },
        {"ReadTimeout",            "another service did not answer in time"    },
        {"ConnectTimeout",         "another service did not answer in time"    },
        {"TimeoutError",           "a wait inside the program ran out"         },
        {"OperationalError",       "its database refused an operation"         },
        {"ReferenceError",         "a mistake in the code"                     },
        {"RangeError",             "a mistake in the code"                     },
        {"NoMethodError",          "a mistake in the code"                     },
        {"panic",                  "a mistake in the code"                     },
        {"panicked",               "a mistake in the code"                     },
        {"KeyboardInterrupt",      "it was interrupted"                        },
    };

    if (*t->words)
        return t->words;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(t->kind, kinds[i].kind) == 0)
            return kinds[i].words;
    if (text_icontains(t->message, "ENOENT") ||
        text_icontains(t->message, "no such file"))
        return "a file was missing";
    if (text_icontains(t->message, "nil pointer") ||
        text_icontains(t->message, "null pointer"))
        return "a mistake in the code (an empty reference)";
    return t->is_trace ? "an error it did not handle" : "";
}

const char *say_subject(const struct scene *s, const struct verdict *v)
{
    const struct failure *d = s->d;

    if (v->names_failure && d) {
        if ((d->told && (d->told->factors & FACTOR_KERNEL_RESTARTED)) ||
            (d->kernel && (d->kernel->factors & FACTOR_KERNEL_RESTARTED)))
            return "The notebook kernel";
        if (d->proc)
            return d->proc->subject;
        if (d->kernel && *d->kernel->program && strlen(d->kernel->program) < 24)
            return arena_fmt(s->f->a, "The program %s", d->kernel->program);
        return "The notebook code";
    }
    return s->progress.proc ? s->progress.proc->subject : "The work";
}

const char *say_limit(const struct facts *f)
{
    return f->span_us == TS_NONE ? "" : say_duration(f->a, f->span_us);
}
