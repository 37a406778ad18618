/*
 * The table of signals: as headers write them, as shells and hosts print them, and in
 * words for people.
 */
#include "diag/signal.h"
#include <stddef.h>
#include <strings.h>

#include "base/banned.h"

static const struct {
    int number;
    const char *name, *words, *long_words;
} signals[] = {
    {1,  "SIGHUP",  "hangup",                   "hangup"                         },
    {2,  "SIGINT",  "interrupt",                "interrupted"                    },
    {3,  "SIGQUIT", "quit",                     "quit"                           },
    {4,  "SIGILL",  "illegal instruction",      "an instruction it cannot run"   },
    {5,  "SIGTRAP", "trace/breakpoint trap",    "trap"                           },
    {6,  "SIGABRT", "aborted",                  "it gave up by itself: abort"    },
    {7,  "SIGBUS",  "bus error",                "bus error"                      },
    {8,  "SIGFPE",  "floating point exception", "a division by zero or the like" },
    {9,  "SIGKILL", "killed",                   "killed"                         },
    {11, "SIGSEGV", "segmentation fault",       "segmentation fault"             },
    {13, "SIGPIPE", "broken pipe",              "broken pipe"                    },
    {14, "SIGALRM", "alarm clock",              "alarm"                          },
    {15, "SIGTERM", "terminated",               "asked to stop"                  },
    {24, "SIGXCPU", "cpu time limit exceeded",  "its limit on processor time"    },
    {25, "SIGXFSZ", "file size limit exceeded", "the limit on the size of a file"},
    {31, "SIGSYS",  "bad system call",          "a forbidden system call"        },
};

int signal_number(const char *name)
{
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (strcasecmp(name, signals[i].name) == 0 ||
            strcasecmp(name, signals[i].name + 3) == 0 ||
            strcasecmp(name, signals[i].words) == 0)
            return signals[i].number;
    return 0;
}

const char *signal_words(int number)
{
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (signals[i].number == number)
            return signals[i].long_words;
    return "";
}

const char *signal_name(int number)
{
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (signals[i].number == number)
            return signals[i].words;
    return "";
}
