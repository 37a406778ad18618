/*
 * dump_rules          prints docs/diagnosis.md, made from the tables in src/diag
 * dump_rules --cases  one line a rule: its name, a tab, the cases that justify it
 *
 * tests/corpus/run fails when docs/diagnosis.md says something else.
 */
#include "diag/factor.h"
#include "diag/limits.h"
#include "diag/rules.h"
#include "diag/scan.h"
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

static const char intro[] =
    "# How a finding comes about\n\n"
    "For engineers who want to check a finding. This page is printed by "
    "`tests/corpus/dump_rules`, a program that is\n"
    "built with the tests, from the tables in `src/diag`; a test fails when the two "
    "differ. After a change of a table:\n"
    "`tests/corpus/dump_rules > docs/diagnosis.md` (from the build folder).\n\n"
    "The labels and tie-breaks are those of `tests/corpus/README.md`; \"corpus 7\" is "
    "its tie-break 7.\n";

static const char words[] =
    "\n## In words\n\n"
    "1. **Facts.** Executions, limits and their history, who ended it, samples (memory "
    "against its total without the page\n"
    "   cache, processor, disk), processes with their ends, the lines of the console. "
    "Samples with impossible values are\n"
    "   passed over and told. Clocks may differ by two seconds.\n"
    "2. **Console.** Each line loses what log collectors put around it. Words of all "
    "patterns are looked for in one pass;\n"
    "   where one is found, its pattern decides. Lines that tell of a failure within "
    "three seconds are one story; its most\n"
    "   telling line gives the name, the others add place, factors and details.\n"
    "3. **Which failure ended the work?** A process that ended badly, with what it told "
    "last; notebook code that told an\n"
    "   error and nothing good after it. A failure does not count when the same work was "
    "repeated with success, when other\n"
    "   work went on well after it, or when it only fell with its sandbox. The first "
    "that counts decides, not what removed\n"
    "   the sandbox afterwards.\n"
    "4. **Rules.** They are tried in the order below; the first that holds decides. The "
    "first part asks about the failure,\n"
    "   the second about the end of the sandbox, and is used when no failure ended the "
    "work.\n"
    "5. **Signature.** Kind of error, message without its variable parts, innermost "
    "function of the customer's own code;\n"
    "   without one, the program. With chained errors the original cause.\n";

/* ---- the picture ---- */

static const char *class_of(const struct rule *r)
{
    return finding_class_name(r->cls);
}

static size_t first_ending(void)
{
    size_t i = 0;

    while (i < rule_count && rule_table[i].names_failure)
        i++;
    return i;
}

static void print_cell(size_t i, size_t end)
{
    char text[64] = "";

    if (i < end)
        snprintf(text, sizeof(text), "%2zu %s: %s", i + 1, rule_table[i].name,
                 class_of(&rule_table[i]));
    printf("| %-44s ", text);
}

static void print_picture(void)
{
    size_t endings = first_ending();
    size_t rows = endings > rule_count - endings ? endings : rule_count - endings;
    const char *line = "+----------------------------------------------";

    puts("\n## As a picture\n\n```text");
    puts("   events      samples      log lines      console lines\n"
         "      |           |             |                |\n"
         "      +-----------+------+------+----------------+\n"
         "                         |\n"
         "                       facts\n"
         "                         |\n"
         "       which failure, if any, ended the work first?\n"
         "                         |\n"
         "            one ---------+--------- none");
    printf("%s%s+\n| %-44s | %-44s |\n%s%s+\n", line, line,
           "what the failure was (the first that holds)",
           "how the sandbox ended (the first that holds)", line, line);
    for (size_t i = 0; i < rows; i++) {
        print_cell(i, endings);
        print_cell(endings + i, rule_count);
        puts("|");
    }
    printf("%s%s+\n```\n", line, line);
}

/* ---- tables ---- */

static void print_cases(const char *cases)
{
    for (const char *p = cases; *p;) {
        size_t n = strcspn(p, " ");
        printf("%s`%.*s`", p > cases ? ", " : "", (int)n, p);
        p += n + (p[n] != '\0');
    }
}

static void print_rules(void)
{
    puts("\n## The rules\n\n| | rule | class | confidence | holds when | source | cases "
         "|\n|--:|---|---|---|---|---|---|");
    for (size_t i = 0; i < rule_count; i++) {
        const struct rule *r = &rule_table[i];
        printf("| %zu | `%s` | %s%s%s | %s | %s | %s | ", i + 1, r->name, class_of(r),
               r->reason != REASON_NONE ? ": " : "",
               r->reason != REASON_NONE ? reason_name(r->reason) : "",
               confidence_name(r->confidence), r->says, r->source);
        print_cases(r->cases);
        puts(" |");
    }
    puts(
        "\nThe confidence is the rule's own; a rule lowers it where part of the evidence "
        "is missing, and says why.");
}

static void print_seconds(const char *what, int64_t us)
{
    printf("| %s | %g s |\n", what, (double)us / 1e6);
}

static void print_limits(void)
{
    puts("\n## Thresholds\n\n| what | value |\n|---|---|");
    print_seconds("clocks may differ by", LIMIT_SKEW_US);
    printf("| used memory that is full, of the total | %g %% |\n",
           LIMIT_MEMORY_FULL * 100);
    print_seconds("age of the last sample before a death, or one interval",
                  LIMIT_SAMPLE_AGE_US);
    printf("| a size that cannot exist, from | %g bytes |\n", LIMIT_IMPOSSIBLE_BYTES);
    printf("| share of the life time that is late, for an end without a reason | %g %% "
           "|\n",
           LIMIT_LATE_SHARE * 100);
    print_seconds("an automatic pause ends after the limit by up to",
                  LIMIT_PAUSE_LATE_US);
    print_seconds("... and for each GiB of memory by", LIMIT_PAUSE_PER_GIB_US);
    print_seconds("a command's limit fires after its time by up to",
                  LIMIT_COMMAND_LATE_US);
    printf("| processor that is fully busy, from | %g %% |\n", LIMIT_CPU_PCT);
    print_seconds("... throughout the last", LIMIT_CPU_SPAN_US);
    printf("| disk that is full, from | %g %% |\n", LIMIT_DISK_FULL * 100);
    print_seconds("the sender of a signal is looked for before a death by",
                  LIMIT_SENDER_US);
    print_seconds("a told failure is the cause of an end without a code within",
                  LIMIT_TOLD_BEFORE_END_US);
    print_seconds("lines of one story are apart by at most", LIMIT_BURST_US);
    print_seconds("work that goes on this long shows that a failure did not end it",
                  LIMIT_WENT_ON_US);
    print_seconds("output this shortly before a kill is progress", LIMIT_PROGRESS_US);
    printf("| similarity of two signatures that are one failure, from | %g |\n",
           LIMIT_SAME_SCORE);
}

static void print_factors(void)
{
    puts(
        "\n## Factors\n\nBeside these, `exit_code:N` and `signal:N` as they are told.\n\n"
        "| factor | advice |\n|---|---|");
    for (size_t i = 0; i < factor_count; i++)
        printf("| `%s` | %s |\n", factor_table[i].name, factor_table[i].advice);
}

/* ---- patterns ---- */

static const struct {
    enum meaning meaning;
    const char *title;
} meanings[] = {
    {MEAN_KERNEL_OOM,    "The kernel's memory killer"                               },
    {MEAN_MEM_REFUSED,   "Main memory was refused"                                  },
    {MEAN_MEM_CEILING,   "A memory limit of the program's own"                      },
    {MEAN_NOT_MEMORY,    "Sounds like memory, but is not the sandbox's"             },
    {MEAN_KILLED,        "Signal 9"                                                 },
    {MEAN_INNER_KILL,    "Something inside says that it sent the signal"            },
    {MEAN_LOST,          "A worker, kernel or daemon vanished"                      },
    {MEAN_SIGNAL,        "Other signals"                                            },
    {MEAN_ERROR,         "Failures with a known cause"                              },
    {MEAN_WRAPPER,       "Says only that something inside failed"                   },
    {MEAN_DETAIL,        "Adds to the failure beside it"                            },
    {MEAN_COMMAND_LIMIT, "A single command hit its own limit"                       },
    {MEAN_EXIT,          "How a command ended, as the host tells it"                },
    {MEAN_IN_FLIGHT,     "The client noticed the end while a request was under way" },
    {MEAN_CLIENT_GONE,   "The client noticed the end: proves nothing"               },
    {MEAN_RESTART_ASKED, "Somebody asked for the restart of a notebook kernel"      },
    {MEAN_SUCCESS,       "The work says that it is done"                            },
    {MEAN_SOFT,          "Told as handled"                                          },
    {MEAN_SOUNDS_BAD,    "Sounds like a failure; used where nothing better was told"},
};

/* An example as code: '|' would end the cell, '`' the code. */
static void print_example(const char *s)
{
    printf("``` ");
    for (; *s; s++)
        printf(*s == '|' ? "\\|" : "%c", *s);
    printf(" ```");
}

static size_t print_meaning(enum meaning m, const char *title)
{
    size_t n = 0;

    printf("\n### %s\n\n| pattern | runtime | means | example |\n|---|---|---|---|\n",
           title);
    for (size_t i = 0; i < scan_row_total(); i++) {
        const struct scan_row *r = scan_row_at(i);
        if (r->meaning != m)
            continue;
        printf("| `%s`%s | %s | %s | ", r->name, scan_row_is_loose(r) ? " *" : "",
               r->runtime, r->words ? r->words : "");
        print_example(r->example);
        puts(" |");
        n++;
    }
    return n;
}

static void print_patterns(void)
{
    size_t n = 0;

    puts(
        "\n## Console patterns\n\nA star marks families of wording: they weigh less than "
        "the others, leave out hedged text, and on\nstandard output count only when the "
        "program then ended with an error.");
    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
        n += print_meaning(meanings[i].meaning, meanings[i].title);
    printf("\n%zu more patterns are parts of stack traces.\n", scan_row_total() - n);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--cases") == 0) {
        for (size_t i = 0; i < rule_count; i++)
            printf("%s\t%s\n", rule_table[i].name, rule_table[i].cases);
        return 0;
    }
    if (argc != 1) {
        fprintf(stderr, "usage: dump_rules [--cases]\n");
        return 2;
    }
    fputs(intro, stdout);
    print_picture();
    fputs(words, stdout);
    print_rules();
    print_limits();
    print_factors();
    print_patterns();
    return 0;
}
